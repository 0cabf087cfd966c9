"""Second opinions on the least delta and the least epsilon of a query of known laws.

The largest hockey-stick over all pairs at once, and its root: the first engine takes a root for
each pair that needs more than is known.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TypeAlias

from ...enclosure import Enclosure
from ...structures import ChainLaw, Matrix, Network
from ..directed import Span, or_nothing
from ..opinion import second_opinion
from . import additive, network, wasserstein
from .divergences import Masses, largest_loss
from .laplace_profile import largest_delta, least_argument
from .least import HOCKEY_STICKS

_Vector: TypeAlias = tuple[Fraction, ...]
_Sets: TypeAlias = tuple[tuple[int, ...], ...]
_Groups: TypeAlias = Sequence[Sequence[Masses]]


@second_opinion("pufferfish.least_delta", engine="mpfr", rigorous=True)
@or_nothing
def least_delta(
    bits: int,
    values: _Vector,
    laws: tuple[_Vector, ...],
    secrets: _Sets,
    pairs: _Sets,
    noise: str,
    scale: Fraction,
    epsilon: Fraction,
) -> Enclosure:
    """Enclose the largest hockey-stick over laws and pairs of secrets; rigorous."""
    return _delta(bits, of_instantiation(values, laws, secrets, pairs), noise, scale, epsilon)


@second_opinion("pufferfish.chain_least_delta", engine="mpfr", rigorous=True)
@or_nothing
def chain_least_delta(
    bits: int,
    chains: tuple[ChainLaw, ...],
    length: int,
    values: Matrix,
    noise: str,
    scale: Fraction,
    epsilon: Fraction,
) -> Enclosure:
    """Enclose the largest hockey-stick over chains, nodes and pairs of states; rigorous."""
    groups = [*additive.laws_by_node(chains, length, values)]
    return _delta(bits, groups, noise, scale, epsilon)


@second_opinion("pufferfish.network_least_delta", engine="mpfr", rigorous=True)
@or_nothing
def network_least_delta(
    bits: int,
    networks: tuple[Network, ...],
    values: Matrix,
    noise: str,
    scale: Fraction,
    epsilon: Fraction,
) -> Enclosure:
    """Enclose the largest hockey-stick over networks, nodes and pairs of states; rigorous."""
    return _delta(bits, [*network.laws_by_node(networks, values)], noise, scale, epsilon)


@second_opinion("pufferfish.least_epsilon", engine="mpfr", rigorous=True)
@or_nothing
def least_epsilon(
    bits: int,
    values: _Vector,
    laws: tuple[_Vector, ...],
    secrets: _Sets,
    pairs: _Sets,
    noise: str,
    scale: Fraction,
    delta: Fraction,
) -> Enclosure:
    """Enclose the root of the largest hockey-stick between two proved signs; rigorous."""
    return _epsilon(bits, of_instantiation(values, laws, secrets, pairs), noise, scale, delta)


@second_opinion("pufferfish.chain_least_epsilon", engine="mpfr", rigorous=True)
@or_nothing
def chain_least_epsilon(
    bits: int,
    chains: tuple[ChainLaw, ...],
    length: int,
    values: Matrix,
    noise: str,
    scale: Fraction,
    delta: Fraction,
) -> Enclosure:
    """Enclose the root of the largest hockey-stick between two proved signs; rigorous."""
    groups = [*additive.laws_by_node(chains, length, values)]
    return _epsilon(bits, groups, noise, scale, delta)


@second_opinion("pufferfish.network_least_epsilon", engine="mpfr", rigorous=True)
@or_nothing
def network_least_epsilon(
    bits: int,
    networks: tuple[Network, ...],
    values: Matrix,
    noise: str,
    scale: Fraction,
    delta: Fraction,
) -> Enclosure:
    """Enclose the root of the largest hockey-stick between two proved signs; rigorous."""
    return _epsilon(bits, [*network.laws_by_node(networks, values)], noise, scale, delta)


def of_instantiation(
    values: _Vector, laws: tuple[_Vector, ...], secrets: _Sets, pairs: _Sets
) -> _Groups:
    """Return the laws of the answer given the secrets of each pair, under each law."""
    return [[*pair] for pair in wasserstein.laws_of_pairs(values, laws, secrets, pairs)]


def _delta(bits: int, groups: _Groups, noise: str, scale: Fraction, epsilon: Fraction) -> Enclosure:
    return largest_delta(bits, groups, HOCKEY_STICKS[noise](scale, epsilon)).enclosure()


def _epsilon(bits: int, groups: _Groups, noise: str, scale: Fraction, delta: Fraction) -> Enclosure:
    if delta == 0:
        return largest_loss(bits, groups, scale)

    def profile(precision: int, epsilon: Fraction) -> Span:
        return largest_delta(precision, groups, HOCKEY_STICKS[noise](scale, epsilon))

    return least_argument(bits, profile, delta, 1 / scale)
