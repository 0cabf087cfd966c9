"""The distance of two laws on the line: forms of input, many atoms, both engines, refusals.

Max-divergence and closeness: zeros, equal laws, near-equal laws, and what is refused.

The loss under Laplace noise: extreme scales and masses, both engines, closed forms.
"""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest
from each import each_of
from flint import arb
from simplexcert.reference import Answer, DomainError, evaluate
from simplexcert.reference.arb.balls import ball, working_precision
from simplexcert.reference.precision import Budget
from simplexcert.reference.pufferfish import divergences
from simplexcert.reference.pufferfish.divergences import (
    Atoms,
    atoms_of,
    laplace_loss,
    largest_move_of_enclosed,
    log_ratio,
    wasserstein,
)
from simplexcert.reference.second.pufferfish import divergences as second
from simplexcert.reference.structures import LineLaw


def distance(mu: object, nu: object) -> Fraction:
    given = {"mu": mu, "nu": nu}
    found = [evaluate("pufferfish.wasserstein", given, engine=e).exact for e in ("arb", "second")]
    assert found[0] is not None
    assert found[0] == found[1]
    return found[0]


def random_law(random: Random, size: int) -> LineLaw:
    weights = [random.randint(1, 9) for _ in range(size)]
    points = random.sample(range(-10 * size, 10 * size), size)
    mass = tuple(Fraction(weight, sum(weights)) for weight in weights)
    return LineLaw(tuple(Fraction(point, 7) for point in points), mass)


def test_the_figure_of_the_paper() -> None:
    """song2017 Figure 1's situation: mass moves by one place at most."""
    mu = {"points": [1, 2, 3], "mass": ["1/2", "1/4", "1/4"]}
    nu = {"points": [1, 2, 3, 4], "mass": ["1/4", "1/2", 0, "1/4"]}
    assert distance(mu, nu) == 1


def test_the_order_of_points_and_empty_atoms_do_not_matter() -> None:
    mu = {"points": [5, 0, 2], "mass": ["1/4", "1/2", "1/4"]}
    same = {"points": [2, -100, 0, 5], "mass": ["1/4", 0, "1/2", "1/4"]}
    nu = {"points": [1], "mass": [1]}
    assert distance(mu, nu) == distance(same, nu) == distance(nu, mu) == 4
    assert distance(mu, same) == 0


def test_a_tie_of_cumulated_masses_steps_both_laws() -> None:
    mu = {"points": [0, 10], "mass": ["1/2", "1/2"]}
    nu = {"points": [1, 11], "mass": ["1/2", "1/2"]}
    assert distance(mu, nu) == 1
    nearly = {"points": [1, 11], "mass": ["500000001/1000000000", "499999999/1000000000"]}
    assert distance(mu, nearly) == 9


def test_both_formulas_agree_on_many_atoms() -> None:
    random = Random(1)  # noqa: S311
    for size in (1, 2, 7, 400):
        mu, nu = random_law(random, size), random_law(random, 3 * size)
        one, other = second.masses_of_law(mu), second.masses_of_law(nu)
        assert wasserstein(mu, nu) == second.distance(one, other)


def test_points_that_stand_twice_are_added_up() -> None:
    given = ((Fraction(1), Fraction(1, 4)), (Fraction(0), Fraction(1, 2)))
    assert atoms_of([*given, given[0]]) == Atoms((0, 1), (1, 1))


def test_equal_laws_are_told_whatever_their_weights() -> None:
    one = Atoms((0, 1), (1, 3))
    assert one.is_same_law(Atoms((0, 1), (2, 6)))
    assert not one.is_same_law(Atoms((0, 1), (2, 5)))
    assert not one.is_same_law(Atoms((0, 2), (1, 3)))


def test_the_last_atoms_need_no_comparison() -> None:
    """Wide masses at the ends: both laws reach their totals there, whatever these are."""
    wide = arb(1, 0.25)
    one = [(Fraction(0), arb(1)), (Fraction(5), wide)]
    other = [(Fraction(2), arb(9)), (Fraction(6), arb(1))]
    assert largest_move_of_enclosed(one, other) == 3


def test_a_spent_budget_is_no_error() -> None:
    mu, nu = (random_law(Random(seed), 5000) for seed in (1, 2))  # noqa: S311
    found = evaluate("pufferfish.wasserstein", {"mu": mu, "nu": nu}, budget=Budget(seconds=-1.0))
    assert not found.narrow


def test_the_clock_is_looked_at_in_every_comparison(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cumulated masses can have as many digits as there are atoms."""
    looks: list[None] = []
    monkeypatch.setattr(divergences, "check_budget", lambda: looks.append(None))
    mu, nu = (random_law(Random(seed), 50) for seed in (1, 2))  # noqa: S311
    wasserstein(mu, nu)
    assert 50 <= len(looks) <= 100


def test_laws_of_many_digits_are_compared_exactly() -> None:
    """Masses 1/(k(k+1)), what is left at the end; the other law begins and ends one third later."""

    def law(size: int, first: Fraction) -> dict[str, list[Fraction]]:
        mass = [Fraction(1, k * (k + 1)) for k in range(1, size)]
        return {"points": [first + k for k in range(size)], "mass": [*mass, Fraction(1, size)]}

    assert distance(law(900, Fraction(0)), law(899, Fraction(1, 3))) == Fraction(2, 3)


@each_of(
    "mu, sentence",
    [
        ({"points": [0, 1], "mass": ["1/2", "1/4"]}, "sum"),
        ({"points": [0, 0], "mass": ["1/2", "1/2"]}, "twice"),
        ({"points": [0, 1], "mass": [1]}, "of length 1"),
        ({"points": [0, 1], "mass": ["3/2", "-1/2"]}, "mass"),
    ],
)
def test_what_is_no_law_is_refused(mu: object, sentence: str) -> None:
    with pytest.raises(DomainError, match=sentence):
        evaluate("pufferfish.wasserstein", {"mu": mu, "nu": {"points": [0], "mass": [1]}})


def answers(name: str, **given: object) -> tuple[Fraction | float, Fraction | None]:
    """Return the lower end and the exact value; both engines were asked."""
    one, other = (evaluate(f"pufferfish.{name}", given, engine=e) for e in ("arb", "second"))
    assert one.narrow
    assert other.narrow
    assert one.rigorous
    assert other.rigorous
    assert one.enclosure.overlaps(other.enclosure)
    return one.lower, one.exact


def test_zeros_on_top_are_left_out() -> None:
    found, _ = answers("max_divergence", p=["1/2", "1/2", 0], q=["1/4", "1/2", "1/4"])
    assert Fraction("0.693147") < found < Fraction("0.693148")


@pytest.mark.parametrize("name", ["max_divergence", "closeness"])
def test_a_point_that_only_one_law_gives_is_infinite(name: str) -> None:
    more = {"secrets": [[1, 2]]} if name == "closeness" else {}
    assert answers(name, p=["1/2", "1/2"], q=[1, 0], **more) == (float("inf"), None)


def test_closeness_is_infinite_either_way() -> None:
    for p, q in (([1, 0, 0], ["1/2", "1/2", 0]), (["1/2", "1/2", 0], [1, 0, 0])):
        assert answers("closeness", p=p, q=q, secrets=[[1, 2]])[0] == float("inf")
        assert answers("closeness", p=p, q=q, secrets=[[1], [2]])[0] == float("inf")


def test_a_secret_impossible_under_both_is_left_out() -> None:
    given = {"p": ["1/2", "1/2", 0], "q": ["1/2", "1/2", 0]}
    assert answers("closeness", **given, secrets=[[3], [1, 2]])[1] == 0
    assert answers("closeness", **given, secrets=[[3]])[1] == 0


def test_equal_laws_are_known_to_be_equal() -> None:
    law = ["1/3", "1/3", "1/3"]
    assert answers("max_divergence", p=law, q=law)[1] == 0
    assert answers("closeness", p=law, q=["1/4", "1/4", "1/2"], secrets=[[1, 2]])[1] == 0


def test_laws_that_hardly_differ() -> None:
    tiny = Fraction(1, 10**40)
    half = Fraction(1, 2)
    found, exact = answers("max_divergence", p=[half + tiny, half - tiny], q=[half, half])
    assert exact is None
    # log(1 + 2 tiny), which is 2 tiny to forty digits.
    assert abs(found / (2 * tiny) - 1) < Fraction(1, 10**18)


def test_the_logarithm_of_a_ratio_near_one_keeps_the_working_precision() -> None:
    with working_precision(128):
        found = log_ratio(1 + Fraction(1, 10**40))
        assert isinstance(found, arb)
        assert found.rel_accuracy_bits() > 100


@each_of(
    "given, sentence",
    [
        ({"q": ["1/2", "1/4", "1/4"]}, "p and q of equal length"),
        ({"secrets": [[1, 3]]}, "every number in secrets at most the length of p"),
        ({"secrets": [[0]]}, "secrets"),
        ({"p": ["1/2", "1/4"]}, "sum"),
    ],
)
def test_outside_the_domain_a_sentence_says_why(given: dict[str, object], sentence: str) -> None:
    whole = {"p": ["1/2", "1/2"], "q": ["1/4", "3/4"], "secrets": [[1, 2]]}
    assert evaluate("pufferfish.closeness", whole).narrow
    with pytest.raises(DomainError, match=sentence):
        evaluate("pufferfish.closeness", {**whole, **given})


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


@each_of("scale", ["1e-30", "1e-12", "1e-6", "1", "1e6", "1e30"])
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
    edge = second.LARGEST_EXPONENT
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


def test_a_loss_without_time_is_bounded_and_no_error() -> None:
    given = {"mu": XOR[0], "nu": XOR[1], "scale": 1}
    found = evaluate("pufferfish.laplace_loss", given, budget=Budget(seconds=-1.0))
    assert not found.narrow
    assert (found.lower, found.upper) == (0, float("inf"))


@pytest.mark.parametrize("scale", [0, "-1"])
def test_a_scale_that_is_not_positive_is_refused(scale: object) -> None:
    with pytest.raises(DomainError, match="0 < scale"):
        evaluate("pufferfish.laplace_loss", {"mu": XOR[0], "nu": XOR[1], "scale": scale})
