"""The files that a certificate is about, by digests and by names that mean the same everywhere."""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from ...reference.errors import InputError


@dataclass(frozen=True, order=True)
class Subject:
    """A file that a certificate is about, by a name that means the same on every machine."""

    name: str
    sha256: str


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


def subjects_of_command(argv: Sequence[str]) -> tuple[Subject, ...]:
    """Return the digests of the program's file and of every argument that is a regular file.

    A relative path is its own name; of an absolute one only the last part is, for the folders are
    this machine's. Of two files by one name the later has its place in the command put before.
    """
    names: dict[str, Path] = {}
    for place, word in enumerate(argv):
        found = shutil.which(word) if place == 0 else word
        if found is None or not _is_file(found):
            continue
        name = Path(word).name if os.path.isabs(word) else os.path.normpath(word)  # noqa: PTH117
        names[f"{place}/{name}" if name in names else name] = Path(found)
    return tuple(sorted(Subject(name, _digest(file)) for name, file in names.items()))


def _is_file(word: str) -> bool:
    try:
        return Path(word).is_file()
    except (OSError, ValueError):  # a word too long to be a path, for one
        return False


def _digest(file: Path) -> str:
    try:
        with file.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError as error:
        raise InputError(f"cannot read {file}: {error.strerror}") from None
