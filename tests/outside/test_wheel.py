"""The wheel: it holds what is needed beside the code, and works alone."""

from __future__ import annotations

import subprocess
import sys
import venv
import zipfile
from pathlib import Path

from outside_project import ROOT, Environment

BACKEND = """
import math

class backend:
    name, version = "small", "1"
    quantities = {
        "dirichlet.utility.variance_bound":
            lambda k: math.nextafter(0.25 / (k + 1) * (1 + 2**-50), math.inf),
    }
"""


def run(*command: str | Path, cwd: Path = ROOT) -> str:
    done = subprocess.run(
        [str(part) for part in command], cwd=cwd, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_wheel_holds_the_types_the_examples_and_the_schema(environment: Environment) -> None:
    names = set(zipfile.ZipFile(environment.wheel).namelist())
    for wanted in (
        "simplexcert/__init__.py",
        "simplexcert/py.typed",
        "simplexcert/reference/py.typed",
        "simplexcert/certify/py.typed",
        "simplexcert/certify/audits/examples/benvenuti2025-grades.toml",
        "simplexcert/certify/published/statements/digits.tfp.txt",
        "simplexcert/certify/mechanisms/dirichlet.counts.toml",
        "simplexcert/certify/vectors/corpus/index.json",
        "simplexcert/certify/vectors/published.toml",
        "simplexcert/certify/certificate/backend-v1.schema.json",
    ):
        assert wanted in names
    assert [name for name in names if name.endswith("/data/share/man/man1/simplexcert.1")]
    assert [name for name in names if name.endswith("/machine_checked/CheckedClaim.v")]
    assert not [name for name in names if name.startswith(("reference/", "certify/", "tests/"))]


def test_the_core_alone_evaluates_audits_certifies_and_verifies(
    environment: Environment, tmp_path: Path
) -> None:
    venv.create(tmp_path / "core", with_pip=True)
    installed = tmp_path / "core" / "bin"
    pip = (installed / "python", "-m", "pip", "--quiet", "--disable-pip-version-check")
    install = (*pip, "install", "--no-compile", "--no-deps")
    run(*install, "--require-hashes", "--requirement", ROOT / ".ci" / "core.txt")
    run(*install, environment.wheel)
    run(*pip, "check")
    (tmp_path / "small.py").write_text(BACKEND, encoding="utf-8")

    def said(*words: str) -> str:
        return run(installed / "simplexcert", *words, cwd=tmp_path)

    values = ("-p", "alpha=1", "-p", "step=1")
    assert '"exact": "1/2"' in said(
        "evaluate", "dirichlet.profile.total_variation", *values, "--json"
    )
    assert said("audit", "example:song2017-network", "--out", "claim.json").startswith("CERTIFIED")
    assert said("certify", "small:backend", "--cases", "4", "--out", "backend.json")
    for name in ("claim.json", "backend.json"):
        found = said("verify", name)
        assert found.startswith("CERTIFIED")
        assert f"'{name}' is consistent" in found


USER = """
import numpy as np
from simplexcert import audit, evaluate, verify
from simplexcert.certify import Curve, curve
from simplexcert.reference import Answer, Answers

answer: Answer = evaluate("dirichlet.profile.delta", alpha="1.68", step=1, epsilon=0.6)
grid = evaluate("dirichlet.profile.delta", alpha=2, step=1, epsilon=np.linspace(0, 3, 5))
assert isinstance(grid, Answers)
highest: float = grid.upper_float.max()
found = audit({"release": {"mechanism": "dirichlet.renyi"}, "claim": {"epsilon": 1}})
found.write_certificate("certificate.json")
print(found.verdict.value, verify("certificate.json").checked_by)
drawn: Curve = curve("example:benvenuti2025-grades", epsilon="0:3:4")
drawn.write_csv("curve.csv")
wrong: int = evaluate("dirichlet.profile.delta", alpha=2, step=1, epsilon=1)
"""


def test_a_strict_type_checker_knows_what_is_imported_and_finds_the_one_error(
    environment: Environment, tmp_path: Path
) -> None:
    (tmp_path / "user.py").write_text(USER, encoding="utf-8")
    python = environment.folder / "bin" / "python"
    command = [sys.executable, "-m", "mypy", "--strict", "--python-executable", python, "user.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.stdout.splitlines()[-1].startswith("Found 1 error"), done.stdout + done.stderr
    last = len(USER.splitlines())
    assert f"user.py:{last}: error: Incompatible types in assignment" in done.stdout
