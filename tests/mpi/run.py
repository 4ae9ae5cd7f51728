#!/usr/bin/env python3
"""A sweep and `validate` under mpirun give what one process gives, with and without results to go on with; with each MPI that is there. Usage: run.py KAKEHASHI ROOT"""
import functools
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile

program, root = str(pathlib.Path(sys.argv[1]).resolve()), pathlib.Path(sys.argv[2]).resolve()
RING = "scenarios/colfax-mic/sweep-ring-all.json"
# Two processes on whatever machine this is.
environment = os.environ | {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1"}
failures = []


def run(*arguments, launcher=(), command=("sweep", "--quiet"), **variables):
    done = subprocess.run([*launcher, program, *command, *arguments], cwd=root, env=environment | variables, capture_output=True,
                          text=True, timeout=1200)
    return done.returncode, done.stdout, done.stderr


@functools.cache
def by_one(*arguments, **options):
    return run(*arguments, **options)


def under(mpirun):
    two = (mpirun, "-n", "2")
    for options in (["--format", "csv"], ["--format", "json", "--budget", "50"], ["--prune"]):
        alone, together = by_one(*options, RING), run(*options, RING, launcher=two)
        if alone[:2] != together[:2]:
            failures.append(f"{options}: two processes give {together}\nand one {alone}")
    with tempfile.TemporaryDirectory() as folder:
        results = f"{folder}/results"
        for options in ([], ["--resume"]):
            if run("--format", "csv", "--results", results, *options, RING, launcher=two)[:2] != by_one("--format", "csv", RING)[:2]:
                failures.append(f"two processes with --results {options} give another ranking")
        if pathlib.Path(results).read_text().count("\n") != 167:
            failures.append("the result file has not one line for each candidate")
    code, out, err = run("--results", "/dev/null/x", RING, launcher=two)
    if code == 0 or err.count("cannot be written") != 1:
        failures.append(f"a result file that cannot be written: {code} {err}")
    for library, expected in (("libnowhere.so", "no MPI library"), ("libz.so.1", "libz.so.1 is no MPI library")):
        for _ in range(3):  # MPICH's mpirun itself is seldom killed as it writes to processes that end at once
            code, out, err = run(RING, launcher=two, KAKEHASHI_MPI_LIBRARY=library)
            if code != -signal.SIGPIPE:
                break
        if code == 0 or out or err.count(expected) != 1:
            failures.append(f"with {library}: {code} {out} {err}")
    for options in (["tca-mic"], ["tca-mic", "--sensitivity", "--faults"]):
        alone, together = by_one(*options, command=("validate", "--quiet")), run(*options, command=("validate", "--quiet"), launcher=two)
        if alone != together or alone[1].count("\n") < 5:
            failures.append(f"validate {options}: two processes give {together[0]}, {together[1][:2000]} {together[2][:2000]}\nand one {alone}")
    # What is not shared is done once.
    ping_pong = ("simulate", "scenarios/hpcdiy-qdr/latency-qdr-node1-direct.json")
    alone, together = by_one(command=ping_pong), run(command=ping_pong, launcher=two)
    if alone[:2] != together[:2] or together[2].count("one of 2 processes does this") != 1:
        failures.append(f"{ping_pong}: two processes give {together}\nand one {alone}")


launchers = [each for each in ("mpirun.openmpi", "mpirun.mpich") if shutil.which(each)]
if not launchers:
    print("skipped: no mpirun.openmpi and mpirun.mpich, as Debian names them")
    sys.exit(77)
for each in launchers:
    known = len(failures)
    under(each)
    failures[known:] = [f"{each}: {failure}" for failure in failures[known:]]
if len(launchers) == 2:
    code, out, err = run(RING, launcher=("mpirun.mpich", "-n", "2"), KAKEHASHI_MPI_LIBRARY="libmpi.so.40")
    if code == 0 or out or "not that of the launcher" not in err:
        failures.append(f"Open MPI's library under MPICH's launcher: {code} {out} {err}")
print("\n".join(failures) or f"all as expected with {', '.join(launchers)}")
sys.exit(bool(failures))
