"""A text takes little more than its length, whatever its numbers: whole files, in a new process."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from each import each_of
from simplexcert.reference import exact
from simplexcert.reference.domain.matrices import MAX_STATES
from simplexcert.reference.errors import InputError
from simplexcert.reference.exact import (
    MAX_DECIMAL_EXPONENT,
    MAX_EXPONENTS,
    MAX_KEY_PARTS,
    MAX_MATRIX_VALUES,
    MAX_TOML_BYTES,
    MAX_VALUES,
    parse_json,
    parse_toml,
    read_file,
    require_few_values,
)

MEBI = 2**20
SIZE = {"json": 4 * MEBI, "toml": MAX_TOML_BYTES}
# Of a file of four mebibytes, beyond a file of nothing. Short texts in quotes take by themselves
# six times what they take in the file.
MOST_MEMORY, MOST_MEMORY_IN_QUOTES, MOST_SECONDS = 32 * MEBI, 48 * MEBI, 1.0
MOST_SECONDS_OF_TOML = 4.0
FITS = MAX_EXPONENTS // MAX_DECIMAL_EXPONENT
Parser = Callable[[str], Any]
# What a process reads, by what, and what that took: its own time, and memory beyond nothing.
READS = """
import functools, resource, sys, time
from simplexcert.reference.errors import InputError
from simplexcert.reference.exact import MAX_MATRIX_VALUES, parse_json, parse_toml, read_file
of_matrix = functools.partial(parse_json, most=MAX_MATRIX_VALUES)
parse = {"json": parse_json, "matrix": of_matrix, "toml": parse_toml}[sys.argv[1]]
before = time.process_time()
try:
    parse(read_file(sys.argv[2]), "it")
    said = "read"
except InputError as error:
    said = str(error)
took = time.process_time() - before
print(took, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024, said, sep="|")
"""
ESCAPED = r'"\u0031\u00659999"'
BOMBS = {
    "json numbers": ("json", '{"a":[', "1e9999,", "0]}"),
    "json small numbers": ("json", '{"a":[', "1e-9999,", "0]}"),
    "json numbers in quotes": ("json", '{"a":[', '"1e9999",', "0]}"),
    "json numbers in escapes": ("json", '{"a":[', ESCAPED + ",", "0]}"),
    "json a list in quotes": ("json", '{"a":"[', "1e9999,", '0]"}'),
    "json lists in quotes": ("json", '{"a":[', '"[1e9999]",', "0]}"),
    "json lists in lists in quotes": ("json", '{"a":[', r'"[\"[1e9999]\"]",', "0]}"),
    "json numbers beyond": ("json", '{"a":[', '"1e99999999",', "0]}"),
    "json objects": ("json", '{"a":[', '{"b":1e9999},', "0]}"),
    "toml numbers": ("toml", "a=[", "1e9999,", "0]"),
    "toml numbers in quotes": ("toml", "a=[", '"1e9999",', "0]"),
    "toml lists in quotes": ("toml", "a=[", "'[1e9999]',", "0]"),
}


BY_BRACKETS = {"toml lists in quotes"}


def bomb(name: str) -> tuple[str, str]:
    language, before, repeated, after = BOMBS[name]
    times = (SIZE[language] - len(before) - len(after)) // len(repeated)
    return language, before + repeated * times + after


def reading(language: str, file: Path) -> tuple[float, int, str]:
    """Return what reading a file took in a process of its own: seconds, bytes, and what it said."""
    done = subprocess.run(
        [sys.executable, "-c", READS, language, str(file)],
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    seconds, memory, said = done.stdout.strip().split("|")
    return float(seconds), int(memory), said


@cache
def memory_of_nothing(folder: Path, language: str) -> int:
    file = folder / f"nothing.{language}"
    file.write_text("{}" if language == "json" else "", encoding="utf-8")
    return reading(language, file)[1]


@pytest.mark.parametrize("name", BOMBS)
def test_a_file_of_large_numbers_is_refused_at_once(
    name: str, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    language, text = bomb(name)
    file = tmp_path / "bomb"
    file.write_text(text, encoding="utf-8")
    seconds, memory, said = reading("matrix" if language == "json" else language, file)
    assert ("for more than" if name in BY_BRACKETS else "the exponents of its numbers are") in said
    most = MOST_MEMORY_IN_QUOTES if "quotes" in name else MOST_MEMORY
    assert memory - memory_of_nothing(tmp_path_factory.getbasetemp(), language) <= most
    assert seconds <= (MOST_SECONDS if language == "json" else MOST_SECONDS_OF_TOML)


@each_of("written", ["1e10000", "1E+10000", "-1.0e-10000", '"1e10000"', '" 1e10000 "'])
@each_of("parse", [parse_json, lambda text: parse_toml(f"a={text}")])
def test_as_many_large_numbers_are_read_as_fit_and_no_more(parse: Parser, written: str) -> None:
    parse(f"[{','.join([written] * FITS)}]")
    with pytest.raises(InputError, match="the exponents of its numbers are more than"):
        parse(f"[{','.join([written] * (FITS + 1))}]")


def test_numbers_without_an_exponent_are_never_too_many_but_for_their_number() -> None:
    text = f"[{','.join(['0.' + '7' * 9_999] * 100)}]"
    assert parse_json(text) == [Fraction(int("7" * 4_000) * 10**5_999 + int("7" * 4_000) * 10**1_999
                                         + int("7" * 1_999), 10**9_999)] * 100  # fmt: skip


def test_no_number_is_built_of_what_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Numbers in quotes are built by whoever needs them, lists in quotes too."""
    monkeypatch.setattr(exact, "exact_number", lambda *_: pytest.fail("a number was built"))
    parse_json('{"a": ["1e9999", "[1e9999, 10e1]", "{\\"b\\": [2e9]}"]}')


@each_of("text", ["e9999", "[release", "[1e9999", "{e}", "sha256: 1e9", "1e", "e", "1e+"])
def test_a_text_that_only_looks_like_a_number_or_a_list_is_a_text(text: str) -> None:
    assert parse_json(f'["{text}"]') == [text]
    assert parse_toml(f'a="{text}"') == {"a": text}


@each_of("many", ["1,", "[],", "{},", '"",', "null,", '[{"a":0,"b":0}],'])
def test_too_many_values_are_refused_before_they_are_built(
    many: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exact.json, "loads", lambda *_, **__: pytest.fail("it was read"))
    with pytest.raises(InputError, match=f"more than {MAX_VALUES} values"):
        parse_json(f"[{many * MAX_VALUES}0]")


# Of each sort as many as are read, in a text of four mebibytes at the most.
FULL = {
    "decimals": ("{}.5,", 1),
    "texts": ('"{:x}",', 1),
    "tables": ('{{"{:x}":0}},', 3),
}


@pytest.mark.parametrize("name", FULL)
def test_as_many_values_as_are_read_take_no_more_than_a_file_of_large_numbers(
    name: str, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    each, values = FULL[name]
    times = (MAX_VALUES - 1) // values
    file = tmp_path / "full"
    file.write_text(f"[{''.join(map(each.format, range(times)))}0]", encoding="ascii")
    assert file.stat().st_size <= SIZE["json"]
    _, memory, said = reading("json", file)
    assert said == "read"
    assert memory - memory_of_nothing(tmp_path_factory.getbasetemp(), "json") <= MOST_MEMORY


@pytest.mark.parametrize("many", ["a{}=1\n", "[a{}]\n", "[[a]]\n#{}", "1,{},\n"])
def test_too_many_values_of_toml_are_refused_before_they_are_built(
    many: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exact, "MAX_MATRIX_VALUES", 1_000)
    monkeypatch.setattr(exact.tomllib, "loads", lambda *_, **__: pytest.fail("it was read"))
    with pytest.raises(InputError, match="more than 1000 values"):
        parse_toml("".join(many.format(at) for at in range(1_000)))


@each_of(
    "many",
    [
        "[a{}]\n",
        " [ 'a'.b{} ] # c\n",
        "[[a{}.b]]\n",
        "a{}.b=1\n",
        "z{}={{b . 'c'=1}}\n",
        '["\\"".b{}]\n',
    ],
)
def test_too_many_tables_of_toml_are_refused_before_they_are_built(many: str) -> None:
    """The parser takes a thousand bytes for a header's name, three hundred for a dotted key's."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(exact, "MAX_TABLES", 100)
        parse_toml("".join(many.format(at) for at in range(25)))
        patch.setattr(exact.tomllib, "loads", lambda *_, **__: pytest.fail("it was read"))
        with pytest.raises(InputError, match="more than 100 names of tables"):
            parse_toml("".join(many.format(at) for at in range(101)))


def test_rows_and_decimals_are_no_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exact, "MAX_TABLES", 4)
    rows = "[0.5, 0.5],\n  [20.6, 1],\n" * 50
    found = parse_toml(f"[release]\nrows = [\n{rows}[1]\n]\n" + "a_{} = 0.5\n".format("b"))
    assert len(found["release"]["rows"]) == 101


def test_a_list_in_quotes_of_too_many_values_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    r"""Its commas may be written as \\u002c, which the text is not counted by."""
    monkeypatch.setattr(exact, "MAX_VALUES", 1_000)
    text = r'["[1e1' + r"\u002c1" * 1_000 + ']"]'
    with pytest.raises(InputError, match="more than 1000 values"):
        parse_json(text)


def test_a_matrix_of_as_many_states_as_there_are_is_not_too_much() -> None:
    row = f"[{','.join(['0'] * MAX_STATES)}]"
    require_few_values(f"[{','.join([row] * MAX_STATES)}]", "it", MAX_MATRIX_VALUES)
    # Shares that are off by a double's rounding are written so.
    assert 17 * MAX_STATES**2 <= MAX_EXPONENTS


@each_of(
    "key",
    [
        ".".join("a" * 9),
        ' "a" .' * 8 + "b",
        "'a'\t.\t" * 8 + "b",
        "[x]\n" + "a-1." * 8 + "b",
        '"\\"".a.' * 4 + "b",
    ],
)
def test_a_key_of_many_parts_is_refused(key: str) -> None:
    """What the parser takes for one grows with the square of their number."""
    assert MAX_KEY_PARTS == 8
    with pytest.raises(InputError, match="dotted key of more than 8 parts"):
        parse_toml(f"{key} = 1")
    assert parse_toml("a.b.c.d.e.f.g.h = 1")
    with pytest.raises(InputError, match="dotted key of more than 8 parts"):
        parse_toml(".".join("a" * 1_000_000))


@each_of("stray", ["'", '"', "a", "a.", "a ", "a.b ", ". ", "' '", '""', "[", "=", "\\"])
def test_no_text_is_long_looked_at(stray: str) -> None:
    before = time.process_time()
    with pytest.raises(InputError):
        parse_toml(stray * (MAX_TOML_BYTES // 8 // len(stray)))
    assert time.process_time() - before < MOST_SECONDS_OF_TOML


def test_toml_that_is_larger_than_any_claim_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exact.tomllib, "loads", lambda *_, **__: pytest.fail("it was read"))
    with pytest.raises(InputError, match="put long tables into a file of data"):
        parse_toml("#" * (MAX_TOML_BYTES + 1))


@pytest.mark.parametrize("digits", ["0x" + "f" * 30_000, "0b" + "1" * 100_000, "0o" + "7" * 40_000])
def test_an_integer_that_the_parser_builds_is_bounded_too(digits: str) -> None:
    with pytest.raises(InputError, match="a number of more than 10000 digits"):
        parse_toml(f"a = [[{{b = {digits}}}]]")


@pytest.mark.parametrize(
    "digits",
    [
        "0x" + "f" * 3_900_000,
        "1" + "_1" * 1_900_000,
        "-0.1" + "_1" * 1_900_000,
        "[\n0 , # of many\n 1e+1" + "_1" * 1_900_000,
    ],
    ids=["hexadecimal", "integer", "decimal", "power"],
)
def test_one_long_number_takes_no_more_than_its_text(
    digits: str, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    file = tmp_path / "long"
    file.write_text(f"a = {digits}\n", encoding="ascii")
    _, memory, said = reading("toml", file)
    assert "a number of more than 10000 digits is not read" in said
    assert memory - memory_of_nothing(tmp_path_factory.getbasetemp(), "toml") <= MOST_MEMORY


def test_what_a_parser_says_is_cut() -> None:
    key = "a" * 100_000
    with pytest.raises(InputError) as caught:
        parse_toml(f"[{key}]\n[{key}]")
    assert len(str(caught.value)) < 400


def test_each_value_may_end_the_reading() -> None:
    class TooLateError(Exception):
        pass

    def late() -> None:
        raise TooLateError

    for text in ("0", "[1.5]", "[1e5]", '["a"]', '["1e5"]', '["[1e5]"]'):
        with pytest.raises(TooLateError):
            parse_json(text, check=late)


@pytest.mark.parametrize("kind", ["pipe", "device", "folder", "nothing"])
def test_what_is_no_regular_file_is_refused_at_once(kind: str, tmp_path: Path) -> None:
    file = tmp_path / kind
    if kind == "pipe":
        os.mkfifo(file)
    elif kind == "device":
        file = Path(os.devnull)
    elif kind == "folder":
        file.mkdir()
    says = {"pipe": "no regular file", "device": "no regular file", "folder": "is a directory"}
    with pytest.raises(InputError, match=says.get(kind, "No such file")):
        read_file(file)
