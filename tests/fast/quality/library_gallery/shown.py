"""The records as rows of a page's tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from .libraries import DOMAINS, FORMULAS, WITNESSES, Library

_SHORT = 7


def rows_of_verdicts(libraries: Sequence[Library]) -> Iterator[str]:
    """Yield a row for each quantity and each answer at its witness, or none where it is right."""
    for name in FORMULAS:
        by_answer: dict[str, list[str]] = {}
        for one in libraries:
            if name in one.asked(within=False):
                by_answer.setdefault(one.answered.get(name, ""), []).append(one.titled)
        for answer, titles in by_answer.items():
            yield _row(", ".join(titles), f"`{name}`", *_cells(name, answer))


def _cells(name: str, answer: str) -> list[str]:
    if not answer:
        return ["certified", "", "", "", ""]
    witness = WITNESSES[name]
    at = ", ".join(f"{key} = {_said(value)}" for key, value in witness.parameters.items())
    return ["refuted", at, answer, witness.true, witness.why]


def rows_of_domains(libraries: Sequence[Library]) -> Iterator[str]:
    """Yield a row for each quantity: the formula, and where which libraries are certified."""
    for name, formula in FORMULAS.items():
        ranges = [
            f"{key} {_said(Fraction(low))} to {_said(Fraction(high))}"
            for key, (low, high) in DOMAINS.get(name, {}).items()
        ]
        right = [
            one.name
            for one in libraries
            if name in one.asked(within=bool(ranges)) and (ranges or name not in one.answered)
        ]
        yield _row(f"`{name}`", formula, "; ".join(ranges) or "everywhere", ", ".join(right))


def _row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


def _said(value: Any) -> str:
    """Return a number as a person writes it who knows that it is a double; vectors in brackets."""
    if isinstance(value, tuple):
        return f"[{', '.join(map(_said, value))}]"
    exact = Fraction(value)
    text = str(exact)
    if len(text) <= _SHORT:
        return text
    if Fraction(1, 2) < exact < 2:
        return f"1{'+' if exact > 1 else '-'}{_said(abs(exact - 1))}"
    power = exact.numerator.bit_length() - exact.denominator.bit_length()
    assert exact == Fraction(2) ** power, exact
    return f"2^{power}"
