"""fallin2023: every witness is admissible, and derived once more by other means where cheap."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import exp, factorial, lgamma, log

import pytest
from each import each_of
from exact_chains import difference, fundamental, norm_of, size_of
from flint import arb
from scipy import special, stats
from simplexcert.certify.papers.benvenuti2025 import chains
from simplexcert.certify.papers.derive import recorded
from simplexcert.certify.papers.evidence import Instance
from simplexcert.certify.papers.fallin2023 import (
    STATEMENTS,
    accuracy,
    background,
    bracket,
    privacy,
    setting,
    traffic,
)
from simplexcert.certify.papers.fallin2023.inputs import (
    THREE,
    TOO_LONG,
    TRAFFIC,
    WHOLE,
    probability_one,
    whole_power,
)
from simplexcert.certify.papers.gohari2020.inputs import Where
from simplexcert.certify.papers.values import Exactly
from simplexcert.certify.verdict import Verdict
from simplexcert.reference.arb.balls import enclosure_of, working_precision
from simplexcert.reference.markov.stationary import stationary_law

ENTRIES = {claim.id.removeprefix("fallin2023."): claim for claim in STATEMENTS}
REPAIRED = {
    "markov-limit",
    "strictly-smaller-delta",
    "theorem-1",
    "theorem-1-delta",
    "theorem-1-row",
    "equation-9",
    "equation-12",
    "equation-14",
    "equation-29",
    "equation-34",
    "definition-1",
    "theorem-2-step",
    "lemma-4",
    "section-5-low-k-privacy",
    "figure-3-statistic",
    "figure-3-trend-of-privacy",
}
# What is printed of an example, and is not so: there is nothing to put in its place.
REPORTED = {
    "section-5-assumption-2",
    "section-5-low-k-epsilon",
    "section-5-low-k-delta",
    "section-5-high-k-delta",
    "figure-1-epsilon",
    "figure-1-delta",
    "figure-3-range",
}
OPEN = {"lemma-3", "theorem-3"}


def rows(*texts: str) -> tuple[tuple[Fraction, ...], ...]:
    return tuple(tuple(map(Fraction, text.split())) for text in texts)


def test_what_is_false_as_printed_is_refuted_and_repaired() -> None:
    """By the recorded verdicts, which the check of the register derives again."""
    known = recorded()
    found = {name for name, claim in ENTRIES.items() if known[claim.id].verdict is Verdict.REFUTED}
    assert found == REPAIRED | REPORTED
    repairs = [claim for claim in STATEMENTS if claim.repairs]
    assert {claim.repairs.removeprefix("fallin2023.") for claim in repairs} == REPAIRED | {
        "theorem-3"
    }
    assert {known[claim.id].verdict for claim in repairs} == {Verdict.CERTIFIED}


def test_what_is_open_is_not_decided() -> None:
    known = recorded()
    found = {name for name, each in ENTRIES.items() if known[each.id].verdict is Verdict.UNDECIDED}
    assert found == OPEN


def test_three_rows_pass_theorem_1_by_likelihood_ratios() -> None:
    """The odds are multiplied; P(product > z) - z Q(product > z) for two and for three rows."""
    odds = 1198.8
    assert THREE.epsilon().enclosed().first.overlaps(enclosure_of(arb("1198.8").log()))
    claimed = 1 - (1 - 2 * Fraction(THREE.gamma)) ** 3
    two = (2 * odds**2 * log(odds) - 3 * odds**2 + 4 * odds - 1) / (odds - 1) ** 3
    assert two > claimed
    # 3 rows: the mean of two rows' delta at odds/y, y of density 2 y/(1+y)^3; a lower sum.
    points = [1.02**j for j in range(-700, 700)]
    masses = [(y / (1 + y)) ** 2 for y in points]
    lower = 0.0
    for y, mass, more in zip(points, masses, masses[1:], strict=False):
        z = odds / y
        form = (2 * z * z * log(z) - 3 * z * z + 4 * z - 1) / (z - 1) ** 3 if z > 1.1 else 0.0
        lower += (more - mass) * max(form, 0.0)
    assert lower > 6 * claimed
    assert privacy.THREE_ROWS.left.enclosed().first.lower > lower


def test_the_claims_of_all_rows_are_adjacent_and_admissible() -> None:
    for instance in (privacy.THREE_ROWS, privacy.TWO_OF_THREE, privacy.ALL_32_ROWS):
        assert all(instance.hypotheses.values())
        assert len(instance.hypotheses) > 10
    assert Fraction(TRAFFIC.k) * Fraction(TRAFFIC.eta) == 1


def test_where_no_step_fits_one_row_needs_more_than_is_claimed() -> None:
    """With k eta = 1 every probability is a polynomial, and the printed epsilon a logarithm."""
    far, near = Fraction("2.004"), Fraction("0.004")
    ratio = near * (near + 1) / 2 * (near + 2) / far  # B(1, 2.004)/B(3, 0.004)
    epsilon = ratio * 49**2
    assert epsilon < Fraction("4.8213")
    assert exp(1.6) > 4.95
    claimed = 1 - (1 - 2 * Fraction(TOO_LONG.gamma)) ** 3
    assert 1 / (1 + Fraction(4954, 1000)) > claimed
    needed = privacy.STEP_TOO_LONG.left.enclosed().first
    assert needed.overlaps(enclosure_of(1 / (1 + arb("1.6").exp())))


def test_every_output_is_exceptional_in_rationals() -> None:
    loss = Fraction(factorial(0) * factorial(2), factorial(1) ** 2)
    ratio = (1 - Fraction(WHOLE.gamma)) / Fraction(WHOLE.gamma)
    assert ratio == Fraction(11, 9)
    assert loss > ratio**2
    claimed = WHOLE.delta().enclosed().first
    assert claimed.overlaps(Exactly(str(1 - (1 - 2 * Fraction(WHOLE.gamma)) ** 4)).enclosed().first)
    assert claimed.high.compared_with(Fraction(1)) < 0
    assert all(privacy.EVERY_OUTPUT.hypotheses.values())


def test_the_losses_to_both_neighbours_cover_all_outputs() -> None:
    """The loss rises with x_1/x_2 for one of them, and falls for the other."""
    p, aside, other = rows("2/5 2/5 1/5", "1/5 3/5 1/5", "3/5 1/5 1/5")
    assert p[0] - aside[0] > 0 > p[0] - other[0]
    for u in range(-40, 41):
        losses = [
            sum(lgamma(5 * float(y)) - lgamma(5 * float(x)) for x, y in zip(p, q, strict=True))
            + 5 * float(p[0] - q[0]) * u / 10
            for q in (aside, other)
        ]
        assert max(losses) > 2 * log(11 / 9)


def test_the_two_deltas_are_polynomials() -> None:
    small, large = (1 - (1 - w * Fraction(1, 1000)) ** 9 for w in (2, 5))
    assert small < large
    found = [delta.enclosed().first for delta in privacy.DELTAS]
    for exact, enclosure in zip((small, large), found, strict=True):
        assert enclosure.overlaps(Exactly(str(exact)).enclosed().first)


def test_gamma_parts_of_the_corners_are_factorials() -> None:
    assert privacy.CORNERS.left.enclosed().first.overlaps(privacy.LOSS_AT_EQUAL.enclosed().first)
    corner = privacy.CORNERS.right.enclosed().first
    assert corner.overlaps(Exactly("0").enclosed().first)
    first = privacy.SECOND_CORNER.right.enclosed().first
    assert first.overlaps(enclosure_of(arb("1.2").log()))


def test_the_reversed_step_in_rationals() -> None:
    """E |x - 1/10| for Beta(1, 9) is 2 (1/10) (9/10)^9/(10 B(1, 9))."""
    exact = 2 * Fraction(1, 10) * Fraction(9, 10) ** 9 * 9 / 10
    assert exact > Fraction(2 * 9, 2**10 * 10)


def test_column_sums_fail_in_rationals() -> None:
    for chain, first, sign in (
        (chains.STICKY, chains.STICKY_MOVED, "minus"),
        (chains.ALIKE, chains.ALIKE_MOVED, "plus"),
    ):
        before = tuple(tuple(map(Fraction, row)) for row in chain)
        after = (tuple(map(Fraction, first)), *before[1:])
        gap = size_of(difference((stationary_law(before),), (stationary_law(after),))[0])
        bound = norm_of(fundamental(before, sign), "column")
        assert gap > bound * norm_of(difference(before, after), "column")
        assert all(min(row) > 0 and sum(row) == 1 for row in (*before, *after))


def test_column_sums_serve_three_states() -> None:
    """The mean squares of the rows of E Z, times k + 1, add up to 2 c^2 at most, in rationals."""
    assert recorded()["fallin2023.theorem-3"].readings == [Verdict.CERTIFIED] * 2
    for numbers in ((1, 1, 8, 3, 3, 4, 5, 4, 1), (9, 1, 1, 1, 9, 1, 1, 1, 9), (1, 7, 2) * 3):
        counts = [numbers[at : at + 3] for at in (0, 3, 6)]
        chain = tuple(tuple(Fraction(x, sum(row)) for x in row) for row in counts)
        for sign in ("minus", "plus"):
            found = fundamental(chain, sign)
            most = norm_of(found, "column") ** 2
            columns = list(zip(*found, strict=True))
            assert sum(_spread(row, column) for row in chain for column in columns) <= 2 * most


def _spread(row: tuple[Fraction, ...], column: tuple[Fraction, ...]) -> Fraction:
    """The variance of the entries of a column under the law of a row."""
    mean = sum((p * z for p, z in zip(row, column, strict=True)), Fraction(0))
    return sum((p * z * z for p, z in zip(row, column, strict=True)), Fraction(0)) - mean**2


def test_29_as_printed_in_rationals() -> None:
    """Beta(1, 2): the integrals of |x - 1/3| and of its square against 2 (1 - x)."""
    third = Fraction(1, 3)

    def part(end: Fraction, power: int) -> Fraction:  # of x^power 2 (1 - x) on (0, end)
        return 2 * (end ** (power + 1) / (power + 1) - end ** (power + 2) / (power + 2))

    square = part(Fraction(1), 2) - third**2
    mean = 2 * (third * part(third, 0) - part(third, 1))
    assert (square, mean) == (Fraction(1, 18), Fraction(16, 81))
    assert 9 * (square - mean**2) > Fraction(9, 16) - 9 * square


def test_38_as_printed_in_logarithms() -> None:
    left = 20 * log(0.1) + 18 * log(0.9) + 2 * log(9)
    right = 4 * log(0.1) + 18 * log(0.8) + 2 * log(8)
    assert left < right - 30
    assert all(bracket.PRINTED_38.hypotheses.values())


def test_the_density_is_not_jointly_log_concave_by_scipy() -> None:
    values = [
        stats.dirichlet.pdf([float(Fraction(x)), 0.25, 0.75 - float(Fraction(x))], [a, 1, 7 - a])
        for a, x in ((1, "1/1000"), (2, "101/2000"), (3, "1/10"))
    ]
    assert values[1] ** 2 < 0.9 * values[0] * values[2]
    assert all(setting.NOT_JOINTLY.hypotheses.values())


@each_of("w", range(2, 10))
def test_no_width_gives_the_printed_deltas(w: int) -> None:
    """By a bracket of incomplete betas."""
    low = special.betainc(0.987, 9.87 - 0.987, 0.001)
    assert 1 - (1 - low) ** w > 0.0185
    assert 9 * special.betainc(9.87, 98.7 - 9.87, 0.001) < 1e-15
    assert float(traffic.delta("9.87", w).enclosed().first.lower) > 0.0185
    assert float(traffic.delta("98.7", w).enclosed().first.upper) < 1e-15


@each_of("k", ["9.87", "10", "98.7", "200"])
@each_of("w", [2, 9])
def test_printed_epsilons_by_logarithms_of_gammas(k: str, w: int) -> None:
    with working_precision(128):
        near, far, t = (arb(k) * arb(part) for part in ("0.1", "0.849", "0.0125"))
        betas = near.lgamma() + far.lgamma() - (near + t).lgamma() - (far - t).lgamma()
        ours = enclosure_of(betas + t * arb(1000 - (w - 1)).log())
    assert traffic.epsilon(k, w).enclosed().first.overlaps(ours)


def test_delta_of_figure_1_is_a_polynomial_at_ten() -> None:
    four, three = (1 - (1 - w * Fraction(1, 1000)) ** 9 for w in (4, 3))
    assert four > Fraction("0.0354") > Fraction("0.0275") > three > Fraction("0.0265")


def test_four_chances_are_below_the_bound_of_figure_1() -> None:
    """That what is shown positive over the box is a bound, by scipy."""
    for k in (10.79, 11.0, 15.0, 40.0, 99.0):
        chances = 4 * special.betainc(k / 10, 0.9 * k, 0.001)
        left = float(accuracy.room_below(arb(k)).exp())
        assert chances < 0.027 / left


def test_the_average_law_hides_an_error() -> None:
    """E |P_ij - P~_ij| at 1/3 and k = 3, and a lower bound of half the column sums of it."""
    (instance,) = ENTRIES["figure-3-statistic"].evidence
    assert isinstance(instance, Instance)
    assert all(instance.hypotheses.values())
    lower = sum(Fraction(1, 3) * Fraction(16, 81) for _ in range(3)) / 2
    assert instance.left.enclosed().first.overlaps(Exactly(str(lower)).enclosed().first)


def test_a_record_that_is_shown_needs_the_whole_delta() -> None:
    assert background.STRICT.find().verdict is Verdict.REFUTED


def test_two_states_alternate() -> None:
    law = rows("1 0")[0]
    chain = rows("0 1", "1 0")
    laws = [law]
    for _ in range(3):
        laws.append(
            tuple(
                sum(p * x for p, x in zip(laws[-1], c, strict=True))
                for c in zip(*chain, strict=True)
            )
        )
    assert laws[0] == laws[2] != laws[1] == laws[3]


def test_a_number_whose_condition_is_not_shown_is_not_known() -> None:
    one, two = Exactly("1"), Exactly("2")
    assert Where("x", one, ((one, two),)).enclosed().first.exact == 1
    for low, high in ((two, one), (one, one)):
        found = Where("x", one, ((low, high),)).enclosed()
        assert not found.first.low.is_finite
        assert not found.second.high.is_finite
    small = probability_one(one, two)
    assert Instance("x", small, "<=", Exactly("1/2")).find().verdict is Verdict.UNDECIDED


def test_inputs_that_miss_an_assumption_refute_nothing() -> None:
    for change in ({"eta": "1/3"}, {"k": "3"}, {"gamma": "1/2"}, {"b": "3/2"}, {"n": 2}):
        changed = replace(THREE, **change)  # type: ignore[arg-type]
        assert not all(changed.assumptions().values())
    crowded = replace(THREE, w=4, n=9)
    assert not crowded.assumptions()["|W| eta + eta_bar <= 1: there is such a matrix"]
    broken = replace(privacy.THREE_ROWS, hypotheses={"k >= 1/eta": False})
    assert broken.find().verdict is Verdict.ERROR


def test_only_whole_exponents_are_taken() -> None:
    assert whole_power(Fraction(2, 3), Fraction(3)) == Fraction(8, 27)
    with pytest.raises(ValueError, match="1/2 is not whole"):
        whole_power(Fraction(2), Fraction(1, 2))
