"""Numbers of this paper's entries that no quantity answers alone, and formulas tried at draws."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ....reference.arb.balls import ball, enclosure_of, working_precision
from ....reference.arb.gamma import log_beta_change
from ....reference.enclosure import Enclosure
from ....reference.enclosures import entry_at
from ....reference.evaluation import evaluate
from ....reference.second.directed import Span, hull
from ....reference.second.exchange import log_gamma_exchange
from ..forms import BITS, span
from ..values import Enclosed, Exactly, Value, Worked, agreed

_DIGITS = 20


def loss(of: str, k: str, here: Sequence[str], there: Sequence[str], ratio: str = "1") -> Worked:
    """Return the log-ratio of Dirichlet(k p) to Dirichlet(k q) where x_i/x_j is ``ratio``.

    p is (.., p_i, p_j, ..) with ``here`` = (p_i, p_j), q the same with ``there``; both have one
    sum, so what is left is (9): a ratio of four Gammas, and the ratio of the outputs to a power.
    """
    (first, second), (reached, _) = (
        tuple(Fraction(k) * Fraction(x) for x in pair) for pair in (there, here)
    )
    moved = reached - first
    odds = Fraction(ratio)

    def by_balls() -> Enclosure:
        with working_precision(BITS):
            power = ball(moved) * ball(odds).log()
            return enclosure_of(log_beta_change(first, second, moved) + power)

    def by_spans() -> Enclosure:
        power = span(moved) * span(odds).log() if odds != 1 else span(0)
        return (exchanged(first, second, moved) + power).enclosure()

    return Worked(of, by_balls, by_spans)


def exchanged(first: Fraction, second: Fraction, part: Fraction) -> Span:
    """Enclose log [Gamma(x) Gamma(y) / (Gamma(x+c) Gamma(y-c))] without a Gamma, in any order."""
    least, reached = min(first, second), min(first + part, second - part)
    if least == reached:
        return span(0)
    if least < reached:
        return log_gamma_exchange(BITS, least, max(first, second), reached - least)
    return -log_gamma_exchange(BITS, reached, max(first + part, second - part), least - reached)


@dataclass(frozen=True)
class Combined:
    """A formula of several values, worked out in balls from the first ways, in spans from others.

    The formula has to be one of sums, products and ``exp``, which balls and spans both have.
    """

    of: str
    parts: tuple[Value, ...]
    formula: Callable[..., Any]

    def enclosed(self) -> Enclosed:
        """Return the formula, each way by itself."""
        found = [part.enclosed() for part in self.parts]
        with working_precision(BITS):
            balls = (ball(low).union(ball(high)) for low, high in map(_ends, _firsts(found)))
            first = enclosure_of(self.formula(*balls))
        spans = (hull(span(low), span(high)) for low, high in map(_ends, _seconds(found)))
        return agreed(self.of, first, self.formula(*spans).enclosure())


def _firsts(found: Sequence[Enclosed]) -> Iterator[Enclosure]:
    return (one.first for one in found)


def _seconds(found: Sequence[Enclosed]) -> Iterator[Enclosure]:
    return (one.second for one in found)


def _ends(enclosure: Enclosure) -> tuple[Fraction, Fraction]:
    return Fraction(enclosure.lower), Fraction(enclosure.upper)


@dataclass(frozen=True)
class Where:
    """A number that is as said where other numbers are in order: (smaller, larger) pairs.

    A way that does not show each pair's strict order says nothing about the number.
    """

    of: str
    value: Value
    orders: tuple[tuple[Value, Value], ...]

    def enclosed(self) -> Enclosed:
        """Return the number where a way shows the orders, nothing known else."""
        found = self.value.enclosed()
        pairs = [(low.enclosed(), high.enclosed()) for low, high in self.orders]
        first = all(low.first.high < high.first.low for low, high in pairs)
        second = all(low.second.high < high.second.low for low, high in pairs)
        nothing = Enclosure.nothing_known()
        ways = (found.first if first else nothing, found.second if second else nothing)
        return Enclosed(self.of, *ways)


def probability_one(loss_at_equal: Value, epsilon: Value) -> Where:
    """Return the probability of the smallest exceptional set of an input p with p_i = p_j.

    Where the loss to q is above epsilon at x_i = x_j, it is at all x_i >= x_j, as it rises with
    x_i/x_j; the loss to q with i and j exchanged is at all x_i <= x_j. So all outputs are
    exceptional, and the probability is 1. Where that is not shown, nothing is said.
    """
    of = "P(smallest exceptional set of p): every output passes epsilon to one of two neighbours"
    return Where(of, Exactly("1"), ((epsilon, loss_at_equal),))


def at_root(
    of: str, root: Mapping[str, Any], quantity: str, parameters: Mapping[str, Any]
) -> Worked:
    """Return a quantity that falls with gamma at gamma = dirichlet.identity.gamma(root)."""

    def way(engine: str) -> Callable[[], Enclosure]:
        def enclosed() -> Enclosure:
            gamma = _answer("dirichlet.identity.gamma", root, engine)
            high, low = (
                _answer(quantity, {**parameters, "gamma": str(end)}, engine)
                for end in (gamma.lower, gamma.upper)
            )
            return Enclosure(low.low, high.high)

        return enclosed

    return Worked(of, way("arb"), way("second"))


def _answer(quantity: str, parameters: Mapping[str, Any], engine: str) -> Enclosure:
    """Return an engine's answer, which is a number."""
    found = evaluate(quantity, parameters, digits=_DIGITS, engine=engine)
    return entry_at(found.enclosure, ())
