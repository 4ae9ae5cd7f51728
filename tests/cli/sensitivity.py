#!/usr/bin/env python3
"""Holds the declared roles to what halving and doubling each number of the platforms shows. Usage: sensitivity.py KAKEHASHI ROOT"""
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

program, root = sys.argv[1], pathlib.Path(sys.argv[2])
failures = []


def sensitivity(*arguments):
    run = subprocess.run([program, "validate", "--sensitivity", "--faults", "--quiet", *arguments], capture_output=True, text=True, timeout=1400)
    return run.returncode, run.stdout, run.stderr


def whole(platform):
    code, out, err = sensitivity(platform, "--format", "json")
    if code not in (0, 1) or not out:
        failures.append(f"{platform}: exit code {code}\n{err}")
        return
    found = json.loads(out)
    for row in found["rows"]:
        for fault in row["faults"]:
            failures.append(f'{row["platform"]} {row["name"]}: {fault}')
        if row["verdict"] != "pending" and row["found"] != row["role"]:
            failures.append(f'{row["platform"]} {row["name"]}: declared {row["role"]}, found {row["found"]}')
    if found["faulty"] != 0 or code != 0:
        failures.append(f'exit code {code}, {found["faulty"]} lines with faults')


def on_two_claims(what, change, expected, code=1):
    """The output on tca-mic with two claims only, after a change of one of its files."""
    with tempfile.TemporaryDirectory() as folder:
        for name in ("platforms", "scenarios/reference"):
            shutil.copytree(root / name, pathlib.Path(folder, name))
        claims = pathlib.Path(folder, "scenarios/reference/claims.json")
        platform = pathlib.Path(folder, "platforms/tca-mic.json")
        kept = [c for c in json.loads(claims.read_text())["tca-mic"] if c["id"] in ("peach2-internal-latency", "staged-latency-64")]
        machine = json.loads(platform.read_text())
        for fabric in machine["fabrics"].values():
            for rule in fabric.get("rules", []):
                for holder in (rule, *rule["regimes"]):
                    holder.get("source", {}).pop("claims", None)
        for link in machine["templates"]["tca"]["links"]:
            link["source"].pop("claims", None)
        machine["fabrics"]["peach2"]["rules"][0]["source"]["claims"] = ["peach2-internal-latency"]
        change(kept, machine)
        claims.write_text(json.dumps({"tca-mic": kept}))
        platform.write_text(json.dumps(machine))
        found = sensitivity("tca-mic", "--data", folder)
        if found[0] != code or expected not in found[1] + found[2]:
            failures.append(f"{what}: exit code {found[0]}, without {expected!r}\n{found[1]}{found[2]}")


def faults():
    on_two_claims("as it is", lambda claims, machine: None, "# 2 lines, 0 with faults", code=0)
    on_two_claims("another role", lambda claims, machine: claims[0].update(role="prediction"),
                  "# fault: tca-mic peach2-internal-latency: declared prediction, found input")
    on_two_claims("no role", lambda claims, machine: claims[1].pop("role"),
                  "# fault: tca-mic staged-latency-64: no role is declared; it is prediction")
    on_two_claims("wide bounds", lambda claims, machine: claims[1].update(latency_us={"between": [0.1, 1000]}),
                  "# fault: tca-mic staged-latency-64: nothing turns it")
    on_two_claims("a combination", lambda claims, machine: claims[1].update(
        latency_us={"between": [0.1, 10]}, turned_by=[{"parameter": "/fabrics/peach2/rules/0/regimes/0 setup", "factor": 10}]),
        "# 2 lines, 0 with faults", code=0)
    on_two_claims("an unknown number", lambda claims, machine: claims[1].update(turned_by=[{"parameter": "/x y", "factor": 2}]),
                  "# fault: tca-mic staged-latency-64: turned_by names /x y, on which it does not depend")
    on_two_claims("a source that names no claim",
                  lambda claims, machine: machine["fabrics"]["peach2"]["rules"][0]["source"].update(claims=["peach2-latency"]),
                  '/fabrics/peach2/rules/0/regimes/0/source/claims: got "peach2-latency", expected the id of a claim for this platform', code=2)


for platform in ("intel-mpss", "hpcdiy-qdr", "tca-mic", "colfax-mic", "fx10-tofu"):
    whole(platform)
faults()
for failure in failures:
    print(failure)
sys.exit(1 if failures else 0)
