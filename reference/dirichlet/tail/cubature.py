"""The tail as nested integrals of positive functions, by Gaussian quadrature in each coordinate.

Ask which protected coordinate is the first to be small:

    delta = sum over j of P(x_j < gamma, none of x_1 .. x_(j-1) below gamma)
          = sum over j of the integral over y in (0, gamma) of f_j(y) S_(j-1)(gamma/(1 - y)),

f_j being the Beta density of x_j. Given x_j = y the others are 1 - y times a Dirichlet draw again,
so S, the probability that none of the earlier ones is small, is 1 minus the same sum with fewer
coordinates; at the bottom stands one incomplete beta. Every integral runs over (0, level), where
its integrand is analytic but for y^(a-1), the weight of the rule.

A layer is one of these integrals over u in [0, 1], of u^(a-1) (1 - z u)^(b-1) S(z/(1 - z u)), S
being the probability that the m coordinates before it survive. Into which panels it is cut, and how
many nodes each has, is planned in plain doubles and balls of few bits, a matter of speed alone: the
error of whatever is chosen is bounded on a Bernstein ellipse. proofs_notes/tail-cubature.md has the
proofs, and why no accuracy is lost where S is small.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import TypeAlias

from flint import arb, ctx

from ...arb import incomplete_beta
from ...arb.balls import ball, extra_bits, working_precision
from ...arb.gamma import log_beta
from ...arb.gauss import error_factor, gauss_jacobi
from ...arb.gauss import seconds_expected as seconds_of_rule
from ...precision import check_budget
from .event import Miss

# Ellipses tried: these powers of the largest one on which the integrand is analytic.
_SHARES_OF_LARGEST = tuple(j / 10 for j in range(1, 10))
_LARGEST_RATIO = 1e30  # of an ellipse's axis to its panel; beyond, one node does
# A panel may miss this part of what all may: the panels of a usual layer.
_PANELS_USUAL = 8
_MOST_PANELS = 48
# Numbers of nodes: few different ones, since their rules are kept.
_COUNTS = (*range(1, 9), 10, 12, 14, 16, 20, 24, 28, 32, 40, 48, 56, 64, 80, 96, 112, 128)
_TOO_MANY = 10**6
# Two short panels take more nodes than a long one, until its rule is slower than its sum; rules
# with a weight are slow. So many nodes at most, plus one for so many bits.
_LONGEST, _BITS_A_NODE = 16, 3
_LONGEST_AT_ZERO, _BITS_A_NODE_AT_ZERO = 32, 8
# Layers share their panels if their levels or tolerances differ by less than moves a panel.
_BITS_OF_LEVELS = 5
_SMALLEST_ROOM = 1e-12
_NATS_OF_TOLERANCES = 2.0
_CACHED_LAYOUTS = 4096


def panels(layer: Layer, tolerance: arb) -> tuple[Panel, ...]:
    """Return panels that miss about ``tolerance`` at most together; none if too many are needed."""
    nats = float(tolerance.log().mid())
    if not (math.isfinite(nats) and layer.level.is_finite()):
        return ()
    mantissa, exponent = _just_above(layer)
    key = (layer.alpha, layer.others, layer.earlier, mantissa, exponent)
    return _panels(*key, round(nats / _NATS_OF_TOLERANCES), ctx.prec)


def _just_above(layer: Layer) -> tuple[int, int]:
    """Return mantissa and exponent of a level of few bits, near enough above the layer's own.

    Near against what moves the integrand, 1/b, and the room that it leaves for the ellipses.
    """
    level = layer.level.mid()
    room = max(1 - (layer.earlier + 1) * float(level), _SMALLEST_ROOM)
    bits = _BITS_OF_LEVELS + int(math.log2(float(layer.others) * abs(float(level)) + 1 / room))
    with working_precision(bits):
        mantissa, exponent = (level + level * arb(2) ** -bits).mid().man_exp()
    return int(mantissa), int(exponent)


@lru_cache(_CACHED_LAYOUTS)
def _panels(
    alpha: Fraction,
    others: Fraction,
    earlier: int,
    mantissa: int,
    exponent: int,
    nats: int,
    bits: int,
) -> tuple[Panel, ...]:
    longest = min(_LONGEST + bits // _BITS_A_NODE, _COUNTS[-1])
    longest_at_zero = min(longest, _LONGEST_AT_ZERO + bits // _BITS_A_NODE_AT_ZERO)
    with working_precision(_BITS_OF_BOUNDS):
        layer = Layer(alpha, others, earlier, mantissa * arb(2) ** exponent)
        share = arb(nats * _NATS_OF_TOLERANCES).exp() / _PANELS_USUAL
        waiting, found = [Panel(0.0, 1.0)], list[Panel]()
        while waiting and len(found) + len(waiting) <= _MOST_PANELS:
            panel = waiting.pop()
            planned = _planned(layer, panel, share)
            if planned.count > (longest if panel.low else longest_at_zero):
                waiting.extend(panel.halves())
            else:
                found.append(planned)
    return () if waiting else tuple(found)


def _planned(layer: Layer, panel: Panel, share: arb) -> Panel:
    """Return the panel without nodes where it is negligible, else with as few as any ellipse."""
    if layer.error(panel) <= share:
        return panel
    largest = _largest_ellipse(layer, panel)
    tried = [replace(panel, ellipse=largest**part) for part in _SHARES_OF_LARGEST]
    counted = [replace(one, count=_count(layer, one, share)) for one in tried]
    return min(counted, key=lambda one: one.count)


def _largest_ellipse(layer: Layer, panel: Panel) -> float:
    half, centre = (panel.high - panel.low) / 2, (panel.low + panel.high) / 2
    room = float(1 / layer.level) - layer.earlier - centre
    if panel.low:
        room = min(room, centre)
    ratio = min(max(room / half, 1.0), _LARGEST_RATIO)
    return ratio + math.sqrt(ratio * ratio - 1)


def _count(layer: Layer, panel: Panel, share: arb) -> int:
    if panel.ellipse <= 1:
        return _TOO_MANY
    needed = layer.largest(panel) * error_factor(arb(panel.ellipse), 1) / share
    nodes = float(needed.log().mid()) / (2 * math.log(panel.ellipse)) + 1
    return next((count for count in _COUNTS if count >= nodes), _TOO_MANY)


# Bounds need their order of magnitude, not their digits.
_BITS_OF_BOUNDS = 53


@dataclass(frozen=True)
class Panel:
    """Part [low, high] of [0, 1], both dyadic; without nodes the integral is only bounded."""

    low: float
    high: float
    ellipse: float = 1.0
    count: int = 0

    def halves(self) -> tuple[Panel, Panel]:
        """Return the two halves, without nodes."""
        middle = (self.low + self.high) / 2
        return Panel(self.low, middle), Panel(middle, self.high)

    def axes(self) -> tuple[arb, arb]:
        """Enclose the semi-axes of the Bernstein ellipse about the panel."""
        half, rho = (arb(self.high) - self.low) / 2, arb(self.ellipse)
        return half * (rho + 1 / rho) / 2, half * (rho - 1 / rho) / 2


@dataclass(frozen=True)
class Layer:
    """The exponents a and b, the number m of coordinates that survive, and the level z."""

    alpha: Fraction
    others: Fraction
    earlier: int
    level: arb

    @classmethod
    def of(cls, walk: Walk, level: arb) -> Layer:
        """Return the layer of the walk's last coordinate."""
        return cls(walk.last, walk.others, len(walk.alphas) - 1, level)

    def error(self, panel: Panel) -> arb:
        """Bound the error of the panel's rule, or, without nodes, the integral; NaN if unknown."""
        with working_precision(_BITS_OF_BOUNDS):
            bound = self.largest(panel)
            if not panel.count:
                return bound
            if not panel.ellipse > 1:  # it would not go around the panel
                return arb("nan")
            return bound * error_factor(arb(panel.ellipse), panel.count)

    def largest(self, panel: Panel) -> arb:
        """Bound |f| on the panel's ellipse, times the integral of the weight, f being the rest.

        The weight is u^(a-1) on a panel that begins at 0, and 1 on any other.
        """
        if panel.low:
            mass = arb(panel.high) - panel.low
        else:
            mass = arb(panel.high) ** ball(self.alpha) / ball(self.alpha)
        return mass * self._logarithm(panel).exp()

    def _logarithm(self, panel: Panel) -> arb:
        z, (along, up) = self.level, panel.axes()
        centre = (arb(panel.low) + panel.high) / 2
        left, right = centre - along, centre + along
        nearest = 1 - z * right - self.earlier * z
        if not nearest > 0 or (panel.low and not left > 0):
            return arb("nan")
        bound = self.earlier * arb.const_log2() + _growth(self.others, z * up / nearest)
        if panel.low:
            return bound + _growth(self.alpha, up / left) + self._on_axis(left, right)
        smallest = left if self.others >= 1 else right
        return bound + ball(self.others - 1) * (1 - z * smallest).log()

    def _on_axis(self, left: arb, right: arb) -> arb:
        """Bound log u^(a-1) (1 - z u)^(b-1) on [left, right]; concave in u where a, b >= 1."""
        first = right if self.alpha >= 1 else left
        second = left if self.others >= 1 else right
        if self.alpha > 1 and self.others >= 1:
            peak = ball((self.alpha - 1) / (self.alpha + self.others - 2)) / self.level
            if peak <= left:
                peak = left
            elif peak >= right:
                peak = right
            first = second = peak
        return (
            ball(self.alpha - 1) * first.log()
            + ball(self.others - 1) * (1 - self.level * second).log()
        )


def _growth(exponent: Fraction, ratio: arb) -> arb:
    """Enclose log of (1 + ratio^2)^((exponent-1)/2), or 0 where the exponent is below 1."""
    return ball(max(exponent - 1, Fraction(0))) / 2 * (1 + ratio**2).log()


_PAIR = 2


@dataclass(frozen=True)
class Walk:
    """The protected parameters still ahead, the last one next, and the sum of all others.

    An object lives for one evaluation at one working precision, for which it keeps its constants.
    """

    alphas: tuple[Fraction, ...]
    rest: Fraction

    @cached_property
    def last(self) -> Fraction:
        """The parameter a of the last coordinate."""
        return self.alphas[-1]

    @cached_property
    def others(self) -> Fraction:
        """The sum b of all parameters but the last coordinate's, whose law is Beta(a, b)."""
        return sum(self.alphas[:-1], self.rest)

    @cached_property
    def without_last(self) -> Walk:
        """The draw of all the others, in proportion, when the last coordinate is given."""
        return Walk(self.alphas[:-1], self.rest)

    @cached_property
    def last_in_rest(self) -> Walk:
        """The same draw, its last coordinate no longer protected."""
        return Walk(self.alphas[:-1], self.rest + self.last)

    @cached_property
    def last_decides(self) -> bool:
        """Whether no earlier coordinate can be small when the last is, count * level being < 1."""
        return len(self.alphas) == 1 or (self.rest == 0 and len(self.alphas) == _PAIR)

    @cached_property
    def log_beta(self) -> arb:
        """Enclose log B(a, b)."""
        return log_beta(self.last, self.others)

    def scale(self, level: arb) -> arb:
        """Enclose level^a / B(a, b)."""
        return (ball(self.last) * level.log() - self.log_beta).exp()

    def last_below_upper(self, level: arb) -> arb:
        """Bound P(last < level), by the largest (1 - y)^(b-1) times the integral of y^(a-1)/B."""
        largest = (1 - level) ** ball(min(self.others - 1, Fraction(0)))
        return self.scale(level) * largest / ball(self.last)


_ANY_PROBABILITY = arb(0).union(arb(1))
# Against rounding, beyond the bits that k log(gamma) has before its point.
_GUARD_BITS = 16
# What the route is not tried on: where no plain double says how long it takes, or too long.
_LARGEST, _SMALLEST, _SMALLEST_LEVEL = 2**24, Fraction(1, 2**40), Fraction(1, 2**100_000)
_MOST_COORDINATES = 8


def probability(miss: Miss) -> arb:
    """Enclose P(some protected coordinate < gamma); NaN where the route is not tried."""
    if not _is_tried_on(miss):
        return arb("nan")
    tolerance = arb(2) ** -ctx.prec * _most_probable_single(miss)
    with extra_bits(_bits_before_the_point(miss)):
        return _some_below(_walk(miss), ball(miss.gamma), tolerance)


def _is_tried_on(miss: Miss) -> bool:
    alphas = [alpha for alpha, _ in miss.groups]
    if miss.count > _MOST_COORDINATES or miss.total > _LARGEST or miss.gamma < _SMALLEST_LEVEL:
        return False
    return alphas[0] >= _SMALLEST and (miss.rest == 0 or miss.rest >= _SMALLEST)


def _walk(miss: Miss) -> Walk:
    """Return the walk that ends at the largest parameter, which then is in no integral."""
    alphas = [alpha for alpha, count in reversed(miss.groups) for _ in range(count)]
    return Walk(tuple(alphas), miss.rest)


def _bits_before_the_point(miss: Miss) -> int:
    logarithm = (1 / miss.gamma).__ceil__().bit_length()
    return _GUARD_BITS + ((miss.total + 1) * logarithm).__ceil__().bit_length()


def _most_probable_single(miss: Miss) -> arb:
    """Return about P(x_i < gamma) for the smallest parameter, the largest of these; <= delta."""
    alpha = miss.groups[0][0]
    with working_precision(_BITS_OF_GUESSES):
        return incomplete_beta.regularised_incomplete_beta(alpha, miss.total - alpha, miss.gamma)


def _some_below(walk: Walk, level: arb, tolerance: arb) -> arb:
    """Enclose P(some coordinate of the walk < level), with an error of about ``tolerance``."""
    if tolerance >= 1:
        return _ANY_PROBABILITY
    result, share = arb(0), tolerance / max(len(walk.alphas), 1)
    while walk.alphas:
        result += _only_last_below(walk, level, share)
        walk = walk.last_in_rest
    return result


def _only_last_below(walk: Walk, level: arb, tolerance: arb) -> arb:
    """Enclose P(last < level, no earlier coordinate < level)."""
    if walk.others == 0:  # the last coordinate is the only one, and equals 1
        return arb(0)
    single = walk.last_below_upper(level)
    if single <= tolerance:
        return single.union(arb(0))
    if walk.last_decides:
        return incomplete_beta.regularised_on_ball(walk.last, walk.others, level, walk.log_beta)
    scale = walk.scale(level)
    layer = Layer.of(walk, level)
    chosen = panels(layer, tolerance / scale)
    share = tolerance / max(sum(panel.count for panel in chosen), 1)
    result = arb(0) if chosen else _ANY_PROBABILITY
    for panel in chosen:
        check_budget()
        missed = scale * layer.error(panel)
        if panel.count:
            result += missed.union(-missed) + _sum_over_nodes(walk, layer, panel, share)
        else:
            result += missed.union(arb(0))
    return result


def _sum_over_nodes(walk: Walk, layer: Layer, panel: Panel, share: arb) -> arb:
    """Enclose the rule's sum on a panel; each node's weight says how exact its S has to be."""
    level, width = layer.level, arb(panel.high) - panel.low
    factor = walk.scale(level) * (width if panel.low else width ** ball(walk.last))
    result = arb(0)
    for node, weight in gauss_jacobi(Fraction(1) if panel.low else walk.last, panel.count):
        place = panel.low + width * node
        left = 1 - level * place
        term = factor * weight * left ** ball(walk.others - 1)
        if panel.low:
            term *= place ** ball(walk.last - 1)
        result += term * (1 - _some_below(walk.without_last, level / left, share / term))
    return result


# For the guess: an order of magnitude is enough.
_BITS_OF_GUESSES = 53
_SECONDS_OF_A_NODE, _SECONDS_OF_A_LAYER = 2e-5, 3e-4
_Rules: TypeAlias = set[tuple[Fraction, int]]


def seconds_expected(miss: Miss) -> float:
    """Guess how long ``probability`` takes at the working precision; infinite if not tried."""
    if not _is_tried_on(miss):
        return math.inf
    tolerance = arb(2) ** -ctx.prec * _most_probable_single(miss)
    rules: _Rules = set()
    sums = _seconds(_walk(miss), ball(miss.gamma), tolerance, rules)
    return sums + sum(seconds_of_rule(*rule) for rule in rules)


def _seconds(walk: Walk, level: arb, tolerance: arb, rules: _Rules) -> float:
    if tolerance >= 1:
        return 0.0
    result = 0.0
    while walk.alphas:
        result += _seconds_of_last(walk, level, tolerance, rules)
        walk = walk.last_in_rest
    return result


def _seconds_of_last(walk: Walk, level: arb, tolerance: arb, rules: _Rules) -> float:
    if walk.others == 0:
        return 0.0
    single = walk.last_below_upper(level)
    if single <= tolerance:
        return _SECONDS_OF_A_NODE
    if walk.last_decides:
        return incomplete_beta.seconds_expected(walk.last, walk.others, level)
    chosen = panels(Layer.of(walk, level), tolerance / walk.scale(level))
    if not chosen:
        return math.inf
    rules.update((walk.last, panel.count) for panel in chosen if panel.count and not panel.low)
    # The deepest node is at y = level, and the largest weight is at most P(last < level).
    narrower = tolerance / single.min(arb(1))
    inner = _seconds(walk.without_last, level / (1 - level), narrower, rules)
    nodes = sum(panel.count for panel in chosen)
    return _SECONDS_OF_A_LAYER + nodes * (_SECONDS_OF_A_NODE + inner)
