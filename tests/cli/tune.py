#!/usr/bin/env python3
"""`kakehashi tune`: what it finds, its faults, and how it goes on. Usage: tune.py KAKEHASHI ROOT"""
import csv
import io
import json
import math
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from calls import expect, failures, finish, kakehashi, program, root

scratch = tempfile.TemporaryDirectory()
folder = pathlib.Path(scratch.name)
cluster = folder / "cluster.json"
expect("import", kakehashi("import", "scenarios/journey/node.xml", "--nodes", "4", "--network", "HDR", "-o", cluster), 0, out="")
PLACES = [cluster, "--ranks", "node*.cpu*", "--per-device", "2", "--library", "open-mpi-4.1"]


def tune(*words):
    return kakehashi("tune", "--quiet", *PLACES, *words)


def table():
    run = tune("--collectives", "allreduce,barrier", "--placements", "block,cyclic-in-node")
    expect("table", run, 0, out=["# tune: open-mpi-4.1 on node, fabric ib, 16 ranks, block\n", "# placement          default     tuned\nblock ",
                                 "# operation      ranks       from  take ", "allreduce           16        8 B  ", "barrier             16          -  "])
    if tune("--collectives", "allreduce,barrier", "--placements", "block,cyclic-in-node", "--jobs", "1").stdout != run.stdout:
        failures.append("table: the output depends on --jobs")


def sizes():
    """Each size's choice is the best that the library has, unless its own is within the margin."""
    found = json.loads(tune("--collectives", "allreduce,alltoall", "--margin", "10", "--communicators", "4,16", "--format", "json").stdout)
    if [(each["operation"], each["ranks"]) for each in found["operations"]] != [("allreduce", 4), ("allreduce", 16), ("alltoall", 4), ("alltoall", 16)]:
        failures.append(f"sizes: operations are {found['operations']}")
    for operation in found["operations"]:
        where = f"{operation['operation']} of {operation['ranks']} ranks"
        listed = [each["size"] for each in operation["sizes"]]
        if operation["margin"] != 0.1 or listed != sorted(listed) or listed[0] != 8 or listed[-1] != 1 << 20:
            failures.append(f"{where}: {operation['margin']}, {listed}")
        for low, high in zip(operation["sizes"], operation["sizes"][1:]):
            if high["size"] > 16 * low["size"]:
                failures.append(f"{where}: nothing between {low['size']} and {high['size']}")
            if low["default"]["algorithm"] != high["default"]["algorithm"] and high["size"] > 2 * low["size"]:
                failures.append(f"{where}: it is not known where the default changes between {low['size']} and {high['size']}")
        for each in operation["sizes"]:
            gain = each["default"]["time_us"] / each["take"]["time_us"] - 1
            if abs(gain - each["gain"]) > 1e-4 or each["is_changed"] != (gain >= 0.1) or each["best"]["time_us"] > each["take"]["time_us"]:
                failures.append(f"{where}: {each}")
            if each["take"]["time_us"] > 1.021 * each["best"]["time_us"] and each["is_changed"]:
                failures.append(f"{where}: {each} is not the best")
            if each["is_changed"] != ("sure" in each) or not 0.5 < each.get("sure", 1) <= 1:
                failures.append(f"{where}: how sure is {each}?")
    lines = list(csv.DictReader(io.StringIO(tune("--collectives", "bcast", "--format", "csv").stdout)))
    if {line["operation"] for line in lines} != {"bcast"} or float(lines[0]["default_time_us"]) <= 0:
        failures.append(f"CSV: {lines[:2]}")


def together():
    """Times are those of ranks that begin together, not of OSU's loop, where they leave a barrier one after the other."""
    found = json.loads(tune("--collectives", "bcast", "--sizes", "8 B", "--format", "json").stdout)["operations"][0]["sizes"][0]["default"]["time_us"]
    run = ("simulate", "--quiet", "--platform", cluster, "--benchmark", "osu-bcast", "--ranks", "node*.cpu*", "--per-device", "2", "--sizes", "8 B",
           "--set", "mpi.collectives=open-mpi-4.1", "--format", "json")
    once = ("--set", "workload.repetitions=1", "--set", "workload.warm_up=0", "--set", "mpi.algorithms.barrier=dissemination")
    alone, in_loop = (json.loads(kakehashi(*run, *more).stdout)["rows"][0]["t_max_us"] for more in (once, ()))
    if abs(found - alone) > 0.006 or abs(found / in_loop - 1) < 0.1:
        failures.append(f"together: tune has {found} us, a first iteration takes {alone} us, one of the loop {in_loop} us")


def against():
    rules = folder / "my_rules.conf"
    rules.write_text("1\n2 1\n0 1\n0 1 0 0\n")  # a linear Allreduce
    run = tune("--collectives", "allreduce", "--against", rules)
    expect("against", run, 0, out=[f"# what {rules} gains over the default", "linear "])
    found = json.loads(tune("--collectives", "allreduce", "--against", rules, "--format", "json").stdout)
    if any(each["file"]["algorithm"] != "linear" for each in found["operations"][0]["sizes"]):
        failures.append(f"against: {found['operations']}")


def libraries():
    for library, words in (("mpich-4", ["allgather"]), ("intel-mpi-2021", ["allgather"]), ("open-mpi-5.0", ["bcast"])):
        expect(library, kakehashi("tune", "--quiet", *PLACES[:-1], library, "--collectives", *words), 0, out=[f"# tune: {library} on node"])


def rules():
    """The files that are written, read again: `--against` then loses nothing."""
    conf, newer, variables, selection = (folder / name for name in ("rules.conf", "rules.json", "adjust.sh", "selection.json"))
    words = ["--collectives", "allreduce,allgather,bcast", "--margin", "5", "--communicators", "4,16"]
    expect("rules", tune(*words, "--rules", conf), 0, out=[
        f"# to start a job with {conf}:\n#   mpirun -n 16 --mca coll_tuned_use_dynamic_rules 1 --mca coll_tuned_dynamic_rules_filename {conf} PROGRAM\n"])
    found = json.loads(tune(*words, "--against", conf, "--format", "json").stdout)
    for operation in found["operations"]:
        for each in operation["sizes"]:
            if each["file"] != each["take"]:
                failures.append(f"rules: {operation['operation']} of {operation['ranks']}: {each}")
    changed = [(operation["operation"], operation["ranks"]) for operation in found["operations"] if any(each["is_changed"] for each in operation["sizes"])]
    tune(*words, "--rules", newer)
    written = json.loads(newer.read_text())
    if (written["rule_file_version"], written["module"]) != (3, "tuned") or not changed or \
            sorted((name, each["comm_size_min"]) for name, all in written["collectives"].items() for each in all) != sorted(changed):
        failures.append(f"rules of Open MPI 6: {changed}, {written}")
    others = [*PLACES[:-1], "intel-mpi-2021", "--collectives", "alltoall,allreduce", "--margin", "1", "--rules", variables]
    expect("variables", kakehashi("tune", "--quiet", *others), 0, out=[f". {variables} && mpiexec -n 16 PROGRAM"])
    if not all(re.fullmatch(r"#.*|export I_MPI_ADJUST_[A-Z]+='(\d+:\d+-\d+@16-16;?)+'", line) for line in variables.read_text().splitlines()):
        failures.append(f"variables: {variables.read_text()}")
    base = folder / "generic.json"
    base.write_text(json.dumps({"collective=allgather": {"comm_type=intra": {"algorithm=MPIR_Allgather_intra_brucks": {}},
                                                         "comm_type=inter": {"algorithm=MPIR_Allgather_inter_local_gather_remote_bcast": {}}},
                                "collective=alltoall": {"comm_type=intra": {"algorithm=MPIR_Alltoall_intra_brucks": {}}},
                                "collective=allreduce": {"comm_type=intra": {"algorithm=MPIR_Allreduce_intra_recursive_doubling": {}}}}))
    of_mpich = [*PLACES[:-1], "mpich-4", "--collectives", "allreduce,allgather,alltoall", "--margin", "5"]
    expect("selection", kakehashi("tune", "--quiet", *of_mpich, "--rules", selection, "--base", base), 0,
           out=[f"mpiexec -n 16 -genv MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE {selection} PROGRAM"])
    if list(json.loads(selection.read_text())["collective=allgather"]) != ["comm_type=intra", "comm_type=inter"]:
        failures.append(f"selection: {selection.read_text()}")
    for operation in json.loads(kakehashi("tune", "--quiet", *of_mpich, "--against", selection, "--format", "json").stdout)["operations"]:
        for each in operation["sizes"]:
            if each["is_changed"] and each["file"] != each["take"]:
                failures.append(f"selection: {operation['operation']}: {each}")
    quick = ["tune", "--quiet", *PLACES[:-1], "mpich-4", "--collectives", "allreduce"]
    expect("no base", kakehashi(*quick, "--rules", selection), 2, err=["error: --rules needs --base, since MPICH's file takes the place of all of its own"])
    expect("a base alone", kakehashi(*quick, "--base", base), 2, err="error: --base goes with --rules, the file to write\n")
    expect("no selection", kakehashi(*quick, "--rules", selection, "--base", conf), 2, err=[f"error: {conf}: got no JSON object, expected a selection of MPICH"])
    expect("an older MPICH", kakehashi("tune", "--quiet", *PLACES[:-1], "mpich", "--rules", selection), 2,
           err="error: --rules: mpich reads no file of rules; the lines below the table have its variables\n")
    expect("a base for another library", tune("--rules", conf, "--base", base), 2, err="error: --base is for MPICH 4, not for open-mpi-4.1\n")
    expect("rules nowhere", tune("--rules", "/dev/null/x"), 1, err=["/dev/null/x"])


def releases():
    """MPICH's functions are those of the release that its own selection is of, which may be in its library."""
    base, selection, outputs = folder / "base.json", folder / "releases.json", folder / "ring"
    outputs.mkdir()
    for name, time_us in (("default", 1000), ("ring", 1)):
        (outputs / f"allreduce-block-16-1048576-{name}.log").write_text(f"# Size       Avg Latency(us)\n1048576   {time_us}\n")
    words = ["tune", "--quiet", *PLACES[:-1], "mpich-4", "--collectives", "allreduce", "--sizes", "1 MiB", "--measured", outputs, "--rules", selection, "--base"]
    own = {"collective=allreduce": {"comm_type=intra": {"comm_size<8": {"algorithm=MPIR_Allreduce_intra_smp": {}}, "comm_size=any": {"algorithm=MPIR_Allreduce_intra_smp": {}}}}}
    compositions = {"collective=allreduce": {"comm_type=intra": {"composition=MPIDI_Allreduce_intra_composition_alpha": {}}}}
    unknown = ["error: allreduce-block-16-1048576-ring.log: no choice of this tuning"]
    base.write_text(json.dumps(own))
    expect("an unknown release", kakehashi(*words, base), 1, err=unknown)
    base.write_text(json.dumps(own | {"collective=barrier": {"algorithm=MPIR_Barrier_intra_dissemination": {}}}))
    expect("MPICH 4.0", kakehashi(*words, base), 1, err=unknown)
    own["collective=barrier"] = {"algorithm=MPIR_Barrier_intra_k_dissemination": {"k=2": {}}}
    base.write_text(json.dumps(own))
    later = kakehashi(*words, base)
    expect("MPICH 4.1", later, 0, out=["# for a job that has one size of messages in each operation, without a file (MPICH 4.1 and later):\n",
                                       "MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM=ring\n"])
    intra = json.loads(selection.read_text())["collective=allreduce"]["comm_type=intra"]
    ring = {"is_commutative=no": intra["comm_size=any"], "is_commutative=yes": {"algorithm=MPIR_Allreduce_intra_ring": {}}}
    if list(intra) != ["comm_size<=15", "comm_size<=16", "comm_size=any"] or intra["comm_size<=16"] != ring or "comm_size<=7" not in intra["comm_size=any"]:
        failures.append(f"MPICH 4.1: {intra}")
    library = folder / "libmpich.so"
    library.write_bytes(b"\x7fELF\0" + b"\0".join(json.dumps(each, separators=(",", ":")).encode() for each in (compositions, own)) + b"\0")
    expect("the library", kakehashi(*words, library), 0, out=[f"MPIR_CVAR_CH4_COLL_SELECTION_TUNING_JSON_FILE {folder}/releases-ch4.json PROGRAM\n"])
    flat = json.loads((folder / "releases-ch4.json").read_text())["collective=allreduce"]["comm_type=intra"]["comm_size<=16"]
    if json.loads(selection.read_text())["collective=allreduce"]["comm_type=intra"] != intra or flat != {"composition=MPIDI_Allreduce_intra_composition_beta": {}}:
        failures.append(f"the library: {selection.read_text()} {flat}")
    library.write_bytes(b"\x7fELF\0")
    expect("another library", kakehashi(*words, library), 2,
           err=f"error: {library}: got a library without a selection of algorithms, expected libmpich.so of MPICH 4\n")


def no_library():
    run = kakehashi("tune", "--quiet", cluster, "--ranks", "node*.cpu*", "--collectives", "barrier")
    expect("no library", run, 0, out=["# tune: open-mpi on node", "# neither --library nor the platform states an MPI library; assumed is open-mpi, with the tables of "
                                      "Open MPI 1.3 to 4.0: coll_tuned_decision_fixed.c and coll_basic\n"])
    if "neither" in kakehashi("tune", "--quiet", *PLACES[:-1], "open-mpi", "--collectives", "barrier").stdout:
        failures.append("a library that is stated is said to be assumed")


def doctor():
    """What `check` finds in files of rules."""
    conf = folder / "strange.conf"
    conf.write_text("2\n2 2\n4 2\n0 3 5 0\n65536 4 0 8192\n64 1\n0 6 0 0\n6 1\n0 2\n0 3 0 0\n10 4 0 0\n")
    where = f"warning: {conf}: "
    expect("notes", kakehashi("check", conf), 0, out=[
        f"{conf}: rules of Open MPI's coll/tuned, no faults\n# operation ", "allreduce       0 to 63          0 to 65535 B               the vector      recursive-doubling\n",
        "allreduce       0 to 63          65536 B on                 the vector      ring\n", "allreduce       64 on            any                        the vector      rabenseifner\n",
        "barrier         any              -                                          recursive-doubling\n"],
        err="".join(f"{where}line {line}: {what}\n" for line, what in (
            (2, "Open MPI 6 takes these sizes of communicators otherwise: rules hold from the size before theirs on, up to theirs less one"),
            (3, "the first size, 4 ranks, holds for smaller communicators, too"),
            (4, "recursive-doubling takes no fan-out, so 5 changes nothing"),
            (5, "ring takes no segments, so 8192 changes nothing"),
            (7, "algorithm 6 of allreduce (rabenseifner) came with Open MPI 4.0; calls fail in releases before it"),
            (11, "only the first rule of barrier counts, for Open MPI knows no size there; 1 other one never matches"))))
    conf.write_text("# mine\nrule-file-version-2\n1\n0 1\n0 1\n0 3 0 0\n")
    expect("a version behind a remark", kakehashi("check", conf), 2, err=[f"error: {conf}: line 2: got \"rule-file-version-2\""])
    conf.write_text("rule-file-version-2\n1\n0 1\n0 2\n0 7 0 0 3\n4096 4 0 0\n")
    expect("a version", kakehashi("check", "--quiet", conf), 0, err=[
        f"{where}line 1: releases before 5.0.7 know no version, and drop the whole file\n", "line 5: algorithm 7 of allgather (sparbit) came with Open MPI 5.0"])
    conf.write_text("1\n2 1\n0 1\n0 9 0 0\n")
    expect("an unknown algorithm", kakehashi("check", conf), 2,
           err=f'error: {conf}: line 4: got 9, expected an algorithm of allreduce: 0 the table\'s, 1 linear, 2 reduce-bcast, 3 recursive-doubling, 4 ring, '
               "5 segmented-ring, 6 rabenseifner\n")
    newer = folder / "newer.json"
    newer.write_text(json.dumps({"rule_file_version": 3, "module": "tuned", "collectives": {"allreduce": [
        {"comm_size_min": 4, "comm_size_max": 64, "rules": [
            {"msg_size_min": 0, "msg_size_max": 4096, "alg": 3}, {"msg_size_min": 8, "msg_size_max": 64, "alg": 4}, {"msg_size_min": 9, "msg_size_max": 8, "alg": 4}]}]}}))
    expect("rules of Open MPI 6", kakehashi("check", newer), 0, out=["allreduce       4 to 64          0 to 4096 B                the vector      recursive-doubling\n"],
           err=[f"warning: {newer}: /collectives/allreduce/0/rules/1: never matches, since a rule before it holds for all these sizes\n",
                f"warning: {newer}: /collectives/allreduce/0/rules/2: never matches: msg_size_min is above msg_size_max\n"])
    expect("against rules of Open MPI 6", tune("--collectives", "allreduce", "--against", newer), 0, out=[f"# what {newer} gains over the default"])
    newer.write_text(json.dumps({"collectives": {"allreduce": [{"rules": [{"alg": 3, "msg_size_min": -1}]}, {"rules": 3}]}}))
    expect("faults in them", kakehashi("check", newer), 2, err=[
        f'error: {newer}: /collectives/allreduce/0/rules/0/msg_size_min: got -1, expected a whole number from 0 on, or "inf"\n',
        f'error: {newer}: /collectives/allreduce/1: got '])
    selection = folder / "strange-selection.json"
    selection.write_text(json.dumps({"collective=allgather": {"comm_type=intra": {
        "comm_size<=8": {"algorithm=MPIR_Allgather_intra_ring": {}}, "comm_size<4": {"algorithm=MPIR_Allgather_intra_brucks": {}}}}}))
    expect("a selection", kakehashi("check", "--quiet", selection), 0, err=[
        f'warning: {selection}: /collective=allgather/comm_type=intra/comm_size<4: never matches, since "comm_size<=8" before it always does where this would\n',
        f'warning: {selection}: /collective=allgather/comm_type=intra: ends with "comm_size<4": MPI_Init ends the job, since an entry for all other cases ',
        f"warning: {selection}: has nothing for bcast; as the file takes the place of all of MPICH's own selection"])
    for file in ("platforms/hpcdiy-qdr.json", "scenarios/heat/heat.json"):
        expect("no rules", kakehashi("check", file), 0, out=[f"{file}: "])


def faults():
    def refuse(what, *words, err):
        expect(what, tune(*words), 2, err=f"error: {err}\n")
    refuse("strange collective", "--collectives", "allreduce,allredcue", err='--collectives: got "allredcue", expected operations for which '
           "open-mpi-4.1 has settings: barrier, bcast, reduce, allreduce, gather, scatter, allgather, allgatherv, alltoall, alltoallv, reduce-scatter "
           '(did you mean "allreduce"?)')
    refuse("strange communicator", "--communicators", "17", err='--communicators: got "17", expected a number of ranks from 2 to 16, as many as --ranks has')
    refuse("strange placement", "--placements", "blok", err='--placements: got "blok", expected block, cyclic, cyclic-in-node, cyclic-over-numa, cyclic-over-caches (did you mean "block"?)')
    refuse("placement twice", "--placements", "block,block", err='--placements: got "block", expected each only once')
    refuse("strange margin", "--margin", "much", err='--margin: got "much", expected a gain in percent, such as 10')
    refuse("strange size", "--sizes", "0 B", err='--sizes: got "0 B", expected more than 0 B')
    refuse("strange time", "--timeout", "0 s", err='--timeout: got "0 s", expected a time such as "90 s" or "10 min"')
    refuse("resume what", "--resume", err="--resume needs --results, the file to go on with")
    refuse("no such rules", "--against", folder / "none.conf", err=f"{folder}/none.conf: no such file")
    expect("no ranks", kakehashi("tune", cluster), 2, err=["--ranks is missing"])
    expect("a library without settings", kakehashi("tune", "--quiet", *PLACES[:-1], "mpt"), 2, err=["--library", "mpt", "open-mpi-4.1"])
    expect("a platform's library without settings", kakehashi("tune", "--quiet", *PLACES[:-2], "--set", "mpi.collectives=mpt"), 2,
           err='error: --library: got "mpt", expected one whose users can choose algorithms: open-mpi, open-mpi-4.1, open-mpi-5.0, mpich, mpich-4, '
           "cray-mpich, intel-mpi, intel-mpi-2019, intel-mpi-2021, hcoll, ucc, fujitsu-4\n")
    expect("one rank", kakehashi("tune", "--quiet", cluster, "--ranks", "node0.cpu0"), 2, err="error: --ranks: got 1 rank for osu-allreduce, expected 2 or more\n")
    expect("no platform", kakehashi("tune", folder / "none.json", "--ranks", "a,b"), 2, err=f"error: {folder}/none.json: no such file\n")


def going_on():
    results = folder / "tune.results"
    words = ["--collectives", "alltoall,bcast", "--format", "csv"]
    whole = tune(*words).stdout
    run = subprocess.Popen([program, "tune", "--quiet", *PLACES, *words, "--jobs", "1", "--results", results], cwd=root,
                           stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while run.poll() is None and (not results.exists() or results.read_text().count("\n") < 5):
        time.sleep(0.001)
    run.send_signal(signal.SIGINT)
    out, err = run.communicate()
    if (run.returncode, out, err) != (130, "", f"error: interrupted; what was run is in {results}, and the same command with --resume goes on\n"):
        failures.append(f"interrupt: {run.returncode}, {out}, {err}")
    expect("a result file that is there", tune(*words, "--results", results), 2, err=f"error: {results}: is there already; --resume goes on with it\n")
    expect("resume", tune(*words, "--results", results, "--resume"), 0, out=whole)
    expect("another machine", tune(*words, "--results", results, "--resume", "--set", "platform:name=other"), 2, err=[f"error: {results}: line 1: "])


def of_gpus():
    """What it proposes to run has the vectors where the ranks are."""
    gpus = folder / "gpus.json"
    machine = ["scenarios/journey/topo.txt", "--nodes", "2", "--network", "fat-tree:HDR:40", "--gpu", "A100", "--pcie", "4"]
    expect("a machine of GPUs", kakehashi("import", *machine, "-o", gpus), 0)
    run = kakehashi("tune", gpus, "--ranks", "node*.gpu*", "--collectives", "allreduce", "--quiet")
    expect("tune GPUs", run, 0, out=["osu_allreduce -d cuda -m "])


def measured():
    """What it proposes to run, and what the outputs of that decide."""
    words = ["--collectives", "bcast", "--format", "json"]
    found = json.loads(tune(*words).stdout)
    runs = found["confirming_runs"]
    if len(runs) % 2 or not 2 <= len(runs) <= 20 or "mpirun -n 16 osu_bcast -m" not in runs[0]["command"] or "coll_tuned_bcast_algorithm" not in runs[1]["command"]:
        failures.append(f"measured: proposes {runs}")
        return
    at = {each["size"]: each for each in found["operations"][0]["sizes"]}
    size = int(runs[0]["file"].split("-")[3])
    best = at[size]["best"]["time_us"]
    for default, rival in ((0.5, 0.8), (0.8, 0.5), (0.5, 0.495)):  # times that of the best, as predicted
        outputs = folder / f"outputs-{default}-{rival}"
        outputs.mkdir()
        for run, time_us in zip(runs[:2], (default * best, rival * best)):
            (outputs / run["file"]).write_text(f"# OSU MPI Broadcast Latency Test v5.9\n# Size       Avg Latency(us)\n{size}   {time_us}\n")
        again = json.loads(tune(*words, "--measured", outputs).stdout)
        each = next(each for each in again["operations"][0]["sizes"] if each["size"] == size)
        if each["is_changed"] != (default > 1.02 * rival) or "sure" in each or not each["take"].get("is_measured"):
            failures.append(f"measured: {default} and {rival} give {each}")
        # Another one that was not measured may be faster, as it is shifted.
        fastest = min((each["best"], each["take"], each["default"]), key=lambda timed: timed["time_us"] if timed.get("is_measured") else math.inf)
        for timed, expected in ((each["default"], default), (fastest, min(default, rival if each["is_changed"] else default))):
            if abs(timed["time_us"] / best / expected - 1) > 1e-5 or not timed["is_measured"]:
                failures.append(f"measured: {timed} for {expected * best}")
        if each["best"]["time_us"] > (1 + 1e-5) * best * min(default, rival):
            failures.append(f"measured: {each['best']} for {best}")
        if any(run["file"] in (runs[0]["file"], runs[1]["file"]) for run in again["confirming_runs"]):
            failures.append("measured: proposes again what was measured")
        # The same choice at the next sizes is corrected by what was measured of it.
        for other in again["operations"][0]["sizes"]:
            before = at[other["size"]]["default"]
            if other["default"]["algorithm"] == each["default"]["algorithm"] and other["size"] != size:
                expected = before["time_us"] * default * best / at[size]["default"]["time_us"]
                if abs(other["default"]["time_us"] / expected - 1) > 1e-3:
                    failures.append(f"measured: {other['default']}, expected {expected}")
    (outputs / "bcast-block-16-8-magic.log").write_text("# OSU MPI Broadcast Latency Test v5.9\n# Size       Avg Latency(us)\n8   1\n")
    expect("another name", tune(*words, "--measured", outputs), 1, err=["error: bcast-block-16-8-magic.log: no choice of this tuning"])
    expect("no folder", tune("--measured", folder / "none"), 2, err=f"error: --measured {folder}/none: No such file or directory\n")
    empty = folder / "empty"
    empty.mkdir()
    expect("no outputs", tune("--measured", empty), 2, err=f"error: --measured {empty}: no file of it ends in .log\n")


for case in (table, sizes, together, against, libraries, rules, releases, no_library, doctor, faults, going_on, of_gpus, measured):
    case()
finish("all as expected")
