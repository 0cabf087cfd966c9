"""Files that give one number: which are read, and that no refusal tells what they hold."""

from __future__ import annotations

from pathlib import Path

import pytest
from each import each_of
from noise_cases import JSON_LISTED, LISTED
from simplexcert.certify.mechanisms.data.sequence import number_in


def test_a_file_says_which_number_it_gives(tmp_path: Path) -> None:
    for name, content in (
        ("one.csv", "answer\n0.25\n"),
        ("two.JSON", '{"answer": 0.25}'),
        ("three.json", '\ufeff{"answer": "1/4"}'),
    ):
        file = tmp_path / name
        file.write_text(content, encoding="utf-8")
        key, number = number_in(file)
        assert (key, str(number)) == ("answer", "1/4")


@each_of(
    "content, said",
    [
        ("", "header"),
        ("answer\n", "no records"),
        ("zq_private\n771234\n", "not one name"),
        ("answer,dataset\n771234,1\n", "not one name"),
        ("771234\n", "no records"),
        ("answer\n771234\n1\n", "exactly one line"),
        ("answer\n771234,1\n", "line 2"),
        ("answer\n\n", "line 2"),
        ('answer\n"771234\n', "not CSV"),
        ("answer\n\udc80771234\n", "not UTF-8"),
        ("answer\n771234\0\n", "NUL"),
    ],
)
def test_a_table_of_another_shape_is_refused(tmp_path: Path, content: str, said: str) -> None:
    assert said in LISTED.of(content).refusal(tmp_path)


@each_of(
    "content",
    [
        "",
        "zq_private",
        "771234",
        '["answer", 771234]',
        '{"answer": 771234, "dataset": 1}',
        '{"zq_private": 9}',  # an answer that the claim lists
        "{}",
        '{"answer": NaN, "zq_private": 1}',
        '{"answer": 771234, "answer": 1}',
        '{"answer": 1e771234}',
        '{"answer": [771234]}',
        '{"answer": true}',
        '{"answer": {"zq_private": 1}}',
        '{"answer": null}',
        "[" * 100_000,
        '{"answer": ' + "771234" * 2_000 + "}",
    ],
)
def test_json_of_another_shape_is_refused(tmp_path: Path, content: str) -> None:
    assert "private.json" in JSON_LISTED.of(content).refusal(tmp_path)


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    for name in ("missing.json", "missing.csv", "."):
        with pytest.raises(ValueError, match=r"cannot read|directory|regular file"):
            number_in(tmp_path / name)
