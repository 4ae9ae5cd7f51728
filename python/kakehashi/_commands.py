"""The commands as functions. A keyword is the option of the same name: per_device=8 is --per-device 8."""
import json
import pathlib
import warnings
from collections.abc import Mapping

from ._errand import Error, answer_to, successful
from ._files import Files, data_folder, find, to_json
from ._result import Result


def size_text(size):
    return f"{size} B" if isinstance(size, int) or hasattr(size, "tolist") else str(size)


def listed(values, text=str):
    """One value, or several."""
    return ",".join(map(text, [values] if isinstance(values, (str, int)) else values))


def words_of_sets(values):
    return [f"--set={field}={to_json(value)}" for field, value in values.items()]


FORMS = {  # keyword -> its words, where these are not --keyword=value
    "set": words_of_sets,
    "sizes": lambda sizes: [f"--sizes={listed(sizes, size_text)}"],
    "size": lambda size: [f"--size={size_text(size)}"],
    "max_memory": lambda size: [f"--max-memory={size_text(size)}"],
    "map": lambda names: [f"--map={listed(f'{ours}={theirs}' for ours, theirs in names.items())}"],
    "timeline": lambda files: [f"--timeline={file}" for file in ([files] if isinstance(files, str) else files)],
    "merge": lambda files: ["--merge", *map(str, files)],
    "ranks": lambda devices: [f"--ranks={listed(devices)}"],
    "fabrics": lambda names: [f"--fabrics={listed(names)}"],
    "algorithms": lambda names: [f"--algorithms={listed(names)}"],
}


def words_of(options):
    words = []
    for keyword, value in options.items():
        option = f"--{keyword.strip('_').replace('_', '-')}"
        if value is None or value is False:
            continue
        if keyword in FORMS:
            words += FORMS[keyword](value)
        else:
            words.append(option if value is True else f"{option}={value}")
    return words


def study(command, scenario, platform=None, platforms=None, progress=None, picture=True, **options):
    """Runs a command on a scenario."""
    files = Files()
    words = [command] if scenario is None else [command, files.scenario(scenario, platform is not None)]
    if platform is not None:
        words.append(f"--platform={files.platform(platform)}")
    if platforms is not None:
        others = [files.platform(each, f"platforms/{i}") for i, each in enumerate(platforms)]
        words.append(f"--platforms={listed(others)}")
    words += [*words_of(options), "--format=json"]
    return Result(command, successful(words, files.texts, picture, progress))


def simulate(scenario=None, *, platform=None, fabric=None, ranks=None, per_device=None, order=None, benchmark=None, algorithm=None,
             sizes=None, set=None, engine=None, tolerance=None, whole=False, repeat=None, jobs=None, max_memory=None, summary=False,
             timeline=None, timeline_events=None, report=None, plot=None, picture=True):
    """Runs a scenario -> the table that its benchmark would print on the real machine.

    With platform, benchmark and ranks no scenario is needed. set: {"/workload/window": 16}. picture=False leaves the drawing out,
    for which the run is recorded: long ones take up to two thirds more time.
    """
    return study("simulate", **locals())


def sweep(scenario=None, *, platform=None, fabric=None, ranks=None, per_device=None, order=None, benchmark=None, algorithm=None,
          sizes=None, set=None, engine=None, tolerance=None, whole=False, budget=None, seed=None, prune=False, reasons=False,
          no_reasons=False, results=None, resume=False, shard=None, merge=None, rankfile=None, machinefile=None, hostfile=None,
          timeout=None, jobs=None, max_memory=None, report=None, plot=None, progress=None, picture=True):
    """Runs the variants of a scenario with the key "sweep", or all orders of stated ranks -> all of them, the best first;
    result["best"]["ranks"].

    progress: None shows a line in a terminal or notebook, False nothing; a function is called with (done, total).
    """
    return study("sweep", **locals())


def compare(scenario=None, *, platform=None, fabric=None, fabrics=None, platforms=None, map=None, algorithms=None, baseline=None,
            ranks=None, per_device=None, order=None, benchmark=None, algorithm=None, sizes=None, set=None, jobs=None, max_memory=None,
            report=None, plot=None, progress=None, picture=True):
    """Runs a scenario on several fabrics or platforms, or with several algorithms -> a row for each size and contender."""
    return study("compare", **locals())


def explain(scenario=None, *, size=None, from_=None, to=None, platform=None, fabric=None, ranks=None, per_device=None, order=None,
            benchmark=None, algorithm=None, sizes=None, set=None, jobs=None, max_memory=None, report=None, plot=None, progress=None,
            picture=True):
    """Shows where the time of one message goes, if a size is given, or else of the whole scenario."""
    return study("explain", **locals())


def validate(*names, no_large=False, jobs=None, report=None, plot=None, progress=None, picture=True):
    """Compares predictions with measurements: of a shipped platform, of all of them, or of scenario files with references."""
    files = [find(name) if str(name).endswith(".json") else name for name in names]
    data = [] if any(name.endswith(".json") for name in files) else [f"--data={data_folder()}"]
    options = words_of({"no_large": no_large, "jobs": jobs, "report": report, "plot": plot})
    return Result("validate", successful(["validate", *files, *data, *options, "--format=json"], {}, picture, progress))


def is_platform(document):
    return "fabrics" in document and "workload" not in document and "ranks" not in document


def check(what):
    """A scenario or platform, file or dictionary -> a list of all its faults."""
    files = Files()
    name = files.platform(what) if isinstance(what, Mapping) and is_platform(what) else files.scenario(what)
    return answer_to(["check", "--quiet", name], files.texts).faults


def read_platform(file):
    """A platform file -> a dictionary, once it is free of faults."""
    faults = check(file)
    platform = None if faults else json.loads(pathlib.Path(find(file)).read_text(encoding="utf-8"))
    if platform is not None and not is_platform(platform):
        faults = [f"{file}: got a scenario, expected a platform"]
    if faults:
        raise Error(faults)
    return platform


def import_platform(*files, this_machine=False, sockets=None, cores=None, processor=None, memory=None, cache=None, nodes=None,
                    network=None, adapters=None, name=None):
    """What lstopo, NCCL and others have of a machine, or its data sheet -> a platform as a dictionary. Warns of what had to be assumed."""
    options = words_of({"this_machine": this_machine, "sockets": sockets, "cores": cores, "processor": processor, "memory": memory,
                        "cache": cache, "nodes": nodes, "network": network, "adapters": adapters, "name": name})
    answer = successful(["import", *map(find, files), *options], {})
    for note in answer.notes.splitlines():
        warnings.warn(note.removeprefix("note: "), stacklevel=2)
    return json.loads(answer.out)
