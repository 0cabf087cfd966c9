"""What a pair of laws has to give so that releases that it dominates can be composed."""

from __future__ import annotations

from typing import Protocol, TypeAlias

import numpy as np
from flint import acb, arb
from numpy.typing import NDArray

Reals: TypeAlias = NDArray[np.float64]


class Pair(Protocol):
    """A pair (P, Q) by the moment function M(z) = E_P e^(zL) of its privacy loss L = log dP/dQ.

    M is analytic on Re z >= 0. What ends in ``_about`` is a double that serves to plan, and proves
    nothing; all else is enclosed at the working precision, or bounded from above.
    """

    def log_moments_about(self, crossings: Reals) -> Reals:
        """Return about log M at real points; NaN or infinite where that is not to be told."""

    def log_bound_about(self, crossing: float, height: float) -> float:
        """Return about what ``log_bound`` will say."""

    def log_moment(self, crossing: arb) -> arb:
        """Enclose log M at a real point."""

    def log_bound(self, crossing: arb, height: arb) -> arb:
        """Bound log |M(crossing + i y)| for all y from ``height`` on."""

    def moments(self, crossing: arb, step: arb, nodes: int, spare: int) -> list[acb]:
        """Enclose M(crossing + i j step), j = 0, ..., nodes.

        To about 2**-spare of M(crossing), which is a matter of width alone.
        """


class NoPlanError(ArithmeticError):
    """No rule of a reasonable length is seen."""
