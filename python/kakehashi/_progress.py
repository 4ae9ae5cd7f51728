"""Shows the progress of a study: as a line in a terminal or notebook, or by a function of the user's."""
import contextlib
import sys
import time

PATIENCE = 0.5  # seconds; quicker studies show nothing


def in_notebook():
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    return hasattr(shell, "kernel")


class Line:
    """A text that each new one replaces."""

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
    """Yields the function to call with (done, total)."""
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
