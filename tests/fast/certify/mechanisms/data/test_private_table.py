"""Private CSV files are read exactly or refused with a line; no sentence tells what they hold."""

from __future__ import annotations

import csv
import io
import os
from pathlib import Path

import pytest
from each import each_of
from hypothesis import given
from hypothesis import strategies as st
from private_files import require_quiet
from simplexcert.certify.mechanisms.data import fields, table
from simplexcert.certify.mechanisms.data.table import read_table
from simplexcert.reference import exact
from simplexcert.reference.errors import InputError

_FIELD = st.text(
    st.characters(codec="utf-8", exclude_characters='"\0\n\r '), min_size=1, max_size=5
)


def _written(folder: Path, content: bytes | str) -> Path:
    file = folder / "private.csv"
    file.write_bytes(content.encode() if isinstance(content, str) else content)
    return file


def _refused(file: Path, *, corner: bool = False) -> str:
    with pytest.raises(InputError) as caught:
        read_table(file, corner=corner).column("grade")
    require_quiet(caught.value, {"771234", "zq_private"})
    return str(caught.value)


@each_of(
    "content, said",
    [
        ("", "no header"),
        ("\n771234\n", "no header"),
        ("grade\n", "no records"),
        ("zq_private\n771234\n", "no column 'grade'"),
        ("grade\nzq_private,771234\n", "line 2: the line has more or fewer fields"),
        ("grade,zq\nA,771234\nA\n", "line 3: the line has more or fewer fields"),
        ("grade\nA\n\nzq_private\n", "line 3: a blank line"),
        ("grade\nA\nB\n\n", "line 4: a blank line"),
        ("grade,zq\nA,1\n,771234\n", "line 3: column 'grade' is empty"),
        ("grade,zq\nA,1\n   ,771234\n", "line 3: column 'grade' is empty"),
        ("grade,zq_private,zq_private\nA,1,2\n", "two names are the same"),
        ("grade,\nA,771234\n", "a name is empty"),
        ("grade,zq_private\x07\nA,771234\n", "a name is empty, not printable"),
        ("grade," + "z" * 101 + "\nA,771234\n", "longer than 100"),
        ('grade\n"zq_private\n', "not CSV"),
        ('grade\n"zq_private"771234\n', "not CSV"),
        ('grade\nzq_private"771234\n', "quotation mark stands inside"),
        ('grade\n"zq_private""771234"\n', "quotation mark stands inside"),
        ('grade\nA\n"zq_private\n771234"\n', "line 3: a field goes on in the next line"),
        ("grade\nzq_private\x00771234\n", "NUL"),
        (b"grade\nzq_private\xff771234\n", "not UTF-8"),
        ("grade\n" + "771234" * 2000 + "\n", "more than 10100 characters"),
        ("grade\n" + "771234" * 30_000 + "\n", "a field is too long"),
    ],
)
def test_a_flawed_file_is_refused_and_tells_nothing(
    tmp_path: Path, content: bytes | str, said: str
) -> None:
    assert said in _refused(_written(tmp_path, content))


def test_a_mark_in_front_spaces_around_and_any_line_end_say_nothing(tmp_path: Path) -> None:
    for content in (
        "grade,x\n A ,1\n",
        "\ufeffgrade,x\r\nA,1\r\n",
        'grade,x\r"A",1',
        "grade , x\nA,1",
    ):
        found = read_table(_written(tmp_path, content))
        assert found.header == ("grade", "x")
        assert [found.column("grade"), found.column("x"), found.size] == [["A"], ["1"], 1]


def test_only_a_corner_may_be_empty(tmp_path: Path) -> None:
    file = _written(tmp_path, ",grade\nA,1\n")
    assert read_table(file, corner=True).column("grade") == ["1"]
    assert "a name is empty" in _refused(file)
    assert "a name is empty" in _refused(_written(tmp_path, ",grade,\nA,1,2\n"), corner=True)


def test_what_is_no_regular_file_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.csv")
    assert "no regular file" in _refused(tmp_path / "pipe.csv")
    assert "no regular file" in _refused(tmp_path)


@pytest.mark.parametrize("name", ["missing.csv", "a" * 300, "nul\0.csv"])
def test_a_file_that_is_not_there_is_refused(tmp_path: Path, name: str) -> None:
    assert "cannot read" in _refused(tmp_path / name)


def test_each_limit_is_kept_just_outside_and_met_just_inside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = _written(tmp_path, "grade,x\nA,1\nB,2\nC,3\n")
    for name, least in (("MAX_LINES", 4), ("MAX_FIELDS", 8), ("MAX_COLUMNS", 2)):
        with monkeypatch.context() as patched:
            patched.setattr(table, name, least)
            assert read_table(file).size == 3
            patched.setattr(table, name, least - 1)
            assert "are not read" in _refused(file)
    monkeypatch.setattr(exact, "MAX_FILE_BYTES", file.stat().st_size - 1)
    assert "is not read" in _refused(file)


def test_the_longest_field_is_read_and_one_longer_is_not(tmp_path: Path) -> None:
    longest = "7" * table.MAX_FIELD
    assert read_table(_written(tmp_path, f"grade\n{longest}\n")).column("grade") == [longest]
    assert "more than" in _refused(_written(tmp_path, f"grade\n{longest}7\n"))


def test_an_unlisted_label_is_refused_with_its_line_alone(tmp_path: Path) -> None:
    found = read_table(_written(tmp_path, "grade\nA\nB\nzq_private\n771234\n"))
    with pytest.raises(InputError, match="line 4") as caught:
        found.numbered("grade", ["A", "B"])
    require_quiet(caught.value, {"771234", "zq_private"})
    assert read_table(_written(tmp_path, "grade\nB\nA\nB\n")).numbered("grade", ["A", "B"]) == [
        1,
        0,
        1,
    ]


@given(st.data(), st.integers(1, 4))
def test_columns_are_those_that_were_written(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject, width: int
) -> None:
    line = st.lists(_FIELD, min_size=width, max_size=width)
    records = data.draw(st.lists(line, min_size=1, max_size=6))
    stream = io.StringIO()
    csv.writer(stream).writerows([[f"c{at}" for at in range(width)], *records])
    found = read_table(_written(tmp_path_factory.mktemp("table"), stream.getvalue()))
    assert [found.column(f"c{at}") for at in range(width)] == [
        list(column) for column in zip(*records, strict=True)
    ]
    assert [list(found.record(at)) for at in range(found.size)] == records


def test_no_table_shows_itself(tmp_path: Path) -> None:
    assert "zq_private" not in repr(read_table(_written(tmp_path, "grade\nzq_private\n")))


def test_text_is_read_without_its_mark(tmp_path: Path) -> None:
    assert fields.text_of(_written(tmp_path, "\ufeffgrade\n")) == "grade\n"


def test_a_million_lines_are_counted_in_their_order(tmp_path: Path) -> None:
    labels = ["walk", "run", "rest"]
    file = _written(tmp_path, "state\n" + "walk\nrun\nrest\nrest\n" * 250_000)
    found = read_table(file).numbered("state", labels)
    assert [found.count(at) for at in range(3)] == [250_000, 250_000, 500_000]
    assert found[:4] == [0, 1, 2, 2]
