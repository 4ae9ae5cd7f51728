#!/usr/bin/env python3
"""Replays as a user runs them: lists and shared files, faults with file and line, many ranks, long traces, and an application that is
recorded here. Usage: traces.py KAKEHASHI ROOT [WRITE-OTF2]"""
import collections
import itertools
import json
import pathlib
import random
import resource
import shutil
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from calls import expect, failures, finish, root
import calls

write_otf2 = str(pathlib.Path(sys.argv[3]).resolve()) if len(sys.argv) > 3 else None
PLATFORM = root / "tests/replay/homogeneous.json"


def kakehashi(folder, *arguments, few_files=False):
    limit = (lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))) if few_files else None
    return calls.kakehashi(*arguments, cwd=folder, preexec_fn=limit)


def scenario(ranks, **replay):
    return {"name": "s", "platform": str(PLATFORM), "fabric": "net", "ranks": [f"n{rank}.cpu" for rank in range(ranks)],
            "workload": {"replay": {"ti": "list", "speed": "1 Gflop/s", **replay}}, "mpi": {"copy": "0 ns/B"}}


def write(folder, files, ranks, **replay):
    for name, text in files.items():
        (folder / name).write_text(text)
    (folder / "s.json").write_text(json.dumps(scenario(ranks, **replay)))


PING = "0 init\n0 compute 1e6\n0 send 1 3 1000 6\n0 finalize\n"
PONG = "1 init\n1 recv 0 3 1000 6\n1 finalize\n"


def printed_ends(times):
    """What a replay prints as CSV."""
    rows = (f"s,homogeneous,net,{rank},n{rank}.cpu,{time}\n" for rank, time in enumerate(times))
    return "scenario,platform,fabric,rank,device,end_us\n" + "".join(rows)


ENDS = printed_ends(["1000.000000", "1001.216000"])


def forms(folder):
    """Two files, one file that both share, that file itself, interleaved lines."""
    lines = [line for pair in zip(PONG.splitlines() + [""], PING.splitlines()) for line in pair]
    for name, files in {"a file for each rank": {"list": "# the ranks\nr0\nr1\n", "r0": PING, "r1": PONG},
                        "a list of one file": {"list": "both\n", "both": PONG + PING},
                        "that file": {"list": PONG + "\n# and\n" + PING},
                        "lines in turn": {"list": "\n".join(lines)},
                        "ends of lines as in DOS": {"list": (PING + PONG).replace("\n", "\r\n")}}.items():
        write(folder, files, 2)
        expect(name, kakehashi(folder, "simulate", "--format", "csv", "s.json"), 0, ENDS)
        expect(name, kakehashi(folder, "check", "s.json"), 0, "s.json: scenario, no faults\n")


def faults(folder):
    both = {"list": "r0\nr1\n", "r0": PING, "r1": PONG}
    cases = {  # files that differ, ranks, exit code, message of both check and simulate
        "unknown word": ({"r1": PONG.replace("recv", "rcv")}, 2, 2,
                         'error: r1: line 2: got the word "rcv", expected a word that a replay knows (did you mean "recv"?)\n'),
        "missing file": ({"list": "r0\nr2\n"}, 2, 2, "error: list: line 2: there is no file r2\n"),
        "no list": ({"list": None}, 2, 2, "error: list: no such file\n"),
        "too few traces": ({}, 3, 2, "error: list: got 2 traces, expected 3, one for each rank, or one that all share\n"),
        "wrong trace": ({"list": "r1\nr0\n"}, 2, 2, "error: r1: line 1: got a line of rank 1, expected a line of rank 0, whose trace this is\n"),
        "more ranks in a shared file": ({"list": PING + PONG + "2 init\n"}, 2, 2, 'error: list: line 8: got "2", expected a rank from 0 to 1\n'),
        "fewer ranks in a shared file": ({"list": PING + PONG}, 3, 2, "error: list: there is no line of rank 2\n"),
        "empty trace": ({"r0": ""}, 2, 2, "error: r0: empty; even a rank that does nothing has its init\n"),
        "neither list nor trace": ({"list": "x" * 5000 + "\n"}, 2, 2, "error: list: line 1: neither a line of a trace nor the name of a file "
                                                                     "that is there; nothing more is read\n"),
        "line of a shared file": ({"list": "0 init\n1 init\n\n1 recv 0 3\n" + PING}, 2, 2,
                                  "error: list: line 4: got recv with 2 arguments, expected at least 3: FROM TAG COUNT [TYPE]\n"),
    }
    for name, (changed, ranks, code, message) in cases.items():
        for file in ("list", "r0", "r1"):
            (folder / file).unlink(missing_ok=True)
        write(folder, {file: text for file, text in (both | changed).items() if text is not None}, ranks)
        wanted = [message] if name == "wrong trace" else message  # check tells it of both files
        expect(name, kakehashi(folder, "check", "s.json"), code, err=wanted)
        expect(name, kakehashi(folder, "simulate", "s.json"), code, err=message)
    write(folder, both | {"r0": PING.replace("0 send 1 3", "0 send 1 4")}, 2)
    expect("a receive without a send", kakehashi(folder, "simulate", "s.json"), 1,
           err="error: s.json: deadlock after 1001.216 us: 1 of 2 ranks wait for ever\n  rank 1 (r1: line 2): recv from rank 0 (tag 3)\n")
    write(folder, both | {"r0": "0 init\n0 barrier\n", "r1": "1 init\n1 bcast 4 0 6\n"}, 2)
    expect("unequal calls", kakehashi(folder, "simulate", "s.json"), 2,
           err="error: r1: line 2: rank 1 calls bcast of 4 B with root 0, but rank 0 calls barrier (r0: line 2) as its collective call number 1 too; a trace does not state the communicators of calls, but \"communicators\" in the scenario can, and recordings of `kakehashi record` do\n")
    write(folder, both | {"r0": "0 init\n0 send 1 3 2 -1\n"}, 2, derived_type="500 B")
    expect("a derived type", kakehashi(folder, "simulate", "--format", "csv", "s.json"), 0, ["1,n1.cpu,1.216"])
    write(folder, both, 2, speed={"cpu": "1 Gflop/s"})
    expect("no speed of other kinds", kakehashi(folder, "simulate", "s.json"), 2,
           err='error: s.json: /workload/replay/speed: the key "any" is missing\n')
    write(folder, both, 2)
    without = scenario(2)
    del without["workload"]["replay"]["speed"]
    (folder / "s.json").write_text(json.dumps(without))
    expect("no speed", kakehashi(folder, "simulate", "s.json"), 2,
           err='error: s.json: /workload/replay: the key "speed" is missing; a replay of "ti" needs it\n')
    write(folder, both, 2, speed="1 GHz")
    expect("a speed that is none", kakehashi(folder, "simulate", "s.json"), 2,
           err='error: s.json: /workload/replay/speed: got "1 GHz", expected a speed such as "2.5 Gflop/s"\n')


ADVICE = '; a trace does not state the communicators of calls, but "communicators" in the scenario can, and recordings of `kakehashi record` do\n'


def ends_of(folder, lines, **replay):
    """When each rank ends that does these lines, in us."""
    write(folder, {"list": "".join(f"{rank} {line}\n" for rank, text in enumerate(lines) for line in text.split("|"))}, len(lines), **replay)
    run = kakehashi(folder, "simulate", "--format", "json", "s.json")
    return (json.loads(run.stdout)["rank_ends_us"] if run.returncode == 0 else None), run.stderr


def left_out(folder):
    """What traces leave out, as smpirun writes them; by hand: 0.2 us and 1 ns for each byte, as on the platform."""
    def ends(name, lines, wanted, err="", **replay):
        found, told = ends_of(folder, lines, **replay)
        if found is None or any(abs(one - other) > 1e-3 for one, other in zip(found, wanted)) or err not in told or (not err and told):
            failures.append(f"{name}: {found}, not {wanted}: {told}")

    halo = ["irecv -333 1 1000 1|irecv 1 2 1000 1|isend 1 1 1000 1|isend -333 2 1000 1|wait -333 0 1|wait 1 0 2|waitall 2",
            "irecv 0 1 1000 1|irecv -333 2 1000 1|isend -333 1 1000 1|isend 0 2 1000 1|wait 0 1 1|wait -333 1 2|waitall 2"]
    ends("a message", ["send 1 0 1000 2", "recv 0 0 1000 2"], [0.0, 1.216])
    ends("a halo that is not closed", halo, [4.216, 4.216])
    ends("waitall, then a wait", ["irecv 1 1 8|isend 1 2 1000 2|waitall 26|compute 1e4|wait 1 0 1", "recv 0 2 1000 2|compute 5e4|send 0 1 1000 2"],
         [52.432, 51.216])
    ends("a loop of tests", ["irecv 1 1 1000 2|test 1 0 1|test 1 0 1|compute 1e6", "compute 1e6|send 0 1 1000 2"], [2001.216, 1000.0])
    ends("a loop of testall", ["irecv 1 1 1000 2|testall|testall|compute 1e6", "compute 1e6|send 0 1 1000 2"], [2001.216, 1000.0])
    ends("a receive that no line waits for", ["irecv 1 1 1000 2|compute 1e6", "compute 1e6|send 0 1 1000 2"], [1001.216, 1000.0],
         "warning: list: line 1: no line waits for 1 receive of 1 rank, as after MPI_Waitsome, which leaves none. They end unnoticed, so the run "
         "may be too fast\n")
    ends("Start", ["Start 1 5 1000 2|wait 0 1 5", "Start 1 5 1000 2|wait 0 1 5"], [0.0, 1.216])
    ends("buffered sends", ["bsend 1 5 1000000 2|ibsend 1 5 1000000 2|wait 0 1 5", "compute 1e6|recv 0 5 8 2|recv 0 5 8 2"], [0.0, 3000.432])
    ends("nonblocking calls", ["ibarrier|compute 1e6|wait -333 -333 -779|barrier", "ibarrier|wait 0 0 -779|compute 1e6|barrier"],
         [1000.432, 1000.216])


def overlap(folder):
    """An Ialltoall of 2.7 ms beside 100 ms of work goes on meanwhile, or only in the wait; so does a message that is long."""
    def run(name, lines, progress, *wanted):
        (folder / "list").write_text("".join(f"{rank} {line}\n" for rank, text in enumerate(lines) for line in text.split("|")))
        (folder / "s.json").write_text(json.dumps(scenario(len(lines)) | {"mpi": {"copy": "0 ns/B", **({"progress": progress} if progress else {})}}))
        done = kakehashi(folder, "simulate", "--format", "json", "s.json")
        shown = kakehashi(folder, "simulate", "s.json").stdout
        ends = json.loads(done.stdout)["rank_ends_us"] if done.returncode == 0 else []
        if not ends or not wanted[0] <= max(ends) <= wanted[1] or wanted[2] not in shown:
            failures.append(f"{name}, progress {progress}: {ends}, {done.stderr}{shown}")

    calls = ["ialltoall 900000 900000 6 6|compute 1e8|wait -333 -333 -779"] * 4
    stated = "# MPI's progress: {} (as stated); it concerns "
    for progress in ("hardware", "thread"):
        run("Ialltoall beside work", calls, progress, 100000, 100010, stated.format(progress) + "4 nonblocking collective calls\n")
    run("Ialltoall beside work", calls, "inside-calls", 102700, 102710, stated.format("inside-calls"))
    run("Ialltoall beside work", calls, None, 102700, 102710, "# MPI's progress: inside-calls (usual for open-mpi: Open MPI's wiki, ")
    message = ["irecv 1 1 2700000 6|compute 1e8|wait 1 0 1", "isend 0 1 2700000 6|compute 1e8|wait 1 0 1"]
    run("a long message beside work", message, "hardware", 100000, 100001, "hardware (as stated); it concerns 1 long message ")
    run("a long message beside work", message, "inside-calls", 102700, 102701, "inside-calls (as stated); it concerns 1 long message ")


def what_if(folder):
    """Work that takes longer, interruptions, and another eager limit; by hand, as above."""
    late = "0 send 1 3 100000 6\n1 compute 1e6\n1 recv 0 3 100000 6\n"

    def run(name, text, changes, wanted, shown, *options):
        (folder / "list").write_text(text)
        (folder / "s.json").write_text(json.dumps(scenario(2) | ({"what_if": changes} if changes else {})))
        done = kakehashi(folder, "simulate", "--format", "json", *options, "s.json")
        found = json.loads(done.stdout) if done.returncode == 0 else {"rank_ends_us": [], "provenance": {}}
        ends = found["rank_ends_us"]
        if not any(shown.strip() in line for line in found["provenance"].get("what_if", [])):
            failures.append(f"{name}: {found['provenance']}")
        if wanted and (len(ends) != 2 or any(abs(one - other) > 1e-3 for one, other in zip(ends, wanted))):
            failures.append(f"{name}: {ends}, not {wanted}: {done.stderr}")
        expect(name, kakehashi(folder, "simulate", *options, "s.json"), 0, ["# what if: " + shown])
        return ends

    both = PING + PONG
    run("a straggler", both, {"work": [{"ranks": [0], "slowdown": 2}]}, [2000, 2001.216], "work 2 times as long, rank 0: 0.001 s of work\n")
    run("from some time on", both, {"work": [{"from": "0.5 ms", "slowdown": 3}]}, [2000, 2001.216],
        "work 3 times as long, all ranks, from 0.0005 s: 0.0005 s of work\n")
    run("for some time", both, {"work": [{"from": "500 us", "to": "800 us", "slowdown": 3}]}, [1200, 1201.216],
        "work 3 times as long, all ranks, from 0.0005 s, to 0.0008 s: 0.0001 s of work\n")
    run("factors", both, {"work": [{"slowdown": 3}, {"on": ["n0.*"], "slowdown": 0.5}]}, [1500, 1501.216],
        "work 0.5 times as long, rank 0: 0.001 s of work\n")
    run("others", both, {"work": [{"ranks": ["1-1"], "slowdown": 3}]}, [1000, 1001.216], "work 3 times as long, rank 1: 0 s of work\n")
    noise = {"noise": {"every": "100 us", "lasts": "10 us"}}
    text = "interruptions of 10 us, each 100 us of work on average at random (seed 1), all ranks: "
    ends = run("noise", both, noise, None, text)
    run("noise again", both, noise, ends, text, "--engine", "simgrid")
    if not 1010 <= ends[0] <= 1300 or ends == run("other noise", both, {"noise": noise["noise"] | {"seed": 3}}, None, text.replace("1)", "3)")):
        failures.append(f"noise: {ends}")
    run("another network", both, {"network": {"bandwidth": 2, "latency": 0.5}}, [1000, 1000.616],
        "network with 2 times the bandwidth and 0.5 times the latency: 8 links outside nodes\n")
    run("another network", both, None, [1000, 1001.016], "network with 0 times the latency: 8 links outside nodes\n", "--set", "what_if.network.latency=0")
    run("a straggler that --set states", both, None, [2000, 2001.216], "work 2 times as long, all ranks: 0.001 s of work\n", "--set", "what_if.work[0].slowdown=2")
    run("a lower limit", late, {"eager_limit": "1 kB"}, [1100.216, 1100.216], "eager limit 1000 B\n")
    run("a higher limit", late, {"eager_limit": 200000}, [0, 1000], "eager limit 200000 B\n")
    run("that between nodes", late, None, [0, 1000], "eager limit 1 MiB between nodes\n", "--set", "what_if.eager_limit.between-nodes=1MiB")
    run("that inside nodes", late, {"eager_limit": {"inside-node": "1 MiB"}}, [1100.216, 1100.216], "eager limit 1 MiB inside nodes\n")
    (folder / "s.json").write_text(json.dumps(scenario(2) | {
        "what_if": {"eager_limit": "1 kB"}, "sweep": {"vary": [{"field": "/what_if/eager_limit", "values": ["1 kB", "1 MiB"]}], "objective": "time"}}))
    expect("a sweep of limits", kakehashi(folder, "sweep", "s.json"), 0, ["best              1000.00", "default           1100.22"])
    for changes, message in (({"work": [{"ranks": [2], "slowdown": 2}]}, '/what_if/work/0/ranks/0: got 2, expected ranks from 0 to 1, as in 3 or "4-7"'),
                             ({"noise": {"every": "1 ns", "lasts": "1 ns"}}, '/what_if/noise/every: got "1 ns", expected 1 us or more')):
        (folder / "s.json").write_text(json.dumps(scenario(2) | {"what_if": changes}))
        expect("a fault", kakehashi(folder, "check", "s.json"), 2, err=f"error: s.json: {message}\n")


def profile(folder):
    """What its calls take, in the table and in JSON."""
    write(folder, {"list": PING + PONG}, 2)
    found = json.loads(kakehashi(folder, "simulate", "--format", "json", "s.json").stdout)["calls"]
    line = found["lines"][0]
    if [line[key] for key in ("call", "calls", "ranks", "time_us", "slowest_rank")] != ["recv", 1, 1, 1001.216, 1] or len(found["lines"]) != 2 or \
            found["work_us"] != [1000.0, 0.0] or found["work_imbalance"] != 1:
        failures.append(f"the profile is {found}")
    expect("a line of it", kakehashi(folder, "simulate", "s.json"), 0,
           ["# in MPI calls 50.0 % of the ranks' time: 50.0 % recv, 0.0 % send; the busiest rank works 100.0 % longer than the mean\n"])
    expect("all of it", kakehashi(folder, "simulate", "--summary", "s.json"), 0,
           ["# MPI calls: the time of all ranks in them, 50.0 % of theirs\n",
            "   50.0 %       1001.216       1000.000          0.000          1       1001.216        0.000       1001.216      0.0 %  recv, slowest rank 1\n",
            "# the busiest rank works 100.0 % longer than the mean; the one longest in MPI is there 100.0 % longer\n"])


def communicators(folder):
    """Rows of a grid of two by two, in which the traces do not tell who is in which."""
    lines = ["init|send 1 0 1 1|gather 9 9 1 1 -1|allgatherv 1 1 2 1 1|barrier", "init|recv 0 0 1 1|gather 9 9 1 1 1|allgatherv 2 1 2 1 1|barrier",
             "init|send 3 0 1 1|gather 9 9 1 1 -1|allgatherv 1 1 2 1 1|barrier", "init|recv 2 0 1 1|gather 9 9 1 1 1|allgatherv 2 1 2 1 1|barrier"]
    text = "".join(f"{rank} {line}\n" for rank, some in enumerate(lines) for line in some.split("|"))
    write(folder, {"list": text}, 4)
    fits = 'allgatherv with 5 arguments, expected at least 7: SENT COUNT… [TYPE TYPE]; it fits a communicator of 2 ranks, for which the scenario can have "communicators"\n'
    expect("no communicators", kakehashi(folder, "check", "s.json"), 2, err=[f"error: list: line 4: got {fits}"])
    for groups in ({"groups": [[0, 1], [2, 3]]}, {"blocks_of": 2}):
        write(folder, {"list": text}, 4, communicators=[{"name": "row", "calls": ["gather", "allgatherv"], **groups}])
        expect("rows", kakehashi(folder, "check", "s.json"), 0, "s.json: scenario, no faults\n")
        calls = json.loads(kakehashi(folder, "simulate", "--format", "json", "s.json").stdout)["calls"]["lines"]
        found = {(line["call"], line.get("communicator")): line["ranks"] for line in calls}
        wanted = {("gather", "row 0"): 2, ("gather", "row 1"): 2, ("barrier", "world"): 4}
        if any(found.get(key) != ranks for key, ranks in wanted.items()):
            failures.append(f"rows: {found}")
    write(folder, {"list": "0 init\n0 bcast 4 0 1\n1 init\n1 bcast 4 0 1\n2 init\n"}, 3)
    expect("a rank that lacks a call", kakehashi(folder, "check", "s.json"), 2,
           err=f"error: list: line 2: rank 0 calls bcast of 16 B with root 0 as its collective call number 1, but rank 2 makes only 0{ADVICE}")
    write(folder, {"list": "0 init\n0 comm_split\n0 alltoall 9 9 1 1\n1 init\n1 comm_split\n1 alltoall 9 9 1 1\n"}, 2)
    warning = ("warning: list: line 2: communicators of some ranks are made here, and the traces do not state which calls are in them: 2 collective "
               'calls after it count as calls of all ranks. "communicators" in the scenario can state theirs, and a recording of '
               '`kakehashi record` has them\n')
    expect("comm_split", kakehashi(folder, "check", "s.json"), 0, "s.json: scenario, no faults\n", err=warning)
    for given, message in (({"name": "x", "calls": ["send"], "blocks_of": 1}, '/0/calls/0: got "send", expected the word of a collective call, such as "alltoall"'),
                           ({"name": "x", "groups": [[0], [0]]}, "/0/groups/1/0: got rank 0 twice, expected each rank only once"),
                           ({"name": "x", "groups": [[2]]}, "/0/groups/0/0: got rank 2, expected a rank from 0 to 1"),
                           ({"name": "x"}, "/0: got none or several of groups, blocks_of and strided_by, expected exactly one"),
                           ({"name": "x", "blocks_of": 1, "turn": [3, 2]}, "/0/turn/0: got turn 3 of 2, expected at most the second number")):
        write(folder, {"list": PING + PONG}, 2, communicators=[given])
        expect("communicators", kakehashi(folder, "check", "s.json"), 2, err=f"error: s.json: /workload/replay/communicators{message}\n")
    write(folder, {"list": PING + PONG}, 2, derived_type={"any": "4 B", "tga 7": "8 B"})
    expect("derived types", kakehashi(folder, "check", "s.json"), 2,
           err='error: s.json: /workload/replay/derived_type/tga 7: got "tga 7", expected any, the number of a data type, a tag such as "tag 7", or a '
               'word of the traces such as "bcast"\n')


def as_binary(ranks):
    """What txt2bin makes of these: for each rank (kind, peer, size or ns, tag, operations that wait for its end), …."""
    parts = []
    for operations in ranks:
        indices = [index for operation in operations for index in operation[4]]
        part = struct.pack("<II", len(operations), 0)
        begin = 0
        for kind, peer, size, tag, after in operations:
            part += struct.pack("<IBIQIBBIIII", 0, kind, peer, size, tag, 0, 0, len(after), begin, 0, begin)
            begin += len(after)
        parts.append(part + struct.pack(f"<{len(indices)}I", *indices))
    ends = list(itertools.accumulate([6 + 16 * len(parts), *map(len, parts)]))
    table = b"".join(struct.pack("<QQ", *pair) for pair in zip(ends, ends[1:]))
    return struct.pack("<QIBB", 4223, len(parts), 0, 0) + table + b"".join(parts)


def binary_goal(folder, write_goal):
    """It takes the time of its text; places of faults are operations."""
    write_goal("num_ranks 2\nrank 0 {\na: calc 1500\nb: send 1000b to 1 tag 3\nb requires a\n}\nrank 1 {\nrecv 1000b from -1 tag -1\n}\n", 2)
    text = kakehashi(folder, "simulate", "--format", "csv", "s.json")
    (folder / "x.goal").write_bytes(as_binary([[(3, 0, 1500, 0, [1]), (1, 1, 1000, 3, [])], [(2, 2**32 - 1, 1000, 2**32 - 1, [])]]))
    expect("binary goal", kakehashi(folder, "simulate", "--format", "csv", "s.json"), 0, text.stdout)
    (folder / "x.goal").write_bytes(as_binary([[], [(2, 0, 1, 4, [])]]))
    expect("binary goal without a send", kakehashi(folder, "simulate", "s.json"), 1,
           err=["rank 1 (x.goal: operation 1): wait for any of its requests, 1 of them open; irecv from rank 0 (tag 4) of operation 1\n"])
    (folder / "x.goal").write_bytes(b"\x02\0\0\0\x08\0\0\0")
    expect("neither text nor binary goal", kakehashi(folder, "check", "s.json"), 2,
           err="error: x.goal: neither text nor a binary schedule, which begins with the number 4223\n")


def puts(folder, write_goal):
    """Rank 0 puts 1000 B to rank 1 (1.216 us), whose counter starts a put to rank 2 while the rank works; without the counter it would wait."""
    text = ("num_ranks 3\nrank 0 {\nput 1000b to 1 tag 10\n}\n"
            "rank 1 {\na: append 1000b to priority_list allowed 0 ct 0 use_once tag 10\nt: tput 1000b to 2 when 0 reaches 1 tag 10\nc: calc 50000\n}\n"
            "rank 2 {\na: append 1000b to priority_list allowed -1 ct 3 tag 10\nt: test 3 for 1\nc: calc 1000\nc requires t\n}\n")
    write_goal(text, 3)
    expect("puts", kakehashi(folder, "simulate", "--format", "csv", "s.json"), 0, ["2,n2.cpu,3.432000"])  # twice 1.216, and 1
    write_goal(text.replace("test 3 for 1", "test 3 for 2"), 3)
    expect("a test that waits for ever", kakehashi(folder, "simulate", "s.json"), 2,
           err=["error: x.goal: rank 2, line 12: waits for ever for counter 3 to reach 2; it got to 1\n"])


def collective_tags(folder, write_goal):
    """As schedgen's schedules, in which a message of a barrier comes before that for which a receive of any tag is."""
    write_goal("num_ranks 3\nrank 0 {\na: recv 8b from -1 tag -1\nb: recv 1b from 2 tag 1000003\nb requires a\n}\n"
               "rank 1 {\nw: calc 50000\na: send 8b to 0 tag 4\na requires w\n}\nrank 2 {\nsend 1b to 0 tag 1000003\n}\n", 3)
    warning = ("warning: x.goal: receives of any tag (line 3) may take messages of collective calls, to which schedgen gives tags from 1000000 on; "
               'with "collective_tags": 1000000 they do not, as in MPI\n')
    expect("tags of collective calls", kakehashi(folder, "simulate", "s.json"), 1, err=[warning, "rank 0 (x.goal: line 4): wait for any of its requests"])
    run = json.loads((folder / "s.json").read_text())
    run["workload"]["replay"]["collective_tags"] = 1000000
    (folder / "s.json").write_text(json.dumps(run))
    expect("tags of collective calls kept apart", kakehashi(folder, "simulate", "--format", "csv", "s.json"), 0, ["0,n0.cpu,50.224000"])


def goal(folder):
    """A dissemination, in which each message needs the one before, and faults."""
    def write_goal(text, ranks, **replay):
        (folder / "x.goal").write_text(text)
        run = scenario(ranks)
        run["workload"] = {"replay": {"goal": "x.goal", **replay}}
        (folder / "s.json").write_text(json.dumps(run))

    lines = ["num_ranks 8"]
    for rank in range(8):
        lines.append(f"rank {rank} {{")
        for step in range(3):
            lines.append(f"s{step}: send 1000b to {(rank + 2 ** step) % 8} tag 0")
            lines.append(f"r{step}: recv 1000b from {(rank - 2 ** step) % 8} tag 0")
            lines += [f"s{step} requires r{step - 1}"] if step > 0 else []
        lines.append("}")
    write_goal("\n".join(lines), 8)
    expect("goal", kakehashi(folder, "simulate", "--format", "csv", "s.json"), 0,
           printed_ends(["3.648000"] * 8))  # 3 times 1.216
    write_goal("num_ranks 2\nrank 0 {\nl1: calc 100\n}\nrank 1 {\nl1: recv 1b from 0 tag 4\n}\n", 2, slowdown={"any": 1, "cpu": 3})
    expect("goal without a send", kakehashi(folder, "simulate", "s.json"), 1,
           err="error: s.json: deadlock after 0.300 us: 1 of 2 ranks wait for ever\n"
               "  rank 1 (x.goal: line 6): wait for any of its requests, 1 of them open; irecv from rank 0 (tag 4) of line 6\n")
    lanes = "num_ranks 1\nrank 0 {\na: calc 100000 cpu 0\nb: calc 100000 cpu 1\nc: calc 100000 cpu 2\nd: calc 5600 cpu 1\nd requires a\n}\n"
    write_goal(lanes, 1)
    expect("goal of several CPUs", kakehashi(folder, "simulate", "--format", "csv", "s.json"), 0, printed_ends(["105.600000"]))
    two = "num_ranks 3\nrank 0 {\nsend 1000000b to 1\nsend 1000000b to 2\n}\nrank 1 {\nrecv 1000000b from 0\n}\nrank 2 {\nrecv 1000000b from 0\n}\n"
    for sends, share in (("side by side", 2), ("in turn", 1)):
        write_goal(two, 3, sends=sends)
        ends = json.loads(kakehashi(folder, "simulate", "--format", "json", "s.json").stdout)["rank_ends_us"]
        if abs(ends[1] - share * 1000) > 3 or abs(ends[2] - 2000) > 3:
            failures.append(f"goal with sends {sends}: ends at {ends}")
    binary_goal(folder, write_goal)
    puts(folder, write_goal)
    collective_tags(folder, write_goal)
    write_goal("num_ranks 1\nrank 0 {\nl1: clc 100\n}\n", 1)
    expect("goal with a fault", kakehashi(folder, "check", "s.json"), 2,
           err='error: x.goal: line 3: got "clc", expected calc, send, recv or a label\n')
    write_goal("num_ranks 1\nrank 0 {\n}\n", 1, speed="1 Gflop/s")
    expect("goal with a speed", kakehashi(folder, "check", "s.json"), 2,
           err='error: s.json: /workload/replay/speed: a replay of "goal" does not take this key\n')
    write_goal("num_ranks 1\nrank 0 {\n}\n", 1, ti="list")
    expect("two formats", kakehashi(folder, "check", "s.json"), 2, err=["error: s.json: /workload/replay: got several of "])


def varint(number):
    """As protobuf writes it; 64 bits."""
    number %= 1 << 64
    text = b""
    while number > 127:
        text += bytes([number & 127 | 128])
        number >>= 7
    return text + bytes([number])


def message(*fields):
    """Fields as (number, value) in protobuf's wire format: ints, texts and lists of numbers."""
    text = b""
    for number, value in fields:
        if isinstance(value, int):
            text += varint(number << 3) + varint(value)
        else:
            content = b"".join(map(varint, value)) if isinstance(value, list) else value.encode() if isinstance(value, str) else value
            text += varint(number << 3 | 2) + varint(len(content)) + content
    return text


CHAKRA_TYPES = {"metadata": 1, "comp": 4, "send": 5, "recv": 6, "coll": 7}


def chakra_binary(nodes):
    """Nodes as (id, type, duration, data_deps, attributes, inputs)."""
    messages = [message((1, "1.0.0"))]
    for number, kind, duration, waits_for, attributes, *inputs in nodes:
        values = [(10, message((1, name), (29, value) if isinstance(value, str) else (9, value))) for name, value in attributes.items()]
        messages.append(message((1, number), (2, f"node {number}"), (3, CHAKRA_TYPES[kind]), (5, waits_for), (7, duration),
                                *((8, message((1, text))) for text in inputs), *values))
    return b"".join(varint(len(each)) + each for each in messages)


def chakra_json(nodes):
    return json.dumps({"workload_graph": [{"Id": number, "Name": f"node {number}", "NodeType": CHAKRA_TYPES[kind], "runtime": duration,
                                           "data_deps": waits_for, **attributes} for number, kind, duration, waits_for, attributes, *_ in nodes]})


ALLGATHER = {"comm_type": 2, "comm_size": 1000}


def chakra(folder):
    """Overlap of work and calls, streams, process groups, messages; both forms; faults."""
    def replay(traces, ranks, form="et", **changes):
        for old in folder.glob("t.*"):
            old.unlink()
        for rank in range(ranks):
            nodes = traces[rank % len(traces)]
            (folder / f"t.{rank}.{form}").write_bytes(chakra_json(nodes).encode() if form == "json" else chakra_binary(nodes))
        run = scenario(ranks)
        run["workload"] = {"replay": {"chakra": "t", **changes}}
        (folder / "s.json").write_text(json.dumps(run))

    def ends(name, wanted, err=""):
        expect(name, kakehashi(folder, "simulate", "--format", "csv", "s.json"), 0, printed_ends(wanted), err=err)

    def fault(name, wanted):
        expect(name, kakehashi(folder, "check", "s.json"), 2, err=f"error: {wanted}\n")

    # Two ranks exchange 1000 B in 1.216 us while the second work of 50 us goes on; the third waits for both.
    one = [(1, "comp", 100, [], {}), (2, "coll", 7, [1], ALLGATHER), (3, "comp", 50, [1], {}), (4, "comp", 10, [2], {})]
    for form in ("et", "json"):
        replay([one], 2, form)
        ends(f"chakra {form}", ["160.000000"] * 2)
    replay([one[:3] + [(4, "comp", 10, [2], {"stream": 20})]], 2)
    ends("chakra with another stream", ["150.000000"] * 2)
    replay([one[:2] + [(3, "comp", 5, [2], {}), (4, "comp", 0, [99], {"num_ops": 8})]], 2)
    ends("chakra after a call", ["106.216000"] * 2, err="warning: t: 1 node of work with num_ops, but without a duration, taken to need no time; \"speed\" in the scenario makes work of them\n"
         .replace("1 node of", "2 nodes of") + "warning: t: 2 nodes to wait for, but not in the trace, taken to have ended\n")
    counted = [(1, "comp", 100, [], {"num_ops": 7}), (2, "comp", 0, [1], {"num_ops": 3000})]
    replay([counted], 2, speed="1 Gflop/s", slowdown=2)
    ends("chakra with a speed", ["203.000000"] * 2)
    replay([counted], 2, speed={"any": "1 Gflop/s", "cpu": "0.5 Gflop/s"})
    ends("chakra with a speed by device", ["106.000000"] * 2)
    beside = [(1, "comp", 100, [], {}), (2, "comp", 10, [], {"is_cpu_op": 1}), (3, "coll", 0, [2], ALLGATHER), (4, "comp", 200, [3], {"stream": 20})]
    replay([beside], 2)
    ends("chakra call beside work", ["211.216000"] * 2)
    replay([beside[:2] + [(3, "send", 0, [2], {"comm_dst": 1, "comm_size": 1000})],
            [(1, "comp", 100, [], {}), (2, "recv", 0, [], {"comm_src": 0, "comm_size": 1000}), (4, "comp", 200, [2], {"stream": 20})]], 2)
    ends("chakra message beside work", ["100.000000", "211.216000"])
    replay([one], 2, slowdown=2)
    ends("chakra slowed down", ["320.000000"] * 2)

    groups = '[\'[{"pg_name": "0", "ranks": []}, {"pg_name": "a", "ranks": [0, 2]}, {"pg_name": "b", "ranks": [1, 3]}]\']'
    in_group = [[(1, "metadata", 0, [], {}, groups), (2, "comp", 10 + 10 * rank, [], {}), (3, "coll", 0, [2], {**ALLGATHER, "pg_name": "ab"[rank % 2]})]
                for rank in range(4)]
    replay(in_group, 4)
    ends("chakra with process groups", ["31.216000", "41.216000", "30.000000", "40.000000"])
    (folder / "groups.json").write_text('{"a": [0, 2], "b": [1, 3]}')
    replay([nodes[1:] for nodes in in_group], 4, groups="groups.json")
    ends("chakra with a file of groups", ["31.216000", "41.216000", "30.000000", "40.000000"])
    replay([nodes[1:] for nodes in in_group], 4)
    fault("chakra without groups", 't.0.et: node 3: the ranks of process group "a" are not in the trace; "groups" in the scenario can name a file that has them')

    sends = [[(7, "send", 0, [], {"comm_dst": 1, "comm_size": 1000, "comm_tag": 3})], [(1, "recv", 0, [], {"comm_src": 0, "comm_size": 1000, "comm_tag": 3}), (2, "comp", 3, [1], {})]]
    replay(sends, 2)
    expect("chakra messages", kakehashi(folder, "simulate", "--format", "csv", "s.json"), 0, ["1,n1.cpu,4.216"])
    replay([[(1, "coll", 5, [], {"is_cpu_op": 1}), (2, "comp", 5, [], {}), (3, "comp", 5, [], {"is_cpu_op": 1})]], 2)
    ends("chakra on the host", ["10.000000"] * 2)

    replay(sends[1:], 2)
    expect("chakra deadlock", kakehashi(folder, "simulate", "s.json"), 1, err=["rank 1 (t: node 1): wait for any of its requests, 1 of them open; irecv from rank 0 (tag 3) of node 1\n"])
    for name, nodes, wanted in (("no size", [(5, "coll", 0, [], {"comm_type": 0})], "node 5: a message or call without comm_size"),
                                ("no size at three nodes", [(number, "coll", 0, [], {"comm_type": 0}) for number in (5, 7, 8)],
                                 "node 5: a message or call without comm_size (and at 2 more nodes)"),
                                ("no type", [(5, "coll", 0, [], {"comm_size": 8})], "node 5: a call without comm_type"),
                                ("another type", [(5, "coll", 0, [], {"comm_type": 12, "comm_size": 8})], "node 5: got comm_type 12, expected one from 0 to 9"),
                                ("no peer", [(5, "send", 0, [], {"comm_size": 8})], "node 5: got no comm_dst, expected a rank from 0 to 1"),
                                ("one id twice", [(5, "comp", 0, [], {})] * 2, "node 5: another node has this id, too"),
                                ("a circle", [(5, "comp", 0, [6], {}), (6, "comp", 0, [5], {})],
                                 "node 5: a circle: an operation (node 5) waits for an operation (node 6), which waits for an operation (node 5)")):
        replay([nodes], 2)
        fault(f"chakra with {name}", f"t.0.et: {wanted}")
    replay([one, one[:1]], 2)
    fault("chakra with different calls", 't: call number 1 in process group "world" is allgather of 1000 B of rank 0, but none of rank 1')
    replay([one], 2)
    (folder / "t.1.et").write_bytes(chakra_binary(one)[:-3])
    fault("chakra that is cut", f"t.1.et: message 4, byte {len(chakra_binary(one[:-1]))}: a message that ends behind the end of the file")
    (folder / "t.1.et").unlink()
    fault("chakra without a file", "t.1.et: no such file")
    (folder / "t.1.json").write_text('{"schemaVersion": 1, "traceEvents": []}')
    fault("chakra of Kineto", 't.1.json: a trace of PyTorch\'s profiler; "kineto" in the scenario reads a folder of those')
    (folder / "t.1.json").write_text('{"schema": "1.1", "nodes": []}')
    fault("chakra of PyTorch's host", "t.1.json: an execution trace of PyTorch's host, which lacks times; chakra_trace_link and chakra_converter of MLCommons "
                                      "Chakra make a graph of it and the profiler's trace")
    (folder / "t.1.json").write_text("{}")
    fault("chakra JSON without a graph", 't.1.json: got no array "workload_graph" or "nodes", and no nodes one after the other, as Chakra traces in JSON have')
    chakra_json_forms(folder, replay, ends, fault)
    chakra_groups(folder, replay, ends, fault, in_group, groups)
    chakra_calls(folder, replay, in_group)


def chakra_json_forms(folder, replay, ends, fault):
    """Nodes as protobuf's JSON has them, one after the other or in a list, and without what calls move."""
    named = {"comp": "COMP_NODE", "coll": "COMM_COLL_NODE"}

    def attributes(values, form):
        return [{"name": name, form(value): value if form is not kinds else str(value) if isinstance(value, int) else value} for name, value in values.items()]

    def kinds(value):
        return "int64Val" if isinstance(value, int) else "stringVal"

    nodes = [{"type": "COMP_NODE", "durationMicros": "100", "name": "a \"{ b \\\\"},  # a zero has no key, so this is node 0
             {"id": "1", "type": "COMM_COLL_NODE", "dataDeps": ["0"], "attr": attributes({**ALLGATHER, "is_cpu_op": 0}, kinds)},
             {"id": "2", "type": "COMP_NODE", "durationMicros": "5", "dataDeps": ["1"]}]
    replay([[]], 2)
    for old in folder.glob("t.*"):
        old.unlink()

    def write_forms(text):
        for rank in range(2):
            (folder / f"t.{rank}.json").write_text(text)

    write_forms(json.dumps({"version": "0.0.4"}, indent=2) + "".join(json.dumps(node, indent=2) for node in nodes))
    ends("chakra of its jsonizer", ["106.216000"] * 2)
    write_forms("\n".join(json.dumps(node) for node in nodes))
    ends("chakra with a node a line", ["106.216000"] * 2)
    plain = [{"id": number, "type": named[kind], "duration_micros": time, "data_deps": after, "attr": attributes(values, lambda value: "value")}
             for number, kind, time, after, values in ((0, "comp", 100, [], {}), (1, "coll", 0, [0], {**ALLGATHER, "comm_type": "ALL_GATHER"}), (2, "comp", 5, [1], {}))]
    write_forms(json.dumps({"metadata": {"version": "0.0.4"}, "nodes": plain}))
    ends("chakra with nodes", ["106.216000"] * 2)
    for node in plain:
        node["attributes"] = {each["name"]: {"int64_val": each["value"]} if isinstance(each["value"], int) else each["value"] for each in node.pop("attr")}
    write_forms(json.dumps(plain))
    ends("chakra with attributes by name", ["106.216000"] * 2)
    write_forms(json.dumps(nodes[0]) + '{"id": "x", "type": "COMP_NODE"}')
    fault("chakra with a node without an id", 't.0.json: /1: got a node without an "Id", expected a number')
    whole = json.dumps(nodes[0]) + json.dumps(nodes[1])
    write_forms(whole[:-1])
    expect("chakra of its jsonizer that is cut", kakehashi(folder, "check", "s.json"), 2, err=[f"error: t.0.json: line 1, column {len(json.dumps(nodes[0])) + 1}: not JSON: "])
    # The data of Chakra's own tests: durations alone.
    (folder / "t.0.json").unlink()
    replay([[(1, "coll", 30, [], {}), (2, "coll", 40, [1], {"is_cpu_op": 1}), (3, "coll", 50, [1], {})]], 2, "json")
    ends("chakra without what calls move", ["80.000000"] * 2, err="warning: t: 4 calls without comm_type and comm_size, taken as work of its time\n")


def chakra_groups(folder, replay, ends, fault, in_group, groups):
    """Groups whose names are numbers, the group of all, and one trace for all."""
    call = lambda name: [(1, "coll", 0, [], {**ALLGATHER, "pg_name": name})]
    all_of = '[{"pg_name": "0", "ranks": []}, {"pg_name": "1", "ranks": [0, 2]}, {"pg_name": "2.0", "ranks": [1, 3]}]'
    replay([[(0, "metadata", 0, [], {}, all_of)] + call(["1.0", "2"][rank % 2]) for rank in range(4)], 4)
    ends("chakra with groups that are numbers", ["1.216000"] * 4)
    for name in ("0", "0.0"):
        replay([call(name)], 2)
        ends(f"chakra with group {name} of all", ["1.216000"] * 2,
             err="warning: t: 2 calls in process group 0, which nothing describes, taken for PyTorch's group of all ranks\n")
    replay([[(0, "metadata", 0, [], {}, groups)] + call("0.5")], 4)
    fault("chakra with an unknown group", 't.0.et: node 1: the ranks of process group "0.5" are not in the trace; "groups" in the scenario can name a file that has them')

    for rank in range(4):
        for form in ("et", "json"):
            if form == "json" and rank:
                continue
            replay([in_group[rank]], 4, form)
            for other in range(4):
                if other != rank:
                    (folder / f"t.{other}.{form}").unlink()
            (folder / "groups.json").write_text('{"a": [0, 2], "b": [1, 3]}')
            run = json.loads((folder / "s.json").read_text())
            run["workload"]["replay"].update({"stands_for_all": True, **({"groups": "groups.json"} if form == "json" else {})})
            (folder / "s.json").write_text(json.dumps(run))
            ends(f"chakra of rank {rank} for all, {form}", [f"{11 + 10 * rank}.216000"] * 4)
    replay([[(1, "send", 0, [], {"comm_dst": 1, "comm_size": 1000}), (2, "recv", 0, [], {"comm_src": 3, "comm_size": 1000})]], 4, stands_for_all=True)
    ends("chakra messages for all", ["1.216000"] * 4)


def chakra_calls(folder, replay, in_group):
    """What calls take, beside work."""
    replay(in_group, 4)
    found = json.loads(kakehashi(folder, "simulate", "--format", "json", "s.json").stdout)["calls"]
    lines = {(line["call"], line["communicator"]): (line["calls"], line["ranks"], line["bytes"], line["time_us"], line["slowest_rank"]) for line in found["lines"]}
    if lines != {("allgather", "a"): (2, 2, 2000, 21.216, 0), ("allgather", "b"): (2, 2, 2000, 21.216, 1)} or found["mpi_us"] != [] or found["work_us"] != []:
        failures.append(f"chakra's calls: {found}")
    expect("chakra's calls in text", kakehashi(folder, "simulate", "s.json"), 0, ["# calls go on beside work, for 21.216 us allgather in a, 21.216 us allgather in b (the time of all ranks; 2 kinds in all)\n"])
    expect("chakra's calls in the summary", kakehashi(folder, "simulate", "--summary", "s.json"), 0,
           ["# calls, which go on beside work: the time of all ranks in them\n", "allgather, a, slowest rank 0\n", "allgather, b, slowest rank 1\n"])
    replay([[(1, "send", 0, [], {"comm_dst": 1, "comm_size": 1000})], [(1, "recv", 0, [], {"comm_src": 0, "comm_size": 1000})]], 2)
    found = json.loads(kakehashi(folder, "simulate", "--format", "json", "s.json").stdout)["calls"]["lines"]
    if [(line["call"], line["bytes"], line["time_us"]) for line in found] != [("recv", 0, 1.216), ("send", 1000, 0.0)]:
        failures.append(f"chakra's messages as calls: {found}")
    replay([[(1, "coll", 0, [], ALLGATHER), (2, "comp", 10, [], {}), (3, "comp", 5, [2], {})], [(1, "comp", 30, [], {}), (2, "coll", 0, [1], ALLGATHER)]], 2)
    found = json.loads(kakehashi(folder, "simulate", "--format", "json", "s.json").stdout)["calls"]["lines"]
    if [line["time_us"] for line in found] != [31.216]:
        failures.append(f"a call of chakra's beside work: {found}")


DUMPI = b"\xff\xaa\xddDUMPI"
# Numbers of functions and the forms of their arguments: b, h, i numbers of 8, 16, 32 bits, I a list of such, S states of messages.
DUMPI_CALLS = {"Send": (0, "ihiih"), "Recv": (1, "ihiihS"), "Isend": (8, "ihiihi"), "Irecv": (12, "ihiihi"), "Wait": (13, "iS"), "Test": (14, "iiS"),
               "Request_free": (15, "i"), "Waitany": (16, "iIiS"), "Waitall": (18, "iIS"), "Waitsome": (20, "iIiIS"), "Send_init": (26, "ihiihi"),
               "Recv_init": (30, "ihiihi"), "Startall": (32, "iI"), "Sendrecv": (33, "ihiiihiihS"), "Barrier": (52, "h"), "Bcast": (53, "ihih"),
               "Gatherv": (55, "iiiihih"), "Allgather": (58, "ihihh"), "Allgatherv": (59, "iihIIhh"), "Alltoallv": (61, "iIIhIIhh"), "Allreduce": (65, "ihbh"),
               "Comm_group": (72, "hh"), "Group_incl": (76, "hiIh"), "Comm_dup": (84, "hh"), "Comm_create": (85, "hhh"), "Comm_split": (86, "hiih"),
               "Cart_create": (99, "hiIIih"), "Cart_sub": (111, "ihIh"), "Init": (124, "i"), "Finalize": (125, ""), "Put": (143, "ihiiihh")}
WORLD, DOUBLE, BYTE = 2, 14, 5


def dumpi_call(start, stop, name, *values):
    """Times in us."""
    number, form = DUMPI_CALLS[name]
    text = struct.pack(">HBH", number, 0x4b, 0) + b"".join(struct.pack(">HI", time // 10**6, time % 10**6 * 1000) for time in (start, stop))
    for letter, value in zip(form, values, strict=True):
        if letter == "I":
            text += struct.pack(f">I{len(value)}i", len(value), *value)
        elif letter == "S":
            text += struct.pack(">I", len(value)) + b"".join(struct.pack(">iibbi", 0, source, 0, 0, tag) for source, tag in value)
        else:
            text += struct.pack(">" + letter, value)
    return text


def dumpi_file(calls, sizes=(), version=(1, 0, 0)):
    text = DUMPI + struct.pack(">ii", 0, 0) + calls + struct.pack(">H", 293)
    header = len(text)
    text += bytes(version) + struct.pack(">Q", 0) + struct.pack(">H", 0) * 2 + struct.pack(">I", 0) * 2
    types = len(text)
    text += struct.pack(f">I{len(sizes)}i", len(sizes), *sizes)
    return text + DUMPI + struct.pack(">7Q", types, 0, 0, header, 8, 0, 0)


def dumpi_trace(folder, ranks, **options):
    """Writes a trace, each rank's calls of a list; and a scenario."""
    for file in folder.glob("d-*.bin"):
        file.unlink()
    for rank, calls in enumerate(ranks):
        calls = [(0, 10, "Init", 0), *calls]
        (folder / f"d-{rank:04}.bin").write_bytes(dumpi_file(b"".join(dumpi_call(*call) for call in calls), **options))
    (folder / "d.meta").write_text(f"hostname=here\nnumprocs={len(ranks)}\nfileprefix=/elsewhere/d\n")
    run = scenario(len(ranks))
    run["workload"] = {"replay": {"dumpi": "d.meta"}}
    run["mpi"] = {"reduction": "0 ns/B", "copy": "0 ns/B", "communicator_start": "0 us", "collectives": "open-mpi",
                  "algorithms": {"allreduce": "recursive-doubling", "barrier": "dissemination"}}
    (folder / "s.json").write_text(json.dumps(run))


def dumpi_ends(folder, name, expected, err=None):
    done = kakehashi(folder, "simulate", "--format", "json", "s.json")
    found = json.loads(done.stdout)["rank_ends_us"] if done.returncode == 0 else done.stderr
    if found != expected or (err is not None and done.stderr != err):
        failures.append(f"{name}: {found}, not {expected}\n{done.stderr}")


def dumpi(folder):
    """Traces that are written here; a message of 8 B takes 0.224 us, one of 1000 B 1.216 us, and one without bytes 0.216 us."""
    message = (125, DOUBLE)
    # Rank 0 works 100 us, rank 1 waits for it.
    dumpi_trace(folder, [[(110, 111, "Send", *message, 1, 3, WORLD)], [(10, 111, "Recv", *message, 0, 3, WORLD, [])]])
    dumpi_ends(folder, "dumpi", [100.0, 101.216])
    expect("check of dumpi", kakehashi(folder, "check", "s.json"), 0, "s.json: scenario, no faults\n", err="")
    run = json.loads((folder / "s.json").read_text())
    for place in ("d.meta", "."):
        run["workload"]["replay"]["dumpi"] = place
        (folder / "s.json").write_text(json.dumps(run))
        dumpi_ends(folder, f"dumpi from {place}", [100.0, 101.216])
    # A receive from any rank takes what it took: rank 2's message, which comes 50 us later.
    dumpi_trace(folder, [[(10, 11, "Irecv", *message, -1, -1, WORLD, 5), (11, 90, "Wait", 5, [(2, 7)]), (90, 91, "Recv", *message, 1, 7, WORLD, [])],
                         [(10, 11, "Send", *message, 0, 7, WORLD)], [(60, 61, "Send", *message, 0, 7, WORLD)]])
    dumpi_ends(folder, "dumpi: any rank", [51.216, 0.0, 50.0])
    # To nobody and from nobody, whom some libraries number as any.
    dumpi_trace(folder, [[(10, 11, "Sendrecv", *message, 1, 3, *message, -1, 3, WORLD, [(-1, -1)]), (11, 12, "Irecv", *message, -1, 3, WORLD, 4), (12, 13, "Waitall", 1, [4], [(-1, -1)])],
                         [(10, 11, "Sendrecv", *message, -2, 3, *message, 0, 3, WORLD, [(0, 3)])]])
    dumpi_ends(folder, "dumpi: nobody", [0.0, 1.216])
    # Three starts of persistent requests, 20 us of work between them.
    start = [(20 * i + 12, 20 * i + 13, "Startall", 1, [9]) for i in range(3)]
    wait = [(20 * i + 13, 20 * i + 14, "Waitall", 1, [9], []) for i in range(3)]
    loop = [call for pair in zip(start, wait) for call in pair]
    free = (60, 61, "Request_free", 9)
    dumpi_trace(folder, [[(10, 12, "Send_init", *message, 1, 3, WORLD, 9), *loop, free], [(10, 12, "Recv_init", *message, 0, 3, WORLD, 9), *loop, free]])
    dumpi_ends(folder, "dumpi: persistent", [42.0, 43.216])
    dumpi_communicators(folder)
    dumpi_faults(folder)


def dumpi_communicators(folder):
    """Numbers of communicators are a rank's own: what 5 is for one is 7 for another."""
    # Even and odd ranks, in reverse order: rank 2 is the first of the even ones, and sends 8 B to rank 0, which is 1 there.
    def split(rank, number, *more):
        return [(10, 11, "Comm_split", WORLD, rank % 2, -rank, number), *more]
    dumpi_trace(folder, [split(0, 4, (11, 12, "Recv", 1, DOUBLE, 0, 3, 4, [])), split(1, 5), split(2, 7, (11, 12, "Send", 1, DOUBLE, 1, 3, 7)), split(3, 4)])
    found = json.loads(kakehashi(folder, "simulate", "--format", "json", "s.json").stdout)["rank_ends_us"]
    if abs(found[0] - found[2] - 0.224) > 1e-9:
        failures.append(f"dumpi: split: {found}")
    # Rows of a grid of 2x2, a group of ranks 3 and 1, and what all of these call.
    def calls(rank):
        grid = [(10, 11, "Cart_create", WORLD, 2, [2, 2], [0, 0], 0, 4), (11, 12, "Cart_sub", 2, 4, [0, 1], 5), (12, 13, "Allgather", 3, DOUBLE, 3, DOUBLE, 5)]
        group = [(13, 14, "Comm_group", WORLD, 3), (14, 15, "Group_incl", 3, 2, [3, 1], 4), (15, 16, "Comm_create", WORLD, 4, 6 if rank % 2 else 1)]
        return grid + group + ([(16, 17, "Bcast", 5, DOUBLE, 0, 6)] if rank % 2 else []) + [(17, 18, "Comm_dup", WORLD, 8), (18, 19, "Allreduce", 1, DOUBLE, 3, 8)]
    dumpi_trace(folder, [calls(rank) for rank in range(4)])
    lines = json.loads(kakehashi(folder, "simulate", "--format", "json", "s.json").stdout)["calls"]["lines"]
    found = sorted((line["call"], line["bytes"], line["calls"]) for line in lines)
    # Ranks gather 8 B when they make a communicator: four a time of the world, three times, and once of the grid. Rows gather 24 B a rank.
    if found != [("allgather", 32, 4), ("allgather", 48, 2), ("allgather", 48, 2), ("allgather", 96, 12), ("allreduce", 32, 4), ("bcast", 80, 2)]:
        failures.append(f"dumpi: calls in communicators: {found}")
    # A type whose size the recorder noted, blocks of several sizes, and what is left out.
    sizes = [0] * 30 + [240]
    blocks = (2, 1, DOUBLE, [1, 2], [0, 1], DOUBLE, WORLD)
    dumpi_trace(folder, [[(10, 11, "Isend", 2, 30, 1, 3, WORLD, 2), (11, 12, "Put", 1, BYTE, 1, 0, 1, BYTE, 1), (12, 13, "Waitsome", 1, [2], 1, [0], []), (13, 14, "Allgatherv", *blocks)],
                         [(10, 11, "Recv", 2, 30, 0, 3, WORLD, []), (11, 12, "Allgatherv", *blocks)]], sizes=sizes)
    done = kakehashi(folder, "simulate", "--format", "json", "s.json")
    found = sorted((line["call"], line["bytes"]) for line in json.loads(done.stdout)["calls"]["lines"])
    if ("recv", 480) not in found and ("send", 480) not in found and ("isend", 480) not in found:
        failures.append(f"dumpi: a type: {found}")
    expect("check of what is left out", kakehashi(folder, "check", "s.json"), 0, "s.json: scenario, no faults\n", err="warning: d.meta: 1 call of MPI_Put is left out\n")


def damage(form, folder, cases, pick, scenario, named, is_cut=False):
    """Each file that `pick` picks has some wrong bytes once, and may be cut: it is read, or an error names it."""
    chance, whole, found = random.Random(1), {}, collections.Counter()
    for case in range(cases):
        file = pick(chance)
        content = bytearray(whole.setdefault(file, file.read_bytes()))
        for _ in range(chance.choice((1, 4, 16))):
            content[chance.randrange(len(content))] = chance.randrange(256)
        file.write_bytes(content[:chance.randrange(len(content))] if is_cut and chance.random() < 0.5 else content)
        checked = kakehashi(folder, "check", scenario)
        found[checked.returncode] += 1
        if checked.returncode not in (0, 2) or (checked.returncode == 2) != checked.stderr.startswith(f"error: {named}"):
            failures.append(f"damaged {form} {case}: exit code {checked.returncode}\n{checked.stderr}")
    if min(found[0], found[2]) == 0:
        failures.append(f"damaged {form}: all are alike: {found}")


def dumpi_faults(folder):
    pair = [[(110, 111, "Send", 1, DOUBLE, 1, 3, WORLD)], [(10, 111, "Recv", 1, DOUBLE, 0, 3, WORLD, [])]]
    init = dumpi_call(0, 10, "Init", 0)
    place = 8 + 8 + len(init)
    def calls(*more):
        return dumpi_file(init + b"".join(more))
    good = calls(dumpi_call(10, 11, "Barrier", WORLD))
    huge = struct.pack(">HBH", 18, 0x43, 0) + struct.pack(">II", 1, 2**31)
    cases = {  # the file of rank 0, and the message
        "no dumpi": (b"x" * 100, "d-0000.bin: byte 0: not a file of DUMPI"),
        "a cut file": (good[:-20], f"d-0000.bin: byte {len(good) - 84}: the file is cut: there are no places of its parts at its end"),
        "an empty file": (b"", "d-0000.bin: byte 0: the file ends here, which is too early"),
        "an old file": (dumpi_file(init, version=(0, 6, 4)), f"d-0000.bin: byte {place + 2}: got version 0.6.4, expected 0.6.9 or later"),
        "an unknown call": (calls(struct.pack(">HB", 500, 0)), f"d-0000.bin: byte {place}: got a call with number 500, expected one that DUMPI knows"),
        "a huge list": (calls(huge), f"d-0000.bin: byte {place}: got a list of 2147483648 entries in Waitall, expected at most what the file's "),
        "no such rank": (calls(dumpi_call(10, 11, "Send", 1, DOUBLE, 2, 3, WORLD)), f"d-0000.bin: byte {place}: MPI_Send: got rank 2, expected one of the 2 of its communicator"),
        "no such root": (calls(dumpi_call(10, 11, "Bcast", 1, DOUBLE, -1, WORLD)), f"d-0000.bin: byte {place}: MPI_Bcast: got root -1, expected one of the 2 ranks of its communicator"),
        "a negative count": (calls(dumpi_call(10, 11, "Send", -1, DOUBLE, 1, 3, WORLD)), f"d-0000.bin: byte {place}: MPI_Send: got -1 elements, expected at least none"),
        "too few blocks": (calls(dumpi_call(10, 11, "Allgatherv", 1, 1, DOUBLE, [1], [0], DOUBLE, WORLD)), f"d-0000.bin: byte {place}: MPI_Allgatherv: got 1 block, expected 2, one for each rank"),
    }
    for name, (content, message) in cases.items():
        dumpi_trace(folder, pair)
        (folder / "d-0000.bin").write_bytes(content)
        expect(f"dumpi: {name}", kakehashi(folder, "check", "s.json"), 2, err=[f"error: {message}"])
    dumpi_trace(folder, pair)
    (folder / "d.meta").write_text("numprocs=2\n")
    expect("dumpi: no meta file", kakehashi(folder, "check", "s.json"), 2, err="error: d.meta: no .meta file of DUMPI: expected lines numprocs=… and fileprefix=…\n")
    dumpi_trace(folder, pair)
    (folder / "d-0001.bin").unlink()
    expect("dumpi: a lost file", kakehashi(folder, "check", "s.json"), 2, err="error: d.meta: got files of 1 rank, expected 2, as numprocs states\n")
    dumpi_trace(folder, pair)
    damage("dumpi", folder, 100, lambda chance: folder / "d-0000.bin", "s.json", "d-000")


def otf2(folder):
    """An archive that a program of ours writes, if the library is there."""
    run = scenario(4)
    run["workload"] = {"replay": {"otf2": "archive/traces.otf2", "slowdown": {"any": 1, "cpu": 2}}}
    run["mpi"] = {"reduction": "0 ns/B", "copy": "0 ns/B", "algorithms": {"allreduce": "recursive-doubling", "barrier": "dissemination"}}
    (folder / "s.json").write_text(json.dumps(run))
    if not write_otf2:
        (folder / "archive").mkdir()
        (folder / "archive/traces.otf2").write_text("")
        expect("without OTF2", kakehashi(folder, "simulate", "s.json"), 2,
               err="error: archive/traces.otf2: this program was built without OTF2; install libotf2-trace-dev and build it again\n")
        return
    subprocess.run([write_otf2, "archive"], cwd=folder, check=True)
    # Twice 100 us of work, 1.216 us for a message of 1000 B, 0.224 us for one of 8 B: 201.44 us. 2.216 us more for 2000 B from
    # rank 1 to 3. Adding a vector takes 0.2 us. The barrier's messages take 0.216 us: 3 to 0, and on to 2; and 3 to 1. Rank 3 works
    # twice 50 us more.
    ends = ["204.072000", "204.072000", "204.288000", "303.856000"]
    expect("otf2", kakehashi(folder, "simulate", "--format", "csv", "s.json"), 0,
           printed_ends(ends))
    times = json.loads(kakehashi(folder, "simulate", "--format", "json", "s.json").stdout)["summary"]["ranks"]
    sums = [sum(rank[f"{part}_us"] for part in ("compute", "overhead", "waiting", "transfer")) for rank in times]
    if any(abs(found - float(end)) > 1e-6 for found, end in zip(sums, ends)):
        failures.append(f"otf2: times add up to {sums}, not {ends}")
    expect("check of otf2", kakehashi(folder, "check", "s.json"), 0, "s.json: scenario, no faults\n")
    subprocess.run([write_otf2, "long", "5000"], cwd=folder, check=True)  # more records than are read at a time
    long = run | {"workload": {"replay": {"otf2": "long/traces.otf2"}}}
    (folder / "long.json").write_text(json.dumps(long))
    stream = kakehashi(folder, "simulate", "--format", "json", "long.json")
    expect("long otf2", stream, 0, ['"messages_simulated": 5000'])
    ends = json.loads(stream.stdout)["rank_ends_us"]
    if ends != [3.0, 5003.216, 0.0, 0.0]:  # one after the other, 0.216 us before the first; 3 us of work at the end
        failures.append(f"long otf2: ends at {ends}")
    as_tools_write(folder, run)
    damaged(folder, run)
    run["ranks"].pop()
    (folder / "s.json").write_text(json.dumps(run))
    expect("otf2 with other ranks", kakehashi(folder, "check", "s.json"), 2,
           err="error: archive/traces.otf2: got 4 ranks, expected 3, as in the scenario\n")
    (folder / "archive/traces/12.evt").unlink()
    run["ranks"].append("n3.cpu")
    (folder / "s.json").write_text(json.dumps(run))
    expect("otf2 without a rank's events", kakehashi(folder, "check", "s.json"), 2, err=["error: archive/traces.otf2: rank 2, event 0: "])
    (folder / "archive/traces.otf2").write_text("no archive")
    expect("no otf2", kakehashi(folder, "check", "s.json"), 2, err="error: archive/traces.otf2: not an OTF2 archive\n")


def as_tools_write(folder, run):
    """A ring of 1 MB by sendrecv in 1000.416 us: a request and a grant of 0.2 us each, at the least. 200 us of work, then an allreduce
    of two steps of 0.224 us."""
    subprocess.run([write_otf2, "tools", "tools"], cwd=folder, check=True)
    (folder / "tools.json").write_text(json.dumps(run | {"workload": {"replay": {"otf2": "tools/traces.otf2", "slowdown": 2}}}))
    warnings = ("warning: tools/traces.otf2: 1 call of MPI_Put has no record of what it moved, and is left out\n"
                "warning: tools/traces.otf2: 1 receive is begun, and the archive has no record of the end; it is left out\n")
    expect("check of what tools write", kakehashi(folder, "check", "tools.json"), 0, "tools.json: scenario, no faults\n", err=warnings)
    found = json.loads(kakehashi(folder, "simulate", "--format", "json", "tools.json").stdout)
    calls = {line["call"]: line["calls"] for line in found["calls"]["lines"]}
    if calls != {"sendrecv": 4, "iallreduce": 4, "wait": 4} or not all(1200 < end < 1202 for end in found["rank_ends_us"]):
        failures.append(f"what tools write: {found['rank_ends_us']}, {calls}")


def damaged(folder, run):
    """Archives with some wrong bytes, which the library that reads them believes."""
    (folder / "damaged.json").write_text(json.dumps(run | {"workload": {"replay": {"otf2": "damaged/traces.otf2"}}}))
    def one_of_a_copy(chance):
        shutil.rmtree(folder / "damaged", ignore_errors=True)
        shutil.copytree(folder / "archive", folder / "damaged")
        return chance.choice(sorted(each for each in (folder / "damaged").rglob("*.*") if each.stat().st_size > 0))
    damage("otf2", folder, 40, one_of_a_copy, "damaged.json", "damaged")


def changed_bytes(folder):
    """Binary GOAL and Chakra with some wrong bytes: a schedule, or faults of it."""
    goal_text = as_binary([[(3, 0, 1500, 0, [1]), (1, 1, 1000, 3, [])], [(2, 0, 1000, 3, [1]), (3, 0, 10, 0, [])]])
    chakra_text = chakra_binary([(1, "metadata", 0, [], {}, '[{"pg_name": "a", "ranks": [0, 1]}]'), (2, "comp", 100, [], {}),
                                 (3, "coll", 0, [1, 2], {**ALLGATHER, "pg_name": "a"}), (4, "comp", 5, [3], {"is_cpu_op": 1})])
    for form, name, content in (("goal", "x", goal_text), ("chakra", "x.0.et", chakra_text)):
        (folder / "x.1.et").write_bytes(chakra_text)
        (folder / name).write_bytes(content)
        (folder / "s.json").write_text(json.dumps(scenario(2) | {"workload": {"replay": {form: "x"}}}))
        damage(form, folder, 60, lambda chance: folder / name, "s.json", "x", is_cut=True)


def many(folder):
    """More ranks than files can be open, and more text than memory is used."""
    ranks = 600
    run = scenario(1)
    run["ranks"] = {"on": ["n*.cpu"], "per_device": ranks // 8, "order": "cyclic"}
    platform = json.loads(PLATFORM.read_text())
    platform["fabrics"]["net"]["rules"].insert(0, {"scope": "inside-device", "regimes": [{"from": "0 B"}]})
    (folder / "p.json").write_text(json.dumps(platform))
    run["platform"] = "p.json"
    names = []
    for rank in range(ranks):
        names.append(f"r{rank}")
        left, right = (rank - 1) % ranks, (rank + 1) % ranks
        text = f"{rank} irecv {left} 0 8\n{rank} send {right} 0 8\n{rank} wait {left} {rank} 0\n"
        (folder / names[-1]).write_text(f"{rank} init\n{text * 4}")
    (folder / "list").write_text("\n".join(names))
    (folder / "s.json").write_text(json.dumps(run))
    apart = kakehashi(folder, "simulate", "--format", "json", "s.json", few_files=True)
    if apart.returncode != 0 or json.loads(apart.stdout)["messages_simulated"] != 4 * ranks:
        failures.append(f"many ranks: {apart.returncode} {apart.stderr}")
    (folder / "list").write_text("".join((folder / name).read_text() for name in names))
    shared = kakehashi(folder, "simulate", "--format", "json", "s.json", few_files=True)
    if json.loads(shared.stdout)["rank_ends_us"] != json.loads(apart.stdout)["rank_ends_us"]:
        failures.append("many ranks in one file end at other times")
    expect("table of many ranks", kakehashi(folder, "simulate", "s.json"), 0, ["# the 8 of 600 ranks that end last\n"])


def sweep(folder):
    run = scenario(2)
    run["sweep"] = {"vary": [{"order": "ranks"}, {"field": "/workload/replay/speed", "values": ["1 Gflop/s", "2 Gflop/s"]}]}
    write(folder, {"list": "r0\nr1\n", "r0": PING, "r1": PONG}, 2)
    (folder / "s.json").write_text(json.dumps(run))
    expect("sweep", kakehashi(folder, "sweep", "--quiet", "s.json"), 0, ["best", "501.2", "2 Gflop/s"])


def recorded(folder):
    """The example is compiled, recorded and replayed, by SimGrid too."""
    def shell(command):
        run = subprocess.run(command, cwd=folder, shell=True, capture_output=True, text=True, timeout=300)
        if run.returncode != 0:
            failures.append(f"{command}: {run.stdout[-1000:]}{run.stderr[-1000:]}")
        return run.stdout + run.stderr

    (folder / "hosts").write_text("".join(f"n{rank}\n" for rank in range(5)))
    shutil.copy(root / "scenarios/heat/heat.c", folder)
    shutil.copy(root / "tests/replay/homogeneous.xml", folder)
    shell("smpicc -O2 heat.c -o heat")
    shell("smpirun -np 5 -hostfile hosts -platform homogeneous.xml -trace-ti --cfg=tracing/filename:list --cfg=smpi/host-speed:1Gf ./heat")
    write(folder, {}, 5)
    expect("check of what was recorded", kakehashi(folder, "check", "s.json"), 0, "s.json: scenario, no faults\n")
    run = kakehashi(folder, "simulate", "--format", "json", "s.json")
    expect("replay of what was recorded", run, 0, ["rank_ends_us"])
    theirs = shell("smpirun -np 5 -hostfile hosts -platform homogeneous.xml -replay list --cfg=network/model:CM02")
    seconds = max((float(line.split()[-1]) for line in theirs.splitlines() if "Simulation time" in line), default=0)
    ours = json.loads(run.stdout)["time_us"] * 1e-6
    if not abs(ours / seconds - 1) < 0.05:
        failures.append(f"what was recorded takes {ours} s, and {seconds} s by smpirun")


# scenarios/traces/…: the platform and the fabric, and the arguments that give it.
SHIPPED = {
    "pingpong": ("tca-mic", "intel-mpi", "--benchmark", "imb-pingpong", "--ranks", "node0.cpu0,node1.cpu0", "--sizes", "8 B,1 KiB,64 KiB,1 MiB"),
    "sendrecv": ("tca-mic", "intel-mpi", "--benchmark", "imb-sendrecv", "--ranks", "node[0-7].cpu0", "--sizes", "1 KiB,64 KiB"),
    "allgather": ("tca-mic", "intel-mpi", "--benchmark", "imb-allgather", "--ranks", "node[0-7].cpu0", "--sizes", "1 KiB,64 KiB"),
    "allreduce-ring": ("tca-mic", "intel-mpi", "--benchmark", "imb-allreduce", "--ranks", "node[0-3].cpu0", "--sizes", "64 KiB",
                       "--set", '/mpi/algorithms/allreduce="ring"'),
    "pingpong-mic2": ("colfax-mic", "dapl", "--benchmark", "imb-pingpong", "--ranks", "node[0-1].mic2", "--sizes", "64 B,64 KiB,4 MiB"),
    "ring-mics": ("colfax-mic", "dapl", "--benchmark", "ring", "--ranks", "node0.mic0,node0.mic1,node0.mic2,node0.mic3,node1.mic0",
                  "--sizes", "4 MiB", "--set", "workload.repetitions=3"),
    "sendrecv-mic0": ("intel-mpss", "dapl", "--benchmark", "imb-sendrecv", "--ranks", "host.cpu0,host.mic0", "--sizes", "64 B,64 KiB,4 MiB"),
    "allgather-mics": ("colfax-mic", "dapl", "--benchmark", "imb-allgather", "--ranks", "node[0-1].mic[0-3]", "--sizes", "1 KiB,256 KiB"),
}


def puts_as_sends(folder, words):
    """Puts are written as sends, with the list that smpirun reads and the hosts of the ranks."""
    expect("export of puts", kakehashi(folder, "export", "--trace", "ti", "--output", "a", *words), 0, "",
           "note: puts are written as sends, which their targets receive with cores of theirs\n")
    if (folder / "a.list").read_text() != "a.ti\n":
        failures.append("the list is not that of the trace")
    if (folder / "a.hosts").read_text() != "".join(f"x{x}y{y}z{z}.cpu\n" * 2 for z in (0, 1) for y in (0, 1) for x in (0, 1)):
        failures.append(f"the hosts are not those of the ranks: {(folder / 'a.hosts').read_text()}")
    (folder / "puts.json").write_text(json.dumps({
        "name": "puts", "platform": words[1], "fabric": "tofu", "ranks": {"on": ["x[0-1]y[0-1]z[0-1].cpu"], "per_device": 2},
        "workload": {"replay": {"ti": "a.list", "speed": "1 Gflop/s"}}, "mpi": {"progress": "hardware"}}))
    run = kakehashi(folder, "simulate", "--quiet", "--format", "json", "puts.json")
    expect("replay of puts", run, 0, ["time_us"])
    whole = json.loads(kakehashi(folder, "simulate", "--quiet", "--whole", "--summary", "--format", "json", *words).stdout)["summary"]["duration_us"]
    ours = json.loads(run.stdout)["time_us"]
    if abs(ours / whole - 1) > 0.1:  # receives take time that puts do not, and a rank sends when it has received
        failures.append(f"puts take {whole} us, and as sends {ours} us")
    expect("output without a trace", kakehashi(folder, "export", "--output", "a", "--fabric", "dapl", str(root / "platforms/colfax-mic.json")), 2,
           err="error: --output goes with --trace ti\n")
    expect("a pair with a trace", kakehashi(folder, "export", "--trace", "ti", "--between", "a,b", *words), 2,
           err="error: --between goes with --to simgrid\n")


def exported(folder):
    """A benchmark and the trace that is written of it take the same time, whichever form that has; shipped traces are what is written."""
    def at(platform, fabric, *words):
        return ("--platform", str(root / f"platforms/{platform}.json"), "--fabric", fabric, *words)

    place = at("tca-mic", "intel-mpi")
    steps = {"name": "steps", "platform": place[1], "fabric": "intel-mpi", "ranks": ["node0.cpu0", "node1.cpu0"], "workload": {"steps": [
        [{"do": "irecv", "from": 1, "tag": 1}, {"do": "isend", "to": 1, "bytes": "1 MiB", "tag": 2}, {"do": "compute", "time": "7 us"}, {"do": "waitall"},
         {"do": "send", "to": 1, "bytes": "100 B"}],
        [{"do": "compute", "time": "30 us"}, {"do": "send", "to": 0, "bytes": "300 KiB", "tag": 1}, {"do": "recv", "from": 0, "tag": 2}, {"do": "recv", "from": 0}]]}}
    (folder / "steps.json").write_text(json.dumps(steps))
    for name, words in {**{name: at(*words) for name, words in SHIPPED.items()}, "steps": ("steps.json",)}.items():
        platform, fabric = (words[1], words[3]) if name in SHIPPED else (place[1], place[3])
        whole = kakehashi(folder, "simulate", "--quiet", "--whole", "--engine", "fluid", "--summary", "--format", "json", *words)
        expect(f"{name} itself", whole, 0, ["duration_us"])
        time = json.loads(whole.stdout)["summary"]["duration_us"]
        ranks = json.loads(whole.stdout)["ranks"]
        for form, replay in ("ti", {"speed": "1 Gflop/s"}), ("goal", {}):
            written = kakehashi(folder, "export", "--trace", form, *words)
            expect(f"export of {name} as {form}", written, 0, ["0 init\n" if form == "ti" else "num_ranks "])
            (folder / f"{name}.{form}").write_text(written.stdout)
            shipped = root / f"scenarios/traces/{name}.{form}"
            if name in SHIPPED and shipped.read_text() != written.stdout:
                failures.append(f"{shipped} differs from what is exported")
            (folder / "again.json").write_text(json.dumps({"name": "again", "platform": platform, "fabric": fabric, "ranks": ranks,
                                                           "workload": {"replay": {form: f"{name}.{form}", **replay}}}))
            again = kakehashi(folder, "simulate", "--quiet", "--engine", "fluid", "--format", "json", "again.json")
            expect(f"replay of {name} as {form}", again, 0, ["time_us"])
            found = json.loads(again.stdout or '{"time_us": 0}')["time_us"]
            if abs(found / time - 1) > 0.005:
                failures.append(f"{name}: {time} us, as {form} {found} us")
    expect("no trace of gets", kakehashi(folder, "export", "--trace", "ti", *place, "--benchmark", "osu-get-latency", "--ranks",
                                         "node0.cpu0,node1.cpu0", "--sizes", "8 B"), 1, err=["error: rank 0: traces have no "])
    puts_as_sends(folder, at("fx10-tofu", "tofu", "--benchmark", "osu-alltoall", "--ranks", "x[0-1]y[0-1]z[0-1].cpu", "--per-device", "2",
                    "--sizes", "4 KiB"))
    expect("options without a trace", kakehashi(folder, "export", "--sizes", "8 B", str(root / "platforms/tca-mic.json")), 2,
           err="error: options of scenarios go with --trace\n")


for test in (exported, forms, faults, left_out, overlap, what_if, profile, communicators, goal, chakra, changed_bytes, dumpi, otf2, many, sweep, recorded):
    with tempfile.TemporaryDirectory() as name:
        test(pathlib.Path(name))
finish("all replays are as expected")
