#!/usr/bin/env python3
"""Holds exported machines to smpirun -replay on the documents' own devices: a pair whose protocol is exported within 2 %, and the shipped
traces on a whole platform. Usage: exports.py KAKEHASHI ROOT [--all: print every difference]"""
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

program, root = (str(pathlib.Path(argument).resolve()) for argument in sys.argv[1:3])
SIZES = (64, 1024, 6000, 40000, 300000, 4 << 20)
PAIRS = {  # platform, fabric: pairs of devices
    ("colfax-mic", "dapl"): [("node0.mic2", "node1.mic2"), ("node0.mic0", "node1.mic0"), ("node0.mic0", "node1.mic2"),
                             ("node0.mic0", "node0.mic2"), ("node0.cpu0", "node0.mic0"), ("node0.cpu0", "node1.cpu0")],
    ("colfax-mic", "tcp"): [("node0.mic0", "node1.mic0"), ("node0.cpu0", "node1.cpu0"), ("node0.cpu0", "node0.mic0")],
    ("colfax-mic", "shm"): [("node0.mic0", "node0.mic0")],
    ("intel-mpss", "dapl"): [("host.cpu0", "host.mic0"), ("host.mic0", "host.mic1")],
    ("hpcdiy-qdr", "qdr"): [("hpc01.cpu0", "hpc02.cpu0"), ("hpc01.cpu1", "hpc02.cpu1")],
    ("hpcdiy-qdr", "shm"): [("hpc01.cpu0", "hpc01.cpu1")],
    ("tca-mic", "intel-mpi"): [("node0.mic0", "node1.mic0"), ("node0.cpu0", "node1.cpu0")],
    ("tca-mic", "peach2"): [("node0.cpu0", "node1.cpu0")],
}
# scenarios/traces/…: platform, fabric, scenario, the pair whose protocol SMPI gets; how far smpirun may be off, as it has one protocol for all pairs, and lets messages share
# links in its own way.
SHIPPED = {
    "pingpong-mic2": ("colfax-mic", "dapl", "replay-pingpong-mic2", "node0.mic2,node1.mic2", 0.02),
    "ring-mics": ("colfax-mic", "dapl", "replay-ring-mics", "node0.mic0,node0.mic1", 0.1),
    "allgather-mics": ("colfax-mic", "dapl", "replay-allgather-mics", "node0.mic0,node0.mic1", 0.35),
    "sendrecv-mic0": ("intel-mpss", "dapl", "replay-sendrecv-mic0", "host.cpu0,host.mic0", 0.02),
}
failures = []


def kakehashi(folder, *arguments):
    run = subprocess.run([program, *arguments], cwd=folder, capture_output=True, text=True, timeout=300)
    if run.returncode != 0:
        sys.exit(f"kakehashi {' '.join(arguments)}: {run.stderr}")
    return run.stdout


def smpirun(folder, ranks, name):
    run = subprocess.run(["smpirun", "-np", str(ranks), "-platform", "m.xml", "-hostfile", f"{name}.hosts", "-replay", f"{name}.list",
                          "--log=root.thresh:error", "--log=smpi_replay.thresh:info"],
                         cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300)
    times = re.findall(r"Simulation time ([0-9.]+)", run.stdout)
    if run.returncode != 0 or not times:
        sys.exit(f"smpirun failed:\n{run.stdout[-2000:]}")
    return 1e6 * max(map(float, times))


def compare(what, ours, theirs, allowed):
    error = theirs / ours - 1
    if "--all" in sys.argv or abs(error) > allowed:
        print(f"{what:<60} ours {ours:.3f} us, smpirun's {theirs:.3f} us: {100 * error:+.2f} %", flush=True)
    if abs(error) > allowed:
        failures.append(what)


def replay(folder, platform, fabric, ranks, trace):
    """How long a trace takes here."""
    (folder / "s.json").write_text(json.dumps({
        "name": "s", "platform": f"{root}/platforms/{platform}.json", "fabric": fabric, "ranks": ranks,
        "workload": {"replay": {"ti": trace, "speed": "1 Gflop/s"}}, "mpi": {"progress": "hardware"}}))
    return json.loads(kakehashi(folder, "simulate", "--quiet", "--format", "json", "s.json"))["time_us"]


def pairs(folder):
    for (platform, fabric), ends in PAIRS.items():
        for pair in ends:
            (folder / "m.xml").write_text(kakehashi(folder, "export", f"{root}/platforms/{platform}.json", "--fabric", fabric,
                                                    "--between", ",".join(pair)))
            (folder / "p.list").write_text("p.ti\n")
            (folder / "p.hosts").write_text("\n".join(pair) + "\n")
            for size in SIZES:
                trips = 5 if size > 100000 else 100  # smpirun prints whole microseconds
                there, back = [f"0 send 1 3 {size} 6", f"0 recv 1 4 {size} 6"], [f"1 recv 0 3 {size} 6", f"1 send 0 4 {size} 6"]
                (folder / "p.ti").write_text("\n".join(["0 init", *there * trips, "0 finalize", "1 init", *back * trips, "1 finalize", ""]))
                compare(f"{platform} {fabric} {' '.join(pair)} {size} B", replay(folder, platform, fabric, pair, "p.ti"),
                        smpirun(folder, 2, "p"), 0.02)


def shipped(folder):
    for name, (platform, fabric, scenario, pair, allowed) in SHIPPED.items():
        (folder / "m.xml").write_text(kakehashi(folder, "export", f"{root}/platforms/{platform}.json", "--fabric", fabric, "--between", pair))
        ours = json.loads(kakehashi(folder, "simulate", "--quiet", "--format", "json", f"{root}/scenarios/{platform}/{scenario}.json"))
        (folder / f"{name}.list").write_text(f"{root}/scenarios/traces/{name}.ti\n")
        (folder / f"{name}.hosts").write_text("\n".join(ours["ranks"]) + "\n")
        compare(name, ours["time_us"], smpirun(folder, len(ours["ranks"]), name), allowed)


def main():
    if not shutil.which("smpirun"):
        print("smpirun is not installed; nothing is compared")
        return 0
    with tempfile.TemporaryDirectory() as name:
        pairs(pathlib.Path(name))
        shipped(pathlib.Path(name))
    print(f"{len(failures)} replays too far apart" if failures else "exported machines agree with smpirun")
    return bool(failures)


sys.exit(main())
