#!/usr/bin/env python3
"""Calls the program as a user does; checks exit code, standard output and standard error apart. Usage: run.py KAKEHASHI ROOT"""
import fcntl
import json
import os
import pathlib
import pty
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from calls import expect, failures, finish, kakehashi, program, root

PLATFORM = "platforms/hpcdiy-qdr.json"
BW = "scenarios/hpcdiy-qdr/bw-gbe.json"
SCENARIO = "scenarios/hpcdiy-qdr/latency-qdr-node1-direct.json"


def usage():
    hint = "Try `kakehashi --help`.\n"
    of_simulate = "Try `kakehashi simulate --help`.\n"
    expect("no command", kakehashi(), 2, err="error: no command given; expected simulate, sweep, tune, compare, explain, validate, calibrate, record, check, list, import, export, completion, man\n" + hint)
    expect("misspelt command", kakehashi("simulat", SCENARIO), 2,
           err='error: unknown command "simulat" (did you mean "simulate"?)\n' + hint)
    expect("strange command", kakehashi("brew"), 2, err='error: unknown command "brew"\n' + hint)
    expect("misspelt option", kakehashi("simulate", "--formt", "csv", SCENARIO), 2,
           err='error: unknown option --formt (did you mean "--format"?)\n' + of_simulate)
    expect("strange option", kakehashi("simulate", "--colour", SCENARIO), 2, err="error: unknown option --colour\n" + of_simulate)
    expect("wrong format", kakehashi("simulate", "--format", "xml", SCENARIO), 2, err=["--format", "xml", of_simulate])
    expect("no scenario", kakehashi("simulate"), 2,
           err="error: SCENARIO is missing; or --platform, --benchmark and --ranks, which state one\n")
    version = kakehashi("--version")
    expect("version", version, 0, out=["kakehashi 0.2.0\n"])
    if not re.fullmatch(r"kakehashi 0\.2\.0\n(commit [0-9a-f]{12}, )?sources [0-9a-f]{16}\nSimGrid \d+\.\d+(\.\d+)?\n(g\+\+|clang) .*\n", version.stdout):
        failures.append(f"version: {version.stdout}")
    expect("help", kakehashi("--help"), 0, out=["simulate", "check", "Examples:"])
    expect("help of simulate", kakehashi("simulate", "--help"), 0, out=["--format", "--output", "Examples:"])
    expect("missing file", kakehashi("simulate", "no-such.json"), 2, err="error: no-such.json: no such file\n")
    expect("folder as file", kakehashi("simulate", "scenarios"), 2, err="error: scenarios is a folder; --platform and --ranks state where to replay it, if it is a recording\n")
    expect("fault before --", kakehashi("record", "-o", "a", "-o", "b", "--", "true"), 2,
           err="error: --output: At Most 1 required but received 2\nTry `kakehashi record --help`.\n")
    expect("unknown option before a command", kakehashi("--fromat", "simulate"), 2,
           err='error: unknown option --fromat (did you mean "--format"?)\n' + of_simulate)
    expect("empty value", kakehashi("simulate", "--report", "", SCENARIO), 2, err='error: --report: got "", expected a value\n' + of_simulate)
    with tempfile.NamedTemporaryFile("w+") as config:
        config.write("format = csv\n")
        config.flush()
        expect("habits", kakehashi("list", "benchmarks", env={**os.environ, "KAKEHASHI_CONFIG": config.name}), 0, out=["benchmark,purpose\n"])



def own_algorithms(stated):
    """Files of algorithms, of which the ring takes exactly the time of the table's."""
    ring = "libraries/collectives/ring.json"
    shm = ("--quiet", "scenarios/hpcdiy-qdr/allreduce-shm.json", "--format", "csv")
    for command in (("simulate", *shm), ("simulate", "--platform", PLATFORM, "--benchmark", "imb-allreduce", "--ranks", "hpc*.cpu*", "--fabric", "shm+qdr", *shm[:1], *shm[2:])):
        ours, files = (kakehashi(*command, "--algorithm", name) for name in ("ring", ring))
        if ours.returncode != 0 or ours.stdout.replace(",ring,", ",ring.json,") != files.stdout:
            failures.append(f"a ring in a file: {ours.stdout}\n{files.stdout}{files.stderr}")
    expect("compare with a file", kakehashi("compare", *shm, "--algorithms", f"ring,{ring},libraries/collectives/by-node.json"), 0, out=[",ring.json,"])
    expect("an algorithm of another operation", kakehashi("simulate", *stated, "node*.cpu*", "--algorithm", ring), 2,
           err=["ring.json, an algorithm of allreduce, expected one of alltoall"])
    expect("a file for NCCL", kakehashi("simulate", "--platform", "platforms/h100.json", "--benchmark", "nccl-allreduce", "--ranks", "node0.gpu*", "--algorithm", ring), 2,
           err="error: --algorithm: nccl-allreduce runs as NCCL and RCCL run it, which take no algorithm of a file; benchmarks of MPI, such as osu-allreduce, do\n")
    with tempfile.TemporaryDirectory() as folder:
        wrong = pathlib.Path(folder, "wrong.json")
        wrong.write_text((root / ring).read_text().replace("step - 1", "step"))
        message = "rank 0 has the part of rank 0 of block 0 after the last of"
        expect("check of a wrong algorithm", kakehashi("check", str(wrong)), 2, err=f"error: {wrong}: for 2 ranks, {message} 2 steps, expected the part of ranks 0 to 1\n")
        expect("a wrong algorithm", kakehashi("simulate", *shm, "--algorithm", str(wrong)), 2,
               err=f"error: {wrong}: for 8 ranks, {message} 14 steps, expected the part of ranks 0 to 7\n")
    expect("check of algorithms", kakehashi("check", ring, "libraries/collectives/doubling.json"), 0,
           f"{ring}: an algorithm of allreduce, no faults: each byte ends where it should, for 1 to 17, 24, 32 and 33 ranks\n"
           "libraries/collectives/doubling.json: an algorithm of allgather, no faults: each byte ends where it should, for 1 to 17, 24, 32 and 33 ranks "
           "as far as it is for them\n")


def grammar():
    """Scenarios that options state alone, and files that were given to the wrong command."""
    with tempfile.TemporaryDirectory() as folder:
        cluster, gpus = f"{folder}/cluster.json", f"{folder}/gpus.json"
        expect("import -o", kakehashi("import", "scenarios/journey/node.xml", "--nodes", "2", "--network", "HDR", "-o", cluster), 0, out="")
        expect("import --adapters", kakehashi("import", "scenarios/journey/node.xml", "--nodes", "2", "--network", "HDR", "--adapters", "4"), 0,
               out=['"node[0-1].hca[0,1,2,3]"'], err=["assumed: 3 more adapters, dealt out to the sockets"])
        sheet = ("import", "--sockets", "2", "--cores", "64", "--nodes", "2")
        for adapters, network, device in (("100GbE:2", (), "nic"), ("NDR:1", (), "hca"), ("NDR:3", ("--network", "fat-tree:NDR:36"), "hca")):
            count = int(adapters[-1])
            names = "[" + ",".join(map(str, range(count))) + "]" if count > 1 else "0"
            expect(f"import --adapters {adapters}", kakehashi(*sheet, *network, "--adapters", adapters), 0, out=[f".{device}{names}", adapters[:-2].replace("100GbE", "100")], err=["dealt out to the sockets"])
        expect("adapters of another rate", kakehashi(*sheet, "--network", "HDR", "--adapters", "NDR:2"), 2,
               err='error: --adapters "NDR:2": those of --network "HDR" have its rate\n')
        for wrong in ("0", "65", "NDR:", ":2", "NDR", "NDR:2:3", "2:NDR", "Fast:2"):
            expect(f"import --adapters {wrong}", kakehashi(*sheet, "--adapters", wrong), 2,
                   err=f'error: --adapters: got "{wrong}", expected a number from 1 to 64, a rate and a number such as NDR:1 or 100GbE:2, or names such as hca0,mlx5_3\n')
        expect("more on a node than fit", kakehashi("simulate", "--platform", cluster, "--benchmark", "imb-alltoall", "--sizes", "8 B", "--ranks", "node*.cpu*",
                                                    "--per-node", "1600"), 2, err=["--per-node: got 1600, expected at most"])
        crowd = ("simulate", "--platform", cluster, "--benchmark", "imb-barrier", "--ranks", "node0.cpu*", "--per-device")
        expect("as many ranks as cores", kakehashi(*crowd, "32"), 0, out=["# algorithm:"])
        expect("more ranks than cores", kakehashi(*crowd, "33"), 0, out=["# algorithm:"],
               err="warning: node0.cpu0 has 32 cores for 33 ranks, and others have too few, too: each rank is simulated with a core of its own, so times may be far too short\n")
        expect("what --set changed of the machine", kakehashi("simulate", "scenarios/hpcdiy-qdr/latency-qdr-node0-indirect.json", "--sizes", "8 B", "--set", "workload.warm_up=2",
                                                              "--set", "platform:links[hpc01.hca-hpc02.hca].lanes=8", "--set", "mpi.collectives=mpich", "--report", page := str(pathlib.Path(folder) / "changed.html")), 0,
               out=["hpc02.cpu0\n# what if: platform:links[hpc01.hca-hpc02.hca].lanes=8\n# what if: mpi.collectives=mpich\n# Size"])
        if pathlib.Path(page).read_text().count("[hpc01.hca-hpc02.hca].lanes=8") != 1:
            failures.append("the page of a changed machine does not say what was changed")
        expect("import GPUs", kakehashi("import", "scenarios/journey/topo.txt", "--nodes", "2", "--network", "HDR", "-o", gpus), 0,
               err=["note: scenarios/journey/topo.txt: nvidia-smi does not state the type of GPUs"])
        reduction = ("simulate", "--quiet", "--platform", gpus, "--benchmark", "osu-allreduce", "--sizes", "4 MiB", "--ranks", "node0.gpu*")
        said = 'vectors of GPUs are added on their hosts, copied there whole and back (Open MPI: coll/cuda); "gpu_reductions" of "mpi" states otherwise'
        hosts, devices = kakehashi(*reduction), kakehashi(*reduction, "--set", "mpi.gpu_reductions=device")
        expect("reductions on the hosts of GPUs", hosts, 0, out=[f"# {said}\n"])
        expect("reductions on GPUs", devices, 0, out=["# algorithm: ring\n# this is MPI's; nccl-allreduce shows that of NCCL or RCCL\n# what if: mpi.gpu_reductions=device\n# Size"])
        times = [float(run.stdout.split("\n4194304 ")[1].split()[0]) for run in (hosts, devices)]
        if not 20 < times[0] / times[1] < 100:  # three copies over a slot and a core's memory, and cores that add, against NVLink
            failures.append(f"reductions on hosts and on GPUs: {times} us")
        expect("where a path waits for copies", kakehashi(*reduction, "--summary"), 0, out=["copy between GPU and host, rank"])
        expect("reductions nowhere", kakehashi(*reduction, "--set", "mpi.gpu_reductions=nic"), 2, err=['"nic", expected one of "device", "host"'])
        stated = ("--platform", cluster, "--benchmark", "imb-alltoall", "--sizes", "8 B", "--ranks")
        for ranks in ("node*.cpu*", "node0.cpu*"):
            expect(f"a fabric for {ranks}", kakehashi("simulate", "--quiet", *stated, ranks), 0, out=["on node, fabric ib"])
        expect("two fabrics", kakehashi("simulate", "--quiet", "--platform", PLATFORM, *stated[2:], "hpc*.cpu*", "--fabric", "shm+qdr"), 0,
               out=["on hpcdiy-qdr, fabric shm-qdr"])
        expect("an algorithm", kakehashi("simulate", "--quiet", *stated, "node*.cpu*", "--algorithm", "pairwise"), 0, out=["# algorithm: pairwise\n"])
        own_algorithms(stated)
        expect("an algorithm of nothing", kakehashi("simulate", "--platform", cluster, "--benchmark", "imb-pingpong", "--ranks",
                                                    "node0.cpu0,node1.cpu0", "--algorithm", "ring"), 2,
               err="error: --algorithm: got no collective operation, expected a benchmark of one, such as imb-allreduce\n")
        expect("a sweep without a file", kakehashi("sweep", "--quiet", *stated, "node*.cpu*", "--hostfile", f"{folder}/hosts"), 0,
               out=["24 candidates", "mpirun -n 4 --rankfile ranks.txt PROGRAM\n", "--distribution=arbitrary", "I_MPI_PIN_ORDER=", "-map-by "])
        hosts = pathlib.Path(f"{folder}/hosts").read_text().split()
        if sorted(hosts) != ["node0", "node0", "node1", "node1"]:
            failures.append(f"--hostfile: {hosts}")
        pair = ("--platform", cluster, "--benchmark", "imb-pingpong", "--ranks", "node0.cpu0,node1.cpu0", "--sizes", "4 KiB")
        expect("a comparison without a file", kakehashi("compare", "--quiet", *pair, "--platforms", gpus), 0,
               out=["node/ib", "topo/ib", "# times over those of node/ib\n", "1.000"])
        expect("a strange baseline", kakehashi("compare", "--quiet", *pair, "--platforms", gpus, "--baseline", "topo/ibb"), 2,
               err='error: --baseline: got "topo/ibb", expected one of node/ib, topo/ib (did you mean "topo/ib"?)\n')
        expect("a link by its devices", kakehashi("simulate", "--quiet", *pair, "--set", "platform:links[node0.cpu0-node0.hca0].lanes=3"), 2,
               err=["error: --set platform:links[node0.cpu0-node0.hca0].lanes: got 3, expected one of"])
    expect("a platform as a scenario", kakehashi("simulate", PLATFORM), 2, err=[f"error: {PLATFORM}: a platform, not a scenario; `kakehashi list "])
    expect("a log as a scenario", kakehashi("simulate", "scenarios/journey/near.log"), 2,
           err="error: scenarios/journey/near.log: not JSON; if it is the log of a benchmark, `kakehashi explain` and `calibrate` read it\n")
    expect("a unit that is near", kakehashi("simulate", SCENARIO, "--sizes", "8 kb"), 2, err=['(did you mean "8 kB"?)'])
    expect("alike pairs", kakehashi("list", "platforms/h100.json"), 0, out=["gpu to gpu between nodes     32  node0.gpu0 node1.gpu0"])


def simulate():
    expect("table", kakehashi("simulate", "--quiet", SCENARIO), 0, out=["# Size         Latency (us)", "mean error"])
    expect("who stands for all, above the first of several rows",
           kakehashi("simulate", "--quiet", "scenarios/fx10-tofu/alltoall-old.json", "--sizes", "16B,32B"), 0,
           out=["# engine fluid, tolerance 2 %, 3072 ranks for 6144 in step\n"])
    csv = kakehashi("simulate", "--quiet", "--format=csv", SCENARIO)
    expect("csv", csv, 0, out=[
        "scenario,platform,fabric,benchmark,bytes,repetitions,t_min_us,t_max_us,t_avg_us,mbytes_per_s,algorithm,slowest_step,measured_us,"
        "measured_mbytes_per_s,error,median_us,least_us,greatest_us\nlatency-qdr-node1-direct,hpcdiy-qdr,qdr,osu-latency,0,10000,"])
    run = kakehashi("simulate", "--quiet", "--format", "json", SCENARIO)
    expect("json", run, 0, out=['"schema_version": 2'])
    document = json.loads(run.stdout)
    if [row["bytes"] for row in document["rows"]][:4] != [0, 1, 2, 4] or "parameters" not in document["provenance"]:
        failures.append("json: rows or provenance are wrong")
    again = kakehashi("simulate", "--quiet", "--format", "json", SCENARIO)
    if again.stdout != run.stdout:
        failures.append("json: two runs differ")
    with tempfile.TemporaryDirectory() as folder:
        expect("output folder", kakehashi("simulate", "--format", "csv", "--output", folder, SCENARIO), 0,
               err=[f"wrote {folder}/latency-qdr-node1-direct.csv"])
        if pathlib.Path(folder, "latency-qdr-node1-direct.csv").read_text() != csv.stdout:
            failures.append("output folder: the file differs from standard output")
        expect("unwritable folder", kakehashi("simulate", "--quiet", "--output", "/dev/null/x", SCENARIO), 1,
               err="error: /dev/null/x/latency-qdr-node1-direct.txt: cannot be written: Not a directory\n")


def edits():
    small = ["--sizes", "8 B,64 B"]
    expect("other sizes", kakehashi("simulate", "--quiet", SCENARIO, *small), 0, out=["\n8  ", "\n64  ", "over 2 sizes"])
    expect("field of the platform",
           kakehashi("simulate", "--quiet", SCENARIO, "--sizes", "0 B", "--set", 'platform:/fabrics/qdr/rules/0/regimes/0/o_send=100 us'),
           0, out=["\n0                    100."])
    many = kakehashi("simulate", "--platform", "platforms/tca-mic.json", "--fabric", "memcpy", "--ranks", "node*.cpu0", "--benchmark", "osu-bcast")
    if many.stderr.count("\n") != 33 or not many.stderr.endswith(" more\n"):
        failures.append(f"many faults: {many.stderr}")
    expect("field of the scenario", kakehashi("simulate", "--quiet", SCENARIO, "--set", '/workload/sizes=["8 B"]'), 0, out=["over 1 size\n"])
    expect("other fabric", kakehashi("simulate", "--quiet", SCENARIO, "--fabric", "gbe", *small), 0, out=["fabric gbe"])
    expect("options first", kakehashi("simulate", "--quiet", *small, "--ranks", "hpc01.cpu1,hpc02.cpu1", SCENARIO), 0, out=["over 2 sizes"])
    expect("no such fabric", kakehashi("simulate", SCENARIO, "--fabric", "gbee"), 2,
           err=f'error: --fabric: got "gbee", expected a fabric of {PLATFORM}: gbe, gbe-shm, qdr, qdr-shm, shm (did you mean "gbe"?)\n')
    expect("no field", kakehashi("simulate", SCENARIO, "--set", "/workload/sizs=3"), 2, err=["error: --set /workload/sizs: got an unknown key"])
    stated = ["simulate", "--quiet", "--platform", PLATFORM, "--benchmark", "imb-alltoall", "--sizes", "64 B"]
    expect("no file", kakehashi(*stated, "--fabric", "qdr", "--ranks", "hpc*.cpu1"), 0,
           out=["# imb-alltoall: imb-alltoall on hpcdiy-qdr, fabric qdr\n# ranks on hpc01.cpu1, hpc02.cpu1\n"])
    expect("no file, ranks and fabric", kakehashi(*stated), 2,
           err=f"error: --ranks is missing, or a scenario file\nerror: --fabric is missing; {PLATFORM} has gbe, gbe-shm, qdr, qdr-shm, shm\n")
    expect("a shell's choice of letters", kakehashi(*stated, "--fabric", "qdr", "--ranks", "hpc0[12].cpu*"), 2,
           err='error: --ranks: /on/0: got "hpc0[12].cpu*", expected ranges such as "[0-7]" or "[00-15,20]" in a name\n')
    barriers = [json.loads(kakehashi("simulate", "--quiet", "--format", "json", "--platform", "platforms/fx10-tofu.json", "--benchmark", "osu-bcast",
                                     "--ranks", "x0y0*.cpu", "--sizes", "8 B", *more).stdout)["messages_simulated"]
                for more in ([], ["--set", "/mpi/algorithms/barrier=linear"])]
    if barriers[0] == barriers[1]:
        failures.append(f"a stated barrier: {barriers[0]} messages with it and without it")
    late = ["--set", "platform:/fabrics/qdr/rules/0/regimes/3/o_send=1000000000 s"]
    slow_then_quick = [SCENARIO, "--sizes", "1 MiB,8 B", *late]
    expect("a clock with long steps", kakehashi("simulate", "--quiet", "--summary", *slow_then_quick), 0,
           out=["# the clock's step is ", "us so late in the run, too much for the times of 8 B\n"])
    row = kakehashi("simulate", "--quiet", SCENARIO, "--sizes", "8 B").stdout.splitlines()[3]
    expect("a row that begins with a new clock", kakehashi("simulate", "--quiet", *slow_then_quick), 0, out=[f"\n{row}\n"])
    text = (root / SCENARIO).read_text().replace("../../", "").replace("../reference", "scenarios/reference")
    piped = subprocess.run([program, "simulate", "--quiet", "-"], input=text, cwd=root, capture_output=True, text=True)
    expect("standard input", piped, 0, out=kakehashi("simulate", "--quiet", SCENARIO).stdout)
    piped = subprocess.run([program, "check", "-"], input=text.replace("hpc01.cpu1", "hpc01.cpu7"), cwd=root, capture_output=True, text=True)
    expect("check of standard input", piped, 2,
           err=['error: standard input: /ranks/0: got "hpc01.cpu7", expected a device of platforms/hpcdiy-qdr.json: hpc01.cpu0, hpc01.cpu1'])
    expect("ranks by ranges", kakehashi("simulate", "--quiet", SCENARIO, *small, "--ranks", "hpc0[1,2].cpu1"), 0,
           out=kakehashi("simulate", "--quiet", SCENARIO, *small, "--ranks", "hpc01.cpu1,hpc02.cpu1").stdout)
    expect("two scenarios", kakehashi("simulate", "--quiet", SCENARIO, BW, *small), 0, out=["# latency-qdr-node1-direct", "\n\n# bw-gbe"])
    both = kakehashi("simulate", "--quiet", "--format", "csv", SCENARIO, "none.json", BW, *small)
    alone = [kakehashi("simulate", "--quiet", "--format", "csv", each, *small).stdout for each in (SCENARIO, BW)]
    expect("two as csv", both, 2, out=alone[0] + alone[1].partition("\n")[2], err="error: none.json: no such file\n")
    expect("two as JSON", kakehashi("simulate", "--format", "json", SCENARIO, BW), 2,
           err="error: several scenarios go with --format table, csv or markdown, or with --output, a file for each\n")
    expect("one of two is missing", kakehashi("simulate", "--quiet", "none.json", SCENARIO, *small), 2,
           out=["# latency-qdr-node1-direct"], err="error: none.json: no such file\n")
    expect("sweep with another fabric", kakehashi("sweep", "--quiet", "scenarios/colfax-mic/sweep-ring-node.json", "--fabric", "tcp"), 0,
           out=["fabric tcp"])


def lists():
    expect("benchmarks", kakehashi("list", "benchmarks"), 0, out=["imb-pingpong ", "osu-alltoall "])
    expect("algorithms", kakehashi("list", "algorithms"), 0, out=["bcast           linear binomial"])
    expect("algorithms as CSV", kakehashi("list", "algorithms", "--format", "csv"), 0, out=["collective,algorithm\n", "\nbcast,linear\nbcast,binomial\n"])
    if {"benchmark": "imb-pingpong", "purpose": "one message there and back; half of the time"} not in \
            json.loads(kakehashi("list", "benchmarks", "--format", "json").stdout)["benchmarks"]:
        failures.append("list benchmarks as JSON: no imb-pingpong")
    expect("platform", kakehashi("list", PLATFORM), 0, out=["2 nodes, 4 cpu", "# qdr: one-way time of 8 B, MB/s of a ping-pong of 4 MiB", "pcie infiniband pcie"])
    found = json.loads(kakehashi("list", "--format", "json", PLATFORM).stdout)
    pair = next(each for each in found["fabrics"]["qdr"] if (each["from"], each["to"]) == ("hpc01.cpu1", "hpc02.cpu1"))
    direct = json.loads(kakehashi("simulate", "--quiet", "--format", "json", SCENARIO).stdout)
    if abs(pair["latency_us"] - next(row["t_avg_us"] for row in direct["rows"] if row["bytes"] == 8)) > 1e-3:
        failures.append(f"list: {pair} is not what a ping-pong gives")
    piped = subprocess.run([program, "list", "-"], input=(root / PLATFORM).read_text(), cwd=root, capture_output=True, text=True)
    expect("platform from standard input", piped, 0, out=["(standard input): 2 nodes, 4 cpu", "# qdr: one-way time of 8 B, MB/s of a ping-pong of 4 MiB"])
    expect("misspelt", kakehashi("list", "benchmark"), 2,
           err='error: got "benchmark", expected benchmarks, algorithms, nodes, gpu-libraries, or the file of a platform (did you mean "benchmarks"?)\n')


def stats():
    """Counts and times on standard error; standard output is as without them."""
    plain = kakehashi("simulate", "--quiet", SCENARIO)
    for engine, solves in (("simgrid", False), ("fluid", True)):
        run = kakehashi("simulate", "--quiet", "--stats", "--engine", engine, SCENARIO)
        names = [line[:16].rstrip() for line in run.stderr.splitlines()]
        wanted = ["messages", "events", *["solves"] * solves, "routes", "connections", "peak memory", "reading", "planning", "simulating", "reporting"]
        if run.returncode != 0 or names != wanted:
            failures.append(f"stats on {engine}: exit code {run.returncode}, {run.stderr}")
            continue
        values = dict(zip(names, (line[16:].split()[0] for line in run.stderr.splitlines())))
        if values["routes"] != "2" or values["connections"] != "2" or int(values["events"]) <= int(values["messages"]):
            failures.append(f"stats on {engine}: {values}")
        if not 1 < float(values["peak memory"]) < 1000 or not 0 < float(values["simulating"]) < 60000:
            failures.append(f"stats on {engine}: {values}")
        if engine == "simgrid" and run.stdout != plain.stdout:
            failures.append("stats: standard output differs")
    expect("no stats of a run that fails", kakehashi("simulate", "--stats", "no-such.json"), 2, err="error: no-such.json: no such file\n")


def terminal():
    """Colour and a chart on a terminal; neither with NO_COLOR, in another format, or in a pipe."""
    def shown(*arguments, **environment):
        leader, follower = pty.openpty()
        fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        run = subprocess.Popen([program, *arguments], cwd=root, stdout=follower, stderr=subprocess.PIPE,
                               env={key: value for key, value in os.environ.items() if key != "NO_COLOR"} | {"TERM": "xterm"} | environment)
        os.close(follower)
        text = b""
        try:
            while part := os.read(leader, 65536):
                text += part
        except OSError:  # how Linux says that the other end is closed
            pass
        os.close(leader)
        run.communicate()
        return text.decode().replace("\r\n", "\n")

    plain = kakehashi("simulate", "--quiet", SCENARIO).stdout
    table = shown("simulate", "--quiet", SCENARIO)
    bare = re.sub(r"\033\[\d+m", "", table)
    if not bare.startswith(plain) or bare == plain or max(map(len, bare[len(plain):].splitlines())) > 80 + 20:
        failures.append(f"a terminal shows {bare}")
    if "* predicted   o measured" not in bare or "\033[2m# " not in table or not re.search(r"\033\[32m[+-]\d\.\d %\033\[0m\n", table):
        failures.append(f"a terminal lacks colour or chart: {table!r}")
    if shown("simulate", "--quiet", SCENARIO, NO_COLOR="1") != plain or shown("simulate", "--quiet", SCENARIO, TERM="dumb") != plain:
        failures.append("NO_COLOR or TERM=dumb do not give plain text")
    if shown("simulate", "--quiet", SCENARIO, OMPI_COMM_WORLD_RANK="0") != plain:
        failures.append("a terminal that mpirun made has colour")
    csv = ("simulate", "--quiet", "--format", "csv", SCENARIO)
    if shown(*csv) != kakehashi(*csv).stdout:
        failures.append("CSV differs on a terminal")


def repeats():
    expect("repeats of boss and workers", kakehashi("simulate", "--repeat", "2", "scenarios/colfax-mic/asian-option-2-devices.json"), 0,
           out=["# 2 runs, simultaneous events in different orders:", "#  work item   median[usec]", "#   16777216 "])


def steps(*lists, ranks=("hpc01.cpu1", "hpc02.cpu1")):
    return {"name": "steps", "platform": str(root / "platforms/hpcdiy-qdr.json"), "fabric": "qdr", "ranks": list(ranks),
            "workload": {"steps": list(lists)}}


def run_scenario(scenario, *options):
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "s.json").write_text(json.dumps(scenario))
        return kakehashi("simulate", "--quiet", *options, "s.json", cwd=folder)


def deadlocks():
    run = run_scenario(steps([{"do": "recv", "from": 1, "tag": 7}], [{"do": "recv", "from": "any"}]))
    expect("two receives", run, 1, err="error: s.json: deadlock after 0.000 us: 2 of 2 ranks wait for ever\n"
           "  rank 0: recv from rank 1 (tag 7)\n  rank 1: recv from any rank (any tag)\n")
    late = [{"do": "send", "to": 1, "bytes": "1 MiB"}, {"do": "recv", "from": 1}]
    mirror = [{"do": "send", "to": 0, "bytes": "1 MiB"}, {"do": "recv", "from": 0}]
    run = run_scenario(steps(late, mirror))
    expect("two rendezvous sends", run, 1, err=["deadlock", "rank 0: send of 1 MiB to rank 1 (tag 0)",
                                                "rank 1: send of 1 MiB to rank 0 (tag 0)",
                                                "\n  2 ranks are in sends of up to 1 MiB, which wait for their receives from ",
                                                "A program that relies on MPI to buffer them needs a higher eager limit"])
    for step in (late[0], mirror[0]):
        step["bytes"] = "1 KiB"
    expect("two eager sends", run_scenario(steps(late, mirror)), 0, out=["hpc02.cpu1"])
    run = run_scenario(steps([{"do": "irecv", "from": 1, "tag": 1}, {"do": "waitall"}], []))
    expect("waitall", run, 1, err=["rank 0: wait for 1 requests, 1 of them open; irecv from rank 1 (tag 1)"])


def check():
    expect("check platform", kakehashi("check", "platforms/hpcdiy-qdr.json"), 0,
           out="platforms/hpcdiy-qdr.json: platform, no faults\n")
    shipped = [str(path.relative_to(root)) for path in sorted(root.glob("scenarios/[!r]*/*.json"))]
    expect("check all", kakehashi("check", "--quiet", *shipped), 0)
    with tempfile.TemporaryDirectory() as folder:
        scenario = json.loads((root / SCENARIO).read_text())
        scenario.update(platform=str(root / "platforms/hpcdiy-qdr.json"), fabric="qdrr", rank=[], reference={})
        pathlib.Path(folder, "s.json").write_text(json.dumps(scenario))
        expect("several faults", kakehashi("check", "s.json", cwd=folder), 2,
               err='error: s.json: /reference: the key "curve" is missing\n'
                   'error: s.json: /reference: the key "use" is missing\n'
                   'error: s.json: /rank: got an unknown key, expected one of "$schema", "description", "fabric", "mpi", "name", '
                   '"platform", "ranks", "reference", "sweep", "what_if", "workload" (did you mean "ranks"?)\n')
        pathlib.Path(folder, "t.json").write_text(json.dumps(steps([], [], ranks=["hpc01.cpu1", "hpc01.cpu1"])))
        expect("no rule", kakehashi("check", "t.json", cwd=folder), 2, err=["no rule fits", "inside-device, cpu to cpu"])


def completion():
    hint = "Try `kakehashi completion --help`.\n"
    expect("completion", kakehashi("completion", "bash"), 0, out=["complete -o bashdefault -F _kakehashi kakehashi\n"])
    expect("completion for no shell", kakehashi("completion"), 2, err="error: SHELL is required\n" + hint)
    expect("completion for an unknown shell", kakehashi("completion", "tcsh"), 2,
           err="error: SHELL: tcsh not in {bash,zsh,fish,names}\n" + hint)
    expect("completion of nothing", kakehashi("completion", "names"), 2, err="error: names needs a kind of names, such as fabrics\n")
    expect("completion for a shell of words", kakehashi("completion", "bash", "fabrics"), 2, err="error: WORD goes with names only\n")
    expect("fabrics of a scenario", kakehashi("completion", "names", "--", "fabrics", "simulate", SCENARIO), 0, out="gbe\ngbe-shm\nqdr\nqdr-shm\nshm\n")
    expect("devices of a platform", kakehashi("completion", "names", "--", "devices", "sweep", SCENARIO, "--platform", "platforms/intel-mpss.json"), 0,
           out="host.cpu0\nhost.cpu1\nhost.mic0\nhost.mic1\n")
    expect("fabrics of nothing", kakehashi("completion", "names", "--", "fabrics", "simulate", "no-such.json"), 0, out="")
    expect("an empty value", kakehashi("simulate", "--sizes=", "--format=csv", SCENARIO), 2,
           err='error: --sizes: got "", expected a value\nTry `kakehashi simulate --help`.\n')
    expect("man", kakehashi("man"), 0, out=[".TH KAKEHASHI 1", ".SS simulate", ".SS man", "130 interrupted"])


def validate():
    quick = ["validate", "hpcdiy-qdr", "--quiet", "--format", "csv"]
    run = kakehashi(*quick)
    expect("validate", run, 0, out=["platform,fabric,name,role,kind,points,mean,worst,worst_bytes,target,from_bytes,value,low,high,verdict,reason,implied"])
    if kakehashi(*quick, "--jobs", "1").stdout != run.stdout:
        failures.append("validate: the output depends on --jobs")
    if "FAIL" in run.stdout or run.stdout.count(",pass,") < 14:
        failures.append("validate: not everything passes\n" + run.stdout)
    expect("validate JSON", kakehashi("validate", "hpcdiy-qdr", "--format", "json"), 0, out=['"fail": 0', '"pending": 0'])
    expect("validate nothing", kakehashi("validate", "hpcdyi-qdr"), 2,
           err='error: got the platform "hpcdyi-qdr", expected all, bluefield, colfax-mic, colfax-two-hcas, fx10-tofu, h100, hpcdiy-qdr, intel-mpss, '
               'tca-colfax, tca-mic (did you mean "hpcdiy-qdr"?)\n')
    with tempfile.TemporaryDirectory() as folder:
        for name in ("platforms", "scenarios"):
            shutil.copytree(root / name, pathlib.Path(folder, name))
        targets = pathlib.Path(folder, "scenarios/reference/targets.json")
        targets.write_text(targets.read_text().replace("0.055", "0.001"))
        expect("validate with a missed target", kakehashi("validate", "hpcdiy-qdr", "--data", folder), 1, out=["FAIL", "1 fail"])


def pingpong_log(base):
    return """job 17 on two nodes
#---------------------------------------------------
#    Intel (R) MPI Benchmarks 2019 Update 5, MPI-1 part
#---------------------------------------------------
# Benchmarking PingPong
# #processes = 2
#---------------------------------------------------
       #bytes #repetitions      t[usec]   Mbytes/sec
""" + "".join(f"{n:13} 1000 {base + (n / 4000 if n < 4096 else 4.8 + n / 11000):12.2f} {1.0:12.2f}\n"
                  for n in [0] + [2 ** k for k in range(23)])


LOG = pingpong_log(1.2)


def calibrate():
    with tempfile.TemporaryDirectory() as folder:
        log = pathlib.Path(folder, "pingpong.log")
        log.write_text(LOG)
        run = kakehashi("calibrate", "--format", "json", str(log))
        expect("calibrate a log", run, 0, out=['"name": "pingpong"', '"warnings"'])
        found = json.loads(run.stdout)
        regimes = found["rules"][0]["regimes"]
        if [regime["from"] for regime in regimes] != ["0 B", "4 KiB"] or found["curves"][0]["mean"] > 0.01:
            failures.append(f"calibrate a log: wrong regimes {regimes}")
        expect("a summary", kakehashi("calibrate", str(log)), 0, out=["# regime 1: 4 KiB to any size, 1 trip", "cross-validated"])

        several = kakehashi("calibrate", str(log), "scenarios/hpcdiy-qdr/bw-gbe.json")
        expect("a log and a scenario", several, 2, err=['expected that of'])
        log_twice = kakehashi("calibrate", str(log), f"{folder}/./pingpong.log")
        expect("a file twice", log_twice, 2,
               err=f"error: got {folder}/./pingpong.log twice, expected each file once, or its points would count twice\n")

        refused = (
            ("write without merge", ["--write", log], "--write needs --merge PLATFORM"),
            ("wrong size", ["--rendezvous", "2", log], '--rendezvous: got "2", expected a size such as "64 KiB" or "4 B"'),
            ("no size", ["--rendezvous", "", log], '--rendezvous: got "", expected a size such as "64 KiB" or "4 B"'),
            ("large size", ["--rendezvous", "1000 PiB", log], '--rendezvous: got "1000 PiB", expected at most 1 PiB'),
            ("one regime", ["--regimes", "1", "--rendezvous", "1 KiB", log],
             "--regimes: got 1, expected at least 2, since the sizes lie on both sides of --rendezvous"),
            ("benchmark of a log that names it", ["--benchmark", "osu-bw", log],
             '--benchmark: got "osu-bw", expected none, since all tables name their benchmark'),
            ("unknown benchmark", ["--benchmark", "osu", log], '--benchmark: got "osu", expected one of imb-pingpong, '
             "imb-sendrecv, imb-exchange, osu-latency, osu-bw, osu-bibw"),
            ("ranks without platform", ["--ranks", "a,b", log], "--ranks needs --platform or --merge"),
            ("fabric without platform", ["--fabric", "a", log], "--fabric needs --platform or --merge"),
            ("set without platform", ["--set", "name=a", log], "--set needs --platform, --merge or a scenario"),
            ("set of a field", ["--set", "fabrics.gbe.stripes_from=1 B", BW],
             "--set platform:fabrics.gbe.stripes_from: got 1 gateway, expected two or more"),
            ("ranks of scenarios", ["--ranks", "a,b", BW], "--ranks needs a log; scenarios name their ranks"),
            ("platform of scenarios", ["--platform", "a", BW], "--platform needs a log; scenarios name their platform"),
            ("benchmark of scenarios", ["--benchmark", "osu-bw", BW], "--benchmark needs a log"),
            ("missing adjustment", ["--adjustments", "7", BW], "--adjustments: got 7, but fabric gbe has 0 of them"),
            ("negative adjustment", ["--adjustments=-1", BW], "--adjustments: got -1, but fabric gbe has 0 of them"),
            ("adjustment twice", ["--adjustments", "0,0", BW], "--adjustments: got 0 twice, expected each index only once"),
            ("adjustments and rendezvous", ["--adjustments=0", "--rendezvous", "1 KiB", BW],
             "--rendezvous does not go with --adjustments, which fits no regimes"),
            ("merge and format", ["--merge", PLATFORM, "--format", "json", BW],
             "--format does not go with --merge, which prints a platform"),
            ("no file", [], "got no FILE, expected at least one, --log or --collective"),
            ("unknown distance", ["--log", f"far={log}"],
             f'--log: got "far={log}", expected same-cache, same-socket, same-node, between-nodes or two devices, \'=\' and a file, '
             "such as same-socket=pingpong.log"),
            ("distance without file", ["--log", "same-node"],
             "--log: got \"same-node\", expected same-cache, same-socket, same-node, between-nodes or two devices, '=' and a file, "
             "such as same-socket=pingpong.log"),
            ("distance of a scenario", ["--log", f"same-node={BW}"],
             f'--log: got "same-node={BW}", expected a log; a scenario names its ranks'),
            ("devices without platform", ["--log", f"a,b={log}"], "--log with devices needs --platform or --merge"),
            ("merge into another fabric", ["--merge", PLATFORM, "--fabric", "qdr", BW],
             '--fabric: got "qdr", expected the fabric that is calibrated, "gbe"'),
        )
        for name, arguments, message in refused:
            expect(name, kakehashi("calibrate", *map(str, arguments)), 2, err=f"error: {message}\n")
        reference = "scenarios/reference/hpcdiy-qdr"
        expect("two tables as CSV", kakehashi("calibrate", "--benchmark", "osu-latency,osu-bw", f"{reference}/latency-gbe.csv",
                                              f"{reference}/bw-gbe.csv"), 0, out=["parameters for 47 points"])
        expect("a table of bandwidths as CSV", kakehashi("calibrate", "--benchmark", "osu-latency", f"{reference}/bw-gbe.csv"), 2,
               err=["got a table whose benchmark is not named (--benchmark names it), expected two ranks of imb-pingpong"])
        log.write_text("no table at all\n")
        expect("no table", kakehashi("calibrate", str(log)), 2, err=["pingpong.log"])


def merge():
    with tempfile.TemporaryDirectory() as folder:
        log = pathlib.Path(folder, "pingpong.log")
        log.write_text(pingpong_log(25))
        platform = pathlib.Path(folder, "p.json")
        link = pathlib.Path(folder, "link.json")
        platform.write_text((root / PLATFORM).read_text())
        platform.chmod(0o640)
        link.symlink_to("p.json")
        before = platform.read_text()
        place = ("--fabric", "gbe", "--ranks", "hpc01.cpu0,hpc02.cpu0")
        merged = kakehashi("calibrate", *place, "--merge", str(platform), str(log))
        expect("merge", merged, 0, out=['"from": "pingpong"'], err=["# fabric gbe, between-nodes: "])
        if platform.read_text() != before:
            failures.append("merge: the file was overwritten without --write")
        expect("merge and write", kakehashi("calibrate", *place, "--merge", str(link), "--write", str(log)), 0, err=["regimes"])
        if platform.read_text() != merged.stdout or not link.is_symlink() or platform.stat().st_mode & 0o777 != 0o640:
            failures.append("merge: what was written is not what is printed, in the same place")
        form = before.replace("  ", "\t").replace("\n", "\r\n")
        platform.write_bytes(form.encode())
        printed = subprocess.run([program, "calibrate", *place, "--merge", str(platform), str(log)], cwd=root, capture_output=True)
        if b"\t" not in printed.stdout or b"\\t" in printed.stdout or b"\r\n" not in printed.stdout or b"\\r" in printed.stdout:
            failures.append("merge: tabs or returns of the file are not as they were")
        platform.write_text(merged.stdout)
        if sorted(path.name for path in pathlib.Path(folder).iterdir()) != ["link.json", "p.json", "pingpong.log"]:
            failures.append("merge: other files were left behind")
        expect("the merged platform", kakehashi("check", "--quiet", str(platform)), 0)
        expect("paths that differ", kakehashi("calibrate", "--merge", str(platform), "--fabric", "qdr", str(log)), 2,
               err="error: --ranks: got none, but fabric qdr has 3 kinds of paths between nodes, expected the two devices that "
                   "were measured, such as node0.cpu0,node1.cpu0\n")
        expect("no fabric", kakehashi("calibrate", "--merge", str(platform), str(log)), 2,
               err=f"error: --fabric: got none, expected a fabric of {platform}: gbe, gbe-shm, qdr, qdr-shm, shm\n")
        expect("wrong fabric", kakehashi("calibrate", "--platform", str(platform), "--fabric", "x", str(log)), 2,
               err=f'error: --fabric: got "x", expected a fabric of {platform}: gbe, gbe-shm, qdr, qdr-shm, shm\n')
        expect("another platform", kakehashi("calibrate", "--merge", str(platform), BW), 2,
               err=['error: --merge: got "', 'expected the platform that is calibrated, "', "platforms/hpcdiy-qdr.json"])
        # A platform with one path between nodes needs neither fabric nor ranks, and keeps its own latency.
        platform.write_text(json.dumps(MINE))
        log.write_text(LOG)
        run = kakehashi("calibrate", "--merge", str(platform), "--write", str(log))
        expect("one path", run, 0, err=["# fabric ib, between-nodes: 2 regimes"])
        scenario = {"name": "s", "platform": str(platform), "fabric": "ib", "ranks": ["n1.cpu", "n2.cpu"],
                    "workload": {"benchmark": "imb-pingpong", "sizes": ["0 B"]}}
        run = run_scenario(scenario, "--format", "json")
        if abs(json.loads(run.stdout)["rows"][0]["t_avg_us"] - 1.2) > 0.01:
            failures.append("one path: the merged platform does not predict what was measured\n" + run.stdout)


def merge_of_kinds():
    """Logs of CPUs and of GPUs in one call: what is merged is a platform again."""
    with tempfile.TemporaryDirectory() as folder:
        mine = json.loads(json.dumps(MINE))
        node = mine["templates"]["node"]
        node["devices"].append({"name": "gpu", "kind": "gpu"})
        node["links"].append({"between": ["gpu", "hca"], "type": "pcie", "generation": 3, "lanes": 16})
        platform = pathlib.Path(folder, "p.json")
        platform.write_text(json.dumps(mine))
        for name, base in (("cpu", 1.2), ("gpu", 9)):
            pathlib.Path(folder, f"{name}.log").write_text(pingpong_log(base))
        run = kakehashi("calibrate", "--merge", "p.json", "--write", "--fabric", "ib", "--log", "n1.gpu,n2.gpu=gpu.log",
                        "--log", "n1.cpu,n2.cpu=cpu.log", cwd=folder)
        expect("merge of kinds", run, 0, err=["regimes"])
        expect("what was merged", kakehashi("check", "--quiet", "p.json", cwd=folder), 0)


def dropped_references():
    curve = "scenarios/intel-mpss/sendrecv-dapl-host-mic0.json"
    expect("a reference", kakehashi("simulate", curve), 0, out=["# against "])
    run = kakehashi("simulate", "--fabric", "tcp", curve)
    expect("a reference of another fabric", run, 0, out=["imb-sendrecv on intel-mpss, fabric tcp"], err=f"note: the reference of {curve} is left out, which was measured with another fabric\n")
    if "# against" in run.stdout:
        failures.append("dropped references: the table still has it\n" + run.stdout)
    expect("the same fabric", kakehashi("simulate", "--fabric", "dapl", "--set", "/workload/repetitions=10", curve), 0, out=["# against "])


MINE = {"name": "mine",
        "templates": {"node": {"devices": [{"name": "cpu", "kind": "cpu"}, {"name": "hca", "kind": "hca"}],
                               "links": [{"between": ["cpu", "hca"], "type": "pcie", "generation": 3, "lanes": 16}]}},
        "nodes": {"n1": "node", "n2": "node"},
        "links": [{"between": ["n1.hca", "n2.hca"], "type": "infiniband", "signalling": "EDR", "lanes": 4, "latency": "0.6 us"}],
        "fabrics": {"ib": {"links": ["pcie", "infiniband"], "rules": [{"regimes": [{"from": "0 B", "o_send": "0.3 us"}]}]}}}


FORMED = """{
  "name": "mine", "templates": {"node": {"devices": [{"name": "cpu0", "kind": "cpu"}, {"name": "cpu1", "kind": "cpu"},
      {"name": "hca", "kind": "hca"}],
    "links": [{"between": ["cpu0", "hca"], "type": "pcie", "generation": 3, "lanes": 16},
              {"between": ["cpu0", "cpu1"], "type": "upi", "transfers": "10.4 GT/s", "latency": "0.1 us"}]}},
  "nodes": {"n1": "node",   "n2": "node"},
  "links": [{"between": ["n1.hca", "n2.hca"], "type": "infiniband", "signalling": "EDR", "lanes": 4, "latency": "0.6 us"}],
  "fabrics": {
    "ib": {"links": ["pcie", "upi", "infiniband"], "rules": [
        {"regimes": [{"from": "0 B", "o_send": "0.3 us"}]}
    ]}
  }
}
"""


def own_table(benchmark, time, bandwidth=False):
    sizes = ([] if bandwidth else [0]) + [4 ** k for k in range(12)]
    return (f"# s: {benchmark} on other, fabric x\n# ranks on a, b\n# Size      {'Bandwidth (MB/s)' if bandwidth else 'Latency (us)'}\n"
            + "".join(f"{n} {time(n):.4f}\n" for n in sizes))


def distances():
    with tempfile.TemporaryDirectory() as folder:
        at = lambda name: str(pathlib.Path(folder, name))
        platform = pathlib.Path(at("p.json"))
        platform.write_text(FORMED)
        pathlib.Path(at("near.log")).write_text(own_table("osu-latency", lambda n: 0.3 + n / 8000))
        pathlib.Path(at("across.log")).write_text(own_table("osu-latency", lambda n: 0.6 + n / 5000))
        pathlib.Path(at("far.log")).write_text(own_table("osu-latency", lambda n: 1.4 + n / 11000))
        here = ("--merge", str(platform), "--quiet", "--log")
        run = kakehashi("calibrate", *here, f"same-socket={at('near.log')}", "--log", f"n1.cpu0,n2.cpu0={at('far.log')}",
                        "--log", f"n1.cpu0,n1.cpu1={at('across.log')}", "--write")
        expect("logs of three distances", run, 0, err=["# fabric ib, inside-device: 1 regime", "# fabric ib, inside-node: 1 regime",
                                                       "# fabric ib, between-nodes: 1 regime"])
        merged = platform.read_text()
        rules = json.loads(merged)["fabrics"]["ib"]["rules"]
        if [rule.get("scope") for rule in rules] != ["inside-device", "inside-node", "between-nodes", None]:
            failures.append(f"logs of three distances: wrong rules {rules}")
        before, after = FORMED.splitlines(), merged.splitlines()
        if before[:9] != after[:9] or before[-4:] != after[-4:] or not all(line.startswith("        {") for line in after[9:-3]):
            failures.append("logs of three distances: the file has another form\n" + merged)
        expect("the merged rules", kakehashi("check", "--quiet", str(platform)), 0)
        for ranks, time in (("n1.cpu0,n1.cpu0", 0.3), ("n1.cpu0,n1.cpu1", 0.6), ("n1.cpu0,n2.cpu0", 1.4)):
            run = kakehashi("simulate", "--platform", str(platform), "--fabric", "ib", "--ranks", ranks, "--benchmark", "imb-pingpong",
                            "--sizes", "0", "--format", "json")
            if abs(json.loads(run.stdout)["rows"][0]["t_avg_us"] - time) > 0.01:
                failures.append(f"logs of three distances: {ranks} takes another time\n{run.stdout}")
        run = kakehashi("calibrate", *here, f"n1.cpu0,n2.cpu0={at('far.log')}")
        if (run.returncode, run.stdout) != (0, merged):
            failures.append(f"the same log again: {run.returncode}, and another platform\n{run.stdout}")
        names = [at(f"measured-on-the-new-cluster-after-the-update-of-its-firmware-run-{i}.log") for i in range(8)]
        for name in names:
            shutil.copy(at("far.log"), name)
        run = kakehashi("calibrate", *here[:-1], *(word for name in names for word in ("--log", f"n1.cpu0,n2.cpu0={name}")))
        expect("more names than a source holds", run, 0, out=["measured-on-the-new-cluster-after-the-update-of-its-firmware-run-0, "], err=[])

        expect("a distance of several kinds", kakehashi("calibrate", *here, f"between-nodes={at('far.log')}"), 2,
               err="error: --log: got between-nodes, but fabric ib has 3 kinds of paths between nodes, expected the two devices that "
                   "were measured, such as node0.cpu0,node1.cpu0=FILE\n")
        expect("too fast for its links", kakehashi("calibrate", *here, f"n1.cpu0,n2.cpu0={at('near.log')}"), 2,
               err=["near.log: got 0.3 us for 0 B, expected at least the 0.6 us that the links from n1.cpu0 to n2.cpu0 take; either the "
                    "ranks were elsewhere (--log states where), or a link's latency is wrong"])
        run = kakehashi("calibrate", "--format", "json", "--log", f"same-socket={at('near.log')}", "--log",
                        f"between-nodes={at('far.log')}")
        if [fit["scope"] for fit in json.loads(run.stdout)] != ["inside-device", "between-nodes"]:
            failures.append("distances without a platform: wrong scopes\n" + run.stdout)

        pathlib.Path(at("mine.json")).write_text(json.dumps(MINE))
        job = pathlib.Path(at("job.log"))
        job.write_text(LOG.replace("# #processes = 2", "# #processes = 2\n# ( 54 additional processes waiting in MPI_Barrier)"))
        run = kakehashi("calibrate", "--merge", str(platform), "--ranks", "n1.cpu0,n2.cpu0", str(job))
        if run.returncode != 0 or not run.stderr.startswith("# fabric ib, between-nodes: 2 regimes"):
            failures.append(f"a PingPong of a large job: {run.returncode} and\n{run.stderr}")
        expect("a PingPong in one node", kakehashi("calibrate", "--merge", at("mine.json"), str(job)), 2,
               err=["\"54 additional processes waiting in MPI_Barrier\", so that its ranks were probably in one node"])


def references():
    with tempfile.TemporaryDirectory() as folder:
        log = pathlib.Path(folder, "job.out")
        log.write_text("".join(f"# Benchmarking {name}\n# #processes = {count}\n#bytes #repetitions t_min[usec] t_max[usec] t_avg[usec]\n"
                               f"8 1000 4 6 {time}\n64 1000 4 6 {time}\n\n"
                               for name, count, time in (("Allreduce", 2, 2), ("Allreduce", 4, 5), ("Alltoall", 4, 9))))
        platform = pathlib.Path(folder, "p.json")
        platform.write_text(json.dumps(MINE))
        scenario = pathlib.Path(folder, "s.json")
        content = {"name": "s", "platform": "p.json", "fabric": "ib", "ranks": {"on": ["n*.cpu"], "per_device": 2},
                   "workload": {"benchmark": "imb-allreduce", "sizes": ["8 B", "64 B"]}, "reference": {"curve": "job.out", "use": "prediction"}}
        scenario.write_text(json.dumps(content))
        expect("a log as reference", kakehashi("simulate", str(scenario)), 0, out=["measured     error", " 5.00 "])
        expect("a scenario's score", kakehashi("validate", "--quiet", str(scenario)), 0, out=["mine         s ", "shown"])
        expect("a scenario's sensitivity", kakehashi("validate", "--sensitivity", str(scenario)), 2,
               err="error: --sensitivity and --data do not go with scenarios\n")
        content["ranks"]["per_device"] = 4
        scenario.write_text(json.dumps(content))
        expect("a log of other processes", kakehashi("simulate", str(scenario)), 2,
               err=["job.out: got imb-allreduce of 2 processes, imb-allreduce of 4 processes, imb-alltoall of 4 processes, expected one "
                    "table of imb-allreduce of 8 processes"])
        del content["reference"]
        scenario.write_text(json.dumps(content))
        expect("a scenario without reference", kakehashi("validate", str(scenario)), 2,
               err=["s.json: got no reference, expected a measured curve to compare with"])


def adjustments():
    arguments = ("calibrate", "--adjustments", "0", "scenarios/hpcdiy-qdr/latency-shm-inter-socket.json")
    expect("adjustments", kakehashi(*arguments), 0,
           out=["# fabric shm: 1 adjustment for 24 points", "# adjustment 0: at each crossing of qpi\n  overhead "])
    run = kakehashi(*arguments, "--format", "json")
    expect("adjustments as JSON", run, 0, out=['"index": 0', '"overhead"', '"schema_version": 1'])


MIC = "scenarios/colfax-mic/pingpong-mic2-remote-mic2.json"


def explain():
    run = kakehashi("explain", MIC, "--size", "4 MiB")
    expect("explain a message", run, 0, out=["regime 256 KiB to any size: rendezvous, 3 trips, provider ofa-v2-mcm-1",
                                             "limited leg node0.hca (read)", "# bottleneck: flow at 500 MiB/s",
                                             "  rate of /peer_limits/0"])
    found = json.loads(kakehashi("explain", MIC, "--size", "4 MiB", "--format", "json").stdout)
    steps = found["waterfall"]
    if [step["end_us"] for step in steps[:-1]] != [step["start_us"] for step in steps[1:]] or steps[-1]["end_us"] != found["total_us"]:
        failures.append(f"explain: the waterfall has holes: {steps}")
    staged = kakehashi("explain", MIC, "--size", "4 MiB", "--fabric", "dapl-staged")
    expect("explain stages", staged, 0, out=["# stage node0.cpu0 to node1.cpu0, fabric dapl", "# in pieces of 512 KiB"])
    expect("explain a run", kakehashi("explain", MIC), 0, out=["# busiest links", "# never mattered", "rate of /peer_limits/2"])
    expect("explain a size", kakehashi("explain", MIC, "--size", "4"), 2,
           err='error: --size: got "4", expected a size such as "64 KiB" or "4 B", at most 1 PiB\n')
    expect("explain a device", kakehashi("explain", MIC, "--size", "4 B", "--to", "node1.mic9"), 2,
           err='error: --to: got "node1.mic9", expected a cpu, coprocessor, gpu or dpu of platforms/colfax-mic.json '
               '(did you mean "node1.mic0"?)\n')
    expect("explain a fabric", kakehashi("explain", MIC, "--fabric", "dapll"), 2,
           err='error: --fabric: got "dapll", expected a fabric of platforms/colfax-mic.json: dapl, dapl-staged, shm, '
               'shm-dapl, tcp (did you mean "dapl"?)\n')
    expect("explain without size", kakehashi("explain", MIC, "--to", "node1.mic0"), 2, err="error: --from and --to need --size\n")


def compare():
    scenario = "scenarios/tca-mic/mic-to-remote-mic.json"
    run = kakehashi("compare", "--quiet", scenario, "--fabrics", "peach2-scif,intel-mpi")
    expect("compare", run, 0, out=["peach2-scif (34.2 %)", "on intel-mpi wins, before it peach2-scif",
                                   "crossovers are among multiples of 64 B", "# where most of the time goes"])
    if kakehashi("compare", "--quiet", scenario, "--fabrics", "peach2-scif,intel-mpi", "--jobs", "1").stdout != run.stdout:
        failures.append("compare: the output depends on --jobs")
    found = json.loads(kakehashi("compare", "--quiet", scenario, "--fabrics", "peach2-scif,intel-mpi", "--format", "json").stdout)
    if len(found["crossovers"]) != 1 or found["crossovers"][0]["size"] % 64:
        failures.append(f"compare: wrong crossovers {found['crossovers']}")
    expect("compare as CSV", kakehashi("compare", "--quiet", scenario, "--format", "csv"), 0,
           out=["scenario,platform,fabric,contender,size,size_is,time_us,rate,rate_unit,slower,verdict,reason,reason_share,hypothetical\n"
                "mic-to-remote-mic,tca-mic,intel-mpi,intel-mpi,64,bytes,7.43"])
    expect("compare boss and workers",
           kakehashi("compare", "--quiet", "--fabrics", "tcp,dapl", "scenarios/colfax-mic/asian-option-2-devices.json"), 0,
           out=["# work item", "dapl wins everywhere", "the core of rank 0 (node0.cpu0): overheads and copies (9"])
    with tempfile.TemporaryDirectory() as folder:
        faster = pathlib.Path(folder, "faster.json")
        faster.write_text((root / "platforms/tca-mic.json").read_text().replace('"tca-mic"', '"faster"').replace('"setup": "1.178 us"', '"setup": "0.5 us"')
                          .replace('"parts/', f'"{root}/platforms/parts/'))
        expect("compare platforms", kakehashi("compare", "--quiet", "--platforms", f"platforms/tca-mic.json,{faster}", scenario), 0,
               out=["tca-mic/peach2-scif", "faster/peach2-scif wins everywhere"])
        usual, slow = (kakehashi("compare", "--quiet", "--platforms", f"platforms/tca-mic.json,{faster}", scenario, "--sizes", "64",
                                 "--fabrics", "intel-mpi", "--format", "json", *options)
                       for options in ([], ["--set", "platform:/fabrics/intel-mpi/rules/1/regimes/0/o_send=99 us"]))
        if any(after["time_us"] < before["time_us"] + 80 for before, after in
               zip(*(json.loads(run.stdout)["rows"][0]["times"] for run in (usual, slow)))):
            failures.append("compare platforms: --set does not reach the platforms")
    expect("compare strange platforms", kakehashi("compare", "--platforms", "platforms/colfax-mic.json,platforms/tca-mic.json", SCENARIO), 2,
           err=[f'error: platforms/{name}.json has no device "hpc0{node}.cpu1" for ranks; --map hpc0{node}.cpu1=DEVICE names the one '
                "that takes its place\n" for name in ("colfax-mic", "tca-mic") for node in (1, 2)])
    expect("compare one", kakehashi("compare", "--quiet", scenario, "--fabrics", "intel-mpi"), 2,
           err=f"error: {scenario}: got only intel-mpi to compare, expected at least two fabrics or platforms\n")
    expect("compare nothing", kakehashi("compare", scenario, "--fabrics", "intel-mpi,mvapich2-mik"), 2,
           err='error: --fabrics: got "mvapich2-mik", expected a fabric of platforms/tca-mic.json: intel-mpi, memcpy, '
               'mvapich2-mic, peach2, peach2-direct, peach2-direct-by-mic, peach2-host-descriptors, peach2-scif, scif (did you mean "mvapich2-mic"?)\n')


def hypothetical():
    """Fabrics that nobody has measured are compared only if they are named, and are marked wherever they stand."""
    scenario = "scenarios/tca-mic/mic-to-remote-mic.json"
    few = (scenario, "--sizes", "64,1 MiB")
    left_out = "".join(f"note: fabric {name} is left out: it is hypothetical; --fabrics names such ones\n"
                       for name in ("peach2-direct", "peach2-direct-by-mic"))
    run = kakehashi("compare", *few)
    expect("hypothetical fabrics, not named", run, 0, out=["peach2-scif"], err=[left_out])
    if "hypothetical" in run.stdout or "direct" in run.stdout:
        failures.append(f"hypothetical fabrics are compared: {run.stdout}")
    named = (*few, "--fabrics", "peach2-direct,peach2-scif")
    with tempfile.TemporaryDirectory() as name:
        page = pathlib.Path(name) / "r.html"
        expect("hypothetical fabrics, named", kakehashi("compare", "--quiet", *named, "--report", str(page)), 0,
               out=["peach2-direct (hypothetical) (", "# no crossover: peach2-direct (hypothetical) wins everywhere\n",
                    "peach2-direct (hypothetical):\n"])
        if "peach2-direct (hypothetical)" not in page.read_text():
            failures.append("a page does not mark hypothetical fabrics")
    found = json.loads(kakehashi("compare", "--quiet", *named, "--format", "json").stdout)["places"]
    if found != [{"platform": "tca-mic", "fabric": "peach2-direct", "hypothetical": True},
                 {"platform": "tca-mic", "fabric": "peach2-scif", "hypothetical": False}]:
        failures.append(f"hypothetical fabrics in JSON: {found}")
    expect("hypothetical fabrics as CSV", kakehashi("compare", "--quiet", *named, "--format", "csv"), 0,
           out=["slower,verdict,reason,reason_share,hypothetical\n", "setup and trips,0.865221,yes\n", ",no\n"])
    expect("hypothetical fabrics in lists", kakehashi("list", "platforms/tca-mic.json"), 0,
           out=["# peach2-direct (hypothetical): one-way time", "# peach2: one-way time"])
    expect("hypothetical fabrics in lists as CSV", kakehashi("list", "platforms/tca-mic.json", "--format", "csv"), 0,
           out=["platform,fabric,from,to,links,latency_us,mbytes_per_s,hypothetical\n", ",no\n", ",yes\n"])
    if json.loads(kakehashi("list", "platforms/tca-mic.json", "--format", "json").stdout)["hypothetical_fabrics"] != [
            "peach2-direct", "peach2-direct-by-mic"]:
        failures.append("hypothetical fabrics in lists as JSON")


def compare_algorithms():
    scenario = "scenarios/hpcdiy-qdr/allreduce-shm.json"
    two = ("compare", "--quiet", scenario, "--sizes", "8 B,1 MiB", "--algorithms")
    run = kakehashi(*two, "recursive-doubling,ring")
    expect("compare algorithms", run, 0, out=["what open-mpi takes", "# from 1 MiB (1048576) on ring wins, before it recursive-doubling"])
    alone = json.loads(kakehashi("simulate", "--quiet", scenario, "--sizes", "8 B,1 MiB", "--format", "json", "--set",
                                 '/mpi={"algorithms": {"allreduce": "ring"}}').stdout)["rows"]
    table = [line.split() for line in run.stdout.splitlines()]
    ring = {cells[0]: cells[2] for cells in table if cells[0] in ("8", "1048576")}
    for row in alone:
        if ring.get(str(row["bytes"])) != f'{row["t_max_us"]:.2f}':
            failures.append(f"compare algorithms: ring takes {row['t_max_us']} us alone, not {ring}")
    bcast = ("compare", "--quiet", "scenarios/hpcdiy-qdr/bcast-shm-chain.json", "--sizes", "1 MiB", "--algorithms", "all")
    expect("a setting for the winner", kakehashi(*bcast, "--set", "mpi.collectives=mpich"), 0,
           out=["# settings with which mpich takes", "#   bine-scatter-allgather, best at 1 MiB: no setting is known\n",
                "#   scatter-ring-allgather, best at 1 MiB of those with a setting: MPIR_CVAR_BCAST_INTRA_ALGORITHM=scatter_ring_allgather\n"])
    expect("compare all algorithms", kakehashi(*two, "all"), 0, out=["rabenseifner", "segmented-ring", "reduce-bcast"])
    expect("compare an unknown algorithm", kakehashi(*two, "ring,rong"), 2,
           err='error: --algorithms: got "rong", expected algorithms of allreduce: recursive-doubling, rabenseifner, ring, segmented-ring, '
               'reduce-bcast, reduce-bcast-by-node, linear, bine, bine-rabenseifner, circulant, two-level, shared-memory, box-trees, box-six-trees (did you mean "ring"?)\n')
    expect("compare algorithms of no collective", kakehashi("compare", MIC, "--algorithms", "ring,bruck"), 2,
           err="error: --algorithms: got imb-pingpong, which is no collective operation, expected a benchmark of a collective operation, "
               "such as imb-allgather\n")


def compare_pairs():
    """Fabrics of platforms that name devices differently, by PLATFORM:FABRIC and --map."""
    tca, colfax = "platforms/tca-mic.json", "platforms/colfax-mic.json"
    pairs = ("compare", "--quiet", MIC, "--fabrics", f"dapl,{tca}:peach2-scif")
    run = kakehashi(*pairs, "--map", "node*.mic2=node*.mic0")
    expect("compare pairs", run, 0, out=["colfax-mic/dapl", "tca-mic/peach2-scif"])
    for entries in ("node0.mic2=node0.mic0,node1.mic2=node1.mic0", f"{tca}:node*.mic2=node*.mic0",
                    f"./{tca}:node0.mic2=node0.mic0,node1.mic2=node1.mic0"):
        if kakehashi(*pairs, "--map", entries).stdout != run.stdout:
            failures.append(f"compare pairs: another result with --map {entries}")
    if kakehashi("compare", "--quiet", MIC, "--fabrics", f"{colfax}:dapl,{tca}:peach2-scif", "--map",
                 f"{tca}:node*.mic2=node*.mic0").stdout != run.stdout:
        failures.append("compare pairs: the scenario's own platform by its name gives another result")
    alone = json.loads(kakehashi("simulate", "--quiet", "--format", "json", "scenarios/tca-mic/mic-to-remote-mic.json").stdout)["rows"]
    paired = json.loads(kakehashi(*pairs, "--map", "node*.mic2=node*.mic0", "--format", "json").stdout)["rows"]
    alone = {row["bytes"]: row["t_max_us"] for row in alone}
    for row in paired:
        if row["size"] in alone and abs(row["times"][1]["time_us"] / alone[row["size"]] - 1) > 1e-9:
            failures.append(f"compare pairs: {row['times'][1]} at {row['size']} B, but {alone[row['size']]} us alone")
    expect("a device that has no other name", kakehashi(*pairs), 2,
           err=[f'error: {tca} has no device "node{i}.mic2" for ranks; --map node{i}.mic2=DEVICE names the one that takes its place '
                f'(did you mean "node{i}.mic0"?)\n' for i in (0, 1)])
    for entry, message in (
            ("node0.mic2", '--map: got "node0.mic2", expected DEVICE=DEVICE or PLATFORM:DEVICE=DEVICE, such as '
                           "other.json:node0.mic2=node0.mic0"),
            ("node0.mic2=node*.mic0", '--map: got "node0.mic2=node*.mic0", expected one * in both names, or in the first one, or none'),
            ("node*.mic3=node*.mic0,node*.mic2=node*.mic0",
             '--map: got "node*.mic3=node*.mic0", where no rank of the scenario is on "node*.mic3", expected a device of its ranks '
             '(did you mean "node0.mic2"?)'),
            ("node*.mic2=node*.mic0,x.json:node0.mic2=node0.mic0",
             f'--map: got "x.json:node0.mic2=node0.mic0", expected one of the other platforms: {tca}'),
            ("node*.mic2=node*.hca", f'--map: got "node0.hca", expected a cpu, coprocessor, gpu or dpu of {tca} (did you mean "node0.mic0"?)')):
        expect(f"map {entry}", kakehashi(*pairs, "--map", entry), 2, err=[f"error: {message}\n"])
    expect("a map without a platform", kakehashi("compare", MIC, "--fabrics", "tcp,dapl", "--map", "node0.mic2=node0.mic0"), 2,
           err='error: --map: got "node0.mic2=node0.mic0", expected another platform to compare with, in --fabrics or --platforms\n')
    expect("a pair without its fabric", kakehashi("compare", MIC, "--fabrics", f"dapl,{tca}:dapl", "--map", "node*.mic2=node*.mic0"), 2,
           err='error: --fabrics: got "dapl", expected a fabric of platforms/tca-mic.json: intel-mpi, memcpy, mvapich2-mic, peach2, '
               "peach2-direct, peach2-direct-by-mic, peach2-host-descriptors, peach2-scif, scif\n")
    expect("a pair without its platform", kakehashi("compare", MIC, "--fabrics", "dapl,none.json:dapl"), 2,
           err="error: none.json: no such file\n")


def three_fabrics():
    """The composed platform has its fabrics field by field from the platforms of the two documents."""
    def without_claims(value):  # which a document's own platform names
        if isinstance(value, dict):
            return {key: without_claims(each) for key, each in value.items() if key != "claims"}
        return [without_claims(each) for each in value] if isinstance(value, list) else value

    read = lambda name: without_claims(json.loads((root / f"platforms/{name}.json").read_text()))
    composed, colfax, tca = read("tca-colfax"), read("colfax-mic"), read("tca-mic")
    inside, *elsewhere = composed["fabrics"]["dapl"]["rules"]
    if elsewhere != tca["fabrics"]["intel-mpi"]["rules"] or inside["scope"] != "inside-device":
        failures.append("tca-colfax: dapl is not tca-mic's but inside a coprocessor")
    for source, names in ((colfax, ("tcp", "shm", "shm-dapl")), (tca, ("peach2", "scif", "memcpy", "peach2-scif"))):
        for name in names:
            if composed["fabrics"][name] != source["fabrics"][name]:
                failures.append(f"tca-colfax: {name} is not that of {source['name']}")
    shared = {read(name)["peer_limits"] for name in ("tca-colfax", "colfax-mic", "tca-mic", "intel-mpss", "colfax-two-hcas")}
    if shared != {"parts/xeon-e5-xeon-phi.json"}:
        failures.append(f"nodes of one generation have several limits of their devices: {shared}")
    rows = {}
    for name, fabrics in (("hosts", "tcp,dapl,shm-dapl,peach2,peach2-scif"), ("coprocessors", "tcp,dapl,shm-dapl,peach2-scif"),
                          ("coprocessors-of-a-node", "tcp,dapl,shm-dapl"), ("ranks-of-a-coprocessor", "tcp,dapl,shm,shm-dapl")):
        run = kakehashi("compare", "--quiet", "--format", "json", "--fabrics", fabrics, f"scenarios/three-fabrics/{name}.json")
        if run.returncode != 0:
            failures.append(f"compare {name}: {run.stderr}")
            return
        rows[name] = [dict(zip(fabrics.split(","), (time["time_us"] for time in row["times"]))) for row in json.loads(run.stdout)["rows"]]
    expect("an Alltoall over shm and dapl", kakehashi("simulate", "--quiet", "scenarios/three-fabrics/alltoall.json"), 0,
           out=["fabric shm-dapl"])
    for name, one, other in (("hosts", "shm-dapl", "dapl"), ("hosts", "peach2-scif", "peach2"), ("coprocessors", "shm-dapl", "dapl"),
                             ("coprocessors-of-a-node", "shm-dapl", "dapl"), ("ranks-of-a-coprocessor", "shm-dapl", "shm")):
        if any(row[one] != row[other] for row in rows[name]):
            failures.append(f"{name}: {one} differs from {other}: {rows[name]}")
    small, large = rows["ranks-of-a-coprocessor"][0], rows["ranks-of-a-coprocessor"][-1]
    if not (small["shm-dapl"] < small["dapl"] and large["dapl"] < large["shm-dapl"]):
        failures.append(f"ranks-of-a-coprocessor: each of shm and dapl is better somewhere, but {small}, {large}")


def events():
    """Each event once, in order, and the same result as without them."""
    words = ("simulate", "--quiet", "--sizes", "64 KiB", SCENARIO)
    with tempfile.TemporaryDirectory() as folder:
        file = f"{folder}/events.jsonl"
        expect("events", kakehashi(*words, "--trace-events", "all", "--trace-file", file), 0, out=[kakehashi(*words).stdout], err="")
        found = [json.loads(line) for line in pathlib.Path(file).read_text().splitlines()]
        if [event["time_us"] for event in found] != sorted(event["time_us"] for event in found):
            failures.append("events: not in order")
        by_message = {}
        for event in found:
            by_message.setdefault(event["message"], []).append(f"{event['category']} {event['event']}")
        if sorted(by_message[2]) != ["flow ends", "flow starts", "match is matched", "match request arrives", "message begins", "message is received",
                                     "message payload ends", "message payload starts"]:
            failures.append(f"events: those of a rendezvous are {by_message[2]}")
    lines = kakehashi(*words, "--trace-events", "flow").stderr.splitlines()
    if len(lines) != sum(event["category"] == "flow" for event in found) or " flow    starts " not in lines[0]:
        failures.append(f"events: as text {lines}")
    with tempfile.TemporaryDirectory() as folder:  # a ring: its settled rounds, and none where all are simulated
        machine, file = f"{folder}/machine.json", f"{folder}/rounds.jsonl"
        kakehashi("import", "scenarios/journey/node.xml", "--nodes", "32", "--network", "fat-tree:HDR:32", "-o", machine)
        ring = ("simulate", "--quiet", "--platform", machine, "--benchmark", "osu-allgather", "--ranks", "node*.cpu*", "--per-device", "8", "--sizes",
                "16 KiB", "--algorithm", "ring", "--trace-events", "rounds")
        kakehashi(*ring, "--trace-file", file)
        found = [json.loads(line) for line in pathlib.Path(file).read_text().splitlines()]
        spans = [event["until_us"] - event["time_us"] for event in found]
        if len(found) < 2 or any(event["category"] != "rounds" or event["times"] < 1 for event in found) or max(spans) > 1.02 * min(spans):
            failures.append(f"events: rounds that are left out: {found}")
        expect("events of rounds that all run", kakehashi(*ring, "--whole"), 0, out=["\n16384 "], err="")
    expect("events of no kind", kakehashi("simulate", SCENARIO, "--trace-events", "flows"), 2,
           err='error: --trace-events: got "flows", expected message, flow, match, rounds or all\n')


RING = "scenarios/colfax-mic/sweep-ring-all.json"


def asks():
    """Placements of another program, which gets an answer before it asks again; equal ones run once, others are proven to be worse."""
    orders = ["node0.mic2 node0.mic3 node0.mic0 node0.mic1 node1.mic0", '["node0.mic3", "node0.mic2", "node0.mic0", "node0.mic1", "node1.mic0"]']
    with tempfile.TemporaryDirectory() as folder:
        words = [program, "sweep", "--candidates", "-", "--prune", "--results", f"{folder}/r", "scenarios/colfax-mic/sweep-ring-node.json"]
        with subprocess.Popen(words, cwd=root, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as run:
            answers = []
            for order in (*orders, "node0.mic0,node0.mic1,node0.mic2,node0.mic3,node1.mic0"):
                run.stdin.write(f"# a note\n{order}\n")
                run.stdin.flush()
                answers.append(json.loads(run.stdout.readline()))
            run.stdin.close()
        times = [round(answer.get("time_us", -1), 2) for answer in answers]
        if run.returncode != 0 or times != [3071.17, 3071.17, -1] or not answers[2]["pruned"] or answers[2]["bound_us"] < 8000:
            failures.append(f"sweep --candidates -: exit code {run.returncode}, {answers}")
        if len(pathlib.Path(f"{folder}/r").read_text().splitlines()) != 2:
            failures.append("sweep --candidates: equal placements are not one run")
        pathlib.Path(folder, "wrong").write_text("node0.mic9\n" + "node0.mic0 " * 4)
        expect("wrong candidates", kakehashi("sweep", "--candidates", f"{folder}/wrong", "scenarios/colfax-mic/ring-default.json"), 2, out=['{"failure":"'],
               err=f'error: {folder}/wrong: line 1: got "node0.mic9", expected a device of colfax-mic that runs ranks (did you mean "node0.mic0"?)\n'
                   f"error: {folder}/wrong: line 2: got 4 devices, expected 5, one for each rank\n")
    expect("a folder of candidates", kakehashi("sweep", "--candidates", "platforms", "scenarios/colfax-mic/ring-default.json"), 2,
           err="error: platforms: Is a directory\n")
    expect("candidates beside a budget", kakehashi("sweep", "--candidates", "-", "--budget", "5", RING), 2,
           err="error: --candidates prints outcomes only; --budget, --shard, --merge, --report, --plot and files of ranks do not go with it\n")


def sweep():
    expect("sweep", kakehashi("sweep", "scenarios/colfax-mic/sweep-ring-node.json"), 0,
           out=["# exhaustive: 24 candidates, 6 of them distinct, 6 run\n# the best is the optimum\n", "# default: slowest step node0.mic3 to node1.mic0"])
    csv = ("sweep", "--quiet", "--format", "csv")
    whole = kakehashi(*csv, RING)
    expect("sweep as CSV", whole, 0, out=["scenario,platform,fabric,place,time_us,rate,rate_unit,default,ranks,slowest_step,reason,failure\nsweep-ring-all,colfax-mic,dapl,1,"])
    if kakehashi(*csv, "--jobs", "1", RING).stdout != whole.stdout:
        failures.append("sweep: the output depends on --jobs")
    run = kakehashi("sweep", "--budget", "50", "--format", "json", RING)
    expect("search", run, 0, out=['"name": "search"', '"run": 50', '"proven_gap"'])
    if kakehashi("sweep", "--budget", "50", "--format", "json", "--jobs", "1", RING).stdout != run.stdout:
        failures.append("search: the output depends on --jobs")
    asks()
    events()
    for name, arguments, message in (
            ("no sweep", ["scenarios/colfax-mic/ring-default.json"],
             'scenarios/colfax-mic/ring-default.json: the key "sweep" is missing; it states what varies'),
            ("no scenario", [], "SCENARIO is required, unless --platform, --benchmark and --ranks state one, or --merge names result files"),
            ("wrong shard", ["--shard", "3/2", "--results", "r", RING], '--shard: got "3/2", expected such as 1/8, 2/8 … 8/8'),
            ("shard without results", ["--shard", "1/2", RING],
             "--shard needs --results, the file that is merged with those of the other shards"),
            ("wrong budget", ["--budget", "much", RING], '--budget: got "much", expected a number of runs, or a time such as "30 s"'),
            ("resume what", ["--resume", RING], "--resume needs --results, the file to go on with")):
        expect(name, kakehashi("sweep", *arguments), 2, err=f"error: {message}\n")
    with tempfile.TemporaryDirectory() as folder:
        shards = [f"{folder}/{i}" for i in (1, 2, 3)]
        for i, file in enumerate(shards, 1):
            expect("shard", kakehashi("sweep", "--shard", f"{i}/3", "--results", file, RING), 0, out=["are in other shards"])
        expect("empty shard", kakehashi("sweep", "--shard", "7/7", "--results", f"{folder}/empty",
                                        "scenarios/colfax-mic/sweep-ring-node.json"), 0, out=["none of the candidates is in this shard"])
        expect("merge shards", kakehashi(*csv, "--merge", *shards), 0, out=whole.stdout)
        expect("merge some", kakehashi(*csv, "--merge", *shards[:2]), 1,
               err=f"error: {RING}: 55 of 166 candidates are in none of the files; merge the files of all shards\n")
        expect("merge others", kakehashi(*csv, "scenarios/colfax-mic/sweep-ring-node.json", "--merge", *shards[:1]), 2,
               err=f"error: {shards[0]}: line 1: got results of another sweep, other files, another engine or tolerance, with or without reasons, or another version, "
                   "expected those of scenarios/colfax-mic/sweep-ring-node.json as it is now\n")
        resumed(folder, csv, whole)
        for task in "12":
            environment = os.environ | {"KAKEHASHI": program, "SLURM_ARRAY_TASK_ID": task, "SLURM_ARRAY_TASK_MAX": "2"}
            run = subprocess.run([str(root / "tools/sweep-slurm"), RING, f"{folder}/array"], cwd=root, env=environment,
                                 capture_output=True, text=True, timeout=1200)
            expect("array task", run, 0, out=["are in other shards"])
        expect("merge an array", kakehashi(*csv, "--merge", *(f"{folder}/array/{task}.results" for task in "12")), 0,
               out=whole.stdout)
        rankfile, machinefile = f"{folder}/ranks", f"{folder}/machines"
        kakehashi("sweep", "--rankfile", rankfile, "--machinefile", machinefile, RING)
        if pathlib.Path(rankfile).read_text().splitlines()[:2] != ["rank 0=node0-mic0 slot=0:0", "rank 1=node0-mic2 slot=0:0"]:
            failures.append("sweep: wrong rankfile\n" + pathlib.Path(rankfile).read_text())
        if pathlib.Path(machinefile).read_text().splitlines()[:2] != ["node0-mic0:1", "node0-mic2:1"]:
            failures.append("sweep: wrong machine file\n" + pathlib.Path(machinefile).read_text())


def reasons():
    """What a run's time goes into is the sort of step that has most of the critical path that --summary shows."""
    folder = "scenarios/colfax-mic"
    for name in ("sweep-work-sharing", "asian-option-2-devices", "ring-default"):
        scenario = f"{folder}/{name}.json"
        found = json.loads(kakehashi("explain", "--format", "json", scenario).stdout)
        summary = json.loads(kakehashi("simulate", "--quiet", "--summary", "--format", "json", scenario).stdout)["summary"]
        time = {}
        for share in summary["critical_path"]["shares"]:
            sort = "flow" if share["what"].startswith("flow") else share["what"]
            time[sort] = time.get(sort, 0) + share["time_us"]
        most = max(time, key=time.get)
        words = {"compute": "computing", "core: overheads and copies": "overheads and copies"}.get(most, most)
        if words not in found["reason"] or abs(found["reason_share"] - time[most] / summary["duration_us"]) > 1e-6:
            failures.append(f"{name}: the reason is {found['reason']} ({found['reason_share']}), but the critical path {time}")
        if name == "sweep-work-sharing":
            swept = json.loads(kakehashi("sweep", "--quiet", "--format", "json", scenario).stdout)["default"]["reason"]
            if swept != f"{found['reason']} ({100 * found['reason_share']:.0f} % of the critical path)" or most != "flow":
                failures.append(f"sweep: the reason is {swept}, but of one run {found['reason']}")


def resumed(folder, csv, whole):
    """A sweep that is interrupted after some lines, with half a line behind them, goes on to the same ranking."""
    results = pathlib.Path(folder, "all")
    run = subprocess.Popen([program, *csv, "--jobs", "1", "--results", str(results), RING], cwd=root, stdout=subprocess.PIPE,
                           stderr=subprocess.PIPE)
    while run.poll() is None and (not results.exists() or results.read_text().count("\n") < 10):
        time.sleep(0.001)
    run.send_signal(signal.SIGINT)
    run.communicate()
    lines = results.read_text().count("\n")
    with results.open("a") as file:
        file.write("0:2,3")
    expect("a result file that is there", kakehashi(*csv, "--results", str(results), RING), 2,
           err=f"error: {results}: is there already; --resume goes on with it\n")
    expect("resume", kakehashi(*csv, "--results", str(results), "--resume", RING), 0, out=whole.stdout)
    text = results.read_text().splitlines()
    if lines < 10 or len(text) != 167 or len(set(text)) != 167:
        failures.append(f"resume: {lines} lines before, {len(text)} after it, {len(set(text))} of them different")


def full_output():
    for arguments in (["check", PLATFORM], ["simulate", "--quiet", SCENARIO], ["--help"], ["--version"]):
        with open("/dev/full", "w") as full:
            run = subprocess.run([program, *arguments], cwd=root, stdout=full, stderr=subprocess.PIPE, text=True, timeout=1200)
        if (run.returncode, run.stderr) != (1, "error: standard output: cannot be written\n"):
            failures.append(f"full output: {arguments} ends with {run.returncode} and\n{run.stderr}")


def is_running(process):
    try:
        return pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def orphans():
    """Workers end with the process that started them, however that ends."""
    for how in (signal.SIGTERM, signal.SIGKILL):
        parent = subprocess.Popen([program, "validate", "--quiet", "--jobs", "2", "fx10-tofu"], cwd=root,
                                  stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        children = pathlib.Path(f"/proc/{parent.pid}/task/{parent.pid}/children")
        workers = []
        for _ in range(2400):
            workers = children.read_text().split()
            if len(workers) == 2:
                break
            time.sleep(0.05)
        parent.send_signal(how)
        parent.wait()
        if len(workers) != 2:
            failures.append(f"orphans: {workers} are the workers of two jobs")
        for _ in range(1200):
            left = [worker for worker in workers if is_running(worker)]
            if not left:
                break
            time.sleep(0.05)
        if left:
            failures.append(f"orphans: {left} still run 60 s after {how.name} to their parent")


for case in (usage, grammar, simulate, terminal, edits, lists, stats, repeats, deadlocks, check, completion, validate, calibrate, merge, merge_of_kinds, dropped_references, distances, references, adjustments, explain, compare, hypothetical, compare_algorithms, compare_pairs, three_fabrics, reasons, sweep, full_output, orphans):
    case()
finish("all as expected")
