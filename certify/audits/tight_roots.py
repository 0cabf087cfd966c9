"""The largest decimal at which a mechanism's own number still is what was claimed.

Each number here rises with its parameter (proofs_notes/tight-calibration.md), which is what makes
the decimal that is found the largest of all; that it keeps the claim is asked, not concluded.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any, TypeAlias

from flint import arb, ctx

from ...reference.arb.balls import ball, ball_of, enclosure_of, working_precision
from ...reference.arb.roots import positive_root
from ...reference.domain import Value
from ...reference.enclosure import Enclosure
from ...reference.enclosures import number_in
from ...reference.errors import DomainError
from ...reference.evaluation import evaluate
from ...reference.precision import Budget, climb, first_bits
from ...reference.quantity import quantities, quantity_named
from ..mechanisms.questions import Question, Term
from ..mechanisms.truth import truth_of
from .tight_decimals import FIGURES, LEAST, is_kept, last_kept

# What a claim asks of a release with this parameter.
Asked: TypeAlias = Callable[[Fraction], Question]
# The root is looked for a little beyond the figures that are kept.
_DIGITS = FIGURES + 2
# In a sentence the least that can be reached has this many figures more than two.
_SHOWN = 6


def largest(key: str, asked: Asked, target: str, where: str) -> Fraction:
    """Return the largest decimal of ``FIGURES`` figures that keeps the claim.

    Raises DomainError where none does, or all do.
    """
    at_least = asked(LEAST)
    _require_reachable(key, at_least, target, where)
    found = last_kept(lambda value: is_kept(asked(value)), _near(key, asked))
    if found is None:
        raise _every(f"{key} up to 1e15", target, where)
    return found


def require_some_loss(key: str, delta: Fraction | None, target: str, where: str) -> None:
    """Raise DomainError for a delta that every release keeps."""
    if delta == 1:
        raise _every(key, target, where)


def _every(kept: str, target: str, where: str) -> DomainError:
    return DomainError(f"{where}: there is no largest {kept}: every one keeps {target}; give one")


def _require_reachable(key: str, at_least: Question, target: str, where: str) -> None:
    """Raise DomainError, with what is reached at least, unless ``LEAST`` keeps the claim."""
    what = at_least.key.split("_")[0]
    if is_kept(at_least):
        return
    reached = truth_of(at_least, settled=True).value
    raise DomainError(
        f"{where}: no {key} keeps {target}: {what} rises with {key}, and at {key} = 1e-15, the "
        f"least that is tried, it is {_at_least(reached)}"
    )


def _at_least(reached: Enclosure) -> str:
    if not reached.low.is_finite:
        return "infinite"
    text = reached.decimals(_SHOWN)[0]
    return f"{text} or more" if reached.low.mantissa > 0 and text != "0" else "above 0"


def _near(key: str, asked: Asked) -> Fraction:
    """Return about the parameter at which the claim ceases to hold: a matter of speed alone."""
    question = asked(Fraction(1))
    inverse = _inverse_of(key, question)
    found = _root(asked) if inverse is None else evaluate(*inverse, digits=_DIGITS).number
    return found.lower if isinstance(found.lower, Fraction) and found.lower > 0 else LEAST


def _inverse_of(key: str, question: Question) -> tuple[str, dict[str, Value]] | None:
    """Return the quantity that is the parameter itself, where there is one, and its point.

    ``question`` is what is asked at the parameter 1.
    """
    (term, *more), claimed = question.terms, question.claimed
    if more:
        return None
    if key == "k":
        return _k_of(term, claimed) if term.quantity in _OF_FLOOR_AND_STEP else None
    for name, item in quantities().items():
        inverse = item.inverse
        if inverse is not None and (inverse.quantity, inverse.solves) == (term.quantity, key):
            kept = [each for each in item.parameters if each != inverse.target]
            return name, {**{each: term.point[each] for each in kept}, inverse.target: claimed}
    return None


_OF_FLOOR_AND_STEP = ("dirichlet.profile.delta", "dirichlet.add_remove.delta")


def _k_of(term: Term, delta: Fraction) -> tuple[str, dict[str, Value]]:
    """Return the k of a release with floor k alpha and step k step, at any size of either."""
    alpha, step, epsilon = (_number(term.point[key]) for key in ("alpha", "step", "epsilon"))
    point = {"eta": alpha, "b": 2 * step, "epsilon": epsilon, "delta": delta}
    return "dirichlet.identity.k_for_dp", dict(point)


def _number(value: Value) -> Fraction:
    if isinstance(value, str | tuple):
        raise TypeError("a floor, a step and an epsilon are numbers")
    return Fraction(value)


def _root(asked: Asked) -> Enclosure:
    """Enclose where a number that rises passes what was claimed, from its own formula."""

    def enclose_at(bits: int) -> Enclosure:
        with working_precision(bits):
            return enclosure_of(positive_root(lambda value: _excess(asked(value)), Fraction(1)))

    return climb(enclose_at, _is_near, first_bits(_DIGITS), Budget()).number


def _is_near(found: Any) -> bool:
    return bool(found.is_narrow(_DIGITS))


def _excess(question: Question) -> arb:
    """Enclose how far a number is above what was claimed, in logarithms where it is positive."""
    total, claimed = arb(0), ball(question.claimed)
    for term in question.terms:
        quantity = quantity_named(term.quantity)
        found = quantity.enclose(ctx.prec, quantity.read(term.point))
        total += ball(term.times) * ball_of(number_in(found))
    return total.log() - claimed.log() if total > 0 else total - claimed
