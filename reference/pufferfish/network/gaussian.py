"""Gaussian Markov quilts of Bayesian networks: normal noise that hides a node, whatever the query.

As for chains: given a quilt's nodes the far part has one law under both values of a node, and the
near part moves a query by at most its card, per unit of its Lipschitz constant in the 2-norm
(proofs_notes/gaussian-quilts.md#networks-have-the-same-scores).
"""

from __future__ import annotations

from flint import arb

from ...domain import AT_LEAST_ZERO, NETWORKS, OpenProbability, Positive
from ...quantity import Side, Truth, quantity
from ...relations import each, more
from ..laplace_renyi import RENYI_ORDER
from ..quilt.exact import WIDTH
from ..quilt.gaussian import (
    NOTE,
    SIGMAS,
    GaussianScaleFor,
    RenyiOf,
    RenyiScaleFor,
    rate_of_squares,
)
from .mechanism import worst_node


@quantity(
    "pufferfish.network_gaussian_scale",
    safe=Side.UPPER,
    truth=Truth.PRINTED,
    source=NOTE,
    formula=r"\sigma = \max_{\theta, i} \; \min_Q \; \mathrm{card}(X_N) \, s(\varepsilon - e(Q "
    r"\mid X_i), \delta), \quad s(\varepsilon, \delta) = \min \{ s : \delta(s, \varepsilon) \le "
    r"\delta \}",
    within=AT_LEAST_ZERO,
    rises=more("networks"),
    falls="epsilon delta width",
    slow=True,
)
def network_gaussian_scale(
    networks: NETWORKS, epsilon: Positive, delta: OpenProbability, width: WIDTH
) -> arb:
    """Standard deviation of normal noise with which quilts of a network give (epsilon, delta).

    For any query, per unit of its Lipschitz constant in the 2-norm. It is enough, and need not be
    the least that is.
    """
    return worst_node(networks, GaussianScaleFor(epsilon, delta), width).score


@quantity(
    "pufferfish.network_gaussian_scale_renyi",
    safe=Side.UPPER,
    truth=Truth.PRINTED,
    source=NOTE,
    formula=r"\sigma = \max_{\theta, i} \; \min_Q \; \mathrm{card}(X_N) \sqrt{\frac{\lambda}{2 "
    r"(\varepsilon - e(Q \mid X_i))}}",
    within=AT_LEAST_ZERO,
    rises=("order", more("networks")),
    falls="epsilon width",
    slow=True,
)
def network_gaussian_scale_renyi(
    networks: NETWORKS, order: RENYI_ORDER, epsilon: Positive, width: WIDTH
) -> arb:
    """Standard deviation of normal noise for a Renyi epsilon at an order by quilts of a network.

    For any query, per unit of its Lipschitz constant in the 2-norm. It is enough, and need not be
    the least that is.
    """
    return worst_node(networks, RenyiScaleFor(order, epsilon), width).score


@quantity(
    "pufferfish.network_gaussian_renyi",
    safe=Side.UPPER,
    truth=Truth.PRINTED,
    source=NOTE,
    formula=r"\max_{\theta, i} \; \min_Q \left( e(Q \mid X_i) + \frac{\lambda}{2} "
    r"\mathrm{card}(X_N)^2 \sum_j \frac{1}{\sigma_j^2} \right)",
    within=AT_LEAST_ZERO,
    rises=("order", more("networks")),
    falls=("width", each("scales")),
    slow=True,
)
def network_gaussian_renyi(
    networks: NETWORKS, order: RENYI_ORDER, scales: SIGMAS, width: WIDTH
) -> arb:
    """Renyi divergence that several releases of a network with normal noise give together.

    Of any queries, per unit of their Lipschitz constants in the 2-norm, also where they are chosen
    in view of earlier answers. The influence counts once, and one quilt serves all releases.
    """
    return worst_node(networks, RenyiOf(order, rate_of_squares(scales)), width).score
