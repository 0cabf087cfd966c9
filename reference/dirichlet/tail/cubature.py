"""The tail as nested integrals of positive functions, by Gaussian quadrature in each coordinate.

Ask which protected coordinate is the first to be small:

    delta = sum over j of P(x_j < gamma, none of x_1 .. x_(j-1) below gamma)
          = sum over j of the integral over y in (0, gamma) of f_j(y) S_(j-1)(gamma/(1 - y)),

f_j being the Beta density of x_j. Given x_j = y the others are 1 - y times a Dirichlet draw again,
so S, the probability that none of the earlier ones is small, is 1 minus the same sum with fewer
coordinates; at the bottom stands one incomplete beta. Every integral runs over (0, level), where
its integrand is analytic but for y^(a-1), the weight of the rule. proofs_notes/tail-cubature.md
has the proofs, and why no accuracy is lost where S is small.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TypeAlias

from flint import arb, ctx

from ...arb import incomplete_beta
from ...arb.balls import ball, extra_bits, working_precision
from ...arb.gauss import gauss_jacobi
from ...arb.gauss import seconds_expected as seconds_of_rule
from ...precision import check_budget
from .event import Miss
from .panels import Layer, Panel, Walk, panels

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
