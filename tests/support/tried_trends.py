"""What is stated of a quantity, tried at drawn points by enclosures of the truth."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

from instances import instances
from simplexcert.certify.checks.relations.monotone import moves_of
from simplexcert.certify.points import exact_point
from simplexcert.certify.search.strategies import points_from
from simplexcert.reference import evaluate
from simplexcert.reference.enclosure import Enclosure
from simplexcert.reference.precision import Budget
from simplexcert.reference.quantity import Quantity, quantity_named
from simplexcert.reference.relations import Trend
from stated_laws import of_law

# Of one truth; what is not enclosed by then decides nothing.
SECONDS, DIGITS = 2.0, 12
POINTS, POINTS_OF_SLOW = instances(4, 12), instances(1, 3)
# A trend that no move of so many points tries is not tried at all.
MOST_POINTS = 60
SLOW = {
    "dirichlet.composition.delta", "dirichlet.composition.epsilon", "dirichlet.utility.kl_tail",
    "dirichlet.utility.kl_chernoff", "pufferfish.network_scale", "pufferfish.network_epsilon",
    "pufferfish.network_loss", "dirichlet.counts.k_for_dp", "dirichlet.identity.k_for_dp",
    "dirichlet.average.k_for_dp", "dirichlet.matrix.delta", "pufferfish.chain_loss",
    "pufferfish.quilt_scale_pieces", "dirichlet.counts.gamma", "dirichlet.identity.gamma",
    "dirichlet.tail.general", "dpsgd.noise_multiplier_for_dp", "dpsgd.steps_for_dp",
    "markov.model.epsilon", "pufferfish.instantiation_loss",
}  # fmt: skip


def drawn(quantity: Quantity, many: int) -> list[dict[str, Any]]:
    """Return points as campaigns draw them."""
    return list(islice(points_from(quantity, quantity.name), many))


_truths: dict[tuple[str, str], Enclosure] = {}


def truth(name: str, point: Any) -> Enclosure:
    """Enclose a quantity at a drawn point, once for all trends that begin there."""
    key = name, repr(sorted(point.items()))
    if key not in _truths:
        _truths[key] = _truth(name, point)
    return _truths[key]


def _truth(name: str, point: Any) -> Enclosure:
    answer = evaluate(name, exact_point(point), digits=DIGITS, budget=Budget(SECONDS, 1024))
    return answer.number


def pairs(quantity: Quantity, trend: Trend) -> Iterator[tuple[Any, Any]]:
    """Yield points and their moves, the lower one in the trend's sense first."""
    for turn, point in enumerate(islice(points_from(quantity, quantity.name), MOST_POINTS)):
        moved = next(moves_of(quantity, trend, point, turn), None)
        if moved is None:
            continue
        here, there = exact_point(point)[trend.parameter], exact_point(moved)[trend.parameter]
        if trend.order.is_at_most(here, there) is trend.rises:
            yield point, moved
        else:
            yield moved, point


def require_trend(quantity: Quantity, trend: Trend) -> None:
    """Require that no two truths, of some that a trend orders, are certainly out of order."""
    name, tried = quantity.name, 0
    many = POINTS_OF_SLOW if quantity.slow or name in SLOW else POINTS
    for low, high in islice(pairs(quantity, trend), many):
        first, second = truth(name, low), truth(name, high)
        assert first.low <= second.high, (name, trend.parameter, low, high)
        tried += 1
    assert tried, f"no point of {name} can be moved in {trend.parameter}: the trend says nothing"


def require_trends(law: str) -> None:
    """Require every trend of every quantity that the note's table gives to a law."""
    names = of_law(law)
    assert names, f"the table of laws-of-answers.md gives no quantity to {law}"
    for name in names:
        quantity = quantity_named(name)
        for trend in quantity.trends or ():
            require_trend(quantity, trend)
