"""Exact inputs that the entries share."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

# Section 3.2, Figure 3 (top): the pair as printed, and with its last entries exchanged.
PRINTED_PAIR = ((11, 8, 65, 25, 38, 1), (11, 7, 65, 25, 38, 0))
EXCHANGED_PAIR = ((11, 8, 65, 25, 38, 0), (11, 7, 65, 25, 38, 1))
# Figure 3 (bottom).
COUNTS = (119, 74, 618, 272, 13, 187)
ORDERS = (2, 20, 200)
# Appendix B, Figure 8.
FIGURE_8_ORDERS = (2, 10, 50, 200)
DELTA = Fraction(1, 10**5)
# One record of a histogram replaced, Section 5.1.
REPLACED = {"delta2_squared": 2, "delta_inf": 1}


def line_1(order: int, step: str) -> dict[str, Any]:
    """Return the parameters of Algorithm 1's guarantee for one replaced record."""
    return {"order": order, "step": step, **REPLACED}
