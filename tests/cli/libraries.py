#!/usr/bin/env python3
"""MPI libraries as files: a user's own, and those of the data folder. Usage: libraries.py KAKEHASHI ROOT"""
import json
import os
import pathlib
import shutil
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from calls import expect, failures, finish, kakehashi, root

PAIR = {"name": "pair", "platform": str(root / "platforms/hpcdiy-qdr.json"), "fabric": "shm", "ranks": ["hpc01.cpu0", "hpc01.cpu1"],
        "workload": {"benchmark": "osu-allreduce", "sizes": [4, 8], "repetitions": 1}}
OWN = {"name": "mine", "follows": "mpich", "source": "measured", "tables": [{"operation": "allreduce", "rows": [{"algorithm": "linear", "bytes_from": 8}]}]}


def own(folder):
    scenario, library = folder / "pair.json", folder / "mine.json"
    scenario.write_text(json.dumps(PAIR | {"mpi": {"library": "mine.json"}}))
    library.write_text(json.dumps(OWN))
    expect("an own library", kakehashi("simulate", "--quiet", scenario), 0, out=["# algorithm: recursive-doubling, linear from 8 B on\n"])
    expect("its rows", kakehashi("check", library), 0, out=[f"{library}: tables of an MPI library, no faults\n",
                                                            "allreduce       any              8 B on                     the vector      linear\n"])
    library.write_text(json.dumps(OWN | {"tables": [{"operation": "allreduce", "rows": [{"algorithm": "lineal"}]}]}))
    fault = f'error: {library}: /tables/0/rows/0/algorithm: got "lineal", expected an algorithm of allreduce\n'
    expect("an unknown algorithm", kakehashi("simulate", "--quiet", scenario), 2, err=fault)
    expect("the same", kakehashi("check", library), 2, err=fault)
    library.unlink()
    expect("no library", kakehashi("simulate", "--quiet", scenario), 2, err=f"error: {library}: no such file\n")
    shutil.copy(root / "libraries/fixed.json", library)
    expect("a library that follows none", kakehashi("simulate", "--quiet", scenario), 2,
           err=f'error: {library}: there is no "follows", the library that decides where no row holds\n')
    scenario.write_text(json.dumps(PAIR | {"mpi": {"library": "mine.json", "collectives": "mpich"}}))
    expect("two libraries", kakehashi("simulate", "--quiet", scenario), 2,
           err=f'error: {scenario}: /mpi/library: takes the place of "collectives" and "rules"; leave one of them out\n')


def shipped(folder):
    """What the data folder has takes the place of what the program was built with."""
    for name in ("platforms", "scenarios", "libraries"):
        shutil.copytree(root / name, folder / name)
    scenario, library = folder / "pair.json", folder / "libraries/mpich.json"
    scenario.write_text(json.dumps(PAIR | {"mpi": {"collectives": "mpich"}}))
    there = os.environ | {"KAKEHASHI_DATA": str(folder)}
    expect("as it was", kakehashi("simulate", "--quiet", scenario, env=there), 0, out=["# algorithm: recursive-doubling\n"])
    found = json.loads(library.read_text())
    next(each for each in found["tables"] if each["operation"] == "allreduce")["rows"] = [{"algorithm": "ring"}]
    library.write_text(json.dumps(found))
    expect("changed", kakehashi("simulate", "--quiet", scenario, env=there), 0, out=["# algorithm: ring\n"])
    library.write_text(json.dumps(found | {"follows": "mpich-4"}))  # which follows it
    expect("in a circle", kakehashi("simulate", "--quiet", scenario, env=there), 0, out=["# algorithm: ring\n"])
    library.write_text("{")
    broken = kakehashi("simulate", "--quiet", scenario, env=there)
    expect("broken", broken, 2, err=[f"error: {library}: "])
    gpus = folder / "libraries/gpu/nccl.json"
    gpus.write_text(gpus.read_text().replace('"releases"', '"release"', 1))
    fault = f'error: {gpus}: the key "releases" is missing\n'
    expect("GPUs' broken", kakehashi("list", "gpu-libraries", env=there), 2, err=[fault])
    machine = folder / "gpus.json"
    kakehashi("import", "--node", "dgx-a100", "--nodes", "1", "-o", machine)
    expect("where it is used", kakehashi("simulate", "--quiet", "--platform", machine, "--benchmark", "nccl-allreduce", "--ranks", "*.gpu*", env=there),
           2, err=[fault])
    shutil.rmtree(folder / "libraries")
    expect("none there", kakehashi("simulate", "--quiet", scenario, env=there), 0, out=["# algorithm: recursive-doubling\n"])


def shared_memory(folder):
    """Each half takes 0.5 us, and for each of 2 ranks 0.1 us and 1 GB/s."""
    costs = {"start": "0.5 us", "per_rank": "0.1 us", "rate": "1 GB/s", "source": {"kind": "assumed", "from": "a test"}}
    rows = [{"algorithm": "shared-memory"}]
    scenario = folder / "pair.json"
    (folder / "mine.json").write_text(json.dumps(OWN | {"shared_memory": costs, "tables": [
        {"operation": each, "rows": rows} for each in ("bcast", "reduce", "allreduce", "barrier")]}))
    for benchmark, sizes, expected in (("osu-allreduce", [1000], 2 * (0.7 + 2)), ("osu-bcast", [1000], 0.7 + 2), ("osu-reduce", [1000], 0.7 + 2),
                                       ("osu-barrier", None, 2 * 0.7)):
        workload = {"benchmark": benchmark, "repetitions": 1} | ({"sizes": sizes} if sizes else {})
        scenario.write_text(json.dumps(PAIR | {"mpi": {"library": "mine.json", "reduction": "0 ns/B", "copy": "0 ns/B", "copy_start": "0 us"}, "workload": workload}))
        run = kakehashi("simulate", "--quiet", "--format", "json", scenario)
        expect(benchmark, run, 0, out=["shared-memory"])
        time = json.loads(run.stdout)["rows"][0]["t_avg_us"]
        if abs(time - expected) > 0.01:
            failures.append(f"{benchmark} through shared memory takes {time} us, not {expected}")


with tempfile.TemporaryDirectory() as name:
    for case in (own, shipped, shared_memory):
        place = pathlib.Path(name) / case.__name__
        place.mkdir()
        case(place)
finish("all as expected")
