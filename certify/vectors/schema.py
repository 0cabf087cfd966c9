"""Schema of the files: one of cases for each quantity, and an index of them.

Real numbers are text: C99 hex for doubles, reduced fractions for their exact values, decimals
rounded outward for enclosures. No JSON number is anything but a whole one. Run this module to write
the published JSON Schemas again.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta

from ..certificate.parts import DECIMAL, Count, Seed, Sha256, Text, Whole

_VECTORS_TYPE: Final = "https://simplexcert.github.io/vectors/v0"
_DOUBLE = r"(-?inf|-?0x[01]\.[0-9a-f]{1,13}p[+-][0-9]{1,4}|-?0x0\.0p\+0)"
_RATIONAL = "-?[0-9]+(/[0-9]+)?"
_WORD = "[a-z_]{2,32}"

_ADDRESS = "https://[!-~]{1,200}"

_Identifier = Annotated[str, Meta(pattern="^[0-9a-f]{16}$")]


def _published(pattern: str) -> Meta:
    """Return a pattern for the published schema alone.

    msgspec 0.22 corrupts memory where one that it is to match itself is joined to a list.
    """
    return Meta(extra_json_schema={"pattern": f"^{pattern}$"})


# A double, or a word: one of those that a quantity knows, nan, or "neither", which none knows.
_HexOrWord = Annotated[str, _published(f"({_DOUBLE}|{_WORD})")]
Address = Annotated[str, _published(_ADDRESS)]
_Double = Annotated[str, _published(_DOUBLE)]
Decimal = Annotated[str, Meta(extra_json_schema={"pattern": DECIMAL.pattern})]
Rational = Annotated[str, _published(_RATIONAL)]
_RationalOrWord = Annotated[str, _published(f"({_RATIONAL}|-?inf|{_WORD})")]
# What a parameter is, as it is given to an implementation; lists and objects hold the same again.
_Input = _HexOrWord | Whole | list[Any] | dict[str, Any]
_InputExact = _RationalOrWord | list[Any] | dict[str, Any]


class _Closed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table with exactly the fields that are named."""


class Generator(_Closed, frozen=True):
    """What wrote the file."""

    name: Text
    version: Text


class Parameter(_Closed, frozen=True):
    """A parameter: its kind, and the condition that it alone has to satisfy."""

    name: Text
    kind: Literal[
        "real", "integer", "word", "vector", "matrix", "law", "initial",
        "releases", "rows", "chains", "network", "networks", "events",
    ]  # fmt: skip
    domain: Text


class EngineOpinion(_Closed, frozen=True):
    """Who worked a truth out; not rigorous where the width of its enclosure is an estimate."""

    engine: Literal["arb", "mpfr", "mpmath"]
    rigorous: bool
    version: Text


class FlagMeaning(_Closed, frozen=True):
    """What a flag says about a case, the kind of bug it catches, and where to read on."""

    description: Text
    bug: Text
    reference: Text


class VectorCase(_Closed, frozen=True):
    """One case: what is asked, and what has to be answered.

    Where the result is invalid there is no truth, and the five fields of it are null. ``exact`` is
    the truth itself where that is a known rational. ``issue`` is the address of the
    published thread that a case of the corpus comes from, and else null.
    """

    id: _Identifier
    result: Literal["valid", "acceptable", "invalid"]
    flags: list[Text]
    comment: Text
    inputs: dict[Text, _Input]
    inputs_exact: dict[Text, _InputExact]
    lower: Decimal | list[Any] | None
    upper: Decimal | list[Any] | None
    lower_double: _Double | list[Any] | None
    upper_double: _Double | list[Any] | None
    exact: Rational | list[Any] | None
    issue: Address | None


class VectorFile(_Closed, frozen=True):
    """The cases of one quantity, and all that is needed to use them.

    ``accuracy`` is the relative error that is allowed where no side is safe, and else null.
    """

    type: Literal["https://simplexcert.github.io/vectors/v0"]
    schema_version: Literal[1]
    generator: Generator
    seed: Seed
    quantity: Text
    summary: Text
    source: Text
    safe: Literal["upper", "lower", "none"]
    accuracy: Rational | None
    parameters: list[Parameter]
    conditions: list[Text]
    engines: list[EngineOpinion]
    number_of_cases: Count
    flags: dict[Text, FlagMeaning]
    cases: list[VectorCase]


class IndexEntry(_Closed, frozen=True):
    """A file of the folder, and what is in it."""

    file: Text
    sha256: Sha256
    quantity: Text
    valid: Count
    acceptable: Count
    invalid: Count


class Index(_Closed, frozen=True):
    """All files of cases in a folder, in order of name; it is written last."""

    type: Literal["https://simplexcert.github.io/vectors-index/v0"]
    schema_version: Literal[1]
    generator: Generator
    seed: Seed
    files: list[IndexEntry]


_INDEX_TYPE: Final = "https://simplexcert.github.io/vectors-index/v0"


def schema_of(shape: type[VectorFile | Index]) -> dict[str, object]:
    """Return the JSON Schema of a kind of file, made from the classes above."""
    titles = {
        VectorFile: (_VECTORS_TYPE, "simplexcert test vectors, version 0"),
        Index: (_INDEX_TYPE, "simplexcert index of test vectors, version 0"),
    }
    where, title = titles[shape]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"{where}/schema.json",
        "title": title,
        **msgspec.json.schema(shape),
    }


FOLDER = Path(__file__).parent
SCHEMAS: dict[str, type[VectorFile | Index]] = {
    "vectors-v0.schema.json": VectorFile,
    "vectors-index-v0.schema.json": Index,
}


def schema_text(name: str) -> str:
    """Return a schema as the text of the published file."""
    return json.dumps(schema_of(SCHEMAS[name]), indent=2) + "\n"


if __name__ == "__main__":
    for each in SCHEMAS:
        (FOLDER / each).write_text(schema_text(each), encoding="utf-8")
