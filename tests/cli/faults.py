#!/usr/bin/env python3
"""What the program does when it is interrupted, when there is not enough of something, and when files break. Usage: faults.py KAKEHASHI ROOT"""
import json
import os
import pathlib
import pty
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from calls import expect, failures, finish, kakehashi, program, root

SCENARIO = "scenarios/hpcdiy-qdr/latency-qdr-node1-direct.json"
RING = "scenarios/colfax-mic/sweep-ring-all.json"
TOFU = ["--platform", "platforms/fx10-tofu.json", "--ranks", "*.cpu"]
LONG = ["simulate", *TOFU, "--benchmark", "imb-alltoall", "--per-device", "8"]  # minutes


def started(*arguments, **options):
    return subprocess.Popen([program, *arguments], cwd=root, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)


def ended(run):
    out, err = run.communicate(timeout=600)
    return subprocess.CompletedProcess(run.args, run.returncode, out, err)


def wait_until(what, seconds=120):
    """Whether it came true; a test that waits in vain says so itself."""
    for _ in range(int(seconds / 0.02)):
        if what():
            return True
        time.sleep(0.02)
    return False


def wait_for_handler(run):
    """Until SIGINT would not just end it."""
    caught = lambda: next(line for line in open(f"/proc/{run.pid}/status") if line.startswith("SigCgt")).split()[1]
    if not wait_until(lambda: int(caught(), 16) & 1 << signal.SIGINT - 1):
        failures.append(f"{run.args} does not catch SIGINT")


def interrupted_simulations():
    for how in (signal.SIGINT, signal.SIGTERM):
        run = started(*LONG, "--quiet", "--sizes", "0 B,8 B,1 KiB")
        lines = []
        while line := run.stdout.readline():
            lines.append(line)
            if line.split()[0].isdigit():
                break
        run.send_signal(how)
        done = ended(run)
        if not lines or not lines[-1].split()[0].isdigit():
            failures.append(f"{how.name}: no row came while it ran: {lines}")
        if done.returncode != 130 or not done.stderr.startswith("error: interrupted; ") or "of 3 rows are finished" not in done.stderr:
            failures.append(f"{how.name}: exit code {done.returncode}, {done.stderr}")
    # SimGrid, which takes SIGINT for itself and tells of flows that are left; with a row, when one is there.
    run = started(*LONG[:-1], "1", "--quiet", "--sizes", "0 B,8 KiB", "--engine", "simgrid", "--format", "csv")
    wait_for_handler(run)
    run.send_signal(signal.SIGINT)
    done = ended(run)
    if done.returncode != 130 or done.stderr.count("\n") != 1 or not done.stderr.startswith("error: interrupted"):
        failures.append(f"interrupted in SimGrid: {done}")
    with tempfile.TemporaryDirectory() as folder:
        run = started(*LONG, "--quiet", "--sizes", "8 B", "--format", "json", "--output", folder)
        wait_for_handler(run)
        run.send_signal(signal.SIGINT)
        done = ended(run)
        if done.returncode != 130 or done.stdout or not done.stderr.startswith("error: interrupted") or os.listdir(folder):
            failures.append(f"interrupted without a row: {done}, {os.listdir(folder)}")


def interrupted_sweeps(folder):
    results = pathlib.Path(folder, "interrupted")
    whole = kakehashi("sweep", "--quiet", "--format", "csv", RING)
    for how in (signal.SIGINT, signal.SIGTERM):
        results.unlink(missing_ok=True)
        run = started("sweep", "--quiet", "--jobs", "1", "--results", str(results), RING)
        if not wait_until(lambda: results.exists() and results.read_text().count("\n") > 5):
            failures.append(f"{how.name}: no results after minutes")
        run.send_signal(how)
        expect(f"a sweep after {how.name}", ended(run), 130, out=["left unexplored: it was interrupted", "\nbest "],
               err=f"error: interrupted; what was run is in {results}, and the same command with --resume goes on\n")
        expect("and resumed", kakehashi("sweep", "--quiet", "--format", "csv", "--results", str(results), "--resume", RING), 0,
               out=whole.stdout)
    # Workers that are told to end a moment before their parent have no result.
    results.unlink()
    run = started("sweep", "--quiet", "--jobs", "2", "--results", str(results), RING, start_new_session=True)
    wait_until(lambda: results.exists() and results.read_text().count("\n") > 5)
    children = pathlib.Path(f"/proc/{run.pid}/task/{run.pid}/children")
    for worker in children.read_text().split():
        try:
            os.kill(int(worker), signal.SIGTERM)
        except ProcessLookupError:
            pass
    os.killpg(run.pid, signal.SIGTERM)
    run.communicate()
    if "crashed" in results.read_text():
        failures.append("workers that end with their parent are in its result file")


def ended_at_once():
    for arguments in (["compare", "--quiet", "--fabrics", "dapl,tcp", "scenarios/colfax-mic/asian-option-8-devices.json"],
                      ["validate", "--quiet", "fx10-tofu"], ["explain", "--quiet", "scenarios/colfax-mic/asian-option-8-devices.json"]):
        run = started(*arguments)
        children = pathlib.Path(f"/proc/{run.pid}/task/{run.pid}/children")
        workers = []

        def has_workers():
            nonlocal workers
            workers = children.read_text().split() if run.poll() is None else workers
            return workers or run.poll() is not None
        wait_until(has_workers)
        run.send_signal(signal.SIGINT)
        done = ended(run)
        if done.returncode not in (-signal.SIGINT, 0):
            failures.append(f"{arguments[0]}: exit code {done.returncode} after SIGINT")
        if not wait_until(lambda: not any(pathlib.Path(f"/proc/{worker}/cmdline").exists() and
                                          pathlib.Path(f"/proc/{worker}/cmdline").read_text() for worker in workers), 10):
            failures.append(f"{arguments[0]}: workers still run")


def progress():
    """On a terminal there is a line about how far it is; it is gone at the end."""
    parent, child = pty.openpty()
    run = subprocess.Popen([program, *LONG, "--sizes", "8 B,8 KiB"], cwd=root, stdout=subprocess.DEVNULL, stderr=child)
    os.close(child)
    text = b""
    while b" left" not in text and (part := os.read(parent, 4096)):
        text += part
    run.send_signal(signal.SIGINT)
    run.wait()
    os.close(parent)
    if not re.search(rb"\rsimulate: row \d of 2, (iteration \d+( of at least \d+)?, )?\d+ messages, \d+/s, at least", text):
        failures.append(f"progress: {text[-300:]}")


def limits(folder):
    expect("too much memory", kakehashi("simulate", "--quiet", "--max-memory", "100 MB", *TOFU, "--benchmark", "imb-allreduce",
                                        "--per-device", "200", "--sizes", "8 B"), 1,
           err="error: the command line: /ranks: 76800 ranks need about 414 MB of memory and 14 s, more than the 100 MB that --max-memory allows\n")
    expect("no memory", kakehashi("simulate", "--quiet", "--max-memory", "much", SCENARIO), 2,
           err='error: --max-memory: got "much", expected a size such as "64 KiB" or "4 B"\n')
    expect("so little", kakehashi("simulate", "--quiet", "--max-memory", "1 MiB", SCENARIO), 2,
           err='error: --max-memory: got "1 MiB", expected at least 64 MiB\n')
    pathlib.Path(folder, "wide.json").write_text("[" + 900_000 * '"x",' + "1]")

    def little_memory():
        resource.setrlimit(resource.RLIMIT_DATA, (80_000_000, 80_000_000))
    expect("not enough memory", kakehashi("check", "wide.json", cwd=folder, preexec_fn=little_memory), 1,
           err="error: there is not enough memory\n")
    base = {"name": "x", "platform": str(root / "platforms/hpcdiy-qdr.json"), "fabric": "qdr", "ranks": ["hpc01.cpu1", "hpc02.cpu1"],
            "workload": {"benchmark": "imb-pingpong", "sizes": ["8 B"]}}
    for name, changes, message in (
            ("ranks", {"ranks": {"on": ["hpc*.cpu*"], "per_device": 1000000000}},
             "/ranks/per_device: got 1000000000, expected a whole number from 0 to 100000"),
            ("repetitions", {"workload": base["workload"] | {"repetitions": 10**18}},
             "/workload/repetitions: got 1000000000000000000, expected a whole number from 1 to 1000000"),
            ("sizes", {"workload": base["workload"] | {"sizes": [f"{2**60} B"]}},
             f'/workload/sizes/0: got "{2**60} B", expected a size such as "64 KiB" or "4 B"')):
        pathlib.Path(folder, f"{name}.json").write_text(json.dumps(base | changes))
        expect(name, kakehashi("simulate", f"{name}.json", cwd=folder), 2, err=f"error: {name}.json: {message}\n")
    pathlib.Path(folder, "deep.json").write_text("[" * 100000 + "]" * 100000)
    expect("deep", kakehashi("check", "deep.json", cwd=folder), 2,
           err=f"error: deep.json: {'/0' * 100}: got deeper nesting, expected at most 100 levels\n")
    pathlib.Path(folder, "long.json").write_text('{"name": "' + 100_000_000 * "x" + '"}')
    expect("long", kakehashi("check", "long.json", cwd=folder), 2, err="error: long.json: larger than 64 MiB\n")
    pathlib.Path(folder, "many.json").write_text("[" + 2_000_000 * "1," + "1]")
    expect("many", kakehashi("check", "many.json", cwd=folder), 2,
           err="error: many.json: /999999: this is value 1000001, expected at most 1000000 in a file; patterns, ranges and networks say "
               "much in a few\n")
    expect("slow", kakehashi("simulate", "--quiet", SCENARIO, "--set", "platform:/fabrics/qdr/rules/0/regimes/0/cap=1e-300 B/s"), 2,
           err=["/fabrics/qdr/rules/0/regimes/0/cap: got \"1e-300 B/s\", expected a rate such as"])


def large_orders(folder):
    """The budget holds for what comes before the first run, too, and ranks are no levels of a recursion."""
    for each, budget in ((5, "3 s"), (1000, "1 s")):  # on 48 nodes; ten times 5 a node take 0.1 s
        scenario = {"name": "x", "platform": str(root / "platforms/fx10-tofu.json"), "fabric": "tofu",
                    "ranks": {"on": ["x0*.cpu"], "per_device": each}, "workload": {"benchmark": "open-ring", "sizes": ["8 B"], "repetitions": 10},
                    "sweep": {"vary": [{"order": "ranks"}]}}
        pathlib.Path(folder, "order.json").write_text(json.dumps(scenario))
        run = kakehashi("sweep", "--quiet", "--no-reasons", "--budget", budget, "order.json", cwd=folder)
        if each < 100:
            expect("an order of many ranks", run, 0, out=["the time is over", "\nbest "])
        else:
            expect("an order of very many ranks", run, 1, err="error: order.json: the time is over, and no candidate has run to its end\n")


def lacking(folder):
    """What a candidate has no fault in is no result of it."""
    results = pathlib.Path(folder, "lacking")
    sweep = ["sweep", "--quiet", "--no-reasons", "--format", "csv", "--results", str(results), RING]
    whole = kakehashi("sweep", "--quiet", "--no-reasons", "--format", "csv", RING)

    def few_files():
        resource.setrlimit(resource.RLIMIT_NOFILE, (8, 8))
    expect("few files", kakehashi(*sweep, "--jobs", "50", preexec_fn=few_files), 0, out=whole.stdout)
    results.unlink()
    long = {"name": "x", "platform": str(root / "platforms/fx10-tofu.json"), "fabric": "tofu",
            "ranks": {"on": ["x0*.cpu"], "per_device": 200}, "workload": {"benchmark": "imb-alltoall", "sizes": ["8 KiB"], "repetitions": 1},
            "sweep": {"vary": [{"per_device": {"on": ["x0*.cpu"], "values": [1]}}]}}
    pathlib.Path(folder, "hang.json").write_text(json.dumps(long))
    run = kakehashi("sweep", "--quiet", "--no-reasons", "--timeout", "2 s", "--results", str(results), "hang.json", cwd=folder)
    expect("a candidate that takes too long", run, 1, out=["# 1 failed; the first: not done after 2 s, the time that each may take\n"],
           err="error: 1 candidate had no chance to run to the end, so --resume runs them again; the first: not done after 2 s, "
               "the time that each may take\n")
    if results.read_text().count("\n") != 2:
        failures.append(f"lacking: the result file has\n{results.read_text()}")
    expect("a wrong timeout", kakehashi("sweep", "--timeout", "soon", RING), 2,
           err='error: --timeout: got "soon", expected a time such as "90 s" or "10 min"\n')


def result_files(folder):
    results = pathlib.Path(folder, "damaged")
    sweep = ["sweep", "--quiet", "--results", str(results), "--resume", RING]
    expect("results", kakehashi(*sweep), 0, out=["best"])
    text = results.read_text()
    lines = text.splitlines(True)
    results.write_text("".join([lines[0], lines[1].replace("0x1.", "0x1.0", 1), *lines[2:]]))
    expect("a changed line", kakehashi(*sweep), 2, err=[f"error: {results}: line 2: got ", "expected a candidate and what it gave, as it was written\n"])
    results.write_text(text)
    with results.open() as file:
        import fcntl
        fcntl.flock(file, fcntl.LOCK_EX)
        expect("two sweeps", kakehashi(*sweep), 1, err=f"error: {results}: another sweep is writing it\n")
    expect("no folder", kakehashi("sweep", "--quiet", "--results", f"{folder}/none/r", RING), 1,
           err=f"error: {folder}/none/r: cannot be written: No such file or directory\n")
    expect("a full disk", kakehashi("sweep", "--quiet", "--results", "/dev/full", RING), 1,
           err="error: /dev/full: cannot be written: No space left on device\n")
    os.mkfifo(f"{folder}/pipe")
    expect("results into a pipe", kakehashi("sweep", "--quiet", "--results", f"{folder}/pipe", RING), 1, err=[f"error: {folder}/pipe: "])
    place = pathlib.Path(folder, "place")
    place.mkdir()
    run = started("sweep", "--quiet", "--no-reasons", "--results", str(place / "r"), RING)
    wait_until(lambda: (place / "r").exists())
    shutil.rmtree(place)
    expect("a folder that vanishes", ended(run), 1, out=["best"], err=f"error: {place}/r: was removed while the sweep wrote it\n")
    expect("a full disk for ranks", kakehashi("sweep", "--quiet", "--rankfile", "/dev/full", RING), 1, out=["best"],
           err="error: /dev/full: cannot be written: not a regular file\n")


def changed_traces(folder):
    trace = pathlib.Path(folder, "heat")
    shutil.copytree(root / "scenarios/heat", trace)
    scenario = json.loads((trace / "heat.json").read_text())
    scenario["platform"] = str((root / "scenarios/heat" / scenario["platform"]).resolve())
    scenario["sweep"] = {"vary": [{"field": "/fabric", "values": ["tcp"]}]}
    (trace / "sweep.json").write_text(json.dumps(scenario))
    sweep = ["sweep", "--quiet", "--no-reasons", "--results", "r", "--resume", "sweep.json"]
    expect("a sweep over a replay", kakehashi(*sweep, cwd=trace), 0, out=["best"])
    expect("again", kakehashi(*sweep, cwd=trace), 0, out=["best"])
    names = [line.strip() for line in (trace / "traces.txt").read_text().splitlines() if line.strip() and not line.startswith("#")]
    expect("with reasons", kakehashi(*[word for word in sweep if word != "--no-reasons"], cwd=trace), 2,
           err="error: r: line 1: got results of another sweep, other files, another engine or tolerance, with or without reasons, or another version, "
               "expected those of sweep.json as it is now\n")
    file = trace / names[0] if (trace / names[0]).exists() else trace / "traces.txt"
    text = file.read_text()
    at = next(i for i, line in enumerate(text.splitlines()) if "compute" in line)
    lines = text.splitlines(True)
    lines[at] = lines[at].rstrip("\n")[:-1] + ("1" if lines[at].rstrip("\n")[-1] != "1" else "2") + "\n"
    file.write_text("".join(lines))
    expect("with another trace", kakehashi(*sweep, cwd=trace), 2,
           err="error: r: line 1: got results of another sweep, other files, another engine or tolerance, with or without reasons, or another version, "
               "expected those of sweep.json as it is now\n")


def whole_files(folder):
    """A file is there as a whole or not at all."""
    def small_files():
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    out = pathlib.Path(folder, "out")
    expect("a file that has no room", kakehashi("simulate", "--quiet", "--format", "json", "--output", str(out), SCENARIO, preexec_fn=small_files),
           1, err=f"error: {out}/latency-qdr-node1-direct.json: cannot be written\n")
    if any(out.iterdir()):
        failures.append(f"whole files: {list(out.iterdir())} are left")
    expect("names with escapes", kakehashi("check", "a\x1b[31m\nb.json"), 2, err="error: a\\u001b[31m\\nb.json: no such file\n")


def a_gigabyte():
    resource.setrlimit(resource.RLIMIT_DATA, (1 << 30, 1 << 30))


def little_memory(folder):
    """SimGrid would end the program with a list of addresses."""
    def megabytes():
        resource.setrlimit(resource.RLIMIT_DATA, (3 << 20, 3 << 20))
    expect("three megabytes", kakehashi("simulate", "--quiet", "--engine", "simgrid", SCENARIO, preexec_fn=megabytes), 1,
           err="error: there is not enough memory\n")


def terminal_texts(folder):
    """What a stranger's file says does not reach the terminal as commands for it."""
    platform = json.loads((root / "platforms/hpcdiy-qdr.json").read_text())
    for fabric in platform["fabrics"].values():
        for rule in fabric.get("rules", []):
            rule["source"] = {"kind": "document", "from": "a\x1b[31mb\x07\x9b2J\u202ec"}
    pathlib.Path(folder, "p.json").write_text(json.dumps(platform))
    scenario = {"name": "s", "platform": "p.json", "fabric": "qdr", "ranks": ["hpc01.cpu1", "hpc02.cpu1"],
                "workload": {"benchmark": "imb-pingpong", "sizes": ["8 B"]}}
    pathlib.Path(folder, "s.json").write_text(json.dumps(scenario))
    run = kakehashi("explain", "--size", "8 B", "s.json", cwd=folder)
    expect("a source with commands for the terminal", run, 0, out=["a\\u001b[31mb\\u0007\\u009b2J\\u202ec"])
    if any(character in run.stdout for character in "\x1b\x07\x9b\u202e"):
        failures.append(f"terminal texts: {run.stdout!r}")


def hostile_files(folder):
    """What a file names is read only if it is a regular file; a pipe without a writer would hang."""
    os.mkfifo(f"{folder}/pipe")
    base = {"name": "x", "platform": str(root / "platforms/hpcdiy-qdr.json"), "fabric": "qdr", "ranks": ["hpc01.cpu1", "hpc02.cpu1"],
            "workload": {"benchmark": "imb-pingpong", "sizes": ["8 B"]}}
    for file in ("pipe", "/dev/zero"):
        replay = lambda form: {"workload": {"replay": {form: file, **({"speed": "1 Gflop/s"} if form == "ti" else {})}}}
        for what, changes in (("platform", {"platform": file}), ("curve", {"reference": {"curve": file, "use": "prediction"}}),
                              ("rules", {"mpi": {"collectives": "open-mpi-4.1", "rules": file}}), *((form, replay(form)) for form in ("ti", "otf2", "goal"))):
            pathlib.Path(folder, "hostile.json").write_text(json.dumps(base | changes))
            expect(f"{what} from {file}", kakehashi("check", "hostile.json", cwd=folder), 2, err=[f"error: {file}: not a regular file\n"])
    expect("messages of the kernel", kakehashi("check", "/proc/kmsg"), 1, err=["error: /proc/kmsg: "])
    wide = {"name": "w", "templates": {"n": {"devices": [{"name": "cpu[0-4999]", "kind": "cpu"}],
                                             "links": [{"between": ["cpu[0-4999]", "cpu[0-4999]"], "type": "qpi", "bandwidth": "1 GB/s"}]}},
            "nodes": {"a": "n"}, "fabrics": {"f": {"links": ["qpi"], "rules": [{"regimes": [{"from": "0 B"}]}]}}}
    pathlib.Path(folder, "wide.json").write_text(json.dumps(wide))
    expect("a link for each pair of thousands", kakehashi("check", "wide.json", cwd=folder, preexec_fn=a_gigabyte), 2,
           err="error: wide.json: /templates/n/links/0/between: got more links, expected at most 4000000\n")
    for command in ("import", "check"):
        expect(f"{command} of a pipe", kakehashi(command, "pipe", cwd=folder), 2, err="error: pipe: not a regular file\n")


interrupted_simulations()
ended_at_once()
progress()
for case in (interrupted_sweeps, limits, large_orders, lacking, result_files, changed_traces, whole_files, little_memory, terminal_texts, hostile_files):
    with tempfile.TemporaryDirectory() as place:
        case(place)
finish("all as expected")
