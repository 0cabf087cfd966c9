"""Second opinions on the least Renyi epsilon and the least noise for one, of a query of known laws.

The largest divergence over all pairs at once, and its root: the first engine looks at all pairs
with few bits, and takes a root for each that needs more than is known.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import permutations
from typing import TypeAlias

from ...enclosure import Enclosure
from ...likely import likely_answer
from ...structures import ChainLaw, Matrix, Network
from ..directed import OutOfReachError, Span, or_nothing
from ..dirichlet.series import log_of
from ..opinion import second_opinion
from ..roots import bracketed
from . import additive, network
from .divergences import Masses
from .gaussian_renyi import gaussian_power_mean
from .laplace_renyi import laplace_power_mean, largest_renyi
from .least_loss import of_instantiation

_Vector: TypeAlias = tuple[Fraction, ...]
_Sets: TypeAlias = tuple[tuple[int, ...], ...]
_Groups: TypeAlias = Sequence[Sequence[Masses]]
_POWER_MEANS = {"laplace": laplace_power_mean, "gaussian": gaussian_power_mean}


@second_opinion("pufferfish.least_renyi", engine="mpfr", rigorous=True)
@or_nothing
def least_renyi(
    bits: int,
    values: _Vector,
    laws: tuple[_Vector, ...],
    secrets: _Sets,
    pairs: _Sets,
    noise: str,
    scale: Fraction,
    order: Fraction,
) -> Enclosure:
    """Enclose the largest divergence over laws and pairs of secrets; rigorous."""
    return _renyi(bits, of_instantiation(values, laws, secrets, pairs), noise, scale, order)


@second_opinion("pufferfish.chain_least_renyi", engine="mpfr", rigorous=True)
@or_nothing
def chain_least_renyi(
    bits: int,
    chains: tuple[ChainLaw, ...],
    length: int,
    values: Matrix,
    noise: str,
    scale: Fraction,
    order: Fraction,
) -> Enclosure:
    """Enclose the largest divergence over chains, nodes and pairs of states; rigorous."""
    return _renyi(bits, [*additive.laws_by_node(chains, length, values)], noise, scale, order)


@second_opinion("pufferfish.network_least_renyi", engine="mpfr", rigorous=True)
@or_nothing
def network_least_renyi(
    bits: int,
    networks: tuple[Network, ...],
    values: Matrix,
    noise: str,
    scale: Fraction,
    order: Fraction,
) -> Enclosure:
    """Enclose the largest divergence over networks, nodes and pairs of states; rigorous."""
    return _renyi(bits, [*network.laws_by_node(networks, values)], noise, scale, order)


@second_opinion("pufferfish.least_scale_renyi", engine="mpfr", rigorous=True)
@or_nothing
def least_scale_renyi(
    bits: int,
    values: _Vector,
    laws: tuple[_Vector, ...],
    secrets: _Sets,
    pairs: _Sets,
    noise: str,
    order: Fraction,
    epsilon: Fraction,
) -> Enclosure:
    """Enclose the root of the largest divergence between two proved signs; rigorous."""
    return _scale(bits, of_instantiation(values, laws, secrets, pairs), noise, order, epsilon)


@second_opinion("pufferfish.chain_least_scale_renyi", engine="mpfr", rigorous=True)
@or_nothing
def chain_least_scale_renyi(
    bits: int,
    chains: tuple[ChainLaw, ...],
    length: int,
    values: Matrix,
    noise: str,
    order: Fraction,
    epsilon: Fraction,
) -> Enclosure:
    """Enclose the root of the largest divergence between two proved signs; rigorous."""
    return _scale(bits, [*additive.laws_by_node(chains, length, values)], noise, order, epsilon)


@second_opinion("pufferfish.network_least_scale_renyi", engine="mpfr", rigorous=True)
@or_nothing
def network_least_scale_renyi(
    bits: int,
    networks: tuple[Network, ...],
    values: Matrix,
    noise: str,
    order: Fraction,
    epsilon: Fraction,
) -> Enclosure:
    """Enclose the root of the largest divergence between two proved signs; rigorous."""
    return _scale(bits, [*network.laws_by_node(networks, values)], noise, order, epsilon)


def _renyi(bits: int, groups: _Groups, noise: str, scale: Fraction, order: Fraction) -> Enclosure:
    return largest_renyi(bits, groups, _POWER_MEANS[noise](scale, order), order).enclosure()


def _scale(bits: int, groups: _Groups, noise: str, order: Fraction, epsilon: Fraction) -> Enclosure:
    pairs = [[*pair] for laws in groups for pair in permutations(laws, 2) if pair[0] != pair[1]]
    if pairs and not epsilon:
        return Enclosure.infinite()
    asking = [pair for pair in pairs if not _is_met_without_noise(bits, pair, order, epsilon)]
    if not asking:
        return Enclosure.of(Fraction(0), bits)

    def excess(scale: Fraction, precision: int) -> Span:
        lost = largest_renyi(precision, asking, _POWER_MEANS[noise](scale, order), order)
        return log_of(epsilon, precision) - lost.log()

    start = max(max(map(abs, law), default=Fraction(1)) for pair in asking for law in pair)
    return bracketed(excess, start or Fraction(1), bits, likely=likely_answer()).enclosure()


def _is_met_without_noise(
    bits: int, pair: Sequence[Masses], order: Fraction, epsilon: Fraction
) -> bool:
    """Whether the first law itself is at most epsilon from the second; equality is impossible."""
    first, second = pair
    if not set(first) <= set(second):
        return False
    power = Span.of(order - 1, bits)
    total = Span.of(0, bits)
    for point, mass in first.items():
        ratio = log_of(mass / second[point], bits)
        total = total + Span.of(mass, bits) * (power * ratio).exp()
    room = power * Span.of(epsilon, bits) - total.log()
    if not room.sign:
        raise OutOfReachError
    return room.sign > 0
