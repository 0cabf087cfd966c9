"""CONTRIBUTING shows the way to files that are there."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
TEXT = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
_PATH = re.compile(r"(?<![\w/.])(?:certify|reference|tests|proofs_notes|benchmarks)/[\w./-]*")


def test_every_path_on_it_exists() -> None:
    paths = {path for path in _PATH.findall(TEXT) if "PAPER" not in path}
    assert len(paths) > 20
    assert {path for path in paths if not (ROOT / path).exists()} == set()


def test_the_packages_of_certify_stand_on_its_map() -> None:
    # Those that adapt other libraries, simulate or make vectors are beside the line of stages.
    beside = {"adapters", "models", "simulating", "vectors"}
    folders = {item.parent.name for item in (ROOT / "certify").glob("*/__init__.py")}
    assert {name for name in folders - beside if f"`certify/{name}/`" not in TEXT} == set()
