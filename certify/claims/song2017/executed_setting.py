"""Formulas of the notes on the setting and on the Wasserstein mechanism, executed in rationals.

Densities of Laplace noise at whole points are rational where e^(1/scale) is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import product
from random import Random
from typing import TypeAlias

Masses: TypeAlias = Mapping[int, Fraction]
# Randomised response on bits: each is told truly with this probability, so e^epsilon = 3.
TRUE_BIT = Fraction(3, 4)
RATE = TRUE_BIT / (1 - TRUE_BIT)
QUARTERS = tuple(Fraction(k, 4) for k in range(5))
BITS = tuple(product((0, 1), repeat=2))


def random_law(random: Random, size: int, least: int = 1) -> tuple[Fraction, ...]:
    """Return a law of small rationals."""
    weights = [random.randint(least, 9) for _ in range(size)]
    weights[0] += not sum(weights)
    return tuple(Fraction(weight, sum(weights)) for weight in weights)


def random_laws(
    seed: int, count: int, size: int, each: int
) -> Iterator[list[tuple[Fraction, ...]]]:
    """Yield so many lists of laws."""
    random = Random(seed)  # noqa: S311 - examples, no secrets
    for _ in range(count):
        yield [random_law(random, size) for _ in range(each)]


def odds_change_by_the_likelihood_ratio() -> bool:
    """Posterior odds over prior odds are the ratio of the outcome's probabilities."""
    for prior, one, other in random_laws(1, 20, 3, 3):
        p, q = prior[0], prior[1]
        for f, h in zip(one, other, strict=True):
            evidence = p * f + q * h + prior[2] / 7
            if (p * f / evidence) / (q * h / evidence) / (p / q) != f / h:
                return False
    return True


def told(data: tuple[int, ...], answer: tuple[int, ...]) -> Fraction:
    """Return the probability of an answer of randomised response."""
    found = Fraction(1)
    for x, w in zip(data, answer, strict=True):
        found *= TRUE_BIT if x == w else 1 - TRUE_BIT
    return found


def product_laws_reach_neighbours() -> bool:
    """Over laws of independent bits the largest ratio is that of neighbouring data sets."""
    found = set()
    for other, answer in product(QUARTERS, BITS):
        given = [other * told((x, 1), answer) + (1 - other) * told((x, 0), answer) for x in (0, 1)]
        found.add(max(given[0] / given[1], given[1] / given[0]))
    return max(found) == RATE


def chance_of_being_right_is_bounded() -> bool:
    """Randomised response on one bit attains p (1 + e^-epsilon) = 1."""
    return TRUE_BIT * (1 + 1 / RATE) == 1 and TRUE_BIT == RATE / (1 + RATE)


def group_noise_is_enough() -> bool:
    """| |w - f| - |w - h| | <= |f - h|, attained at w = f."""
    points = [Fraction(k, 2) for k in range(-6, 7)]
    within = all(
        abs(abs(w - f) - abs(w - h)) <= abs(f - h) for w, f, h in product(points, repeat=3)
    )
    return within and all(
        abs(f - f) - abs(f - h) == -abs(f - h) for f, h in product(points, repeat=2)
    )


def parts_reveal_nothing() -> bool:
    """S xor K, K a fair bit apart from S, has one law for both values of S."""
    laws = [sorted((s ^ k, Fraction(1, 2)) for k in (0, 1)) for s in (0, 1)]
    return laws[0] == laws[1]


def together_they_reveal_all() -> bool:
    """No pair (K, S xor K) is possible for both values of S."""
    possible = [{(k, s ^ k) for k in (0, 1)} for s in (0, 1)]
    return not possible[0] & possible[1]


def close_beliefs_lose_twice_more() -> bool:
    """P(w | s, belief) / P(w | z, belief) <= e^(2 Delta) times the largest ratio under theta."""
    for theta, belief, *channel in random_laws(2, 30, 4, 6):
        secrets = ((0, 1), (2, 3))
        given = [[conditional(law, secret) for secret in secrets] for law in (theta, belief)]
        delta = max(
            max(p / q, q / p)
            for ours, theirs in zip(*given, strict=True)
            for p, q in zip(ours, theirs, strict=True)
            if p
        )
        inside, outside = (largest_ratio(pair, channel) for pair in given)
        if outside > inside * delta**2:
            return False
    return True


def conditional(law: tuple[Fraction, ...], secret: tuple[int, ...]) -> tuple[Fraction, ...]:
    """Return the law given a secret, a set of data sets."""
    total = sum(law[at] for at in secret)
    return tuple(p / total if at in secret else Fraction(0) for at, p in enumerate(law))


def largest_ratio(
    given: list[tuple[Fraction, ...]], channel: list[tuple[Fraction, ...]]
) -> Fraction:
    """Return the largest ratio of an outcome's probabilities; rows of the channel are outcomes."""
    chances = [
        [sum((p * row[at] for at, p in enumerate(law)), Fraction(0)) for law in given]
        for row in channel
    ]
    return max(max(one / other, other / one) for one, other in chances)


def renyi_divergences_reach_the_largest() -> bool:
    """p(x) r^(a-1) <= sum of p^a q^(1-a) <= r^(a-1) for the example of Definition 2.3."""
    p, q = (
        (Fraction(1, 3), Fraction(1, 2), Fraction(1, 6)),
        (Fraction(1, 2), *(Fraction(1, 4),) * 2),
    )
    ratio = max(a / b for a, b in zip(p, q, strict=True))
    for order in range(2, 13):
        moment = sum(a * (a / b) ** (order - 1) for a, b in zip(p, q, strict=True))
        if not Fraction(1, 2) * ratio ** (order - 1) <= moment <= ratio ** (order - 1):
            return False
    return not ratio - 2


def least_delta_is_not_attained() -> bool:
    """The ratios 1 + t/2 of the closed class theta_t fall to 1, which only t = 0 would give."""
    half = Fraction(1, 2)
    for t in (Fraction(1), half, Fraction(1, 10**6)):
        theta = (t * (half + t / 4), t * (half - t / 4), 1 - t)
        given = conditional(theta, (0, 1))
        if max(given[0] / half, half / given[1]) <= 1 or given[0] / half != 1 + t / 2:
            return False
    return True


def one_entry_moves_two_counts() -> bool:
    """Two different unit vectors differ by 2 in the 1-norm."""
    units = [tuple(int(at == x) for at in range(4)) for x in range(4)]
    return all(
        sum(abs(a - b) for a, b in zip(one, other, strict=True)) == 2 * (one != other)
        for one, other in product(units, repeat=2)
    )
