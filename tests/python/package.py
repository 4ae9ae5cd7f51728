#!/usr/bin/env python3
"""The installed Python package: its numbers are the program's, what it takes and refuses, how it ends, the pages of docs/ and the
notebook. Usage: package.py KAKEHASHI ROOT"""
import ast
import base64
import concurrent.futures
import concurrent.futures.process
import contextlib
import csv
import doctest
import importlib.util
import inspect
import io
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import xml.etree.ElementTree

import kakehashi as kk

program, root = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
LATENCY = "scenarios/hpcdiy-qdr/latency-qdr-node0-indirect.json"
GBE = "scenarios/hpcdiy-qdr/latency-gbe.json"
RING = "scenarios/colfax-mic/sweep-ring-node.json"
TCA = "scenarios/tca-mic/mic-to-remote-mic.json"
QDR = "platforms/hpcdiy-qdr.json"
PAIR = ["hpc01.cpu0", "hpc02.cpu0"]


def called(*words):
    return subprocess.run([program, *map(str, words)], cwd=root, capture_output=True, text=True, check=True).stdout


def document(file):
    return json.loads((root / file).read_text())


def scenario(**changes):
    """That of LATENCY as a dictionary, with a few sizes."""
    given = {"name": "pair", "platform": document(QDR), "fabric": "qdr", "ranks": PAIR,
             "workload": {"benchmark": "osu-latency", "sizes": ["8 B", "64 KiB"]}}
    return {key: value for key, value in {**given, **changes}.items() if value is not None}


SAME = [  # a call, and the program's words for it
    (lambda: kk.simulate(LATENCY), ["simulate", LATENCY]),
    (lambda: kk.simulate("scenarios/heat/heat.json"), ["simulate", "scenarios/heat/heat.json"]),
    (lambda: kk.simulate(pathlib.Path(GBE), sizes=[8, "4 KiB"], fabric="qdr", engine="fluid", tolerance=0.5),
     ["simulate", GBE, "--sizes", "8 B,4 KiB", "--fabric", "qdr", "--engine", "fluid", "--tolerance", "0.5"]),
    (lambda: kk.simulate(platform=QDR, benchmark="imb-alltoall", ranks="hpc01.cpu*", per_device=2, fabric="shm", sizes="1 KiB",
                         summary=True, repeat=2),
     ["simulate", "--platform", QDR, "--benchmark", "imb-alltoall", "--ranks", "hpc01.cpu*", "--per-device", "2", "--fabric", "shm",
      "--sizes", "1 KiB", "--summary", "--repeat", "2"]),
    (lambda: kk.simulate(GBE, set={"/workload/sizes": ["1 B"], "platform:/fabrics/gbe/rules/0/regimes/0/o_send": "1 us"}),
     ["simulate", GBE, "--set", '/workload/sizes=["1 B"]', "--set", "platform:/fabrics/gbe/rules/0/regimes/0/o_send=1 us"]),
    (lambda: kk.sweep(RING), ["sweep", RING]),
    (lambda: kk.sweep(RING, budget=4, seed=7, no_reasons=True, jobs=2),
     ["sweep", RING, "--budget", "4", "--seed", "7", "--no-reasons"]),
    (lambda: kk.compare(TCA), ["compare", TCA]),
    (lambda: kk.compare("scenarios/colfax-mic/pingpong-mic2-remote-mic2.json", fabrics=["dapl", "platforms/tca-mic.json:peach2-scif"],
                        map={"node*.mic2": "node*.mic0"}),
     ["compare", "scenarios/colfax-mic/pingpong-mic2-remote-mic2.json", "--fabrics", "dapl,platforms/tca-mic.json:peach2-scif",
      "--map", "node*.mic2=node*.mic0"]),
    (lambda: kk.compare("scenarios/hpcdiy-qdr/allreduce-shm.json", algorithms=["ring", "rabenseifner"], sizes=["64 KiB"]),
     ["compare", "scenarios/hpcdiy-qdr/allreduce-shm.json", "--algorithms", "ring,rabenseifner", "--sizes", "64 KiB"]),
    (lambda: kk.explain(TCA, size=8), ["explain", TCA, "--size", "8 B"]),
    (lambda: kk.explain("scenarios/colfax-mic/pingpong-mic2-remote-mic2.json", size="8 B", from_="node0.mic0", to="node1.mic2"),
     ["explain", "scenarios/colfax-mic/pingpong-mic2-remote-mic2.json", "--size", "8 B", "--from", "node0.mic0", "--to", "node1.mic2"]),
    (lambda: kk.explain(GBE, sizes="8 B"), ["explain", GBE, "--sizes", "8 B"]),
    (lambda: kk.validate("intel-mpss"), ["validate", "intel-mpss"]),
    (lambda: kk.validate("tca-mic", no_large=True), ["validate", "tca-mic", "--no-large"]),
    (lambda: kk.validate(GBE), ["validate", GBE]),
]

REFUSED = [  # a call, and its faults
    (lambda: kk.simulate("none.json"), ["none.json: no such file"]),
    (lambda: kk.simulate(), ["SCENARIO is missing; or --platform, --benchmark and --ranks, which state one"]),
    (lambda: kk.simulate(LATENCY, fabric="qd"), [f'--fabric: got "qd", expected a fabric of {QDR}: gbe, gbe-shm, qdr, qdr-shm, shm (did you mean "qdr"?)']),
    (lambda: kk.simulate(LATENCY, engine="warp"), ["--engine: warp not in {auto,simgrid,fluid}"]),
    (lambda: kk.simulate(scenario(ranks=None, name=7)),
     ['scenario: the key "ranks" is missing', "scenario: /name: got 7, expected a string"]),
    (lambda: kk.simulate(scenario(platform=None)), ['scenario: the key "platform" is missing']),
    (lambda: kk.simulate(scenario(platform={**document(QDR), "linkz": []})),
     ['platform: /linkz: got an unknown key, expected one of "$schema", "description", "devices", "fabrics", "gpu_library", "links", "megabyte", "mpi", "name", '
      '"networks", "nodes", "peer_limits", "stack", "templates", "tofu" (did you mean "links"?)']),
    (lambda: kk.simulate(scenario(platform="none.json")), ["none.json: no such file"]),
    (lambda: kk.sweep(scenario()), ['scenario: the key "sweep" is missing; it states what varies']),
    (lambda: kk.compare(scenario(), fabrics="qdr"), ["scenario: got only qdr to compare, expected at least two fabrics or platforms"]),
    (lambda: kk.explain(LATENCY, size="8 pounds"), ['--size: got "8 pounds", expected a size such as "64 KiB" or "4 B", at most 1 PiB']),
    (lambda: kk.read_platform(LATENCY), [f"{LATENCY}: got a scenario, expected a platform"]),
    (lambda: kk.read_platform("none.json"), ["none.json: no such file"]),
    (lambda: kk.validate("no-such"), ['got the platform "no-such", expected all, bluefield, colfax-mic, colfax-two-hcas, fx10-tofu, h100, hpcdiy-qdr, intel-mpss, tca-colfax, tca-mic']),
    (lambda: kk.import_platform("none.xml"), ["none.xml: no such file"]),
]


class Numbers(unittest.TestCase):
    def test_are_those_of_the_program(self):
        for call, words in SAME:
            with self.subTest(words=words):
                self.assertEqual(call().to_dict(), json.loads(called(*words, "--format", "json")))

    def test_picture_is_that_of_plot(self):
        with tempfile.TemporaryDirectory() as folder:
            for call, words in ((lambda: kk.simulate(LATENCY), ["simulate", LATENCY]),
                                (lambda: kk.sweep(RING), ["sweep", RING]),
                                (lambda: kk.compare(TCA), ["compare", TCA]),
                                (lambda: kk.explain(TCA, size=8), ["explain", TCA, "--size", "8 B"])):
                called(*words, "--plot", f"{folder}/chart.svg")
                self.assertEqual(call()._repr_svg_(), pathlib.Path(folder, "chart.svg").read_text())

    def test_dictionaries_give_what_files_give(self):
        whole = kk.simulate(LATENCY, sizes=["8 B", "64 KiB"])
        columns = ["bytes", "t_avg_us", "mbytes_per_s"]
        expected = [[row[name] for name in columns] for row in whole.rows]
        for given in (scenario(), scenario(platform=QDR), scenario(platform=root / QDR)):
            self.assertEqual([[row[name] for name in columns] for row in kk.simulate(given).rows], expected)
        for options in ({"platform": document(QDR)}, {"platform": QDR}):
            self.assertEqual([row["t_avg_us"] for row in kk.simulate(scenario(platform=None), **options).rows],
                             [row["t_avg_us"] for row in whole.rows])
        other = {**document(QDR), "name": "other"}
        compared = kk.compare(scenario(), platforms=[other])
        self.assertEqual({row["contender"] for row in compared.rows}, {"hpcdiy-qdr/qdr", "other/qdr"})
        self.assertEqual(kk.simulate(platform=other, fabric="qdr", benchmark="osu-latency", ranks=PAIR, sizes=8)["platform"], "other")

    def test_algorithms_are_names_files_and_dictionaries(self):
        shm, ring = "scenarios/hpcdiy-qdr/allreduce-shm.json", root / "libraries/collectives/ring.json"
        times = [[row["t_avg_us"] for row in kk.simulate(shm, algorithm=each).rows] for each in ("ring", ring, document(ring))]
        self.assertEqual(times[1:], times[:1] * 2)
        tree = kk.own_algorithm("bcast", [[(rank, rank + far) for rank in range(far)] for far in (1, 2, 4)])
        self.assertEqual(tree["phases"][1]["messages"], [{"from": 0, "to": 2}, {"from": 1, "to": 3}])
        compared = kk.compare("scenarios/hpcdiy-qdr/bcast-shm-chain.json", algorithms=["binomial", tree], sizes="8 B")
        self.assertIn("own-1.json", {row["contender"] for row in compared.rows})
        with self.assertRaises(kk.Error) as raised:
            kk.simulate(shm, algorithm=kk.own_algorithm("allreduce", [[(0, 1)]]))
        self.assertIn("rank 0 has the part of rank 0 of block 0 after the last of 1 steps", str(raised.exception))

    def test_threads_go_side_by_side(self):
        sizes = [2**i for i in range(16)]
        one_by_one = [kk.simulate(LATENCY, sizes=size).rows[0]["t_avg_us"] for size in sizes]
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            rows = pool.map(lambda size: kk.simulate(LATENCY, sizes=size).rows[0]["t_avg_us"], sizes)
            self.assertEqual(list(rows), one_by_one)


class Results(unittest.TestCase):
    def test_rows_and_columns(self):
        ring, heat, tca = kk.sweep(RING), kk.simulate("scenarios/heat/heat.json"), kk.compare(TCA)
        self.assertEqual(ring["best"]["ranks"], ring.rows[0]["ranks"])
        self.assertEqual(heat.columns[:3], ["rank", "device", "end_us"])
        self.assertEqual([row["end_us"] for row in heat.rows], heat["rank_ends_us"])
        self.assertEqual(len(tca.rows), len(tca["rows"]) * len(tca["contenders"]))
        self.assertEqual([row["contender"] for row in tca.rows if row["verdict"]], [name for row in tca["rows"] for name in row["as_fast"]])
        table = list(csv.DictReader(io.StringIO(called("compare", TCA, "--format", "csv", "--quiet"))))
        for name in ("contender", "platform", "fabric", "verdict"):
            self.assertEqual([row[name] or "" for row in tca.rows], [line[name] for line in table])
        self.assertEqual(repr(heat).partition(":")[0], "<simulate heat, colfax-mic, dapl")

    def test_data_frame(self):
        frame = kk.simulate(LATENCY).to_pandas()
        table = list(csv.DictReader(io.StringIO(called("simulate", LATENCY, "--range", "--format", "csv"))))
        self.assertEqual(len(frame), len(table))
        for name in ("scenario", "platform", "fabric"):
            self.assertEqual(list(frame[name]), [line[name] for line in table])
        for name in frame.columns[3:]:
            for found, line in zip(frame[name], table):
                shown = float(line["measured_us" if name == "measured" else name])
                self.assertAlmostEqual(found, shown, delta=1e-6 * max(1, abs(found)))

    def test_without_pandas(self):
        result, pandas = kk.simulate(LATENCY), sys.modules.pop("pandas", None)
        sys.modules["pandas"] = None
        try:
            with self.assertRaisesRegex(ImportError, r"^to_pandas\(\) needs pandas, which is not installed: pip install pandas$"):
                result.to_pandas()
        finally:
            del sys.modules["pandas"]
            if pandas:
                sys.modules["pandas"] = pandas

    def test_shown_in_notebooks(self):
        result = kk.compare(TCA)
        (image,) = re.findall(r'src="data:image/svg\+xml;base64,([^"]+)"', result._repr_html_())
        self.assertEqual(base64.b64decode(image).decode(), result.svg)
        self.assertEqual(xml.etree.ElementTree.fromstring(result.svg).tag, "{http://www.w3.org/2000/svg}svg")
        shown = xml.etree.ElementTree.fromstring(f"<div>{result._repr_html_()}</div>")
        self.assertEqual([len(shown.findall(f".//{name}")) for name in ("img", "th", "tr")], [1, len(result.columns), 1 + 51])
        plain = kk.simulate(LATENCY, picture=False)
        self.assertEqual((plain.svg, "<img" in plain._repr_html_()), (None, False))

    def test_notes(self):
        self.assertEqual([note.partition(" is left out")[0] for note in kk.compare(scenario(platform=QDR)).notes], ["note: fabric shm"])


class Faults(unittest.TestCase):
    def test_are_raised_with_all_that_is_wrong(self):
        for number, (call, faults) in enumerate(REFUSED):
            with self.subTest(number=number), self.assertRaises(kk.Error) as raised:
                call()
            self.assertEqual(raised.exception.faults, faults)
            self.assertEqual(str(raised.exception), "\n".join(raised.exception.faults))

    def test_what_has_no_form_in_json(self):
        with self.assertRaisesRegex(TypeError, "set has no form in JSON"):
            kk.simulate(scenario(ranks={1, 2}))
        with self.assertRaises(ValueError):
            kk.simulate(scenario(workload={"benchmark": "osu-latency", "sizes": [float("nan")]}))
        with self.assertRaises(TypeError):
            kk.simulate(LATENCY, fabrik="qdr")

    def test_check(self):
        self.assertEqual([kk.check(each) for each in (QDR, LATENCY, RING, document(QDR), scenario())], [[]] * 5)
        wrong = document(QDR)
        wrong["linkz"] = wrong.pop("links")
        (fault,) = [fault for fault in kk.check(wrong) if "linkz" in fault]
        self.assertRegex(fault, r'^platform: /linkz: got an unknown key, .*did you mean "links"')
        self.assertEqual(len(kk.check(scenario(name="a/b", ranks=["hpc01.cpu0", "hpc02.cpuO"]))), 2)

    def test_platforms(self):
        self.assertEqual(kk.read_platform(QDR), document(QDR))
        with self.assertWarnsRegex(UserWarning, "assumed: one switch"):
            platform = kk.import_platform("scenarios/journey/node.xml", nodes=2)
        self.assertEqual(kk.check(platform), [])


class Studies(unittest.TestCase):
    def test_tell_their_progress(self):
        heard = []
        kk.sweep(RING, jobs=1, progress=lambda done, total: heard.append((done, total)))
        self.assertEqual((heard[-1], heard == sorted(heard)), ((6, 6), True))
        silent = io.StringIO()
        with contextlib.redirect_stderr(silent):
            kk.sweep(RING)
        self.assertEqual(silent.getvalue(), "")

    def test_end_when_progress_fails(self):
        with self.assertRaises(ZeroDivisionError):
            kk.sweep(RING, progress=lambda done, total: 1 / 0)
        self.assertEqual(children_of(os.getpid()), [])

    def test_end_with_control_c(self):
        """As a terminal sends it, to the whole group, while a search of 6144 ranks runs."""
        script = ("import kakehashi as kk\nprint('begins', flush=True)\n"
                  "try: kk.sweep('scenarios/fx10-tofu/sweep-alltoall.json', jobs=2)\n"
                  "except KeyboardInterrupt: print('interrupted')")
        process = subprocess.Popen([sys.executable, "-c", script], cwd=root, stdout=subprocess.PIPE, text=True, start_new_session=True)
        process.stdout.readline()
        while not (workers := [worker for child in children_of(process.pid) for worker in children_of(child)]):
            self.assertIsNone(process.poll())
            time.sleep(0.05)
        os.killpg(process.pid, signal.SIGINT)
        self.assertEqual(process.communicate(timeout=120)[0], "interrupted\n")
        end = time.monotonic() + 60  # the system takes a moment to end one whose parent is gone
        while (left := [worker for worker in workers if is_alive(worker)]) and time.monotonic() < end:
            time.sleep(0.05)
        self.assertEqual(left, [])


def children_of(process):
    with contextlib.suppress(FileNotFoundError):
        return [int(child) for task in pathlib.Path(f"/proc/{process}/task").iterdir() for child in (task / "children").read_text().split()]
    return []


def is_alive(process):
    with contextlib.suppress(FileNotFoundError, ProcessLookupError):
        return pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return False


class Package(unittest.TestCase):
    def test_has_the_options_of_the_commands(self):
        elsewhere = {"help", "format", "output", "quiet", "stats", "range", "top", "sensitivity", "large", "faults", "data", "write", "all", "candidates"}
        ours = {"scenario", "names", "files", "what", "progress", "picture", "executor", "shards"}
        for function in (kk.simulate, kk.sweep, kk.compare, kk.explain, kk.validate, kk.import_platform, kk.list,
                         kk.export, kk.calibrate, kk.tune):
            command = function.__name__.removesuffix("_platform")
            options = set(re.findall(r"(?m)^  (?:-h,)?--([a-z-]+)", called(command, "--help"))) - elsewhere
            keywords = {name.strip("_").replace("_", "-") for name in set(inspect.signature(function).parameters) - ours - ({"platform"} if function is kk.tune else set())}
            self.assertEqual(keywords, options, function.__name__)

    def test_has_the_types_of_what_it_offers(self):
        stub = pathlib.Path(kk.__file__).with_suffix(".pyi")
        self.assertTrue(stub.with_name("py.typed").exists())
        names = {}
        for each in ast.parse(stub.read_text()).body:
            if isinstance(each, ast.FunctionDef):
                given = each.args
                names[each.name] = [one.arg for one in (*given.args, *filter(None, [given.vararg]), *given.kwonlyargs)]
                self.assertEqual(names[each.name], [*inspect.signature(getattr(kk, each.name)).parameters], each.name)
            elif isinstance(each, ast.ClassDef):
                names[each.name] = None
        self.assertEqual({*names}, {*kk.__all__})

    def test_tunes(self):
        words = ("--ranks", "*.cpu*", "--library", "open-mpi-4.1", "--collectives", "allreduce", "--sizes", "8 B,64 KiB")
        found = kk.tune(QDR, ranks="*.cpu*", fabric="qdr-shm", library="open-mpi-4.1", collectives="allreduce", sizes=[8, 65536], progress=False)
        self.assertEqual(found.to_dict(), json.loads(called("tune", QDR, *words, "--fabric", "qdr-shm", "--format", "json", "--quiet")))
        self.assertEqual(found.columns, ["operation", "placement", "ranks", "size", "default", "default_us", "take", "take_us", "gain", "sure"])

    def test_runs_the_placements_of_another_search(self):
        expected = kk.sweep(RING, progress=False, no_reasons=True)
        sought = kk.Sweep(RING, no_reasons=True)
        ring8 = kk.sweep("scenarios/colfax-mic/sweep-ring-all.json", progress=False, no_reasons=True)
        rows = expected.to_dict()["points"]
        ours = [{key: point[key] for key in ("ranks", "time_us", "slowest_step")} for point in rows]
        for placements in (ours[:3], ours, []):  # known ones, too
            found = sought.evaluate(point["ranks"] for point in placements)
            self.assertEqual([{key: point[key] for key in ("ranks", "time_us", "slowest_step")} for point in found], placements)
        self.assertEqual(len(pathlib.Path(sought.results).read_text().splitlines()), 1 + len(ours))
        with self.assertRaisesRegex(kk.Error, "^placements: line 1: got 2 devices, expected 5, one for each rank"):
            sought.evaluate([["node0.mic0", "node0.mic1"]])
        if importlib.util.find_spec("scipy"):
            run = subprocess.run([sys.executable, root / "examples/search.py"], text=True, timeout=300, capture_output=True)
            self.assertEqual(run.stdout[:run.stdout.find(" us")], f"{ring8['best']['time_us']:.2f}", run.stderr)

    def test_sweeps_on_executors(self):
        expected = kk.sweep(RING, progress=False)
        there = {module: importlib.util.find_spec(module) for module in ("distributed", "mpi4py")}
        executors = {"from concurrent.futures import ProcessPoolExecutor": ("ProcessPoolExecutor(2)", [sys.executable])}
        if there["distributed"]:
            executors["from distributed import Client"] = ("Client(n_workers=2, threads_per_worker=1, dashboard_address=None)", [sys.executable])
        if there["mpi4py"] and shutil.which("mpirun"):
            executors["from mpi4py.futures import MPIPoolExecutor"] = ("MPIPoolExecutor()", [
                "mpirun", "-n", "3", sys.executable, "-m", "mpi4py.futures"])
        root_may = {f"OMPI_{name}": "1" for name in ("ALLOW_RUN_AS_ROOT", "ALLOW_RUN_AS_ROOT_CONFIRM", "MCA_rmaps_base_oversubscribe")}
        for line, (executor, words) in executors.items():
            with tempfile.TemporaryDirectory() as folder:
                pathlib.Path(folder, "shared.py").write_text(f"""import json
import kakehashi as kk
{line}
if __name__ == "__main__":
    told = []
    with {executor} as executor:
        found = kk.sweep({RING!r}, executor=executor, shards=3, progress=lambda *all: told.append(all))
    print(json.dumps([told, found.rows, found["best"]]))
""")
                run = subprocess.run([*words, "shared.py"], cwd=folder, text=True, timeout=300, capture_output=True,
                                     env={**os.environ, **root_may})
            self.assertEqual(run.returncode, 0, f"{executor}: {run.stderr}")
            self.assertEqual(json.loads(run.stdout), [[[1, 3], [2, 3], [3, 3]], expected.rows, expected["best"]], executor)

        class Dying(concurrent.futures.Executor):
            """Its second worker dies."""
            shards = 0

            def submit(self, work, *arguments):
                self.shards += 1
                future = concurrent.futures.Future()
                if self.shards == 2:
                    future.set_exception(concurrent.futures.process.BrokenProcessPool("a worker died"))
                else:
                    future.set_result(work(*arguments))
                return future

        with self.assertWarnsRegex(UserWarning, "shard 2/3 was lost .* and runs here"):
            self.assertEqual(kk.sweep(RING, executor=Dying(), shards=3).rows, expected.rows)
        with self.assertRaises(TypeError):
            kk.sweep(RING, executor=concurrent.futures.ThreadPoolExecutor(1), resume=True)

    def test_calibrates_lists_and_exports(self):
        self.assertEqual(kk.calibrate(GBE, progress=False), json.loads(called("calibrate", GBE, "--format", "json", "--quiet")))
        self.assertEqual(kk._commands.words_of({"collective": {"2x64": ["a.log", pathlib.Path("b.log")], "2x64:ring": "c.log"}}),
                         ["--collective=2x64=a.log", "--collective=2x64=b.log", "--collective=2x64:ring=c.log"])
        self.assertEqual(kk.list(document(QDR))["devices"], json.loads(called("list", QDR, "--format", "json"))["devices"])
        self.assertEqual(kk.export(QDR, to="graphviz"), called("export", QDR, "--to", "graphviz"))
        self.assertEqual(kk.export(GBE, trace="goal", sizes=8), called("export", GBE, "--trace", "goal", "--sizes", "8 B"))
        self.assertRegex(kk.__version__, r"^[0-9]+[.]")

    def test_dictionaries_stand_for_platform_files(self):
        near, placed = str(root / "scenarios/journey/near.log"), {"fabric": "shm", "ranks": ["hpc01.cpu0", "hpc01.cpu1"], "progress": False}
        for command in (lambda qdr: kk.calibrate(near, merge=qdr, **placed), lambda qdr: kk.calibrate(near, platform=qdr, **placed),
                        lambda qdr: kk.explain(near, platform=qdr, **placed).to_dict()):
            self.assertEqual(command(document(QDR)), command(QDR))
        wrong = {**document(QDR), "linkz": []}
        for call in (lambda: kk.list(wrong), lambda: kk.calibrate(near, merge=wrong, **placed), lambda: kk.explain(near, platform=wrong, **placed)):
            with self.assertRaisesRegex(kk.Error, "^(platform|merge): /linkz: got an unknown key"):
                call()

    def test_names_are_never_options(self):
        with tempfile.TemporaryDirectory() as folder:
            self.addCleanup(os.chdir, root)
            os.chdir(folder)
            for call in (kk.simulate, kk.sweep, kk.explain, kk.compare, kk.list, kk.validate, kk.calibrate, kk.import_platform, kk.export):
                with self.subTest(call=call.__name__), self.assertRaisesRegex(kk.Error, "[./]--output=a.json"):
                    call("--output=a.json")
            self.assertEqual(kk.check("--output=a.json"), ["./--output=a.json: no such file"])
            self.assertEqual(os.listdir(folder), [])

    def test_empty_lists_take_no_other_option(self):
        with self.assertRaisesRegex(kk.Error, '^--sizes: got "", expected a value$'):
            kk.simulate(LATENCY, sizes=[])

    def test_finds_what_is_shipped(self):
        script = f"import kakehashi as kk; print(kk.simulate({LATENCY!r}, sizes=8).rows[0]['t_avg_us'], kk.data_folder())"
        for data in ({}, {"KAKEHASHI_DATA": str(root)}):
            with tempfile.TemporaryDirectory() as folder:
                done = subprocess.run([sys.executable, "-c", script], cwd=folder, env={**os.environ, **data}, capture_output=True,
                                      text=True)
            expected = data.get("KAKEHASHI_DATA") or str(pathlib.Path(kk.__file__).parent / "data")
            self.assertEqual((done.stdout.split()[1:], done.stderr), ([expected], ""))

    def test_is_as_documented(self):
        """Each block of Python in docs/python.md, in turn, in one folder."""
        blocks = re.findall(r"```pycon\n(.*?)```", (root / "docs/python.md").read_text(), re.S)
        self.assertGreater(len(blocks), 3)
        test = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, "docs/python.md", None, None)
        said = io.StringIO()
        doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE).run(test, out=said.write)
        self.assertFalse(said.getvalue(), said.getvalue())

    def test_runs_the_notebook(self):
        import nbclient
        import nbformat
        notebook = nbformat.read(root / "python/example.ipynb", as_version=4)
        nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3", resources={"metadata": {"path": str(root)}}).execute()
        shown = [output.data for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs if "data" in output]
        pictures = [data["image/svg+xml"] for data in shown if "image/svg+xml" in data]
        self.assertEqual([xml.etree.ElementTree.fromstring(picture).tag.rpartition("}")[2] for picture in pictures], ["svg"] * 4)
        self.assertEqual(sum("base64" in data.get("text/html", "") for data in shown), 4)
        self.assertEqual(sum('class="dataframe"' in data.get("text/html", "") for data in shown), 2)
        written = [cell["source"] for name in ("example", "training", *self.SHORT) for cell in document(f"python/{name}.ipynb")["cells"] if cell.get("outputs")]
        self.assertEqual(written, [], "the notebooks are kept without outputs")

    SHORT = {"administrator": 3, "architect": 3, "engineer": 3, "gpus": 2}  # notebooks, and how many cells show something

    def test_runs_a_notebook_for_each_kind_of_reader(self):
        import nbclient
        import nbformat
        for name, count in self.SHORT.items():
            notebook = nbformat.read(root / f"python/{name}.ipynb", as_version=4)
            nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3", resources={"metadata": {"path": str(root)}}).execute()
            shown = sum(any("data" in output or output.get("name") == "stdout" for output in cell.outputs) for cell in notebook.cells if cell.cell_type == "code")
            self.assertEqual(shown, count, name)

    def test_runs_the_notebook_of_training(self):
        import nbclient
        import nbformat
        notebook = nbformat.read(root / "python/training.ipynb", as_version=4)
        nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3", resources={"metadata": {"path": str(root)}}).execute()
        shown = [output.data for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs if "data" in output]
        self.assertEqual(sum('class="dataframe"' in data.get("text/html", "") for data in shown), 5)


if __name__ == "__main__":
    os.chdir(root)
    unittest.main(argv=sys.argv[:1])
