"""The exact samplers by our own command: 200,000 draws at each point, ten minutes and more."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_line import calling
from fast.certify.backends.test_exact import WHERE


def test_our_own_command_certifies_its_samplers(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "exact.json"
    outcome = calling(capsys, "certify")(WHERE, "--samplers", "--out", out)
    assert (outcome.code, outcome.out.split()[0]) == (0, "CERTIFIED")
    assert calling(capsys, "verify")(out).code == 0
