"""Libraries that are not always there: each comes with an extra of the distribution."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from types import ModuleType

from ..reference.errors import InputError


def library(name: str, extra: str) -> ModuleType:
    """Return a library that an extra brings. Raises InputError, which says how to get it."""
    try:
        return import_module(name)
    except ImportError as error:
        raise InputError(
            f"{name} cannot be imported ({error}); pip install 'simplexcert[{extra}]' brings it"
        ) from None


def require_plots(what: str) -> None:
    """Raise InputError, before any work, where what draws the pictures of this is not installed."""
    if find_spec("matplotlib") is None:
        raise InputError(
            f"{what} needs matplotlib, which draws its pictures and is not installed: "
            "pip install 'simplexcert[plots]'"
        )
