"""What an entry of the gallery is: a backend of one quantity, its label, and what is said of it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from typing import Any, TypeAlias

from simplexcert.certify.backends.float64 import backend as float64
from simplexcert.reference import evaluate

Answer: TypeAlias = Callable[..., Any]
# Digits of the reference before it is rounded: more than two doubles can share.
DIGITS = 20
DEFAULT_CASES = 200


@dataclass(frozen=True)
class Entry:
    """A backend, as ``certify`` takes it, and what the gallery knows of it.

    ``wrong`` says what is wrong with it, and is empty for a sound one. ``law`` names the check that
    alone refutes it, where that is neither direction nor accuracy. Its first quantity is the one
    that is checked; others are right, and there for laws to ask.
    """

    name: str
    quantities: Mapping[str, Answer]
    wrong: str
    cases: int = DEFAULT_CASES
    law: str = ""
    slack: Mapping[str, float] = field(default_factory=dict)
    accuracy: Mapping[str, float] = field(default_factory=dict)
    vectorized: bool = False
    version: str = "1"

    @property
    def quantity(self) -> str:
        """The quantity that is checked."""
        return next(iter(self.quantities))


class Shelf:
    """Entries by their labels, which are attributes as well: ``module:shelf.label``."""

    def __init__(self) -> None:
        self.entries: dict[str, Entry] = {}

    def __getattr__(self, label: str) -> Entry:
        try:
            return self.__dict__["entries"][label]
        except KeyError:
            raise AttributeError(label) from None

    def put(self, entry: Entry) -> None:
        """Add an entry; no label stands twice."""
        assert entry.name not in self.entries, entry.name
        self.entries[entry.name] = entry


faulty, sound = Shelf(), Shelf()


def fault(
    quantity: str,
    wrong: str,
    *,
    slack: float | None = None,
    accuracy: float | None = None,
    cases: int = DEFAULT_CASES,
    law: str = "",
    beside: tuple[str, ...] = (),
    vectorized: bool = False,
) -> Callable[[Callable[..., Any]], None]:
    """Put a function on the shelf of faulty backends, under its own name.

    It is given the right answer's function first, then the parameters by name. The quantities
    ``beside`` are answered rightly.
    """
    others = {name: float64.quantities[name] for name in beside}

    def put(function: Callable[..., Any]) -> None:
        faulty.put(
            Entry(
                function.__name__,
                {quantity: _given(_right_for(quantity), function), **others},
                wrong,
                cases,
                law,
                {} if slack is None else {quantity: slack},
                {} if accuracy is None else {quantity: accuracy},
                vectorized,
            )
        )

    return put


def _right_for(quantity: str) -> Answer:
    """Return the built-in answer; the reference's, rounded up, where there is none."""
    return float64.quantities.get(quantity) or partial(up, quantity)


def _given(right: Answer, function: Callable[..., Any]) -> Answer:
    return lambda **given: function(right, **given)


def good(
    quantity: str,
    *,
    slack: float | None = None,
    accuracy: float | None = None,
    vectorized: bool = False,
) -> Callable[[Answer], None]:
    """Put a function of a quantity's parameters on the shelf of sound backends."""

    def put(function: Answer) -> None:
        sound.put(
            Entry(
                function.__name__,
                {quantity: function},
                "",
                slack={} if slack is None else {quantity: slack},
                accuracy={} if accuracy is None else {quantity: accuracy},
                vectorized=vectorized,
            )
        )

    return put


def valid(value: float, otherwise: Callable[[], float]) -> float:
    """Return an answer, or another where parameters that were changed have none."""
    return value if isinstance(value, float) and math.isfinite(value) else otherwise()


def up(quantity: str, **given: Any) -> float:
    """Return the reference's answer, rounded up to a double."""
    return rounded(evaluate(quantity, given, digits=DIGITS).upper, 1)


def down(quantity: str, **given: Any) -> float:
    """Return the reference's answer, rounded down to a double."""
    return rounded(evaluate(quantity, given, digits=DIGITS).lower, -1)


def nearest(quantity: str, **given: Any) -> float:
    """Return the double nearest to the reference's answer."""
    return float(evaluate(quantity, given, digits=DIGITS).upper)


def rounded(value: Fraction | float, sign: int) -> float:
    """Return the nearest double at or above a number (sign 1), or at or below it (sign -1)."""
    found = float(value)
    if math.isinf(found) or sign * (Fraction(found) - value) >= 0:
        return found
    return math.nextafter(found, sign * math.inf)
