#!/usr/bin/env python3
"""Predicts collectives between GPUs of machines from data sheets alone, and compares with logs of nccl-tests and rccl-tests.

Usage: gpus.py KAKEHASHI LOGS [--machines FILE] [--keep FOLDER] [--sizes] [--ranges FILE] [--write PAGE | --check PAGE]

LOGS is a folder with the logs that FILE (gpus.json beside this) names. For each machine the platform is what `import --node` makes of the
data sheet of its nodes. Each machine and operation has the same weight. "sets": the constants of its generation or adapter were set from this
machine; the others set none, but for floors that are left out."""
import argparse
import concurrent.futures
import csv
import json
import math
import os
import pathlib
import re
import statistics
import subprocess
import tempfile

BANDS = (("8 KiB", 8 << 10), ("1 MiB", 1 << 20), ("64 MiB", 64 << 20), ("all", 1 << 60))
NAMES = {"all_reduce": "allreduce", "all_gather": "allgather", "reduce_scatter": "reducescatter", "alltoall": "alltoall"}
MARK = "<!-- gpus.py -->"


def rows_of_log(text):
    """{size: us} of nccl-tests' table: size, count, type, redop, maybe root, time; the median of rows of one size."""
    found = {}
    for line in text.splitlines():
        words = line.split()
        if len(words) < 8 or not words[0].isdigit() or not words[1].isdigit():
            continue
        at = 5 if re.fullmatch(r"-?\d+", words[4]) else 4
        if re.fullmatch(r"\d+\.?\d*", words[at]) and int(words[0]) > 0 and float(words[at]) > 2:
            found.setdefault(int(words[0]), []).append(float(words[at]))
    return {size: statistics.median(times) for size, times in found.items()}


def tests_of(logs, test):
    """(operation, nodes, GPUs of each, {size: us}) of an entry."""
    if "csv" in test:  # counts elements of two bytes
        tables = {}
        for row in csv.reader(line for line in (logs / test["csv"]).read_text().splitlines() if line.count(",") > 3 and not line.startswith("#")):
            if row[1] == "half":
                times = [float(each) for each in row[4:]]
                tables.setdefault((NAMES[row[0]], int(row[2])), {})[2 * int(row[3])] = statistics.median(times)
        yield from ((operation, 1, gpus, table) for (operation, gpus), table in tables.items())
    elif "table" in test:
        tables = {}
        for row in csv.DictReader(line for line in (logs / test["table"]).read_text().splitlines() if not line.startswith("#")):
            tables.setdefault(int(row["gpus"]), {})[int(row["bytes"])] = float(row["us_out_of_place"])
        yield from ((test["operation"], 1, gpus, table) for gpus, table in tables.items())
    else:
        for nodes in test.get("nodes", [1]):
            for gpus in test.get("gpus", [None]):
                text = (logs / test["logs"].format(nodes=nodes, gpus=gpus or 0)).read_text(errors="replace")
                yield test["operation"], nodes, gpus, rows_of_log(text)


def run(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(map(str, command))}\n{done.stderr}")
    return done.stdout


def predicted(program, folder, name, machine, test):
    operation, nodes, gpus, table = test
    platform = folder / f"{name}-{nodes}.json"
    if not platform.exists():
        network = ["--network", machine["network"]] if nodes > 1 else []
        run(program, "import", "--node", machine["node"], "--nodes", nodes, *network, "-o", platform)
    sizes = sorted(size for size in table if size >= 4)
    ranks = f"*.gpu[0-{gpus - 1}]" if gpus else "*.gpu*"
    document = json.loads(run(program, "simulate", "--quiet", "--platform", platform, "--benchmark", f"nccl-{operation}", "--ranks", ranks,
                              "--gpu-library", machine["library"], "--sizes", ",".join(f"{size} B" for size in sizes), "--format", "json"))
    return {size: (row["time_us"], row["tuner_us"]) for size, row in zip(sizes, document["rows"])}


def band_of(size):
    return next(i for i, (_, most) in enumerate(BANDS) if size <= most)


def points_of(program, logs, folder, name, machine):
    """(operation, size, measured, predicted, by the library's own model)."""
    first, last = map(int, machine.get("left_out", "0..-1").split(".."))
    for test in machine["tests"]:
        for found in tests_of(logs, test):
            times = predicted(program, folder, name, machine, found)
            for size, time in found[3].items():
                if size in times and not first <= size <= last:
                    yield found[0], size, time, *times[size]


def mean_errors(points, which):
    """By band: the mean over operations of the mean |error|."""
    cells = []
    for band in range(len(BANDS)):
        means = []
        for operation in sorted({each[0] for each in points}):
            errors = [abs(each[which] / each[2] - 1) for each in points if each[0] == operation and band_of(each[1]) == band and each[which] > 0]
            if errors:
                means.append(statistics.mean(errors))
        cells.append(statistics.mean(means) if means else None)
    return cells


def row(label, cells):
    return f"| {label} | " + " | ".join("" if cell is None else f"{100 * cell:.0f}" for cell in cells) + " |"


def averaged(rows):
    columns = [[cell for cell in column if cell is not None] for column in zip(*rows)]
    return [statistics.mean(column) if column else None for column in columns]


def page_rows(machines, points):
    heads = "| | " + " | ".join(f"to {name}" if name != "all" else "above" for name, _ in BANDS) + " |"
    lines = [heads, "|---|" + "---:|" * len(BANDS)]
    for sets, title in ((True, "machines that set constants"), (False, "machines that set none")):
        chosen = [name for name, machine in machines.items() if machine.get("sets", False) == sets and points[name]]
        errors = {name: mean_errors(points[name], 3) for name in chosen}
        lines.append(row(f"**{title}**", averaged(errors.values())))
        lines += [row(name, errors[name]) for name in chosen]
        lines.append(row("NCCL's own model, all of these", averaged([mean_errors(points[name], 4) for name in chosen])))
    return lines


def quantile(weighted, share):
    """The value below which this share of the weight is."""
    weighted = sorted(weighted)
    left = share * sum(weight for _, weight in weighted)
    for value, weight in weighted:
        left -= weight
        if left <= 0:
            return value
    return weighted[-1][0]


def write_ranges(machines, points, file):
    """Between which factors of the prediction four of five measured times of machines are that set no constants; each machine has the same weight."""
    held = [name for name, machine in machines.items() if not machine.get("sets") and points[name]]
    lines = [f"// Made by tools/predictions/gpus.py --ranges FILE from {', '.join(sorted(held))}, which set no constants."]
    for band, (_, most) in enumerate(BANDS):
        tables = [[each[2] / each[3] for each in points[name] if band_of(each[1]) == band] for name in held]
        ratios = [(ratio, 1 / len(table)) for table in tables for ratio in table]
        low, high = min(1, quantile(ratios, 0.1)), max(1, quantile(ratios, 0.9))
        factors = ", ".join([f"{{{low:.2f}, {high:.2f}}}"] * 3)
        lines.append(f"Row{{gpu, {'largest_size' if band == len(BANDS) - 1 else f'Bytes{{{most}}}'}, {{{{{factors}}}}}}},")
    file.write_text("\n".join(lines) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("logs", type=pathlib.Path)
    parser.add_argument("--machines", type=pathlib.Path, default=pathlib.Path(__file__).parent / "gpus.json")
    parser.add_argument("--keep", type=pathlib.Path, metavar="FOLDER", help="keep the platforms there, and take those that it has")
    parser.add_argument("--sizes", action="store_true", help="also print each size")
    parser.add_argument("--ranges", type=pathlib.Path, metavar="FILE")
    parser.add_argument("--write", type=pathlib.Path, metavar="PAGE")
    parser.add_argument("--check", type=pathlib.Path, metavar="PAGE")
    options = parser.parse_args()
    machines = json.loads(options.machines.read_text())
    if options.keep:
        options.keep.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        tasks = {each: pool.submit(lambda each=each: list(points_of(options.program, options.logs, options.keep or pathlib.Path(scratch), each, machines[each])))
                 for each in machines}
        points = {each: task.result() for each, task in tasks.items()}
    lines = page_rows(machines, points)
    print("\n".join(lines))
    if options.sizes:
        for each, found in points.items():
            for operation, size, time, ours, tuner in found:
                print(f"{each:14} {operation:14}{size:12} {time:10.2f} {ours:10.2f} {100 * (ours / time - 1):+7.1f} % {tuner:10.2f}")
    if options.ranges:
        write_ranges(machines, points, options.ranges)
    for page in filter(None, (options.write, options.check)):
        text = page.read_text()
        before, _, rest = text.partition(MARK)
        _, _, after = rest.partition(MARK)
        wanted = before + MARK + "\n" + "\n".join(lines) + "\n" + MARK + after
        if options.write:
            page.write_text(wanted)
        elif wanted != text:
            raise SystemExit(f"{page}: not what this run gives; --write PAGE refreshes it")


if __name__ == "__main__":
    main()
