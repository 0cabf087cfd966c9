"""The files that a certificate is about, by digests and by names that mean the same everywhere.

They are found and digested by the checker itself, and nothing of theirs is run for that: a package
is not imported to look into it, nor are its parents.
"""

from __future__ import annotations

import csv
import hashlib
import os
import pkgutil
import re
import shutil
import stat
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import invalidate_caches
from importlib.machinery import BuiltinImporter, FrozenImporter, ModuleSpec, PathFinder
from pathlib import Path, PurePath, PurePosixPath
from typing import Any, BinaryIO
from zipimport import zipimporter

from ...reference.errors import InputError

# A certificate that named more could not be read, and nobody would wait for its digests.
MAX_FILES = 10_000
MAX_BYTES = 2 * 2**30
# A distribution's list of files; MAX_FILES long lines are a tenth of this.
_MAX_RECORD_BYTES = 2**24
# What Python, and a compiler that works as it does, write while a package runs.
_CACHE = "__pycache__"
# Of what is in such a folder this alone is left out: byte code, beside which there is source, and
# whose name has a dot too many to be a module's (so no import finds it; a hosted module is never
# run from it; pytest writes its own, of plugins, too), and Numba's machine code. A cache's x.py,
# x.pyc or x.so can be imported.
_WRITTEN = re.compile(r"[^.]+\.[^.]+(-pytest-[0-9.]+)?(\.opt-[^.]+)?\.pyc(\.[0-9]+)?|.+\.nb[ci]")
# What an installer writes of itself and of this machine, beside what it installs.
_INSTALLERS = frozenset({"INSTALLER", "RECORD", "REQUESTED", "direct_url.json"})
_CHUNK = 2**20
# How a module's or a package's specification is found, given where to look for it.
_Find = Callable[[str, Sequence[str]], ModuleSpec | None]


@dataclass(frozen=True, order=True)
class Subject:
    """A file that a certificate is about, by a name that means the same on every machine."""

    name: str
    sha256: str


def subjects_of_module(name: str, path: Sequence[str]) -> tuple[Subject, ...]:
    """Return the digests of what a module is made of, looked for on a path as an import looks.

    That is every regular file of its top-level package (of a namespace, of the first package in
    it), or the module's file, or the archive that it is in; and all that a distribution that is
    installed with it lists. Raises InputError where there is none, or too much.
    """
    invalidate_caches()  # what was written a moment ago counts
    return _digested(name, _files_of(name, path, _found))


def subjects_of_imported(name: str) -> tuple[Subject, ...]:
    """Return the same of a module that this process has imported."""
    return _digested(name, _files_of(name, sys.path, _imported))


def subjects_of_command(argv: Sequence[str], folder: str) -> tuple[Subject, ...]:
    """Return the digests of the program's file and of every argument that is a regular file.

    A relative path, in that folder, is its own name; of an absolute one, or one that leads out of
    the folder, only the last part is, for the folders are this machine's. Of two files by one name
    the later has its place in the command put before.
    """
    names: dict[str, Path] = {}
    for place, word in enumerate(argv):
        found = shutil.which(word) if place == 0 and os.sep not in word else word
        if found is None or not _is_file(folder, found):
            continue
        plain = PurePosixPath(os.path.normpath(word))
        name = plain.name if plain.is_absolute() or ".." in plain.parts else str(plain)
        names[f"{place}/{name}" if name in names else name] = Path(folder, found)
    return _digested(argv[0], names.items())


def _is_file(folder: str, word: str) -> bool:
    try:
        return Path(folder, word).is_file()
    except (OSError, ValueError):  # a word too long to be a path, for one
        return False


def _files_of(name: str, path: Sequence[str], find: _Find) -> Iterator[tuple[str, Path]]:
    """Yield the files of a module by their names, some of them twice."""
    spec = _top(name, path, find)
    if isinstance(spec.loader, zipimporter):
        archive = Path(spec.loader.archive)
        yield archive.name, archive
        return
    home = Path(spec.origin or "")
    if not spec.has_location or not _is_file("", str(home)):
        raise InputError(f"module {spec.name} has no file that a certificate could name")
    parents = spec.name.split(".")
    if spec.submodule_search_locations is None:
        yield "/".join([*parents[:-1], home.name]), home
    else:
        base = "/".join(parents)
        yield from ((f"{base}/{inner}", file) for inner, file in _regular_in(home.parent))
    yield from _installed_with(home)


def _top(name: str, path: Sequence[str], find: _Find) -> ModuleSpec:
    """Return the specification of a module's top-level package, or of the module.

    A namespace is no package: several distributions share one, and what is looked for is in it.
    """
    parts = name.split(".")
    for count in range(1, len(parts) + 1):
        whole = ".".join(parts[:count])
        spec = find(whole, path)
        if spec is None:
            why = f"there is no module {whole}, neither here nor installed"
            raise InputError(f"{name} cannot be imported: {why}")
        if spec.loader is not None and spec.origin is not None:
            return spec
        path = list(spec.submodule_search_locations or ())
    raise InputError(f"module {name} has no file that a certificate could name")


def _found(whole: str, path: Sequence[str]) -> ModuleSpec | None:
    """Find a module on a path and by what else finds modules in this process's environment.

    Only finders are asked, which look at names: nothing is imported, no parent either.
    """
    for builtin in (BuiltinImporter, FrozenImporter):
        if "." not in whole and (spec := builtin.find_spec(whole)):
            return spec
    portions: list[str] = []
    for place in path:
        finder: Any = pkgutil.get_importer(place)
        spec = finder.find_spec(whole) if finder else None
        if spec is not None and spec.loader is not None:
            return spec  # type: ignore[no-any-return]
        portions += spec.submodule_search_locations or () if spec else ()
    # An editable installation has a finder of its own.
    for other in [] if portions else sys.meta_path:
        if other not in (BuiltinImporter, FrozenImporter, PathFinder):
            spec = other.find_spec(whole, list(path) if "." in whole else None)
            if spec is not None:
                return spec
    if not portions:
        return None
    namespace = ModuleSpec(whole, None, is_package=True)
    namespace.submodule_search_locations = portions
    return namespace


def _imported(whole: str, _path: Sequence[str]) -> ModuleSpec | None:
    return getattr(sys.modules.get(whole), "__spec__", None)


def _regular_in(folder: Path) -> Iterator[tuple[str, Path]]:
    """Yield each regular file in a folder by its name in it, links followed, none for ever."""
    seen: set[tuple[int, int]] = set()
    waiting = [("", folder)]
    while waiting:
        base, here = waiting.pop()
        try:
            state = here.stat()
            if (state.st_dev, state.st_ino) in seen:
                continue
            seen.add((state.st_dev, state.st_ino))
            entries = sorted(here.iterdir())
            folders = [each for each in entries if each.is_dir()]
            files = [each for each in entries if each.is_file() and not _is_written(each)]
        except OSError as error:
            raise InputError(f"cannot read {here}: {error.strerror}") from None
        waiting += [(f"{base}{each.name}/", each) for each in reversed(folders)]
        yield from ((f"{base}{each.name}", each) for each in files)


def _is_written(path: PurePath) -> bool:
    """Whether a file is left out, as one that was written while a package ran."""
    return path.parent.name == _CACHE and _WRITTEN.fullmatch(path.name) is not None


def _installed_with(home: Path) -> Iterator[tuple[str, Path]]:
    """Yield what the distributions that list a file list, in folders that things are installed in.

    The folder of a backend is none of these: a list in it says nothing.
    """
    for place in filter(None, sys.path):
        site = Path(place)
        if not home.is_relative_to(site):
            continue
        name = home.relative_to(site).as_posix()
        for record in site.glob("*.dist-info/RECORD"):
            content = _content(record)
            # Most lists are of something else, and long.
            if name.encode() in content and name in (listed := _listed_in(content)):
                yield from ((each, site / each) for each in listed if _is_file(place, each))


def _listed_in(record: bytes) -> set[str]:
    """Return the files that a distribution lists, but for caches and what an installer wrote."""
    text = record.decode("utf-8", "surrogateescape")
    named = (row[0] for row in csv.reader(text.splitlines()) if row)
    return {name for name in named if _is_the_distributions(PurePosixPath(name))}


def _is_the_distributions(path: PurePosixPath) -> bool:
    """Whether a file that is listed came with the distribution; scripts are written here."""
    inside = not path.is_absolute() and ".." not in path.parts and not _is_written(path)
    return inside and not (path.parent.suffix == ".dist-info" and path.name in _INSTALLERS)


def _content(record: Path) -> bytes:
    try:
        with _opened(record) as stream:
            return stream.read(_MAX_RECORD_BYTES)
    except OSError as error:
        raise InputError(f"cannot read {record}: {error.strerror}") from None


def _digested(what: str, files: Iterable[tuple[str, Path]]) -> tuple[Subject, ...]:
    """Return the digests of files by their names. Raises InputError beyond the limits."""
    named: dict[str, Path] = {}
    for name, file in files:
        if not name.isprintable() or "\\" in name or name != name.strip():
            raise InputError(f"{what} has a file {name!r}, which a certificate cannot name")
        named.setdefault(name, file)
        if len(named) > MAX_FILES:
            raise InputError(
                f"{what} has more than {MAX_FILES:,} files; put the backend into a package of its "
                "own"
            )
    return tuple(sorted(_digests(what, named)))


def _digests(what: str, named: Mapping[str, Path]) -> Iterator[Subject]:
    left = MAX_BYTES
    for name, file in named.items():
        digest = hashlib.sha256()
        try:
            with _opened(file) as stream:
                # One that grows as it is read is read no further than one that is as large.
                size = os.fstat(stream.fileno()).st_size
                while left >= max(size, 0) and (chunk := stream.read(_CHUNK)):
                    digest.update(chunk)
                    left -= len(chunk)
                    size -= len(chunk)
        except OSError as error:
            raise InputError(f"cannot read {file}: {error.strerror}") from None
        if left < max(size, 0):
            raise InputError(
                f"{what} has files of more than {MAX_BYTES:,} bytes together; put the backend into "
                "a package of its own"
            )
        yield Subject(name, digest.hexdigest())


def _opened(file: Path) -> BinaryIO:
    """Open a regular file, and nothing that could keep us waiting. Raises OSError, InputError."""
    number = os.open(file, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    if not stat.S_ISREG(os.fstat(number).st_mode):
        os.close(number)
        raise InputError(f"cannot read {file}: it is no regular file")
    return os.fdopen(number, "rb")
