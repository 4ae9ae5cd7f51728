"""Runs a command from its words -> its answer. The command runs in a process of its own, which Ctrl-C ends."""
import os

from . import _core
from ._files import data_folder
from ._progress import shown


class Error(Exception):
    """Faults in files or options, or the reason why a run failed; `faults` has a sentence for each."""

    def __init__(self, faults):
        super().__init__(faults)
        self.faults = list(faults)

    def __str__(self):
        return "\n".join(self.faults)


def answer_to(words, texts, draws=False, progress=False):
    """progress: None shows it in a terminal or notebook, False hides it, and anything else is called with (done, total)."""
    os.environ.setdefault("KAKEHASHI_DATA", str(data_folder()))  # the core would look for its data around the interpreter
    try:
        errand = _core.Errand(words=words, texts=texts, draws=draws)
    except RuntimeError as problem:
        raise Error([str(problem)]) from None
    try:
        with shown(words[0], progress) as tell:
            shown_last = (0, 0)
            while errand.wait(100):
                if errand.progress != shown_last:
                    shown_last = errand.progress
                    tell(*shown_last)
            if errand.progress != shown_last:
                tell(*errand.progress)
    finally:
        errand.stop()
    return errand.answer()


def successful(*arguments, **options):
    answer = answer_to(*arguments, **options)
    if answer.faults:
        raise Error(answer.faults)
    return answer
