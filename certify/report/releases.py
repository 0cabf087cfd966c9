"""Releases and ledgers, for people and for programs: the draw, the entries, and their total."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Console
from rich.table import Column, Table
from rich.text import Text

from ...reference.exact import exact_number, shown
from ..certificate.grids import grid_said
from ..releasing.ledger import Beside, Composition, Ledger
from ..releasing.ledger.contents import Recorded
from ..releasing.ledger.totals import Total
from ..releasing.published import Made
from .budget import lines_of_cap
from .terminal import (
    console_here,
    print_decided,
    print_folded,
    print_grounds,
    print_labelled,
    print_sentences,
    print_table,
)
from .wording import facts_of, visible


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


def print_ledger(
    ledger: Ledger,
    found: Composition,
    others: Beside,
    *,
    quiet: bool = False,
    verbose: bool = False,
) -> None:
    """Print what the entries come to together, a table of them, and the total's assumptions.

    ``quiet`` is the total alone; ``verbose`` tells the digests of the files, too.
    """
    console = console_here()
    print_folded(console, _first_line(ledger, found))
    if quiet:
        return
    for line in _lines(found):
        print_folded(console, line)
    for line in _warned(others):
        print_folded(console, line)
    if ledger.entries:
        console.print()
        print_table(console, _table(ledger))
        print_folded(console, f"head: {ledger.head} (the digest of the last entry; keep it "
                     "elsewhere)")  # fmt: skip
    if ledger.undelivered:
        names = ", ".join(output.name for output, _ in ledger.undelivered)
        print_folded(
            console,
            f"recorded and perhaps not yet written: {visible(names)}; --deliver writes it",
        )
    if verbose:
        print_labelled(console, _digests(ledger))
    if found.rests_on:
        print_sentences(console, "Taken for granted:", found.rests_on)


def _first_line(ledger: Ledger, found: Composition) -> str:
    """Return how many releases there are, and what they come to together."""
    number = len(ledger.entries)
    counted = f"{number} release{'' if number == 1 else 's'}"
    if found.total is None:
        return f"{counted}, no total: {visible(found.why)}"
    together = " together" if number > 1 else ""
    return f"{counted}{together}: {_said_of(found.total)}"


def _digests(ledger: Ledger) -> Iterator[tuple[str, str]]:
    for entry in ledger.entries:
        for output in entry.outputs:
            yield output.digest.sha256, str(visible(output.name))


def _warned(others: Beside) -> Iterator[str]:
    """Yield warnings on releases that lie beside a ledger and are not in it."""
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
    key, value = ("order", claim.order) if claim.delta is None else ("delta", claim.delta)
    said = f"epsilon = {shown(exact_number(claim.epsilon))}, {key} = {shown(exact_number(value))}"
    return said if entry.private else f"NOT PRIVATE (drawn from a seed); {said}"


def _lines(found: Composition) -> Iterator[str]:
    """Yield what belongs to a total: the cap, what was claimed, and whose difference it hides."""
    yield from lines_of_cap(found)
    if found.total is None:
        return
    if found.claimed is not None and found.claimed != found.total:
        yield f"claimed: {_said_of(found.claimed)}"
    if found.remark:
        yield found.remark
    yield from _whose_of(found)


def _whose_of(found: Composition) -> Iterator[str]:
    """Yield whose difference a total hides: neighbours, or secrets under a law of a class."""
    if found.protected.words:
        yield f"for {found.protected.words}"
    if found.protected.laws:
        yield f"for the laws of {found.protected.laws}"


def _said_of(total: Total) -> str:
    """Return a total in words."""
    shape = total.as_json()
    kind = f"delta = {shape['delta']}" if total.order is None else f"order = {shape['order']}"
    return f"epsilon = {shape['epsilon']}, {kind} (rounded up; {total.by})"


def print_made(console: Console, made: Made, *, quiet: bool = False, verbose: bool = False) -> None:
    """Print how a release was drawn; its values are in its file.

    ``quiet`` is the verdict's line alone; ``verbose`` tells what the verdict rests on, too.
    """
    print_decided(console, made.audit, quiet=quiet)
    if quiet:
        return
    predicate = made.statement.predicate
    grid = f"rounded to multiples of {grid_said(made.released.grid)}"
    if made.private:
        line = f"drawn exactly, from the operating system's random bits, {grid}"
    else:
        line = f"NOT PRIVATE: drawn from the seed {made.released.seed}, {grid}"
    print_folded(console, line)
    for label, fact in facts_of(made.audit):
        if label == "calibrated":
            print_folded(console, f"chosen for the claim: {fact}")
    for line in _about_the_ledger(made):
        print_folded(console, line)
    if verbose:
        print_grounds(console, made.audit, verbose=True)
    print_sentences(console, "Not claimed:", predicate.non_claims)


def _about_the_ledger(made: Made) -> Iterator[str]:
    """Yield files that an earlier run had left to be written, and the ledger's total."""
    if made.delivered:
        yield (
            f"an earlier run was cut short; what it had recorded is written now: "
            f"{', '.join(made.delivered)}"
        )
    if made.composition is not None:
        yield from _together(made.composition)
    if made.beside is not None:
        yield from _warned(made.beside)


def _together(found: Composition) -> Iterator[str]:
    releases = (
        f"the ledger's {found.entries} releases together"
        if found.entries > 1
        else "the ledger's only release"
    )
    if found.total is None:
        yield f"{releases}: no total, for {found.why}"
        return
    said = found.total.as_json()
    numbers = (f"{key} = {said[key]}" for key in ("epsilon", "delta", "order") if said[key])
    yield f"{releases}: {', '.join(numbers)} ({said['by']})"
    if found.remark:
        yield f"  {found.remark}"
    yield from (f"  {line}" for line in lines_of_cap(found))
    yield from (f"  {line}" for line in _whose_of(found))
    yield from (f"  rests on: {sentence}" for sentence in found.rests_on)
