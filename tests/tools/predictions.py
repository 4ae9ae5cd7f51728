#!/usr/bin/env python3
"""tools/predictions/run.py on a cluster and logs that are made here: its rows are those of tests/data/predictions/page.md, which so holds what
`calibrate` and the predictions make of a ping-pong to the head. docs/evidence/predictions.md is of logs that are not shipped; the same --check holds it.
Usage: predictions.py PROGRAM ROOT [--write]"""
import json
import pathlib
import subprocess
import sys
import tempfile

program, root = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
page = root / "tests/data/predictions/page.md"
SIZES = [0, *(1 << i for i in range(23))]
CLUSTER = {"nodes": 2, "sockets_a_node": 1, "cores": 2, "memory": {"channels": 1, "transfers": "1.6 GT/s", "cache": "2 MiB"},
           "network": {"type": "ethernet", "line_rate": "1 Gbit/s"}, "collectives": "open-mpi"}
TESTS = ["sendrecv", "bcast", "allreduce", "alltoall"]


def one_way(size):
    """us of a message inside the node: three protocols."""
    return 3.7 + size / 500 if size < 4096 else 8.5 + size / 1100 if size < 32768 else 12 + size / 3000


def log(name):
    heads = ["#bytes #repetitions t[usec] Mbytes/sec" if name == "pingpong" else "#bytes #repetitions t_min[usec] t_max[usec] t_avg[usec]"]
    cells = (lambda time: [time, 0]) if name == "pingpong" else lambda time: [time, time, time]
    rows = (" ".join(map(str, [size, 1000, *(f"{cell:.2f}" for cell in cells(one_way(size)))])) for size in SIZES)
    return "\n".join([f"# Benchmarking {name.title()}", "# #processes = 2", *heads, *rows, ""])


failures = []
with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    for test in ["pingpong", *TESTS]:
        (folder / f"{test}.txt").write_text(log(test))
    tests = [{"benchmark": f"imb-{test}", "log": f"{test}.txt", "nodes": 1, "ranks": 2} for test in TESTS]
    clusters = {"pair": CLUSTER | {"calibrate": [{"benchmark": "imb-pingpong", "log": "pingpong.txt", "at": "same-socket"}], "predict": tests}}
    (folder / "clusters.json").write_text(json.dumps(clusters))

    def run(*words):
        command = [sys.executable, root / "tools/predictions/run.py", program, folder, "--clusters", folder / "clusters.json", *words]
        return subprocess.run(command, capture_output=True, text=True, timeout=600)

    if "--write" in sys.argv:
        sys.exit(run("--write", page).returncode)
    done = run("--check", page)
    if done.returncode != 0 or done.stderr:
        failures.append(f"{done.stdout}{done.stderr}")
    other = folder / "page.md"
    other.write_text(page.read_text().replace("| pair, imb-bcast, 1 × 2 | ", "| pair, imb-bcast, 1 × 2 | 1"))
    done = run("--check", other)
    if done.returncode != 1 or done.stderr != f"{other} has other rows of pair imb-bcast 1 x 2\n":
        failures.append(f"a changed row: exit code {done.returncode}, {done.stderr}")
    if run("--write", other).returncode != 0 or other.read_text() != page.read_text():
        failures.append(f"a corrected row:\n{other.read_text()}")
print("\n".join(failures) or "the rows are those of the page")
sys.exit(bool(failures))
