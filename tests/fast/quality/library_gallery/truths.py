"""Truths without our engines: the textbook's formulas in mpmath, at many digits.

They confirm that what is refuted is wrong. Of a tail of several coordinates a lower bound is taken,
which is enough: the sum of the chances less those of all pairs, each at most the product of its
two, as coordinates that add up to 1 are negatively associated.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

import mpmath
import networkx as nx
from simplexcert.reference.quantity import Side, quantity_named

from . import in_mpmath
from .libraries import (
    ADD_REMOVE,
    CLASSES,
    DELTA,
    EXPECTED_KL,
    FUNDAMENTAL,
    MODULI,
    RENYI,
    SLACK,
    STATIONARY,
    TAIL,
    TOTAL_VARIATION,
)

Rows: TypeAlias = Sequence[Sequence[float]]
# Enough for what cancels at the points that a campaign reaches.
_DIGITS = 300
_FIGURES = 10
# Beyond this, series of so many digits are long.
_LARGEST = 2_000


def tail(alpha: float, count: int, rest: float, gamma: float) -> Any:
    others = (count - 1) * mpmath.mpf(alpha) + rest
    chance = mpmath.betainc(alpha, others, 0, gamma, regularized=True)
    return count * chance - count * (count - 1) * chance**2 / 2


def stationary(P: Rows) -> list[Any]:
    """The solution of pi (I - P + J) = 1, where J is all ones."""
    size = len(P)
    system = (mpmath.eye(size) - mpmath.matrix(P) + mpmath.ones(size)).T
    return list(mpmath.lu_solve(system, mpmath.ones(size, 1)))


def fundamental(P: Rows) -> list[list[Any]]:
    size, law = len(P), stationary(P)
    system = mpmath.eye(size) - mpmath.matrix(P)
    found = mpmath.inverse(system + mpmath.ones(size, 1) * mpmath.matrix([law]))
    return [[found[at, to] for to in range(size)] for at in range(size)]


def moduli(P: Rows) -> list[Any]:
    values = mpmath.eig(mpmath.matrix(P), left=False, right=False)
    return sorted(map(abs, values), reverse=True)


def classes(P: Rows) -> int:
    size = range(len(P))
    graph = nx.DiGraph((at, to) for at in size for to in size if P[at][to])
    graph.add_nodes_from(size)
    return int(nx.number_strongly_connected_components(graph))


_TRUTHS: Mapping[str, Callable[..., Any]] = {
    DELTA: in_mpmath.delta,
    TOTAL_VARIATION: in_mpmath.total_variation,
    RENYI: in_mpmath.renyi,
    ADD_REMOVE: in_mpmath.add_remove,
    TAIL: tail,
    EXPECTED_KL: in_mpmath.expected_kl,
    STATIONARY: stationary,
    FUNDAMENTAL: fundamental,
    MODULI: moduli,
    CLASSES: classes,
}
# A sum of so many terms as its parameters are large.
_SERIES = {DELTA, TOTAL_VARIATION, TAIL}


def is_cheap(quantity: str, parameters: Mapping[str, Any]) -> bool:
    """Return whether the truth at a point is found in a moment."""
    return quantity not in _SERIES or max(parameters.values()) <= _LARGEST


def is_wrong(
    quantity: str, parameters: Mapping[str, Any], answer: Any, entry: tuple[int, ...] = ()
) -> bool:
    """Return whether an answer is beyond the slack on the unsafe side, or beyond the accuracy."""
    with mpmath.workdps(_DIGITS):
        truth, given = _TRUTHS[quantity](**parameters), mpmath.mpf(answer)
        share = mpmath.mpf(SLACK)
        if quantity_named(quantity).safe is Side.UPPER:
            return bool(given < truth * (1 - share))
        largest = max(map(abs, _numbers(truth)))
        return bool(abs(given - _at(truth, entry)) > share * largest)


def true_text(quantity: str, parameters: Mapping[str, Any], entry: tuple[int, ...]) -> str:
    """Return the truth at a point to ten figures."""
    with mpmath.workdps(_DIGITS):
        return figures(_at(_TRUTHS[quantity](**parameters), entry))


def figures(number: Any) -> str:
    """Return a number to ten figures, an integer as it is."""
    return str(number) if isinstance(number, int) else str(mpmath.nstr(number, _FIGURES))


def _at(truth: Any, entry: tuple[int, ...]) -> Any:
    """Return an entry of an array; a number has none."""
    for place in entry:
        truth = truth[place - 1]
    return truth


def _numbers(truth: Any) -> list[Any]:
    if not isinstance(truth, list):
        return [truth]
    return [number for part in truth for number in _numbers(part)]
