#!/usr/bin/env python3
"""Fujitsu's collectives against the ones before, on a small job: 48 nodes of 4 ranks in a box of 8 x 3 x 2.
Usage: tofu.py KAKEHASHI ROOT

The same scenarios on 384 nodes of 16 are for validation; here the reasons must show on few messages: routes that do not overlap, links
that all carry their share, copies that cores make at the same time.
"""
import json
import pathlib
import subprocess
import sys
import tempfile

program, root = str(pathlib.Path(sys.argv[1]).resolve()), pathlib.Path(sys.argv[2]).resolve()
CASES = [  # collective, bytes, least and greatest old time / new time
    ("alltoall", 4096, 1.05, 20),
    ("alltoall", 65536, 1.05, 20),
    ("alltoallv", 4096, 1.05, 20),
    ("allgather", 4096, 1.05, 50),
    ("allgather", 32768, 0.99, 1.01),
    ("allgatherv", 4096, 1.05, 50),
    ("bcast", 1048576, 1.05, 50),
    ("allreduce", 1048576, 1.05, 50),
]


def small_job(folder):
    platform = json.loads((root / "platforms/fx10-tofu.json").read_text())
    platform["tofu"]["shape"] = [4, 1, 1]
    (folder / "p.json").write_text(json.dumps(platform))


def time_of(collective, library, size, folder):
    scenario = json.loads((root / f"scenarios/fx10-tofu/{collective}-{library}.json").read_text())
    scenario["platform"] = "p.json"
    scenario["ranks"]["per_device"] = 4
    scenario["workload"]["sizes"] = [size]
    (folder / "s.json").write_text(json.dumps(scenario))
    run = subprocess.run([program, "simulate", "--quiet", "--format", "json", "s.json"], cwd=folder, capture_output=True, text=True,
                         timeout=1200)
    return json.loads(run.stdout)["rows"][0]["t_avg_us"] if run.returncode == 0 else sys.exit(run.stderr)


failed = False
with tempfile.TemporaryDirectory() as folder:
    small_job(pathlib.Path(folder))
    for collective, size, least, greatest in CASES:
        old, new = (time_of(collective, library, size, pathlib.Path(folder)) for library in ("old", "new"))
        verdict = "" if least <= old / new <= greatest else "  FAILS"
        failed = failed or bool(verdict)
        print(f"{collective} {size} B: {old:.1f} us / {new:.1f} us = {old / new:.3f}, from {least} to {greatest}{verdict}")
sys.exit(failed)
