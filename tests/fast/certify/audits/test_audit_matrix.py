"""Audits of the matrix mechanism: rows that change together lose together."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from simplexcert.certify import audit
from simplexcert.certify.audits.claim import example_text
from simplexcert.certify.audits.decision import Audit
from simplexcert.certify.report.terminal import print_audit
from simplexcert.certify.verdict import Verdict
from simplexcert.reference import Answer, Enclosure, evaluate
from simplexcert.reference.dirichlet.pair import Neighbours
from simplexcert.reference.enclosure import Trilean
from simplexcert.reference.errors import (
    DomainError,
    InputError,
    SoundnessError,
    UnknownNameError,
)

TRAFFIC = {
    "k": '"9.87"',
    "eta": '"0.1"',
    "eta_bar": '"0.051"',
    "b": '"0.025"',
    "rows": str([[2, "0.001"]] * 32).replace("'", '"'),
    "epsilon": '"1.16"',
    "delta": '"0.011"',
}
Auditor = Callable[..., Audit]
RoundsTo = Callable[[Enclosure | None, str], bool]
Statuses = Callable[[Audit], dict[str, str]]
Keys = dict[str, str | None]


@pytest.fixture
def audited(audit_keys: Callable[[str, Keys], Audit]) -> Auditor:
    """Audit fallin2023's example with some of its keys replaced, or left out (None)."""
    return lambda **keys: audit_keys("dirichlet.matrix", {**TRAFFIC, **keys})


def same(one: Enclosure, other: Enclosure) -> bool:
    return one.is_narrow(15) and other.is_narrow(15) and one.overlaps(other)


def test_ten_rows_refute_what_is_printed_for_the_traffic_model(rounds_to: RoundsTo) -> None:
    found = audit("example:fallin2023-traffic")
    assert found.verdict is Verdict.REFUTED
    assert found.attained
    assert rounds_to(found.exact["delta_at_epsilon"], "0.0225404")
    assert rounds_to(found.paper.epsilon, "1.16775")
    assert rounds_to(found.paper.delta, "0.0188270")
    assert not found.bound_applies


@pytest.mark.parametrize(
    ("name", "epsilon", "delta", "exact"),
    [("three", "7.0890763", "0.00598801", "0.0397095"), ("all", "1.18224", "0.0178567", "0.1763")],
)
def test_rows_that_move_together_refute_theorem_1_where_its_assumptions_hold(
    name: str, epsilon: str, delta: str, exact: str, rounds_to: RoundsTo, statuses: Statuses
) -> None:
    """The claim is the theorem's own, rounded up; only that one row moves is not so."""
    found = audit(f"example:fallin2023-{name}-rows")
    assert found.verdict is Verdict.REFUTED
    assert found.attained
    assert rounds_to(found.paper.epsilon, epsilon)
    assert rounds_to(found.paper.delta, delta)
    assert rounds_to(found.exact["delta_at_epsilon"], exact)
    failing = [text for text, status in statuses(found).items() if status == "fails"]
    assert failing == ["at most one row changes"]


@pytest.mark.parametrize(
    ("rows", "delta", "verdict"),
    [
        ("1", "0.0000115", Verdict.CERTIFIED),
        ("7", "0.0088263", Verdict.CERTIFIED),
        ("8", "0.0127886", Verdict.REFUTED),
        ("32", "0.1787909", Verdict.REFUTED),
    ],
)
def test_the_printed_claim_fails_from_eight_changed_rows_on(
    audited: Auditor, rows: str, delta: str, verdict: Verdict, rounds_to: RoundsTo
) -> None:
    found = audited(changed_rows=rows)
    assert found.verdict is verdict
    assert rounds_to(found.exact["delta_at_epsilon"], delta)


def test_all_rows_change_unless_the_claim_says_otherwise(
    audited: Auditor, rounds_to: RoundsTo
) -> None:
    found = audited()
    assert found.exact == audited(changed_rows="32").exact
    assert rounds_to(found.exact["epsilon_at_delta"], "3.02685")


def test_the_verdict_turns_at_the_truth(audited: Auditor) -> None:
    assert audited(epsilon='"3.026846"').verdict is Verdict.REFUTED
    assert audited(epsilon='"3.026856"').verdict is Verdict.CERTIFIED


def test_one_changed_row_is_the_identity_query(audited: Auditor, tmp_path: Path) -> None:
    text = example_text("dirichlet.identity").split("[claim]", maxsplit=1)[0]
    text = text.replace("k = 10", 'k = "9.87"').replace('eta_bar = "0.1"', 'eta_bar = "0.051"')
    file = tmp_path / "identity.toml"
    file.write_text(text + '[claim]\nepsilon = "1.16"\ndelta = "0.011"', encoding="utf-8")
    one, row = audit(file), audited(rows='[[3, "0.001"]]')
    assert row.exact == one.exact
    assert (row.paper.epsilon, row.paper.delta) == (one.paper.epsilon, one.paper.delta)


def test_the_witness_satisfies_the_definition_and_loses_more(audited: Auditor) -> None:
    found = audited(changed_rows="10", eta='"1/10"')
    witness: dict[str, Any] = json.loads(json.dumps(found.witness))
    eta, eta_bar, b, k = (Fraction(text) for text in ("1/10", "0.051", "0.025", "9.87"))
    assert len(set(witness["rows"])) == len(witness["first"]) == len(witness["second"]) == 10
    releases = []
    for one, other in zip(witness["first"], witness["second"], strict=True):
        low, high = sorted(map(Fraction, one))
        assert one == other[::-1]
        assert low >= eta
        assert low + high <= 1 - eta_bar
        assert 2 * (high - low) <= b
        releases.append([k * low, k * (high - low), 1])
    loss = evaluate("dirichlet.composition.delta", {"releases": releases, "epsilon": "1.16"})
    assert loss.lower > Fraction("0.011")


def test_of_rows_with_different_room_the_widest_change(audited: Auditor) -> None:
    # 1 - eta_bar - w eta is 0.749 and 0.049: the first two rows have room for b/2 = 0.1.
    rows = '[[9, "0.001"], [2, "0.001"], [9, "0.001"], [2, "0.001"]]'
    found = audited(rows=rows, b='"0.2"', changed_rows="3")
    releases = [["0.987", "0.987", 2], ["0.987", Fraction("9.87") * Fraction("0.049"), 1]]
    point = {"releases": releases, "epsilon": "1.16"}
    assert same(
        found.exact["delta_at_epsilon"], evaluate("dirichlet.composition.delta", point).enclosure
    )
    assert found.attained
    assert found.witness is not None
    assert found.witness["rows"] == ["2", "4", "1"]


def test_without_a_row_that_can_change_nothing_is_claimed(audited: Auditor) -> None:
    alone = audited(rows='[[1, "0.001"]]', epsilon="0", delta="0")
    assert alone.worst.neighbours is Neighbours.NONE
    assert alone.verdict is Verdict.INAPPLICABLE
    assert alone.second == "inapplicable"
    full = audited(rows='[[2, "0.001"]]', eta='"0.4"', eta_bar='"0.2"', epsilon="0", delta="0")
    assert full.worst.neighbours is Neighbours.NONE
    assert full.verdict is Verdict.INAPPLICABLE


def test_rows_without_neighbours_do_not_count_as_changed(audited: Auditor) -> None:
    mixed = audited(rows='[[2, "0.001"], [1, "0.001"]]')
    assert mixed.exact == audited(rows='[[2, "0.001"]]').exact


def test_without_a_matrix_the_claim_is_inapplicable(audited: Auditor, statuses: Statuses) -> None:
    none = audited(rows='[[2, "0.001"], [10, "0.001"]]')
    assert none.worst.neighbours is Neighbours.NO_INPUT
    assert none.verdict is Verdict.INAPPLICABLE
    assert not none.exact
    assert statuses(none)["w eta + eta_bar <= 1 in every row (there is a matrix)"] == "fails"


def test_a_renyi_claim_sums_the_rows_divergences(audited: Auditor) -> None:
    rows = '[[2, "0.001"], [9, "0.001"], [2, "0.001"]]'
    found = audited(rows=rows, b='"0.2"', delta=None, order="1.5", epsilon="9")
    wide = evaluate("dirichlet.profile.renyi", {"alpha": "0.987", "step": "0.987", "order": "1.5"})
    step = Fraction("9.87") * Fraction("0.049")
    narrow = evaluate("dirichlet.profile.renyi", {"alpha": "0.987", "step": step, "order": "1.5"})
    needed = found.exact["epsilon_at_order"]
    lower, upper = 2 * wide.lower + narrow.lower, 2 * wide.upper + narrow.upper
    assert needed.is_narrow(20)
    assert wide.narrow
    assert narrow.narrow
    assert needed.lower <= upper
    assert lower <= needed.upper
    assert found.second == "overlaps"
    below = audited(rows=rows, b='"0.2"', delta=None, order="1.5", epsilon=f'"{needed.lower}"')
    assert below.verdict is Verdict.REFUTED
    above = audited(rows=rows, b='"0.2"', delta=None, order="1.5", epsilon=f'"{needed.upper}"')
    assert above.verdict is Verdict.CERTIFIED


def test_a_rational_sum_is_compared_exactly(audited: Auditor) -> None:
    # Floor 2, step 1: the Kullback-Leibler divergence of one row is 1/2, that of two rows 1.
    whole = {"k": "20", "b": '"0.1"', "rows": '[[2, "0.001"], [2, "0.001"]]', "delta": None}
    assert audited(**whole, order="1", epsilon="1").verdict is Verdict.CERTIFIED
    assert audited(**whole, order="1", epsilon='"0.9999999999999"').verdict is Verdict.REFUTED


def test_an_infinite_divergence_refutes(audited: Auditor) -> None:
    found = audited(delta=None, order="100", epsilon="1000")
    assert found.verdict is Verdict.REFUTED
    assert found.as_json()["exact"]["epsilon_at_order"] == {"lower": "inf", "upper": "inf"}  # type: ignore[index]


def test_pure_differential_privacy_is_refuted(audited: Auditor) -> None:
    assert audited(epsilon="100", delta="0", changed_rows="2").verdict is Verdict.REFUTED


def test_the_theorem_applies_where_its_assumptions_hold(
    audited: Auditor, statuses: Statuses
) -> None:
    found = audited(k="10", changed_rows="1")
    assert set(statuses(found).values()) == {"holds", "assumed"}
    assert found.bound_applies
    assert found.verdict is Verdict.CERTIFIED


@pytest.mark.parametrize(
    ("keys", "broken"),
    [
        ({"changed_rows": "1"}, "k >= 1/eta and k >= 1/(1 - eta - eta_bar)"),
        ({"k": "10", "changed_rows": "2"}, "at most one row changes"),
    ],
)
def test_a_failed_assumption_breaks_the_theorem_alone(
    audited: Auditor, keys: dict[str, str], broken: str, statuses: Statuses
) -> None:
    found = audited(**keys)
    assert [name for name, status in statuses(found).items() if status == "fails"] == [broken]
    assert found.verdict is Verdict.CERTIFIED
    assert not found.bound_applies


def test_gammas_left_open_are_the_best_for_the_claimed_delta(audited: Auditor) -> None:
    found = audited(rows=None, w="[2, 9]", changed_rows="1")
    claimed, paper = Fraction("0.011"), found.paper
    assert paper.chosen
    assert paper.delta is not None
    assert paper.epsilon is not None
    assert paper.delta.is_above(claimed) is Trilean.FALSE
    rows = paper.as_json()["rows"]
    assert isinstance(rows, list)
    for at in range(2):
        more = [list(row) for row in rows]
        more[at][1] = str(Fraction(more[at][1]) * (1 + Fraction(1, 10**9)))
        text = json.dumps(more)
        passed = audited(rows=text, changed_rows="1").paper.delta
        assert passed is not None
        assert passed.is_above(claimed) is Trilean.TRUE


def test_no_gammas_are_chosen_for_many_different_rows(audited: Auditor) -> None:
    keys = {"rows": None, "changed_rows": "1", "eta": '"1/1000"'}
    few, many = (audited(**keys, w=str(list(range(2, last)))) for last in (52, 53))
    assert few.paper.epsilon is not None
    assert many.paper.epsilon is None
    assert "gamma is not given" in many.paper.lacks
    assert many.exact == few.exact


def test_without_gammas_the_truth_is_the_same(audited: Auditor) -> None:
    assert audited(rows=None, w="[2, 2]").exact == audited(rows=str([[2, 0.001]] * 2)).exact


def test_a_renyi_claim_without_gammas_has_no_printed_bound(audited: Auditor) -> None:
    found = audited(rows=None, w="[2, 2]", delta=None, order="2")
    assert found.paper.epsilon is None
    assert "rows" not in found.as_json()["paper"]  # type: ignore[operator]


def test_rows_without_a_good_set_have_no_printed_epsilon(audited: Auditor) -> None:
    found = audited(rows="[[2, 0]]")
    assert found.paper.epsilon is None
    assert found.verdict is Verdict.CERTIFIED


def test_json_has_the_published_shape(audited: Auditor) -> None:
    shape = audited(changed_rows="10").as_json()
    assert list(shape) == [
        "schema_version", "verdict", "claim", "hypotheses", "paper", "exact",
        "quantities", "bound_off_lattice", "witness", "would_do", "assumptions", "neighbours",
        "non_claims",
    ]  # fmt: skip
    paper, exact, witness, claim = (
        json.loads(json.dumps(shape[key])) for key in ("paper", "exact", "witness", "claim")
    )
    assert list(paper)[:4] == ["epsilon_bound", "delta_bound", "gamma", "gamma_chosen"]
    assert paper["applies"] is False
    assert paper["gamma"] is None
    assert paper["rows"] == [["2", "1/1000"]] * 32
    assert exact["releases"] == [["987/1000", "987/8000", "10"]]
    assert exact["attained"] is True
    assert claim["release"]["changed_rows"] == "10"
    assert {"first", "second", "other_coordinates", "alpha", "step", "claimed"} <= set(witness)


def test_the_verdict_and_the_matrices_are_printed(
    audited: Auditor, capsys: pytest.CaptureFixture[str]
) -> None:
    print_audit(audited(changed_rows="10"))
    out = " ".join(capsys.readouterr().out.split())
    assert out.startswith("REFUTED")
    assert "10 rows at once with floor alpha = 0.987, step = 0.123375" in out
    assert "(0.1, 0.1125) and (0.1125, 0.1) in two protected coordinates of each of 10 rows" in out


def test_chosen_gammas_are_printed_as_such(
    audited: Auditor, capsys: pytest.CaptureFixture[str]
) -> None:
    print_audit(audited(rows=None, w="[2, 9]", changed_rows="1"))
    assert "at the best gammas for the claimed delta" in capsys.readouterr().out


def test_contradicting_engines_decide_nothing(
    audited: Auditor, monkeypatch: pytest.MonkeyPatch
) -> None:
    def elsewhere(*given: Any, **how: Any) -> Answer:
        return replace(evaluate(*given, **how), enclosure=Enclosure.of(Fraction(99)))

    monkeypatch.setattr("simplexcert.reference.evaluation.answer_at", elsewhere)
    with pytest.raises(SoundnessError, match="contradict each other"):
        audited(delta=None, order="1.5")


@pytest.mark.parametrize(
    ("keys", "error", "says"),
    [
        ({"rows": None}, InputError, "exactly one of rows"),
        ({"w": "[2, 2]"}, InputError, "exactly one of rows"),
        ({"k": None}, InputError, "lacks k"),
        ({"gamma": '"0.001"'}, UnknownNameError, "unknown key 'gamma'"),
        ({"changed_row": "2"}, UnknownNameError, "did you mean 'changed_rows'"),
        ({"rows": "[]"}, InputError, "rows"),
        ({"rows": "[[2]]"}, InputError, "row 1: [2] lacks gamma"),
        ({"rows": "[[2, 0.1, 3]]"}, InputError, "longer than 2"),
        ({"rows": "[[0, 0.1]]"}, DomainError, "row 1, w = 0"),
        ({"rows": "[[2, 0.1], [2.5, 0.1]]"}, InputError, "row 2, w"),
        ({"rows": "[[2, 1.5]]"}, DomainError, "row 1, gamma = 1.5"),
        ({"rows": "7"}, InputError, "rows"),
        ({"rows": None, "w": "[]"}, InputError, "one number a row"),
        ({"rows": None, "w": "2"}, InputError, "one number a row"),
        ({"rows": None, "w": str([2] * 10_001)}, InputError, "more than 10000 are not read"),
        ({"rows": None, "w": "[2, 0]"}, DomainError, "numbers from 1 on"),
        ({"rows": None, "w": "[2, 2.5]"}, InputError, "not a whole number"),
        ({"changed_rows": "-1"}, DomainError, "0 <= changed_rows"),
        ({"changed_rows": "33"}, DomainError, "there are 32 rows"),
        ({"changed_rows": "1.5"}, InputError, "not a whole number"),
        ({"eta": "1"}, DomainError, "0 < eta < 1"),
        ({"b": "-1"}, DomainError, "0 <= b"),
    ],
)
def test_a_bad_claim_is_answered_with_a_sentence(
    audited: Auditor, keys: dict[str, str | None], error: type[InputError], says: str
) -> None:
    with pytest.raises(error) as caught:
        audited(**keys)
    assert says in str(caught.value)
