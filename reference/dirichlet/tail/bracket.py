"""The tail between two expressions in the single coordinates' own tails.

1 - prod (1 - I_gamma(a_i, k - a_i)) <= delta <= sum I_gamma(a_i, k - a_i)
(proofs_notes/tail-worst-input.md, bracket): narrow where delta is tiny, or nearly 1. It is what is
left to say where every route is too long.
"""

from __future__ import annotations

from fractions import Fraction

from flint import arb

from ...arb.incomplete_beta import regularised_incomplete_beta
from ...precision import check_budget
from .event import Miss

# Below, what is left out is less than half a bit of any precision that is used.
_SMALL = arb(2) ** -(2**20)


def probability(miss: Miss) -> arb:
    """Enclose the probability of a miss, not necessarily narrowly at any precision."""
    union, log_survival = arb(0), arb(0)
    for alpha, count in miss.groups:
        check_budget()
        single = regularised_incomplete_beta(alpha, miss.total - alpha, miss.gamma)
        union += count * single
        log_survival += count * _log_above(miss, alpha, single)
    at_least = _one_minus_exp(-log_survival)
    return (at_least if at_least.is_finite() else arb(0)).union(union.min(arb(1)))


def _one_minus_exp(loss: arb) -> arb:
    """Enclose 1 - e^-loss, loss >= 0: from loss - loss^2/2 to loss.

    FLINT's own has 28 bits where the exponent of a small number is itself a large one.
    """
    if loss < _SMALL:
        return loss - (loss * loss / 2).union(arb(0))
    return -(-loss).expm1()


def _log_above(miss: Miss, alpha: Fraction, below: arb) -> arb:
    """Enclose log P(x_i >= gamma), given P(x_i < gamma), precisely near either end."""
    if 2 * below < 1:
        return (-below).log1p()
    return regularised_incomplete_beta(miss.total - alpha, alpha, 1 - miss.gamma).log()
