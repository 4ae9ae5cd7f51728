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
SCHEMAS = ("platforms/platform.schema.json", "scenarios/scenario.schema.json")

# Each case: a name; files to add under the root, {path: text}; edits, (path, what to insert before, what to insert);
# files of the user, {name: text}; the words of a command and what it prints to standard output; what the program prints to
# standard error without the case. A file that is there already can only be edited, and only where its text stands once; of
# those in src/ only one, and no header. "generated" are the files that tools/regenerate changes then.
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
LINES = """// A run in one line.
#include "result/record.hpp"

#include <ostream>

namespace kakehashi {

void write_line(const RunRecord& record, std::ostream& out) {
  out << record.scenario << " has " << record.table.rows.size() << " rows\\n";
}

} // namespace kakehashi
"""
CASES = [
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
             "void write_line(const RunRecord& record, std::ostream& out);\n\n"),
            ("src/report/format.cpp", 'ReportFormat{.name = "json"', 'ReportFormat{.name = "line", .ending = ".txt", .run = write_line},\n'),
        ],
        "generated": [],
        "user": {"platform.json": PAIR_PLATFORM, "scenario.json": PAIR_SCENARIO},
        "command": ["simulate", "--format", "line", "scenario.json"],
        "stdout": ["pair has 2 rows\n"],
        "without": "--format: line not in {table,csv,json}",
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
    return {pathlib.Path(e["file"]): shlex.split(e["command"]) for e in entries if "kakehashi-core.dir" in e["command"]}


class Scratch:
    """A copy of the sources, whose changed files are compiled apart."""

    def __init__(self, folder):
        self.root = folder
        self.known = compile_words()
        self.objects = []
        shutil.copytree(ROOT / "src", folder / "src")
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
        touched = sorted({*case["add"], *(path for path, _, _ in case["edit"])})
        if shared := [path for path in touched if path.endswith(".hpp") and path not in case["add"]]:
            raise Failure(f"rows stand in .cpp files, but {shared} are touched")
        return touched

    def compile_touched(self, paths):
        """Compiles the folders of the paths as units, or each by itself where the build does."""
        for folder in sorted({pathlib.Path(path).parent for path in paths if path.endswith(".cpp")}):
            unit = BUILD / f"units/core/{folder}.cpp"
            sources = sorted((self.root / folder).glob("*.cpp"))
            if unit in self.known:
                text = unit.read_text()
                included = [source for source in sources if f"{ROOT / folder / source.name}\"" in text or str(folder / source.name) in paths]
                copy = self.root / f"{'-'.join(folder.parts)}.cpp"
                copy.write_text("".join(f'#include "{source}"\n' for source in included))
                self.compile(copy, unit)
            else:
                beside = next(source for source in sorted(self.known) if source.parent == ROOT / folder)
                for source in sources:
                    if str(folder / source.name) in paths:
                        self.compile(source, beside)

    def compile(self, source, model):
        """Compiles a source of the copy as the build compiles `model`."""
        words = [word.replace(f"{ROOT}/src", f"{self.root}/src") for word in self.known[model]]
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

    def regenerate(self):
        """The schemas as tools/regenerate writes them, and in the program; those that changed."""
        fill = self.link("tools/schema/fill-schema")
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


def faults(case):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        scratch = Scratch(folder)
        user = folder / "user"
        user.mkdir()
        for file, text in case["user"].items():
            (user / file).write_text(text)
        done = run([BUILD / "kakehashi", *case["command"]], user)
        if done.returncode != 2 or case["without"] not in done.stderr:
            yield f"without it: exit {done.returncode}, {done.stderr!r}"
        touched = scratch.change(case)
        scratch.compile_touched(touched)
        generated = scratch.regenerate()
        if generated != case["generated"]:
            yield f"generated: {generated}, expected {case['generated']}"
        done = run([scratch.link("kakehashi"), *case["command"]], user)
        if done.returncode != 0 or done.stderr:
            yield f"exit {done.returncode}, {done.stderr!r}"
        for line in case["stdout"]:
            if line not in done.stdout:
                yield f"no {line!r} in {done.stdout!r}"
        if len(edited := sorted({path for path, _, _ in case["edit"] if path.startswith("src/")})) > 1:
            yield f"rows stand in one file, but {edited} are edited"
        print(f"{case['name']}: {', '.join(touched)}; generated: {', '.join(generated) or 'nothing'}")


def main():
    found = []
    for case in CASES:
        try:
            found += [f"{case['name']}: {fault}" for fault in faults(case)]
        except Failure as failure:
            found.append(f"{case['name']}: {failure}")
    print("\n".join(found) or "each is one row")
    return bool(found)


sys.exit(main())
