#!/usr/bin/env python3
"""Scans all shipped fabrics for messages that take less time than smaller ones. Usage: falls.py KAKEHASHI ROOT

Each pair of places that a fabric tells apart, at powers of two, at the borders of regimes and at those of pieces, and 1 B below and above
all of them."""
import concurrent.futures
import json
import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from calls import failures, finish, kakehashi, root

SMALL = 0.025  # of the time of a smaller message

DIRECT_COPY = ("from 256 KiB on DAPL registers buffers and copies no more: intel-mpss measured 359 us at 128 KiB and 175 us at 256 KiB; "
               "the other platforms have its threshold and its cost of registering")
ALIGNMENT = "tca-mic's text: sizes that are no multiple of 64 B take up to 10 us (writes by the host) or over 20 us (all by the coprocessor)"
# Platform, fabrics, sizes in bytes (none: any), what it falls by at most, and why.
NAMED = [
    ("intel-mpss", {"dapl", "shm-dapl"}, {262144}, 0.72, DIRECT_COPY),
    ("tca-colfax", {"dapl", "shm-dapl", "shm-dapl-peach2"}, {262144}, 0.095, DIRECT_COPY),
    ("intel-mpss", {"tcp"}, {1088}, 0.086, "the tables waver by more between neighbours (127 us at 32 B, 119 at 256 B; 153 at 2 KiB, 147 at 4 KiB), and two lines meet there"),
    ("tca-mic", {"scif", "peach2-scif"}, None, 0.82, ALIGNMENT),
    ("tca-colfax", {"scif", "peach2-scif", "shm-dapl-peach2"}, None, 0.82, ALIGNMENT),
    ("hpcdiy-qdr", {"shm", "qdr-shm", "gbe-shm"}, {4096}, 0.17, "Open MPI's sm asks from 4 KiB on, and overlaps the two copies: up to 2 KiB the table has "
     "0.19 ns/B, and from there to 4 KiB 0.14"),
    ("hpcdiy-qdr", {"shm", "qdr-shm", "gbe-shm"}, {34816}, 0.09, "between sockets the table has 0.33 ns/B up to 32 KiB, and from there to 64 KiB 0.05"),
]

UNITS = {"B": 1, "KiB": 1024, "MiB": 1024**2}


def count(size):
    number, unit = size.split()
    return int(float(number) * UNITS[unit])


def sizes_of(platform, fabric):
    parts = [fabric, *(platform["fabrics"][stage["fabric"]] for stage in fabric.get("stages", [])),
             *(platform["fabrics"][name] for name in fabric.get("by_scope", {}).values())]
    for part in list(parts):
        parts += [platform["fabrics"][stage["fabric"]] for stage in part.get("stages", [])]
    borders = {count(part.get("thresholds", {}).get(regime["from"], regime["from"]))
               for part in parts for rule in part.get("rules", []) for regime in rule["regimes"]}
    pieces = {count(part["pipeline"]) for part in parts if "pipeline" in part}
    at = {2**power for power in range(23)} | borders | {piece * n + border for piece in pieces for n in range(1, 6) for border in borders}
    return sorted({size + by for size in at for by in (-1, 0, 1) if size + by >= 0})


def kind(name, platform):
    return next(device["kind"] for template in platform["templates"].values() for device in template["devices"]
                if name.split(".")[1].rstrip("0123456789") == device["name"].split("[")[0].rstrip("0123456789"))


def tables(file):
    """Platform, fabric, ranks and sizes of each table to be simulated."""
    platform = json.loads(file.read_text())
    inventory = json.loads(kakehashi("list", str(file), "--format", "json").stdout)
    for name, pairs in inventory["fabrics"].items():
        sizes = sizes_of(platform, platform["fabrics"][name])
        places = {}
        for pair in pairs:
            ends = [kind(pair[end], platform) for end in ("from", "to")]
            places.setdefault((*ends, pair["from"].split(".")[0] == pair["to"].split(".")[0], pair["links"],
                               f"{pair['latency_us']:.6g} {pair['mbytes_per_s']:.4g}"), (pair["from"], pair["to"]))
        yield from ((file, name, ranks, sizes) for ranks in places.values())


def scan(table):
    """Falls of a table: fabric, size, share and words."""
    file, fabric, ranks, sizes = table
    run = kakehashi("simulate", "--platform", str(file), "--fabric", fabric, "--benchmark", "imb-pingpong", "--ranks", ",".join(ranks),
                    "--sizes", ",".join(f"{size} B" for size in sizes), "--format", "json")
    if run.returncode:
        return [(file.stem, fabric, 0, 1, run.stderr)]
    falls, before, most = [], None, 0
    for row in json.loads(run.stdout)["rows"]:
        size, time = row["bytes"], row["t_avg_us"]
        if time < most * (1 - SMALL):
            falls.append((file.stem, fabric, size, 1 - time / most, f"{' to '.join(ranks)}: {most:.3f} us up to {before} B, {time:.3f} us at {size} B"))
            most = 0
        if time >= most:
            before, most = size, time
    return falls


used = set()
with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
    files = sorted(file for file in (root / "platforms").glob("*.json") if "schema" not in file.name)
    work = [table for file in files for table in tables(file)]
    for falls in pool.map(scan, work):
        for platform, fabric, size, share, words in falls:
            name = next((entry for entry, (of, fabrics, at, most, _) in enumerate(NAMED)
                         if of == platform and fabric in fabrics and (at is None or size in at) and share <= most), None)
            used.add(name)
            if name is None:
                failures.append(f"{platform}, {fabric}: {words}, {share:.1%} less")
failures += [f"named, but nothing falls so: {entry[:4]}" for at, entry in enumerate(NAMED) if at not in used]
if len(work) < 100:
    failures.append(f"only {len(work)} tables")
finish(f"{len(work)} tables rise, but for {len(NAMED)} named falls")
