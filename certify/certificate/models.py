"""The shape of a backend's certificate, and all models that are read, by their names.

It is an in-toto Statement whose predicate says what was checked and with what result. Every field
is required and none may be added, so dropping one is an error and never a pass.
"""

from __future__ import annotations

from typing import Annotated, Final, Literal, TypeAlias

import msgspec
from msgspec import Meta

from ..verdict import Verdict
from .models_claim import (
    CLAIM_TYPE,
    ClaimPredicate,
    ClaimStatement,
    Evidence,
    ReleaseClaim,
    ReleaseHypothesis,
)
from .models_papers import PAPERS_TYPE, PapersPredicate, PapersStatement
from .models_parts import (
    STATEMENT_TYPE,
    Closed,
    Digest,
    Engine,
    Engines,
    HypothesisStatus,
    Sentences,
    Subject,
    Tool,
    require_time,
)
from .models_released import Release
from .texts import (
    MAX_CHECKS,
    MAX_DEPTH,
    MAX_ITEMS,
    MAX_NAMES,
    MAX_OTHERS,
    MAX_SAMPLE,
    MAX_SUBJECTS,
    Count,
    Decimal,
    HexFloatOrWord,
    Listed,
    Object,
    PlainHexFloat,
    Position,
    Seed,
    Sha256,
    Share,
    Text,
    Time,
    Ulps,
    Whole,
    require_hex,
)

BACKEND_TYPE: Final = "https://simplexcert.github.io/backend/v1"

# Against the truth, the first two; against other answers and what follows from them, the laws.
CheckName: TypeAlias = Literal[
    "direction", "accuracy", "determinism", "monotone", "limit", "inverse", "adjacency"
]
SamplerName: TypeAlias = Literal["dirichlet", "laplace"]
_Parameters: TypeAlias = dict[Text, HexFloatOrWord | Whole | Listed | Object]


def _require_hex_parameters(parameters: _Parameters) -> None:
    for value in parameters.values():
        require_hex(value)


class Scope(Closed, frozen=True):
    """What was asked for: which backend, which quantities, how many cases of each.

    ``names`` are the quantities that the glob matched when the certificate was issued; those that
    came later are not in its scope. ``samplers`` says whether samplers were asked for.
    """

    backend: Text
    backend_version: Text
    quantities: Text
    names: Annotated[list[Text], Meta(min_length=1, max_length=MAX_NAMES)]
    cases: Count
    samplers: bool


class Answered(Closed, frozen=True):
    """One more answer that a law compares with; ``value`` is null where it is a truth."""

    quantity: Text
    parameters: _Parameters
    value: Text | None

    def __post_init__(self) -> None:
        """Require that every text in the parameters is a double in hex, or a word in its place."""
        _require_hex_parameters(self.parameters)


class Witness(Closed, frozen=True):
    """The worst case of a check: exact parameters, the answer, and what it was held against.

    That is the truth's enclosure, or of a law what the law holds the answer against, which follows
    from ``others``. ``entry`` is the place, counted from 1, of the entry that was worst where the
    answer is a vector or a matrix, and empty where it is a number.
    """

    parameters: _Parameters
    value: Text
    lower: Decimal
    upper: Decimal
    entry: Annotated[list[Position], Meta(max_length=MAX_DEPTH)]
    others: Annotated[list[Answered], Meta(max_length=MAX_OTHERS)]

    def __post_init__(self) -> None:
        """Require that every text in the parameters is a double in hex, or a word in its place."""
        _require_hex_parameters(self.parameters)


class Check(Closed, frozen=True):
    """One check of one quantity."""

    quantity: Text
    check: CheckName
    verdict: Verdict
    cases: Count
    worst: Witness | None
    ulps: Ulps | None
    side: Literal["above", "below", "at", "unknown", "none"]
    second: Literal["overlaps", "undecided", "inapplicable"]
    slack: Share
    accuracy: Share | None


class Ends(Closed, frozen=True):
    """An enclosure: two decimals, rounded outward."""

    lower: Decimal
    upper: Decimal


class SamplerTest(Closed, frozen=True):
    """How many of so many draws an event held for, its exact probability, and how odd that is."""

    test: Text
    parameters: _Parameters
    draws: Count
    count: Count
    probability: Ends
    verdict: Verdict
    tail: Ends

    def __post_init__(self) -> None:
        """Require that every text in the parameters is a double in hex, or a word in its place."""
        _require_hex_parameters(self.parameters)


class Sampler(Closed, frozen=True):
    """The tests of one sampler at one point, and the rate of false alarms they are made for."""

    sampler: SamplerName
    verdict: Verdict
    parameters: _Parameters
    draws: Count
    seed: Seed
    tests: Annotated[list[SamplerTest], Meta(max_length=MAX_ITEMS)]
    false_alarm: Share
    tests_in_all: Count

    def __post_init__(self) -> None:
        """Require that every text in the parameters is a double in hex, or a word in its place."""
        _require_hex_parameters(self.parameters)


class Sample(Closed, frozen=True):
    """One of the cases that were tried, for a picture: how large the truth, how far the answer.

    ``size`` is about the truth's absolute value. Nothing rests on a sample.
    """

    quantity: Text
    check: Literal["direction", "accuracy"]
    ulps: Ulps
    side: Literal["above", "below", "at", "unknown", "none"]
    size: PlainHexFloat


class Transcript(Closed, frozen=True):
    """The digest of the uncompressed canonical lines of every case, in order, and their number."""

    sha256: Sha256
    cases: Count


class Predicate(Closed, frozen=True):
    """What was checked, how, and with what result."""

    verdict: Verdict
    tool: Tool
    engines: Engines
    issued: Time | None
    seed: Seed
    scope: Scope
    checks: Annotated[list[Check], Meta(max_length=MAX_CHECKS)]
    samplers_offered: Annotated[list[SamplerName], Meta(max_length=MAX_ITEMS)]
    samplers: Annotated[list[Sampler], Meta(max_length=MAX_ITEMS)]
    sample: Annotated[list[Sample], Meta(max_length=MAX_SAMPLE)]
    hypotheses: Annotated[list[HypothesisStatus], Meta(max_length=MAX_ITEMS)]
    non_claims: Sentences
    transcript: Transcript

    def __post_init__(self) -> None:
        """Require that the time of issue is one."""
        require_time(self.issued)


class Statement(Closed, frozen=True):
    """An in-toto Statement, version 1, about a backend."""

    type: Literal["https://in-toto.io/Statement/v1"] = msgspec.field(name="_type")
    subject: Annotated[list[Subject], Meta(min_length=1, max_length=MAX_SUBJECTS)]
    predicateType: Literal["https://simplexcert.github.io/backend/v1"]  # noqa: N815
    predicate: Predicate


AnyStatement: TypeAlias = Statement | ClaimStatement | PapersStatement

__all__ = [
    "BACKEND_TYPE",
    "CLAIM_TYPE",
    "PAPERS_TYPE",
    "STATEMENT_TYPE",
    "Answered",
    "AnyStatement",
    "Check",
    "ClaimPredicate",
    "ClaimStatement",
    "Digest",
    "Engine",
    "Evidence",
    "HypothesisStatus",
    "PapersPredicate",
    "PapersStatement",
    "Predicate",
    "Release",
    "ReleaseClaim",
    "ReleaseHypothesis",
    "Sample",
    "Sampler",
    "SamplerTest",
    "Scope",
    "Statement",
    "Subject",
    "Tool",
    "Transcript",
    "Witness",
]
