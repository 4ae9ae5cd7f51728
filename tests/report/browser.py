#!/usr/bin/env python3
"""Loads the pages of --report in a headless Chromium. Usage: browser.py KAKEHASHI ROOT [PICTURES]

Each page loads at a desk's and a phone's width, light, dark and printed, without an error and without asking the network for anything;
nothing is wider than the window; headings sort; the arrow keys reach every mark. With a folder PICTURES, screenshots of all are left
there to be looked at. Ends with 77, which CTest takes for skipped, if there is no Chromium, or none that starts."""
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
}
VIEWS = {"light": (1000, False, "screen"), "dark": (1000, True, "screen"), "phone": (375, False, "screen"), "print": (794, False, "print")}
# Marks that are drawn, as the reader sees them: those of the pictures at the other width are not.
VISIBLE = "[...document.querySelectorAll('svg')].filter(svg => svg.getBoundingClientRect().width)"


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
        if pictures:
            browser.photograph(pictures / f"{name}-{view}.png", width)


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
        for name, words in PAGES.items():
            file = pathlib.Path(folder, f"{name}.html")
            run = kakehashi(*words, "--quiet", "--report", str(file))
            if run.returncode not in (0, 1) or not file.exists():
                failures.append(f"{name}: {run.stderr}")
                continue
            check_views(browser, name, file, pictures)
            browser.load(file)
            check_keys(browser, name)
            check_names(browser, name)
            check_sorting(browser, name)
    finish(f"{len(PAGES)} pages hold in {PROGRAM}")


main()
