"""The loss under Laplace noise: extreme scales and masses, both engines, closed forms."""

from __future__ import annotations

from fractions import Fraction

import pytest
from flint import arb
from simplexcert.reference import Answer, DomainError, evaluate
from simplexcert.reference.arb.balls import ball, working_precision
from simplexcert.reference.precision import Budget
from simplexcert.reference.pufferfish.laplace_loss import laplace_loss
from simplexcert.reference.second.pufferfish import line as second
from simplexcert.reference.structures import LineLaw

XOR = {"points": [0, 2], "mass": ["1/2", "1/2"]}, {"points": [2], "mass": [1]}


def loss(mu: object, nu: object, scale: object) -> Answer:
    given = {"mu": mu, "nu": nu, "scale": scale}
    one, other = (evaluate("pufferfish.laplace_loss", given, engine=e) for e in ("arb", "second"))
    assert one.narrow
    assert other.narrow
    assert other.rigorous
    assert one.enclosure.overlaps(other.enclosure)
    return one


def test_a_closed_form() -> None:
    found = loss(*XOR, 1)
    with working_precision(200):
        exact = ((1 + arb(2).exp()) / 2).log()
        assert ball(Fraction(found.lower)) <= exact <= ball(Fraction(found.upper))


@pytest.mark.parametrize("scale", ["1e-30", "1e-12", "1e-6", "1", "1e6", "1e30"])
def test_every_scale_is_answered(scale: str) -> None:
    """Half the mass stays, the other half moves by 2: the loss is near 2/scale, or near 1/scale."""
    exact = Fraction(scale)
    found = loss(*XOR, scale)
    times = Fraction(found.lower) * exact
    if exact < 1:
        assert 2 - exact < times < 2
    elif exact > 1:
        assert 1 < times < 1 + 2 / exact


def test_masses_of_very_different_size() -> None:
    tiny = Fraction(1, 10**300)
    mu = {"points": [0, 1], "mass": [1 - tiny, tiny]}
    nu = {"points": [0, 1], "mass": [tiny, 1 - tiny]}
    found = loss(mu, nu, "1/1000")
    # At 0: (1 - t + t/E) / (t + (1 - t)/E), E = e^1000, far above 1/t = 10^300.
    assert Fraction("690.77") < found.lower <= found.upper < Fraction("690.78")


def test_laws_that_are_one_lose_nothing() -> None:
    mu = {"points": [1, 0, 7], "mass": ["1/4", "3/4", 0]}
    assert loss(mu, {"points": [0, 1], "mass": ["3/4", "1/4"]}, "1e-6").exact == 0


def test_laws_that_hardly_differ_are_told_apart() -> None:
    tiny = Fraction(1, 10**50)
    half = Fraction(1, 2)
    mu = {"points": [0, 1], "mass": [half + tiny, half - tiny]}
    found = loss(mu, {"points": [0, 1], "mass": [half, half]}, 1)
    assert 0 < found.lower <= found.upper < 2 * tiny


def test_scale_and_points_share_their_unit() -> None:
    def stretched(by: int) -> Answer:
        laws = [{"points": [by * x for x in law["points"]], "mass": law["mass"]} for law in XOR]  # type: ignore[operator]
        return loss(*laws, Fraction(by, 3))

    assert stretched(1).enclosure.overlaps(stretched(7).enclosure)


def test_the_second_engine_is_of_one_mind_beyond_its_exponents() -> None:
    """Around the extent at which it goes from sums to terms; and both ways at once."""
    edge = second._LARGEST_EXPONENT
    for scale in (Fraction(2, edge - 1), Fraction(2, edge), Fraction(2, edge + 1)):
        loss(*XOR, scale)
    law, points = (
        {Fraction(0): Fraction(1, 3), Fraction(5): Fraction(2, 3)},
        [*map(Fraction, range(7))],
    )
    one = second._log_densities_by_sums(law, points, Fraction(1, 2), 128)
    other = second._log_densities_term_by_term(law, points, Fraction(1, 2), 128)
    for point in points:
        assert one[point].is_within(100)
        assert other[point].is_within(100)
        assert (one[point] - other[point]).sign == 0


def test_what_no_exponent_can_hold_is_not_answered() -> None:
    """A decay below every exponent is a ball around 0, its logarithm unknown; never a wrong one."""
    mu, nu = (LineLaw((Fraction(x),), (Fraction(1),)) for x in (0, 1))
    huge = Fraction(10) ** 9000
    with working_precision(128):
        found = laplace_loss(mu, nu, 1 / huge)
        assert not found.is_finite()
        assert found.contains(ball(huge))


def test_the_second_engine_looks_at_the_clock_at_every_point(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looks: list[None] = []
    monkeypatch.setattr(second, "check_budget", lambda: looks.append(None))
    law = {Fraction(point): Fraction(1, 40) for point in range(40)}
    for logs, least in (
        (second._log_densities_by_sums, 40),
        (second._log_densities_term_by_term, 1600),
    ):
        looks.clear()
        logs(law, [*law], Fraction(1), 128)
        assert len(looks) >= least


def test_a_spent_budget_is_no_error() -> None:
    given = {"mu": XOR[0], "nu": XOR[1], "scale": 1}
    found = evaluate("pufferfish.laplace_loss", given, budget=Budget(seconds=-1.0))
    assert not found.narrow
    assert (found.lower, found.upper) == (0, float("inf"))


@pytest.mark.parametrize("scale", [0, "-1"])
def test_a_scale_that_is_not_positive_is_refused(scale: object) -> None:
    with pytest.raises(DomainError, match="0 < scale"):
        evaluate("pufferfish.laplace_loss", {"mu": XOR[0], "nu": XOR[1], "scale": scale})
