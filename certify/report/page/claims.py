"""The report of the register's certificate: every statement of the papers, in their own order.

All entries are set out alike and in full, whatever their verdict; no paper stands above another.
"""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from typing import Any, Final

from ...certificate.models_papers import PaperEntry, PaperFinding, PapersStatement
from ...verdict import Verdict
from .parts import Origin, colour_of, page_context, rendered, sign_of

# In the words of the certificate; what each means, for a reader who sees them first here.
_VERDICTS: Final = {
    "certified": "every part of the statement is shown, in the most favourable sense of it; or a "
    "printed number is reproduced.",
    "refuted": "there are exact inputs that satisfy each hypothesis listed, where the statement "
    "does not hold; or a printed number is not the one that the paper's own inputs give.",
    "undecided": "neither a proof nor a counterexample is known here.",
    "inapplicable": "not decidable here, for the reason that stands there, such as data that are "
    "not published.",
}
_STRENGTHS: Final = {
    "exact identity": "rational or symbolic arithmetic without rounding.",
    "rigorous counterexample": "exact inputs and disjoint enclosures, by two engines or two ways.",
    "proof, its formulas executed": "a proof in words, in the note that is named; its formulas "
    "were executed.",
    "certified over a box": "interval subdivision over all parameters of a box, and a proof "
    "beyond it.",
    "enclosed number": "a number enclosed between two others, by two engines or two ways.",
    "sampled only": "tried, with the counts that stand there; that decides nothing.",
    "not decidable here": "the reason stands there.",
}


def claims_report(statement: PapersStatement, origin: Origin) -> bytes:
    """Return the page for the register of claims."""
    predicate = statement.predicate
    known = {entry.id for entry in predicate.entries}
    papers = [
        {
            "name": paper.paper,
            "title": paper.title,
            "counts": paper.counts,
            "entries": [_shown(x, known) for x in predicate.entries if x.paper == paper.paper],
        }
        for paper in predicate.papers
    ]
    specific: dict[str, Any] = {
        "kind": "Certificate of published statements",
        "title": _title(len(predicate.entries), len(papers)),
        # There is no verdict on the whole, so its colour and its sign are nobody's.
        "word": "Verdicts",
        "sign": "",
        "colour": "",
        "sentence": "Each statement stands in our own words, in the sense that favours it most, "
        "with the verdict on it and all that the verdict rests on. A verdict is about that one "
        "statement, not about its paper.",
        "exactly": _how_derived(origin),
        "pattern": predicate.pattern,
        "papers": papers,
        "counts": predicate.counts,
        "verdicts": [(name, _colour(name), said) for name, said in _VERDICTS.items()],
        "strengths": _STRENGTHS.items(),
    }
    contents = [("counts", "Counts"), ("words", "What the words mean")]
    contents += [(paper.paper, paper.paper) for paper in predicate.papers]
    return rendered("claims.html", page_context(statement, origin, contents) | specific)


def _title(entries: int, papers: int) -> str:
    statements = f"{entries} statement" + ("" if entries == 1 else "s")
    return f"{statements} of {papers} paper" + ("" if papers == 1 else "s")


def _how_derived(origin: Origin) -> str:
    if origin.verdict is not Verdict.CERTIFIED:
        return "What stands here is what the certificate states."
    when = "when this page was made" if origin.again else "when the certificate was made"
    return f"Every verdict was derived from its evidence {when}."


def _colour(verdict: str) -> str:
    return colour_of(Verdict(verdict))


def _shown(entry: PaperEntry, known: AbstractSet[str]) -> dict[str, Any]:
    """Return an entry as it is set out: the same parts for each, whatever its verdict."""
    groups = [("Evidence", "", _evidence(entry.evidence))]
    groups += [
        (f"Read as: {reading.says}", reading.verdict, _evidence(reading.evidence))
        for reading in entry.readings
    ]
    groups += [("Of the printed proof", "", _evidence(entry.of_proof))] if entry.of_proof else []
    return {
        "entry": entry,
        "repairs_one_here": entry.repairs in known,
        "colour": _colour(entry.verdict),
        "sign": sign_of(Verdict(entry.verdict)),
        "groups": [
            {"title": title, "verdict": verdict, "colour": _colour(verdict) if verdict else "",
             "evidence": evidence}
            for title, verdict, evidence in groups
        ],
    }  # fmt: skip


def _evidence(findings: Iterable[PaperFinding]) -> list[dict[str, Any]]:
    return [{"finding": finding, "colour": colour_of(finding.verdict)} for finding in findings]
