#!/usr/bin/env python3
"""How much slower is what `tune` would take than the best that was measured, on a machine where algorithms were forced one by one?

Usage: run.py PROGRAM CSV [--least-ranks N] [--most-ranks N] [--least-bytes N] [--most-bytes N] [--margin PERCENT]... [--cells]
              [--references] [--at-most MEAN PERCENTILE]

CSV has the columns collective, nodes, ranks_per_node, algorithm, total_bytes, bytes_per_rank, median_us: medians of Open MPI 4.1's
algorithms and of its own choice. The machine is two HDR100 rails a node; of its point-to-point times nothing is known, so they are taken from
one algorithm, the Allgather round a ring on 32 nodes, whose steps are messages of one size. All else is predicted: what is left of the table is
held out. Regret is the measured time of what is taken, over that of the best. Algorithms count that the library has and the model knows;
with --references also the table's reference codes, which a program may call itself: bine trees, sparbit and others. Then a second table says
by what factor the times of each algorithm are predicted otherwise than measured.
"""
import argparse
import collections
import concurrent.futures
import csv
import json
import math
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

MODELLED = {  # what the table calls them: what they are here
    "allgather": {"ring": "ring", "recursive_doubling": "recursive-doubling", "neighbor": "neighbour-exchange"},
    "allreduce": {"ring": "ring", "recursive_doubling": "recursive-doubling", "rabenseifner": "rabenseifner", "ring_segmented": "segmented-ring"},
    "alltoall": {"linear": "linear", "pairwise": "pairwise", "modified_bruck": "bruck"},
    "bcast": {"binary": "binary", "binomial": "binomial-nearest-first", "knomial": "knomial", "split_binary": "split-binary",
              "scatter_allgather": "scatter-doubling-allgather", "scatter_allgather_ring": "scatter-ring-allgather"},
    "gather": {"binomial": "binomial", "linear": "linear", "linear_synch": "linear-synchronised"},
    "reduce": {"binary": "binary", "binomial": "binomial", "in_order": "binary-in-order", "linear": "linear", "rabenseifner": "rabenseifner"},
    "reduce_scatter": {"ring": "ring", "recursive_halving": "recursive-halving"},
    "scatter": {"binomial": "binomial", "linear": "linear", "linear_nb": "linear-at-once"},
}
REFERENCES = {  # the same of reference codes, beside those that the library has, too
    "allgather": {"bine_2_blocks_dtype": "bine-two-blocks", "bine_block_by_block": "bine-blocks", "bine_permute_remap": "bine-permute",
                  "bine_send_remap": "bine-send", "k_bruck": "bruck", "sparbit": "sparbit"},
    "allreduce": {"bine_lat": "bine", "bine_bdw_remap": "bine-rabenseifner"},
    "alltoall": {"bine": "bine"},
    "bcast": {"bine_lat_new": "bine", "bine_lat": "bine-nearest-first", "bine_bdw_remap": "bine-scatter-allgather"},
    "gather": {"bine": "bine"},
    "reduce": {"bine_lat": "bine", "bine_bdw": "bine-rabenseifner"},
    "reduce_scatter": {"bine_block_by_block": "bine-blocks", "bine_permute_remap": "bine-permute", "bine_send_remap": "bine-send",
                       "recursive_distance_doubling": "butterfly"},
    "scatter": {"bine": "bine"},
}
RING = ("allgather", 32, 1)  # where the times of messages come from
TOGETHER = ("mpi.algorithms.barrier=dissemination", "workload.repetitions=1", "workload.warm_up=0")  # as `tune` does
BLOCKS = {"allgather", "alltoall", "gather", "scatter"}  # whose benchmarks go by a rank's block


def read(file, with_references):
    """(collective, nodes, ranks a node) → size of the benchmark → "default" or an algorithm's name here → median."""
    cells = collections.defaultdict(lambda: collections.defaultdict(lambda: collections.defaultdict(list)))
    for row in csv.DictReader(file.open()):
        name, _, kind = row["algorithm"].removesuffix("_int32").rpartition("_")
        algorithm = {"ompi": {"default": "default"} | MODELLED[row["collective"]],
                     "over": REFERENCES[row["collective"]] if with_references else {}}.get(kind, {}).get(name)
        if algorithm:
            size = int(row["bytes_per_rank"] if row["collective"] in BLOCKS else row["total_bytes"])
            where = row["collective"], int(row["nodes"]), int(row["ranks_per_node"])
            cells[where][size][algorithm].append(float(row["median_us"]))
    return {where: {size: {name: statistics.median(each) for name, each in names.items()} for size, names in sizes.items() if size > 1}
            for where, sizes in cells.items()}


def run(*words):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, words))}: {done.stderr}")
    return done.stdout


def platform_of(program, folder, ring):
    most = 2048
    costs = {"o_send": "0.4 us", "o_recv": "0.4 us", "source": {"kind": "assumed", "from": "usual"}}
    regimes = [{"from": "0 B", "to": "8 KiB", **costs}, {"from": "8 KiB", "trips": 3, **costs}]
    inside = {"scope": "inside-device", "moved_by_cores": True, "regimes": regimes}
    platform = {
        "name": "two-rails",
        "templates": {"node": {"devices": [{"name": "cpu", "kind": "cpu", "cores": 32, "memory": {"channels": 8, "transfers": "3.2 GT/s", "cache": "48 MiB"}},
                                           {"name": "hca", "kind": "hca"}],
                               "links": [{"between": ["cpu", "hca"], "type": "pcie", "generation": 4, "lanes": 16, "latency": "0.1 us"}]}},
        "nodes": {f"n[0-{most - 1}]": "node"},
        "devices": [{"name": "switch", "kind": "switch"}],
        "links": [{"between": [f"n{i}.hca", "switch"], "type": "infiniband", "signalling": "HDR", "lanes": 4, "latency": "0.3 us"} for i in range(most)],
        "mpi": {"collectives": "open-mpi-4.1"},
        "fabrics": {"net": {"links": ["pcie", "infiniband"], "rules": [inside, {"scope": "between-nodes", "regimes": regimes}]}},
    }
    file, log = folder / "machine.json", folder / "ring.log"
    file.write_text(json.dumps(platform))
    steps = RING[1] - 1
    rows = "\n".join(f"{size:>13} 1000 {time / steps:.3f} {time / steps:.3f} {time / steps:.3f} {2 * size * steps / time:.2f}" for size, time in sorted(ring.items()))
    log.write_text("# Benchmarking Sendrecv\n# #processes = 2\n       #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]   Mbytes/sec\n" + rows + "\n")
    file.write_text(run(program, "calibrate", "--merge", file, "--fabric", "net", "--log", f"n0.cpu,n1.cpu={log}"))
    return file


def predicted(program, platform, where, size, algorithms):
    """Algorithm → time, and what the library takes by its table."""
    collective, nodes, per_node = where
    name = collective.replace("_", "-")
    out = json.loads(run(program, "compare", "--platform", platform, "--benchmark", f"osu-{name}", "--ranks", f"n[0-{nodes - 1}].cpu", "--per-device", per_node,
                         "--algorithms", ",".join(algorithms), "--sizes", f"{size} B", "--format", "json", "--quiet", "--jobs", "1",
                         *(word for each in TOGETHER for word in ("--set", each))))
    row = out["rows"][0]
    return {contender: time["time_us"] for contender, time in zip(out["contenders"], row["times"])}, row["taken"]


def line(label, regrets, own, slower):
    def three(values):
        values = sorted(values)
        return f"{statistics.median(values):8.3f} {math.exp(statistics.fmean(map(math.log, values))):8.3f} {values[min(len(values) - 1, int(0.9 * len(values)))]:8.3f}"
    print(f"{label:24} {len(regrets):5} {three(regrets)}   {three(own)}   {100 * slower / len(regrets):5.1f} %", flush=True)


def factors(answers):
    off = collections.defaultdict(list)
    for (collective, *_), _, _, known, model, _ in answers:
        for name, time in known.items():
            off[collective, name].append(model[name] / time)
    print("# predicted over measured: cells, median, typical factor")
    for (collective, name), ratios in sorted(off.items()):
        typical = math.exp(statistics.median(abs(math.log(ratio)) for ratio in ratios))
        print(f"{collective:16} {name:26} {len(ratios):5} {statistics.median(ratios):8.3f} {typical:8.3f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("table", type=pathlib.Path)
    parser.add_argument("--least-ranks", type=int, default=0)
    parser.add_argument("--most-ranks", type=int, default=256)
    parser.add_argument("--least-bytes", type=int, default=0, help="of a benchmark's size")
    parser.add_argument("--most-bytes", type=int, default=8 << 20)
    parser.add_argument("--margin", type=float, action="append", help="the gain for which the default is left, in percent; may be repeated")
    parser.add_argument("--cells", action="store_true")
    parser.add_argument("--references", action="store_true", help="count reference codes, too")
    parser.add_argument("--at-most", nargs=2, type=float, metavar=("MEAN", "PERCENTILE"), help="fail if regret is greater with the first margin")
    options = parser.parse_args()
    cells = read(options.table, options.references)
    found = []
    with tempfile.TemporaryDirectory() as name, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        platform = platform_of(options.program, pathlib.Path(name), {size: each["ring"] for size, each in cells[RING].items()})
        for where, sizes in cells.items():
            for size, measured in sizes.items():
                known = {each: time for each, time in measured.items() if each != "default"}
                is_asked_for = (options.least_ranks <= where[1] * where[2] <= options.most_ranks
                                and options.least_bytes <= size <= options.most_bytes)
                if where != RING and "default" in measured and len(known) >= 2 and is_asked_for:
                    names = list(MODELLED[where[0]].values()) + [each for each in known if each not in MODELLED[where[0]].values()]
                    found.append((where, size, measured["default"], known,
                                  pool.submit(predicted, options.program, platform, where, size, names)))
        answers = [(*each[:4], *each[4].result()) for each in found]
    worst = None
    for margin in options.margin or [0, 10, 34]:
        print(f"# default left for {margin:g} % and more: median, geometric mean, 90th percentile of what is taken; of the default; cells made more than 5 % slower")
        groups = collections.defaultdict(list)
        for where, size, default, known, model, taken in answers:
            choices = {each: model[each] for each in known if each in model}
            pick = min(choices, key=choices.get)
            time = known[pick] if model[taken] >= (1 + margin / 100) * choices[pick] and pick != taken else default
            best = min(default, *known.values())
            for group in (where[0], "all"):
                groups[group].append((time / best, default / best, time > 1.05 * default))
            if options.cells:
                print(f"    {where} {size}: default {default:.1f} ({taken}, predicted {model[taken]:.1f}); "
                      + ", ".join(f"{each} {known[each]:.1f} ({choices[each]:.1f})" for each in choices) + f": {pick if time != default else 'default'}")
        for group in sorted(groups, key=lambda each: (each == "all", each)):
            rows = groups[group]
            line(group, [each[0] for each in rows], [each[1] for each in rows], sum(each[2] for each in rows))
        regrets = sorted(each[0] for each in groups["all"])
        worst = worst or (math.exp(statistics.fmean(map(math.log, regrets))), regrets[int(0.9 * len(regrets))])
    if options.references:
        factors(answers)
    if options.at_most and any(found > most for found, most in zip(worst, options.at_most)):
        sys.exit(f"regret is greater than {options.at_most}")


main()
