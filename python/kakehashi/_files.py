"""Turns scenarios and platforms as users give them, files or dictionaries, into names for the command line and the texts behind them."""
import json
import os
import pathlib
import tempfile
from collections.abc import Mapping


def data_folder():
    """The folder with platforms/ and scenarios/: the one that KAKEHASHI_DATA names, or that of this package."""
    return pathlib.Path(os.environ.get("KAKEHASHI_DATA") or pathlib.Path(__file__).parent / "data")


def as_word(file):
    """The path of a file as a word that no command line takes for an option."""
    path = os.fspath(file)
    return f"./{path}" if path.startswith("-") else path


def find(file):
    """The same, or the path of the shipped file of this name if the current folder has none."""
    shipped = data_folder() / file
    return str(shipped) if not os.path.exists(file) and shipped.exists() else as_word(file)


def plain(value):
    """Converts values that json cannot write by itself: numbers and arrays of numpy, and paths."""
    if hasattr(value, "tolist"):
        return value.tolist()
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    raise TypeError(f"{type(value).__name__} has no form in JSON: {value!r}")


def to_json(value):
    return json.dumps(value, default=plain, allow_nan=False)


def one_file(what, given):
    if not isinstance(given, (str, os.PathLike)):
        raise TypeError(f"got a {type(given).__name__}, expected one {what}: a file or a dictionary")
    return given


class Files:
    """Collects the texts of dictionaries, and gives each a name that the command line uses as a file's."""

    def __init__(self):
        self.texts = {}
        self.algorithms = None

    def algorithm(self, algorithm):
        """A name or a file as it is; a dictionary goes into a file, for as long as this object lives."""
        if not isinstance(algorithm, Mapping):
            return os.fspath(algorithm)
        self.algorithms = self.algorithms or tempfile.TemporaryDirectory()
        file = pathlib.Path(self.algorithms.name) / f"own-{len(os.listdir(self.algorithms.name)) + 1}.json"
        file.write_text(to_json(algorithm), encoding="utf-8")
        return str(file)

    def platform(self, platform, name="platform"):
        if not isinstance(platform, Mapping):
            return find(one_file("platform", platform))
        self.texts[name] = to_json(platform)
        return name

    def scenario(self, scenario, has_platform=False):
        """has_platform: another platform replaces the scenario's."""
        if not isinstance(scenario, Mapping):
            return find(one_file("scenario", scenario))
        scenario = dict(scenario)
        if has_platform:
            scenario["platform"] = "platform"
        elif isinstance(scenario.get("platform"), (Mapping, str, os.PathLike)):
            scenario["platform"] = self.platform(scenario["platform"])
        self.texts["scenario"] = to_json(scenario)
        return "scenario"


class FilesOfPlatforms(Files):
    """Writes platforms into a folder, for commands that read them from files."""

    def __init__(self, folder):
        super().__init__()
        self.folder = pathlib.Path(folder)

    def platform(self, platform, name="platform"):
        if not isinstance(platform, Mapping):
            return super().platform(platform)
        file = self.folder / name
        file.write_text(to_json(platform), encoding="utf-8")
        return str(file)
