"""Libraries that are not always there: each comes with an extra of the distribution."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType

from ..reference.errors import InputError

# What is asked for before any work, by the extra that brings it.
_BROUGHT = {"float64": ("scipy",), "papers": ("sympy",), "plots": ("matplotlib", "jinja2")}
# What matplotlib looks for first in the current folder.
_SETTINGS = "matplotlibrc"


def library(name: str, extra: str) -> ModuleType:
    """Return a library that an extra brings. Raises InputError, which says how to get it."""
    try:
        return import_module(name)
    except ImportError as error:
        raise InputError(
            f"{name} cannot be imported ({error}); pip install 'simplexcert[{extra}]' brings it"
        ) from None


def require(extra: str, what: str) -> None:
    """Raise InputError, before any work, where a library that this needs is not installed."""
    missing = [name for name in _BROUGHT[extra] if find_spec(name) is None]
    if missing:
        raise InputError(
            f"{what} needs {' and '.join(missing)}, not installed here: "
            f"pip install 'simplexcert[{extra}]'"
        )


def require_plots(what: str) -> None:
    """Raise InputError, before any work, where what draws the pictures of this is not installed."""
    require("plots", what)


def drawing_library() -> ModuleType:
    """Return matplotlib, imported without the settings that may lie in the current folder.

    They may be anybody's: a pipe that nobody writes, or no text. Those of the user's home are read,
    and play no part in what is drawn. Raises InputError where it cannot be loaded with them.
    """
    if "matplotlib" in sys.modules:
        return library("matplotlib", "plots")
    with _no_file_here(_SETTINGS):
        try:
            return library("matplotlib", "plots")
        except InputError:
            raise
        except Exception as error:  # noqa: BLE001
            why = f"{type(error).__name__}: {error}"
            raise InputError(f"matplotlib does not start with its {_SETTINGS}: {why}") from None


@contextmanager
def _no_file_here(name: str) -> Iterator[None]:
    """Let nothing be found meanwhile by a name that is meant in the current folder.

    To change the folder would change it for every thread.
    """
    exists = os.path.exists
    os.path.exists = lambda path: path != name and exists(path)
    try:
        yield
    finally:
        os.path.exists = exists
