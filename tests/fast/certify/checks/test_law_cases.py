"""Laws in a campaign: how many cases they have, in which order, and what they leave alone."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from simplexcert.certify import certify
from simplexcert.certify.backends.loading import load_backend
from simplexcert.certify.campaign.batches import Batch, batches_of, law_cases
from simplexcert.certify.campaign.results import sample_share, tallies_of
from simplexcert.certify.checks import laws
from simplexcert.certify.checks.judgement import AGAINST_THE_TRUTH
from simplexcert.certify.checks.laws import laws_for
from simplexcert.certify.verdict import Verdict
from simplexcert.reference.quantity import quantity_named

EPSILON = "dirichlet.profile.epsilon"
# Two batches, and one.
CASES, FEW = 104, 30


def lines_of(cases: int = FEW, jobs: int = 1) -> list[dict[str, Any]]:
    lines: list[str] = []
    certify(quantities=EPSILON, cases=cases, jobs=jobs, on_case=lines.append)
    return [json.loads(line) for line in lines]


@settings(derandomize=True, database=None)
@given(st.integers(1, 3000))
def test_laws_have_a_case_at_every_fourth_point_of_each_batch(cases: int) -> None:
    batches = batches_of([EPSILON], Batch(None, "", 0, cases, "s"))
    assert law_cases(cases) == sum(len(range(0, batch.cases, 4)) for batch in batches)


def test_every_check_has_as_many_cases_as_it_should() -> None:
    checks = certify(quantities=EPSILON, cases=CASES).checks
    names = [law.check for law in laws_for(quantity_named(EPSILON))]
    assert [check.check for check in checks] == ["direction", *names]
    assert [check.cases for check in checks] == [CASES, *[law_cases(CASES)] * len(names)]
    assert {check.verdict for check in checks} == {Verdict.CERTIFIED}


def test_laws_leave_the_search_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """The points, and what is compared with the truth there, are the same without them."""
    with_laws = [line for line in lines_of() if line["check"] in AGAINST_THE_TRUTH]
    monkeypatch.setattr(laws, "LAWS", ())
    assert lines_of() == with_laws


def test_laws_do_not_depend_on_the_number_of_workers() -> None:
    assert lines_of(CASES, jobs=1) == lines_of(CASES, jobs=2)


def test_a_truth_that_a_law_rests_on_has_a_second_opinion() -> None:
    second = {one.check: one.second for one in certify(quantities=EPSILON, cases=20).checks}
    assert second["direction"] == second["inverse"] == "overlaps"
    assert second["determinism"] == "inapplicable"


def test_others_are_written_of_laws_alone() -> None:
    found = Counter((line["check"], bool(line["others"])) for line in lines_of())
    assert found["direction", False] == FEW
    assert ("direction", True) not in found
    assert found["determinism", True] == found["monotone", True] == law_cases(FEW)


def test_pictures_are_of_what_is_compared_with_the_truth() -> None:
    loaded = load_backend(None)
    tallies = tallies_of(loaded, [EPSILON], CASES)
    kept = {check: tally.kept for (_, check), tally in tallies.items()}
    assert kept.pop("direction") == sample_share(1, CASES)
    assert set(kept.values()) == {0}
    assert all(check.sample == () for check in certify(quantities=EPSILON, cases=8).checks[1:])


def test_a_law_that_lacks_what_it_needs_is_inapplicable(monkeypatch: pytest.MonkeyPatch) -> None:
    inverse = next(law for law in laws_for(quantity_named(EPSILON)) if law.check == "inverse")
    monkeypatch.setattr(type(inverse), "needs", lambda _self, _quantity: ("no.such.quantity",))
    found = {check.check: check for check in certify(quantities=EPSILON, cases=8).checks}
    lacking = found["inverse"]
    assert (lacking.verdict, lacking.cases, lacking.worst) == (Verdict.INAPPLICABLE, 0, None)
    assert found["monotone"].cases == law_cases(8)
