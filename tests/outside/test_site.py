"""The site: built without a warning or a network, with every document and no dead link."""

from __future__ import annotations

import re
import sys
import tomllib
from importlib import import_module
from pathlib import Path, PurePosixPath
from types import ModuleType
from typing import Any
from urllib.parse import unquote, urldefrag

import pytest
from chromium import found_browser, opened, started
from simplexcert.certify.cli.running import simplexcert
from simplexcert.certify.papers.statement import statements
from simplexcert.reference import quantities
from site_pages import OWN, ROOT, SITE, Site

NOTES = ROOT / "proofs_notes"
PROGRAM = found_browser()
PHONE, DESKTOP = 390, 1280
# Every kind of page that the site has.
LOOKED_AT = ("index.html", "quantities.html", "claims.html", "releases.html", "notes/matrix.html")


@pytest.fixture
def assemble(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(SITE))
    for name in ("assemble", "common_mark", "reference_pages"):
        monkeypatch.delitem(sys.modules, name, raising=False)
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
            assert to in site.pages, (name, link)
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


def test_formulas_stay_as_they_are_written(site: Site) -> None:
    """A reader that takes stars and underscores for emphasis would take them out."""
    assert "p*(z) = z^n p(1/z), and T p = a_0 p - a_n p*" in site.pages[
        "notes/chain-eigenvalues.html"
    ].text  # fmt: skip


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
    ours = {"test", "bench", "lint", "docs"}
    named = re.findall(r"^\| `([a-z-]+)` \|", (OWN / "index.md").read_text("utf-8"), re.MULTILINE)
    assert sorted(named) == sorted(set(project["optional-dependencies"]) - ours)


@pytest.mark.skipif(PROGRAM is None, reason="no Chromium is installed")
def test_a_browser_shows_it_without_asking_anybody(site: Site, tmp_path: Path) -> None:
    with started(str(PROGRAM), tmp_path) as browser:
        for name in LOOKED_AT:
            for width in (PHONE, DESKTOP):
                with opened(browser, site.folder / name, width) as page:
                    assert {one.partition(":")[0] for one in page.requests()} <= {"file", "data"}
                    assert page.value("document.documentElement.scrollWidth") <= width, name
