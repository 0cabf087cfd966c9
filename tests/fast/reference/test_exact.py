"""Exact inputs: what is written is what is read, and nothing else is.

Exact lists and tables: read number by number, and refused with a sentence that says where.
"""

from __future__ import annotations

import io
import time
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from each import each_of
from hypothesis import given
from hypothesis import strategies as st
from simplexcert.reference import exact
from simplexcert.reference.errors import InputError
from simplexcert.reference.exact import (
    MAX_DECIMAL_EXPONENT,
    MAX_DIGITS,
    exact_integer,
    exact_json,
    exact_number,
    exact_text,
    parse_json,
    parse_toml,
    read_file,
    shown,
)
from simplexcert.reference.exact_lists import exact_rows, exact_sum, exact_vector


@each_of(
    "text, value",
    [
        ("20.6", Fraction(103, 5)),
        ("103/5", Fraction(103, 5)),
        (" 7 ", Fraction(7)),
        ("-0.25", Fraction(-1, 4)),
        ("+.5", Fraction(1, 2)),
        ("5.", Fraction(5)),
        ("1e-3", Fraction(1, 1000)),
        ("2.5E+2", Fraction(250)),
        ("006/004", Fraction(3, 2)),
    ],
)
def test_a_decimal_is_its_text(text: str, value: Fraction) -> None:
    assert exact_number(text) == value


@given(st.fractions())
def test_text_of_a_fraction_reads_back_as_itself(value: Fraction) -> None:
    assert exact_number(exact_text(value)) == value


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_float_is_the_dyadic_it_holds(value: float) -> None:
    assert exact_number(value) == Fraction(value)


def test_numpy_numbers_are_read_exactly() -> None:
    assert exact_number(np.float32(0.1)) == Fraction(float(np.float32(0.1)))
    assert exact_integer(np.int64(98)) == 98


@given(st.decimals(allow_nan=False, allow_infinity=False, places=12))
def test_a_decimal_object_is_exact(value: Decimal) -> None:
    assert exact_number(value) == Fraction(value)


@each_of(
    "bad",
    [
        "nan", "inf", "-inf", "0x", "0x10", "", " ", ".", "e5", "1e", "1/0", "1/-2", "1/2/3",
        "1_000", "١٢", "1e1.5", "--1", True, None, float("nan"), float("inf"), [1], {"a": 1}, 1j,
        Decimal("nan"), "1" * (MAX_DIGITS + 1), f"1e{MAX_DECIMAL_EXPONENT + 1}", "1e400000000",
        "1e-400000000", 10**50_000,
    ],
)  # fmt: skip
def test_what_is_no_number_is_refused_with_a_sentence(bad: object) -> None:
    with pytest.raises(InputError, match=r"^alpha: .{10,}") as caught:
        exact_number(bad, "alpha")
    assert len(str(caught.value)) < 300


def test_the_limits_themselves_are_read() -> None:
    assert exact_number("9" * MAX_DIGITS) == 10**MAX_DIGITS - 1
    assert exact_number(f"1e{MAX_DECIMAL_EXPONENT}") == 10**MAX_DECIMAL_EXPONENT
    assert exact_number(f"1e-{MAX_DECIMAL_EXPONENT}") == Fraction(1, 10**MAX_DECIMAL_EXPONENT)


def test_long_numbers_are_written_in_full() -> None:
    assert exact_text(Fraction(10**9000, 7)) == "1" + "0" * 9000 + "/7"


def test_a_whole_number_may_be_written_in_any_way() -> None:
    assert [exact_integer(text) for text in ("98", "98.0", "9.8e1", 98.0, "196/2")] == [98] * 5


def test_a_part_is_no_whole_number() -> None:
    with pytest.raises(InputError, match="not a whole number"):
        exact_integer("2.5", "w")


def test_json_numbers_are_exact_quoted_or_not() -> None:
    read = parse_json('{"k": 20.6, "N": 98, "eta": "0.073"}')
    assert read == {"k": Fraction(103, 5), "N": 98, "eta": "0.073"}


@each_of(
    "text, says",
    [
        ('{"a": 1, "a": 2}', "stands twice"),
        ('{"a": NaN}', "not a number"),
        ('{"a": Infinity}', "not a number"),
        ('{"a": 1e400000000}', "exponent"),
        ('{"a": ' + "1" * 20_000 + "}", "digits"),
        ('{"a": 1', "is not JSON"),
        ("", "is not JSON"),
        ("[" * 100_000, "nested too deeply"),
        (b"\xff\xfe", "UTF-8"),
    ],
)
def test_hostile_json_is_refused_with_a_sentence(text: str | bytes, says: str) -> None:
    with pytest.raises(InputError, match=says):
        parse_json(text, "file.json")


def test_toml_numbers_are_exact_quoted_or_not() -> None:
    assert parse_toml('k = 20.6\nN = 98\neta = "0.073"') == {
        "k": Fraction(103, 5),
        "N": 98,
        "eta": "0.073",
    }


@each_of(
    "text", ["k = ", "k = nan", "k = inf", "k = 1e400000000", "k = " + "1" * 5000, "k = 1\nk = 2"]
)
def test_hostile_toml_is_refused_with_a_sentence(text: str) -> None:
    with pytest.raises(InputError, match=r"claim\.toml"):
        parse_toml(text, "claim.toml")


def test_a_byte_order_mark_says_nothing() -> None:
    marked = "k = 20.6".encode("utf-8-sig")
    assert parse_toml(marked) == parse_toml("k = 20.6")
    assert parse_json('{"k": 20.6}'.encode("utf-8-sig")) == parse_json('{"k": 20.6}')


def test_an_integer_too_long_for_toml_is_asked_for_in_quotes() -> None:
    with pytest.raises(InputError, match="more than 4300 digits; write it in quotes"):
        parse_toml("k = " + "1" * 4301, "claim.toml")
    quoted = parse_toml(f'k = "{"1" * 4301}"')["k"]
    assert exact_number(quoted) == exact_number("1" * 4301)


def test_missing_files_and_directories_are_refused(tmp_path: object) -> None:
    with pytest.raises(InputError, match="cannot read"):
        read_file(f"{tmp_path}/absent")
    with pytest.raises(InputError, match="is a directory"):
        read_file(f"{tmp_path}")
    with pytest.raises(InputError, match="cannot read"):
        read_file("nul\0byte")


class Empty(io.RawIOBase):
    """A file that has nothing to read yet, as some of the system's have."""

    def readable(self) -> bool:
        return True

    def readinto(self, _into: object) -> None:
        return None


def test_a_file_with_nothing_to_read_yet_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exact, "open_regular", lambda _path: io.BufferedReader(Empty()))
    with pytest.raises(InputError, match="nothing to read yet"):
        read_file("log")


VECTOR = (Fraction(1, 2), Fraction(3))
TABLE = ((Fraction(1, 2), Fraction(1, 8), 3), (Fraction(2), Fraction(1), 1))


def test_vectors_and_tables_are_shown_in_brackets() -> None:
    assert shown(VECTOR) == "[0.5, 3]"
    assert shown(TABLE) == "[[0.5, 0.125, 3], [2, 1, 1]]"
    assert shown(((10**5000,),)).endswith("... (5005 characters)")


@each_of("text", ["20.6", "1e-5", "-0.5", "1e-100", "1/3", "12345678901234.567", "5.4410816", "7"])
def test_a_number_is_shown_exactly_by_its_decimals_where_they_are_few(text: str) -> None:
    assert shown(exact_number(text)) == text


def test_a_number_of_many_decimals_is_shown_as_a_fraction() -> None:
    assert shown(Fraction(0.1)) == exact_text(Fraction(0.1))


def test_a_fraction_that_is_cut_keeps_its_slash() -> None:
    nearly_one = 1 - Fraction(1, 10**46)
    top, bottom = shown(nearly_one).split("/")
    assert top == f"{'9' * 20}... (46 characters)"
    assert bottom == f"1{'0' * 19}... (47 characters)"


def test_vectors_and_tables_are_written_as_nested_lists_of_texts() -> None:
    assert exact_json(VECTOR) == ["1/2", "3"]
    assert exact_json(TABLE) == [["1/2", "1/8", "3"], ["2", "1", "1"]]
    assert exact_text(TABLE) == "[[1/2, 1/8, 3], [2, 1, 1]]"


@each_of("hostile", [((True,),), (((1,),),), (1, None), (1, [2])])
def test_what_is_no_exact_parameter_is_shown_as_python_shows_it(hostile: object) -> None:
    assert shown(hostile) == repr(hostile)


def test_a_number_of_any_length_is_refused_at_its_first_digit_too_many() -> None:
    text = "1" * 60_000_000
    began = time.process_time()
    with pytest.raises(InputError, match="more than 10000 digits"):
        exact_number(text)
    # A look at each character takes twice as long.
    assert time.process_time() - began < 1


COLUMNS = {"alpha": exact_number, "count": exact_integer}


@pytest.mark.parametrize(
    "given", ['["1/2", 0.1, 3]', ["1/2", "0.1", 3], ("0.5", Fraction(1, 10), 3.0)]
)
def test_a_vector_is_read_entry_by_entry(given: object) -> None:
    assert exact_vector(given, "alpha", 3) == (Fraction(1, 2), Fraction(1, 10), Fraction(3))


def test_an_array_of_floats_is_the_dyadics_it_holds() -> None:
    assert exact_vector(np.array([0.1, 2.0]), "alpha", 3) == (Fraction(0.1), Fraction(2))


@each_of(
    "given, sentence",
    [
        ("0.1", "alpha: '0.1' is not a list of numbers"),
        ("[]", "the list is empty; it holds numbers"),
        ({"a": 1}, "not a list of numbers"),
        (None, "not a list of numbers"),
        ('[1, "x"]', "alpha, entry 2: 'x' is not a number"),
        ("[1, [2]]", "alpha, entry 2: .* is not a number"),
        ("[1, 2, 3, 4]", "alpha: a list of 4 numbers is longer than 3"),
        ("[1, 2", "alpha is not JSON"),
        ([float("nan")], "not a finite number"),
    ],
)
def test_what_is_no_vector_is_answered_with_a_sentence(given: object, sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        exact_vector(given, "alpha", 3)


@each_of(
    "given",
    [
        '[["1/2", 3], [0.1, "4"]]',
        [["1/2", 3], ["0.1", 4.0]],
        ((0.5, 3), (Fraction(1, 10), "8/2")),
        parse_json('[["1/2", 3], [0.1, 4.0]]'),
        [np.array([0.5, 3.0]), ("1/10", np.int64(4))],
    ],
)
def test_a_table_is_read_row_by_row_and_its_integers_stay_integers(given: object) -> None:
    found = exact_rows(given, "releases", COLUMNS, 2)
    assert found == ((Fraction(1, 2), 3), (Fraction(1, 10), 4))
    assert [[type(item) for item in row] for row in found] == [[Fraction, int]] * 2


def test_an_array_of_two_dimensions_is_a_table() -> None:
    found = exact_rows(np.array([[0.1, 2.0], [0.5, 1.0]]), "releases", COLUMNS, 2)
    assert found == ((Fraction(0.1), 2), (Fraction(1, 2), 1))


@each_of(
    "given, sentence",
    [
        ("0.1", r"releases: '0\.1' is not a list of rows \[alpha, count\]"),
        ("[]", "the list is empty; it holds rows"),
        ({"a": 1}, "not a list of rows"),
        (None, "not a list of rows"),
        ("[[1, 2]", "releases is not JSON"),
        ("[1, 2]", r"releases, row 1: 1 is not a list of numbers \[alpha, count\]"),
        ('[[1, 2], "[1, 2]"]', "releases, row 2: .* is not a list of numbers"),
        ("[[1, 2], []]", "releases, row 2: the list is empty"),
        ("[[1, 2], [1]]", r"releases, row 2: \[1\] lacks count"),
        ("[[1, 2, 3]]", "releases, row 1: a list of 3 numbers is longer than 2"),
        ('[[1, 2], ["x", 2]]', "releases, row 2, alpha: 'x' is not a number"),
        ("[[1, [2]]]", r"releases, row 1, count: \[2\] is not a number"),
        ("[[1, true]]", "releases, row 1, count: True is a truth value"),
        ("[[1, 2.5]]", "releases, row 1, count: 2.5 is not a whole number"),
        ([(1, float("nan"))], "releases, row 1, count: nan is not a finite number"),
        ("[[1, 1e99999]]", "releases: the exponent"),
        ([[1, 1]] * 4, "releases: a list of 4 rows is longer than 3"),
        ("[" * 100_000, "nested too deeply"),
    ],
)
def test_what_is_no_table_is_answered_by_row_and_column(given: object, sentence: str) -> None:
    with pytest.raises(InputError, match=sentence) as caught:
        exact_rows(given, "releases", COLUMNS, 3)
    assert len(str(caught.value)) < 300


def test_a_sum_is_exact() -> None:
    assert exact_sum([Fraction(1, 3), Fraction(1, 6), 2], "p") == Fraction(5, 2)
    assert exact_sum([Fraction(0.1)] * 10, "p") != 1


def test_a_sum_of_unreasonable_size_is_refused_at_once() -> None:
    # Denominators 10^9999 + 1, + 2, ...: what they have in common is small.
    hostile = [Fraction(1, 10**9999 + at) for at in range(1, 2000)]
    began = time.monotonic()
    with pytest.raises(InputError, match="p: the sum of the entries has too many digits"):
        exact_sum(hostile, "p")
    assert time.monotonic() - began < 1
