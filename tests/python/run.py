#!/usr/bin/env python3
"""Installs the Python package into a virtual environment, with the libraries of a build tree, and runs its tests there.
Usage: run.py KAKEHASHI BUILD ROOT

Ends with 77, which CTest takes for skipped, if pip reaches no package index."""
import os
import pathlib
import subprocess
import sys

program, build, root = (pathlib.Path(argument).resolve() for argument in sys.argv[1:4])
place = build / "python"
# Debian's Python has the packages that tools/test installs; what another one lacks is fetched.
debian = pathlib.Path("/usr/bin/python3")
python = debian if debian.exists() else sys.executable


def call(*words, **options):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=600, **options)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, words))} ends with {done.returncode}\n{done.stdout[-4000:]}{done.stderr[-6000:]}")
    return done


call(python, "-m", "venv", "--clear", "--system-site-packages", place / "environment")
pip = [place / "environment/bin/python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
needed = subprocess.run([str(pip[0]), "-m", "pip", "download", "--quiet", "--no-deps", "--dest", str(place / "fetched"),
                         "scikit-build-core", "nanobind"], capture_output=True, text=True, timeout=600)
if needed.returncode != 0:  # pip builds packages with what it fetches
    print(f"pip cannot fetch what it builds the package with, so the package is not tested: {needed.stderr[-400:]}")
    sys.exit(77)
call(*pip, "pandas", "nbclient", "ipykernel", "distributed", "scipy<1.12")  # of the time of Debian's numpy
call(*pip, f"--config-settings=cmake.define.KAKEHASHI_BUILD={build}", f"--config-settings=build-dir={place / 'module'}", root)
call(place / "environment/bin/python", "-m", "ipykernel", "install", "--sys-prefix")  # for notebooks
environment = {name: value for name, value in os.environ.items() if name != "KAKEHASHI_DATA"}
tests = subprocess.run([place / "environment/bin/python", "-W", "ignore::ResourceWarning",  # of nbclient
                        pathlib.Path(__file__).with_name("package.py"), program, root], timeout=600,
                       env={**environment, "JUPYTER_PREFER_ENV_PATH": "1", "PYDEVD_DISABLE_FILE_VALIDATION": "1"})
sys.exit(tests.returncode)
