"""A ledger for people and for programs: its entries, and what they come to together."""

from __future__ import annotations

from collections.abc import Iterator

from rich.table import Column, Table
from rich.text import Text

from ..releasing.ledger import Beside, Composition, Ledger
from ..releasing.ledger.composition import cap_said
from ..releasing.ledger.contents import Recorded
from ..releasing.ledger.totals import Total
from .terminal import console_here, print_sentences
from .visible import visible


def ledger_as_json(ledger: Ledger, found: Composition, others: Beside) -> dict[str, object]:
    """Return the published shape; the total is worked out anew, no ledger holds one."""
    return {
        "schema_version": 1,
        "entries": [_entry_as_json(entry) for entry in ledger.entries],
        "head": ledger.head,
        "not_yet_written": [output.name for output, _ in ledger.undelivered],
        "beside": others.as_json(),
        "composition": found.as_json(),
    }


def _entry_as_json(entry: Recorded) -> dict[str, object]:
    claim = entry.claim
    return {
        "name": claim.name,
        "mechanism": claim.mechanism,
        "epsilon": claim.epsilon,
        "delta": claim.delta,
        "order": claim.order,
        "private": entry.private,
        "outputs": [{"name": out.name, "sha256": out.digest.sha256} for out in entry.outputs],
    }


def print_ledger(ledger: Ledger, found: Composition, others: Beside) -> None:
    """Print a table of the entries, the total, what it rests on, and what stands beside it."""
    console = console_here()
    console.print(_table(ledger))
    for line in _lines(ledger, found):
        console.print(line, markup=False, soft_wrap=True)
    for line in warned(others):
        console.print(line, markup=False, soft_wrap=True)
    if found.rests_on:
        print_sentences(console, "Taken for granted:", found.rests_on)


def warned(others: Beside) -> Iterator[str]:
    """Yield what is to be warned of beside a ledger."""
    yield from (f"warning: {visible(sentence)}" for sentence in others.warnings)


def _table(ledger: Ledger) -> Table:
    columns = ("release", "mechanism", "claim", "files")
    table = Table(Column("entry", no_wrap=True), *columns, box=None, pad_edge=False)
    for number, entry in enumerate(ledger.entries, 1):
        files = ", ".join(output.name for output in entry.outputs)
        cells = (entry.claim.name, entry.claim.mechanism, _claimed(entry), files)
        table.add_row(str(number), *(Text(str(visible(cell))) for cell in cells))
    return table


def _claimed(entry: Recorded) -> str:
    """Return an entry's claim; of one that is not private, that first."""
    claim = entry.claim
    kind = f"order = {claim.order}" if claim.delta is None else f"delta = {claim.delta}"
    said = f"epsilon = {claim.epsilon}, {kind}"
    return said if entry.private else f"NOT PRIVATE (drawn from a seed); {said}"


def _lines(ledger: Ledger, found: Composition) -> Iterator[str]:
    if ledger.undelivered:
        names = ", ".join(output.name for output, _ in ledger.undelivered)
        yield f"recorded and perhaps not yet written: {visible(names)}; --deliver writes it"
    if ledger.entries:
        yield f"head: {ledger.head} (the digest of the last entry; keep it elsewhere)"
    if found.cap is not None:
        kept = "kept" if found.keeps_its_cap else "not known to be kept, so that it bounds nothing"
        yield f"cap:      {cap_said(found.cap)}, fixed before the first release; {kept}"
    if found.total is None:
        yield f"no total: {visible(found.why)}"
        return
    yield f"together: {said_of(found.total)}"
    if found.claimed is not None and found.claimed != found.total:
        yield f"claimed:  {said_of(found.claimed)}"
    yield from whose_of(found)


def whose_of(found: Composition) -> Iterator[str]:
    """Yield whose difference a total hides: neighbours, or secrets under a law of a class."""
    if found.protected.words:
        yield f"for {found.protected.words}"
    if found.protected.laws:
        yield f"for the laws of {found.protected.laws}"


def said_of(total: Total) -> str:
    """Return a total in words."""
    shape = total.as_json()
    kind = f"delta = {shape['delta']}" if total.order is None else f"order = {shape['order']}"
    return f"epsilon = {shape['epsilon']}, {kind} (rounded up; {total.by})"
