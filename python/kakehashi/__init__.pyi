# The types of the package's public names; a test compares them with those of _commands.py.
import builtins
from collections.abc import Callable, Iterable, Mapping
from os import PathLike
from typing import Any

Path = str | PathLike[str]
Paths = Path | Iterable[Path]
Document = Path | Mapping[str, Any]  # a file, or its contents
Names = str | Iterable[str]
Size = int | str  # such as 4096 or "4 KiB"
Sizes = Size | Iterable[Size]
Progress = bool | Callable[[int, int], None] | None

__version__: str

class Error(Exception):
    faults: builtins.list[str]
    def __init__(self, faults: Iterable[str]) -> None: ...

class Result:
    rows: builtins.list[dict[str, Any]]
    columns: builtins.list[str]
    notes: builtins.list[str]
    svg: str | None
    def to_dict(self) -> dict[str, Any]: ...
    def __getitem__(self, key: str) -> Any: ...
    def to_pandas(self) -> Any: ...

class Sweep:
    def __init__(self, scenario: Document | None = None, *, results: Path | None = None, **options: Any) -> None: ...
    def evaluate(self, placements: Iterable[Iterable[str]]) -> builtins.list[dict[str, Any]]: ...

def data_folder() -> str: ...
def own_algorithm(operation: str, steps: Iterable[Iterable[Any]], blocks: int | str | None = None) -> dict[str, Any]: ...
def simulate(scenario: Document | None = None, *, platform: Document | None = None, fabric: str | None = None,
        ranks: Names | None = None, per_device: int | None = None, order: str | None = None, map_by: str | None = None,
        np: int | None = None, per_node: int | None = None, benchmark: Names | None = None, training: Names | None = None, inference: Names | None = None, algorithm: Document | None = None, protocol: str | None = None,
        channels: int | None = None, env: Mapping[str, str] | None = None, gpu_library: str | None = None,
        sizes: Sizes | None = None, set: Mapping[str, object] | None = None, region: str | None = None, from_: str | None = None,
        to: str | None = None, engine: str | None = None,
        tolerance: float | None = None, whole: bool = False, noise: float | None = None, repeat: int | None = None, jobs: int | None = None,
        max_memory: Size | None = None, summary: bool = False, timeline: Paths | None = None, timeline_events: int | None = None, trace_events: Names | None = None, trace_file: Path | None = None,
        report: Path | None = None, plot: Path | None = None, picture: bool = True) -> Result: ...
def sweep(scenario: Document | None = None, *, platform: Document | None = None, fabric: str | None = None,
        ranks: Names | None = None, per_device: int | None = None, order: str | None = None, map_by: str | None = None,
        np: int | None = None, per_node: int | None = None, benchmark: Names | None = None, training: Names | None = None, inference: Names | None = None, algorithm: Document | None = None, protocol: str | None = None,
        channels: int | None = None, env: Mapping[str, str] | None = None, gpu_library: str | None = None,
        sizes: Sizes | None = None, set: Mapping[str, object] | None = None, engine: str | None = None,
        tolerance: float | None = None, whole: bool = False, noise: float | None = None, budget: int | str | None = None, seed: int | None = None,
        prune: bool = False, reasons: bool = False, no_reasons: bool = False, results: Path | None = None, resume: bool = False,
        shard: str | None = None, merge: Paths | None = None, rankfile: Path | None = None, machinefile: Path | None = None,
        hostfile: Path | None = None, timeout: str | None = None, jobs: int | None = None, max_memory: Size | None = None,
        report: Path | None = None, plot: Path | None = None, progress: Progress = None, picture: bool = True,
        executor: Any = None, shards: int | None = None) -> Result: ...
def compare(scenario: Document | None = None, *, platform: Document | None = None, fabric: str | None = None,
        fabrics: Names | None = None, platforms: Iterable[Document] | None = None, map: Mapping[str, str] | None = None,
        algorithms: Names | Document | Iterable[Document] | None = None, baseline: str | None = None, ranks: Names | None = None, per_device: int | None = None,
        order: str | None = None, map_by: str | None = None, np: int | None = None, per_node: int | None = None,
        benchmark: Names | None = None, training: Names | None = None, inference: Names | None = None, algorithm: Document | None = None, protocol: str | None = None,
        channels: int | None = None, env: Mapping[str, str] | None = None, gpu_library: str | None = None, sizes: Sizes | None = None,
        set: Mapping[str, object] | None = None, region: str | None = None, from_: str | None = None, to: str | None = None,
        jobs: int | None = None, max_memory: Size | None = None,
        report: Path | None = None, plot: Path | None = None, progress: Progress = None, picture: bool = True) -> Result: ...
def explain(scenario: Document | None = None, *, log: Mapping[str, Paths] | None = None, size: Size | None = None,
        from_: str | None = None, to: str | None = None, platform: Document | None = None, fabric: str | None = None,
        ranks: Names | None = None, per_device: int | None = None, order: str | None = None, map_by: str | None = None,
        np: int | None = None, per_node: int | None = None, benchmark: Names | None = None, training: Names | None = None, inference: Names | None = None, algorithm: Document | None = None, protocol: str | None = None,
        channels: int | None = None, env: Mapping[str, str] | None = None, gpu_library: str | None = None,
        sizes: Sizes | None = None, set: Mapping[str, object] | None = None, jobs: int | None = None,
        max_memory: Size | None = None, report: Path | None = None, plot: Path | None = None, progress: Progress = None,
        picture: bool = True) -> Result: ...
def tune(platform: Document, *, ranks: Names, per_device: int | None = None, fabric: str | None = None,
        library: str | None = None, env: Mapping[str, str] | None = None, collectives: Names | None = None, communicators: Iterable[int] | int | None = None,
        placements: Names | None = None, sizes: Sizes | None = None, margin: float | None = None, rules: Path | None = None,
        base: Paths | None = None, against: Path | None = None, measured: Path | None = None,
        set: Mapping[str, object] | None = None, engine: str | None = None, tolerance: float | None = None, whole: bool = False,
        noise: float | None = None,
        results: Path | None = None, resume: bool = False, timeout: str | None = None, jobs: int | None = None,
        max_memory: Size | None = None, report: Path | None = None, plot: Path | None = None, progress: Progress = None) -> Result: ...
def validate(*names: Path, no_large: bool = False, jobs: int | None = None, report: Path | None = None, plot: Path | None = None,
        progress: Progress = None, picture: bool = True) -> Result: ...
def calibrate(*files: Path, log: Mapping[str, Paths] | None = None, collective: Mapping[str, Paths] | None = None,
        map_by: str | None = None, regimes: int | None = None, rendezvous: Size | None = None,
        platform: Document | None = None, fabric: str | None = None, ranks: Names | None = None, benchmark: Names | None = None,
        adjustments: Iterable[int] | int | None = None, set: Mapping[str, object] | None = None, merge: Document | None = None,
        jobs: int | None = None, report: Path | None = None, plot: Path | None = None, progress: Progress = None) -> Any: ...
def list(what: Document) -> builtins.dict[str, Any]: ...
def export(what: Document | None = None, *, to: str | None = None, between: Names | None = None, trace: str | None = None,
        platform: Document | None = None,
        fabric: str | None = None, ranks: Names | None = None, per_device: int | None = None, order: str | None = None,
        map_by: str | None = None, np: int | None = None, per_node: int | None = None, benchmark: Names | None = None, training: Names | None = None, inference: Names | None = None,
        algorithm: Document | None = None, protocol: str | None = None,
        channels: int | None = None, env: Mapping[str, str] | None = None, gpu_library: str | None = None, sizes: Sizes | None = None,
        set: Mapping[str, object] | None = None,
        max_memory: Size | None = None) -> str: ...
def check(what: Document) -> builtins.list[str]: ...
def read_platform(file: Path) -> builtins.dict[str, Any]: ...
def import_platform(*files: Path, this_machine: bool = False, node: str | None = None, gpus: int | None = None, gpu: str | None = None,
        pcie: int | None = None,
        sockets: int | None = None, cores: int | None = None,
        processor: str | None = None, memory: str | None = None, cache: Size | None = None, nodes: int | str | None = None,
        network: str | None = None, adapters: int | str | None = None,
        library: str | None = None, name: str | None = None) -> builtins.dict[str, Any]: ...
