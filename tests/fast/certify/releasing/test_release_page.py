"""The page for those who release: what it shows happens as it stands there."""

from __future__ import annotations

import re
import shlex
import subprocess
from pathlib import Path

import pytest
from shown_pages import commands_in
from simplexcert.certify.certificate.grids import LEAST_BITS, LEAST_BITS_OF_NOISE, MOST_BITS
from simplexcert.certify.cli import run
from simplexcert.certify.mechanisms.data.table import MAX_FIELDS, MAX_LINES
from simplexcert.reference.exact import MAX_FILE_BYTES
from simplexcert.reference.labels import MAX_COUNT_DIGITS
from simplexcert.reference.sampling import LEAST_ALPHA

PAGE = Path(__file__).parents[4] / "certify" / "releasing" / "RELEASES.md"
TEXT = PAGE.read_text(encoding="utf-8")
_CODE = "; echo $?"


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", TEXT, flags=re.DOTALL | re.MULTILINE)


def commands() -> list[tuple[str, list[str]]]:
    """Return each command of the page with the lines that it shows."""
    return commands_in("".join(blocks("console")))


def test_everything_on_the_page_happens(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (claim,), (python,) = blocks("toml"), blocks("python")
    (tmp_path / "claim.toml").write_text(claim, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    for command, lines in commands():
        if not command.startswith("simplexcert"):
            subprocess.run(["bash", "-c", command], check=True, timeout=20)  # noqa: S607
            continue
        code = int(lines.pop()) if command.endswith(_CODE) else 0
        arguments = shlex.split(command.removesuffix(_CODE))
        assert run(arguments[1:]) == code, command
        told = capsys.readouterr()
        printed = [*told.out.splitlines(), *told.err.splitlines()]
        for line in lines:
            assert [one for one in printed if one.startswith(line.rstrip())], (line, printed)
    exec(compile(python, str(PAGE), "exec"), {})  # noqa: S102
    assert (tmp_path / "python.json").is_file()


def test_the_limits_on_the_page_are_those_that_are_kept() -> None:
    assert f"the grid\nhas {LEAST_BITS} to {MOST_BITS} bits" in TEXT
    assert f"noise has {LEAST_BITS_OF_NOISE} to {MOST_BITS}" in TEXT
    assert f"Concentrations below {LEAST_ALPHA} are not drawn" in TEXT
    size = f"{MAX_FILE_BYTES >> 20} MiB, {MAX_LINES:,} lines or {MAX_FIELDS:,} fields"
    assert f"a file of more than {size}" in TEXT
    assert f"a count of\nmore than {MAX_COUNT_DIGITS} digits" in TEXT
