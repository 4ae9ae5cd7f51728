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


def tune(folder, *words, sizes=(64, MOST)):
    """What is proposed by operation and size."""
    out = run(program, "tune", "--quiet", "cluster.json", "--ranks", "node*.cpu0", "--per-device", RANKS // 2, "--margin", "1", "--format", "json",
              *(("--sizes", ",".join(f"{size} B" for size in sizes)) if all(sizes) else ()), *words, folder=folder).stdout
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


MPICH = {  # the functions of 4.0 by operation and name here
    "allreduce": {"two-level": "smp", "recursive-doubling": "recursive_doubling", "rabenseifner": "reduce_scatter_allgather"},
    "reduce": {"two-level": "smp", "binomial": "binomial", "rabenseifner": "reduce_scatter_gather"},
    "bcast": {"two-level": "smp", "binomial": "binomial", "scatter-doubling-allgather": "scatter_recursive_doubling_allgather",
              "scatter-ring-allgather": "scatter_ring_allgather"},
    "allgather": {"recursive-doubling": "recursive_doubling", "bruck": "brucks", "ring": "ring"},
    "allgatherv": {"recursive-doubling": "recursive_doubling", "bruck": "brucks", "ring": "ring"},
    "alltoall": {"bruck": "brucks", "linear (32 at a time)": "scattered", "pairwise-exclusive-or": "pairwise"},
    "reduce-scatter": {"recursive-halving": "recursive_halving", "pairwise": "pairwise"},
    "barrier": {"two-level": "smp", "dissemination": "dissemination"},
}


def forced(folder, library, operation, name, sizes):
    """Writes rules by which an operation takes an algorithm at the largest size alone; measured times say so. False: it takes that by itself."""
    words = ["--library", "mpich-4", "--collectives", operation, "--base", library, "--rules", "rules.json"]
    default = {size: each["default"]["algorithm"] for size, each in tune(folder, *words, sizes=sizes)[operation].items()}
    if default[max(default)] == name:
        return False
    outputs = folder / f"{operation}-{name}".replace(" ", "-")
    outputs.mkdir()
    for size in {min(default), max(default)}:
        is_wanted = size == max(default)
        file = re.sub("[^a-z0-9]+", "-", name).strip("-")
        for which, time in (("default", 1000 if is_wanted else 1), (file, 1 if is_wanted else 1000)):
            if name != default[size]:
                (outputs / f"{operation}-block-{RANKS}-{size}-{which}.log").write_text(f"# Size       Avg Latency(us)\n{size}   {time}\n")
    found = tune(folder, *words, "--measured", outputs, sizes=sizes)[operation]
    wrong = [each for size, each in found.items() if size == max(found) and each["take"]["algorithm"] != name or size == min(found) < max(found) and each["is_changed"]]
    if wrong:
        failures.append(f"MPICH: {operation} with {name}: {wrong}")
    return True


def test_mpich(folder):
    compiler, launcher = shutil.which("mpicc.mpich"), shutil.which("mpirun.mpich")
    library = subprocess.run(["sh", "-c", "ldconfig -p | sed -n 's/.*=> //p' | grep 'libmpich.so' | head -1"], capture_output=True, text=True).stdout.strip()
    if not compiler or not launcher or b'"composition=' not in pathlib.Path(library).read_bytes():
        return print("MPICH is not there, or has no selection of its own")
    run(compiler, "-O1", here / "collectives.c", "-o", "mpich", folder=folder)

    def called(operation, size, *variables, ranks=RANKS):
        return run(launcher, "-n", ranks, "-genv", "LD_PRELOAD", folder / "algorithms.so", "-genv", "MPIR_CVAR_ODD_EVEN_CLIQUES", "1", *variables,
                   "./mpich", operation, size, folder=folder).stderr.count("runs ucp_")

    counted = functools.cache(called)
    files = ["-genv", "MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE", "rules.json", "-genv", "MPIR_CVAR_CH4_COLL_SELECTION_TUNING_JSON_FILE", "rules-ch4.json"]
    changed = calls = 0
    for operation, functions in MPICH.items():
        sizes = [0] if operation == "barrier" else [64, MOST]
        for name, function in functions.items():
            if not forced(folder, library, operation, name, sizes):
                continue
            # Messages between two nodes, as which the odd and the even ranks count.
            own, obeyed = counted(operation, sizes[-1]), called(operation, sizes[-1], *files)
            calls += 1
            changed += own != obeyed
            if operation != "barrier":
                # ch4 decides about levels before mpir does: without its file the function would be for the first ranks of nodes. The
                # barriers around may have a Bcast inside, which a variable forces, too.
                forcing = [*files[3:], "-genv", f"MPIR_CVAR_{operation.replace('-', '_').upper()}_INTRA_ALGORITHM", function]
                alone = called(operation, sizes[-1], *forcing)
                if operation == "bcast":
                    alone += counted("none", 0) - called("none", 0, *forcing)
                if obeyed != alone:
                    failures.append(f"MPICH: {operation} with {name} sends {obeyed} messages, forced by a variable {alone}; by itself {own}")
                if called(operation, sizes[0], *files) != counted(operation, sizes[0]):
                    failures.append(f"MPICH: {operation} of {sizes[0]} B should stay with {name} at {MOST} B")
            called("others", MOST, *files)
        called("others", MOST, *files, ranks=RANKS - 1)
    if changed < 10:
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
