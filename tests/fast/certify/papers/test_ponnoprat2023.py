"""Witnesses of what is refuted in ponnoprat2023 are admissible, by other means."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from itertools import product

import mpmath
import pytest
from scipy import optimize, special, stats
from simplexcert.certify.papers.derive import recorded
from simplexcert.certify.papers.evidence import Evidence, Finding, Instance, subdivided
from simplexcert.certify.papers.ponnoprat2023 import STATEMENTS, figures
from simplexcert.certify.papers.ponnoprat2023.conversion import falls_between
from simplexcert.certify.papers.ponnoprat2023.inputs import (
    EXCHANGED_PAIR,
    FIGURE_8_ORDERS,
    ORDERS,
    PRINTED_PAIR,
)
from simplexcert.certify.papers.ponnoprat2023.polygamma import cubes_between
from simplexcert.certify.papers.ponnoprat2023.setting import LAWS, NOISY, P, shared_key
from simplexcert.certify.papers.ponnoprat2023.tail import ROWS, WITNESS, Row
from simplexcert.certify.papers.statement import Statement
from simplexcert.certify.verdict import Verdict
from simplexcert.reference.enclosure import Trilean

Pieces = Callable[[Statement], list[tuple[Evidence, Finding]]]
ENTRIES = {claim.id.removeprefix("ponnoprat2023."): claim for claim in STATEMENTS}
REFUTED = {
    "equation-7",
    "equation-15",
    "equation-18-case-2",
    "equation-20",
    "equation-20-taylor",
    "figure-3-bottom",
    "figure-3-top",
    "naive-bayes-axis",
    "remark-bounded-likelihood",
    "sample-complexity",
    "sample-complexity-regimes",
    "theorem-2",
    "theorem-2-exponent",
}


def test_what_is_false_as_printed_is_refuted_and_repaired() -> None:
    """By the recorded verdicts, which the check of the register derives again."""
    known = recorded()
    found = {name for name, claim in ENTRIES.items() if known[claim.id].verdict is Verdict.REFUTED}
    assert found == REFUTED
    repairs = {claim.repairs.removeprefix("ponnoprat2023."): claim for claim in STATEMENTS}
    assert set(repairs) >= REFUTED
    kept = {known[claim.id].verdict for name, claim in repairs.items() if name}
    assert kept == {Verdict.CERTIFIED}


def test_instances_that_decide_hold_or_refute_by_both_engines(pieces: Pieces) -> None:
    for statement in STATEMENTS:
        for piece, finding in pieces(statement):
            if isinstance(piece, Instance) and piece not in statement.of_proof:
                assert finding.verdict in {Verdict.CERTIFIED, Verdict.REFUTED}, piece.says


@pytest.mark.parametrize("row", ROWS)
def test_the_rows_meet_the_hypotheses_of_theorem_2(row: Row) -> None:
    least = row.cells * mpmath.mpf(row.alpha) / mpmath.expm1(mpmath.mpf(row.eta) / 2)
    assert least < mpmath.mpf(row.beta) < least * (1 + mpmath.mpf("1e-6"))
    assert all(row.hypotheses().values())


def test_a_smaller_beta_is_no_witness() -> None:
    below = Row(20, "0.1", "1", "3.0829")
    assert not below.hypotheses()["beta >= d alpha/(e^(eta/2) - 1)"]
    assert below.instance().find().verdict is Verdict.ERROR


def test_theorem_2_fails_by_another_moment() -> None:
    """P(K <= eta) <= e^(s eta) E e^(-s K) by mpmath's Gammas, at several s."""
    d, beta, eta, prior = 20, mpmath.mpf(WITNESS.beta), mpmath.mpf(1), mpmath.mpf("0.1")
    printed = mpmath.exp(-beta * eta**2 / (2 * (2 + eta) * (4 + 3 * eta)))
    whole, each = beta + d * prior, beta / d + prior
    for s in (3, 5, 9):
        rising = mpmath.loggamma(whole) - mpmath.loggamma(whole + s)
        cells = d * (mpmath.loggamma(each + mpmath.mpf(s) / d) - mpmath.loggamma(each))
        kept = mpmath.exp(s * eta + s * mpmath.log(d) + rising + cells)
        assert 1 - kept > printed


def test_the_example_of_noise_by_floats() -> None:
    def sums(vectors: tuple[tuple[Fraction, ...], ...]) -> list[float]:
        return [
            sum(float(p) * math.log(p / x) for p, x in zip(P, each, strict=True))
            for each in vectors
        ]

    assert [round(each, 3) for each in sums(NOISY)] == [0.186, 0.499]
    assert [round(each, 3) for each in sums(LAWS)] == [0.140, 0.352]
    assert [sum(each) for each in NOISY] == [Fraction("0.955"), Fraction("0.863")]


def test_the_shared_key_is_even_alone_and_tells_together() -> None:
    for secret, place, bit in product((0, 1), repeat=3):
        assert sum(m for at, m in shared_key(secret).items() if at[place] == bit) == Fraction(1, 2)
    one, other = shared_key(0), shared_key(1)
    assert sum(one[at] ** 2 / other[at] for at in one) == Fraction(7, 3)


def test_spread_rises_with_r_and_alpha_by_moments() -> None:
    def variance(u: Fraction, whole: Fraction) -> Fraction:
        return u * (u + 1) / (whole * (whole + 1)) - (u / whole) ** 2

    assert variance(Fraction(11), Fraction(120)) > variance(Fraction(2), Fraction(102))
    tenth = Fraction(1, 10)
    assert variance(Fraction(11), Fraction(12)) > variance(10 + tenth, 10 + 2 * tenth)


def test_the_second_display_of_case_2_at_equal_totals() -> None:
    middle = -mpmath.psi(1, 3) * sum((a - b) ** 2 for a, b in ((2, 1), (1, 2))) / 2
    assert middle < -mpmath.mpf("0.39")


def test_the_misprint_of_appendix_d() -> None:
    values = [mpmath.psi(1, x) ** 2 + mpmath.psi(2, x) for x in (1, 2)]
    assert values[0] > mpmath.mpf("0.3")
    assert 0 < values[1] < mpmath.mpf("0.02")
    low, high = cubes_between(2, 500)
    assert low < Fraction("0.2020569031595943") < high


def test_gamma_of_a_half_is_above_gamma_of_one() -> None:
    assert mpmath.gamma(mpmath.mpf(1) / 2) ** 2 > 3 > mpmath.gamma(1) ** 2


def test_the_printed_pair_is_no_pair_of_histograms_of_records() -> None:
    assert [sum(each) for each in PRINTED_PAIR] == [148, 146]
    assert [sum(each) for each in EXCHANGED_PAIR] == [147, 147]
    moves = [
        sorted(a - b for a, b in zip(*pair, strict=True) if a != b)
        for pair in (
            PRINTED_PAIR,
            EXCHANGED_PAIR,
        )
    ]
    assert moves == [[1, 1], [-1, 1]]


@pytest.mark.parametrize("order", ORDERS)
def test_no_step_reaches_a_thousandth(order: int) -> None:
    """(14) from a tiny r up stays above what it is without its first term, which is above 0.001."""
    delta = mpmath.mpf("1e-5")
    rest = mpmath.log(order - 1) - (mpmath.log(delta) + order * mpmath.log(order)) / (order - 1)
    assert rest > mpmath.mpf("0.001")
    found = [
        order * r**2 * mpmath.psi(1, 1 + 3 * (order - 1) * r) + rest
        for r in (mpmath.mpf(10) ** power for power in range(-5, 3))
    ]
    assert rest < found[0]
    assert found == sorted(found)


@pytest.mark.parametrize("order", ORDERS)
def test_another_order_serves_a_thousandth(order: int) -> None:
    """(18) and the conversion at the order 1 + 1/(2r) for the alpha of each order of Figure 3."""
    assert recorded()["ponnoprat2023.figure-3-bottom"].readings == [Verdict.CERTIFIED]
    r = mpmath.mpf("1e-5")
    other, alpha = 1 + 1 / (2 * r), 1 + 4 * (order - 1) * r
    epsilon = other * r**2 * mpmath.psi(1, alpha - (other - 1) * r)
    rest = mpmath.log(1 - 1 / other) - mpmath.log(other / 100000) / (other - 1)
    assert 0 < epsilon + rest < mpmath.mpf("0.001")


def test_figure_2_by_a_union_bound() -> None:
    """31 incomplete betas at gamma = 0.001 sum to less than the printed 2.1e-4."""
    k, eta = mpmath.mpf("171.87"), mpmath.mpf("0.028")
    one = mpmath.betainc(k * eta, k - k * eta, 0, mpmath.mpf("0.001"), regularized=True)
    assert 31 * one < mpmath.mpf("6e-5")
    assert 31 * 28 <= 1000 - 114 < 32 * 28


def test_a_box_is_not_certified_where_the_factor_is_too_small(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    box = {"r": ("1", "2")}
    room = figures.within_factor(PRINTED_PAIR, 2)
    assert subdivided(box, room).holds is Trilean.TRUE
    monkeypatch.setattr(figures, "FACTOR", Fraction(2))
    assert subdivided(box, room).holds is Trilean.FALSE


def test_the_gaps_of_figure_8_have_a_sign() -> None:
    one, other = FIGURE_8_ORDERS[-2:]
    box = {"r": ("1/100", "1")}
    assert subdivided(box, falls_between(one, other)).holds is Trilean.TRUE
    assert subdivided(box, falls_between(other, one)).holds is Trilean.FALSE


def test_data_of_the_second_regime_is_not_enough_at_large_orders() -> None:
    """At lambda = 10^12 and a hundred times the printed order, y_1 has its mean near 1/2."""
    order, epsilon, eta = mpmath.mpf(10) ** 12, mpmath.mpf("0.5"), mpmath.mpf("0.25")
    # Line 1 far out: order r^2/(3 (order - 1) r) is near r/3 = epsilon.
    r = 3 * epsilon
    line = order * r**2 * mpmath.psi(1, 1 + 3 * (order - 1) * r)
    assert abs(line - epsilon) < mpmath.mpf("1e-6")
    records = 100 * mpmath.sqrt(order / epsilon) * (1 / eta**2 + 2 / mpmath.expm1(eta / 2))
    alpha = 1 + 4 * (order - 1) * r
    mean = (r * records + alpha) / (r * records + 2 * alpha)
    assert mpmath.exp(eta) * mean < mpmath.mpf(2) / 3


def test_the_last_display_of_proposition_3_fails_by_scipy() -> None:
    """Whole densities of Dirichlet(1, 1) and Dirichlet(3, 1) at (1/2, 1/2)."""
    claim = ENTRIES["proposition-3"]
    (display,) = claim.of_proof
    assert isinstance(display, Instance)
    ratio = stats.dirichlet([1, 1]).pdf([0.5, 0.5]) / stats.dirichlet([3, 1]).pdf([0.5, 0.5])
    assert float(display.left.enclosed().first.lower) == pytest.approx(ratio)
    assert recorded()[claim.id].proof_fails


def test_few_records_that_are_alike_are_missed_by_scipy() -> None:
    """At order 2, D2^2 = 2, Dinf = 1, d = 3, eta = 1/2, N = epsilon^(-1/2)/2, for any epsilon."""
    missed = []
    for epsilon in (1e-2, 1e-4, 1e-8, 1e-12):
        r = optimize.brentq(
            lambda r, e=epsilon: 2 * r**2 * special.polygamma(1, 1 + 3 * r) - e, 1e-9, 10
        )
        alpha, records = 1 + 4 * r, 0.5 * epsilon**-0.5
        missed.append(special.betainc(r * records + alpha, 2 * alpha, math.exp(-0.5)))
    assert min(missed) > 0.6
