"""Errors that tell nothing: what private data have set off is replaced by a sentence of our own.

An exception keeps the one that it was raised in (``__context__``), even behind ``from None``; so
the sentence is raised only after the first exception was left behind.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

from ....reference.errors import InputError

T = TypeVar("T")


def told(read: Callable[[], T], sentence: str, *, of: type[Exception] = InputError) -> T:
    """Return what ``read`` returns; where it raises ``of``, raise the sentence and nothing else."""
    with suppress(of):
        return read()
    raise InputError(sentence)
