"""Predicts how long MPI messages take on clusters whose nodes are not flat.

    import kakehashi as kk
    kk.simulate("scenarios/hpcdiy-qdr/latency-qdr-node0-indirect.json").to_pandas()

A scenario is a file or a dictionary, and so is a platform. If the current folder has no file of a
name, the shipped one is taken. Faults are raised as one Error that lists them all. docs/python.md has more.
"""
from importlib.metadata import PackageNotFoundError, version

from ._commands import (calibrate, check, compare, explain, export, import_platform, list, read_platform, simulate,  # noqa: A004
                        Sweep, own_algorithm, sweep, tune, validate)
from ._errand import Error
from ._files import data_folder
from ._result import Result

try:
    __version__ = version("kakehashi")
except PackageNotFoundError:  # run from a folder, not installed
    __version__ = "unknown"

__all__ = ["Error", "Result", "Sweep", "calibrate", "check", "compare", "data_folder", "explain", "export", "import_platform", "list",
           "own_algorithm", "read_platform", "simulate", "sweep", "tune", "validate"]
