#!/usr/bin/env python3
"""Pages and charts of --report and --plot: well-formed, alone, with JSON's numbers. Usage: run.py KAKEHASHI ROOT [--write]

--write draws the pictures of README.md anew."""
import html
import json
import os
import pathlib
import re
import shutil
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from calls import expect, failures, finish, kakehashi, root

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from pages import Page

LATENCY = "scenarios/hpcdiy-qdr/latency-qdr-node0-indirect.json"
PICTURES = {  # of README.md
    "latency.svg": ("simulate", LATENCY),
    "compare.svg": ("compare", "scenarios/tca-mic/mic-to-remote-mic.json"),
    "ring.svg": ("explain", "scenarios/colfax-mic/ring-default.json"),
}
COMPARE = ("compare", "--fabrics", "tcp,dapl", "scenarios/colfax-mic/pingpong-mic2-remote-mic2.json")


def page_and_json(folder, *words):
    """The page that a command writes, and what the same command prints as JSON."""
    file = folder / "page.html"
    with_page = kakehashi(*words, "--quiet", "--format", "json", "--report", str(file))
    plain = kakehashi(*words, "--quiet", "--format", "json")
    if with_page.returncode != plain.returncode or with_page.stdout != plain.stdout:
        failures.append(f"{words}: --report changes what is printed\n{with_page.stderr}")
    page = Page(file)
    failures.extend(f"{words}: {fault}" for fault in page.faults())
    return page, json.loads(plain.stdout)


def same(what, shown, wanted):
    if shown != wanted:
        failures.append(f"{what}: the page has {str(shown)[:300]}, JSON {str(wanted)[:300]}")


def simulate(folder):
    page, found = page_and_json(folder, "simulate", "--summary", LATENCY)
    table = page.tables["Table"]
    for name in ("bytes", "repetitions", "t_min_us", "t_max_us", "t_avg_us", "mbytes_per_s", "measured", "error"):
        shown = table.column("measured_us" if name == "measured" else name)
        same(f"simulate: {name}", shown, [row.get(name, "-") for row in found["rows"]])
    summary = found["summary"]
    for name in ("compute_us", "overhead_us", "waiting_us", "transfer_us", "end_us"):
        same(f"simulate: {name}", page.tables["Ranks"].column(name), [rank[name] for rank in summary["ranks"]])
    shares = page.tables["Shares of the critical path"]
    same("simulate: shares", shares.column("time_us"), [share["time_us"] for share in summary["critical_path"]["shares"]])
    for name in ("link", "bytes", "busy"):
        same(f"simulate: {name}", page.tables["Busiest links"].column(name), [link[name] for link in summary["links"]])
    # Both ranks send as many bytes: the matrix is symmetric, and has all messages.
    pairs = page.tables["Pairs of ranks"]
    same("simulate: pairs", (pairs.column("from"), pairs.column("to")), ([0, 1], [1, 0]))
    same("simulate: messages", sum(pairs.column("messages")), found["messages_simulated"])


def replay(folder):
    page, found = page_and_json(folder, "simulate", "scenarios/heat/heat.json")
    same("replay: ends", page.tables["Table"].column("end_us"), found["rank_ends_us"])
    same("replay: links", page.tables["Busiest links"].column("bytes"), [link["bytes"] for link in found["summary"]["links"]])
    same("replay: messages", sum(page.tables["Pairs of ranks"].column("messages")), found["messages_simulated"])


def compare(folder):
    page, found = page_and_json(folder, *COMPARE)
    table = next(table for title, table in page.tables.items() if ": time in us" in title)
    for i, name in enumerate(found["contenders"]):
        same(f"compare: {name}", table.column(name), [row["times"][i]["time_us"] for row in found["rows"]])
    same("compare: winners", table.column("winner"), [f"{row['winner']} ({100 * row['margin']:.1f} %)" for row in found["rows"]])


def sweep(folder):
    page, found = page_and_json(folder, "sweep", "scenarios/colfax-mic/sweep-ring-node.json")
    table = page.tables["Candidates"]
    for name in ("time_us", "rate", "gain"):
        same(f"sweep: {name}", table.column(name), [point[name] for point in found["points"]])
    same("sweep: ranks", table.column("ranks"), [" ".join(point["ranks"]) for point in found["points"]])
    for title in ("The best candidate", "The default"):
        if not page.tables[f"Busiest links: {title}"].rows:
            failures.append(f"sweep: {title} uses no links")


def explain(folder):
    scenario = "scenarios/colfax-mic/pingpong-mic2-remote-mic2.json"
    page, found = page_and_json(folder, "explain", scenario, "--size", "4 MiB")
    same("explain: starts", page.tables["Steps"].column("start_us")[:-1], [step["start_us"] for step in found["waterfall"]])
    for stage in found["stages"]:
        shown = page.tables[f"Route from {stage['from']} to {stage['to']}"].column("mbytes_per_s")
        same("explain: hops", shown, [hop["mbytes_per_s"] for hop in stage["hops"]])
    same("explain: effects", page.tables["Effects of a tenth"].column("change"), [each["change"] for each in found["effects_of_a_tenth"]])
    page, found = page_and_json(folder, "explain", scenario)
    same("explain: busy", page.tables["Busiest links"].column("busy"), [link["busy"] for link in found["links"]])


def validate(folder):
    page, found = page_and_json(folder, "validate", "hpcdiy-qdr")
    table = page.tables["Score"]
    rows = found["rows"]
    same("validate: names", table.column("name"), [row["name"] for row in rows])
    for name in ("points", "mean", "worst", "value"):
        same(f"validate: {name}", table.column(name), [row.get(name, "-") for row in rows])


def calibrate(folder):
    page, found = page_and_json(folder, "calibrate", "scenarios/hpcdiy-qdr/latency-qdr-node1-direct.json", "scenarios/hpcdiy-qdr/bw-qdr-node1-direct.json")
    for name in ("mean", "worst"):
        shown = [value for value in page.tables["Errors of the fit"].column(name) if value]  # a curve's outliers are a row of their own
        same(f"calibrate: {name}", shown, [curve[name] for curve in found["curves"]])
    shown = [value for title, table in page.tables.items() if title.startswith("regime ") for value in table.column("value")]
    same("calibrate: values", shown, [each["value"] for each in found["spread"]])


# Commands whose text has remarks of all kinds.
REMARKS = [
    ("simulate", "--range", LATENCY),
    ("simulate", "--platform", "platforms/hpcdiy-qdr.json", "--fabric", "qdr-shm", "--ranks", "hpc0*.cpu*", "--per-device", "2", "scenarios/waves/exchange"),
    ("compare", "--algorithms", "all", "scenarios/hpcdiy-qdr/allreduce-shm.json"),
    ("sweep", "scenarios/colfax-mic/sweep-ring-node.json"),
    ("explain", "scenarios/colfax-mic/pingpong-mic2-remote-mic2.json", "--size", "4 MiB"),
    ("explain", "scenarios/colfax-mic/ring-default.json"),
    ("validate", "hpcdiy-qdr"),
    ("calibrate", "scenarios/hpcdiy-qdr/latency-qdr-node1-direct.json", "scenarios/hpcdiy-qdr/bw-qdr-node1-direct.json"),
    ("tune", "platforms/hpcdiy-qdr.json", "--fabric", "qdr-shm", "--ranks", "hpc0*.cpu*", "--library", "open-mpi-4.1",
     "--collectives", "allreduce,bcast", "--sizes", "8 B,1 MiB"),
    ("explain", "scenarios/journey/near.log"),
]


FOR_MORE = ("--summary shows more", "more, which --all lists")  # what a terminal leaves out a page shows


def without_folders(text):
    return re.sub(r"[\w.-]*/", "", text)


def remarks(folder):
    """What a terminal says, a page says. Markdown has each remark on a line of its own."""
    for words in REMARKS:
        file = folder / "page.html"
        text = kakehashi(*words, "--quiet", "--format", "markdown", "--report", str(file)).stdout
        page = Page(file)
        failures.extend(f"{words}: {fault}" for fault in page.faults())
        said = {without_folders("".join(each.itertext())) for tag in ("li", "p") for each in page.root.iter(tag)}
        found = [html.unescape(match[1]) for line in text.splitlines() if (match := re.match(r" *- (.*)", line)) and not match[1].endswith(FOR_MORE)]
        if not found:
            failures.append(f"{words}: no remarks in {text}")
        failures.extend(f"{words}: the page does not say {remark!r}" for remark in found if without_folders(remark) not in said)


def calls(folder):
    page, found = page_and_json(folder, *REMARKS[1])
    shown = next(table for name, table in page.tables.items() if name.startswith("MPI calls"))
    same("calls", len(shown.rows), len(found["calls"]["lines"]))


def headlines(folder):
    """A benchmark's headline has no sums over its sizes."""
    for words, headline in {
        ("simulate", "--sizes", "8 B,4 MiB", "scenarios/h100/latency-nvlink.json"): r"osu-latency: [\d.]+ us at 8 B to [\d.]+ us at 4 MiB\.",
        ("explain", "--sizes", "8 B,4 KiB", "scenarios/hpcdiy-qdr/latency-shm-same-socket.json"): r"Most of the critical path over all 2 sizes: .*",
        ("explain", "scenarios/journey/near.log"): r"near: [\d.]+ us for .*, protocols change at .*\.",
    }.items():
        page, _ = page_and_json(folder, *words)
        summary = next(each.text for each in page.root.iter("p") if each.get("class") == "summary")
        if not re.fullmatch(headline, summary):
            failures.append(f"{words}: the headline is {summary!r}")


def memory(folder):
    """A memory that limits is drawn in its device, with the load that the table has."""
    page, found = page_and_json(folder, "simulate", "--summary", "scenarios/hpcdiy-qdr/allreduce-shm.json")
    drawn = [mark.get("aria-label") for mark in page.root.iter("rect") if (mark.get("aria-label") or "").startswith("memory of ")]
    loads = {link["link"].removesuffix(":memory"): link["busy"] for link in found["summary"]["links"] if link["link"].endswith(":memory")}
    if not loads:
        failures.append("memory: no memory has a load")
    for device, busy in loads.items():
        if not any(re.fullmatch(rf"memory of {device}: [\d.]+ MB, busy {100 * busy:.1f} %", text) for text in drawn):
            failures.append(f"memory: that of {device}, busy {100 * busy:.1f} %, is not drawn: {drawn}")


def paths(folder):
    """A page may be published: it has the names of files, not their folders."""
    scenario = json.loads((root / LATENCY).read_text())
    scenario["platform"] = str(root / "platforms/hpcdiy-qdr.json")
    scenario["reference"]["curve"] = str(root / "scenarios" / "reference" / "hpcdiy-qdr" / pathlib.Path(LATENCY).with_suffix(".csv").name)
    file = folder / "mine.json"
    file.write_text(json.dumps(scenario))
    for words in (("simulate", "--summary", str(file)), ("explain", str(file), "--size", "8 B"), ("simulate", *REMARKS[1][1:-1], str(root / REMARKS[1][-1]))):
        page, _ = page_and_json(folder, *words)
        failures.extend(f"{words}: the page has the folder {path}" for path in (str(folder), str(root)) if path in page.text)


def plots(folder):
    svg = folder / "chart.svg"
    expect("svg", kakehashi("simulate", "--quiet", "--plot", str(svg), LATENCY), 0, out=["mean error"])
    root = ElementTree.parse(svg).getroot()
    if root.tag != "{http://www.w3.org/2000/svg}svg" or "prefers-color-scheme: dark" not in svg.read_text():
        failures.append("svg: not a picture for light and dark")
    if len([mark for mark in root.iter("{http://www.w3.org/2000/svg}title")]) < 24:
        failures.append("svg: points without words")
    if shutil.which("rsvg-convert"):
        for ending, start in (("png", b"\x89PNG"), ("pdf", b"%PDF")):
            file = folder / f"chart.{ending}"
            expect(ending, kakehashi("simulate", "--quiet", "--plot", str(file), LATENCY), 0, out=["mean error"])
            if not file.read_bytes().startswith(start):
                failures.append(f"{ending}: another form of file")
    else:
        print("rsvg-convert is not installed: PNG and PDF are not tested")


def pictures(_):
    """Those of README.md are what the program draws."""
    for name, words in PICTURES.items():
        file = root / "docs/pictures" / name
        with tempfile.TemporaryDirectory() as scratch:
            drawn = pathlib.Path(scratch, name)
            run = kakehashi(*words, "--quiet", "--plot", str(drawn))
            if "--write" in sys.argv:
                file.parent.mkdir(exist_ok=True)
                shutil.copy(drawn, file)
            elif not file.exists() or drawn.read_text() != file.read_text():
                failures.append(f"docs/pictures/{name}: not what the program draws {run.stderr}; tests/report/run.py PROGRAM . --write")


def faults(folder):
    expect("wrong ending", kakehashi("simulate", "--report", "page.htm", LATENCY), 2, out="",
           err='error: --report: got "page.htm", expected a name that ends in .html\n')
    expect("wrong ending of a plot", kakehashi("compare", "--plot", "chart.gif", LATENCY), 2, out="",
           err='error: --plot: got "chart.gif", expected a name that ends in .svg, .png or .pdf\n')
    expect("no such folder", kakehashi("sweep", "--report", f"{folder}/none/page.html", "scenarios/colfax-mic/sweep-ring-node.json"), 1,
           out="", err=f"error: {folder}/none/page.html: cannot be written: No such file or directory\n")
    path = os.environ["PATH"]
    os.environ["PATH"] = str(folder)
    expect("no converter", kakehashi("simulate", "--plot", f"{folder}/x.png", LATENCY), 2, out="",
           err="error: --plot: .png files are made by rsvg-convert, which is not installed (Debian's librsvg2-bin); .svg needs nothing\n")
    os.environ["PATH"] = path
    old = folder / "old.html"
    old.write_text("old")
    kakehashi("simulate", "--report", str(old), "scenarios/no-such.json")
    if old.read_text() != "old" or list(folder.glob("old.html?*")):
        failures.append("a run that fails touches the file of its report")
    twice = [folder / "one.html", folder / "two.html"]
    for file in twice:
        kakehashi("simulate", "--quiet", "--report", str(file), LATENCY)
    if twice[0].read_text() != twice[1].read_text():
        failures.append("two runs write different pages")


with tempfile.TemporaryDirectory() as name:
    for test in (simulate, replay, compare, sweep, explain, validate, calibrate, remarks, calls, headlines, memory, paths, plots, pictures, faults):
        test(pathlib.Path(name))
finish("pages and charts hold")
