#!/usr/bin/env python3
"""What `explain`, `tune` and `list` answer about NCCL: on a shipped machine, and from logs with planted faults.
Usage: gpus.py KAKEHASHI ROOT"""
import csv
import io
import json
import pathlib
import random
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from calls import expect, failures, finish, kakehashi

H100 = ("--platform", "platforms/h100.json", "--ranks", "node*.gpu*")
HEAD = "#       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw #wrong\n"


def log(folder, name, *options, noise=0.02, factor=1.0, benchmark="nccl-allreduce"):
    """A log as nccl-tests prints it, of a machine with faults."""
    run = kakehashi("simulate", "--quiet", *H100, "--benchmark", benchmark, "--sizes", "1 KiB..1 GiB*4", "--format", "json", *options)
    if run.returncode != 0:
        failures.append(f"{name}: {run.stderr}")
        return folder / "none"
    scatter = random.Random(1)
    text = "NCCL version 2.27.3+cuda12.8\n# nThread 1 nGpus 1 minBytes 1024 maxBytes 1073741824 step: 4(factor)\n" + HEAD
    for row in json.loads(run.stdout)["rows"]:
        time = factor * row["time_us"] * (1 + scatter.gauss(0, noise))
        rates = f"{row['algbw']:.2f} {row['busbw']:.2f} 0"
        last = rates[:-1] + ("N/A" if benchmark == "nccl-alltoall" else "0")  # which nccl-tests does not check in place
        text += f"{row['size']} {row['count']} float {row['redop']} {row['root']} {time:.2f} {rates} {time:.2f} {last}\n"
    file = folder / f"{name}.log"
    file.write_text(text)
    return file


def explained(*words):
    run = kakehashi("explain", "--quiet", *H100, *words, "--format", "json")
    if run.returncode != 0:
        failures.append(f"{words}: {run.stderr}")
        return {}
    return json.loads(run.stdout)


def benchmarks():
    job = ("--benchmark", "nccl-allreduce", "--sizes", "1 KiB,1 MiB,1 GiB")
    expect("text", kakehashi("explain", "--quiet", *H100, *job), 0,
           out=["# nccl-allreduce on h100: NCCL 2.27, 16 ranks on 4 nodes, 8 channels\n",
                "# channel 0: node0.gpu0 -> ", ", out by nic0, and so on through 4 nodes\n", "# times at the largest size of each line\n",
                "# most of 1 GiB to 1 GiB: bytes: ", "# what would change the time, and by how much\n", "twice the rate of ", "2 of 4 adapters a node\n",
                "4 channels instead of 8\n", "NCCL 2.29 instead of 2.27\n", "Tree by LL128\n"])
    found = explained(*job)
    for call in found.get("calls", []):
        if abs(call["start_us"] + call["hops_us"] + call["bytes_us"] - call["time_us"]) > 1e-6 * call["time_us"]:
            failures.append(f"parts are not the whole: {call}")
        taken = [each for each in call["candidates"] if (each["algorithm"], each["protocol"]) == (call["algorithm"], call["protocol"])]
        if not taken or taken[0]["time_us"] != call["time_us"] or any(each.get("tuner_us", 1e9) < call["tuner_us"] for each in call["candidates"]):
            failures.append(f"what is taken is not the library's best: {call}")
    changes = {each["what"]: each["calls"][-1]["time_us"] for each in found.get("changes", [])}
    whole = found["calls"][-1]["time_us"]
    faster = [time for what, time in changes.items() if what.startswith("twice")]
    if not faster or min(faster) > 0.95 * whole or changes.get("2 of 4 adapters a node", 0) < 1.5 * whole:
        failures.append(f"changes of {whole}: {changes}")
    rows = list(csv.DictReader(io.StringIO(kakehashi("explain", "--quiet", *H100, *job, "--format", "csv").stdout)))
    if len(rows) != 3 * (1 + len(changes)) or rows[2]["change"] != "as it is" or float(rows[2]["time_us"]) - whole > 1e-3 * whole:
        failures.append(f"csv: {len(rows)} rows, {rows[:3]}")
    expect("one GPU", kakehashi("explain", "--quiet", "--platform", "platforms/h100.json", "--ranks", "node0.gpu0", *job), 0,
           out=["# a rank alone sends nothing: a call takes its launch\n"])
    expect("a message", kakehashi("explain", "--quiet", *H100, *job[:2], "--size", "1 MiB"), 2,
           err="error: --size explains a message; --sizes are those of a benchmark of GPUs\n")
    expect("rows of MPI", kakehashi("explain", "--quiet", "scenarios/colfax-mic/ring-default.json", "--format", "csv"), 2,
           err="error: --format: got csv, expected table, json or markdown; only what is explained of NCCL and RCCL has rows\n")


def logs(folder):
    healthy = explained(log(folder, "healthy"))
    if healthy.get("is_explained") or healthy.get("error", 1) > 0.05 or healthy.get("library") != "NCCL 2.27":
        failures.append(f"a healthy log: {healthy}")
    expect("a healthy log", kakehashi("explain", "--quiet", *H100, folder / "healthy.log"), 0,
           out=["# no sign of a fault: the log is as expected, and no fault explains it clearly better\n", "measured (us)"])
    for name, wanted, options in (
            ("old", "NCCL 2.22", ("--gpu-library", "nccl-2.22")),
            ("ring", "Ring alone is taken", ("--env", "NCCL_ALGO=Ring")),
            ("channels", "4 channels instead of 8", ("--channels", "4")),
            ("cable", "at half of its rate", ("--set", "platform:networks.ndr.link.signalling=HDR"))):
        file = log(folder, name, *options)
        if name == "old":  # the log does not show that the release is another one
            file.write_text(file.read_text().replace("NCCL version 2.27.3+cuda12.8\n", ""))
        found = explained(file)
        best = [each["what"] for each in found.get("faults", [])[:found.get("equal_faults", 1)]]
        is_clear = name not in ("old", "channels")  # half of the channels costs these calls 5 %
        if name != "old" and (found.get("is_explained") != is_clear or not any(wanted in each for each in best)):
            failures.append(f"{name}: expected {wanted}, got {found.get('is_explained')}, {found.get('error')}, {found.get('faults', [])[:4]}")
    slow = explained(log(folder, "slow", factor=3))
    if slow.get("is_explained"):
        failures.append(f"what no fault explains: {slow.get('faults', [])[:3]}")
    several = explained(log(folder, "a"), log(folder, "b", benchmark="nccl-alltoall"))
    if [each["benchmark"] for each in several.get("tables", [])] != ["nccl-allreduce", "nccl-alltoall"]:
        failures.append(f"two logs: {several.get('tables')}")
    expect("no platform", kakehashi("explain", folder / "healthy.log"), 2, err="error: --platform is missing, on which the ranks were\n")
    expect("another job", kakehashi("explain", "--platform", "platforms/h100.json", "--ranks", "node0.gpu*", folder / "healthy.log"), 2,
           err=["expected one table of nccl-allreduce of 4 processes\n"])
    expect("a reference", kakehashi("simulate", "--quiet", *H100, "--benchmark", "nccl-allreduce", "--sizes", "1 KiB,1 GiB",
                                    "--set", f'reference={{"curve": "{folder / "healthy.log"}", "use": "prediction"}}'), 0, out=["measured", "error"])


def xccl(folder, name, title, benchmark, blocks, *options):
    """A table as osu_xccl prints it, which counts the block of a rank."""
    run = kakehashi("simulate", "--quiet", *H100, "--benchmark", benchmark, "--sizes", "1 KiB..1 GiB*4", "--format", "json", *options)
    rows = [f"{row['size'] // blocks:<10}{row['time_us']:20.2f}" for row in json.loads(run.stdout)["rows"]]
    file = folder / f"{name}.log"
    file.write_text(f"#Using NCCL\n\n# OSU NCCL-CUDA {title} Latency Test v7.5\n# Size       Avg Latency(us)\n" + "\n".join(rows) + "\n")
    return file


def calibrating(folder):
    """Numbers that logs were made with are found again, and serve another operation, which set nothing."""
    made_with = ("--set", "platform:gpu_library.floor=40 us", "--set", "platform:gpu_library.network_efficiency=0.6")
    sum_log, gather_log = log(folder, "sum", *made_with), log(folder, "gather", *made_with, benchmark="nccl-allgather")
    platform = folder / "h100.json"
    platform.write_text((pathlib.Path(sys.argv[2]) / "platforms/h100.json").read_text())

    def found_in(*logs):
        run = kakehashi("calibrate", "--quiet", "--platform", platform, "--format", "json", *(word for each in logs for word in ("--collective", each)))
        expect("calibrate", run, 0, out=[])
        return json.loads(run.stdout or "{}")

    found = found_in(f"4x4={sum_log}")
    values = {each["field"]: each.get("value") for each in found.get("fields", [])}
    floor = float((values.get("gpu_library/floor") or "0 us").split()[0])
    share = float(values.get("gpu_library/network_efficiency") or 0)
    if not (36 < floor < 44 and 0.57 < share < 0.63) or any(values[each] for each in values if each.split("/")[1] in ("launch", "steps", "efficiency")):
        failures.append(f"numbers of the log: {values}")
    logs_found = found.get("collectives", [{}])
    if not logs_found[0].get("before", 0) > 0.3 or not logs_found[0].get("after", 1) < 0.05:
        failures.append(f"errors before and after: {logs_found}")
    merged = kakehashi("calibrate", "--quiet", "--merge", platform, "--collective", f"4x4={sum_log}")
    expect("merge", merged, 0, out=['"gpu_library"', '"floor"', "calibrated", '"version"'], err=["# what changed"])
    platform.write_text(merged.stdout)
    for file, sizes in ((gather_log, ""), (xccl(folder, "xgather", "Allgather", "nccl-allgather", 16, *made_with), "blocks")):
        run = kakehashi("explain", "--quiet", "--platform", platform, "--ranks", "node*.gpu*", file, "--format", "json")
        expect(f"another operation {sizes}", run, 0, out=[])
        if not json.loads(run.stdout or "{}").get("error", 1) < 0.05:
            failures.append(f"another operation {sizes}: {run.stdout[:300]}")
    reference = f'reference={{"curve": "{folder / "xgather.log"}", "use": "prediction"}}'
    expect("osu_xccl is a reference", kakehashi("simulate", "--quiet", "--platform", platform, "--ranks", "node*.gpu*", "--benchmark", "nccl-allgather",
                                                "--sizes", "64 KiB,1 GiB", "--set", reference), 0, out=["measured", "over 2 sizes"])
    platform.write_text((pathlib.Path(sys.argv[2]) / "platforms/h100.json").read_text())
    values = {each["field"]: each.get("value") for each in found_in(f"4x4={folder / 'xgather.log'}").get("fields", [])}
    if not values.get("gpu_library/floor"):
        failures.append(f"osu_xccl: {values}")
    expect("more nodes than there are", kakehashi("calibrate", "--platform", platform, "--collective", f"5x4={sum_log}"), 2, err=["expected"])
    expect("no share", kakehashi("simulate", "--quiet", *H100, "--benchmark", "nccl-allreduce", "--set", "platform:gpu_library.efficiency=0"), 2,
           err=["gpu_library.efficiency", "got 0, expected more than that, and at most 1\n"])


def tuning(folder):
    rules = folder / "nccl_tuner.csv"
    job = ("tune", "platforms/h100.json", "--ranks", "node*.gpu*", "--library", "nccl", "--quiet")
    expect("tune", kakehashi(*job, "--rules", rules), 0,
           out=["# NCCL 2.27 on h100, 16 ranks on 4 nodes: what to take, if it gains 10 % or more\n", "# operation", "its own choice",
                f"# NCCL_TUNER_PLUGIN=libnccl-tuner-example.so NCCL_TUNER_CONFIG_FILE={rules}\n"])
    ends = {}
    for line in rules.read_text().splitlines():
        if line.startswith("#"):
            continue
        operation, least, most, algorithm, protocol, channels, nodes, ranks, pipe, registered = line.split(",")
        if int(least) != ends.get(operation, -1) + 1 or (channels, nodes, ranks, pipe, registered) != ("-1", "4", "16", "-1", "-1"):
            failures.append(f"tuner: {line}")
        if algorithm not in ("tree", "ring", "nvls_tree") or protocol not in ("ll", "ll128", "simple"):
            failures.append(f"tuner: {line}")
        ends[operation] = int(most)
    if ends != dict.fromkeys(("allreduce", "allgather", "reducescatter", "broadcast", "reduce"), 2**64 - 1):
        failures.append(f"tuner: {ends}")
    for each in json.loads(kakehashi(*job, "--format", "json", "--margin", "0").stdout)["choices"]:
        if each["least_gain"] < 0:
            failures.append(f"a choice that loses: {each}")
    expect("an option of MPI", kakehashi(*job, "--placements", "block"), 2, err="error: --placements does not go with --library nccl\n")
    expect("an operation", kakehashi(*job, "--collectives", "alltoall"), 2,
           err=['error: --collectives: got "alltoall", expected operations whose algorithm can be chosen: allreduce, '
                'allgather, reducescatter, broadcast, reduce\n'])


def switches_that_add(folder):
    expect("import", kakehashi("import", "--node", "hgx-h100", "--nodes", "4", "--network", "rail:NDR:8+sharp", "-o", str(folder / "sharp.json")), 0)
    run = ["--platform", str(folder / "sharp.json"), "--benchmark", "nccl-allreduce", "--ranks", "node*.gpu*", "--sizes", "1 GiB"]
    expect("off by default", kakehashi("simulate", *run, "--algorithm", "CollNetDirect"), 1, err="error: the command line: CollNetDirect needs NCCL_COLLNET_ENABLE=1\n")
    done = kakehashi("explain", *run, "--env", "NCCL_COLLNET_ENABLE=1")
    expect("explained", done, 0, out=["# NVLS: the sum of a node's NVSwitches -> the GPU beside hca0 or another of 8 adapters", "NVLS      Simple",
                                      "NCCL_COLLNET_ENABLE=0", "CollNetChain by Simple"])
    expect("tuned", kakehashi("tune", str(folder / "sharp.json"), "--ranks", "node*.gpu*", "--library", "nccl", "--env", "NCCL_COLLNET_ENABLE=1",
                              "--collectives", "allreduce"), 0, out=["NVLS      Simple"])
    expect("another rail", kakehashi("simulate", *run, "--algorithm", "Ring", "--env", "NCCL_CROSS_NIC=1"), 1,
           err="error: the command line: rings that leave a node by hca7 and enter the next by hca0 (NCCL_CROSS_NIC) need a network that joins these\n")
    expect("no number", kakehashi("simulate", *run, "--env", "NCCL_CROSS_NIC=3"), 2, err=["got \"3\", expected a number from 0 to 2"])


def names():
    expect("list", kakehashi("list", "gpu-libraries"), 0, out=["nccl releases", "2.23, ", "rccl releases", "Tree, Ring, CollNetDirect, CollNetChain, NVLS, NVLSTree, PAT\n", "LL, LL128, Simple\n", "Hopper ("])


with tempfile.TemporaryDirectory() as name:
    benchmarks()
    logs(pathlib.Path(name))
    calibrating(pathlib.Path(name))
    tuning(pathlib.Path(name))
    switches_that_add(pathlib.Path(name))
    names()
finish("GPUs are answered")
