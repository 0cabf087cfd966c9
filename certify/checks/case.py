"""One case: a point, what the backend answered there, the truth, and the verdict."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple, TypeAlias

import rfc8785

from ...reference.domain import Value
from ...reference.enclosure import Enclosure
from ...reference.enclosures import Place
from ...reference.exact import fields_of, shown
from ...reference.quantity import Quantity, Side
from ...reference.structures import RECORDS, Record
from ..verdict import GRAVEST_CASE_FIRST, Verdict
from .judgement import Judgement, Rule, judge

# What a parameter is drawn as: a float, an integer, a word, and tuples and records of such.
Number: TypeAlias = float | int
Drawn: TypeAlias = "Number | str | Record | tuple[Drawn, ...]"
Given: TypeAlias = Mapping[str, Drawn]

_TRUTH_DIGITS = 25
_ULPS_FIGURES = 3


class Answered(NamedTuple):
    """One more answer that a law compares with, as C99 hex; no value: the truth, enclosed."""

    quantity: str
    parameters: Given
    value: str | None


@dataclass(frozen=True)
class Case:
    """A judged answer. Floats are shown as C99 hex, so nothing is lost in writing them down.

    Where a vector or a matrix was asked for, it is the worst entry's, and ``entry`` says which.
    ``others`` are what a law compares the answer with, none for direction and accuracy; ``truth``
    is then what the law holds it against.
    """

    quantity: str
    check: str
    parameters: Given
    value: str
    verdict: Verdict
    truth: Enclosure
    ulps: Fraction | None
    side: str
    violation: Fraction
    reason: str
    entry: Place = ()
    others: tuple[Answered, ...] = ()

    def exact_parameters(self) -> dict[str, Value]:
        """Return the parameters as the exact numbers that they are."""
        return exact_point(self.parameters)

    def as_json(self) -> dict[str, Any]:
        """Return the case in the shape that a certificate's witness has."""
        lower, upper = self.truth.decimals(_TRUTH_DIGITS)
        return {
            "parameters": _written_point(self.parameters),
            "entry": list(self.entry),
            "value": self.value,
            "lower": lower,
            "upper": upper,
            "others": [
                {**other._asdict(), "parameters": _written_point(other.parameters)}
                for other in self.others
            ],
        }

    def line(self) -> str:
        """Return the case as one canonical line of a transcript."""
        whole = {
            "quantity": self.quantity,
            "check": self.check,
            "verdict": self.verdict.value,
            **self.as_json(),
        }
        return rfc8785.dumps(whole).decode() + "\n"

    def size(self) -> float:
        """Return about the truth's absolute value; for a picture, nothing is decided by it."""
        return abs(float(self.truth.decimals(_TRUTH_DIGITS)[1]))

    def ulps_text(self) -> str:
        """Return the distance in units in the last place, rounded up to three figures."""
        return "unbounded" if self.ulps is None else figures_up(self.ulps)


def figures_up(value: Fraction) -> str:
    """Return a non-negative number rounded up to three significant figures, as plain text."""
    return Enclosure.of(value).decimals(_ULPS_FIGURES - 2)[1]


def written(value: Drawn) -> Any:
    """Return an integer or a word as it is, a float as C99 hex text, lists and objects of them."""
    return _mapped(lambda item: item if isinstance(item, int) else float(item).hex(), value)


def _written_point(point: Given) -> dict[str, Any]:
    return {name: written(value) for name, value in point.items()}


def exact_point(point: Given) -> dict[str, Value]:
    """Return the numbers that a point's floats exactly are."""
    return {name: _exactly(value) for name, value in point.items()}


def _exactly(value: Any) -> Any:
    if isinstance(value, RECORDS):
        return type(value)._make(map(_exactly, value))
    if isinstance(value, tuple):
        return tuple(_exactly(item) for item in value)
    return value if isinstance(value, int | str) else Fraction(value)


def answered(function: Callable[..., Any], point: Given) -> object:
    """Return what a backend's function answers, or the exception that it raised.

    Vectors are given to it as lists, tables as lists of lists, records as dictionaries. A backend
    under test may raise anything, SystemExit included; that is its answer, and an error for this
    case. Only an interruption by the user passes.
    """
    try:
        return function(**{name: _mapped(lambda x: x, value) for name, value in point.items()})
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # noqa: BLE001
        return error


def _mapped(change: Callable[[Any], Any], value: Any) -> Any:
    """Return lists for tuples, dictionaries for records, words as they are, and numbers changed."""
    if isinstance(value, RECORDS):
        return {name: _mapped(change, item) for name, item in fields_of(value).items()}
    if isinstance(value, tuple):
        return [_mapped(change, item) for item in value]
    return value if isinstance(value, str) else change(value)


def case_from(quantity: Quantity, point: Given, answer: object, rule: Rule) -> Case:
    """Judge an answer by a rule."""
    judged = judge(quantity, exact_point(point), answer, rule)
    return Case(
        quantity.name,
        rule.check,
        dict(point),
        shown(answer) if judged.value is None else float(judged.value).hex(),
        judged.verdict,
        judged.truth,
        judged.ulps,
        judged.side,
        _violation(quantity, judged),
        judged.reason,
        judged.place,
    )


def _violation(quantity: Quantity, judged: Judgement) -> Fraction:
    """Return how far on the wrong side an answer is, negative on the safe side."""
    if judged.ulps is None:
        return Fraction(0)
    wrong = {Side.UPPER: "below", Side.LOWER: "above"}.get(quantity.safe, judged.side)
    return judged.ulps if judged.side == wrong else -judged.ulps


def graver(first: Case, second: Case) -> Case:
    """Return the worse of two cases of one check; the earlier one if they are equally bad."""
    return first if _rank(first) >= _rank(second) else second


def _rank(case: Case) -> tuple[int, Fraction, bool, Fraction]:
    on_the_wrong_side = max(case.violation, Fraction(0))
    return (
        -GRAVEST_CASE_FIRST.index(case.verdict),
        on_the_wrong_side,
        case.ulps is None,
        Fraction(0) if case.ulps is None else case.ulps,
    )
