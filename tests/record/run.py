#!/usr/bin/env python3
"""Records programs with each MPI that is there, and compares message by message what was sent with what a replay simulates. Also
ends of all kinds, damaged files, and what `record` refuses. Usage: run.py KAKEHASHI ROOT [growth]

growth: instead of these, what recordings tell of more ranks, message by message."""
import collections
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

import reading

program, root = (str(pathlib.Path(word).resolve()) for word in sys.argv[1:3])
here = pathlib.Path(root, "tests/record")
ranks = 4
failures = []
os.environ |= {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1",
               "OMPI_MCA_btl_base_warn_component_unused": "0"}


def run(folder, *words, timeout=600):
    return subprocess.run([str(word) for word in words], cwd=folder, capture_output=True, text=True, timeout=timeout)


def kakehashi(folder, *words):
    return run(folder, program, *words)


def expect(what, done, code, out=(), err=()):
    missing = [text for text in out if text not in done.stdout] + [text for text in err if text not in done.stderr]
    if done.returncode != code or missing:
        failures.append(f"{what}: exit code {done.returncode}, without {missing}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done


def scenario(folder, recording, count=ranks, **keys):
    file = folder / f"{recording}.json"
    file.write_text(json.dumps({
        "name": recording, "platform": f"{root}/platforms/colfax-mic.json", "fabric": "dapl",
        "ranks": (["node0.cpu0", "node0.cpu1", "node0.mic0", "node0.mic1"] * count)[:count], "workload": {"replay": {"recorded": recording} | keys}}))
    return file.name


def simulated(folder, recording, count=ranks, **keys):
    """The messages of a replay: how often each rank sends so many bytes to each other."""
    line = folder / f"{recording}-line.json"
    expect(f"simulate {recording}", kakehashi(folder, "simulate", "--timeline", line, scenario(folder, recording, count, **keys)), 0)
    if not line.exists():
        return None
    found = collections.Counter()
    for event in json.loads(line.read_text())["traceEvents"]:
        name = event.get("name", "")
        if event["ph"] == "X" and event.get("cat") == "send" and name.startswith("send to "):
            found[event["tid"] - 1, int(name.split()[-1]), event["args"]["bytes"]] += 1
    return collections.Counter({message: count for message, count in found.items() if message[0] != message[1]})


def compare(folder, case):
    sent = collections.Counter(message for message in reading.messages_of(folder / case) if message[1] >= 0 and message[0] != message[1])
    whole = simulated(folder, case)
    reading.keep_only_collectives(folder / case, folder / f"{case}-collectives")
    others = simulated(folder, f"{case}-collectives")
    if whole is None or others is None:
        return
    alone = collections.Counter(whole)
    alone.subtract(others)
    alone = +alone
    if not sent and case != "collectives":
        failures.append(f"{case}: nothing was sent")
    if alone != sent:
        failures.append(f"{case}: simulated, not sent: {alone - sent}; sent, not simulated: {sent - alone}")


def compare_calls(folder, case):
    """Collective calls by kind: how often, and their bytes. A replay has more for what makes communicators and windows, and fences."""
    shown = json.loads(kakehashi(folder, "simulate", "--format", "json", scenario(folder, case)).stdout)
    replayed = {}
    for line in shown["calls"]["lines"]:
        if line.get("communicator"):
            calls, size = replayed.get(line["call"].removeprefix("i"), (0, 0))
            replayed[line["call"].removeprefix("i")] = calls + line["calls"], size + line["bytes"]
    recorded = {}
    for name, size in reading.collectives_of(folder / case):
        calls, all_bytes = recorded.get(name, (0, 0))
        recorded[name] = calls + 1, all_bytes + size
    for name, (calls, size) in recorded.items():
        found = replayed.get(name, (0, 0))
        if found != (calls, size) and not (name in ("allgather", "barrier") and found[0] >= calls):
            failures.append(f"{case}: {name}: recorded {calls, size}, replayed {found}")


def record(folder, mpi, name, *words, count=ranks):
    return kakehashi(folder, "record", "-o", name, "--mpicc", f"mpicc{mpi}", "--", f"mpirun{mpi}", "-n", count, *words)


def test_cases(folder, mpi):
    subprocess.run([f"mpicc{mpi}", "-O1", "-w", "-pthread", here / "cases.c", "-o", "cases"], cwd=folder, check=True)
    for case in ("halo", "transpose", "persistent", "collectives", "completion", "onesided", "groups", "others"):
        expect(f"{mpi} {case}", record(folder, mpi, case, "./cases", case), 0, [f"{case}: recording of cases, 4 ranks, "],
               ["--count processor-time leaves it out\n"] if ranks > os.cpu_count() else [])
        expect(f"{mpi} check {case}", kakehashi(folder, "check", case, scenario(folder, case)), 0, ["scenario, no faults"])
        compare(folder, case)
        compare_calls(folder, case)


def test_fortran(folder, mpi):
    for form in ("header", "module", "module08"):
        built = run(folder, f"mpif90{mpi}", "-w", f"-I{here}", here / f"{form}.f90", "-o", form)
        if built.returncode != 0:
            print(f"{form}.f90 is left out: mpif90{mpi} cannot compile it")
            continue
        expect(f"{mpi} {form}", record(folder, mpi, f"fortran-{form}", f"./{form}"), 0, ["8 messages"])
        compare(folder, f"fortran-{form}")


def test_plugins(folder, mpi):
    """MPI that only a plug-in sees, as Python loads it."""
    subprocess.run([f"mpicc{mpi}", "-O1", "-w", "-shared", "-fPIC", here / "cases.c", "-o", "cases.so"], cwd=folder, check=True)
    subprocess.run(["cc", here / "host.c", "-o", "host", "-ldl"], cwd=folder, check=True)
    expect(f"{mpi} plug-in", record(folder, mpi, "plugin", "./host", "./cases.so", "halo"), 0, ["plugin: recording of host, 4 ranks, "])
    compare(folder, "plugin")
    python = "/usr/bin/python3"  # Debian's, which sees Debian's packages; its mpi4py is built for Debian's default MPI
    if mpi != ".openmpi" or run(folder, python, "-c", "import mpi4py").returncode != 0:
        print(f"mpi4py is left out with mpirun{mpi}")
        return
    expect("mpi4py", record(folder, mpi, "python", python, here / "ring.py"), 0, ["python: recording of python3, 4 ranks, ", "4 messages"])
    compare(folder, "python")
    compare_calls(folder, "python")


def test_other_recorder(folder, mpi, other):
    """A recorder that is compiled for another MPI than the program's stays out of its way."""
    done = kakehashi(folder, "record", "-o", "others-recorder", "--mpicc", f"mpicc{other}", "--", f"mpirun{mpi}", "-n", 4, "./cases", "all")
    expect(f"{mpi} with {other}'s recorder", done, 1,
           err=["cases uses another MPI than the recorder was built with, and is not recorded; choose its mpicc with --mpicc\n",
                "error: others-recorder: nothing was recorded: "])


def test_threads(folder, mpi):
    """Calls of several threads, one after the other, are a rank's calls. Calls at the same time have no such order."""
    expect(f"{mpi} serialized", record(folder, mpi, "serialized", "./cases", "serialized"), 0, ["44 messages"])
    compare(folder, "serialized")
    reason = " calls beside those of another thread: a replay needs calls of a rank one after the other (MPI_THREAD_SERIALIZED at most)\n"
    expect(f"{mpi} multiple", record(folder, mpi, "multiple", "./cases", "multiple"), 0, ["44 messages"],
           ["warning: multiple: it cannot be replayed: ", reason])
    expect(f"{mpi} replay of multiple", kakehashi(folder, "simulate", scenario(folder, "multiple")), 2,
           err=["error: multiple: it cannot be replayed: ", reason])
    expect(f"{mpi} hybrid", kakehashi(folder, "record", "-o", "hybrid", "--count", "processor-time", "--mpicc", f"mpicc{mpi}", "--",
                                      f"mpirun{mpi}", "-n", 2, "./cases", "hybrid"), 0,
           err=["warning: hybrid: not recorded, and left out: milliseconds of processor time of other threads ("])


def test_places(folder, mpi):
    """Where the program calls, and its regions, with the work in them."""
    expect(f"{mpi} regions", record(folder, mpi, "regions", "./cases", "regions"), 0, ["regions: recording of cases, 4 ranks, "])
    found = json.loads(kakehashi(folder, "simulate", "--format", "json", scenario(folder, "regions")).stdout)["calls"]
    sites = {(line["call"], line["site"].split("+")[0], line["site"].split(" ")[-1], line.get("region", "")): line["calls"] for line in found["sites"]}
    wanted = {(call, "agree", "(cases)", region): calls for call in ("allreduce", "barrier") for region, calls in (("", 8), ("step/solve", 12))}
    wanted["barrier", "regions", "(cases)", "step"] = 12
    if sites != wanted:
        failures.append(f"{mpi} places: {sites}")
    work, recorded = {line["region"]: line["work_us"] for line in found["regions"]}, reading.work_by_region(folder / "regions")
    if set(work) != {"", "step", "step/solve"} or any(abs(work[region] - recorded[region]) > 0.1 for region in work) or work["step/solve"] < 12000:
        failures.append(f"{mpi} regions: {found['regions']}, recorded: {recorded}")
    time = json.loads(kakehashi(folder, "simulate", "--format", "json", scenario(folder, "regions")).stdout)["summary"]
    path = {line["region"]: line["path_us"] for line in found["regions"]}
    waiting = sum(line["waiting_us"] for line in found["regions"]), sum(rank["waiting_us"] for rank in time["ranks"])
    if abs(sum(path.values()) - time["duration_us"]) > 0.01 or abs(waiting[0] - waiting[1]) > 0.01 or path["step/solve"] < 3000:
        failures.append(f"{mpi} path and waiting by region: {path}, {waiting}, {time['duration_us']}")
    line = folder / "regions-line.json"
    expect(f"{mpi} time line of places", kakehashi(folder, "simulate", "--timeline", line, scenario(folder, "regions")), 0)
    slices = [event["args"] for event in json.loads(line.read_text())["traceEvents"] if event["ph"] == "X" and event.get("cat") == "waiting"]
    if not slices or {(args["call"], args["site"].split("+")[0], args.get("region")) for args in slices} - {
            (call, site, region) for call in ("MPI_Allreduce", "MPI_Barrier") for site in ("agree", "regions") for region in (None, "step", "step/solve")}:
        failures.append(f"{mpi} places in a time line: {slices[:3]}")
    expect(f"{mpi} summary of places", kakehashi(folder, "simulate", "--summary", scenario(folder, "regions")), 0,
           ["# regions of the program: the time of all ranks in them\n", "  step/solve\n", "# where the program calls MPI\n", "  MPI_Allreduce, agree+0x"])
    slower = expect(f"{mpi} a slower region", kakehashi(folder, "simulate", "--format", "json", "--set", 'what_if.work=[{"region":"solve","slowdown":2}]',
                                                       scenario(folder, "regions")), 0)
    slow = {line["region"]: line["work_us"] for line in json.loads(slower.stdout)["calls"]["regions"]}
    if abs(slow["step/solve"] / work["step/solve"] - 2) > 1e-3 or abs(slow["step"] - work["step"]) > 1:
        failures.append(f"{mpi} a slower region: {slow}, not twice {work}")


def test_region(folder, mpi):
    """Only what ranks do in a region: the messages and calls of that, and no others."""
    expect(f"{mpi} parts", record(folder, mpi, "parts", "./cases", "parts"), 0, ["parts: recording of cases, 4 ranks, "])
    found = simulated(folder, "parts", region="ring")
    if found != collections.Counter({(rank, (rank + 1) % 4, 700): 5 for rank in range(4)}):
        failures.append(f"{mpi} a region: {found}")
    expect(f"{mpi} heading of a region", kakehashi(folder, "simulate", scenario(folder, "parts", region="ring")), 0,
           ["# parts: replay of region ring of parts on colfax-mic, fabric dapl\n"])
    whole = json.loads(kakehashi(folder, "simulate", "--format", "json", scenario(folder, "regions")).stdout)["calls"]
    part = json.loads(kakehashi(folder, "simulate", "--format", "json", scenario(folder, "regions", region="solve")).stdout)["calls"]
    calls = {(line["call"], line["calls"]) for line in part["lines"]}
    wanted = {(line["call"], sum(site["calls"] for site in whole["sites"] if site["call"] == line["call"] and site.get("region") == "step/solve"))
              for line in whole["lines"]}
    if calls != {pair for pair in wanted if pair[1] > 0}:
        failures.append(f"{mpi} calls of a region: {calls}, not {wanted}")
    expect(f"{mpi} no such region", kakehashi(folder, "check", scenario(folder, "parts", region="rong")), 2,
           err=['error: parts: got the region "rong", expected one of left, right, ring\n'])
    crossing = "warning: parts: 4 of 4 messages and 0 of 0 collective calls cross the border of the part"
    for key, value in (("region", "left"), ("to", "region ring")):
        expect(f"{mpi} half a message, {key}", kakehashi(folder, "simulate", scenario(folder, "parts", **{key: value})), 0, err=[crossing.replace("0 of 0", "0 of " + "01"[key == "to"])])
    if simulated(folder, "parts", **{"from": "region ring", "to": "region right"}) != found:
        failures.append(f"{mpi} from one region to another: not what is in the first")
    expect(f"{mpi} behind the end", kakehashi(folder, "simulate", scenario(folder, "parts", **{"from": "100 s"})), 2,
           err=["error: parts: no rank does anything in it from 100 s; the rank that takes longest has "])
    pair = expect(f"{mpi} two recordings", kakehashi(folder, "compare", "--format", "json", "parts", "regions"), 0)
    calls = {line["call"]: [run["calls"] for run in line["runs"]] for line in json.loads(pair.stdout)["calls"]}
    if calls.get("MPI_Sendrecv") != [20, 0] or calls.get("MPI_Allreduce") != [0, 20]:
        failures.append(f"{mpi} two recordings: {calls}")
    expect(f"{mpi} the same part of two recordings", kakehashi(folder, "compare", "--region", "ring", "parts", "parts"), 0,
           ["# A: region ring of parts: cases, 4 ranks, ", "# both make the same calls with as many bytes\n", "  MPI_Sendrecv, ring\n"])


def test_communicators(folder, mpi):
    """Two are split off 4 ranks, and that of each 2 copied: what ranks agree by, and their own time."""
    def replay(library, start):
        line = folder / "made.json"
        done = kakehashi(folder, "simulate", "--quiet", "--format", "json", "--timeline", line, "--set", f"mpi.collectives={library}",
                         "--set", f'mpi.communicator_start="{start} us"', scenario(folder, "transpose"))
        expect(f"{mpi} communicators", done, 0)
        sizes = collections.Counter(event["args"]["bytes"] for event in json.loads(line.read_text())["traceEvents"]
                                    if event["ph"] == "X" and event.get("cat") == "send")
        return json.loads(done.stdout)["time_us"], sizes
    time, sizes = replay("open-mpi", 0)
    if sizes[4] != 2 * 3 * 8 + 2 * 3 * 2: # three Allreduces of 8 messages, or 2
        failures.append(f"{mpi} communicators of Open MPI: {sizes}")
    if abs(replay("open-mpi", 104)[0] - time - 3 * 104) > 0.01:
        failures.append(f"{mpi} own time of communicators: {replay('open-mpi', 104)[0]} us, without {time} us")
    others = replay("mpich", 0)[1]
    if others[4] or not others[260]:
        failures.append(f"{mpi} communicators of MPICH: {others}")
    if replay("fixed", 0)[1][4]:
        failures.append(f"{mpi} communicators without a library: {replay('fixed', 0)[1]}")


def test_waiting(folder, mpi):
    """Ranks that polled for 20 ms did not work. (In time on a busy machine they may have: another process ran between two polls.)"""
    expect(f"{mpi} polls", kakehashi(folder, "record", "-o", "polls", "--count", "processor-time", "--mpicc", f"mpicc{mpi}", "--",
                                     f"mpirun{mpi}", "-n", ranks, "./cases", "completion"), 0, ["polls that found nothing"])
    for rank in (1, 3):
        records = list(reading.records_of(folder / f"polls/{rank}.rank"))
        work = sum(work for _, work, *_ in records)
        polls = sum(body[0] for kind, _, _, body, _ in records if kind == reading.POLLED)
        if polls < 1 or work > 3e6:
            failures.append(f"waiting: rank {rank} worked {work} ns beside {polls} polls")


def test_ends(folder, mpi):
    for how, text in (("abort", "rank 1: the end was MPI_Abort with code 3; "), ("segv", "rank 1: the end was signal 11; "),
                      ("exit", "rank 1: the end was an exit without MPI_Finalize; ")):
        done = record(folder, mpi, how, "./cases", "crash", how)
        if done.returncode == 0 or f"warning: {how}: " not in done.stderr or text not in done.stderr:
            failures.append(f"{mpi} {how}: exit code {done.returncode}\n{done.stderr[-3000:]}")
        calls = [kind for kind, *_ in reading.records_of(folder / how / "1.rank")]
        if reading.COLLECTIVE not in calls or calls[-1] != reading.END:
            failures.append(f"{mpi} {how}: rank 1 recorded {calls}")
        has_endless = "abort: 1 receive of any source or tag has no end, so nobody knows what came; left out\n" in done.stderr
        if has_endless != (how == "abort"):
            failures.append(f"{mpi} {how}: a receive without an end\n{done.stderr[-3000:]}")
    test_killed(folder, mpi)


def test_killed(folder, mpi):
    """Nothing of what was done is lost when processes are killed, and the replay goes as far as that."""
    done = record(folder, mpi, "kill", "./cases", "crash", "kill")
    if done.returncode == 0:
        failures.append(f"{mpi} kill: exit code 0")
    limited = f'mpirun{mpi} -n 4 ./cases crash limit & until [ -e there-0 -a -e there-1 -a -e there-2 -a -e there-3 ]; do sleep 0.1; done; kill $!; wait $!'
    kakehashi(folder, "record", "-o", "limit", "--mpicc", f"mpicc{mpi}", "--", "sh", "-c", limited)
    for how in ("kill", "limit"):
        kinds = [kind for kind, *_ in reading.records_of(folder / how / "1.rank")]
        if kinds.count(reading.SENDRECEIVE) != 10 or kinds.count(reading.COLLECTIVE) != 2:
            failures.append(f"{mpi} {how}: rank 1 recorded {kinds}")
        expect(f"{mpi} check {how}", kakehashi(folder, "check", how), 0,
               err=[f"{how}: the recording ends before the program: all ranks have the first 0.", "; a replay goes as far as messages go\n"])
        shown = expect(f"{mpi} simulate {how}", kakehashi(folder, "simulate", "--format", "json", scenario(folder, how)), 0,
                       err=["the recording ends before the program"])
        if json.loads(shown.stdout or "{}").get("messages_simulated", 0) < 40:
            failures.append(f"{mpi} {how}: the replay has {shown.stdout[:1000]}")


def test_cut(folder):
    """A file that ends in the middle leaves other ranks waiting, whichever engine runs them."""
    shutil.copytree(folder / "halo", folder / "cut")
    records = [data for *_, data in reading.records_of(folder / "halo/1.rank")]
    (folder / "cut/1.rank").write_bytes(reading.MAGIC + reading.frame_of(b"".join(records[:len(records) // 2])))
    expect("check cut", kakehashi(folder, "check", "cut", scenario(folder, "cut")), 0, err=["cut: rank 1: no end is recorded, as after SIGKILL; "])
    for engine in ("fluid", "simgrid"):
        done = expect(f"cut, {engine}", kakehashi(folder, "simulate", "--engine", engine, "--summary", scenario(folder, "cut")), 0,
                      ["# the trace ends before the program: 3 ranks wait for what it lacks, until nothing moves any more\n"],
                      [" (rank 1 no more), and some "])
        for line in done.stdout.splitlines():
            words = line.split()
            shares = [float(share) for share, sign in zip(words, words[1:]) if sign == "%"]
            if "node0." in line and len(shares) == 4 and abs(sum(shares) - 100) > 0.3:
                failures.append(f"cut, {engine}: shares of {line}")


def test_refusals(folder, mpi):
    compiler = f"mpicc{mpi}"
    expect("recorded", record(folder, mpi, "halo", "./cases", "halo"), 2,
           err=["error: halo: there is a recording already; --overwrite replaces it\n"])
    expect("overwritten", kakehashi(folder, "record", "-o", "halo", "--overwrite", "--mpicc", compiler, "--", f"mpirun{mpi}", "-n", 4, "./cases", "halo"), 0)
    (folder / "full").mkdir()
    (folder / "full/text").write_text("")
    expect("full", record(folder, mpi, "full", "./cases", "halo"), 2,
           err=["error: full: the folder has other files than those of a recording; name another one\n"])
    expect("no mpicc", kakehashi(folder, "record", "-o", "x", "--mpicc", "no-mpicc", "--", "true"), 2,
           err=["error: no-mpicc: no such compiler; --mpicc names that of the program's MPI\n"])
    expect("no MPI", kakehashi(folder, "record", "-o", "x", "--mpicc", compiler, "--", "true"), 1,
           err=["error: x: nothing was recorded: true did not call MPI_Init, or not with a shared library of MPI\n"])
    expect("its exit code", kakehashi(folder, "record", "-o", "x", "--mpicc", compiler, "--", "sh", "-c", "exit 7"), 7)
    expect("no program", kakehashi(folder, "record", "-o", "x", "--mpicc", compiler, "--", "./no-such"), 2, err=["error: ./no-such: cannot be run: "])
    cache, os.environ["XDG_CACHE_HOME"] = os.environ["XDG_CACHE_HOME"], "a:b"
    expect("a colon", kakehashi(folder, "record", "-o", "x", "--mpicc", compiler, "--", "true"), 2,
           err=["error: a:b/kakehashi/record-", ": the dynamic loader takes a colon or semicolon for the end of a folder's name; XDG_CACHE_HOME names another folder\n"])
    os.environ["XDG_CACHE_HOME"] = cache
    shown = expect("env", kakehashi(folder, "record", "--env", "-o", "by-script", "--mpicc", compiler), 0,
                   ["export LD_PRELOAD='", f"export KAKEHASHI_RECORD='{folder}/by-script'\n"])
    run(folder, "sh", "-c", f"{shown.stdout}mpirun{mpi} -n 4 ./cases halo")
    expect("by script", kakehashi(folder, "check", "by-script"), 0, ["recording of cases, 4 ranks"])
    expect("other ranks", kakehashi(folder, "check", scenario(folder, "halo", 3)), 2,
           err=["error: halo: got 4 ranks, expected 3, as many as are placed (the key \"grown_from\" allows others)\n"])
    expect("speed", kakehashi(folder, "check", scenario(folder, "halo", speed="1 Gflop/s")), 2, err=["work is counted in time here"])


def test_growth(folder, mpi):
    """What 8 and 27 ranks tell of 64 is what 64 do, message by message; and what no grid explains is refused."""
    subprocess.run([f"mpicc{mpi}", "-O1", "-w", here / "grid.c", "-o", "grid"], cwd=folder, check=True)
    for how, sizes in (("weak", (8, 27, 64)), ("strong", (8, 27, 64)), ("ring", (27, 64)), ("solve", (8, 27, 64)), ("halved", (64,)), ("far", (64,)), ("unlike", (64,))):
        for count in sizes:
            expect(f"{mpi} grid {how} {count}", record(folder, mpi, f"{how}{count}", "./grid", how, count=count), 0)
    for how, others in (("weak", ["weak8"]), ("ring", []), ("solve", ["solve8"])):
        grown = simulated(folder, f"{how}27", 64, grown_from=others)
        if not grown or grown != simulated(folder, f"{how}64", 64):
            failures.append(f"{mpi} {how}: what is grown differs from what was recorded: {grown}")
    shutil.copy(folder / "grid", folder / "other")
    expect(f"{mpi} other program", record(folder, mpi, "other8", "./other", "weak", count=8), 0)
    expect(f"{mpi} grown from another program", kakehashi(folder, "check", scenario(folder, "weak64", 64, grown_from=["other8"])), 0,
           err=["warning: other8: a recording of other, and weak64 is one of grid: only recordings of one program show what it does on more ranks\n"])
    text = "4 x 4 x 4 ranks from weak27 (3 x 3 x 3) and weak8: 864 messages (recorded: 864), 12528000 B (12528000 B), 896 collective calls (896) with 2568448 B (2568448 B), work "
    expect(f"{mpi} check weak", kakehashi(folder, "check", "weak64", "weak8", "weak27"), 0, [text, ", 0 ranks with other calls\n"])
    done = expect(f"{mpi} check strong", kakehashi(folder, "check", "strong8", "strong27", "strong64"), 0, [", 0 ranks with other calls\n"])
    grown, recorded = (int(done.stdout.splitlines()[-1].split(" B")[i].split()[-1].lstrip("(")) for i in (0, 1))
    if not 0.99 < grown / recorded < 1.01:
        failures.append(f"{mpi} strong: {grown} bytes, recorded {recorded}")
    expect(f"{mpi} check halved", kakehashi(folder, "check", scenario(folder, "halved64", 512, grown_from=[])), 0, ["no faults\n"],
           ["8 x 8 x 8 ranks from halved64 (4 x 4 x 4): each does what the one with the same neighbours did\n",
            "one recording does not show how messages and work change with the number of ranks"])
    expect(f"{mpi} far", kakehashi(folder, "check", scenario(folder, "far64", 512, grown_from=[])), 2,
           err=["error: far64: its ranks are on no grid, so it cannot be grown: rank 0 calls rank 2 (record "])
    expect(f"{mpi} unlike", kakehashi(folder, "check", scenario(folder, "unlike64", 125, grown_from=[])), 2,
           err=["error: unlike64: it cannot be grown: ranks 21 and 22 have the same neighbours on 4 x 4 x 4 ranks and make other calls "])
    expect(f"{mpi} check far", kakehashi(folder, "check", "weak27", "far64"), 0, ["grid: the recordings do not show what more ranks would do: far64: "])


def test_doubling(folder, mpi):
    """What 4 and 16 ranks, or 8 and 32, tell of four times as many is what these do, message by message."""
    subprocess.run([f"mpicc{mpi}", "-O1", "-w", here / "doubling.c", "-o", "doubling"], cwd=folder, check=True)
    for how, sizes in (("alike", (4, 8, 16, 32, 64)), ("unlike", (4, 16))):
        for count in sizes:
            expect(f"{mpi} doubling {how} {count}", record(folder, mpi, f"{how}-{count}", "./doubling", how, count=count), 0)
    grown = simulated(folder, "alike-16", 64, grown_from=["alike-4"])
    if not grown or grown != simulated(folder, "alike-64", 64):
        failures.append(f"{mpi} doubling: what is grown differs from what was recorded: {grown}")
    expect(f"{mpi} check doubling", kakehashi(folder, "check", *(f"alike-{count}" for count in (4, 8, 16, 32, 64))), 0,
           ["64 ranks from alike-16 (16) and alike-4 (4): 2112 messages (recorded: 2112), 4661376 B (4661376 B), ", ", 0 ranks with other calls\n"])
    expect(f"{mpi} check wide", kakehashi(folder, "check", scenario(folder, "alike-32", 128, grown_from=["alike-8"])), 0,
           err=["warning: 128 ranks from alike-32 (32) and alike-8 (8): each makes the calls that all make there; partners go on by the bits of a "
                "rank's number, and 9 stages in alike-32 are added\n"])
    expect(f"{mpi} odd", kakehashi(folder, "check", scenario(folder, "alike-16", 128, grown_from=["alike-8"])), 2,
           err=["error: alike-16: its calls are not those of alike-8 with more stages: "])
    expect(f"{mpi} doubling unlike", kakehashi(folder, "check", scenario(folder, "unlike-16", 64, grown_from=["unlike-4"])), 2,
           err=["error: unlike-16: its ranks do not make the same calls at once: ranks 0 and 1 differ (record "])


def test_damage(folder):
    """Whatever byte changes, the answer is a sentence, or nothing that matters changed."""
    rng = random.Random(1)
    files = sorted((folder / "groups").glob("*.rank"))
    contents = {file.name: reading.content_of(file) for file in files}
    whole = {file.name: file.read_bytes() for file in files}
    shutil.copytree(folder / "groups", folder / "damaged")
    name = scenario(folder, "damaged")
    for attempt in range(60):
        file = rng.choice(sorted(contents))
        for each, data in whole.items():
            (folder / "damaged" / each).write_bytes(data)
        if attempt % 3 == 0:  # the file
            data = bytearray(whole[file])
            data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
        elif attempt % 3 == 1:  # what is in it
            content = bytearray(contents[file])
            content[rng.randrange(len(content))] = rng.randrange(256)
            data = reading.MAGIC + reading.frame_of(bytes(content))
        else:
            data = whole[file][:rng.randrange(len(whole[file]))]
        (folder / "damaged" / file).write_bytes(data)
        for command in (("check", "damaged"), ("simulate", "--max-memory", "1 GiB", name)):
            done = kakehashi(folder, *command)
            if done.returncode not in (0, 1, 2) or (done.returncode > 0 and "error: " not in done.stderr):
                failures.append(f"damage {attempt}: {command}: exit code {done.returncode}\n{done.stderr[-1000:]}")


mpis = [mpi for mpi in (".openmpi", ".mpich") if shutil.which(f"mpicc{mpi}") and shutil.which(f"mpirun{mpi}")]
if not mpis:
    print("skipped: no mpicc.openmpi and mpicc.mpich, as Debian names them")
    sys.exit(77)
with tempfile.TemporaryDirectory() as cache:
    for mpi in mpis[:1] if "growth" in sys.argv[3:] else mpis:
        os.environ["XDG_CACHE_HOME"] = f"{cache}/with a blank" if mpi == mpis[0] else cache
        with tempfile.TemporaryDirectory() as text:
            folder = pathlib.Path(text).resolve()
            if "growth" in sys.argv[3:]:
                test_growth(folder, mpi)
                test_doubling(folder, mpi)
                continue
            test_cases(folder, mpi)
            test_fortran(folder, mpi)
            test_plugins(folder, mpi)
            test_threads(folder, mpi)
            for other in set(mpis) - {mpi}:
                test_other_recorder(folder, mpi, other)
            test_places(folder, mpi)
            test_region(folder, mpi)
            test_communicators(folder, mpi)
            test_waiting(folder, mpi)
            test_ends(folder, mpi)
            test_refusals(folder, mpi)
            if mpi == mpis[0]:
                test_cut(folder)
                test_damage(folder)
for failure in failures:
    print(f"FAILED {failure}")
sys.exit(bool(failures))
