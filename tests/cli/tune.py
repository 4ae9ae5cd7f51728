#!/usr/bin/env python3
"""`kakehashi tune`: what it finds, its faults, and how it goes on. Usage: tune.py KAKEHASHI ROOT"""
import csv
import io
import json
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from calls import expect, failures, finish, kakehashi, program, root

scratch = tempfile.TemporaryDirectory()
folder = pathlib.Path(scratch.name)
cluster = folder / "cluster.json"
expect("import", kakehashi("import", "scenarios/journey/node.xml", "--nodes", "4", "--network", "HDR", "-o", cluster), 0, out="")
PLACES = [cluster, "--ranks", "node*.cpu*", "--per-device", "2", "--library", "open-mpi-4.1"]


def tune(*words):
    return kakehashi("tune", "--quiet", *PLACES, *words)


def table():
    run = tune("--collectives", "allreduce,barrier", "--placements", "block,cyclic-in-node")
    expect("table", run, 0, out=["# tune: open-mpi-4.1 on node, fabric ib, 16 ranks, block\n", "# placement          default     tuned\nblock ",
                                 "# operation      ranks       from  take ", "allreduce           16        8 B  ", "barrier             16          -  "])
    if tune("--collectives", "allreduce,barrier", "--placements", "block,cyclic-in-node", "--jobs", "1").stdout != run.stdout:
        failures.append("table: the output depends on --jobs")


def sizes():
    """Each size's choice is the best that the library has, unless its own is within the margin."""
    found = json.loads(tune("--collectives", "allreduce,alltoall", "--margin", "10", "--communicators", "4,16", "--format", "json").stdout)
    if [(each["operation"], each["ranks"]) for each in found["operations"]] != [("allreduce", 4), ("allreduce", 16), ("alltoall", 4), ("alltoall", 16)]:
        failures.append(f"sizes: operations are {found['operations']}")
    for operation in found["operations"]:
        where = f"{operation['operation']} of {operation['ranks']} ranks"
        listed = [each["size"] for each in operation["sizes"]]
        if operation["margin"] != 0.1 or listed != sorted(listed) or listed[0] != 8 or listed[-1] != 1 << 20:
            failures.append(f"{where}: {operation['margin']}, {listed}")
        for low, high in zip(operation["sizes"], operation["sizes"][1:]):
            if high["size"] > 16 * low["size"]:
                failures.append(f"{where}: nothing between {low['size']} and {high['size']}")
            if low["default"]["algorithm"] != high["default"]["algorithm"] and high["size"] > 2 * low["size"]:
                failures.append(f"{where}: it is not known where the default changes between {low['size']} and {high['size']}")
        for each in operation["sizes"]:
            gain = each["default"]["time_us"] / each["take"]["time_us"] - 1
            if abs(gain - each["gain"]) > 1e-4 or each["is_changed"] != (gain >= 0.1) or each["best"]["time_us"] > each["take"]["time_us"]:
                failures.append(f"{where}: {each}")
            if each["take"]["time_us"] > 1.021 * each["best"]["time_us"] and each["is_changed"]:
                failures.append(f"{where}: {each} is not the best")
            if each["is_changed"] != ("sure" in each) or not 0.5 < each.get("sure", 1) <= 1:
                failures.append(f"{where}: how sure is {each}?")
    lines = list(csv.DictReader(io.StringIO(tune("--collectives", "bcast", "--format", "csv").stdout)))
    if {line["operation"] for line in lines} != {"bcast"} or float(lines[0]["default_time_us"]) <= 0:
        failures.append(f"CSV: {lines[:2]}")


def against():
    rules = folder / "my_rules.conf"
    rules.write_text("1\n2 1\n0 1\n0 1 0 0\n")  # a linear Allreduce
    run = tune("--collectives", "allreduce", "--against", rules)
    expect("against", run, 0, out=[f"# what {rules} gains over the default", "linear "])
    found = json.loads(tune("--collectives", "allreduce", "--against", rules, "--format", "json").stdout)
    if any(each["file"]["algorithm"] != "linear" for each in found["operations"][0]["sizes"]):
        failures.append(f"against: {found['operations']}")


def libraries():
    for library, words in (("mpich-4", ["allgather"]), ("intel-mpi-2021", ["allgather"]), ("open-mpi-5.0", ["bcast"])):
        expect(library, kakehashi("tune", "--quiet", *PLACES[:-1], library, "--collectives", *words), 0, out=[f"# tune: {library} on node"])


def faults():
    def refuse(what, *words, err):
        expect(what, tune(*words), 2, err=f"error: {err}\n")
    refuse("strange collective", "--collectives", "allreduce,allredcue", err='--collectives: got "allredcue", expected operations for which '
           "open-mpi-4.1 has settings: barrier, bcast, reduce, allreduce, gather, scatter, allgather, allgatherv, alltoall, alltoallv, reduce-scatter, "
           'scan (did you mean "allreduce"?)')
    refuse("strange communicator", "--communicators", "17", err='--communicators: got "17", expected a number of ranks from 2 to 16, as many as --ranks has')
    refuse("strange placement", "--placements", "blok", err='--placements: got "blok", expected block, cyclic, cyclic-in-node (did you mean "block"?)')
    refuse("placement twice", "--placements", "block,block", err='--placements: got "block", expected each only once')
    refuse("strange margin", "--margin", "much", err='--margin: got "much", expected a gain in percent, such as 10')
    refuse("strange size", "--sizes", "0 B", err='--sizes: got "0 B", expected more than 0 B')
    refuse("strange time", "--timeout", "0 s", err='--timeout: got "0 s", expected a time such as "90 s" or "10 min"')
    refuse("resume what", "--resume", err="--resume needs --results, the file to go on with")
    refuse("no such rules", "--against", folder / "none.conf", err=f"{folder}/none.conf: no such file")
    expect("no ranks", kakehashi("tune", cluster), 2, err=["--ranks is missing"])
    expect("a library without settings", kakehashi("tune", "--quiet", *PLACES[:-1], "mpt"), 2, err=["--library", "mpt", "open-mpi-4.1"])
    expect("a platform's library without settings", kakehashi("tune", "--quiet", *PLACES[:-2], "--set", "mpi.collectives=mpt"), 2,
           err='error: --library: got "mpt", expected one whose users can choose algorithms: open-mpi, open-mpi-4.1, open-mpi-5.0, mpich, mpich-4, '
           "cray-mpich, intel-mpi, intel-mpi-2019, intel-mpi-2021\n")
    expect("one rank", kakehashi("tune", "--quiet", cluster, "--ranks", "node0.cpu0"), 2, err="error: --ranks: got 1 rank for osu-allreduce, expected 2 or more\n")
    expect("no platform", kakehashi("tune", folder / "none.json", "--ranks", "a,b"), 2, err=f"error: {folder}/none.json: no such file\n")


def going_on():
    results = folder / "tune.results"
    words = ["--collectives", "alltoall,bcast", "--format", "csv"]
    whole = tune(*words).stdout
    run = subprocess.Popen([program, "tune", "--quiet", *PLACES, *words, "--jobs", "1", "--results", results], cwd=root,
                           stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while run.poll() is None and (not results.exists() or results.read_text().count("\n") < 5):
        time.sleep(0.001)
    run.send_signal(signal.SIGINT)
    out, err = run.communicate()
    if (run.returncode, out, err) != (130, "", f"error: interrupted; what was run is in {results}, and the same command with --resume goes on\n"):
        failures.append(f"interrupt: {run.returncode}, {out}, {err}")
    expect("a result file that is there", tune(*words, "--results", results), 2, err=f"error: {results}: is there already; --resume goes on with it\n")
    expect("resume", tune(*words, "--results", results, "--resume"), 0, out=whole)
    expect("another machine", tune(*words, "--results", results, "--resume", "--set", "platform:name=other"), 2, err=[f"error: {results}: line 1: "])


for case in (table, sizes, against, libraries, faults, going_on):
    case()
finish("all as expected")
