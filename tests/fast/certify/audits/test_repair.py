"""What would do in place of a claim that is not true: verified, least or largest, told in time."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from each import each_of
from simplexcert.certify import audit
from simplexcert.certify.audits.claim import claim_in
from simplexcert.certify.audits.decision import Audit, decide
from simplexcert.certify.audits.repair import NOT_IN_TIME, repairs_of, unfound
from simplexcert.certify.verdict import Verdict
from simplexcert.reference.enclosure import Enclosure
from vacuous_claims import COUNTS

# An epsilon is told with 8 figures, all else with 12: this is more than a unit of the last.
UNIT = Fraction(1, 10**6)
HISTOGRAM = {"mechanism": "dirichlet.renyi", "alpha": "2", "step": "1/2"}
COUNTED = {"mechanism": "dirichlet.counts", **COUNTS, "k": 100, "eta": "1/10", "N": 40}
FLU = {
    "mechanism": "pufferfish.wasserstein", "values": [0, 1, 2], "laws": [["1/2", "1/4", "1/4"]],
    "secrets": [[1], [2, 3]], "pairs": [[1, 2]], "scale": "1/10",
}  # fmt: skip
MODEL = {
    "mechanism": "markov.model", "k": [400, 500], "eta": "1/100", "N": [400, 500], "n": [3, 4],
}  # fmt: skip
REFUTED: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "counts": (COUNTED, {"epsilon": 3, "delta": "1e-5"}),
    "counts, an order": (COUNTED, {"epsilon": "1/5", "order": 2}),
    "histogram": (HISTOGRAM, {"epsilon": 1, "delta": "1e-5"}),
    "listed": (FLU, {"epsilon": 1}),
    "model": (MODEL, {"epsilon": 3, "delta": "1e-5"}),
}


def decided(release: dict[str, Any], said: dict[str, Any]) -> Audit:
    return decide(claim_in({"release": release, "claim": said}, "claim.toml"))


def put(name: str, parameter: str, value: Any) -> Audit:
    """Decide a claim with another value of one parameter."""
    release, said = REFUTED[name]
    if parameter in said:
        return decided(release, {**said, parameter: value})
    return decided({**release, parameter: value}, said)


@each_of("name", REFUTED)
def test_a_claim_with_what_would_do_is_certified(name: str) -> None:
    found = decided(*REFUTED[name])
    assert found.verdict is Verdict.REFUTED
    repairs = repairs_of(found)
    assert len(repairs) == 2
    for repair in repairs:
        assert put(name, repair.parameter, repair.value).verdict is Verdict.CERTIFIED, repair


@each_of("name", [name for name in REFUTED if name != "listed"])
def test_beyond_what_would_do_a_claim_is_refuted(name: str) -> None:
    """The scale of a mechanism of the paper is enough, and more than a known query needs."""
    for repair in repairs_of(decided(*REFUTED[name])):
        key, value = repair.parameter, repair.value
        sign = -1 if key == "epsilon" else 1
        numbers = value if isinstance(value, list) else [value]
        beyond = [str(Fraction(str(number)) * (1 + sign * UNIT)) for number in numbers]
        other = beyond if isinstance(value, list) else beyond[0]
        assert put(name, key, other).verdict is Verdict.REFUTED, repair


def test_what_is_not_found_in_time_is_told_so_and_the_verdict_stands() -> None:
    found = decided(*REFUTED["histogram"])
    late = repairs_of(found, seconds=0)
    assert late == unfound(found)
    assert [(one.value, one.said) for one in late] == [(None, NOT_IN_TIME)] * 2
    assert replace(found, would_do=late).verdict is Verdict.REFUTED


def test_where_nothing_would_do_it_is_said_why() -> None:
    epsilon, step = repairs_of(decided(HISTOGRAM, {"epsilon": 1, "delta": 0}))
    assert (epsilon.value, epsilon.said) == (None, "none is enough at delta = 0")
    assert step.value is None
    assert step.said.startswith("no step keeps the claim: epsilon rises with step")


def test_where_a_bound_alone_is_infinite_it_is_not_said_that_no_epsilon_is_enough() -> None:
    release = {"mechanism": "markov.model", "k": 1, "eta": ["3/8"], "N": [8], "n": [2]}
    found = audit({"release": release, "claim": {"epsilon": 1, "delta": 0}})
    assert not found.attained
    (epsilon, *_) = repairs_of(found)
    assert (epsilon.value, epsilon.said) == (None, "none is proved to be enough at delta = 0")


def test_an_epsilon_that_is_not_known_well_is_not_called_the_least() -> None:
    found = decided(HISTOGRAM, {"epsilon": 1, "delta": "1e-5"})
    truth = next(one for one in found.truths if one.question.key == "epsilon_at_delta")
    wide = replace(truth, value=replace(truth.value, low=Enclosure.of(Fraction(0)).low))
    epsilon, _ = repairs_of(replace(found, truths=(wide,)))
    assert epsilon.said == "proved to be enough, rounded up"
    assert repairs_of(found)[0].said == "the least, rounded up"


def test_an_epsilon_that_hides_nothing_in_practice_is_told_so() -> None:
    large = {**HISTOGRAM, "step": 400}
    epsilon, _ = repairs_of(decided(large, {"epsilon": 1, "delta": "1e-5"}))
    assert epsilon.said.endswith("but then it hides nothing in practice")


@pytest.mark.parametrize(
    "found",
    [
        decided(HISTOGRAM, {"epsilon": 10, "delta": "1e-2"}),
        decided({**COUNTED, "n": 1}, {"epsilon": 10, "delta": "1e-2"}),
        decided({**COUNTED, "counts": [2, 8, 30]}, {"epsilon": 30, "delta": "1e-2"}),
    ],
    ids=["certified", "of no two inputs", "of data that are no input"],
)
def test_of_a_claim_that_needs_none_nothing_is_looked_for(found: Audit) -> None:
    assert repairs_of(found) == ()


def test_assumptions_are_counted_where_they_carry_a_verdict() -> None:
    good, bad = (decided(HISTOGRAM, {"epsilon": e, "delta": "1e-5"}) for e in (10, 1))
    assert len(good.assumptions) == 2
    assert bad.assumptions == []
    assert len(audit("example:pufferfish.chain").assumptions) == 4


def test_neighbours_are_told_by_their_name_else_in_words() -> None:
    assert decided(HISTOGRAM, {"epsilon": 1, "delta": "1e-5"}).neighbours == "replace"
    added = decided({**HISTOGRAM, "neighbours": "add_remove"}, {"epsilon": 1, "delta": "1e-5"})
    assert added.neighbours == "add_remove"
    assert decided(FLU, {"epsilon": 9}).neighbours is None
