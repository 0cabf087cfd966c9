"""The exact samplers as a backend: what their doubles are."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest
from each import each_of
from flint import arb
from simplexcert.certify.backends.draws import draws_in
from simplexcert.certify.backends.exact import _nearest, backend
from simplexcert.certify.backends.loading import load_backend
from simplexcert.certify.backends.protocol import SAMPLERS
from simplexcert.certify.samplers import points_of, points_to_test
from simplexcert.reference import sampling
from simplexcert.reference.arb.balls import working_precision
from simplexcert.reference.errors import DomainError
from simplexcert.reference.exact import exact_number

WHERE = "simplexcert.certify.backends.exact:backend"
SOME = 400
# As the backend asks, and further: the bits of a draw are then those that it saw.
ACCURACIES = (64, 128, 256)
# The halves of neighbouring doubles are sums of powers of two that are so far apart.
ALL_BITS = 2200

dirichlet, laplace = (backend.samplers[name] for name in SAMPLERS)


def looked_at(enclosures: Callable[[int], list[arb]]) -> list[arb]:
    return [enclosures(bits) for bits in ACCURACIES][-1]


def is_nearest(found: float, exact: arb) -> bool:
    """Whether all of a ball rounds to a double: it lies between the halves to its neighbours."""
    with working_precision(ALL_BITS):
        below, above = (
            (arb(found) + arb(math.nextafter(found, end))) / 2 for end in (-math.inf, math.inf)
        )
        return bool(below <= exact) and bool(exact <= above)


@pytest.mark.parametrize("alpha", [[0.001, 0.01], [1.0, 2.0, 3.0], [0.001, 1000.0]])
def test_shares_are_the_doubles_nearest_to_exact_draws(alpha: list[float]) -> None:
    """Also where they are as small as doubles get, or smaller."""
    zeros = 0
    for seed in range(SOME):
        (found,) = dirichlet(alpha=alpha, count=1, seed=seed)
        exact = sampling.dirichlet([exact_number(one) for one in alpha], sampling.seeded(seed))
        balls = looked_at(exact.enclosures)
        assert all(map(is_nearest, found, balls))
        zeros += found[0] == 0
    assert (zeros > 0) == (alpha[0] < 1)


def test_noise_is_the_double_nearest_to_an_exact_draw() -> None:
    for seed in range(SOME):
        (found,) = laplace(scale=0.1, count=1, seed=seed)
        exact = sampling.laplace(exact_number(0.1), sampling.seeded(seed))
        (enclosure,) = looked_at(lambda bits, exact=exact: [exact.enclosure(bits)])
        assert is_nearest(found, enclosure)


def test_a_draw_is_refined_until_its_nearest_double_is_decided() -> None:
    """A little above the half between 1 and the next double, which itself goes to 1."""
    with working_precision(ALL_BITS):
        exact = 1 + arb((1, -53)) + arb((1, -100))
    asked = []

    def enclosures(bits: int) -> list[arb]:
        asked.append(bits)
        with working_precision(ALL_BITS):
            return [exact + arb(0, (1, -bits))]

    assert _nearest(enclosures) == [1 + 2**-52]
    assert asked == [64, 128]


def test_nothing_is_zero_that_a_double_can_hold() -> None:
    """About a quarter of the first shares at 0.001 are below 2^-1075, which none can."""
    found = [row[0] for row in dirichlet(alpha=[0.001, 0.001], count=SOME, seed=1)]
    assert any(0 < one < 1e-200 for one in found)
    assert all(one == 0 or one >= math.ulp(0.0) for one in found)
    assert SOME / 8 < found.count(0.0) < SOME / 2


def test_the_same_seed_gives_the_same_draws_and_another_others() -> None:
    one, again, other = (dirichlet(alpha=[0.5, 2.0], count=20, seed=seed) for seed in (7, 7, 8))
    assert one == again
    assert all(first != second for first, second in zip(one, other, strict=True))


def test_answers_are_draws_at_every_point_that_is_tested() -> None:
    for name in SAMPLERS:
        for point in points_of(name, 0):
            answer = backend.samplers[name](**point.given(), count=3, seed=point.seed)
            assert draws_in(answer, 3, point.width).shape == (3, point.width or 1)


@each_of("alpha", [[0.0005, 1.0], [-1.0, 1.0], [0.0, 0.0], [float("1e301"), 1.0]])
def test_what_is_not_drawn_from_is_refused(alpha: list[float]) -> None:
    with pytest.raises(DomainError):
        dirichlet(alpha=alpha, count=1, seed=0)


def test_it_is_a_backend_of_samplers_alone() -> None:
    found = load_backend(WHERE).backend
    assert (found.name, dict(found.quantities)) == ("simplexcert-exact", {})
    assert {point.sampler for point in points_to_test(found, 0)} == set(SAMPLERS)
