"""The shape of a claim's certificate.

It is an in-toto Statement whose predicate says what was claimed and decided. Every field is
required and none may be added, so dropping one is an error and never a pass.
"""

from __future__ import annotations

from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta

from ..verdict import Verdict
from .models_parts import Closed, Engines, HypothesisStatus, Sentences, Subject, Tool, require_time
from .models_released import Release
from .texts import (
    MAX_ITEMS,
    MAX_SUBJECTS,
    Decimal,
    ExactNumber,
    Table,
    Text,
    Time,
    require_published,
)

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
