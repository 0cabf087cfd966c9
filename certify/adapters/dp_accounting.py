"""Hand a Dirichlet release to dp-accounting: a privacy-loss distribution, or Renyi divergences.

The extra ``dp-accounting`` brings the library. A release is its dominating pair of Beta laws: the
floor alpha and the step that ``simplexcert audit`` prints (proofs_notes/dominating-pair.md), one
record replaced.

    >>> from simplexcert.certify.adapters.dp_accounting import privacy_loss_distribution
    >>> once = privacy_loss_distribution("1.68", "103/490")
    >>> ten = once.self_compose(10)
    >>> f"{ten.get_delta_for_epsilon(2.0):.4e}"
    '5.1615e-03'

**What is proved.** The distribution is a finite list of losses (whole multiples of a power of two,
exact as floats), of masses, and of a mass at infinity. Read as the exact numbers that these floats
are, they dominate the release: their hockey-stick is at least the release's at every threshold
e^epsilon > 0, and so is that of all compositions of releases whose pairs were fixed beforehand,
whatever each asks in view of earlier answers, of two data sets that every release admits which may
be asked (proofs_notes/ledger.md, a-refusal-is-an-answer). For let d_j be the release's
hockey-stick at t_j = e^(loss j), d = 1 at t = 0, and d constant behind the last loss. The masses

    t_j ((d_(j+1) - d_j)/(t_(j+1) - t_j) - (d_j - d_(j-1))/(t_j - t_(j-1))),

and d at the last loss as mass at infinity, have the polygon through all (t_j, d_j) for their
hockey-stick (doroshenko2022 Algorithm 1). It lies on or above the release's, which is convex in t
and falls. Here each mass is enclosed and its upper end rounded up, and more mass anywhere raises
the hockey-stick everywhere. That dominance composes is proved in proofs_notes/dominating-pair.md
(adaptive-composition), which nowhere uses that masses sum to one. Each mass is a little larger
still (``ROOM``) than what dp-accounting's sum for one release can lose by rounding, if its
exponentials are right to a few units in the last place.

**What rests on the library.** Compositions are fast Fourier transforms in floats, without a proved
error: noise of about 1e-15 in a composed delta, in either direction. ``SPARE`` at infinity is more
than any noise that we have seen, so in our tests no composed delta was below the proved one; but
that is evidence and no proof, and deltas up to about 1e-13 for each release are mostly spare.
``dirichlet.composition.delta`` is proved and has no such limit.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING

from flint import arb

from ...reference.arb.balls import ball, working_precision
from ...reference.dirichlet import profile
from ...reference.errors import DomainError, InputError
from ...reference.evaluation import answer_at
from ...reference.exact import exact_integer, exact_number, shown
from ..extras import library
from ..mechanisms.neighbours import REPLACE, neighbours_of
from .losses import Loss, exact_loss, float_above

if TYPE_CHECKING:
    from dp_accounting.pld.privacy_loss_distribution import PrivacyLossDistribution

_EXTRA = "dp-accounting"
# Losses are multiples of 2^-10, about a thousandth; a composed delta is then high by some 1e-5.
_GRID_BITS = 10
_MAX_GRID_BITS = 20
# Each loss takes a fraction of a millisecond here, and dp-accounting holds a composition's at once.
MAX_LOSSES = 2**18
# How far out losses go: until so much mass is left, which is put at infinity; far below SPARE.
_MOST_BEYOND = Fraction(1, 2**60)
# Added to the mass at infinity, for the noise of compositions; the largest we have seen is 1e-15.
SPARE = Fraction(1, 2**46)
# Each mass is larger by this share: twice the 2^-53 MAX_LOSSES that a sum in floats can lose.
ROOM = Fraction(1, 2**34)
# Slopes of neighbouring chords cancel 2 GRID_BITS bits, masses as small as MOST_BEYOND need 60, and
# as many as a float holds are to remain, with a good deal to spare.
WORKING_BITS = 320
# Masses sum to little more than one. Else the balls were too wide to be of use.
_MOST_MASS = 1 + 1e-6


@dataclass(frozen=True)
class Masses:
    """The losses ``first``, ``first`` + 1, ... times 2^-``grid_bits``, and their masses."""

    grid_bits: int
    first: int
    finite: tuple[float, ...]
    infinite: float


def privacy_loss_distribution(
    alpha: object, step: object, *, grid_bits: int = _GRID_BITS
) -> PrivacyLossDistribution:
    """Return dp-accounting's privacy-loss distribution of a release, which dominates it.

    ``alpha`` and ``step`` are exact numbers: integers, fractions, decimals as text, or floats as
    the dyadics that they are. Distributions compose where their ``grid_bits`` agree. Both orders of
    the pair lose the same, so there is one distribution for both. Raises InputError.
    """
    library("dp_accounting", _EXTRA)
    from dp_accounting.pld import pld_pmf
    from dp_accounting.pld import privacy_loss_distribution as distributions

    found = dominating_masses(exact_loss(alpha, step), grid_bits)
    return distributions.PrivacyLossDistribution(
        pld_pmf.create_pmf(
            dict(enumerate(found.finite, found.first)),
            math.ldexp(1.0, -found.grid_bits),
            found.infinite,
            pessimistic_estimate=True,
        )
    )


def renyi_divergences(
    alpha: object, step: object, orders: Iterable[object], *, neighbours: str = REPLACE
) -> list[float]:
    """Return floats at or above the exact Renyi divergences, for ``dp_accounting.rdp``.

    ``dp_accounting.rdp.compute_epsilon(orders, divergences, delta)`` converts them, and those of
    several releases may be added. Infinite from a whole order on. Raises InputError.
    """
    replaced = neighbours_of(neighbours, "renyi_divergences") == REPLACE
    loss = exact_loss(alpha, step, replaced=replaced)
    return [loss.renyi(_order(order)) for order in orders]


def _order(order: object) -> Fraction:
    exact = exact_number(order, "order")
    if exact < 1:
        raise DomainError(f"order = {shown(exact)} is below 1")
    return exact


def dominating_masses(loss: Loss, grid_bits: object) -> Masses:
    """Return a finite distribution of losses that dominates a pair of Beta laws."""
    bits = exact_integer(grid_bits, "grid_bits")
    if not 0 <= bits <= _MAX_GRID_BITS:
        raise DomainError(f"grid_bits = {shown(bits)}: it needs 0 to {_MAX_GRID_BITS}")
    last = _last_loss(loss, bits)
    with working_precision(WORKING_BITS):
        finite, beyond = _polygon(loss, last, bits)
        masses = tuple(float_above(mass * ball(1 + ROOM)) for mass in finite)
        infinite = float_above(beyond + ball(SPARE))
    if not math.fsum(masses) + infinite <= _MOST_MASS:
        given = f"alpha = {shown(loss.alpha)}, step = {shown(loss.step)}"
        raise InputError(f"{given}: {WORKING_BITS} bits are too few")
    return Masses(bits, -last, masses, infinite)


def _last_loss(loss: Loss, bits: int) -> int:
    """Return the number of the last loss, behind which hardly any mass is left."""
    point = {"alpha": loss.alpha, "step": loss.step, "delta": _MOST_BEYOND}
    farthest = Fraction(answer_at("dirichlet.profile.epsilon", point, digits=3).upper)
    last: int = max(1, math.ceil(farthest * 2**bits))
    if 2 * last + 1 > MAX_LOSSES:
        raise InputError(
            f"grid_bits = {bits}: losses up to {float(farthest):.3g} would be {2 * last + 1}, more "
            f"than {MAX_LOSSES}; take fewer bits"
        )
    return last


def _polygon(loss: Loss, last: int, bits: int) -> tuple[list[arb], arb]:
    """Enclose the masses whose hockey-stick is the polygon, and the mass at infinity."""
    points = _hockey_stick(loss, last, bits)
    corners = [(arb(0), arb(1)), *points]
    slopes = [(high - low) / (right - left) for (left, low), (right, high) in pairwise(corners)]
    slopes.append(arb(0))
    masses = [
        place * (after - before)
        for (place, _), (before, after) in zip(points, pairwise(slopes), strict=True)
    ]
    return masses, points[-1][1]


def _hockey_stick(loss: Loss, last: int, bits: int) -> list[tuple[arb, arb]]:
    """Enclose thresholds and the release's hockey-stick there, from the first loss to the last.

    Below threshold 1 it is 1 - t + t delta(-log t), since both orders of the pair lose the same.
    """
    above = []
    for index in range(last + 1):
        epsilon = Fraction(index, 2**bits)
        value = profile.delta(loss.alpha, loss.step, epsilon)
        above.append((ball(epsilon).exp(), ball(value) if isinstance(value, Fraction) else value))
    below = [(1 / place, 1 + (value - 1) / place) for place, value in above[:0:-1]]
    return [*below, *above]
