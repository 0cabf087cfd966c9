"""Which way to the tail: the cheapest of those that can do it, and the next where it fails.

Every route encloses the same number, so a wrong guess of the cost wastes time and nothing else.
Of it follow the tail by itself, for any Dirichlet law, and the level gamma at which a good set is
missed with a given probability.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from types import ModuleType
from typing import Annotated

from flint import arb, ctx

from ...arb.balls import ball, middle, narrower, sign
from ...arb.gamma import log_beta
from ...arb.roots import positive_near, positive_root
from ...domain import A_PROBABILITY, Entries, Interval, Positive, Probability, count_from
from ...dyadic import Dyadic
from ...enclosure import Trilean
from ...precision import check_budget, seconds_left
from ...quantity import Routed, Side, Truth, quantity
from ...relations import more
from . import contour, cubature, series
from .event import Miss, bracket, closed_bounds

# Estimates may be too high by so much; a route that takes longer than the time left, even then,
# is not begun, so that there is time to say what the bracket knows.
_DOUBT = 10.0
# Below this a route is taken without asking what the others would cost.
_CHEAP_SECONDS = 0.002
_ROUTES: dict[str, ModuleType] = {"series": series, "contour": contour, "cubature": cubature}


def routed(miss: Miss) -> Routed:
    """Enclose the probability of a miss by the cheapest route, and say which it was.

    A route whose enclosure keeps less than half of the working precision is followed by the next
    cheapest; enclosures of one number may be intersected. Where none is finite, closed bounds tell
    what is next to 1, and the bracket what it can.
    """
    if miss.known is not None:
        return Routed(miss.known, "known exactly")
    found, taken = arb("nan"), ""
    for name in routes_by_cost(miss):
        check_budget()
        found, taken = narrower(found, _ROUTES[name].probability(miss)), name
        if _is_good(found):
            break
    if found.is_finite():
        return Routed(found, taken)
    found = closed_bounds(miss)
    if _is_good(found):
        return Routed(found, "closed bounds")
    return Routed(narrower(bracket(miss), found), "bracket")


def probability(miss: Miss) -> arb:
    """Enclose the probability of a miss by the cheapest route."""
    value = routed(miss).value
    return arb(int(value)) if isinstance(value, Fraction) else value


def routes_by_cost(miss: Miss) -> Iterator[str]:
    """Yield the routes that are worth a try at the working precision, the cheapest first.

    The costs of all are asked for only if the first in the list is not cheap already: to work
    out an estimate takes about as long as the series does for a few small parameters.
    """
    first, *others = _ROUTES
    expected = {first: _ROUTES[first].seconds_expected(miss)}
    begun = {first} if expected[first] <= _CHEAP_SECONDS else set()
    yield from begun
    expected |= {name: _ROUTES[name].seconds_expected(miss) for name in others}
    most = _DOUBT * seconds_left()
    usable = {name for name, seconds in expected.items() if seconds <= most}
    yield from sorted(usable - begun, key=expected.__getitem__)


def _is_good(found: arb) -> bool:
    return bool(found.is_finite()) and 2 * found.rel_accuracy_bits() >= ctx.prec


_SERIES_NOTE = "proofs_notes/tail-series.md"
_CONTOUR_NOTE = "proofs_notes/tail-contour.md"

_PARAMETER = Interval(above=Fraction(0))
_PARAMETERS = Annotated[tuple[Fraction, ...], Entries(_PARAMETER)]
COUNT = Annotated[int, count_from(1, 50, 1_000)]
_REST = Annotated[Fraction, Interval(at_least=Fraction(0), search=("0.001", "1000"))]


@quantity(
    "dirichlet.tail.uniform",
    safe=Side.UPPER,
    truth=Truth.LEAST,
    source=_SERIES_NOTE,
    formula=r"P\left( \min_{i \le c} x_i < \gamma \right), \quad x \sim "
    r"\mathrm{Dirichlet}(\alpha, \ldots, \alpha, \mathrm{rest})",
    within=A_PROBABILITY,
    rises="count rest gamma",
    vanishes="low gamma",
)
def uniform(alpha: Positive, count: COUNT, rest: _REST, gamma: Probability) -> Routed:
    """Probability that some of ``count`` equal coordinates falls below gamma.

    x ~ Dirichlet(alpha, ..., alpha, rest), the parameter alpha ``count`` times; with rest 0 every
    coordinate is protected. Exactly 1 from count gamma = 1 on.
    """
    return routed(Miss(((alpha, count),), rest, gamma))


@quantity(
    "dirichlet.tail.general",
    safe=Side.UPPER,
    truth=Truth.LEAST,
    source=_CONTOUR_NOTE,
    formula=r"P\left( \min_{i \le d} x_i < \gamma \right), \quad x \sim "
    r"\mathrm{Dirichlet}(\alpha_1, \ldots, \alpha_d, \mathrm{rest})",
    within=A_PROBABILITY,
    rises=("rest gamma", more("alpha")),
    vanishes="low gamma",
    slow=True,
)
def general(alpha: _PARAMETERS, rest: _REST, gamma: Probability) -> Routed:
    """Probability that some protected coordinate falls below gamma, for any parameters.

    x ~ Dirichlet(alpha, rest), the coordinates of alpha protected; with rest 0 all are.
    """
    return routed(Miss.of(alpha, rest, gamma))


WORST_INPUT_NOTE = "proofs_notes/tail-worst-input.md"
# Levels below this (1e-39456) are not told apart: as fractions they would take minutes.
_SMALLEST = Fraction(1, 1 << (1 << 17))
_START_BITS = 32
# From this floor on the draw is so narrow that its spread tells where to look; speed alone.
_NARROW = Fraction(2) ** 20
_SMALL_PART = Fraction(1, 16)


def level_of(miss_at: Callable[[Fraction], Miss], delta: Fraction) -> arb:
    """Enclose the gamma at which the probability of a miss is delta, 0 < delta < 1.

    The probability increases from 0 to 1 on (0, 1/count) (proofs_notes/tail-worst-input.md), so
    two proved signs enclose the only root. An astronomically small one is only bounded.
    """
    limit = Fraction(1, miss_at(Fraction(1)).count)
    chance = ball(delta)
    target = chance.log()

    def excess(gamma: Fraction) -> arb:
        miss = miss_at(gamma)
        if miss.known is not None:
            return probability(miss).log() - target
        # Far from the root, where every other way may be long, closed bounds show the sign.
        bounds = closed_bounds(miss)
        if bounds < chance:
            return bounds.abs_upper().log() - target
        return (bounds.abs_lower() if bounds > chance else probability(miss)).log() - target

    likely = _likely(miss_at(limit), delta)
    if likely is not None:
        return positive_root(excess, *likely)
    start = _start(miss_at(limit), delta)
    if start == _SMALLEST and sign(excess(_SMALLEST)) is Trilean.TRUE:
        return arb(0).union(ball(_SMALLEST))
    return positive_root(excess, start, limit)


def _likely(miss: Miss, delta: Fraction) -> tuple[Fraction, Fraction, Fraction] | None:
    """Return a gamma below the root, its limit, and the part of it within which the root is.

    By Chernoff's bound for a normal law: some spreads below the mean, for a draw that has one.
    """
    alpha, count = miss.groups[0]
    if alpha < _NARROW:
        return None
    nats = (ball(count) / ball(delta)).log()
    away = positive_near((2 * nats * ball((miss.total - alpha) / (miss.total * alpha))).sqrt())
    if away > _SMALL_PART:
        return None
    return alpha / miss.total * (1 - away * 5 / 4), miss.gamma, 4 * away


def _start(miss: Miss, delta: Fraction) -> Fraction:
    """Return a gamma near the root: where the smallest parameter's first term would be delta.

    P(x < gamma) is about gamma^a/(a B(a, k - a)); a matter of speed alone.
    """
    alpha, count = miss.groups[0]
    others = miss.total - alpha
    front = ball(delta * alpha / count).log() + log_beta(alpha, others)
    guess = (front / ball(alpha)).exp().mid()
    highest = miss.gamma / 2
    if not guess.is_finite() or guess >= ball(highest):
        return highest
    if guess <= ball(_SMALLEST):
        return _SMALLEST
    return Fraction(Dyadic.rounded(middle(guess), _START_BITS, up=True).as_fraction())
