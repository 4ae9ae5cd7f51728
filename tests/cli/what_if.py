#!/usr/bin/env python3
"""What shipped platforms say of hardware that their documents did not have: tests/data/what_ifs.json, each worked by hand, and what needs more
than a ratio of two times. Usage: what_if.py KAKEHASHI ROOT
"""
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

program, root = str(pathlib.Path(sys.argv[1]).resolve()), pathlib.Path(sys.argv[2]).resolve()
failures = []


def time_of(platform, fabric, benchmark, ranks, size, *changes, per_device=1):
    """In us; a change is FIELD=VALUE of the platform, which is shipped or a file."""
    words = [program, "simulate", "--quiet", "--format", "json", "--platform",
             platform if platform.endswith(".json") else f"platforms/{platform}.json", "--fabric", fabric,
             "--benchmark", benchmark, "--ranks", ranks, "--per-device", str(per_device), "--sizes", str(size)]
    for change in changes:
        words += ["--set", f"platform:{change}"]
    run = subprocess.run(words, cwd=root, capture_output=True, text=True, timeout=300)
    return json.loads(run.stdout)["rows"][0]["t_avg_us"] if run.returncode == 0 else sys.exit(run.stderr)


def warnings_of(platform, fabric, benchmark, ranks, size, changes):
    words = [program, "simulate", "--platform", f"platforms/{platform}.json", "--fabric", fabric, "--benchmark", benchmark, "--ranks", ranks,
             "--sizes", str(size)]
    for change in changes:
        words += ["--set", f"platform:{change}"]
    return subprocess.run(words, cwd=root, capture_output=True, text=True, timeout=300).stderr


def expect(what, found, least, greatest):
    print(f"{what}: {found:.4g}, {least} to {greatest} expected")
    if not least <= found <= greatest:
        failures.append(what)


# The ratio of two times: with changes and without, or of two places.
for row in json.loads((root / "tests/data/what_ifs.json").read_text()):
    base, changes, per_device = row.get("base", []), row.get("set", []), row.get("per_device", 1)
    time = time_of(*row["run"], *base, *changes, per_device=per_device)
    against = time_of(*row.get("against", row["run"]), *base, per_device=per_device)
    within = row.get("within", 0.015)
    expect(row["what"], time / against, row["ratio"] * (1 - within), row["ratio"] * (1 + within))
    if "set" in row:
        warned = warnings_of(*row["run"], base + changes) if per_device == 1 else ""
        if (row.get("warns", "hides that") in warned) != ("warns" in row):
            failures.append(f"{row['what']}: warned {warned!r}")

# Each host starts and waits for all that passes it: seven messages out, seven in.
alone = time_of("tca-mic", "peach2-scif", "imb-pingpong", "node0.mic0,node1.mic0", 64)
together = time_of("tca-mic", "peach2-scif", "imb-alltoall", "node[0-7].mic0", 64)
expect("an Alltoall on eight coprocessors by one thread of each host, in staged messages", together / alone, 7, 8)
seven = "templates.tca.devices.cpu0.stage_threads=7"
expect("the same by seven threads", time_of("tca-mic", "peach2-scif", "imb-alltoall", "node[0-7].mic0", 64, seven) / alone, 1, 2)

# Coprocessors reach each other across QPI at a rate for each direction, and at another for both together.
cards = ("host.mic0,host.mic1", 4194304)
expect("Sendrecv of coprocessors on two sockets against PingPong",
       time_of("intel-mpss", "dapl", "imb-sendrecv", *cards) / time_of("intel-mpss", "dapl", "imb-pingpong", *cards), 1.2, 1.4)

# A coprocessor's DMA engines move four transfers at a time for itself (assumed). Here it sends 4 MiB to the other coprocessor and, when its core
# is free again, to a socket. At 1.425 GB/s across QPI the first flows for 2943 us, at 7.29 GB/s the second for 575 us, and a core takes 122 us at
# each end. By two engines the first ends last: 122 + 2943 + 122 = 3188 us. By one the second waits: 122 + 2943 + 575 + 122 = 3763 us.
with tempfile.TemporaryDirectory() as folder:
    scenario = pathlib.Path(folder, "two.json")
    scenario.write_text(json.dumps({
        "name": "two", "platform": str(root / "platforms/intel-mpss.json"), "fabric": "dapl", "ranks": ["host.mic0", "host.mic1", "host.cpu0"],
        "workload": {"steps": [[{"do": "isend", "to": 1, "bytes": 4194304}, {"do": "isend", "to": 2, "bytes": 4194304}, {"do": "waitall"}],
                               [{"do": "recv", "from": 0}], [{"do": "recv", "from": 0}]]}}))
    for engines, least, greatest in ((None, 3150, 3230), (2, 3150, 3230), (1, 3720, 3810)):
        words = [] if engines is None else ["--set", f"platform:templates.host.devices.mic0.dma_engines={engines}"]
        run = subprocess.run([program, "simulate", "--quiet", "--format", "json", str(scenario), *words], capture_output=True, text=True)
        expect(f"two transfers of a coprocessor by {engines or 'its'} DMA engines (us)", max(json.loads(run.stdout)["rank_ends_us"]), least, greatest)

# Without its slots' packets of 128 B in the platform, hpcdiy-qdr's curves have a cap, and its warning names them; with them, none.
warned = []
for stated in ("", '"max_payload": "128 B",'):
    with tempfile.TemporaryDirectory() as folder:
        for name in ("platforms", "scenarios"):
            shutil.copytree(root / name, pathlib.Path(folder, name))
        machine = pathlib.Path(folder, "platforms/hpcdiy-qdr.json")
        machine.write_text(machine.read_text().replace('"max_payload": "128 B",', stated))
        curves = [f"scenarios/hpcdiy-qdr/{name}-qdr-node1-direct.json" for name in ("latency", "bw")]
        run = subprocess.run([program, "calibrate", "--merge", str(machine), "--rendezvous", "2 KiB", *curves], cwd=folder, capture_output=True, text=True)
        warned.append('with packets of 128 B carries 3368 MB/s; if the link has such packets, state "max_payload": "128 B" there' in run.stderr)
print(f"the slots' packets are named: {warned}")
if warned != [True, False]:
    failures.append("packets of 128 B")

# Windows of neighbours leave a node by one of its two adapters and come in by the other; spread ones use both all the time.
with tempfile.TemporaryDirectory() as folder:
    nodes = f"{folder}/nodes.json"
    subprocess.run([program, "import", "--sockets", "2", "--cores", "16", "--memory", "8x3200", "--nodes", "2", "--network", "HDR100", "--adapters", "2",
                    "-o", nodes], check=True, capture_output=True)
    neighbours, spread = (
        time_of(nodes, "ib", "osu-alltoall", "node*.cpu*", 32768,
                f'mpi.algorithms={{"alltoall": {{"name": "{name}", "width": 4}}}}', per_device=16)
        for name in ("linear", "linear-strided"))
    expect("an Alltoall in windows of neighbours against spread ones", neighbours / spread, 1.3, 2)
    carried = 16 * 32 * 32768 / spread / 1000  # GB/s by each adapter
    expect("what spread ones leave of 100 Gbit/s", carried, 10, 12.5)

sys.exit(f"failed: {', '.join(failures)}" if failures else 0)
