"""Which panels, ellipses and numbers of nodes a layer of the cubature gets.

Everything here is a matter of speed alone, in balls of few bits and in plain doubles: whatever is
chosen, panels.py bounds its error afterwards.
"""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache

from flint import arb, ctx

from ...arb.balls import working_precision
from ...arb.gauss import error_factor
from .panels import BITS_OF_BOUNDS, Layer, Panel

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
    with working_precision(BITS_OF_BOUNDS):
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
