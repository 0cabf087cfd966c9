"""What quantities state of their answers, and the lines of the note that prove it.

The table of proofs_notes/laws-of-answers.md says of each quantity in what it rises and falls, of
what it is the inverse, and which law of the note proves that.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from simplexcert.reference.quantity import Quantity
from simplexcert.reference.relations import Order, Trend

ROOT = Path(__file__).resolve().parents[2]
NOTE = ROOT / "proofs_notes/laws-of-answers.md"
TESTS = ROOT / "tests/fast/proofs_notes/test_laws_of_answers.py"
# The law of every inverse, beside that of its trends.
INVERSES = "twice-is-needless"

_ROW = re.compile(
    r"^\| `([\w.]+)` \|([^|\n]*)\|([^|\n]*)\|([^|\n]*)\| \[([\w-]+)\]\(#\5\) \|$", re.MULTILINE
)
_SECTION = re.compile(r"^## (.+)\n((?:(?!## ).*\n?)*)", re.MULTILINE)
_NAME = re.compile(r"`(\.?\w+(?:\.\w+)*)`")
_WORDS = {
    Order.NUMBERS: "{}",
    Order.ENTRYWISE: "each of {}",
    Order.CONTAINED: "more {}",
    Order.RELEASES: "more or worse {}",
}


class Row(NamedTuple):
    """A row of the table, without the quantity's name."""

    rises: str
    falls: str
    inverse: str
    law: str


def stated_by(quantity: Quantity) -> tuple[str, str, str]:
    """Return the cells that a quantity's registration asks for: rises, falls, inverse."""
    both = (
        ", ".join(_words(one) for one in quantity.trends or () if one.rises is rises)
        for rises in (True, False)
    )
    inverse = quantity.inverse
    return *both, f"`{inverse.quantity}` in {inverse.target}" if inverse else ""  # type: ignore[return-value]


def _words(trend: Trend) -> str:
    where = f" where {trend.where.statement}" if trend.where else ""
    return _WORDS[trend.order].format(trend.parameter) + where


def table(text: str) -> dict[str, Row]:
    """Return the note's table by the quantities' names."""
    return {name: Row(*(cell.strip() for cell in cells)) for name, *cells in _ROW.findall(text)}


def of_law(law: str) -> list[str]:
    """Return the quantities whose trends a law proves."""
    return [name for name, row in table(NOTE.read_text("utf-8")).items() if row.law == law]


def named_in(text: str) -> Iterator[str]:
    """Yield the names in a text; one that begins with a dot is short for one like the last."""
    prefix = ""
    for name in _NAME.findall(text):
        if not name.startswith("."):
            prefix = name.rpartition(".")[0] or prefix
        yield prefix + name if name.startswith(".") else name


def missing(stating: Mapping[str, Quantity], text: str, tests: str) -> list[str]:
    """Return what has to be written for each trend and inverse to have its proof and its test."""
    sections = dict(_SECTION.findall(text))
    rows = table(text)
    told = [
        f"take the row of `{name}` out of the table of {NOTE.name}: nothing is stated of it"
        for name in rows
        if name not in stating or not (stating[name].trends or stating[name].inverse)
    ]
    for name, quantity in stating.items():
        if not (quantity.trends or quantity.inverse):
            continue
        cells, row = stated_by(quantity), rows.get(name)
        if row is None or row[:3] != cells:
            law = "[LAW](#LAW)" if row is None else f"[{row.law}](#{row.law})"
            line = "|".join(f" {cell} " if cell else " " for cell in (f"`{name}`", *cells, law))
            told.append(f"write in the table of {NOTE.name}: |{line}|")
            continue
        told += [
            f"prove under `## {law}` of {NOTE.name} what is stated of `{name}`, by its name"
            for law in (row.law, *([INVERSES] if row.inverse else []))
            if name not in named_in(sections.get(law, ""))
        ]
        if f'require_trends("{row.law}")' not in tests:
            told.append(f'write in {TESTS.name} a test that calls require_trends("{row.law}")')
    return told
