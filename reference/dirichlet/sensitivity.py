"""The tight counterpart of ponnoprat2023 equation 18: any f with known sensitivities.

Dirichlet(step f + alpha) with f >= 0, where f changes by at most sqrt(delta2_squared) in 2-norm
and by at most delta_inf in each coordinate. A known bound f_i >= b acts as alpha + step b
(proofs_notes/renyi-calibration.md).
"""

from __future__ import annotations

from flint import arb

from ..arb.balls import ball
from ..domain import AT_LEAST_ZERO, Order, Positive
from ..quantity import Side, Truth, quantity
from ..relations import Promise
from .add_remove import renyi
from .renyi import ONE_COORDINATE, Sensitivity, neighbours, spread

NOTE = "proofs_notes/renyi-calibration.md"
# From this order on a change all in one step is the worst.
_ONE_STEP_ORDER = 2


@quantity(
    "dirichlet.renyi.epsilon_sensitivity",
    safe=Side.UPPER,
    truth=Truth.PRINTED,
    least=ONE_COORDINATE,
    source=NOTE,
    within=AT_LEAST_ZERO,
    rises="order step delta2_squared delta_inf",
    falls="alpha",
    vanishes="low step",
    promise=Promise("limit", neighbours, "limit"),
)
def epsilon_sensitivity(
    order: Order,
    step: Positive,
    alpha: Positive,
    delta2_squared: Sensitivity,
    delta_inf: Sensitivity,
) -> arb:
    """Renyi privacy of any f with these sensitivities, never above ponnoprat2023 equation 18.

    delta2_squared times the larger of order step^2 psi'(alpha)/2, many small changes, and
    D(step delta_inf)/delta_inf^2, few large ones, D the divergence of Gamma(alpha) from
    Gamma(alpha + step delta_inf). Infinite from alpha <= (order-1) step delta_inf on.
    """
    small = spread(order, step, delta2_squared, alpha)
    if order == 1:
        return small
    large: arb = renyi(alpha, step * delta_inf, order) * ball(delta2_squared / delta_inf**2)
    if order >= _ONE_STEP_ORDER:
        return large
    worse: arb = large.max(small)
    return worse
