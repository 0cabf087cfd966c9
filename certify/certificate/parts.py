"""The texts, numbers and parts that certificates of every kind are made of.

Every length, depth and size has its limit here, so that a hostile file is refused while it is read.
"""

from __future__ import annotations

import re
from datetime import datetime
from pathlib import PurePosixPath
from typing import Annotated, Any, Final, Literal, TypeAlias

import msgspec
from msgspec import Meta

from ...reference.exact import MAX_DECIMAL_EXPONENT, MAX_DIGITS
from ...reference.structures import RECORDS

MAX_CHECKS = 10_000
MAX_SUBJECTS = 10_000
# Quantities in a scope; each has seven checks at most.
MAX_NAMES = MAX_CHECKS // 7
# Further answers that one case of a relation is held against; none asks for more than a few.
MAX_OTHERS = 16
MAX_TEXT = 2_000
# A vector's entry has one number, a matrix's two.
MAX_DEPTH = 2
# Of a vector, or rows of a table; and numbers in a row.
MAX_VECTOR = 1_000
MAX_ROW = 16
# Of a record; an event of DP-SGD has as many.
MAX_PARTS = max(len(record._fields) for record in RECORDS)
# Cases that are kept for the report's plot.
MAX_SAMPLE = 1_000
# Sentences, hypotheses, engines and numbers of one release; the longest real list has some ten.
MAX_ITEMS = 1_000
# Either part of an exact number that is read has fewer digits than this (reference/exact.py).
MAX_EXACT_DIGITS = MAX_DIGITS + MAX_DECIMAL_EXPONENT
MAX_EXACT_TEXT = 2 * MAX_EXACT_DIGITS + 2
# A release's deepest parameter is a list of networks: of nodes, of tables, of rows, of numbers.
MAX_EXACT_DEPTH = 6
MAX_HEX = 40
# An answer that no double is: a fraction, of so many digits in either part (backends/answers.py).
MAX_ANSWER = 2 * MAX_DIGITS + len("-/")
_SAFE = 2**53 - 1  # what JSON carries exactly

_SHA256 = "^[0-9a-f]{64}$"
# Exponents of printed decimals have up to 17 digits (reference/dyadic.py), as that of a delta at a
# large epsilon.
_MAGNITUDE = r"[0-9]{1,60}(\.[0-9]{1,60})?(e[+-][0-9]{1,17})?"
DECIMAL = re.compile(f"^(-?inf|-?{_MAGNITUDE})$")
_DIGITS = f"[0-9]{{1,{MAX_EXACT_DIGITS}}}"
_HEX_FLOAT = r"-?(inf|0x[01]\.[0-9a-f]{1,13}p[+-][0-9]{1,4}|0x0\.0p\+0)"
_PARTS = tuple(dict.fromkeys(name for record in RECORDS for name in record._fields))
# Which parts of a record may be words, and which words a parameter may be, its kind says.
_WORDS = ("initial", "mechanism")
_WORD = "(?!inf$)[a-z][a-z_]{1,31}"
# RFC 3339 in UTC and to the second; whether there is such a day is checked when it is read.
_TIME = "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$"
HEX = re.compile(f"^{_HEX_FLOAT}$")
HEX_OR_WORD = re.compile(f"^({_HEX_FLOAT}|{_WORD})$")

# No control characters: what is printed must not be able to move a terminal's cursor.
Text = Annotated[str, Meta(max_length=MAX_TEXT, pattern=r"^[^\x00-\x1f\x7f-\x9f]*$")]
AnswerText = Annotated[str, Meta(max_length=MAX_ANSWER, pattern=r"^[^\x00-\x1f\x7f-\x9f]*$")]
# As packages are numbered: nothing else is told in its place.
Version = Annotated[str, Meta(pattern=r"^[0-9][0-9A-Za-z.!+_-]{0,60}$")]
Sha256 = Annotated[str, Meta(pattern=_SHA256)]
Decimal = Annotated[str, Meta(pattern=DECIMAL.pattern)]
Share = Annotated[str, Meta(pattern=r"^[0-9]{1,400}(/[0-9]{1,400})?$")]
Time = Annotated[str, Meta(pattern=_TIME)]
# A distance in units in the last place, rounded up; `unbounded` is the distance to infinity.
Ulps = Annotated[str, Meta(pattern=f"^(unbounded|{_MAGNITUDE})$")]
ExactNumber = Annotated[str, Meta(max_length=MAX_EXACT_TEXT, pattern=f"^-?{_DIGITS}(/{_DIGITS})?$")]
PlainHexFloat = Annotated[str, Meta(max_length=MAX_HEX, pattern=HEX.pattern)]
HexFloat = Annotated[str, Meta(max_length=MAX_HEX, extra_json_schema={"pattern": HEX.pattern})]
HexFloatOrWord = Annotated[
    str, Meta(max_length=MAX_HEX, extra_json_schema={"pattern": HEX_OR_WORD.pattern})
]
Count = Annotated[int, Meta(ge=0, le=_SAFE)]
Position = Annotated[int, Meta(ge=1, le=_SAFE)]
Whole = Annotated[int, Meta(ge=-_SAFE, le=_SAFE)]
Seed = Annotated[int, Meta(ge=-_SAFE, le=_SAFE)]
Row = Annotated[list[HexFloat | Whole], Meta(min_length=1, max_length=MAX_ROW)]
# A word, a number, a vector or a table; empty where a node of a network has no parents.
Part = HexFloatOrWord | Whole | Annotated[list[HexFloat | Whole | Row], Meta(max_length=MAX_VECTOR)]
# A chain's law, a law on the line, a node of a network, an event; which one, the quantity says.
PartName = Annotated[str, Meta(pattern=f"^({'|'.join(_PARTS)})$")]
Object = Annotated[dict[PartName, Part], Meta(min_length=2, max_length=MAX_PARTS)]
# A row, or a network.
Inner = Annotated[list[HexFloat | Whole | Object], Meta(min_length=1, max_length=MAX_ROW)]
# A vector, a table, a list of chains or of networks; that it is one of them, the quantity says.
Listed = Annotated[list[HexFloat | Whole | Inner | Object], Meta(max_length=MAX_VECTOR)]

# What `audit --json` publishes: text (a number's is exact, an enclosure's ends are decimals), lists
# and objects of such, and in the paper's part truth values and null.
PUBLISHED_SCHEMA: dict[str, Any] = {
    "anyOf": [
        {"type": "string", "maxLength": MAX_EXACT_TEXT},
        {"type": "boolean"},
        {"type": "null"},
        {"type": "array", "items": {"$ref": "#/$defs/Published"}},
        {"type": "object", "additionalProperties": {"$ref": "#/$defs/Published"}},
    ]
}
# At run time any JSON value, of which `require_published` is asked where a model is made.
Published: TypeAlias = Annotated[Any, Meta(extra_json_schema={"$ref": "#/$defs/Published"})]
Table = Annotated[dict[Text, Published], Meta(max_length=MAX_ITEMS)]


def require_hex(value: Any, *, word: bool = True) -> None:
    """Raise ValueError unless every text is a double in hex, or a word where that may stand."""
    if isinstance(value, str) and not (HEX_OR_WORD if word else HEX).fullmatch(value):
        raise ValueError("Expected a double in hex")
    if isinstance(value, list):
        for item in value:
            require_hex(item, word=False)
    if isinstance(value, dict):
        for name, item in value.items():
            require_hex(item, word=name in _WORDS)


def require_published(value: Any, depth: int = MAX_EXACT_DEPTH) -> None:
    """Raise ValueError unless this is text, a truth value, null, or lists and objects of such."""
    if value is None or isinstance(value, bool):
        return
    if isinstance(value, str):
        if len(value) > MAX_EXACT_TEXT:
            raise ValueError(f"Expected text of at most {MAX_EXACT_TEXT} characters")
        return
    if not isinstance(value, list | dict):
        raise ValueError("Expected text, a list or an object: numbers are written as text")  # noqa: TRY004
    if depth == 0:
        raise ValueError(f"Expected at most {MAX_EXACT_DEPTH} lists or objects in each other")
    for item in value.values() if isinstance(value, dict) else value:
        require_published(item, depth - 1)


STATEMENT_TYPE: Final = "https://in-toto.io/Statement/v1"


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

    name: Literal["simplexcert"]
    version: Version


class Engine(Closed, frozen=True):
    """A library whose arithmetic the certificate rests on."""

    name: Text
    version: Version
    role: Literal["first", "second"]


class HypothesisStatus(Closed, frozen=True):
    """Something that the verdict rests on and how it stands."""

    statement: Text
    status: Literal["holds", "fails", "undecided", "assumed"]
    source: Text


Sentences = Annotated[list[Text], Meta(max_length=MAX_ITEMS)]
Engines = Annotated[list[Engine], Meta(max_length=MAX_ITEMS)]


def require_time(issued: str | None) -> None:
    """Raise ValueError unless there is such a moment."""
    if issued is not None:
        datetime.fromisoformat(issued)
