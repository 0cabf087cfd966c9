"""An enclosure for a terminal: plain lines, which need nothing that takes time to load."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import islice

import click

from ...reference.domain import Value
from ...reference.enclosure import Place, entries_of
from ...reference.evaluation import Answer
from ...reference.exact import exact_decimals, exact_text, shown

# A matrix of many states would fill screens; JSON has all of it.
_MOST_OF_PARAMETER = 1_000
_MOST_ENTRIES = 100


def _cut(text: str) -> str:
    most = _MOST_OF_PARAMETER
    return text if len(text) <= most else f"{text[:most]}... ({len(text)} characters)"


def _said(value: Value) -> str:
    """Return a parameter as a line repeats it: a number shorter than a table."""
    return shown(value) if isinstance(value, Fraction | int) else _cut(exact_decimals(value))


def print_answer(answer: Answer, *, quiet: bool = False, verbose: bool = False) -> None:
    """Print an enclosure, with how it was found; ``quiet``: the ends of each entry alone.

    Of an array ``verbose`` prints every entry, too, however many there are.
    """
    if quiet:
        for line in _intervals(answer):
            click.echo(line)
        return
    given = ", ".join(f"{key} = {_said(value)}" for key, value in answer.parameters.items())
    click.echo(f"{answer.quantity.name}({given})")
    for line in _ends(answer, None if verbose else _MOST_ENTRIES):
        click.echo(f"  {line}")
    how = "proved" if answer.rigorous else "estimated, not proved"
    way = f", route: {answer.route}" if answer.route else ""
    narrow = "" if answer.narrow else "; UNDECIDED: the budget was spent before it was narrow"
    click.echo(
        f"  {how} at {answer.precision_bits} bits by {answer.engine}{way}; "
        f"safe side: {answer.quantity.safe.value}; source: {answer.quantity.source}{narrow}"
    )


def _intervals(answer: Answer) -> Iterator[str]:
    """Yield an interval for the number, or for each entry of an array with its place."""
    for place, entry in entries_of(answer.enclosure):
        lower, upper = entry.decimals(answer.digits)
        yield f"{_named(place)}[{lower}, {upper}]"


def _ends(answer: Answer, most: int | None) -> Iterator[str]:
    """Yield the ends of a number, or those of an array's entries with their places."""
    entries = list(islice(entries_of(answer.enclosure), None if most is None else most + 1))
    for place, entry in entries[:most]:
        before = _named(place)
        lower, upper = entry.decimals(answer.digits)
        yield f"{before}lower  {lower}"
        yield f"{' ' * len(before)}upper  {upper}"
        if entry.exact is not None:
            exact = exact_text(entry.exact)
            yield f"{' ' * len(before)}exact  {_cut(exact) if place else exact}"
    if most is not None and len(entries) > most:
        yield f"and more entries than these {most}; -v or --json has all of them"


def _named(place: Place) -> str:
    return f"[{','.join(map(str, place))}]  " if place else ""
