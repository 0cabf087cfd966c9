"""Noise: promises about queries with Laplace noise hold for releases that are drawn.

A release is a chain, a query and a scale in doubles. A query adds 0 or 1 for each node's state, so
it is 1-Lipschitz. Rows are rounded to doubles with a sum of exactly 1; scales go up, which loses
less.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from math import ceil, floor, isqrt
from random import Random
from typing import Any, NamedTuple, TypeAlias, TypeVar

from ....reference.enclosure import Enclosure
from ....reference.quantity import Quantity
from ....reference.relations import (
    NoisePromise,
    NoisyReleases,
    OfChains,
    OfInstantiation,
    OfMixingChains,
    OfNetworks,
    OfTwoStates,
)
from ....reference.structures import ANY, ChainLaw
from ...backends.answers import Real
from ...points import Drawn, as_drawn, exact_point
from ...verdict import Verdict
from .adjacency import NOTHING_LOST, Adjacency, Most, held_to, require, tied
from .relation import Ask, Declared, First, Found, Ruling, Truths, Witness, answered_as, rounded

# So many nodes are released at most: their exact loss takes milliseconds.
_MOST_NODES = 12
# Shares to stay are whole multiples of this, so that what is left of 1 is a double as well.
_UNIT = Fraction(1, 1 << 53)
# Second eigenvalues are whole multiples of this.
_COARSE = 1 << 20
_HALF = Fraction(1, 2)
_Release: TypeAlias = dict[str, Any]
_Item = TypeVar("_Item")


def release_in(space: NoisyReleases, seed_text: str) -> dict[str, Drawn]:
    """Return one of the releases, without its scale: the parameters of its loss, in doubles."""
    rng = Random(seed_text)  # noqa: S311 (test points, the same every time)
    draw = next(found for kind, found in _DRAWN.items() if isinstance(space, kind))
    return {name: as_drawn(value) for name, value in draw(space, rng).items()}


def _of_chains(space: OfChains, rng: Random) -> _Release:
    chain = _one_of(space.chains, rng)
    if chain.initial == ANY:
        chain = ChainLaw(_start(len(chain.P), rng), chain.P)
    return _query_of(chain, space.length, rng)


def _start(states: int, rng: Random) -> tuple[Fraction, ...]:
    """Return a first law of two states, the same weight on both, or of the only one."""
    chosen = set(_two_of(states, rng))
    return tuple(Fraction(state in chosen, len(chosen)) for state in range(states))


def _of_two_states(space: OfTwoStates, rng: Random) -> _Release:
    lowest, highest = ceil(space.low / _UNIT), floor(space.high / _UNIT)
    found = [_one_of((lowest, highest), rng) * _UNIT for _ in range(2)]
    if rng.random() < _HALF:
        found[1] = found[0]
    stay, other = found if lowest <= highest else (_HALF, _HALF)
    chain = ChainLaw((_HALF, _HALF), ((stay, 1 - stay), (1 - other, other)))
    return _query_of(chain, space.length if lowest <= highest else 1, rng)


def _of_mixing_chains(space: OfMixingChains, rng: Random) -> _Release:
    slowest = 1 - space.gap / 2
    if space.gap <= 1:
        slowest = Fraction(isqrt(floor((1 - space.gap) * _COARSE**2)), _COARSE)
    size = max(Fraction(floor(slowest * _COARSE), _COARSE), Fraction(0))
    stay = (1 + _one_of((size, -size), rng)) / 2
    chain = ChainLaw((_HALF, _HALF), ((stay, 1 - stay), (1 - stay, stay)))
    return _query_of(chain, space.length, rng)


def _query_of(chain: ChainLaw, length: int, rng: Random) -> _Release:
    nodes = min(length, _MOST_NODES)
    if rng.random() < _HALF:
        nodes = 1 + _below(nodes, rng)
    values = _values(nodes, len(chain.P), rng)
    return {"chains": (chain,), "length": nodes, "values": values}


def _of_networks(space: OfNetworks, rng: Random) -> _Release:
    network = _one_of(space.networks, rng)
    widest = max(len(node.table[0]) for node in network)
    return {"networks": (network,), "values": _values(len(network), widest, rng)}


def _of_instantiation(space: OfInstantiation, _rng: Random) -> _Release:
    return dict(space.given)


def _values(nodes: int, states: int, rng: Random) -> tuple[tuple[Fraction, ...], ...]:
    """Return what is added: for the same states at every node, in turn for the others, or as drawn.

    The first is the worst where states last, the second where they alternate. Of two states one
    at least adds 1 and one 0: of a query that is constant nothing is lost at any scale.
    """

    def some() -> tuple[Fraction, ...]:
        one, *zero = _two_of(states, rng)
        return tuple(
            Fraction(at == one or (at not in zero and rng.random() < _HALF / 2))
            for at in range(states)
        )

    own, kind = some(), _below(4, rng)
    if kind == 0:
        return tuple(some() for _ in range(nodes))
    others = tuple(1 - value for value in own) if kind == 1 else own
    return tuple(others if node % 2 else own for node in range(nodes))


def _below(count: int, rng: Random) -> int:
    """Return a whole number from 0 on, by the one method that every version of Python has alike."""
    return int(rng.random() * count)


def _one_of(items: Sequence[_Item], rng: Random) -> _Item:
    return items[_below(len(items), rng)]


def _two_of(states: int, rng: Random) -> tuple[int, ...]:
    """Return two different states, or the only one."""
    first = _below(states, rng)
    return (first, (first + 1 + _below(states - 1, rng)) % states) if states > 1 else (first,)


_DRAWN: Mapping[type, Callable[[Any, Random], _Release]] = {
    OfChains: _of_chains,
    OfTwoStates: _of_two_states,
    OfMixingChains: _of_mixing_chains,
    OfNetworks: _of_networks,
    OfInstantiation: _of_instantiation,
}


# A scale below this share of what tells two values apart over epsilon is looked at as if it were
# this, which loses less, and loses a multiple of epsilon where a query tells two states apart.
_LEAST_SHARE = Fraction(1, 1 << 20)


class _Promised(NamedTuple):
    """What an answer promises: of which releases, at which scale in doubles, and the most."""

    releases: NoisyReleases
    scale: float
    most: Fraction


class Noise:
    """No release loses more than epsilon at the scale that was answered; drawn ones, in turn.

    Held against epsilon is the exact loss of a query, the largest between two states of a node. An
    answer on the safe side of the truth, or off it by the slack that is declared, always passes:
    the truth is enough for every such query (``relations.NoisePromise``).
    """

    check = Adjacency.check
    wording = Adjacency.wording

    def applies_to(self, quantity: Quantity) -> bool:
        """Whether an answer promises anything of queries with noise."""
        return quantity.noise is not None

    def found(self, quantity: Quantity, first: First, ask: Ask, declared: Declared) -> Found:  # noqa: ARG002
        """Choose a release by the point and the turn."""
        slack = declared.slack.get(quantity.name, Fraction(0))
        promised = _promised(quantity, exact_point(first.point), first.number, slack)
        if promised is None:
            return Found(first.point, first.number, ())
        seed_text = f"{quantity.name}/{sorted(first.point.items())}/{first.turn}"
        release = release_in(promised.releases, seed_text)
        loss = answered_as(promised.releases.loss, {**release, "scale": promised.scale}, None)
        return Found(first.point, first.number, (loss,))

    def verdict_on(
        self,
        witness: Witness,
        slack: Fraction,
        accuracy: Fraction | None,  # noqa: ARG002
        truths: Truths,
    ) -> Ruling:
        """Hold the release's loss against epsilon."""
        promised = _promised(witness.quantity, witness.parameters, witness.value, slack)
        if promised is None:
            require(not witness.others, "a release, where nothing is promised")
            return Ruling(Verdict.CERTIFIED, NOTHING_LOST)
        require(
            [other.quantity.name for other in witness.others] == [promised.releases.loss]
            and not witness.place,
            "not a release",
        )
        (release,) = witness.others
        require(release.value is None, "the loss of a release is not answered but enclosed")
        require(promised.releases.has(release.parameters), "not a release that is spoken of")
        scale = release.parameters["scale"]
        require(scale == Fraction(promised.scale), "not the scale that was answered for")
        most = Most(*[tied(promised.most)] * 2)
        loss = truths(
            release.quantity,
            release.parameters,
            lambda found: held_to(found, most) is not Verdict.UNDECIDED,
        )
        assert isinstance(loss, Enclosure)
        return Ruling(held_to(loss, most), loss)


def _promised(
    quantity: Quantity, parameters: Mapping[str, Any], value: Real, slack: Fraction
) -> _Promised | None:
    """Return what an answer promises, moved by the slack; None where it promises nothing.

    An infinite scale or epsilon promises nothing; one of at most 0 as much as hardly any noise.
    """
    promise = quantity.noise
    assert isinstance(promise, NoisePromise)
    line = Fraction(0) if value == -math.inf else value
    if isinstance(line, float):
        return None
    complete = {**parameters, promise.answer: max(line, Fraction(0)) / (1 - slack)}
    releases = promise.releases(complete)
    if releases is None:
        return None
    most, scale = complete["epsilon"], releases.scale
    if promise.answer == "scale":
        scale = max(scale, _LEAST_SHARE * releases.largest_change / most)
    double = rounded(scale, 1)
    return None if math.isinf(double) else _Promised(releases, double, most)
