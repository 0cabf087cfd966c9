"""P and Q at complex points: FLINT's own, recurrences, sums to one, wide boxes, the cut."""

from __future__ import annotations

import cmath
import math
import random
from collections.abc import Iterator
from fractions import Fraction

import pytest
from each import each_of
from flint import acb, arb
from instances import instances
from simplexcert.reference.arb import incomplete_gamma
from simplexcert.reference.arb.balls import ball, working_precision
from simplexcert.reference.arb.incomplete_gamma import Expansion, Kind, Plan, Region, cheapest_plan
from simplexcert.reference.precision import Budget, BudgetSpentError, climb

KINDS: tuple[Kind, ...] = ("rising", "entire", "falling")
NATS = 97.0


@pytest.fixture(autouse=True)
def precision() -> Iterator[None]:
    with working_precision(140):
        yield


def region_around(z: complex) -> Region:
    tilt = abs(z) / abs(z.imag) if z.real < 0 else 1.0
    return Region(abs(z), abs(z), z.real, z.real, tilt)


def some_points(count: int) -> Iterator[tuple[Fraction, complex]]:
    rng = random.Random(5)  # noqa: S311
    for _ in range(count):
        size = rng.choice([rng.uniform(0.01, 1), rng.uniform(1, 30), rng.uniform(30, 300)])
        radius = size * 10 ** rng.uniform(-1, 1)
        yield Fraction(size).limit_denominator(1000), cmath.rect(radius, rng.uniform(0, 2.4))


def from_flint(parameter: Fraction, z: complex) -> acb:
    """Return P(a, z) by FLINT's 1F1 at a precision at which nothing is lost."""
    with working_precision(int(140 + 3 * parameter + 5 * abs(z))):
        a, point = ball(parameter), acb(z)
        front = point.pow(acb(a)) * (-point).exp() * (a + 1).rgamma()
        return front * point.hypgeom_1f1(acb(1), acb(a + 1))


def planned(parameter: Fraction, z: complex) -> tuple[Plan, Expansion]:
    plan = cheapest_plan(float(parameter), region_around(z), NATS)
    # What cancels, and what complex boxes gain at each product, is lost from the 140 bits.
    with working_precision(160 + int(1.5 * plan.loss)):
        return plan, Expansion(parameter, plan.kind, int(plan.terms))


def test_it_is_what_flint_has_at_many_more_bits() -> None:
    for parameter, z in some_points(60):
        plan, expansion = planned(parameter, z)
        with working_precision(160 + int(1.5 * plan.loss)):
            lower, upper = expansion.both(acb(z), acb(z).log())
        true = from_flint(parameter, z)
        assert lower.overlaps(true)
        assert upper.overlaps(1 - true)
        assert max(lower.rel_accuracy_bits(), upper.rel_accuracy_bits()) > 90, (parameter, z)


def test_every_expansion_is_right_wherever_it_says_anything() -> None:
    rng = random.Random(6)  # noqa: S311
    finite = dict.fromkeys(KINDS, 0)
    for parameter, z in some_points(60):
        true = from_flint(parameter, z)
        for kind in KINDS:
            few = Expansion(parameter, kind, rng.randrange(1, 60))
            lower, upper = few.both(acb(z), acb(z).log())
            assert lower.overlaps(true)
            assert upper.overlaps(1 - true)
            finite[kind] += lower.is_finite()
    assert min(finite.values()) > 10


@pytest.mark.parametrize("kind", KINDS)
def test_without_its_rest_an_expansion_would_be_wrong(
    monkeypatch: pytest.MonkeyPatch, kind: Kind
) -> None:
    parameter, z = Fraction(7, 2), 12 + 3j
    few = Expansion(parameter, kind, 10 if kind == "falling" else 40)
    assert few.both(acb(z), acb(z).log())[0].overlaps(from_flint(parameter, z))
    monkeypatch.setattr(incomplete_gamma, f"_rest_of_{kind}", lambda _expansion, _point: arb(0))
    assert not few.both(acb(z), acb(z).log())[0].overlaps(from_flint(parameter, z))


@pytest.mark.parametrize("size", [2, 5, 30])
def test_whole_parameters_have_a_closed_form(size: int) -> None:
    z = acb(2 * size, size)
    plan, expansion = planned(Fraction(size), complex(2 * size, size))
    with working_precision(160 + int(1.5 * plan.loss)):
        upper = (-z).exp() * sum((z**j / math.factorial(j) for j in range(size)), acb(0))
        found = expansion.both(z, z.log())[1]
    assert min(found.rel_accuracy_bits(), upper.rel_accuracy_bits()) > 60
    assert found.overlaps(upper)


@each_of("kind", KINDS)
@each_of("size", ["0.3", "40.5", "2000.25"])
def test_a_recurrence_in_the_parameter(kind: Kind, size: str) -> None:
    """P(a, z) - P(a + 1, z) = z^a e^-z / Gamma(a + 1)."""
    a = Fraction(size)
    scale = 150.0 if kind == "falling" and a < 100 else 2 * float(a)
    z = acb(scale * 0.6, scale * 0.8)
    terms = {"rising": 6000, "entire": 16000, "falling": 40 if a < 1 else 400}[kind]
    with working_precision(16000 if kind == "entire" and a > 1000 else 4000):
        first, second = (Expansion(b, kind, terms).both(z, z.log())[0] for b in (a, a + 1))
        step = (ball(a) * z.log() - z - ball(a + 1).lgamma()).exp()
        assert (first - second).rel_accuracy_bits() > 20
        assert (first - second).overlaps(step)


def test_large_parameters_at_low_precision_are_narrow() -> None:
    for size in (10**3, 10**5, 10**7):
        for ratio in (0.5, 0.97, 1.0, 1.03, 3.0):
            z = size * ratio + 2j * math.sqrt(size)
            _, expansion = planned(Fraction(size), z)
            lower, upper = expansion.both(acb(z), acb(z).log())
            assert max(lower.rel_accuracy_bits(), upper.rel_accuracy_bits()) > 60, (size, ratio)


@pytest.mark.parametrize("kind", KINDS)
def test_a_box_holds_the_values_at_its_points(kind: Kind) -> None:
    parameter = Fraction(5, 2)
    rng = random.Random(7)  # noqa: S311
    expansion = Expansion(parameter, kind, 12 if kind == "falling" else 200)
    centre = acb(-20, 40) if kind == "falling" else acb(-2, 3)
    box = centre + acb(arb(0, 0.25), arb(0, 0.25))
    lower, upper = expansion.both(box, box.log())
    assert lower.is_finite()
    for _ in range(instances(8, 20)):
        z = centre + acb(rng.uniform(-0.25, 0.25), rng.uniform(-0.25, 0.25))
        assert lower.overlaps(from_flint(parameter, complex(z)))
        assert upper.overlaps(1 - from_flint(parameter, complex(z)))


def test_on_the_negative_axis_the_falling_expansion_says_nothing() -> None:
    few = Expansion(Fraction(1, 2), "falling", 12)
    box = acb(-40, arb(0, 1))
    assert not few.both(box, box.log())[0].is_finite()


def test_a_ratio_that_does_not_shrink_bounds_nothing() -> None:
    few = Expansion(Fraction(1, 2), "rising", 5)
    assert not few.both(acb(40), acb(40).log())[0].is_finite()


def test_many_terms_at_a_slant_do_not_grow_by_turning() -> None:
    """Horner's rule alone would lose half a bit for each of the 1017 terms."""
    z = acb(-220, 221)
    with working_precision(500):
        expansion = Expansion(Fraction(1), "entire", 1017)
        lower, _ = expansion.both(z, z.log())
        assert lower.overlaps(1 - (-z).exp())
        assert lower.rel_accuracy_bits() > 300


def test_no_plan_is_made_where_all_expansions_are_hopeless() -> None:
    plan = cheapest_plan(1e12, Region(1e12, 1e12, 1e12, 1e12), NATS)
    assert plan.terms > 1e6
    assert cheapest_plan(5.0, Region(0.0, 0.0, 0.0, 0.0), NATS).terms < 64


def test_expansions_and_plans_notice_that_the_time_is_over() -> None:
    """Short ones, too: there may be ten thousand parameters."""
    known = Expansion(Fraction(1, 2), "rising", 20)

    def at(bits: int) -> object:
        with working_precision(bits):
            with pytest.raises(BudgetSpentError):
                Expansion(Fraction(1, 2), "rising", 20)
            with pytest.raises(BudgetSpentError):
                known.both(acb(1), acb(0))
        with pytest.raises(BudgetSpentError):
            cheapest_plan(5.0, Region(1.0, 2.0, 1.0, 1.0), NATS)
        raise BudgetSpentError

    climb(at, lambda _: True, 64, Budget(seconds=-1))  # type: ignore[arg-type]
