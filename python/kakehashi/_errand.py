"""The words of a command -> its answer. The command runs in a process of its own, which ends with Ctrl-C."""
from . import _core
from ._progress import shown


class Error(Exception):
    """What is wrong with the files or the options, or why a run failed; `faults` has a sentence for each."""

    def __init__(self, faults):
        super().__init__(faults)
        self.faults = list(faults)

    def __str__(self):
        return "\n".join(self.faults)


def answer_to(words, texts, draws=False, progress=False):
    """progress: None shows it where somebody can see it, False does not, and anything else is called with (done, total)."""
    try:
        errand = _core.Errand(words=words, texts=texts, draws=draws)
    except RuntimeError as problem:
        raise Error([str(problem)]) from None
    try:
        with shown(words[0], progress) as tell:
            told = (0, 0)
            while errand.wait(100):
                if errand.progress != told:
                    told = errand.progress
                    tell(*told)
            if errand.progress != told:
                tell(*errand.progress)
    finally:
        errand.stop()
    return errand.answer()


def successful(*arguments, **options):
    answer = answer_to(*arguments, **options)
    if answer.faults:
        raise Error(answer.faults)
    return answer
