"""Why a claim has its verdict: no number is rounded so that the sentence is false."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction

import pytest
from each import each_of
from simplexcert.certify.audits.claim import claim_in
from simplexcert.certify.audits.decision import Audit, Repair, decide
from simplexcert.certify.report.because import because, given_away, would_do
from simplexcert.certify.report.wording import facts_of
from simplexcert.certify.verdict import Verdict
from simplexcert.reference.enclosure import Enclosure
from simplexcert.reference.evaluation import answer_at
from simplexcert.reference.precision import all_within

KEYS = {"mechanism": "dirichlet.renyi", "alpha": "2", "step": "1/2"}
NUMBER = r"([0-9.e+-]+[0-9])"


def exact(digits: int) -> Enclosure:
    point = {"alpha": "2", "step": "1/2", "delta": "1e-5"}
    return answer_at("dirichlet.profile.epsilon", point, digits=digits).number


def decided(epsilon: object, **said: object) -> Audit:
    target = said or {"delta": "1e-5"}
    return decide(
        claim_in({"release": KEYS, "claim": {"epsilon": epsilon, **target}}, "claim.toml")
    )


def near(figures: int, *, up: bool) -> str:
    """Return the exact epsilon rounded to so many figures: a claim that is hardly true, or not."""
    return exact(30).decimals(figures - 2)[up]


@each_of("figures", range(3, 19))
def test_a_number_that_refutes_is_told_below_the_truth_and_above_the_claim(figures: int) -> None:
    claimed = near(figures, up=False)
    found = decided(claimed)
    assert found.verdict is Verdict.REFUTED
    told = re.search(rf"is at least {NUMBER}, more than the claimed {NUMBER}$", because(found))
    assert told is not None
    assert Fraction(told[2]) == Fraction(claimed) < Fraction(told[1]) <= exact(30).upper


@each_of("figures", range(3, 19))
def test_a_number_that_certifies_is_told_above_the_truth_and_no_more_than_the_claim(
    figures: int,
) -> None:
    claimed = near(figures, up=True)
    found = decided(claimed)
    assert found.verdict is Verdict.CERTIFIED
    told = re.search(rf"is at most {NUMBER}, no more than the claimed {NUMBER}$", because(found))
    assert told is not None
    assert exact(30).lower <= Fraction(told[1]) <= Fraction(told[2]) == Fraction(claimed)


@each_of("figures", range(9, 19))
def test_a_number_below_the_claim_is_not_shown_as_the_claim(figures: int) -> None:
    claimed = near(figures, up=True)
    shown = dict(facts_of(decided(claimed)))["exact epsilon"].split()[0]
    assert exact(30).lower <= Fraction(shown) < Fraction(claimed)


def test_a_number_that_is_not_known_to_its_figures_is_told_by_both_ends() -> None:
    found = decided(1)
    truth = next(one for one in found.truths if one.question.key == "epsilon_at_delta")
    for low, said in ((Fraction(0), "0 to "), (truth.value.lower * 999 / 1000, "2.84")):
        wide = replace(truth, value=replace(truth.value, low=Enclosure.of(Fraction(low)).low))
        shown = dict(facts_of(replace(found, truths=(wide,))))["exact epsilon"]
        assert shown.startswith(said)
        assert " to " in shown
        assert "rounded up" not in shown


def test_what_is_infinite_is_said_to_be() -> None:
    said = because(decided(3, delta=0))
    assert said == "the exact epsilon at delta = 0 is infinite, more than the claimed 3"


def test_a_claim_that_speaks_of_no_two_inputs_says_which_parameters_leave_none() -> None:
    table = {"mechanism": "dirichlet.counts", "k": 10, "eta": "1/3", "N": 3, "n": 3}
    found = decide(
        claim_in({"release": table, "claim": {"epsilon": 1, "delta": "1e-5"}}, "claim.toml")
    )
    assert because(found) == found.why != ""


def test_what_was_not_decided_in_time_says_what_more_time_would_do() -> None:
    claim = decided(1).claim
    with all_within(0):
        found = decide(claim)
    assert found.verdict is Verdict.UNDECIDED
    assert "more time (--max-seconds)" in because(found)


@pytest.mark.parametrize(("figures", "says"), [(4, "less than 1 % of epsilon"), (2, "")])
def test_nothing_worth_the_name_is_given_away_by_a_tight_claim(figures: int, says: str) -> None:
    said = given_away(decided(near(figures, up=True)))
    assert said == says if says else said.startswith("at least")


def test_what_is_given_away_is_told_in_percent_rounded_down() -> None:
    said = given_away(decided(10))
    told = re.fullmatch(rf"at least (\d+) % of epsilon: {NUMBER} would do", said)
    assert told is not None
    assert Fraction(told[1]) / 100 <= 1 - exact(30).upper / 10 < Fraction(int(told[1]) + 1) / 100
    assert exact(30).upper <= Fraction(told[2])


def test_a_refuted_claim_gives_nothing_away() -> None:
    assert given_away(decided(1)) == ""


def test_a_number_that_a_claim_file_may_ask_for_by_a_word_says_so() -> None:
    found = decided(1)
    repairs = Repair("epsilon", "3", "the least"), Repair("step", "0.1", "the largest", "tight")
    said = dict(would_do(replace(found, would_do=repairs)))
    assert said == {"epsilon": "3  (the least)", "step": '0.1  (the largest; or step = "tight")'}
    nothing = replace(found, would_do=(Repair("step", None, "not found in time"),))
    assert dict(would_do(nothing)) == {"step": "not found in time"}
