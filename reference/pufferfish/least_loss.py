"""The least delta at an epsilon, and the least epsilon at a delta, of a query of known laws.

The largest over all laws of a class and all pairs of secrets, in both orders, under Laplace or
normal noise of a scale (proofs_notes/least-noise.md).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Annotated

from flint import arb

from ..arb.balls import ball, enclosure_of, sharpened
from ..domain import (
    A_PROBABILITY,
    AT_LEAST_ZERO,
    NETWORKS,
    NUMBERS,
    NonNegative,
    Positive,
    Probability,
)
from ..quantity import Side, Truth, quantity
from ..relations import InverseOf
from ..structures import ChainLaw, Matrix, Network
from ..vocabulary import Meaning
from . import additive
from .divergences import Atoms, largest_move, loss_within
from .gaussian_profile import epsilon_near
from .laplace_profile import delta_between, least_argument
from .least import HOCKEY_STICKS, NOISE, NOTE, POSITIVE_DELTA, unequal_pairs
from .network import mechanism
from .wasserstein import CLASS, CONDITIONS, SECRET_PAIRS, SECRETS, Laws, Vector, compared

SCALE = Annotated[
    Positive, Meaning("scale of Laplace noise, standard deviation of normal noise", "", r"\sigma")
]
_Groups = Iterable[Sequence[Atoms]]


def largest_delta(groups: _Groups, noise: str, scale: Fraction, epsilon: Fraction) -> arb:
    """Enclose the largest hockey-stick of two laws of one group."""
    largest = arb(0)
    for laws in groups:
        largest = largest.max(delta_between(laws, HOCKEY_STICKS[noise], scale, epsilon))
    return largest


def largest_epsilon(groups: _Groups, noise: str, scale: Fraction, delta: Fraction) -> arb:
    """Enclose the least epsilon at which no two laws of one group have more than a delta."""
    if delta == 0:
        return loss_within(lambda: groups, scale)
    largest = arb(0)
    for first, second in () if delta == 1 else unequal_pairs(groups):

        def profile(epsilon: Fraction, first: Atoms = first, second: Atoms = second) -> arb:
            return sharpened(lambda: HOCKEY_STICKS[noise](first, second, scale, epsilon))

        # A pair is solved for only if what is known is not enough for it.
        known = Fraction(enclosure_of(largest).upper) if largest.is_finite() else Fraction(0)
        if known and profile(known) < ball(delta):
            continue
        distance = largest_move(first, second) / scale
        limit = distance if noise == "laplace" else None
        start = distance / 2 if noise == "laplace" else epsilon_near(distance, delta)
        found = least_argument(profile, delta, start, limit)
        largest = largest.max(ball(found) if isinstance(found, Fraction) else found)
    return largest


def of_instantiation(
    values: Vector,
    laws: Laws,
    secrets: tuple[tuple[int, ...], ...],
    pairs: tuple[tuple[int, ...], ...],
) -> list[Sequence[Atoms]]:
    """Return the laws of the answer given the secrets of each pair, under each law."""
    return [item.given for item in compared(values, laws, secrets, pairs)]


def of_chains(
    chains: tuple[ChainLaw, ...], length: int, values: Matrix
) -> tuple[Fraction, list[Sequence[Atoms]]]:
    """Return what one step of the points is worth, and the laws at each node."""
    found = additive.laws_by_node(chains, length, values)
    return additive.steps_of(values, length).unit, [[*laws.values()] for _, _, laws in found]


def of_networks(
    networks: tuple[Network, ...], values: Matrix
) -> tuple[Fraction, list[Sequence[Atoms]]]:
    """Return the same of networks."""
    found = mechanism.laws_by_node(networks, values)
    return additive.steps_of(values, 1).unit, [[*laws.values()] for _, _, laws in found]


@quantity(
    "pufferfish.least_delta",
    safe=Side.UPPER,
    truth=Truth.LEAST,
    source=NOTE,
    formula=r"\max_{\theta, (s, s')} \delta_\sigma(P_\theta(F \mid s), P_\theta(F \mid s'), "
    r"\varepsilon)",
    conditions=CONDITIONS,
    within=A_PROBABILITY,
    falls="scale epsilon",
    vanishes="high epsilon, high scale",
    slow=True,
)
def least_delta(
    values: NUMBERS,
    laws: CLASS,
    secrets: SECRETS,
    pairs: SECRET_PAIRS,
    noise: NOISE,
    scale: SCALE,
    epsilon: NonNegative,
) -> arb:
    """Least delta with which every pair of secrets is (epsilon, delta)-hidden by noise of a scale.

    Under every law of the class, in both orders, attained by one of them.
    """
    return largest_delta(of_instantiation(values, laws, secrets, pairs), noise, scale, epsilon)


@quantity(
    "pufferfish.chain_least_delta",
    safe=Side.UPPER,
    truth=Truth.LEAST,
    source=NOTE,
    formula=r"\max_{\theta, t, a, a'} \delta_\sigma(P_\theta(F \mid X_t = a), P_\theta(F \mid X_t "
    r"= a'), \varepsilon), \quad F = \sum_t f_t(X_t)",
    conditions=additive.CONDITIONS,
    within=A_PROBABILITY,
    falls="scale epsilon",
    vanishes="high epsilon, high scale",
    slow=True,
)
def chain_least_delta(
    chains: additive.QUERIED_CHAINS,
    length: additive.QUERY_LENGTH,
    values: additive.QUERY_VALUES,
    noise: NOISE,
    scale: SCALE,
    epsilon: NonNegative,
) -> arb:
    """Least delta with which noise on an additive query of a chain hides each node's state.

    Over all nodes, pairs of a node's states, and chains, attained by one of them.
    """
    unit, groups = of_chains(chains, length, values)
    return largest_delta(groups, noise, scale / unit, epsilon)


@quantity(
    "pufferfish.network_least_delta",
    safe=Side.UPPER,
    truth=Truth.LEAST,
    source=NOTE,
    formula=r"\max_{\theta, i, a, a'} \delta_\sigma(P_\theta(F \mid X_i = a), P_\theta(F \mid X_i "
    r"= a'), \varepsilon), \quad F = \sum_i f_i(X_i)",
    conditions=mechanism.CONDITIONS,
    within=A_PROBABILITY,
    falls="scale epsilon",
    vanishes="high epsilon, high scale",
    slow=True,
)
def network_least_delta(
    networks: NETWORKS,
    values: mechanism.QUERY_VALUES,
    noise: NOISE,
    scale: SCALE,
    epsilon: NonNegative,
) -> arb:
    """Least delta with which noise on an additive query of a network hides each node's state.

    Over all nodes, pairs of a node's states, and networks, attained by one of them.
    """
    unit, groups = of_networks(networks, values)
    return largest_delta(groups, noise, scale / unit, epsilon)


@quantity(
    "pufferfish.least_epsilon",
    safe=Side.UPPER,
    truth=Truth.LEAST,
    source=NOTE,
    formula=r"\min \{ \varepsilon \ge 0 : \delta_\sigma(P_\theta(F \mid s), P_\theta(F \mid s'), "
    r"\varepsilon) \le \delta \text{ for all } \theta, (s, s') \}",
    conditions=(*CONDITIONS, POSITIVE_DELTA),
    within=AT_LEAST_ZERO,
    falls="scale delta",
    vanishes="high delta, high scale",
    inverse=InverseOf("pufferfish.least_delta", "delta", "epsilon"),
    slow=True,
)
def least_epsilon(
    values: NUMBERS,
    laws: CLASS,
    secrets: SECRETS,
    pairs: SECRET_PAIRS,
    noise: NOISE,
    scale: SCALE,
    delta: Probability,
) -> arb:
    """Least epsilon with which every pair of secrets is (epsilon, delta)-hidden.

    ``pufferfish.instantiation_loss`` at delta = 0, for Laplace noise alone.
    """
    return largest_epsilon(of_instantiation(values, laws, secrets, pairs), noise, scale, delta)


@quantity(
    "pufferfish.chain_least_epsilon",
    safe=Side.UPPER,
    truth=Truth.LEAST,
    source=NOTE,
    formula=r"\min \{ \varepsilon \ge 0 : \delta_\sigma(P_\theta(F \mid X_t = a), P_\theta(F \mid "
    r"X_t = a'), \varepsilon) \le \delta \text{ for all } \theta, t, a, a' \}, \quad F = \sum_t "
    r"f_t(X_t)",
    conditions=(*additive.CONDITIONS, POSITIVE_DELTA),
    within=AT_LEAST_ZERO,
    falls="scale delta",
    vanishes="high delta, high scale",
    inverse=InverseOf("pufferfish.chain_least_delta", "delta", "epsilon"),
    slow=True,
)
def chain_least_epsilon(
    chains: additive.QUERIED_CHAINS,
    length: additive.QUERY_LENGTH,
    values: additive.QUERY_VALUES,
    noise: NOISE,
    scale: SCALE,
    delta: Probability,
) -> arb:
    """Least epsilon with which noise on an additive query of a chain hides each node's state.

    ``pufferfish.chain_loss`` at delta = 0, for Laplace noise alone.
    """
    unit, groups = of_chains(chains, length, values)
    return largest_epsilon(groups, noise, scale / unit, delta)


@quantity(
    "pufferfish.network_least_epsilon",
    safe=Side.UPPER,
    truth=Truth.LEAST,
    source=NOTE,
    formula=r"\min \{ \varepsilon \ge 0 : \delta_\sigma(P_\theta(F \mid X_i = a), P_\theta(F \mid "
    r"X_i = a'), \varepsilon) \le \delta \text{ for all } \theta, i, a, a' \}, \quad F = \sum_i "
    r"f_i(X_i)",
    conditions=(*mechanism.CONDITIONS, POSITIVE_DELTA),
    within=AT_LEAST_ZERO,
    falls="scale delta",
    vanishes="high delta, high scale",
    inverse=InverseOf("pufferfish.network_least_delta", "delta", "epsilon"),
    slow=True,
)
def network_least_epsilon(
    networks: NETWORKS,
    values: mechanism.QUERY_VALUES,
    noise: NOISE,
    scale: SCALE,
    delta: Probability,
) -> arb:
    """Least epsilon with which noise on an additive query of a network hides each node's state.

    ``pufferfish.network_loss`` at delta = 0, for Laplace noise alone.
    """
    unit, groups = of_networks(networks, values)
    return largest_epsilon(groups, noise, scale / unit, delta)
