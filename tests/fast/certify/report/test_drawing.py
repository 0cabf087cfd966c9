"""A drawing is a piece of a page: no style, no address, no identifier but its own, no settings."""

from __future__ import annotations

import re

import matplotlib as mpl
import pytest
from matplotlib.axes import Axes
from simplexcert.certify.report.page.drawing import drawn


def line(axes: Axes) -> None:
    axes.plot([1, 2], [1, 3], color="#1d4ed8", marker="s", label='a < b & "c" $x^2$')
    axes.fill_between([1, 2], [1, 3], 0, color="#f6d5d5")
    axes.legend()


def svg(name: str = "one") -> str:
    return drawn(name, line, "A <title>", 'A "description" & more')


def test_the_same_drawing_gives_the_same_text() -> None:
    assert svg() == svg()


def test_a_users_settings_play_no_part_and_are_left_as_they_were() -> None:
    plain = svg()
    with mpl.rc_context({"axes.facecolor": "black", "font.size": 30, "text.parse_math": True}):
        assert svg() == plain
        assert mpl.rcParams["font.size"] == 30


def test_it_holds_no_style_and_no_script_and_names_no_address() -> None:
    text = svg()
    assert "style=" not in text
    assert "<style" not in text
    assert "<script" not in text
    assert set(re.findall(r"https?://[^\"' <]+", text)) == {"http://www.w3.org/2000/svg"}
    assert "<metadata" not in text


def test_it_begins_every_identifier_with_its_name_and_uses_all_of_them() -> None:
    text = svg("two")
    kept = set(re.findall(r' id="([^"]+)"', text))
    used = set(re.findall(r'(?:href="#|url\(#)([^")]+)', text))
    assert all(name.startswith("two-") for name in kept)
    assert used <= kept
    assert kept - used == {"two-title", "two-description"}


def test_it_says_in_words_what_it_shows() -> None:
    text = svg()
    assert 'role="img"' in text
    assert 'aria-labelledby="one-title one-description"' in text
    assert '<title id="one-title">A &lt;title&gt;</title>' in text
    assert '<desc id="one-description">A "description" &amp; more</desc>' in text


def test_text_is_text_and_no_formula() -> None:
    assert 'a &lt; b &amp; "c" $x^2$</text>' in svg()


def test_it_scales_with_the_page() -> None:
    opening = re.match(r"<svg[^>]*>", svg())
    assert opening
    assert "viewBox=" in opening[0]
    assert " width=" not in opening[0]


@pytest.mark.parametrize("name", ["one", "two"])
def test_shapes_of_two_drawings_on_one_page_are_not_mixed_up(name: str) -> None:
    other = "two" if name == "one" else "one"
    assert f"{other}-" not in svg(name)
