"""An entry of the register: what a paper states, where, under which hypotheses, and the evidence.

The verdict is never written down here: it is derived from the evidence.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ..verdict import Verdict
from .evidence import Evidence
from .findings import STRONGEST_FIRST, Finding, Strength

Paper = Literal["gohari2020", "fallin2023", "benvenuti2025", "ponnoprat2023", "song2017"]
Kind = Literal[
    "theorem",
    "lemma",
    "corollary",
    "proposition",
    "remark",
    "definition",
    "algorithm",
    "example",
    "equation",
    "number",
    "figure",
    "repair",
]


@dataclass(frozen=True)
class Reading:
    """Another way to read a statement, decided as well.

    ``beyond``: it says more than the page does, so that refuting it takes nothing from the page.
    """

    says: str
    evidence: tuple[Evidence, ...]
    beyond: bool = False


@dataclass(frozen=True)
class Claim:
    """What a paper states, in our words and notation. The rules stand in proofs_notes/claims.md.

    ``evidence`` is about what is printed, in the most favourable of the senses that the page leaves
    open; ``readings`` are the others. ``hypotheses`` are printed ones, or say of what the statement
    speaks at all. ``of_proof`` is about steps of the printed proof. A ``repairs`` entry states what
    is true in the place of another, which ``adds`` hypotheses to it or changes what it says.
    ``garbled`` tells where the text at hand may differ from the page. ``note`` is a file of
    proofs_notes.
    """

    id: str
    kind: Kind
    where: str
    says: str
    note: str
    evidence: tuple[Evidence, ...]
    hypotheses: tuple[str, ...] = ()
    readings: tuple[Reading, ...] = ()
    of_proof: tuple[Evidence, ...] = ()
    repairs: str = ""
    adds: tuple[str, ...] = ()
    garbled: str = ""

    @property
    def paper(self) -> str:
        """The paper by first author and year."""
        return self.id.partition(".")[0]

    @property
    def stated(self) -> dict[str, str | list[str]]:
        """What is stated and where, as it is published."""
        return {
            "id": self.id,
            "paper": self.paper,
            "kind": self.kind,
            "where": self.where,
            "says": self.says,
            "hypotheses": list(self.hypotheses),
        }


def verdict_of(findings: tuple[Finding, ...]) -> Verdict:
    """Return what findings say of a statement, all of whose parts have to be shown.

    Anything refuted refutes it; an error, or a deciding part that is undecided, stands above what
    is certified; no deciding part at all is no result.
    """
    found = {finding.verdict for finding in findings}
    deciding = {finding.verdict for finding in findings if finding.decides}
    if {Verdict.ERROR} & found:
        return Verdict.ERROR
    if Verdict.REFUTED in found:
        return Verdict.REFUTED
    if deciding == {Verdict.CERTIFIED}:
        return Verdict.CERTIFIED
    return Verdict.INAPPLICABLE if deciding <= {Verdict.INAPPLICABLE} else Verdict.UNDECIDED


def strength_of(findings: tuple[Finding, ...], verdict: Verdict) -> Strength:
    """Return the weakest of what a certified statement rests on, the strongest that refutes one.

    Of any other, the strongest that speaks of it: what there is.
    """
    if verdict is Verdict.CERTIFIED:
        return max(
            (finding.strength for finding in findings if finding.decides),
            key=STRONGEST_FIRST.index,
        )
    speak = [finding for finding in findings if finding.verdict is verdict] or list(findings)
    return min((finding.strength for finding in speak), key=STRONGEST_FIRST.index)
