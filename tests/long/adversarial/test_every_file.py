"""Changed bytes of every signed certificate, every hostile file by the command, and a long fuzz."""

from __future__ import annotations

from pathlib import Path

import pytest
from fast.adversarial import test_adversarial as hostile
from fast.adversarial.test_fuzz import LAWS, held
from fast.adversarial.test_mutations import SIGNED, STEP, require_refused_wherever_changed

EXAMPLES = 5_000


@pytest.mark.parametrize("name", SIGNED[:-1])
def test_every_so_many_bytes_one_matters_of_every_file(name: str, tmp_path: Path) -> None:
    require_refused_wherever_changed(name, STEP, tmp_path)


@pytest.mark.parametrize("name", hostile.TABLE)
def test_the_command_says_so_of_every_file(
    name: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(hostile.HERE)
    hostile.require_a_sentence(name, capsys)


@pytest.mark.parametrize("name", LAWS)
def test_no_bytes_raise_any_error_but_ours_for_long(name: str) -> None:
    held(name, EXAMPLES, derandomized=False)
