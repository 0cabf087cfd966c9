"""MkDocs' hook: the site is made of its own pages, of documents that exist, and of generated ones.

Every document is taken from where it stands. Links are written as they resolve in the repository,
and lead here to where their targets are on the site; what is not on the site becomes a path.
Pictures that are drawn are put into the page, so that the theme's colours reach them.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import unquote

from common_mark import CommonMark, Resolved
from experiment_pages import result_files, results_page
from figures import FIGURES, REPORTS, colours
from gallery import notebooks, pictures
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page
from reference_pages import GENERATED

PAGES = {**GENERATED, "results.md": results_page}
ROOT = Path(__file__).resolve().parents[2]
NOTES = ROOT / "proofs_notes"
OWN = NOTES / "site" / "pages"
# Documents that are on the site, and under which name.
DOCUMENTS = {
    "releases.md": "certify/releasing/RELEASES.md",
    "certify.md": "certify/ci/CERTIFY.md",
    "accountants.md": "certify/ci/ACCOUNTANTS.md",
    "campaigns.md": "certify/campaign/CAMPAIGNS.md",
    "protocol.md": "certify/backends/PROTOCOL.md",
    "vectors.md": "certify/vectors/VECTORS.md",
    "changelog.md": "CHANGELOG.md",
    "contributing.md": "CONTRIBUTING.md",
}
# These stand before the other notes.
_FIRST = {"notes/README.md": "Proofs", "notes/claims.md": "Evidence for the claims"}
# MkDocs' own reader reads this one, for the tool that makes it asks for it.
API = "api.md"
# A figure that is there on the built site alone: elsewhere its line is not seen.
_FIGURE = re.compile(r"^<!-- figure ([\w./-]+\.svg): (.+) -->$", re.MULTILINE)
_PICTURE = re.compile(r'<p><img alt="([^"]*)" src="(?:\.\./)*([\w./-]+\.svg)" ?/?></p>')
# A drawing of more units, a phone's width being 360, has several parts side by side.
_SIZE = re.compile(r'viewBox="0 0 ([\d.]+)')
_WIDE = 600
# By how much a proof counts less in the search than a guide: a word in a title counts a thousand
# times as much as one in the text, and the guides have it in their text.
_FOUND_LATER = 1e-4
# How the theme links to the first page: to its folder, which only a server opens as that page.
_HOME = re.compile(r'href="(\.(?:/\.)?|\.\.(?:/\.\.)*)"')
_ELSEWHERE = re.compile(r"[a-z]+:")


class _Links:
    """Where the links of the page that is being read lead."""

    def __init__(self) -> None:
        self.source, self.place = OWN, ""

    def __call__(self, link: str) -> Resolved:
        if _ELSEWHERE.match(link):
            return link, ""
        return resolved(link, self.source, self.place)


_links = _Links()


@cache
def places() -> dict[Path, str]:
    """Return where on the site each document is; those that are generated are none."""
    notes = [path for path in sorted(NOTES.rglob("*.md")) if OWN not in path.parents]
    return {
        **{ROOT / path: place for place, path in DOCUMENTS.items()},
        **{path: f"notes/{path.relative_to(NOTES).as_posix()}" for path in notes},
        **{path: path.name for path in sorted(OWN.glob("*.md"))},
    }


def resolved(link: str, source: Path, place: str) -> Resolved:
    """Return a link of the repository as one of the site, from a document that is at a place."""
    path, hash_sign, anchor = link.partition("#")
    if not path:
        return link, ""
    target = (source.parent / unquote(path)).resolve()
    on_site = places().get(target)
    if on_site is None and source.parent == OWN and path in PAGES:
        on_site = path
    if on_site is not None:
        return os.path.relpath(on_site, PurePosixPath(place).parent) + hash_sign + anchor, ""
    if not target.exists():
        return link, ""  # MkDocs complains
    return None, target.relative_to(ROOT).as_posix()


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Read CommonMark, list the notes, and watch all that the site is made of."""
    places.cache_clear()
    reader = CommonMark(_links, lambda: _links.place != API, lambda: _in_a_note(_links.place))
    config.markdown_extensions.append(reader)
    config.nav = [*(config.nav or []), {"Mathematics": _listed()}]
    config.watch.extend(str(path) for path in places())
    return config


def _in_a_note(place: str) -> bool:
    return place.startswith("notes/")


def _listed() -> list[Any]:
    """Return the notes: ours, and each paper's under its name."""
    by_folder: dict[str, list[str]] = {}
    for place in places().values():
        if place.startswith("notes/") and place not in _FIRST:
            by_folder.setdefault(PurePosixPath(place).parent.name, []).append(place)
    ours = by_folder.pop("notes")
    first = [{title: place} for place, title in _FIRST.items()]
    return [*first, {"Our theorems": ours}, *({paper: its} for paper, its in by_folder.items())]


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the documents that stand elsewhere, and the pages that are generated."""
    for path, place in places().items():
        if path.parent != OWN:
            files.append(File.generated(config, place, abs_src_path=str(path)))
    made = {**PAGES, **REPORTS, **notebooks(), **_drawings(), "figures/colours.css": colours}
    for place, content_of in made.items():
        files.append(File.generated(config, place, content=content_of()))
    return files


@cache
def _drawings() -> dict[str, Callable[[], str]]:
    """Return what draws each picture, once, by its place."""
    found = {**FIGURES, **pictures(), **result_files()}
    return {place: cache(draw) for place, draw in found.items()}


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:  # noqa: ARG001
    """Return a page with its figures; note which is next, and how the theme shows and finds it.

    Beside the first page stands no list of its siblings; who searches wants guides before proofs.
    """
    if page.is_homepage:
        page.meta["hide"] = ["navigation"]
    page.meta["search"] = {"boost": _FOUND_LATER if page.file.src_uri.startswith("notes/") else 1}
    generated = page.file.src_uri in PAGES
    source = OWN / page.file.src_uri if generated else Path(str(page.file.abs_src_path))
    _links.source, _links.place = source.resolve(), page.file.src_uri
    return _FIGURE.sub(r"![\2](\1)", markdown)


def on_page_content(html_: str, page: Page, config: MkDocsConfig, files: Files) -> str:  # noqa: ARG001
    """Return a page with its pictures in itself, each with its words below."""
    return _PICTURE.sub(_with_picture, html_)


def _with_picture(found: re.Match[str]) -> str:
    words, place = found.groups()
    draw = _drawings().get(place)
    if draw is None:
        return found[0]
    drawing = draw()
    size = _SIZE.search(drawing)
    kind = "drawn wide" if size and float(size[1]) > _WIDE else "drawn"
    return f'<figure class="{kind}">{drawing}<figcaption>{words}</figcaption></figure>'


def on_post_page(output: str, page: Page, config: MkDocsConfig) -> str:  # noqa: ARG001
    """Return a page whose links to the first one work in a folder, too."""
    return _HOME.sub(r'href="\1/index.html"', output)


def on_post_template(output: str, template_name: str, config: MkDocsConfig) -> str:  # noqa: ARG001
    """Leave out the theme's other pages, which are for a server at a known address."""
    return ""
