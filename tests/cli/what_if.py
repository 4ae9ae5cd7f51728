#!/usr/bin/env python3
"""What shipped platforms say of hardware that their documents did not have.
Usage: what_if.py KAKEHASHI ROOT
"""
import json
import pathlib
import subprocess
import sys

program, root = str(pathlib.Path(sys.argv[1]).resolve()), pathlib.Path(sys.argv[2]).resolve()
failures = []


def time_of(platform, fabric, benchmark, ranks, size, *changes):
    """In us; a change is FIELD=VALUE of the platform."""
    words = [program, "simulate", "--quiet", "--format", "json", "--platform", f"platforms/{platform}.json", "--fabric", fabric,
             "--benchmark", benchmark, "--ranks", ranks, "--sizes", str(size)]
    for change in changes:
        words += ["--set", f"platform:{change}"]
    run = subprocess.run(words, cwd=root, capture_output=True, text=True, timeout=300)
    return json.loads(run.stdout)["rows"][0]["t_avg_us"] if run.returncode == 0 else sys.exit(run.stderr)


def expect(what, found, least, greatest):
    print(f"{what}: {found:.4g}, {least} to {greatest} expected")
    if not least <= found <= greatest:
        failures.append(what)


# Each host starts and waits for all that passes it: seven messages out, seven in.
alone = time_of("tca-mic", "peach2-scif", "imb-pingpong", "node0.mic0,node1.mic0", 64)
together = time_of("tca-mic", "peach2-scif", "imb-alltoall", "node[0-7].mic0", 64)
expect("an Alltoall on eight coprocessors by one thread of each host, in staged messages", together / alone, 7, 8)
seven = "templates.tca.devices.cpu0.stage_threads=7"
expect("the same by seven threads", time_of("tca-mic", "peach2-scif", "imb-alltoall", "node[0-7].mic0", 64, seven) / alone, 1, 2)

# Faster adapters in faster slots show: neither a cap nor the regimes hide them.
direct = ("hpcdiy-qdr", "qdr", "osu-bw", "hpc01.cpu1,hpc02.cpu1", 4194304)
fdr = ("links[hpc01.hca-hpc02.hca].signalling=FDR", "templates.node.links[cpu1-hca].generation=3")
expect("FDR in slots of generation 3 against QDR", time_of(*direct) / time_of(*direct, *fdr), 1.8, 2.1)

sys.exit(f"failed: {', '.join(failures)}" if failures else 0)
