"""The distribution: every folder is packaged, the wheel works alone, nothing private is in it."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
CONSTRAINTS = (ROOT / ".ci" / "constraints.txt").read_text(encoding="utf-8")
IGNORED = {
    ".git", ".venv", "__pycache__", "build", "dist", ".mypy_cache", ".ruff_cache", ".pytest_cache",
    ".hypothesis", ".benchmarks",
}  # fmt: skip


def run(*command: str | Path, cwd: Path = ROOT) -> str:
    done = subprocess.run(
        [str(part) for part in command], cwd=cwd, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def files() -> list[Path]:
    return [
        path
        for path in ROOT.rglob("*")
        if path.is_file()
        and not IGNORED & set(path.relative_to(ROOT).parts)
        and not any(part.endswith(".egg-info") for part in path.parts)
    ]


def test_the_packages_that_are_listed_are_the_folders_that_exist() -> None:
    folders = {
        "simplexcert." + ".".join(path.parent.relative_to(ROOT).parts)
        for top in ("reference", "certify")
        for path in (ROOT / top).rglob("__init__.py")
    }
    assert set(PROJECT["tool"]["setuptools"]["packages"]) == folders


def test_every_module_is_in_a_package() -> None:
    for top in ("reference", "certify"):
        for module in (ROOT / top).rglob("*.py"):
            assert (module.parent / "__init__.py").is_file(), module


def test_dependencies_have_lower_bounds_that_are_pinned_in_the_constraints() -> None:
    pinned = dict(re.findall(r"^([A-Za-z0-9._-]+)==(\S+)$", CONSTRAINTS, flags=re.MULTILINE))
    extras = PROJECT["project"]["optional-dependencies"].values()
    for wanted in [*PROJECT["project"]["dependencies"], *(item for e in extras for item in e)]:
        name, bound = wanted.split(">=")
        assert bound
        assert name in pinned, name


def test_the_constraints_are_plain_pins() -> None:
    for line in CONSTRAINTS.splitlines():
        assert re.fullmatch(r"[A-Za-z0-9._-]+==[A-Za-z0-9.]+", line), line


def test_no_file_names_a_machine_or_an_index() -> None:
    words = ["pypi" + ".org", "python" + "hosted.org", "/ro" + "ot/", "/wo" + "rk/", "/ho" + "me/"]
    for path in files():
        content = path.read_bytes()
        assert not [word for word in words if word.encode() in content], path


def test_certify_is_never_imported_by_the_reference() -> None:
    for module in (ROOT / "reference").rglob("*.py"):
        text = module.read_text(encoding="utf-8")
        assert not re.search(r"^\s*(from|import) .*certify", text, flags=re.MULTILINE), module


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    source = folder / "source"
    for path in files():
        copy = source / path.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(path.read_bytes())
    run(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", folder, source)
    (built,) = folder.glob("simplexcert-*.whl")
    return built


def test_the_wheel_holds_the_types_the_examples_and_the_schema(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    for wanted in (
        "simplexcert/reference/py.typed",
        "simplexcert/certify/py.typed",
        "simplexcert/certify/audits/examples/benvenuti2025-grades.toml",
        "simplexcert/certify/mechanisms/dirichlet.counts.toml",
        "simplexcert/certify/certificate/certificate-v2.schema.json",
    ):
        assert wanted in names
    assert not [name for name in names if name.startswith(("reference/", "certify/", "tests/"))]


def test_the_wheel_evaluates_in_an_empty_environment(wheel: Path, tmp_path: Path) -> None:
    venv.create(tmp_path / "empty", with_pip=True)
    python = tmp_path / "empty" / "bin" / "python"
    pip = (python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check")
    run(*pip, "--constraint", ROOT / ".ci" / "constraints.txt", wheel)
    command = tmp_path / "empty" / "bin" / "simplexcert"
    printed = run(
        command, "evaluate", "dirichlet.profile.total_variation", "-p", "alpha=1", "-p", "step=1",
        "--json", cwd=tmp_path,
    )  # fmt: skip
    assert '"exact": "1/2"' in printed
    run(command, "audit", "example:gohari2020-experts", cwd=tmp_path)
