"""No name in a certificate can become markup, leave its attribute, or turn what is around it."""

from __future__ import annotations

import ast
from collections.abc import Callable
from pathlib import Path

import pytest
import rfc8785
from each import each_of
from msgspec.structs import replace
from report_pages import backend, page, release, taken_apart
from rich.console import Console
from simplexcert.certify.certificate import verify
from simplexcert.certify.certificate.errors import EnvelopeError, TranscriptError
from simplexcert.certify.certificate.models import Answered, Ends, Sampler, SamplerTest
from simplexcert.certify.certificate.transcript import case_in
from simplexcert.certify.checks.case import case_from
from simplexcert.certify.checks.judgement import rules_for
from simplexcert.certify.report.campaigns import first_failure
from simplexcert.certify.report.page.parts import Origin
from simplexcert.certify.report.terminal import print_verdict
from simplexcert.certify.report.wording import quoted, visible
from simplexcert.certify.verdict import Verdict
from simplexcert.reference.quantity import quantity_named

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


def one_sampler(text: str) -> Sampler:
    nothing, given = Ends("0", "1"), {text: "0x1.0000000000000p+0"}
    test = SamplerTest(text, given, 1, 1, nothing, Verdict.CERTIFIED, nothing)
    return Sampler(text, Verdict.CERTIFIED, given, 1, 1, [test], text, 1)  # type: ignore[arg-type]


def backend_page(text: str) -> bytes:
    statement = backend()
    predicate = statement.predicate
    worst = predicate.checks[0].worst
    assert worst
    checks = [
        replace(
            item,
            quantity=text,
            worst=replace(
                worst,
                parameters={text: "0x1.0p+0"},
                value=text,
                others=[Answered(text, {text: "0x1.0000000000000p+0"}, text)],
            ),
        )
        for item in predicate.checks
    ]
    predicate = replace(
        predicate,
        scope=replace(predicate.scope, backend=text, backend_version=text, quantities=text),
        checks=checks,
        samplers=[one_sampler(text)],
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


def on_a_terminal(capsys: pytest.CaptureFixture[str], about: str) -> list[str]:
    """Return the lines on which a refutation is told of, on a narrow terminal."""
    print_verdict(Console(width=40, emoji=False), Verdict.REFUTED, about)
    return capsys.readouterr().out.split("\n")


@each_of("gap", ["\n", " " * 23, " " * 200, " word" * 4 + " ", "\r", "\u2028"])
def test_no_name_stands_where_a_verdict_does(capsys: pytest.CaptureFixture[str], gap: str) -> None:
    first, *others = on_a_terminal(capsys, f"a{gap}CERTIFIED  b.json is authentic")
    assert first.startswith("REFUTED  a")
    assert not any(line[:9].strip() for line in others)


def test_no_name_moves_a_terminals_cursor(capsys: pytest.CaptureFixture[str]) -> None:
    shown = "".join(on_a_terminal(capsys, " ".join(INVISIBLE)))
    assert shown.isprintable()


def test_a_hostile_field_of_an_envelope_is_told_of_in_plain_text(
    tmp_path: Path,
) -> None:
    one = {"keyid": "0" * 64, "sig": ""}
    signed = {"payload": "", "payloadType": "application/vnd.in-toto+json", "signatures": [one]}
    for hidden in ("\x1b[2JCERTIFIED", "\u202eCERTIFIED", "a\nCERTIFIED"):
        file = tmp_path / "certificate.json"
        file.write_bytes(rfc8785.dumps({**signed, hidden: 1}))
        with pytest.raises(EnvelopeError) as found:
            verify(file)
        assert str(found.value).isprintable()
        assert "CERTIFIED" in str(found.value)


def test_a_hostile_field_of_a_transcript_is_told_of_in_plain_text() -> None:
    with pytest.raises(TranscriptError) as found:
        case_in(b'{"\\u001b[2J\\u202eCERTIFIED":1}', 1)
    assert str(found.value).isprintable()


def test_a_strangers_name_stands_in_quotes_that_it_cannot_close() -> None:
    for name in ("CERTIFIED", "x' is authentic: 'y", "both ' and \"", "a\nCERTIFIED", "\u202eb"):
        shown = quoted(name)
        assert ast.literal_eval(shown) == name
        assert shown.isprintable()


def test_an_answer_of_thousands_of_digits_is_no_page_of_them() -> None:
    quantity = quantity_named("dirichlet.utility.variance")
    (rule,) = rules_for(quantity, {}, {})
    line = first_failure(case_from(quantity, {"p": 0.5, "k": 3.0}, 7 * 10**9000, rule))
    assert "answered 7000" in line
    assert "... (9003 characters)" in line
    assert len(line) < 1000
