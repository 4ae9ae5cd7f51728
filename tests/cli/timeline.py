#!/usr/bin/env python3
"""Reads the time lines and summaries that the program writes as their viewers would. Usage: timeline.py KAKEHASHI ROOT"""
import collections
import decimal
import json
import os
import pathlib
import re
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from calls import failures, finish, root
import calls

RANKS, LINKS = 1, 2  # the processes of Chrome's format
SCENARIOS = {
    "scenarios/colfax-mic/ring-advised.json": 5,
    "scenarios/colfax-mic/asian-option-2-devices.json": 15,
    "scenarios/colfax-mic/pingpong-mic2-remote-mic2.json": 2,
    "scenarios/tca-mic/scif-write.json": 2,
    "scenarios/hpcdiy-qdr/allreduce-shm.json": 8,
}


def check(condition, text):
    """Text: or a function that makes it, where there are many, since that takes longer than to check them."""
    if not condition:
        failures.append(text() if callable(text) else text)


def kakehashi(*arguments, cwd=root):
    return calls.kakehashi("simulate", *arguments, cwd=cwd)


def truncated(microseconds):
    """As Perfetto's importer reads a number; it drops slices that then begin before the one before them has ended."""
    return int(float(microseconds) * 1000.0)


def rounded(microseconds):
    return round(float(microseconds) * 1000.0)


def check_slices(name, row, events):
    """Slices of a row come in the order of their starts; they follow each other, or are instants within others. This holds in whole
    nanoseconds, however a viewer comes to them."""
    for to_ns in (truncated, rounded):
        last = end = 0
        for event in events:
            start = to_ns(event["ts"])
            check(start >= last, lambda: f"{name}: row {row}: {event} starts before the one above it")
            last = start
            if event["ph"] != "X":
                continue
            duration = to_ns(event["dur"])
            check(duration >= 0, lambda: f"{name}: row {row}: {event} has a negative duration")
            if duration > 0:
                check(start >= end, lambda: f"{name}: row {row}: {event} overlaps the one above it")
                end = start + duration


def check_flows(name, events):
    ends = collections.defaultdict(dict)
    slices = {(event["pid"], event["tid"], event["ts"]) for event in events if event["ph"] == "X"}
    for event in events:
        if event["ph"] in "sf":
            check(event["ph"] not in ends[event["id"]], lambda: f"{name}: arrow {event['id']} has two ends of one sort")
            ends[event["id"]][event["ph"]] = event
            check((event["pid"], event["tid"], event["ts"]) in slices, lambda: f"{name}: {event} is bound to no slice")
            check(event["ph"] == "s" or event.get("bp") == "e", lambda: f"{name}: {event} is not bound to its own slice")
    for number, pair in ends.items():
        check(set(pair) == {"s", "f"}, lambda: f"{name}: arrow {number} lacks an end")
        if len(pair) == 2:
            check(pair["s"]["ts"] <= pair["f"]["ts"], f"{name}: arrow {number} goes back in time")
    return len(ends)


def check_chrome(name, text, duration=None):
    """Returns the rows of ranks, and the number of arrows."""
    document = json.loads(text, parse_float=decimal.Decimal)
    rows = collections.defaultdict(list)
    names = {}
    for event in document["traceEvents"]:
        check(event["ph"] in "MXsfC", lambda: f"{name}: {event} is of an unknown sort")
        if event["ph"] == "M":
            if event["name"] == "thread_name":
                names[event["pid"], event["tid"]] = event["args"]["name"]
        elif event["ph"] == "C":
            rows["counter", event["tid"], event["name"]].append(event)
            check(event["args"]["transfers"] >= 0, lambda: f"{name}: {event} counts below 0")
        else:
            rows[event["pid"], event["tid"]].append(event)
    for row, events in rows.items():
        check_slices(name, row, events)
        if row[0] == "counter":
            if not document["otherData"]["limits"]:
                check(events[-1]["args"]["transfers"] == 0, f"{name}: {row} does not end with 0")
        else:
            check(row in names, f"{name}: row {row} has no name")
    if duration is not None:
        ends = [event["ts"] + event["dur"] for row, events in rows.items() if row[0] == RANKS for event in events if "dur" in event]
        check(abs(float(max(ends)) - duration) < 1e-3, f"{name}: ends at {max(ends)} us, not {duration}")
        total = collections.Counter()
        for row, events in rows.items():
            if row[0] == RANKS:
                for event in events:
                    if event["ph"] == "X":
                        total[row[1] - 1, {"send": "overhead", "receive": "overhead"}.get(event["cat"], event["cat"])] += event["dur"]
        for times in document["otherData"]["totals"]:
            for kind in ("compute", "waiting", "transfer"):
                difference = float(times[f"{kind}_us"] - total[times["rank"], kind])
                slices = len(rows.get((RANKS, times["rank"] + 1), []))
                check(abs(difference) < 1e-3 * max(1, slices), f"{name}: {kind} of rank {times['rank']} is not the sum of its slices: {times}")
    ranks = {row[1] - 1 for row in names if row[0] == RANKS}
    return ranks, check_flows(name, document["traceEvents"]), document


FIELD = re.compile(r"% (\w+) (string|date|double|color)$")
WORD = re.compile(r'"[^"]*"|[^" ]+')


def check_paje(name, text):
    """A grammar of the format as far as it is used; returns the number of messages."""
    fields, lines = {}, iter(text.splitlines())
    kinds, containers, values, states = {"0": None}, {}, {}, {}
    time, open_links, links = 0.0, {}, 0
    for line in lines:
        if line.startswith("%EventDef "):
            _, event, number = line.split()
            names = []
            for field in lines:
                if field == "%EndEventDef":
                    break
                check(FIELD.match(field), f"{name}: {field} is no field")
                names.append(FIELD.match(field).group(1))
            fields[number] = event, names
            continue
        words = [word.strip('"') for word in WORD.findall(line)]
        event, names = fields[words[0]]
        check(len(words) == len(names) + 1, lambda: f"{name}: {line} is not of {names}")
        given = dict(zip(names, words[1:]))
        if "Time" in given:
            check(float(given["Time"]) >= time, f"{name}: {line} goes back in time")
            time = float(given["Time"])
        for key in ("Container", "StartContainer", "EndContainer"):
            if key in given and not (event == "PajeCreateContainer" and given[key] == "0"):
                check(given[key] in containers, f"{name}: {line}: no container {given[key]}")
        if "Type" in given:
            check(given["Type"] in kinds, f"{name}: {line}: no type {given['Type']}")
        if event.startswith("PajeDefine") and event != "PajeDefineEntityValue":
            kinds[given["Alias"]] = event
        elif event == "PajeDefineEntityValue":
            values[given["Alias"]] = given["Type"]
        elif event == "PajeCreateContainer":
            check(given["Alias"] not in containers, f"{name}: {line}: again")
            containers[given["Alias"]] = given["Type"]
        elif event == "PajeDestroyContainer":
            check(containers.pop(given["Name"], None) == given["Type"], f"{name}: {line}: no such container")
        elif event == "PajeSetState":
            check(kinds[given["Type"]] == "PajeDefineStateType" and values.get(given["Value"]) == given["Type"],
                  f"{name}: {line}: no such state")
            states[given["Container"]] = given["Value"]
        elif event == "PajeSetVariable":
            check(kinds[given["Type"]] == "PajeDefineVariableType" and float(given["Value"]) >= 0, f"{name}: {line}: no such variable")
        elif event == "PajeStartLink":
            check(given["Key"] not in open_links, f"{name}: {line}: open already")
            open_links[given["Key"]] = given["StartContainer"]
        elif event == "PajeEndLink":
            check(open_links.pop(given["Key"], None), f"{name}: {line}: never started")
            links += 1
    check(not containers, f"{name}: {containers} are still there")
    check(not open_links, f"{name}: {len(open_links)} messages never end")
    check(all(state == "i" for state in states.values()), f"{name}: {states} do not end")
    return links


def check_summary(name, summary, ranks):
    duration = summary["duration_us"]
    near = lambda a, b: abs(a - b) <= 1e-6 + 1e-9 * duration
    check(len(summary["ranks"]) == ranks, f"{name}: has {len(summary['ranks'])} ranks")
    for times in summary["ranks"]:
        parts = [times[key] for key in ("compute_us", "overhead_us", "waiting_us", "transfer_us")]
        check(near(sum(parts), times["end_us"]) and min(parts) > -1e-6, f"{name}: {times} do not add up")
    check(near(max(times["end_us"] for times in summary["ranks"]), duration), f"{name}: no rank ends at {duration}")
    path = summary["critical_path"]
    for what in ("shares", "chain"):
        check(near(sum(each["time_us"] for each in path[what]), duration), f"{name}: {what} do not add up to {duration}")
    for group in path["chain"]:
        if "steps" in group:
            check(near(sum(step["time_us"] for step in group["steps"]), group["time_us"]), f"{name}: {group} does not add up")
    check(all(0 < link["busy"] <= 1 + 1e-9 for link in summary["links"]), f"{name}: a link is busier than it can be")
    return duration


def whole_runs(folder):
    for scenario, ranks in SCENARIOS.items():
        for engine in ("simgrid", "fluid"):
            name = f"{scenario} on {engine}"
            chrome, paje = folder / "t.json", folder / "t.trace"
            run = kakehashi("--quiet", "--engine", engine, "--tolerance", "0", "--format", "json", "--summary", "--timeline", chrome, "--timeline",
                            paje, scenario)
            check(run.returncode == 0 and not run.stderr, f"{name}: exit code {run.returncode}\n{run.stderr}")
            document = json.loads(run.stdout)
            duration = check_summary(name, document["summary"], ranks)
            shown, arrows, _ = check_chrome(name, chrome.read_text(), duration)
            check(len(shown) == ranks, f"{name}: shows {len(shown)} ranks")
            check(arrows == document["messages_simulated"], f"{name}: {arrows} arrows for {document['messages_simulated']} messages")
            check(check_paje(name, paje.read_text()) == arrows, f"{name}: the formats differ in their messages")


LINES = {  # of traces: ranks, lines, and whether all messages are received
    "wildcards": (3, "0 recv -555 -444 8|0 irecv -555 3 8|0 wait -555 0 3|1 compute 5e3|1 send 0 1 8|2 sleep 1e-5|2 send 0 3 1e6", True),
    "to itself": (2, "0 isend 0 1 100|0 recv 0 1 100|0 irecv 0 2 5|0 send 0 2 1e7|0 waitall|0 compute 1e3|1 sleep 1e-3", True),
    "sendrecv": (3, "|".join(f"{rank} sendrecv {10 ** power} {(rank + 1) % 3} {10 ** power} {(rank - 1) % 3}"
                             for power in range(8) for rank in range(3)), True),
    "collectives": (4, "|".join(f"{rank} init|{rank} comm_split|{rank} comm_dup|{rank} barrier|{rank} bcast 1e5 2 6|{rank} allreduce 1e3 5e4 6|"
                                f"{rank} reduce 100 777 3 6|{rank} alltoall 1e2 1e2 6 6|{rank} scan 10 100 6|{rank} allgatherv 9 1 2 3 3 6 6|"
                                f"{rank} gatherv 10 10 10 10 10 0 6 6|{rank} scatterv 1 2 3 4 10 0 6 6|{rank} reducescatter 1 2 3 4 50 6"
                                for rank in range(4)), True),
    "tests": (2, "0 irecv 1 0 8" + "|0 test 1 0 0|0 compute 100" * 30 + "|0 waitany 1|1 compute 1500|1 ssend 0 0 8", True),
    "waits at the end": (2, "0 isend 1 0 1e7|1 compute 1e4|1 irecv 0 0 1e7", True),
    "nobody receives": (2, "0 isend 1 0 8|1 init", False),
    "work while nobody receives": (2, "0 isend 1 0 5e3|0 compute 10|1 compute 5", False),
    "an idle rank": (3, "0 compute 1e3|1 init|2 init", True),
    "nothing": (2, "0 init|1 compute 0", True),
}
GOAL = ("num_ranks 3|rank 0 {|a: recv 10b from -1|b: recv 10b from -1|b requires a|c: send 10b to 0 tag 7|d: recv 10b from 0 tag 7|d irequires a|}|"
        "rank 1 {|a: calc 100 cpu 0|b: send 100000b to 0|b requires a|c: calc 5000 cpu 1|}|rank 2 {|send 10b to 0|}")


def check_replay(folder, name, ranks, engine, whole=True):
    chrome, paje = folder / "t.json", folder / "t.trace"
    run = kakehashi("--quiet", "--engine", engine, "--tolerance", "0", "--format", "json", "--timeline", chrome, "--timeline", paje, folder / "s.json")
    check(run.returncode == 0 and not run.stderr, f"{name}: exit code {run.returncode}\n{run.stderr}")
    if run.returncode != 0:
        return
    document = json.loads(run.stdout)
    duration = check_summary(name, document["summary"], ranks)
    for end, times in zip(document["rank_ends_us"], document["summary"]["ranks"]):
        check(abs(end - times["end_us"]) <= 1e-6 + 1e-9 * duration, f"{name}: {times} do not end at {end}")
    shown, arrows, _ = check_chrome(name, chrome.read_text(), duration or None)
    check(len(shown) == ranks, f"{name}: shows {len(shown)} ranks")
    check(arrows == document["messages_simulated"] or not whole, f"{name}: {arrows} arrows for {document['messages_simulated']} messages")
    check(check_paje(name, paje.read_text()) == arrows, f"{name}: the formats differ in their messages")


def replays(folder):
    """Whatever is replayed, times add up; the table tells the essentials unasked, CSV does not."""
    scenario = {"name": "s", "platform": str(root / "tests/replay/homogeneous.json"), "fabric": "net"}
    for engine in ("simgrid", "fluid"):
        for name, (ranks, lines, whole) in LINES.items():
            (folder / "trace").write_text(lines.replace("|", "\n"))
            run = scenario | {"ranks": [f"n{rank}.cpu" for rank in range(ranks)], "workload": {"replay": {"ti": "trace", "speed": "1 Gflop/s"}}}
            (folder / "s.json").write_text(json.dumps(run))
            check_replay(folder, f"{name} on {engine}", ranks, engine, whole)
        run["ranks"] = [f"n{rank}.cpu" for rank in range(3)]
        run["workload"] = {"replay": {"goal": "x.goal"}}
        (folder / "x.goal").write_text(GOAL.replace("|", "\n"))
        (folder / "s.json").write_text(json.dumps(run))
        check_replay(folder, f"GOAL on {engine}", 3, engine)
    steps = {"name": "s", "platform": str(root / "tests/replay/homogeneous.json"), "fabric": "net", "ranks": ["n0.cpu", "n1.cpu"]}
    (folder / "s.json").write_text(json.dumps(steps | {"workload": {"steps": [[], []]}}))
    idle = kakehashi("--summary", folder / "s.json").stdout
    check("waiting (us)" in idle and "tells more" not in idle, f"a summary of ranks that do nothing is {idle}")
    table, whole, csv = (kakehashi(*form, "scenarios/heat/heat.json").stdout for form in ((), ("--summary",), ("--format", "csv")))
    for text in ("compute  overhead   waiting  transfer", "# critical path of ", "# busiest links", "# --summary shows more"):
        check(text in table, f"a replay does not tell {text} unasked")
    check(len(table.splitlines()) <= 24, "a replay fills more than a screen")
    check("critical path in order" in whole and "tells more" not in whole, "a replay's whole summary is not whole")
    check(csv.startswith("scenario,platform,fabric,rank,device,end_us\n") and len(csv.splitlines()) == 5, f"CSV of a replay is {csv}")


def large_runs(folder):
    chrome, paje = folder / "t.json", folder / "t.trace"
    note = "note: the time line has more than 5000 events: only the "
    run = kakehashi("--quiet", "--timeline", chrome, "--timeline", paje, "--timeline-events", "5000", "scenarios/colfax-mic/asian-option-8-devices.json")
    check(run.returncode == 0 and run.stderr.startswith(note), f"large run: {run.stderr}")
    shown, _, document = check_chrome("large run", chrome.read_text())
    check(len(shown) == 16 and len(document["otherData"]["totals"]) == 57, f"large run: {len(shown)} ranks are shown")
    check(document["otherData"]["limits"] in run.stderr, "large run: the file does not say what it lacks")
    check(len(document["traceEvents"]) < 15000, "large run: its time line is large")
    check_paje("large run", paje.read_text())
    check("16 busiest of 57 ranks" in paje.read_text(), "large run: the Paje file does not say what it lacks")


def faults(folder):
    quick = "scenarios/colfax-mic/ring-advised.json"

    def expect(name, run, code, err):
        check(run.returncode == code, f"{name}: exit code {run.returncode}")
        check(run.stderr == err and run.stdout == "", f"{name}: {run.stdout}{run.stderr}")

    expect("ending", kakehashi("--timeline", folder / "t.svg", quick), 2,
           f'error: --timeline: got "{folder}/t.svg", expected a name that ends in .json or .trace\n')
    expect("summary in CSV", kakehashi("--summary", "--format", "csv", quick), 2, "error: --summary does not go with --format csv\n")
    # told at once: the scenario does not even exist
    expect("no such folder", kakehashi("--timeline", folder / "none/t.json", "none.json"), 1,
           f"error: {folder}/none/t.json: cannot be written: No such file or directory\n")
    (folder / "d.json").mkdir()
    expect("a folder", kakehashi("--timeline", folder / "d.json", quick), 1,
           f"error: {folder}/d.json: cannot be written: not a regular file\n")
    old = folder / "old.json"
    old.write_text("old")
    old.chmod(0o640)
    os.symlink("old.json", folder / "link.json")
    kakehashi("--timeline", folder / "link.json", "none.json")
    check(old.read_text() == "old", "a run that fails changes an old time line")
    kakehashi("--timeline", folder / "link.json", quick)
    check(old.read_text().startswith("{") and old.stat().st_mode & 0o777 == 0o640, "an old time line is not replaced as it was")
    check((folder / "link.json").is_symlink(), "a link is replaced by the file")
    left = sorted(path.name for path in folder.iterdir())
    check(left == ["d.json", "link.json", "old.json"], f"files are left over: {left}")


for part in (whole_runs, replays, large_runs, faults):
    with tempfile.TemporaryDirectory() as place:
        part(pathlib.Path(place))
finish("all time lines are whole")
