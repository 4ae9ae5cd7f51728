#!/usr/bin/env python3
"""Both engines on each collective operation, between cores of a Tofu torus (96 of them if no numbers are given) and
between ranks on the coprocessors of colfax-mic (64): with tolerance 0 the total times agree within 1 %, with the
default tolerance within 5 %.
Usage: engines.py KAKEHASHI ROOT [RANKS A NODE, RANKS A COPROCESSOR, SIZE…]
"""
import json
import pathlib
import subprocess
import sys
import tempfile

program, root = str(pathlib.Path(sys.argv[1]).resolve()), pathlib.Path(sys.argv[2]).resolve()
COLLECTIVES = ["barrier", "bcast", "reduce", "allreduce", "gather", "gatherv", "scatter", "scatterv", "allgather", "allgatherv",
               "alltoall", "alltoallv", "reduce-scatter", "scan"]
SIZES = [int(size) for size in sys.argv[5:]] or [1000, 65536]  # one eager, one that waits for its receiver


def places(folder, per_node, per_coprocessor):
    """Name, platform, fabric and ranks of scenarios on 48 nodes, and on 8 coprocessors."""
    torus = json.loads((root / "platforms/fx10-tofu.json").read_text())
    torus["tofu"]["shape"] = [2, 1, 2]
    (folder / "torus.json").write_text(json.dumps(torus))
    yield "torus", "torus.json", "tofu", {"on": ["*.cpu"], "per_device": per_node}
    yield "colfax-mic", str(root / "platforms/colfax-mic.json"), "dapl", {"on": ["*.mic*"], "per_device": per_coprocessor}


def times(folder, collective, place, options):
    name, platform, fabric, ranks = place
    sizes = [] if collective == "barrier" else SIZES
    scenario = {"name": name, "platform": platform, "fabric": fabric, "ranks": ranks,
                "workload": {"benchmark": f"imb-{collective}", "repetitions": 1, **({"sizes": sizes} if sizes else {})}}
    (folder / "s.json").write_text(json.dumps(scenario))
    run = subprocess.run([program, "simulate", "--quiet", "--format", "json", *options, "s.json"], cwd=folder, capture_output=True,
                         text=True, timeout=1200)
    if run.returncode != 0:
        sys.exit(run.stderr)
    return {row["bytes"]: row["t_max_us"] for row in json.loads(run.stdout)["rows"]}


def compare(place, collective, folder):
    simgrid, exact, usual = (times(folder, collective, place, options) for options in (
        ["--engine", "simgrid"], ["--engine", "fluid", "--tolerance", "0", "--noise", "0"], ["--engine", "fluid", "--noise", "0"]))
    good = True
    for size in simgrid:
        apart = [abs(found[size] / simgrid[size] - 1) for found in (exact, usual)]
        agrees = apart[0] <= 0.01 and apart[1] <= 0.05
        print(f"{place[0]}, {place[3]['per_device']} ranks a device, {collective} {size} B: {100 * apart[0]:.2f} % and {100 * apart[1]:.2f} %"
              f"{'' if agrees else '  FAILS'}", flush=True)
        good = good and agrees
    return good


per_node, per_coprocessor = map(int, sys.argv[3:5] or (2, 8))
with tempfile.TemporaryDirectory() as name:
    here = pathlib.Path(name)
    results = [compare(place, collective, here) for place in places(here, per_node, per_coprocessor) for collective in COLLECTIVES]
sys.exit(not all(results))
