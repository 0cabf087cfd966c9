"""The distribution: every folder is packaged, and nothing private is in it."""

from __future__ import annotations

import re
import subprocess
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
# What a user has at least, what `make certificate` takes, and all that works here.
PINS = ("core", "certificate", "constraints")
IGNORED = {
    ".git", ".venv", "__pycache__", "build", "dist", ".mypy_cache", ".ruff_cache", ".pytest_cache",
    ".hypothesis", ".benchmarks",
}  # fmt: skip


def files() -> list[Path]:
    return [
        path
        for path in ROOT.rglob("*")
        if path.is_file()
        and not IGNORED & set(path.relative_to(ROOT).parts)
        and not any(part.endswith(".egg-info") for part in path.parts)
    ]


def test_the_top_level_holds_the_five_folders_and_what_tools_and_readers_look_for_there() -> None:
    listed = subprocess.run(
        ["/usr/bin/env", "git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    visible = {name.partition("/")[0] for name in listed if not name.startswith(".")}
    assert visible == {
        "reference", "certify", "proofs_notes", "tests", "benchmarks", "pyproject.toml",
        "README.md", "CHANGELOG.md", "CITATION.cff", "CONTRIBUTING.md", "LICENSE", "Makefile",
    }  # fmt: skip


def test_the_packages_that_are_listed_are_the_folders_that_exist() -> None:
    folders = {
        "simplexcert." + ".".join(path.parent.relative_to(ROOT).parts)
        for top in ("reference", "certify")
        for path in (ROOT / top).rglob("__init__.py")
    }
    # What `import simplexcert` gives has a folder of its own.
    assert PROJECT["tool"]["setuptools"]["package-dir"]["simplexcert"] == "certify/public"
    listed = set(PROJECT["tool"]["setuptools"]["packages"])
    assert listed == folders - {"simplexcert.certify.public"} | {"simplexcert"}


def test_every_module_is_in_a_package() -> None:
    for top in ("reference", "certify"):
        for module in (ROOT / top).rglob("*.py"):
            assert (module.parent / "__init__.py").is_file(), module


def pinned_in(name: str) -> dict[str, str]:
    """Return each release that is pinned, with its hashes, by its name."""
    text = (ROOT / ".ci" / f"{name}.txt").read_text(encoding="utf-8")
    hashes = r"(?: \\\n    --hash=sha256:[0-9a-f]{64})+\n"
    release = r"([a-z0-9-]+)==([A-Za-z0-9.]+(?: ; [^\\\n]+?)?" + hashes + ")"
    assert re.fullmatch(f"(?:{release})+", text), f".ci/{name}.txt is not what `make lock` writes"
    return dict(re.findall(release, text))


def test_dependencies_have_lower_bounds_that_are_pinned_in_the_constraints() -> None:
    pinned = pinned_in("constraints")
    extras = PROJECT["project"]["optional-dependencies"]
    listed = [*PROJECT["project"]["dependencies"], *(item for e in extras.values() for item in e)]
    for wanted in listed:
        if ours := re.fullmatch(r"simplexcert\[(.+)\]", wanted):
            assert set(ours[1].split(",")) <= set(extras), wanted
            continue
        name, bound = wanted.split(">=")
        assert bound
        assert name.lower() in pinned, name


def test_every_dependency_is_imported() -> None:
    """Libraries of tests alone are none: Hypothesis draws in the tests, never in a user's run."""
    code = "".join(
        path.read_text(encoding="utf-8")
        for top in ("reference", "certify")
        for path in (ROOT / top).rglob("*.py")
    )
    imported = set(re.findall(r"^ *(?:from|import) ([a-z0-9_]+)", code, flags=re.MULTILINE))
    named = {name.split(">=")[0] for name in PROJECT["project"]["dependencies"]}
    assert {name.removeprefix("python-") for name in named} <= imported
    assert not {"hypothesis", "jinja2", "matplotlib", "scikit-learn", "scipy", "sympy"} & named


def test_all_is_every_extra_for_users() -> None:
    extras = PROJECT["project"]["optional-dependencies"]
    for_us = {"all", "bench", "dist", "docs", "lint", "test"}
    assert extras["all"] == [f"simplexcert[{','.join(sorted(set(extras) - for_us))}]"]


def test_a_certificate_takes_what_a_user_installs_and_nothing_for_tests() -> None:
    """The environment for tests is that one, with more: either may be made first."""
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    rules = dict(re.findall(r"^(\S+): (.*(?:\n\t.*)*)", makefile, flags=re.MULTILINE))
    assert rules["certificate"].startswith("$(CORE) ")
    assert "\t$(PINNED) .ci/certificate.txt\n" in rules["$(CORE)"]
    assert rules["test"].startswith("$(READY) ")
    assert rules["$(READY)"].startswith("$(CORE) ")


def test_what_is_pinned_for_less_is_pinned_alike_for_more() -> None:
    core, certificate, everything = (pinned_in(name).items() for name in PINS)
    assert core < certificate < everything
    assert {name for name, _ in certificate - core} == {"scipy", "setuptools"}


def test_no_file_names_a_machine_or_an_index() -> None:
    words = ["pypi" + ".org", "python" + "hosted.org", "/ro" + "ot/", "/wo" + "rk/", "/ho" + "me/"]
    for path in files():
        content = path.read_bytes()
        assert not [word for word in words if word.encode() in content], path


def test_certify_is_never_imported_by_the_reference() -> None:
    for module in (ROOT / "reference").rglob("*.py"):
        text = module.read_text(encoding="utf-8")
        assert not re.search(r"^\s*(from|import) .*certify", text, flags=re.MULTILINE), module
