"""The shape of a certificate: an in-toto Statement whose predicate says what was checked.

Every field is required and none may be added, so dropping one is an error and never a pass. Real
numbers are text: C99 hex for what a backend answered, outward-rounded decimals for enclosures.
"""

from __future__ import annotations

import re
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta

from ...reference.structures import RECORDS
from ..verdict import Verdict

STATEMENT_TYPE: Final = "https://in-toto.io/Statement/v1"
PREDICATE_TYPE: Final = "https://simplexcert.github.io/certificate/v0"

MAX_CHECKS = 10_000
MAX_SUBJECTS = 10_000
MAX_TEXT = 2_000
# A vector's entry has one number, a matrix's two.
MAX_DEPTH = 2
# Of a vector, or rows of a table; and numbers in a row.
MAX_VECTOR = 1_000
MAX_ROW = 16
_SHA256 = "^[0-9a-f]{64}$"
_DECIMAL = r"^(-?inf|-?[0-9]{1,60}(\.[0-9]{1,60})?(e[+-][0-9]{1,12})?)$"
_HEX_FLOAT = r"-?(inf|0x[01]\.[0-9a-f]{1,13}p[+-][0-9]{1,4}|0x0\.0p\+0)"
_PARTS = tuple(name for record in RECORDS for name in record._fields)
_HEX = re.compile(f"^{_HEX_FLOAT}$")
# Which words a parameter may be, its kind says.
_WORD = "(?!inf$)[a-z]{2,32}"
_HEX_OR_WORD = re.compile(f"^({_HEX_FLOAT}|{_WORD})$")
_MAX_HEX = 40

# No control characters: what is printed must not be able to move a terminal's cursor.
Text = Annotated[str, Meta(max_length=MAX_TEXT, pattern=r"^[^\x00-\x1f\x7f-\x9f]*$")]
Sha256 = Annotated[str, Meta(pattern=_SHA256)]
Decimal = Annotated[str, Meta(pattern=_DECIMAL)]
Share = Annotated[str, Meta(pattern=r"^[0-9]{1,400}(/[0-9]{1,400})?$")]
# msgspec 0.22 corrupts memory where a pattern is joined to a list or an object: these patterns are
# published here, and required where a witness is made.
HexFloat = Annotated[str, Meta(max_length=_MAX_HEX, extra_json_schema={"pattern": _HEX.pattern})]
HexFloatOrWord = Annotated[
    str, Meta(max_length=_MAX_HEX, extra_json_schema={"pattern": _HEX_OR_WORD.pattern})
]
Count = Annotated[int, Meta(ge=0, le=2**53 - 1)]
Position = Annotated[int, Meta(ge=1, le=2**53 - 1)]
Whole = Annotated[int, Meta(ge=-(2**53) + 1, le=2**53 - 1)]
Row = Annotated[list[HexFloat | Whole], Meta(min_length=1, max_length=MAX_ROW)]
# A word, a vector or a table, which may be empty where a node of a network has no parents.
Part = HexFloatOrWord | Annotated[list[HexFloat | Whole | Row], Meta(max_length=MAX_VECTOR)]
# A chain's law, a law on the line, a node of a network; which of them, the quantity says.
PartName = Annotated[str, Meta(pattern=f"^({'|'.join(_PARTS)})$")]
Object = Annotated[dict[PartName, Part], Meta(min_length=2, max_length=2)]
# A row, or a network.
Inner = Annotated[list[HexFloat | Whole | Object], Meta(min_length=1, max_length=MAX_ROW)]
# A vector, a table, a list of chains or of networks; that it is one of them, the quantity says.
Listed = Annotated[list[HexFloat | Whole | Inner | Object], Meta(max_length=MAX_VECTOR)]
Seed = Annotated[int, Meta(ge=-(2**53) + 1, le=2**53 - 1)]


class _Closed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table with exactly the fields that are named."""


class Digest(_Closed, frozen=True):
    """How a file is recognised."""

    sha256: Sha256


class Subject(_Closed, frozen=True):
    """A file that the certificate is about."""

    name: Text
    digest: Digest


class Tool(_Closed, frozen=True):
    """What made the certificate."""

    name: Text
    version: Text


class Engine(_Closed, frozen=True):
    """A library whose arithmetic the certificate rests on."""

    name: Text
    version: Text
    role: Literal["first", "second"]


class Scope(_Closed, frozen=True):
    """What was asked for: which backend, which quantities, how many cases of each."""

    backend: Text
    backend_version: Text
    quantities: Text
    cases: Count


class Witness(_Closed, frozen=True):
    """The worst case of a check: exact parameters, the answer, and the truth's enclosure.

    ``entry`` is the place, counted from 1, of the entry that was worst where the answer is a vector
    or a matrix, and empty where it is a number.
    """

    parameters: dict[Text, HexFloatOrWord | Whole | Listed | Object]
    entry: Annotated[list[Position], Meta(max_length=MAX_DEPTH)]
    value: Text
    lower: Decimal
    upper: Decimal

    def __post_init__(self) -> None:
        """Require that every text in the parameters is a double in hex, or a word in its place."""
        for value in self.parameters.values():
            _require_hex(value, _HEX_OR_WORD)


def is_word(text: str) -> bool:
    """Whether a text could be a word that stands for a parameter, and is no double in hex."""
    return re.fullmatch(_WORD, text) is not None


def _require_hex(value: Any, pattern: re.Pattern[str]) -> None:
    if isinstance(value, str) and not pattern.fullmatch(value):
        raise ValueError("Expected a double in hex")
    if isinstance(value, list):
        for item in value:
            _require_hex(item, _HEX)
    if isinstance(value, dict):
        for name, item in value.items():
            _require_hex(item, _HEX_OR_WORD if name == "initial" else _HEX)


class Check(_Closed, frozen=True):
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


class HypothesisStatus(_Closed, frozen=True):
    """Something that the verdict rests on and how it stands."""

    statement: Text
    status: Literal["holds", "fails", "undecided", "assumed"]
    source: Text


class Transcript(_Closed, frozen=True):
    """The digest of the uncompressed canonical lines of every case, in order."""

    sha256: Sha256


class Predicate(_Closed, frozen=True):
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


class Statement(_Closed, frozen=True):
    """An in-toto Statement, version 1."""

    type: Literal["https://in-toto.io/Statement/v1"] = msgspec.field(name="_type")
    subject: Annotated[list[Subject], Meta(min_length=1, max_length=MAX_SUBJECTS)]
    predicateType: Literal["https://simplexcert.github.io/certificate/v0"]  # noqa: N815
    predicate: Predicate


def schema() -> dict[str, object]:
    """Return the JSON Schema of a certificate, made from the classes above."""
    made = msgspec.json.schema(Statement)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"{PREDICATE_TYPE}/schema.json",
        "title": "simplexcert certificate, version 0",
        **made,
    }
