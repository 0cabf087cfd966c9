"""Vectors and matrices: evaluated, judged by their worst entry, certified and checked again."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import asdict, replace
from decimal import Decimal
from fractions import Fraction
from itertools import repeat
from pathlib import Path
from typing import Any

import pytest
from each import each_of
from simplexcert.certify import certify_backend, verify
from simplexcert.certify.certificate import canonical_bytes, statement_of, worst_case
from simplexcert.certify.certificate.errors import WitnessError
from simplexcert.certify.certificate.models import Check, Witness
from simplexcert.certify.checks import judgement
from simplexcert.certify.checks.case import case_from
from simplexcert.certify.checks.judgement import Counts, Judgement, judge, rules_for
from simplexcert.certify.checks.relations import relation
from simplexcert.certify.report import print_answer
from simplexcert.certify.report.campaigns import print_campaign
from simplexcert.certify.verdict import Verdict
from simplexcert.reference import evaluate, quantities
from simplexcert.reference.enclosure import Enclosed, Enclosure, largest_size, mapped
from simplexcert.reference.errors import InputError
from simplexcert.reference.precision import BudgetSpentError, Climbed
from simplexcert.reference.quantity import Quantity, _registry

pytestmark = pytest.mark.usefixtures("made_up")
Maker = Callable[..., str]
U = {"u": (Fraction(1), Fraction(3))}
TWO = {"u": (Fraction(1), Fraction(3)), "v": (Fraction(1), Fraction(-2))}


def judged(name: str, point: dict[str, Any], answer: object) -> Judgement:
    quantity = quantities()[name]
    (rule,) = rules_for(quantity, {}, {})
    return judge(quantity, point, answer, rule)


def test_an_array_is_evaluated_in_its_shape() -> None:
    shape = evaluate("made.products", {"u": [1, "1/3"], "v": [2, 5]}).as_json()
    assert shape["exact"] == [["2", "5"], ["2/3", "5/3"]]
    assert [len(row) for row in shape["lower"]] == [2, 2]  # type: ignore[attr-defined]
    assert evaluate("made.products", {"u": [1, "1/3"], "v": [2, 5]}).upper[0][1] == 5


def test_both_engines_answer_arrays() -> None:
    second = evaluate("made.shares", {"u": [1, 2]}, engine="second")
    assert second.exact == (Fraction(1, 3), Fraction(2, 3))


def test_a_word_that_is_not_one_of_these_is_refused() -> None:
    assert evaluate("made.ordered", {"u": [1, 2], "order": "down"}).exact == (2, 1)
    with pytest.raises(InputError, match=r"order = 'aside'.*one of up, down"):
        evaluate("made.ordered", {"u": [1, 2], "order": "aside"})
    with pytest.raises(InputError, match="order = 3 is not one of up, down"):
        evaluate("made.ordered", {"u": [1, 2], "order": 3})


def test_an_array_is_printed_entry_by_entry(capsys: pytest.CaptureFixture[str]) -> None:
    print_answer(evaluate("made.products", {"u": [1, "1/3"], "v": [2, 5]}))
    assert "[2,1]  lower  0.6666666666666666666666\n" in capsys.readouterr().out


def test_a_long_array_is_printed_as_far_as_it_helps(capsys: pytest.CaptureFixture[str]) -> None:
    print_answer(evaluate("made.shares", {"u": [1] * 101}))
    out = capsys.readouterr().out
    assert "[100]  lower" in out
    assert "[101]" not in out
    assert "--json has all of them" in out


@pytest.mark.parametrize("answer", [[0.25, 0.75], (0.25, 0.75)])
def test_right_entries_pass(answer: object) -> None:
    found = judged("made.shares", U, answer)
    assert (found.verdict, found.side) == (Verdict.CERTIFIED, "at")


def test_a_numpy_array_is_an_answer() -> None:
    numpy = pytest.importorskip("numpy")
    assert judged("made.shares", U, numpy.array([0.25, 0.75])).verdict is Verdict.CERTIFIED
    assert judged("made.shares", U, numpy.array([[0.25, 0.75]])).verdict is Verdict.ERROR


def test_an_array_is_as_good_as_its_worst_entry() -> None:
    found = judged("made.shares", U, [0.25, 0.7500001])
    assert (found.verdict, found.place, found.side) == (Verdict.REFUTED, (2,), "above")
    found = judged("made.products", TWO, [[1.0, -2.0], [2.9, -6.0]])
    assert (found.verdict, found.place, found.side) == (Verdict.REFUTED, (2, 1), "below")


def test_an_entrys_accuracy_is_measured_by_the_largest_entry() -> None:
    point = {"u": (Fraction(1, 10**12), 1 - Fraction(1, 10**12))}
    assert judged("made.shares", point, [0.0, 1.0]).verdict is Verdict.CERTIFIED
    assert judged("made.shares", point, [2e-9, 1.0]).verdict is Verdict.REFUTED


ASKED = "where a list of 2 numbers is asked for"


@each_of(
    "answer, reason",
    [
        (0.25, "answered a number where a list of 2 numbers is asked for"),
        ([0.25], "answered a list of 1 numbers where a list of 2 numbers is asked for"),
        (
            [[0.25, 0.75]],
            "answered a list of 1 rows of 2 numbers where a list of 2 numbers is asked for",
        ),
        ([0.25, [0.75]], f"answered a list of 2 entries, some of them lists, {ASKED}"),
        ([], "answered a list of 0 entries"),
        ([0.25, float("nan")], "answered NaN, at [2]"),
        ([0.25, "0.75"], "answered '0.75', which is not a real number, at [2]"),
        ([[[0.25]]], "answered [0.25], which is not a real number, at [1,1]"),
        ([0.0] * 1001, "answered a list of more than 1000 entries"),
    ],
)
def test_what_has_another_shape_or_is_no_number_is_an_error(answer: object, reason: str) -> None:
    found = judged("made.shares", U, answer)
    assert (found.verdict, found.reason) == (Verdict.ERROR, reason)


def test_rows_of_different_lengths_are_named_as_such() -> None:
    found = judged("made.products", TWO, [[1.0, -2.0], [3.0]])
    assert found.reason == (
        "answered a list of 2 rows of different lengths "
        "where a list of 2 rows of 2 numbers is asked for"
    )


class Exiting(list[float]):
    """A list that ends the process when it is looked at, as a hostile backend may answer."""

    def __iter__(self) -> Iterator[float]:
        raise SystemExit(0)

    def __repr__(self) -> str:
        raise SystemExit(0)


class Endless(list[float]):
    """A list that says it is short, and does not end."""

    def __iter__(self) -> Iterator[float]:
        return repeat(0.5)


def test_an_answer_that_exits_when_looked_at_does_not_end_the_run() -> None:
    """A run that just ends, with exit code 0, would look like a pass."""
    found = judged("made.shares", U, Exiting([0.25, 0.75]))
    assert found.verdict is Verdict.ERROR
    assert found.reason.startswith("answered a Exiting that cannot be shown, which is not a real")
    quantity = quantities()["made.shares"]
    (rule,) = rules_for(quantity, {}, {})
    case = case_from(quantity, {"u": (1.0, 3.0)}, Exiting([0.25, 0.75]), rule)
    assert case.value == "a Exiting that cannot be shown"


def test_a_number_that_raises_when_looked_at_is_an_error() -> None:
    found = judged("made.shares", U, [0.25, Decimal("sNaN")])
    assert (found.verdict, found.reason) == (
        Verdict.ERROR,
        "answered a list that raises ValueError",
    )


def test_a_list_that_does_not_end_is_not_gone_through() -> None:
    found = judged("made.shares", U, Endless([0.25, 0.75]))
    assert found.reason.endswith("not a real number but a class of its own, made of list")


@pytest.mark.parametrize("shape", [(10**12,), (2, 10**12), (1, 1, 2)])
def test_an_array_of_a_size_that_nothing_has_is_not_unpacked(shape: tuple[int, ...]) -> None:
    numpy = pytest.importorskip("numpy")
    found = judged("made.shares", U, numpy.broadcast_to(0.0, shape))
    assert found.reason == f"answered an array of shape {list(shape)}"


@pytest.fixture
def no_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every first look at the clock find that the time has passed."""

    def spent(**_: object) -> None:
        raise BudgetSpentError("no time")

    name = "markov.stationary"
    monkeypatch.setitem(_registry, name, replace(_registry[name], function=spent))


P = ((0.5, 0.5), (0.25, 0.75))
EXACT_P = tuple(tuple(map(Fraction, row)) for row in P)


@pytest.mark.usefixtures("no_time")
def test_an_array_for_which_there_was_no_time_is_undecided() -> None:
    """Where it lies by definition is known of every entry, but of how many is not."""
    found = judged("markov.stationary", {"P": EXACT_P}, [0.3, 0.7])
    assert (found.verdict, found.truth) == (Verdict.UNDECIDED, Enclosure.nothing_known())


@pytest.mark.usefixtures("no_time")
@pytest.mark.parametrize(("rungs", "verdict"), [(0, Verdict.UNDECIDED), (1, Verdict.CERTIFIED)])
def test_an_array_for_which_the_first_engine_has_no_time_contradicts_nothing(
    monkeypatch: pytest.MonkeyPatch, rungs: int, verdict: Verdict
) -> None:
    truth = (Fraction(1, 3), Fraction(2, 3))

    def second(_quantity: Quantity, _exact: object, decided: Any, _budget: object) -> Climbed:
        if not rungs:
            return Climbed(Enclosure.nothing_known(), 128, satisfied=False)
        found = mapped(Enclosure.of, truth)
        assert decided(found)
        return Climbed(found, 128, satisfied=False)

    monkeypatch.setattr(relation, "climb_second", second)
    written_row = [[entry.hex() for entry in row] for row in P]
    worst = Witness(
        parameters={"P": written_row},  # type: ignore[dict-item]
        value=(1 / 3).hex(),
        lower="0.3",
        upper="0.4",
        entry=[1],
        others=[],
    )
    check = Check(
        "markov.stationary",
        "accuracy",
        Verdict.CERTIFIED,
        **asdict(Counts(1, open=1)),
        worst=worst,
        ulps="0",
        side="at",
        second="overlaps",
        slack="0",
        accuracy=None,
        domain=None,
        direction=None,
    )
    assert worst_case.witness_verdict(check) is verdict


def test_a_large_matrix_is_judged_in_a_time_that_grows_with_its_entries(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The largest entry is looked for once a look at the truth, not once an entry."""
    seen = []

    def counted(found: Enclosed) -> Enclosure:
        seen.append(1)
        return largest_size(found)

    monkeypatch.setattr(judgement, "largest_size", counted)
    ones = {"u": (Fraction(1),) * 30, "v": (Fraction(1),) * 30}
    assert judged("made.products", ones, [[1.0] * 30] * 30).verdict is Verdict.CERTIFIED
    assert len(seen) <= 4


def test_a_refuted_entry_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    module = f"named_{tmp_path.name.replace('-', '_')}"
    (tmp_path / f"{module}.py").write_text(SOURCE.format(answer=TOO_LARGE), encoding="utf-8")
    print_campaign(certify_backend(f"{module}:backend", quantities="made.ordered", cases=20))
    assert re.search(r"entry \[\d\], answered [0-9.e]+,", capsys.readouterr().out)


def test_a_list_where_a_number_is_asked_for_is_an_error() -> None:
    found = judged("made.collision", {"p": (Fraction(1, 2), Fraction(1, 2))}, [0.5])
    assert found.verdict is Verdict.ERROR
    assert "where a number is asked for" in found.reason


def test_an_infinite_entry_is_refuted_on_the_unsafe_side_and_is_the_worst_on_the_other() -> None:
    found = judged("made.products", TWO, [[float("-inf"), 0.0], [3.0, 0.0]])
    assert (found.verdict, found.place) == (Verdict.REFUTED, (1, 1))
    found = judged("made.products", TWO, [[float("inf"), 0.0], [3.0, 0.0]])
    assert (found.verdict, found.place) == (Verdict.CERTIFIED, (1, 1))


SOURCE = """
def ordered(u, order):
    return {answer}

class Backend:
    name = "made"
    version = "1"
    quantities = {{"made.ordered": ordered}}

backend = Backend()
"""
RIGHT = 'sorted(u, reverse=order == "down")'
TOO_LARGE = 'sorted(u)[:-1] + [2 * max(u)] if order == "up" else sorted(u, reverse=True)'


@pytest.fixture
def statement_of_answers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[[str], dict[str, Any]]:
    """Return a function that makes the statement about a backend with this answer."""
    monkeypatch.chdir(tmp_path)

    def make(answer: str) -> dict[str, Any]:
        module = f"lists_{tmp_path.name.replace('-', '_')}"
        (tmp_path / f"{module}.py").write_text(SOURCE.format(answer=answer), encoding="utf-8")
        campaign = certify_backend(f"{module}:backend", quantities="made.ordered", cases=20)
        found: dict[str, Any] = json.loads(canonical_bytes(statement_of(campaign)))
        return found

    return make


def written(folder: Path, statement: dict[str, Any]) -> Path:
    file = folder / "certificate.json"
    file.write_bytes(json.dumps(statement, sort_keys=True, separators=(",", ":")).encode())
    return file


def worst_of(statement: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = statement["predicate"]["checks"][0]["worst"]
    return found


@pytest.mark.parametrize(
    ("answer", "verdict"), [(RIGHT, Verdict.CERTIFIED), (TOO_LARGE, Verdict.REFUTED)]
)
def test_a_certificate_about_arrays_names_the_worst_entry_and_verifies(
    statement_of_answers: Callable[[str], dict[str, Any]],
    tmp_path: Path,
    answer: str,
    verdict: Verdict,
) -> None:
    statement = statement_of_answers(answer)
    assert verify(written(tmp_path, statement)).verdict is verdict
    worst = worst_of(statement)
    if verdict is Verdict.REFUTED:
        assert worst["entry"] == [len(worst["parameters"]["u"])]
        assert worst["parameters"]["order"] == "up"


@pytest.mark.parametrize("entry", [[], [1000], [1, 1]])
def test_a_worst_entry_that_is_none_is_refused(
    statement_of_answers: Callable[[str], dict[str, Any]], tmp_path: Path, entry: list[int]
) -> None:
    statement = statement_of_answers(RIGHT)
    worst_of(statement)["entry"] = entry
    with pytest.raises(WitnessError):
        verify(written(tmp_path, statement))


def test_a_refuted_entry_does_not_verify_as_certified(
    statement_of_answers: Callable[[str], dict[str, Any]], tmp_path: Path
) -> None:
    statement = statement_of_answers(TOO_LARGE)
    statement["predicate"]["verdict"] = "certified"
    statement["predicate"]["checks"][0] |= {"verdict": "certified", "wrong": 0}
    with pytest.raises(WitnessError):
        verify(written(tmp_path, statement))


def test_a_number_for_an_array_is_the_backends_error_in_a_campaign_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    quantities = '{"markov.stationary": lambda **given: 0.0}'
    source = f"class Flat:\n    name, version, quantities = 'flat', '1', {quantities}\n"
    (tmp_path / "flat_backend.py").write_text(source, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    campaign = certify_backend("flat_backend:Flat", quantities="markov.stationary", cases=2)
    assert campaign.verdict is Verdict.ERROR
    assert campaign.checks[0].second == "undecided"
    certificate = tmp_path / "certificate.json"
    certificate.write_bytes(canonical_bytes(statement_of(campaign)))
    assert verify(certificate).verdict is Verdict.ERROR
