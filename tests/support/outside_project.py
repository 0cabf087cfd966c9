"""An environment outside this repository: our wheel, freshly installed, and commands run in it."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path
from typing import Any, NamedTuple

import yaml

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "certify" / "ci" / "CERTIFY.md"
ACTION = ROOT / "certify" / "ci" / "action" / "action.yml"
AUDIT_ACTION = ROOT / "certify" / "ci" / "audit-action" / "action.yml"
SECONDS = 120
# Words that a shell would act on, if they were read as a part of a script.
HOSTILE_WORDS = [
    "$(touch pwned)",
    "`touch pwned`",
    "'; touch pwned; '",
    '"; touch pwned; "',
    "x && touch pwned",
    "* ? [a]",
]


class Outcome(NamedTuple):
    code: int
    out: str
    err: str


class Environment(NamedTuple):
    """A virtual environment, and the wheel that is installed in it."""

    folder: Path
    wheel: Path

    def shell(self, command: str, cwd: Path, **variables: str) -> Outcome:
        """Run a command of bash there."""
        path = f"{self.folder / 'bin'}{os.pathsep}{os.environ['PATH']}"
        return shell(command, cwd, PATH=path, **variables)

    def require(self, command: str, cwd: Path) -> None:
        """Run a command of bash there, which has to succeed."""
        done = self.shell(command, cwd)
        assert done.code == 0, done.out + done.err


def shell(command: str, cwd: Path, **variables: str) -> Outcome:
    """Run a command of bash, without what the running tests have put into the environment."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    done = subprocess.run(
        ["bash", "-c", command],  # noqa: S607
        cwd=cwd,
        env={**kept, "PIP_DISABLE_PIP_VERSION_CHECK": "1", **variables},
        capture_output=True,
        text=True,
        check=False,
        timeout=SECONDS,
        stdin=subprocess.DEVNULL,
    )
    return Outcome(done.returncode, done.stdout, done.stderr)


def environment_in(folder: Path) -> Environment:
    """Make an environment of its own, into which our wheel is installed and nothing else of ours.

    What the wheel depends on is found where the running environment has it, so that nothing has to
    be fetched for it.
    """
    venv.create(folder / "venv", with_pip=True)
    found = Environment(folder / "venv", wheel_in(folder))
    site = Path(sysconfig.get_path("purelib", "venv", {"base": str(found.folder)}))
    linked = {sysconfig.get_path(kind) for kind in ("purelib", "platlib")}
    (site / "dependencies.pth").write_text("\n".join(linked), encoding="utf-8")
    # Linked are modules; of the commands that they come with only this one is needed.
    command = found.folder / "bin" / "pytest"
    command.write_text('#!/bin/sh\nexec python -m pytest "$@"\n', encoding="utf-8")
    command.chmod(0o755)
    found.require(f"pip install --quiet --no-deps --no-index '{found.wheel}'", folder)
    return found


def source_in(folder: Path) -> Path:
    """Copy the sources that a wheel is built from, so that nothing is built among them."""
    source = folder / "source"
    theory = "proofs_notes/machine_checked"
    for name in ("reference", "certify", theory, "pyproject.toml", "README.md", "LICENSE"):
        for path in [ROOT / name, *(ROOT / name).rglob("*")]:
            if path.is_file() and "__pycache__" not in path.parts:
                copy = source / path.relative_to(ROOT)
                copy.parent.mkdir(parents=True, exist_ok=True)
                copy.write_bytes(path.read_bytes())
    return source


def wheel_in(folder: Path) -> Path:
    """Build our wheel from a copy of the sources."""
    source = source_in(folder)
    python = f"'{sys.executable}' -m pip wheel --quiet --no-deps"
    done = shell(f"{python} --wheel-dir '{folder}' '{source}'", folder)
    assert done.code == 0, done.out + done.err
    (wheel,) = folder.glob("simplexcert-*.whl")
    return wheel


def action_steps(action: Path = ACTION) -> list[dict[str, Any]]:
    """Return the steps of a composite action."""
    loaded = yaml.safe_load(action.read_text(encoding="utf-8"))
    steps: list[dict[str, Any]] = loaded["runs"]["steps"]
    return steps
