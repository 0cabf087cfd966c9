"""Discrete Gaussian noise: exact delta, epsilon and Renyi divergence.

A whole number that changes by at most the sensitivity D between neighbours is released with noise
that is k with a chance in proportion to e^(-k^2/(2 s^2)), s the scale. The law shifted by D against
itself dominates every pair of neighbours, and those that differ by D attain it, in either order
(proofs_notes/discrete-noise.md). Its profile is not that of the continuous law, on either side.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Annotated

from flint import acb, arb, ctx

from .arb.balls import INFINITY, ball, monotone_hull, sharpened, sign
from .arb.roots import positive_near, positive_root
from .discrete_laplace import NOTE, SENSITIVITY
from .domain import A_PROBABILITY, AT_LEAST_ZERO, Interval, NonNegative, Order, Probability
from .enclosure import Trilean
from .precision import check_budget
from .quantity import Side, Truth, quantity
from .relations import InverseOf
from .vocabulary import Meaning

SCALE = Annotated[
    Fraction,
    Interval(above=Fraction(0), search=("0.2", "100"), beyond=("0.05", "1000")),
    Meaning("scale of the noise: a whole number k has a chance like e^(-k^2/(2 s^2))", "2", "s"),
]
# A sum of more terms takes longer than Euler's and Maclaurin's, which has at most so many.
_MOST_TERMS, _MOST_DERIVATIVES = 2_000, 400
_TERMS_BETWEEN_LOOKS = 256


@quantity(
    "discrete_gaussian.delta",
    safe=Side.UPPER,
    truth=Truth.LEAST,
    source=f"canonne2020 Theorem 7; {NOTE}",
    formula=r"\delta = \mathbb{P}(X \ge m - \Delta) - e^{\varepsilon} \mathbb{P}(X \ge m), \quad "
    r"m = \Big\lfloor \frac{\Delta}{2} + \frac{\varepsilon s^2}{\Delta} \Big\rfloor + 1",
    within=A_PROBABILITY,
    rises="sensitivity",
    falls="epsilon",
    vanishes="high epsilon",
)
def delta(scale: SCALE, sensitivity: SENSITIVITY, epsilon: NonNegative) -> arb:
    """Exact delta of discrete Gaussian noise: the hockey-stick of the shifted law at e^epsilon.

    The same in both orders. It need not fall as the scale grows. Two tails of a theta series, each
    known to full relative accuracy, at a precision that has room for what their difference loses.
    """
    return profile(scale, sensitivity, epsilon)


def profile(scale: Fraction, sensitivity: int, epsilon: Fraction) -> arb:
    """Enclose the hockey-stick at e^epsilon, a rational of either sign."""
    first = (Fraction(sensitivity, 2) + epsilon * scale**2 / sensitivity) // 1 + 1

    def formula() -> arb:
        whole = 2 * tail(scale, 1) + 1
        near, far = (_any_tail(scale, start, whole) for start in (first - sensitivity, first))
        return (near - ball(epsilon).exp() * far) / whole

    return sharpened(formula)


def _any_tail(scale: Fraction, start: int, whole: arb) -> arb:
    """Enclose the sum of e^(-k^2/(2 s^2)) over k >= start."""
    return tail(scale, start) if start > 0 else whole - tail(scale, 1 - start)


def tail(scale: Fraction, start: int) -> arb:
    """Enclose the sum of e^(-k^2/(2 s^2)) over k >= start, start being positive."""
    rate = 1 / (2 * scale**2)
    first = (-ball(rate * start**2)).exp()
    # Where so many terms are enough: from there on they are below 2^-bits of the first.
    if rate * _MOST_TERMS * (2 * start + _MOST_TERMS) > 2 * ctx.prec:
        return first * _term_by_term(ball(rate), start)
    return first * _by_derivatives(scale, start)


def _term_by_term(rate: arb, start: int) -> arb:
    """Enclose the tail over its first term: 1 + r_1 + r_1 r_2 + ..., r_j = e^(-rate (2k + 1))."""
    total, term, ratio = arb(1), arb(1), (-rate * (2 * start + 1)).exp()
    slower = (-2 * rate).exp()
    least = arb(2) ** -(ctx.prec + 8)
    for j in range(2 * _MOST_TERMS):
        if j % _TERMS_BETWEEN_LOOKS == 0:
            check_budget()
        rest = term * ratio / (1 - ratio)
        if rest < least * total:
            return total + arb(0).union(rest)
        term *= ratio
        total += term
        ratio *= slower
    return arb("nan")


def _by_derivatives(scale: Fraction, start: int) -> arb:
    """Enclose the tail over its first term by Euler's and Maclaurin's formula.

    The rest after p derivatives is at most 2 zeta(2p)/(2 pi)^(2p) times the integral of the 2p-th
    derivative's size, which Cramer's bound on Hermite's functions bounds, and far out Hermite's
    polynomial without its signs.
    """
    spread = ball(scale)
    x = ball(start / scale)
    square = (x**2 / 2).exp()
    root = arb(2).sqrt()
    integral = spread * (arb.pi() / 2).sqrt() * square * monotone_hull(arb.erfc, x / root)
    # What the size of all derivatives' integrals has in common, over the first term.
    wide = spread * arb.pi().sqrt() * monotone_hull(arb.erfc, x / 2) * square
    total = integral + arb(1) / 2
    least = arb(2) ** -(ctx.prec + 8)
    # He_n(x)/s^n for n = 2j - 1; c_j = B_2j/(2j)!, and 2 zeta(2j)/(2 pi)^(2j) is its size.
    before, here = arb(1), x / spread
    unsigned_before, unsigned = before, here
    best = INFINITY
    for j in range(1, _MOST_DERIVATIVES):
        check_budget()
        factorial = arb.fac_ui(2 * j)
        size = arb.bernoulli(2 * j) / factorial
        total += size * here  # less the derivative, which is -He_n/s^n of the first term
        most = wide * factorial.sqrt() / spread ** (2 * j)
        unsigned_before, unsigned = _next(unsigned_before, unsigned, 2 * j - 1, x, spread, 1)
        if x**2 > 2 * j:
            most = most.min(spread * unsigned / (x - 2 * j / x))
        rest = abs(size) * most
        if rest < least * total or not rest < best:  # or it grows from here on
            return total + rest.union(-rest)
        best = rest
        for n in (2 * j - 1, 2 * j):
            before, here = _next(before, here, n, x, spread, -1)
        unsigned_before, unsigned = _next(unsigned_before, unsigned, 2 * j, x, spread, 1)
    return arb("nan")


def _next(before: arb, here: arb, n: int, x: arb, spread: arb, sign: int) -> tuple[arb, arb]:
    """Return Hermite's polynomials n and n + 1 at x over spread^n from those before."""
    return here, (x * here + sign * n * before / spread) / spread


@quantity(
    "discrete_gaussian.epsilon",
    safe=Side.UPPER,
    truth=Truth.LEAST,
    source=f"canonne2020 Theorem 7; {NOTE}",
    formula=r"\min \{ \varepsilon \ge 0 : \delta(s, \Delta, \varepsilon) \le \delta \}",
    within=AT_LEAST_ZERO,
    rises="sensitivity",
    falls="delta",
    vanishes="high delta",
    inverse=InverseOf("discrete_gaussian.delta", "delta", "epsilon"),
)
def epsilon(scale: SCALE, sensitivity: SENSITIVITY, delta: Probability) -> arb | Fraction:
    """Smallest epsilon at which discrete Gaussian noise has at most ``delta``.

    0 from the total variation on, infinite at delta = 0, else the root of a strictly decreasing
    function, bracketed with both signs proved.
    """
    if delta == 0:
        return INFINITY
    if delta == 1:
        return Fraction(0)
    target = ball(delta).log()
    room = sign(profile(scale, sensitivity, Fraction(0)).log() - target)
    if room is Trilean.FALSE:
        return Fraction(0)
    # The divergences are at most the continuous law's, and so is Chernoff's bound.
    over = ball(sensitivity / scale)
    above = over**2 / 2 + over * (-2 * target).sqrt()
    if room is Trilean.UNKNOWN:
        return arb(0).union(above)
    return positive_root(
        lambda point: target - profile(scale, sensitivity, point).log(), positive_near(above)
    )


@quantity(
    "discrete_gaussian.renyi",
    safe=Side.UPPER,
    truth=Truth.LEAST,
    source=f"canonne2020 Proposition 5 (whole orders); {NOTE}",
    formula=r"D_{\lambda} = \frac{\lambda \Delta^2}{2 s^2} + \frac{1}{\lambda - 1} \log "
    r"\frac{\sum_k e^{-(k - \lambda \Delta)^2/(2 s^2)}}{\sum_k e^{-k^2/(2 s^2)}}",
    within=AT_LEAST_ZERO,
    rises="order sensitivity",
)
def renyi(scale: SCALE, sensitivity: SENSITIVITY, order: Order) -> arb | Fraction:
    """Exact Renyi divergence of discrete Gaussian noise, the same in both orders of the pair.

    That of the continuous law, order D^2/(2 s^2), where order times sensitivity is whole; else
    less. Order 1 is Kullback-Leibler.
    """
    continuous = order * sensitivity**2 / (2 * scale**2)
    if (order * sensitivity).denominator == 1:
        return continuous

    def formula() -> arb:
        return ball(continuous) + log_theta_ratio(scale, order * sensitivity) / ball(order - 1)

    return sharpened(formula)


def log_theta_ratio(scale: Fraction, shift: Fraction) -> arb:
    """Enclose log of the sum of e^(-(k - shift)^2/(2 s^2)) over all k over that at shift 0."""
    away = abs(shift - round(shift))
    if scale >= 1:
        # Poisson's sums, s sqrt(2 pi) (1 + 2 sum of e^(-2 pi^2 s^2 n^2) cos(2 pi n shift)).
        less, whole = _poisson(scale, away)
        return (-less / whole).log1p()
    rate = 1 / (2 * scale**2)
    least = arb(2) ** -(ctx.prec + 8)
    # The largest term, that of the nearest k, is taken out: a narrow noise's is below every float.
    total, whole, k = arb(1), arb(1), 1
    while True:
        near, far = (ball(-rate * k * (k - 2 * side * away)).exp() for side in (1, -1))
        own = ball(-rate * k**2).exp()
        total, whole = total + near + far, whole + 2 * own
        # From the next on each term is at most e^(-rate (2k - 1)) of the one before.
        ratio = (-ball(rate) * (2 * k - 1)).exp()
        rest = 2 * near * ratio / (1 - ratio)
        if not rest > least * total:
            left = arb(0).union(rest)
            return (total + left).log() - (whole + left).log() - ball(rate * away**2)
        k += 1


def _poisson(scale: Fraction, away: Fraction) -> tuple[arb, arb]:
    """Enclose 4 times the sum of e^(-2 pi^2 s^2 n^2) sin(pi n away)^2, and 1 + 2 times it without.

    The terms of the second fall by more than e^(-2 pi^2), those of the first have no larger rest.
    Those of a broad noise are below every float: then the first sum is a ball around 0.
    """
    rate = 2 * (arb.pi() * ball(scale)) ** 2
    least = arb(2) ** -(ctx.prec + 8)
    less, whole, n = arb(0), arb(1), 1
    while True:
        term = (-rate * n**2).exp()
        less += 4 * term * arb.sin_pi(ball(n * away)) ** 2
        whole += 2 * term
        rest = 8 * (-rate * (n + 1) ** 2).exp()
        if not rest > least * less:
            return less + arb(0).union(rest), whole + arb(0).union(rest)
        n += 1


def shifted_theta(scale: Fraction, shift: acb, front: acb) -> acb:
    """Enclose e^front times the sum of e^(-(k - shift)^2/(2 s^2)) over that at shift 0.

    Term by term, or by Poisson's sum where the noise is broad: of either the terms' sizes are
    e^(-A (n - x)^2) times one number, x real, so what is left out on both sides is below two
    geometric series.
    """
    if scale >= 1:
        rate = 2 * (arb.pi() * ball(scale)) ** 2
        along = 2 * arb.pi() * acb(0, 1) * shift
        found = _sum_about(along.real / (2 * rate), rate, lambda n: along * n - rate * n**2, front)
    else:
        rate = ball(1 / (2 * scale**2))
        found = _sum_about(shift.real, rate, lambda n: -rate * (shift - n) ** 2, front)
    return found / _sum_about(arb(0), rate, lambda n: acb(-rate * n**2), acb(0))


def _sum_about(center: arb, rate: arb, power: Callable[[int], acb], front: acb) -> acb:
    """Enclose e^front times the sum of e^power(n), of sizes C e^(-rate (n - center)^2)."""
    nearest = center.mid().floor().unique_fmpz() if center.is_finite() else None
    if nearest is None:
        return acb("nan")
    place = int(nearest)
    total = (power(place) + front).exp()
    top = abs(total) * (rate * (center - place) ** 2).exp()
    least = top.abs_upper() * arb(2) ** -(ctx.prec + 8)
    reach = 0
    while True:
        reach += 1
        total += (power(place + reach) + front).exp() + (power(place - reach) + front).exp()
        # The next ones are at least so far from the center.
        away = reach + 1 - abs(center - place)
        rest = 2 * top * (-rate * away**2).exp() / (1 - (-2 * rate * away).exp())
        if not rest > least:
            both = rest.union(-rest)
            return total + acb(both, both)
