"""Backends to be put under test, written as a user would write them."""

from __future__ import annotations

import importlib
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from kept_enclosures import kept_enclosures

BackendMaker = Callable[..., str]

SOURCE = """
import math
from simplexcert.reference import evaluate

def answering(**given):
    found = evaluate({quantity!r}, given).upper
    truth = float(found)
{body}
    return answer

class Backend:
    name = "made"
    version = "1"
    quantities = {{{quantity!r}: answering}}
    {declared}

backend = Backend()
"""


# Their laws are about what is written, signed, read and shown, not about the numbers in it.
WITH_KEPT_NUMBERS = {"certificate", "report"}


@pytest.fixture(autouse=True, scope="module")
def kept(request: pytest.FixtureRequest) -> Iterator[None]:
    """Let the numbers of the reference be worked out once."""
    if request.path.parent.name in WITH_KEPT_NUMBERS:
        with kept_enclosures():
            yield
    else:
        yield


@pytest.fixture
def make_backend(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> BackendMaker:
    """Return a function that writes a one-quantity backend and returns its module:attribute.

    The body works out ``answer`` from the keyword arguments ``given`` and from ``truth``, the
    reference's own value rounded to the nearest double. The module is imported, so that it is
    called in this process, where quantities may have been made up.
    """
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    made = 0

    def make(quantity: str, body: str, declared: str = "") -> str:
        nonlocal made
        made += 1
        module = f"made_{tmp_path.name.replace('-', '_')}_{made}"
        indented = textwrap.indent(textwrap.dedent(body), "    ")
        source = SOURCE.format(quantity=quantity, body=indented, declared=declared)
        (tmp_path / f"{module}.py").write_text(source, encoding="utf-8")
        importlib.import_module(module)
        return f"{module}:backend"

    return make
