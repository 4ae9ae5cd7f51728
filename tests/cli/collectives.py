#!/usr/bin/env python3
"""`kakehashi calibrate --collective`: it finds the numbers that logs were made with, and refuses what it cannot use.

Usage: collectives.py KAKEHASHI ROOT
"""
import json
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from calls import expect, failures, finish, kakehashi

scratch = tempfile.TemporaryDirectory()
folder = pathlib.Path(scratch.name)
root = pathlib.Path(sys.argv[2]).resolve()


def costs(overhead, per_byte):
    return {"from": "0 B", "o_send": overhead, "o_recv": overhead, "per_byte_send": per_byte, "per_byte_recv": per_byte}


MACHINE = {
    "name": "full",
    "templates": {"node": {
        "devices": [{"name": "cpu", "kind": "cpu", "cores": 8,
                     "memory": {"bandwidth": "40 GB/s", "cache": "16 MiB", "source": {"kind": "spec", "from": "a data sheet"}}},
                    {"name": "hca", "kind": "hca"}],
        "links": [{"between": ["cpu", "hca"], "type": "pcie", "generation": 3, "lanes": 16}]}},
    "nodes": {"n1": "node", "n2": "node"},
    "links": [{"between": ["n1.hca", "n2.hca"], "type": "infiniband", "signalling": "EDR", "lanes": 4, "latency": "0.6 us"}],
    "mpi": {"collectives": "open-mpi"},
    "fabrics": {"ib": {"links": ["pcie", "infiniband"], "rules": [
        {"scope": "inside-device", "moved_by_cores": True, "regimes": [costs("0.1 us", "0.08 ns/B")]},
        {"scope": "between-nodes", "regimes": [{"from": "0 B", "o_send": "0.3 us", "o_recv": "0.3 us"}]}]}}}
machine = folder / "mine.json"
machine.write_text(json.dumps(MACHINE))
CPU = "platform:templates.node.devices[0]"


def log(name, benchmark, *words, sizes="8 B,64 B,512 B,4 KiB,32 KiB,64 KiB,128 KiB,256 KiB,512 KiB,1 MiB", ranks="n1.cpu,n2.cpu"):
    run = kakehashi("simulate", "--quiet", "--platform", machine, "--fabric", "ib", "--benchmark", benchmark, "--ranks", ranks, "--sizes",
                    sizes, *words)
    expect(f"a log of {benchmark}", run, 0, out=[])
    (folder / name).write_text(run.stdout)
    return folder / name


def calibrate(*words):
    return kakehashi("calibrate", "--quiet", *words)


def found_again():
    """From a ping-pong and three collectives of a machine whose cores add and copy more slowly, that is found, and nothing else."""
    made_with = ["--per-device", "8", "--set", "platform:mpi.reduction=0.6 ns/B", "--set", f"{CPU}.memory.cache_rate=4 GB/s"]
    near = log("near.log", "imb-pingpong", ranks="n1.cpu,n1.cpu")
    collectives = ["--collective", f"2x8={log('allreduce.log', 'osu-allreduce', *made_with)}",
                   "--collective", f"2x8={log('alltoall.log', 'osu-alltoall', *made_with)}",
                   "--collective", f"2x8:ring={log('allgather.log', 'osu-allgather', *made_with, '--algorithm', 'ring')}"]
    words = ["--log", f"same-socket={near}", *collectives]
    run = calibrate("--platform", machine, "--format", "json", *words)
    expect("json", run, 0, out=[])
    found = json.loads(run.stdout)[-1]
    fields = {each["field"]: each for each in found["fields"]}
    moved = {name: float(each["value"].split()[0]) for name, each in fields.items() if "value" in each}
    if set(moved) != {"memory/cache_rate", "mpi/reduction"} or abs(moved["memory/cache_rate"] / 4000 - 1) > 0.03 or \
            abs(moved["mpi/reduction"] / 0.6 - 1) > 0.03:
        failures.append(f"found again: {moved}")
    for name, each in fields.items():
        if "value" in each and not float(each["low"].split()[0]) <= moved[name] <= float(each["high"].split()[0]):
            failures.append(f"found again: {each} is not between its bounds")
    for each in found["collectives"]:
        if not (each["before"] > 0.05 and each["after"] < 0.02 and each["held_out"] < 0.03):
            failures.append(f"found again: errors {each}")

    run = calibrate("--merge", machine, *words)
    expect("merge", run, 0, out=['"cache_rate": ', '"reduction": {"cpu": "0.'],
           err=["# collective operations, and their errors before and after; held out: by a fit that has not seen them\n",
                "  memory/cache_rate  8", "# memory/bandwidth stays 40000 MB/s: "])
    merged = folder / "merged.json"
    merged.write_text(run.stdout)
    expect("what is merged", kakehashi("check", merged), 0, out=[])
    run = calibrate("--merge", merged, *collectives)
    again = json.loads(run.stdout)
    source = again["templates"]["node"]["devices"][0]["memory"]["source"]
    if source["kind"] != "calibrated" or source["from"].count("cache_rate: ") != 1 or not source["from"].endswith("; a data sheet"):
        failures.append(f"merged twice: {source}")
    for place in (["mpi", "reduction", "cpu"], ["templates", "node", "devices", 0, "memory", "cache_rate"]):
        one, other = json.loads(merged.read_text()), again
        for key in place:
            one, other = one[key], other[key]
        if abs(float(one.split()[0]) / float(other.split()[0]) - 1) > 0.03:
            failures.append(f"merged again: {one} became {other}")


def copies_found():
    """Buffers that go round the memory take longer if each byte is copied twice, and only then."""
    made_with = ["--per-device", "8", "--set", "platform:fabrics.ib.rules[0].copies=2"]
    far = [f"2x8={log(f'{name}-twice.log', f'osu-{name}', *made_with, sizes='64 KiB,256 KiB,1 MiB,4 MiB')}" for name in ("alltoall", "allgather")]
    run = calibrate("--merge", machine, *[word for each in far for word in ("--collective", each)])
    expect("two copies", run, 0, out=['"copies": 2'], err=["  copies             1 to 2; error "])
    (folder / "twice.json").write_text(run.stdout)
    again = calibrate("--platform", folder / "twice.json", *[word for each in far for word in ("--collective", each)])
    expect("two copies again", again, 0, out=["# copies stays 2: error 0.0 % with 2, "])


def nothing_to_find():
    """A log of the platform as it is: all stays."""
    allreduce = log("true.log", "osu-allreduce", "--per-device", "8")
    run = calibrate("--platform", machine, "--collective", f"2x8={allreduce}")
    expect("nothing to find", run, 0, out=["# nothing moved\n", "# mpi/reduction stays 0.25 ns/B: held-out error 0.0 % without it, "])
    if " to " in "".join(line for line in run.stdout.splitlines() if line.startswith("  ")):
        failures.append("nothing to find, but something moved:\n" + run.stdout)


def after_work():
    """Two recordings of eight ranks on two cores: their calls took far longer than messages do, which each shows of the other, too."""
    words = [word for name in ("chain", "exchange") for word in ("--collective", f"1x8={root / 'scenarios/waves' / name}")]
    run = calibrate("--platform", machine, "--format", "json", *words)
    expect("recordings", run, 0, out=[])
    found = json.loads(run.stdout)[-1] if run.stdout.startswith("[") else json.loads(run.stdout)
    errors = [(each["before"], each["after"], each["held_out"]) for each in found["collectives"]]
    if len(errors) != 2 or not all(before > 0.9 and after < 0.4 and held_out < 0.4 for before, after, held_out in errors):
        failures.append(f"recordings: errors {errors}")
    run = calibrate("--merge", machine, *words)
    expect("what recordings show", run, 0, out=['"after_work_copy": "'], err=["chain on 1 x 8 ", "# mpi/after_work stays nothing: "])
    (folder / "after_work.json").write_text(run.stdout)
    expect("merged", kakehashi("check", folder / "after_work.json"), 0, out=[])
    run = calibrate("--platform", machine, "--collective", f"1x8={root / 'scenarios/waves'}")
    expect("no recording", run, 2, out=[], err=["waves"])


def refused():
    allreduce = folder / "allreduce.log"
    short = log("short.log", "osu-allreduce", "--per-device", "8", sizes="8 B,64 B,512 B")
    imb = log("imb.log", "imb-allreduce", "--per-device", "4", sizes="8 B,64 B,512 B,1 KiB")
    imb.write_text("# Benchmarking Allreduce\n# #processes = 8\n" + "\n".join(imb.read_text().splitlines()[3:]) + "\n")
    alien = folder / "alien.log" # which does not state its processes
    alien.write_text("# OSU MPI Allreduce Latency Test v5.6.2\n# Size       Avg Latency(us)\n4 2.1\n8 2.1\n16 2.2\n32 2.3\n")
    here = ["--platform", machine, "--collective"]
    form = "expected nodes, 'x', ranks on each, maybe ':' and an algorithm, '=' and a log, such as 2x64=alltoall.log or 2x64:ring=allgather.log"
    for name, words, message in (
            ("no ranks", [*here, str(allreduce)], f'error: --collective: got "{allreduce}", {form}\n'),
            ("no number", [*here, f"2xall={allreduce}"], f'error: --collective: got "2xall={allreduce}", {form}\n'),
            ("no algorithm", [*here, f"2x8:={allreduce}"], f'error: --collective: got "2x8:={allreduce}", {form}\n'),
            ("no platform", ["--collective", f"2x8={allreduce}"], "error: --collective needs --platform or --merge\n"),
            ("a placement of nothing", ["--map-by", "core", folder / "near.log"], "error: --map-by needs --collective\n"),
            ("adjustments", [*here, f"2x8={allreduce}", "--adjustments", "0"], "error: --collective does not go with --adjustments\n"),
            ("too many nodes", [*here, f"3x8={allreduce}"],
             f"error: --collective: got 3x8={allreduce}, expected at most 2 nodes, since {machine} has no more with a cpu\n"),
            ("too many ranks", [*here, f"2x9={alien}"], ["got 9, expected at most 8, which fit on the devices of a node"]),
            ("unknown algorithm", [*here, f"2x8:rung={allreduce}"], ['got "rung", expected one of "', 'did you mean "ring"']),
            ("another kind", [*here, f"2x8={folder / 'near.log'}"],
             f"error: {folder / 'near.log'}: got imb-pingpong of 2 processes, expected a collective operation of 16 processes, such as osu-allreduce\n"),
            ("other processes", [*here, f"2x8={imb}"],
             f"error: {imb}: got imb-allreduce of 8 processes, expected a collective operation of 16 processes, such as osu-allreduce\n"),
            ("too few sizes", [*here, f"2x8={short}"],
             [f"error: {short}: line ", "got osu-allreduce of 3 sizes above 0 B, expected at least 4, half of which are held out"])):
        expect(name, calibrate(*words), 2, err=message)


for case in (found_again, copies_found, nothing_to_find, after_work, refused):
    case()
finish("what collectives were made with is found again")
