#!/usr/bin/env python3
"""Records a program that uses a GPU, and replays it. The GPU is gpu/standin.c, which sleeps; it has CUDA's and CUPTI's calls, with
records as CUPTI lays them out. Usage: gpu.py KAKEHASHI ROOT"""
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

import reading

program, root = (str(pathlib.Path(word).resolve()) for word in sys.argv[1:3])
here = pathlib.Path(root, "tests/record/gpu")
failures = []
tries_left = 8  # to record again because the machine was busy
os.environ |= {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1",
               "OMPI_MCA_btl_base_warn_component_unused": "0"}


def kakehashi(*words, **variables):
    return subprocess.run([program, *(str(word) for word in words)], cwd=folder, capture_output=True, text=True, timeout=120,
                          env=os.environ | variables)


def expect(what, done, code=0, out=(), err=(), never=()):
    wrong = [text for text in out if text not in done.stdout] + [text for text in err if text not in done.stderr]
    wrong += [f"there is {text}" for text in never if text in done.stdout + done.stderr]
    if done.returncode != code or wrong:
        failures.append(f"{what}: exit code {done.returncode}, without {wrong}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done


def at_least(what, least, found):
    if not found >= least:
        failures.append(f"{what}: {found:.1f}, less than {least:.1f}")


def at_most(what, found, most):
    if not found <= most:
        failures.append(f"{what}: {found:.1f}, more than {most:.1f}")


def near(what, found, wanted, part):
    if not abs(found - wanted) <= part * wanted:
        failures.append(f"{what}: {found:.1f}, not {wanted:.1f}")


def build(mpi):
    """libcupti has nothing of its own, as what it needs has all."""
    (folder / "gpu").mkdir()
    for words in (["cc", "-O1", "-w", "-shared", "-fPIC", "-pthread", here / "standin.c", "-Wl,-soname,libcuda.so.1", "-o", "libcuda.so.1", "-ldl"],
                  ["cc", "-shared", "-Wl,--no-as-needed", "-L.", "-l:libcuda.so.1", "-o", "gpu/libcupti.so.12"],
                  [f"mpicc{mpi}", "-O1", "-w", "-pthread", here / "program.c", "-L.", "-l:libcuda.so.1", "-o", "program"]):
        subprocess.run([str(word) for word in words], cwd=folder, check=True)


def record(mpi, name, how, cupti="gpu", **variables):
    shutil.rmtree(folder / name, ignore_errors=True)
    return kakehashi("record", "-o", name, "--mpicc", f"mpicc{mpi}", "--", f"mpirun{mpi}", "-n", 2, "./program", how,
                     LD_LIBRARY_PATH=f"{folder}:{folder}/{cupti}", **variables)


def replay(name, *words):
    done = kakehashi("simulate", "--format", "json", "--platform", f"{root}/platforms/colfax-mic.json", "--fabric", "dapl",
                     "--ranks", "node0.cpu[0-1]", *words, name)
    expect(f"replay of {name} {words}", done)
    return json.loads(done.stdout or "{}")


def ranks_of(done):
    """What the ranks print: how long each took, and its own code, in us; how often it asked too soon."""
    found = sorted(re.findall(r"rank (\d) took (\S+) us, own code (\S+) us, too soon (\d+)", done.stdout))
    return [(float(time), float(own), int(asked)) for _, time, own, asked in found]


def record_quietly(mpi, name, ideal, own_code, out=(), err=(), never=(), how=None, **variables):
    """What is printed, and whether the machine was quiet: a sleep never ends too soon, but on a busy machine however late, and only
    times of a quiet one can be too long. Records again if it was not, eight times for all recordings."""
    global tries_left
    while True:
        done = expect(name, record(mpi, name, how or name, **variables), out=["took ", *out], err=err, never=never)
        quiet = all(time < ideal + 10e3 and own < own_code + 2e3 for time, own, _ in ranks_of(done))
        if quiet or failures or tries_left == 0:
            break
        tries_left -= 1
    if not quiet:
        print(f"{name}: the machine is busy; whether times are too long is not checked")
    return done, quiet


def took(done, name):
    """The longest that a rank says, and the longest before that, in us. Ranks begin when each has left a barrier; behind what they say,
    a quiet machine may be as late as before. A wait that counts twice is ten times as long and more."""
    before = []
    for rank in (0, 1):
        before.append(0)
        for kind, work, time, *_ in reading.records_of(folder / f"{name}/{rank}.rank"):
            before[rank] += work + time
            if kind == reading.COLLECTIVE:
                break
    return max(time for time, _, _ in ranks_of(done)) + max(before) / 1e3 + 10e3


def steadily(test, mpi):
    """Only the fault that stays is one: a quiet machine may be late for a moment."""
    for attempt in range(3):
        known = len(failures)
        test(mpi)
        if len(failures) == known:
            return
        if attempt < 2:
            print(f"once more, since {failures[known]}")
            del failures[known:]


def test_overlap(mpi):
    done, quiet = record_quietly(mpi, "overlap", 360e3, 150e3, never=["warning: ", "GPU, whose work"],
                                 out=[" in MPI, 10 kernels, copies and fills of GPUs in 0.960 s"])
    whole = replay("overlap")
    at_least("replay, us", 360e3, whole["time_us"])
    near("work of GPUs, us", whole["gpu_us"], 2 * 480e3, 1e-4)
    work = [sum(work for _, work, *_ in reading.records_of(folder / f"overlap/{rank}.rank")) / 1e3 for rank in (0, 1)]
    at_least("work of the host, us", 150e3, min(work))
    if quiet:
        at_most("replay, us", whole["time_us"], took(done, "overlap"))
        at_least("waiting for GPUs, us", 2 * 179e3, whole["gpu_waiting_us"])
        at_most("waiting for GPUs, us", whole["gpu_waiting_us"], 2 * 210e3)
        at_most("work of the host, us", max(work), took(done, "overlap") - 180e3)

    def time_with(gpu, host, slept):
        return max(180e3 * gpu, slept * host) + 180e3 * gpu
    late = whole["time_us"] - time_with(1, 1, max(work))
    for what, change, gpu, host in (("a faster GPU", '{"of":"device","slowdown":0.5}', 0.5, 1), ("a slower host", '{"of":"host","slowdown":2}', 1, 2),
                                    ("all slower", '{"slowdown":2}', 2, 2), ("a slower GPU of one rank", '{"of":"device","ranks":[1],"slowdown":2}', 2, 1)):
        then = replay("overlap", "--set", f"what_if.work=[{change}]")["time_us"]
        at_least(what, time_with(gpu, host, 150e3), then)
        if quiet:  # a host sleeps a bit longer than 150 ms, and sees a bit late what its GPU has done
            at_least(what, 0.99 * time_with(gpu, host, max(work)), then)
            at_most(what, then, 1.01 * time_with(gpu, host, max(work)) + late)
    expect("text", kakehashi("simulate", "--platform", f"{root}/platforms/colfax-mic.json", "--fabric", "dapl", "--ranks", "node0.cpu[0-1]", "overlap"),
           out=["# GPUs work for 9", " us in all (kernels, copies and fills: 10), and ranks wait for them for "])
    polls = [body[0] for kind, _, _, body, _ in reading.records_of(folder / "overlap/0.rank") if kind == reading.POLLED]
    calls = [body[0] for kind, _, _, body, _ in reading.records_of(folder / "overlap/0.rank") if kind == reading.DEVICE]
    if sum(polls) != ranks_of(done)[0][2] or calls != [0, 0, 2, 3, 1, 0, 5, 6, 0, 5, 4, 3]:  # the driver's calls inside the runtime's are none
        failures.append(f"polls: {polls}; calls: {calls}")


def test_default(mpi):
    """The default stream waits for others, though no call says so."""
    done, quiet = record_quietly(mpi, "default", 240e3, 0, never=["warning: "])
    whole = replay("default")["time_us"]
    faster = replay("default", "--set", 'what_if.work=[{"of":"device","slowdown":0.5}]')["time_us"]
    at_least("replay of default, us", 240e3, whole)
    at_least("default on a faster GPU", 120e3, faster)
    if quiet:
        at_most("replay of default, us", whole, took(done, "default"))
        near("default on a faster GPU", faster, whole - 120e3, 0.01)


def test_many(mpi):
    """More than buffers of CUPTI's hold."""
    done, quiet = record_quietly(mpi, "many", 60e3, 0, out=[" in MPI, 6000 kernels, copies and fills of GPUs in "], never=["warning: "])
    whole = replay("many")
    at_least("replay of many, us", 60e3, whole["time_us"])
    near("work of GPUs in many, us", whole["gpu_us"], 2 * 60e3, 1e-3)
    if quiet:
        at_most("replay of many, us", whole["time_us"], took(done, "many"))


def test_gaps(mpi):
    for name, reason, variables in (
            ("without", "CUPTI cannot be loaded; KAKEHASHI_CUPTI may name its library (", {"cupti": "none"}),
            ("newer", "version 99 of CUPTI is not known; 13 to 28 are, of CUDA 11.0 to 12.9", {"STANDIN_VERSION": "99"}),
            ("taken", "another profiler uses CUPTI", {"STANDIN_ERROR": "39"})):
        done, quiet = record_quietly(mpi, name, 360e3, 150e3, how="overlap", **variables, never=["kernels"],
                                     err=[f"kakehashi record: program uses a GPU, whose work is not recorded: {reason}",
                                          f"warning: {name}: not recorded, and left out: work of GPUs: {reason}"])
        if done.stderr.count("kakehashi record: ") != 1:
            failures.append(f"{name}: more than one message\n{done.stderr}")
        whole = replay(name)["time_us"]
        at_least(f"{name}, us", 330e3, whole)  # waiting is the rank's work
        if quiet:
            at_most(f"{name}, us", whole, took(done, name))
    done = record(mpi, "killed", "kill")
    text = " of CUDA that start kernels, copies or fills, and nobody knows what a GPU did then; left out\n"
    if done.returncode == 0 or "warning: killed: 2 calls" + text not in done.stderr:
        failures.append(f"killed: exit code {done.returncode}\n{done.stderr[-2000:]}")
    replay("killed")
    expect("thread", record(mpi, "thread", "thread"),
           err=["warning: thread: not recorded, and left out: calls of CUDA by other threads than the one that began MPI (4)\n"])


def test_damage():
    """Whatever byte changes, the answer is a sentence, or nothing that matters changed."""
    rng = random.Random(1)
    content = reading.content_of(folder / "overlap/0.rank")
    whole = (folder / "overlap/0.rank").read_bytes()
    for attempt in range(40):
        damaged = bytearray(content)
        damaged[rng.randrange(len(damaged))] = rng.randrange(256)
        (folder / "overlap/0.rank").write_bytes(reading.MAGIC + reading.frame_of(bytes(damaged)))
        for words in (("check", "overlap"), ("simulate", "--max-memory", "1 GiB", "--platform", f"{root}/platforms/colfax-mic.json",
                                             "--fabric", "dapl", "--ranks", "node0.cpu[0-1]", "overlap")):
            done = kakehashi(*words)
            if done.returncode not in (0, 1, 2) or (done.returncode > 0 and "error: " not in done.stderr):
                failures.append(f"damage {attempt}: {words}: exit code {done.returncode}\n{done.stderr[-1000:]}")
    (folder / "overlap/0.rank").write_bytes(whole)


found = [mpi for mpi in (".openmpi", ".mpich") if shutil.which(f"mpicc{mpi}") and shutil.which(f"mpirun{mpi}")]
if not found:
    print("skipped: no mpicc.openmpi and mpicc.mpich, as Debian names them")
    sys.exit(77)
with tempfile.TemporaryDirectory() as text:
    folder = pathlib.Path(text).resolve()
    os.environ["XDG_CACHE_HOME"] = str(folder / "cache")
    build(found[0])
    for test in (test_overlap, test_default, test_many, test_gaps):
        steadily(test, found[0])
    test_damage()
for failure in failures:
    print(f"FAILED {failure}")
sys.exit(bool(failures))
