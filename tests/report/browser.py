#!/usr/bin/env python3
"""Loads the pages of --report in a headless Chromium. Usage: browser.py KAKEHASHI ROOT [PICTURES]

Each page loads at a desk's and a phone's width, light, dark and printed, without an error and without asking the network for anything;
nothing is wider than the window; no text leaves its picture, and paper cuts no column; headings sort; the arrow keys reach every mark.
With a folder PICTURES, screenshots of all are left there to be looked at. Ends with 77, which CTest takes for skipped, if there is no Chromium, or none that starts."""
import json
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from calls import failures, finish, kakehashi

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from chromium import PROGRAM, Chromium

PAGES = {
    "simulate": ("simulate", "scenarios/hpcdiy-qdr/latency-qdr-node0-indirect.json"),
    "replay": ("simulate", "scenarios/heat/heat.json"),
    "compare": ("compare", "scenarios/tca-mic/mic-to-remote-mic.json"),
    "explain": ("explain", "scenarios/colfax-mic/pingpong-mic2-remote-mic2.json", "--size", "4 MiB"),
    "explain-run": ("explain", "scenarios/colfax-mic/ring-default.json"),
    "sweep": ("sweep", "scenarios/colfax-mic/sweep-ring-node.json"),
    "validate": ("validate", "hpcdiy-qdr"),
    "calibrate": ("calibrate", "scenarios/hpcdiy-qdr/latency-gbe.json", "scenarios/hpcdiy-qdr/bw-gbe.json"),
    "calls": ("simulate", "--platform", "platforms/hpcdiy-qdr.json", "--fabric", "qdr-shm", "--ranks", "hpc0*.cpu*", "--per-device", "2",
              "scenarios/waves/exchange"),
    "algorithms": ("compare", "--algorithms", "all", "scenarios/hpcdiy-qdr/allreduce-shm.json"),
    "many-ranks": ("simulate", "scenarios/colfax-mic/asian-option-8-devices.json"),
    "large-errors": ("simulate", "scenarios/colfax-mic/colfax-for-tcp-host-mic0.json"),
    "many-candidates": ("sweep", "scenarios/heat/heat.json"),
    "tune": ("tune", "platforms/hpcdiy-qdr.json", "--fabric", "qdr-shm", "--ranks", "hpc0*.cpu*", "--library", "open-mpi-4.1",
             "--collectives", "allreduce,bcast", "--sizes", "8 B,1 MiB"),
    "log": ("explain", "scenarios/journey/near.log"),
    "long-names": ("simulate", "{folder}/a-scenario-with-a-name-that-has-no-blank-and-is-wider-than-any-phone.json"),
}
VIEWS = {"light": (1000, False, "screen"), "dark": (1000, True, "screen"), "phone": (375, False, "screen"), "print": (794, False, "print")}
PAPER = {False: 718, True: 1047}  # px between the margins of A4, upright and turned
HEIGHT_OF_PAPER = 1047
# Texts that leave the picture that they are in.
CLIPPED = """[...document.querySelectorAll('svg')].filter(svg => svg.getBoundingClientRect().width).flatMap(svg =>
  [...svg.querySelectorAll('text')].filter(text => {
    const box = text.getBBox(), frame = svg.viewBox.baseVal;
    return box.x < -.5 || box.x + box.width > frame.width + .5 || box.y < -.5 || box.y + box.height > frame.height + .5;
  }).map(text => text.textContent))"""
# Marks that are drawn, as the reader sees them: those of the pictures at the other width are not.
VISIBLE = "[...document.querySelectorAll('svg')].filter(svg => svg.getBoundingClientRect().width)"


def write_long_names(folder):
    """A scenario whose names have no place to break, as a user's paths and devices may have."""
    long = "a-name-that-has-no-blank-and-is-wider-than-any-phone"
    platform = {"name": long, "templates": {"node": {"devices": [{"name": long, "kind": "cpu"}]}}, "nodes": {long: "node", "b": "node"},
                "links": [{"between": [f"{long}.{long}", f"b.{long}"], "type": "infiniband", "signalling": "EDR", "lanes": 4, "latency": "1 us"}],
                "fabrics": {long: {"links": ["infiniband"], "rules": [{"regimes": [{"from": "0 B", "source": {"kind": "document", "from": long}}]}]}}}
    scenario = {"name": f"a-scenario-with-{long}", "platform": "platform.json", "fabric": long, "ranks": [f"{long}.{long}", f"b.{long}"],
                "workload": {"benchmark": "osu-latency", "sizes": [8, 4096], "repetitions": 1}}
    (folder / "platform.json").write_text(json.dumps(platform))
    (folder / "a-scenario-with-a-name-that-has-no-blank-and-is-wider-than-any-phone.json").write_text(json.dumps(scenario))


def background(browser):
    return browser.evaluate("getComputedStyle(document.documentElement).backgroundColor")


def check_views(browser, name, file, pictures):
    for view, (width, is_dark, medium) in VIEWS.items():
        requests, errors = browser.load(file, width, 800, is_dark, medium)
        if requests != [file.resolve().as_uri()]:
            failures.append(f"{name}, {view}: asks for {requests}")
        failures.extend(f"{name}, {view}: {error}" for error in errors)
        if (wide := browser.evaluate("document.documentElement.scrollWidth")) > width:
            failures.append(f"{name}, {view}: {wide} px in a window of {width}")
        if background(browser) != ("rgb(20, 24, 31)" if is_dark else "rgb(255, 255, 255)"):
            failures.append(f"{name}, {view}: the paper is {background(browser)}")
        if not browser.evaluate(f"{VISIBLE}.length"):
            failures.append(f"{name}, {view}: no picture is seen")
        # Text in pictures keeps its size, for they are drawn anew for a phone.
        least = browser.evaluate(f"Math.min(...{VISIBLE}.map(svg => svg.getBoundingClientRect().width / svg.viewBox.baseVal.width))")
        if medium == "screen" and least < 0.99:
            failures.append(f"{name}, {view}: a picture is shrunk to {least:.2f}")
        if clipped := browser.evaluate(CLIPPED):
            failures.append(f"{name}, {view}: texts leave their pictures: {clipped}")
        if pictures:
            browser.photograph(pictures / f"{name}-{view}.png", width)


def check_paper(browser, name, file):
    """Tables are not cut, and the first sheet has the first picture."""
    for is_turned, width in PAPER.items():
        browser.load(file, width, 800, False, "print")
        tables = f"[...document.querySelectorAll('table')].filter(table => (table.closest('.broad') !== null) === {str(is_turned).lower()})"
        if cut := browser.evaluate(f"{tables}.filter(table => table.getBoundingClientRect().right > {width}).map(table => table.caption.textContent)"):
            failures.append(f"{name}: on paper of {width} px columns are cut of {cut}")
    browser.load(file, PAPER[False], 800, False, "print")
    end = browser.evaluate("document.querySelector('figure').getBoundingClientRect().bottom")
    if end > HEIGHT_OF_PAPER:
        failures.append(f"{name}: the first picture ends at {end} px, so it is not on the first sheet")


def check_sorting(browser, name):
    """Each column of each table in both directions, against a sort of our own."""
    tables = browser.evaluate("document.querySelectorAll('table').length")
    for table in range(tables):
        head = f"document.querySelectorAll('table')[{table}]"
        for column in range(browser.evaluate(f"{head}.tHead.rows[0].cells.length")):
            values = f"[...{head}.tBodies[0].rows].map(row => row.cells[{column}].dataset.value)"
            before = browser.evaluate(values)
            for is_ascending in (True, False):
                browser.evaluate(f"{head}.tHead.rows[0].cells[{column}].querySelector('button').click()")
                shown = [float(value) for value in browser.evaluate(values) if value is not None]
                if shown != sorted((float(value) for value in before if value is not None), reverse=not is_ascending):
                    failures.append(f"{name}: table {table} is not sorted by column {column}")
                sense = browser.evaluate(f"{head}.tHead.rows[0].cells[{column}].getAttribute('aria-sort')")
                if sense != ("ascending" if is_ascending else "descending"):
                    failures.append(f"{name}: table {table} states {sense} for column {column}")


def check_keys(browser, name):
    """Tab and the arrow keys reach each mark of the first picture, and what it says is shown; so it is when pointed at."""
    marks = browser.evaluate(f"{VISIBLE}[0].querySelectorAll('[tabindex]').length")
    browser.evaluate("document.activeElement.blur()")
    for _ in range(3):
        browser.press("Tab")
        if browser.evaluate("document.activeElement.closest('svg') !== null"):
            break
    said = set()
    for _ in range(marks):
        said.add(browser.evaluate("[...document.activeElement.parentNode.children].indexOf(document.activeElement)"))
        if browser.evaluate("document.getElementById('tip').hidden || document.getElementById('tip').textContent !== "
                            "document.activeElement.getAttribute('aria-label')"):
            failures.append(f"{name}: a mark that has the focus is not explained")
            break
        browser.press("ArrowRight")
    if len(said) != marks:
        failures.append(f"{name}: the arrow keys reach {len(said)} of {marks} marks")
    x, y, label = browser.evaluate(
        f"(() => {{ const mark = {VISIBLE}[0].querySelector('[tabindex]'); mark.scrollIntoView({{block: 'center'}}); "
        "const box = mark.getBoundingClientRect(); "
        "return [box.left + box.width / 2, box.top + box.height / 2, mark.getAttribute('aria-label')]; })()")
    browser.call("Input.dispatchMouseEvent", type="mouseMoved", x=1, y=1)
    browser.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)
    tip = browser.evaluate("document.getElementById('tip').textContent")
    if browser.evaluate("document.getElementById('tip').hidden") or not tip:
        failures.append(f"{name}: pointing at \"{label}\" shows nothing")


def check_names(browser, name):
    """What a screen reader finds: each table, picture and mark has a name."""
    nodes = browser.call("Accessibility.getFullAXTree")["nodes"]
    nameless = [node["role"]["value"] for node in nodes
                if not node.get("ignored") and node["role"]["value"] in ("table", "region", "img", "image", "button", "columnheader", "heading")
                and not node.get("name", {}).get("value")]
    if nameless or not any(node["role"]["value"] == "table" for node in nodes):
        failures.append(f"{name}: without a name for screen readers: {nameless}")


def skip(reason):
    print(f"{reason}: the pages were not loaded")
    sys.exit(77)


def started():
    try:
        return Chromium()
    except (RuntimeError, OSError) as fault:
        skip(f"{PROGRAM} does not start here ({fault})")


def main():
    if not PROGRAM:
        skip("there is no Chromium here (Debian's package chromium, 124 MB to fetch)")
    pictures = pathlib.Path(sys.argv[3]) if len(sys.argv) > 3 else None
    if pictures:
        pictures.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, started() as browser:
        browser.call("Accessibility.enable")
        write_long_names(pathlib.Path(folder))
        for name, words in PAGES.items():
            file = pathlib.Path(folder, f"{name}.html")
            run = kakehashi(*(word.replace("{folder}", folder) for word in words), "--quiet", "--report", str(file))
            if run.returncode not in (0, 1) or not file.exists():
                failures.append(f"{name}: {run.stderr}")
                continue
            check_views(browser, name, file, pictures)
            check_paper(browser, name, file)
            browser.load(file)
            check_keys(browser, name)
            check_names(browser, name)
            check_sorting(browser, name)
    finish(f"{len(PAGES)} pages hold in {PROGRAM}")


main()
