#!/usr/bin/env python3
"""Makes the Debian package, unpacks it, and validates with what is in it. Usage: package.py CPACK BUILD"""
import os
import pathlib
import subprocess
import sys
import tempfile

cpack, build = sys.argv[1:]
failures = []


def output(*command, **environment):
    run = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=900,
                         env={**os.environ, **environment})
    if run.returncode != 0:
        sys.exit(f"{command}: exit code {run.returncode}\n{run.stdout}{run.stderr}")
    return run.stdout


with tempfile.TemporaryDirectory() as name:
    work = pathlib.Path(name)
    output(cpack, "--config", pathlib.Path(build) / "CPackConfig.cmake", "-B", work)
    (package,) = work.glob("kakehashi_*.deb")
    needs = output("dpkg-deb", "-f", package, "Depends")
    for library in ("libc6 ", "libstdc++6 ", "libsimgrid"):
        if library not in needs:
            failures.append(f"package: depends on {needs}, without {library}")
    output("dpkg-deb", "-x", package, work / "root")
    for file in ("bin/kakehashi", "share/man/man1/kakehashi.1", "share/zsh/vendor-completions/_kakehashi", "share/doc/kakehashi/copyright"):
        if not (work / "root" / "usr" / file).exists():
            failures.append(f"package: {file} is missing")
    found = output(work / "root/usr/bin/kakehashi", "validate", "hpcdiy-qdr", "--quiet")
    if " pass, 0 fail, " not in found:
        failures.append(f"package: not all passes\n{found}")
print("\n".join(failures) or "the package works")
sys.exit(bool(failures))
