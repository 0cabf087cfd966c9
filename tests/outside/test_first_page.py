"""The site's first page: from the sources to a decided claim, in an environment of its own."""

from __future__ import annotations

import sysconfig
from pathlib import Path

from outside_project import shell, source_in
from shown_pages import ANY, blocks_of, commands_in, require_shown
from site_pages import OWN


def test_everything_on_the_first_page_happens(tmp_path: Path) -> None:
    """As it stands there, but for dependencies, which are found where these tests have them."""
    (block,) = blocks_of((OWN / "index.md").read_text(encoding="utf-8"))
    commands = commands_in(block.text)
    source = source_in(tmp_path)
    there = {
        "PYTHONPATH": sysconfig.get_path("purelib"),
        "PIP_NO_DEPS": "1",
        "PIP_QUIET": "1",
        "PIP_IGNORE_INSTALLED": "1",
    }
    script = "\n".join(["set -e", *(command for command, _ in commands)])
    done = shell(script, source, **there)
    assert done.code == 0, done
    assert (source / "venv" / "bin" / "simplexcert").is_file()
    require_shown([line for _, shown in commands for line in shown], done.out.splitlines(), script)
    assert commands[-1][1][-1] == ANY
