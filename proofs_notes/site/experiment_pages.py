"""What came out of the papers' experiments, as pages of the site.

They are read from ``benchmarks/results`` where `make experiments` has left them, and else run while
the site is built, in their small sizes.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# Experiments import each other from there, as `make experiments` has it.
sys.path.append(str(ROOT / "benchmarks"))

from experiments.__main__ import RESULTS, SEED  # noqa: E402
from experiments.page import page  # noqa: E402
from experiments.registry import Setting, experiments  # noqa: E402
from experiments.results import Result, read_results  # noqa: E402
from experiments.running import run_one  # noqa: E402
from simplexcert.certify.report.page.drawing import embedded  # noqa: E402


@cache
def _found() -> tuple[list[Result], dict[str, str]]:
    """Return the results, and the text of each of their files."""
    if any(RESULTS.glob("*/result.json")):
        return _read(RESULTS)
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder)
        for name in experiments():
            run_one(Setting(name, quick=True, seed=SEED), out, lambda _: None)
        return _read(out)


def _read(out: Path) -> tuple[list[Result], dict[str, str]]:
    results = read_results(out)
    files = {}
    for result in results:
        for table in result.tables:
            place = f"{result.id}/{table.name}.csv"
            files[place] = (out / place).read_text(encoding="utf-8")
        for image in result.images:
            place = f"{result.id}/{image.file}"
            text = (out / place).read_text(encoding="utf-8")
            name = place.removesuffix(".svg").replace("/", "-").replace(".", "-")
            files[place] = embedded(text, name, image.title, image.title)
    return results, files


def results_page() -> str:
    """Return the page of what came out."""
    results, _ = _found()
    return page(results)


def result_files() -> dict[str, Callable[[], str]]:
    """Return the tables and plots that the page shows, by their places on the site."""
    _, files = _found()
    return {place: lambda place=place: files[place] for place in files}
