"""How many instances of a law are tried: a few by the gate, many where tests/long takes it up."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

T = TypeVar("T")


def instances(module: str, few: int, many: int) -> int:
    """Return how many a module of tests tries.

    Modules of tests/long import those of tests/fast by names that begin with ``fast``, and run
    their laws again; the gate collects the same files as ``tests.fast``.
    """
    return many if module.startswith("fast.") else few


def first(module: str, few: int, items: Iterable[T]) -> list[T]:
    """Return the first few of what is to be tried, or in tests/long all of it."""
    found = list(items)
    return found[: instances(module, few, len(found))]
