"""Certificates to make reports from, and a page as a tree of what a reader meets."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

from simplexcert.certify import audit
from simplexcert.certify.audits import Audit
from simplexcert.certify.audits.claim import example_text
from simplexcert.certify.campaign import certify_backend
from simplexcert.certify.certificate import statement_of
from simplexcert.certify.certificate.claim import claim_statement_of
from simplexcert.certify.certificate.issuing import claim_subject
from simplexcert.certify.certificate.models import AnyStatement, ClaimStatement, Statement
from simplexcert.certify.certificate.reading import read_statement
from simplexcert.certify.report.page import page_of
from simplexcert.certify.report.page.parts import Origin

GOOD = Path(__file__).parents[1] / "fast" / "adversarial" / "good"
EXAMPLES = (
    "benvenuti2025-grades",
    "fallin2023-traffic",
    "ponnoprat2023-histogram",
    "song2017-flu",
    "markov-model",
)
# Elements that have no end tag.
_VOID = {"meta", "link", "br", "hr", "img", "input"}


@dataclass
class Reading(HTMLParser):
    """A page taken apart: its tags with attributes, its text, and text by element."""

    tags: list[tuple[str, dict[str, str | None]]] = field(default_factory=list)
    text: str = ""
    inside: list[str] = field(default_factory=list)
    broken: bool = False
    pieces: list[tuple[tuple[str, ...], str]] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__(convert_charrefs=True)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.broken = tag == "wbr"
        if self.broken:  # a place where a line may end, which no reader meets
            return
        self.tags.append((tag, dict(attrs)))
        if tag not in _VOID:
            self.inside.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        self.broken = False
        assert self.inside.pop() == tag, f"{tag} ends where it did not begin"

    def handle_data(self, data: str) -> None:
        if "style" not in self.inside:
            self.text += data
        if self.broken:
            data = self.pieces.pop()[1] + data
        self.broken = False
        self.pieces.append((tuple(self.inside), data))

    def names(self) -> list[str]:
        return [tag for tag, _ in self.tags]

    def within(self, tag: str) -> list[str]:
        return [text for inside, text in self.pieces if inside and inside[-1] == tag]


def taken_apart(page: bytes) -> Reading:
    reading = Reading()
    reading.feed(page.decode("utf-8"))
    reading.close()
    assert reading.inside == []
    return reading


@cache
def audited(example: str) -> Audit:
    return audit(f"example:{example}")


@cache
def release(example: str) -> ClaimStatement:
    subject = claim_subject(example_text(example).encode(), f"example:{example}")
    return claim_statement_of(audited(example), [subject])


@cache
def backend() -> Statement:
    return statement_of(certify_backend(quantities="dirichlet.profile.total_variation", cases=12))


def stated(name: str) -> Statement:
    """Return a good certificate of a backend that is checked in."""
    statement = read_statement((GOOD / f"{name}.json").read_bytes(), name)
    assert isinstance(statement, Statement)
    return statement


def page(
    statement: AnyStatement, found: Audit | None = None, *, keyids: tuple[str, ...] = ()
) -> bytes:
    content, verdict = b"{}", statement.predicate.verdict
    return page_of(statement, Origin(content, "cert.json", keyids, verdict, again=True), found)


@cache
def good_pages() -> dict[str, bytes]:
    releases = {name: page(release(name), audited(name)) for name in EXAMPLES}
    lawless = page(stated("backend-lawless"))
    return {**releases, "backend": page(backend()), "lawless": lawless}
