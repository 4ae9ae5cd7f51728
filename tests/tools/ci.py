#!/usr/bin/env python3
"""Runs the hook for pre-commit and the steps of the action as a runner does. Usage: ci.py PROGRAM ROOT"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

try:
    import yaml
except ImportError:
    sys.exit(77)

program, root = (pathlib.Path(word).resolve() for word in sys.argv[1:])
failures = []


def shown(words, **environment):
    run = subprocess.run(words, cwd=root, capture_output=True, text=True, timeout=300, env={**os.environ, **environment})
    return run.returncode, run.stdout + run.stderr


def hook(faulty):
    (hook,) = yaml.safe_load((root / ".pre-commit-hooks.yaml").read_text())
    wanted = lambda file: bool(re.search(hook["files"], file)) and not re.search(hook["exclude"], file)
    cases = {"platforms/h100.json": True, "a/scenarios/b/c.json": True, "platforms/platform.schema.json": False,
             "scenarios/reference/claims.json": False, "package.json": False}
    failures.extend(f"hook: {file} is {'not ' * expected}checked" for file, expected in cases.items() if wanted(file) != expected)
    words = [program, *hook["entry"].split()[1:]]
    if (found := shown([*words, "platforms/h100.json", "scenarios/hpcdiy-qdr/bw-gbe.json"])) != (0, ""):
        failures.append(f"hook: good files: {found}")
    if (found := shown([*words, faulty]))[0] != 2 or "/fabrics" not in found[1]:
        failures.append(f"hook: a faulty file: {found}")


def steps(folder, **inputs):
    """Runs the action's steps until one fails -> its exit code, what they print, the outputs."""
    action = yaml.safe_load((root / ".github/actions/check/action.yml").read_text())
    values = {f"inputs.{name}": inputs.get(name, each["default"]) for name, each in action["inputs"].items()}
    printed = ""
    for step in action["runs"]["steps"]:
        if "if" in step:  # the comment needs a server
            continue
        outputs = folder / "outputs"
        outputs.write_text("")
        given = {name: values[text.removeprefix("${{ ").removesuffix(" }}")] for name, text in step["env"].items()}
        code, text = shown(["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]], **given, GITHUB_OUTPUT=str(outputs),
                           GITHUB_STEP_SUMMARY=str(folder / "summary"), RUNNER_TEMP=str(folder), GITHUB_ACTION_PATH=str(root / ".github/actions/check"))
        printed += text
        if code != 0:
            return code, printed, values
        for line in outputs.read_text().splitlines():
            name, _, value = line.partition("=")
            values[f"steps.{step['id']}.outputs.{name}"] = value
    return 0, printed, values


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    faulty = folder / "faulty.json"
    faulty.write_text('{"name": "faulty", "fabrics": {}}\n')
    hook(faulty)
    words = "scenarios/tca-mic/mic-to-remote-mic.json"
    code, printed, values = steps(folder, program=str(program), files="platforms/tca-mic.json scenarios/tca-mic/mic-*.json", compare=f"{words} --sizes 8")
    expected = shown([program, "compare", words, "--sizes", "8", "--format", "markdown", "--quiet"])[1]
    summary = (folder / "summary").read_text()
    if code != 0 or summary != expected or "winner (margin)" not in summary or values.get("steps.compare.outputs.markdown") != f"{folder}/compare.md":
        failures.append(f"action: exit code {code}\n{printed}\n{summary}")
    if (found := steps(folder, program=str(program), files=str(faulty)))[0] != 2 or "/fabrics" not in found[1]:
        failures.append(f"action: a faulty file: {found}")
print("\n".join(failures) or "the hook and the action work")
sys.exit(bool(failures))
