#!/usr/bin/env python3
"""Holds src/, include/ and python/ to tests/rooms.txt: each room includes only what its row allows, heavy headers are included only where
their row says so, no two headers have one name, or give one name to two types, which a compiler would let pass. CONTRIBUTING.md shows the same
table, and the files that pages on the inside name are there. clang-format would change no source, if it is installed. Usage:
layout.py ROOT [--write: refresh CONTRIBUTING.md]"""
import pathlib
import re
import shutil
import subprocess
import sys


def read_rooms(root):
    """{room: what it turns into what}, {room: the rooms that it may include}, {header: who may include it}."""
    purposes, rooms, headers = {}, {}, {}
    for line in (root / "tests/rooms.txt").read_text().splitlines():
        cells = [cell.strip() for cell in line.split("|")] if not line.startswith("#") else []
        if len(cells) == 3:
            purposes[cells[0]], rooms[cells[0]] = cells[1], cells[2].split()
        elif len(cells) == 2:
            headers[cells[0].rstrip(">")] = cells[1].split()
    return purposes, rooms, headers


def table(purposes, rooms):
    """The table of CONTRIBUTING.md."""
    lines = ["| room | turns what into what | may include |", "|---|---|---|"]
    for room, purpose in purposes.items():
        name = {"kakehashi": "include/kakehashi", "python": "python"}.get(room, f"src/{room}")
        lines.append(f"| `{name}` | {purpose} | {', '.join(rooms[room])} |".replace("|  |", "| |"))
    return "\n".join(lines) + "\n"


def with_table(text, rows):
    return re.sub(r"(<!-- rooms.txt -->\n).*?(\n<!-- end -->)", lambda found: found[1] + rows.rstrip("\n") + found[2], text, flags=re.S)


def missing_files(root):
    """What pages on the inside name in backticks as a file or folder that is not there."""
    for page in ("CONTRIBUTING.md", "docs/engine.md", "docs/model.md", "docs/inside/decisions.md"):
        for path in re.findall(r"`([\w.-]+/[\w./-]*\w)`", (root / page).read_text()):
            places = [root / path, root / "src" / path, root / "src/workload" / path]
            if not path.startswith(("share/", "lib/")) and not any(place.with_name(place.name + end).exists()
                                                                  for place in places for end in ("", ".cpp", ".hpp")):
                yield f"{page}: {path} is no file"


def room_of(path, rooms):
    """The innermost room that holds a path; none: the layout has no place for it."""
    return next((room for room in sorted(rooms, key=len, reverse=True) if f"{path}/".startswith(f"{room}/")), None)


def twice_defined(root):
    homes, headers = {}, {}
    for file in sorted((root / "src").rglob("*.hpp")):
        if headers.setdefault(file.name, file) != file:
            yield f"{file}: {headers[file.name]} has this name, too"
        for name in re.findall(r"^(?:struct|class|enum class) (?:alignas\(\d+\) )?(\w+)[^;\n]*\{", file.read_text(), re.M):
            if homes.setdefault(name, file) != file:
                yield f"{file}: {name} is a type of {homes[name]}, too"


def clang_format():
    """The release whose ideas of a line the sources follow, or None."""
    found = (name for name in ("clang-format-14", "clang-format") if shutil.which(name))
    return next((name for name in found if " version 14." in subprocess.run([name, "--version"], capture_output=True, text=True).stdout), None)


def badly_formatted(root, program):
    folders = ("src", "include", "python", "recorder", "tests", "tools")
    files = [file for folder in folders for ending in "ch" for end in (ending, f"{ending}pp")
             for file in sorted((root / folder).rglob(f"*.{end}"))]
    change = subprocess.run([program, "--dry-run", *files], capture_output=True, text=True).stderr
    for file in dict.fromkeys(re.findall(r"^(.*?):\d+:\d+: warning: code should be clang-formatted", change, re.M)):
        yield f"{file}: clang-format -i would change it"


def faults(root, rooms, headers):
    files = [(file, top) for top in (root / "src", root / "include") for file in sorted(top.rglob("*.[ch]pp"))]
    files += [(file, root) for file in sorted((root / "python").glob("*.[ch]pp"))]
    for file, top in files:
        room = room_of(file.relative_to(top), rooms)
        if room is None or (room == "kakehashi") != (top.name == "include"):
            yield f"{file}: the layout has no room for it"
            continue
        for line, text in enumerate(file.read_text().splitlines(), 1):
            include = re.match(r'\s*#\s*include\s*([<"])([^>"]+)', text)
            if not include:
                continue
            quote, target = include.groups()
            allowed = [room, *rooms[room]]
            if quote == '"' and not any(f"{target}/".startswith(f"{each}/") for each in allowed):
                yield f"{file}:{line}: {room} may not include {target}"
            for header, users in headers.items():
                if f"{quote}{target}".startswith(header.rstrip('"')) and not any(
                        f"{file.relative_to(top)}".startswith(user) for user in users):
                    yield f"{file}:{line}: only {', '.join(users)} may include {quote}{target}"


root = pathlib.Path(sys.argv[1])
purposes, rooms, headers = read_rooms(root)
page = root / "CONTRIBUTING.md"
shown = with_table(page.read_text(), table(purposes, rooms))
if "--write" in sys.argv:
    page.write_text(shown)
found = [*faults(root, rooms, headers), *twice_defined(root), *missing_files(root)]
if shown != page.read_text():
    found.append("CONTRIBUTING.md: its table of rooms is not that of tests/rooms.txt; tests/layout.py . --write refreshes it")
if program := clang_format():
    found += badly_formatted(root, program)
else:
    print("formats are not checked, for want of clang-format 14")
print("\n".join(found) or "the layout holds")
sys.exit(bool(found))
