"""Predicts how long MPI messages take on clusters whose nodes are not flat.

    import kakehashi as kk
    kk.simulate("scenarios/hpcdiy-qdr/latency-qdr-node0-indirect.json").to_pandas()

A scenario is a file or a dictionary, and so is a platform. Files that are not there are looked for among those that come with
Kakehashi. What is wrong with them is raised as an Error, with all faults. docs/python.md has more.
"""
from ._commands import check, compare, explain, import_platform, read_platform, simulate, sweep, validate
from ._errand import Error
from ._files import data_folder
from ._result import Result

__all__ = ["Error", "Result", "check", "compare", "data_folder", "explain", "import_platform", "read_platform", "simulate", "sweep",
           "validate"]
