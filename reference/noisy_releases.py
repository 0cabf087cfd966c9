"""Which releases with Laplace noise a scale is promised to be enough for; on rational numbers.

Each class is the set of releases that a promise speaks of (`relations.NoisePromise`): the quantity
that gives the exact loss of one, and which of its parameters mean a release of the class. Scales
are per unit of what the query changes when one entry does. Nothing here knows how releases are
drawn or what they lose. That each class is no larger than the promise:
proofs_notes/laws-of-answers.md#releases-with-noise.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, Protocol

from .structures import ANY, ChainLaw, Matrix, Network

HALF = Fraction(1, 2)
_TWO_STATES = 2


class NoisyReleases(Protocol):
    """Releases with Laplace noise, each the parameters of its loss."""

    loss: ClassVar[str]

    @property
    def largest_change(self) -> Fraction:
        """How far apart two values of a query are, about: nothing that is proved rests on it."""

    @property
    def scale(self) -> Fraction:
        """The scale that is promised to be enough; a larger one loses no more."""

    def has(self, release: Mapping[str, Any]) -> bool:
        """Whether such exact parameters of the loss mean a release that is spoken of."""


def is_one_lipschitz(values: Matrix) -> bool:
    """Whether a sum of these over nodes changes by 1 at most when one node does."""
    return all(max(row) - min(row) <= 1 for row in values)


@dataclass(frozen=True)
class OfChains:
    """Additive 1-Lipschitz queries of the first nodes of a chain, one of those that are listed."""

    chains: tuple[ChainLaw, ...]
    length: int
    scale: Fraction
    loss: ClassVar[str] = "pufferfish.chain_loss"
    largest_change: ClassVar[Fraction] = Fraction(1)

    def has(self, release: Mapping[str, Any]) -> bool:
        """Whether each chain is listed, or starts by a law of its own where any is."""
        return _is_short(self, release) and all(
            any(own.P == chain.P and own.initial in (ANY, chain.initial) for own in self.chains)
            for chain in release["chains"]
        )


@dataclass(frozen=True)
class OfTwoStates:
    """The same of chains of two states that stay with probabilities from low to high.

    Any law may be the first node's; of one node alone no move is made, so P has no use.
    """

    low: Fraction
    high: Fraction
    length: int
    scale: Fraction
    loss: ClassVar[str] = "pufferfish.chain_loss"
    largest_change: ClassVar[Fraction] = Fraction(1)

    def has(self, release: Mapping[str, Any]) -> bool:
        """Whether each chain has two states, and stays in both as the class does."""
        return _is_short(self, release) and all(
            len(chain.P) == _TWO_STATES
            and not isinstance(chain.initial, str)
            and (
                release["length"] == 1
                or all(self.low <= chain.P[at][at] <= self.high for at in range(_TWO_STATES))
            )
            for chain in release["chains"]
        )


@dataclass(frozen=True)
class OfMixingChains:
    """The same of symmetric chains of two states, in balance, with at least this eigengap.

    Their second eigenvalue is d = 2 s - 1, s the probability to stay; so the gap of P P* is
    1 - d^2, that of a reversible chain 2 (1 - |d|), and -log(1 - gap) is -2 log |d|. Up to a gap of
    1 all three are at least 1 - d^2, beyond it only the last two are meant.
    """

    gap: Fraction
    length: int
    scale: Fraction
    loss: ClassVar[str] = "pufferfish.chain_loss"
    largest_change: ClassVar[Fraction] = Fraction(1)

    def has(self, release: Mapping[str, Any]) -> bool:
        """Whether each chain is such a symmetric one."""
        return _is_short(self, release) and all(
            chain.initial == (HALF, HALF)
            and (chain.P[0], chain.P[0][::-1]) == chain.P
            and self.mixes(abs(2 * chain.P[0][0] - 1))
            for chain in release["chains"]
        )

    def mixes(self, size: Fraction) -> bool:
        """Whether a second eigenvalue of such a size leaves the gap, in each sense of it."""
        if size == 0:  # independent nodes: -log(1 - gap) is infinite
            return True
        return size**2 <= 1 - self.gap if self.gap <= 1 else size <= 1 - self.gap / 2


@dataclass(frozen=True)
class OfNetworks:
    """Additive 1-Lipschitz queries of a Bayesian network, one of those that are listed."""

    networks: tuple[Network, ...]
    scale: Fraction
    loss: ClassVar[str] = "pufferfish.network_loss"
    largest_change: ClassVar[Fraction] = Fraction(1)

    def has(self, release: Mapping[str, Any]) -> bool:
        """Whether each network is listed and the query changes by 1 at most."""
        return (
            all(network in self.networks for network in release["networks"])
            and is_one_lipschitz(release["values"])
            and release["scale"] >= self.scale
        )


@dataclass(frozen=True)
class OfInstantiation:
    """The one query that is given with its laws, secrets and pairs."""

    given: Mapping[str, Any]
    scale: Fraction
    loss: ClassVar[str] = "pufferfish.instantiation_loss"

    @property
    def largest_change(self) -> Fraction:
        """How far apart two values are; 1 where there is one alone."""
        return max(self.given["values"]) - min(self.given["values"]) or Fraction(1)

    def has(self, release: Mapping[str, Any]) -> bool:
        """Whether it is that query."""
        return release["scale"] >= self.scale and all(
            release[name] == value for name, value in self.given.items()
        )


def _is_short(space: OfChains | OfTwoStates | OfMixingChains, release: Mapping[str, Any]) -> bool:
    """Whether a query of a chain's nodes has no more of them, is 1-Lipschitz, and noise enough."""
    return (
        release["length"] <= space.length
        and is_one_lipschitz(release["values"])
        and release["scale"] >= space.scale
    )
