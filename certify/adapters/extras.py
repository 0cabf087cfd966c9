"""Libraries that are not always there."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

from ...reference.errors import InputError


def library(name: str, extra: str) -> ModuleType:
    """Return a library that an extra brings. Raises InputError, which says how to get it."""
    try:
        return import_module(name)
    except ImportError as error:
        raise InputError(
            f"{name} cannot be imported ({error}); pip install 'simplexcert[{extra}]' brings it"
        ) from None
