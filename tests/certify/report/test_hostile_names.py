"""No name in a certificate can become markup, leave its attribute, or turn what is around it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec.structs import replace
from report_pages import backend, page, release, taken_apart
from simplexcert.certify.report.page.origin import Origin
from simplexcert.certify.report.page.rendering import visible
from simplexcert.certify.verdict import Verdict

Maker = Callable[[str], bytes]
HOSTILE = (
    "<script>alert(1)</script>",
    "</title></style><img src=x onerror=alert(1)>",
    '" onmouseover="alert(1)" x=\'',
    "'; </code></pre><a href='javascript:alert(1)'>",
    "&lt;script&gt;&#60;b&#62;",
    "{{ 7 * 7 }}{% raw %}",
    "]]><!-- --></svg>",
)
INVISIBLE = (
    "left\u202eright",
    "a\u2066b",
    "a\x1b[31mb",
    "a\x00b",
    "a\u200bb",
    "\ufeffa",
    "a\ud800b",
)
GRADES = "benvenuti2025-grades"


def release_page(text: str) -> bytes:
    statement = release(GRADES)
    predicate = statement.predicate
    hypotheses = [
        replace(item, statement=text, source=text, note=text) for item in predicate.hypotheses
    ]
    predicate = replace(
        predicate,
        claim=replace(
            predicate.claim, name=text, mechanism=text, release={text: text, "k": [text]}
        ),
        tool=replace(predicate.tool, name=text, version=text),
        engines=[replace(item, name=text, version=text) for item in predicate.engines],
        hypotheses=hypotheses,
        evidence=[replace(item, question=text, quantity=text) for item in predicate.evidence],
        non_claims=[text],
    )
    statement = replace(
        statement, predicate=predicate, subject=[replace(statement.subject[0], name="claim.toml")]
    )
    return page(statement)


def backend_page(text: str) -> bytes:
    statement = backend()
    predicate = statement.predicate
    worst = predicate.checks[0].worst
    assert worst
    checks = [
        replace(
            item, quantity=text, worst=replace(worst, parameters={text: "0x1.0p+0"}, value=text)
        )
        for item in predicate.checks
    ]
    predicate = replace(
        predicate,
        scope=replace(predicate.scope, backend=text, backend_version=text, quantities=text),
        checks=checks,
        sample=[replace(item, quantity=text) for item in predicate.sample],
        non_claims=[text],
    )
    return page(replace(statement, predicate=predicate))


PAGES = (release_page, backend_page)


def shape(content: bytes) -> list[tuple[str, list[str]]]:
    """Return the page's elements with the names of their attributes."""
    return [(tag, sorted(found)) for tag, found in taken_apart(content).tags]


@pytest.mark.parametrize("made", PAGES)
def test_no_text_changes_the_elements_of_a_page(made: Maker) -> None:
    plain = shape(made("plain"))
    for text in (" ".join(HOSTILE), *HOSTILE[:3]):
        assert shape(made(text)) == plain


@pytest.mark.parametrize("made", PAGES)
def test_hostile_text_is_shown_as_it_is(made: Maker) -> None:
    shown = taken_apart(made(" ".join(HOSTILE))).text
    for text in HOSTILE:
        assert text in shown


@pytest.mark.parametrize("made", PAGES)
def test_what_cannot_be_seen_is_spelled_out(made: Maker) -> None:
    content = made(" ".join(INVISIBLE)).decode("utf-8")
    for text in INVISIBLE:
        unseen = next(x for x in text if not x.isprintable())
        assert unseen not in content
        assert unseen.encode("unicode_escape").decode() in content


def test_printable_text_of_any_script_is_left_as_it_is() -> None:
    for text in ("Gr\u00fc\u00dfe", "\u05e9\u05dc\u05d5\u05dd", "\u4f60\u597d", "e\u0301"):
        assert visible(text) == text


def test_a_file_with_a_hostile_name_is_quoted_for_the_shell() -> None:
    origin = Origin(b"", "/some/where/a b; rm -rf ~.json", (), Verdict.CERTIFIED, again=True)
    check, verify = origin.commands(["$(evil).toml"])
    assert verify == "simplexcert verify 'a b; rm -rf ~.json' --subject '$(evil).toml'"
    assert check.endswith("  a b; rm -rf ~.json' | sha256sum --check")
    assert "/some" not in check + verify


def test_a_file_whose_name_begins_with_a_dash_is_no_option() -> None:
    origin = Origin(b"", "--out", (), Verdict.CERTIFIED, again=True)
    assert origin.commands([])[1] == "simplexcert verify ./--out"
