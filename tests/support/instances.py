"""How many instances of a law are tried: a few by the gate, many with `--many`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

T = TypeVar("T")

_many = False


def try_many() -> None:
    """Try many instances in what is imported from now on."""
    global _many  # noqa: PLW0603 - pytest's option is known before any module of tests
    _many = True


def instances(few: int, many: int) -> int:
    """Return how many are tried."""
    return many if _many else few


def first(few: int, items: Iterable[T]) -> list[T]:
    """Return the first few of what is to be tried, or with `--many` all of it."""
    found = list(items)
    return found if _many else found[:few]
