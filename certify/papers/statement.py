"""A statement of a paper: its words, place and hypotheses, its evidence; and the register of all.

The verdict is never written down here: it is derived from the evidence.
"""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from importlib import import_module
from typing import Literal

from ..verdict import Verdict
from .evidence import STRONGEST_FIRST, Evidence, Finding, Strength

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
class Statement:
    """A statement of a paper, in our words and notation. The rules stand in proofs_notes/claims.md.

    ``evidence`` is about what is printed, in the most favourable of the senses that the page leaves
    open; ``readings`` are the others. ``hypotheses`` are printed ones, or say of what the statement
    speaks at all. ``of_proof`` is about steps of the printed proof. A ``repairs`` statement is what
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

    def as_json(self) -> dict[str, str | list[str]]:
        """Return the published shape: the words of the statement, and where they stand."""
        return {
            "id": self.id,
            "paper": self.paper,
            "kind": self.kind,
            "where": self.where,
            "says": self.says,
            "hypotheses": list(self.hypotheses),
        }


def verdict_of(findings: tuple[Finding, ...]) -> Verdict:
    """Return the verdict on a statement, all of whose parts have to be shown.

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
    """Return the weakest strength that certifies a statement, or the strongest that refutes one.

    Of any other it is the strongest finding that speaks of it.
    """
    if verdict is Verdict.CERTIFIED:
        return max(
            (finding.strength for finding in findings if finding.decides),
            key=STRONGEST_FIRST.index,
        )
    speak = [finding for finding in findings if finding.verdict is verdict] or list(findings)
    return min((finding.strength for finding in speak), key=STRONGEST_FIRST.index)


# Each has a package of its own, which holds them as STATEMENTS.
PAPERS = {
    "gohari2020": "The Dirichlet mechanism for differential privacy on the unit simplex",
    "fallin2023": (
        "Differential privacy for stochastic matrices using the matrix Dirichlet mechanism"
    ),
    "benvenuti2025": "Differentially private data-driven Markov chain modeling",
    "ponnoprat2023": "Dirichlet mechanism for differentially private KL divergence minimization",
    "song2017": "Pufferfish privacy mechanisms for correlated data",
}

AUTHORS = {
    "gohari2020": "Gohari, Wu, Hale, Topcu",
    "fallin2023": "Fallin, Hawkins, Chen, Gohari, Benvenuti, Topcu, Hale",
    "benvenuti2025": "Benvenuti, Fallin, Hawkins, Bialy, Dennis, Dixon, Hale",
    "ponnoprat2023": "Ponnoprat",
    "song2017": "Song, Wang, Chaudhuri",
}


def year_of(paper: str) -> str:
    """Return the year that a paper's key ends in."""
    return paper[-4:]


def statements(pattern: str = "*") -> dict[str, Statement]:
    """Return the statements whose id matches a glob, papers in order."""
    return {name: statement for name, statement in _all().items() if fnmatchcase(name, pattern)}


@cache
def _all() -> dict[str, Statement]:
    found: dict[str, Statement] = {}
    for paper in PAPERS:
        for statement in import_module(f".{paper}", __package__).STATEMENTS:
            if statement.id in found or statement.paper != paper:
                raise ValueError(
                    f"the statement {statement.id} stands twice, or in another paper's place"
                )
            found[statement.id] = statement
    for statement in found.values():
        if statement.repairs and statement.repairs not in found:
            raise ValueError(f"{statement.id} repairs {statement.repairs}, which is no statement")
    return found


def repairs_of(identifier: str) -> tuple[Statement, ...]:
    """Return the statements that repair another."""
    return tuple(statement for statement in _all().values() if statement.repairs == identifier)
