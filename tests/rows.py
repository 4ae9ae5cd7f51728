#!/usr/bin/env python3
"""Adds what should be one row each to a copy of the sources, and sees it work. Usage: rows.py BUILD ROOT

A case is added by hand in a scratch copy of src/, which is how it counts the files that somebody would touch. Only those are
compiled, or their folders where a folder is one unit, with the flags of BUILD, and linked before the rest of its library."""
import json
import pathlib
import shlex
import shutil
import subprocess
import sys
import tempfile

BUILD, ROOT = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
LIBRARY = "libkakehashi.a"
PARTS = ("simulating", "core")  # of the library
SCHEMAS = ["platforms/platform.schema.json", "scenarios/scenario.schema.json"]

# Each case: a name; files to add under the root, {path: text}; edits, (path, what to insert before, what to insert);
# files of the user, {name: text}; the words of a command and what it prints to standard output; what the program prints to
# standard error without the case (none: it prints something else to standard output); "more" commands, each with all that it prints,
# or "also" with a part of it; "files" that the first command writes, with a part of each. A file that is there already can only be
# edited, and only where its text stands once; of those in src/ only one, and no header. "generated" are the files that
# tools/regenerate changes then.
LINK_PLATFORM = """{
  "name": "pair",
  "templates": {"node": {"devices": [{"name": "cpu", "kind": "cpu"}]}},
  "nodes": {"a": "node", "b": "node"},
  "links": [{"between": ["a.cpu", "b.cpu"], "type": "slingshot", "line_rate": "25 GB/s", "latency": "1 us"}],
  "fabrics": {"net": {"links": ["slingshot"], "rules": [{"regimes": [{"from": "0 B"}]}]}}
}"""
LINK_SCENARIO = """{
  "name": "slingshot", "platform": "platform.json", "fabric": "net", "ranks": ["a.cpu", "b.cpu"],
  "workload": {"benchmark": "osu-latency", "sizes": [0, 2000000], "repetitions": 1}
}"""
PAIR_PLATFORM = LINK_PLATFORM.replace("slingshot", "tofu")
LIBRARY_FILE = """{
  "name": "pairs", "follows": "open-mpi-4.1", "source": "measured",
  "tables": [{"operation": "allreduce", "rows": [{"algorithm": "linear", "bytes_from": 8}]}]
}"""
PAIR_SCENARIO = LINK_SCENARIO.replace("slingshot", "pair")
ECHO = """// Rank 0 sends to rank 1, which answers; the whole time.
#include "workload/program.hpp"

namespace kakehashi {

Program echo(Rank& rank, Bytes size, int) {
  if (rank.id == 0)
    co_await rank.send(1, size);
  co_await rank.receive(1 - rank.id);
  if (rank.id == 1)
    co_await rank.send(0, size);
}

} // namespace kakehashi
"""
LINES = """// A report in a line.
#include "report/report.hpp"

#include <ostream>

namespace kakehashi {

void write_counts(const Report& report, std::ostream& out) {
  out << report.sheet().names.front() << " has " << report.sheet().rows.size() << " rows\\n";
}

} // namespace kakehashi
"""
# Reads a platform and prints what a message costs on the first way of its first fabric, and the numbers that it depends on.
PARAMETERS_PROGRAM = """#include "input/platform/platform_reader.hpp"
#include "study/explain/explanations.hpp"
#include "topology/topology.hpp"
#include "transport/cost.hpp"

#include <iostream>

int main(int, char** words) {
  const auto platform = kakehashi::read_platform(words[1]);
  for (const auto& error : platform ? kakehashi::Errors() : platform.errors())
    std::cerr << to_text(error) << '\\n';
  if (!platform)
    return 2;
  kakehashi::Topology topology(*platform);
  const auto way = kakehashi::make_way(*platform, topology, platform->fabrics[0], 0, 1);
  const auto time = kakehashi::lone_time(way->stages[0], kakehashi::Bytes{2000000}, topology.channels());
  std::cout << kakehashi::in_microseconds(time) << '\\n';
  for (const auto& parameter : kakehashi::parameters_of(*platform, {&*way}))
    std::cout << parameter.name() << '\\n';
}
"""
PARAMETERS_PLATFORM = (PAIR_PLATFORM.replace('"from": "0 B"', '"from": "0 B", "linger": "3 us", "trickle": "1 TB/s"')
                       .replace('"links": ["tofu"]', '"links": ["tofu"], "in_pairs": true, "lull": "7 us"'))
# Each may touch three files, one of them the header that has the member.
PARAMETER_CASES = [
    {
        "name": "a time and a rate of a regime, a flag and a time of a fabric",
        "edit": [
            ("src/model/platform.hpp", "  std::string provider; // name", "  Seconds linger;\n  std::optional<BytesPerSecond> trickle;\n"),
            ("src/model/platform.hpp", "  bool spread = true; ", "  bool in_pairs = false;\n  Seconds lull;\n"),
            ("src/model/fabric_fields.cpp", '      {.name = "provider"',
             '      {.name = "linger", .member = &Regime::linger, .meaning = "delay", .better = less},\n'
             '      {.name = "trickle", .member = &Regime::trickle, .meaning = "rate", .better = more},\n'),
            ("src/model/fabric_fields.cpp", '      {.name = "spread"',
             '      {.name = "in_pairs", .member = &Fabric::in_pairs, .meaning = "true: twice the delay"},\n'
             '      {.name = "lull", .member = &Fabric::lull, .meaning = "delay"},\n'),
            ("src/transport/cost.cpp", "  double copy_factor = 1;",
             "  cost.setup += (terms.fabric->in_pairs ? 2.0 : 1.0) * regime.linger + terms.fabric->lull;\n"
             "  if (regime.trickle)\n    cost.setup += size / *regime.trickle;\n"),
        ],
        # All that knows the header, as far as this program needs it.
        "compiled": ["src/model", "src/input/json", "src/input/platform", "src/topology", "src/transport", "src/study/explain/parameter.cpp"],
        "stdout": "96\n/fabrics/net/rules/0/regimes/0 linger\n/fabrics/net/rules/0/regimes/0 trickle\n"
                  "cpu memories of 50000 MB/s bandwidth\ntofu links of 25000 MB/s and 1 us bandwidth\ntofu links of 25000 MB/s and 1 us latency\n",
        "without": 'platform.json: /fabrics/net/in_pairs: got an unknown key',
    },
]
# Two nodes of a cpu and a mic each; the mics are joined at ten times the rate of the cpus.
LANE_PLATFORM = """{
  "name": "pair",
  "templates": {"node": {"devices": [{"name": "cpu", "kind": "cpu"}, {"name": "mic", "kind": "coprocessor"}],
                         "links": [{"between": ["cpu", "mic"], "type": "pcie", "generation": 2, "lanes": 16}]}},
  "nodes": {"a": "node", "b": "node"},
  "links": [{"between": ["a.cpu", "b.cpu"], "type": "tofu", "line_rate": "1 GB/s", "latency": "1 us"},
            {"between": ["a.mic", "b.mic"], "type": "tofu", "line_rate": "10 GB/s", "latency": "1 us"}],
  "fabrics": {"net": {"links": ["tofu"], "rules": [{"regimes": [{"from": "0 B"}]}]}}
}"""
LANE_SCENARIO = """{
  "name": "proxies", "platform": "platform.json", "fabric": "net", "ranks": ["a.cpu", "b.cpu"],
  "mpi": {"algorithms": {"bcast": "by-proxy"}},
  "workload": {"benchmark": "osu-bcast", "sizes": [2000000], "repetitions": 1}
}"""
BY_PROXY = """// The root's proxy sends to those of all other ranks.
#include "workload/collective/communicator.hpp"

namespace kakehashi {

Program bcast_by_proxy(Communicator comm, Call call) {
  if (comm.rank() != call.root)
    co_await comm.receive(call.root);
  for (int to = 0; comm.rank() == call.root && to < comm.size(); ++to)
    if (to != call.root)
      co_await comm.send(to, call.blocks.all());
}

} // namespace kakehashi
"""
CASES = [
    {
        "name": "a lane that a collective uses",
        "add": {"src/workload/collective/bcast_proxy.cpp": BY_PROXY},
        "edit": [
            ("src/model/lane.cpp", "  };\n  return rows;",
             '      {.name = "proxy", .fabric = "", .place = LanePlace::named, .device = "mic",\n'
             '       .device_kind = DeviceKind::coprocessor, .worker = LaneWorker::own, .is_open = false},\n'),
            ("src/workload/collective/registry.cpp", "namespace {\n\nconstexpr std::array table",
             "Program bcast_by_proxy(Communicator comm, Call call);\n\n"),
            ("src/workload/collective/registry.cpp", '    AlgorithmRow{Collective::bcast, "linear"',
             '    AlgorithmRow{Collective::bcast, "by-proxy", bcast_by_proxy, {.lane = "proxy"}},\n'),
        ],
        "edited": 2,
        "generated": [],
        "user": {"platform.json": LANE_PLATFORM, "scenario.json": LANE_SCENARIO},
        "command": ["simulate", "--format", "csv", "scenario.json"],
        "stdout": [",osu-bcast,2000000,1,0.000000,198.000000,"],  # 2002 by the cpus
        "without": 'scenario.json: /mpi/algorithms/bcast: got "by-proxy", expected one of',
    },
    {
        "name": "a workload",
        "add": {"src/workload/benchmark/echo.cpp": ECHO},
        "edit": [
            ("src/workload/benchmark/kind.cpp", "Program put_once(", "Program echo(Rank& rank, Bytes size, int window);\n"),
            ("src/workload/benchmark/kind.cpp", 'BenchmarkKind{.name = "ring"',
             'BenchmarkKind{.name = "echo", .purpose = "there and back", .iteration = echo,\n'
             "              .repetitions = osu_latency_repetitions, .form = osu_latency_form, .payloads_per_iteration = 1,\n"
             "              .first_rank_only = true, .is_for_two_ranks = true},\n"),
        ],
        "generated": ["scenarios/scenario.schema.json"],
        "user": {"platform.json": PAIR_PLATFORM, "scenario.json": PAIR_SCENARIO.replace("osu-latency", "echo")},
        "command": ["simulate", "--format", "csv", "scenario.json"],
        "stdout": ["mbytes_per_s,algorithm", ",echo,0,1,2.000000,2.000000,2.000000,0.000000,", ",echo,2000000,1,162.000000,"],
        "without": 'scenario.json: /workload/benchmark: got "echo", expected one of "imb-pingpong"',
    },
    {
        "name": "a report format",
        "add": {"src/report/line.cpp": LINES},
        "edit": [
            ("src/report/format.cpp", "namespace {\n\nconstexpr std::array formats",
             "void write_counts(const Report& report, std::ostream& out);\n\n"),
            ("src/report/format.cpp", 'ReportFormat{.name = "json"',
             'ReportFormat{.name = "line", .ending = ".txt", .write = write_counts, .needs_sheet = true},\n'),
        ],
        "generated": [],
        "user": {"platform.json": PAIR_PLATFORM, "scenario.json": PAIR_SCENARIO},
        "command": ["simulate", "--format", "line", "scenario.json"],
        "stdout": ["scenario has 2 rows\n"],
        "more": [(["list", "--format", "line", "platform.json"], "platform has 4 rows\n")],
        "without": "--format: line not in {table,csv,json,markdown}",
    },
    {
        "name": "a column",
        "add": {},
        "edit": [
            ("src/report/summary_report.cpp", '{"busy", right("busy", 8)',
             '{"idle", right("idle", 8), {1, Unit::share}, [](const LinkUse& link) { return 1 - link.busy; }},\n'),
        ],
        "generated": [],
        "user": {"platform.json": PAIR_PLATFORM, "scenario.json": PAIR_SCENARIO},
        "command": ["simulate", "--summary", "--report", "page.html", "scenario.json"],
        "stdout": [" idle     busy\n"],
        "also": [(["simulate", "--summary", "--format", "json", "scenario.json"], '"idle": 0.'),
                 (["simulate", "--summary", "--format", "markdown", "scenario.json"], "| idle | busy |")],
        "files": {"page.html": '<th scope="col" data-name="idle"'},
    },
    {
        "name": "a library",
        "add": {"libraries/pairs.json": LIBRARY_FILE},
        "edit": [],
        "generated": [],
        "user": {"platform.json": PAIR_PLATFORM,
                 "scenario.json": PAIR_SCENARIO.replace('"workload"', '"mpi": {"library": "../libraries/pairs.json"}, "workload"').replace("osu-latency", "osu-allreduce")
                 .replace("[0, 2000000]", "[4, 8]")},
        "command": ["simulate", "--format", "csv", "scenario.json"],
        "stdout": [",osu-allreduce,4,1,", ",osu-allreduce,8,1,", ",linear,"],
        "without": "libraries/pairs.json: no such file",
    },
    {
        "name": "a link type",
        "add": {},
        "edit": [
            ("src/model/link_type.cpp", "// The data sheets of NVLink and Tofu give",
             "// Half of what is on the wire, to see it in a time.\n"
             "BytesPerSecond slingshot_capacity(const LinkRating& link) {\n  return {link.line_rate->value / 2};\n}\n\n"),
            ("src/model/link_type.cpp", '{"tofu", {"line_rate"}',
             '{"slingshot", {"line_rate"}, {"line_rate"}, {}, false, slingshot_capacity},\n'),
        ],
        "generated": ["platforms/platform.schema.json"],
        "user": {"platform.json": LINK_PLATFORM, "scenario.json": LINK_SCENARIO},
        "command": ["simulate", "--format", "csv", "scenario.json"],
        "stdout": [",osu-latency,0,1,1.000000,", ",osu-latency,2000000,1,161.000000,"],  # 1 us of latency, and 2 MB at 12.5 GB/s
        "without": 'platform.json: /links/0/type: got "slingshot", expected one of "qpi"',
    },
]


class Failure(Exception):
    pass


def run(words, folder, **options):
    return subprocess.run(words, cwd=folder, capture_output=True, text=True, **options)


def make(words, folder):
    done = run(words, folder)
    if done.returncode != 0:
        raise Failure(f"{shlex.join(map(str, words))}\n{done.stdout}{done.stderr}")
    return done.stdout


def compile_words():
    """{source: the words that compile it}, of the sources of the library."""
    entries = json.loads((BUILD / "compile_commands.json").read_text())
    return {pathlib.Path(e["file"]): shlex.split(e["command"]) for e in entries if any(f"kakehashi-{part}.dir" in e["command"] for part in PARTS)}


def units_of(folder):
    """A folder's files may be in several units, one for each part."""
    return [BUILD / f"units/{part}/{folder}.cpp" for part in PARTS]


class Scratch:
    """A copy of the sources, whose changed files are compiled apart."""

    def __init__(self, folder):
        self.root = folder
        self.known = compile_words()
        self.objects = []
        for part in ("src", "tools/schema"):
            shutil.copytree(ROOT / part, folder / part)
        for schema in SCHEMAS:
            (folder / schema).parent.mkdir(exist_ok=True)
            shutil.copy(ROOT / schema, folder / schema)

    def change(self, case):
        """Makes the case's changes; the files that were touched."""
        for path, text in case["add"].items():
            if (self.root / path).exists():
                raise Failure(f"{path} is there already")
            (self.root / path).parent.mkdir(parents=True, exist_ok=True)
            (self.root / path).write_text(text)
        for path, before, text in case["edit"]:
            old = (self.root / path).read_text()
            if old.count(before) != 1:
                raise Failure(f"{path} has {before!r} {old.count(before)} times")
            (self.root / path).write_text(old.replace(before, text + before))
        return sorted({*case["add"], *(path for path, _, _ in case["edit"])})

    def compile_touched(self, paths):
        """Compiles the folders of the paths as units, or each by itself where the build does."""
        for folder in sorted({pathlib.Path(path).parent for path in paths if path.endswith(".cpp")}):
            units = [unit for unit in units_of(folder) if unit in self.known]
            sources = sorted((self.root / folder).glob("*.cpp"))
            if units:
                text = "".join(unit.read_text() for unit in units)
                included = [source for source in sources if f"{ROOT / folder / source.name}\"" in text or str(folder / source.name) in paths]
                copy = self.root / f"{'-'.join(folder.parts)}.cpp"
                copy.write_text("".join(f'#include "{source}"\n' for source in included))
                self.compile(copy, units[0])
            else:
                beside = next(source for source in sorted(self.known) if source.parent == ROOT / folder)
                for source in sources:
                    if str(folder / source.name) in paths:
                        self.compile(source, beside)

    def compile_whole(self, path):
        """Compiles a source, or all of a folder at once."""
        folder = pathlib.Path(path if (self.root / path).is_dir() else path.rpartition("/")[0])
        sources = sorted((self.root / path).glob("*.cpp")) or [self.root / path]
        unit = self.root / f"{path.replace('/', '-')}-whole.cpp"
        unit.write_text("".join(f'#include "{source}"\n' for source in sources))
        models = [*units_of(folder), *(ROOT / folder / source.name for source in sources)]
        self.compile(unit, next(model for model in models if model in self.known))

    def compile(self, source, model):
        """Compiles a source of the copy as the build compiles `model`, but as fast as may be."""
        words = [word.replace(f"{ROOT}/src", f"{self.root}/src") for word in [*self.known[model], "-O0"]]
        target = self.root / f"{len(self.objects)}.o"
        words[words.index("-o") + 1] = str(target)
        words[words.index("-c") + 1] = str(source)
        make(words, BUILD)
        self.objects.append(target)

    def link(self, target):
        """The program of the build with the copy's objects before the library's."""
        words = shlex.split(make(["ninja", "-t", "commands", target], BUILD).splitlines()[-1])
        words = words[words.index("&&") + 1 : words.index("&&", words.index("&&") + 1)]  # ": && c++ … && :"
        program = self.root / pathlib.Path(target).name
        words[words.index("-o") + 1] = str(program)
        place = next(i for i, word in enumerate(words) if word.endswith(LIBRARY))
        make([*words[:place], *map(str, self.objects), *words[place:]], BUILD)
        return program

    def link_main(self, source):
        """A program of its own, of which the library gives only what the copy's objects do not."""
        words = shlex.split(make(["ninja", "-t", "commands", "tools/schema/fill-schema"], BUILD).splitlines()[-1])
        libraries = words[next(i for i, word in enumerate(words) if word.endswith(LIBRARY)) : words.index("&&", words.index("&&") + 1)]
        program = self.root / source.stem
        flags = ["-std=c++20", "-O0", f"-I{self.root}/src", f"-I{self.root}/tools/schema"]
        make(["c++", *flags, source, *self.objects, *libraries, "-o", program], BUILD)
        return program

    def regenerate(self, fill=None):
        """The schemas as tools/regenerate writes them, and in the program; those that changed."""
        fill = fill or self.link("tools/schema/fill-schema")
        changed = []
        for path in SCHEMAS:
            schema = self.root / path
            text = make([fill, schema], self.root)
            if text != schema.read_text():
                changed.append(path)
            schema.write_text(text)
        template = (self.root / "src/input/json/schema_texts.cpp.in").read_text()
        for name, path in zip(("PLATFORM", "SCENARIO"), SCHEMAS):
            template = template.replace(f"@KAKEHASHI_{name}_SCHEMA@", (self.root / path).read_text())
        source = self.root / "schema_texts.cpp"
        source.write_text(template)
        self.compile(source, next(path for path in self.known if path.name == "schema_texts.cpp"))
        return changed


def faults_of_parameters(case):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        scratch = Scratch(folder)
        (folder / "platform.json").write_text(PARAMETERS_PLATFORM)
        done = run([BUILD / "kakehashi", "check", "platform.json"], folder)
        if done.returncode != 2 or case["without"] not in done.stderr:
            yield f"without it: exit {done.returncode}, {done.stderr!r}"
        touched = scratch.change({"add": {}, **case})
        for path in case["compiled"]:
            scratch.compile_whole(path)
        fill = folder / "fill.cpp"
        fill.write_text("".join(f'#include "{folder}/tools/schema/{file}.cpp"\n' for file in ("filled_schema", "main")))
        if (generated := scratch.regenerate(scratch.link_main(fill))) != SCHEMAS[:1]:
            yield f"generated: {generated}"
        program = folder / "parameters.cpp"
        program.write_text(PARAMETERS_PROGRAM)
        done = run([scratch.link_main(program), "platform.json"], folder)
        if done.stdout != case["stdout"]:
            yield f"{done.stdout!r} {done.stderr!r}"
        if len(touched) > 3:
            yield f"{touched} are touched"
        print(f"{case['name']}: {', '.join(touched)}; generated: {', '.join(generated)}")


def faults(case):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        scratch = Scratch(folder)
        user = folder / "user"
        user.mkdir()
        for file, text in case["user"].items():
            (user / file).write_text(text)
        done = run([BUILD / "kakehashi", *case["command"]], user)
        if "without" in case and (done.returncode != 2 or case["without"] not in done.stderr):
            yield f"without it: exit {done.returncode}, {done.stderr!r}"
        if "without" not in case and any(text in done.stdout for text in case["stdout"]):
            yield f"without it: {done.stdout!r}"
        touched = scratch.change(case)
        if shared := [path for path in touched if path.endswith(".hpp") and path not in case["add"]]:
            yield f"rows stand in .cpp files, but {shared} are touched"
        scratch.compile_touched(touched)
        generated = scratch.regenerate()
        if generated != case["generated"]:
            yield f"generated: {generated}, expected {case['generated']}"
        program = scratch.link("kakehashi")
        for command, text in case.get("more", []):
            if (found := run([program, *command], user)).stdout != text:
                yield f"{command}: {found.stdout!r}, expected {text!r}; {found.stderr!r}"
        done = run([program, *case["command"]], user)
        if done.returncode != 0 or done.stderr:
            yield f"exit {done.returncode}, {done.stderr!r}"
        for line in case["stdout"]:
            if line not in done.stdout:
                yield f"no {line!r} in {done.stdout!r}"
        for command, text in case.get("also", []):
            if text not in (found := run([program, *command], user)).stdout:
                yield f"{command}: no {text!r} in {found.stdout!r}; {found.stderr!r}"
        for file, text in case.get("files", {}).items():
            if text not in (user / file).read_text():
                yield f"no {text!r} in {file}"
        if len(edited := sorted({path for path, _, _ in case["edit"] if path.startswith("src/")})) > case.get("edited", 1):
            yield f"{edited} are edited"
        print(f"{case['name']}: {', '.join(touched)}; generated: {', '.join(generated) or 'nothing'}")


def main():
    found = []
    for case in [*PARAMETER_CASES, *CASES]:
        try:
            found += [f"{case['name']}: {fault}" for fault in (faults if case in CASES else faults_of_parameters)(case)]
        except Failure as failure:
            found.append(f"{case['name']}: {failure}")
    print("\n".join(found) or "each is one row")
    return bool(found)


sys.exit(main())
