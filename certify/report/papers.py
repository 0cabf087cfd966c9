"""The register for people and for programs: a table by paper, or every finding."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from rich.console import Console
from rich.text import Text

from ..papers.derive import Derived, Recorded, differing, record_of, recorded, standing_of
from ..papers.statement import PAPERS, Statement, statements
from ..verdict import Verdict
from .terminal import COLOURS, console_here, print_folded

_Found = Mapping[str, Derived]
_WIDTH: Final = max(len(verdict.value) for verdict in Verdict)
_UNDER: Final = " " * (_WIDTH + 2)


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


def print_claims(
    names: Sequence[str], found: _Found | None, *, quiet: bool = False, verbose: bool = False
) -> None:
    """Print how many statements have each verdict, and each of them, by paper.

    Of a single entry, and of all with ``verbose``, the evidence too where it was derived.
    """
    console = console_here()
    known, all_of = recorded(), statements()
    lines = {name: known.get(name) if found is None else record_of(found[name]) for name in names}
    print_folded(console, _counted(lines.values(), found))
    if quiet:
        return
    for paper, title in PAPERS.items():
        chosen = [all_of[name] for name in names if all_of[name].paper == paper]
        if chosen:
            console.print(f"\n{paper}: {title}", markup=False)
            for claim in chosen:
                _print_line(console, claim, lines[claim.id])
    if found is not None:
        _print_evidence(console, found, every=verbose or len(found) == 1)


def _counted(lines: Iterable[Recorded | None], found: _Found | None) -> str:
    """Return how many have each verdict; a refuted statement is a finding, no failure."""
    counts = Counter(_verdict(line) for line in lines)
    said = ", ".join(f"{counts[one]} {one.value}" for one in Verdict if counts[one])
    number = counts.total()
    about = f"{number} published statement{'s' * (number > 1)}: {said}"
    if found is None:
        return f"{about}; as recorded"
    differ = len(differing(found))
    return f"{about}; {f'{differ} differ from' if differ else 'all as in'} the record"


def _verdict(line: Recorded | None) -> Verdict:
    return line.verdict if line else Verdict.UNDECIDED


def _print_line(console: Console, claim: Statement, line: Recorded | None) -> None:
    """Print an entry: its verdict and name, what it rests on, and under them what it says."""
    verdict = _verdict(line)
    rests = f"{line.strength.value}; {_standing(claim, line)}" if line else "not recorded"
    before = Text(f"{verdict.value.ljust(_WIDTH)}  ", COLOURS[verdict])
    print_folded(console, f"{claim.id}  ({rests})", before, _UNDER)
    print_folded(console, claim.says.partition(". ")[0], _UNDER, _UNDER)


def _print_evidence(console: Console, found: _Found, *, every: bool) -> None:
    """Print the evidence of every entry if asked, and which differ from what is recorded."""
    for name, one in found.items() if every else ():
        console.print(f"\n{name}", markup=False)
        for line in _evidence_lines(one):
            print_folded(console, line, "", "    ")
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
