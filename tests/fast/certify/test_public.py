"""``import simplexcert``: the fixed names, at once, and nothing loaded for those not asked for."""

from __future__ import annotations

import importlib
import pkgutil
import re
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest
import simplexcert
import simplexcert.certify
import simplexcert.reference

NAMES = {
    "Policy", "audit", "certify_backend", "curve", "draw_release", "evaluate", "quantities",
    "verify",
}  # fmt: skip


def test_the_names_are_those_that_the_interface_fixes() -> None:
    assert set(simplexcert.__all__) == {*NAMES, "__version__"}
    assert {*NAMES, "certify", "reference"} <= set(dir(simplexcert))
    for name in NAMES:
        found = getattr(simplexcert, name)
        assert found.__name__ == name
        assert found.__doc__


def test_the_version_is_the_distributions() -> None:
    assert simplexcert.__version__ == version("simplexcert")


def test_any_other_name_is_none() -> None:
    with pytest.raises(AttributeError, match="no attribute 'release'"):
        _ = simplexcert.release  # type: ignore[attr-defined]


def test_no_module_bears_the_name_of_a_function_that_its_package_exports() -> None:
    reference, certify = (
        Path(each.__path__[0]) for each in (simplexcert.reference, simplexcert.certify)
    )
    for init in (
        reference / "__init__.py",
        certify / "__init__.py",
        *certify.glob("*/__init__.py"),
    ):
        exported = re.search(r"__all__ = \[(.*?)\]", init.read_text(), flags=re.DOTALL)
        names = set(re.findall(r"\w+", exported[1])) if exported else set()
        modules = {each.name for each in pkgutil.iter_modules([str(init.parent)])}
        assert not modules & names, init


def test_importing_loads_nothing_but_the_package() -> None:
    script = "import sys; before = set(sys.modules); import simplexcert\n"
    script += "print(*sorted(set(sys.modules) - before))"
    done = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        check=True,
    )
    ours = {name for name in done.stdout.split() if name.startswith("simplexcert")}
    assert ours == {"simplexcert", "simplexcert.reference", "simplexcert.reference.lazy"}
    assert not set(done.stdout.split()) & {"numpy", "flint", "gmpy2", "click", "fractions"}


def test_functions_are_those_of_the_packages() -> None:
    certify = importlib.import_module("simplexcert.certify")
    assert simplexcert.audit is certify.audit
    assert simplexcert.evaluate is simplexcert.reference.evaluate
