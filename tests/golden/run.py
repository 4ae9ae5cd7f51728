#!/usr/bin/env python3
"""Compares whole outputs with the files beside this one. Usage: run.py KAKEHASHI ROOT [--write]

--write makes the files anew; the commit that changes one says why. kakehashi-simulate prints the same of what it has, and nothing of what
it has not.
"""
import difflib
import pathlib
import subprocess
import sys

CASES = {  # file: arguments
    "latency-qdr-node1-direct.txt": "simulate --quiet scenarios/hpcdiy-qdr/latency-qdr-node1-direct.json",
    "latency-qdr-node0-indirect.csv": "simulate --quiet --format csv scenarios/hpcdiy-qdr/latency-qdr-node0-indirect.json",
    "bw-gbe.txt": "simulate --quiet scenarios/hpcdiy-qdr/bw-gbe.json",
    "bw-shm-inter-socket.json": "simulate --quiet --format json scenarios/hpcdiy-qdr/bw-shm-inter-socket.json",
    "allreduce-shm.txt": "simulate --quiet scenarios/hpcdiy-qdr/allreduce-shm.json",
    "bcast-shm-chain.csv": "simulate --quiet --format csv scenarios/hpcdiy-qdr/bcast-shm-chain.json",
    "explain-mic2-remote-mic2.txt": "explain scenarios/colfax-mic/pingpong-mic2-remote-mic2.json --size 4096B",
    "compare-staged.txt": "compare --quiet --fabrics peach2-scif,intel-mpi,mvapich2-mic scenarios/tca-mic/mic-to-remote-mic.json",
    "ring-advised.txt": "simulate scenarios/colfax-mic/ring-advised.json",
    "asian-option-2-devices.csv": "simulate --format csv scenarios/colfax-mic/asian-option-2-devices.json",
    "summary-pingpong.txt": "simulate --quiet --summary scenarios/colfax-mic/pingpong-mic2-remote-mic2.json",
    "tofu-pingpong.txt": "simulate --quiet scenarios/fx10-tofu/pingpong-neighbours.json",
    "nccl-allreduce.txt": "simulate --quiet scenarios/h100/nccl-allreduce.json",
    "nccl-allgather.csv": "simulate --quiet --format csv --benchmark nccl-allgather scenarios/h100/nccl-allreduce.json",
    "help.txt": "--help",
    "help-compare.txt": "compare --help",
    "help-import.txt": "import --help",
    "help-export.txt": "export --help",
    "help-explain.txt": "explain --help",
    "help-simulate.txt": "simulate --help",
    "sweep-ring-node.txt": "sweep --quiet scenarios/colfax-mic/sweep-ring-node.json",
    "help-sweep.txt": "sweep --help",
    "help-tune.txt": "tune --help",
    "help-validate.txt": "validate --help",
    "help-check.txt": "check --help",
    "help-record.txt": "record --help",
}


def stable(text):
    """The engine's version is not ours to pin."""
    text = text.replace(root, "ROOT")
    return "\n".join('    "engine": "…",' if '"engine": "SimGrid' in line else line for line in text.splitlines()) + "\n"


program, root = (str(pathlib.Path(argument).resolve()) for argument in sys.argv[1:3])
here = pathlib.Path(__file__).parent
failed = False
if program.endswith("-simulate"):
    CASES = {name: arguments for name, arguments in CASES.items() if arguments.startswith("simulate ")}
    replay = subprocess.run([program, "simulate", "scenarios/colfax-mic/replay-pingpong-mic2.json"], cwd=root, capture_output=True, text=True, timeout=1200)
    if (replay.returncode, replay.stdout, replay.stderr) != (69, "", ""):
        print(f"a replay: exit code {replay.returncode}\n{replay.stdout}{replay.stderr}")
        failed = True
for name, arguments in CASES.items():
    run = subprocess.run([program, *arguments.split()], cwd=root, capture_output=True, text=True, timeout=1200)
    found = stable(run.stdout)
    if run.returncode != 0:
        print(f"{name}: exit code {run.returncode}\n{run.stderr}")
        failed = True
        continue
    if "--write" in sys.argv:
        (here / name).write_text(found)
        continue
    wanted = (here / name).read_text()
    if found != wanted:
        failed = True
        print("".join(difflib.unified_diff(wanted.splitlines(True), found.splitlines(True), f"golden/{name}", "found")))
sys.exit(failed)
