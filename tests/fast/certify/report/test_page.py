"""What holds of every report: self-contained, in order, accessible, and the same each time."""

from __future__ import annotations

import base64
import hashlib
import re
from itertools import pairwise

import pytest
from report_pages import EXAMPLES, Reading, audited, good_pages, page, release, taken_apart

LARGEST = 2 * 1024 * 1024
HEADINGS = ("h1", "h2", "h3", "h4")
# What would fetch something, or run.
ACTIVE = {"script", "link", "img", "iframe", "object", "embed", "form", "base", "audio", "video"}


@pytest.fixture(params=[*EXAMPLES, "backend"])
def content(request: pytest.FixtureRequest) -> bytes:
    return good_pages()[request.param]


@pytest.fixture
def reading(content: bytes) -> Reading:
    return taken_apart(content)


def attributes(reading: Reading, tag: str) -> list[dict[str, str | None]]:
    return [found for name, found in reading.tags if name == tag]


def test_a_report_is_smaller_than_two_megabytes(content: bytes) -> None:
    assert len(content) < LARGEST


def test_the_same_certificate_gives_the_same_report() -> None:
    statement, found = release("benvenuti2025-grades"), audited("benvenuti2025-grades")
    assert page(statement, found) == page(statement, found)


def test_nothing_in_it_runs_or_fetches(reading: Reading) -> None:
    assert not ACTIVE & set(reading.names())
    for tag, found in reading.tags:
        assert not [name for name in found if name.startswith("on")], tag
        for name in ("src", "srcset", "action", "poster", "style"):
            assert name not in found, tag
        link = found.get("href") or "#"
        assert link.startswith(("#", "data:application/json;base64,"))


def test_its_policy_admits_its_own_style_sheet_and_nothing_else(
    content: bytes, reading: Reading
) -> None:
    policy = next(
        found["content"]
        for found in attributes(reading, "meta")
        if found.get("http-equiv") == "Content-Security-Policy"
    )
    styles = re.findall(rb"<style>(.*?)</style>", content, flags=re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(styles[0]).digest()).decode()
    assert len(styles) == 1
    assert policy == (
        f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    )
    assert content.index(b"Content-Security-Policy") < content.index(b"<style>")
    assert b"url(" not in styles[0]
    assert b"@import" not in styles[0]


def test_headings_begin_with_the_only_h1_and_leave_out_no_level(reading: Reading) -> None:
    levels = [HEADINGS.index(name) for name in reading.names() if name in HEADINGS]
    assert levels[0] == 0
    assert levels.count(0) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))


def test_it_has_landmarks_and_a_language_and_fits_a_phone(reading: Reading) -> None:
    for landmark in ("header", "main", "nav", "footer"):
        assert reading.names().count(landmark) == 1
    assert attributes(reading, "html") == [{"lang": "en"}]
    viewport = {"name": "viewport", "content": "width=device-width, initial-scale=1"}
    assert viewport in attributes(reading, "meta")


def test_every_identifier_is_one_and_every_reference_has_one(reading: Reading) -> None:
    names = [str(found["id"]) for _, found in reading.tags if "id" in found]
    assert len(set(names)) == len(names)
    for _, found in reading.tags:
        for reference in (found.get("aria-labelledby") or "").split():
            assert reference in names
        link = found.get("href") or ""
        if link.startswith("#"):
            assert link[1:] in names


def test_every_header_of_a_table_says_what_it_heads(reading: Reading) -> None:
    headers = attributes(reading, "th")
    assert headers
    assert all(found.get("scope") in ("col", "row") for found in headers)


def test_what_scrolls_can_be_reached_by_keyboard_and_has_a_name(reading: Reading) -> None:
    scrolling = [found for found in attributes(reading, "div") if found.get("class") == "scroll"]
    assert len(scrolling) >= reading.names().count("table")
    for found in scrolling:
        assert found["tabindex"] == "0"
        assert found["role"] == "region"
        assert found["aria-labelledby"]


def test_every_plot_has_a_title_a_description_and_a_table_of_its_numbers(reading: Reading) -> None:
    plots = attributes(reading, "svg")
    assert len(plots) == 1
    assert plots[0]["role"] == "img"
    assert reading.within("title")[-1]
    assert len(reading.within("desc")[0]) > 40
    assert "The numbers behind the plot" in reading.within("summary")


def test_the_verdict_stands_first_in_words(reading: Reading) -> None:
    main = reading.text[reading.text.index("Skip to the report") :]
    first = main.index("Certified") if "Certified" in main else main.index("Refuted")
    assert first < 200
    assert re.search(r"The claim is (true|false)|Nothing wrong was found", main)


def test_it_says_what_is_not_claimed_and_how_to_verify(reading: Reading) -> None:
    headings = reading.within("h2")
    assert "What is not claimed" in headings
    assert "How to verify" in headings
    assert "simplexcert verify cert.json" in reading.text
    assert hashlib.sha256(b"{}").hexdigest() in reading.text


def test_it_carries_the_certificate_itself(reading: Reading) -> None:
    carried = [found for found in attributes(reading, "a") if "download" in found]
    assert len(carried) == 1
    _, _, text = str(carried[0]["href"]).partition("base64,")
    assert base64.b64decode(text) == b"{}"
