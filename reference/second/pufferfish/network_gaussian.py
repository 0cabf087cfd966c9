"""Second opinions on Gaussian quilts of networks: every quilt of every node, roots in MPFR."""

from __future__ import annotations

from fractions import Fraction

from ...enclosure import Enclosure
from ...structures import Network
from ..directed import or_nothing
from ..opinion import second_opinion
from .network import worst_of_networks
from .quilt.gaussian import multiplier_score, renyi_scale_score, renyi_score


@second_opinion("pufferfish.network_gaussian_scale", engine="mpfr", rigorous=True)
@or_nothing
def network_gaussian_scale(
    bits: int, networks: tuple[Network, ...], epsilon: Fraction, delta: Fraction, width: int
) -> Enclosure:
    """Enclose the sigma for (epsilon, delta); rigorous."""
    return worst_of_networks(bits, networks, width, multiplier_score(bits, epsilon, delta))


@second_opinion("pufferfish.network_gaussian_scale_renyi", engine="mpfr", rigorous=True)
@or_nothing
def network_gaussian_scale_renyi(
    bits: int, networks: tuple[Network, ...], order: Fraction, epsilon: Fraction, width: int
) -> Enclosure:
    """Enclose the sigma for a Renyi epsilon; rigorous."""
    return worst_of_networks(bits, networks, width, renyi_scale_score(bits, order, epsilon))


@second_opinion("pufferfish.network_gaussian_renyi", engine="mpfr", rigorous=True)
@or_nothing
def network_gaussian_renyi(
    bits: int,
    networks: tuple[Network, ...],
    order: Fraction,
    scales: tuple[Fraction, ...],
    width: int,
) -> Enclosure:
    """Enclose the Renyi divergence of all noise together; rigorous."""
    return worst_of_networks(bits, networks, width, renyi_score(bits, order, scales))
