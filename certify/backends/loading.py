"""Find a backend by name, and name the files that make it up."""

from __future__ import annotations

import hashlib
import importlib
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import entry_points
from pathlib import Path
from types import ModuleType
from unittest import mock

from ...reference.errors import InputError, UnknownNameError
from .protocol import Backend, as_backend, attribute_of

ENTRY_POINTS = "simplexcert.backends"
BUILT_IN = "simplexcert.certify.backends.float64:backend"


@dataclass(frozen=True, order=True)
class Subject:
    """A file that a certificate is about, by a name that means the same on every machine."""

    name: str
    sha256: str


@dataclass(frozen=True)
class LoadedBackend:
    """A backend, where it was found, and the files it is made of."""

    backend: Backend
    where: str
    subjects: tuple[Subject, ...]


def load_backend(where: str | None = None) -> LoadedBackend:
    """Load ``module:attribute`` or an entry point, by default the built-in float64 backend.

    The current directory is first on the path. Raises InputError if it cannot be imported or is
    no backend; whatever the module itself raises is reported, never passed on.
    """
    where = where or BUILT_IN
    module_name, colon, attribute = _location(where).partition(":")
    if module_name == "command":
        raise InputError(f"{where!r}: programs cannot be checked by this version, only modules")
    if not (module_name and colon and attribute):
        raise InputError(f"backend {where!r} is not of the form module:attribute")
    module = _import(module_name, where)
    thing: object = module
    for part in attribute.split("."):
        thing = attribute_of(thing, part, where)
        if thing is None:
            raise InputError(f"backend {where!r}: {module_name} has no attribute {attribute!r}")
    return LoadedBackend(as_backend(thing, where), where, subjects_of(module))


def _location(where: str) -> str:
    """Return module:attribute, looking names without a colon up among the entry points."""
    if ":" in where:
        return where
    known = {entry.name: entry.value for entry in entry_points(group=ENTRY_POINTS)}
    if where not in known:
        hint = "(or give module:attribute)"
        raise UnknownNameError("backend", where, known, hint)
    return known[where]


def _import(module_name: str, where: str) -> ModuleType:
    here = str(Path.cwd())
    if sys.path[:1] != [here]:
        sys.path.insert(0, here)
    try:
        with kept_alive():
            return importlib.import_module(module_name)
    # A module under test may raise anything at all, SystemExit included.
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt):
            raise
        raise InputError(
            f"backend {where!r} cannot be imported: {type(error).__name__}: {error}"
        ) from None


@contextmanager
def kept_alive() -> Iterator[None]:
    """Turn a backend's ``os._exit`` into an exception: a run that just ends looks like a pass."""
    with mock.patch.object(os, "_exit", _refused):
        yield


def _refused(status: int) -> None:
    raise SystemExit(f"os._exit({status})")


def subjects_of(module: ModuleType) -> tuple[Subject, ...]:
    """Return the digests of a module's file, or of every Python file of a package."""
    origin = getattr(module, "__file__", None)
    if origin is None:
        raise InputError(f"module {module.__name__} has no file that a certificate could name")
    home = Path(origin)
    base = module.__name__.replace(".", "/")
    if home.name != "__init__.py":
        return (Subject(base + home.suffix, _digest(home)),)
    files = sorted(home.parent.rglob("*.py"))
    return tuple(
        sorted(
            Subject(f"{base}/{file.relative_to(home.parent).as_posix()}", _digest(file))
            for file in files
        )
    )


def _digest(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()
