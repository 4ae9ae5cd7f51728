#!/usr/bin/env python3
"""What tools/build does in a tree that was copied with its build folder, and how it shows progress and faults. Usage: build.py ROOT"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

root = pathlib.Path(sys.argv[1]).resolve()
failures = []

FAKE_CMAKE = """#!/bin/sh
echo "$1" >> calls
[ -f broken ] && printf '[1/8 2.0] a\n' && sleep 16 && printf '[2/8 16.2] b\nc.cpp:1:1: error: no\n' && exit 1
[ "$2" = --preset ] && exit 0
mkdir -p build/release && touch build/release/build.ninja
echo "CMAKE_HOME_DIRECTORY:INTERNAL=$PWD" > build/release/CMakeCache.txt
"""


def executable(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)


def expect(what, tree, calls, err, exit_code=0):
    """Builds, and compares how often CMake was called for what, and what was printed."""
    (tree / "calls").write_text("")
    run = subprocess.run([tree / "tools/build", "release"], capture_output=True, text=True, timeout=600,
                         env={**os.environ, "PATH": f"{tree / 'bin'}:{os.environ['PATH']}"})
    found = (tree / "calls").read_text().split()
    if (run.returncode, found, run.stderr) != (exit_code, calls, err):
        failures.append(f"{what}: exit code {run.returncode}, calls {found}\n{run.stderr}")


with tempfile.TemporaryDirectory() as name:
    first, copy = pathlib.Path(name).resolve() / "first", pathlib.Path(name).resolve() / "copy"
    executable(first / "tools/setup", "#!/bin/sh\n")
    executable(first / "bin/cmake", FAKE_CMAKE)
    shutil.copy(root / "tools/build", first / "tools/build")
    configuring = "tools/build: configuring and building (release)\n"
    expect("the first time", first, ["--preset", "--build"], configuring)
    expect("again", first, ["--build"], "")
    shutil.copytree(first, copy)
    (copy / "build/release/old.o").write_text("")
    expect("in a copy", copy, ["--preset", "--build"], f"tools/build: build/release belongs to {first}; starting it anew\n" + configuring)
    if (copy / "build/release/old.o").exists():
        failures.append("in a copy: something of the other build is left")
    expect("in a copy again", copy, ["--build"], "")
    (copy / "broken").touch()
    expect("what takes long and fails", copy, ["--build"],
           "tools/build: step 2 of 8, 0.1 a second, about 48 s left\nc.cpp:1:1: error: no\n", exit_code=1)
print("\n".join(failures) or "tools/build knows its own build folders")
sys.exit(bool(failures))
