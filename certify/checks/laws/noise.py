"""What is promised of queries with Laplace noise holds for releases that are drawn."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from ....reference.enclosure import Enclosure
from ....reference.errors import InputError
from ....reference.noisy_releases import NoisyReleases
from ....reference.quantity import Quantity
from ....reference.relations import NoisePromise
from ...backends.answers import Real
from ...points import exact_point
from ...verdict import Verdict
from .adjacency import NOTHING_LOST, Most, held_to, tied
from .law import Ask, Declared, First, Found, Truths, Witness, answered_as, rounded
from .noisy_releases import release_in

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

    check = "adjacency"

    def applies_to(self, quantity: Quantity) -> bool:
        """Whether an answer promises anything of queries with noise."""
        return quantity.noise is not None

    def needs(self, quantity: Quantity) -> tuple[str, ...]:  # noqa: ARG002
        """Return nothing: the loss is enclosed."""
        return ()

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
    ) -> tuple[Verdict, Enclosure]:
        """Hold the release's loss against epsilon."""
        promised = _promised(witness.quantity, witness.parameters, witness.value, slack)
        if promised is None:
            _require(not witness.others, "a release, where nothing is promised")
            return Verdict.CERTIFIED, NOTHING_LOST
        _require(
            [other.quantity.name for other in witness.others] == [promised.releases.loss]
            and not witness.place,
            "not a release",
        )
        (release,) = witness.others
        _require(release.value is None, "the loss of a release is not answered but enclosed")
        _require(promised.releases.has(release.parameters), "not a release that is spoken of")
        scale = release.parameters["scale"]
        _require(scale == Fraction(promised.scale), "not the scale that was answered for")
        most = Most(*[tied(promised.most)] * 2)
        loss = truths(
            release.quantity,
            release.parameters,
            lambda found: held_to(found, most) is not Verdict.UNDECIDED,
        )
        assert isinstance(loss, Enclosure)
        return held_to(loss, most), loss


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


def _require(condition: bool, otherwise: str) -> None:
    if not condition:
        raise InputError(f"adjacency: {otherwise}")
