#!/usr/bin/env python3
"""Holds src/ to its layout: each folder includes only what its row allows. Usage: layout.py ROOT"""
import pathlib
import re
import sys

ALL_BUT_INPUT = {"base", "spec", "topology", "transport", "workload", "result", "engine", "calibration", "study", "report"}
FOLDERS = {  # folder: the other folders that it may include
    "base": set(),
    "spec": {"base"},
    "input": {"base", "spec"},
    "topology": {"base", "spec"},
    "transport": {"base", "spec", "topology"},
    "workload": {"base", "spec"},
    "result": {"base", "spec"},
    "engine": ALL_BUT_INPUT - {"engine", "calibration", "study", "report"},
    "calibration": {"base", "spec", "result"},
    "study": ALL_BUT_INPUT - {"study", "report"},
    "report": {"base", "spec", "result"},
    "command": ALL_BUT_INPUT | {"input"},
    "main.cpp": {"command"},
}
LIBRARIES = {  # the libraries that only some folders may include
    "nlohmann/": {"input", "report"},
    "valijson/": {"input"},
    "boost/": {"topology"},
    "simgrid/": {"engine"},
    "CLI/": {"command"},
    "mpi.h": {"study"},
    "otf2/": {"input"},
}


def faults(root):
    for file in sorted((root / "src").rglob("*.[ch]pp")):
        folder = file.relative_to(root / "src").parts[0]
        if folder not in FOLDERS:
            yield f"{file}: the layout has no folder {folder}"
            continue
        for line, text in enumerate(file.read_text().splitlines(), 1):
            include = re.match(r'\s*#\s*include\s*([<"])([^>"]+)', text)
            if not include:
                continue
            quote, target = include.groups()
            if quote == '"' and target.split("/")[0] not in FOLDERS[folder] | {folder}:
                yield f"{file}:{line}: {folder} may not include {target}"
            for library, users in LIBRARIES.items():
                if quote == "<" and target.startswith(library) and folder not in users:
                    yield f"{file}:{line}: {folder} may not include <{target}>"


found = list(faults(pathlib.Path(sys.argv[1])))
print("\n".join(found) or "the layout holds")
sys.exit(bool(found))
