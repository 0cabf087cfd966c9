"""How a sampler with a planted fault is put down: what is counted of it, and what finds it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeAlias

from counted_draws import Counted

Tests: TypeAlias = Callable[[int], Iterable[Counted]]


@dataclass(frozen=True)
class Planted:
    """A sampler, and the beginning of the name of a test that refutes it; "" if it is sound.

    ``slow``: drawn exactly, which takes seconds.
    """

    name: str
    tests: Tests
    found_by: str
    slow: bool


PLANTED: dict[str, Planted] = {}


def planted(found_by: str, *, slow: bool = False) -> Callable[[Tests], Tests]:
    """Put a sampler into the gallery."""

    def put(tests: Tests) -> Tests:
        name = tests.__name__
        assert name not in PLANTED
        PLANTED[name] = Planted(name, tests, found_by, slow)
        return tests

    return put
