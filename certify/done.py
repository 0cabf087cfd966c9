"""Steps that no signal divides, and the account of what is done: how a run ends undoes neither.

A release that was drawn, or a file that was written, stands whatever comes afterwards: a standard
output that is full, a signal, a fault of ours. Whoever is told of that alone would draw again. So
what is done is kept here, where the last sentence of a run finds it.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from types import FrameType

# The signals that the command line unwinds at.
ENDING: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGXCPU, signal.SIGALRM)
_MOST_NAMES: Final = 5


class _Account:
    """What this process has done; kept by a command line alone, whose process ends."""

    is_kept = False
    # Dictionaries, for their order: a ledger is written twice and told once.
    sentences: dict[str, None] = {}  # noqa: RUF012
    files: dict[str, None] = {}  # noqa: RUF012


def begin_account() -> None:
    """Keep from now on what is done, and nothing from before."""
    _Account.is_kept = True
    _Account.sentences, _Account.files = {}, {}


def has_done(sentence: str) -> None:
    """Keep the sentence on something that cannot be undone."""
    if _Account.is_kept:
        _Account.sentences[sentence] = None


def has_written(file: Path) -> None:
    """Keep the name of a file that is whole and in its place."""
    if _Account.is_kept:
        _Account.files[str(file)] = None


def has_removed(file: Path) -> None:
    """Forget a file that was written and is taken back."""
    _Account.files.pop(str(file), None)


def account() -> str:
    """Return what was done, for the end of a sentence; nothing where nothing was."""
    names = list(_Account.files)
    more = f" and {len(names) - _MOST_NAMES} more" if len(names) > _MOST_NAMES else ""
    written = [f"written: {', '.join(names[:_MOST_NAMES])}{more}"] if names else []
    return "; ".join([*_Account.sentences, *written])


@contextmanager
def undivided() -> Iterator[None]:
    """Hold back the signals that this process unwinds at until the block has ended.

    One that came is heeded then, unless the block ends with an error, which ends the run as well
    and says more. For steps that wait for disks alone: nothing but SIGKILL ends them.
    """
    # Elsewhere no signal is heeded, and none may be held back.
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[int] = []

    def hold_back(number: int, _frame: FrameType | None) -> None:
        came.append(number)

    before = {number: signal.getsignal(number) for number in ENDING}
    heeded = {number: handler for number, handler in before.items() if callable(handler)}
    try:
        for number in heeded:
            signal.signal(number, hold_back)
        yield
    finally:
        for number, handler in heeded.items():
            signal.signal(number, handler)
    if came:
        signal.raise_signal(came[0])
