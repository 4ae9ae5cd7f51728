#!/usr/bin/env python3
"""Calls the program as a user does; checks exit code, standard output and standard error apart. Usage: run.py KAKEHASHI ROOT"""
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

program, root = str(pathlib.Path(sys.argv[1]).resolve()), pathlib.Path(sys.argv[2]).resolve()
failures = []


def kakehashi(*arguments, cwd=root):
    return subprocess.run([program, *arguments], cwd=cwd, capture_output=True, text=True, timeout=1200)


def expect(name, run, code, out=None, err=None):
    """out and err: the whole text, or a list of parts that must occur; None: must be empty."""
    for what, found, wanted in (("stdout", run.stdout, out), ("stderr", run.stderr, err)):
        right = all(part in found for part in wanted) if isinstance(wanted, list) else found == (wanted or "")
        if not right:
            failures.append(f"{name}: {what} is\n{found}\nbut should be{' with' if isinstance(wanted, list) else ''}\n{wanted}")
    if run.returncode != code:
        failures.append(f"{name}: exit code {run.returncode}, expected {code}\n{run.stderr}")


SCENARIO = "scenarios/hpcdiy-qdr/latency-qdr-node1-direct.json"


def usage():
    hint = "Try `kakehashi --help`.\n"
    expect("no command", kakehashi(), 2, err="error: no command given; expected simulate, compare, explain, validate, calibrate, check\n" + hint)
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
    shipped = [str(path.relative_to(root)) for path in sorted(root.glob("scenarios/[hi]*/*.json"))]
    expect("check all", kakehashi("check", "--quiet", *shipped), 0)
    with tempfile.TemporaryDirectory() as folder:
        scenario = json.loads((root / SCENARIO).read_text())
        scenario.update(platform=str(root / "platforms/hpcdiy-qdr.json"), fabric="qdrr", rank=[], reference={})
        pathlib.Path(folder, "s.json").write_text(json.dumps(scenario))
        expect("several faults", kakehashi("check", "s.json", cwd=folder), 2,
               err='error: s.json: /reference: the key "curve" is missing\n'
                   'error: s.json: /reference: the key "use" is missing\n'
                   'error: s.json: /rank: got an unknown key, expected one of "$schema", "description", "fabric", "mpi", "name", '
                   '"platform", "ranks", "reference", "workload" (did you mean "ranks"?)\n')
        pathlib.Path(folder, "t.json").write_text(json.dumps(steps([], [], ranks=["hpc01.cpu1", "hpc01.cpu1"])))
        expect("no rule", kakehashi("check", "t.json", cwd=folder), 2, err=["no rule for", "inside-device, cpu to cpu"])


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

        platform = pathlib.Path(folder, "p.json")
        shutil.copy(root / "platforms/hpcdiy-qdr.json", platform)
        before = platform.read_text()
        place = ("--platform", str(platform), "--fabric", "gbe", "--ranks", "hpc01.cpu0,hpc02.cpu0")
        merged = kakehashi("calibrate", *place, "--merge", str(platform), str(log))
        expect("merge", merged, 0, out=['"from": "pingpong"'], err=["regimes"])
        if platform.read_text() != before:
            failures.append("merge: the file was overwritten without --write")
        expect("merge and write", kakehashi("calibrate", *place, "--merge", str(platform), "--write", str(log)), 0, err=["regimes"])
        if platform.read_text() != merged.stdout:
            failures.append("merge: what was written is not what is printed")
        expect("the merged platform", kakehashi("check", "--quiet", str(platform)), 0)

        expect("write without merge", kakehashi("calibrate", "--write", str(log)), 2, err="error: --write needs --merge PLATFORM\n")
        expect("wrong fabric", kakehashi("calibrate", "--platform", str(platform), "--fabric", "x", str(log)), 2,
               err=f'error: --fabric: got "x", expected a fabric of {platform}\n')
        expect("wrong size", kakehashi("calibrate", "--rendezvous", "2", str(log)), 2,
               err='error: --rendezvous: got "2", expected a size such as "64 KiB" or "4 B"\n')
        log.write_text("no table at all\n")
        expect("no table", kakehashi("calibrate", str(log)), 2, err=["pingpong.log"])
        expect("no reference", kakehashi("calibrate", "--adjustments", "7", "scenarios/hpcdiy-qdr/bw-gbe.json"), 2,
               err="error: --adjustments: got 7, but fabric gbe has 0 of them\n")


for case in (usage, simulate, deadlocks, check, validate, calibrate):
    case()
print("\n".join(failures) or "all as expected")
sys.exit(bool(failures))
