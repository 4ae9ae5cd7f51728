#!/usr/bin/env python3
"""Predicts clusters that nobody tuned: from data sheets and point-to-point logs to collectives on full nodes.

Usage: run.py PROGRAM LOGS [--keep FOLDER] [--only CLUSTER]... [--sizes] [--at-most PERCENT FACTOR] [--ranges [FILE]] [--given OPERATION,...]
              [--check PAGE] [--write PAGE] [--clusters FILE]

LOGS is a folder with the logs that clusters.json names. For each cluster a platform is made of its data sheet, calibrated
with its point-to-point logs only, and each other test is simulated and compared with its log by bands of sizes. --ranges also
predicts all tests from the data sheets alone, and tells how many points of each machine are in the ranges that the others give;
FILE is written with those that all give: src/result/held_out_errors.inc. --given gives calibrate the logs of some collective
operations on up to two nodes, too, such as allreduce,alltoall, and compares errors before and after: of these logs, and of those left out.
--check names the rows of a page such as docs/evidence/predictions.md that differ from those of this run, and --write corrects them; of all clusters
together only if all are run.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import page
import ranges

RATES = ("bw", "bibw")  # benchmarks that print MB/s
ASSUMED = {"kind": "assumed", "from": "usual"}
# A core's costs inside a node where no log tells them: in a socket about the middle of three ping-pongs there (two Xeons E5 v4,
# ThunderX2), in two sockets as much longer as what crosses the link between them. By sizes: overhead and time per byte of
# either side, and setup.
INSIDE = {
    "inside-device": [("256 B", "0.1 us", "0.12 ns/B", "0.22 us"), ("4 KiB", "0.25 us", "0.1 ns/B", "0 us"),
                      (None, "0.3 us", "0.073 ns/B", "0.4 us")],
    "inside-node": [("256 B", "0.1 us", "0.16 ns/B", "0.42 us"), ("4 KiB", "0.25 us", "0.13 ns/B", "0.2 us"),
                    (None, "0.3 us", "0.095 ns/B", "1 us")],
}


# Of a socket link's rate, what reads across it reach: 30.6 of 38.4 GB/s between two Xeon E5 v3.
ACROSS_SOCKETS = 0.8


def regimes(parts):
    """Of (end, overhead, time per byte, setup); the last part is of rendezvous."""
    found = []
    for end, overhead, per_byte, setup in parts:
        costs = {"o_send": overhead, "o_recv": overhead, "per_byte_send": per_byte, "per_byte_recv": per_byte, "setup": setup}
        limits = {"from": found[-1]["to"] if found else "0 B", **({"to": end} if end else {"trips": 3})}
        found.append(limits | costs | {"source": ASSUMED})
    return found


def platform_of(name, cluster):
    network = cluster["network"]
    sockets = [
        {"name": f"cpu{i}", "kind": "cpu", "cores": cluster["cores"], "memory": cluster["memory"],
         "numa_domains": cluster.get("numa_domains", 1)}
        for i in range(cluster.get("sockets_a_node", 2))
    ]
    adapters = [f"nic{i}" for i in range(cluster.get("adapters", 1))]
    slot = {"type": "pcie", "generation": cluster.get("generation", 3), "lanes": 16, "latency": "0.1 us"}
    node = {
        "devices": [*sockets, *({"name": each, "kind": "nic" if network["type"] == "ethernet" else "hca"} for each in adapters)],
        "links": [
            {"between": [sockets[i * len(sockets) // len(adapters)]["name"], each], **slot} for i, each in enumerate(adapters)
        ],
    }
    if len(sockets) == 2:
        across = f"{ACROSS_SOCKETS * cluster['sockets']:.4g} GB/s"
        node["links"].append({"between": ["cpu0", "cpu1"], "type": "qpi", "bandwidth": across, "latency": "0.1 us"})
    nodes = [f"n{i}" for i in range(cluster["nodes"])]
    copies = [
        {"scope": scope, "moved_by_cores": True, "copies": cluster.get("copies", 1), "regimes": regimes(parts)}
        for scope, parts in INSIDE.items()
    ]
    overhead, eager = ("0.4 us", "8 KiB")
    if network["type"] == "ethernet":  # below 10 Gbit/s most likely the kernel's TCP
        overhead, eager = ("12 us" if float(network["line_rate"].split()[0]) < 10 else "3 us", "64 KiB")
    costs = (overhead, "0 ns/B", "0 us")
    fabric = {
        "links": ["qpi", "pcie", network["type"]],
        "gateways": adapters,
        "rules": [*copies, {"scope": "between-nodes", "regimes": regimes([(eager, *costs), (None, *costs)])}],
        "adjustments": [{"crosses": "qpi", "latency": "0.1 us", "source": ASSUMED}],
    }
    if len(sockets) == 1:
        fabric["links"].remove("qpi")
        del fabric["adjustments"]
    if "stripes_from" in cluster:
        fabric["stripes_from"] = cluster["stripes_from"]
    return {
        "name": name,
        "templates": {"node": node},
        "nodes": {each: "node" for each in nodes},
        "devices": [{"name": "switch", "kind": "switch"}],
        "links": [
            {"between": [f"{each}.{adapter}", "switch"], "latency": "0.1 us", **network} for each in nodes for adapter in adapters
        ],
        "mpi": {"collectives": cluster["collectives"]} | ({"reduction": cluster["reduction"], "source": ASSUMED} if "reduction" in cluster else {}),
        "fabrics": {"net": fabric},
    }


def run(*command):
    done = subprocess.run([str(each) for each in command], capture_output=True, text=True)
    if done.returncode not in (0, 1) or not done.stdout:
        sys.exit(f"{' '.join(map(str, command))}: {done.stderr}")
    return done.stdout


def table_of(text, name):
    """The part of a log of many tests that is of this one."""
    found = re.search(rf"# Benchmarking {name} *\n.*?(?=# Benchmarking|\Z)", text, re.S | re.I)
    return found[0] if found else text


def measured(log, benchmark):
    """Size → us, of the table's mean time; of bandwidths us for a byte of a window."""
    times = {}
    library, name = benchmark.split("-", 1)
    column = 1 if library == "osu" else 2 if name == "pingpong" else 4
    for line in table_of(log.read_text(), name.replace("-", "_")).splitlines():
        cells = line.split()
        if len(cells) > column and all(re.fullmatch(r"[0-9.]+", cells[i]) for i in (0, 1, column)):
            times[int(cells[0])] = 1 / float(cells[column]) if name in RATES else float(cells[column])
    return {size: time for size, time in times.items() if size > 0}


def written(folder, name, cluster):
    platform = folder / f"{name}-data-sheet.json"
    platform.write_text(json.dumps(platform_of(name, cluster), indent=2))
    return platform


def calibrated(program, logs, folder, name, cluster):
    words = []
    for i, each in enumerate(cluster["calibrate"]):
        part = folder / f"{name}-{i}.txt"
        part.write_text(table_of((logs / each["log"]).read_text(), each["benchmark"].split("-", 1)[1]))
        words += ["--log", f"{each['at']}={part}"]
    platform = folder / f"{name}.json"
    platform.write_text(run(program, "calibrate", "--merge", written(folder, name, cluster), "--fabric", "net", *words))
    return platform


def calibrated_with(operations, program, logs, folder, name, cluster, platform):
    """The same platform with what the logs of collective operations tell, and which of the cluster's tests these are of."""
    given = [test for test in cluster["predict"] if test["benchmark"].split("-", 1)[1] in operations.split(",") and test.get("nodes", 2) <= 2]
    order = "socket" if cluster.get("order") == "cyclic-in-node" else "core"
    words = ["--map-by", order]
    for i, test in enumerate(given):
        part = folder / f"{name}-given-{i}.txt"
        part.write_text(table_of((logs / test["log"]).read_text(), test["benchmark"].split("-", 1)[1].replace("-", "_")))
        ranks = test.get("ranks", cluster.get("sockets_a_node", 2) * cluster["cores"])
        words += ["--collective", f"{test.get('nodes', 2)}x{ranks}={part}"]
    if not given:
        return None, []
    merged = folder / f"{name}-given.json"
    done = subprocess.run([str(program), "calibrate", "--quiet", "--merge", str(platform), "--fabric", "net", *words], capture_output=True,
                          text=True)
    if done.returncode:
        sys.exit(done.stderr)
    merged.write_text(done.stdout)
    print(f"# {name}, from {operations}", *(line for line in done.stderr.splitlines() if line.startswith("  ")), sep="\n", flush=True)
    return merged, given


def compare_given(options, clusters, folder, platforms, pool):
    """Errors before and after, of logs of the given operation and of all others."""
    groups = {}
    for name, cluster in clusters.items():
        before = platforms[name].result()
        after, given = calibrated_with(options.given, options.program, options.logs, folder, name, cluster, before)
        if not after:
            continue
        truths = [measured(options.logs / test["log"], test["benchmark"]) for test in cluster["predict"]]
        runs = [[pool.submit(predict, options.program, platform, cluster, test, truth) for platform in (before, after)]
                for test, truth in zip(cluster["predict"], truths)]
        for test, truth, found in zip(cluster["predict"], truths, runs):
            label = "given" if test in given else "left out"
            for when, model in zip(("before", "after"), found):
                errors = [(size, model.result()[0][size] / time - 1) for size, time in truth.items()]
                for group in (f"{name} {label}", f"all {label}"):
                    groups.setdefault((group, when), []).extend(errors)
    for (group, when), errors in sorted(groups.items(), key=lambda each: (each[0][0].startswith("all"), each[0][0], each[0][1] == "after")):
        page.print_row(f"{group}, {when}", errors)


def place_of(cluster, test):
    """The ranks of a test on all cores, or where a log of one pair is from."""
    if "at" in test:
        return ("n0.cpu0", 2) if test["at"] == "same-socket" else ("n0.cpu0,n1.cpu0", 1)
    sockets = cluster.get("sockets_a_node", 2)
    ranks = ",".join(f"n{node}.cpu{socket}" for node in range(test.get("nodes", 2)) for socket in range(sockets))
    return ranks, test.get("ranks", sockets * cluster["cores"]) // sockets


def predict(program, platform, cluster, test, sizes):
    """Size → what measured() has of it, and what of the platform's rules is assumed."""
    ranks, per_device = place_of(cluster, test)
    out = run(program, "simulate", "--platform", platform, "--benchmark", test["benchmark"], "--fabric", "net", "--ranks", ranks,
              "--per-device", per_device, "--order", cluster.get("order", "block"),
              "--sizes", ",".join(f"{size} B" for size in sizes), "--format", "json", "--quiet")
    found = json.loads(out)
    is_rate = test["benchmark"].split("-", 1)[1] in RATES
    return ({row["bytes"]: 1 / row["mbytes_per_s"] if is_rate else row["t_avg_us"] for row in found["rows"]},
            found["range"]["assumed_rules"])


def where(test):
    return f" {test.get('nodes', 2)} x {test['ranks']}" if "ranks" in test else ""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("logs", type=pathlib.Path)
    parser.add_argument("--keep", type=pathlib.Path)
    parser.add_argument("--only", action="append")
    parser.add_argument("--sizes", action="store_true")
    parser.add_argument("--at-most", nargs=2, type=float, metavar=("PERCENT", "FACTOR"), help="fail if errors are greater")
    parser.add_argument("--given", metavar="OPERATIONS", help="calibrate with logs of these collective operations, too")
    parser.add_argument("--check", type=pathlib.Path, metavar="PAGE")
    parser.add_argument("--write", type=pathlib.Path, metavar="PAGE")
    parser.add_argument("--clusters", type=pathlib.Path, metavar="FILE", default=pathlib.Path(__file__).parent / "clusters.json")
    parser.add_argument("--ranges", nargs="?", type=pathlib.Path, const=pathlib.Path(os.devnull), metavar="FILE")
    options = parser.parse_args()
    clusters = json.loads(options.clusters.read_text())
    clusters = {name: each for name, each in clusters.items() if not options.only or name in options.only}
    folder = options.keep or pathlib.Path(tempfile.mkdtemp())
    folder.mkdir(exist_ok=True)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        platforms = {name: pool.submit(calibrated, options.program, options.logs, folder, name, each) for name, each in clusters.items()}

        def begin(name, platform, tests):
            for test in tests:
                truth = measured(options.logs / test["log"], test["benchmark"])
                yield name, test, truth, pool.submit(predict, options.program, platform, clusters[name], test, truth)

        if options.given:
            return compare_given(options, clusters, folder, platforms, pool)
        tests, others = [], []
        for name, cluster in clusters.items():
            tests += begin(name, platforms[name].result(), cluster["predict"])
            if options.ranges:
                others += begin(name, platforms[name].result(), cluster["calibrate"])
                others += begin(name, written(folder, name, cluster), cluster["calibrate"] + cluster["predict"])
        page.print_heads()
        groups, rows = {}, {}
        for name, test, truth, found in tests:
            model, _ = found.result()
            if options.sizes:
                for size, time in truth.items():
                    print(f"    {size:>9} {time:12.2f} {model[size]:12.2f} {100 * (model[size] / time - 1):+8.0f} %")
            errors = [(size, model[size] / time - 1) for size, time in truth.items()]
            rows[f"{name} {test['benchmark']}{where(test)}"] = errors
            page.print_row(list(rows)[-1], errors)
            role = "set none" if clusters[name].get("sets_none") else "set constants"
            for group in (f"all {name}", f"all {test['benchmark'].split('-', 1)[1]}", f"all {role}", "all"):
                groups.setdefault(group, []).extend(errors)
        points = []
        for found_in, are_main in ((tests, True), (others, False)):
            for name, test, truth, found in found_in:
                model, assumed = found.result()
                points += [ranges.Point(clusters[name].get("machine", name), ranges.group_of(test["benchmark"]), size, assumed,
                                        time / model[size], are_main) for size, time in truth.items()]
    everything = groups["all"] = groups.pop("all")
    for group, errors in groups.items():
        page.print_row(group, errors)
        if not options.only or group.removeprefix("all ") in clusters:
            rows[group.removeprefix("all ")] = errors
    if options.ranges:
        ranges.write(points, ranges.hold_out(points), options.ranges)
    error, factor = 100 * page.mean(abs(each) for _, each in everything), page.factor_of(everything)
    if options.at_most and (error > options.at_most[0] or factor > options.at_most[1]):
        sys.exit(f"errors are greater than {options.at_most[0]} % and a factor of {options.at_most[1]}")
    if options.check or options.write:
        file = options.check or options.write
        text, differing = page.compared(file.read_text(), {label: page.cells_of(errors) for label, errors in rows.items()})
        if options.write:
            file.write_text(text)
        elif differing:
            sys.exit(f"{file} has other rows of {', '.join(differing)}")


main()
