#!/usr/bin/env python3
"""Whether rows of long exchanges are the same whatever the engine does: 260 ranks under a switch, of which 10 can stand for all.
Usage: noise.py KAKEHASHI ROOT"""
import json
import pathlib
import subprocess
import sys
import tempfile

program, root = (str(pathlib.Path(argument).resolve()) for argument in sys.argv[1:3])
failures = []


def check(holds, what, found):
    if not holds:
        failures.append(f"{what}: {found}")


def simulated(folder, *options, ranks="n*.cpu*", benchmark="osu-alltoall", algorithm="pairwise", sizes="4096 B"):
    """Its rows by size, its provenance, and its text."""
    words = [program, "simulate", "--platform", f"{folder}/cluster.json", "--fabric", "ib", "--ranks", ranks, "--per-device", "5",
             "--benchmark", benchmark, "--algorithm", algorithm, "--sizes", sizes, "--quiet", *options]
    text = subprocess.run(words, capture_output=True, text=True, timeout=600)
    if text.returncode != 0:
        sys.exit(text.stderr)
    if "--format" not in options:
        return text.stdout
    result = json.loads(text.stdout)
    return {row["bytes"]: row for row in result["rows"]}, result["provenance"]


def rows(folder, *options, **what):
    return simulated(folder, "--format", "json", *options, **what)


with tempfile.TemporaryDirectory() as folder:
    subprocess.run([program, "import", f"{root}/scenarios/journey/node.xml", "--nodes", "26", "--network", "HDR", "-o", f"{folder}/cluster.json"],
                   check=True, capture_output=True)
    usual, provenance = rows(folder)
    in_step, of_step = rows(folder, "--noise", "0")
    known = provenance["out_of_step"]
    check(len(known) == 1 and known[0]["bytes"] == 4096 and known[0]["printed"] == "with noise" and known[0]["times_as_long"] > 1.1,
          "4 KiB fall out of step", known)
    check(usual[4096]["t_avg_us"] > 1.1 * in_step[4096]["t_avg_us"], "noise takes longer", (usual, in_step))
    check(usual[4096]["repetitions"] == in_step[4096]["repetitions"], "repetitions stay the benchmark's", usual)
    check("out_of_step" not in of_step and "10 ranks for 260 in step" in of_step["engine"], "--noise 0 is in step", of_step)
    for option in (["--whole"], ["--tolerance", "0"]):
        other, _ = rows(folder, *option)
        check(other == usual, f"{option} prints the same", (other, usual))
    few = rows(folder, "--noise", "1", "--set", "/workload/repetitions=3")[0]
    check(abs(usual[4096]["t_avg_us"] / few[4096]["t_avg_us"] - 1) < 0.03, "three iterations are those of a run with noise", (usual, few))

    two, provenance = rows(folder, sizes="4096 B,16384 B")
    check(two[4096] == usual[4096], "rows do not depend on each other", (two, usual))
    check([row["bytes"] for row in provenance["out_of_step"]] == [4096], "16 KiB stay in step", provenance)
    check(two[16384] == rows(folder, "--noise", "0", sizes="16384 B")[0][16384], "and print the time in step", two)
    table = simulated(folder)
    check("4 KiB: its first 256 rounds take" in table, "a remark says so", table)
    recorded, provenance = rows(folder, "--summary")
    check("noise 1 %" in provenance["engine"] and abs(recorded[4096]["t_avg_us"] / usual[4096]["t_avg_us"] - 1) < 0.03,
          "a recorded run has noise", (recorded, provenance))

    for what in ({"ranks": "node[00-23].cpu*"}, {"benchmark": "osu-allgather", "algorithm": "ring"}):
        usual, provenance = rows(folder, **what)
        check("out_of_step" not in provenance and usual == rows(folder, "--noise", "0", **what)[0], f"{what} is not compared", provenance)

print("\n".join(failures))
sys.exit(bool(failures))
