#!/usr/bin/env python3
"""Holds src/ and include/ to their layout: each room includes only what its row allows. Usage: layout.py ROOT"""
import pathlib
import re
import sys

# A room may include its own files, and those of the rooms in its row; a name stands for the rooms inside it, too.
ABOVE = ["base", "model", "topology", "transport", "workload", "result"]
ROOMS = {
    "kakehashi": [],  # in include/: the public headers
    "base": [],
    "model": ["base"],
    "input/json": ["base", "model"],
    "input/platform": ["base", "model", "input/json"],
    "input/log": ["base", "model", "workload/benchmark", "input/json"],
    "input/trace": ["base", "model", "input/json"],
    "input/scenario": ["base", "model", "workload/benchmark", "input/json", "input/platform", "input/log", "input/trace"],
    "input/catalogue": ["base", "model", "input/json", "input/platform", "input/scenario"],
    "topology": ["base", "model"],
    "transport": ["base", "model", "topology"],
    "workload": ["base", "model", "result"],
    "result": ["base", "model"],
    "engine/flow": ["base", "model", "topology"],
    "engine/record": ["base", "model", "topology", "transport", "result", "engine/flow"],
    "engine/mpi": [*ABOVE, "engine/flow", "engine/record"],
    "engine": ABOVE,
    "calibration": ["base", "model", "result"],
    "study": [*ABOVE, "engine", "calibration"],
    "report": ["base", "model", "result"],
    "library": ["kakehashi", *ABOVE, "engine", "input/json", "input/platform"],
    "command": [*ABOVE, "engine", "calibration", "study", "report", "input"],
    "main.cpp": ["command"],
}
LIBRARIES = {  # the libraries that only some folders may include
    "nlohmann/": {"input/json", "input/platform", "input/scenario", "input/catalogue", "report"},
    "valijson/": {"input/json"},
    "boost/": {"topology"},
    "simgrid/": {"engine/flow"},
    "CLI/": {"command"},
    "mpi.h": {"study"},
    "otf2/": {"input/trace"},
}


def room_of(path):
    """The innermost room that holds a path; none: the layout has no place for it."""
    return next((room for room in sorted(ROOMS, key=len, reverse=True) if f"{path}/".startswith(f"{room}/")), None)


def faults(root):
    files = [(file, top) for top in (root / "src", root / "include") for file in sorted(top.rglob("*.[ch]pp"))]
    for file, top in files:
        room = room_of(file.relative_to(top))
        if room is None or (room == "kakehashi") != (top.name == "include"):
            yield f"{file}: the layout has no room for it"
            continue
        for line, text in enumerate(file.read_text().splitlines(), 1):
            include = re.match(r'\s*#\s*include\s*([<"])([^>"]+)', text)
            if not include:
                continue
            quote, target = include.groups()
            allowed = [room, *ROOMS[room]]
            if quote == '"' and not any(f"{target}".startswith(f"{each}/") for each in allowed):
                yield f"{file}:{line}: {room} may not include {target}"
            for library, users in LIBRARIES.items():
                if quote == "<" and target.startswith(library) and room not in users:
                    yield f"{file}:{line}: {room} may not include <{target}>"


found = list(faults(pathlib.Path(sys.argv[1])))
print("\n".join(found) or "the layout holds")
sys.exit(bool(found))
