"""What a command needs is what it imports: the start of an answer is no wait."""

from __future__ import annotations

import subprocess
import sys

import pytest

EVALUATE = "evaluate dirichlet.profile.delta -p alpha=3 -p step=1 -p epsilon=1"
# No audit of a Dirichlet claim and no number needs any of these.
IDLE = frozenset(
    {
        "asyncio",
        "cryptography",
        "hypothesis",
        "jinja2",
        "matplotlib",
        "multiprocessing",
        "networkx",
        "numpy",
        "rfc8785",
        "scipy",
        "securesystemslib",
        "simplexcert.certify.backends",
        "simplexcert.certify.campaign",
        "simplexcert.certify.certificate",
        "simplexcert.certify.papers",
        "simplexcert.certify.releasing",
        "simplexcert.certify.report.page",
        "simplexcert.certify.samplers",
        "simplexcert.reference.markov",
        "simplexcert.reference.pufferfish",
        "simplexcert.reference.second.markov",
        "simplexcert.reference.second.pufferfish",
        "sympy",
        "unittest",
    }
)


def imported_by(command: str) -> tuple[int, set[str]]:
    """Return a command's exit code, and what its processes imported, forked ones too."""
    script = "from simplexcert.certify.cli import main; main()"
    words = [sys.executable, "-X", "importtime", "-c", script, *command.split()]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    lines = [line for line in done.stderr.splitlines() if line.startswith("import time:")]
    return done.returncode, {line.rpartition("|")[2].strip() for line in lines}


@pytest.mark.parametrize(
    ("command", "code", "also_idle", "needed"),
    [
        ("--version", 0, {"flint", "gmpy2", "mpmath", "msgspec", "rich"}, "click"),
        (EVALUATE, 0, {"mpmath", "msgspec", "rich"}, "flint"),
        ("audit missing.toml", 3, {"flint", "mpmath", "msgspec", "rich"}, "click"),
        ("audit example:dirichlet.identity", 0, set(), "mpmath"),
    ],
    ids=["version", "evaluate", "no file", "audit"],
)
def test_a_command_imports_nothing_that_it_does_not_need(
    command: str, code: int, also_idle: set[str], needed: str
) -> None:
    ended, imported = imported_by(command)
    assert ended == code
    assert needed in imported
    assert imported & (IDLE | also_idle) == set()
