"""The shape of a made release's certificate, version 1, and of the release itself.

The certificate holds a release's certificate whole and adds how the release was made. Every field
is required and none may be added, so dropping one is an error and never a pass.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal, TypeAlias

import msgspec
from msgspec import Meta

from ..mechanisms.protocol import SAMPLING
from ..verdict import Verdict
from .models_parts import Closed, Engine, Sentences, Subject, Tool
from .models_release import ClaimPredicate
from .texts import ExactNumber, Published, Table, Text, require_published

MADE_TYPE: Final = "https://simplexcert.github.io/made-release-certificate/v1"
# The version of the release's own file.
SCHEMA_VERSION: Final = 1
# The claim file, and the release.
SUBJECTS: Final = 2
# Coordinates of a released vector, or rows; no mechanism has more.
MAX_RELEASED: Final = 1_000_000

DrawnFrom: TypeAlias = Literal["operating system", "seed"]
# A seed is a whole number below 2^64.
Seeded = Annotated[str, Meta(pattern="^(0|[1-9][0-9]{0,19})$")]
Names = Annotated[list[Text], Meta(min_length=1, max_length=MAX_RELEASED)]


class Said(Closed, frozen=True):
    """What is claimed; exactly one of delta and order is given."""

    epsilon: ExactNumber
    delta: ExactNumber | None
    order: ExactNumber | None


class Released(Closed, frozen=True):
    """A release as it is published: a vector of the simplex, rows of such, or noisy numbers.

    ``release`` are the mechanism's public parameters, ``value`` exact decimals, one text, a list,
    or a list for each of ``rows``. Each is a multiple of ``grid``.
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


class Making(Closed, frozen=True):
    """How a release was made, by the word of whoever issued this; ``file`` is the release."""

    private: bool
    drawn_from: DrawnFrom
    seed: Seeded | None
    grid: ExactNumber
    file: Subject
    non_claims: Sentences


class MadePredicate(Closed, frozen=True):
    """A release's claim with all that its verdict rests on, and how the release was made.

    ``verdict`` is on the release that was made: inapplicable where it was drawn from a seed, for
    then what is claimed of the mechanism does not hold of it.
    """

    verdict: Verdict
    release: ClaimPredicate
    made: Making

    @property
    def tool(self) -> Tool:
        """What made the certificate."""
        return self.release.tool

    @property
    def engines(self) -> list[Engine]:
        """The libraries whose arithmetic it rests on."""
        return self.release.engines

    @property
    def issued(self) -> str | None:
        """When it was issued, where that is told."""
        return self.release.issued

    @property
    def non_claims(self) -> list[str]:
        """What is said neither of the claim nor of the making.

        That a release was drawn exactly no claim says, but its making does.
        """
        of_the_claim = (sentence for sentence in self.release.non_claims if sentence != SAMPLING)
        return [*of_the_claim, *self.made.non_claims]


class MadeStatement(Closed, frozen=True):
    """An in-toto Statement, version 1, about a release that was made, and its claim file."""

    type: Literal["https://in-toto.io/Statement/v1"] = msgspec.field(name="_type")
    subject: Annotated[list[Subject], Meta(min_length=SUBJECTS, max_length=SUBJECTS)]
    predicateType: Literal[  # noqa: N815
        "https://simplexcert.github.io/made-release-certificate/v1"
    ]
    predicate: MadePredicate
