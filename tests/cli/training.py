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


KERNELS = {"gemm": "ampere_bf16_s16816gemm_bf16_128x256_ldg8_f2f_stages_64x3_nn", "attention": "pytorch_flash::flash_fwd_kernel",
           "memory": "vectorized_elementwise_kernel<4, at::native::GeluCUDAKernelImpl>", "nccl": "ncclDevKernel_AllReduce_Sum_bf16_RING_LL",
           "adam": "multi_tensor_apply_kernel<FusedAdamFunctor>"}


def kineto_step(file, times_ms, steps=2):
    """A trace of steps with a kernel of each kind in turn; `idle`: nothing runs between them."""
    events, now = [], 0.0
    for number in range(steps):
        events.append({"ph": "X", "cat": "user_annotation", "name": f"ProfilerStep#{number}", "ts": now, "dur": 1, "pid": 1, "tid": 1})
        for kind, name in KERNELS.items():
            events.append({"ph": "X", "cat": "kernel", "name": name, "ts": now, "dur": 1e3 * times_ms.get(kind, 1), "pid": 0, "tid": 7,
                           "args": {"device": 0, "stream": 7}})
            now += 1e3 * times_ms.get(kind, 1)
        if number + 1 < steps:
            now += 1e3 * times_ms.get("idle", 0) * steps
    file.write_text(json.dumps({"traceEvents": events}))
    return file


def profiles(folder):
    """Kernels of a recorded step take the place of the law's times."""
    platform = machine(folder, 1)
    work = "gpt-2-1.5b,tensor=1,pipeline=1,data=1,global_batch=4,recompute=none"
    words = ("--ranks", "node0.gpu0")

    def parts(*more):
        return {each["part"]: each["time_ms"] for each in step(platform, "--training", ",".join([work, *more]), *words)["parts"]}

    law = parts("layer_launch=1 ns")
    trace = kineto_step(folder / "step.json", {"gemm": 1.5 * law["gemm"], "attention": 2 * law["attention"], "memory": 0.5 * law["memory"], "idle": 10})
    found = parts(f'compute={{"trace":"{trace}","micro_batches":4}}')
    for kind, factor in (("gemm", 1.5), ("attention", 2), ("memory", 0.5), ("optimizer", 1)):
        near(f"recorded {kind}", found[kind], factor * law[kind])
    near("recorded idle time", found["launch"], 10)
    # Two replicas compute as the one that was recorded, and add their gradients.
    two = step(platform, "--training", work.replace("data=1,global_batch=4", "data=2,global_batch=8") +
               f',compute={{"trace":"{trace}","micro_batches":4}}', "--ranks", "node0.gpu0,node0.gpu1")
    near("two replicas", {each["part"]: each["time_ms"] for each in two["parts"]}["gemm"], 1.5 * law["gemm"])
    chakra = folder / "step.0.json"
    chakra.write_text(json.dumps({"nodes": [{"id": i, "name": name, "type": "COMP_NODE", "is_cpu_op": 0, "duration_micros": round(1e3 * law.get(kind, 1))}
                                            for i, (kind, name) in enumerate(KERNELS.items())]}))
    found = parts(f'compute={{"trace":"{chakra}","micro_batches":4}}')
    near("Chakra's gemm", found["gemm"], law["gemm"])
    run = kakehashi("simulate", "--platform", platform, "--training", f"{work},compute={trace}", *words)
    expect("one micro-batch", run, 0, out=["2 steps of 48 layers for 1 batch of 1 at a time", "so far from the law"])
    (folder / "calls.json").write_text(json.dumps({"traceEvents": []}))
    expect("no kernels", kakehashi("simulate", "--platform", platform, "--training", f"{work},compute={folder / 'calls.json'}", *words), 2,
           err=["no kernels with a time, expected the trace of a GPU"])
    expect("no trace", kakehashi("simulate", "--platform", platform, "--training", f"{work},compute=none.json", *words), 2, err=["none.json"])


def replicas(folder):
    """A trace of two GPUs on eight: four replicas, whose calls are of all eight."""
    traces = folder / "two"
    traces.mkdir()
    for rank in (0, 1):
        call = {"Collective name": "allreduce", "dtype": "Float", "Process Group Name": "0", "Process Group Ranks": "[0, 1]", "In msg nelems": 1 << 24,
                "Out msg nelems": 1 << 24, "Group size": 2}
        events = [{"ph": "X", "cat": "kernel", "name": KERNELS["gemm"], "ts": 0, "dur": 1000, "pid": 0, "tid": 7, "args": {"stream": 7, "device": 0}},
                  {"ph": "X", "cat": "kernel", "name": KERNELS["nccl"], "ts": 1000, "dur": 500, "pid": 0, "tid": 20,
                   "args": {"stream": 20, "device": 0, **call}}]
        (traces / f"rank{rank}.json").write_text(json.dumps({"distributedInfo": {"rank": rank, "world_size": 2}, "traceEvents": events}))
    platform = machine(folder, 2)
    fabric = next(name for name, each in json.loads(platform.read_text())["fabrics"].items() if name != "shm")
    times = {}
    for gpus in (2, 8, 16):
        scenario = folder / f"grown-{gpus}.json"
        scenario.write_text(json.dumps({"name": "grown", "platform": str(platform), "fabric": fabric,
                                        "ranks": {"on": ["*gpu*"], "count": gpus}, "workload": {"replay": {"kineto": str(traces), "grown_from": []}}}))
        run = kakehashi("simulate", scenario, "--format", "json")
        if run.returncode != 0:
            failures.append(f"{gpus} GPUs of two: {run.stderr}")
            return
        if (gpus > 2) != (f"2 recorded ranks as each of {gpus // 2} replicas, which call each other in process group 0" in run.stderr):
            failures.append(f"{gpus} GPUs of two: {run.stderr}")
        times[gpus] = json.loads(run.stdout)["time_s"] if "time_s" in json.loads(run.stdout) else json.loads(run.stdout)
    scenario.write_text(scenario.read_text().replace('"count": 16', '"count": 15'))
    expect("half a replica", kakehashi("check", scenario), 2, err=["\"world_size\" 2"])


def uneven(cluster):
    """Layers that are left go to stages in the middle: the last one has the loss, and of 126 in 16 stages the first has one less, too."""
    wide = {key: value for key, value in SHAPE.items() if key != "layers"}
    times = [step(cluster, "--training", f"{json.dumps({**wide, 'layers': layers})},tensor=1,pipeline=8,data=16,global_batch=256")["step_ms"]
             for layers in (24, 25, 30, 31, 32)]
    if times != sorted(times) or not 1.1 * times[0] < times[4] < 1.35 * times[0]:
        failures.append(f"24, 25, 30, 31, 32 layers in 8 stages: {times} ms")
    step(cluster, "--training", "llama-3-405b,tensor=8,pipeline=16,global_batch=32")


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
                f"{scenario}: /workload/training: got 5 tensor x 1 context x 7 pipeline x 3 data, expected a product of 16 ranks\n",
                f"{scenario}: /workload/training/order/1: got \"data\" twice, expected each dimension once\n",
                f"{scenario}: /workload/training/global_batch: got 1000, expected a multiple of 3: 3 replicas and micro-batches of 1\n"])
    document["workload"]["training"].update({"micro_batch": 0, "pipeline": 25, "data": 2, "tenser": 1, "global_batch": 1001})
    scenario.write_text(json.dumps(document))
    expect("faults of the schema and of the layout", kakehashi("check", scenario), 2,
           err=[f"{scenario}: /workload/training/micro_batch: got 0, expected a whole number from 1 to 1000000\n", "tenser", "/workload/training/tensor: got 5",
                f"{scenario}: /workload/training/pipeline: got 25, expected at most 24, which are layers\n",
                f"{scenario}: /workload/training/global_batch: got 1001, expected a multiple of 2: 2 replicas and micro-batches of 1\n"])
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
    profiles(folder)
    replicas(folder)
    uneven(cluster)
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
