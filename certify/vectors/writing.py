"""Write the files of cases into a folder: each whole or not at all, the index last."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path

import msgspec
import rfc8785

from ...reference.errors import InputError, UnknownNameError
from ...reference.exact import shown
from ...reference.quantity import Quantity, quantities
from ..campaign import MAX_SEED
from ..files import require_writable, write_whole
from ..marks import INDEX, SCHEMA, VECTORS, VECTORS_PAGE, Mark
from .making import generator, vector_file
from .models import Index, IndexEntry, VectorFile
from .schema import FOLDER, SCHEMAS

DEFAULT_CASES = 60
# Fewer would have no case of some kind; of more than so many, a file would take long to read.
MIN_CASES, MAX_CASES = 12, 10_000
INDEX_FILE = "index.json"
# What is copied beside the cases, so that a folder needs nothing else of ours.
_COPIED: dict[str, Mark] = {"VECTORS.md": VECTORS_PAGE, **dict.fromkeys(SCHEMAS, SCHEMA)}


def write_vectors(
    folder: str | Path,
    *,
    pattern: str = "*",
    cases: int = DEFAULT_CASES,
    seed: int = 0,
    on_progress: Callable[[int, int], None] | None = None,
) -> Index:
    """Write a file of cases for each quantity that a glob matches, and return the index of them.

    The same seed, number and versions give the same bytes. Raises InputError where nothing can be
    written or the folder holds other files; what is interrupted leaves whole files and no index.
    """
    if not MIN_CASES <= cases <= MAX_CASES:
        raise InputError(f"cases = {shown(cases)}: ask for {MIN_CASES} to {MAX_CASES}")
    if abs(seed) > MAX_SEED:
        raise InputError(f"seed = {shown(seed)}: it must lie within {MAX_SEED} of 0")
    wanted = quantities(pattern)
    if not wanted:
        raise UnknownNameError("quantity", pattern, quantities(), "(no quantity matches)")
    target = Path(folder)
    made = _ready(target, {file_name(name) for name in wanted})
    try:
        return _written(target, list(wanted.values()), cases, seed, on_progress)
    except BaseException:
        if made and not any(target.iterdir()):
            target.rmdir()
        raise


def file_name(quantity: str) -> str:
    """Return the name of a quantity's file."""
    return f"{quantity}.json"


def _ready(folder: Path, names: Iterable[str]) -> bool:
    """Make the folder if it is not there, and say whether it was made.

    Raises InputError if it is a file, holds files that would not be written now, or is closed.
    """
    if folder.exists() and not folder.is_dir():
        raise InputError(f"cannot write vectors to {folder}: it is a file, not a folder")
    try:
        made = not folder.exists()
        folder.mkdir(exist_ok=True)
        there = {path.name for path in folder.iterdir()}
    except OSError as error:
        raise InputError(f"cannot write vectors to {folder}: {error.strerror}") from None
    others = sorted(there - {INDEX_FILE, *_COPIED, *names})
    if others:
        raise InputError(
            f"cannot write vectors to {folder}: it holds other files, such as {others[0]}; "
            "give an empty folder"
        )
    for name, mark in ({INDEX_FILE: INDEX} | dict.fromkeys(names, VECTORS) | _COPIED).items():
        require_writable(folder / name, mark)
    # Until all is written there is no index: an old one would speak of other files.
    (folder / INDEX_FILE).unlink(missing_ok=True)
    return made


def _written(
    folder: Path,
    wanted: list[Quantity],
    cases: int,
    seed: int,
    on_progress: Callable[[int, int], None] | None,
) -> Index:
    entries = []
    for done, quantity in enumerate(wanted, start=1):
        entries.append(_one(folder, vector_file(quantity, cases, seed)))
        if on_progress:
            on_progress(done, len(wanted))
    for name, mark in _COPIED.items():
        write_whole(folder / name, (FOLDER / name).read_bytes(), mark)
    index = Index("https://simplexcert.github.io/vectors-index/v0", 1, generator(), seed, entries)
    write_whole(folder / INDEX_FILE, canonical(index), INDEX)
    return index


def _one(folder: Path, made: VectorFile) -> IndexEntry:
    """Write the file of one quantity, and return its line of the index."""
    name, content = file_name(made.quantity), canonical(made)
    write_whole(folder / name, content, VECTORS)
    results = Counter(case.result for case in made.cases)
    return IndexEntry(
        name,
        hashlib.sha256(content).hexdigest(),
        made.quantity,
        results["valid"],
        results["acceptable"],
        results["invalid"],
    )


def canonical(shape: VectorFile | Index) -> bytes:
    """Return canonical JSON (RFC 8785)."""
    return rfc8785.dumps(msgspec.to_builtins(shape))
