#!/usr/bin/env python3
"""Holds replays to SimGrid's own, smpirun -replay, where the models are the same: on eight equal nodes at one switch, without software
costs. Point-to-point traces must agree within 1 %, collective calls by the same algorithm within 5 %.
Usage: agreement.py KAKEHASHI ROOT [--all: say every difference]"""
import json
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

program, root = (str(pathlib.Path(argument).resolve()) for argument in sys.argv[1:3])
here = pathlib.Path(root) / "tests/replay"
CONFIGURATION = [  # SimGrid's network without corrections, eager up to 64 KiB, nothing else takes time
    "network/model:CM02", "network/TCP-gamma:0", "network/crosstraffic:0", "smpi/send-is-detached-thresh:65536",
    "smpi/async-small-thresh:65536", "smpi/test:0", "surf/precision:1e-12"]


# Traces: a list of lines for each rank.

def world(ranks, *lines):
    return [["init", *lines, "finalize"] for _ in range(ranks)]


def ping_pong(size, trips):
    there, back = [f"send 1 3 {size} 6", f"recv 1 4 {size} 6"], [f"recv 0 3 {size} 6", f"send 0 4 {size} 6"]
    return [["init", *(there * trips), "finalize"], ["init", *(back * trips), "finalize"]]


def one_way(size, count):
    return [["init", *[f"send 1 0 {size} 6"] * count, "finalize"], ["init", *[f"recv 0 0 {size} 6"] * count, "finalize"]]


def ring(ranks, size, rounds):
    """Nonblocking, with work between."""
    traces = []
    for rank in range(ranks):
        left, right = (rank - 1) % ranks, (rank + 1) % ranks
        lines = [f"irecv {left} 1 {size} 6", f"isend {right} 1 {size} 6", f"compute {1e5 * (rank + 1)}",
                 f"wait {left} {rank} 1", f"wait {rank} {right} 1"]
        traces.append(["init", *(lines * rounds), "finalize"])
    return traces


def halo(ranks, size, rounds):
    traces = []
    for rank in range(ranks):
        left, right = (rank - 1) % ranks, (rank + 1) % ranks
        lines = [f"irecv {left} 1 {size} 0", f"irecv {right} 2 {size} 0", f"isend {right} 1 {size} 0",
                 f"isend {left} 2 {size} 0", "waitall 4", "compute 2e5"]
        traces.append(["init", *(lines * rounds), "finalize"])
    return traces


def master(ranks, size, rounds):
    """Rank 0 receives from any rank."""
    boss = ["init", *[f"recv -555 -444 {size} 6"] * (rounds * (ranks - 1)), "finalize"]
    others = [["init", *[f"compute {3e4 * rank}", f"send 0 {rank} {size} 6"] * rounds, "finalize"] for rank in range(1, ranks)]
    return [boss, *others]


def random_pairs(ranks, rounds, seed):
    """In each round disjoint pairs exchange messages of random sizes, by blocking calls."""
    source = random.Random(seed)
    traces = [["init"] for _ in range(ranks)]
    for _ in range(rounds):
        order = source.sample(range(ranks), ranks)
        for first, second in zip(order[::2], order[1::2]):
            size, tag = source.choice([100, 5000, 40000, 70000, 300000]), source.randrange(100)
            traces[first] += [f"compute {source.randrange(100000)}", f"send {second} {tag} {size} 6"]
            traces[second] += [f"recv {first} {tag} {size} 6"]
    return [[*trace, "finalize"] for trace in traces]


POINT_TO_POINT = {
    "ping-pong of 1 KB": ping_pong(1000, 2000),
    "ping-pong of 1 MB": ping_pong(1000000, 20),
    "one way, 10 KB": one_way(10000, 500),
    "one way, 1 MB": one_way(1000000, 20),
    "ring of 20 KB": ring(8, 20000, 50),
    "ring of 500 KB": ring(8, 500000, 20),
    "halo of doubles, 30 KB": halo(8, 3750, 50),
    "halo of doubles, 400 KB": halo(8, 50000, 20),
    "master, 5 KB": master(8, 5000, 50),
    "random pairs": random_pairs(8, 200, 1),
    "sendrecv": [["init", *[f"sendRecv 10000 {(r + 1) % 4} 10000 {(r - 1) % 4} 6 6"] * 100, "finalize"] for r in range(4)],
    "compute and sleep": world(2, "compute 5e6", "sleep 0.01", "compute 1e6"),
}
# Name, trace, our algorithm, SimGrid's.
COLLECTIVE = []


def collective(name, line, simgrid_name, pairs, ranks=8, times=50):
    """Calls with a barrier after each: SimGrid lets all eager messages of calls that are under way at once share links, where ours
    of one rank to another follow each other. Calls that add state the time of that, 1 ns, as smpirun has none of its own."""
    for ours, theirs in pairs:
        lines = [line, "barrier"] * times if line != "barrier" else ["barrier"] * times
        algorithms = {"barrier": "dissemination", name: ours}
        COLLECTIVE.append((f"{line} on {ranks}, {ours}", world(ranks, *lines), algorithms,
                           ["smpi/barrier:ompi_bruck", f"smpi/{simgrid_name}:{theirs}"]))


for count in (1000, 100000):
    collective("bcast", f"bcast {count} 2 6", "bcast", [("binomial", "binomial_tree"), ("linear", "flattree")])
    collective("reduce", f"reduce {count} 1 0 6", "reduce", [("binomial", "binomial"), ("linear", "flat_tree")])
    collective("allreduce", f"allreduce {count} 1 6", "allreduce", [("recursive-doubling", "rdb"), ("ring", "lr")])
    collective("allgather", f"allgather {count} {count} 6 6", "allgather", [("ring", "ring"), ("recursive-doubling", "rdb"), ("bruck", "bruck")])
    collective("alltoall", f"alltoall {count} {count} 6 6", "alltoall", [("linear", "basic_linear"), ("pairwise", "ring"), ("bruck", "bruck")])
    collective("gather", f"gather {count} {count} 3 6 6", "gather", [("linear", "ompi_basic_linear"), ("binomial", "ompi_binomial")])
    collective("scatter", f"scatter {count} {count} 3 6 6", "scatter", [("linear", "ompi_basic_linear")])
collective("barrier", "barrier", "barrier", [("dissemination", "ompi_bruck"), ("recursive-doubling", "ompi_recursivedoubling")], times=20000)
collective("bcast", "bcast 100000 0 6", "bcast", [("binomial", "binomial_tree")], ranks=5)
SIZES = [30000, 10000, 70000, 5000, 20000]
ALL_SIZES = " ".join(map(str, SIZES))
COLLECTIVE.append(("allgatherv on 5, ring", [["init", *[f"allgatherv {mine} {ALL_SIZES} 6 6", "barrier"] * 20, "finalize"] for mine in SIZES],
                   {"allgatherv": "ring", "barrier": "dissemination"}, ["smpi/allgatherv:ring", "smpi/barrier:ompi_bruck"]))
COLLECTIVE.append(("gatherv on 5", [["init", *[f"gatherv {mine} {ALL_SIZES if rank == 2 else '0 0 0 0 0'} 2 6 6", "barrier"] * 50, "finalize"]
                                    for rank, mine in enumerate(SIZES)],
                   {"barrier": "dissemination"}, ["smpi/barrier:ompi_bruck"]))
COLLECTIVE.append(("scatterv on 5", [["init", *[f"scatterv {ALL_SIZES if rank == 2 else '0 0 0 0 0'} {mine} 2 6 6", "barrier"] * 50, "finalize"]
                                     for rank, mine in enumerate(SIZES)],
                   {"barrier": "dissemination"}, ["smpi/barrier:ompi_bruck"]))
COLLECTIVE.append(("alltoallv on 5, pairwise", [["init", *[f"alltoallv 90000 {ALL_SIZES} 350000 {' '.join([str(mine)] * 5)} 6 6"] * 20, "finalize"]
                                                for mine in SIZES],
                   {"alltoallv": "pairwise"}, ["smpi/alltoallv:ring"]))
COLLECTIVE.append(("reducescatter on 8", world(8, *["reducescatter" + " 20000" * 8 + " 1 6", "barrier"] * 50),
                   {"reduce-scatter": "pairwise", "barrier": "dissemination"}, ["smpi/reduce_scatter:mpich_pair", "smpi/barrier:ompi_bruck"]))


def exported(benchmark, ranks, size):
    """What `export --trace` writes of a benchmark."""
    written = subprocess.run([program, "export", "--trace", "ti", "--platform", str(here / "homogeneous.json"), "--fabric", "net", "--benchmark",
                              benchmark, "--ranks", ",".join(f"n{rank}.cpu" for rank in range(ranks)), "--sizes", size],
                             capture_output=True, text=True, timeout=300)
    if written.returncode != 0:
        sys.exit(f"kakehashi export failed: {written.stderr}")
    traces = [[] for _ in range(ranks)]
    for line in written.stdout.splitlines():
        rank, words = line.split(" ", 1)
        traces[int(rank)].append(words)
    return traces


POINT_TO_POINT |= {f"exported {benchmark} of {size}": exported(benchmark, ranks, size)
                   for benchmark, ranks, size in (("imb-pingpong", 2, "4000000 B"), ("osu-bw", 2, "200000 B"), ("imb-sendrecv", 8, "20000 B"),
                                                  ("imb-alltoall", 8, "100000 B"))}


def simgrid_time(folder, ranks, algorithm):
    command = ["smpirun", "-np", str(ranks), "-hostfile", "hosts", "-platform", str(here / "homogeneous.xml"), "-replay", "list",
               "--log=root.thresh:error", "--log=smpi_replay.thresh:info"]
    command += [f"--cfg={entry}" for entry in CONFIGURATION + algorithm]
    run = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300)
    times = re.findall(r"Simulation time ([0-9.]+)", run.stdout)
    if run.returncode != 0 or not times:
        sys.exit(f"smpirun failed:\n{run.stdout[-2000:]}")
    return max(float(time) for time in times)


def our_time(folder, ranks, algorithms):
    scenario = {"name": "agreement", "platform": str(here / "homogeneous.json"), "fabric": "net",
                "ranks": [f"n{rank}.cpu" for rank in range(ranks)], "workload": {"replay": {"ti": "list", "speed": "1 Gflop/s"}},
                "mpi": {"copy": "0 ns/B", "copy_start": "0 us",  # which smpirun knows nothing of
                        "progress": "hardware"}}  # its long messages wait for no call
    if algorithms:
        scenario["mpi"]["algorithms"] = algorithms
    (folder / "s.json").write_text(json.dumps(scenario))
    run = subprocess.run([program, "simulate", "--quiet", "--format", "json", "s.json"], cwd=folder, capture_output=True,
                         text=True, timeout=300)
    if run.returncode != 0:
        sys.exit(f"kakehashi failed: {run.stderr}")
    return json.loads(run.stdout)["time_us"] * 1e-6


def difference(traces, algorithms, simgrid_algorithm):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for rank, lines in enumerate(traces):
            (folder / f"rank{rank}").write_text("".join(f"{rank} {line}\n" for line in lines))
        (folder / "list").write_text("".join(f"rank{rank}\n" for rank in range(len(traces))))
        (folder / "hosts").write_text("".join(f"n{rank}\n" for rank in range(len(traces))))
        theirs = simgrid_time(folder, len(traces), simgrid_algorithm)
        ours = our_time(folder, len(traces), algorithms)
        return ours, theirs


def main():
    if not shutil.which("smpirun"):
        print("smpirun is not installed; nothing is compared")
        return 0
    failed = 0
    cases = [(name, traces, {}, [], 0.01) for name, traces in POINT_TO_POINT.items()]
    cases += [(*case, 0.05) for case in COLLECTIVE]
    for name, traces, algorithms, simgrid_algorithm, allowed in cases:
        ours, theirs = difference(traces, algorithms, simgrid_algorithm)
        error = ours / theirs - 1
        failed += abs(error) > allowed
        if abs(error) > allowed or "--all" in sys.argv:
            print(f"{name:<60} ours {ours:.6f} s, smpirun's {theirs:.6f} s: {100 * error:+.2f} %"
                  f"{', too far' if abs(error) > allowed else ''}", flush=True)
    print(f"{len(cases)} replays compared, {failed} too far apart")
    return failed > 0


sys.exit(main())
