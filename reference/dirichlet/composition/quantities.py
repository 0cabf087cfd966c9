"""The exact privacy of independent releases, as quantities."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from flint import arb, ctx

from ...adjacency import Floored
from ...arb.balls import INFINITY, ball, sign, working_precision
from ...arb.roots import positive_near, positive_root
from ...domain import A_PROBABILITY, AT_LEAST_ZERO, RELEASES, NonNegative, Probability
from ...enclosure import Trilean
from ...quantity import Routed, Side, Truth, quantity
from ...relations import Complete, InverseOf, Order, Promise, Trend
from .. import profile
from .convex import inside, planning_bits, right_strip, zero_of_rising
from .integral import Paths
from .moments import LossMoments, Releases
from .route import delta_of, routed

_NOTE = "proofs_notes/composition.md"
# Nats by which the point of the tangent through (0, log delta) may be off.
_NEARLY = 0.05


def _neighbours(p: Complete) -> tuple[Floored, ...]:
    """Return those of each release: together they lose no less than one of them alone."""
    return tuple(Floored(alpha, step) for alpha, step, _ in p["releases"])


@quantity(
    "dirichlet.composition.delta",
    safe=Side.UPPER,
    truth=Truth.LEAST,
    source=_NOTE,
    formula=r"\sup_{A} \; \Big( \bigotimes_j P_j^{c_j} \Big)(A) - e^{\varepsilon} \Big( "
    r"\bigotimes_j Q_j^{c_j} \Big)(A), \quad P_j = \mathrm{Beta}(\alpha_j, \alpha_j + "
    r"s_j), \; Q_j = \mathrm{Beta}(\alpha_j + s_j, \alpha_j)",
    within=A_PROBABILITY,
    rises=Trend("releases", Order.RELEASES),
    falls="epsilon",
    vanishes="high epsilon",
    promise=Promise("delta", _neighbours),
    slow=True,
)
def delta(releases: RELEASES, epsilon: NonNegative) -> Routed:
    """Exact delta of independent releases together, each its dominating pair: a hockey-stick.

    Each row is floor, step and number of equal releases. Attained where one pair of neighbouring
    inputs attains every factor (a release repeated, the rows of a matrix), else an upper bound,
    also where what is asked depends on earlier answers; the rows must not.
    """
    return routed(Releases.of(releases), epsilon)


@quantity(
    "dirichlet.composition.epsilon",
    safe=Side.UPPER,
    truth=Truth.LEAST,
    source=_NOTE,
    formula=r"\min \{ \varepsilon \ge 0 : \delta(\mathrm{releases}, \varepsilon) \le \delta \}",
    within=AT_LEAST_ZERO,
    rises=Trend("releases", Order.RELEASES),
    falls="delta",
    vanishes="high delta",
    inverse=InverseOf("dirichlet.composition.delta", "delta", "epsilon"),
    promise=Promise("epsilon", _neighbours),
    quick="releases.alpha >= 0.3",
)
def epsilon(releases: RELEASES, delta: Probability) -> arb | Fraction:
    """Smallest epsilon at which independent releases together have at most ``delta``.

    0 from the total variation on, infinite at delta = 0 (there is no pure differential privacy),
    else the root of a strictly decreasing function, bracketed with both signs proved.
    """
    return smallest_epsilon(Releases.of(releases), delta)


def smallest_epsilon(releases: Releases, delta: Fraction) -> arb | Fraction:
    """Enclose the inverse of delta."""
    if releases.single:
        inverse: arb | Fraction = profile.epsilon(*releases.single, delta)
        return inverse
    if delta == 0:
        return INFINITY
    room = sign(_largest(releases, ctx.prec) - ball(delta))
    if room is Trilean.FALSE or delta == 1:
        return Fraction(0)
    above = epsilon_above(releases, delta)
    if room is Trilean.UNKNOWN:
        return arb(0).union(above)
    target, paths = ball(delta), Paths()
    rest = ball(1 - delta) if 2 * delta > 1 else None

    def excess(point: Fraction) -> arb:
        found = delta_of(releases, point, paths)
        # Next to 1 it is the complement that changes.
        if rest is not None and found < 1:
            return (1 - found).log() - rest.log()
        # In logarithms roots are found faster; a delta only known to be tiny has none.
        return target.log() - found.log() if found > 0 else target - found

    return positive_root(excess, start=positive_near(_guess(releases, delta, above)))


@lru_cache(maxsize=8)
def _largest(releases: Releases, bits: int) -> arb:
    """Enclose delta at 0, which no delta that is asked for changes."""
    with working_precision(bits):
        return delta_of(releases, Fraction(0))


def _guess(releases: Releases, delta: Fraction, above: arb) -> arb:
    """Return where to begin: at the bound, or at the mean loss, which delta passes near 1/2.

    Next to delta = 1 the bound is astronomically far off. A matter of speed alone.
    """
    mean = LossMoments(releases, Fraction(0)).slope(arb(0))
    return mean if 2 * delta > 1 and mean < above else above


def epsilon_above(releases: Releases, delta: Fraction) -> arb:
    """Enclose a number above epsilon: (log M(c) - log delta)/c, at about the best c.

    By Chernoff's bound delta(epsilon) <= M(c) e^(-c epsilon), for any c between 0 and M's pole.
    """
    with working_precision(planning_bits(releases, Fraction(0))):
        moments, log_delta = LossMoments(releases, Fraction(0)), ball(delta).log()
        strip = right_strip(releases)
        point = zero_of_rising(
            lambda c: c * moments.slope(c) - moments.logarithm(c) + log_delta,
            strip.low,
            inside(moments, strip),
            lambda value, _: bool(abs(value) < _NEARLY),
        )
        if not point > 0:  # delta is next to 1, and every c is as good
            point = ball(releases.limit / 2)
        return (moments.logarithm(point) - log_delta) / point
