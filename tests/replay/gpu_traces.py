#!/usr/bin/env python3
"""Traces of GPUs as a user has them: PyTorch's profiler (Kineto) and logs of NCCL. Usage: gpu_traces.py KAKEHASHI ROOT"""
import json
import pathlib
import random
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from calls import expect, failures, finish, root
import calls

PLATFORM = root / "tests/replay/homogeneous.json"


def kakehashi(folder, *arguments):
    return calls.kakehashi(*arguments, cwd=folder)


def write_scenario(folder, ranks, **replay):
    run = {"name": "s", "platform": str(PLATFORM), "fabric": "net", "ranks": [f"n{rank}.cpu" for rank in range(ranks)],
           "workload": {"replay": replay}, "mpi": {"copy": "0 ns/B"}}
    (folder / "s.json").write_text(json.dumps(run))


def ends(folder, name, wanted, err=""):
    rows = (f"s,homogeneous,net,{rank},n{rank}.cpu,{time}\n" for rank, time in enumerate(wanted))
    expect(name, kakehashi(folder, "simulate", "--format", "csv", "s.json"), 0, "scenario,platform,fabric,rank,device,end_us\n" + "".join(rows), err=err)


def fault(folder, name, wanted):
    expect(name, kakehashi(folder, "check", "s.json"), 2, err=f"error: {wanted}\n")


class Trace:
    """A trace of one rank, as torch.profiler writes it: each kernel has a launch of the host, 5 us before it if not stated."""

    def __init__(self, rank, ranks, at=3569824056354.5, groups=()):
        self.at = at
        self.events = [{"ph": "M", "name": "process_name", "pid": 0, "tid": 0, "ts": at, "args": {"name": "python"}}]
        self.document = {"schemaVersion": 1, "distributedInfo": {"backend": "nccl", "rank": rank, "world_size": ranks, "pg_config": list(groups)},
                         "traceEvents": self.events, "traceName": "x.pt.trace.json"}
        self.next = 1

    def event(self, name, category, ts, dur, thread, **args):
        self.events.append({"ph": "X", "cat": category, "name": name, "pid": 7, "tid": thread, "ts": self.at + ts, "dur": dur, "args": args})

    def kernel(self, begin, dur, stream=7, name="void gemm<float>(float*)", launched=None, external=None, thread=100, **args):
        self.next += 1
        self.event("cudaLaunchKernel", "cuda_runtime", begin - 5 if launched is None else launched, 2, thread, correlation=self.next)
        more = {} if external is None else {"External id": external}
        self.event(name, "kernel", begin, dur, stream, **{"device": 0, "stream": stream, "correlation": self.next}, **more, **args)

    def record(self, called, name, nelems=(250, 500), external=None, group="0", ranks="[0, 1]", size=2, dtype="Float", thread=100, dur=4, **args):
        more = {} if external is None else {"External id": external}
        self.event("record_param_comms", "cpu_op", called, dur, thread, **{
            "Collective name": name, "In msg nelems": nelems[0], "Out msg nelems": nelems[1], "dtype": dtype, "Group size": size,
            "Process Group Name": group, "Process Group Ranks": ranks, "In split size": "[]", "Out split size": "[]"}, **more, **args)

    def call(self, begin, dur, name="_allgather_base", stream=20, launched=None, **args):
        called = begin - 6 if launched is None else launched - 1
        external = 1000 + self.next
        self.record(called, name, external=external, **args)
        self.kernel(begin, dur, stream, "ncclDevKernel_AllGather_RING_LL(ncclDevKernelArgsStorage<4096ul>)", launched, external)

    def write(self, file):
        file.write_text(json.dumps(self.document))


def step(rank, **call):
    """Two works of 100 us; an allgather of 1000 B after the first, beside the second; 50 us that wait for both."""
    trace = Trace(rank, 2, at=1e6 * (rank + 1))
    trace.kernel(0, 100, launched=-8)
    trace.call(100, 30, launched=10, **call)
    trace.kernel(100, 100, launched=12)
    trace.kernel(200, 50, launched=14)
    return trace


def write_all(folder, traces):
    target = folder / "t"
    target.mkdir(exist_ok=True)
    for old in target.iterdir():
        old.unlink()
    for rank, trace in enumerate(traces):
        trace.write(target / f"host{rank}_123.456{rank}.pt.trace.json")
    write_scenario(folder, len(traces), kineto="t")


def kineto(folder):
    """An allgather of 1000 B of two ranks takes 1.216 us."""
    write_all(folder, [step(rank) for rank in range(2)])
    ends(folder, "kineto call beside work", ["250.000000"] * 2)
    write_scenario(folder, 2, kineto="t", slowdown=2)
    ends(folder, "kineto slowed down", ["500.000000"] * 2)

    # What goes on at the end of the call waits for it: 100 + 1.216 + 50; and the time between, which is the host's: 7.
    for gap, wanted in ((0, "151.216000"), (7, "158.216000")):
        traces = []
        for rank in range(2):
            trace = Trace(rank, 2)
            trace.kernel(0, 100)
            trace.call(100, 40)
            trace.kernel(140 + gap, 50)
            traces.append(trace)
        write_all(folder, traces)
        ends(folder, f"kineto work after a call and {gap} us", [wanted] * 2)

    # A call waits for what was launched before it, not for what only ended before it: the second one has to wait for the first.
    traces = []
    for rank in range(2):
        trace = Trace(rank, 2)
        trace.kernel(0, 10, launched=-9)
        trace.call(10, 200, launched=-8)
        trace.kernel(10, 60, launched=-7)
        trace.call(210, 5, launched=-6)
        trace.kernel(80, 100, launched=-5)
        traces.append(trace)
    write_all(folder, traces)
    expect("kineto calls by launch", kakehashi(folder, "simulate", "--format", "json", "s.json"), 0, ['"time_us": 180.0'])

    # A wait that took no time in the recording, of a call of another rank that comes late.
    def waiting(rank, has_wait):
        trace = Trace(rank, 2)
        trace.kernel(0, 10 + 200 * rank, launched=-9)
        trace.call(10 + 200 * rank, 20, launched=-8, Seq=4)
        if has_wait:
            trace.record(-6, "wait", (0, 0), size=1, dtype="Byte", Seq=4)
        trace.kernel(10 + 200 * rank, 60, launched=-7)
        trace.kernel(70 + 200 * rank, 30, launched=-5)
        return trace
    write_all(folder, [waiting(rank, False) for rank in range(2)])
    ends(folder, "kineto without a wait", ["211.216000", "300.000000"])
    write_all(folder, [waiting(rank, True) for rank in range(2)])
    ends(folder, "kineto with a wait", ["241.216000", "300.000000"])
    calls_of_kineto(folder)
    faults_of_kineto(folder)
    single_trace(folder)


def alone(folder, test, wanted, job=2, err="", **call):
    """A call of all ranks, and nothing else."""
    traces = []
    for rank in range(job):
        traces.append(Trace(rank, job))
        traces[-1].call(0, 30, **{key: value(rank) if callable(value) else value for key, value in call.items()})
    write_all(folder, traces)
    ends(folder, test, wanted, err)


def calls_of_kineto(folder):
    """Names, sizes, groups, roots, messages in groups, edges."""
    one = ["1.216000"] * 2
    alone(folder, "kineto all_gather of halves", one, name="all_gather", nelems=(500, 1000), dtype="Half")
    alone(folder, "kineto allgather of floats of eight bits", one, name="allgather_into_tensor_coalesced", nelems=(1000, 2000), dtype="Float8_e4m3fn")
    alone(folder, "kineto broadcast", ["0.000000", "1.216000"], name="broadcast", nelems=(250, 250), Rank=0)
    alone(folder, "kineto broadcast from the other", ["1.216000", "0.000000"], name="broadcast", nelems=(250, 250), Rank=1)
    alone(folder, "kineto message", ["0.000000", "1.216000"], name=lambda rank: ["send", "recv"][rank], nelems=(250, 250), Rank=lambda rank: 1 - rank)
    groups = {"group": lambda rank: "ab"[rank % 2], "ranks": lambda rank: ["[0, 2]", "[1, 3]"][rank % 2]}
    alone(folder, "kineto groups", one * 2, 4, **groups)
    alone(folder, "kineto groups of one name", one * 2, 4, **{**groups, "group": "dp"})
    alone(folder, "kineto groups by stride", one * 2, 4, **{**groups, "ranks": "[0, ...]", "Global rank start": lambda rank: rank % 2, "Global rank stride": 2})

    # Messages in one kernel, as of batch_isend_irecv: both at once, and 10 us of host before them.
    traces = []
    for rank in range(2):
        trace = Trace(rank, 2)
        trace.kernel(0, 10)
        trace.record(2, "send", (250, 250), Rank=1 - rank, **{"Dst Rank": 1 - rank})
        trace.record(3, "recv", (250, 250), Rank=1 - rank, **{"Src Rank": 1 - rank})
        trace.kernel(20, 10, 20, "ncclDevKernel_SendRecv(ncclDevKernelArgsStorage<4096ul>)", launched=9)
        trace.kernel(30, 5)
        traces.append(trace)
    write_all(folder, traces)
    ends(folder, "kineto messages of a group", ["26.216000"] * 2)
    traces[1].events.pop(4)
    write_all(folder, traces)
    fault(folder, "kineto messages that do not fit", 't: rank 0 sends 1 message to rank 1 in process group "0", which receives 0: these are different parts of the run')

    # One rank's window begins a call earlier.
    traces = [Trace(rank, 2) for rank in range(2)]
    for rank, trace in enumerate(traces):
        for number in range(rank, 3):
            trace.call(100 * number, 10, Seq=number)
    write_all(folder, traces)
    expect("kineto windows that differ", kakehashi(folder, "simulate", "s.json"), 0, ["# time"],
           err="warning: t: 1 call at the ends of traces that not all ranks of its group have, left out\n")

    # A barrier calls an allreduce; "init" moves nothing.
    traces = [Trace(rank, 2) for rank in range(2)]
    for trace in traces:
        trace.record(-30, "init", (0, 0))
        trace.record(-10, "barrier", (0, 0), external=1, dtype="Byte", dur=9)
        trace.call(0, 5, name="_allgather_base", launched=-5)
    write_all(folder, traces)
    ends(folder, "kineto barrier around a call", one)

    # Kernels that have the arguments themselves, and one of which nothing is known.
    traces = [Trace(rank, 2) for rank in range(2)]
    for trace in traces:
        trace.kernel(0, 5, 20, "ncclDevKernel_AllGather_RING_LL", **{"Collective name": "_allgather_base", "In msg nelems": 250, "Out msg nelems": 500,
                                                                    "dtype": "Float", "Group size": 2, "Process Group Ranks": [0, 1]})
        trace.kernel(5, 7, 20, "ncclDevKernel_AllReduce_Sum_f32_RING_LL")
    write_all(folder, traces)
    ends(folder, "kineto without records", ["8.216000"] * 2, err="warning: t: 2 kernels of NCCL without a record of what it moves, taken as work of its time\n")


def faults_of_kineto(folder):
    def with_call(test, wanted, **call):
        write_all(folder, [step(rank, **call) for rank in range(2)])
        fault(folder, f"kineto with {test}", wanted)

    file = "t/host0_123.4560.pt.trace.json"
    with_call("an unknown type", f'{file}: /traceEvents/3: the data type "Quad" is not known', dtype="Quad")
    with_call("huge counts", f'{file}: /traceEvents/3: allreduce without "In msg nelems" and "Out msg nelems" of together at most 1 PiB', name="allreduce", nelems=(1 << 62, 1))
    with_call("negative counts", f'{file}: /traceEvents/3: allreduce without "In msg nelems" and "Out msg nelems" of together at most 1 PiB', name="allreduce", nelems=(-1, 1))
    with_call("a foreign rank", f'{file}: /traceEvents/3: process group "0" has rank 9, expected 0 to 1', ranks="[0, 9]")
    with_call("a rank twice", f'{file}: /traceEvents/3: process group "0" has a rank twice', ranks="[0, 0]")
    with_call("another size", f'{file}: /traceEvents/3: process group "0" has 2 ranks, but "Group size" is 3', size=3)
    with_call("no ranks", f'{file}: /traceEvents/3: the ranks of process group "0" are not in the trace', ranks="", size=1)
    write_all(folder, [step(0), step(1, name="allreduce")])
    fault(folder, "kineto with other calls", 't: call number 1 in process group "0" is allgather of 1000 B of rank 0, but allreduce of 2000 B of rank 1')

    write_all(folder, [step(0), step(0)])
    fault(folder, "kineto of one rank twice", f"t/host1_123.4561.pt.trace.json: a trace of rank 0, as {file} is; expected one of each rank")
    write_all(folder, [step(1)])
    write_scenario(folder, 2, kineto="t")
    fault(folder, "kineto without a rank", 't: no trace of rank 0, expected one of each of 2 ranks; "stands_for_all": true lets this one stand for all')
    write_scenario(folder, 3, kineto="t")
    fault(folder, "kineto of another job", f'{file}: got "world_size" 2, expected 3, as in the scenario')
    write_scenario(folder, 2, kineto="t")
    for name, text, wanted in (("nothing in it", "", "not JSON: syntax error while parsing value - unexpected end of input; expected '[', '{', or a literal"),
                               ("no events", "{}", 'got no array "traceEvents", as a trace of PyTorch\'s profiler has'),
                               ("no rank", '{"traceEvents": []}', 'no "rank" in "distributedInfo", which torch.profiler writes once torch.distributed has begun; '
                                                                  "only the trace of a single rank needs none"),
                               ("no events", '{"distributedInfo": {"rank": 0}, "traceEvents": []}',
                                "no kernel or copy of a GPU, but no events; torch.profiler writes them with ProfilerActivity.CUDA"),
                               ("no time", '{"traceEvents": [{"ph": "X", "cat": "kernel", "name": "x"}]}', '/traceEvents/0: got an event without a time, expected "ts" and "dur" in us'),
                               ("no device", json.dumps({"distributedInfo": {"rank": 0}, "traceEvents": [each for each in step(0).events if each.get("cat") in ("cpu_op", "cuda_runtime")]}),
                                "no kernel or copy of a GPU, but 4 events of cuda_runtime, 1 event of cpu_op; torch.profiler writes them with ProfilerActivity.CUDA"),
                               ("no kernel of NCCL", json.dumps({"distributedInfo": {"rank": 0}, "traceEvents": [each for each in step(0).events if "nccl" not in each["name"]]}),
                                "got calls, but no kernel of NCCL; torch.profiler writes those of the GPU with ProfilerActivity.CUDA")):
        (folder / file).write_text(text)
        expect(f"kineto with {name}", kakehashi(folder, "check", "s.json"), 2, err=[f"error: {file}: ", wanted])
    whole = json.dumps(step(0).document)
    (folder / file).write_text(whole[:-40])
    expect("kineto that is cut", kakehashi(folder, "check", "s.json"), 2, err=[f"error: {file}: line 1, column {len(whole) - 39}: not JSON: syntax error"])
    (folder / (file + ".gz")).write_text("")
    fault(folder, "kineto that is compressed", f"{file}.gz: compressed; gunzip makes a .json of it")
    (folder / "empty").mkdir()
    write_scenario(folder, 2, kineto="empty")
    fault(folder, "kineto in an empty folder", "empty: no .json in this folder, expected one of each rank")
    write_scenario(folder, 2, kineto="nothing")
    fault(folder, "kineto without a folder", "nothing: no such file")


def single_trace(folder):
    """The trace of one GPU, of one rank, and of one rank of many."""
    def alone(test, wanted, trace, ranks=1, err="", **replay):
        write_all(folder, [trace])
        write_scenario(folder, ranks, **{"kineto": "t", **replay})
        ends(folder, test, wanted, err)

    one = Trace(0, 1)
    one.kernel(0, 100)
    one.kernel(100, 50)
    del one.document["distributedInfo"]
    alone("kineto of a single GPU", ["150.000000"], one)
    alone("kineto of a single GPU, by its file", ["150.000000"], one, kineto="t/host0_123.4560.pt.trace.json")
    one.document["distributedInfo"] = {"backend": "nccl", "rank": 0, "world_size": 1}
    one.record(20, "allreduce", size=1, ranks="[0]", group="0")
    alone("kineto of one rank, whose calls have no kernels", ["150.000000"], one)
    one.record(30, "allreduce", size=2, ranks="[0, 1]", group="0")
    write_all(folder, [one])
    fault(folder, "kineto with a call of two ranks, but no kernel",
          "t/host0_123.4560.pt.trace.json: got calls, but no kernel of NCCL; torch.profiler writes those of the GPU with ProfilerActivity.CUDA")
    traces = [step(rank) for rank in range(2)]
    traces[0].record(300, "allreduce", size=1, ranks="[0]", group="9")
    traces[1].record(300, "allreduce", size=2, ranks="[0, 1]", group="0")
    write_all(folder, traces)
    ends(folder, "kineto with calls without kernels", ["250.000000"] * 2, err="warning: t: 1 call without a kernel of NCCL, left out\n")

    # An allgather of 1000 B of every second rank, and one of two neighbours; then each sends to the next of four, around.
    def like_all(rank, stride, job=4):
        trace = Trace(rank, job)
        trace.call(0, 30, group="dp", ranks=json.dumps([rank % 2 + each for each in (0, 2)] if stride == 2 else [rank // 2 * 2, rank // 2 * 2 + 1]))
        return trace
    for rank in (0, 3):
        for stride in (1, 2):
            alone(f"kineto of rank {rank} of 4 for all, stride {stride}", ["1.216000"] * 4, like_all(rank, stride), 4, stands_for_all=True)
            write_all(folder, [like_all(each, stride) for each in range(4)])
            write_scenario(folder, 4, kineto="t")
            ends(folder, f"kineto of all 4, stride {stride}", ["1.216000"] * 4)
    around = like_all(1, 1)
    for at, name, peer in ((20, "send", 2), (21, "recv", 0)):
        around.record(at, name, (250, 250), ranks="[0, 1, 2, 3]", size=4, external=7, **{"Dst Rank" if name == "send" else "Src Rank": peer})
        around.events[-1]["args"].pop("External id")
    around.kernel(60, 10, 20, "ncclDevKernel_SendRecv(ncclDevKernelArgsStorage<4096ul>)", launched=22)
    alone("kineto of messages for all", ["32.432000"] * 4, around, 4, stands_for_all=True)
    around.events.pop(-3)  # the receive
    write_all(folder, [around])
    write_scenario(folder, 4, kineto="t", stands_for_all=True)
    fault(folder, "kineto of sends for all", 't: rank 0 sends 1 message to rank 1 in process group "0", which receives 0: these are different parts of the run')
    for members, size in (([0, 1, 3], 3), ([1, 2], 2), ([0, 1, 2], 3), ([1, 0], 2)):
        odd = Trace(1, 4)
        odd.call(0, 30, group="odd", ranks=json.dumps(members), size=size)
        write_all(folder, [odd])
        write_scenario(folder, 4, kineto="t", stands_for_all=True)
        fault(folder, f"kineto of the group {members} for all",
              f't: process group "odd" has the ranks {", ".join(map(str, members))}, which are not every n-th in a row of 4 ranks, so this trace cannot stand for all')
    long = Trace(0, 100000)
    for number in range(201):
        long.kernel(100 * number, 100)
    write_all(folder, [long])
    run = json.loads((folder / "s.json").read_text())
    run.update({"ranks": {"on": [f"n{node}.cpu" for node in range(8)], "per_device": 12500}, "workload": {"replay": {"kineto": "t", "stands_for_all": True}}})
    (folder / "s.json").write_text(json.dumps(run))
    fault(folder, "kineto of one rank for too many", "t: 201 operations of 100000 ranks are too many for one trace to stand for; at most 20 million together")
    write_all(folder, [step(0), step(1)])
    write_scenario(folder, 2, kineto="t", stands_for_all=True)
    fault(folder, "kineto of two for all", "t: got 2 traces, expected a single one, which stands for all ranks")
    write_scenario(folder, 2, goal="t", stands_for_all=True)
    fault(folder, "a goal for all", 's.json: /workload/replay/stands_for_all: a replay of "goal" does not take this key')

    # Twenty events with one fault.
    trace = Trace(0, 1)
    for number in range(20):
        trace.call(100 * number, 10, dtype="Quad", size=1, ranks="[0]")
    write_all(folder, [trace])
    write_scenario(folder, 1, kineto="t")
    fault(folder, "kineto with one fault at twenty places", 't/host0_123.4560.pt.trace.json: /traceEvents/1: the data type "Quad" is not known (and at 19 more events)')


POINTERS = "sendbuff 0x7f5b6dec9900 recvbuff 0x7f5b6dec9900"


def nccl_line(rank, text, time=None, host="gpu1"):
    return f"{f'[{time}] ' if time else ''}{host}:{100 + rank}:{200 + rank} [{rank}] NCCL INFO {text}\n"


def nccl_init(rank, ranks, comm=None, device=None, time=None, rest="commId 0x8d3e4a1b2c", process=None):
    text = f"ncclCommInitRankConfig comm {comm or hex(0xa00 + rank)} rank {rank} nranks {ranks} cudaDev {rank if device is None else device} nvmlDev 0 busId 4000 {rest} - Init COMPLETE"
    return nccl_line(rank if process is None else process, text, time)


def nccl_call(rank, name="AllGather", number=0, count=250, type=7, root=0, comm=None, ranks=2, stream="0x5f0", time=None):
    return nccl_line(rank, f"{name}: opCount {number:x} {POINTERS} count {count} datatype {type} op 0 root {root} comm {comm or hex(0xa00 + rank)} "
                           f"[nranks={ranks}] stream {stream}", time)


NO_TIMES = ("warning: log: calls without a time, so there is no work between them; NCCL_DEBUG_TIMESTAMP_LEVELS=INFO and "
            'NCCL_DEBUG_TIMESTAMP_FORMAT="[%F %T.%6f] " write it\n')


def nccl(folder):
    """Calls one after the other; an allgather of 1000 B of two ranks takes 1.216 us, as a message does."""
    def replay(lines, ranks=2, file="log", **changes):
        (folder / "log").write_text("".join(lines))
        write_scenario(folder, ranks, nccl=file, **changes)

    both = range(2)
    start = ["job starts\n"] + [nccl_line(0, "NET/IB : Using [0]mlx5_0:1/IB")] + [nccl_init(rank, 2) for rank in both]
    two = start + [nccl_call(rank, number=number) for number in both for rank in both]
    replay(two)
    ends(folder, "nccl calls", ["2.432000"] * 2, NO_TIMES)
    replay(two[:4] + [nccl_call(rank, number=number, stream=f"0x5f{number}") for number in both for rank in both])
    ends(folder, "nccl calls of a communicator on two streams", ["2.432000"] * 2, NO_TIMES)
    for name, test in (("Broadcast", ["0.000000", "1.216000"]), ("Send", None)):
        replay(start + [nccl_call(rank, name if rank == 0 or test else "Recv", root=0 if test else 1 - rank) for rank in both])
        ends(folder, f"nccl {name}", test or ["0.000000", "1.216000"], NO_TIMES)
    for name, count, type, time in (("ReduceScatter", 1000, 0, None), ("AllReduce", 250, 2, None), ("AlltoAll", 500, 6, "1.216000")):
        replay(start + [nccl_call(rank, name, count=count, type=type) for rank in both])
        expect(f"nccl {name}", kakehashi(folder, "simulate", "--format", "csv", "s.json"), 0, [f"1,n1.cpu,{time}"] if time else ["1,n1.cpu,"], err=NO_TIMES)
    # Messages of one group both at once; of two, one after the other.
    exchange = [nccl_call(rank, name, root=1 - rank) for rank in both for name in ("Send", "Recv")]
    replay(start + exchange)
    ends(folder, "nccl messages of a group", ["1.216000"] * 2, NO_TIMES)
    replay(start + [nccl_call(rank, name, number=(name == "Send") == (rank == 1), root=1 - rank) for rank in both for name in (("Send", "Recv"), ("Recv", "Send"))[rank]])
    ends(folder, "nccl messages in two groups", ["2.432000", "1.216000"], NO_TIMES)

    # Halves of four ranks, split off; the second communicator of a process takes the address of the first in another.
    split = [nccl_init(rank, 4) for rank in range(4)]
    for rank in range(4):
        split.append(nccl_line(rank, f"ncclCommSplit comm 0xb00 rank {rank // 2} nranks 2 cudaDev {rank} nvmlDev 0 busId 4000 parent {hex(0xa00 + rank)} "
                                     f"childCount 1 color {rank % 2} key {rank} - Init COMPLETE"))
    replay(split + [nccl_call(rank, comm="0xb00") for rank in range(4)], 4)
    ends(folder, "nccl split", ["1.216000"] * 4, NO_TIMES)
    replay(split[:7] + [nccl_call(rank, comm="0xb00") for rank in range(3)], 4)
    fault(folder, "nccl without a rank of a part", "log: communicator 8d3e4a1b2c/1/1 has 2 ranks, but the logs lack rank 1 of it")
    # Two devices of one process; a version without commId; a launcher that marks lines.
    replay([nccl_init(rank, 2, rest="", process=0) for rank in both] + [nccl_call(0, comm=hex(0xa00 + rank)) for rank in both])
    ends(folder, "nccl of one process", ["1.216000"] * 2, NO_TIMES)
    replay([f"[1,{index % 2}]<stdout>:{line}" for index, line in enumerate(start[2:] + two[4:])])
    ends(folder, "nccl with marks of mpirun", ["2.432000"] * 2, NO_TIMES)
    (folder / "logs").mkdir()
    for rank in both:
        (folder / "logs" / f"gpu.{rank}").write_text("".join([nccl_init(rank, 2), nccl_call(rank)]))
    replay([], file="logs")
    ends(folder, "nccl in a folder", ["1.216000"] * 2, NO_TIMES.replace("log:", "logs:"))

    # The second call is made 5 us after the first, or 5 us after midnight.
    for first, second in (("2024-05-01 12:00:00.000010", "2024-05-01 12:00:00.000015"), ("2024-02-29 23:59:59.999999", "2024-03-01 00:00:00.000004")):
        replay(start + [nccl_call(rank, number=number, time=[first, second][number]) for number in both for rank in both])
        out = kakehashi(folder, "simulate", "--format", "json", "s.json")
        found = json.loads(out.stdout)["time_us"]
        if out.stderr or abs(found - 6.216) > 1e-6:
            failures.append(f"nccl with times: {found} us, expected 6.216; {out.stderr}")
    replay(start + [nccl_call(rank, number=number, time=f"2024-05-01 12:00:0{number}") for number in both for rank in both])
    expect("nccl with whole seconds", kakehashi(folder, "simulate", "s.json"), 0, ["# time 1000001.216 us"],
           err='warning: log: times in whole seconds; NCCL_DEBUG_TIMESTAMP_FORMAT="[%F %T.%6f] " writes microseconds\n')
    without_init(folder, replay)
    faults_of_nccl(folder, replay, start)


def without_init(folder, replay):
    """Logs of NCCL_DEBUG_SUBSYS=COLL alone: one process sends, and another receives, so their numbers matter."""
    order = ("warning: log: no line states ranks, so they are assumed to be in the order of hosts and devices; NCCL_DEBUG_SUBSYS=INIT,COLL writes them\n")
    both = range(2)

    def messages(sender, edit=lambda rank, line: line):
        return [edit(rank, nccl_call(rank, "Send" if rank == sender else "Recv", root=1 if rank == sender else 0)) for rank in both]

    replay(messages(0))
    ends(folder, "nccl without INIT", ["0.000000", "1.216000"], order + NO_TIMES)
    replay(messages(0, lambda rank, line: line.replace("gpu1:", f"gpu{9 + rank}:").replace(f"[{rank}]", "[0]")))
    ends(folder, "nccl without INIT on hosts 9 and 10", ["0.000000", "1.216000"], order + NO_TIMES)
    replay(messages(0, lambda rank, line: line.replace(f"gpu1:{100 + rank}:{200 + rank} ", "")))
    ends(folder, "nccl without hosts", ["0.000000", "1.216000"], order + NO_TIMES)
    replay(messages(1, lambda rank, line: line.replace("INFO ", f"INFO [{1 - rank}] ")))
    ends(folder, "nccl with ranks before calls", ["0.000000", "1.216000"], NO_TIMES)
    replay(messages(1, lambda rank, line: line.rstrip() + f" task 0 globalrank {1 - rank}\n"))
    ends(folder, "rccl with ranks behind calls", ["0.000000", "1.216000"], NO_TIMES)
    for number in (7, 0):
        replay(messages(0, lambda rank, line: line.replace("INFO ", f"INFO [{number}] ")))
        ends(folder, f"nccl with {number} before all calls", ["0.000000", "1.216000"], order + NO_TIMES)
    replay([f"gpu1:1:1 [7] NCCL INFO {line}" for line in messages(0)])
    ends(folder, "nccl of processes that break into lines", ["0.000000", "1.216000"], order + NO_TIMES)
    # One process of four; its own communicator moves nothing.
    replay([nccl_call(1, ranks=4), nccl_call(1, "AllReduce", comm="0x1", ranks=1)], 4, stands_for_all=True)
    one = kakehashi(folder, "simulate", "--format", "csv", "s.json")
    replay([nccl_call(rank, ranks=4) for rank in range(4)], 4)
    expect("nccl of one rank for all", one, 0, kakehashi(folder, "simulate", "--format", "csv", "s.json").stdout, err=NO_TIMES)
    replay([nccl_call(1, ranks=4), nccl_call(1, comm="0x1")], 4, stands_for_all=True)
    fault(folder, "nccl of a part for all", "log: line 2: got a call in a communicator of 2 ranks, expected one of all 4, since the log of one rank does not show which others are in it")
    replay([nccl_call(rank, ranks=4) for rank in both], 4, stands_for_all=True)
    fault(folder, "nccl of two ranks for all", "log: got calls of several processes or devices, expected those of one, which stands for all ranks")


def between_gpus(folder):
    """Calls between GPUs take as long as NCCL's benchmark has it, or run by MPI's algorithms; the output says which, once."""
    note = 'calls between GPUs are those of NCCL 2.27, each one piece of work that meets no other traffic; "calls": "mpi" takes MPI\'s algorithms'
    remark = "the calls between GPUs take MPI's algorithms, one ring or tree of messages each"

    def run(ranks, *options, platform="h100", **replay):
        scenario = {"name": "s", "platform": str(root / f"platforms/{platform}.json"), "fabric": "nvlink", "ranks": [f"node0.gpu{rank}" for rank in range(ranks)],
                    "workload": {"replay": replay}}
        (folder / "s.json").write_text(json.dumps(scenario))
        return kakehashi(folder, "simulate", *options, "s.json")

    def taken(name, size):
        found = json.loads(kakehashi(folder, "simulate", "--platform", str(root / "platforms/h100.json"), "--benchmark", f"nccl-{name}", "--ranks",
                                     "node0.gpu0,node0.gpu1", "--sizes", f"{size} B", "--format", "json").stdout)
        return found["rows"][0]["time_us"]

    (folder / "log").write_text("".join(nccl_call(rank) for rank in range(2)))
    (folder / "t").mkdir()
    for rank in range(2):
        step(rank).write(folder / "t" / f"{rank}.json")
        (folder / f"c.{rank}.json").write_text(json.dumps({"workload_graph": [{"Id": 1, "NodeType": 7, "comm_type": 2, "comm_size": 1000}]}))
    for replay in ({"nccl": "log"}, {"kineto": "t"}, {"chakra": "c"}):
        for form in ("table", "csv", "json", "markdown"):
            for what, text in ((replay, note), ({**replay, "calls": "mpi"}, remark)):
                found = run(2, "--format", form, **what)
                if found.returncode != 0 or (found.stdout + found.stderr).count(text.replace('"', '\\"') if form == "json" else text) != 1:
                    failures.append(f"how calls of {what} run, as {form}: {found.stdout}{found.stderr}")
    run(2, "--report", "s.html", calls="mpi", **replay)
    if (folder / "s.html").read_text().count(remark.replace("'", "&#39;")) + (folder / "s.html").read_text().count(remark) != 1:
        failures.append("a remark on a page")

    # An allgather of 1000 B each after 100 us of work and 200 us late on one of two GPUs; the other works on meanwhile.
    late = taken("allgather", 2000)
    for rank in range(2):
        trace = Trace(rank, 2)
        trace.kernel(0, 100 + 200 * rank)
        trace.call(100 + 200 * rank, 40)
        trace.kernel(140 + 200 * rank, 50)
        trace.write(folder / "t" / f"{rank}.json")
    ends_at = json.loads(run(2, "--format", "json", kineto="t").stdout)["rank_ends_us"]
    if any(abs(end - (300 + late + 50)) > 1e-3 for end in ends_at):
        failures.append(f"a call between GPUs, one of which comes late: ends at {ends_at}, expected {350 + late}")
    expect("its critical path", run(2, kineto="t"), 0, ["collective call that ranks make together"])

    # Calls of NCCL that move nothing between these two: what is refused keeps MPI's algorithms, and is named.
    for rank in range(2):
        (folder / f"g.{rank}.json").write_text(json.dumps({"workload_graph": [{"Id": 1, "NodeType": 7, "comm_type": 3, "comm_size": 1000}]}))
    expect("a gather", run(2, "--format", "table", chakra="g"), 0, [remark + ": NCCL and RCCL have no gather"], err=["whose root traces lack"])

    (folder / "one").write_text(nccl_call(0, ranks=1))
    for ranks, replay in ((1, {"kineto": "t/0.json", "stands_for_all": True}), (2, {"chakra": "d"}), (1, {"nccl": "one"})):
        alone = Trace(0, 1)
        alone.kernel(0, 10)
        alone.write(folder / "t/0.json")
        for rank in range(2):
            (folder / f"d.{rank}.json").write_text(json.dumps({"workload_graph": [{"Id": 1, "NodeType": 4, "runtime": 5}]}))
        expect(f"no remark on {replay}", run(ranks, "--format", "json", **replay), 0, ['"schema_version"'],
               ["warning: one: calls without a time"] if "nccl" in replay else None)
        if "calls between GPUs" in run(ranks, **replay).stdout:
            failures.append(f"a remark on {replay}, which has no calls")


def faults_of_nccl(folder, replay, start):
    both = range(2)
    for name, lines, wanted in (
            ("nothing in it", [], 'log: no line of NCCL with "Init COMPLETE"; NCCL_DEBUG=INFO NCCL_DEBUG_SUBSYS=INIT,COLL writes them'),
            ("a cut line", start + [nccl_call(0)[:100] + "\n"], "log: line 5: a call that is cut: expected opCount, count, datatype, root, comm and stream"),
            ("twenty cut lines", start + [nccl_call(0)[:100] + "\n"] * 20,
             "log: line 5: a call that is cut: expected opCount, count, datatype, root, comm and stream (and at 19 more lines)"),
            ("an unknown call", start + [nccl_call(0, "PutSignal")], 'log: line 5: the call "PutSignal" is not known'),
            ("an unknown type", start + [nccl_call(0, type=12)], "log: line 5: got datatype 12, expected one from 0 to 11"),
            ("a huge count", start + [nccl_call(0, count=1 << 60)], f"log: line 5: got count {1 << 60}, expected one of at most 1 PiB for all ranks"),
            ("a foreign root", start + [nccl_call(0, "Send", root=2)], "log: line 5: got root 2, expected one from 0 to 1"),
            ("an unknown communicator", start + [nccl_call(0, comm="0xc")],
             'log: line 5: a call in a communicator that no line with "Init COMPLETE" begins, though others have one; NCCL_DEBUG_SUBSYS=INIT,COLL writes them'),
            ("three unknown communicators", start + [nccl_call(0, comm=f"0xc{each}") for each in range(3)],
             'log: line 5: a call in a communicator that no line with "Init COMPLETE" begins, though others have one; NCCL_DEBUG_SUBSYS=INIT,COLL writes them (and at 2 more lines)'),
            ("a cut communicator", ["gpu1:1:1 [0] NCCL INFO comm 0xa rank 0 nran - Init COMPLETE\n"],
             "log: line 1: a communicator that is cut: expected comm, rank, nranks and cudaDev"),
            ("no process", ["NCCL NCCL INFO Send: opCount 1\n"], 'log: line 1: no [device] before "NCCL INFO"'),
            ("a letter for the device", ["gpu1:1:1 [a] NCCL INFO Send: opCount 1\n"], 'log: line 1: no [device] before "NCCL INFO"'),
            ("no number of ranks", [nccl_call(0).replace("nranks=2", "nranks=x")], "log: line 1: a call that is cut: expected [nranks=…]"),
            ("no number of ranks, twice", [nccl_call(0).replace("nranks=2", "nranks=x")] * 2,
             "log: line 1: a call that is cut: expected [nranks=…] (and at 1 more line)"),
            ("parts that no line begins", [nccl_call(rank) for rank in range(3)],
             "log: line 1: a call in a communicator of 2 ranks, which no line begins, and the logs have such calls of 3 devices; NCCL_DEBUG_SUBSYS=INIT,COLL writes "
             "which ranks are in it"),
            ("a missing rank", start[:3] + [nccl_call(0)], "log: communicator 8d3e4a1b2c has 2 ranks, but the logs lack rank 1 of it"),
            ("another size", [nccl_init(rank, 3) for rank in range(3)], "log: got communicators of 3 ranks, expected one of all 2, as in the scenario"),
            ("two runs", start + start, "log: communicator 8d3e4a1b2c has rank 0 of 2 twice, or another size; the logs of one run belong here"),
            ("other calls", start + [nccl_call(0), nccl_call(1, "AllReduce")],
             'log: call number 1 in process group "8d3e4a1b2c" is allgather of 1000 B of rank 0, but allreduce of 1000 B of rank 1'),
            ("a message without a receive", start + [nccl_call(0, "Send", root=1)],
             'log: rank 0 sends 1 message to rank 1 in process group "8d3e4a1b2c", which receives 0: these are different parts of the run')):
        replay(lines)
        fault(folder, f"nccl with {name}", wanted)
    replay(start)
    expect("nccl without calls", kakehashi(folder, "simulate", "s.json"), 0, ["# time 0.000 us"], err="warning: log: no calls; NCCL_DEBUG_SUBSYS=INIT,COLL writes them\n")
    replay([], file="nowhere")
    fault(folder, "nccl without a log", "nowhere: cannot be read: No such file or directory")


def changed(folder):
    """Traces with some wrong bytes: a replay, or faults of it."""
    generator = random.Random(5)
    write_all(folder, [step(rank) for rank in range(2)])
    trace = next((folder / "t").iterdir())
    log = "".join([nccl_init(rank, 2) for rank in range(2)] + [nccl_call(rank, number=number) for number in range(3) for rank in range(2)])
    for file, text, replay in ((trace, trace.read_text(), {"kineto": "t"}), (folder / "log", log, {"nccl": "log"})):
        write_scenario(folder, 2, **replay)
        for attempt in range(60):
            wrong = list(text)
            for _ in range(generator.randint(1, 4)):
                wrong[generator.randrange(len(wrong))] = generator.choice('0123456789-[]{}",: \nabcxyz\x01')
            cut = generator.choice((len(wrong), generator.randrange(len(wrong))))
            file.write_text("".join(wrong[:cut]))
            found = kakehashi(folder, "simulate", "s.json")
            if found.returncode not in (0, 1, 2) or (found.returncode and "error: " not in found.stderr):
                failures.append(f"{file.name} with wrong bytes, attempt {attempt}: exit code {found.returncode}, {found.stderr[-300:]}")


for test in (kineto, nccl, between_gpus, changed):
    with tempfile.TemporaryDirectory() as name:
        test(pathlib.Path(name))
finish("all traces of GPUs are as expected")
