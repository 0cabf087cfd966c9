"""gohari2020: the witnesses are admissible, and derived once more by other means."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import exp, factorial, lgamma, log

import mpmath
import numpy as np
import pytest
from each import each_of
from flint import arb
from scipy import integrate, special, stats
from simplexcert.certify.papers.evidence import Evidence, Finding, Instance
from simplexcert.certify.papers.gohari2020 import (
    STATEMENTS,
    averages,
    bounds,
    experiments,
    good_set,
    privacy,
)
from simplexcert.certify.papers.gohari2020.good_set import count_of_vertices
from simplexcert.certify.papers.gohari2020.inputs import (
    ASIDE,
    HALF_WAY,
    INTERIOR,
    INTERIOR_OUTPUT,
    LARGER,
    MEAN_P,
    MIDDLE,
    OTHER_SIDE,
    TOO_LONG,
    Combined,
    Setting,
    Where,
    exchanged,
    good_mass,
    is_good,
    loss,
    probability_one,
    vanishes,
)
from simplexcert.certify.papers.statement import Statement
from simplexcert.certify.papers.values import Exactly
from simplexcert.certify.verdict import Verdict
from simplexcert.reference.enclosure import Enclosure

Pieces = Callable[[Statement], list[tuple[Evidence, Finding]]]
BY_ID = {claim.id.partition(".")[2]: claim for claim in STATEMENTS}


def ends(instance: Instance) -> tuple[float, float]:
    """Return about where both sides of an instance lie."""
    left, right = instance.left.enclosed().first, instance.right.enclosed().first
    return float(left.lower), float(right.upper)


def log_density(parameters: list[float], x: list[float]) -> float:
    return float(stats.dirichlet(parameters).logpdf(x))


def printed_epsilon(k: float, eta: float, bar: float, t: float, gamma: float) -> float:
    """Return the printed epsilon, |W| = 2, by scipy."""
    change = special.betaln(k * eta, k * (1 - bar - eta))
    change -= special.betaln(k * (eta + t), k * (1 - bar - eta - t))
    return float(change + k * t * log((1 - gamma) / gamma))


def test_every_instance_is_found_as_its_verdict_needs(pieces: Pieces) -> None:
    """No instance is undecided or outside of its hypotheses."""
    found = [
        finding.verdict
        for statement in STATEMENTS
        for piece, finding in pieces(statement)
        if isinstance(piece, Instance)
    ]
    assert set(found) == {Verdict.CERTIFIED, Verdict.REFUTED}


@pytest.mark.parametrize("setting", [HALF_WAY, LARGER])
def test_every_output_is_exceptional_for_the_middle_input(setting: Setting) -> None:
    """Whole Dirichlet densities by scipy: one of two neighbours loses more than epsilon."""
    k, eta, bar, b, gamma = (
        float(Fraction(x))
        for x in (setting.k, setting.eta, setting.eta_bar, setting.b, setting.gamma)
    )
    epsilon = printed_epsilon(k, eta, bar, b / 2, gamma)
    p, q, other = (
        [k * float(Fraction(x)) for x in vector] for vector in (MIDDLE, ASIDE, OTHER_SIDE)
    )
    for one, two in product((1, 3, 10, 30, 60, 90), repeat=2):
        x = [one / 200, two / 200, 1 - (one + two) / 200]
        losses = [log_density(p, x) - log_density(there, x) for there in (q, other)]
        assert max(losses) > epsilon


def test_the_larger_k_of_theorem_1_is_elementary() -> None:
    """At k = 5: log 2 against 2 log(11/9), and delta = 1 - 10^-4 exactly."""
    assert special.gamma(1) * special.gamma(3) / special.gamma(2) ** 2 == 2.0
    epsilon = LARGER.epsilon().enclosed().first
    assert epsilon.overlaps(_span_of_log(Fraction(11, 9), 2))
    assert log(2) > float(epsilon.upper)
    delta = LARGER.delta().enclosed().first
    assert delta.overlaps(Enclosure.of(1 - Fraction(1, 10**4)))


def _span_of_log(value: Fraction, times: int) -> Enclosure:
    from simplexcert.reference.arb.balls import ball, enclosure_of

    return enclosure_of(times * ball(value).log())


def test_epsilon_of_the_middle_input_is_a_logarithm() -> None:
    """The Betas cancel: epsilon = log(4)/5, and the loss is of four Gammas."""
    epsilon = HALF_WAY.epsilon().enclosed().first
    assert float(epsilon.lower) == pytest.approx(log(4) / 5, rel=1e-14)
    reached = lgamma(0.1) + lgamma(0.3) - 2 * lgamma(0.2)
    assert float(privacy.LOSS_AT_EQUAL.enclosed().first.lower) == pytest.approx(reached, rel=1e-12)


def test_where_a_step_does_not_fit_delta_is_elementary() -> None:
    """Dirichlet(1, 1, 2) and the pair (1, 2), (2, 1): closed forms at epsilon 1.6."""
    gamma, grown = Fraction(TOO_LONG.gamma), mpmath.exp(mpmath.mpf("1.6"))
    q = 1 / (1 + grown)
    exact = 1 - (1 - q) ** 2 - grown * q**2
    left, right = ends(privacy.STEP_TOO_LONG)
    assert left == pytest.approx(float(exact), rel=1e-12)
    assert right == pytest.approx(float(1 - (1 - 2 * gamma) ** 3), rel=1e-12)
    assert left > right


def test_lemma_3_fails_by_a_ratio_of_pi() -> None:
    left, right = (arb(15) * arb.pi() / 32).log(), (arb(160) / 231).log()
    found = ends(privacy.LEMMA_3)
    assert found[0] == pytest.approx(float(left), rel=1e-14)
    assert found[1] == pytest.approx(float(right), rel=1e-14)


def test_lemma_4_fails_by_whole_densities() -> None:
    x = [float(Fraction(part)) for part in INTERIOR_OUTPUT]
    p, q = [0.383, 0.137, 0.48], [0.01, 0.51, 0.48]
    reached = log_density(p, x) - log_density(q, x)
    assert ends(privacy.LEMMA_4_FAR)[0] == pytest.approx(reached, rel=1e-10)
    assert reached > printed_epsilon(1.0, 0.01, 0.48, 0.5, 27 / 4000)
    assert is_good(INTERIOR_OUTPUT, INTERIOR.gamma)
    assert not is_good(INTERIOR_OUTPUT, "7/1000")


def test_the_density_is_not_jointly_log_concave() -> None:
    def density(x: float, p: float) -> float:
        return float(stats.beta(6 * p, 6 - 6 * p).pdf(x))

    middle = density(0.011, 1 / 3) ** 2
    assert middle < density(0.001, 1 / 6) * density(0.021, 0.5)
    assert ends(good_set.NOT_JOINTLY)[0] == pytest.approx(middle, rel=1e-9)


def test_two_vectors_lose_more_than_theorem_2_says() -> None:
    """Means of all three collections, and the loss between them by scipy's densities."""
    p, q = [17 / 160, 17 / 160, 3 / 80], [3 / 40, 11 / 80, 3 / 80]
    epsilon = printed_epsilon(0.25, 0.3, 0.15, 0.25, 0.25)
    for ratio in (1.0, 2.0, 50.0):
        x = [0.9 * ratio / (1 + ratio), 0.9 / (1 + ratio), 0.1]
        assert log_density(p, x) - log_density(q, x) > epsilon
    assert averages.EVERY_OUTPUT.find().verdict is Verdict.REFUTED


def test_merged_outputs_lose_what_definition_2_promised() -> None:
    """By all subsets: each law has a good exceptional set before, and P has none after."""
    p, q = (np.array(law) for law in ([1, 5, 4], [0, 2.5, 7.5]))
    for one, other in ((p, q), (q, p)):
        sets = [s for s in product((False, True), repeat=3) if one[list(s)].sum() <= 1]
        assert any(np.all(one[~np.array(s)] <= 2 * other[~np.array(s)]) for s in sets)
    merged = [np.array([law[0] + law[1], law[2]]) for law in (p, q)]
    sets = [s for s in product((False, True), repeat=2) if merged[0][list(s)].sum() <= 1]
    kept = [~np.array(s) for s in sets]
    assert not any(np.all(merged[0][at] <= 2 * merged[1][at]) for at in kept)
    reading = BY_ID["section-1-post-processing"].readings[0]
    assert [piece.find().verdict for piece in reading.evidence] == [Verdict.REFUTED]


def test_every_part_of_proposition_1_is_decided() -> None:
    """That outputs lie in the simplex is a part of its own beside mean and variance."""
    kinds = {type(piece).__name__ for piece in BY_ID["proposition-1"].evidence}
    assert kinds == {"Identity", "Proof"}


def test_the_conclusion_on_exponential_families_is_certified() -> None:
    """Its premise is refuted, and the two are told apart."""
    readings = BY_ID["remark-exponentials"].readings
    found = {piece.find().verdict for piece in readings[-1].evidence}
    assert "exponential family" in readings[-1].says
    assert found == {Verdict.CERTIFIED}


def test_theorem_2_with_the_dimension_promises_too_much() -> None:
    """The event r < 1/2 alone: P > e^epsilon Q + delta, at the printed epsilon and delta."""
    epsilon = printed_epsilon(100.0, 0.1, 0.1, 1 / 400, 0.01)
    low, high = special.betainc(10, 22.5, 0.5), special.betainc(22.5, 10, 0.5)
    delta = 2 * special.betainc(10, 90, 0.01)
    assert low > float(mpmath.exp(epsilon)) * high + delta


def test_epsilon_of_section_6_is_not_reproduced_by_scipy_either() -> None:
    """Nested quadrature: delta at gamma = 0.00226073 is 0.05, and epsilon there is 1.1223."""
    gamma, floor, rest = 0.00226073, 1.2, 21.6
    both = mpmath.quad(
        lambda x: (
            x ** (floor - 1)
            * (1 - x) ** (22.8 - 1)
            * float(special.betainc(floor, rest, gamma / (1 - float(x))))
        ),
        [0, gamma],
    ) / special.beta(floor, 22.8)
    delta = 2 * special.betainc(floor, 22.8, gamma) - float(both)
    assert delta == pytest.approx(0.05, rel=1e-5)
    assert printed_epsilon(24.0, 0.05, 0.05, 1 / 200, gamma) == pytest.approx(1.1223, abs=1e-4)


def test_the_means_of_table_1_miss_the_simplex() -> None:
    assert sum(map(Fraction, MEAN_P)) == Fraction("0.951769")
    assert sum(map(Fraction, experiments.MEAN_Q)) == Fraction("0.951769")


def test_three_printed_variances_are_above_the_bound() -> None:
    assert sum(Fraction(value) > Fraction(1, 100) for value in experiments.VARIANCES) == 3


def test_the_third_case_of_figure_1_has_no_neighbours() -> None:
    eta, bar = map(Fraction, bounds.CASES[2][:2])
    assert 1 - bar - 3 * eta == 0


def test_vertices_are_counted_as_the_formula_says() -> None:
    for w, n in product((1, 2, 3), (4, 5)):
        assert count_of_vertices(w, n) == (w + 1) * (n - w)


def test_whole_parameters_integrate_as_scipy_says() -> None:
    for parameters, low in (((2, 3), Fraction(1, 7)), ((4, 1), Fraction(2, 5))):
        survival = stats.beta(*parameters).sf(float(low))
        assert float(good_mass(parameters, low, 1)) == pytest.approx(survival, rel=1e-12)
    assert good_mass((1, 1, 2), Fraction(1, 50), 2) == (1 - Fraction(2, 50)) ** 3
    assert good_mass((1, 1, 1, 2), Fraction(1, 50), 3) == (1 - Fraction(3, 50)) ** 4


def test_a_polynomial_that_is_not_zero_is_told_from_zero() -> None:
    assert vanishes(lambda x, y: (x + y) ** 2 - x * x - 2 * x * y - y * y, (2, 2))
    assert not vanishes(lambda x: (x - 1) * (x - 2), (2,))


def test_the_exchange_is_right_in_every_order() -> None:
    for x, y, c in ((1, 4, 1), (4, 1, 1), (1, 4, 2), (2, 3, -1), (2, 5, 3), (3, 2, -2), (1, 5, 2)):
        if y - c < 1 or x + c < 1:
            continue
        top, bottom = (
            factorial(x - 1) * factorial(y - 1),
            factorial(x + c - 1) * factorial(y - c - 1),
        )
        found = exchanged(Fraction(x), Fraction(y), Fraction(c)).enclosure()
        assert found.overlaps(_span_of_log(Fraction(top, bottom), 1))


def test_a_number_is_said_only_where_its_condition_is_shown() -> None:
    one, two = Exactly("1"), Exactly("2")
    assert Where("1", one, ((one, two),)).enclosed().first.exact == 1
    for orders in (((two, one),), ((one, one),), ((one, two), (two, one))):
        found = Where("1", one, orders).enclosed()
        assert not found.first.low.is_finite
        assert not found.second.low.is_finite


def test_no_refutation_without_a_loss_above_epsilon() -> None:
    """With a smaller gamma the loss stays below epsilon: every set may be empty."""
    smaller = replace(HALF_WAY, gamma="1/100")
    value = probability_one(privacy.LOSS_AT_EQUAL, smaller.epsilon())
    found = Instance("x", value, "<=", smaller.delta()).find()
    assert found.verdict is Verdict.UNDECIDED


def test_a_witness_outside_of_its_domain_is_an_error() -> None:
    higher = replace(HALF_WAY, eta="1/4", eta_bar="1/10")
    broken = replace(privacy.EVERY_OUTPUT, hypotheses=higher.adjacent("q", MIDDLE, ASIDE))
    assert broken.find().verdict is Verdict.ERROR


@each_of(
    "p, q, fails",
    [
        (MIDDLE, ("1/5", "3/5", "1/4"), "sum to 1"),
        (MIDDLE, ("1/10", "7/10", "1/5"), ">= eta"),
        (("2/5", "11/20", "1/20"), ("1/5", "3/4", "1/20"), "1 - eta_bar"),
        (MIDDLE, ("1/5", "2/5", "2/5"), "W alone"),
        (("3/5", "1/5", "1/5"), ("3/5", "1/5", "1/5"), "<= b"),
        (("1/2", "1/2", "0"), ("2/5", "3/5", "0"), "positive"),
    ],
)
def test_adjacency_is_checked_by_definition_1(
    p: tuple[str, ...], q: tuple[str, ...], fails: str
) -> None:
    checks = HALF_WAY.adjacent("q", p, q)
    assert not next(holds for name, holds in checks.items() if fails in name)


def test_a_formula_of_values_is_worked_out_both_ways() -> None:
    found = Combined(
        "e^0 3 + 1", (Exactly("0"), Exactly("3")), lambda x, y: x.exp() * y + y
    ).enclosed()
    assert found.first.overlaps(Enclosure.of(Fraction(6)))
    assert found.second.overlaps(Enclosure.of(Fraction(6)))


def test_the_loss_is_the_ratio_of_densities() -> None:
    value = loss("x", "10", ("3/10", "1/5"), ("1/5", "3/10"), "7").enclosed()
    assert value.first.overlaps(_span_of_log(Fraction(7), 1))
    assert value.second.overlaps(_span_of_log(Fraction(7), 1))


def test_repairs_are_certified_by_proofs(pieces: Pieces) -> None:
    repairs = [claim for claim in STATEMENTS if claim.repairs]
    assert {claim.repairs.partition(".")[2] for claim in repairs} <= set(BY_ID)
    assert all(
        finding.verdict is Verdict.CERTIFIED
        for statement in repairs
        for piece, finding in pieces(statement)
        if piece in statement.evidence
    )


def test_the_proof_of_lemma_5_drops_an_exponential() -> None:
    """Of log x + log(1-x) the integral is -2, by quadrature; appendix -C has exp of it there."""
    integral, _ = integrate.quad(lambda x: log(x) + log(1 - x), 0, 1)
    (display,) = BY_ID["lemma-5"].of_proof
    assert isinstance(display, Instance)
    assert ends(display) == pytest.approx((exp(integral), integral))
    assert display.find().verdict is Verdict.REFUTED
