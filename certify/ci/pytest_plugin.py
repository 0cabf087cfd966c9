"""A pytest plugin: ``pytest --certify-backend NAME``, one test a quantity and check.

pytest imports this module whenever it starts, in every project that has this one installed: so it
imports nothing but pytest until a backend is named.
"""

from __future__ import annotations

from typing import Any

import pytest

_OPTIONS: dict[str, dict[str, Any]] = {
    "--certify-quantities": {"metavar": "GLOB", "help": "Which quantities; by default all."},
    "--certify-cases": {"metavar": "N", "type": int, "help": "Cases per quantity; 200."},
    "--certify-seed": {"metavar": "S", "type": int, "help": "Which cases are drawn; 0."},
    "--certify-case-seconds": {
        "metavar": "S",
        "type": float,
        "help": "Time that the backend has for a case; 20.",
    },
    "--certify-expected-failures": {
        "metavar": "FILE",
        "help": "Failures that are expected, each with a reason.",
    },
}


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options."""
    group = parser.getgroup("simplexcert", "certifying a numerical backend (simplexcert)")
    group.addoption(
        "--certify-backend",
        metavar="NAME",
        help="Certify this backend: an entry point, module:attribute, "
        "command:PROGRAM ARG ..., or third-party:NAME",
    )
    for name, said in _OPTIONS.items():
        group.addoption(name, **said)


def pytest_configure(config: pytest.Config) -> None:
    """Certify the backend that is named, if any."""
    if config.getoption("--certify-backend") is not None:
        from .pytest_certifying import Certifying

        config.pluginmanager.register(Certifying(config), "simplexcert-certifying")
        return
    given = [name for name in _OPTIONS if config.getoption(name) is not None]
    if given:
        raise pytest.UsageError(f"{given[0]} is of no use without --certify-backend")
