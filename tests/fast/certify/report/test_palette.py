"""Whatever stands on whatever else in a report can be told from it, in daylight and in the dark."""

from __future__ import annotations

import pytest
from simplexcert.certify.report.page.palette import DARK, DRAWN, LIGHT, colour_rules

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
