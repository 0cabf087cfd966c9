"""The wheel: it holds what is needed beside the code, and works alone."""

from __future__ import annotations

import subprocess
import venv
import zipfile
from pathlib import Path

from outside_project import ROOT, Environment


def run(*command: str | Path, cwd: Path = ROOT) -> str:
    done = subprocess.run(
        [str(part) for part in command], cwd=cwd, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_wheel_holds_the_types_the_examples_and_the_schema(environment: Environment) -> None:
    names = set(zipfile.ZipFile(environment.wheel).namelist())
    for wanted in (
        "simplexcert/reference/py.typed",
        "simplexcert/certify/py.typed",
        "simplexcert/certify/audits/examples/benvenuti2025-grades.toml",
        "simplexcert/certify/mechanisms/dirichlet.counts.toml",
        "simplexcert/certify/certificate/backend-v1.schema.json",
    ):
        assert wanted in names
    assert [name for name in names if name.endswith("/data/share/man/man1/simplexcert.1")]
    assert not [name for name in names if name.startswith(("reference/", "certify/", "tests/"))]


def test_the_wheel_evaluates_in_an_empty_environment(
    environment: Environment, tmp_path: Path
) -> None:
    venv.create(tmp_path / "empty", with_pip=True)
    python = tmp_path / "empty" / "bin" / "python"
    pip = (python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check")
    run(*pip, "--constraint", ROOT / ".ci" / "constraints.txt", environment.wheel)
    command = tmp_path / "empty" / "bin" / "simplexcert"
    printed = run(
        command, "evaluate", "dirichlet.profile.total_variation", "-p", "alpha=1", "-p", "step=1",
        "--json", cwd=tmp_path,
    )  # fmt: skip
    assert '"exact": "1/2"' in printed
    run(command, "audit", "example:gohari2020-experts", cwd=tmp_path)
