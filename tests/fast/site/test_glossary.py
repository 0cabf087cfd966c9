"""The glossary: each word that messages and help use in a sense of their own, in two sentences."""

from __future__ import annotations

import re

from each import each_of
from simplexcert.certify.cli.running import simplexcert
from simplexcert.certify.report.explained import GLOSSARY
from simplexcert.reference.quantity import Truth
from site_pages import OWN, ROOT

PAGE = (OWN / "glossary.md").read_text(encoding="utf-8")
ENTRIES = dict(re.findall(r"^## (.+)\n\n((?:.+\n)+)", PAGE, re.MULTILINE))
# What people read: pages, notes, what is printed, and what a claim file says.
READ = [
    ROOT / "README.md",
    *OWN.glob("*.md"),
    *(ROOT / "proofs_notes").glob("*.md"),
    *(ROOT / "certify").rglob("*.toml"),
    *(ROOT / "certify" / "report").rglob("*.py"),
    *(ROOT / "certify" / "cli").glob("*.py"),
    ROOT / "reference" / "vocabulary.py",
]


@each_of(
    "term",
    [
        "attained", "backend", "enclosure", "floor", "good set", "least", "loose", "neighbour",
        "quilt", "safe side", "slack", "step", "tight", "vacuous",
    ],
)  # fmt: skip
def test_a_word_of_our_own_has_its_entry(term: str) -> None:
    assert term in ENTRIES


def test_what_a_quantity_is_said_to_be_has_its_entry() -> None:
    assert {each.value for each in Truth} <= set(ENTRIES)


@each_of("term", sorted(ENTRIES))
def test_an_entry_is_two_sentences_and_a_link(term: str) -> None:
    text = " ".join(ENTRIES[term].split())
    assert len(re.findall(r"\.(?= [A-Z]|$)", text)) == 2, text
    assert re.search(r": \[[^]]+\]\([^)]+\)\.$", text), text


def test_entries_are_in_order_and_every_heading_is_one() -> None:
    assert list(ENTRIES) == sorted(ENTRIES) == re.findall("^## (.+)$", PAGE, re.MULTILINE)


@each_of("term", sorted(ENTRIES))
def test_a_word_that_has_an_entry_is_used_where_people_read(term: str) -> None:
    word = re.compile(rf"\b{term}", re.IGNORECASE)
    used = [each for each in READ if word.search(each.read_text(encoding="utf-8"))]
    assert {each for each in used if each.name != "glossary.md"}


def test_the_help_points_to_it() -> None:
    assert (ROOT / GLOSSARY).read_text(encoding="utf-8") == PAGE
    for command in (simplexcert, simplexcert.commands["quantities"]):
        assert GLOSSARY in " ".join((command.help or "").split())
