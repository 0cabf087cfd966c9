"""The chance that KL(p || y) exceeds eta for y of Dirichlet(beta p + alpha): bounds and exactly.

Exactly it is had by inversion of the moment function, on a hyperbola around the poles,

    P(KL > eta) = 1/(2 pi i) * integral of F(z) dz,  F(z) = e^(-eta z) M(z)/z,

over z(u) = f + r cos(1 - i u), u real. It crosses the real axis between 0 and z_max or, for
minus P(KL <= eta), to the left of 0, and bends to the right, where e^(-eta z) is small. The error
of the trapezoid rule in u is bounded by the integrals of |F z'| over the hyperbolas of the angles
1 - a and 1 + a (``kl_moments``). proofs_notes/kl-tail.md has the proofs.

The contour crosses the real axis about the saddle of the integrand: a matter of speed alone, but
for the conditions on the foci, which are checked. On the real axis log M is convex, so
log |F| = log M - eta z - log |z| has one stationary point on either side of the pole at 0.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, cast

from flint import acb, arb, ctx, fmpq

from ..arb.balls import INFINITY, ball, extra_bits, middle, sharpened, sign, working_precision
from ..arb.roots import positive_root
from ..domain import A_PROBABILITY, LAW, NonNegative, Parameters, Positive
from ..dyadic import Dyadic
from ..enclosure import Trilean
from ..precision import check_budget
from ..quantity import LeastSound, Side, Truth, quantity
from ..relations import UNKNOWN
from ..vocabulary import Meaning
from .kl_moments import ANGLE, Divergence, Hyperbola, Moments, Strip

_KL_TAIL_NOTE = "proofs_notes/kl-tail.md"
_HALF = Fraction(1, 2)
_ANY_PROBABILITY = arb(0).union(arb(1))


def _within_the_theorem(point: Parameters) -> Parameters | None:
    """Return two equal shares with alpha = 1/2; beta (e^(eta/2) - 1) >= beta eta/2 >= d alpha."""
    beta, eta = (cast("Fraction", point[name]) for name in ("beta", "eta"))
    if beta * eta / 2 < 2 * _HALF:
        return None
    return {"p": (_HALF, _HALF), "beta": beta, "alpha": _HALF, "eta": eta}


_LEVEL = Annotated[NonNegative, Meaning("level that the divergence may exceed, in nats")]
_PRIOR = Annotated[NonNegative, Meaning("what is added to each Dirichlet parameter", "1")]


@quantity(
    "dirichlet.utility.kl_tail_bound",
    safe=Side.UPPER,
    truth=Truth.PRINTED,
    least=LeastSound(
        "dirichlet.utility.kl_tail",
        _within_the_theorem,
        "p = (1/2, 1/2), alpha = 1/2, where beta eta >= 2: there the theorem speaks of it",
    ),
    source="ponnoprat2023 Theorem 2",
    formula=r"\exp\left( -\frac{\beta \eta^2}{2 (2 + \eta)(4 + 3 \eta)} \right)",
    within=A_PROBABILITY,
    rises=UNKNOWN,
    vanishes="high eta",
)
def kl_tail_bound(beta: Positive, eta: _LEVEL) -> arb:
    """Bound of ponnoprat2023 Theorem 2 on P(KL(p || y) > eta): no bound for small alpha.

    exp(-beta eta^2/(2 (2+eta) (4+3 eta))). It bounds the tail if alpha >= 1/2 and
    beta (e^(eta/2) - 1) >= d alpha, and fails for smaller alpha (proofs_notes/kl-tail.md).
    """
    return ball(-beta * eta**2 / (2 * (2 + eta) * (4 + 3 * eta))).exp()


@quantity(
    "dirichlet.utility.kl_tail",
    safe=Side.UPPER,
    truth=Truth.LEAST,
    source=_KL_TAIL_NOTE,
    formula=r"P(\mathrm{KL}(p \,\|\, y) > \eta), \quad y \sim \mathrm{Dirichlet}(\beta p + "
    r"\alpha)",
    within=A_PROBABILITY,
    falls="eta",
    vanishes="high eta",
    slow=True,
)
def kl_tail(p: LAW, beta: Positive, alpha: _PRIOR, eta: _LEVEL) -> arb | Fraction:
    """Chance that KL(p || y) exceeds eta, y of Dirichlet(beta p + alpha), exactly.

    With alpha = 0 a coordinate with p_i = 0 is 0 in y as well.
    """
    divergence = Divergence.of(p, beta, alpha)
    if divergence.is_zero or eta == 0:
        return Fraction(0 if divergence.is_zero else 1)
    return tail(divergence, eta)


@quantity(
    "dirichlet.utility.kl_chernoff",
    safe=Side.UPPER,
    truth=Truth.PRINTED,
    least=LeastSound("dirichlet.utility.kl_tail", lambda point: point, "the same parameters"),
    source=_KL_TAIL_NOTE,
    formula=r"\min_{z \ge 0} E \, e^{z (\mathrm{KL}(p \,\|\, y) - \eta)}, \quad y \sim "
    r"\mathrm{Dirichlet}(\beta p + \alpha)",
    within=A_PROBABILITY,
    falls="eta",
    vanishes="high eta",
    slow=True,
)
def kl_chernoff(p: LAW, beta: Positive, alpha: _PRIOR, eta: _LEVEL) -> arb | Fraction:
    """Least value over z >= 0 of E e^(z (KL(p || y) - eta)), an upper bound on that chance.

    For every alpha and beta. 1 where eta is at most the mean of KL(p || y).
    """
    divergence = Divergence.of(p, beta, alpha)
    if divergence.is_zero or eta == 0:
        return Fraction(0 if eta else 1)
    above_mean = sign(sharpened(lambda: ball(eta) - divergence.slope_at(Fraction(0))))
    if above_mean is not Trilean.TRUE:
        return Fraction(1) if above_mean is Trilean.FALSE else _ANY_PROBABILITY
    return _least(divergence, eta)


def _least(divergence: Divergence, eta: Fraction) -> arb:
    """Enclose the minimum: by convexity the tangent at a point near it bounds it from below."""
    limit = divergence.limit

    def slope(z: Fraction) -> arb:
        if z == limit:
            return INFINITY
        return sharpened(lambda: divergence.slope_at(z) - ball(eta))

    place = positive_root(slope, limit / 2, limit)
    z = middle(place)
    if z >= limit:
        return _ANY_PROBABILITY
    drop = (slope(z) * 2 * place.rad()).abs_upper()
    logarithm = sharpened(lambda: divergence.log_moment_at(z) - ball(eta * z))
    return (logarithm - drop.union(arb(0))).exp()


# How far the strip may reach to either side, to angles above 0 and below pi/2 = 1.57; the best of
# these is taken.
_REACHES = [Fraction(n, 32) for n in range(1, 18)]
# What each truncation may leave out, in bits below the accuracy asked for.
_SPARE_BITS = 4
# Beyond so many nodes (tens of seconds) the contour counts as hopeless.
_MOST_NODES = 100_000
# The path is lengthened by this much until what follows it is negligible.
_LENGTHENING = Fraction(1, 4)
_GUARD_BITS = 16


@dataclass(frozen=True)
class Rule:
    """A hyperbola, a step and a number of nodes, with a bound on what the rule leaves out."""

    hyperbola: Hyperbola
    step: arb
    nodes: int
    error: arb


def tail(divergence: Divergence, eta: Fraction) -> arb:
    """Enclose P(KL(p || y) > eta), eta > 0, for y of at least two coordinates; NaN if hopeless."""
    wanted = ctx.prec
    with working_precision(divergence.planning_bits(eta)):
        rule = _planned(divergence, eta, wanted)
    if rule is None:
        return arb("nan")
    with extra_bits(divergence.bits_before_the_point(eta) + _GUARD_BITS):
        integral = _sum_over_nodes(divergence, eta, rule) + rule.error.union(-rule.error)
        return integral if rule.hyperbola.right else 1 + integral


def _planned(divergence: Divergence, eta: Fraction, bits: int) -> Rule | None:
    """Choose a rule that leaves out about 2^-bits of the answer; a matter of speed alone."""
    where = crossing(divergence, eta)
    if where is None:
        return None
    strip = Strip(divergence, eta, where.hyperbola, bits)
    negligible = where.size * arb(2) ** -(bits + _SPARE_BITS)
    reach = max(_REACHES, key=lambda a: _step_guessed(strip, where, a, negligible).mid())
    edges = strip.edge_integral(-reach) + strip.edge_integral(reach)
    if not edges.is_finite():
        return None
    step = _step(reach, edges, negligible).mid()
    length = _length(strip, negligible)
    if not (step > 0 and length / step < _MOST_NODES):
        return None
    count = int(float(length / step)) + 1  # any number of nodes is right
    return Rule(where.hyperbola, step, count, _left_out(strip, reach, edges, step, count))


def _step(reach: Fraction, edges: arb, negligible: arb) -> arb:
    """Return about the longest step whose error is negligible."""
    return 2 * arb.pi() * ball(reach) / (edges / negligible + 2).log()


def _step_guessed(strip: Strip, where: _Crossing, reach: Fraction, negligible: arb) -> arb:
    """Return about the step that a strip allows, from the integrand's size on the real axis."""
    height = strip.height(-reach) + strip.height(reach)
    return _step(reach, height * where.width, negligible)


def _length(strip: Strip, negligible: arb) -> arb:
    """Return a length of path beyond which there is about nothing."""
    length = strip.shortest(Fraction(0))
    while not strip.beyond(Fraction(0), length) < negligible:
        check_budget()
        length += ball(_LENGTHENING)
    return length


def _left_out(strip: Strip, reach: Fraction, edges: arb, step: arb, nodes: int) -> arb:
    """Bound what the nodes up to the last one leave out of the integral over all u, over pi."""
    aliases = edges / (2 * ((2 * arb.pi() * ball(reach) / step).exp() - 1))
    return (aliases + strip.beyond(Fraction(0), nodes * step)) / arb.pi()


def _sum_over_nodes(divergence: Divergence, eta: Fraction, rule: Rule) -> arb:
    """Enclose the rule's sum over all nodes from -N to N; those below 0 are mirror images."""
    moments, rate, angle = Moments(divergence), ball(eta), ball(ANGLE)
    total = arb(0)
    for j in range(rule.nodes + 1):
        check_budget()
        z, change = rule.hyperbola.point(angle, j * rule.step)
        value: acb = (moments.log_moment(z) - rate * z).exp() * change / z
        total += value.imag if j else value.imag / 2
    return total * rule.step / arb.pi()


# The search goes over powers of 2 with exponents in these units, to 2^(2^16) at most.
_UNITS, _LARGEST = 64, 1 << 22
_SHORT_BITS = 64
# The foci are moved off their bounds by this share.
_INSIDE = Fraction(63, 64)


@dataclass(frozen=True)
class _Crossing:
    """A hyperbola; about the size of the answer, and about the integrand's width in u."""

    hyperbola: Hyperbola
    size: arb
    width: arb


def crossing(divergence: Divergence, eta: Fraction) -> _Crossing | None:
    """Choose the side of the pole and the hyperbola there; None if no saddle is found."""
    right = divergence.slope_at(Fraction(0)).mid() < ball(eta)
    place = _right_place(divergence, eta) if right else _left_place(divergence, eta)
    if place is None:
        return None
    path = _right_path(divergence, place) if right else _left_path(place)
    length = 1 / (divergence.curvature_at(place) + 1 / ball(place) ** 2).sqrt()
    size = arb(1)
    if right:
        log_moment = divergence.log_moment_at(place) - ball(eta * place)
        size = log_moment.exp() / ball(place) * length / (2 * arb.pi()).sqrt()
    if not (size.is_finite() and length.is_finite() and path.is_admitted(ball(divergence.limit))):
        return None
    return _Crossing(path, size.mid(), (length / path.radius).mid())


def _right_place(divergence: Divergence, eta: Fraction) -> Fraction | None:
    def place(odds: Fraction) -> Fraction:
        """Return a point between 0 and z_max, short as seen from the nearer end."""
        if odds < 1:
            return _short(divergence.limit * odds / (1 + odds))
        return divergence.limit - _short(divergence.limit / (1 + odds))

    def slope(odds: Fraction) -> arb:
        return divergence.slope_at(place(odds)) - ball(eta) - 1 / ball(place(odds))

    found = _zero(slope)
    return None if found is None else place(found)


def _left_place(divergence: Divergence, eta: Fraction) -> Fraction | None:
    found = _zero(lambda t: ball(eta) - 1 / ball(t) - divergence.slope_at(-t))
    return None if found is None else -found


def _right_path(divergence: Divergence, place: Fraction) -> Hyperbola:
    """Return the widest hyperbola with a centre >= 0 and its focus at most z_max."""
    cosine = ball(ANGLE).cos()
    rooms = ball(place) / cosine, ball(divergence.limit - place) / (1 - cosine)
    radius = (rooms[0].min(rooms[1]) * ball(_INSIDE)).mid()
    return Hyperbola((ball(place) - radius * cosine).mid(), radius, right=True)


def _left_path(place: Fraction) -> Hyperbola:
    """Return the widest hyperbola with its focus at most 0."""
    cosine = ball(ANGLE).cos()
    radius = (ball(-place) / (1 - cosine) * ball(_INSIDE)).mid()
    return Hyperbola((ball(place) - radius * cosine).mid(), radius, right=False)


def _zero(increasing: Callable[[Fraction], arb]) -> Fraction | None:
    """Return about the zero of a function on the positive numbers, to one part in 2^6."""

    def is_above(exponent: int) -> bool:
        check_budget()
        return bool(increasing(_power(exponent)).mid() > 0)

    step = -_UNITS if is_above(0) else _UNITS
    while is_above(step) == (step < 0):
        step *= 2
        if abs(step) > _LARGEST:
            return None
    low, high = sorted((step, step // 2 if abs(step) > _UNITS else 0))
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if is_above(middle) else (middle, high)
    return _power(high)


def _power(exponent: int) -> Fraction:
    """Return a short dyadic near 2^(exponent/64)."""
    return _short(middle(arb(2) ** arb(fmpq(exponent, _UNITS))))


def _short(value: Fraction) -> Fraction:
    return Fraction(Dyadic.rounded(value, _SHORT_BITS, up=False).as_fraction())
