#!/usr/bin/env python3
"""Two recordings side by side, and parts of one. Usage: recordings.py KAKEHASHI ROOT"""
import csv
import io
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from calls import failures, finish, kakehashi

PAIR = ["scenarios/waves/chain", "scenarios/waves/exchange"]
PLACE = ["--platform", "platforms/tca-mic.json", "--fabric", "intel-mpi", "--ranks", "node[0-7].cpu0"]


def ran(words, code=0):
    done = kakehashi(*words)
    check(f"{words}: exit code {done.returncode}\n{done.stderr}", done.returncode == code)
    return done


def near(one, other):
    return abs(one - other) <= 1e-6 + 1e-9 * abs(other)


def check(what, holds):
    if not holds:
        failures.append(what)


def forms_agree():
    """Each format has the same numbers; and what was recorded is what `check` and a replay find."""
    found = json.loads(ran(["compare", "--format", "json", *PAIR]).stdout)
    rows = list(csv.DictReader(io.StringIO(ran(["compare", "--format", "csv", *PAIR]).stdout)))
    calls = {row["call"]: row for row in rows if row["what"] == "call"}
    check("calls in CSV and JSON", list(calls) == [line["call"] for line in found["calls"]])
    for line in found["calls"]:
        for run, letter in zip(line["runs"], "ab"):
            row = calls[line["call"]]
            check(f"{line['call']} in CSV", near(float(row[f"mean_us_{letter}"]), run["mean_us"]) and int(row[f"calls_{letter}"]) == run["calls"])
            check(f"{line['call']}: the mean", near(run["mean_us"] * 8, run["time_us"]))
        check(f"{line['call']}: the change", near(line["change_us"], line["runs"][1]["mean_us"] - line["runs"][0]["mean_us"]))
    for run, folder in enumerate(PAIR):
        replay = json.loads(ran(["simulate", "--format", "json", *PLACE, folder]).stdout)["calls"]["lines"]
        for line in replay:
            name = "MPI_" + line["call"].capitalize()
            mine = next(each["runs"][run] for each in found["calls"] if each["call"] == name)
            check(f"{folder}: {name}", (mine["calls"], mine["bytes"]) == (line["calls"], line["bytes"]) and near(mine["time_us"], line["recorded_us"]))
        whole = found["recordings"][run]
        check(f"{folder}: all calls", near(whole["mpi_us"], sum(each["runs"][run]["mean_us"] for each in found["calls"])))
    table = ran(["compare", *PAIR]).stdout
    marked = ran(["compare", "--format", "markdown", *PAIR]).stdout
    send = next(line for line in found["calls"] if line["call"] == "MPI_Send")
    check("table", f"{send['runs'][0]['mean_us'] / 1000:10.3f}" in table and "# calls or their bytes differ in number: 3 of 4 kinds: MPI_Recv; MPI_Send; MPI_Sendrecv\n" in table)
    check("markdown", f"| {send['runs'][0]['mean_us'] / 1000:.3f} | {send['runs'][1]['mean_us'] / 1000:.3f} |" in marked)
    check("itself", "# both make the same calls with as many bytes\n" in ran(["compare", PAIR[0], PAIR[0]]).stdout)


def refusals():
    for words, error in (
            ([PAIR[0], "scenarios/waves/none"], "scenarios/waves/none: no such folder"),
            ([PAIR[0], "scenarios/heat/heat.json"], "got scenarios/heat/heat.json beside a recording, expected two recordings, or one scenario or recording "
                                                    "and the fabrics or platforms to run it on"),
            ([*PAIR, PAIR[0]], "got 3 recordings, expected two recordings, or one scenario or recording and the fabrics or platforms to run it on"),
            (["--fabrics", "tcp", *PAIR], "--fabrics goes with one scenario or recording: two recordings are compared as they were recorded"),
            (["--from", "soon", *PAIR], "--from: got \"soon\", expected a time such as \"1.5 s\", or \"region NAME\" for where a rank comes into that region of "
                                        "the program first"),
            (["--from", "2 s", "--to", "1 s", *PAIR], "--to: got \"1 s\", expected a later time than --from"),
            (["--from", "region solve", *PAIR], "scenarios/waves/chain: got the region \"solve\", expected none, as the program names no regions")):
        done = ran(["compare", *words], 2)
        check(f"{words}: {done.stderr}", f"error: {error}\n" in done.stderr)
    done = ran(["simulate", "--from", "1 s", "scenarios/colfax-mic/ring-default.json"], 2)
    check(done.stderr, "error: --from goes with a recording, and scenarios/colfax-mic/ring-default.json replays none\n" in done.stderr)


def growth():
    """Twice as many ranks as were recorded, on the grid that is stated."""
    def grown(grid, code=0, grown_from=("--set", "/workload/replay/grown_from=[]")):
        place = [*PLACE[:-1], "node[0-7].cpu*"]
        return ran(["simulate", *place, *grown_from, "--set", f"/workload/replay/grid={grid}", PAIR[0]], code).stderr
    check("the stated grid", "warning: 16 ranks from scenarios/waves/chain (8): each does what the one with the same neighbours did\n" in grown([16]))
    for error, found in (
            ("scenarios/waves/chain: got the \"grid\" 4 x 4, expected one of one axis, as its own", grown([4, 4], 2)),
            ("--set /workload/replay/grid: got a grid of 12 ranks, expected 16, as in the scenario", grown([3, 4], 2)),
            ("--set /workload/replay/grid: only a replay with \"grown_from\" takes this key", grown([16], 2, ()))):
        check(f"expected {error}, got {found}", f"error: {error}\n" in found)


def parts():
    """Two parts have all of the work and the calls that do not cross the border between them."""
    def replayed(*words, recording=(PAIR[0],)):
        done = ran(["simulate", "--format", "json", *PLACE, *words, *recording])
        result = json.loads(done.stdout)
        return sum(result["calls"]["work_us"]), {line["call"]: line["calls"] for line in result["calls"]["lines"]}, done.stderr
    whole, first, second = replayed(), replayed("--to", "0.06 s"), replayed("--from", "0.06 s")
    check("all work", near(first[0] + second[0], whole[0]) and 0.1 * whole[0] < first[0] < 0.9 * whole[0])
    missing = 0
    for call, count in whole[1].items():
        parts = first[1].get(call, 0) + second[1].get(call, 0)
        check(f"calls of {call}", parts <= count)
        missing += count - parts
    warned = [int(word) for word in second[2].split(": ")[2].split() if word.isdigit()][::2]
    check(f"what is left out: {missing} calls, {warned} messages and collective calls", missing == 2 * warned[0] + 8 * warned[1] and missing > 0)
    check("the same border", first[2].split(": ")[2].split()[0] == second[2].split(": ")[2].split()[0])
    stated = replayed("--from", "0.06 s", "--set", f"/workload/replay/recorded={PAIR[0]}", recording=())
    check("a recording that --set states", stated[:2] == second[:2])
    everything = replayed("--from", "0 s", "--to", "1 s")
    check("all of it as a part", everything[:2] == whole[:2] and everything[2] == "")


def places():
    """Where ranks wait, and the critical path, by call and place of the program: all of it, once."""
    for folder in PAIR:
        result = json.loads(ran(["simulate", "--summary", "--format", "json", *PLACE, folder]).stdout)
        calls, summary = result["calls"], result["summary"]
        for lines in {"lines", "sites"} & set(calls):
            check(f"{folder}: the path by {lines}", near(sum(line["path_us"] for line in calls[lines]) + calls["work_path_us"], summary["duration_us"]))
            for part in ("waiting_us", "transfer_us"):
                check(f"{folder}: {part} by {lines}", near(sum(line[part] for line in calls[lines]), sum(rank[part] for rank in summary["ranks"])))
        check(f"{folder}: waiting is of the time in calls", all(line["waiting_us"] + line["transfer_us"] <= line["time_us"] + 1e-6 for line in calls["lines"]))
        work = sum(share["time_us"] for share in summary["critical_path"]["shares"] if share["what"] == "compute")
        check(f"{folder}: work on the path", 0.5 * work < calls["work_path_us"] <= work + 1e-6)  # reductions compute, too


def networks():
    """One recording on several machines, whose fabrics and devices need not be counted."""
    compared = json.loads(ran(["compare", "--format", "json", "--platforms", "platforms/tca-colfax.json", "--fabric", "dapl", "--map", "node0.cpu0=node0.cpu0",
                               "--platform", "platforms/colfax-mic.json", "--ranks", "node*.cpu*", PAIR[0]]).stdout)
    check(f"another platform: {compared['contenders']}", compared["contenders"] == ["colfax-mic/dapl", "tca-colfax/dapl"])


networks()
forms_agree()
refusals()
places()
growth()
parts()
finish("recordings side by side, and their parts, are as expected")
