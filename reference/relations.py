"""How the answers of a quantity at different points are related; each is a theorem about it.

Stated in its registration, beside the formula, and proved in proofs_notes/laws-of-answers.md or in
the note that it names. Whoever checks answers reads it there, and knows no formula.

A promise about noise speaks of a class of releases with Laplace noise, for which a scale is enough:
the quantity that gives the exact loss of one, and which of its parameters mean a release of the
class, on rational numbers. Scales are per unit of what the query changes when one entry does.
Nothing here knows how releases are drawn or what they lose. That each class is no larger than the
promise: proofs_notes/laws-of-answers.md#releases-with-noise.
"""

from __future__ import annotations

import enum
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, ClassVar, Final, Protocol, TypeAlias

from .adjacency import Neighbourhood
from .domain import Condition, Parameters
from .enclosure import Trilean
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


def _is_one_lipschitz(values: Matrix) -> bool:
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
            and _is_one_lipschitz(release["values"])
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
        and _is_one_lipschitz(release["values"])
        and release["scale"] >= space.scale
    )


class Order(enum.Enum):
    """A partial order of the values that a parameter can have.

    NUMBERS as they are; lists of one length ENTRYWISE; lists that are collections, CONTAINED in
    each other; and RELEASES [alpha, step, count], of which more are higher, and one of a lower
    floor, a larger step and a larger count.
    """

    NUMBERS = "numbers"
    ENTRYWISE = "entrywise"
    CONTAINED = "contained"
    RELEASES = "releases"

    def is_at_most(self, one: Any, other: Any) -> bool:
        """Whether one exact value is certainly at or below the other."""
        match self:
            case Order.NUMBERS:
                return bool(one <= other)
            case Order.ENTRYWISE:
                pairs = zip(one, other, strict=False)
                return len(one) == len(other) and all(a <= b for a, b in pairs)
            case Order.CONTAINED:
                return Counter(one) <= Counter(other)
            case Order.RELEASES:
                return _are_no_less_private(one, other)


def _are_no_less_private(one: Any, other: Any) -> bool:
    """Whether each release of the one, or a less private one, stands in the other."""
    if Order.CONTAINED.is_at_most(one, other):
        return True
    return len(one) <= len(other) and all(
        a[0] >= b[0] and a[1] <= b[1] and a[2] <= b[2] for a, b in zip(one, other, strict=False)
    )


@dataclass(frozen=True)
class Trend:
    """The quantity does not fall (``rises``), or does not rise, as one parameter goes up.

    Proved over the whole domain, or ``where`` a condition holds at both points.
    """

    parameter: str
    order: Order = Order.NUMBERS
    where: Condition | None = None
    rises: bool = True

    def holds_at(self, point: Parameters) -> bool:
        """Whether an exact point is one of those that the trend is proved for."""
        return self.where is None or self.where.holds(point) is Trilean.TRUE


# The names of parameters with spaces between, and what is more than a name.
Trends: TypeAlias = "str | Trend | tuple[str | Trend, ...]"
# Nothing is proved of how the quantity rises and falls; said on purpose.
UNKNOWN: Final = ()


def each(parameter: str) -> Trend:
    """Return a trend in every entry of a list of numbers."""
    return Trend(parameter, Order.ENTRYWISE)


def more(parameter: str) -> Trend:
    """Return a trend in what stands in a collection, in whatever order."""
    return Trend(parameter, Order.CONTAINED)


def trends(rises: Trends, falls: Trends) -> tuple[Trend, ...]:
    """Return both kinds of trends: those of numbers, then the others."""
    found = [
        *(replace(trend, rises=True) for trend in _listed(rises)),
        *(replace(trend, rises=False) for trend in _listed(falls)),
    ]
    return tuple(
        sorted(found, key=lambda trend: trend != Trend(trend.parameter, rises=trend.rises))
    )


def _listed(given: Trends) -> list[Trend]:
    items = given if isinstance(given, tuple) else (given,)
    return [
        trend
        for item in items
        for trend in ([item] if isinstance(item, Trend) else map(Trend, item.split()))
    ]


@dataclass(frozen=True)
class End:
    """An end of a parameter's range at which the quantity tends to 0, or falls towards it.

    ``lowest`` says which end: the least of the domain or, where that is open, of the search range;
    or the largest of either.
    """

    parameter: str
    lowest: bool


def ends(text: str) -> tuple[End, ...]:
    """Return the ends that a text such as "low step, high epsilon" names."""
    parts = [part.split() for part in text.split(",") if part]
    return tuple(End(name, {"low": True, "high": False}[end]) for end, name in parts)


@dataclass(frozen=True)
class Bound:
    """A bound within which the truth is quick to find; a matter of speed alone.

    ``parameter`` is one's name, or a table's and that of its column: releases.alpha.
    """

    parameter: str
    lower: bool
    value: Fraction


def bounds(text: str) -> tuple[Bound, ...]:
    """Return the bounds that a text such as "eta <= 0.2, b >= 0.05" consists of."""
    parts = [part.split() for part in text.split(",") if part]
    return tuple(
        Bound(name, {">=": True, "<=": False}[sign], Fraction(value)) for name, sign, value in parts
    )


@dataclass(frozen=True)
class InverseOf:
    """``quantity``, at what the inverse answers, is at most the inverse's parameter ``target``.

    The answer is where it is just that, so no less (of a step, a gamma or a k: no more) would do.
    It is the forward quantity's parameter ``solves``; or ``multiples`` of it are some of these,
    by factors that the inverse's own parameters give. All others are called alike in both.
    """

    quantity: str
    target: str
    solves: str = ""
    multiples: Mapping[str, Callable[[Mapping[str, Any]], Fraction]] = field(default_factory=dict)


# The parameters of a quantity, with its answer as one more.
Complete: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True)
class GoodSet:
    """The quantity with the chance that belongs to a printed epsilon, and where both are proved.

    ``admitted`` moves a drawn point to where they are, if it is not there, ``seldom_missed`` to
    where the chance is small, so that the epsilon is a promise by itself. ``given`` are the
    chance's exact parameters where they are not the point's own: then it is not answered but true.
    """

    delta: str
    where: Condition | None = None
    admitted: Callable[[Complete], dict[str, Any]] = dict
    seldom_missed: Callable[[Complete], dict[str, Any]] = dict
    given: Callable[[Complete], Complete] | None = None

    def holds_at(self, point: Parameters) -> bool:
        """Whether the promise is proved at an exact point."""
        return self.where is None or self.where.holds(point) is Trilean.TRUE


@dataclass(frozen=True)
class Promise:
    """The neighbours, and the most that they lose, by the parameters and the answer together.

    The answer completes the parameters: called ``answer``, a delta those of (alpha, step, epsilon),
    a k those of (eta, b, epsilon, delta). Complete, they say that no two neighbours in any of
    ``spaces`` lose more than ``delta`` at ``epsilon``, or, where ``limit`` is another name, have a
    Renyi divergence above that at ``order``. It holds of every answer on the safe side. Without a
    space there are no neighbours.
    """

    answer: str
    spaces: Callable[[Complete], tuple[Neighbourhood, ...]]
    limit: str = "delta"
    good_set: GoodSet | None = None

    @property
    def loss(self) -> str:
        """The quantity that encloses the loss of two neighbours."""
        return "dirichlet.pair.delta" if self.limit == "delta" else "dirichlet.renyi.divergence"

    @property
    def at(self) -> str:
        """The parameter at which they lose it."""
        return "epsilon" if self.limit == "delta" else "order"


@dataclass(frozen=True)
class NoisePromise:
    """Which queries lose at most ``epsilon`` with Laplace noise, by parameters and answer together.

    The answer completes the parameters: called ``scale`` or ``epsilon``. Complete, they say that no
    release of ``releases`` loses more than ``epsilon``; None: there are no two secrets. It holds of
    every answer on the safe side.
    """

    answer: str
    releases: Callable[[Complete], NoisyReleases | None]
