"""The register for people and for programs: a table by paper, or every finding."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rich.console import Console
from rich.table import Column, Table
from rich.text import Text

from ..papers.derive import Derived, Recorded, differing, record_of, recorded, standing_of
from ..papers.statement import PAPERS, Statement, statements
from ..verdict import Verdict
from .terminal import COLOURS, console_here

_Found = Mapping[str, Derived]


def claims_as_json(names: Sequence[str], found: _Found | None) -> dict[str, object]:
    """Return the published shape: the recorded verdicts, or those just derived."""
    known, all_of = recorded(), statements()
    return {
        "schema_version": 1,
        "derived": found is not None,
        "claims": [
            {**_line(all_of[name], known.get(name), found), **_details(name, found)}
            for name in names
        ],
        "differing": [] if found is None else differing(found),
    }


def _line(claim: Statement, known: Recorded | None, found: _Found | None) -> dict[str, object]:
    line = known if found is None else record_of(found[claim.id])
    return {
        **claim.as_json(),
        "verdict": line.verdict.value if line else Verdict.UNDECIDED.value,
        "strength": line.strength.value if line else "not recorded",
        "standing": _standing(claim, line),
        "repairs": claim.repairs or None,
        "note": f"proofs_notes/{claim.note}",
    }


def _standing(claim: Statement, line: Recorded | None) -> str:
    if line is None:
        return "not recorded"
    return standing_of(claim, line)


def _details(name: str, found: _Found | None) -> dict[str, object]:
    if found is None:
        return {}
    one = found[name]
    return {
        "evidence": [finding.as_json() for finding in one.findings],
        "of_proof": [finding.as_json() for finding in one.of_proof],
        "readings": [
            {
                "says": reading.says,
                "verdict": reading.verdict.value,
                "evidence": [finding.as_json() for finding in reading.findings],
            }
            for reading in one.readings
        ],
    }


def print_claims(names: Sequence[str], found: _Found | None) -> None:
    """Print a table for each paper; of a single entry, its evidence too where it was derived."""
    console = console_here()
    known, all_of = recorded(), statements()
    for paper, title in PAPERS.items():
        chosen = [all_of[name] for name in names if all_of[name].paper == paper]
        if chosen:
            console.print(f"{paper}: {title}", markup=False)
            console.print(_table(chosen, known, found))
            console.print()
    if found is not None:
        _print_evidence(console, found)


def _table(
    chosen: Sequence[Statement], known: Mapping[str, Recorded], found: _Found | None
) -> Table:
    table = Table(
        Column("claim", no_wrap=True),
        "verdict",
        "rests on",
        "how it stands",
        "what it says",
        box=None,
        pad_edge=False,
    )
    for claim in chosen:
        line = known.get(claim.id) if found is None else record_of(found[claim.id])
        verdict = line.verdict if line else Verdict.UNDECIDED
        table.add_row(
            claim.id,
            f"[{COLOURS[verdict]}]{verdict.value}[/]",
            line.strength.value if line else "not recorded",
            _standing(claim, line),
            Text(claim.says.partition(". ")[0]),
        )
    return table


def _print_evidence(console: Console, found: _Found) -> None:
    """Print the evidence of a single entry, and for more of them where they differ."""
    if len(found) == 1:
        for one in found.values():
            for line in _evidence_lines(one):
                console.print(line, markup=False, soft_wrap=True)
    for name in differing(found):
        console.print(f"differs from what is recorded: {name}", markup=False)


def _evidence_lines(one: Derived) -> Iterator[str]:
    for title, findings in (
        ("evidence", one.findings),
        *((f"read as: {reading.says}", reading.findings) for reading in one.readings),
        ("of the printed proof", one.of_proof),
    ):
        if findings:
            yield title
        for finding in findings:
            yield f"  {finding.verdict.value} ({finding.strength.value}): {finding.says}"
            for number in finding.numbers:
                yield f"    {number.of} in [{number.lower}, {number.upper}]"
