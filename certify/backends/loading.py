"""Find a backend by name, in one of three ways: entry point, ``module:attribute``, ``command:``."""

from __future__ import annotations

import importlib
import json
import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import entry_points
from pathlib import Path
from types import ModuleType
from unittest import mock

from ...reference.errors import InputError, UnknownNameError
from .commands import COMMAND, command_in
from .program import CASE_SECONDS, Terms, first_started, program_under
from .protocol import Backend, as_backend, attribute_of
from .subjects import Subject, subjects_of, subjects_of_command

ENTRY_POINTS = "simplexcert.backends"
BUILT_IN = "simplexcert.certify.backends.float64:backend"
# The interpreter's own path is not yet known to the process that is to look a module up.
_HOST = """import json, sys
sys.path[:] = json.loads(sys.argv[1])
from simplexcert.certify.backends.host import serve
serve(sys.argv[2])
"""


@dataclass(frozen=True)
class LoadedBackend:
    """A backend, where it was found, the files it is made of, and its terms if it is a program."""

    backend: Backend
    where: str
    subjects: tuple[Subject, ...]
    terms: Terms | None = None


def load_backend(where: str | None = None, seconds: float = CASE_SECONDS) -> LoadedBackend:
    """Load a backend by its name, by default the built-in float64 backend.

    A program is started. So is, for a module that this process has not imported yet, another
    process that imports it: what hangs, or ends its process, then costs one case and not the run.
    The built-in backend, and a module that is imported already, are called in this process.

    The current directory is first on the path. Raises InputError if it cannot be imported or is
    no backend; whatever the module itself raises is reported, never passed on.
    """
    where = where or BUILT_IN
    if where.startswith(COMMAND):
        return _started(where, seconds)
    location = _location(where)
    module_name, colon, attribute = location.partition(":")
    if not (module_name and colon and attribute):
        raise InputError(f"backend {where!r} is not of the form module:attribute")
    if location == BUILT_IN or module_name in sys.modules:
        return _imported(location, where)
    return _hosted(location, where, seconds)


def backend_again(where: str | None, terms: Terms | None) -> Backend:
    """Return a backend that was loaded before, here or in another process, for another batch.

    What had no terms was called in its caller's process, and is so again.
    """
    if terms is not None:
        return program_under(terms).backend()
    where = where or BUILT_IN
    return _imported(_location(where), where).backend


def _imported(location: str, where: str) -> LoadedBackend:
    thing, module = thing_at(location, where)
    return LoadedBackend(as_backend(thing, where), where, subjects_of(module))


def _started(where: str, seconds: float) -> LoadedBackend:
    argv = command_in(where)
    subjects = subjects_of_command(argv)
    program = first_started(argv, where, seconds)
    return LoadedBackend(program.backend(), where, subjects, program.terms)


def _hosted(location: str, where: str, seconds: float) -> LoadedBackend:
    _here_first()
    argv = (sys.executable, "-c", _HOST, json.dumps(sys.path), location)
    program = first_started(argv, where, seconds)
    subjects = tuple(Subject(*file) for file in program.terms.declared.files)
    return LoadedBackend(program.backend(), where, subjects, program.terms)


def thing_at(location: str, where: str) -> tuple[object, ModuleType]:
    """Return what ``module:attribute`` names, and its module, imported. Raises InputError."""
    module_name, _, attribute = location.partition(":")
    module = _import(module_name, where)
    thing: object = module
    for part in attribute.split("."):
        thing = attribute_of(thing, part, where)
        if thing is None:
            raise InputError(f"backend {where!r}: {module_name} has no attribute {attribute!r}")
    return thing, module


def _location(where: str) -> str:
    """Return module:attribute, looking names without a colon up among the entry points."""
    if ":" in where:
        return where
    known = {entry.name: entry.value for entry in entry_points(group=ENTRY_POINTS)}
    if where not in known:
        hint = f"(or give module:attribute, or {COMMAND}PROGRAM)"
        raise UnknownNameError("backend", where, known, hint)
    return known[where]


def _here_first() -> None:
    here = str(Path.cwd())
    if sys.path[:1] != [here]:
        sys.path.insert(0, here)


def _import(module_name: str, where: str) -> ModuleType:
    _here_first()
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
    """Turn a backend's ``os._exit`` into an exception: a run that just ends looks like a pass.

    A failure that another thread ends with is let through: it may be Dask's, whose workers end so
    when they are left alone.
    """
    ours, end = threading.get_ident(), os._exit

    def refused(status: int) -> None:
        if status and threading.get_ident() != ours:
            end(status)
        raise SystemExit(f"os._exit({status})")

    with mock.patch.object(os, "_exit", refused):
        yield
