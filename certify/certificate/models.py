"""The shape of both certificates, version 1: of a backend, and of a release.

Either is an in-toto Statement whose predicate says what was checked or decided. Every field is
required and none may be added, so dropping one is an error and never a pass.
"""

from __future__ import annotations

import re
from datetime import datetime
from typing import Annotated, ClassVar, Final, Literal, TypeAlias

import msgspec
from msgspec import Meta

from ..verdict import Verdict
from . import models_v0
from .models_v0 import (
    STATEMENT_TYPE,
    Closed,
    Digest,
    Engine,
    HypothesisStatus,
    Scope,
    Subject,
    Tool,
)
from .texts import (
    HEX_OR_WORD,
    MAX_CHECKS,
    MAX_DEPTH,
    MAX_ITEMS,
    MAX_SAMPLE,
    MAX_SUBJECTS,
    Count,
    Decimal,
    ExactNumber,
    HexFloatOrWord,
    Listed,
    Object,
    PlainHexFloat,
    Position,
    Seed,
    Table,
    Text,
    Time,
    Ulps,
    Whole,
    require_published,
)

PREDICATE_TYPE: Final = "https://simplexcert.github.io/certificate/v1"
RELEASE_PREDICATE_TYPE: Final = "https://simplexcert.github.io/release-certificate/v1"

_Sentences = Annotated[list[Text], Meta(max_length=MAX_ITEMS)]
_Engines = Annotated[list[Engine], Meta(max_length=MAX_ITEMS)]


def require_time(issued: str | None) -> None:
    """Raise ValueError unless there is such a moment."""
    if issued is not None:
        datetime.fromisoformat(issued)


class Witness(models_v0.Witness, frozen=True):
    """The worst case of a check: exact parameters, the answer, and the truth's enclosure.

    ``entry`` is the place, counted from 1, of the entry that was worst where the answer is a vector
    or a matrix, and empty where it is a number.
    """

    parameters: dict[Text, HexFloatOrWord | Whole | Listed | Object]
    entry: Annotated[list[Position], Meta(max_length=MAX_DEPTH)]

    words: ClassVar[re.Pattern[str]] = HEX_OR_WORD


class Check(models_v0.Check, frozen=True):
    """One check of one quantity."""

    worst: Witness | None
    ulps: Ulps | None


class Sample(Closed, frozen=True):
    """One of the cases that were tried, for a picture: how large the truth, how far the answer.

    ``size`` is about the truth's absolute value. Nothing rests on a sample.
    """

    quantity: Text
    check: Literal["direction", "accuracy"]
    ulps: Ulps
    side: Literal["above", "below", "at", "unknown", "none"]
    size: PlainHexFloat


class Transcript(models_v0.Transcript, frozen=True):
    """The digest of the uncompressed canonical lines of every case, in order, and their number."""

    cases: Count


class Predicate(Closed, frozen=True):
    """What was checked, how, and with what result."""

    verdict: Verdict
    tool: Tool
    engines: _Engines
    issued: Time | None
    seed: Seed
    scope: Scope
    checks: Annotated[list[Check], Meta(max_length=MAX_CHECKS)]
    sample: Annotated[list[Sample], Meta(max_length=MAX_SAMPLE)]
    hypotheses: Annotated[list[HypothesisStatus], Meta(max_length=MAX_ITEMS)]
    non_claims: _Sentences
    transcript: Transcript

    def __post_init__(self) -> None:
        """Require that the time of issue is one."""
        require_time(self.issued)


class Statement(Closed, frozen=True):
    """An in-toto Statement, version 1, about a backend."""

    type: Literal["https://in-toto.io/Statement/v1"] = msgspec.field(name="_type")
    subject: Annotated[list[Subject], Meta(min_length=1, max_length=MAX_SUBJECTS)]
    predicateType: Literal["https://simplexcert.github.io/certificate/v1"]  # noqa: N815
    predicate: Predicate


class ReleaseClaim(Closed, frozen=True):
    """A release and what is said of its privacy; numbers are exact text.

    ``release`` has the keys of a claim file's [release], but no data.
    """

    name: Text
    mechanism: Text
    release: Table
    epsilon: ExactNumber
    delta: ExactNumber | None
    order: ExactNumber | None

    def __post_init__(self) -> None:
        """Require that the release holds text, lists and objects of text."""
        require_published(self.release)


class ReleaseHypothesis(HypothesisStatus, frozen=True):
    """A hypothesis, why it stands so, what that was told from, and what it is asked for.

    What a paper asks for its accuracy alone does not bear on the verdict, nor on its bound.
    """

    note: Text
    rests_on: Literal["parameters", "data"]
    bears_on: Literal["privacy", "accuracy"]


class Evidence(Closed, frozen=True):
    """A term of a number that was asked for, enclosed; the number is the sum of its terms.

    ``of`` says which number: one of ``exact``, of ``bound_off_lattice``, or the witness's.
    """

    of: Literal["exact", "bound_off_lattice", "witness"]
    question: Text
    claimed: ExactNumber
    quantity: Text
    parameters: Table
    times: ExactNumber
    lower: Decimal
    upper: Decimal
    second: Literal["overlaps", "undecided", "inapplicable"]

    def __post_init__(self) -> None:
        """Require that the parameters are text, lists and objects of text."""
        require_published(self.parameters)


class ReleasePredicate(Closed, frozen=True):
    """A claim, the verdict on it, and what the verdict rests on.

    ``paper``, ``exact``, ``bound_off_lattice``, ``rows`` and ``witness`` have the shape that
    ``audit --json`` publishes; there are no rows where a release has none that lose by themselves.
    """

    verdict: Verdict
    tool: Tool
    engines: _Engines
    issued: Time | None
    claim: ReleaseClaim
    hypotheses: Annotated[list[ReleaseHypothesis], Meta(max_length=MAX_ITEMS)]
    paper: Table
    exact: Table
    attained: bool
    bound_off_lattice: Table
    rows: Annotated[list[Table], Meta(max_length=MAX_ITEMS)]
    witness: Table | None
    evidence: Annotated[list[Evidence], Meta(max_length=MAX_ITEMS)]
    non_claims: _Sentences

    def __post_init__(self) -> None:
        """Require that what is published is text, lists and objects of text, and the time one."""
        require_time(self.issued)
        for part in (self.paper, self.exact, self.bound_off_lattice, self.rows, self.witness):
            require_published(part)


class ReleaseStatement(Closed, frozen=True):
    """An in-toto Statement, version 1, about a release."""

    type: Literal["https://in-toto.io/Statement/v1"] = msgspec.field(name="_type")
    subject: Annotated[list[Subject], Meta(min_length=1, max_length=MAX_SUBJECTS)]
    predicateType: Literal["https://simplexcert.github.io/release-certificate/v1"]  # noqa: N815
    predicate: ReleasePredicate


BackendStatement: TypeAlias = Statement | models_v0.Statement
AnyStatement: TypeAlias = Statement | ReleaseStatement | models_v0.Statement

__all__ = [
    "PREDICATE_TYPE",
    "RELEASE_PREDICATE_TYPE",
    "STATEMENT_TYPE",
    "AnyStatement",
    "BackendStatement",
    "Check",
    "Digest",
    "Engine",
    "Evidence",
    "HypothesisStatus",
    "Predicate",
    "ReleaseClaim",
    "ReleaseHypothesis",
    "ReleasePredicate",
    "ReleaseStatement",
    "Sample",
    "Scope",
    "Statement",
    "Subject",
    "Tool",
    "Transcript",
    "Witness",
]
