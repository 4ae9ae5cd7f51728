#!/usr/bin/env python3
"""What pages tell people to build and run is there, and works: the presets, targets and programs that they name exist, and each tool runs
on its smallest size, here or in another test. Usage: programs.py KAKEHASHI BUILD ROOT"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

program, build, root = (pathlib.Path(argument).resolve() for argument in sys.argv[1:4])
failures = []
RUNS = {  # a tool: its words on the smallest size, and what it must print
    "bench-scale": ([build / "tools/bench/bench-scale", "64"], r"(?m)^ +64 +32 +4032 .* 680\.0$"),
    "bench-scale of SimGrid": ([build / "tools/bench/bench-scale", "--engine", "simgrid", "64"], r"(?m)^ +64 +64 +4032 .* 680\.0$"),
    "tools/bench/tables": (["tools/bench/tables", program, "2"], r"(?m)^osu-allreduce +224 +1 "),
    "tools/bench/laws": (["tools/bench/laws", program, "--quick"], r"(?m)^candidates of a sweep +10 +100 "),
    "tools/bench/tolerance": (["tools/bench/tolerance", program, "--quick"], r"(?m)^torus, 32 +2 % "),
    "tools/bench/against": (["tools/bench/against", program, "64", "--quick"], r"(?m)^osu-alltoall, 8 ranks "),
    "tools/bench/recording-cost": (["tools/bench/recording-cost", program, "--pairs", "2", "--calls", "1000"], r"^\d+ calls a second; recorded "),
    "tools/gallery": (["tools/gallery", "FOLDER", "intel-mpss/sendrecv-tcp-host"], r"(?m)^simulate-intel-mpss-sendrecv-tcp-host-mic0\.html$"),
    "tools/gallery of questions": (["tools/gallery", "FOLDER", "For"], r"(?m)^sweep-which-layout-is-best\.html$"),
    "tools/sweep-slurm": (["tools/sweep-slurm", "scenarios/colfax-mic/sweep-ring-node.json", "FOLDER"], r"(?m)^best +3071\.17 "),
}
NEEDS = {"tools/bench/against": "smpirun", "tools/bench/recording-cost": "mpicc.openmpi"}
BY_HAND = {  # a tool that no test runs: why
    "tools/build-cost": "builds", "tools/check-code": "takes half an hour", "tools/mutate": "takes hours; a test lists its mutants",
    "tools/predictions/run.py": "needs logs of other machines; a test runs it where they are",
    "tools/predictions/gpus.py": "needs logs of other machines; a test runs it where they are",
    "tools/regret/run.py": "needs a table of another machine; a test runs it where that is",
    "tools/profile": "builds, and needs perf",
    "tools/run": "builds what is running here", "tools/simgrid": "fetches SimGrid", "tools/test-simgrid-4": "fetches SimGrid",
}
TARGETS = r"tools/build ([\w-]+)((?: [a-z][\w-]*)*)"


def pages():
    return [root / "README.md", root / "CONTRIBUTING.md", *sorted((root / "docs").rglob("*.md"))]


def check_names():
    """Every tool is run somewhere, and every preset and target exists."""
    elsewhere = "".join((root / file).read_text() for file in (".ci/run", "tests/CMakeLists.txt", "tests/report/compute.py", "tests/tools/build.py", "tests/tools/site.py", "tools/test"))
    presets = {preset["name"] for preset in json.loads((root / "CMakePresets.json").read_text())["buildPresets"]}
    targets = set(re.findall(r"(?m)^([\w-]+): ", subprocess.run(["ninja", "-C", build, "-t", "targets", "all"], capture_output=True, text=True).stdout))
    for page in pages():
        name, text = page.relative_to(root), page.read_text()
        for tool in set(re.findall(r"\btools/[\w/-]*\w(?:\.py)?", text)):
            path = root / tool
            if path.is_file() and os.access(path, os.X_OK) and tool not in RUNS and tool not in BY_HAND and tool not in elsewhere:
                failures.append(f"{name}: no test runs {tool}")
        for preset, wanted in re.findall(TARGETS, text):
            failures.extend([f"{name}: there is no preset {preset}"] if preset != "PRESET" and preset not in presets else
                            [f"{name}: there is no target {target}" for target in wanted.split() if target not in targets])
        for file in set(re.findall(r"\bbuild/release/([\w/-]+)", text)):
            if not (build / file).exists():
                failures.append(f"{name}: a build has no {file}")


def run_tools():
    environment = {**os.environ, "KAKEHASHI": str(program), "SLURM_ARRAY_TASK_ID": "1", "SLURM_ARRAY_TASK_MAX": "1"}
    for tool, (words, pattern) in RUNS.items():
        if not shutil.which(NEEDS.get(tool, "sh")):
            print(f"{tool} is not run, for there is no {NEEDS[tool]}")
            continue
        with tempfile.TemporaryDirectory() as folder:
            run = subprocess.run([folder if word == "FOLDER" else str(word) for word in words], cwd=root, env=environment, capture_output=True, text=True, timeout=600)
        if run.returncode != 0 or not re.search(pattern, run.stdout):
            failures.append(f"{tool}: exit code {run.returncode}\n{run.stdout[-2000:]}{run.stderr[-2000:]}")


check_names()
run_tools()
print("\n".join(failures) or "what pages name can be built and run")
sys.exit(bool(failures))
