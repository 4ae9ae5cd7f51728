#!/usr/bin/env python3
"""Runs what README.md and docs/ show and compares it. Usage: readme.py KAKEHASHI ROOT [--quick] [--installed] [--write]

--installed: only docs/journey.md, in a folder without platforms and scenarios, since the program has its own.
--write refreshes the lines that are printed otherwise now; look at the difference.

A console block holds commands after "$ " and what they print on standard output; "…" stands for any text, alone on a line for any
lines. All pages share one scratch folder with platforms/ and scenarios/ in it. An HTML comment before a block says what is special:

  <!-- file: NAME -->      the block is the text of that file
  <!-- part of NAME -->    the block is a field of that JSON file, which must then be free of faults
  <!-- exit N -->          the commands end with that exit code, and the block shows their standard error
  <!-- takes a minute -->  with --quick only the command's options are checked
  <!-- takes minutes -->   too slow to run: only the command's options are checked
  <!-- this machine -->    the numbers are times of a machine: only the command's options are checked
  <!-- sums: ARGUMENTS --> each sum gives what stands behind it, and Kakehashi prints these numbers when run with the arguments

A sh block is only looked through for valid options. Every json block is a file or a part of one.
"""
import difflib
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

from json_schema import faults

SCREEN = 24  # lines
FOLDERS = ("docs", "docs/inside", "docs/evidence", "docs/evidence/documents")  # of pages, which share files in this order
MARKER = re.compile(r"<!-- (file|part of|exit|takes a minute|takes minutes|this machine|sums)(?:: | |$)(.*?) ?-->$")
COLUMNS = (  # between them they print every column
    "simulate --summary scenarios/hpcdiy-qdr/latency-qdr-node0-indirect.json",
    "simulate scenarios/hpcdiy-qdr/bw-gbe.json",
    "simulate --repeat 2 scenarios/hpcdiy-qdr/allreduce-shm.json",
    "simulate --engine fluid scenarios/colfax-mic/ring-default.json",
    "simulate --summary scenarios/colfax-mic/asian-option-2-devices.json",
    "simulate scenarios/heat/heat.json",
    "simulate scenarios/h100/nccl-allreduce.json",
    "simulate overlap.json",
    "compare scenarios/tca-mic/mic-to-remote-mic.json",
    "compare --algorithms all scenarios/hpcdiy-qdr/allreduce-shm.json",
    "compare scenarios/waves/chain scenarios/waves/exchange",
    "sweep scenarios/colfax-mic/sweep-ring-node.json",
    "tune four.json --ranks node[0-1].cpu* --collectives bcast --against my_rules.conf",
    "explain scenarios/colfax-mic/ring-default.json",
    "explain scenarios/hpcdiy-qdr/latency-qdr-node0-indirect.json --size 8B",
    "explain scenarios/tca-mic/scif-read.json --size 4MiB",
    "explain scenarios/journey/near.log",
    "explain --platform pair.json --ranks node0.cpu0,node1.cpu0 slow.log",
    "explain --platform platforms/h100.json --ranks node*.gpu* --benchmark nccl-allreduce --sizes 1KiB,1MiB",
    "simulate --platform platforms/h100.json --training gpt-3-6.7b,tensor=2,pipeline=2",
    "simulate --platform platforms/h100.json --inference llama-3-8b,tensor=2",
    "explain --platform platforms/h100.json --training gpt-3-6.7b,tensor=2,pipeline=2",
    "sweep --platform platforms/h100.json --training gpt-3-6.7b",
    "tune platforms/h100.json --ranks node*.gpu* --library nccl",
    "list benchmarks",
    "list algorithms",
    "list gpu-libraries",
    "validate hpcdiy-qdr",
    "validate --sensitivity --faults intel-mpss",
    "list platforms/colfax-mic.json",
    "calibrate scenarios/hpcdiy-qdr/latency-gbe.json",
    "calibrate --adjustments 0 scenarios/hpcdiy-qdr/latency-shm-inter-socket.json",
)
program, root = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
is_installed = "--installed" in sys.argv
unchecked = {"takes minutes", "this machine", *(["takes a minute"] if "--quick" in sys.argv else [])}
failures = []
helps = {}


def blocks(page):
    """(line number, language, marker, its argument, lines) of each fenced block."""
    marker = argument = start = None
    for number, line in enumerate(page.read_text().splitlines(), 1):
        if start is not None:
            if line.startswith("```"):
                yield start, language, marker, argument, lines
                marker = argument = start = None
            else:
                lines.append(line)
        elif line.startswith("```"):
            start, language, lines = number, line[3:], []
        elif found := MARKER.match(line):
            marker, argument = found.groups()
        elif line:
            marker = argument = None


def run(command, folder):
    environment = {**os.environ, "PATH": f"{folder}/bin:{os.environ['PATH']}"}
    return subprocess.run(["bash", "-c", command], cwd=folder, env=environment, capture_output=True, text=True, timeout=1200)


def matches(shown, found):
    pattern = "".join("(?:.*\n)*" if line == "…" else ".*".join(map(re.escape, line.split("…"))) + "\n" for line in shown)
    return re.fullmatch(pattern, "".join(line.rstrip() + "\n" for line in found.splitlines()))


def check_options(place, command):
    """The subcommand, its options and the shipped files that a command names exist."""
    words = shlex.split(command, comments=True)
    for path in words:
        if re.match(r"(platforms|scenarios|tests|tools)/[^*=:]*$", path) and not (root / path).exists():
            failures.append(f"{place}: {path} does not exist")
    names = [i for i, word in enumerate(words) if word in ("kakehashi", "tools/run")]
    if not names or len(words) == names[0] + 1 or words[names[0] + 1] in ("--help", "--version"):
        return
    subcommand = words[names[0] + 1]
    if subcommand not in helps:
        helps[subcommand] = subprocess.run([program, subcommand, "--help"], capture_output=True, text=True)
    if helps[subcommand].returncode != 0:
        failures.append(f"{place}: there is no command {subcommand}")
    for option in words[names[0] + 2:]:
        if option.startswith("--") and not re.search(rf"(?m)^  (?:-.,)?{re.escape(option)}\b", helps[subcommand].stdout):
            failures.append(f"{place}: {subcommand} has no option {option}")


def refreshed(shown, found):
    """The lines that are shown, each as the most similar one that is printed after those before it."""
    found = [line.rstrip() for line in found.splitlines()]
    lines = []
    for line in shown:
        if "…" not in line and found:
            alike = max(range(len(found)), key=lambda i: difflib.SequenceMatcher(None, line, found[i]).ratio())
            line = found[alike]
            del found[:alike + 1]
        lines.append(line)
    return lines


def check_console(place, marker, argument, lines, folder):
    commands = []
    for line in lines:
        if line.startswith("$ "):
            commands.append((line[2:], []))
        else:
            commands[-1][1].append(line.rstrip())
    for command, shown in commands:
        check_options(place, command)
        if marker in unchecked:
            continue
        done = run(command.replace("tools/run ", "kakehashi "), folder)
        found = done.stderr if marker == "exit" else done.stdout
        if done.returncode != (int(argument) if marker == "exit" else 0):
            failures.append(f"{place}: `{command}` ends with exit code {done.returncode}\n{done.stderr}")
        elif shown and not matches(shown, found) and "--write" in sys.argv:
            page = root / place.partition(":")[0]
            old, new = ("\n".join([f"$ {command}", *lines]) for lines in (shown, refreshed(shown, found)))
            page.write_text(page.read_text().replace(old, new))
        elif shown and not matches(shown, found):
            difference = difflib.unified_diff(shown, found.splitlines(), "shown", "printed", n=1, lineterm="")
            failures.append("\n".join([f"{place}: `{command}`", *list(difference)[:40]]))


def check_json(place, marker, argument, lines, folder):
    text = "\n".join(lines)
    target = folder / (argument or "")
    if marker == "file":
        target.write_text(text + "\n")
    elif marker == "part of":
        whole = json.loads(target.read_text())
        whole.update(json.loads("{" + text + "}"))
        target = target.with_name(f"part-{target.name}")  # beside it, for what it names is relative to it
        target.write_text(json.dumps(whole))
    else:
        failures.append(f"{place}: neither a file nor a part of one")
        return
    done = run(f"kakehashi check --quiet {target}", folder)
    if done.returncode != 0:
        failures.append(f"{place}: has faults\n{done.stderr}")


def check_sums(place, argument, lines, folder):
    printed = run(f"kakehashi {argument}", folder).stdout
    for line in lines:
        found = re.fullmatch(r"(.*?\S)  +([-0-9e.+* /]+) = ([0-9.]+)", line)
        if not found:
            failures.append(f"{place}: not a sum: {line}")
            continue
        step, terms, shown = found.groups()
        decimals = len(shown.partition(".")[2])
        if f"{eval(terms):.{decimals}f}" != shown:  # only digits and operators
            failures.append(f"{place}: {terms} is {eval(terms)}, not {shown}")
        times = [float(row.split()[1 if step != "total" else 0])
                 for row in re.findall(rf"(?m)^ *([0-9.]+ .*) %  ?{re.escape(step)}", printed)]
        if not any(abs(time - float(shown)) < 0.0015 for time in times):  # the sum of rounded steps is a digit off
            failures.append(f"{place}: {step} is {shown} here, and in `kakehashi {argument}`\n{printed}")


def check_first_screen():
    """README.md begins with the two commands that do everything, each with its time: one builds and predicts, the other tests."""
    screen = "\n".join((root / "README.md").read_text().splitlines()[:SCREEN])
    commands = re.search(r"(?m)^```sh\ntools/run simulate (scenarios/\S+\.json) .*\ntools/test .*\n```\n\n((?:.+\n)+)", screen)
    if not commands:
        failures.append(f"README.md: its first {SCREEN} lines do not have `tools/run simulate SCENARIO` and `tools/test`, one below the other")
        return
    scenario, times = commands.groups()
    if not (root / scenario).exists():
        failures.append(f"README.md: {scenario} does not exist")
    if len(re.findall(r"\d+ min", times)) < 3 or "processor time" not in times or "two cores" not in times:
        failures.append(f"README.md: below the two commands there are not the minutes of each, of wall and of processor time, on two cores: {times}")
    for tool in ("run", "test"):
        script = root / "tools" / tool
        if not os.access(script, os.X_OK):
            failures.append(f"tools/{tool} cannot be run")
        elif not re.search(r"(?m)^\W*(\$root/)?tools/build\W", script.read_text()):
            failures.append(f"tools/{tool} does not build")


def check_names(folder):
    """docs/benchmarks.md and docs/algorithms.md have all names, and no others."""
    schema = json.loads((root / "scenarios/scenario.schema.json").read_text())
    page = (root / "docs/benchmarks.md").read_text()
    for name in schema["properties"]["workload"]["properties"]["benchmark"]["enum"]:
        if f"`{name}`" not in page and f"`{name.partition('-')[2]}`" not in page:
            failures.append(f"docs/benchmarks.md: {name} is missing")
    listed = {}
    for line in re.findall(r"(?m)^\| (`[^|]*) \| (`[^|]*) \|$", (root / "docs/algorithms.md").read_text()):
        for operation in re.findall(r"`([^`]+)`", line[0]):
            listed.setdefault(operation, set()).update(re.findall(r"`([^`]+)`", line[1]))
    for operation in schema["properties"]["mpi"]["properties"]["algorithms"]["properties"]:
        scenario = json.loads((folder / "pingpong.json").read_text())
        scenario["mpi"] = {"algorithms": {operation: "none-such"}}
        (folder / "names.json").write_text(json.dumps(scenario))
        error = run("kakehashi check names.json", folder).stderr
        known = set(re.findall(r"[a-z][a-z0-9-]+", error.partition("expected ")[2].partition("\n")[0])) - {"or", "one", "of"}
        if not known or listed.get(operation) != known:
            failures.append(f"docs/algorithms.md: {operation} has {sorted(listed.get(operation, []))}, the program {sorted(known)}")


def check_uses(pages):
    """What pages write as the use of a reference is one that scenarios take."""
    schema = json.loads((root / "scenarios/scenario.schema.json").read_text())
    uses = schema["properties"]["reference"]["properties"]["use"]["enum"]
    for page in pages:
        failures.extend(f"{page.name}: there is no use \"{use}\"" for use in re.findall(r'"use": "([^"]*)"', page.read_text()) if use not in uses)


def keys_of(value):
    """All keys inside a JSON value, but numbers such as those of quantiles."""
    if isinstance(value, dict):
        return {key for key in value if not key[0].isdigit()}.union(*map(keys_of, value.values()))
    return set().union(*map(keys_of, value)) if isinstance(value, list) else set()


def check_columns(folder):
    """docs/output.md has every column of CSV and every key of JSON that these commands print, and their JSON fits the schema."""
    schema = json.loads((root / "docs/output.schema.json").read_text())
    words = set(re.findall(r"[A-Za-z_][A-Za-z_0-9]*", (root / "docs/output.md").read_text()))
    for command in COLUMNS:
        for form in ("csv", "json"):
            if form == "csv" and command.split()[0] in ("explain", "calibrate"):
                continue
            quiet = "" if command.split()[0] == "list" else "--quiet"
            printed = run(f"kakehashi {command} {quiet} --format {form}".replace("--summary", form == "json" and "--summary" or ""), folder)
            if printed.returncode != 0:
                failures.append(f"{command}: {printed.stderr}")
                continue
            names = printed.stdout.partition("\n")[0].split(",") if form == "csv" else keys_of(json.loads(printed.stdout))
            if form == "json":
                failures.extend(f"docs/output.schema.json: `{command}`: {fault}" for fault in faults(json.loads(printed.stdout), schema, schema))
            if form == "json" and "adjustments" in command or "list" in command:  # that have keys of the platform
                continue
            names = [name for name in names if not name.startswith("/")]  # fields that a sweep varies
            if missing := sorted(set(names) - words):
                failures.append(f"docs/output.md: of `{command}` as {form}, {missing} are missing")


def main():
    count = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for part in () if is_installed else ("platforms", "scenarios"):
            shutil.copytree(root / part, folder / part)
        (folder / "bin").mkdir()
        (folder / "bin/kakehashi").symlink_to(program)
        pages = (root / "README.md", *(page for folder in FOLDERS for page in sorted((root / folder).glob("*.md"))))
        for page in [root / "docs/journey.md"] if is_installed else pages:
            for number, language, marker, argument, lines in blocks(page):
                count += 1
                place = f"{page.relative_to(root)}:{number}"
                if marker == "sums":
                    check_sums(place, argument, lines, folder)
                elif language == "console":
                    check_console(place, marker, argument, lines, folder)
                elif language == "json":
                    check_json(place, marker, argument, lines, folder)
                elif marker == "file":
                    (folder / argument).write_text("\n".join(lines) + "\n")
                elif language == "sh":
                    for line in "\n".join(lines).replace("\\\n", " ").splitlines():
                        check_options(place, line)
        if not is_installed:
            check_first_screen()
            check_names(folder)
            check_uses(pages)
            check_columns(folder)
    if count < (5 if is_installed else 20):
        failures.append(f"only {count} blocks were found")
    print("\n".join(failures) or f"{count} blocks hold")
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main())
