"""CONTRIBUTING shows the way to files that are there."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
TEXT = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
_PATH = re.compile(r"(?<![\w/.])(?:certify|reference|tests|proofs_notes|benchmarks)/[\w./-]*")


def test_every_path_on_it_exists() -> None:
    paths = {path for path in _PATH.findall(TEXT) if not re.search("PAPER|NAME", path)}
    assert len(paths) > 20
    assert {path for path in paths if not (ROOT / path).exists()} == set()


def test_the_packages_of_certify_stand_on_its_map() -> None:
    folders = {item.parent.name for item in (ROOT / "certify").glob("*/__init__.py")}
    missing = {f"`certify/{name}/`" for name in folders if f"`certify/{name}/`" not in TEXT}
    assert not missing, f"add to the map of CONTRIBUTING.md: {missing}"


def test_a_key_file_of_the_map_stands_where_it_says() -> None:
    rows = re.findall(r"^\| [\w ]+ \| (`[^|]+`) \| (`[^|]+`) \| [^|]+ \|$", TEXT, re.MULTILINE)
    assert len(rows) > 15
    for where, keys in rows:
        folders = [ROOT / folder for folder in re.findall(r"`([^`]+)`", where)]
        for key in re.findall(r"`([^`]+)`", keys):
            assert any((folder / key).is_file() for folder in folders), (where, key)
