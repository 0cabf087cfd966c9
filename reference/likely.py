"""Where the answer may be, for whoever finds it as a root; a matter of speed alone.

Somebody may say it: another engine, a stranger's certificate, the answer that is to be judged. The
search begins beside that; what is proved is proved as anywhere else, and whatever was said is
forgotten where it is not so.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from fractions import Fraction

from .enclosure import Enclosure

_likely: ContextVar[Fraction | None] = ContextVar("likely", default=None)


@contextmanager
def looking_near(answer: Enclosure | Fraction | None) -> Iterator[None]:
    """Let whoever encloses a number that is a root begin to look for it there; None: anywhere."""
    token = _likely.set(_place(answer))
    try:
        yield
    finally:
        _likely.reset(token)


def _place(answer: Enclosure | Fraction | None) -> Fraction | None:
    """Return the middle of what is said, if that is a positive number."""
    if not isinstance(answer, Enclosure):
        return answer if answer is not None and answer > 0 else None
    lower, upper = answer.lower, answer.upper
    if not (isinstance(lower, Fraction) and isinstance(upper, Fraction) and lower + upper > 0):
        return None
    return (lower + upper) / 2


def likely_answer() -> Fraction | None:
    """Return what the answer may be, if anybody says so: a positive number, near it or not."""
    return _likely.get()
