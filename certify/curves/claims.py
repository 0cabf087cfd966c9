"""The curve of a claim: what its release loses, what the paper prints, and what is claimed.

At each point the claim is asked anew, with another epsilon or another delta: the worst neighbours
may be others there. Its parameters stay, also those that were chosen for the claim.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from typing import Final

from ...reference.enclosure import Enclosure, Trilean
from ...reference.errors import InputError
from ...reference.evaluation import DEFAULT_DIGITS
from ...reference.exact import parse_toml
from ...reference.precision import BudgetSpentError
from ..audited import Claimed, claim_source
from ..audits.claim import claim_in
from ..mechanisms.protocol import Claim
from ..mechanisms.questions import truth_of
from ..report.wording import claim_said, quoted
from .table import VERDICT, Column, Curve, Kind, Line

_KEYS: Final = {"epsilon": "delta_at_epsilon", "delta": "epsilon_at_delta"}
_OTHER: Final = {"epsilon": "delta", "delta": "epsilon"}
# The paper's delta at an epsilon is the least of these that its formulas allow: 80 a decade, so
# that the least is found within 3 parts in 100; it is one that they do allow.
_DECADES, _RUNGS = 15, 80
_RUNG_FIGURES: Final = 12


# Of a claim's point, whose loss is enclosed: that says nothing for the claim, and is not called so.
PROVED: Final = "proved"


@dataclass(frozen=True)
class _Point:
    """What is known at one point: no lower end where no inputs are known to lose it."""

    lower: Enclosure | None
    upper: Enclosure
    narrow: bool
    printed: Enclosure | None


def curve_of_claim(source: Claimed, name: str, values: Sequence[Fraction]) -> Curve:
    """Return the curve of a claim at these values of its ``name``, epsilon or delta.

    Raises InputError for a claim at an order, one about no two inputs, and one whose loss is not
    known as deltas at epsilons.
    """
    content, where = claim_source(source)
    claim = claim_in(parse_toml(content, where), where)
    if claim.delta is None:
        raise InputError(f"{where}: the claim is at an order, and a curve of epsilon and delta "
                         "needs one with a delta")  # fmt: skip
    if vacuity := claim.mechanism.vacuity(claim):
        raise InputError(f"{where}: {vacuity.sentence}; there is no loss to draw")
    asked = [_moved(claim, name, value, where) for value in values]
    printed = _printed_at(claim, name)
    points = [_point(one, name, where, printed(value))
              for one, value in zip(asked, values, strict=True)]  # fmt: skip
    return _curve(claim, name, values, points)


def _moved(claim: Claim, name: str, value: Fraction, where: str) -> Claim:
    """Return the claim with another epsilon or delta. Raises InputError where there is no such."""
    said = {"epsilon": claim.epsilon, "delta": claim.delta, name: value}
    epsilon, delta, _ = claim.mechanism.target(said, where)
    return replace(claim, epsilon=epsilon, delta=delta)


def _point(claim: Claim, name: str, where: str, printed: Enclosure | None) -> _Point:
    try:
        worst = claim.mechanism.worst(claim)
        asked = [each for each in worst.asked if each.key == _KEYS[name]]
        if not asked:
            raise InputError(f"{where}: of {claim.mechanism.name} no {_OTHER[name]} is known at "
                             f"each {name}")  # fmt: skip
        value = truth_of(asked[0], settled=True).value
    except BudgetSpentError:
        return _Point(None, Enclosure.nothing_known(), narrow=False, printed=printed)
    narrow = value.is_narrow(DEFAULT_DIGITS) or value.is_point
    return _Point(value if worst.attained else None, value, narrow, printed)


def _printed_at(claim: Claim, name: str) -> Callable[[Fraction], Enclosure | None]:
    """Return what gives the number that the paper prints at a value; None where it prints none."""

    @cache
    def pair(delta: Fraction) -> tuple[Enclosure, Enclosure] | None:
        """Return an epsilon and a delta that the formulas print together, the claim being that."""
        try:
            found = claim.mechanism.printed(replace(claim, delta=delta))
        except BudgetSpentError:
            return None
        if found.epsilon is None or not found.epsilon.high.is_finite:
            return None
        return found.epsilon, Enclosure.of(delta) if found.delta is None else found.delta

    def epsilon_at(delta: Fraction) -> Enclosure | None:
        found = pair(delta)
        return found[0] if found and found[1].is_above(delta) is Trilean.FALSE else None

    def delta_at(epsilon: Fraction) -> Enclosure | None:
        def allowed(rung: int) -> Enclosure | None:
            found = pair(_rung(rung))
            return found[1] if found and found[0].is_above(epsilon) is Trilean.FALSE else None

        coarse = [rung for rung in range(0, _DECADES * _RUNGS + 1, _RUNGS) if allowed(rung)]
        if not coarse:
            return None
        low, high = coarse[-1], coarse[-1] + _RUNGS
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if allowed(middle) else (low, middle)
        return allowed(low)

    return delta_at if name == "epsilon" else epsilon_at


def _rung(number: int) -> Fraction:
    """Return 10^-(1 + number/80), about; which deltas are tried is a matter of how fine."""
    return Fraction(f"{10 ** (-1 - number / _RUNGS):.{_RUNG_FIGURES}e}")


def _curve(claim: Claim, name: str, values: Sequence[Fraction], points: list[_Point]) -> Curve:
    other = _OTHER[name]
    said = {"epsilon": claim.epsilon, "delta": claim.delta or Fraction(0)}
    claimed = tuple(said[other] if value >= said[name] else None for value in values)
    attained = all(point.lower is not None or not point.narrow for point in points)
    rows = tuple(range(len(points)))
    return Curve(
        title=f"{quoted(claim.name)} ({claim.mechanism.name}): "
        f"{claim_said(claim.epsilon, claim.delta, None)}",
        subject={
            "quantity": None,
            "claim": claim.as_json(),
            "parameters": {},
            "rigorous": True,
            "attained": attained,
        },
        varied=(name,),
        height=other,
        digits=DEFAULT_DIGITS,
        table=(
            Column(name, Kind.EXACT, tuple(values)),
            Column("exact_lower", Kind.LOWER, tuple(point.lower for point in points)),
            Column("exact_upper", Kind.UPPER, tuple(point.upper for point in points)),
            Column("printed", Kind.UPPER, tuple(point.printed for point in points)),
            Column("claimed", Kind.EXACT, claimed),
            Column(VERDICT, Kind.WORD, tuple(
                PROVED if point.narrow else "undecided" for point in points)),
        ),
        lines=(
            Line("exact" if attained else "proved to be enough", "exact_upper", rows),
            Line("printed by the paper", "printed", rows),
        ),
        mark=("claimed", said[name], said[other]),
    )  # fmt: skip
