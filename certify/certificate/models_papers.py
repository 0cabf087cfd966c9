"""The shape of a certificate of the register of claims, version 1.

It is an in-toto Statement whose predicate gives the verdict on each statement of the papers, with
all that it rests on. Every field is required and none may be added, so dropping one is an error.
"""

from __future__ import annotations

from typing import Annotated, Final, Literal, TypeAlias

import msgspec
from msgspec import Meta

from ..papers.evidence import Strength
from ..papers.statement import Kind
from ..verdict import Verdict
from .parts import (
    MAX_ITEMS,
    MAX_SUBJECTS,
    Closed,
    Count,
    Decimal,
    Engines,
    Sentences,
    Subject,
    Text,
    Time,
    Tool,
    require_time,
)

PAPERS_TYPE: Final = "https://simplexcert.github.io/papers/v1"

# The five papers have some three hundred statements.
MAX_ENTRIES = 10_000
# What a proof executes is listed in one text, and so are the exact inputs of a number.
MAX_LONG_TEXT = 20_000
LongText = Annotated[str, Meta(max_length=MAX_LONG_TEXT, pattern=r"^[^\x00-\x1f\x7f-\x9f]*$")]
# An entry is never an error: that would be a fault of the register.
Decided: TypeAlias = Literal["certified", "refuted", "undecided", "inapplicable"]
_Texts: TypeAlias = Annotated[list[LongText], Meta(max_length=MAX_ITEMS)]


class PaperNumber(Closed, frozen=True):
    """A number that a verdict rests on, enclosed; ``of`` says of what, with exact inputs."""

    of: LongText
    lower: Decimal
    upper: Decimal
    second: Literal["overlaps"]


class PaperFinding(Closed, frozen=True):
    """What one piece of evidence came to; what does not decide only supports."""

    strength: Strength
    verdict: Verdict
    says: LongText
    decides: bool
    numbers: Annotated[list[PaperNumber], Meta(max_length=MAX_ITEMS)]


_Findings: TypeAlias = Annotated[list[PaperFinding], Meta(max_length=MAX_ITEMS)]


class PaperReading(Closed, frozen=True):
    """Another way to read a statement, decided as well."""

    says: LongText
    verdict: Decided
    evidence: _Findings


class PaperEntry(Closed, frozen=True):
    """A statement of a paper, in our words, and the verdict on it.

    ``repairs`` names the entry in whose place it stands. ``garbled`` tells where the text at hand
    may differ from the page; it is empty where nothing does.
    """

    id: Text
    paper: Text
    kind: Kind
    where: LongText
    says: LongText
    hypotheses: _Texts
    adds: _Texts
    repairs: Text | None
    garbled: LongText
    note: Text
    verdict: Decided
    strength: Strength
    proof_fails: bool
    standing: LongText
    evidence: _Findings
    readings: Annotated[list[PaperReading], Meta(max_length=MAX_ITEMS)]
    of_proof: _Findings


class VerdictCounts(Closed, frozen=True):
    """How many entries have each verdict."""

    certified: Count
    refuted: Count
    undecided: Count
    inapplicable: Count


class PaperCounts(Closed, frozen=True):
    """A paper, and how many of its entries have each verdict."""

    paper: Text
    title: Text
    counts: VerdictCounts


class PapersPredicate(Closed, frozen=True):
    """The entries that a glob matches, in the register's order, and their counts.

    There is no verdict on the whole: a refuted statement is a finding about that statement.
    """

    tool: Tool
    engines: Engines
    issued: Time | None
    pattern: Text
    counts: VerdictCounts
    papers: Annotated[list[PaperCounts], Meta(max_length=MAX_ITEMS)]
    entries: Annotated[list[PaperEntry], Meta(min_length=1, max_length=MAX_ENTRIES)]
    non_claims: Sentences

    def __post_init__(self) -> None:
        """Require that the time of issue is one."""
        require_time(self.issued)


class PapersStatement(Closed, frozen=True):
    """An in-toto Statement, version 1, about the register of claims."""

    type: Literal["https://in-toto.io/Statement/v1"] = msgspec.field(name="_type")
    subject: Annotated[list[Subject], Meta(min_length=1, max_length=MAX_SUBJECTS)]
    predicateType: Literal["https://simplexcert.github.io/papers/v1"]  # noqa: N815
    predicate: PapersPredicate
