"""dp-accounting's distributions of a release never understate it, and come near to it."""

from __future__ import annotations

import doctest
import math
from fractions import Fraction
from functools import cache
from typing import Any

import pytest
from dp_accounting.rdp import compute_epsilon
from each import each_of
from flint import arb
from simplexcert.certify.adapters import dp_accounting as adapter
from simplexcert.certify.adapters.dp_accounting import (
    Masses,
    dominating_masses,
    privacy_loss_distribution,
    renyi_divergences,
)
from simplexcert.certify.adapters.losses import Loss, exact_loss
from simplexcert.reference import evaluate
from simplexcert.reference.arb.balls import ball, working_precision
from simplexcert.reference.dirichlet import profile
from simplexcert.reference.errors import InputError

# A sum of n floats above 0 is right to n units of rounding.
LOST_BY_A_SUM = adapter.MAX_LOSSES * Fraction(1, 2**53)
# Floor, step, and the fineness of the losses.
RELEASES = [
    (Fraction(42, 25), Fraction(103, 490), 10),
    (Fraction(5), Fraction(1), 8),
    (Fraction(50), Fraction(1), 10),
]
# Deltas from about 1/2 down to 1e-30, and further for some; at 16.1 the library's noise shows.
EPSILONS = [0.0, 0.5, 1.0, 2.0, 4.0, 8.0, 16.1]
# Chords that are h long in epsilon lie above a hockey-stick by a share of the order of h^2: more
# where it is steep, and where releases are several.
SHARE_ABOVE = 200


@cache
def distribution(alpha: Fraction, step: Fraction, bits: int) -> Any:
    return privacy_loss_distribution(alpha, step, grid_bits=bits)


def least_sum(found: Masses, threshold: arb) -> arb:
    """Enclose what a sum in floats makes at least of the masses, and of half the spare one."""
    total = arb(0)
    for place, mass in enumerate(found.finite, found.first):
        less = 1 - threshold * (-ball(Fraction(place, 2**found.grid_bits))).exp()
        total += ball(Fraction(mass)) * less.max(arb(0))
    return total * ball(1 - LOST_BY_A_SUM) + ball(Fraction(found.infinite) - adapter.SPARE / 2)


def stick_of_release(loss: Loss, epsilon: Fraction) -> arb:
    """Enclose the hockey-stick of the pair of Beta laws, at any sign of epsilon."""
    found = profile.delta(loss.alpha, loss.step, abs(epsilon))
    value = ball(found) if isinstance(found, Fraction) else found
    threshold = ball(epsilon).exp()
    return value if epsilon >= 0 else 1 - threshold + threshold * value


@pytest.mark.parametrize(
    ("alpha", "step", "bits"), [(*RELEASES[0][:2], 5), (Fraction(1, 2), Fraction(1), 2)]
)
def test_the_masses_dominate_the_release_at_every_threshold_and_what_a_sum_can_lose(
    alpha: Fraction, step: Fraction, bits: int
) -> None:
    loss = exact_loss(alpha, step)
    found = dominating_masses(loss, bits)
    last = Fraction(-found.first, 2**bits)
    spacing = Fraction(1, 2**bits)
    # On the grid, between its points, and beyond both ends.
    inside = [last * Fraction(part, 7) for part in range(-7, 8)]
    points = [*inside, *(point + spacing / 3 for point in inside), last * 2, -last * 2]
    on_grid = [spacing * math.floor(point / spacing) for point in inside]
    with working_precision(400):
        for epsilon in [*points, *on_grid]:
            threshold = ball(epsilon).exp()
            assert least_sum(found, threshold) > stick_of_release(loss, epsilon)


@each_of("alpha, step, bits", RELEASES)
@each_of("count", [1, 2, 8])
def test_no_delta_is_below_the_proved_one_and_it_is_near(
    alpha: Fraction, step: Fraction, bits: int, count: int
) -> None:
    for way in composed(distribution(alpha, step, bits), count):
        for epsilon in EPSILONS:
            exact = proved(alpha, step, count, epsilon)
            found = Fraction(float(way.get_delta_for_epsilon(epsilon)))
            assert found >= exact.lower
            above = Fraction(SHARE_ABOVE, 4**bits) * exact.upper + 2 * count * adapter.SPARE
            assert found <= exact.upper + above


def composed(once: Any, count: int) -> list[Any]:
    """Return the composition as the library does it at a time, and by doubling."""
    if count == 1:
        return [once]
    doubled = once
    for _ in range(count.bit_length() - 1):
        doubled = doubled.compose(doubled)
    return [once.self_compose(count), doubled]


@cache
def proved(alpha: Fraction, step: Fraction, count: int, epsilon: float) -> Any:
    given = {"releases": [[alpha, step, count]], "epsilon": epsilon}
    return evaluate("dirichlet.composition.delta", given, digits=8)


def test_a_finer_grid_is_nearer() -> None:
    alpha, step, _ = RELEASES[0]
    epsilon, exact = 4.0, proved(alpha, step, 8, 4.0)
    above = [
        Fraction(
            float(distribution(alpha, step, bits).self_compose(8).get_delta_for_epsilon(epsilon))
        )
        - exact.lower
        for bits in (6, 8, 10)
    ]
    assert above[0] > 8 * above[1] > 64 * above[2] > 0


def test_different_releases_compose() -> None:
    mixed = distribution(*RELEASES[0]).compose(distribution(*RELEASES[2]))
    releases = [[alpha, step, 1] for alpha, step, _ in (RELEASES[0], RELEASES[2])]
    exact = evaluate("dirichlet.composition.delta", {"releases": releases, "epsilon": 1})
    found = Fraction(float(mixed.get_delta_for_epsilon(1.0)))
    assert exact.lower <= found <= exact.upper * Fraction(1001, 1000)


def test_its_epsilon_is_not_below_the_exact_one() -> None:
    alpha, step, bits = RELEASES[0]
    given = {"releases": [[alpha, step, 8]], "delta": 1e-6}
    exact = evaluate("dirichlet.composition.epsilon", given, digits=8)
    found = distribution(alpha, step, bits).self_compose(8).get_epsilon_for_delta(1e-6)
    assert exact.lower <= found <= exact.upper * Fraction(10001, 10000)


def test_losses_are_exact_as_floats() -> None:
    found = distribution(*RELEASES[0])
    assert found._pmf_remove._discretization == 2.0**-10
    assert found._pmf_add is found._pmf_remove
    assert found._pmf_remove._pessimistic_estimate


ORDERS = [1.5, 2, 4, 8]


@pytest.mark.parametrize(
    ("neighbours", "family"),
    [("replace", "dirichlet.profile"), ("add_remove", "dirichlet.add_remove")],
)
def test_renyi_divergences_are_the_floats_above_the_exact_ones(
    neighbours: str, family: str
) -> None:
    found = renyi_divergences("1.68", "103/490", ORDERS, neighbours=neighbours)
    for order, divergence in zip(ORDERS, found, strict=True):
        point = {"alpha": "1.68", "step": "103/490", "order": order}
        exact = evaluate(f"{family}.renyi", point, digits=30)
        assert math.nextafter(divergence, 0) < exact.lower <= divergence


def test_the_librarys_conversion_of_them_is_not_below_the_exact_epsilon() -> None:
    divergences = renyi_divergences("1.68", "103/490", [*ORDERS, 9, 100])
    assert divergences[-2:] == [math.inf, math.inf]
    epsilon, _ = compute_epsilon([*ORDERS, 9, 100], divergences, 1e-5)
    given = {"alpha": "1.68", "step": "103/490", "delta": 1e-5}
    assert epsilon >= evaluate("dirichlet.profile.epsilon", given).lower


@each_of(
    "alpha, step, bits, said",
    [
        (0, 1, 10, "alpha"), (1, "no", 10, "step"), (1, math.inf, 10, "step"),
        (1, 1, -1, "grid_bits"), (1, 1, 21, "grid_bits"), (1, 1, 0.5, "grid_bits"),
        (Fraction(1, 100), 1, 10, "fewer bits"),
    ],
)  # fmt: skip
def test_what_cannot_be_had_is_refused(alpha: object, step: object, bits: Any, said: str) -> None:
    with pytest.raises(InputError, match=said):
        privacy_loss_distribution(alpha, step, grid_bits=bits)


def test_masses_that_are_not_known_closely_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(adapter, "WORKING_BITS", 24)
    with pytest.raises(InputError, match="24 bits are too few"):
        dominating_masses(exact_loss(2, 1), 8)


@pytest.mark.parametrize("order", [0.5, math.nan, "x"])
def test_an_order_below_1_is_refused(order: object) -> None:
    with pytest.raises(InputError, match="order"):
        renyi_divergences(1, 1, [order])


def test_the_example_is_as_shown() -> None:
    assert doctest.testmod(adapter) == (0, 4)
