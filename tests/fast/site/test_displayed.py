"""Formulas on lines of their own in a note, as the site shows them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from importlib import import_module
from xml.etree import ElementTree as ET

import pytest
from markdown_it import MarkdownIt
from site_pages import OWN, ROOT, SITE

NOTES = [path for path in sorted((ROOT / "proofs_notes").rglob("*.md")) if OWN not in path.parents]
MINUS, PRIME, STAR = "\N{MINUS SIGN}", "\N{PRIME}", "\N{ASTERISK OPERATOR}"
# What a note writes in ASCII, and what is shown.
READ_AS = {"<=": "≤", ">=": "≥", "...": "…", "-": MINUS, "*": STAR, "'": PRIME}
READ_AS |= dict(zip("ΣΠ⁰¹²³⁴⁵⁶⁷⁸⁹₀₁₂₃₄₅₆₇₈₉₊₋", f"∑∏01234567890123456789+{MINUS}", strict=True))
# Brackets say what is raised or under a root, these words what stands below a sum: they are seen.
SAID_OTHERWISE = re.compile(r"[\s()^_√{}]|over|of")


@pytest.fixture(autouse=True)
def _site(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(SITE)


def drawn(text: str) -> ET.Element:
    return ET.fromstring(import_module("displayed").displayed(text))  # noqa: S314


def shown(line: str) -> str:
    """Return the first formula of the lines, with its attributes left out."""
    made = drawn(line)[0][0][0]
    for each in made.iter():
        each.attrib.clear()
    return ET.tostring(made, encoding="unicode").removeprefix("<mrow>").removesuffix("</mrow>")


@pytest.mark.parametrize(
    ("line", "mathml"),
    [
        ("x_i^2", "<msubsup><mi>x</mi><mrow><mi>i</mi></mrow><mrow><mn>2</mn></mrow></msubsup>"),
        ("u'_i", f"<msubsup><mi>u</mi><mrow><mi>i</mi></mrow><mo>{PRIME}</mo></msubsup>"),
        ("e^x'", f"<msup><mi>e</mi><mrow><msup><mi>x</mi><mo>{PRIME}</mo></msup></mrow></msup>"),
        ("delta_1", "<msub><mi>delta</mi><mrow><mn>1</mn></mrow></msub>"),
        ("√(kp)", "<msqrt><mi>k</mi><mi>p</mi></msqrt>"),
        ("P~", "<mover><mi>P</mi><mo>~</mo></mover>"),
        ("pi~", "<mover><mi>pi</mi><mo>~</mo></mover>"),
        ("eta-t", f"<mi>eta</mi><mo>{MINUS}</mo><mi>t</mi>"),
        ("c* = 1", f"<msup><mi>c</mi><mo>{STAR}</mo></msup><mo>=</mo><mn>1</mn>"),
        ("x for a state", "<mi>x</mi><mspace /><mtext>for a state</mtext>"),
        (
            "Σ over j of x",
            "<munder><mo>∑</mo><mrow><mi>j</mi></mrow></munder><mspace /><mi>x</mi>",
        ),
        ("(ε-Σ)", f"<mo>(</mo><mi>ε</mi><mo>{MINUS}</mo><mi>Σ</mi><mo>)</mo>"),
        (
            "P^t(x)",
            "<msup><mi>P</mi><mrow><mi>t</mi></mrow></msup><mo>(</mo><mi>x</mi><mo>)</mo>",
        ),
    ],
)
def test_what_a_line_says_is_what_is_drawn(line: str, mathml: str) -> None:
    assert shown(line) == mathml


def test_a_number_at_the_end_of_a_line_is_its_name() -> None:
    made = drawn("x = 1,    (12)\n\ny = 2\n")
    assert [[each.tag for each in line] for line in made] == [["math", "span"], ["math"]]
    assert made[0][1].text == "(12)"


def lines() -> Iterator[str]:
    for path in NOTES:
        for token in MarkdownIt("commonmark").parse(path.read_text(encoding="utf-8")):
            if token.type == "code_block":
                yield from filter(str.strip, token.content.splitlines())


def signs(text: str) -> Counter[str]:
    for written, read in READ_AS.items():
        text = text.replace(written, read)
    return Counter(SAID_OTHERWISE.sub("", text))


def test_of_a_notes_formulas_nothing_is_lost_and_no_power_is_left_as_it_was_written() -> None:
    made = [(line, drawn(line)) for line in lines()]
    assert len(made) > 300
    for line, formula in made:
        text = "".join(formula.itertext())
        assert signs(line) == signs(text), line
        assert not set("^_") & set(text), line
        assert not [each for each in formula.iter() if each.tag in {"word", "space", "script"}]
        assert formula.find("div/math").get("alttext") == line.strip()  # type: ignore[union-attr]
