#!/usr/bin/env python3
"""Installs, moves what was installed, and uses it: the program, its pages, and the library as the examples do.
Usage: run.py CMAKE BUILD ROOT COMPILER [FLAGS]"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

cmake, build, root, compiler, *flags = sys.argv[1:]
build, root = pathlib.Path(build).resolve(), pathlib.Path(root).resolve()
flags = flags[0].split() if flags else []
failures = []


def call(*command, cwd=None, **environment):
    inherited = {name: value for name, value in os.environ.items() if name != "KAKEHASHI_DATA"}
    return subprocess.run([str(word) for word in command], cwd=cwd, capture_output=True, text=True, timeout=900,
                          env={**inherited, **environment})


def expect(what, run, code=0, out=(), err=None):
    """out: texts that stdout must hold; err: all of stderr."""
    missing = [text for text in out if text not in run.stdout]
    if run.returncode != code or missing or (err is not None and run.stderr != err):
        failures.append(f"{what}: exit code {run.returncode}, not found: {missing}\n{run.stdout[-2000:]}{run.stderr[-2000:]}")


def install(folder):
    first, prefix = folder / "first", folder / "a moved" / "prefix"
    expect("install", call(cmake, "--install", build, "--prefix", first))
    prefix.parent.mkdir()
    shutil.move(first, prefix)
    return prefix


def files(prefix):
    wanted = ["bin/kakehashi", "include/kakehashi/kakehashi.hpp", "share/kakehashi/platforms/platform.schema.json",
              "share/kakehashi/scenarios/scenario.schema.json", "share/kakehashi/scenarios/reference/claims.json",
              "share/man/man1/kakehashi.1", "share/bash-completion/completions/kakehashi",
              "share/zsh/site-functions/_kakehashi", "share/fish/vendor_completions.d/kakehashi.fish"]
    failures.extend(f"install: {name} is missing" for name in wanted if not (prefix / name).is_file())
    failures.extend(f"install: {name} is missing" for name in ("libkakehashi.a", "kakehashi/kakehashi-simgrid.so")
                    if not list(prefix.glob(f"lib*/**/{name}")))


def program(prefix, folder):
    """It finds its data wherever it is, unless somebody says where they are."""
    kakehashi = prefix / "bin" / "kakehashi"
    expect("validate", call(kakehashi, "validate", "intel-mpss", "--quiet", cwd=folder), 0, ["7 pass, 0 fail"], "")
    empty = folder / "empty-folder"
    empty.mkdir()
    listed = call(kakehashi, "list", "platforms/h100.json", cwd=empty)
    expect("a shipped platform from elsewhere", listed, 0, ["gpu"], "")
    expect("a shipped scenario from elsewhere", call(kakehashi, "simulate", "--quiet", "scenarios/h100/latency-nvlink.json", cwd=empty), 0)
    expect("what is not shipped", call(kakehashi, "check", "scenarios/none.json", cwd=empty), 2, err="error: scenarios/none.json: no such file\n")
    expect("the journey", call(sys.executable, root / "tests/readme.py", kakehashi, root, "--installed", cwd=empty), 0, ["blocks hold"])
    failed = call(kakehashi, "import", "none.xml", "-o", "cluster.json", cwd=empty)
    expect("a failed import", failed, 2, err="error: none.xml: no such file\n")
    failures.extend(f"a failed import leaves {left.name}" for left in empty.iterdir())
    scenario = prefix / "share/kakehashi/scenarios/hpcdiy-qdr/latency-gbe.json"
    expect("simulate", call(kakehashi, "simulate", "--format", "json", scenario, cwd=folder), 0, ["4194304", "\"engine\": \"SimGrid "])
    alone = folder / "kakehashi"
    shutil.copy(kakehashi, alone)
    places = ", ".join(str(place) for place in [folder.parent / "share" / "kakehashi", folder, *folder.parents])
    expect("validate without data", call(alone, "validate"), 2, err="error: no folder with platforms/ and "
           f"scenarios/reference/ at {places}; name one with --data or in KAKEHASHI_DATA\n")
    expect("KAKEHASHI_DATA", call(alone, "validate", "intel-mpss", "--quiet", KAKEHASHI_DATA=str(root)), 0, ["0 fail"])
    expect("without SimGrid", call(alone, "simulate", "--format", "json", scenario), 0, ["4194304", "\"engine\": \"fluid, tolerance 0 %"])
    expect("SimGrid where there is none", call(alone, "simulate", "--engine", "simgrid", scenario), 1,
           err="error: SimGrid cannot be loaded: kakehashi-simgrid.so: cannot open shared object file: No such file or directory\n")
    expect("a wrong KAKEHASHI_DATA", call(kakehashi, "validate", KAKEHASHI_DATA="/nowhere"), 2,
           err="error: /nowhere: KAKEHASHI_DATA names a folder without platforms/ and scenarios/reference/\n")


def complete_bash(prefix, file, *words):
    script = ('source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _kakehashi; '
              'printf "%s\\n" "${COMPREPLY[@]}"')
    return call("bash", "-c", script, "bash", file, *words, cwd=root, PATH=f"{prefix / 'bin'}:{os.environ['PATH']}").stdout.split()


def pages(prefix):
    bash = prefix / "share/bash-completion/completions/kakehashi"
    zsh = prefix / "share/zsh/site-functions/_kakehashi"
    fish = prefix / "share/fish/vendor_completions.d/kakehashi.fish"
    cases = {("sim",): ["simulate"], ("simulate", "--form"): ["--format"], ("simulate", "--format", ""): ["table", "csv", "json", "markdown"],
             ("simulate", "--format", "=", "c"): ["csv"], ("check", "READ"): ["README.md"], ("completion", "z"): ["zsh"],
             ("simulate", "--repeat", ""): [], ("simulate", "--benchmark", "osu-bi"): ["osu-bibw"],
             ("simulate", "scenarios/h100/latency-nvlink.json", "--fabric", "n"): ["nvlink"], ("validate", "intel"): ["intel-mpss"],
             ("export", "platforms/intel-mpss.json", "--ranks", "host.mic0,host.mic"): ["host.mic0,host.mic0", "host.mic0,host.mic1"]}
    expect("bash -n", call("bash", "-n", bash))
    for words, wanted in cases.items():
        if (found := complete_bash(prefix, bash, "kakehashi", *words)) != wanted:
            failures.append(f"bash: {words} is completed by {found}, not {wanted}")
    if shutil.which("zsh"):
        expect("zsh -n", call("zsh", "-n", zsh), err="")
    if shutil.which("fish"):
        for words, wanted in (("sim", ["simulate"]), ("simulate --format ", ["csv", "json", "table"])):
            run = call("fish", "-c", f"source '{fish}'; complete -C 'kakehashi {words}'")
            if (found := [line.split("\t")[0] for line in run.stdout.splitlines()]) != wanted:
                failures.append(f"fish: {words} is completed by {found}, not {wanted}\n{run.stderr}")
    if shutil.which("groff"):
        page = call("groff", "-man", "-Tascii", "-P-cbou", "-ww", prefix / "share/man/man1/kakehashi.1")
        expect("man page", page, 0, ["simulate", "--format TEXT", "KAKEHASHI_DATA"], "")


def examples(prefix, folder):
    """Built with find_package, and one of them again with pkg-config; run as their heads say."""
    made = folder / "examples"
    expect("examples: configure", call(cmake, "-S", root / "examples", "-B", made, "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={prefix}",
                                       f"-DCMAKE_CXX_COMPILER={compiler}", f"-DCMAKE_CXX_FLAGS={' '.join(flags)}"))
    expect("examples: build", call(cmake, "--build", made))
    colfax = prefix / "share/kakehashi/platforms/colfax-mic.json"
    devices = ["node0.mic0", "node1.mic0", "node0.mic1", "node1.mic1"]
    stencil = call(made / "stencil", colfax, "dapl", *devices)
    expect("stencil", stencil, 0, ["4 ranks, 1400 messages: "])
    expect("stencil on an unknown device", call(made / "stencil", colfax, "dapl", "node0.mic0", "node0.mic9"), 1,
           err=f"{colfax}: got device \"node0.mic9\", expected one of " + ", ".join(
               f"node{node}.{device}" for node in (0, 1) for device in ("cpu0", "cpu1", "mic0", "mic1", "mic2", "mic3")) +
           " (did you mean \"node0.mic0\"?)\n")
    expect("built_machine", call(made / "built_machine"), 0, [" 10 Gbit/s:", "100 Gbit/s:"])
    orders = [line.split(" us ") for line in call(made / "placements", colfax, "dapl", *devices).stdout.splitlines()]
    times = [float(time) for time, _ in orders]
    if len(orders) != 6 or times != sorted(times) or times[0] == times[-1] or orders[0][1].split()[0] != devices[0]:
        failures.append(f"placements: {orders}")
    if not shutil.which("pkg-config"):
        return
    expect("pkg-config", by_hand(prefix, root / "examples" / "stencil.cpp", folder / "by-hand"))
    if call(folder / "by-hand", colfax, "dapl", *devices).stdout != stencil.stdout:
        failures.append("pkg-config: the stencil gives another result")
    readme(prefix, folder)


def by_hand(prefix, source, program):
    """pkg-config writes a blank in a path as a shell reads it."""
    return call("sh", "-c", 'eval "$0 $1 -o $2 $3 $(pkg-config --cflags --libs kakehashi)"', compiler, " ".join(flags), program, source,
                PKG_CONFIG_PATH=str(next(prefix.glob("lib*/**/kakehashi.pc")).parent))


def readme(prefix, folder):
    """The program in docs/cpp.md gives what the same benchmark gives."""
    section = (root / "docs/cpp.md").read_text()
    (folder / "readme.cpp").write_text("\n".join(line[4:] for line in section.splitlines() if line.startswith("    ")))
    expect("docs/cpp.md: build", by_hand(prefix, folder / "readme.cpp", folder / "readme"))
    table = call(prefix / "bin/kakehashi", "simulate", "--quiet", "--format", "csv",
                 root / "scenarios/hpcdiy-qdr/latency-qdr-node0-indirect.json").stdout
    (time,) = [line.split(",")[6] for line in table.splitlines() if ",65536," in line]
    expect("docs/cpp.md: run", call(folder / "readme", cwd=folder, KAKEHASHI_DATA=str(prefix / "share/kakehashi")), 0, [f"{float(time):.6g} us"])


def without_build(folder):
    expect("configure", call(cmake, "-S", root, "-B", folder / "empty", "-G", "Ninja", "-DKAKEHASHI_TESTS=OFF",
                             f"-DCMAKE_CXX_COMPILER={compiler}"))
    if call(cmake, "--install", folder / "empty", "--prefix", folder / "nothing").returncode == 0:
        failures.append("install: succeeds without a build")
    lacking = call(cmake, "-S", root, "-B", folder / "lacking", "-G", "Ninja", f"-DCMAKE_CXX_COMPILER={compiler}",
                   "-DCMAKE_DISABLE_FIND_PACKAGE_fmt=ON", "-DCMAKE_DISABLE_FIND_PACKAGE_pugixml=ON")
    if lacking.returncode != 1 or "Missing: fmt, pugixml.  `tools/setup` installs" not in " ".join(lacking.stderr.split("\n")):
        failures.append(f"configuring without fmt and pugixml: exit code {lacking.returncode}\n{lacking.stderr}")


with tempfile.TemporaryDirectory() as name:
    work = pathlib.Path(name).resolve()
    installed = install(work)
    files(installed)
    program(installed, work)
    pages(installed)
    examples(installed, work)
    without_build(work)
print("\n".join(failures) or "what is installed works where it was moved to")
sys.exit(bool(failures))
