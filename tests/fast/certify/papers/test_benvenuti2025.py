"""benvenuti2025: every witness is admissible, and derived once more by other means where cheap."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise, product
from math import exp, lgamma, log

import pytest
from exact_chains import fundamental, norm_of
from scipy import integrate, optimize, special, stats
from simplexcert.certify.papers.benvenuti2025 import (
    chains,
    composition,
    definitions,
    deviation,
    good_set,
    grades,
    privacy,
    taxis,
    trap,
)
from simplexcert.certify.papers.derive import Derived
from simplexcert.certify.papers.evidence import Instance
from simplexcert.certify.papers.statement import statements
from simplexcert.certify.verdict import Verdict
from simplexcert.reference import evaluate
from simplexcert.reference.markov.ergodicity import ergodicity_coefficient
from simplexcert.reference.markov.stationary import stationary_law

ROWS = tuple(tuple(Fraction(c, sum(row)) for c in row) for row in chains.RARE)


def ends(instance: Instance) -> tuple[float, float]:
    """Return about where both sides of an instance lie."""
    left, right = instance.left.enclosed().first, instance.right.enclosed().first
    return float(left.lower), float(right.upper)


def beta_tail(alpha: float, total: float, gamma: float) -> float:
    return float(special.betainc(alpha, total - alpha, gamma))


def test_the_repairs_are_certified(derived_once: Callable[[str], Derived]) -> None:
    repairs = [c.id for c in statements("benvenuti2025.*").values() if c.repairs]
    assert repairs
    assert {derived_once(name).verdict for name in repairs} == {Verdict.CERTIFIED}


def test_merged_outcomes_are_those_of_the_same_laws() -> None:
    for law, merged in zip(definitions.FINITE, definitions.MERGED, strict=True):
        assert sum(law.values()) == sum(merged.values()) == 1
    ratios = [p / q for p, q in zip(*(law.values() for law in definitions.MERGED), strict=True)]
    assert max(ratios) == 3


def test_corners_of_44_are_opposite_by_scipy() -> None:
    k, eta, step = 20.6, 0.073, 1 / 98
    there = special.betaln(k * eta, k * (1 - 2 * eta))
    there -= special.betaln(k * (eta + step), k * (1 - 2 * eta - step))
    low, high = ends(privacy.CORNERS)
    assert low == pytest.approx(-there)
    assert high == pytest.approx(there)


def test_a_shorter_step_passes_46_by_scipy() -> None:
    """(36) at shares that differ by 0.14, where counts of four records differ by 1/4."""
    k, eta, gamma = 6.25, 0.24, 0.333
    short = special.betaln(k * eta, k * 0.52) - special.betaln(k * 0.38, k * 0.38)
    full = special.betaln(k * eta, k * 0.52) - special.betaln(k * 0.49, k * 0.27)
    full += k / 4 * log((1 - 2 * gamma) / gamma)
    low, high = ends(privacy.SHORTER_STEP)
    assert (low, high) == pytest.approx((short, full))
    assert low > 2 * high > 0


def test_steps_of_theorem_3_and_lemma_8_are_judged_by_what_they_cite() -> None:
    """C.5 cites what Lemma 1 states, which is true, and Theorem 1, which is not; (104) is true."""
    found = statements("benvenuti2025.*")
    assert found["benvenuti2025.theorem-3"].of_proof == (privacy.EVERY_OUTPUT,)
    assert not found["benvenuti2025.lemma-8"].of_proof
    assert found["benvenuti2025.theorem-4"].of_proof == found["benvenuti2025.lemma-6"].evidence


def test_one_delta_is_within_its_rounded_inputs_by_scipy(
    derived_once: Callable[[str], Derived],
) -> None:
    k, eta, gamma = 20.55, 0.0725, 0.00045
    single = beta_tail(k * eta, k, gamma)
    assert 0.00255 < 1 - (1 - single) ** 4 < 4 * single < 0.00265
    rounded = derived_once("benvenuti2025.section-6-1-epsilon")
    verdicts = [finding.verdict for finding in rounded.readings[0].findings]
    assert verdicts[1:] == [Verdict.REFUTED, Verdict.CERTIFIED]


def test_counts_below_the_floor_lose_more_by_scipy() -> None:
    step, epsilon = 20.6 / 98, 2.212
    q = 1 / (1 + exp(epsilon / step))
    exact = special.betainc(step, 2 * step, q) - exp(epsilon) * special.betainc(2 * step, step, q)
    assert ends(privacy.below_the_floor())[0] == pytest.approx(exact)
    assert ends(privacy.below_the_floor())[1] < exact


def test_neighbours_of_the_floor_miss_more_often() -> None:
    """Two incomplete betas of the neighbour are more than all of what is claimed."""
    left, right = ends(privacy.FLOOR_OF_BOTH)
    k = 20.6
    single = [beta_tail(k * c / 98, k, 0.0004) for c in (7, 8, 8, 8)]
    union, none = sum(single), 1.0
    for chance in single:
        none *= 1 - chance
    assert right < 1 - none <= left <= union
    printed = statements()["benvenuti2025.theorem-1"].readings[1]
    assert privacy.FLOOR_OF_BOTH in printed.evidence


def test_a_neighbour_over_the_border_loses_more_by_scipy() -> None:
    """The mass that moves is a Beta share; its ratio of densities crosses e^12 once."""
    (a, b), (c, d), epsilon = (0.75, 7.5), (1.5, 6.75), 12.0
    front = special.betaln(c, d) - special.betaln(a, b)
    level = lambda x: front + (a - c) * log(x) + (b - d) * log(1 - x) - epsilon  # noqa: E731
    at = optimize.brentq(level, 1e-12, 0.5)
    exact = special.betainc(a, b, at) - exp(epsilon) * special.betainc(c, d, at)
    left, right = ends(privacy.OVER_THE_BORDER)
    assert left == pytest.approx(exact)
    assert right < 1e-7 < left


def test_the_printed_epsilon_falls_with_k_where_no_output_is_good_by_scipy() -> None:
    def printed(k: float) -> float:
        change = special.betaln(k / 10, k * 0.8) - special.betaln(k * 0.15, k * 0.75)
        return change + k / 20 * log(0.02 / 0.49)

    left, right = ends(privacy.FALLS_WITH_K)
    assert (left, right) == pytest.approx((printed(15), printed(30)))
    assert left > right


def test_the_border_refutes_theorems_and_algorithms_as_appendix_a_reads_7() -> None:
    """Where the data's own shares are at least eta, and the neighbours' are not asked for."""
    for name in ("theorem-1", "algorithm-1", "theorem-3", "algorithm-2"):
        claim = statements()[f"benvenuti2025.{name}"]
        (over,) = (each for each in claim.readings if privacy.OVER_THE_FLOOR in each.says)
        assert over.evidence == (privacy.OVER_THE_BORDER,)
        repair = statements()[f"benvenuti2025.{name}-repaired"]
        assert any("both neighbours" in extra for extra in repair.adds)


def test_the_border_refutes_nothing_where_7_is_over_all_counts(
    derived_once: Callable[[str], Derived],
) -> None:
    """Both witnesses are below what counts of 1 miss the good set by: all four stay open."""
    left, _ = ends(privacy.OVER_THE_BORDER)
    assert left < beta_tail(15 / 20, 15, 1e-6)
    left, _ = ends(privacy.FLOOR_OF_BOTH)
    assert left < 0.5 < 1 - (1 - beta_tail(20.6 / 98, 20.6, 0.0004)) ** 4
    conventional = derived_once("benvenuti2025.theorem-1").readings[0]
    assert "conventional" in conventional.says
    assert conventional.verdict is Verdict.UNDECIDED
    for name in ("algorithm-1", "theorem-3", "algorithm-2"):
        found = derived_once(f"benvenuti2025.{name}")
        assert found.verdict is Verdict.UNDECIDED
        assert {one.verdict for one in found.readings} == {Verdict.REFUTED}


def printed_epsilon(k: float, eta: float, records: int, n: int, gamma: float) -> float:
    step = k / records
    change = special.betaln(k * eta, k * (1 - 2 * eta))
    change -= special.betaln(k * eta + step, k * (1 - 2 * eta) - step)
    return float(change + step * log((1 - (n - 1) * gamma) / gamma))


def moved_loss(step: float, here: tuple[int, int], ratio: float) -> float:
    """Return the loss from counts (a, b) to (a-1, b+1) where x_1/x_2 is the ratio."""
    a, b = here
    return float(
        special.betaln(step * (a - 1), step * (b + 1))
        - special.betaln(step * a, step * b)
        + step * log(ratio)
    )


def test_every_output_of_two_records_each_is_set_apart_by_draws() -> None:
    """Each draw loses more than (6) to a neighbour with a law; good outputs are possible."""
    k, gamma = 6.25, 0.3
    level = printed_epsilon(k, 0.24, 6, 3, gamma)
    for x in stats.dirichlet([k / 3] * 3).rvs(2000, random_state=1):
        quotients = (p / q for p, q in product(x, repeat=2) if p is not q)
        assert max(moved_loss(k / 6, (2, 2), quotient) for quotient in quotients) > level
    one, delta = ends(privacy.EVERY_OUTPUT)
    assert one == 1
    density = stats.dirichlet([k / 6, k / 6, 4 * k / 6])
    good, _ = integrate.dblquad(
        lambda y, x: density.pdf([x, y, 1 - x - y]), gamma, 0.4, gamma, lambda x: 0.7 - x
    )
    assert delta == pytest.approx(1 - good)
    assert good > 0.003


def test_the_printed_good_set_has_a_loss_above_6_by_scipy() -> None:
    """At the output (1 - 2 gamma, gamma, gamma), all of whose coordinates are at least gamma."""
    gamma = 1e-6
    expected = moved_loss(15 / 20, (2, 9), (1 - 2 * gamma) / gamma)
    low, high = ends(privacy.PRINTED_GOOD_SET)
    assert (low, high) == pytest.approx((expected, printed_epsilon(15, 0.1, 20, 3, gamma)))
    assert low > high + 0.1


def test_outputs_that_one_good_set_has_to_leave_out_by_scipy() -> None:
    """All with a coordinate below 1.3e-6, which (1, 1, 7) have with twice one share's chance."""
    wider, step = 1.3e-6, 0.75
    quotient = (1 - wider) / (2 * wider)
    assert moved_loss(step, (2, 5), quotient) > printed_epsilon(6.75, 2 / 9, 9, 3, 1e-6)
    left, right = ends(privacy.ONE_GOOD_SET)
    for found, point in ((left, wider), (right, 1e-6)):
        assert found == pytest.approx(2 * beta_tail(0.75, 6.75, point), rel=1e-3)
    assert left > right


def test_separate_maxima_are_no_maximum_by_scipy() -> None:
    k, records = 20.6, 98
    term = (log(1 / records) - special.digamma(k / records) + special.digamma(k)) / records
    instance = statements()["benvenuti2025.corollary-1-proof"].evidence[2]
    assert isinstance(instance, Instance)
    assert ends(instance)[0] == pytest.approx(5 * term)


def test_what_is_said_to_increase_falls_by_scipy() -> None:
    instance = statements()["benvenuti2025.corollary-1-proof"].evidence[1]
    assert isinstance(instance, Instance)
    said = [x * special.polygamma(1, x) - special.digamma(x) for x in (1.5, 2.0)]
    assert ends(instance) == pytest.approx(said)


def test_last_coordinate_is_left_free_by_areas() -> None:
    """The triangle's part with all coordinates above 1/10, and with two of them."""
    assert ends(good_set.LAST_LEFT_FREE) == pytest.approx((1 - 0.7**2, 1 - 0.8**2))


def test_extreme_points_are_not_between_others() -> None:
    points = sorted(good_set.extreme_points(4, Fraction(1, 10)))
    assert len(points) == 4
    for one, other in pairwise(points):
        assert one != other
    for point in points:
        assert sum(share > Fraction(1, 10) for share in point) == 1


def test_mean_error_of_draws_by_scipy() -> None:
    delta = 0.00199534929640667
    law = stats.binom(good_set.DRAWS, delta)
    around = range(1500, 2500)
    mean = sum(abs(x / good_set.DRAWS - delta) * float(law.pmf(x)) for x in around)
    found = good_set.MEAN_ERROR.enclosed().first
    assert float(found.lower) == pytest.approx(mean / delta, rel=1e-6)


def test_blocks_that_show_their_record_are_listed() -> None:
    chances = [Fraction(1, 10), Fraction(9, 10)]
    some = sum(p * q for (i, p), (j, q) in product(enumerate(chances), repeat=2) if 0 in (i, j))
    assert composition.least_bad_chance() == some == Fraction(19, 100)


def test_parameters_read_off_the_data_by_moments_of_small_rows() -> None:
    """The moments are those of Dirichlet coordinates: one coordinate's, by integration."""
    a, k = 4.0, 9.0
    density = stats.beta(a, k - a)
    for power in (2, -2):
        mean = integrate.quad(lambda x, p=power: x**p * density.pdf(x), 0, 1)[0]
        gammas = lgamma(a + power) + lgamma(k) - lgamma(a) - lgamma(k + power)
        assert mean == pytest.approx(exp(gammas))
    whole = composition.ALIKE
    up = composition.rising_moment(Fraction(15), Fraction(4000), 1)
    logs = whole * log(15) + lgamma(4000) - lgamma(4000 + whole)
    assert log(float(up * Fraction(10) ** 625)) - 625 * log(10) == pytest.approx(logs)


def test_the_event_shows_more_than_is_reported() -> None:
    shown, reported = ends(composition.READ_OFF[1])
    assert reported < Fraction(1, 10_000) < Fraction(3, 10) < shown
    assert Fraction(68, 25) > Fraction("2.7182818285")  # above e


def test_the_trap_is_admissible() -> None:
    assert all(trap.hypotheses().values())
    assert all(sum(trap.entry(i, j) for j in range(trap.LAST + 1)) == 1 for i in (0, 1, 7, 250))


def test_norms_of_the_trap_are_those_of_a_small_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """The way by mean visits, against a matrix inverse in rationals."""
    monkeypatch.setattr(trap, "LAST", 6)
    monkeypatch.setattr(trap, "RARE", Fraction(1, 32))
    caches = (trap.law, trap._inverse_in_rationals, trap.norm_in_rationals)
    for each in caches:
        each.cache_clear()
    chain = tuple(tuple(trap.entry(i, j) for j in range(7)) for i in range(7))
    assert trap.law() == stationary_law(chain)
    for kind, sign in product(("row", "column"), ("plus", "minus")):
        assert trap.norm_in_rationals(kind, sign) == norm_of(fundamental(chain, sign), kind)
    for each in caches:
        each.cache_clear()


@pytest.mark.parametrize("kind", ["row", "column"])
def test_a_rare_row_moves_more_than_its_divergence(kind: str) -> None:
    moved = max(abs(x - y) for x, y in zip(chains._BEFORE[1], chains._AFTER[1], strict=True))
    found, bound = ends(chains.pathwise(kind))
    assert found >= moved > 100 * bound
    divergence = 0.8 * log(2) - 0.2 * log(3)
    assert bound == pytest.approx((2 * divergence / 800001) ** 0.5)


def test_rare_chain_meets_the_assumptions() -> None:
    assert all(chains.admissible(chains.RARE).values())
    assert all(chains.admissible(chains.EQUAL).values())
    assert chains.least_k(chains.RARE) == ["1500000", "15/2", "1500000"]
    assert not all(chains.admissible(((0, 5, 5), (1, 1, 1), (1, 1, 1))).values())


def test_column_bound_of_lemma_5_fails_in_rationals() -> None:
    for chain, first, sign in (
        (chains.ALIKE, chains.ALIKE_MOVED, "plus"),
        (chains.STICKY, chains.STICKY_MOVED, "minus"),
    ):
        before = tuple(tuple(map(Fraction, row)) for row in chain)
        after = (tuple(map(Fraction, first)), *before[1:])
        moved = tuple(
            tuple(y - x for x, y in zip(*r, strict=True)) for r in zip(before, after, strict=True)
        )
        gap = sum(
            abs(x - y) for x, y in zip(stationary_law(before), stationary_law(after), strict=True)
        )
        assert gap > norm_of(fundamental(before, sign), "column") * norm_of(moved, "column")
        assert gap <= norm_of(fundamental(before, sign), "row") * norm_of(moved, "row")


def test_means_of_the_rare_row_by_scipy() -> None:
    law = [stats.beta(7.5 * float(p), 7.5 * (1 - float(p))) for p in ROWS[1]]
    mean = sum(
        integrate.quad(lambda x, b=b, p=p: abs(x - float(p)) * b.pdf(x), 0, 1, points=[float(p)])[0]
        for b, p in zip(law, ROWS[1], strict=True)
    )
    instance = statements()["benvenuti2025.lemma-6"].evidence[0]
    assert isinstance(instance, Instance)
    assert ends(instance)[0] == pytest.approx(mean, rel=1e-6)


def test_the_cycle_does_not_forget() -> None:
    law = [1, 0, 0]
    for _ in range(3):
        law = [sum(p * row[j] for p, row in zip(law, chains.CYCLE, strict=True)) for j in range(3)]
        assert sorted(law) == [0, 0, 1]
    assert law == [1, 0, 0]


def test_halves_lead_mostly_to_one_place_each() -> None:
    positive = tuple(tuple(map(Fraction, row)) for row in chains.POSITIVE_HALVES)
    assert all(sum(row) == 1 and min(row) > 0 for row in positive)
    signs = (1, 1, -1, -1)
    columns = [
        sum(s * p for s, p in zip(signs, c, strict=True)) for c in zip(*positive, strict=True)
    ]
    assert ergodicity_coefficient(positive) == max(map(abs, columns)) == Fraction("1.92")
    witness = statements()["benvenuti2025.theorem-5-properties"].readings[0].evidence[0]
    assert isinstance(witness, Instance)
    assert witness.hypotheses["ergodic: all entries are positive"]


def test_denominator_of_98_rises_past_a_half() -> None:
    assert float(deviation.whole_beta(27, 3)) == pytest.approx(special.beta(27, 3))
    assert float(deviation.whole_beta(15, 15)) == pytest.approx(special.beta(15, 15))


def test_printed_pairs_of_the_grades_do_not_come_out() -> None:
    """By incomplete betas: (7) lies between one minus a product and a sum of them."""
    for k, printed in ((20.6, 0.0026), (31.06, 0.00013)):
        single = beta_tail(k * 0.073, k, 0.0004)
        assert 4 * single < printed - 0.00001
        assert 4 * single < 0.8 * printed
    assert float(grades.SECOND_DELTA.enclosed().first.upper) < 0.00007


def test_epsilon_over_the_rounded_inputs_stays_below_what_is_printed() -> None:
    found = grades.ROUNDED.enclosed().first
    for k, eta, gamma in product(("20.55", "20.65"), ("0.0725", "0.0735"), ("0.00035", "0.00045")):
        here = evaluate("dirichlet.counts.epsilon_bound", grades.epsilon(k, eta, gamma).parameters)
        assert found.low <= here.number.low
        assert here.number.high <= found.high
    assert found.upper < Fraction("2.2545")


def test_rows_of_table_1_have_room_for_their_counts() -> None:
    for least, records, cells in taxis.ROWS.values():
        assert records >= cells * least + 1
    assert all(sum(row) == 100 for row in taxis.SPARSE[:3])


def test_no_row_of_manhattan_has_the_strongest_pair_by_scipy() -> None:
    """At the least k of any eta whose (6) is up to 2.69, (7) is on one side of 0.0214."""
    most, least = ends(taxis.MOST_OF_MANHATTAN)[1], ends(taxis.LEAST_OF_MANHATTAN)[0]
    assert most < 0.0213
    assert least > 0.0215
    admitted = 0
    for count, records in product((11, 13, 18, 25, 60, 200), (300, 4000, 10**5, 2933898)):
        eta = count / records
        if eta >= 0.25:
            continue
        for k in (1.5 / eta, 1.7 / eta, 3 / eta):
            if printed_epsilon(k, eta, records, 63, 1e-8) <= 2.69:
                admitted += 1
                assert 63 * beta_tail(k * eta, k, 1e-8) < most
                assert beta_tail(k / records, k, 1e-8) > least
    assert admitted > 5


def test_519_is_between_two_points_of_the_grid_by_scipy() -> None:
    """Of rows whose epsilon is 3.730: at 1.3 times the least k below, at 1.4 above."""
    for count, least, most in ((9, 372, 374), (10, 4669, 4700), (12, 796245, 802640)):
        for records in (least, most):
            eta = count / records
            at = [printed_epsilon(f * 1.5 / eta, eta, records, 40, 1e-8) for f in (1.0, 1.3, 1.4)]
            assert 3.729 < at[0] < 3.731
            assert at[1] < 4.9
            assert at[2] > 5.195
    assert [count for count, _ in taxis.OF_40_ZONES] == [8, 9, 10, 11, 12]
    assert all(ends(one)[0] > 5.195 for one in taxis.AT_14)


def test_the_weakest_zone_is_a_large_one_by_scipy() -> None:
    def least(count: int, records: int) -> float:
        eta = count / records
        return printed_epsilon(1.5 / eta, eta, records, 63, 1e-8)

    assert least(1, 158000) < 45.385 < least(1, 159000)
    assert max(least(count, 2933898) for count in range(2, 60)) < 45.385
    low, high = ends(taxis.WEAKEST_ZONE)
    assert low > 3 * high
    assert high == pytest.approx(2933898 / 63)


def test_what_is_said_of_x_in_the_proof_of_corollary_1_by_scipy() -> None:
    x, k = 20.6 / 98, 20.6
    known = {
        "at least 3/2": (x, 1.5),
        "psi(k q_1)": (special.digamma(x), 0),
        "(76)": (special.polygamma(1, k), special.polygamma(1, x)),
        "(78)": (integrate.quad(lambda t: exp(-k * t), 0, 10)[0], 1),
    }
    steps = statements()["benvenuti2025.corollary-1"].of_proof
    assert steps == statements()["benvenuti2025.corollary-1-proof"].evidence
    for word, expected in known.items():
        (step,) = (each for each in steps if isinstance(each, Instance) and word in each.says)
        assert ends(step) == pytest.approx(tuple(map(float, expected)))


def test_the_printed_hypotheses_of_31_give_a_bounded_density(
    derived_once: Callable[[str], Derived],
) -> None:
    """And the quotient of neighbours' densities grows without bound along (1 - 2x, x, x)."""
    losses = [moved_loss(0.75, (2, 9), (1 - 2 * x) / x) for x in (1e-3, 1e-30, 1e-300)]
    assert losses[0] + 90 < losses[1] + 45 < losses[2] - 400
    one = derived_once("benvenuti2025.remark-bounded-density")
    assert one.verdict is Verdict.CERTIFIED
    assert {reading.verdict for reading in one.readings} == {Verdict.REFUTED}


def test_the_second_eigenvalue_governs_the_long_run_and_no_single_step() -> None:
    halves = [[float(x) for x in row] for row in chains.POSITIVE_HALVES]
    law = [float(x) for x in stationary_law(chains._HALVES)]
    twice = [sum(p * row[j] for p, row in zip(halves[0], halves, strict=True)) for j in range(4)]
    assert twice == pytest.approx(law)
    low, high = ends(chains.ONE_STEP)
    assert low == pytest.approx(sum(map(abs, map(float.__sub__, halves[0], law))) / 2)
    assert low > high == 0


def test_figure_4_is_not_the_grades(derived_once: Callable[[str], Derived]) -> None:
    one = derived_once("benvenuti2025.figure-4")
    assert one.verdict is Verdict.INAPPLICABLE
    assert [reading.verdict for reading in one.readings] == [Verdict.REFUTED, Verdict.CERTIFIED]
