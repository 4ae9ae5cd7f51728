"""The result of a command: rows and columns, a table of pandas, JSON and a picture."""
import base64
import html
import json

HTML_ROWS = 60  # in a notebook, at most
PLACE = ("scenario", "platform", "fabric")  # the names in front of each row


def rows_of_run(data):
    """The rows of a benchmark's table; for a replay one for each rank, and for a step of training one for each part of its time."""
    if "parts" in data:
        return data["parts"]
    if "rows" in data:
        return data["rows"]
    ranks = [{"rank": rank, "device": device, "end_us": ends}
             for rank, (device, ends) in enumerate(zip(data["ranks"], data["rank_ends_us"]))]
    for row, times in zip(ranks, data.get("summary", {}).get("ranks", [])):
        row.update(times)
    return ranks


def verdict_of(contender, as_fast):
    return None if contender not in as_fast else "tie" if len(as_fast) > 1 else "wins"


def rows_of_comparison(data):
    """A row for each size and contender."""
    return [{"size": row["size"], "contender": name, **place, **times, "verdict": verdict_of(name, row["as_fast"])}
            for row in data["rows"] for name, place, times in zip(data["contenders"], data["places"], row["times"])]


def rows_of_explanation(data):
    """The steps of a message, the links of a run, the changes of a step of training or of NCCL's calls, or the faults that were tried on a
    log; without these the log's changes of protocol."""
    for key in ("waterfall", "faults", "changes"):
        if key in data:
            return data[key]
    if "tables" in data:
        return [{"table": table["name"], **{key: value for key, value in change.items() if key != "variables"}}
                for table in data["tables"] for change in table["changes"]]
    return data["links"]


def rows_of_tuning(data):
    return [{**{key: operation[key] for key in ("operation", "placement", "ranks")}, "size": size["size"],
             "default": size["default"]["algorithm"], "default_us": size["default"]["time_us"],
             "take": size["take"]["algorithm"], "take_us": size["take"]["time_us"],
             "gain": size["gain"], "sure": size.get("sure")}
            for operation in data["operations"] for size in operation["sizes"]]


ROWS = {
    "simulate": rows_of_run,
    "compare": rows_of_comparison,
    "sweep": lambda data: data["layouts"] if "layouts" in data else data["points"],
    "explain": rows_of_explanation,
    "tune": rows_of_tuning,
    "validate": lambda data: data["rows"],
}


def text_of(value):
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, list):
        return " ".join(map(str, value))
    return "" if value is None else str(value)


class Result:
    """`rows` is a list of dictionaries, `columns` their keys, `notes` what the command would write to standard error. result["key"] is
    a value of the JSON output, which to_dict() has whole. In a notebook the result shows its picture and its rows."""

    def __init__(self, command, answer):
        self._command, self._data = command, json.loads(answer.out)
        self.notes = answer.notes.splitlines()
        self.svg = answer.chart or None
        self.rows = ROWS[command](self._data)
        self.columns = list(dict.fromkeys(key for row in self.rows for key in row))

    def to_dict(self):
        """The whole output, as the command prints it with --format json; docs/output.md describes the keys."""
        return self._data

    def __getitem__(self, key):
        return self._data[key]

    def to_pandas(self):
        """The rows as a DataFrame, with scenario, platform and fabric in front, as in CSV; so rows of several runs can be concatenated."""
        try:
            import pandas
        except ImportError:
            raise ImportError("to_pandas() needs pandas, which is not installed: pip install pandas") from None
        place = {key: self._data[key] for key in PLACE if key in self._data and key not in self.columns}
        return pandas.DataFrame([place | row for row in self.rows], columns=[*place, *self.columns])

    def _title(self):
        place = [self._data[key] for key in PLACE if key in self._data]
        return f"{self._command} {', '.join(place)}".strip()

    def __repr__(self):
        return f"<{self._title()}: {len(self.rows)} rows of {', '.join(self.columns)}>"

    def _repr_svg_(self):
        return self.svg

    def _repr_html_(self):
        head = "".join(f"<th>{html.escape(name)}</th>" for name in self.columns)
        body = "".join("<tr>" + "".join(f"<td>{html.escape(text_of(row.get(name)))}</td>" for name in self.columns) + "</tr>"
                       for row in self.rows[:HTML_ROWS])
        more = len(self.rows) - HTML_ROWS
        parts = []
        if self.svg:  # as an image, whose styles stay apart from the notebook's
            image = base64.b64encode(self.svg.encode()).decode()
            parts.append(f'<img alt="{html.escape(self._title())}" src="data:image/svg+xml;base64,{image}"/>')
        parts.append(f"<details><summary>{html.escape(self._title())}: {len(self.rows)} rows</summary>"
                     f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
                     f"{f'<p>and {more} more rows</p>' if more > 0 else ''}</details>")
        return "\n".join(parts)
