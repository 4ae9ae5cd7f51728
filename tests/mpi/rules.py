#!/usr/bin/env python3
"""The files that `kakehashi tune --rules` writes are read and obeyed by the MPI libraries that are there. Usage: rules.py KAKEHASHI ROOT"""
import functools
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

program, root = str(pathlib.Path(sys.argv[1]).resolve()), pathlib.Path(sys.argv[2]).resolve()
here = root / "tests/mpi"
RANKS = 4
MOST = 1 << 16  # bytes of a call
environment = os.environ | {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1",
                            "OMPI_MCA_btl_base_warn_component_unused": "0"}
failures = []
FUNCTIONS = {  # of Open MPI's libmpi
    "allgather": {"gather-bcast": "basic_linear", "bruck": "bruck", "recursive-doubling": "recursivedoubling", "ring": "ring",
                  "neighbour-exchange": "neighborexchange"},
    "allreduce": {"linear": "basic_linear", "reduce-bcast": "nonoverlapping", "recursive-doubling": "recursivedoubling", "ring": "ring",
                  "segmented-ring": "ring_segmented", "rabenseifner": "redscat_allgather"},
    "alltoall": {"linear": "basic_linear", "pairwise": "pairwise", "bruck": "bruck"},
    "bcast": {"linear": "basic_linear", "chain": "chain", "split-binary": "split_bintree", "binary": "bintree", "knomial": "knomial",
              "binomial-nearest-first": "binomial", "scatter-doubling-allgather": "scatter_allgather",
              "scatter-ring-allgather": "scatter_allgather_ring"},
    "gather": {"linear": "basic_linear", "binomial": "binomial", "linear-synchronised": "linear_sync"},
    "reduce": {"linear": "basic_linear", "chain": "chain", "binary": "binary", "binomial": "binomial", "binary-in-order": "in_order_binary",
               "rabenseifner": "redscat_gather"},
    "reduce-scatter": {"reduce-scatterv": "nonoverlapping", "recursive-halving": "basic_recursivehalving", "ring": "ring"},
    "scatter": {"linear": "basic_linear", "binomial": "binomial", "linear-at-once": "linear_nb"},
}


def run(*words, folder):
    done = subprocess.run([str(word) for word in words], cwd=folder, env=environment, capture_output=True, text=True, timeout=300)
    if done.returncode != 0:
        failures.append(f"{' '.join(map(str, words))}: exit code {done.returncode}\n{done.stdout[-1500:]}{done.stderr[-1500:]}")
    return done


def tune(folder, *words):
    """What is proposed by operation and size."""
    out = run(program, "tune", "--quiet", "cluster.json", "--ranks", "node*.cpu0", "--per-device", RANKS // 2, "--margin", "1", "--format", "json",
              "--sizes", f"64 B,{MOST} B", *words, folder=folder).stdout
    return {each["operation"]: {size["size"]: size for size in each["sizes"]} for each in json.loads(out or '{"operations": []}')["operations"]}


def test_open_mpi(folder):
    library = next((each for each in ("mpirun.openmpi", "mpirun") if shutil.which(each)), None)
    compiler = shutil.which("mpicc.openmpi")
    if not library or not compiler:
        return print("Open MPI is not there")
    run(compiler, "-O1", here / "collectives.c", "-o", "open", folder=folder)
    found = tune(folder, "--library", "open-mpi-4.1", "--rules", "rules.conf")
    calls = [(operation, size) for operation, sizes in found.items() for size in sizes if operation in FUNCTIONS]
    words = [str(word) for call in calls for word in call]
    launch = [library, "-n", RANKS, "-x", f"LD_PRELOAD={folder}/algorithms.so"]
    rules = ["--mca", "coll_tuned_use_dynamic_rules", "1", "--mca", "coll_tuned_dynamic_rules_filename", "rules.conf"]

    def ran(*options):
        """The algorithm that the first rank runs for each call."""
        taken, lines = [], run(*launch, *options, "./open", *words, folder=folder).stderr.splitlines()
        for line in lines:
            if line.startswith("rank 0: ") and not line.endswith("done"):
                taken.append(None)
            elif taken and taken[-1] is None and (name := re.fullmatch(r"rank 0 runs ompi_coll_base_(\w+?)_intra_(\w+)", line)):
                taken[-1] = name[2]
        return taken

    own, obeyed = ran(), ran(*rules)
    if len(own) != len(calls) or len(obeyed) != len(calls):
        return failures.append(f"Open MPI: of {len(calls)} calls {len(own)} and {len(obeyed)} were seen")
    changed = 0
    for (operation, size), before, after in zip(calls, own, obeyed):
        each = found[operation][size]
        if not each["is_changed"]:
            if before != after:
                failures.append(f"Open MPI: {operation} of {size} B should stay {before}, and is {after}")
            continue
        changed += before != after
        name = each["take"]["algorithm"]
        wanted = FUNCTIONS[operation][name.split(" (")[0]]
        if after not in (wanted, "pipeline" if "1 chains" in name else wanted, "linear_sync" if name == "linear" and operation == "alltoall" else wanted):
            failures.append(f"Open MPI: {operation} of {size} B should be {name}, and is {after}; by itself {before}")
    if changed < 5:
        failures.append(f"Open MPI: only {changed} of {len(calls)} calls are changed")
    print(f"Open MPI: {len(calls)} calls, {changed} of them changed by the file")


def selections():
    """The selections that are compiled into MPICH's library: of mpir, and of ch4."""
    found = subprocess.run(["sh", "-c", "ldconfig -p | sed -n 's/.*=> //p' | grep 'libmpich.so' | head -1"], capture_output=True, text=True).stdout.strip()
    blobs = re.findall(rb'\{"collective=[\x20-\x7e]+', pathlib.Path(found).read_bytes()) if found else []
    mpir = next((blob for blob in blobs if b"MPIR_Bcast_intra" in blob), None)
    ch4 = next((blob for blob in blobs if b'"composition=' in blob), None)
    return mpir, ch4


def test_mpich(folder):
    compiler, launcher = shutil.which("mpicc.mpich"), shutil.which("mpirun.mpich")
    mpir, ch4 = selections() if compiler and launcher else (None, None)
    if not mpir or not ch4:
        return print("MPICH is not there, or has no selection of its own")
    (folder / "generic.json").write_bytes(mpir)
    (folder / "ch4.json").write_bytes(ch4)
    run(compiler, "-O1", here / "collectives.c", "-o", "mpich", folder=folder)
    found = tune(folder, "--library", "mpich-4", "--rules", "rules.json", "--base", "generic.json,ch4.json")
    forced = {"allreduce": {"recursive-doubling": "recursive_doubling", "rabenseifner": "reduce_scatter_allgather"},
              "reduce": {"binomial": "binomial", "rabenseifner": "reduce_scatter_gather"},
              "bcast": {"binomial": "binomial", "scatter-doubling-allgather": "scatter_recursive_doubling_allgather",
                        "scatter-ring-allgather": "scatter_ring_allgather"},
              "allgather": {"recursive-doubling": "recursive_doubling", "bruck": "brucks", "ring": "ring"},
              "alltoall": {"bruck": "brucks", "linear": "scattered", "pairwise-exclusive-or": "pairwise"}}

    @functools.cache
    def counted(operation, size, *variables):
        return run(launcher, "-n", RANKS, "-genv", "LD_PRELOAD", folder / "algorithms.so", "-genv", "MPIR_CVAR_ODD_EVEN_CLIQUES", "1", *variables,
                   "./mpich", operation, size, folder=folder).stderr.count("runs ucp_")

    def sent(operation, size, *variables):
        """Messages between two nodes, as which the odd and the even ranks count, without those of the barriers around, which may have a
        Bcast inside."""
        return counted(operation, size, *variables) - counted("barrier", 0, *variables)

    files = ["-genv", "MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE", "rules.json", "-genv", "MPIR_CVAR_CH4_COLL_SELECTION_TUNING_JSON_FILE", "rules-ch4.json"]
    changed = calls = 0
    for operation, functions in forced.items():
        for size, each in sorted(found.get(operation, {}).items())[::3]:
            function = functions.get(each["take"]["algorithm"].split(" (")[0])
            own, obeyed = sent(operation, size), sent(operation, size, *files)
            calls += 1
            if not each["is_changed"]:
                if own != obeyed:
                    failures.append(f"MPICH: {operation} of {size} B should stay, and sends {obeyed} messages, not {own}")
            elif function:
                # ch4 decides about levels before mpir does: without its file the function would be for the first ranks of nodes.
                alone = sent(operation, size, *files[3:], "-genv", f"MPIR_CVAR_{operation.upper()}_INTRA_ALGORITHM", function)
                changed += own != obeyed
                if obeyed != alone:
                    failures.append(f"MPICH: {operation} of {size} B sends {obeyed} messages, {function} {alone}; by itself {own}")
    if changed < 3:
        failures.append(f"MPICH: only {changed} of {calls} calls are changed")
    print(f"MPICH: {calls} calls, {changed} of them changed by the files")


def main():
    if not shutil.which("cc"):
        print("there is no C compiler")
        return 77
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        run("cc", "-shared", "-fPIC", "-O1", "-w", here / "algorithms.c", "-o", "algorithms.so", "-ldl", folder=folder)
        run(program, "import", root / "scenarios/journey/node.xml", "--nodes", "2", "--network", "HDR", "-o", "cluster.json", folder=folder)
        test_open_mpi(folder)
        test_mpich(folder)
    print("\n".join(failures) or "all as expected")
    return bool(failures)


sys.exit(main())
