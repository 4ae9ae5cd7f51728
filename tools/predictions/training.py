#!/usr/bin/env python3
"""Predicts steps of training from data sheets, and compares with a table of measured ones.

Usage: training.py KAKEHASHI CSV [--node NAME] [--network LINE] [--set FIELD=VALUE]… [--halves row|profile] [--rows] [--at-most PERCENT] [--jobs N]

CSV has a line for each step with the columns of vTrain's published tables: # GPUs, global batch, micro batch, hidden size, attention heads,
# layers, sequence length, tensor, data and pipeline parallelism, iteration time (ms). Layouts of one model, number of GPUs and batch are
compared with each other: pairs more than 5 % apart, and how much slower the layout is that is predicted to be the fastest.

What the tables do not state is taken as Megatron-LM and DeepSpeed of 2021 and 2022 had it by default: fp16 with gradients of 2 bytes,
attention as products and a softmax, layers that run again for the backward pass, an optimiser that replicas share out, calls that do not
overlap, a vocabulary of 51200. --set states another, as a field of the workload. --halves sets the efficiencies of products and of memory
and the launch of a layer on every other row, or on all rows of every other profile, and predicts the rest, both ways round. A profile is what a
simulator measures once for many rows: a layer of some hidden size, tensor parallelism and micro-batch."""
import argparse
import concurrent.futures
import csv
import itertools
import json
import pathlib
import statistics
import subprocess
import tempfile

USUAL = {"precision": "fp16", "gradients": "fp16", "attention": "unfused", "splits_sequence": False, "recompute": "full", "sharding": "optimizer",
         "schedule": "1f1b"}
CONSTANTS = {"gemm_efficiency": 0.85, "memory_efficiency": 0.82, "layer_launch": 1.05}
APART = 0.05


def steps_of(file):
    """Each row as numbers by the first words of its columns."""
    lines = [line for line in file.read_text(encoding="utf-8-sig").splitlines() if line.strip()]
    first = next(i for i, line in enumerate(lines) if "iteration time" in line)
    for row in csv.DictReader(lines[first:]):
        yield {name.strip().lower(): float(value) for name, value in row.items()}


def number(step, name):
    return int(next(value for key, value in step.items() if key.startswith(name)))


def key_of(step):
    return tuple(number(step, name) for name in ("# gpus", "global batch", "hidden", "# layers", "sequence"))


def profile_of(step):
    return tuple(number(step, name) for name in ("hidden", "tensor", "micro"))


def halves(steps, by):
    """The steps in two parts; those of a profile are in the same one."""
    keys = list(range(len(steps))) if by == "row" else [profile_of(step) for step in steps]
    place = {key: i for i, key in enumerate(sorted(set(keys)))}
    return [[step for step, key in zip(steps, keys) if place[key] % 2 == half] for half in (0, 1)]


def scenario_of(step, platform, settings):
    heads = number(step, "attention heads")
    shape = {"layers": number(step, "# layers"), "hidden": number(step, "hidden"), "heads": heads, "vocabulary": 51200,
             "sequence": number(step, "sequence")}
    work = {"model": shape, "global_batch": number(step, "global batch"), "micro_batch": number(step, "micro batch"),
            "tensor": number(step, "tensor"), "data": number(step, "data"), "pipeline": number(step, "pipeline"), **settings}
    return {"name": "step", "platform": str(platform), "fabric": "ib", "ranks": {"on": ["*gpu*"], "count": number(step, "# gpus")},
            "workload": {"training": work}}


def run(*command, **options):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, **options)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(map(str, command))}\n{done.stderr}")
    return done.stdout


class Machine:
    def __init__(self, arguments, folder):
        self.arguments, self.folder = arguments, folder

    def platform(self, gpus):
        nodes = -(-gpus // 8)
        file = self.folder / f"nodes-{nodes}.json"
        if not file.exists():
            network = ["--network", self.arguments.network] if nodes > 1 else []
            run(self.arguments.program, "import", "--node", self.arguments.node, "--nodes", nodes, *network, "-o", file)
            document = json.loads(file.read_text())
            document["gpu_library"] = {"name": "nccl", "version": self.arguments.library}
            self.fabric = next(iter(document["fabrics"]))
            file.write_text(json.dumps(document))
        return file

    def predicted(self, step, settings):
        """The step in ms, and whether its memory fits; None: the program refuses it."""
        scenario = scenario_of(step, self.platform(number(step, "# gpus")), settings)
        scenario["fabric"] = self.fabric
        done = subprocess.run([str(self.arguments.program), "simulate", "-", "--quiet", "--format", "json"], capture_output=True, text=True,
                              input=json.dumps(scenario))
        if done.returncode != 0:
            print(f"left out: {done.stderr.strip()}")
            return None
        document = json.loads(done.stdout)
        return document["step_ms"], document["fits"]

    def all(self, steps, settings):
        for gpus in sorted({number(step, "# gpus") for step in steps}):
            self.platform(gpus)
        with concurrent.futures.ThreadPoolExecutor(self.arguments.jobs) as pool:
            return list(pool.map(lambda step: self.predicted(step, settings), steps))


def measured(step):
    return next(value for key, value in step.items() if key.startswith("iteration time"))


def error(steps, times):
    return statistics.mean(abs(time / measured(step) - 1) for step, (time, _) in zip(steps, times))


def pairs(steps, times):
    """How many pairs of layouts of one model are clearly apart, and how many of these have the right order."""
    apart = right = 0
    for (a, (p, _)), (b, (q, _)) in itertools.combinations(zip(steps, times), 2):
        if key_of(a) != key_of(b) or abs(measured(a) / measured(b) - 1) <= APART:
            continue
        apart += 1
        right += (measured(a) < measured(b)) == (p < q)
    return right, apart


def regret(steps, times):
    """The mean over models of the measured time of the layout that is predicted to be fastest, over the least."""
    found = {}
    for step, (time, _) in zip(steps, times):
        found.setdefault(key_of(step), []).append((time, measured(step)))
    several = [rows for rows in found.values() if len(rows) > 1]
    return statistics.mean(min(rows)[1] / min(row[1] for row in rows) for rows in several) if several else 1


def fitted(machine, steps, settings):
    """The constants with the least mean error, one after the other, by finer steps."""
    constants = dict(CONSTANTS)

    def score(trial):
        return error(steps, machine.all(steps, {**settings, **trial, "layer_launch": f"{trial['layer_launch']} ms"}))

    best = score(constants)
    for factor in (1.15, 1.05):
        for name in constants:
            for change in (factor, 1 / factor):
                while True:
                    trial = {**constants, name: round(constants[name] * change, 4)}
                    if name != "layer_launch" and trial[name] > 1:
                        break
                    if (found := score(trial)) >= best:
                        break
                    best, constants = found, trial
    return {**constants, "layer_launch": f"{constants['layer_launch']} ms"}


def tell(title, steps, times):
    right, apart = pairs(steps, times)
    order = f", {right} of {apart} pairs in order ({100 * right / apart:.0f} %)" if apart else ""
    print(f"{title}: {len(steps)} steps, mean error {100 * error(steps, times):.1f} %{order}, regret {regret(steps, times):.3f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=lambda name: pathlib.Path(name).resolve())
    parser.add_argument("table", type=pathlib.Path)
    parser.add_argument("--node", default="hgx-a100-4hdr", help="of the machine: a name of nodes/")
    parser.add_argument("--network", default="fat-tree:HDR:40")
    parser.add_argument("--library", default="2.14", help="the release of NCCL, which is assumed")
    parser.add_argument("--set", action="append", default=[], metavar="FIELD=VALUE")
    parser.add_argument("--halves", choices=("row", "profile"))
    parser.add_argument("--at-most", type=float, metavar="PERCENT", help="fail if the mean error with the shipped constants is larger")
    parser.add_argument("--rows", action="store_true", help="also print each row")
    parser.add_argument("--every", type=int, default=1, help="take every so manieth row only")
    parser.add_argument("--jobs", type=int, default=2)
    arguments = parser.parse_args()
    settings = dict(USUAL)
    for word in arguments.set:
        name, value = word.split("=", 1)
        try:
            settings[name] = json.loads(value)
        except ValueError:
            settings[name] = value
    steps = list(steps_of(arguments.table))[::arguments.every]
    with tempfile.TemporaryDirectory() as name:
        machine = Machine(arguments, pathlib.Path(name))
        found = [(step, time) for step, time in zip(steps, machine.all(steps, settings)) if time]
        steps, times = [step for step, _ in found], [time for _, time in found]
        if arguments.rows:
            for step, (time, fits) in zip(steps, times):
                layout = " ".join(f"{each} {number(step, each)}" for each in ("micro", "tensor", "data", "pipeline"))
                print(f"{measured(step):10.1f} ms {time:10.1f} ms {100 * (time / measured(step) - 1):+6.1f} %  {layout}{'' if fits else ', too large'}")
        tell("shipped constants", steps, times)
        if arguments.at_most is not None and 100 * error(steps, times) > arguments.at_most:
            raise SystemExit(f"more than {arguments.at_most} %")
        if arguments.halves:
            parts = halves(steps, arguments.halves)
            for rest, others in (parts, parts[::-1]):
                constants = fitted(machine, others, settings)
                tell(f"set on the other half ({', '.join(f'{k} {v}' for k, v in constants.items())})", rest,
                     machine.all(rest, {**settings, **constants}))


if __name__ == "__main__":
    main()
