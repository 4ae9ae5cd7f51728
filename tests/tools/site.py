#!/usr/bin/env python3
"""README.md is short, links of it and of docs/ lead somewhere, the site's navigation has every page, and mkdocs builds it if it is there. The version
is the same everywhere, the revision that of the sources, and tools/setup knows the systems that docs/install.md lists. Usage: site.py ROOT"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

root = pathlib.Path(sys.argv[1]).resolve()
failures = []


def anchors(page):
    text = re.sub(r"(?ms)^```.*?^```", "", page.read_text())
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in re.findall(r"(?m)^#+ (.*)$", text)}


def links():
    for page in (root / "README.md", root / "CONTRIBUTING.md", root / "SECURITY.md", *sorted((root / "docs").rglob("*.md"))):
        text = re.sub(r"(?ms)^```.*?^```", "", page.read_text())
        for target in re.findall(r"\]\(([^)\s]+)\)", text):
            if target.startswith("http"):
                continue
            file, _, anchor = target.partition("#")
            place = (page.parent / file).resolve() if file else page
            if not place.exists():
                failures.append(f"{page.name}: {target} leads nowhere")
            elif anchor and place.suffix == ".md" and anchor not in anchors(place):
                failures.append(f"{page.name}: {target} has no such section")
            elif "--" in anchor:
                failures.append(f"{page.name}: {target}: the site calls this section otherwise than GitHub")


def site():
    nav = set(re.findall(r"- ([\w/-]+\.md)$", (root / "tools/package/mkdocs.yml").read_text(), re.M))
    pages = {str(page.relative_to(root / "docs")) for page in (root / "docs").rglob("*.md")}
    if nav != pages:
        failures.append(f"mkdocs.yml: the navigation lacks {sorted(pages - nav)} and has too much: {sorted(nav - pages)}")
    if shutil.which("mkdocs"):
        with tempfile.TemporaryDirectory() as folder:
            run = subprocess.run(["mkdocs", "build", "--strict", "--quiet", "-f", root / "tools/package/mkdocs.yml", "-d", folder], capture_output=True, text=True)
            if run.returncode != 0 or not pathlib.Path(folder, "journey.html").exists():
                failures.append(f"mkdocs: {run.stdout}{run.stderr}")


def versions():
    (version,) = re.findall(r"project\(kakehashi VERSION ([0-9.]+)", (root / "CMakeLists.txt").read_text())
    for file, line in (("CITATION.cff", f"version: {version}\n"), ("tools/package/conda/recipe.yaml", f"  version: {version}\n")):
        if line not in (root / file).read_text():
            failures.append(f"{file}: not version {version}")


def size():
    """README.md is a way in, not the way."""
    words = len((root / "README.md").read_text().split())
    if words > 1500:
        failures.append(f"README.md has {words} words, more than 1500")


def revision():
    """That of an archive is in it; a folder that is neither an archive nor a clone has none, wherever it lies."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name, "sources")
        subprocess.run(["git", "init", "--quiet", name], check=True)
        (folder / "tools/package").mkdir(parents=True)
        for text, wanted in (("0123456789abcdef" * 2 + "01234567", "0123456789ab"), ("$Format:%H$", "")):
            (folder / "tools/package/revision.txt").write_text(text + "\n")
            subprocess.run(["cmake", f"-DROOT={folder}", f"-DOUTPUT={folder}/revision.cpp", "-P", root / "tools/package/revision.cmake"], check=True)
            if f'revision = "{wanted}";' not in (folder / "revision.cpp").read_text():
                failures.append(f"the revision of {text}: {(folder / 'revision.cpp').read_text()}")


def setup():
    """With package managers that say that nothing is there, and note what they are to install."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for tool in ("dpkg-query", "rpm"):
            (folder / tool).write_text("#!/bin/sh\nexit 1\n")
        for tool in ("apt-get", "dnf"):
            (folder / tool).write_text(f'#!/bin/sh\necho "{tool} $*" >> "{folder}/calls"\n')
        (folder / "sudo").write_text('#!/bin/sh\nexec "$@"\n')
        for tool in folder.iterdir():
            tool.chmod(0o755)
        for system, first, package in (("ID=debian", "apt-get update", " libfmt-dev "), ("ID=ubuntu\nID_LIKE=debian", "apt-get update", " libfmt-dev "),
                                       ("ID=fedora", "dnf install", " fmt-devel "), ('ID=rocky\nID_LIKE="rhel centos fedora"', "dnf install", " fmt-devel "),
                                       ("ID=linuxmint\nID_LIKE=ubuntu", "apt-get update", " libfmt-dev "), ("ID=arch", "", "")):
            (folder / "os-release").write_text(system + "\n")
            (folder / "calls").write_text("")
            run = subprocess.run([root / "tools/setup"], capture_output=True, text=True,
                                 env={**os.environ, "OS_RELEASE": str(folder / "os-release"), "PATH": f"{folder}:{os.environ['PATH']}"})
            calls = (folder / "calls").read_text()
            if run.returncode != 0 or not calls.startswith(first) or package not in calls or (not first and "libsimgrid-dev" not in run.stderr):
                failures.append(f"tools/setup on {system!r}: exit code {run.returncode}\n{calls}{run.stderr}")


for case in (links, site, size, versions, revision, setup):
    case()
print("\n".join(failures) or "links, site, versions and tools/setup hold")
sys.exit(bool(failures))
