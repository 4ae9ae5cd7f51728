#!/usr/bin/env python3
"""Builds the page that computes (tools/page), hardly optimised, and works with it in Chromium. Usage: compute.py KAKEHASHI ROOT BUILD [PICTURES]

What the page shows is what the program prints: the sentence of who wins, every cell of the first table, faults word by word. It asks the network
for nothing, and no input makes it hang. Screenshots are left in PICTURES. Ends with 77, which CTest takes for skipped, if something is missing, and says what."""
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from calls import failures, finish, kakehashi, root

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from chromium import PROGRAM, Chromium

build = pathlib.Path(sys.argv[3]).resolve()
NEEDED = {"chromium": PROGRAM, "clang-19": shutil.which("clang++-19"), "lld-19": shutil.which("wasm-ld-19"),
          "libc++-19-dev-wasm32": pathlib.Path("/usr/lib/llvm-19/include/wasm32-wasi/c++/v1/vector").exists(),
          "libclang-rt-19-dev-wasm32": any(pathlib.Path("/usr/lib/llvm-19/lib/clang/19/lib").glob("wasi/*builtins-wasm32.a"))}
PAIR = ["--benchmark", "osu-latency", "--ranks", "hpc01.cpu1,hpc02.cpu1"]


def made(folder):
    """The page; None: it cannot be built."""
    for words in (["cmake", "-S", root, "-B", build, "-G", "Ninja", "--toolchain", root / "src/browser/toolchain.cmake"],
                  ["cmake", "--build", build], [root / "tools/page", folder, build / "kakehashi.wasm"]):
        run = subprocess.run(words, capture_output=True, text=True)
        if run.returncode != 0:
            failures.append(f"{' '.join(map(str, words))}: {run.stdout[-4000:]}{run.stderr[-4000:]}")
            return None
    return pathlib.Path(folder, "compute.html")


class Form:
    """The page in a browser, as its user has it."""

    def __init__(self, browser):
        self.browser = browser

    def answer(self, least=0):
        """Waits until nothing is due; the texts of what is shown."""
        for _ in range(600):
            time.sleep(0.1)
            if not self.browser.evaluate("isDue() || !document.getElementById('stop').hidden"):
                return self.browser.evaluate("""({faults: [...document.querySelectorAll("#faults li")].map(item => item.textContent),
                    state: document.getElementById("state").textContent, command: document.querySelector("#command code").textContent,
                    summary: document.querySelector("#result .summary")?.textContent ?? "", pictures: document.querySelectorAll("#result svg").length,
                    notes: [...document.querySelectorAll("#notes li")].map(item => item.textContent),
                    table: [...document.querySelectorAll("#result table")].slice(0, 1).flatMap(table => [...table.rows].map(row => [...row.cells].map(cell => cell.textContent)))})""")
        failures.append("the page is busy for a minute")
        return None

    def set(self, **fields):
        for name, value in fields.items():
            self.browser.evaluate(f"""(() => {{ const field = document.getElementById({json.dumps(name)}); field.value = {json.dumps(value)};
                field.dispatchEvent(new Event(field.tagName === "SELECT" ? "change" : "input", {{bubbles: true}})); }})()""")
            if name in ("platform", "text"):
                self.answer()
        return self.answer()


def texts_of(report):
    """The sentence and the cells of the first table of a report."""
    text = report.read_text()
    plain = lambda part: re.sub(r"<[^>]*>", "", part).replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", '"').replace("&amp;", "&")
    table = re.search(r"<table>(.*?)</table>", text, re.S)[1]
    rows = [[plain(cell) for cell in re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.S)] for row in re.findall(r"<tr>(.*?)</tr>", table, re.S)]
    return plain(re.search(r'<p class="summary">(.*?)</p>', text, re.S)[1]), rows


def check_same(name, answer, words, folder, cwd=root):
    """The page's answer against the report of the program."""
    report = pathlib.Path(folder, "report.html")
    report.unlink(missing_ok=True)
    run = kakehashi(*words, "--report", report, cwd=cwd)
    if not report.exists():
        failures.append(f"{name}: {run.stderr}")
        return
    summary, table = texts_of(report)
    for what, shown, wanted in (("sentence", answer["summary"], summary), ("table", answer["table"], table), ("faults", answer["faults"], [])):
        if shown != wanted:
            failures.append(f"{name}: the {what} is\n{str(shown)[:800]}\nbut that of the program is\n{str(wanted)[:800]}")
    if not answer["pictures"] or "computed" not in answer["state"]:
        failures.append(f"{name}: {answer['pictures']} pictures, {answer['state']}")


def check_results(form, folder):
    mic = ["compare", "--platform", "platforms/tca-mic.json", "--benchmark", "osu-latency", "--ranks", "node0.mic0,node1.mic0"]
    answer = form.answer()
    check_same("as it opens", answer, mic, folder)
    if answer["command"] != "kakehashi " + " ".join(mic):
        failures.append(f"the command is {answer['command']}")
    check_same("sizes", form.set(sizes="8 B,1 MiB"), [*mic, "--sizes", "8 B,1 MiB"], folder)
    form.set(platform="hpcdiy-qdr", sizes="")
    qdr = [*PAIR, "--fabric", "qdr"]
    check_same("one run", form.set(ranks=PAIR[-1], mode="none", fabric="qdr"), ["simulate", "--platform", "platforms/hpcdiy-qdr.json", *qdr], folder)
    link = form.browser.evaluate("""String(links.findIndex(({text}) => text.includes("cpu1 – hca")))""")
    tree = pathlib.Path(folder, "tree")
    shutil.copytree(root / "platforms", tree / "platforms")
    for name, fields, words in (("another link", {"link": link, "field": "lanes", "value": "4"}, qdr),
                                ("another library", {"value": "8", "library": "mpich-4", "benchmark": "imb-allreduce", "ranks": "*.cpu*", "per": "2", "fabric": "qdr-shm"},
                                 ["--benchmark", "imb-allreduce", "--ranks", "*.cpu*", "--per-device", "2", "--fabric", "qdr-shm"])):
        answer = form.set(mode="change", **fields)
        (tree / "platforms/changed.json").write_text(form.browser.evaluate("changed()"))
        check_same(name, answer, ["compare", "--platform", "platforms/hpcdiy-qdr.json", *words, "--platforms", "platforms/changed.json"], folder, tree)
    if (links := json.loads((tree / "platforms/changed.json").read_text())) != {**links, "mpi": {"collectives": "mpich-4"}} or "hpcdiy" not in answer["summary"]:
        failures.append(f"the changed platform: {answer['summary']}")
    check_same("algorithms", form.set(mode="algorithms"), ["compare", "--platform", "platforms/hpcdiy-qdr.json", "--benchmark", "imb-allreduce", "--ranks", "*.cpu*",
                                                           "--per-device", "2", "--fabric", "qdr-shm", "--algorithms", "all"], folder)
    form.set(platform="h100", benchmark="nccl-allreduce", mode="none")
    check_same("GPUs", form.set(ranks="*.gpu*"), ["simulate", "--platform", "platforms/h100.json", "--benchmark", "nccl-allreduce", "--ranks", "*.gpu*"], folder)


def check_faults(form, folder):
    """Each is what the program says."""
    tree = pathlib.Path(folder, "tree")
    text = (root / "platforms/hpcdiy-qdr.json").read_text()
    form.set(platform="hpcdiy-qdr", benchmark="osu-latency", mode="none", fabric="qdr", ranks=PAIR[-1])
    for name, own, fields, words in (
            ("broken JSON", text[:2000], {}, []), ("no JSON", "a platform", {}, []), ("nothing", "", {}, []), ("a list", "[]", {}, []),
            ("an unknown library", text.replace('"collectives": "open-mpi"', '"collectives": "open-mpy"'), {}, []),
            ("an unknown field", text.replace('"lanes": 8', '"lane": 8', 1), {}, []),
            ("a megabyte", "[" * 1000000, {}, []), ("a megabyte of text", json.dumps({"name": "x" * 1000000}), {}, []),
            ("<script>", text.replace('"name": "hpcdiy-qdr"', '"name": "<script>alert(1)</script>"'), {}, []),
            ("no ranks", None, {"per": "0"}, ["--per-device", "0"]), ("too many ranks", None, {"per": "100000", "ranks": "*.cpu*"}, ["--per-device", "100000"]),
            ("no such device", None, {"per": "", "ranks": "nobody"}, []), ("a wrong size", None, {"ranks": PAIR[-1], "sizes": "8 bits"}, ["--sizes", "8 bits"])):
        file = "hpcdiy-qdr" if own is None else "mine"
        if own is not None:
            (tree / "platforms/mine.json").write_text(own)
            fields["text"] = own
        elif form.browser.evaluate("isOwn()"):
            form.set(platform="hpcdiy-qdr", fabric="qdr", ranks=PAIR[-1])
        answer = form.set(**fields)
        ranks = form.browser.evaluate("document.getElementById('ranks').value")
        run = kakehashi("simulate", "--platform", f"platforms/{file}.json", "--benchmark", "osu-latency", *(["--ranks", ranks] if ranks else []), *words,
                        *(["--fabric", "qdr"] if "--fabric" in answer["command"] else []), cwd=tree)
        wanted = [line for line in run.stderr.splitlines() if line.startswith("error: ")]
        if answer["faults"] != wanted or not wanted:
            failures.append(f"{name}: the page says {str(answer['faults'])[:600]}, and the program {str(wanted)[:600]}")
    form.set(sizes="", platform="fx10-tofu")


def check_long_run(form):
    """It can be stopped, and ends after a while by itself."""
    form.set(platform="hpcdiy-qdr", mode="none", fabric="qdr-shm", sizes="")
    form.browser.evaluate("patience = 3")
    long = {"benchmark": "imb-alltoall", "ranks": "*.cpu*", "per": "3000"}
    answer = form.set(**long)
    if len(answer["faults"]) != 1 or not answer["faults"][0].startswith("ended after 3 s"):
        failures.append(f"a run of hours: {answer['faults']}")
    form.browser.evaluate("patience = 60")
    form.browser.evaluate("soon(0)")
    time.sleep(4)
    if "this takes about" not in (text := form.browser.evaluate("document.getElementById('state').textContent")):
        failures.append(f"of a long run the page says {text}")
    form.browser.evaluate("document.getElementById('stop').click()")
    answer = form.answer()
    if answer["faults"] != ["stopped"]:
        failures.append(f"a run that is stopped: {answer['faults']}")
    if "computed" not in form.set(per="1", sizes="8 B")["state"]:
        failures.append("after a stop nothing runs any more")


def main():
    if missing := [name for name, is_there in NEEDED.items() if not is_there]:
        print(f"missing: {', '.join(missing)}: the page was not built")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as folder:
        page = made(folder)
        if not page:
            finish("")
        with Chromium() as browser:
            requests, errors = browser.load(page)
            form = Form(browser)
            check_results(form, folder)
            check_faults(form, folder)
            check_long_run(form)
            requests += [event["params"]["request"]["url"] for event in browser.events if event.get("method") == "Network.requestWillBeSent"]
            errors += [json.dumps(event["params"]) for event in browser.events if event.get("method") in ("Runtime.exceptionThrown", "Log.entryAdded")]
            if away := [url for url in requests if url != page.resolve().as_uri() and not url.startswith("blob:")]:
                failures.append(f"it asks for {away}")
            failures.extend(errors)
            for name, width, is_dark in (("light", 1100, False), ("dark", 1100, True), ("phone", 375, False)):
                browser.load(page, width, 900, is_dark)
                form.answer()
                if (wide := browser.evaluate("document.documentElement.scrollWidth")) > width:
                    failures.append(f"{name}: {wide} px in a window of {width}")
                if len(sys.argv) > 4:
                    browser.photograph(pathlib.Path(sys.argv[4], f"compute-{name}.png"), width, 1600)
    finish(f"the page computes what the program does in {PROGRAM}")


main()
