"""Reports as a browser shows them: nothing asked for, nothing complained of, all of it visible."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from chromium import Browser, Page, found_browser, opened, started
from report_pages import good_pages
from simplexcert.certify.report.page.drawing import DARK, LIGHT

PHONE, DESKTOP = 360, 1280
PROGRAM = found_browser()
VERDICTS = {
    "benvenuti2025-grades": "Certified",
    "fallin2023-traffic": "Refuted",
    "ponnoprat2023-histogram": "Certified",
    "song2017-flu": "Certified",
    "backend": "Certified",
}
BOX = (
    "(element => {const box = element.getBoundingClientRect(); "
    "return [box.x, box.y, box.width, box.height]})"
)

pytestmark = pytest.mark.skipif(PROGRAM is None, reason="no Chromium is installed")


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with started(str(PROGRAM), tmp_path_factory.mktemp("browser")) as running:
        yield running


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("reports")
    for name, content in good_pages().items():
        (folder / f"{name}.html").write_bytes(content)
    return {name: folder / f"{name}.html" for name in good_pages()}


@pytest.fixture(params=[(name, width) for name in VERDICTS for width in (PHONE, DESKTOP)], ids=str)
def shown(
    request: pytest.FixtureRequest, browser: Browser, files: dict[str, Path]
) -> Iterator[tuple[str, int, Page]]:
    name, width = request.param
    with opened(browser, files[name], width) as page:
        yield name, width, page


def rgb(colour: str) -> str:
    return "rgb({}, {}, {})".format(*(int(colour[at : at + 2], 16) for at in (1, 3, 5)))


def colour_of(page: Page, selector: str, what: str) -> str:
    return str(page.value(f"getComputedStyle(document.querySelector({selector!r})).{what}"))


def test_a_report_looks_as_it_should(shown: tuple[str, int, Page]) -> None:
    """Ask everything of a page while it is open: opening one takes longer than all questions."""
    name, width, page = shown
    assert page.complaints() == []
    assert page.requests() == [page.value("location.href")]
    assert str(page.value("location.href")).startswith("file:///")

    assert VERDICTS[name] in page.value("document.querySelector('.verdict .word').innerText")
    _, top, wide, high = page.value(f"{BOX}(document.querySelector('.verdict .word'))")
    assert wide > 100
    assert high > 10
    assert 0 < top < 500

    left, _, wide, high = page.value(f"{BOX}(document.querySelector('svg'))")
    assert 280 <= wide <= width - left
    assert high > 200
    assert page.value("document.querySelectorAll('svg path, svg use').length") > 10
    assert colour_of(page, "h1", "color") == rgb(LIGHT["ink"])

    assert page.value("document.documentElement.scrollWidth") <= width


def test_no_label_of_a_plot_runs_into_another(shown: tuple[str, int, Page]) -> None:
    _, _, page = shown
    boxes = page.value(f"[...document.querySelectorAll('svg text')].map({BOX})")
    assert len(boxes) > 8
    for at, (x, y, wide, high) in enumerate(boxes):
        for other_x, other_y, other_wide, other_high in boxes[:at]:
            apart = x >= other_x + other_wide or other_x >= x + wide
            # Lines of text may touch: a box has room above and below its letters.
            above = y + 2 >= other_y + other_high or other_y + 2 >= y + high
            assert apart or above


def test_text_on_a_phone_is_large_enough_to_read(browser: Browser, files: dict[str, Path]) -> None:
    with opened(browser, files["benvenuti2025-grades"], PHONE) as page:
        scale = page.value("document.querySelector('svg').getScreenCTM().a")
        sizes = page.value(
            "[...document.querySelectorAll('svg text')].map("
            "text => parseFloat(getComputedStyle(text).fontSize))"
        )
        assert min(sizes) * scale >= 9


def test_the_keyboard_reaches_the_report_first_and_then_all_that_scrolls(
    browser: Browser, files: dict[str, Path]
) -> None:
    with opened(browser, files["backend"], PHONE) as page:
        page.press("Tab")
        assert page.value("document.activeElement.className") == "skip"
        assert page.value(f"{BOX}(document.activeElement)")[0] >= 0
        scrolling = page.value(
            "[...document.querySelectorAll('*')].filter("
            "element => element.scrollWidth > element.clientWidth + 1 && "
            "getComputedStyle(element).overflowX === 'auto').map(element => element.tabIndex)"
        )
        assert scrolling
        assert set(scrolling) == {0}


def test_in_the_dark_page_and_plot_are_dark(browser: Browser, files: dict[str, Path]) -> None:
    with opened(browser, files["fallin2023-traffic"], DESKTOP, dark=True) as page:
        assert page.complaints() == []
        assert colour_of(page, "body", "backgroundColor") == rgb(DARK["background"])
        for name in ("curve", "claimed", "printed"):
            selector = f'svg [stroke="{LIGHT[name]}"]'
            assert colour_of(page, selector, "stroke") == rgb(DARK[name])


def test_what_a_page_would_fetch_or_run_is_stopped_and_would_be_heard(
    browser: Browser, files: dict[str, Path]
) -> None:
    with opened(browser, files["song2017-flu"], DESKTOP) as page:
        page.value("document.body.setAttribute('style', 'color: red')")
        page.value(
            "document.body.append(Object.assign(new Image(), {src: 'file:///etc/hostname'}))"
        )
        script = "Object.assign(document.createElement('script'), {text: 'window.ran = true'})"
        page.value(f"document.body.append({script})")
        assert page.value("window.ran === undefined")
        assert colour_of(page, "body", "color") == rgb(LIGHT["ink"])
        assert "Content Security Policy" in str(page.complaints())
        # What is tried counts as a request, even where it is stopped.
        assert [url for url in page.requests() if "hostname" in url]
        assert page.blocked() == ["csp"]
