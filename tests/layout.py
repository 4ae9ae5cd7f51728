#!/usr/bin/env python3
"""Holds src/, include/ and python/ to their layout: each room includes only what its row allows, and two headers never give one name
to two types, which a compiler would let pass. Usage: layout.py ROOT"""
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
    "input/platform": ["base", "model", "workload/collective", "input/json"],
    "input/log": ["base", "model", "workload/benchmark", "input/json"],
    "input/import": ["base", "model", "input/json"],
    "input/trace": ["base", "model", "input/json"],
    "input/scenario": ["base", "model", "workload/benchmark", "input/json", "input/platform", "input/log", "input/trace"],
    "input/catalogue": ["base", "model", "workload/benchmark", "input/json", "input/platform", "input/scenario"],
    "topology": ["base", "model"],
    "transport": ["base", "model", "topology"],
    "workload": ["base", "model", "result"],
    "result": ["base", "model"],
    "engine/flow": ["base", "model", "topology"],
    "engine/record": ["base", "model", "topology", "transport", "result", "engine/flow"],
    "engine/mpi": [*ABOVE, "engine/flow", "engine/record"],
    "engine": ABOVE,
    "calibration": ["base", "model", "result"],
    "study/run": [*ABOVE, "engine"],
    "study/sweep": [*ABOVE, "engine", "study/run"],
    "study/score": [*ABOVE, "engine", "study/run", "study/sweep"],
    "study/fit": [*ABOVE, "engine", "calibration", "study/run"],
    "report/draw": ["base"],
    "report": ["base", "model", "result"],
    "library": ["kakehashi", *ABOVE, "engine", "input/json", "input/platform"],
    "command": [*ABOVE, "engine", "calibration", "study", "report", "input"],
    "main.cpp": ["base", "command"],
    "on_demand": ["base", "model", "topology", "engine/flow"],
    "python": ["command/errand.hpp"],  # beside src/
}
LIBRARIES = {  # the libraries that only some folders may include
    "nlohmann/": {"input/json", "input/platform", "input/scenario", "input/catalogue", "report", "library"},
    "boost/": {"topology"},
    "simgrid/": {"engine/flow"},
    "CLI/": {"command"},
    "mpi.h": {"study/sweep"},
    "otf2/": {"input/trace"},
    "zstd.h": {"input/trace"},
    "pugixml.hpp": {"input/import"},
    "hwloc.h": {"input/import"},
    "yaml-cpp/": {"input/import"},
    "nanobind/": {"python"},
}


def room_of(path):
    """The innermost room that holds a path; none: the layout has no place for it."""
    return next((room for room in sorted(ROOMS, key=len, reverse=True) if f"{path}/".startswith(f"{room}/")), None)


def twice_defined(root):
    homes = {}
    for file in sorted((root / "src").rglob("*.hpp")):
        for name in re.findall(r"^(?:struct|class|enum class) (?:alignas\(\d+\) )?(\w+)[^;\n]*\{", file.read_text(), re.M):
            if homes.setdefault(name, file) != file:
                yield f"{file}: {name} is a type of {homes[name]}, too"


def faults(root):
    files = [(file, top) for top in (root / "src", root / "include") for file in sorted(top.rglob("*.[ch]pp"))]
    files += [(file, root) for file in sorted((root / "python").glob("*.[ch]pp"))]
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
            if quote == '"' and not any(f"{target}/".startswith(f"{each}/") for each in allowed):
                yield f"{file}:{line}: {room} may not include {target}"
            for library, users in LIBRARIES.items():
                if quote == "<" and target.startswith(library) and room not in users:
                    yield f"{file}:{line}: {room} may not include <{target}>"


root = pathlib.Path(sys.argv[1])
found = [*faults(root), *twice_defined(root)]
print("\n".join(found) or "the layout holds")
sys.exit(bool(found))
