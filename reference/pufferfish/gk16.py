"""The scale of Ghosh and Kleinberg 2016 on Markov chains, as song2017 Section 5 compares with it.

Their theorem, taken as cited and not proved here: if the spectral norm of the matrix of influences,
Gamma, is below 1, then a release that is e-differentially private in each entry leaves a node a
loss of at most 2 e times its sum in the inverse of 1 - Gamma. Sums over rows and over columns are
both taken, so that it does not matter which of the two a reader of the theorem means.

What is proved here (proofs_notes/baselines.md): the influence on an inner node bounds that on the
last node, and that on the first of a chain with a stationary start, so the same numbers stand in
every row, as in song2017's experiments; for any other start the first node has its own.
"""

from __future__ import annotations

from functools import reduce
from typing import Annotated

from flint import arb

from ..arb.balls import ball, working_precision
from ..domain import AT_LEAST_ZERO, CHAINS, Condition, Positive, count_from
from ..enclosure import Trilean
from ..quantity import Side, Truth, quantity
from ..relations import UNKNOWN
from ..structures import ChainLaw
from .influence_matrix import Gamma, influences
from .least_score import larger

GHOSH_KLEINBERG = "Ghosh and Kleinberg 2016, as applied in song2017 Section 5"
# Precisions at which the norm is compared with 1: they decide it unless it is within 2^-900 of 1.
_DECIDING_BITS = (128, 1_024)


def _all_positive(chains: tuple[ChainLaw, ...]) -> bool:
    return all(entry > 0 for chain in chains for row in chain.P for entry in row)


def _norms_below_one(chains: tuple[ChainLaw, ...], length: int) -> Trilean:
    """Whether the spectral norm is below 1 for all chains, at a few precisions."""
    if not _all_positive(chains):
        return Trilean.FALSE
    for chain in chains:
        for bits in _DECIDING_BITS:
            with working_precision(bits):
                answer = Gamma(influences(chain), length).norm_below_one()
            if answer is not Trilean.UNKNOWN:
                break
        if answer is not Trilean.TRUE:
            return answer
    return Trilean.TRUE


POSITIVE = Condition(
    "every entry of every P positive (with an impossible transition some influence is infinite)",
    _all_positive,
    GHOSH_KLEINBERG,
)
SMALL_NORM = Condition(
    "the spectral norm of each chain's influence matrix below 1 (else the next state depends too "
    "strongly on this one for the theorem; take pufferfish.quilt_scale_exact)",
    _norms_below_one,
    GHOSH_KLEINBERG,
)


@quantity(
    "pufferfish.gk16_scale",
    safe=Side.UPPER,
    truth=Truth.PRINTED,
    source=GHOSH_KLEINBERG,
    within=AT_LEAST_ZERO,
    conditions=(POSITIVE, SMALL_NORM),
    rises=UNKNOWN,
)
def gk16_scale(
    chains: CHAINS, length: Annotated[int, count_from(1, 100)], epsilon: Positive
) -> arb:
    """Upper bound of Ghosh and Kleinberg 2016's scale for a class of chains: enough, not the least.

    2/epsilon times the largest sum over a row or column of the inverse of 1 - Gamma, for a
    1-Lipschitz query. Every row of Gamma has the influences of an inner node, which bound those of
    the ends: on chains of a few steps the scale by their own influences can be far below it.
    """
    sums = [
        Gamma(own, length, transposed).largest_sum()
        for own in map(influences, chains)
        for transposed in (False, True)
    ]
    return ball(2 / epsilon) * reduce(larger, sums)
