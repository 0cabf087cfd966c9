"""A law of many things is one test that fails wherever one of them fails, and names each."""

from __future__ import annotations

import inspect
import os
from pathlib import Path

import pytest
from each import each, each_of, never_met


def test_each_that_fails_is_named_whatever_it_raises() -> None:
    @each([1, 0, 2, -1])
    def law(number: int) -> None:
        assert 1 / number < 1

    with pytest.raises(AssertionError) as raised:
        law()
    one, zero = str(raised.value).splitlines()[0], "0: ZeroDivisionError: division by zero"
    assert one.startswith("1: ")
    assert zero in str(raised.value).splitlines()
    assert isinstance(raised.value.__cause__, AssertionError)


def test_rows_of_several_parameters_are_multiplied() -> None:
    seen = []

    @each_of("a, b", [(1, 2), (3, 4)])
    @each_of("c", "xy")
    def law(a: int, b: int, c: str, beside: str) -> None:
        seen.append((a, b, c, beside))
        assert (a, c) != (3, "y")

    assert list(inspect.signature(law).parameters) == ["beside"]
    with pytest.raises(AssertionError, match=r"^\{'a': 3, 'b': 4\}: .*'c': 'y'"):
        law(beside="z")
    assert seen == [(1, 2, "x", "z"), (1, 2, "y", "z"), (3, 4, "x", "z"), (3, 4, "y", "z")]


def test_each_row_has_a_folder_patches_and_streams_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    here = Path.cwd()
    monkeypatch.setenv("ROW", "of none")

    @each_of("row", [(1, 2), (3,)])
    @each_of("column", "xy")
    def law(
        row: tuple[int, ...],
        column: str,
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
        capsys: pytest.CaptureFixture[str],
    ) -> None:
        assert (os.environ["ROW"], Path.cwd()) == ("of none", here)
        assert (list(tmp_path.iterdir()), capsys.readouterr().out) == ([], "")
        monkeypatch.setenv("ROW", column)
        monkeypatch.chdir(tmp_path)
        (tmp_path / "left").touch()
        print(row)  # noqa: T201

    law(tmp_path=tmp_path, monkeypatch=monkeypatch, capsys=capsys)
    assert (os.environ["ROW"], Path.cwd()) == ("of none", here)
    assert len(list(tmp_path.rglob("left"))) == 4


def test_only_what_is_named_is_tried_where_it_is_among_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("each._only", {"b", "e"})
    seen = []

    @each("abc")
    def with_it(letter: str) -> None:
        seen.append(letter)

    @each([1, "cd", None])
    def without_it(anything: object) -> None:
        seen.append(anything)

    @each_of("one, other", [(1, "b"), (2, "c"), (3, "e")])
    def with_others(one: int, other: str) -> None:
        seen.append((one, other))

    monkeypatch.setattr("each._met", set())
    for law in (with_it, without_it, with_others):
        law()
    assert seen == ["b", 1, "cd", None, (1, "b"), (3, "e")]
    assert never_met() == []


def test_a_name_that_no_law_is_tried_of_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("each._only", {"b", "slip"})
    monkeypatch.setattr("each._met", set())
    each("abc")(lambda _: None)()
    assert never_met() == ["slip"]


def test_a_law_of_nothing_fails() -> None:
    with pytest.raises(AssertionError):
        each([])(lambda _: None)()
    with pytest.raises(AssertionError):
        each_of("a", [])(lambda a: None)()  # noqa: ARG005
