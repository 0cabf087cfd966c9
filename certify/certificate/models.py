"""The shapes of a backend's and of a claim's certificate, and of the file of a release.

Each is an in-toto Statement whose predicate says what was checked or claimed, and with what result.
Every field is required and none may be added, so dropping one is an error and never a pass.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, TypeAlias

import msgspec
from msgspec import Meta

from ..backends.protocol import SAMPLERS
from ..checks.judgement import AGAINST_THE_TRUTH
from ..checks.relations import LAWS
from ..verdict import Verdict
from .models_papers import PapersStatement
from .parts import (
    MAX_CHECKS,
    MAX_DEPTH,
    MAX_ITEMS,
    MAX_NAMES,
    MAX_OTHERS,
    MAX_SAMPLE,
    MAX_SUBJECTS,
    AnswerText,
    Closed,
    Count,
    Decimal,
    Engines,
    ExactNumber,
    HexFloatOrWord,
    HypothesisStatus,
    Listed,
    Object,
    PlainHexFloat,
    Position,
    Published,
    Seed,
    Sentences,
    Sha256,
    Share,
    Subject,
    Table,
    Text,
    Time,
    Tool,
    Ulps,
    Whole,
    require_hex,
    require_published,
    require_time,
)

# The version of the release's own file.
SCHEMA_VERSION: Final = 1
# Coordinates of a released vector, or rows; no mechanism has more.
MAX_RELEASED: Final = 1_000_000

DrawnFrom: TypeAlias = Literal["operating system", "seed"]
# A seed is a whole number below 2^64.
Seeded = Annotated[str, Meta(pattern="^(0|[1-9][0-9]{0,19})$")]
Names = Annotated[list[Text], Meta(min_length=1, max_length=MAX_RELEASED)]


# Of each row the coordinates in which neighbours may differ; one list where all have the same.
Protected = Annotated[list[Names], Meta(min_length=1, max_length=MAX_RELEASED)]


class Said(Closed, frozen=True):
    """What is claimed; exactly one of delta and order is given."""

    epsilon: ExactNumber
    delta: ExactNumber | None
    order: ExactNumber | None


class Released(Closed, frozen=True):
    """A release as it is published: a vector of the simplex, rows of such, or noisy numbers.

    ``release`` are the mechanism's public parameters, ``value`` exact decimals, one text, a list,
    or a list for each of ``rows``. Each is a multiple of ``grid``. ``protected`` are the names of
    the coordinates in which neighbours may differ, null where in all.
    """

    schema_version: Literal[1]
    name: Text
    mechanism: Text
    private: bool
    drawn_from: DrawnFrom
    seed: Seeded | None
    claim: Said
    release: Table
    grid: ExactNumber
    names: Names
    rows: Names | None
    protected: Protected | None
    value: Published
    tool: Tool

    def __post_init__(self) -> None:
        """Require that the release holds text, lists and objects of text, the value text."""
        require_published(self.release)
        _require_texts(self.value)


def _require_texts(value: Any) -> None:
    """Raise ValueError unless this is text, a list of texts, or a list of lists of texts."""
    rows = value if isinstance(value, list) else [value]
    for row in rows:
        for item in row if isinstance(row, list) else [row]:
            if not isinstance(item, str):
                raise ValueError("Expected decimals as text, in at most two lists")  # noqa: TRY004


class Release(Closed, frozen=True):
    """The release that was drawn under a claim, by the word of whoever issued this.

    ``ledger`` is the head of the ledger that it was added to, as it was before: who sees two
    releases with one head knows that a ledger was turned back. It is null without a ledger.
    ``protected`` is what the release says of itself.
    """

    private: bool
    drawn_from: DrawnFrom
    seed: Seeded | None
    grid: ExactNumber
    protected: Protected | None
    file: Subject
    ledger: Sha256 | None


CLAIM_TYPE: Final = "https://simplexcert.github.io/claim/v1"


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


class ClaimPredicate(Closed, frozen=True):
    """A claim, the verdict on it, and what the verdict rests on.

    Where a ``release`` was drawn under it, the claim is certified, and ``verdict`` is on that:
    inapplicable where it was drawn from a seed, for then what is claimed does not hold of it.
    ``paper``, ``exact``, ``bound_off_lattice``, ``rows`` and ``witness`` have the shape that
    ``audit --json`` publishes; there are no rows where a release has none that lose by themselves.
    """

    verdict: Verdict
    tool: Tool
    engines: Engines
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
    non_claims: Sentences
    release: Release | None

    def __post_init__(self) -> None:
        """Require that what is published is text, lists and objects of text, and the time one."""
        require_time(self.issued)
        for part in (self.paper, self.exact, self.bound_off_lattice, self.rows, self.witness):
            require_published(part)


class ClaimStatement(Closed, frozen=True):
    """An in-toto Statement, version 1, about a claim, and a release under it."""

    type: Literal["https://in-toto.io/Statement/v1"] = msgspec.field(name="_type")
    subject: Annotated[list[Subject], Meta(min_length=1, max_length=MAX_SUBJECTS)]
    predicateType: Literal["https://simplexcert.github.io/claim/v1"]  # noqa: N815
    predicate: ClaimPredicate


BACKEND_TYPE: Final = "https://simplexcert.github.io/backend/v1"

# Against the truth, the first two; against other answers and what follows from them, the relations.
if TYPE_CHECKING:
    CheckName: TypeAlias = str
    SamplerName: TypeAlias = str
else:
    CheckName = Literal[(*AGAINST_THE_TRUTH, *LAWS)]
    SamplerName = Literal[SAMPLERS]
# A closed interval for every number of a parameter, or for how many entries it has.
_Ranges: TypeAlias = Annotated[
    dict[Text, Annotated[list[ExactNumber], Meta(min_length=2, max_length=2)]],
    Meta(min_length=1, max_length=MAX_ITEMS),
]
_Parameters: TypeAlias = dict[Text, HexFloatOrWord | Whole | Listed | Object]


def _require_hex_parameters(parameters: _Parameters) -> None:
    for value in parameters.values():
        require_hex(value)


class Scope(Closed, frozen=True):
    """What was asked for: which backend, which quantities, how many cases of each.

    ``names`` are the quantities that the glob matched when the certificate was issued; those that
    came later are not in its scope. ``screen`` is how many points of each that is not slow were
    only looked at, for places to try. ``samplers`` says whether samplers were asked for.
    """

    backend: Text
    backend_version: Text
    quantities: Text
    names: Annotated[list[Text], Meta(min_length=1, max_length=MAX_NAMES)]
    cases: Count
    screen: Count
    samplers: bool


class Answered(Closed, frozen=True):
    """One more answer that a relation compares with; ``value`` is null where it is a truth."""

    quantity: Text
    parameters: _Parameters
    value: AnswerText | None

    def __post_init__(self) -> None:
        """Require that every text in the parameters is a double in hex, or a word in its place."""
        _require_hex_parameters(self.parameters)


class Witness(Closed, frozen=True):
    """The worst case of a check: exact parameters, the answer, and what it was held against.

    That is the truth's enclosure, or of a relation what it holds the answer against, which follows
    from ``others``. ``entry`` is the place, counted from 1, of the entry that was worst where the
    answer is a vector or a matrix, and empty where it is a number.
    """

    parameters: _Parameters
    value: AnswerText
    lower: Decimal
    upper: Decimal
    entry: Annotated[list[Position], Meta(max_length=MAX_DEPTH)]
    others: Annotated[list[Answered], Meta(max_length=MAX_OTHERS)]

    def __post_init__(self) -> None:
        """Require that every text in the parameters is a double in hex, or a word in its place."""
        _require_hex_parameters(self.parameters)


class Check(Closed, frozen=True):
    """One check of one quantity.

    Of its cases so many were ``wrong``, and so many no answer at all (``errors``). Of a check
    against the truth ``open`` are those where more can be said than the end of the range that is
    always safe, and ``trivial`` those of them that were answered by that end. Of a relation
    ``loose`` are coarser than they need be, where nothing better was promised. ``domain`` and
    ``direction`` are what the backend declares of the quantity, null where nothing.
    """

    quantity: Text
    check: CheckName
    verdict: Verdict
    cases: Count
    wrong: Count
    errors: Count
    open: Count
    trivial: Count
    loose: Count
    worst: Witness | None
    ulps: Ulps | None
    side: Literal["above", "below", "at", "unknown", "none"]
    second: Literal["overlaps", "undecided", "inapplicable"]
    slack: Share
    accuracy: Share | None
    domain: _Ranges | None
    direction: Literal["upper", "lower", "estimate"] | None


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

    ``size`` is about the truth's absolute value. Nothing rests on a sample, which is of the cases
    of a transcript, where that is given.
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
