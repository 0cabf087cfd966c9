"""P(KL > eta) by inversion of its moment function, on a hyperbola around the poles.

    P(KL > eta) = 1/(2 pi i) * integral of F(z) dz,  F(z) = e^(-eta z) M(z)/z,

over z(u) = f + r cos(1 - i u), u real. It crosses the real axis between 0 and z_max or, for
minus P(KL <= eta), to the left of 0, and bends to the right, where e^(-eta z) is small. The error
of the trapezoid rule in u is bounded by the integrals of |F z'| over the hyperbolas of the angles
1 - a and 1 + a (``kl_strip``). proofs_notes/kl-tail.md has the proofs.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from flint import acb, arb, ctx

from ..arb.balls import ball, extra_bits, working_precision
from ..precision import check_budget
from .kl_crossing import Crossing, crossing
from .kl_moments import Divergence, Moments
from .kl_strip import ANGLE, Hyperbola, Strip

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


def _step_guessed(strip: Strip, where: Crossing, reach: Fraction, negligible: arb) -> arb:
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
