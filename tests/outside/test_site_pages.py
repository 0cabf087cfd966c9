"""The site's own pages: all that they show happens as it stands there."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import opendp.prelude
import pytest
from shown_pages import require_page
from site_pages import OWN, ROOT

PAGES = {path.stem: path.read_text(encoding="utf-8") for path in sorted(OWN.glob("*.md"))}
# The first page installs: test_first_page.py runs it.
RUN_HERE = sorted(set(PAGES) - {"index"})
# Pages without anything to run.
WITHOUT = {"glossary", "limitations", "papers", "speed"}


@pytest.fixture
def features() -> Iterator[None]:
    """Take back what a page lets OpenDP do."""
    yield
    opendp.prelude.disable_features("contrib", "honest-but-curious")


@pytest.mark.usefixtures("features")
@pytest.mark.parametrize("name", RUN_HERE)
def test_everything_on_a_page_happens(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "benchmarks").symlink_to(ROOT / "benchmarks")
    assert bool(require_page(PAGES[name], tmp_path)) == (name not in WITHOUT)
