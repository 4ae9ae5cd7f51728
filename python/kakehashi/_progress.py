"""How far a study is: a line in a terminal or notebook, or whatever the user calls."""
import contextlib
import sys
import time

PATIENCE = 0.5  # seconds: what is quicker shows nothing


def in_notebook():
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    return hasattr(shell, "kernel")


class Line:
    """Text that takes the place of what it said before."""

    def __init__(self, what):
        self.what, self.start, self.handle = what, time.monotonic(), None

    def __call__(self, done, total):
        passed = time.monotonic() - self.start
        if passed < PATIENCE or not total:
            return
        left = f", {passed / done * (total - done):.0f} s left" if 0 < done < total else ""
        self.show(f"{self.what}: {done} of {total}{left}")

    def end(self):
        pass


class TerminalLine(Line):
    def show(self, text):
        self.handle = True
        sys.stderr.write(f"\r{text}\033[K")
        sys.stderr.flush()

    def end(self):
        if self.handle:
            sys.stderr.write("\r\033[K")
            sys.stderr.flush()


class NotebookLine(Line):
    def show(self, text):
        from IPython.display import display
        data = {"text/plain": text}
        if self.handle:
            self.handle.update(data, raw=True)
        else:
            self.handle = display(data, raw=True, display_id=True)


@contextlib.contextmanager
def shown(what, progress):
    """What is to be called with (done, total)."""
    if callable(progress):
        yield progress
        return
    if progress is None and in_notebook():
        line = NotebookLine(what)
    elif progress is None and sys.stderr is not None and sys.stderr.isatty():
        line = TerminalLine(what)
    else:
        yield lambda done, total: None
        return
    try:
        yield line
    finally:
        line.end()
