"""The gallery's pages as notebooks, and the pictures that the programs of pages save.

A gallery's page is a page like any other, every block on it is run by the tests; here its programs
become the cells of a notebook without outputs, to be opened with Jupyter.
"""

from __future__ import annotations

import contextlib
import io
import re
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path

import jupytext
from simplexcert.certify.report.page.drawing import embedded

OWN = Path(__file__).resolve().parent / "pages"
_PROGRAM = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# What a program prints stands on the page; a notebook prints it by itself.
_PRINTED = re.compile(r"^```text\n.*?^```\n\n?", re.MULTILINE | re.DOTALL)
# A picture in the page's own folder is saved by a program of the page.
_PICTURE = re.compile(r"^<!-- figure ([\w-]+\.svg): (.+) -->\n*", re.MULTILINE)
_NOTEBOOK = re.compile(r"^\[This page as a notebook\].*\n\n", re.MULTILINE)


def _pages(pattern: str) -> dict[str, str]:
    """Return the text of each page whose file matches, by its name."""
    return {path.stem: path.read_text(encoding="utf-8") for path in OWN.glob(pattern)}


def notebook(page: str) -> str:
    """Return a page as a notebook without outputs."""
    for left_out in (_PRINTED, _PICTURE, _NOTEBOOK):
        page = left_out.sub("", page)
    cells = jupytext.reads(page, fmt="md")
    cells.metadata["kernelspec"] = {
        "display_name": "Python 3",
        "language": "python",
        "name": "python3",
    }
    for at, cell in enumerate(cells.cells):
        cell.id = f"cell-{at}"  # the same page is the same notebook
    return str(jupytext.writes(cells, fmt="ipynb"))


@cache
def _pictures(page: str) -> dict[str, str]:
    """Run a page's programs in a folder of their own; return the pictures that they save."""
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        names: dict[str, object] = {"__name__": "page"}
        with contextlib.redirect_stdout(io.StringIO()):
            for program in _PROGRAM.findall(page):
                exec(compile(program, "page", "exec"), names)  # noqa: S102 - our own page
        return {
            place: embedded(Path(place).read_text(encoding="utf-8"), Path(place).stem, words, words)
            for place, words in _PICTURE.findall(page)
            if Path(place).is_file()
        }


def notebooks() -> dict[str, Callable[[], str]]:
    """Return the notebooks, by their places on the site."""
    return {
        f"{name}.ipynb": lambda text=text: notebook(text)
        for name, text in _pages("gallery-*.md").items()
    }


def pictures() -> dict[str, Callable[[], str]]:
    """Return the pictures that pages' programs save, by their places on the site."""
    return {
        place: lambda text=text, place=place: _pictures(text)[place]
        for text in _pages("*.md").values()
        for place, _ in _PICTURE.findall(text)
    }
