#!/usr/bin/env python3
"""Steps of training and answers: what `simulate`, `explain` and `sweep` print of them, and what they refuse. Usage: training.py KAKEHASHI ROOT"""
import csv
import io
import json
import pathlib
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from calls import expect, failures, finish, kakehashi

SHAPE = {"layers": 24, "hidden": 2048, "heads": 16, "vocabulary": 51200, "sequence": 2048}


def machine(folder, nodes, node="hgx-h100", network="rail:NDR:8"):
    file = folder / f"{node}-{nodes}.json"
    run = kakehashi("import", "--node", node, "--nodes", str(nodes), *(("--network", network) if nodes > 1 else ()), "-o", str(file))
    if run.returncode != 0:
        failures.append(f"import: {run.stderr}")
    return file


def step(platform, *words):
    run = kakehashi("simulate", "--quiet", "--platform", platform, "--format", "json", *words)
    if run.returncode != 0:
        failures.append(f"{words}: {run.stderr}")
        return {}
    return json.loads(run.stdout)


def near(what, found, wanted, share=1e-3):
    if abs(found - wanted) > share * abs(wanted):
        failures.append(f"{what}: {found}, expected {wanted}")


def steps(cluster):
    found = step(cluster, "--training", "gpt-3-13b,tensor=4,pipeline=2")
    near("the parts are the step", sum(each["time_ms"] for each in found["parts"]), found["step_ms"])
    near("the path is the step", found["critical_path"][-1]["to_ms"], found["step_ms"])
    near("tokens", found["tokens_per_s"] * found["step_ms"] / 1e3, 1024 * 2048)
    memory = found["memory"]
    near("memory", memory["all_gb"], sum(memory[f"{each}_gb"] for each in ("weights", "gradients", "optimizer", "activations", "other")))
    streams = {each["stream"] for each in found["timeline"]}
    if not {"compute", "tensor", "pipeline", "data"} <= streams or {each["dimension"] for each in found["exposed"]} != {"tensor", "pipeline", "data"}:
        failures.append(f"streams {streams}, exposed {found['exposed']}")
    if any(each["from_ms"] < 0 or each["to_ms"] > 1.0001 * found["step_ms"] for each in found["timeline"]):
        failures.append("events lie outside of the step")
    # A step without any call is what its kernels take.
    alone = step(cluster, "--training", "gpt-3-13b,tensor=4,pipeline=2", "--set", "workload.training.layer_launch=1 ns",
                 "--set", 'workload.training.overlap=["tensor","data","pipeline"]')
    if not alone["step_ms"] < found["step_ms"] or alone["utilisation"] > 0.9:
        failures.append(f"overlap: {alone['step_ms']} ms after {found['step_ms']} ms")
    measured = step(cluster, "--training", "gpt-3-13b,tensor=1,pipeline=1,layer_forward=10 ms,layer_backward=20 ms,recompute=none")
    near("a measured layer", next(each["time_ms"] for each in measured["parts"] if each["part"] == "gemm"), 8 * 40 * 30, 0.05)
    rows = list(csv.DictReader(io.StringIO(kakehashi("simulate", "--quiet", "--platform", cluster, "--training", "gpt-3-13b", "--format", "csv").stdout)))
    if len(rows) != 1 or rows[0]["fits"] != "yes":
        failures.append(f"csv: {rows}")
    expect("markdown", kakehashi("simulate", "--platform", cluster, "--training", "gpt-3-13b", "--format", "markdown"), 0, out=["model FLOP utilisation", "| "])


def explained(cluster):
    run = kakehashi("explain", "--quiet", "--platform", cluster, "--training", "gpt-3-13b,tensor=4,pipeline=2,order=[\"pipeline\",\"context\",\"data\",\"tensor\"]",
                    "--format", "json")
    found = json.loads(run.stdout)
    kinds = {each["kind"] for each in found["changes"]}
    if not {"overlap", "order", "schedule", "sharding", "micro-batch", "faster-links", "nvlink-domain", "bucket", "recompute"} <= kinds:
        failures.append(f"changes: {kinds}")
    order = {each["change"]: each["step_ms"] for each in found["changes"] if each["kind"] == "order"}
    if min(order, key=order.get) != "order tensor-pipeline-data" and min(order, key=order.get) != "order tensor-data-pipeline":
        failures.append(f"the best order: {order}")


def swept(cluster):
    run = kakehashi("sweep", "--quiet", "--platform", cluster, "--training", "gpt-3-13b", "--format", "json")
    found = json.loads(run.stdout)
    times = [each["step_ms"] for each in found["layouts"]]
    if times != sorted(times) or not all(each["fits"] for each in found["layouts"]) or not found["pruned"] or not found["layouts"][0]["tied"]:
        failures.append(f"sweep: {found}")
    best = found["layouts"][0]
    words = ",".join(f"{key}={best[key]}" for key in ("tensor", "pipeline", "micro_batch", "schedule", "chunks"))
    near("the best layout by itself", step(cluster, "--training", f"gpt-3-13b,{words}")["step_ms"], best["step_ms"], 0.02)


def batches(folder):
    """A batch that is the model's own: layouts that do not divide it are none."""
    run = kakehashi("sweep", "--quiet", "--platform", machine(folder, 128, network="fat-tree:NDR:64"), "--training", "gpt-3-175b", "--format", "json")
    if run.returncode != 0:
        failures.append(f"sweep over 1024 GPUs: {run.returncode} {run.stderr}")
    for each in json.loads(run.stdout)["layouts"]:
        batches = 1536 / each["data"] / each["micro_batch"]
        if batches != int(batches) or (each["schedule"] == "interleaved" and batches % each["pipeline"]):
            failures.append(f"layout {each}")


def answers(cluster):
    found = step(cluster, "--inference", "llama-3-70b,batch=4,prompt=1000,generated=100,tensor=8")
    near("tokens one by one", found["first_token_ms"] + 99 * found["next_token_ms"], found["step_ms"])
    # Each token passes all weights once: 141 GB over eight GPUs at 3.35 TB/s.
    if not 141e9 / 8 / 3.35e12 * 1e3 < found["next_token_ms"] < 20:
        failures.append(f"a token: {found['next_token_ms']} ms")


def faults(folder, cluster):
    scenario = folder / "faulty.json"
    document = {"name": "faulty", "platform": str(cluster), "fabric": "mpi", "ranks": {"on": ["*gpu*"]},
                "workload": {"training": {"model": {**SHAPE, "heads": 12}, "tensor": 5, "pipeline": 7, "global_batch": 1000, "data": 3, "expert": 2,
                                          "order": ["data", "data", "tensor", "pipeline"]}}}
    document["fabric"] = next(iter(json.loads(pathlib.Path(cluster).read_text())["fabrics"]))
    scenario.write_text(json.dumps(document))
    expect("sizes that do not fit", kakehashi("check", scenario), 2,
           err=[f"{scenario}: /workload/training/model/heads: got 12, expected a divisor of 2048, which is hidden; or \"head_size\"\n",
                f"{scenario}: /workload/training/tensor: got 5, expected a divisor of 12, which are heads\n",
                f"{scenario}: /workload/training/expert: got 2, expected a divisor of 1, which are experts\n",
                f"{scenario}: /workload/training/pipeline: got 7, expected stages of equally many of the 24 layers\n",
                f"{scenario}: /workload/training: got 5 tensor x 1 context x 7 pipeline x 3 data, expected a product of 16 ranks\n",
                f"{scenario}: /workload/training/order/1: got \"data\" twice, expected each dimension once\n",
                f"{scenario}: /workload/training/global_batch: got 1000, expected a multiple of 3: 3 replicas and micro-batches of 1\n"])
    job = ("--platform", cluster, "--training")
    expect("no model", kakehashi("simulate", *job, "gpt-3-13c"), 2, err=['got "gpt-3-13c", expected a file, or one of ', 'did you mean "gpt-3-13b"?'])
    expect("a field", kakehashi("simulate", *job, "gpt-3-13b,tenser=2"), 2, err=["--training tenser: got an unknown key"])
    expect("zero", kakehashi("simulate", *job, "gpt-3-13b,tensor=0"), 2, err=["--training tensor: got 0, expected a whole number from 1 to 100000"])
    expect("other ranks", kakehashi("simulate", *job, "gpt-3-13b", "--ranks", "node*.cpu*"), 2, err=["expected GPUs only"])
    expect("no data sheet", kakehashi("simulate", "--platform", "platforms/colfax-mic.json", "--training", "gpt-3-13b"), 2, err=["matches nothing"])
    expect("huge", kakehashi("simulate", "--quiet", *job, "gpt-3-13b,tensor=8,pipeline=2,global_batch=100000000"), 0, out=["a step of 100000000 sequences"])
    expect("experts", kakehashi("simulate", "--quiet", "--platform", cluster, "--inference", "mixtral-8x7b,tensor=8,expert=4"), 2,
           err=["/workload/inference/expert: got 4, expected a divisor of the 2 replicas"])
    expect("too large", kakehashi("simulate", *job, "megatron-1t,tensor=8,pipeline=2"), 0, out=["which does not fit"])


def speed(folder):
    for nodes, limit, layout in ((128, 10, "tensor=8,pipeline=8"), (2048, 60, "tensor=8,pipeline=16")):
        platform = machine(folder, nodes, network="fat-tree:NDR:64")
        begin = time.monotonic()
        step(platform, "--training", f"gpt-3-175b,{layout}")
        if time.monotonic() - begin > limit:
            failures.append(f"{8 * nodes} GPUs take {time.monotonic() - begin:.0f} s")


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    cluster = machine(folder, 16)
    steps(cluster)
    explained(cluster)
    swept(cluster)
    batches(folder)
    answers(cluster)
    faults(folder, machine(folder, 2))
    page = folder / "step.html"
    expect("a page", kakehashi("simulate", "--platform", cluster, "--training", "gpt-3-13b,tensor=4,pipeline=4", "--report", page), 0, out=["a step of "], err=[])
    if "Streams of the stages" not in page.read_text():
        failures.append("the page has no time line")
    trace = folder / "step-trace.json"
    expect("a trace", kakehashi("simulate", "--platform", cluster, "--training", "gpt-3-13b,tensor=4,pipeline=4", "--timeline", trace), 0, out=["a step of "])
    if {each["pid"] for each in json.loads(trace.read_text())["traceEvents"]} != {0, 1, 2, 3}:
        failures.append("the trace has other stages")
    expect("a summary", kakehashi("simulate", "--platform", cluster, "--training", "gpt-3-13b", "--summary"), 2,
           err=["--summary does not go with a step of training"])
    speed(folder)
finish("training steps are as they should be")
