"""A drawing is a piece of a page: no style, no address, no identifier but its own, no settings.

Its colours, and those of the page, can be told from their ground in daylight and in the dark.
"""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

import matplotlib as mpl
import pytest
from matplotlib.axes import Axes
from simplexcert.certify.report.page.drawing import DARK, DRAWN, LIGHT, colour_rules, drawn

TEXT, DRAWING = 4.5, 3.0  # WCAG 2.2, 1.4.3 and 1.4.11
ON_BACKGROUND = ("ink", "muted", "link", "certified", "refuted", "open")
ON_PLOT = ("ink", "curve", "printed", "claimed", "refuted")
GROUNDS = {
    "panel": ("ink", "link"),
    "certified-ground": ("certified", "ink"),
    "refuted-ground": ("refuted", "ink"),
    "open-ground": ("open", "ink"),
}


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4 for x in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_contrast_is_measured_as_it_is_defined() -> None:
    assert contrast("#ffffff", "#000000") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("colours", [LIGHT, DARK])
def test_text_can_be_read(colours: dict[str, str]) -> None:
    pairs = [(name, "background") for name in ON_BACKGROUND]
    pairs += [(name, ground) for ground, names in GROUNDS.items() for name in names]
    for name, ground in pairs:
        assert contrast(colours[name], colours[ground]) >= TEXT, (name, ground)


@pytest.mark.parametrize("colours", [LIGHT, DARK])
def test_what_is_drawn_can_be_seen_on_the_plot_and_on_the_region_that_is_ruled_out(
    colours: dict[str, str],
) -> None:
    for name in ON_PLOT:
        for ground in ("background", "excluded"):
            assert contrast(colours[name], colours[ground]) >= DRAWING, (name, ground)


def test_every_colour_has_a_twin_in_the_dark() -> None:
    assert LIGHT.keys() == DARK.keys()


def test_a_colour_of_a_plot_can_be_told_from_every_other_by_its_code() -> None:
    assert len({LIGHT[name] for name in DRAWN}) == len(DRAWN)


def test_print_keeps_the_colours_of_daylight() -> None:
    before, _, after = colour_rules().partition("@media screen and (prefers-color-scheme:dark)")
    assert LIGHT["ink"] in before
    assert DARK["ink"] in after
    assert DARK["ink"] not in before


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


def test_a_marker_has_the_paint_of_what_copies_it_which_a_style_sheet_reaches() -> None:
    root = ET.fromstring(svg())  # noqa: S314
    shapes = {element.get("id"): element for element in root.iter() if element.get("id")}
    copies = [each for each in root.iter() if each.tag.endswith("use")]
    assert copies
    for copy in copies:
        shape = shapes[copy.attrib["href"][1:]]
        painted = {"fill", "stroke"}.intersection(copy.keys())
        assert painted
        assert painted.isdisjoint(shape.keys())


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
