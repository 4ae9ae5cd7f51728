#!/usr/bin/env python3
"""Imports each form of machine and runs it; exports platforms and compares a ping-pong with SimGrid's. Usage: import.py KAKEHASHI ROOT"""
import json
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from calls import expect, failures, finish, kakehashi, root

DATA = "tests/data/import"
MACHINES = {  # name: arguments, a fabric, and pairs of devices that it joins
    "one node": (["node-hwloc2.xml"], "shm", ["node0.cpu0 node0.cpu1", "node0.gpu0 node0.gpu1", "node0.cpu0 node0.cpu0"]),
    "hwloc 1": (["node-hwloc1.xml", "--nodes", "2", "--network", "QDR"], "ib", ["node0.cpu0 node1.cpu1"]),
    "hwloc 2": (["node-hwloc2.xml", "--nodes", "40", "--network", "fat-tree:HDR:36"], "ib",
                ["node00.cpu0 node39.cpu1", "node00.gpu0 node39.gpu1", "node00.cpu0 node00.gpu1"]),
    "hwloc 3": (["node-hwloc3.xml", "--nodes", "8", "--network", "torus:FDR:2x2x2"], "ib", ["node0.mic0 node7.mic0"]),
    "POWER": (["node-power.xml"], "shm", ["node0.cpu0 node0.gpu0", "node0.gpu0 node0.gpu1"]),
    "NCCL": (["nccl.xml", "--nodes", "2", "--network", "400GbE"], "eth", ["node0.gpu0 node1.gpu1", "node0.gpu0 node0.gpu1"]),
    "RCCL": (["rccl.xml", "--nodes", "2", "--network", "HDR"], "ib", ["node0.gpu0 node1.gpu3", "node0.gpu1 node0.gpu3"]),
    "no network stated": (["nccl.xml", "--nodes", "2"], "ib", ["node0.cpu0 node1.cpu0"]),
    "nvidia-smi": (["nvidia-smi.txt", "--nodes", "4", "--network", "dragonfly:NDR:2x2x1"], "ib", ["node0.gpu0 node3.gpu3"]),
    "rocm-smi": (["rocm-smi.txt", "--nodes", "2", "--network", "HDR"], "ib", ["node0.gpu0 node0.gpu2", "node0.gpu1 node1.gpu2"]),
    "ibnetdiscover": (["ibnetdiscover.txt"], "ib", ["alpha.cpu0 gamma.cpu0"]),
    "a node and ibnetdiscover": (["node-hwloc2.xml", "ibnetdiscover.txt"], "ib", ["alpha.gpu0 gamma.gpu1"]),
    "Slurm": (["topology.conf", "--network", "EDR"], "ib", ["tux0.cpu0 tux11.cpu0"]),
    "Slurm's YAML": (["topology.yaml", "--network", "EDR"], "ib", ["tux0.cpu0 tux11.cpu0"]),
    "SimGrid": (["simgrid.xml"], "net", ["t0.cpu t3.cpu", "c0.cpu c7.cpu", "a.cpu c7.cpu"]),
    "a data sheet": (["--processor", "Xeon Platinum 8360Y", "--sockets", "2", "--cores", "36", "--cache", "54 MiB", "--nodes", "12",
                      "--network", "HDR", "--adapters", "4"], "ib", ["node00.cpu0 node11.cpu1", "node00.cpu0 node00.cpu1", "node00.cpu0 node00.cpu0"]),
    "InfraGraph": (["infragraph.yaml"], "eth", ["host0.cpu0 host1.cpu1", "host0.gpu0 host1.gpu1"]),
}


def imported(folder, arguments, name="m"):
    arguments = [str(root / DATA / word) if (root / DATA / word).is_file() else word for word in arguments]
    run = kakehashi("import", *arguments, "--name", name)
    (folder / f"{name}.json").write_text(run.stdout)
    return run


def ping_pong(folder, fabric, ranks):
    scenario = {"name": "p", "platform": "m.json", "fabric": fabric, "ranks": ranks, "workload": {"benchmark": "imb-pingpong"}}
    (folder / "p.json").write_text(json.dumps(scenario))
    return kakehashi("simulate", "--quiet", "p.json", cwd=folder)


def machines(folder):
    """Each is a platform without faults in which every value that is not from the file is assumed, and runs at once."""
    for name, (arguments, fabric, pairs) in MACHINES.items():
        run = imported(folder, arguments)
        if run.returncode != 0:
            failures.append(f"{name}: {run.stderr}")
            continue
        checked = kakehashi("check", "m.json", cwd=folder)
        first, *routes = checked.stdout.splitlines()
        if checked.returncode or first != "m.json: platform, no faults" or not all(each.startswith("# routes of ") for each in routes):
            failures.append(f"check of {name}: {checked.stdout}{checked.stderr}")
        platform = json.loads(run.stdout)
        parts = [platform, *platform.get("templates", {}).values()]
        kinds = {link["source"]["kind"] for part in parts for link in part.get("links", [])}
        kinds |= {rule["source"]["kind"] for each in platform["fabrics"].values() for rule in each["rules"]}
        if not kinds <= {"assumed", "document"} or "assumed" not in kinds:
            failures.append(f"{name}: sources are {kinds}")
        for pair in pairs:
            expect(f"ping-pong {pair} of {name}", ping_pong(folder, fabric, pair.split()), 0, out=["#bytes", "4194304"])
    imported(folder, MACHINES["a data sheet"][0])
    sheet = json.loads((folder / "m.json").read_text())
    sockets = [each for each in sheet["templates"]["node"]["devices"] if each["kind"] == "cpu"]
    adapters = [link["between"] for link in sheet["templates"]["node"]["links"] if link["type"] == "pcie"]
    if [each["memory"]["channels"] for each in sockets] != [8, 8] or sheet["mpi"]["reduction"] != {"cpu": "0.08 ns/B"} or adapters != [
            ["cpu0", "hca0"], ["cpu0", "hca1"], ["cpu1", "hca2"], ["cpu1", "hca3"]]:
        failures.append(f"data sheet: {sheet}")
    # A data sheet completes the file, and options state what it lacks.
    imported(folder, ["nvidia-smi.txt", "--processor", "epyc 7742", "--gpu", "A100", "--pcie", "3"])
    node = json.loads((folder / "m.json").read_text())["templates"]["node"]
    found = [(link["type"], link.get("generation"), link.get("line_rate"), link.get("bandwidth")) for link in node["links"]]
    if [each.get("cores") for each in node["devices"][:2]] != [64, 64] or set(found) != {
            ("pcie", 3, None, None), ("nvlink", None, "800 Gbit/s", None), ("upi", None, None, "144 GB/s")}:
        failures.append(f"a file and a data sheet: {node}")
    # The adapters that a node's file has no network for can be picked by the system's names.
    imported(folder, ["node-hwloc2.xml", "--nodes", "2", "--network", "HDR", "--adapters", "mlx5_0"])
    if "joins" not in (text := (folder / "m.json").read_text()) or '"node[0-1].hca0"' not in text:
        failures.append(f"an adapter by its name: {text}")
    # Of a processor that is not known, the file's caches stand, and only the memory behind them is assumed.
    imported(folder, ["node-power.xml"])
    expect("caches", ping_pong(folder, "shm", ["node0.cpu0", "node0.cpu1"]), 0, out=["\n# memory of a cpu: 128 GB/s (assumed)\n"])
    expect("this machine", run := kakehashi("import", "--this-machine"), 0, out=['"cpu0"'], err=[])
    (folder / "here.json").write_text(run.stdout)
    expect("check of this machine", kakehashi("check", "--quiet", "here.json", cwd=folder), 0)


def assumptions(folder):
    """What a run assumes is in its output; written into the file it changes nothing. `explain` knows what it would gain."""
    forms = {"memory of a (\\w+): ([0-9.]+ GB/s)(?:, ([0-9]+ MiB) of cache)?": ("bandwidth", "cache"),
             "caches of a (\\w+): ([0-9.]+ GB/s) for each of its [0-9]+ cores?": ("cache_rate",)}
    for files, ranks, benchmark, expected in ((["topo.txt"], "node*.gpu*", "osu-allreduce", ["memory of a cpu"]),
                                              (["node.xml"], "node*.cpu*", "osu-alltoall", ["caches of a cpu"])):
        imported(folder, [*(str(root / "scenarios/journey" / file) for file in files), "--nodes", "2", "--network", "HDR"])
        words = ["--platform", "m.json", "--benchmark", benchmark, "--ranks", ranks, "--sizes", "8 B,64 KiB,4 MiB"]
        words += ["--per-device", "16"] * (ranks == "node*.cpu*")
        before = kakehashi("simulate", *words, cwd=folder).stdout
        found = [line.removeprefix("# ").removesuffix(" (assumed)") for line in before.splitlines() if line.endswith("(assumed)")]
        if [line.split(":")[0] for line in found] != expected:
            failures.append(f"{files}: assumed is {found}")
        explained = kakehashi("explain", *words[:-1], "4 MiB", cwd=folder).stdout
        platform = json.loads((folder / "m.json").read_text())
        for line in found:
            for form, keys in forms.items():
                if stated := re.fullmatch(form, line):
                    for device in platform["templates"]["node"]["devices"]:
                        if device["kind"] == stated[1]:
                            device.setdefault("memory", {}).update({key: value for key, value in zip(keys, stated.groups()[1:]) if value})
        (folder / "m.json").write_text(json.dumps(platform))
        after = kakehashi("simulate", *words, cwd=folder).stdout
        shown = [[line for line in text.splitlines() if not line.endswith("(assumed)")] for text in (before, after)]
        if shown[0] != shown[1]:
            failures.append(f"{files}: what was assumed is stated now:\n{before}{after}")
        if benchmark == "osu-allreduce" and not re.search("-[1-9][0-9.]* %  bandwidth of cpu memories of [0-9]+ MB/s .assumed", explained):
            failures.append(f"the memory is missing in\n{explained}")
        if kakehashi("explain", *words[:-1], "4 MiB", cwd=folder).stdout.replace(" (assumed)", "") != explained.replace(" (assumed)", ""):
            failures.append(f"{files}: explained otherwise")


def faults(folder):
    node, network = f"{DATA}/node-hwloc2.xml", f"{DATA}/topology.conf"
    expect("nothing", kakehashi("import"), 2, err="error: nothing to import; expected a file, --this-machine, --node or --sockets\n")
    expect("no such file", kakehashi("import", "none.xml"), 2, err="error: none.xml: no such file\n")
    expect("two nodes", kakehashi("import", node, f"{DATA}/nccl.xml"), 2,
           err=f"error: {DATA}/nccl.xml: got a second node from NCCL's topology, expected one node and one network\n")
    expect("network without nodes", kakehashi("import", node, "--network", "HDR"), 2, err="error: --network needs --nodes, at least 2\n")
    expect("nodes and their list", kakehashi("import", node, network, "--nodes", "4"), 2,
           err="error: --nodes does not go with a file that names the nodes\n")
    expect("nodes of a whole machine", kakehashi("import", f"{DATA}/simgrid.xml", "--nodes", "4"), 2,
           err="error: --nodes and --network do not go with a file that describes a whole machine\n")
    expect("unknown rate", kakehashi("import", node, "--nodes", "4", "--network", "fat-tree:HDX:36"), 2, err=['got "HDX", expected RATE'])
    expect("other sockets than the file's", kakehashi("import", node, "--sockets", "4"), 2,
           err="error: --sockets: got 4, but the node's file has 2\n")
    expect("data sheet of a whole machine", kakehashi("import", f"{DATA}/simgrid.xml", "--cores", "4"), 2,
           err="error: a data sheet does not go with a file that describes a whole machine\n")
    expect("unknown processor", kakehashi("import", "--processor", "Epic 9654"), 2,
           err='error: --processor: got "Epic 9654", expected a Xeon from 5500 on, EPYC, ThunderX2, POWER9, Grace, Graviton, Altra or A64FX with its number; of others '
               'state --cores, --cache and --memory alone (did you mean "EPYC 9654"?)\n')
    expect("unknown GPU", kakehashi("import", node, "--gpu", "H1000"), 2, err=['error: --gpu: got "H1000", expected one of', '"H100"?'])
    expect("unknown adapter", kakehashi("import", node, "--nodes", "2", "--adapters", "hca9"), 2,
           err='error: --adapters: got "hca9", expected adapters of the node: hca0, nic0\n')
    expect("number of adapters and their list", kakehashi("import", node, f"{DATA}/ibnetdiscover.txt", "--adapters", "2"), 2,
           err="error: --adapters: a file that names the nodes states their number; expected names of adapters\n")
    expect("faults of a data sheet", kakehashi("import", "--memory", "8*3200", "--cache", "many"), 2,
           err='error: --memory: got "8*3200", expected the channels of a socket and their MT/s, such as 8x3200\n'
               'error: --cache: got "many", expected the caches of a socket, such as "256 MiB"\n')
    # Whatever is in a file, it is imported or refused in a sentence.
    random.seed(1)
    for file in sorted((root / DATA).iterdir()):
        data = file.read_bytes()
        for i in range(12):
            broken = bytearray(data[:random.randrange(len(data))] if i % 3 == 0 else data)
            for _ in range(random.randrange(1, 8)):
                broken[random.randrange(len(broken)) if broken else 0:][:1] = b""
                if broken:
                    broken[random.randrange(len(broken))] = random.choice(b"<>\"'[]{}:=0123456789-x\n\x00\xff")
            (folder / "broken").write_bytes(bytes(broken))
            run = kakehashi("import", "broken", cwd=folder)
            if run.returncode not in (0, 2) or (run.returncode == 2 and not run.stderr.startswith("error: broken")):
                failures.append(f"{file.name}, broken for the {i}th time: exit code {run.returncode}, {run.stderr[:500]}")
                shutil.copy(folder / "broken", "/tmp/broken-import")


def smpi_time(folder, platform, ranks, size, trips):
    there, back = [f"send 1 3 {size} 6", f"recv 1 4 {size} 6"], [f"recv 0 3 {size} 6", f"send 0 4 {size} 6"]
    for rank, lines in enumerate((there, back)):
        (folder / f"rank{rank}").write_text("".join(f"{rank} {line}\n" for line in ["init", *lines * trips, "finalize"]))
    (folder / "list").write_text("rank0\nrank1\n")
    (folder / "hosts").write_text("\n".join(ranks) + "\n")
    run = subprocess.run(["smpirun", "-np", "2", "-hostfile", "hosts", "-platform", platform, "-replay", "list", "--log=root.thresh:error",
                          "--log=smpi_replay.thresh:info"], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300)
    times = re.findall(r"Simulation time ([0-9.]+)", run.stdout)
    if run.returncode != 0 or not times:
        failures.append(f"smpirun on {platform}: {run.stdout[-1500:]}")
    return 1e6 * max(map(float, times), default=0)


def exports(folder):
    """What is exported runs with smpirun, and a ping-pong takes as long as here: within 1 % between the first two nodes, where SMPI's one
    set of parameters is from; and again when it is imported."""
    imported(folder, ["node-hwloc2.xml", "--nodes", "4", "--network", "fat-tree:HDR:36"])
    run = kakehashi("export", "m.json", "--fabric", "ib", cwd=folder)
    expect("export", run, 0, out=["<platform version=\"4.1\">", "smpi/os", "<host id=\"node0.gpu0\""])
    (folder / "m.xml").write_text(run.stdout)
    for size, trips in ((1, 100), (1000, 100), (10000, 100), (1000000, 10)) if shutil.which("smpirun") else ():
        theirs = smpi_time(folder, "m.xml", ["node0.cpu0", "node1.cpu0"], size, trips)
        scenario = {"name": "p", "platform": "m.json", "fabric": "ib", "ranks": ["node0.cpu0", "node1.cpu0"],
                    "workload": {"replay": {"ti": "list", "speed": "1 Gflop/s"}}}
        (folder / "p.json").write_text(json.dumps(scenario))
        ours = json.loads(kakehashi("simulate", "--quiet", "--format", "json", "p.json", cwd=folder).stdout)["time_us"]
        if not 0.99 < theirs / ours < 1.01:
            failures.append(f"export: {trips} ping-pongs of {size} B take {ours} us here, {theirs} us with smpirun")
    expect("SimGrid's again", kakehashi("import", "m.xml", cwd=folder), 0, out=['"net"'], err=[])
    run = kakehashi("export", "m.json", "--to", "infragraph", cwd=folder)
    expect("InfraGraph", run, 0, out=['"instances"', '"host'.replace("host", "node0")])
    (folder / "i.json").write_text(run.stdout)
    again = kakehashi("import", "i.json", cwd=folder)
    expect("InfraGraph again", again, 0, out=['"node0"'])
    run = kakehashi("export", "m.json", "--to", "graphviz", cwd=folder)
    expect("Graphviz", run, 0, out=['graph "m" {', 'subgraph "cluster_node0"', '"node0.cpu0" -- "node0.cpu1"'])
    if run.stdout.count(" -- ") != 7 * 4 + 4:
        failures.append(f"Graphviz: {run.stdout.count(' -- ')} links")
    expect("which fabric", kakehashi("export", root / "platforms/hpcdiy-qdr.json"), 2,
           err="error: --fabric is needed, since the platform has several: gbe, gbe-shm, qdr, qdr-shm, shm\n")
    expect("unknown fabric", kakehashi("export", "m.json", "--fabric", "ibb", cwd=folder), 2,
           err='error: --fabric: got "ibb", expected one of ib (did you mean "ib"?)\n')
    for platform in ("hpcdiy-qdr", "colfax-mic"):
        fabric = "qdr" if platform == "hpcdiy-qdr" else "dapl"
        expect(f"export of {platform}", kakehashi("export", f"platforms/{platform}.json", "--fabric", fabric), 0, out=["</platform>"])


RULES = """2
2 2 # allreduce
0 2
0 3 0 0
8192 4 0 0
64 3
0 0 0 0
1024 5 0 65536
1048576 4 0 0
7 1 # bcast
32 2
0 6 0 0
65536 2 4 8192
"""


def rules(folder):
    """Open MPI's rules in the other form, and back again, say the same; what the older form has no words for is an error."""
    (folder / "r.conf").write_text(RULES)
    newer = kakehashi("export", "r.conf", "--to", "open-mpi-6", cwd=folder)
    expect("rules for Open MPI 6", newer, 0, out=["comm_size_min"], err=["Open MPI 6 takes these sizes of communicators otherwise"])
    found = json.loads(newer.stdout)["collectives"]
    numbers = [[each["comm_size_min"], each["comm_size_max"],
                [[rule[key] for key in ("msg_size_min", "msg_size_max", "alg", "faninout", "seg_size")] for rule in each["rules"]]]
               for each in found["allreduce"] + found["bcast"]]
    wanted = [[0, 63, [[0, 8191, 3, 0, 0], [8192, "inf", 4, 0, 0]]], [64, "inf", [[1024, 1048575, 5, 0, 65536], [1048576, "inf", 4, 0, 0]]],
              [0, "inf", [[0, 65535, 6, 0, 0], [65536, "inf", 2, 4, 8192]]]]
    if numbers != wanted:
        failures.append(f"rules for Open MPI 6: {numbers}, expected {wanted}")
    (folder / "r.json").write_text(newer.stdout)
    older = kakehashi("export", "r.json", "--to", "open-mpi-5", cwd=folder)
    plain = [line.split("#")[0].split() for line in older.stdout.splitlines() if not line.startswith("#")]
    if plain != [line.split("#")[0].split() for line in RULES.replace("32 2", "0 2").splitlines()]:
        failures.append(f"rules for Open MPI 5:\n{older.stdout}")
    expect("rules without --to", kakehashi("export", "r.conf", cwd=folder), 2,
           err="error: r.conf is a file of rules, which --to open-mpi-5 and open-mpi-6 write\n")
    expect("a platform as rules", kakehashi("export", "platforms/tca-mic.json", "--to", "open-mpi-6"), 2,
           err="error: --to open-mpi-6: platforms/tca-mic.json is no file of rules for an MPI library\n")
    (folder / "scan.conf").write_text("1\n14 1\n0 1\n0 2 0 0\n")
    scan = kakehashi("export", "scan.conf", "--to", "open-mpi-6", cwd=folder)
    if '"scan"' not in scan.stdout or '"alg": 2' not in scan.stdout:
        failures.append(f"rules of scan: {scan.stdout}{scan.stderr}")
    lonely = json.loads(newer.stdout)
    lonely["collectives"]["bcast"][0]["comm_rank_distribution"] = "one-per-node"
    (folder / "lonely.json").write_text(json.dumps(lonely))
    expect("one rank a node", kakehashi("export", "lonely.json", "--to", "open-mpi-5", cwd=folder), 2,
           err="error: lonely.json: /collectives: rules of bcast for ranks that are one on each node have no other form\n")
    (folder / "mpich.json").write_text('{"collective=bcast": {"comm_type=intra": {"algorithm=MPIR_Bcast_intra_binomial": {}}}}')
    expect("MPICH's", kakehashi("export", "mpich.json", "--to", "open-mpi-6", cwd=folder), 2,
           err="error: --to open-mpi-6: mpich.json has a selection of MPICH 4, whose algorithms are others\n")


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        machines(folder)
        assumptions(folder)
        faults(folder)
        exports(folder)
        rules(folder)
    finish("imports and exports hold")


main()
