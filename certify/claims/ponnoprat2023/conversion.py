"""Appendix B and Figure 3 (bottom): from Renyi to approximate privacy."""

from __future__ import annotations

from flint import arb

from ..entries import Claim, Reading
from ..evidence import Formula, Identity, Instance, OverBox, Proof
from ..values import At, Exactly, Worked
from . import executed_privacy as executed
from .calibration import PRIVATE
from .forms import at_precision, span, trigamma_span, worked
from .inputs import DELTA, FIGURE_8_ORDERS, ORDERS
from .polygamma import BETWEEN, RISES

NOTE = "ponnoprat2023/conversion.md"
_SHOWN = ("10.12663", "0.396980", "0.0262166")
# Where (14) is negative and rises with lambda: r so small that epsilon does not matter.
_TINY = "1/1000000000"


def floor(order: int) -> Worked:
    """Enclose the infimum of (14) over r > 0: log(1 - 1/lambda) - log(delta lambda)/kappa."""
    return worked(
        f"infimum of (14) over r, lambda = {order}, delta = 1e-5",
        lambda: executed.floor_of(order),
        lambda: (span(order - 1).log() - span(order).log())
        - (span(DELTA).log() + span(order).log()) / span(order - 1),
    )


def _fourteen(order: int) -> Worked:
    """Enclose (14) at r = 1e-9, D2^2 = 2 and Dinf = 1."""
    from fractions import Fraction

    r = Fraction(_TINY)
    x = 1 + 3 * (order - 1) * r

    def balls() -> arb:
        from ....reference.arb.balls import ball

        return order * ball(r) ** 2 * arb(2).zeta(ball(x)) + executed.floor_of(order)

    def spans():  # type: ignore[no-untyped-def]  # noqa: ANN202
        kappa = span(order - 1)
        rest = (span(DELTA).log() + span(order) * span(order).log()) / kappa
        return span(order * r**2) * trigamma_span(x) + kappa.log() - rest

    return worked(f"(14) at r = 1e-9, lambda = {order}, delta = 1e-5", balls, spans)
