"""The commands as functions. A keyword is the option of the same name: per_device=8 is --per-device 8."""
import contextlib
import json
import os
import pathlib
import tempfile
import warnings
from collections.abc import Mapping

from ._errand import Error, answer_to, successful
from ._files import Files, FilesOfPlatforms, as_word, data_folder, find, to_json
from ._result import Result


def size_text(size):
    return f"{size} B" if isinstance(size, int) or hasattr(size, "tolist") else str(size)


def listed(values, text=str):
    """One value, or several."""
    return ",".join(map(text, [values] if isinstance(values, (str, int)) else values))


def each_file(files):
    """One file, or several."""
    return [files] if isinstance(files, (str, os.PathLike)) else files


def each_algorithm(algorithms):
    """One algorithm, or several."""
    return [algorithms] if isinstance(algorithms, (str, os.PathLike, Mapping)) else algorithms


def own_algorithm(operation, steps, blocks=None):
    """Steps that a program has made -> an algorithm for algorithm=… and algorithms=[…], or for a file.

    Each step is a list of messages, which are dictionaries as in a file, or (from, to, first block, number of blocks, adds), of which the
    last three may be left out. It is for the number of ranks for which these steps do what the operation promises.
    """
    def entry(message):
        return dict(message) if isinstance(message, Mapping) else dict(zip(("from", "to", "first", "count", "adds"), message, strict=False))

    own = {"operation": operation} if blocks is None else {"operation": operation, "blocks": blocks}
    return own | {"phases": [{"messages": [entry(message) for message in step]} for step in steps]}


def words_of_logs(option, logs):
    return [word for place, files in logs.items() for file in each_file(files) for word in [f"{option}={place}={file}"]]


def words_of_sets(values):
    return [f"--set={field}={to_json(value)}" for field, value in values.items()]


FORMS = {  # keyword -> its words, where these are not --keyword=value
    "set": words_of_sets,
    "sizes": lambda sizes: [f"--sizes={listed(sizes, size_text)}"],
    "size": lambda size: [f"--size={size_text(size)}"],
    "max_memory": lambda size: [f"--max-memory={size_text(size)}"],
    "env": lambda values: [f"--env={name}={value}" for name, value in values.items()],
    "map": lambda names: [f"--map={listed(f'{ours}={theirs}' for ours, theirs in names.items())}"],
    "timeline": lambda files: [f"--timeline={file}" for file in each_file(files)],
    "merge": lambda files: ["--merge", *map(as_word, each_file(files))],
    "log": lambda logs: words_of_logs("--log", logs),
    "collective": lambda logs: words_of_logs("--collective", logs),
    "benchmark": lambda names: [f"--benchmark={listed(names)}"],
    "training": lambda words: [f"--training={listed(words)}"],
    "inference": lambda words: [f"--inference={listed(words)}"],
    "adjustments": lambda numbers: [f"--adjustments={listed(numbers)}"],
    "ranks": lambda devices: [f"--ranks={listed(devices)}"],
    "fabrics": lambda names: [f"--fabrics={listed(names)}"],
    "algorithms": lambda names: [f"--algorithms={listed(names)}"],
    "collectives": lambda names: [f"--collectives={listed(names)}"],
    "communicators": lambda numbers: [f"--communicators={listed(numbers)}"],
    "trace_events": lambda names: [f"--trace-events={listed(names)}"],
    "placements": lambda names: [f"--placements={listed(names)}"],
    "between": lambda names: [f"--between={listed(names)}"],
    "base": lambda files: [f"--base={listed(files)}"],
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


@contextlib.contextmanager
def platforms_in_files():
    """For commands that read platforms from files only; their faults name the dictionary."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            yield FilesOfPlatforms(folder)
        except Error as error:
            raise Error([fault.replace(f"{folder}{os.sep}", "") for fault in error.faults]) from None


def words_of_study(command, scenario, platform, platforms, files, options):
    words = [command] if scenario is None else [command, files.scenario(scenario, platform is not None)]
    if options.get("algorithm") is not None:
        options["algorithm"] = files.algorithm(options["algorithm"])
    if options.get("algorithms") is not None:
        options["algorithms"] = [files.algorithm(each) for each in each_algorithm(options["algorithms"])]
    if platform is not None:
        words.append(f"--platform={files.platform(platform)}")
    if platforms is not None:
        others = [files.platform(each, f"platforms/{i}") for i, each in enumerate(platforms)]
        words.append(f"--platforms={listed(others)}")
    return [*words, *words_of(options), "--format=json"]


def outcomes(command, scenario=None, platform=None, progress=None, **options):
    """Runs a command that prints a line of JSON for each outcome -> their list."""
    files = Files()
    words = words_of_study(command, scenario, platform, None, files, options)
    return [json.loads(line) for line in successful(words, files.texts, False, progress).out.splitlines()]


def study(command, scenario, platform=None, platforms=None, progress=None, picture=True, files=None, **options):
    """Runs a command on a scenario."""
    files = files or Files()
    words = words_of_study(command, scenario, platform, platforms, files, options)
    return Result(command, successful(words, files.texts, picture, progress))


def simulate(scenario=None, *, platform=None, fabric=None, ranks=None, per_device=None, order=None, map_by=None, np=None, per_node=None,
             benchmark=None, training=None, inference=None, algorithm=None, protocol=None, channels=None, env=None, gpu_library=None, sizes=None, set=None,
             region=None, from_=None, to=None, engine=None, tolerance=None, whole=False,
             noise=None, repeat=None, jobs=None, max_memory=None, summary=False,
             timeline=None, timeline_events=None, trace_events=None, trace_file=None, report=None, plot=None, picture=True):
    """Runs a scenario -> the table that its benchmark would print on the real machine.

    With platform, benchmark and ranks no scenario is needed. set: {"/workload/window": 16}. picture=False leaves out the
    picture, for which the run is recorded; recording makes long runs take up to two thirds longer.
    """
    return study("simulate", **locals())


def sweep(scenario=None, *, platform=None, fabric=None, ranks=None, per_device=None, order=None, map_by=None, np=None, per_node=None,
          benchmark=None, training=None, inference=None, algorithm=None, protocol=None, channels=None, env=None, gpu_library=None, sizes=None, set=None,
          engine=None, tolerance=None, whole=False, noise=None, budget=None, seed=None,
          prune=False, reasons=False,
          no_reasons=False, results=None, resume=False, shard=None, merge=None, rankfile=None, machinefile=None, hostfile=None,
          timeout=None, jobs=None, max_memory=None, report=None, plot=None, progress=None, picture=True, executor=None, shards=None):
    """Runs the variants of a scenario with the key "sweep", or all orders of stated ranks -> all of them, the best first;
    result["best"]["ranks"].

    progress: None shows a line in a terminal or notebook, False nothing; a function is called with (done, total).
    executor: runs the shards of the sweep on its workers, each with one job unless jobs states more. It is anything with submit
    as in concurrent.futures, such as a ProcessPoolExecutor, mpi4py's MPIPoolExecutor or a client of Dask.
    shards: their number; by default the executor's number of workers, or of this machine's cores.
    """
    options = locals()
    executor, shards = options.pop("executor"), options.pop("shards")
    if executor is None:
        return study("sweep", **options)
    if shard or merge or results or resume:
        raise TypeError("an executor shares the sweep by itself: without shard, merge, results and resume")
    return sweep_on(executor, shards or getattr(executor, "_max_workers", None) or os.cpu_count(), options)


class Sweep:
    """Placements of a scenario's ranks -> the outcome of each, for a search of your own. Options are those of sweep.

    What has run is kept in results, or as long as the object is: equal placements run once. The order of the ranks varies if
    the scenario does not state what does.
    """

    def __init__(self, scenario=None, *, results=None, **options):
        self.options = {"scenario": scenario, "progress": False, **options}
        self.folder = None if results else tempfile.TemporaryDirectory()
        self.results = results or os.path.join(self.folder.name, "results")

    def evaluate(self, placements):
        """A list of placements, each a list of the ranks' devices -> a list with a dictionary for each: time_us, rate, or failure."""
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "placements")
            file.write_text("".join(" ".join(placement) + "\n" for placement in placements), encoding="utf-8")
            try:
                return outcomes("sweep", candidates=file, results=self.results, resume=True, **self.options)
            except Error as error:
                raise Error([fault.replace(str(file), "placements") for fault in error.faults]) from None


def run_shard(options):
    """The results of one shard; a worker elsewhere calls this."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder, "results")
        study("sweep", **options, results=str(file))
        return file.read_bytes()


def sweep_on(executor, shards, options):
    own = {key: options.pop(key) for key in ("report", "plot", "progress", "picture", "rankfile", "machinefile", "hostfile")}
    for key in ("results", "resume", "merge", "shard"):
        options.pop(key)
    tell = own.pop("progress") or (lambda done, total: None)
    part = {**options, "jobs": options["jobs"] or 1, "progress": False, "picture": False}
    futures = [executor.submit(run_shard, {**part, "shard": f"{number}/{shards}"}) for number in range(1, shards + 1)]
    with tempfile.TemporaryDirectory() as folder:
        files = [pathlib.Path(folder, str(number)) for number in range(shards)]
        for done, (file, future) in enumerate(zip(files, futures), 1):
            try:
                file.write_bytes(future.result())
            except Error:
                raise
            except Exception as problem:  # what an executor raises if a worker is lost is its own
                warnings.warn(f"shard {done}/{shards} was lost ({problem!r}), and runs here", stacklevel=3)
                file.write_bytes(run_shard({**part, "jobs": options["jobs"] or os.cpu_count(), "shard": f"{done}/{shards}"}))
            tell(done, shards)
        return study("sweep", **options, **own, progress=False, merge=files)


def compare(scenario=None, *, platform=None, fabric=None, fabrics=None, platforms=None, map=None, algorithms=None, baseline=None,
            ranks=None, per_device=None, order=None, map_by=None, np=None, per_node=None, benchmark=None, training=None, inference=None, algorithm=None,
            protocol=None, channels=None, env=None, gpu_library=None, sizes=None, set=None, region=None, from_=None, to=None, jobs=None,
            max_memory=None, report=None, plot=None, progress=None,
            picture=True):
    """Runs a scenario on several fabrics or platforms, or with several algorithms -> a row for each size and contender."""
    return study("compare", **locals())


def explain(scenario=None, *, log=None, size=None, from_=None, to=None, platform=None, fabric=None, ranks=None, per_device=None, order=None,
            map_by=None, np=None, per_node=None, benchmark=None, training=None, inference=None, algorithm=None, protocol=None, channels=None, env=None, gpu_library=None,
            sizes=None, set=None, jobs=None, max_memory=None,
            report=None, plot=None, progress=None,
            picture=True):
    """Shows where the time of one message goes if a size is given, and otherwise that of the whole scenario; or what a log of IMB or OSU
    shows.

    A log takes the scenario's place, or log states where its ranks were: {"same-socket": "near.log"}.
    """
    options = locals()
    with platforms_in_files() as files:
        return study("explain", files=files, **options)


def tune(platform, *, ranks, per_device=None, fabric=None, library=None, env=None, collectives=None, communicators=None, placements=None, sizes=None,
         margin=None, rules=None, base=None, against=None, measured=None, set=None, engine=None, tolerance=None, whole=False, noise=None,
         results=None, resume=False, timeout=None, jobs=None, max_memory=None, report=None, plot=None, progress=None):
    """Finds the algorithms that an MPI library should take -> a row for each operation, communicator, placement and size.

    result["confirming_runs"]: runs that would settle what is not sure; measured is the folder with their outputs.
    """
    options = locals()
    files = Files()
    name = files.platform(options.pop("platform"))
    return Result("tune", successful(["tune", name, *words_of({key: value for key, value in options.items() if key != "progress"}), "--format=json"],
                                     files.texts, False, progress))


def validate(*names, no_large=False, jobs=None, report=None, plot=None, progress=None, picture=True):
    """Compares predictions with measurements: of a shipped platform, of all of them, or of scenario files with references."""
    files = [find(name) for name in names]
    data = [] if any(name.endswith(".json") for name in files) else [f"--data={data_folder()}"]
    options = words_of({"no_large": no_large, "jobs": jobs, "report": report, "plot": plot})
    return Result("validate", successful(["validate", *files, *data, *options, "--format=json"], {}, picture, progress))


def calibrate(*files, log=None, collective=None, map_by=None, regimes=None, rendezvous=None, platform=None, fabric=None, ranks=None,
              benchmark=None, adjustments=None, set=None, merge=None, jobs=None, report=None, plot=None, progress=None):
    """Fits a fabric to logs, or to scenarios with references -> the fit as a dictionary, for several distances a list.

    log: {"same-socket": ["latency.log", "bw.log"]}. collective: {"2x64": ["alltoall.log", "allreduce.log"], "2x64:ring": "allgather.log"}.
    merge: a platform, file or dictionary -> the platform with the values in it, as a dictionary.
    """
    words = ["calibrate", *map(find, files)]
    words += words_of({"log": log, "collective": collective, "map_by": map_by, "regimes": regimes, "rendezvous": rendezvous,
                       "fabric": fabric, "ranks": ranks, "benchmark": benchmark, "adjustments": adjustments, "set": set, "jobs": jobs,
                       "report": report, "plot": plot})
    words += [] if merge is not None else ["--format=json"]
    with platforms_in_files() as named:
        for option, given in (("platform", platform), ("merge", merge)):
            words += [f"--{option}={named.platform(given, option)}"] if given is not None else []
        return json.loads(successful(words, {}, False, progress).out)


def list(what):  # pylint: disable=redefined-builtin
    """Lists "benchmarks", "algorithms", or the devices of a platform and the paths between them -> a dictionary."""
    with platforms_in_files() as named:
        return json.loads(successful(["list", named.platform(what), "--format=json"], {}).out)


def export(what=None, *, to=None, between=None, trace=None, platform=None, fabric=None, ranks=None, per_device=None, order=None, map_by=None,
           np=None, per_node=None, benchmark=None, training=None, inference=None, algorithm=None, protocol=None, channels=None, env=None, gpu_library=None, sizes=None, set=None,
           max_memory=None):
    """Writes a platform for SimGrid, InfraGraph or Graphviz, or with trace the operations of a scenario's ranks -> the text of the file."""
    files = Files()
    words = ["export"]
    if what is not None:
        words.append(files.scenario(what, platform is not None) if trace else files.platform(what))
    if platform is not None:
        words.append(f"--platform={files.platform(platform)}")
    options = {"to": to, "between": between, "trace": trace, "fabric": fabric, "ranks": ranks, "per_device": per_device, "order": order,
               "map_by": map_by, "np": np, "per_node": per_node, "benchmark": benchmark, "training": training, "inference": inference, "algorithm": algorithm, "protocol": protocol,
               "channels": channels, "env": env, "gpu_library": gpu_library, "sizes": sizes, "set": set, "max_memory": max_memory}
    return successful([*words, *words_of(options)], files.texts).out


def is_platform(document):
    return "fabrics" in document and "workload" not in document and "ranks" not in document


def check(what):
    """Checks a scenario or platform, a file or a dictionary -> a list of all its faults."""
    files = Files()
    name = files.platform(what) if isinstance(what, Mapping) and is_platform(what) else files.scenario(what)
    return answer_to(["check", "--quiet", name], files.texts).faults


def read_platform(file):
    """Reads a platform file -> a dictionary; raises Error if the file has faults."""
    faults = check(file)
    platform = None if faults else json.loads(pathlib.Path(find(file)).read_text(encoding="utf-8"))
    if platform is not None and not is_platform(platform):
        faults = [f"{file}: got a scenario, expected a platform"]
    if faults:
        raise Error(faults)
    return platform


def import_platform(*files, this_machine=False, node=None, gpus=None, gpu=None, pcie=None, sockets=None, cores=None, processor=None, memory=None, cache=None,
                    nodes=None, network=None, adapters=None, library=None, name=None):
    """Reads what lstopo, NCCL and others write of a machine, or its data sheet -> a platform as a dictionary. Warns of assumed values."""
    options = words_of({"this_machine": this_machine, "node": node, "gpus": gpus, "gpu": gpu, "pcie": pcie, "sockets": sockets,
                        "cores": cores, "processor": processor, "memory": memory, "cache": cache, "nodes": nodes, "network": network, "adapters": adapters,
                        "library": library, "name": name})
    answer = successful(["import", *map(find, files), *options], {})
    for note in answer.notes.splitlines():
        warnings.warn(note.removeprefix("note: "), stacklevel=2)
    return json.loads(answer.out)
