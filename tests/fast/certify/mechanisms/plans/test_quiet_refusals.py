"""No mechanism says anything of the private data, whatever is wrong with them; nor does a plan."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from each import each_of
from hypothesis import given
from hypothesis import strategies as st
from private_files import CASES, IDENTITY, MEAN, PRIVATE, Case, require_quiet
from simplexcert.certify.mechanisms.plan import SimplexPlan
from simplexcert.reference.errors import InputError

# What a field of a hostile file may hold; the private words stand in most of them.
HOSTILE = (
    "", "771234", "-771234", "0.771234", "1e771234", "1e-771234", "771234/0", "7" * 20_000,
    "zq_private", "NaN", "Infinity", "-0", "zq_private,771234", 'zq_private"', '"zq_private',
    '"zq_private\n771234"', "zq_private\x00", "zq_private\udcff", "zq_private\n771234",
    "\u202ezq_private", "zq_private" * 2_000, '{"zq_private": 771234}', "[771234",
)  # fmt: skip
_FIELD = re.compile(r"[^,\n:{}\s]+")
KINDS = st.sampled_from(sorted(CASES))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder for the data of all examples, one after the other."""
    return tmp_path_factory.mktemp("quiet")


@each_of("kind", CASES)
def test_every_case_is_planned_as_it_stands(tmp_path: Path, kind: str) -> None:
    plan = CASES[kind].plan(tmp_path)
    assert isinstance(plan, SimplexPlan)
    assert "Fraction" not in repr(plan)
    assert all("Fraction" not in repr(row) for row in plan.rows)


@each_of("kind", CASES)
def test_each_hostile_field_is_refused_or_read_in_silence(tmp_path: Path, kind: str) -> None:
    fields = list(_FIELD.finditer(CASES[kind].content))
    for bad in HOSTILE:
        for field in (fields[0], fields[len(fields) // 2], fields[-1]):
            _planned_or_quiet(CASES[kind], field, bad, tmp_path)


@given(KINDS, st.data())
def test_drawn_damage_is_refused_or_read_in_silence(
    folder: Path, kind: str, data: st.DataObject
) -> None:
    case = CASES[kind]
    field = data.draw(st.sampled_from(list(_FIELD.finditer(case.content))))
    bad = data.draw(st.sampled_from(HOSTILE) | st.text(max_size=8))
    _planned_or_quiet(case, field, bad, folder)


@each_of("kind", CASES)
@each_of("word", PRIVATE)
def test_a_file_of_something_else_is_refused_in_silence(
    tmp_path: Path, kind: str, word: str
) -> None:
    for content in (word, f"{word}\n{word}\n", f"{word},x\n1,{word}\n", f'{{"{word}": {word}}}'):
        CASES[kind].of(content).refusal(tmp_path)


def _planned_or_quiet(case: Case, field: re.Match[str], bad: str, folder: Path) -> None:
    content = case.content[: field.start()] + bad + case.content[field.end() :]
    damaged = case.of(content.encode("utf-8", "replace").decode() if _odd(content) else content)
    try:
        damaged.plan(folder)
    except InputError as error:
        require_quiet(error, damaged.private)


def _odd(content: str) -> bool:
    """Whether a text holds halves of characters that stand for no byte, either."""
    return any("\ud800" <= one <= "\udfff" and not "\udc80" <= one <= "\udcff" for one in content)


@each_of("kind", CASES)
def test_what_a_mechanism_asks_to_be_public(kind: str) -> None:
    wanted = {
        "identity": ("eta", "eta_bar", "names"),
        "json": ("eta", "eta_bar", "names"),
        "average": ("eta", "eta_bar", "N", "names"),
        "counts": ("eta", "N", "categories"),
        "records": ("eta", "N", "categories"),
        "histogram": ("N", "categories"),
        "matrix": ("eta", "eta_bar", "states"),
        "shares": ("eta", "eta_bar", "states"),
        "model": ("eta", "N", "n", "states", "feasible"),
        "transitions": ("eta", "N", "n", "states", "feasible"),
    }
    assert CASES[kind].public_names() == wanted[kind]


@pytest.mark.parametrize("case", [IDENTITY, MEAN, CASES["matrix"]])
def test_a_support_is_asked_for_where_it_is_said(case: Case) -> None:
    assert case.knowing("support").public_names() == (*case.public_names(), "support")


def test_a_histogram_hides_how_many_records_there_are_where_one_may_come_or_go() -> None:
    assert CASES["histogram"].where(neighbours="add_remove").public_names() == ("categories",)
