"""What a Dask worker does: require that it is fit for the campaign, and work a batch out."""

from __future__ import annotations

import hashlib
import sys
import threading
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...reference.errors import InputError, SimplexcertError
from ..backends.beforehand import import_all
from ..backends.loading import LoadedBackend, backend_again, load_backend, subjects_under
from ..backends.program import Terms, started, stop_programs
from ..backends.subjects import Subject
from .binding import versions
from .worked import Task, Worked, worked

# A worker goes on after the campaign, and nobody may be left to tell it that one has ended.
IDLE_SECONDS = 60.0

# FLINT's precision is one per process; so is a program that is asked.
_ONE_AT_A_TIME = threading.Lock()
_ending: list[threading.Timer] = []
# The campaign that this worker was last found to be fit for.
_fit_for: list[Expected] = []


@dataclass(frozen=True)
class Expected:
    """What a worker has to agree with: versions, and the backend with the digest of its files."""

    versions: tuple[tuple[str, str], ...]
    where: str | None
    terms: Terms | None
    name: str
    version: str
    files: str


def expected_of(loaded: LoadedBackend, where: str | None) -> Expected:
    """Return what the workers of a campaign have to agree with."""
    backend = loaded.backend
    files = digest_of(loaded.subjects)
    return Expected(
        tuple(versions().items()), where, loaded.terms, backend.name, backend.version, files
    )


def digest_of(subjects: Iterable[Subject]) -> str:
    """Return one digest of files, by their contents alone: a worker may have them elsewhere."""
    return hashlib.sha256("".join(sorted(each.sha256 for each in subjects)).encode()).hexdigest()


def unfit(expected: Iterable[tuple[str, str]], dask_worker: Any) -> str:
    """Return why a worker is unfit for a campaign, in words that follow its name, or nothing.

    ``dask_worker`` is this worker; where Dask calls this itself it gives it, by that name.
    """
    threads = dask_worker.state.nthreads
    if threads != 1:
        return f"has {threads} threads, and needs to have one: start it with --nthreads 1"
    ours = versions()
    other = [f"{name} {ours.get(name)}" for name, each in expected if ours.get(name) != each]
    return f"has other versions than there are here: {', '.join(other)}" if other else ""


def worked_far(task: Task, expected: Expected) -> Worked:
    """Work a batch out in a Dask worker. Raises InputError where the worker is not fit for it."""
    with _ONE_AT_A_TIME:
        while _ending:
            _ending.pop().cancel()
        try:
            _require_fit(expected)
            return worked(task)
        # Not every error can be sent: some take more than a sentence to be made.
        except InputError as error:
            raise InputError(str(error)) from None
        finally:
            _end_when_idle()


def _end_when_idle() -> None:
    timer = threading.Timer(IDLE_SECONDS, _end_programs)
    timer.daemon = True
    _ending.append(timer)
    timer.start()


def _end_programs() -> None:
    with _ONE_AT_A_TIME:
        stop_programs()


def _require_fit(expected: Expected) -> None:
    """Require that this worker has what the campaign was begun with. Raises InputError."""
    from distributed import get_worker

    if expected in _fit_for:
        return
    worker = get_worker()
    name = f"the Dask worker {worker.address}"
    # Dask's workers have it on their path, as ours do not: a module there could stand for one that
    # is not imported yet. What is run there has it on the path of its own process.
    sys.path[:] = without_current_folder(sys.path, Path.cwd())
    if why := unfit(expected.versions, worker):
        raise InputError(f"{name} {why}")
    try:
        same = _same_backend(expected)
    except SimplexcertError as error:
        raise InputError(f"{name} cannot have the backend: {error}") from None
    if not same:
        raise InputError(f"{name} has another backend by this name: its files differ")
    _fit_for[:] = [expected]


def without_current_folder(path: Iterable[str], folder: Path) -> list[str]:
    """Return where modules are looked for, but for the current folder, however it is written."""
    return [place for place in path if Path(place).resolve() != folder.resolve()]


def _same_backend(expected: Expected) -> bool:
    """Whether the backend of this name is here the one that the campaign was begun with.

    Raises InputError where there is none.
    """
    terms = expected.terms
    if terms is None:
        backend_again(expected.where, None)  # imported here, as it was there
        loaded = load_backend(expected.where)
        found = loaded.backend.name, loaded.backend.version, digest_of(loaded.subjects)
        return found == (expected.name, expected.version, expected.files)
    if digest_of(subjects_under(terms)) != expected.files:
        return False
    import_all()
    pipes, declared = started(terms.argv, terms.folder, terms.where, terms.seconds)
    pipes.close()
    return declared == terms.declared
