#!/usr/bin/env python3
"""Fujitsu's collectives against the ones before, on a small job: 48 nodes in a box of 8 x 3 x 2.
Usage: tofu.py KAKEHASHI ROOT

The same scenarios on 384 nodes of 16 are for validation; here the reasons must show on few messages: routes that do not overlap, links
that all carry their share, copies that cores make at the same time. Whether an iteration warms up must not change a verdict.
"""
import itertools
import json
import pathlib
import subprocess
import sys
import tempfile

program, root = str(pathlib.Path(sys.argv[1]).resolve()), pathlib.Path(sys.argv[2]).resolve()
EQUAL, BETTER = (0.99, 1.01), (1.05, 50)
CASES = [  # collective, bytes, ranks a node, bounds of old time / new time
    ("alltoall", 16, 4, EQUAL),
    ("alltoall", 4096, 4, BETTER),
    ("alltoall", 65536, 4, BETTER),
    ("alltoall", 65536, 1, EQUAL),  # which had an algorithm of its own before
    ("alltoallv", 16, 4, EQUAL),
    ("alltoallv", 4096, 4, BETTER),
    ("allgather", 16, 4, EQUAL),
    ("allgather", 4096, 4, BETTER),
    ("allgather", 16384, 4, BETTER),
    ("allgather", 32768, 4, EQUAL),
    ("allgather", 16384, 1, EQUAL),
    ("allgatherv", 4096, 4, BETTER),
    ("bcast", 1048576, 4, BETTER),
    ("bcast", 1048576, 1, EQUAL),
    ("allreduce", 1048576, 4, BETTER),
]


def small_job(folder):
    platform = json.loads((root / "platforms/fx10-tofu.json").read_text())
    platform["tofu"]["shape"] = [4, 1, 1]
    (folder / "p.json").write_text(json.dumps(platform))


def time_of(collective, library, size, per_node, warm_up, folder):
    scenario = json.loads((root / f"scenarios/fx10-tofu/{collective}-{library}.json").read_text())
    scenario["platform"] = "p.json"
    scenario["ranks"]["per_device"] = per_node
    scenario["workload"] |= {"sizes": [size], "warm_up": warm_up}
    (folder / "s.json").write_text(json.dumps(scenario))
    run = subprocess.run([program, "simulate", "--quiet", "--format", "json", "s.json"], cwd=folder, capture_output=True, text=True,
                         timeout=1200)
    return json.loads(run.stdout)["rows"][0]["t_avg_us"] if run.returncode == 0 else sys.exit(run.stderr)


def tofu_d(folder):
    """48 nodes in a box of 4 x 3 x 4, which send over six links at once."""
    platform = json.loads((folder / "p.json").read_text())
    platform["tofu"] |= {"shape": [2, 1, 2], "link": {"bandwidth": "6.35 GB/s", "latency": "0.1 us"}}
    platform["templates"]["fx10"]["links"][0]["bandwidth"] = "38.1 GB/s"
    platform["templates"]["fx10"]["devices"][0]["memory"] = {"bandwidth": "800 GB/s", "cache": "32 MiB"}
    platform["mpi"] = {"collectives": "fujitsu-4"}
    (folder / "p.json").write_text(json.dumps(platform))


def tuned(folder):
    run = subprocess.run([program, "tune", "--quiet", "p.json", "--ranks", "x*.cpu", "--collectives", "bcast,reduce,allreduce", "--sizes", "4 MiB",
                          "--margin", "5"], cwd=folder, capture_output=True, text=True)
    return run.stdout if run.returncode == 0 else sys.exit(run.stderr)


def allreduce_by(algorithm, folder):
    """16 MiB, one rank a node, which all three trees and both directions of their links share."""
    scenario = json.loads((root / "scenarios/fx10-tofu/allreduce-new.json").read_text())
    scenario |= {"platform": "p.json", "mpi": {"algorithms": {"allreduce": algorithm}}}
    scenario["ranks"]["per_device"] = 1
    scenario["workload"]["sizes"] = [16 << 20]
    (folder / "s.json").write_text(json.dumps(scenario))
    run = subprocess.run([program, "simulate", "--quiet", "--format", "json", "s.json"], cwd=folder, capture_output=True, text=True)
    return json.loads(run.stdout)["rows"][0]["t_avg_us"] if run.returncode == 0 else sys.exit(run.stderr)


failed = False
with tempfile.TemporaryDirectory() as folder:
    small_job(pathlib.Path(folder))
    for (collective, size, per_node, (least, greatest)), warm_up in itertools.product(CASES, (0, 1)):
        old, new = (time_of(collective, library, size, per_node, warm_up, pathlib.Path(folder)) for library in ("old", "new"))
        verdict = "" if least <= old / new <= greatest else "  FAILS"
        failed = failed or bool(verdict)
        print(f"{collective} {size} B, {per_node} a node, {warm_up} to warm up: {old:.1f} us / {new:.1f} us = {old / new:.3f}, "
              f"from {least} to {greatest}{verdict}")
    trees = allreduce_by({"name": "box-trees", "segment": "32 KiB"}, pathlib.Path(folder))
    for other, least in (("recursive-doubling", 4), ("ring", 1.2)):
        gain = allreduce_by(other, pathlib.Path(folder)) / trees
        failed = failed or gain < least
        print(f"allreduce by {other} / by box-trees = {gain:.3f}, at least {least}{'' if gain >= least else '  FAILS'}")
    tofu_d(pathlib.Path(folder))
    three, six = (allreduce_by({"name": name, "segment": "64 KiB"}, pathlib.Path(folder)) for name in ("box-trees", "box-six-trees"))
    settings = "-mca coll_select_bcast_algorithm trinaryx6 -mca coll_select_bcast_algorithm_segmentsize 65536\n"
    is_pasted = settings in tuned(pathlib.Path(folder))
    failed = failed or not is_pasted or three / six < 1.15
    print(f"on Tofu-D allreduce by box-trees / by box-six-trees = {three / six:.3f}, at least 1.15; tune prints Fujitsu's parameters: {is_pasted}")
sys.exit(failed)
