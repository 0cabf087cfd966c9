"""The documentation site as tests see it: its folder, and the links and names of each page."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from html.parser import HTMLParser
from pathlib import Path

ROOT = Path(__file__).parents[2]
SITE = ROOT / "proofs_notes" / "site"
CONFIG = SITE / "mkdocs.yml"
OWN = SITE / "pages"
# Elements that make a browser fetch what they name, and by which attributes.
LOADING = {
    "link": ("href",),
    "script": ("src",),
    "img": ("src", "srcset"),
    "iframe": ("src",),
    "source": ("src", "srcset"),
    "object": ("data",),
    "embed": ("src",),
    "video": ("src", "poster"),
    "audio": ("src",),
    "form": ("action",),
    "base": ("href",),
}


@dataclass
class Html(HTMLParser):
    """What a page links to, loads, names and says."""

    links: list[str] = field(default_factory=list)
    loaded: list[str] = field(default_factory=list)
    names: set[str] = field(default_factory=set)
    text: str = ""

    def __post_init__(self) -> None:
        super().__init__()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.names |= {given[key] for key in ("id", "name") if key in given}
        self.loaded += [given[key] for key in LOADING.get(tag, ()) if key in given]
        if tag == "a" and "href" in given:
            self.links.append(given["href"])

    def handle_data(self, data: str) -> None:
        self.text += data


@dataclass(frozen=True)
class Site:
    """A build of the site."""

    folder: Path
    code: int
    told: str

    @cached_property
    def pages(self) -> dict[str, Html]:
        """Every page by its path on the site."""
        found = {}
        for path in sorted(self.folder.rglob("*.html")):
            page = Html()
            page.feed(path.read_text(encoding="utf-8"))
            found[path.relative_to(self.folder).as_posix()] = page
        return found
