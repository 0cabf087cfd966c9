"""The algebra of verdicts and the exit codes that scripts rely on."""

from __future__ import annotations

from itertools import permutations

import pytest
from each import each, each_of
from simplexcert.certify.verdict import Verdict, exit_code, overall, standing

ALL = list(Verdict)


@each_of(
    "verdict, code",
    [("certified", 0), ("refuted", 1), ("error", 1), ("undecided", 2), ("inapplicable", 5)],
)
def test_exit_codes_are_the_published_ones(verdict: str, code: int) -> None:
    assert exit_code(Verdict(verdict)) == code


def test_strict_turns_undecided_into_a_failure_and_nothing_else() -> None:
    strict = {verdict: exit_code(verdict, strict=True) for verdict in Verdict}
    assert strict == {**{v: exit_code(v) for v in Verdict}, Verdict.UNDECIDED: 1}


def test_the_absence_of_a_result_is_never_a_pass() -> None:
    assert overall([]) is Verdict.INAPPLICABLE
    assert overall([Verdict.INAPPLICABLE] * 3) is Verdict.INAPPLICABLE


@each(list(permutations(ALL, 3)))
def test_a_whole_is_as_bad_as_its_gravest_part(parts: tuple[Verdict, ...]) -> None:
    order = [Verdict.REFUTED, Verdict.ERROR, Verdict.UNDECIDED, Verdict.CERTIFIED]
    gravest = min((order.index(p) for p in parts if p in order), default=None)
    assert overall(parts) is (Verdict.INAPPLICABLE if gravest is None else order[gravest])


@pytest.mark.parametrize("bad", [Verdict.REFUTED, Verdict.ERROR, Verdict.UNDECIDED])
def test_dropping_parts_that_pass_never_turns_a_failure_into_a_pass(bad: Verdict) -> None:
    assert overall([bad]) is overall([bad, Verdict.CERTIFIED, Verdict.INAPPLICABLE])


@each_of("stated", Verdict)
@each_of("found", Verdict)
def test_undecided_stays_undecided_and_nothing_is_certified_that_is_not_found_so(
    stated: Verdict, found: Verdict
) -> None:
    stands = standing(stated, found)
    assert (stands is Verdict.UNDECIDED) == (Verdict.UNDECIDED in (stated, found))
    assert stands in (stated, Verdict.UNDECIDED, None)
    assert (stands is None) == (stated is not found and Verdict.UNDECIDED not in (stated, found))
