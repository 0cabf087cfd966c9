"""The site: built without a warning or a network, with every document and no dead link.

Each page is looked at by a browser, wide and narrow; the pictures are kept in the folder that
SIMPLEXCERT_PICTURES names, or in pytest's own.
"""

from __future__ import annotations

import json
import os
import re
import sys
import time
import tomllib
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path, PurePosixPath
from types import ModuleType
from typing import Any
from urllib.parse import unquote, urldefrag

import pytest
from chromium import Browser, found_browser, opened, started
from each import the_only
from simplexcert.certify.cli.running import simplexcert
from simplexcert.certify.papers.statement import statements
from simplexcert.reference import quantities
from site_pages import OWN, ROOT, SITE, Site

NOTES = ROOT / "proofs_notes"
PROGRAM = found_browser()
# The index is built when the first word is typed.
SEARCH_SECONDS = 30
DARK_SHADE, LIGHT_SHADE = 100, 200  # of 255
PHONE, DESKTOP = 400, 1280
# Of the notes, which are alike, one is looked at.
NOTE = "notes/matrix"
in_a_browser = pytest.mark.skipif(PROGRAM is None, reason="no Chromium is installed")


@pytest.fixture
def assemble(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(SITE))
    for module in SITE.glob("*.py"):
        monkeypatch.delitem(sys.modules, module.stem, raising=False)
    return import_module("assemble")


def test_it_is_built_without_a_warning(site: Site) -> None:
    assert site.code == 0, site.told
    assert not re.search("WARNING|ERROR", site.told), site.told


def test_nothing_is_loaded_from_elsewhere(site: Site) -> None:
    for name, page in site.pages.items():
        for address in page.loaded:
            assert not re.match(r"[a-z]+:|//", address), (name, address)
    for sheet in site.folder.rglob("*.css"):
        text = sheet.read_text(encoding="utf-8")
        assert not re.search(r"@import|url\(\s*[\"']?(?!data:)(?:[a-z]+:|//)", text), sheet


def test_every_link_within_the_site_leads_somewhere(site: Site) -> None:
    for name, page in site.pages.items():
        for link in page.links:
            address, anchor = urldefrag(unquote(link))
            if re.match(r"[a-z]+:", address):
                continue
            to = _normal(PurePosixPath(name).parent / address) if address else name
            assert (site.folder / to).is_file(), (name, link)
            assert not anchor or anchor in site.pages[to].names, (name, link)


def _normal(path: PurePosixPath) -> str:
    parts: list[str] = []
    for part in path.parts:
        if part == "..":
            parts.pop()
        else:
            parts.append(part)
    return "/".join(parts)


def test_every_document_is_on_the_site(site: Site, assemble: Any) -> None:
    places = assemble.places()
    notes = {path for path in NOTES.rglob("*.md") if SITE not in path.parents}
    assert notes | set(OWN.glob("*.md")) <= set(places)
    for path, place in places.items():
        title = re.match(r"# (.+)\n", path.read_text(encoding="utf-8"))
        assert title, path
        page = site.pages[re.sub(r"(README)?\.md$", "", place) + _ending(place)]
        assert title[1].replace("`", "") in page.text


def _ending(place: str) -> str:
    return "index.html" if place.endswith("README.md") else ".html"


def test_formulas_keep_their_stars_and_have_powers_and_indices(site: Site) -> None:
    """A reader that takes stars and underscores for emphasis would take them out."""
    assert "p*(z) = zn p(1/z), and T p = a0 p - an p*" in site.pages[
        "notes/chain-eigenvalues.html"
    ].text  # fmt: skip
    made = (site.folder / "notes" / "chain-eigenvalues.html").read_text(encoding="utf-8")
    assert "p*(z) = z<sup>n</sup> p(1/z), and T p = a<sub>0</sub> p - a<sub>n</sub> p*" in made


def test_the_generated_pages_have_every_quantity_claim_and_command(site: Site) -> None:
    assert [name for name in quantities() if name not in site.pages["quantities.html"].text] == []
    claims = site.pages["claims.html"].text
    assert [name for name in statements() if name.partition(".")[2] not in claims] == []
    told = site.pages["commands.html"].text
    assert [one for one in simplexcert.commands if f"Usage: simplexcert {one}" not in told] == []


@pytest.mark.parametrize(
    ("link", "resolved"),
    [
        ("../../../certify/releasing/RELEASES.md#6-seeds", ("releases.md#6-seeds", "")),
        ("../../matrix.md", ("notes/matrix.md", "")),
        ("quantities.md", ("quantities.md", "")),
        ("#here", ("#here", "")),
        ("../../../certify/verdict.py", (None, "certify/verdict.py")),
        ("nowhere.md", ("nowhere.md", "")),  # which MkDocs complains about
    ],
)
def test_links_are_written_as_in_the_repository(
    assemble: Any, link: str, resolved: tuple[str | None, str]
) -> None:
    assert assemble.resolved(link, OWN / "index.md", "index.md") == resolved


def test_a_link_to_what_is_on_no_page_becomes_its_path(assemble: Any) -> None:
    tree = import_module("common_mark").tree_of("[a *b*](x.py), [c](d.md)", assemble._Links())
    assert "".join(tree.itertext()).strip() == "a b, c"
    found = import_module("common_mark").tree_of("[a *b*](x.py)", lambda link: (None, f"to/{link}"))
    assert "".join(found.itertext()).strip() == "a b (to/x.py)"
    assert found.find(".//a") is None


def test_the_extras_that_the_first_page_names_are_those_for_users() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    ours = {"test", "bench", "dist", "lint", "docs"}
    named = re.findall(
        r"^\| `([a-z0-9-]+)` \|", (OWN / "index.md").read_text("utf-8"), re.MULTILINE
    )
    assert sorted(named) == sorted(set(project["optional-dependencies"]) - ours)


def test_every_guide_has_a_figure_that_was_drawn_and_says_what_it_shows(site: Site) -> None:
    guides = {path.stem for path in OWN.glob("*.md")} - {
        "interface",
        "limitations",
        "glossary",
        "shell",
    }
    for name in guides:
        text = (site.folder / f"{name}.html").read_text(encoding="utf-8")
        figures = re.findall(r'<figure class="drawn[ a-z]*"><svg.*?</figure>', text, re.DOTALL)
        assert figures, name
        assert all(re.search(r"<figcaption>.{20,}</figcaption>", one) for one in figures), name
    shown = "".join(path.read_text(encoding="utf-8") for path in OWN.glob("*.md"))
    drawn = {f"figures/{path.name}" for path in (site.folder / "figures").glob("*.svg")}
    assert drawn == set(re.findall(r"<!-- figure (figures/[\w-]+\.svg): ", shown))


def test_formulas_between_dollars_are_formulas(site: Site) -> None:
    for name in ("quantities.html", "gallery-scipy.html"):
        text = (site.folder / name).read_text(encoding="utf-8")
        assert '<math display="block">' in text
        assert "$$" not in site.pages[name].text
    shown = (site.folder / "quantities.html").read_text(encoding="utf-8")
    assert shown.count('<math display="block">') == len(quantities())


def test_every_public_name_of_python_is_explained(site: Site) -> None:
    packages = ("simplexcert", "simplexcert.reference", "simplexcert.certify")
    for module in map(import_module, (*packages, "simplexcert.certify.models")):
        items = [getattr(module, public) for public in module.__all__]
        homes = {f"{item.__module__}.{item.__name__}" for item in items if callable(item)}
        assert homes <= site.pages["api.html"].names


def test_a_notebook_has_the_programs_of_its_page_and_no_outputs(site: Site) -> None:
    pages = sorted(OWN.glob("gallery-*.md"))
    assert len(pages) >= 3
    for path in pages:
        blocks = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
        programs = blocks.findall(path.read_text(encoding="utf-8"))
        notebook = json.loads((site.folder / f"{path.stem}.ipynb").read_text(encoding="utf-8"))
        cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
        assert ["".join(cell["source"]) for cell in cells] == [one.rstrip() for one in programs]
        assert not any(cell["outputs"] for cell in cells)


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with started(str(PROGRAM), tmp_path_factory.mktemp("browser")) as running:
        yield running


@in_a_browser
def test_a_browser_shows_every_page_wide_and_narrow_without_asking_anybody(
    site: Site, browser: Browser, tmp_path: Path
) -> None:
    folder = Path(os.environ.get("SIMPLEXCERT_PICTURES", tmp_path))
    pages = (one.removesuffix(".html") for one in site.pages if not one.startswith("notes/"))
    for name in the_only([*pages, NOTE]):
        for width in (PHONE, DESKTOP):
            with opened(browser, site.folder / f"{name}.html", width) as page:
                assert {one.partition(":")[0] for one in page.requests()} <= {"file", "data"}
                assert page.complaints() == [], name
                assert page.value("document.documentElement.scrollWidth") <= width, name
                picture = page.picture()
                assert picture.startswith(b"\x89PNG")
                place = folder / f"{name.replace('/', '-')}-{width}.png"
                place.write_bytes(picture)


@in_a_browser
def test_the_dark_is_dark_with_its_figures(site: Site, browser: Browser) -> None:
    shades = []
    for dark in (False, True):
        with opened(browser, site.folder / "papers.html", DESKTOP, dark=dark) as page:
            ink = "getComputedStyle(document.querySelector('figure.drawn text')).fill"
            ground = "getComputedStyle(document.body).backgroundColor"
            shades += [(brightness(page.value(ground)), brightness(page.value(ink)))]
    (light_ground, light_ink), (dark_ground, dark_ink) = shades
    assert light_ink < DARK_SHADE < LIGHT_SHADE < light_ground
    assert dark_ground < DARK_SHADE < LIGHT_SHADE < dark_ink


def brightness(colour: str) -> float:
    red, green, blue = (float(part) for part in re.findall(r"[\d.]+", colour)[:3])
    return (red + green + blue) / 3


@in_a_browser
def test_the_search_works_in_a_folder_and_finds_guides_before_proofs(
    site: Site, browser: Browser
) -> None:
    with opened(browser, site.folder / "index.html", DESKTOP) as page:
        page.value(
            "(field => {field.focus(); field.value = 'histogram'; "
            "field.dispatchEvent(new Event('input', {bubbles: true})); "
            "field.dispatchEvent(new KeyboardEvent('keyup', {bubbles: true}))})"
            "(document.querySelector('[data-md-component=search-query]'))"
        )
        ends_at = time.monotonic() + SEARCH_SECONDS
        found: list[str] = []
        while not found and time.monotonic() < ends_at:
            time.sleep(0.1)
            found = page.value(
                "[...document.querySelectorAll('.md-search-result__link')].map(one => one.href)"
            )
        assert found
        assert "/notes/" not in found[0]
