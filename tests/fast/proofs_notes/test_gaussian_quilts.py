"""The laws of proofs_notes/gaussian-quilts.md: a test named for each heading."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from fractions import Fraction
from random import Random
from typing import Any

from ball_checks import seeded
from flint import arb
from simplexcert.reference import evaluate
from simplexcert.reference.arb.balls import ball, ball_of
from simplexcert.reference.gaussian import noise_multiplier_for_dp, profile
from simplexcert.reference.pufferfish.network.gaussian import (
    network_gaussian_renyi,
    network_gaussian_scale,
    network_gaussian_scale_renyi,
)
from simplexcert.reference.pufferfish.quilt.gaussian import (
    GaussianScaleFor,
    RenyiOf,
    RenyiScaleFor,
    gaussian_quilt_renyi,
    gaussian_quilt_scale,
    gaussian_quilt_scale_renyi,
    rate_of_squares,
)
from simplexcert.reference.structures import ANY, STATIONARY, ChainLaw, NetworkNode

SCORES = (
    GaussianScaleFor(Fraction(2), Fraction(1, 10**5)),
    RenyiScaleFor(Fraction(8), Fraction(2)),
)


def some_chain(random: Random) -> ChainLaw:
    rows = [Fraction(random.randint(1, 9), 10) for _ in range(2)]
    matrix = tuple((share, 1 - share) for share in rows)
    initial = random.choice((STATIONARY, ANY, (Fraction(1, 3), Fraction(2, 3))))
    return ChainLaw(initial, matrix)


def chains(number: int, count: int = 4) -> Iterator[tuple[ChainLaw, Random]]:
    random = seeded(number)
    for _ in range(count):
        yield some_chain(random), random


def influences(chain: ChainLaw, length: int, node: int) -> Iterator[tuple[int, arb]]:
    """Yield card and influence of every quilt of a node."""
    yield length, arb(0)
    for left in range(node):
        for right in range(length - node + 1):
            if left or right:
                near = (left or node) + (right or length - node + 1) - 1
                given: dict[str, Any] = {"initial": chain.initial, "P": chain.P, "node": node}
                found = evaluate("pufferfish.max_influence", given, left=left, right=right)
                yield near, ball_of(found.enclosure)


def by_hand(chain: ChainLaw, length: int, score: Any) -> arb:
    """The largest over nodes of the least over quilts, each looked at."""
    worst = arb(0)
    for node in range(1, length + 1):
        found = [score.of(card, e) for card, e in influences(chain, length, node)]
        least = found[0]
        for one in found[1:]:
            least = least.min(one) if one.is_finite() else least
        worst = worst.max(least)
    return worst


def test_quilts_with_normal_noise() -> None:
    for chain, _ in chains(1):
        for found, score in (
            (gaussian_quilt_scale((chain,), 4, Fraction(2), Fraction(1, 10**5), 4), SCORES[0]),
            (gaussian_quilt_scale_renyi((chain,), 4, Fraction(8), Fraction(2), 4), SCORES[1]),
        ):
            assert found.overlaps(by_hand(chain, 4, score))


def test_search_needs_two_rules() -> None:
    for score in SCORES:
        for card in (1, 3, 20):
            scores = [score.of(card, arb(e) / 4) for e in range(8)]
            assert all(one < other for one, other in itertools.pairwise(scores))
            assert score.of(card, arb(1)) < score.of(card + 1, arb(1))
            for value, e in zip(scores, range(8), strict=True):
                assert score.influence_left(card, value).overlaps(arb(e) / 4)
        assert score.card_left(score.of(7, arb(0))).overlaps(arb(7))
        assert not score.of(3, arb(3)).is_finite()
        assert score.influence_left(0, arb(1)).overlaps(ball(score.epsilon))
    epsilon, delta = SCORES[0].epsilon, SCORES[0].delta
    sigma = SCORES[0].of(5, arb(1) / 2) / 5
    assert profile(sigma, epsilon - Fraction(1, 2)).overlaps(ball(delta))
    assert (sigma * 5).overlaps(5 * noise_multiplier_for_dp(epsilon - Fraction(1, 2), delta))


def test_exact_losses_are_below() -> None:
    for chain, _ in chains(2, 6):
        if chain.initial == ANY:
            continue
        known: dict[str, Any] = {"chains": (chain,), "length": 5, "values": [[0, 1]]}
        own: dict[str, Any] = {"chains": (chain,), "length": 5, "width": 5}
        enough = evaluate("pufferfish.gaussian_quilt_scale", own, epsilon=1, delta="1e-3").upper
        at = {**known, "noise": "gaussian", "scale": enough}
        delta = evaluate("pufferfish.chain_least_delta", at, epsilon=1)
        assert delta.upper <= Fraction(1, 1000)
        enough = evaluate("pufferfish.gaussian_quilt_scale_renyi", own, epsilon=1, order=4).upper
        at = {**known, "noise": "gaussian", "scale": enough}
        assert evaluate("pufferfish.chain_least_renyi", at, order=4).upper <= 1


def test_longer_needs_more() -> None:
    for chain, _ in chains(3):
        lengths = [
            gaussian_quilt_scale_renyi((chain,), length, Fraction(8), Fraction(2), length)
            for length in (2, 4, 9)
        ]
        assert not any(one > other for one, other in itertools.pairwise(lengths))
        both = (chain, ChainLaw(STATIONARY, ((Fraction(1, 2), Fraction(1, 2)),) * 2))
        more = gaussian_quilt_scale_renyi(both, 9, Fraction(8), Fraction(2), 9)
        assert not more < lengths[-1]
        order = gaussian_quilt_scale_renyi((chain,), 9, Fraction(9), Fraction(2), 9)
        assert order > lengths[-1]
        narrow = gaussian_quilt_scale_renyi((chain,), 9, Fraction(8), Fraction(2), 1)
        assert not narrow < lengths[-1]
        assert gaussian_quilt_scale_renyi((chain,), 9, Fraction(8), Fraction(3), 9) < lengths[-1]


def test_several_releases_count_the_influence_once() -> None:
    """By hand over nodes and quilts; and of one query twice the exact joint loss is below.

    Two answers to one query tell as much as their mean, weighted by 1/sigma^2, with noise of which
    1/sigma^2 is the sum of both.
    """
    order = Fraction(6)
    for chain, random in chains(5):
        scales = tuple(Fraction(random.randint(4, 40), 10) for _ in range(2))
        score = RenyiOf(order, rate_of_squares(scales))
        for card in (1, 3, 20):
            for e in (arb(0), arb(1) / 4):
                value = score.of(card, e)
                assert score.influence_left(card, value).overlaps(e)
                assert value < score.of(card + 1, e)
            assert score.card_left(score.of(card, arb(0))).overlaps(arb(card))
        found = gaussian_quilt_renyi((chain,), 4, order, scales, 4)
        assert found.overlaps(by_hand(chain, 4, score))
        if chain.initial == ANY:
            continue
        both = gaussian_quilt_renyi((chain,), 4, order, (Fraction(5), Fraction(5)), 4)
        known: dict[str, Any] = {"chains": (chain,), "length": 4, "values": [[0, 1]]}
        # sqrt(25/2), rounded down: no less is lost than by both.
        at = {**known, "noise": "gaussian", "scale": "3.5355"}
        assert ball(evaluate("pufferfish.chain_least_renyi", at, order=order).upper) < both


def test_sum_of_leasts_is_not_less() -> None:
    """And e twice is more than once, where the best quilt has an influence."""
    order, more = Fraction(6), 0
    for chain, random in chains(5):
        scales = tuple(Fraction(random.randint(10, 400), 10) for _ in range(3))
        together = gaussian_quilt_renyi((chain,), 6, order, scales, 6)
        single = sum(
            (gaussian_quilt_renyi((chain,), 6, order, (one,), 6) for one in scales), arb(0)
        )
        assert not together > single
        more += single > together
    assert more > 1


def test_networks_have_the_same_scores() -> None:
    """A chain written as a network has the chain's; one that is known loses no more."""
    for chain, _ in chains(6, 2):
        law = (Fraction(1, 3), Fraction(2, 3))
        listed = (chain._replace(initial=law),)
        first, *rest = [NetworkNode((), (law,)), *(NetworkNode((at,), chain.P) for at in (1, 2))]
        networks = ((first, *rest),)
        order, wanted, scales = Fraction(8), Fraction(2), (Fraction(5), Fraction(9))
        for found, own in (
            (
                network_gaussian_scale(networks, wanted, Fraction(1, 10**5), 3),
                gaussian_quilt_scale(listed, 3, wanted, Fraction(1, 10**5), 3),
            ),
            (
                network_gaussian_scale_renyi(networks, order, wanted, 3),
                gaussian_quilt_scale_renyi(listed, 3, order, wanted, 3),
            ),
            (
                network_gaussian_renyi(networks, order, scales, 3),
                gaussian_quilt_renyi(listed, 3, order, scales, 3),
            ),
        ):
            assert found.overlaps(own)
