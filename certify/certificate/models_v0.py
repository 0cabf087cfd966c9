"""Version 0 of a backend's certificate, which is still read, and what later versions share with it.

Every field is required and none may be added, so dropping one is an error and never a pass.
"""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import Annotated, ClassVar, Final, Literal

import msgspec
from msgspec import Meta

from ..verdict import Verdict
from .texts import (
    HEX_OR_START,
    MAX_CHECKS,
    MAX_HEX,
    MAX_ROW,
    MAX_SUBJECTS,
    MAX_VECTOR,
    Count,
    Decimal,
    HexFloat,
    PartName,
    Row,
    Seed,
    Sha256,
    Share,
    Text,
    Whole,
    require_hex,
)

STATEMENT_TYPE: Final = "https://in-toto.io/Statement/v1"
PREDICATE_TYPE_V0: Final = "https://simplexcert.github.io/certificate/v0"

# The words of version 0 were two.
_HexFloatOrStart = Annotated[
    str, Meta(max_length=MAX_HEX, extra_json_schema={"pattern": HEX_OR_START.pattern})
]
_Part = _HexFloatOrStart | Annotated[list[HexFloat | Whole | Row], Meta(max_length=MAX_VECTOR)]
_Object = Annotated[dict[PartName, _Part], Meta(min_length=2, max_length=2)]
_Inner = Annotated[list[HexFloat | Whole | _Object], Meta(min_length=1, max_length=MAX_ROW)]
_Listed = Annotated[list[HexFloat | Whole | _Inner | _Object], Meta(max_length=MAX_VECTOR)]


class Closed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table with exactly the fields that are named."""


class Digest(Closed, frozen=True):
    """How a file is recognised."""

    sha256: Sha256


class Subject(Closed, frozen=True):
    """A file that the certificate is about."""

    name: Text
    digest: Digest

    def __post_init__(self) -> None:
        """Require a name that says where in a folder, and nothing of what is around it."""
        path = PurePosixPath(self.name)
        if not path.parts or path.is_absolute() or ".." in path.parts or str(path) != self.name:
            raise ValueError("Expected the plain relative name of a file")
        if "\\" in self.name or self.name != self.name.strip():
            raise ValueError("Expected the plain relative name of a file")


class Tool(Closed, frozen=True):
    """What made the certificate."""

    name: Text
    version: Text


class Engine(Closed, frozen=True):
    """A library whose arithmetic the certificate rests on."""

    name: Text
    version: Text
    role: Literal["first", "second"]


class Scope(Closed, frozen=True):
    """What was asked for: which backend, which quantities, how many cases of each."""

    backend: Text
    backend_version: Text
    quantities: Text
    cases: Count


class Witness(Closed, frozen=True):
    """The worst case of a check: exact parameters, the answer, and the truth's enclosure."""

    parameters: dict[Text, _HexFloatOrStart | Whole | _Listed | _Object]
    value: Text
    lower: Decimal
    upper: Decimal

    words: ClassVar[re.Pattern[str]] = HEX_OR_START

    def __post_init__(self) -> None:
        """Require that every text in the parameters is a double in hex, or a word in its place."""
        for value in self.parameters.values():
            require_hex(value, self.words)


class Check(Closed, frozen=True):
    """One check of one quantity."""

    quantity: Text
    check: Literal["direction", "accuracy"]
    verdict: Verdict
    cases: Count
    worst: Witness | None
    ulps: Text | None
    side: Literal["above", "below", "at", "unknown", "none"]
    second: Literal["overlaps", "undecided", "inapplicable"]
    slack: Share
    accuracy: Share | None


class HypothesisStatus(Closed, frozen=True):
    """Something that the verdict rests on and how it stands."""

    statement: Text
    status: Literal["holds", "fails", "undecided", "assumed"]
    source: Text


class Transcript(Closed, frozen=True):
    """The digest of the uncompressed canonical lines of every case, in order."""

    sha256: Sha256


class Predicate(Closed, frozen=True):
    """What was checked, how, and with what result."""

    verdict: Verdict
    tool: Tool
    engines: list[Engine]
    seed: Seed
    scope: Scope
    checks: Annotated[list[Check], Meta(max_length=MAX_CHECKS)]
    hypotheses: list[HypothesisStatus]
    non_claims: list[Text]
    transcript: Transcript


class Statement(Closed, frozen=True):
    """An in-toto Statement, version 1."""

    type: Literal["https://in-toto.io/Statement/v1"] = msgspec.field(name="_type")
    subject: Annotated[list[Subject], Meta(min_length=1, max_length=MAX_SUBJECTS)]
    predicateType: Literal["https://simplexcert.github.io/certificate/v0"]  # noqa: N815
    predicate: Predicate
