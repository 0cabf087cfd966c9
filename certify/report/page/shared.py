"""What the pages of both kinds of certificate have in common."""

from __future__ import annotations

from typing import Any

from ...certificate.models import AnyStatement, PapersStatement
from ...verdict import Verdict
from .origin import Origin
from .words import colour_of, sign_of, title_of

_LAST = [
    ("not-claimed", "Not claimed"),
    ("verify", "How to verify"),
    ("provenance", "Provenance"),
]
_EXAMPLE = "example:"
_NOT_ALL = (
    "When the certificate was checked for this report, not every verdict could be derived again in "
    "the time that is given."
)
_STATUS_COLOURS = {"holds": "certified", "fails": "refuted", "undecided": "open", "assumed": "open"}


def page_context(
    statement: AnyStatement, origin: Origin, contents: list[tuple[str, str]]
) -> dict[str, Any]:
    """Return what the template of every page needs."""
    predicate = statement.predicate
    names = [item.name for item in statement.subject if not item.name.startswith(_EXAMPLE)]
    return {
        "word": title_of(origin.verdict),
        "sign": sign_of(origin.verdict),
        "colour": colour_of(origin.verdict),
        "differs": _difference(statement, origin),
        "contents": contents + _LAST,
        "non_claims": predicate.non_claims,
        "commands": origin.commands(names),
        "origin": origin,
        "checked": _how_checked(origin),
        "tool": predicate.tool,
        "engines": predicate.engines,
        "issued": predicate.issued,
        "subjects": statement.subject,
        "status_colours": _STATUS_COLOURS,
    }


def _difference(statement: AnyStatement, origin: Origin) -> str | None:
    """Say so where checking did not come to what the certificate says."""
    if isinstance(statement, PapersStatement):
        return None if origin.verdict is Verdict.CERTIFIED else _NOT_ALL
    said = statement.predicate.verdict
    if said is origin.verdict:
        return None
    return (
        f"The certificate says {said.value}; when it was checked for this report, that could not "
        f"be found again in the time that is given, and it came to {origin.verdict.value}."
    )


def _how_checked(origin: Origin) -> str:
    if origin.again:
        return "It was verified when this page was made."
    return "This page was made together with it."
