"""Read the bytes of a certificate: every limit, before anything is believed.

What is read is hostile until checked. The bytes are of bounded size, their JSON has no duplicate
keys, its nesting, lists and texts are bounded before a model is made, and the whole must be the
canonical JSON (RFC 8785) of what it says.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

import msgspec
import rfc8785

from ...reference.errors import InputError
from ...reference.exact import MAX_VALUES, parse_json, shown
from .errors import (
    CanonicalFormError,
    CertificateError,
    LimitError,
    ShapeError,
    VersionError,
    in_quotes,
)
from .models import BACKEND_TYPE, CLAIM_TYPE, AnyStatement, ClaimStatement, Statement
from .models_papers import PAPERS_TYPE, PapersStatement
from .parts import MAX_EXACT_TEXT

MAX_CERTIFICATE_BYTES: Final = 16 * 1024 * 1024
# A network's table in a witness lies twelve deep.
MAX_JSON_DEPTH: Final = 20
# Values of every kind in all, keys among them; a campaign of all quantities has some ten thousand.
MAX_JSON_VALUES: Final = MAX_VALUES

_MODELS: Final[Mapping[str, type[AnyStatement]]] = {
    BACKEND_TYPE: Statement,
    CLAIM_TYPE: ClaimStatement,
    PAPERS_TYPE: PapersStatement,
}
# What is not seen, or changes the order in which text is shown: soft hyphens, joiners, spaces of no
# width, marks of direction, separators of lines, tags, and letters that are blank.
_HIDDEN: Final = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e"
    "\u2060-\u206f\u2800\u3164\ufeff\uffa0\ufff0-\ufffb\U000e0000-\U000e007f]"
)
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f]")


def read_statement(content: bytes, name: str) -> AnyStatement:
    """Return the statement, of any kind, that the bytes canonically are.

    Raises InputError if they are no JSON at all, a CertificateError if they are no certificate.
    """
    require_size(content, name)
    value = parse_json(content, name)  # refuses duplicate keys, numbers of unreasonable size
    require_bounded(value, name)
    return _modelled(content, _model(value, name), name)


def require_size(content: bytes, name: str) -> None:
    """Raise InputError for more bytes than are read."""
    if len(content) > MAX_CERTIFICATE_BYTES:
        raise InputError(f"{name} is larger than {MAX_CERTIFICATE_BYTES} bytes; it is not read")


def require_bounded(value: Any, name: str, most: int | None = None) -> None:
    """Raise LimitError or ShapeError unless depth, number and text of all values are bounded.

    There may be ``most`` of them, by default as many as in a certificate.
    """
    most = MAX_JSON_VALUES if most is None else most
    level, count = [value], 0
    for _ in range(MAX_JSON_DEPTH):
        inner: list[Any] = []
        for item in level:
            if isinstance(item, str):
                _require_plain(item, name)
            elif isinstance(item, dict):
                inner.extend(item)
                inner.extend(item.values())
            elif isinstance(item, list):
                inner.extend(item)
        count += len(level)
        if count > most:
            raise LimitError(f"{name} holds more than {most} values")
        if not inner:
            return
        level = inner
    raise LimitError(f"{name} is nested more than {MAX_JSON_DEPTH} deep")


def _require_plain(text: str, name: str) -> None:
    if len(text) > MAX_EXACT_TEXT:
        raise LimitError(f"{name} holds a text of {len(text)} characters")
    hidden = not text.isascii() and _HIDDEN.search(text)
    # The models' patterns would let a line end stand last.
    if hidden or _CONTROL.search(text):
        raise ShapeError(f"{name} holds the invisible mark in {shown(text)}")


def _model(value: Any, name: str) -> type[AnyStatement]:
    """Return the model of the statement's type."""
    said = value.get("predicateType") if isinstance(value, dict) else None
    if said is None:
        raise ShapeError(f"{name} is no certificate: it has no predicateType")
    if not isinstance(said, str) or said not in _MODELS:
        # The version stands last, so it is told whole.
        what = in_quotes(said) if isinstance(said, str) else shown(said)
        raise VersionError(f"{name} has the predicateType {what}; known are {', '.join(_MODELS)}")
    return _MODELS[said]


def _modelled(content: bytes, model: type[AnyStatement], name: str) -> AnyStatement:
    try:
        statement = msgspec.json.decode(content, type=model)
    except (msgspec.ValidationError, msgspec.DecodeError, RecursionError) as error:
        raise ShapeError(f"{name} is not a certificate of its kind: {error}") from None
    if canonical_bytes(statement, name) != content:
        raise CanonicalFormError(f"{name} is not in canonical form (RFC 8785)")
    return statement


def canonical_bytes(statement: AnyStatement, name: str = "the certificate") -> bytes:
    """Return the statement as canonical JSON (RFC 8785)."""
    try:
        return rfc8785.dumps(msgspec.to_builtins(statement))
    except rfc8785.CanonicalizationError as error:
        raise CanonicalFormError(f"{name} has no canonical form: {error}") from None


def require_readable(statement: AnyStatement) -> None:
    """Raise InputError where a statement that is issued could not be read again."""
    try:
        read_statement(canonical_bytes(statement), "the certificate")
    except CertificateError as error:
        raise InputError(f"no certificate can say this: {error}") from None
