#!/usr/bin/env python3
"""Predicts clusters that nobody tuned: from data sheets and point-to-point logs to collectives on full nodes.

Usage: run.py PROGRAM LOGS [--keep FOLDER] [--only CLUSTER]... [--sizes] [--at-most PERCENT FACTOR]

LOGS is a folder with the logs that clusters.json names. For each cluster a platform is made of its data sheet, calibrated
with its point-to-point logs only, and each other test is simulated and compared with its log by bands of sizes.
"""
import argparse
import json
import math
import pathlib
import re
import subprocess
import sys
import tempfile

BANDS = [("to 256 B", 0, 256), ("to 8 KiB", 256, 8 << 10), ("to 64 KiB", 8 << 10, 64 << 10), ("above", 64 << 10, 1 << 60)]
ASSUMED = {"kind": "assumed", "from": "usual"}
# A core's costs inside a node where no log tells them: about the middle of what the three ping-pongs inside a socket show.
INSIDE = {"inside-device": ("0.25 us", "0.11 ns/B"), "inside-node": ("0.4 us", "0.15 ns/B")}


# Of a socket link's rate, what reads across it reach: 30.6 of 38.4 GB/s between two Xeon E5 v3.
ACROSS_SOCKETS = 0.8


def regimes(eager_limit, overhead, per_byte=None):
    common = {"o_send": overhead, "o_recv": overhead, "source": ASSUMED}
    if per_byte:
        common |= {"per_byte_send": per_byte, "per_byte_recv": per_byte}
    return [{"from": "0 B", "to": eager_limit, **common}, {"from": eager_limit, "trips": 3, **common}]


def platform_of(name, cluster):
    network = cluster["network"]
    across = ACROSS_SOCKETS * cluster["sockets"]
    sockets = [{"name": f"cpu{i}", "kind": "cpu", "cores": cluster["cores"], "memory": cluster["memory"]} for i in range(2)]
    node = {
        "devices": [*sockets, {"name": "nic", "kind": "nic" if network["type"] == "ethernet" else "hca"}],
        "links": [
            {"between": ["cpu0", "cpu1"], "type": "qpi", "bandwidth": f"{across:.4g} GB/s", "latency": "0.1 us"},
            {"between": ["cpu0", "nic"], "type": "pcie", "generation": 3, "lanes": 16, "latency": "0.1 us"},
        ],
    }
    nodes = [f"n{i}" for i in range(cluster["nodes"])]
    copies = [
        {"scope": scope, "moved_by_cores": True, "copies": cluster.get("copies", 1), "regimes": regimes("4 KiB", *costs)}
        for scope, costs in INSIDE.items()
    ]
    overhead, eager = ("3 us", "64 KiB") if network["type"] == "ethernet" else ("0.4 us", "8 KiB")
    fabric = {
        "links": ["qpi", "pcie", network["type"]],
        "gateways": ["nic"],
        "rules": [*copies, {"scope": "between-nodes", "regimes": regimes(eager, overhead)}],
        "adjustments": [{"crosses": "qpi", "latency": "0.1 us", "source": ASSUMED}],
    }
    return {
        "name": name,
        "templates": {"node": node},
        "nodes": {each: "node" for each in nodes},
        "devices": [{"name": "switch", "kind": "switch"}],
        "links": [{"between": [f"{each}.nic", "switch"], "latency": "0.1 us", **network} for each in nodes],
        "mpi": {"collectives": cluster["collectives"]},
        "fabrics": {"net": fabric},
    }


def run(*command):
    done = subprocess.run([str(each) for each in command], capture_output=True, text=True)
    if done.returncode not in (0, 1) or not done.stdout:
        sys.exit(f"{' '.join(map(str, command))}: {done.stderr}")
    return done.stdout


def measured(log, benchmark):
    """Size → us, of the table's mean time."""
    times = {}
    for line in log.read_text().splitlines():
        cells = line.split()
        if cells and re.fullmatch(r"[0-9.]+", cells[0]) and len(cells) >= 2:
            times[int(cells[0])] = float(cells[4] if benchmark.startswith("imb") else cells[1])
    return {size: time for size, time in times.items() if size > 0}


def predict(program, folder, platform, cluster, benchmark, sizes):
    ranks = ",".join(f"n{node}.cpu{socket}" for node in range(cluster["nodes"]) for socket in range(2))
    out = run(program, "simulate", "--platform", platform, "--benchmark", benchmark, "--fabric", "net", "--ranks", ranks,
              "--per-device", cluster["cores"], "--order", cluster.get("order", "block"),
              "--sizes", ",".join(f"{size} B" for size in sizes), "--format", "json", "--quiet")
    table = json.loads(out)
    return {row["bytes"]: row["t_avg_us"] for row in table["rows"]}


def mean(values):
    values = list(values)
    return sum(values) / len(values) if values else float("nan")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("logs", type=pathlib.Path)
    parser.add_argument("--keep", type=pathlib.Path)
    parser.add_argument("--only", action="append")
    parser.add_argument("--sizes", action="store_true")
    parser.add_argument("--at-most", nargs=2, type=float, metavar=("PERCENT", "FACTOR"), help="fail if errors are greater")
    options = parser.parse_args()
    clusters = json.loads((pathlib.Path(__file__).parent / "clusters.json").read_text())
    folder = options.keep or pathlib.Path(tempfile.mkdtemp())
    folder.mkdir(exist_ok=True)
    print(f"{'test':28}{'mean':>8}{'bias':>8}{'factor':>8}", *(f"{band[0]:>10}" for band in BANDS), sep="")
    everything = []
    for name, cluster in clusters.items():
        if options.only and name not in options.only:
            continue
        platform = folder / f"{name}.json"
        platform.write_text(json.dumps(platform_of(name, cluster), indent=2))
        logs = [part for each in cluster["calibrate"] for part in ("--log", f"{each['at']}={options.logs / each['log']}")]
        platform.write_text(run(options.program, "calibrate", "--merge", platform, "--fabric", "net", *logs))
        for benchmark, log in cluster["predict"].items():
            truth = measured(options.logs / log, benchmark)
            found = predict(options.program, folder, platform, cluster, benchmark, truth)
            pairs = [(size, found[size], time) for size, time in truth.items()]
            if options.sizes:
                for size, model, time in pairs:
                    print(f"    {size:>9} {time:12.2f} {model:12.2f} {100 * (model / time - 1):+8.0f} %")
            errors = [(size, model / time - 1) for size, model, time in pairs]
            everything += [error for size, error in errors]
            bands = [mean(abs(error) for size, error in errors if low < size <= high) for label, low, high in BANDS]
            factor = math.exp(mean(abs(math.log(1 + error)) for size, error in errors))
            print(f"{name + ' ' + benchmark:28}{100 * mean(abs(e) for s, e in errors):7.0f}%{100 * mean(e for s, e in errors):7.0f}%"
                  f"{factor:8.2f}", *(f"{100 * band:9.0f}%" for band in bands), sep="")
    error = 100 * mean(map(abs, everything))
    factor = math.exp(mean(abs(math.log(1 + e)) for e in everything))
    print(f"{'all':28}{error:7.0f}%{100 * mean(everything):7.0f}%{factor:8.2f}")
    if options.at_most and (error > options.at_most[0] or factor > options.at_most[1]):
        sys.exit(f"errors are greater than {options.at_most[0]} % and a factor of {options.at_most[1]}")


main()
