"""The laws of proofs_notes/laws-of-answers.md: a test named for each heading.

The facts are those that the checks use: every one that the note's table gives to a law is tried at
drawn points, by enclosures of the truth at both ends of a move.
"""

from __future__ import annotations

from fractions import Fraction
from math import prod

from hypothesis import given, settings
from hypothesis import strategies as st
from simplexcert.certify.checks.relations.inverse import forward_point
from simplexcert.certify.checks.relations.limit import at_the_end
from simplexcert.certify.checks.relations.relation import rounded
from simplexcert.certify.points import exact_point
from simplexcert.reference import quantities
from simplexcert.reference.enclosure import Enclosure
from simplexcert.reference.quantity import Side, quantity_named
from tried_trends import POINTS_OF_SLOW, drawn, require_trends, truth

SHARES = st.fractions(0, 1, max_denominator=97).filter(lambda share: share < 1)
NUMBERS = st.fractions(-9, 9, max_denominator=97)


@settings(derandomize=True, deadline=None, database=None)
@given(t=NUMBERS, more=SHARES, d=SHARES, m=SHARES, off=st.tuples(SHARES, SHARES, st.booleans()))
def test_declared_deviations_keep_the_order(
    t: Fraction, more: Fraction, d: Fraction, m: Fraction, off: tuple[Fraction, Fraction, bool]
) -> None:
    other = t + more * abs(t)
    first, second, whole = off
    sizes = (Fraction(1), Fraction(1)) if whole else (first, second)
    v = t + sizes[0] * max(d * abs(t), m)
    w = other - sizes[1] * max(d * abs(other), m)
    assert v - w <= d / (1 - d) * (abs(v) + abs(w)) + 2 * m


@settings(derandomize=True, deadline=None, database=None)
@given(table=st.lists(st.lists(st.integers(0, 9), min_size=5, max_size=5), min_size=2, max_size=2))
def test_inverses_inherit(table: list[list[int]]) -> None:
    """On finite tables f(x, p) that fall in x and rise in p, and their mirror images."""
    low = sorted(table[0], reverse=True)
    high = [a + b for a, b in zip(low, sorted(table[1], reverse=True), strict=True)]

    def least(f: list[int], target: int) -> int:
        return next((x for x, value in enumerate(f) if value <= target), len(f))

    def largest(f: list[int], target: int) -> int:
        return max((x for x, value in enumerate(f) if value <= target), default=-1)

    for target in range(18):
        assert least(low, target) <= least(high, target)
        assert least(low, target + 1) <= least(low, target)
        assert largest(high[::-1], target) <= largest(low[::-1], target)
        assert largest(low[::-1], target) <= largest(low[::-1], target + 1)


def test_profiles() -> None:
    require_trends("profiles")


def test_added_and_removed() -> None:
    require_trends("added-and-removed")


def test_calibrated_concentrations() -> None:
    require_trends("calibrated-concentrations")


def test_compositions() -> None:
    require_trends("compositions")


def test_more_coordinates_fall_below() -> None:
    require_trends("more-coordinates-fall-below")


def test_wider_sets_of_inputs() -> None:
    require_trends("wider-sets-of-inputs")


def test_printed_epsilons() -> None:
    require_trends("printed-epsilons")


@settings(derandomize=True, deadline=None, database=None)
@given(
    weights=st.lists(
        st.tuples(st.integers(1, 20), st.integers(1, 20), st.booleans()), min_size=2, max_size=6
    ).filter(lambda outputs: any(good for *_, good in outputs)),
    part=SHARES,
)
def test_chances_that_are_not_answered(
    weights: list[tuple[int, int, bool]], part: Fraction
) -> None:
    """Two laws on few outputs, some of them good: at a ratio that bounds those, and beside it."""
    first, second = (Fraction(sum(column)) for column in list(zip(*weights, strict=True))[:2])
    laws = [(p / first, q / second, good) for p, q, good in weights]
    missed = sum((p for p, _, good in laws if not good), Fraction(0))
    largest = max(p / q for p, q, good in laws if good)
    for ratio in (max(largest, Fraction(1)), max(largest * part, Fraction(1)), Fraction(1)):
        lost = sum((max(p - ratio * q, Fraction(0)) for p, q, _ in laws), Fraction(0))
        assert lost <= missed or ratio < largest


@settings(derandomize=True, deadline=None, database=None)
@given(
    atoms=st.lists(
        st.tuples(st.integers(0, 9), st.integers(0, 9), st.integers(1, 9)), min_size=1, max_size=4
    ),
    rates=st.lists(st.integers(1, 4), min_size=1, max_size=3),
    outcome=st.integers(0, 9),
)
def test_releases_with_noise(
    atoms: list[tuple[int, int, int]], rates: list[int], outcome: int
) -> None:
    """At equal outcomes several releases are one; e is replaced by 3, rates are 1/scale."""
    base = Fraction(1, 3)

    def density(point: int, rate: int) -> Fraction:
        return base ** (abs(outcome - point) * rate)

    for side in (0, 1):
        joint = sum(
            (atom[2] * prod(density(atom[side], rate) for rate in rates) for atom in atoms),
            Fraction(0),
        )
        assert joint == sum(atom[2] * density(atom[side], sum(rates)) for atom in atoms)


def test_simplified_epsilon() -> None:
    require_trends("simplified-epsilon")


def test_orders_of_divergences() -> None:
    require_trends("orders-of-divergences")


def test_algorithm_one() -> None:
    require_trends("algorithm-one")


def test_conversions() -> None:
    require_trends("conversions")


def test_noise_of_a_normal_law() -> None:
    require_trends("noise-of-a-normal-law")


def test_noise_of_a_laplace_law() -> None:
    require_trends("noise-of-a-laplace-law")


def test_noise_on_whole_numbers() -> None:
    require_trends("noise-on-whole-numbers")


def test_random_answers() -> None:
    require_trends("random-answers")


def test_mixtures_of_events() -> None:
    require_trends("mixtures-of-events")


def test_training_with_samples() -> None:
    require_trends("training-with-samples")


def test_noise_falls_with_concentration() -> None:
    require_trends("noise-falls-with-concentration")


def test_levels_are_exceeded_less_often() -> None:
    require_trends("levels-are-exceeded-less-often")


def test_models_of_chains() -> None:
    require_trends("models-of-chains")


def test_certificates_of_releases() -> None:
    require_trends("certificates-of-releases")


def test_scales_of_quilts() -> None:
    require_trends("scales-of-quilts")


def test_influences_and_losses() -> None:
    require_trends("influences-and-losses")


def test_known_laws_with_noise() -> None:
    require_trends("known-laws-with-noise")


def test_scales_of_entries() -> None:
    require_trends("scales-of-entries")


def test_ends_of_ranges() -> None:
    """At each end the truth is at most what it is at the point, and nowhere below 0."""
    for name, quantity in quantities().items():
        for end in quantity.vanishes:
            for point in drawn(quantity, POINTS_OF_SLOW):
                moved = at_the_end(quantity, end, point)
                if not quantity.admits(exact_point(moved)):
                    continue
                there = truth(name, moved)
                assert there.low <= truth(name, point).high, (name, end, point)
                assert there.low >= Enclosure.of(Fraction(0)).low


def test_twice_is_needless() -> None:
    """The forward quantity meets the target at the inverse, and is on either side beside it."""
    inverses = {name: item for name, item in quantities().items() if item.inverse}
    for name, quantity in inverses.items():
        forward = quantity.inverse
        assert forward is not None
        for point in drawn(quantity, POINTS_OF_SLOW):
            inverse = truth(name, point)
            if not inverse.high.is_finite or inverse.low <= Enclosure.of(Fraction(0)).high:
                continue
            target = Fraction(point[forward.target])
            keeps = 1 if quantity.safe is Side.UPPER else -1
            for end, sign in ((inverse.upper, 1), (inverse.lower, -1)):
                value = rounded(Fraction(end) * (1 + sign * Fraction(1, 8)), sign)
                if not quantity_named(forward.quantity).admits(
                    exact_point(forward_point(quantity, point, value, sign * keeps))
                ):
                    continue
                found = truth(forward.quantity, forward_point(quantity, point, value, sign * keeps))
                assert (
                    found.low.compared_with(target) <= 0
                    if sign == keeps
                    else found.high.compared_with(target) >= 0
                ), (name, point)
