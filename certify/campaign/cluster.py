"""A Dask cluster that runs batches, ``dask:tcp://HOST:PORT`` or ``tls://``: its client and workers.

What is sent are the batches and nothing else: no data, no certificate. Dask itself sends pickles
and runs them, so a scheduler that others can reach lets them run what they like, on it and here.
A worker requires that it is fit for the campaign before it runs a batch.
"""

from __future__ import annotations

import hashlib
import logging
import re
import sys
import threading
import warnings
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from ...reference.errors import InputError, SimplexcertError
from ...reference.exact import shown
from ..backends.beforehand import import_all
from ..backends.loading import LoadedBackend, backend_again, load_backend, subjects_under
from ..backends.program import Terms, started, stop_programs
from ..backends.subjects import Subject
from .batches import BatchResult, Task, run_task, versions
from .pool import AHEAD, Pending, Pool, WorkerDiedError
from .transcript import tallied

if TYPE_CHECKING:
    from distributed import Future

# Dask's own client, of whose methods hardly any has types.
_Client: TypeAlias = Any
_DASK = "dask:"
# Time for the scheduler to answer, when it is connected to and whenever it is asked again.
ANSWER_SECONDS = 30.0
# Time for the first worker to be there.
WORKERS_SECONDS = 60.0
# How often a scheduler is asked whether it is still there while a batch is waited for.
_ASK_EVERY_SECONDS = 10.0
_ADDRESS = re.compile(r"(tcp|tls)://(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+):([0-9]{1,5})", re.ASCII)
_HOW = f"write {_DASK}tcp://HOST:PORT, or {_DASK}tls://HOST:PORT"
# A worker goes on after the campaign, and nobody may be left to tell it that one has ended.
IDLE_SECONDS = 60.0

# FLINT's precision is one per process; so is a program that is asked.
_ONE_AT_A_TIME = threading.Lock()
_ending: list[threading.Timer] = []
# The campaign that this worker was last found to be fit for.
_fit_for: list[Expected] = []


class ClusterError(SimplexcertError):
    """A cluster that does not answer, or does not do what it is for."""


def cluster_address(executor: str) -> str:
    """Return the address in dask:ADDRESS.

    Raises InputError where it is no such address, or Dask is not installed.
    """
    address = executor.removeprefix(_DASK)
    found = _ADDRESS.fullmatch(address)
    if address == executor or not found or not 0 < int(found[3]) < 2**16:
        raise InputError(f"there is no executor {executor!r}: {_HOW}")
    try:
        import distributed  # noqa: F401
    except ImportError:
        raise InputError(
            "an executor dask:... needs the extra `dask`, not installed here"
        ) from None
    return address


class _Cluster:
    def __init__(self, client: _Client, address: str, expected: Expected) -> None:
        self._client, self._address, self._expected = client, address, expected
        self.ahead = AHEAD * len(_workers_of(client, address))

    def submit(self, task: Task) -> Pending:
        with _in_our_words(self._address):
            # Not pure: what another campaign found under the same name is not to be had for this.
            future = self._client.submit(_run_far_task, task, self._expected, pure=False)
        return partial(self._result_of, task, future)

    def _result_of(self, task: Task, future: Future[BatchResult]) -> BatchResult:
        with _in_our_words(self._address):
            while True:
                try:
                    found = future.result(timeout=_ASK_EVERY_SECONDS)
                    return _of_its_task(found, task, self._address)
                except TimeoutError:
                    _workers_of(self._client, self._address)


def _of_its_task(found: BatchResult, task: Task, address: str) -> BatchResult:
    """Return what a worker found, counted again from its lines: no number is a worker's word.

    Raises ClusterError where it is not of this task. That the lines are true is believed.
    """
    batch = task.batch
    why = "it is another batch's"
    if (found.quantity, found.number) == (batch.quantity, batch.number):
        try:
            return tallied(task, found.lines.encode().splitlines(keepends=True))
        except InputError as error:
            why = str(error)
    raise ClusterError(
        f"the Dask cluster at {address} answered {batch.quantity}, batch {shown(batch.number)}, "
        f"with what is no result of it: {why}"
    )


@contextmanager
def cluster_at(address: str, expected: Expected) -> Iterator[Pool]:
    """Connect to a cluster whose workers are fit for the campaign, and leave it with the block."""
    with _silenced_dask(), _connected(address) as client:
        _require_fit(client, address, expected)
        yield _Cluster(client, address, expected)


@contextmanager
def _silenced_dask() -> Iterator[None]:
    """Keep Dask from logging and warning here: what goes wrong is one sentence, an error's."""
    logger = logging.getLogger("distributed")
    before = logger.level
    logger.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        logger.setLevel(before)


@contextmanager
def _connected(address: str) -> Iterator[_Client]:
    from distributed import Client as DaskClient

    connect: Callable[..., _Client] = DaskClient
    _require_scheduler(address)
    with warnings.catch_warnings(), _in_our_words(address):
        # Versions that differ are refused below, by name.
        warnings.simplefilter("ignore")
        client = connect(address, timeout=ANSWER_SECONDS, set_as_default=False)
    try:
        yield client
    finally:
        client.close(timeout=ANSWER_SECONDS)


def _require_scheduler(address: str) -> None:
    """Require that a scheduler answers there in time; Dask's client would wait for ever."""
    import asyncio  # not with this module, which all campaigns import

    try:
        kind = asyncio.run(asyncio.wait_for(_kind_of(address), ANSWER_SECONDS))
    except TimeoutError:
        why = f"nothing within {ANSWER_SECONDS:g} s"
        raise ClusterError(f"no Dask scheduler answers at {address}: {why}") from None
    # Certificates that are missing, a port that speaks otherwise: Dask raises all sorts of things.
    except Exception as error:  # noqa: BLE001
        raise ClusterError(f"no Dask scheduler answers at {address}: {error}") from None
    if kind != "Scheduler":
        raise ClusterError(f"no Dask scheduler answers at {address}: it is a {shown(kind)}")


async def _kind_of(address: str) -> object:
    from distributed.core import rpc
    from distributed.security import Security

    ask: Callable[..., Any] = rpc
    security: Callable[..., Any] = Security
    tls = security().get_connection_args("client")
    async with ask(address, timeout=ANSWER_SECONDS, connection_args=tls) as there:
        return (await there.identity()).get("type")


@contextmanager
def _in_our_words(address: str) -> Iterator[None]:
    """Turn what Dask raises into our errors, and let ours pass."""
    from distributed import KilledWorker

    try:
        yield
    except SimplexcertError:
        raise
    except KilledWorker:
        why = "the backend ended them, or memory ran out"
        raise WorkerDiedError(f"every Dask worker that tried a batch died: {why}") from None
    except CancelledError:
        raise ClusterError(f"the Dask scheduler at {address} went away") from None
    except Exception as error:  # noqa: BLE001
        what = f"{type(error).__name__}: {error}"
        raise ClusterError(f"the Dask cluster at {address} failed: {what}") from None


def _workers_of(client: _Client, address: str) -> dict[str, Any]:
    """Return what the scheduler knows of its workers, asked now. Raises ClusterError."""
    ask = client.scheduler.identity
    try:
        workers = client.sync(ask, callback_timeout=ANSWER_SECONDS)["workers"]
    except Exception:  # noqa: BLE001
        raise ClusterError(f"the Dask scheduler at {address} does not answer any more") from None
    return dict(workers)


def _require_fit(client: _Client, address: str, expected: Expected) -> None:
    """Require workers, each of one thread, with our versions. Raises InputError, ClusterError."""
    try:
        client.wait_for_workers(1, timeout=WORKERS_SECONDS)
    except TimeoutError:
        raise ClusterError(f"the Dask scheduler at {address} has no worker") from None
    with _in_our_words(address):
        # Of what asks all workers, only this takes a time limit.
        ask = client._run  # noqa: SLF001
        found = client.sync(
            ask, _unfit, expected.versions, on_error="return", callback_timeout=ANSWER_SECONDS
        )
    for worker, why in sorted(found.items()):
        if isinstance(why, ModuleNotFoundError):
            raise InputError(f"the Dask worker {worker} cannot import simplexcert: {why}")
        if isinstance(why, BaseException):
            raise ClusterError(f"the Dask worker {worker} failed: {type(why).__name__}: {why}")
        if why:
            raise InputError(f"the Dask worker {worker} {why}")


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


def _unfit(expected: Iterable[tuple[str, str]], dask_worker: Any) -> str:
    """Return why a worker is unfit for a campaign, in words that follow its name, or nothing.

    ``dask_worker`` is this worker; where Dask calls this itself it gives it, by that name.
    """
    threads = dask_worker.state.nthreads
    if threads != 1:
        return f"has {threads} threads, and needs to have one: start it with --nthreads 1"
    ours = versions()
    other = [f"{name} {ours.get(name)}" for name, each in expected if ours.get(name) != each]
    return f"has other versions than there are here: {', '.join(other)}" if other else ""


def _run_far_task(task: Task, expected: Expected) -> BatchResult:
    """Run one batch in a Dask worker. Raises InputError where the worker is not fit for it."""
    with _ONE_AT_A_TIME:
        while _ending:
            _ending.pop().cancel()
        try:
            _require_self_fit(expected)
            return run_task(task)
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


def _require_self_fit(expected: Expected) -> None:
    """Require that this worker has what the campaign was begun with. Raises InputError."""
    from distributed import get_worker

    if expected in _fit_for:
        return
    worker = get_worker()
    name = f"the Dask worker {worker.address}"
    # Dask's workers have it on their path, as ours do not: a module there could stand for one that
    # is not imported yet. What is run there has it on the path of its own process.
    sys.path[:] = _without_current_folder(sys.path, Path.cwd())
    if why := _unfit(expected.versions, worker):
        raise InputError(f"{name} {why}")
    try:
        same = _same_backend(expected)
    except SimplexcertError as error:
        raise InputError(f"{name} cannot have the backend: {error}") from None
    if not same:
        raise InputError(f"{name} has another backend by this name: its files differ")
    _fit_for[:] = [expected]


def _without_current_folder(path: Iterable[str], folder: Path) -> list[str]:
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
