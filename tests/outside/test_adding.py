"""CONTRIBUTING's table tried in a copy: a toy quantity, a toy mechanism, and the files touched."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import pytest
from private_data import DATA
from simplexcert.certify.mechanisms import template_text

ROOT = Path(__file__).resolve().parents[2]
COPIED = ("certify", "reference", "tests", "proofs_notes")
SECONDS = 300
QUANTITY = "dirichlet.utility.second_moment"
MECHANISM = "toy.vector"


class Copy(NamedTuple):
    """A copy of the project in which files are added to, and which remembers which."""

    root: Path
    touched: set[str]

    def add(self, name: str, text: str, before: str = "") -> None:
        """Put a text at the end of a file, which may be new, or before the only such text in it."""
        file = self.root / name
        old = file.read_text("utf-8") if file.exists() else ""
        assert not before or old.count(before) == 1, name
        file.write_text(old.replace(before, text + before) if before else old + text, "utf-8")
        self.touched.add(name)

    def run(self, *arguments: object) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, *map(str, arguments)],
            cwd=self.root,
            env={"PYTHONPATH": str(self.root / "packages"), "PATH": "/usr/bin:/bin"},
            capture_output=True,
            text=True,
            check=False,
            timeout=SECONDS,
        )

    def command(self, *arguments: object) -> subprocess.CompletedProcess[str]:
        return self.run("-c", "from simplexcert.certify.cli import main; main()", *arguments)

    def gate(self, tests: Sequence[str], chosen: Sequence[str]) -> subprocess.CompletedProcess[str]:
        options = ["-q", "-n0", "-p", "no:cacheprovider", "-k", " or ".join(chosen)]
        return self.run("-m", "pytest", *options, *(f"tests/fast/{each}" for each in tests))


@pytest.fixture
def copy(tmp_path: Path) -> Copy:
    without = shutil.ignore_patterns("__pycache__", "hostile", "site")
    for name in COPIED:
        shutil.copytree(ROOT / name, tmp_path / name, ignore=without)
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    package = tmp_path / "packages" / "simplexcert"
    package.mkdir(parents=True)
    for name in ("certify", "reference"):
        (package / name).symlink_to(tmp_path / name)
    return Copy(tmp_path, set())


FORMULA = f'''

@quantity(
    "{QUANTITY}",
    safe=Side.NONE,
    truth=Truth.LEAST,
    source=_UTILITY_NOTE,
    within=A_PROBABILITY,
    falls="k",
)
def second_moment(p: Probability, k: Positive) -> Fraction:
    """Mean square of a coordinate with mean p: p (k p + 1)/(k + 1), a rational."""
    return p * (k * p + 1) / (k + 1)
'''
OTHER_FORMULA = f'''

@second_opinion("{QUANTITY}", engine="mpfr", rigorous=True)
def second_moment(bits: int, p: Fraction, k: Fraction) -> Enclosure:
    """Return the variance p (1-p)/(k+1) and p^2, a rational."""
    return Enclosure.of(p * (1 - p) / (k + 1) + p * p, bits)
'''
EDGES = f"""
"{QUANTITY}" = [
    {{ p = "0", k = "3" }},
    {{ p = "1/3", k = "20.6" }},
]
"""


def test_a_quantity_is_its_module_its_second_opinion_its_edges_and_its_note(copy: Copy) -> None:
    complete = ("every_quantity_has", "second_moment", "says_what_it_is")
    copy.add("reference/dirichlet/utility.py", FORMULA)
    told = copy.gate(["reference/second/test_second_opinion.py"], complete[:1])
    assert told.returncode == 1, told.stdout  # the gate asks for what is missing
    assert QUANTITY in told.stdout
    copy.add("reference/second/dirichlet/utility.py", OTHER_FORMULA)
    copy.add("reference/second/edges.toml", EDGES)
    copy.add("proofs_notes/utility.md", "Its mean square is p (k p + 1)/(k + 1).\n\n",
             before="## mean-absolute-deviation")  # fmt: skip
    tests = ("reference/second/test_second_opinion.py", "reference/test_quantity.py")
    told = copy.gate(tests, complete)
    assert told.returncode == 0, told.stdout
    told = copy.command("evaluate", QUANTITY, "-p", "p=1/2", "-p", "k=1")
    assert told.returncode == 0, told.stderr
    assert "0.375" in told.stdout
    assert len(copy.touched) == 4


MODULE = f'''"""A toy: one private vector in the bordered simplex, released as Dirichlet(k p)."""

from .vector import Identity


class _Toy(Identity):
    """A vector whose protected coordinates are all of it but one."""

    name = "{MECHANISM}"

    def non_claims(self, claim):
        """Return what a verdict does not say."""
        return [*super().non_claims(claim), "This is a toy."]


TOY = _Toy()
'''


def test_a_mechanism_is_its_module_its_claim_file_its_line_of_the_registry_and_private_data(
    copy: Copy, tmp_path: Path
) -> None:
    alike = "dirichlet.identity"
    copy.add("certify/mechanisms/toy.py", MODULE)
    copy.add(f"certify/mechanisms/{MECHANISM}.toml", template_text(alike).replace(alike, MECHANISM))
    copy.add("certify/mechanisms/__init__.py", f'    "{MECHANISM}": ("toy", "TOY"),\n',
             before='    "dirichlet.identity": (')  # fmt: skip
    told = copy.gate(["certify/releasing/test_release_end_to_end.py"], ["every_mechanism"])
    assert told.returncode == 1, told.stdout  # the gate asks for what is missing
    assert "tests/support/private_data.py" in told.stdout
    copy.add("tests/support/private_data.py", f'\n\nDATA["{MECHANISM}"] = DATA["{alike}"]\n')
    tests = ("mechanisms", "test_vacuous.py", *(f"releasing/test_release_{part}.py" for part in (
        "end_to_end", "refusals", "silence")))  # fmt: skip
    told = copy.gate([f"certify/{each}" for each in tests], ["mechanism", "toy"])
    assert told.returncode == 0, told.stdout
    claim, data = tmp_path / "claim.toml", tmp_path / "private.csv"
    told = copy.command("release", "--template", MECHANISM)
    claim.write_text(told.stdout, "utf-8")
    data.write_text(DATA[alike].text, "utf-8")
    told = copy.command("audit", f"example:{MECHANISM}")
    assert told.returncode == 0, told.stderr
    assert "This is a toy." in told.stdout
    out, certificate, ledger = (tmp_path / f"{name}.json" for name in ("out", "cert", "ledger"))
    files = ["--data", data, "--out", out, "--certificate", certificate, "--ledger", ledger]
    told = copy.command("release", claim, *files)
    assert told.returncode == 0, told.stderr
    for asked in (["verify", certificate, "--subject", out], ["ledger", ledger]):
        told = copy.command(*asked)
        assert told.returncode == 0, told.stderr
    assert len(copy.touched) == 4
