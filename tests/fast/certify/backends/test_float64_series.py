"""The series of delta in doubles: how far they are off, where q = 1/(1 + e^(epsilon/step)) is tiny.

The exact sums are taken from their recurrences in FLINT's balls, with q of the exact slope.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from random import Random

import numpy as np
from each import each, each_of
from flint import arb
from instances import instances
from simplexcert.certify.backends.float64 import add_remove, backend, incomplete_beta
from simplexcert.certify.backends.float64.doubled import UNIT
from simplexcert.certify.backends.float64.incomplete_beta import Front, front
from simplexcert.certify.backends.float64.series import (
    Summed,
    complement_series,
    difference_series,
    terms_expected,
)
from simplexcert.reference import evaluate
from simplexcert.reference.arb.balls import working_precision

_BITS, _TERMS, _FEW = 300, 8000, 600
# (alpha, step, epsilon) with long series at slopes from 33.7 to 632: of each the slope, rounded to
# a double, would make q wrong by more than the sums may be.
KNOWN = (
    (0.004265, 3.714e17, 1.252e19),
    (0.07429998260135516, 6.761980165435107e268, 4.180732813150606e271),
    (0.2852297479905833, 1.1627838925659267e237, 6.320165717753718e239),
    (44.461571573041155, 1.0654642777053638e277, 6.739138652793765e279),
)


def drawn(count: int) -> Iterator[tuple[float, float, float]]:
    """Yield points whose A q is from 1/100 to 1000, and whose series is not long."""
    random = Random(19)  # noqa: S311
    while count:
        slope = random.uniform(32.1, 630)
        alpha = float(np.exp(random.uniform(-7, 6)))
        step = float(np.exp(slope + random.uniform(-4.6, 6.9)))
        given = at(alpha, step, step * slope)
        if terms_expected(given.scaled_low, given.low, given.alpha, given.total)[0] < _FEW:
            count -= 1
            yield alpha, step, step * slope


def at(*point: float) -> Front:
    return front(*(np.array([part]) for part in point))


def off(found: float, exact: arb) -> arb:
    """Return by how much a double is off, relatively."""
    return abs(arb(found) / exact - 1)


def exact_sum(alpha: arb, step: arb, q: arb) -> arb:
    """Return the sum of T_n to far more than doubles have."""
    second, total = alpha + step, 2 * alpha + step
    term, partner = step / total, alpha / total
    found = term
    for index in range(1, _TERMS):
        factor = q * (total + index - 1)
        term = factor / (alpha + index) * (term + partner * step / (second + index))
        partner = factor * partner / (second + index)
        found += term
        if term < found * arb(2) ** -90 and factor < (alpha + index) / 2:
            return found
    raise AssertionError("the series is too long")


@each([*KNOWN, *drawn(24)])
def test_a_steep_series_is_no_further_off_than_it_says(point: tuple[float, float, float]) -> None:
    given = at(*point)
    summed = difference_series(given.alpha, given.step, given.low, given.scaled_low, _TERMS)
    with working_precision(_BITS):
        alpha, step, epsilon = map(arb, point)
        q = 1 / (1 + (epsilon / step).exp())
        assert off(given.low[0], q) < 4 * UNIT
        assert off(given.scaled_low[0], (2 * alpha + step) * q) < 6 * UNIT
        value = arb(summed.value[0]) * arb(2) ** int(summed.exponent[0])
        assert abs(value / exact_sum(alpha, step, q) - 1) < summed.doubt[0]


@each_of("point", [*KNOWN, *drawn(8)])
def test_a_steep_delta_is_never_below_the_truth(point: tuple[float, float, float]) -> None:
    given = dict(zip(("alpha", "step", "epsilon"), point, strict=True))
    truth = evaluate("dirichlet.profile.delta", given)
    found = backend.quantities["dirichlet.profile.delta"](**given)
    assert truth.lower <= Fraction(found)


def test_where_q_underflows_the_sum_is_its_first_term() -> None:
    """The slope is 1000, and then next to the last: no NaN, and T_0 = step/A within the doubt."""
    for slope in (1000.0, 1e300):
        given = at(2.0, 1e-10, slope * 1e-10)
        summed = difference_series(given.alpha, given.step, given.low, given.scaled_low, _TERMS)
        with working_precision(_BITS):
            first = arb(1e-10) / (4 + arb(1e-10))
            assert off(summed.value[0], first) < summed.doubt[0] < 1e-14


def test_one_element_is_summed_as_in_an_array_bit_for_bit() -> None:
    for alpha, step, epsilon in [*KNOWN, *drawn(10), (3.5, 1.25, 0.5), (2000.0, 3.0, 0.01)]:
        alone, twice = (
            at(alpha, step, epsilon),
            front(*(np.full(2, x) for x in (alpha, step, epsilon))),
        )
        for found, beside in zip(sums(alone), sums(twice), strict=True):
            assert all(one[0] == two[0] for one, two in zip(found, beside, strict=True))


def sums(given: Front) -> tuple[Summed, Summed]:
    step = given.total - 2 * given.alpha
    return (
        difference_series(given.alpha, step, given.low, given.scaled_low, _TERMS),
        complement_series(given.alpha, step, given.low, given.scaled_low, _TERMS),
    )


def test_a_sum_alone_is_that_of_an_array_bit_for_bit() -> None:
    """One element is added up in floats, several are in arrays: by the same operations."""
    random = Random(3)  # noqa: S311
    for _ in range(instances(200, 20_000)):
        alpha, step = (10 ** random.uniform(-3, 3) for _ in range(2))
        point, doubt = (alpha + step) * 10 ** random.uniform(-3, 1), 1e-16
        share = random.random()
        for summed, given in (
            (add_remove._summed, (alpha, step, point, doubt)),
            (incomplete_beta._summed, ((2 * alpha + step) * share, share, alpha)),
        ):
            with np.errstate(all="ignore"):
                one = summed(*(np.array([each]) for each in given))
                two = summed(*(np.array([each, each]) for each in given))
            for alone, together in zip(one, two, strict=True):
                assert alone.shape == (1,)
                assert alone.tobytes() == together[:1].tobytes()


def test_one_series_alone_is_summed_to_the_same_doubles_as_beside_its_like() -> None:
    for alpha, step, low in ((0.3, 2.0, 0.999), (700.0, 1e-3, 0.4), (1e5, 3e4, 0.49)):
        alone, beside = (
            difference_series(
                *(np.full(size, value) for value in (alpha, step, low, alpha * low)), _TERMS
            )
            for size in (1, 2)
        )
        for one, both in zip(alone, beside, strict=True):
            assert [*one, *one] == [*both]
