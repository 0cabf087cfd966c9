"""The four mechanisms of song2017 Section 5.1: their scales, and the errors of their releases."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isfinite

import numpy as np
from numpy.typing import NDArray
from simplexcert.certify.backends.float64 import backend
from simplexcert.certify.simulating.comparing import Mean

from .series import EmpiricalChain

DP, GROUP, GK16, APPROX, EXACT = "DP", "GroupDP", "GK16", "MQMApprox", "MQMExact"
MECHANISMS = (GROUP, GK16, APPROX, EXACT)
# One entry moves two of a histogram's counts by one.
HISTOGRAM = 2.0
Scales = Mapping[str, float | None]


def float64(name: str, **given: object) -> float:
    """Return a quantity of pufferfish from the built-in float64 backend, the safe end of it."""
    return float(backend.quantities[f"pufferfish.{name}"](**given))


def scales(chain: EmpiricalChain, lengths: Sequence[int], epsilon: float) -> Scales:
    """Return the Laplace scales per unit of Lipschitz for a series of independent pieces.

    None where a mechanism does not apply. All start from the stationary law, as the paper has it.
    """
    chains = [{"initial": "stationary", "P": chain.rows}]
    kinds, longest = sorted(set(lengths)), max(lengths)
    gk16 = float64("gk16_scale", chains=chains, length=longest, epsilon=epsilon)
    return {
        GROUP: float64("group_scale", lipschitz=1.0, size=longest, epsilon=epsilon),
        GK16: gk16 if isfinite(gk16) else None,
        APPROX: approximate_scale(chain, kinds, epsilon),
        EXACT: float64(
            "quilt_scale_pieces", chains=chains, lengths=kinds, epsilon=epsilon, width=longest
        ),
    }


def approximate_scale(chain: EmpiricalChain, lengths: Sequence[int], epsilon: float) -> float:
    """Return MQMApprox's scale: the largest of the pieces'."""
    known = {"pi_min": chain.stationary_minimum, "gap": chain.gap, "epsilon": epsilon}
    return max(float64("quilt_scale_approx", length=length, **known) for length in lengths)


def laplace(
    random: np.random.Generator, scale: float, trials: int, bins: int
) -> NDArray[np.float64]:
    """Return the noise of so many releases of a histogram. In doubles: this is not private."""
    return random.laplace(scale=scale, size=(trials, bins))


def histogram_error(random: np.random.Generator, scale: float, trials: int, bins: int) -> Mean:
    """Return the mean 1-norm of the noise on a histogram, which is its error."""
    return Mean.of(np.abs(laplace(random, scale, trials, bins)).sum(axis=1))
