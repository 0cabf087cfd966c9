"""Libraries that are not always there: each comes with an extra of the distribution."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from types import ModuleType

from ..reference.errors import InputError

# What is asked for before any work, by the extra that brings it.
_BROUGHT = {"float64": ("scipy",), "papers": ("sympy",), "plots": ("matplotlib", "jinja2")}


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
