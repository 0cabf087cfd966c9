"""A model read off data: what each row has, and what the chain does.

Counts of transitions from CSV files: what is read, and a sentence for each flaw.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest
from each import each_of
from simplexcert.reference import DataModel, InputError, UnknownNameError, counts_from, evaluate
from simplexcert.reference.markov.model import data
from simplexcert.reference.markov.model.rows import listed

MODEL = DataModel(("a", "b", "c"), ((0, 3, 1), (2, 4, 2), (8, 0, 0)))


def test_each_row_has_its_records_transitions_and_least_share() -> None:
    first, _, third = MODEL.rows
    assert (first.records, first.feasible, first.least) == (4, 2, 1)
    assert (first.eta, first.k_minimum) == (Fraction(1, 4), 6)
    assert (third.feasible, third.eta) == (1, 1)
    assert MODEL.rows_with_fewer(3) == ("a", "c")
    assert MODEL.rows_with_fewer(2) == ("c",)


def test_the_smallest_k_of_the_rows_is_the_quantity() -> None:
    model = DataModel.of([[1, 2, 3], [4, 0, 5], [6, 7, 8]])
    found = evaluate("markov.model.k_minimum", {"counts": model.counts})
    assert found.exact == tuple(row.k_minimum for row in model.rows)


def test_shares_are_rows_of_a_stochastic_matrix() -> None:
    assert [sum(row) for row in MODEL.shares] == [1, 1, 1]
    assert MODEL.shares[1] == (Fraction(1, 4), Fraction(1, 2), Fraction(1, 4))


def test_states_that_cannot_be_reached_are_named() -> None:
    trap = DataModel(("a", "b", "c"), ((1, 1, 0), (0, 1, 1), (0, 1, 1)))
    assert trap.unreachable() == (("b", ("a",)), ("c", ("a",)))
    assert not trap.irreducible
    assert trap.period is None
    assert not MODEL.unreachable()
    assert MODEL.irreducible


@pytest.mark.parametrize(("counts", "period"), [(((0, 2), (3, 0)), 2), (((0, 2), (3, 1)), 1)])
def test_the_period_is_that_of_the_transitions_seen(
    counts: tuple[tuple[int, ...], ...], period: int
) -> None:
    assert DataModel.of(counts).period == period


def test_all_transitions_are_seen_where_no_count_is_zero() -> None:
    assert DataModel.of(((1, 2), (3, 4))).all_seen
    assert not MODEL.all_seen


def test_leaving_out_a_state_takes_its_row_and_its_column() -> None:
    found = MODEL.without(["b"])
    assert (found.labels, found.counts) == (("a", "c"), ((0, 1), (8, 0)))
    assert MODEL.without([]) == MODEL


def test_states_without_data_may_be_left_out_of_a_table_without_labels() -> None:
    found = DataModel.of([[1, 2, 0], [3, 4, 0], [0, 0, 0]], ["3"])
    assert (found.labels, found.counts) == (("1", "2"), ((1, 2), (3, 4)))
    with pytest.raises(InputError, match="row 2 has 1 counts"):
        DataModel.of([[1, 2], [3]], ["2"])


def test_no_fractions_are_made_to_see_what_a_chain_can_do() -> None:
    model = DataModel.of([[0, 2], [3, 0]])
    assert (model.irreducible, model.period, model.unreachable()) == (True, 2, ())
    assert "shares" not in vars(model)


def test_a_few_names_stand_in_a_sentence() -> None:
    assert listed([4]) == "row 4"
    assert listed([4, 7], "state") == "states 4, 7"
    assert listed(range(5)) == "rows 0, 1, 2 and 2 more"


Reader = Callable[..., DataModel]
SQUARE = "from,a,b,c\na,1,2,3\nb,4,0,5\nc,6,7,8\n"
SPARSE = "from,to,count\na,a,1\na,b,2\na,c,3\nb,a,4\nb,c,5\nc,a,6\nc,b,7\nc,c,8\n"
COUNTS = ((1, 2, 3), (4, 0, 5), (6, 7, 8))


@pytest.fixture
def read(tmp_path: Path) -> Reader:
    """Read a model from the text or the bytes of a file."""

    def run(content: str | bytes, without: tuple[str, ...] = ()) -> DataModel:
        file = tmp_path / "counts.csv"
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
        return counts_from(file, without)

    return run


@pytest.mark.parametrize(
    "content",
    [
        SQUARE,
        SPARSE,
        SPARSE + "b,b,0\n",
        "\ufeff" + SQUARE,
        SQUARE.replace("\n", "\r\n"),
        SQUARE.replace("from,a", '"from","a"').replace("a,1", " a , 1"),
        "\n" + SQUARE.replace("b,4", "\nb,4"),
    ],
    ids=["square", "sparse", "a-zero", "byte-order-mark", "crlf", "quotes", "blank-lines"],
)
def test_one_table_in_several_forms(read: Reader, content: str) -> None:
    found = read(content)
    assert found.labels == ("a", "b", "c")
    assert found.counts == COUNTS


def test_states_of_pairs_are_in_the_order_in_which_they_first_stand(read: Reader) -> None:
    found = read("from,to,count\nb,a,4\na,b,2\na,a,1\n")
    assert (found.labels, found.counts) == (("b", "a"), ((0, 4), (2, 1)))


def test_a_state_may_be_left_out_with_its_records(read: Reader) -> None:
    found = read(SQUARE, ("b",))
    assert (found.labels, found.counts) == (("a", "c"), ((1, 3), (6, 8)))
    assert [row.records for row in found.rows] == [4, 14]


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("", "is empty"),
        ("from;a;b\na;1;2\nb;3;4\n", "line 1 has one cell, 'from;a;b'; the cells of a table"),
        ("from,a,b\na,1,-0\nb,3,4\n", "'-0' is not a whole number"),
        ("from,a,b\na,1,2\nb,3\n", "line 3 has 2 cells where the header has 3"),
        ("from,a,b\na,1,2\nb,3,4,5\n", "line 3 has 4 cells where the header has 3"),
        ("from,a,b\na,1,2\n", "there are 2 columns of counts and 1 rows"),
        ("from,a,b\na,1,2\nb,1,2\nc,1,2\n", "line 4: row 3 is 'c' where there is no column"),
        ("from,a,b\na,1,2\nc,1,2\n", "line 3: row 2 is 'c' where there is column 3 'b'"),
        ("from,a,b\nb,1,2\na,1,2\n", "line 2: row 1 is 'b' where there is column 2 'a'"),
        ("from,a,a\na,1,2\na,1,2\n", "line 1: the label 'a' stands twice"),
        ("from,a,\na,1,2\n,1,2\n", "line 1, column 3: the label is empty"),
        ("from,a,b\u0007\na,1,2\nb,1,2\n", "line 1, column 3: the label 'b\\x07' is not printable"),
        ('from,a,"b\nc"\na,1,2\nb,1,2\n', "the label 'b\\nc' is not printable"),
        (f"from,a,{'b' * 101}\n", "of at most 100 characters"),
        ("from,a,b\na,1,-2\nb,1,2\n", "line 2, column 'b': '-2' is negative"),
        ("from,a,b\na,1,2.5\nb,1,2\n", "line 2, column 'b': '2.5' is not a whole number"),
        ("from,a,b\na,1,1e3\nb,1,2\n", "'1e3' is not a whole number"),
        ("from,a,b\na,1,\nb,1,2\n", "'' is not a whole number"),
        ("from,a,b\na,1,\u0663\nb,1,2\n", "is not a whole number, written in digits"),
        (f"from,a,b\na,1,{'9' * 19}\nb,1,2\n", "more than 18 digits"),
        ("from,a,b\na,0,0\nb,1,2\n", "state 'a' was never left (a row without data)"),
        ("from,a,b\na,0,3\nb,0,2\n", "state 'a' was never entered"),
        ("from,a\na,3\n", "there are 1 states; a model has 2 to 1000"),
        ('from,a,b\na,"1,2\n', "not CSV"),
        ("from,to,count\n", "there are 0 states"),
        ("from,to,count\na,b\n", "line 2 has 2 cells where the header has 3"),
        ("from,to,count\na,b,1\nb,a,1\na,b,2\n", "line 4: from 'a' to 'b' stood in line 2 already"),
        ("from,to,count\na,b,x\n", "line 2, count: 'x' is not a whole number"),
        ("from,to,count\na,,1\n", "line 2, to: the label is empty"),
        ("from,to,count\na,b,1\nb,b,1\n", "state 'a' was never entered"),
        ("from,to,count\na,a,1\na,b,1\n", "state 'b' was never left"),
        (b"from,a,b\na,1,\xff\n", "is not UTF-8 text"),
    ],
)  # fmt: skip
def test_a_flaw_is_answered_with_a_sentence(read: Reader, content: str | bytes, says: str) -> None:
    with pytest.raises(InputError, match=re.escape(says)) as caught:
        read(content)
    assert "counts.csv" in str(caught.value)


def test_an_unknown_state_to_leave_out_is_answered_with_the_nearest(read: Reader) -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'library'"):
        read("from,library,b\nlibrary,1,2\nb,3,4\n", ("libary",))


def test_leaving_out_states_can_leave_one_without_data(read: Reader) -> None:
    with pytest.raises(InputError, match="state 'b' was never left"):
        read("from,a,b,c\na,1,2,3\nb,0,0,5\nc,6,7,8\n", ("c",))


def test_large_files_and_many_states_are_refused(
    read: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(data, "_MAX_BYTES", 20)
    with pytest.raises(InputError, match="larger than 20 bytes"):
        read(SQUARE)
    monkeypatch.setattr(data, "_MAX_BYTES", 1000)
    monkeypatch.setattr(data, "MAX_STATES", 2)
    for content in (SQUARE, SPARSE):
        with pytest.raises(InputError, match="more than 2 states are not read"):
            read(content)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot read"):
        counts_from(tmp_path / "none.csv")
    with pytest.raises(InputError, match="is a directory"):
        counts_from(tmp_path)


def test_a_field_without_end_is_not_read(read: Reader) -> None:
    with pytest.raises(InputError, match="not CSV, field larger"):
        read("from," + "a" * 200_000)


@each_of(
    "labels, counts, says",
    [
        (("a", "b"), ((1, 2), (3,)), "row 2 has 1 counts where there are 2 rows"),
        (("a",), ((1, 2), (3, 4)), "there are 1 labels for 2 rows"),
        (("a", "b"), ((1, True), (3, 4)), "row 1, column 2: True is not a whole number"),
        (("a", "b"), ((1, -1), (3, 4)), "row 1, column 2: -1 is not a whole number"),
        (("a", "b"), ((1, 2.0), (3, 4)), "row 1, column 2: 2.0 is not a whole number"),
        (("a", "b"), ((1, 10**18), (3, 4)), "row 1, column 2: 1000000000000000000 is too large"),
        (("a", "a"), ((1, 2), (3, 4)), "two states have the same label"),
        (("a", "\x1b[2J"), ((1, 2), (3, 4)), "is not printable text"),
        (("a", ""), ((1, 2), (3, 4)), "state 2: the label is empty"),
        (("a", "b"), ((0, 0), (3, 4)), "state 'a' was never left"),
    ],
)
def test_a_model_is_checked_however_it_is_made(
    labels: tuple[str, ...], counts: tuple[tuple[int, ...], ...], says: str
) -> None:
    with pytest.raises(InputError, match=re.escape(says)):
        data.DataModel(labels, counts)
