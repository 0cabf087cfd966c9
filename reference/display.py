"""How answers show themselves to people: one line, and a small table in a notebook.

Ends are rounded outward to a few figures; programs take the numbers themselves.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import TYPE_CHECKING

from .exact import shown

if TYPE_CHECKING:
    from .domain import Value

# A longer fraction that a double is, is told as that.
_LONGEST_FRACTION = 20
_STYLE = 'style="text-align:left;font-weight:normal"'


def table_in_html(title: str, rows: Iterable[tuple[str, object]]) -> str:
    """Return a title and rows of a name and a value as HTML; whatever stands in them is text."""
    from html import escape  # loads a table of all of HTML's characters

    lines = "".join(
        f"<tr><th {_STYLE}>{escape(name)}</th><td {_STYLE}>{escape(str(value))}</td></tr>"
        for name, value in rows
    )
    return f"<table><caption {_STYLE}><b>{escape(title)}</b></caption>{lines}</table>"


def said_value(value: Value) -> str:
    """Return an exact parameter in a few characters; ``float(0.6)`` is the dyadic that 0.6 is."""
    if isinstance(value, Fraction) and len(said := shown(value)) > _LONGEST_FRACTION:
        try:
            return f"float({float(value)!r})" if Fraction(float(value)) == value else said
        except OverflowError:
            return said
    return shown(value)
