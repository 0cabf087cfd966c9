"""The marks by which a file is known to be ours: of each format that is written, what it bears.

A file may be written over when it is empty or bears the mark of the very format that is to be
written; any other is somebody's, and is refused. A mark is no proof: who copies it has allowed it.
"""

from __future__ import annotations

import base64
import binascii
import re
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, BinaryIO, Final

import msgspec

# Nothing that is written as JSON here is larger: an envelope of the largest certificate.
_MOST_BYTES: Final = 24 * 1024 * 1024
# Other formats bear their marks so near to their beginning.
_HEAD_BYTES: Final = 4096
_HOME: Final = "https://simplexcert.github.io/"
_NAME: Final = "simplexcert"
# How a line of a transcript begins: its keys are in canonical order.
_CASE: Final = re.compile(
    rb'\{"check":"[^"]+","entry":\[[0-9,]*\],"exact":(null,"kind":"(drawn|found)",|"-?0x)'
)


@dataclass(frozen=True)
class Mark:
    """What each file of one format bears; ``kind`` is what people call such a file."""

    kind: str
    is_borne: Callable[[BinaryIO], bool]


class _Driver(msgspec.Struct):
    name: str


class _Tool(msgspec.Struct):
    driver: _Driver


class _Run(msgspec.Struct):
    tool: _Tool


class _Sarif(msgspec.Struct):
    runs: list[_Run]


class _Typed(msgspec.Struct):
    type: str


class _Statement(msgspec.Struct):
    predicateType: str  # noqa: N815


class _Envelope(msgspec.Struct):
    payload: str
    payloadType: str  # noqa: N815


class _Identified(msgspec.Struct):
    id: str = msgspec.field(name="$id")


class _Simulation(msgspec.Struct):
    warning: str
    finding: str
    draws: int


def _decoded(content: bytes, model: type[Any]) -> Any:
    """Return what JSON holds of a shape, whatever else is in it; None where it is no such JSON."""
    try:
        return msgspec.json.decode(content, type=model)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None


def _json(stream: BinaryIO, model: type[Any]) -> Any:
    content = stream.read(_MOST_BYTES + 1)
    return None if len(content) > _MOST_BYTES else _decoded(content, model)


def _is_certificate(stream: BinaryIO) -> bool:
    content = stream.read(_MOST_BYTES + 1)
    if len(content) > _MOST_BYTES:
        return False
    envelope = _decoded(content, _Envelope)
    if envelope is not None:
        try:
            content = base64.b64decode(envelope.payload, validate=True)
        except (binascii.Error, ValueError):
            return False
    found = _decoded(content, _Statement)
    return found is not None and found.predicateType.startswith(_HOME)


def _is_of_type(name: str) -> Callable[[BinaryIO], bool]:
    def is_borne(stream: BinaryIO) -> bool:
        found = _json(stream, _Typed)
        return found is not None and found.type.startswith(f"{_HOME}{name}/")

    return is_borne


def _is_schema(stream: BinaryIO) -> bool:
    found = _json(stream, _Identified)
    return found is not None and found.id.startswith(_HOME)


def _is_sarif(stream: BinaryIO) -> bool:
    found = _json(stream, _Sarif)
    return bool(found) and [run.tool.driver.name for run in found.runs] == [_NAME]


def _is_simulation(stream: BinaryIO) -> bool:
    found = _json(stream, _Simulation)
    return found is not None and found.warning.startswith("NOT PRIVATE: ")


def _is_transcript(stream: BinaryIO) -> bool:
    """Whether this is compressed by gzip, and holds a case first, or nothing at all."""
    unpacking = zlib.decompressobj(zlib.MAX_WBITS | 16)
    try:
        first = unpacking.decompress(stream.read(_HEAD_BYTES), _HEAD_BYTES)
    except zlib.error:
        return False
    if not first:
        return unpacking.eof and not unpacking.unused_data and not stream.read(1)
    return _CASE.match(first) is not None


def _begins(pattern: bytes) -> Callable[[BinaryIO], bool]:
    form = re.compile(pattern, re.DOTALL)
    return lambda stream: form.match(stream.read(_HEAD_BYTES)) is not None


def _is_pdf(stream: BinaryIO) -> bool:
    """Whether this is a PDF file that says, near its end, who made it."""
    content = stream.read(_MOST_BYTES + 1)
    return content.startswith(b"%PDF-") and b"/Creator (simplexcert)" in content


CERTIFICATE: Final = Mark("certificate", _is_certificate)
TRANSCRIPT: Final = Mark("transcript", _is_transcript)
LEDGER: Final = Mark("ledger", _is_of_type("release-ledger"))
REPORT: Final = Mark(
    "report", _begins(rb'<!DOCTYPE html>.{0,200}<meta name="generator" content="simplexcert">')
)
COQ: Final = Mark("proof for Coq", _begins(rb"\(\* simplexcert: "))
JUNIT: Final = Mark("JUnit file", _begins(rb'<\?xml [^>]*>\s*<testsuites name="simplexcert"'))
SARIF: Final = Mark("SARIF file", _is_sarif)
EXPECTED: Final = Mark(
    "file of expected failures", _begins(rb"# simplexcert: failures that are expected")
)
VECTORS: Final = Mark("file of test vectors", _is_of_type("vectors"))
INDEX: Final = Mark("index of test vectors", _is_of_type("vectors-index"))
SCHEMA: Final = Mark("schema", _is_schema)
VECTORS_PAGE: Final = Mark(
    "page on test vectors", _begins(rb"# Test vectors\n.{0,400}\$ simplexcert vectors ")
)
SIMULATION: Final = Mark("simulation", _is_simulation)
ERRORS: Final = Mark("table of errors", _begins(rb"# NOT PRIVATE: [^\n]*\nepsilon,"))
PNG: Final = Mark("plot", _begins(rb"\x89PNG\r\n\x1a\n.*tEXtSoftware\x00simplexcert"))
SVG: Final = Mark("plot", _begins(rb"<\?xml .*<dc:title>simplexcert</dc:title>"))
PDF: Final = Mark("plot", _is_pdf)
CURVE: Final = Mark(
    "curve",
    _begins(
        rb"([A-Za-z_]+,)+((lower,upper)|(exact_lower,exact_upper,printed,claimed)),verdict\n"
        rb"[^\n]*,(certified|proved|undecided)\n"
    ),
)
# What this package itself is made of, which its own developers write again.
PACKAGED: Final = Mark("file of this package", lambda _: True)
