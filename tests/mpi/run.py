#!/usr/bin/env python3
"""A sweep under mpirun gives what one process gives, with and without results to go on with. Usage: run.py KAKEHASHI ROOT MPIRUN"""
import os
import pathlib
import subprocess
import sys
import tempfile

program, root, mpirun = str(pathlib.Path(sys.argv[1]).resolve()), pathlib.Path(sys.argv[2]).resolve(), sys.argv[3]
RING = "scenarios/colfax-mic/sweep-ring-all.json"
# Two processes on whatever machine this is.
environment = os.environ | {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1"}
failures = []


def run(*arguments, launcher=()):
    done = subprocess.run([*launcher, program, "sweep", "--quiet", *arguments], cwd=root, env=environment, capture_output=True,
                          text=True, timeout=1200)
    return done.returncode, done.stdout, done.stderr


two = (mpirun, "-n", "2")
for options in (["--format", "csv"], ["--format", "json", "--budget", "50"], ["--prune"]):
    alone, together = run(*options, RING), run(*options, RING, launcher=two)
    if alone[:2] != together[:2]:
        failures.append(f"{options}: two processes give {together}\nand one {alone}")
with tempfile.TemporaryDirectory() as folder:
    results = f"{folder}/results"
    for options in ([], ["--resume"]):
        if run("--format", "csv", "--results", results, *options, RING, launcher=two)[:2] != run("--format", "csv", RING)[:2]:
            failures.append(f"two processes with --results {options} give another ranking")
    if pathlib.Path(results).read_text().count("\n") != 167:
        failures.append("the result file has not one line for each candidate")
code, out, err = run("--results", "/dev/null/x", RING, launcher=two)
if code == 0 or err.count("cannot be written") != 1:
    failures.append(f"a result file that cannot be written: {code} {err}")
print("\n".join(failures) or "all as expected")
sys.exit(bool(failures))
