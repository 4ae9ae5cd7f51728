#!/usr/bin/env python3
"""Calls the program as a user does; checks exit code, standard output and standard error apart. Usage: run.py KAKEHASHI ROOT"""
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from calls import expect, failures, finish, kakehashi, program, root

PLATFORM = "platforms/hpcdiy-qdr.json"
BW = "scenarios/hpcdiy-qdr/bw-gbe.json"
SCENARIO = "scenarios/hpcdiy-qdr/latency-qdr-node1-direct.json"


def usage():
    hint = "Try `kakehashi --help`.\n"
    expect("no command", kakehashi(), 2, err="error: no command given; expected simulate, sweep, compare, explain, validate, calibrate, check, completion, man\n" + hint)
    expect("misspelt command", kakehashi("simulat", SCENARIO), 2,
           err='error: unknown command "simulat" (did you mean "simulate"?)\n' + hint)
    expect("strange command", kakehashi("brew"), 2, err='error: unknown command "brew"\n' + hint)
    expect("misspelt option", kakehashi("simulate", "--formt", "csv", SCENARIO), 2,
           err='error: unknown option --formt (did you mean "--format"?)\n' + hint)
    expect("strange option", kakehashi("simulate", "--colour", SCENARIO), 2, err="error: unknown option --colour\n" + hint)
    expect("wrong format", kakehashi("simulate", "--format", "xml", SCENARIO), 2, err=["--format", "xml", hint])
    expect("no scenario", kakehashi("simulate"), 2, err=["SCENARIO", hint])
    expect("version", kakehashi("--version"), 0, out="kakehashi 0.1.0\n")
    expect("help", kakehashi("--help"), 0, out=["simulate", "check", "Examples:"])
    expect("help of simulate", kakehashi("simulate", "--help"), 0, out=["--format", "--output", "Examples:"])
    expect("missing file", kakehashi("simulate", "no-such.json"), 2, err="error: no-such.json: no such file\n")
    expect("folder as file", kakehashi("simulate", "scenarios"), 2, err="error: scenarios: not a regular file\n")


def simulate():
    expect("table", kakehashi("simulate", "--quiet", SCENARIO), 0, out=["# Size         Latency (us)", "mean error"])
    csv = kakehashi("simulate", "--quiet", "--format=csv", SCENARIO)
    expect("csv", csv, 0, out=["bytes,repetitions,t_min_us,t_max_us,t_avg_us,mbytes_per_s,measured_us,error\n0,10000,"])
    run = kakehashi("simulate", "--quiet", "--format", "json", SCENARIO)
    expect("json", run, 0, out=['"schema_version": 1'])
    document = json.loads(run.stdout)
    if [row["bytes"] for row in document["rows"]][:4] != [0, 1, 2, 4] or "parameters" not in document["provenance"]:
        failures.append("json: rows or provenance are wrong")
    again = kakehashi("simulate", "--quiet", "--format", "json", SCENARIO)
    if again.stdout != run.stdout:
        failures.append("json: two runs differ")
    with tempfile.TemporaryDirectory() as folder:
        expect("output folder", kakehashi("simulate", "--format", "csv", "--output", folder, SCENARIO), 0,
               err=[f"wrote {folder}/latency-qdr-node1-direct.csv"])
        if pathlib.Path(folder, "latency-qdr-node1-direct.csv").read_text() != csv.stdout:
            failures.append("output folder: the file differs from standard output")
        expect("unwritable folder", kakehashi("simulate", "--quiet", "--output", "/dev/null/x", SCENARIO), 1,
               err="error: /dev/null/x/latency-qdr-node1-direct.txt: cannot be written\n")


def stats():
    """Counts and times on standard error; standard output is as without them."""
    plain = kakehashi("simulate", "--quiet", SCENARIO)
    for engine, solves in (("simgrid", False), ("fluid", True)):
        run = kakehashi("simulate", "--quiet", "--stats", "--engine", engine, SCENARIO)
        names = [line[:16].rstrip() for line in run.stderr.splitlines()]
        wanted = ["messages", "events", *["solves"] * solves, "routes", "connections", "peak memory", "reading", "planning", "simulating", "reporting"]
        if run.returncode != 0 or names != wanted:
            failures.append(f"stats on {engine}: exit code {run.returncode}, {run.stderr}")
            continue
        values = dict(zip(names, (line[16:].split()[0] for line in run.stderr.splitlines())))
        if values["routes"] != "2" or values["connections"] != "2" or int(values["events"]) <= int(values["messages"]):
            failures.append(f"stats on {engine}: {values}")
        if not 1 < float(values["peak memory"]) < 1000 or not 0 < float(values["simulating"]) < 60000:
            failures.append(f"stats on {engine}: {values}")
        if engine == "simgrid" and run.stdout != plain.stdout:
            failures.append("stats: standard output differs")
    expect("no stats of a run that fails", kakehashi("simulate", "--stats", "no-such.json"), 2, err="error: no-such.json: no such file\n")


def repeats():
    expect("repeats of boss and workers", kakehashi("simulate", "--repeat", "2", "scenarios/colfax-mic/asian-option-2-devices.json"), 0,
           out=["# 2 runs, simultaneous events in different orders:", "#  work item   median[usec]", "#   16777216 "])


def steps(*lists, ranks=("hpc01.cpu1", "hpc02.cpu1")):
    return {"name": "steps", "platform": str(root / "platforms/hpcdiy-qdr.json"), "fabric": "qdr", "ranks": list(ranks),
            "workload": {"steps": list(lists)}}


def run_scenario(scenario, *options):
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "s.json").write_text(json.dumps(scenario))
        return kakehashi("simulate", "--quiet", *options, "s.json", cwd=folder)


def deadlocks():
    run = run_scenario(steps([{"do": "recv", "from": 1, "tag": 7}], [{"do": "recv", "from": "any"}]))
    expect("two receives", run, 1, err="error: s.json: deadlock after 0.000 us: 2 of 2 ranks wait for ever\n"
           "  rank 0: recv from rank 1 (tag 7)\n  rank 1: recv from any rank (any tag)\n")
    late = [{"do": "send", "to": 1, "bytes": "1 MiB"}, {"do": "recv", "from": 1}]
    mirror = [{"do": "send", "to": 0, "bytes": "1 MiB"}, {"do": "recv", "from": 0}]
    run = run_scenario(steps(late, mirror))
    expect("two rendezvous sends", run, 1, err=["deadlock", "rank 0: send of 1 MiB to rank 1 (tag 0)",
                                                "rank 1: send of 1 MiB to rank 0 (tag 0)"])
    for step in (late[0], mirror[0]):
        step["bytes"] = "1 KiB"
    expect("two eager sends", run_scenario(steps(late, mirror)), 0, out=["hpc02.cpu1"])
    run = run_scenario(steps([{"do": "irecv", "from": 1, "tag": 1}, {"do": "waitall"}], []))
    expect("waitall", run, 1, err=["rank 0: wait for 1 requests, 1 of them open; irecv from rank 1 (tag 1)"])


def check():
    expect("check platform", kakehashi("check", "platforms/hpcdiy-qdr.json"), 0,
           out="platforms/hpcdiy-qdr.json: platform, no faults\n")
    shipped = [str(path.relative_to(root)) for path in sorted(root.glob("scenarios/[!r]*/*.json"))]
    expect("check all", kakehashi("check", "--quiet", *shipped), 0)
    with tempfile.TemporaryDirectory() as folder:
        scenario = json.loads((root / SCENARIO).read_text())
        scenario.update(platform=str(root / "platforms/hpcdiy-qdr.json"), fabric="qdrr", rank=[], reference={})
        pathlib.Path(folder, "s.json").write_text(json.dumps(scenario))
        expect("several faults", kakehashi("check", "s.json", cwd=folder), 2,
               err='error: s.json: /reference: the key "curve" is missing\n'
                   'error: s.json: /reference: the key "use" is missing\n'
                   'error: s.json: /rank: got an unknown key, expected one of "$schema", "description", "fabric", "mpi", "name", '
                   '"platform", "ranks", "reference", "sweep", "workload" (did you mean "ranks"?)\n')
        pathlib.Path(folder, "t.json").write_text(json.dumps(steps([], [], ranks=["hpc01.cpu1", "hpc01.cpu1"])))
        expect("no rule", kakehashi("check", "t.json", cwd=folder), 2, err=["no rule fits", "inside-device, cpu to cpu"])


def completion():
    hint = "Try `kakehashi --help`.\n"
    expect("completion", kakehashi("completion", "bash"), 0, out=["complete -o bashdefault -F _kakehashi kakehashi\n"])
    expect("completion for no shell", kakehashi("completion"), 2, err="error: SHELL is required\n" + hint)
    expect("completion for an unknown shell", kakehashi("completion", "tcsh"), 2,
           err="error: SHELL: tcsh not in {bash,zsh,fish}\n" + hint)
    expect("man", kakehashi("man"), 0, out=[".TH KAKEHASHI 1", ".SS simulate", ".SS man"])


def validate():
    run = kakehashi("validate", "--quiet", "--format", "csv")
    expect("validate", run, 0, out=["platform,name,kind,points,mean,worst,worst_bytes,target,from_bytes,value,low,high,verdict,reason"])
    if kakehashi("validate", "--quiet", "--format", "csv", "--jobs", "1").stdout != run.stdout:
        failures.append("validate: the output depends on --jobs")
    if "FAIL" in run.stdout or run.stdout.count(",pass,") < 14:
        failures.append("validate: not everything passes\n" + run.stdout)
    expect("validate JSON", kakehashi("validate", "hpcdiy-qdr", "--format", "json"), 0, out=['"fail": 0', '"pending": 0'])
    expect("validate nothing", kakehashi("validate", "hpcdyi-qdr"), 2,
           err='error: got the platform "hpcdyi-qdr", expected all or a platform that is shipped (did you mean "hpcdiy-qdr"?)\n')
    with tempfile.TemporaryDirectory() as folder:
        for name in ("platforms", "scenarios"):
            shutil.copytree(root / name, pathlib.Path(folder, name))
        targets = pathlib.Path(folder, "scenarios/reference/targets.json")
        targets.write_text(targets.read_text().replace("0.055", "0.001"))
        expect("validate with a missed target", kakehashi("validate", "hpcdiy-qdr", "--data", folder), 1, out=["FAIL", "1 fail"])


LOG = """job 17 on two nodes
#---------------------------------------------------
#    Intel (R) MPI Benchmarks 2019 Update 5, MPI-1 part
#---------------------------------------------------
# Benchmarking PingPong
# #processes = 2
#---------------------------------------------------
       #bytes #repetitions      t[usec]   Mbytes/sec
""" + "".join(f"{n:13} 1000 {1.2 + n / 4000 if n < 4096 else 6 + n / 11000:12.2f} {1.0:12.2f}\n"
              for n in [0] + [2 ** k for k in range(23)])


def calibrate():
    with tempfile.TemporaryDirectory() as folder:
        log = pathlib.Path(folder, "pingpong.log")
        log.write_text(LOG)
        run = kakehashi("calibrate", "--format", "json", str(log))
        expect("calibrate a log", run, 0, out=['"name": "pingpong"', '"warnings"'])
        found = json.loads(run.stdout)
        regimes = found["rules"][0]["regimes"]
        if [regime["from"] for regime in regimes] != ["0 B", "4 KiB"] or found["curves"][0]["mean"] > 0.01:
            failures.append(f"calibrate a log: wrong regimes {regimes}")
        expect("a summary", kakehashi("calibrate", str(log)), 0, out=["# regime 1: 4 KiB to any size, 1 trip", "cross-validated"])

        several = kakehashi("calibrate", str(log), "scenarios/hpcdiy-qdr/bw-gbe.json")
        expect("a log and a scenario", several, 2, err=['expected those of'])
        log_twice = kakehashi("calibrate", str(log), f"{folder}/./pingpong.log")
        expect("a file twice", log_twice, 2,
               err=f"error: got {folder}/./pingpong.log twice, expected each file once, or its points would count twice\n")

        refused = (
            ("write without merge", ["--write", log], "--write needs --merge PLATFORM"),
            ("wrong size", ["--rendezvous", "2", log], '--rendezvous: got "2", expected a size such as "64 KiB" or "4 B"'),
            ("no size", ["--rendezvous", "", log], '--rendezvous: got "", expected a size such as "64 KiB" or "4 B"'),
            ("large size", ["--rendezvous", "1000 PiB", log], '--rendezvous: got "1000 PiB", expected at most 1 PiB'),
            ("one regime", ["--regimes", "1", "--rendezvous", "1 KiB", log],
             "--regimes: got 1, expected at least 2, since the sizes lie on both sides of --rendezvous"),
            ("benchmark of a log that names it", ["--benchmark", "osu-bw", log],
             '--benchmark: got "osu-bw", expected none, since all tables name their benchmark'),
            ("unknown benchmark", ["--benchmark", "osu", log], '--benchmark: got "osu", expected one of imb-pingpong, '
             "imb-sendrecv, imb-exchange, osu-latency, osu-bw, osu-bibw"),
            ("ranks without platform", ["--ranks", "a,b", log], "--ranks needs --platform or --merge"),
            ("fabric without platform", ["--fabric", "a", log], "--fabric needs --platform or --merge"),
            ("ranks of scenarios", ["--ranks", "a,b", BW], "--ranks needs a log; scenarios name their ranks"),
            ("platform of scenarios", ["--platform", "a", BW], "--platform needs a log; scenarios name their platform"),
            ("benchmark of scenarios", ["--benchmark", "osu-bw", BW], "--benchmark needs a log"),
            ("missing adjustment", ["--adjustments", "7", BW], "--adjustments: got 7, but fabric gbe has 0 of them"),
            ("negative adjustment", ["--adjustments=-1", BW], "--adjustments: got -1, but fabric gbe has 0 of them"),
            ("adjustment twice", ["--adjustments", "0,0", BW], "--adjustments: got 0 twice, expected each index only once"),
            ("adjustments and rendezvous", ["--adjustments=0", "--rendezvous", "1 KiB", BW],
             "--rendezvous does not go with --adjustments, which fits no regimes"),
            ("merge and format", ["--merge", PLATFORM, "--format", "json", BW],
             "--format does not go with --merge, which prints a platform"),
            ("merge into another fabric", ["--merge", PLATFORM, "--fabric", "qdr", BW],
             '--fabric: got "qdr", expected the fabric that is calibrated, "gbe"'),
        )
        for name, arguments, message in refused:
            expect(name, kakehashi("calibrate", *map(str, arguments)), 2, err=f"error: {message}\n")
        reference = "scenarios/reference/hpcdiy-qdr"
        expect("two tables as CSV", kakehashi("calibrate", "--benchmark", "osu-latency,osu-bw", f"{reference}/latency-gbe.csv",
                                              f"{reference}/bw-gbe.csv"), 0, out=["parameters for 47 points"])
        expect("a table of bandwidths as CSV", kakehashi("calibrate", "--benchmark", "osu-latency", f"{reference}/bw-gbe.csv"), 2,
               err=["got a table whose benchmark is not named (--benchmark names it), expected two ranks of imb-pingpong"])
        log.write_text("no table at all\n")
        expect("no table", kakehashi("calibrate", str(log)), 2, err=["pingpong.log"])


def merge():
    with tempfile.TemporaryDirectory() as folder:
        log = pathlib.Path(folder, "pingpong.log")
        log.write_text(LOG)
        platform = pathlib.Path(folder, "p.json")
        link = pathlib.Path(folder, "link.json")
        platform.write_text((root / PLATFORM).read_text())
        platform.chmod(0o640)
        link.symlink_to("p.json")
        before = platform.read_text()
        place = ("--fabric", "gbe", "--ranks", "hpc01.cpu0,hpc02.cpu0")
        merged = kakehashi("calibrate", *place, "--merge", str(platform), str(log))
        expect("merge", merged, 0, out=['"from": "pingpong"'], err=["# fabric gbe: ", "# warning: pingpong is not met"])
        if platform.read_text() != before:
            failures.append("merge: the file was overwritten without --write")
        expect("merge and write", kakehashi("calibrate", *place, "--merge", str(link), "--write", str(log)), 0, err=["regimes"])
        if platform.read_text() != merged.stdout or not link.is_symlink() or platform.stat().st_mode & 0o777 != 0o640:
            failures.append("merge: what was written is not what is printed, in the same place")
        if sorted(path.name for path in pathlib.Path(folder).iterdir()) != ["link.json", "p.json", "pingpong.log"]:
            failures.append("merge: other files were left behind")
        expect("the merged platform", kakehashi("check", "--quiet", str(platform)), 0)
        expect("paths that differ", kakehashi("calibrate", "--merge", str(platform), "--fabric", "qdr", str(log)), 2,
               err="error: --ranks: got none, but fabric qdr has 3 kinds of paths between nodes, expected the two devices that "
                   "were measured, such as node0.cpu0,node1.cpu0\n")
        expect("no fabric", kakehashi("calibrate", "--merge", str(platform), str(log)), 2,
               err=f"error: --fabric: got none, expected a fabric of {platform}\n")
        expect("wrong fabric", kakehashi("calibrate", "--platform", str(platform), "--fabric", "x", str(log)), 2,
               err=f'error: --fabric: got "x", expected a fabric of {platform}\n')
        expect("another platform", kakehashi("calibrate", "--merge", str(platform), BW), 2,
               err=['error: --merge: got "', 'expected the platform that is calibrated, "', "platforms/hpcdiy-qdr.json"])
        # A platform with one path between nodes needs neither fabric nor ranks, and keeps its own latency.
        platform.write_text(json.dumps(MINE))
        run = kakehashi("calibrate", "--merge", str(platform), "--write", str(log))
        expect("one path", run, 0, err=["# fabric ib: 2 regimes"])
        scenario = {"name": "s", "platform": str(platform), "fabric": "ib", "ranks": ["n1.cpu", "n2.cpu"],
                    "workload": {"benchmark": "imb-pingpong", "sizes": ["0 B"]}}
        run = run_scenario(scenario, "--format", "json")
        if abs(json.loads(run.stdout)["rows"][0]["t_avg_us"] - 1.2) > 0.01:
            failures.append("one path: the merged platform does not predict what was measured\n" + run.stdout)


MINE = {"name": "mine",
        "templates": {"node": {"devices": [{"name": "cpu", "kind": "cpu"}, {"name": "hca", "kind": "hca"}],
                               "links": [{"between": ["cpu", "hca"], "type": "pcie", "generation": 3, "lanes": 16}]}},
        "nodes": {"n1": "node", "n2": "node"},
        "links": [{"between": ["n1.hca", "n2.hca"], "type": "infiniband", "signalling": "EDR", "lanes": 4, "latency": "0.6 us"}],
        "fabrics": {"ib": {"links": ["pcie", "infiniband"], "rules": [{"regimes": [{"from": "0 B", "o_send": "0.3 us"}]}]}}}


def adjustments():
    arguments = ("calibrate", "--adjustments", "0", "scenarios/hpcdiy-qdr/latency-shm-inter-socket.json")
    expect("adjustments", kakehashi(*arguments), 0,
           out=["# fabric shm: 1 adjustment for 24 points", "# adjustment 0: at each crossing of qpi\n  overhead "])
    run = kakehashi(*arguments, "--format", "json")
    expect("adjustments as JSON", run, 0, out=['"index": 0', '"overhead"', '"schema_version": 1'])


MIC = "scenarios/colfax-mic/pingpong-mic2-remote-mic2.json"


def explain():
    run = kakehashi("explain", MIC, "--size", "4 MiB")
    expect("explain a message", run, 0, out=["regime 256 KiB to any size: rendezvous, 3 trips, provider ofa-v2-mcm-1",
                                             "limited leg node0.mic2-node0.hca (read)", "# bottleneck: flow at 500 MB/s",
                                             "  rate of /peer_limits/0"])
    found = json.loads(kakehashi("explain", MIC, "--size", "4 MiB", "--format", "json").stdout)
    steps = found["waterfall"]
    if [step["end_us"] for step in steps[:-1]] != [step["start_us"] for step in steps[1:]] or steps[-1]["end_us"] != found["total_us"]:
        failures.append(f"explain: the waterfall has holes: {steps}")
    staged = kakehashi("explain", MIC, "--size", "4 MiB", "--fabric", "dapl-staged")
    expect("explain stages", staged, 0, out=["# stage node0.cpu0 to node1.cpu0, fabric dapl", "# in pieces of 512 KiB"])
    expect("explain a run", kakehashi("explain", MIC), 0, out=["# busiest links", "# never mattered", "rate of /peer_limits/2"])
    expect("explain a size", kakehashi("explain", MIC, "--size", "4"), 2,
           err='error: --size: got "4", expected a size such as "64 KiB" or "4 B", at most 1 PiB\n')
    expect("explain a device", kakehashi("explain", MIC, "--size", "4 B", "--to", "node1.mic9"), 2,
           err='error: --to: got "node1.mic9", expected a cpu, coprocessor or gpu of platforms/colfax-mic.json '
               '(did you mean "node1.mic0"?)\n')
    expect("explain a fabric", kakehashi("explain", MIC, "--fabric", "dapll"), 2,
           err='error: --fabric: got "dapll", expected a fabric of platforms/colfax-mic.json (did you mean "dapl"?)\n')
    expect("explain without size", kakehashi("explain", MIC, "--to", "node1.mic0"), 2, err="error: --from and --to need --size\n")


def compare():
    scenario = "scenarios/tca-mic/mic-to-remote-mic.json"
    run = kakehashi("compare", "--quiet", scenario, "--fabrics", "peach2-scif,intel-mpi")
    expect("compare", run, 0, out=["peach2-scif (34.1 %)", "on intel-mpi wins, before it peach2-scif",
                                   "crossovers are among multiples of 64 B", "# where most of the time goes"])
    if kakehashi("compare", "--quiet", scenario, "--fabrics", "peach2-scif,intel-mpi", "--jobs", "1").stdout != run.stdout:
        failures.append("compare: the output depends on --jobs")
    found = json.loads(kakehashi("compare", "--quiet", scenario, "--fabrics", "peach2-scif,intel-mpi", "--format", "json").stdout)
    if len(found["crossovers"]) != 1 or found["crossovers"][0]["size"] % 64:
        failures.append(f"compare: wrong crossovers {found['crossovers']}")
    expect("compare as CSV", kakehashi("compare", "--quiet", scenario, "--format", "csv"), 0,
           out=["size,intel-mpi_us,intel-mpi_rate,mvapich2-mic_us"])
    expect("compare boss and workers",
           kakehashi("compare", "--quiet", "--fabrics", "tcp,dapl", "scenarios/colfax-mic/asian-option-2-devices.json"), 0,
           out=["# work item", "dapl wins everywhere", "the core of rank 0 (node0.cpu0) is busy"])
    with tempfile.TemporaryDirectory() as folder:
        faster = pathlib.Path(folder, "faster.json")
        faster.write_text((root / "platforms/tca-mic.json").read_text().replace('"tca-mic"', '"faster"').replace('"7 GB/s"', '"14 GB/s"'))
        expect("compare platforms", kakehashi("compare", "--quiet", "--platforms", f"platforms/tca-mic.json,{faster}", scenario), 0,
               out=["tca-mic/peach2-scif", "faster/peach2-scif wins everywhere"])
    expect("compare strange platforms", kakehashi("compare", "--platforms", "platforms/colfax-mic.json,platforms/tca-mic.json", SCENARIO), 2,
           err=["expected a fabric of platforms/colfax-mic.json", "expected a fabric of platforms/tca-mic.json"])
    expect("compare one", kakehashi("compare", "--quiet", scenario, "--fabrics", "intel-mpi"), 2,
           err=f"error: {scenario}: got only intel-mpi to compare, expected at least two fabrics or platforms\n")
    expect("compare nothing", kakehashi("compare", scenario, "--fabrics", "intel-mpi,mvapich2-mik"), 2,
           err='error: --fabrics: got "mvapich2-mik", expected a fabric of platforms/tca-mic.json (did you mean "mvapich2-mic"?)\n')


RING = "scenarios/colfax-mic/sweep-ring-all.json"


def sweep():
    expect("sweep", kakehashi("sweep", "scenarios/colfax-mic/sweep-ring-node.json"), 0,
           out=["# exhaustive: 24 candidates, 6 of them distinct, 6 run\n# the best is the optimum\n", "# default: slowest step node0.mic3 to node1.mic0"])
    csv = ("sweep", "--quiet", "--format", "csv")
    whole = kakehashi(*csv, RING)
    expect("sweep as CSV", whole, 0, out=["place,time_us,rate,default,ranks,slowest_step,reason,failure\n1,"])
    if kakehashi(*csv, "--jobs", "1", RING).stdout != whole.stdout:
        failures.append("sweep: the output depends on --jobs")
    run = kakehashi("sweep", "--budget", "50", "--format", "json", RING)
    expect("search", run, 0, out=['"name": "search"', '"run": 50', '"proven_gap"'])
    if kakehashi("sweep", "--budget", "50", "--format", "json", "--jobs", "1", RING).stdout != run.stdout:
        failures.append("search: the output depends on --jobs")
    for name, arguments, message in (
            ("no sweep", ["scenarios/colfax-mic/ring-default.json"],
             'scenarios/colfax-mic/ring-default.json: the key "sweep" is missing; it states what varies'),
            ("no scenario", [], "SCENARIO is required, unless --merge names result files"),
            ("wrong shard", ["--shard", "3/2", "--results", "r", RING], '--shard: got "3/2", expected such as 1/8, 2/8 … 8/8'),
            ("shard without results", ["--shard", "1/2", RING],
             "--shard needs --results, the file that is merged with those of the other shards"),
            ("wrong budget", ["--budget", "much", RING], '--budget: got "much", expected a number of runs, or a time such as "30 s"'),
            ("resume what", ["--resume", RING], "--resume needs --results, the file to go on with")):
        expect(name, kakehashi("sweep", *arguments), 2, err=f"error: {message}\n")
    with tempfile.TemporaryDirectory() as folder:
        shards = [f"{folder}/{i}" for i in (1, 2, 3)]
        for i, file in enumerate(shards, 1):
            expect("shard", kakehashi("sweep", "--shard", f"{i}/3", "--results", file, RING), 0, out=["are in other shards"])
        expect("empty shard", kakehashi("sweep", "--shard", "7/7", "--results", f"{folder}/empty",
                                        "scenarios/colfax-mic/sweep-ring-node.json"), 0, out=["none of the candidates is in this shard"])
        expect("merge shards", kakehashi(*csv, "--merge", *shards), 0, out=whole.stdout)
        expect("merge some", kakehashi(*csv, "--merge", *shards[:2]), 1,
               err=f"error: {RING}: 55 of 166 candidates are in none of the files; merge the files of all shards\n")
        expect("merge others", kakehashi(*csv, "scenarios/colfax-mic/sweep-ring-node.json", "--merge", *shards[:1]), 2,
               err=f"error: {shards[0]}: line 1: got results of another sweep, other files, another engine or tolerance, or another version, "
                   "expected those of scenarios/colfax-mic/sweep-ring-node.json as it is now\n")
        resumed(folder, csv, whole)
        for task in "12":
            environment = os.environ | {"KAKEHASHI": program, "SLURM_ARRAY_TASK_ID": task, "SLURM_ARRAY_TASK_MAX": "2"}
            run = subprocess.run([str(root / "tools/sweep-slurm"), RING, f"{folder}/array"], cwd=root, env=environment,
                                 capture_output=True, text=True, timeout=1200)
            expect("array task", run, 0, out=["are in other shards"])
        expect("merge an array", kakehashi(*csv, "--merge", *(f"{folder}/array/{task}.results" for task in "12")), 0,
               out=whole.stdout)
        rankfile, machinefile = f"{folder}/ranks", f"{folder}/machines"
        kakehashi("sweep", "--rankfile", rankfile, "--machinefile", machinefile, RING)
        if pathlib.Path(rankfile).read_text().splitlines()[:2] != ["rank 0=node0-mic0 slot=0:0", "rank 1=node0-mic2 slot=0:0"]:
            failures.append("sweep: wrong rankfile\n" + pathlib.Path(rankfile).read_text())
        if pathlib.Path(machinefile).read_text().splitlines()[:2] != ["node0-mic0:1", "node0-mic2:1"]:
            failures.append("sweep: wrong machine file\n" + pathlib.Path(machinefile).read_text())


def resumed(folder, csv, whole):
    """A sweep that is interrupted after some lines, with half a line behind them, goes on to the same ranking."""
    results = pathlib.Path(folder, "all")
    run = subprocess.Popen([program, *csv, "--jobs", "1", "--results", str(results), RING], cwd=root, stdout=subprocess.PIPE,
                           stderr=subprocess.PIPE)
    while run.poll() is None and (not results.exists() or results.read_text().count("\n") < 10):
        time.sleep(0.001)
    run.send_signal(signal.SIGINT)
    run.communicate()
    lines = results.read_text().count("\n")
    with results.open("a") as file:
        file.write("0:2,3")
    expect("a result file that is there", kakehashi(*csv, "--results", str(results), RING), 2,
           err=f"error: {results}: is there already; --resume goes on with it\n")
    expect("resume", kakehashi(*csv, "--results", str(results), "--resume", RING), 0, out=whole.stdout)
    text = results.read_text().splitlines()
    if lines < 10 or len(text) != 167 or len(set(text)) != 167:
        failures.append(f"resume: {lines} lines before, {len(text)} after it, {len(set(text))} of them different")


def full_output():
    for arguments in (["check", PLATFORM], ["simulate", "--quiet", SCENARIO], ["--help"], ["--version"]):
        with open("/dev/full", "w") as full:
            run = subprocess.run([program, *arguments], cwd=root, stdout=full, stderr=subprocess.PIPE, text=True, timeout=1200)
        if (run.returncode, run.stderr) != (1, "error: standard output: cannot be written\n"):
            failures.append(f"full output: {arguments} ends with {run.returncode} and\n{run.stderr}")


for case in (usage, simulate, stats, repeats, deadlocks, check, completion, validate, calibrate, merge, adjustments, explain, compare, sweep, full_output):
    case()
finish("all as expected")
