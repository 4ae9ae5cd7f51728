#!/usr/bin/env python3
"""Plants faults in platforms, simulates logs on these, and asks `explain LOG --platform` for the fault; and healthy logs, which have none.
Then the logs of real machines, if some lie beside the project. Usage: explain_log.py KAKEHASHI ROOT"""
import json
import pathlib
import random
import re
import shutil
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from calls import expect, failures, finish, kakehashi, root

QDR = ("platforms/hpcdiy-qdr.json", "qdr", "hpc01.cpu1,hpc02.cpu1")
TWO_HCAS = ("platforms/colfax-two-hcas.json", "dapl", "node0.cpu0,node1.cpu0")
SHM = ("platforms/hpcdiy-qdr.json", "shm", "hpc01.cpu0,hpc01.cpu0")
FEW = ("--sizes", ",".join(f"{4**power} B" for power in range(12)))  # up to 4 MiB: half as many as usual take half of the time


def simulated(folder, name, place, benchmark, changes=(), ranks=None, fabric=None, noise=0, seed=1, sizes=FEW):
    """A log of the benchmark with faults planted; its times scatter by so many percent."""
    platform, usual_fabric, usual_ranks = place
    run = kakehashi("simulate", "--quiet", "--platform", platform, "--fabric", fabric or usual_fabric, "--ranks", ranks or usual_ranks,
                    "--benchmark", benchmark, *sizes, *(word for change in changes for word in ("--set", f"platform:{change}")))
    if run.returncode != 0:
        failures.append(f"{name}: {run.stderr}")
    scatter = random.Random(seed)
    text = re.sub(r"(?m)^(\d+ +)([\d.]+)$", lambda row: f"{row[1]}{float(row[2]) * (1 + scatter.gauss(0, noise / 100)):.2f}", run.stdout)
    file = pathlib.Path(folder, f"{name}-{benchmark}.log")
    file.write_text(text)
    return file


def imb(folder, name, place, *changes):
    """Likewise IMB's PingPong and Sendrecv."""
    return [simulated(folder, name, place, each, changes) for each in ("imb-pingpong", "imb-sendrecv")]


def explained(place, *files):
    platform, fabric, ranks = place
    run = kakehashi("explain", "--quiet", "--format", "json", "--platform", platform, "--fabric", fabric, "--ranks", ranks, *files)
    if run.returncode != 0:
        failures.append(f"{files}: {run.stderr}")
        return {}
    return json.loads(run.stdout)


def planted(folder, name, place, wanted, benchmarks=("osu-latency", "osu-bw"), alone=True, **fault):
    """The first fault, or one that the log does not tell apart from it if others are equal by nature, has all these words; with 1 % of noise."""
    files = [simulated(folder, name, place, each, noise=1, **fault) for each in benchmarks]
    found = explained(place, *files)
    first = found.get("faults", [])[:1 if alone else found.get("equal_faults", 1)]
    if not found.get("is_explained") or not any(all(word in each["what"] for word in wanted) for each in first):
        failures.append(f"{name}: expected {wanted}, got {found.get('is_explained')}, error {found.get('error')}, {found.get('faults', [])[:4]}")


def with_cables(file):
    """Instead of the network, its switch and cables, so that each of them can be changed by itself."""
    platform = json.loads(pathlib.Path(file).read_text())
    link = platform.pop("networks")["net"]["link"]
    platform["devices"] = [{"name": "switch", "kind": "switch"}]
    platform["links"] = [{"between": [f"node{i}.hca0", "switch"], **link} for i in range(2)]
    pathlib.Path(file).write_text(json.dumps(platform))


def faults(folder, modern):
    slot, cable = "links[node1.cpu0-node1.hca0]", "links[node0.hca0-switch]"
    planted(folder, "half width", modern, ("pcie Gen4 x16", "x8 instead of x16"), changes=[f"{slot}.lanes=8"])
    planted(folder, "quarter width", modern, ("pcie Gen4 x16", "x4 instead of x16"), changes=[f"{slot}.lanes=4"])
    planted(folder, "one generation less", modern, ("as Gen3 instead of Gen4",), alone=False, changes=[f"{slot}.generation=3"])
    planted(folder, "wrong socket", modern, ("rank 0 is on node0.cpu1",), alone=False, ranks="node0.cpu1,node1.cpu0")
    planted(folder, "wrong sockets", modern, ("rank 0 is on node0.cpu1", "rank 1 is on node1.cpu1"), ranks="node0.cpu1,node1.cpu1")
    planted(folder, "a slower cable", modern, ("infiniband HDR x4", "as EDR instead of HDR"), alone=False, changes=[f"{cable}.signalling=EDR"])
    planted(folder, "one lane", modern, ("infiniband HDR x4", "x1 instead of x4"), changes=[f"{cable}.lanes=1"])
    planted(folder, "a loaded cable", modern, ("infiniband HDR x4", "loaded by another stream"), alone=False,
            changes=[f'{cable}.bandwidth={{"forward": "12.34 GB/s", "backward": "24.68 GB/s"}}'])
    planted(folder, "small packets", QDR, ("pcie Gen2 x8", "x4 instead of x8"), changes=["links[hpc01.cpu1-hpc01.hca].lanes=4"])
    planted(folder, "a slow cable of the nearest adapter", TWO_HCAS, ("infiniband QDR x4", "x1 instead of x4"), alone=False,
            changes=["links[node0.hca-ib-switch].lanes=1"])
    planted(folder, "another fabric", QDR, ("messages take gbe instead of qdr",), fabric="gbe")
    planted(folder, "a moved limit", QDR, ("rendezvous from 16 KiB on instead of 2 KiB",),
            changes=["fabrics.qdr.rules[0].regimes[2].to=16 KiB", "fabrics.qdr.rules[0].regimes[3].from=16 KiB"], sizes=())
    planted(folder, "another socket of the node", SHM, ("rank 1 is on hpc01.cpu1",), alone=False, ranks="hpc01.cpu0,hpc01.cpu1")


def uncalibrated(folder, sheet, modern):
    """On a platform of which only links are known, what a fault of these does is seen all the same."""
    place = (sheet, *modern[1:])
    found = explained(place, *(simulated(folder, "healthy", modern, each) for each in ("osu-latency", "osu-bw")))
    if found.get("is_explained") or not found.get("is_assumed"):
        failures.append(f"a healthy log on a platform that is not calibrated: {found}")
    slow = [simulated(folder, "slow", modern, each, ["links[node1.cpu0-node1.hca0].lanes=8"]) for each in ("osu-latency", "osu-bw")]
    found = explained(place, *slow)
    if not found.get("is_explained") or "x8 instead of x16" not in found["faults"][0]["what"]:
        failures.append(f"half width on a platform that is not calibrated: {found}")


def of_imb(folder, modern):
    found = explained(modern, *imb(folder, "healthy", modern))
    if found.get("is_explained") or found.get("error", 1) > 0.01:
        failures.append(f"a healthy log of IMB: {found}")
    found = explained(modern, *imb(folder, "slow", modern, "links[node1.cpu0-node1.hca0].lanes=8"))
    if not found.get("is_explained") or "x8 instead of x16" not in found["faults"][0]["what"]:
        failures.append(f"half width in logs of IMB: {found}")


def of_jobs(folder, modern):
    """Collective operations of all ranks of two nodes."""
    place = (modern[0], modern[1], "node*.cpu*", "--per-device", "4")
    for benchmark in ("osu-alltoall", "imb-allreduce"):
        for name, change, wanted in (("healthy", [], None), ("slow", ["links[node1.cpu0-node1.hca0].lanes=4"], "x4 instead of x16")):
            log = pathlib.Path(folder, f"{name}-{benchmark}.log")
            log.write_text(kakehashi("simulate", "--quiet", "--platform", place[0], "--fabric", place[1], "--ranks", *place[2:], "--benchmark", benchmark,
                                     *(word for each in change for word in ("--set", f"platform:{each}"))).stdout)
            run = kakehashi("explain", "--quiet", "--format", "json", "--platform", place[0], "--fabric", place[1], "--ranks", *place[2:], log)
            found = json.loads(run.stdout) if run.returncode == 0 else {"error": run.stderr}
            if found.get("is_explained") != bool(wanted) or wanted and wanted not in found["faults"][0]["what"]:
                failures.append(f"{name} {benchmark}: {found}")
    job = ("explain", log, "--platform", modern[0], "--fabric", "ib", "--ranks", "node*.cpu*")
    expect("a job of another size", kakehashi(*job, "--per-device", "2"), 2,
           err=f"error: {log}: got imb-allreduce of 16 processes, expected one table of imb-allreduce of 8 processes\n")
    expect("a job without a place", kakehashi("explain", log), 2,
           err=["error: a collective operation needs --platform, --ranks and how its ranks were placed, such as --per-device 4\n"])


def healthy(folder, modern):
    for place in (modern, QDR, SHM):
        for noise in (0, 3):
            found = explained(place, *(simulated(folder, "healthy", place, each, noise=noise) for each in ("osu-latency", "osu-bw")))
            if found.get("is_explained") or found.get("error", 1) > 0.05:
                failures.append(f"a healthy log with {noise} % of noise on {place}: {found}")


def changes(folder):
    """Changes of a platform's protocols are found where they are, with the variables that move them."""
    log = simulated(folder, "changes", QDR, "osu-latency", sizes=())
    found = [(each["kind"], each["first_bytes"]) for each in explained(QDR, log)["tables"][0]["changes"]]
    if ("eager-ends", 2048) not in found or ("short-ends", 128) not in found:
        failures.append(f"changes: {found}")
    near = kakehashi("explain", "scenarios/journey/near.log")
    expect("a log alone", near, 0, out=["# change at", "4 KiB            +0.55 us (+45 %)", "--mca btl_vader_eager_limit SIZE", "too early: ",
                                        "# nearest known links that can carry 6497 MB/s; the log does not say which it took"])
    csv = pathlib.Path(folder, "table.csv")
    csv.write_text("bytes,latency_us\n0,1.0\n8,1.1\n")
    expect("a table", kakehashi("explain", "--benchmark", "osu-latency", csv), 0, out=["2 sizes from 0 B to 8 B", "# one protocol for all sizes"])


def mistakes(folder):
    log = "scenarios/journey/near.log"
    pathlib.Path(folder, "empty.log").write_text("")
    pathlib.Path(folder, "text.log").write_text("srun: job 7 queued\nslurmstepd: error: cancelled\n")
    expect("an empty log", kakehashi("explain", f"{folder}/empty.log"), 2, err=["empty.log: line 1: got 0 lines without a table, expected a header"])
    expect("no table", kakehashi("explain", f"{folder}/text.log"), 2, err=["text.log: line 2: got 2 lines without a table, expected a header"])
    expect("a log and --size", kakehashi("explain", log, "--size", "8 B"), 2,
           err="error: --size does not go with logs\n")
    expect("a device that is not there", kakehashi("explain", log, "--platform", QDR[0], "--fabric", "shm", "--ranks", "hpc01.cpu9,hpc01.cpu0"), 2,
           err=["error: --ranks: got \"hpc01.cpu9\""])


def samples(folder):
    """Logs of real machines; and on a platform that two of them calibrate, a third one, and one that took another network."""
    logs = next((each for each in sorted(root.parent.glob("*/samples/logs"))), None)
    if logs is None:
        return
    for log in sorted(logs.glob("*.txt")):
        run = kakehashi("explain", "--quiet", log)
        if run.returncode not in (0, 2) or run.returncode == 0 and not re.search("# change at|# one protocol", run.stdout):
            failures.append(f"{log.name}: {run.stdout} {run.stderr}")
    two = ("n0.cpu", "n1.cpu")
    node = {"devices": [{"name": "cpu", "kind": "cpu"}, {"name": "ib", "kind": "hca"}, {"name": "eth", "kind": "nic"}],
            "links": [{"between": ["cpu", each], "type": "pcie", "generation": 3, "lanes": 16, "latency": "0.1 us"} for each in ("ib", "eth")]}
    rule = {"regimes": [{"from": "0 B", "o_send": "0.4 us", "o_recv": "0.4 us"}], "source": {"kind": "assumed", "from": "usual"}}
    platform = {"name": "alaska", "templates": {"node": node}, "nodes": {"n0": "node", "n1": "node"},
                "devices": [{"name": "switch", "kind": "switch"}],
                "links": [*({"between": [f"{each}.ib", "switch"], "type": "infiniband", "signalling": "EDR", "lanes": 4, "latency": "0.1 us"}
                            for each in ("n0", "n1")),
                          *({"between": [f"{each}.eth", "switch"], "type": "ethernet", "line_rate": "25 Gbit/s", "latency": "0.1 us"}
                            for each in ("n0", "n1"))],
                "fabrics": {name: {"links": ["pcie", network], "gateways": [gateway], "rules": [rule]}
                            for name, network, gateway in (("ib", "infiniband", "ib"), ("roce", "ethernet", "eth"))}}
    file = pathlib.Path(folder, "alaska.json")
    file.write_text(json.dumps(platform))
    for fabric in ("ib", "roce"):
        kakehashi("calibrate", "--quiet", "--merge", file, "--write", "--fabric", fabric, "--ranks", ",".join(two),
                  *(logs / f"osu562-alaska-{fabric}-ompi4-{test}.txt" for test in ("latency", "bw")))
    place = (str(file), "ib", ",".join(two))
    found = explained(place, logs / "imb20195-alaska-ib-ompi4-pingpong.txt")
    if found.get("is_explained") or found.get("error", 1) > 0.05:
        failures.append(f"a healthy log of a real machine: {found}")
    found = explained(place, logs / "imb20195-alaska-roce-ompi4-pingpong.txt")
    if not found.get("is_explained") or found["faults"][0]["what"] != "messages take roce instead of ib":
        failures.append(f"a log of the other network: {found}")


with tempfile.TemporaryDirectory() as scratch:
    pair = f"{scratch}/pair.json"
    expect("import", kakehashi("import", "scenarios/journey/node.xml", "--nodes", "2", "--network", "HDR", "-o", pair), 0)
    with_cables(pair)
    sheet = shutil.copy(pair, f"{scratch}/sheet.json")
    kakehashi("calibrate", "--quiet", "--merge", pair, "--write", "--fabric", "ib", "--log", "node0.cpu0,node1.cpu0=scenarios/journey/far.log")
    there = (pair, "ib", "node0.cpu0,node1.cpu0")
    faults(scratch, there)
    healthy(scratch, there)
    uncalibrated(scratch, sheet, there)
    of_imb(scratch, there)
    of_jobs(scratch, there)
    changes(scratch)
    mistakes(scratch)
    samples(scratch)
finish("each planted fault is named, and healthy logs have none")
