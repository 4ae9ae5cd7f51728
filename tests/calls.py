"""Calls of the program as a user makes them, for tests that are started with KAKEHASHI and ROOT as their first arguments."""
import pathlib
import subprocess
import sys

program, root = str(pathlib.Path(sys.argv[1]).resolve()), pathlib.Path(sys.argv[2]).resolve()
failures = []


def kakehashi(*arguments, cwd=root, **options):
    return subprocess.run([program, *arguments], cwd=cwd, capture_output=True, text=True, timeout=1200, **options)


def expect(name, run, code, out=None, err=None):
    """out and err: the whole text, or a list of parts that must occur; None: must be empty."""
    for what, found, wanted in (("stdout", run.stdout, out), ("stderr", run.stderr, err)):
        right = all(part in found for part in wanted) if isinstance(wanted, list) else found == (wanted or "")
        if not right:
            failures.append(f"{name}: {what} is\n{found}\nbut should be{' with' if isinstance(wanted, list) else ''}\n{wanted}")
    if run.returncode != code:
        failures.append(f"{name}: exit code {run.returncode}, expected {code}\n{run.stderr}")


def finish(praise):
    print("\n".join(failures[:20]) or praise)
    sys.exit(bool(failures))
