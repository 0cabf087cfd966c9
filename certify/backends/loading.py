"""Find a backend: an entry point, ``module:attribute``, ``command:`` or ``third-party:``."""

from __future__ import annotations

import importlib
import json
import os
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import entry_points
from pathlib import Path
from types import ModuleType
from typing import TypeAlias

from ...reference.errors import InputError, SimplexcertError, UnknownNameError
from ..extras import require
from .accountants import THIRD_PARTY, accountant_named
from .beforehand import import_all
from .commands import COMMAND, command_in
from .program import CASE_SECONDS, Terms, first_started, program_under
from .protocol import Backend, as_backend, attribute_of
from .subjects import Subject, subjects_of_command, subjects_of_imported, subjects_of_module

OnFiles: TypeAlias = Callable[[str, tuple[Subject, ...]], None]

_ENTRY_POINTS = "simplexcert.backends"
_BUILT_IN = "simplexcert.certify.backends.float64:backend"
# The interpreter's own path is not yet known to the process that is to look a module up. The
# current folder is on that process's path and not on ours: what is in it is not ours to run.
_HOST = """import json, sys
sys.path[:] = json.loads(sys.argv[1])
from simplexcert.certify.backends.host import serve
serve(*sys.argv[2:])
"""
# The interpreter, its option, and the text that it runs.
_AFTER_THE_HOST = 3


class ChangedBackendError(SimplexcertError):
    """A backend's files changed while it was asked: nobody can say which of them answered."""


@dataclass(frozen=True)
class LoadedBackend:
    """A backend, where it was found, the files it is made of, and its terms if it is a program."""

    backend: Backend
    where: str
    subjects: tuple[Subject, ...]
    terms: Terms | None = None

    def require_unchanged(self) -> None:
        """Raise ChangedBackendError unless the files are those that there were before."""
        try:
            now = {item.name: item.sha256 for item in self._subjects_now()}
        except InputError as error:
            raise ChangedBackendError(
                f"{self.where} changed while it was asked, so nothing is certified: {error}"
            ) from None
        before = {item.name: item.sha256 for item in self.subjects}
        if now == before:
            return
        names = sorted(name for name in now | before if now.get(name) != before.get(name))
        raise ChangedBackendError(
            f"{self.where} changed while it was asked, so nothing is certified: {names[0]} is not "
            f"what it was{f', nor are {len(names) - 1} other files' if names[1:] else ''}; keep "
            "what it writes out of its own folder"
        )

    def _subjects_now(self) -> tuple[Subject, ...]:
        if self.terms is not None:
            return subjects_under(self.terms)
        return subjects_of_imported(_module_of(_location(self.where)))


def _ignore(_where: str, _subjects: tuple[Subject, ...]) -> None:
    """See the files of a backend, and ask nothing of them."""


def load_backend(
    where: str | None = None, seconds: float = CASE_SECONDS, on_files: OnFiles = _ignore
) -> LoadedBackend:
    """Load a backend by its name, by default the built-in float64 backend.

    A program is started. So is, for a module that this process has not imported yet, another
    process that imports it: what hangs, or ends its process, then costs one case and not the run.
    The built-in backend, and a module that is imported already, are called in this process.

    The current directory is first on that process's path, and never on ours, and all that we need
    is imported before that process starts. An accountant that is installed (``third-party:NAME``)
    is never called in this process, nor looked for in the current directory. ``on_files`` sees the
    files of a program or such a module before any of them is run, and may refuse them; of one that
    is called in this process, when it is loaded. Raises InputError if it cannot be imported or is
    no backend; whatever the module itself raises is reported, never passed on.
    """
    where = _BUILT_IN if where is None else where
    if not where:
        raise InputError("an empty name is no backend; leave it out for the built-in one")
    if where.startswith(COMMAND):
        return _started(where, seconds, on_files)
    if where.startswith(THIRD_PARTY):
        found = accountant_named(where)
        modules = found.location, found.package
        return _hosted(where, seconds, on_files, [each for each in sys.path if each], *modules)
    location = _location(where)
    if location == _BUILT_IN:
        require("float64", "the built-in backend")
    module_name, colon, attribute = location.partition(":")
    if not (module_name and colon and attribute):
        raise InputError(f"backend {where!r} is not of the form module:attribute")
    if location == _BUILT_IN or module_name in sys.modules:
        loaded = _imported(location, where)
        on_files(where, loaded.subjects)
        return loaded
    return _hosted(where, seconds, on_files, [str(Path.cwd()), *sys.path], location)


def backend_again(where: str | None, terms: Terms | None) -> Backend:
    """Return a backend that was loaded before, here or in another process, for another batch.

    What had no terms was called in its caller's process, and is so again.
    """
    if terms is not None:
        return program_under(terms).backend()
    where = _BUILT_IN if where is None else where
    return as_backend(thing_at(_location(where), where), where)


def _imported(location: str, where: str) -> LoadedBackend:
    backend = as_backend(thing_at(location, where), where)
    return LoadedBackend(backend, where, subjects_of_imported(_module_of(location)))


def _started(where: str, seconds: float, on_files: OnFiles) -> LoadedBackend:
    argv = command_in(where)
    subjects = subjects_of_command(argv, str(Path.cwd()))
    on_files(where, subjects)
    return _asked(argv, where, seconds, subjects)


def _hosted(
    where: str,
    seconds: float,
    on_files: OnFiles,
    path: Sequence[str],
    location: str,
    *packages: str,
) -> LoadedBackend:
    """Load a module's backend in another process; its files, and those of the packages, count."""
    subjects = _subjects_on(path, location, *packages)
    argv = (sys.executable, "-c", _HOST, json.dumps(path), location, *packages)
    on_files(where, subjects)
    return _asked(argv, where, seconds, subjects)


def _subjects_on(path: Sequence[str], *modules: str) -> tuple[Subject, ...]:
    found = {each for name in modules for each in subjects_of_module(_module_of(name), path)}
    return tuple(sorted(found))


def _asked(
    argv: tuple[str, ...], where: str, seconds: float, subjects: tuple[Subject, ...]
) -> LoadedBackend:
    import_all()
    program = first_started(argv, where, seconds, subjects)
    return LoadedBackend(program.backend(), where, subjects, program.terms)


def subjects_under(terms: Terms) -> tuple[Subject, ...]:
    """Return what the files of a program of these terms are now. Raises InputError."""
    if terms.where.startswith(COMMAND):
        return subjects_of_command(terms.argv, terms.folder)
    path, *modules = terms.argv[_AFTER_THE_HOST:]
    return _subjects_on(json.loads(path), *modules)


def _module_of(location: str) -> str:
    return location.partition(":")[0]


def thing_at(location: str, where: str) -> object:
    """Return what ``module:attribute`` names, its module imported. Raises InputError."""
    module_name, _, attribute = location.partition(":")
    module = _import(module_name, where)
    thing: object = module
    for part in attribute.split("."):
        thing = attribute_of(thing, part, where)
        if thing is None:
            raise InputError(f"backend {where!r}: {module_name} has no attribute {attribute!r}")
    return thing


def _location(where: str) -> str:
    """Return module:attribute, looking names without a colon up among the entry points."""
    if ":" in where:
        return where
    try:
        listed = [(entry.name, entry.value) for entry in entry_points(group=_ENTRY_POINTS)]
    except (OSError, TypeError, ValueError) as error:
        raise InputError(
            f"backend {where!r} cannot be looked up: a package that is installed here lists what "
            f"it offers in a file that cannot be read ({error}); give module:attribute"
        ) from None
    found = sorted({value for name, value in listed if name == where})
    if not found:
        hint = f"(or give module:attribute, {COMMAND}PROGRAM, or {THIRD_PARTY}NAME)"
        raise UnknownNameError("backend", where, dict(listed), hint)
    if len(found) > 1:
        raise InputError(
            f"backend {where!r} is offered by several packages, as {' and as '.join(found)}; give "
            "one of these"
        )
    return found[0]


def _import(module_name: str, where: str) -> ModuleType:
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

    os._exit = refused  # type: ignore[assignment]
    try:
        yield
    finally:
        os._exit = end
