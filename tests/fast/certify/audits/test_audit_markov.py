"""Audits of chains that are counted from records: the largest row decides, and is named."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from simplexcert.certify import audit
from simplexcert.certify.audits.decision import Audit
from simplexcert.certify.mechanisms.markov_model import rows
from simplexcert.certify.mechanisms.markov_model.reading import read_model
from simplexcert.certify.report.terminal import print_audit
from simplexcert.certify.report.wording import worst_rows
from simplexcert.certify.verdict import Verdict
from simplexcert.reference import Enclosure, evaluate
from simplexcert.reference.dirichlet.pair import Neighbours
from simplexcert.reference.enclosure import Trilean
from simplexcert.reference.errors import DomainError, InputError, UnknownNameError

Auditor = Callable[..., Audit]
RoundsTo = Callable[[Enclosure | None, str], bool]
Statuses = Callable[[Audit], dict[str, str]]
Keys = dict[str, str | None]

COUNTS = [[400, 293, 200, 7], [9, 500, 230, 101], [11, 400, 700, 89], [120, 63, 800, 7]]
WARDS = {
    "k": '["450", "315", "360", "495"]',
    "eta": '["6/900", "8/840", "10/1200", "6/990"]',
    "N": "[900, 840, 1200, 990]",
    "n": "[4, 4, 4, 4]",
    "gamma": '"1e-6"',
    "counts": json.dumps(COUNTS),
    "epsilon": '"2"',
    "delta": '"1e-4"',
}
NO_DATA: Keys = {"counts": None}
BELOW: Keys = {"counts": json.dumps([[400, 295, 200, 5], *COUNTS[1:]])}
AT_FLOOR: Keys = {"counts": json.dumps([[400, 294, 200, 6], *COUNTS[1:]])}


@pytest.fixture
def audited(audit_keys: Callable[[str, Keys], Audit]) -> Auditor:
    """Audit the example with some of its keys replaced, or left out (None)."""
    return lambda **keys: audit_keys("markov.model", {**WARDS, **keys})


@pytest.fixture
def beside(tmp_path: Path, audited: Auditor) -> Auditor:
    """Audit a claim whose counts are in a CSV file beside it."""

    def run(content: str, **keys: str | None) -> Audit:
        (tmp_path / "counts.csv").write_text(content, encoding="utf-8")
        return audited(counts='"counts.csv"', **keys)

    return run


def square(counts: list[list[int]] = COUNTS, labels: str = "abcd") -> str:
    rows = (",".join([label, *map(str, row)]) for label, row in zip(labels, counts, strict=True))
    return "\n".join([",".join(["from", *labels]), *rows])


def row_named(found: Audit, label: str) -> dict[str, Any]:
    rows: Any = found.as_json()["rows"]
    return next(row for row in rows if row["label"] == label)


def test_the_shipped_claims_are_certified_and_refuted(rounds_to: RoundsTo) -> None:
    wards = audit("example:markov-model")
    assert (wards.verdict, wards.attained) == (Verdict.CERTIFIED, True)
    assert rounds_to(wards.exact["epsilon_at_delta"], "1.63205")
    taxi = audit("example:benvenuti2025-taxi")
    assert (taxi.verdict, taxi.attained) == (Verdict.REFUTED, True)
    assert rounds_to(taxi.paper.epsilon, "45.390")
    assert rounds_to(taxi.exact["delta_at_epsilon"], "0.044677")


def test_the_zones_without_the_rare_trip_keep_the_claim(audited: Auditor) -> None:
    found = audited(
        k='["826.125", "702.6", "546"]', eta='["8/4406", "10/4684", "12/4368"]',
        N="[4406, 4684, 4368]", n="[50, 40, 35]", gamma='"1e-8"', counts=None,
        epsilon='"3.73"', delta='"3e-6"',
    )  # fmt: skip
    assert found.verdict is Verdict.CERTIFIED
    assert found.paper.epsilon is not None
    assert found.paper.epsilon.is_above(Fraction("4.69")) is Trilean.TRUE


def test_the_whole_loses_what_its_largest_row_loses(audited: Auditor) -> None:
    found = audited()
    for key in ("epsilon_at_delta", "delta_at_epsilon"):
        rows = [row.losses[key] for row in found.worst.parts.rows]
        assert all(row is not None and row.is_narrow(15) for row in rows)
        largest = max((row for row in rows if row), key=lambda row: row.high)
        assert found.exact[key].overlaps(largest)
    assert found.worst.facts["row"] == "1"


@pytest.mark.parametrize(
    ("epsilon", "verdict"), [('"1.6320527"', Verdict.CERTIFIED), ('"1.6320526"', Verdict.REFUTED)]
)
def test_the_verdict_turns_at_the_truth(audited: Auditor, epsilon: str, verdict: Verdict) -> None:
    assert audited(epsilon=epsilon).verdict is verdict


def test_a_refutation_names_the_row_and_two_count_vectors(audited: Auditor) -> None:
    witness = audited(epsilon='"1"').witness
    assert witness is not None
    first, second = ([int(str(count)) for count in witness[key]]  # type: ignore[attr-defined]
                     for key in ("first", "second"))  # fmt: skip
    assert witness["row"] == "1"
    assert sum(first) == sum(second) == 900
    assert min(first + second) == 6
    assert [a - b for a, b in zip(first, second, strict=True)] == [-1, 1, 0, 0]
    loss = evaluate(
        "dirichlet.profile.delta",
        {"alpha": witness["alpha"], "step": witness["step"], "epsilon": 1},
    )
    assert loss.number.is_above(Fraction(1, 10**4)) is Trilean.TRUE


@pytest.mark.parametrize("turned", [False, True])
def test_of_rows_too_near_to_tell_apart_the_witness_loses_more_than_claimed(
    audited: Auditor, turned: bool
) -> None:
    ks = [Fraction(450), 450 + Fraction(1, 10**60)]
    between = sum(Fraction(delta_of(k, digits=90).lower) for k in ks) / 2
    keys = [str(k) for k in (reversed(ks) if turned else ks)]
    found = audited(
        k=json.dumps(keys), eta='"1/150"', N="900", n="4", delta=f'"{between}"', **NO_DATA
    )
    assert found.verdict is Verdict.REFUTED
    assert found.witness is not None
    shown = Fraction(str(found.witness["k"]))
    assert found.witness["row"] == ("1" if turned else "2")
    assert delta_of(shown, digits=90).is_above(between) is Trilean.TRUE


def delta_of(k: Fraction, digits: int) -> Enclosure:
    """Enclose the delta at epsilon 2 of a row of 900 records with six or more in each category."""
    point = {"alpha": k * 6 / 900, "step": k / 900, "epsilon": 2}
    return evaluate("dirichlet.profile.delta", point, digits=digits).number


def test_one_number_stands_for_all_rows(audited: Auditor) -> None:
    lists = audited(k='["450", "450", "450", "450"]', n="[4, 4, 4, 4]")
    single = audited(k='"450"', n="4")
    assert single.exact == lists.exact
    assert single.as_json() == lists.as_json()


def test_equal_rows_are_worked_out_once(audited: Auditor, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    work_out = rows.truth_of
    monkeypatch.setattr(rows, "truth_of", lambda *a, **b: asked.append(a) or work_out(*a, **b))
    found = audited(
        k="450", eta='"6/900"', N=json.dumps([900] * 30), n="4", counts=None, gamma=None
    )
    assert len(asked) == 2
    assert len(found.worst.parts.rows) == 30


def test_a_row_of_two_categories_is_only_bounded(audited: Auditor) -> None:
    keys: Keys = {"N": "[900, 60]", "n": "[4, 2]", "counts": None}
    alone = audited(k="[450, 300]", eta='["6/900", "2/60"]', **keys, epsilon='"2"')
    assert alone.worst.neighbours is Neighbours.BOUNDED
    assert alone.worst.facts["row"] == "2"
    assert alone.verdict is Verdict.UNDECIDED
    # A row that attains its own pair refutes, though another one's bound is larger.
    small = audited(k="[450, 300]", eta='["6/900", "2/60"]', **keys, epsilon='"1.6"')
    assert small.verdict is Verdict.REFUTED
    assert small.witness is not None
    assert small.witness["row"] == "1"
    # Where the bound of the two categories is the smaller one, the whole is attained.
    large = audited(k="[450, 3]", eta='["6/900", "9/60"]', **keys)
    assert large.attained


def test_a_row_of_one_category_shows_nothing(audited: Auditor, statuses: Statuses) -> None:
    found = audited(k="[450, 7]", eta='["6/900", 1]', N="[900, 5]", n="[4, 1]", counts=None)
    assert found.verdict is Verdict.CERTIFIED
    assert statuses(found)["in each row n >= 3"] == "fails"
    assert next(f for f in found.hypotheses if "n >= 3" in f.statement).note == "not in row 2"
    assert row_named(found, "2")["delta_at_epsilon"] is None
    assert row_named(found, "2")["neighbours"] == "no two different inputs are neighbours"
    shown = worst_rows(found.worst.parts.rows, 2)
    assert shown is not None
    assert [(line[0], line[-1]) for line in shown.lines][1] == ("2", "none")
    assert found.paper.epsilon is None


def test_without_a_row_that_can_change_nothing_is_claimed(audited: Auditor) -> None:
    found = audited(k="[9, 9]", eta='"1/3"', N="[3, 6]", n="3", counts=None,
                    epsilon="0", delta="0")  # fmt: skip
    assert (found.verdict, found.worst.neighbours) == (Verdict.INAPPLICABLE, Neighbours.NONE)


def test_a_row_without_any_input_leaves_nothing_to_claim(audited: Auditor) -> None:
    found = audited(eta='["6/900", "8/840", "400/1200", "6/990"]', counts=None)
    assert found.verdict is Verdict.INAPPLICABLE
    assert found.why.startswith("no input satisfies the definition: in row 3 ")


def test_a_failed_hypothesis_names_its_rows_and_leaves_the_claim_to_the_truth(
    audited: Auditor, statuses: Statuses
) -> None:
    found = audited(k="[450, 3, 360, 2]")
    assert statuses(found)["in each row k >= 3/(2 eta)"] == "fails"
    (broken,) = [item for item in found.hypotheses if item.status == "fails"]
    assert broken.note == "not in rows 2, 4"
    assert not found.bound_applies
    assert found.verdict is Verdict.CERTIFIED


def test_data_below_the_floor_are_no_input_of_what_is_claimed(audited: Auditor) -> None:
    found = audited(**BELOW)
    assert found.verdict is Verdict.INAPPLICABLE


def test_data_at_the_floor_are_inputs_like_any_other(audited: Auditor, statuses: Statuses) -> None:
    found = audited(**AT_FLOOR, delta='"2e-5"')
    assert found.verdict is Verdict.CERTIFIED
    (told,) = [f for f in found.hypotheses if "smallest category" in f.note]
    assert (told.statement, told.status) == ("in each row every count is at least eta N", "holds")
    assert told.note.startswith("in row ")
    assert "eta was fixed without looking at the private data" in statuses(found)


def test_an_eta_that_was_read_off_the_data_has_the_floor_of_their_neighbours(
    audited: Auditor,
) -> None:
    # At epsilon 2 the floor 6 has delta 1.18e-5 and the floor 5 has 4.7e-5.
    keys: Keys = {"eta": None, "N": None, "k": "24", "counts": json.dumps([[6, 6, 6, 30]] * 4)}
    assert audited(**keys, delta='"1e-4"').verdict is Verdict.CERTIFIED
    assert audited(**keys, delta='"2e-5"').verdict is Verdict.UNDECIDED
    assert audited(**{**keys, "eta": '"1/8"'}, delta='"2e-5"').verdict is Verdict.CERTIFIED


def test_a_transition_seen_once_leaves_nothing_to_show_of_an_eta_read_off(
    audited: Auditor,
) -> None:
    keys: Keys = {"delta": '"0.9"', "epsilon": "9"}
    once = json.dumps([[400, 299, 200, 1], *COUNTS[1:]])
    assert audited(**keys, eta=None, counts=once).verdict is Verdict.UNDECIDED
    assert audited(**keys, eta='"1/2000"', counts=once).verdict is Verdict.CERTIFIED


@pytest.mark.parametrize("first", [0, 3])
def test_the_order_of_the_rows_does_not_matter_beside_the_data(
    audited: Auditor, first: int
) -> None:
    """A row with a transition seen once, and one below its floor: no input, in either order."""
    counts, etas = [list(row) for row in COUNTS], ["1/9000"] * 4
    counts[first] = [*COUNTS[first][:3], 1]
    counts[3 - first] = [*COUNTS[3 - first][:3], 1]
    etas[3 - first] = "5/900"
    found = audited(k="450", eta=json.dumps(etas), N=None, counts=json.dumps(counts),
                    delta='"0.9"', epsilon="9")  # fmt: skip
    assert found.verdict is Verdict.INAPPLICABLE


def test_rows_that_take_too_long_are_decided_together(
    audited: Auditor, monkeypatch: pytest.MonkeyPatch
) -> None:
    spent = []
    work_out = rows.truth_of

    def counted(question: Any, budget: Any = None, **how: Any) -> Any:
        spent.append(budget)
        return work_out(question, budget, **how)

    monkeypatch.setattr(rows, "truth_of", counted)
    monkeypatch.setattr(rows, "_ROWS_SECONDS", 0.0)
    found = audited()
    assert len(set(map(id, spent))) == 1
    assert spent[0].seconds == 0
    assert row_named(found, "1")["delta_bound"] is None
    assert found.verdict is Verdict.CERTIFIED


def test_what_is_left_out_is_read_off_the_data_and_the_audit_says_so(
    audited: Auditor, statuses: Statuses
) -> None:
    found = audited(eta=None, N=None, n=None)
    note = next(f.note for f in found.hypotheses if "public" in f.statement)
    assert note == "eta, N, n were read off the private data, so they have to be public"
    release: Any = found.as_json()["claim"]["release"]  # type: ignore[index]
    assert release["eta"] == ["7/900", "3/280", "11/1200", "7/990"]
    assert release["read_off_the_data"] == ["eta", "N", "n"]
    assert "counts" not in release
    neighbours = "in each row every neighbour of the data has counts of at least eta N"
    assert statuses(found)[neighbours] == "fails"
    assert statuses(found)["eta was fixed without looking at the private data"] == "fails"
    assert not found.bound_applies


def test_what_the_data_say_of_the_chain_does_not_bear_on_privacy(
    audited: Auditor, statuses: Statuses
) -> None:
    trap = [[40, 40, 40, 40], [0, 40, 40, 40], [0, 40, 40, 40], [0, 40, 40, 40]]
    found = audited(eta='"1/5"', k='"60"', N=None, n=None, counts=json.dumps(trap), gamma='"1e-3"')
    assert statuses(found)["the chain is irreducible"] == "fails"
    assert statuses(found)["every feasible transition was seen"] == "assumed"
    note = next(f.note for f in found.hypotheses if f.statement == "the chain is irreducible")
    assert note == "from '2' there is no way to state '1'"
    assert found.bound_applies
    flips = [[0, 0, 30, 30], [0, 0, 30, 30], [30, 30, 0, 0], [30, 30, 0, 0]]
    found = audited(eta='"1/5"', k='"60"', N=None, n=None, counts=json.dumps(flips))
    assert statuses(found)["the chain is aperiodic"] == "fails"
    assert "its period is 2" in [f.note for f in found.hypotheses]


def test_few_records_leave_the_printed_accuracy_without_a_value(
    audited: Auditor, statuses: Statuses
) -> None:
    few = [[1, 1, 1, 0], *COUNTS[1:]]
    found = audited(eta=None, N=None, n=None, counts=json.dumps(few))
    statement = "in each row N is at least the number of states (the printed L has a value)"
    assert statuses(found)[statement] == "fails"


def test_counts_may_stand_in_a_file_beside_the_claim(beside: Auditor, audited: Auditor) -> None:
    found, inline = beside(square()), audited()
    assert found.exact == inline.exact
    assert [row.label for row in found.worst.parts.rows] == ["a", "b", "c", "d"]
    assert found.worst.facts["row"] == "a"


def release_of(found: Audit) -> dict[str, Any]:
    shape: Any = found.as_json()
    return dict(shape["claim"]["release"])


def test_labels_of_a_file_are_read_off_and_said_to_be(beside: Auditor) -> None:
    found = beside(square())
    assert release_of(found)["labels"] == ["a", "b", "c", "d"]
    assert release_of(found)["read_off_the_data"] == ["labels"]
    given = release_of(beside(square(), labels='["a", "b", "c", "d"]'))
    assert given["labels"] == ["a", "b", "c", "d"]
    assert "read_off_the_data" not in given
    with pytest.raises(InputError, match="not those of the counts"):
        beside(square(), labels='["b", "a", "c", "d"]')


def test_a_claim_may_name_its_rows(audited: Auditor) -> None:
    names = '["north", "east", "south", "west"]'
    for counts in (WARDS["counts"], None):
        found = audited(labels=names, counts=counts)
        assert [row.label for row in found.worst.parts.rows] == ["north", "east", "south", "west"]
        assert found.worst.facts["row"] == "north"
    assert "labels" not in release_of(audited(labels='["1", "2", "3", "4"]'))


def test_rows_may_be_told_by_their_labels_alone(audited: Auditor) -> None:
    found = audited(
        k="450", eta='"6/900"', N="900", n="4", counts=None, gamma=None, labels='["a", "b"]'
    )
    assert len(found.worst.parts.rows) == 2


def test_a_claim_without_data_may_say_what_was_read_off_them(audited: Auditor) -> None:
    said = {"read_off_the_data": '["N"]', "left_out_of_the_data": '["moon", "moon"]'}
    found = audited(**said, counts=None)
    note = next(f.note for f in found.hypotheses if "public" in f.statement)
    assert note == (
        "N were read off the private data, so they have to be public; records from or to state "
        "'moon' are left out: they are not counted, nor protected"
    )
    assert release_of(found)["left_out_of_the_data"] == ["moon"]


def test_transitions_beyond_n_are_known_to_be_infeasible(audited: Auditor) -> None:
    def note(**keys: str | None) -> str:
        return next(f.note for f in audited(**keys).hypotheses if "public" in f.statement)

    assert note() == note(counts=None) == ""
    assert note(n="[4, 3, 4, 4]", counts=None) == (
        "a transition beyond a row's n counts as known to be infeasible"
    )


def test_states_may_be_left_out_of_the_counts(beside: Auditor) -> None:
    wide = [[*row, 5] for row in COUNTS]
    table = square([*wide, [0, 0, 0, 0, 0]], "abcde")
    with pytest.raises(InputError, match="state 'e' was never left"):
        beside(table)
    assert beside(table, without='["e"]').exact == beside(square()).exact


def test_a_state_without_data_may_be_left_out_of_counts_in_the_claim(audited: Auditor) -> None:
    wide = json.dumps([*([*row, 0] for row in COUNTS), [0] * 5])
    with pytest.raises(InputError, match="state '5' was never left"):
        audited(counts=wide)
    found = audited(counts=wide, without='["5"]')
    assert found.exact == audited().exact
    release: Any = found.as_json()["claim"]["release"]  # type: ignore[index]
    assert release["left_out_of_the_data"] == ["5"]
    note = next(f.note for f in found.hypotheses if "public" in f.statement)
    assert note == "records from or to state 5 are left out: they are not counted, nor protected"


@pytest.mark.parametrize(
    "name",
    ["../counts.csv", "sub/counts.csv", "..", ".", "", "/etc/passwd", "x" * 256, "\u202evsc"],
)
def test_counts_from_anywhere_else_are_refused(audited: Auditor, name: str) -> None:
    with pytest.raises(InputError, match="not the name of a file beside the claim"):
        audited(counts=f'"{name}"')


def test_a_link_out_of_the_directory_is_refused(audited: Auditor, tmp_path: Path) -> None:
    outside = tmp_path.parent / "outside.csv"
    outside.write_text(square(), encoding="utf-8")
    (tmp_path / "link.csv").symlink_to(outside)
    with pytest.raises(InputError, match="not the name of a file beside the claim"):
        audited(counts='"link.csv"')
    outside.unlink()


def test_links_in_a_circle_and_pipes_are_refused(audited: Auditor, tmp_path: Path) -> None:
    (tmp_path / "circle.csv").symlink_to("circle.csv")
    with pytest.raises(InputError, match="not the name of a file beside the claim"):
        audited(counts='"circle.csv"')
    os.mkfifo(tmp_path / "pipe.csv")
    with pytest.raises(InputError, match="no regular file"):
        audited(counts='"pipe.csv"')


def test_a_renyi_claim_is_decided_by_the_largest_row(audited: Auditor) -> None:
    found = audited(delta=None, order="2")
    assert found.verdict is Verdict.CERTIFIED
    row = evaluate("dirichlet.profile.renyi", {"alpha": 3, "step": "1/2", "order": 2})
    assert found.exact["epsilon_at_order"].overlaps(row.number)
    assert audited(delta=None, order="2", epsilon='"0.01"').verdict is Verdict.REFUTED


def test_without_gamma_nothing_is_printed_and_the_truth_is_the_same(audited: Auditor) -> None:
    found = audited(gamma=None)
    assert found.paper.epsilon is None
    assert found.paper.lacks == "gamma is not given"
    assert found.exact == audited().exact


def test_json_has_a_line_for_each_row(audited: Auditor) -> None:
    shape = json.loads(json.dumps(audited().as_json()))
    assert list(shape) == [
        "schema_version", "verdict", "claim", "hypotheses", "paper", "exact",
        "quantities", "bound_off_lattice", "rows", "witness", "would_do", "assumptions",
        "neighbours", "non_claims",
    ]  # fmt: skip
    assert list(shape["rows"][0]) == [
        "label", "k", "eta", "N", "n", "gamma", "k_minimum", "neighbours", "epsilon_bound",
        "delta_bound", "delta_at_epsilon", "epsilon_at_delta",
    ]  # fmt: skip
    assert shape["rows"][1]["k_minimum"] == "315/2"
    assert shape["exact"]["second"] == "overlaps"
    assert any("one record" in sentence for sentence in shape["non_claims"])


def test_the_tails_of_very_many_different_rows_are_left_out(
    audited: Auditor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rows, "_MOST_TAILS", 3)
    found = audited()
    assert row_named(found, "1")["delta_bound"] is None
    assert row_named(found, "1")["epsilon_bound"] is not None
    assert found.paper.delta is not None


def test_an_example_has_no_directory_to_look_in() -> None:
    with pytest.raises(InputError, match="an example has its counts in itself"):
        read_model({"k": 1, "counts": "counts.csv"}, "example:markov-model")


def test_the_worst_rows_are_printed(audited: Auditor, capsys: pytest.CaptureFixture[str]) -> None:
    print_audit(audited(**NO_DATA, N=json.dumps([900, 900, 950, 990, *range(1000, 1060)]),
                        k="450", eta='"1/150"', n="4"))  # fmt: skip
    out = capsys.readouterr().out
    assert out.startswith("CERTIFIED")
    assert "Rows, the worst 5 of 64" in out
    assert "the largest of 64 rows, set by row 1: floor alpha = 3, step = 0.5" in out


def test_labels_are_printed_as_they_are(
    beside: Auditor, capsys: pytest.CaptureFixture[str]
) -> None:
    names = ("[red]:skull:[/]", "back\\", "a:skull:b", "[bold")
    table = square().replace("from,a,b,c,d", ",".join(["from", *names]))
    for letter, name in zip("abcd", names, strict=True):
        table = table.replace(f"\n{letter},", f"\n{name},")
    print_audit(beside(table, epsilon="1", name='"of :skull:"'))
    shown = capsys.readouterr().out.split("Rows, the worst 4 of 4")
    assert shown[0].startswith("REFUTED  'of :skull:' (markov.model)")
    assert "set by row [red]:skull:[/]:" in shown[0]
    for name in names:
        assert f"\n {name}  " in shown[1]


@pytest.mark.parametrize(
    ("keys", "error", "says"),
    [
        ({"N": '"1e9999"'}, DomainError, "no parameter of markov.model"),
        ({"n": "[4, 4, 4, 1001]"}, DomainError, "n, row 4 = 1001 is no parameter"),
        ({"k": None}, InputError, "lacks k"),
        ({"N": None, "counts": None}, InputError, "lacks N or counts"),
        ({"N": "[900, 840]"}, InputError, "one entry a row, but k has 4, eta has 4, N has 2"),
        ({"N": "[900, 840, 1200, 991]"}, InputError, "row '4' sum to 990, but its N is 991"),
        ({"n": "[4, 3, 4, 4]"}, InputError, "row '2' has 4 transitions, but its n is 3"),
        ({"eta": '["6/900", 0, "1/100", "1/100"]'}, DomainError, "eta, row 2 = 0 is no parameter"),
        ({"eta": '"1.1"'}, DomainError, "eta = 1.1 is no parameter"),
        ({"k": "[450, 0, 1, 1]"}, DomainError, "k, row 2 = 0"),
        ({"n": "[4, 0, 4, 4]"}, DomainError, "n, row 2 = 0"),
        ({"N": '["900.5", 840, 1200, 990]'}, InputError, "N, row 1"),
        ({"gamma": '"1"'}, DomainError, "gamma = 1"),
        ({"k": "[]"}, InputError, "k lists 0 numbers"),
        ({"gama": '"1"'}, UnknownNameError, "did you mean 'gamma'"),
        ({"counts": "7"}, InputError, "counts is 7; it is a table"),
        ({"counts": "[[1, 2], [3]]"}, InputError, "row 2 has 1 counts"),
        ({"counts": "[[1, 2.5], [3, 4]]"}, InputError, "not a whole number"),
        ({"counts": "[[1, -2], [3, 4]]"}, InputError, "row 1, column 2: -2 is not a whole number"),
        ({"counts": "[[1, 2], [0, 0]]"}, InputError, "state '2' was never left"),
        ({"counts": "[[1, 0], [3, 0]]"}, InputError, "state '2' was never entered"),
        ({"counts": '"none.csv"'}, InputError, "cannot read"),
        ({"counts": None, "without": '["1"]'}, InputError, "there are no counts"),
        ({"without": "[1]"}, InputError, "it lists labels of states"),
        ({"without": '["9"]'}, InputError, "unknown state '9'"),
        ({"k": "450", "eta": '"1/150"', "N": "900", "n": "4", "counts": None}, InputError,
         "nothing says how many rows there are"),
        ({"delta": '"2"'}, DomainError, "delta = 2 is not a probability"),
        ({"labels": '"a"'}, InputError, "it lists labels of states"),
        ({"labels": "[]"}, InputError, "one label a row"),
        ({"labels": '["a", "a", "b", "c"]'}, InputError, "one label a row"),
        ({"labels": '["a", "b"]'}, InputError, "but k has 4, eta has 4, N has 4"),
        ({"labels": '["a", "b", "c", "\\u202e"]'}, InputError, "not printable"),
        ({"labels": json.dumps([str(at) for at in range(1001)])}, InputError, "1000 are read"),
        ({"read_off_the_data": '["N"]'}, InputError, "is found out where counts are given"),
        ({"read_off_the_data": '["k"]', "counts": None}, InputError, "it lists those of eta, N"),
        ({"read_off_the_data": '["labels"]', "counts": None}, InputError, "those of eta, N, n"),
        ({"read_off_the_data": '["n", "N"]', "counts": None}, InputError, "in this order"),
        ({"left_out_of_the_data": '[""]', "counts": None}, InputError, "the label is empty"),
    ],
)  # fmt: skip
def test_a_bad_claim_is_answered_with_a_sentence(
    audited: Auditor, keys: dict[str, str | None], error: type[InputError], says: str
) -> None:
    with pytest.raises(error, match=re.escape(says)) as caught:
        audited(**keys)
    assert str(caught.value).count("claim.toml") <= 1
