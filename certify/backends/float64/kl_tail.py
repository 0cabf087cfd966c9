"""P(KL(p || y) > eta), y of a Dirichlet law: Chernoff's bound and a contour integral.

Chernoff's bound on P(KL(p || y) > eta), y of Dirichlet(b), b_i = beta p_i + alpha.

For every z in [0, z_max), z_max = beta + alpha/max p_i,

    log E e^(z (KL - eta)) = z (mean - eta) + the Kullback-Leibler divergence of Dirichlet(b) from
                             Dirichlet(b - z p),

and each z gives a bound: what is minimised need not be minimised well. The mean and the divergence
are formed without cancellation, from b and b - z p as exact fractions.

P(KL(p || y) > eta), y of Dirichlet(beta p + alpha), never below the truth.

The trapezoid rule for (1/2 pi i) times the integral of e^(-eta z) M(z)/z on ``kl_path``'s hyperbola
through the integrand's saddle (proofs_notes/kl-tail.md); left of 0 it is -P(KL <= eta). Every node
carries a bound on its error, and what follows the last one has a bound in closed form. The aliases
are bounded by the integrals of the modulus on two outer paths. These are estimated by sums over
similar steps, and e^8 times that is allowed for, which is the one thing without a proof here.

Where the rule does not tell the chance to a tenth the smaller of it and Chernoff's bound is taken.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from .doubled import UNIT
from .kl_path import (
    Law,
    Path,
    law_of,
    left_path,
    log_beyond,
    log_sizes,
    right_path,
    shortest,
    values,
)
from .renyi import divergence_above, rounded
from .tails import probability
from .utility import MEAN_ERROR, mean_divergence

_TINY = float(np.finfo(np.float64).tiny)
_PROBES = 60
_SPAN = 64.0  # z/(z_max - z) is sought between e^-64 and e^64
_CLOSE_ENOUGH = 1e-7  # of that logarithm: the bound depends on its square


def kl_chernoff(p: Sequence[float], beta: float, alpha: float, eta: float) -> float:
    """Return an upper bound on the least E e^(z (KL - eta)), at most 1."""
    prior = Fraction(alpha)
    shares = [Fraction(share) for share in p]
    shares = shares if prior else [share for share in shares if share]
    if len(shares) == 1 or eta == 0:
        return 0.0 if eta else 1.0
    parameters = [Fraction(beta) * share + prior for share in shares]
    with np.errstate(all="ignore"):
        return _least(shares, parameters, Fraction(eta))


def _least(p: list[Fraction], b: list[Fraction], eta: Fraction) -> float:
    mean, rate = mean_divergence(p, b), rounded(eta)
    if not mean < rate:
        return 1.0
    limit = min(parameter / share for share, parameter in zip(p, b, strict=True) if share)
    if limit < _TINY:  # z might be rounded to it
        return 1.0
    low, high = -_SPAN, _SPAN
    place = 0.0
    for _ in range(_PROBES):
        tilted = _tilted(p, b, _point(limit, place))
        low, high = (place, high) if mean_divergence(p, tilted) < rate else (low, place)
        place = (low + high) / 2
        if high - low < _CLOSE_ENOUGH:
            break
    z = _point(limit, place)
    rise = divergence_above(b, _tilted(p, b, z), Fraction(0))
    error = MEAN_ERROR + len(p) * UNIT
    above = mean * (1.0 + error) - rate * (1.0 - 2 * UNIT)
    size = rounded(z)
    drop = size * above * (1.0 - 4 * UNIT) if above < 0 else size * above * (1.0 + 4 * UNIT)
    exponent = drop + rise + 4 * UNIT * (abs(drop) + rise)
    value = float(np.exp(np.float64(exponent))) * (1.0 + 8 * UNIT)
    return min(max(value, _TINY), 1.0) if value >= 0 else 1.0


def _point(limit: Fraction, place: float) -> Fraction:
    """Return the point of (0, limit) whose share of it is 1/(1 + e^-place), or next to that."""
    grown = Fraction(float(np.exp(place)))
    if place < 0:
        return Fraction(rounded(limit * grown / (1 + grown)))
    return limit - Fraction(rounded(limit / (1 + grown)))


def _tilted(p: list[Fraction], b: list[Fraction], z: Fraction) -> list[Fraction]:
    return [parameter - z * share for share, parameter in zip(p, b, strict=True)]


# How far the outer paths may be turned; all angles stay between 0 and a right one.
_REACHES = np.arange(1.0, 18.0) / 32.0
# Nats: what is negligible beside the whole, and what the aliases' estimate is raised by.
_NEGLIGIBLE, _CAUTION = 40.0, 8.0
_STEP_BITS = 26  # of h: all j h are doubles
_MOST_NODES = 1 << 14
# Candidates of a path's length beyond the shortest, and of the integrand's width.
_LENGTHS, _WIDTHS = np.arange(40.0) / 4.0, np.geomspace(1e-9, 4.0, 200)
_HALF = 0.5
# Nats below its start at which the sum over an outer path ends; what follows has a bound.
_FAR_BELOW = 20.0
# A rule is believed alone if it tells the chance to this part of it.
_ENOUGH = 0.1


class _Rule(NamedTuple):
    """A path with nodes at 0, h, ..., and the logarithm of a bound on all that they leave out."""

    path: Path
    step: float
    nodes: int
    log_error: float


def kl_tail(p: Sequence[float], beta: float, alpha: float, eta: float) -> float:
    """Return an upper bound on P(KL(p || y) > eta), at most 1."""
    prior = Fraction(alpha)
    shares = [Fraction(share) for share in p]
    shares = shares if prior else [share for share in shares if share]
    if len(shares) == 1 or eta == 0:
        return 0.0 if len(shares) == 1 else 1.0
    with np.errstate(all="ignore"):
        parameters = [Fraction(beta) * share + prior for share in shares]
        right = mean_divergence(shares, parameters) < eta
        law = law_of(shares, Fraction(beta), prior, Fraction(eta))
        found = _by_contour(law, float(eta), right) if law else math.nan
    return found if found >= 0.0 else kl_chernoff(p, beta, alpha, eta)


def _by_contour(law: Law, eta: float, right: bool) -> float:
    """Return an upper bound, or NaN where the contour does not tell enough."""
    path = right_path(law, eta) if right else left_path(law, eta)
    rule = _planned(law, eta, path)
    return _upper_bound(law, eta, rule) if rule else math.nan


def _planned(law: Law, eta: float, path: Path) -> _Rule | None:
    """Choose a step and a length for which what is left out is negligible, and bound it."""
    at = values(law, eta, path, np.zeros(1))
    if not at.doubt[0] < _ENOUGH * abs(at.value[0]):
        return None
    width, negligible = _width(law, eta, path)
    reach, coarse = _reach(law, eta, path, width, negligible)
    inner, outer = (_log_edge(law, eta, path, turn, coarse) for turn in (-reach, reach))
    edges = float(np.logaddexp(inner, outer)) + _CAUTION
    nats = edges - negligible
    if not 0.0 < nats < math.inf:
        return None
    step = _short(2.0 * math.pi * reach / nats)
    lengths = shortest(law, eta, path, 0.0) + _LENGTHS
    beyond = log_beyond(law, eta, path, 0.0, lengths)
    nodes = float(np.ceil(lengths[int(np.argmax(beyond < negligible))] / step))
    if not 0.0 < nodes < _MOST_NODES:
        return None
    decay = 2.0 * math.pi * reach / step
    aliases = edges - decay - math.log1p(-math.exp(-decay))
    rest = log_beyond(law, eta, path, 0.0, np.array([nodes * step]))[0]
    return _Rule(path, step, int(nodes), float(np.logaddexp(aliases, rest)))


def _width(law: Law, eta: float, path: Path) -> tuple[float, float]:
    """Return the integrand's width in u, and the logarithm of what is negligible beside it."""
    sizes = log_sizes(law, eta, path, 0.0, np.concatenate([[0.0], _WIDTHS]))
    changed = np.abs(sizes[1:] - sizes[0]) > _HALF
    width = float(_WIDTHS[int(np.argmax(changed)) if np.any(changed) else -1])
    return width, float(sizes[0]) + math.log(width) - _NEGLIGIBLE


def _reach(
    law: Law, eta: float, path: Path, width: float, negligible: float
) -> tuple[float, float]:
    """Return how far to turn the outer paths, and about the step that this allows."""
    turns = np.concatenate([-_REACHES, _REACHES])
    ends = log_sizes(law, eta, path, turns, np.zeros(turns.size)).reshape(2, -1)
    nats = np.max(ends, axis=0) + math.log(width) + _CAUTION - negligible
    nats = np.where(np.isfinite(nats), np.maximum(nats, 1.0), np.inf)
    best = int(np.argmax(_REACHES / nats))
    reach = float(_REACHES[best])
    return reach, min(2.0 * math.pi * reach / float(nats[best]), width / 2)


def _short(step: float) -> float:
    mantissa, exponent = math.frexp(step)
    return math.ldexp(round(math.ldexp(mantissa, _STEP_BITS)), exponent - _STEP_BITS)


def _log_edge(law: Law, eta: float, path: Path, turn: float, step: float) -> float:
    """Estimate the logarithm of the integral of the modulus over half of an outer path."""
    lengths = shortest(law, eta, path, turn) + _LENGTHS
    beyond = log_beyond(law, eta, path, turn, lengths)
    top = log_sizes(law, eta, path, turn, np.zeros(1))[0]
    index = int(np.argmax(beyond < top - _FAR_BELOW))
    count = float(lengths[index]) / step if step > 0.0 else math.inf
    if not count < _MOST_NODES:
        return math.inf
    sizes = log_sizes(law, eta, path, turn, np.arange(math.ceil(count) + 1.0) * step)
    whole: float = np.logaddexp(np.logaddexp.reduce(sizes) + math.log(step), beyond[index])
    return whole


def _upper_bound(law: Law, eta: float, rule: _Rule) -> float:
    """Return the rule's sum, or 1 minus it, with all doubts on the safe side."""
    found = values(law, eta, rule.path, np.arange(rule.nodes + 1.0) * rule.step)
    terms, doubts = found.value.imag, found.doubt
    terms[0], doubts[0] = _HALF * terms[0], _HALF * doubts[0]
    scale = rule.step / math.pi
    value = scale * float(np.sum(terms))
    doubt = scale * float(np.sum(doubts) + 64 * UNIT * np.sum(np.abs(terms)))
    doubt += float(np.exp(rule.log_error - found.scale))
    if not doubt < _ENOUGH * abs(value):
        return math.nan
    if rule.path.right:
        logarithm = found.scale + math.log(value + 1.01 * doubt)
        return float(probability(np.array([logarithm + 8 * UNIT * abs(logarithm)]))[0])
    missed = float(np.exp(found.scale)) * (-value - 1.01 * doubt)
    missed *= 1.0 - 16 * UNIT * (1.0 + abs(found.scale))
    return min(float(np.nextafter(1.0 - missed, 2.0)), 1.0)
