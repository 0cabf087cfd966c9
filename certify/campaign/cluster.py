"""A Dask cluster that works batches out: ``dask:tcp://HOST:PORT``, or ``tls://``.

What is sent are the batches and nothing else: no data, no certificate. Dask itself sends pickles
and runs them, so a scheduler that others can reach lets them run what they like, on it and here.
"""

from __future__ import annotations

import asyncio
import logging
import re
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

from ...reference.errors import InputError, SimplexcertError
from ...reference.exact import shown
from .executing import Hands, Waiting, WorkerDiedError
from .far import Expected, unfit, worked_far
from .hands import AHEAD
from .worked import Task, Worked

if TYPE_CHECKING:
    from distributed import Future

# Dask's own client, of whose methods hardly any has types.
Client: TypeAlias = Any
DASK = "dask:"
# Time for the scheduler to answer, when it is connected to and whenever it is asked again.
ANSWER_SECONDS = 30.0
# Time for the first worker to be there.
WORKERS_SECONDS = 60.0
# How often a scheduler is asked whether it is still there while a batch is waited for.
_ASK_EVERY_SECONDS = 10.0
_ADDRESS = re.compile(r"(tcp|tls)://(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+):([0-9]{1,5})", re.ASCII)
_HOW = f"write {DASK}tcp://HOST:PORT, or {DASK}tls://HOST:PORT"


class ClusterError(SimplexcertError):
    """A cluster that does not answer, or does not do what it is for."""


def cluster_address(executor: str) -> str:
    """Return the address in dask:ADDRESS.

    Raises InputError where it is no such address, or Dask is not installed.
    """
    address = executor.removeprefix(DASK)
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
    def __init__(self, client: Client, address: str, expected: Expected) -> None:
        self._client, self._address, self._expected = client, address, expected
        self.ahead = AHEAD * len(_workers_of(client, address))

    def hand_out(self, task: Task) -> Waiting:
        with _told_in_words(self._address):
            # Not pure: what another campaign found under the same name is not to be had for this.
            future = self._client.submit(worked_far, task, self._expected, pure=False)
        return partial(self._result_of, future)

    def _result_of(self, future: Future[Worked]) -> Worked:
        with _told_in_words(self._address):
            while True:
                try:
                    return future.result(timeout=_ASK_EVERY_SECONDS)
                except TimeoutError:
                    _workers_of(self._client, self._address)


@contextmanager
def cluster_at(address: str, expected: Expected) -> Iterator[Hands]:
    """Connect to a cluster whose workers are fit for the campaign, and leave it with the block."""
    with _in_our_words(), _connected(address) as client:
        _require_fit(client, address, expected)
        yield _Cluster(client, address, expected)


@contextmanager
def _in_our_words() -> Iterator[None]:
    """Keep Dask from logging and warning here: what goes wrong is one sentence, an error's."""
    logger = logging.getLogger("distributed")
    before = logger.level
    logger.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        logger.setLevel(before)


@contextmanager
def _connected(address: str) -> Iterator[Client]:
    from distributed import Client as DaskClient

    connect: Callable[..., Client] = DaskClient
    _require_scheduler(address)
    with warnings.catch_warnings(), _told_in_words(address):
        # Versions that differ are refused below, by name.
        warnings.simplefilter("ignore")
        client = connect(address, timeout=ANSWER_SECONDS, set_as_default=False)
    try:
        yield client
    finally:
        client.close(timeout=ANSWER_SECONDS)


def _require_scheduler(address: str) -> None:
    """Require that a scheduler answers there in time; Dask's client would wait for ever."""
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
def _told_in_words(address: str) -> Iterator[None]:
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


def _workers_of(client: Client, address: str) -> dict[str, Any]:
    """Return what the scheduler knows of its workers, asked now. Raises ClusterError."""
    ask = client.scheduler.identity
    try:
        workers = client.sync(ask, callback_timeout=ANSWER_SECONDS)["workers"]
    except Exception:  # noqa: BLE001
        raise ClusterError(f"the Dask scheduler at {address} does not answer any more") from None
    return dict(workers)


def _require_fit(client: Client, address: str, expected: Expected) -> None:
    """Require workers, each of one thread, with our versions. Raises InputError, ClusterError."""
    try:
        client.wait_for_workers(1, timeout=WORKERS_SECONDS)
    except TimeoutError:
        raise ClusterError(f"the Dask scheduler at {address} has no worker") from None
    with _told_in_words(address):
        # Of what asks all workers, only this takes a time limit.
        ask = client._run  # noqa: SLF001
        found = client.sync(
            ask, unfit, expected.versions, on_error="return", callback_timeout=ANSWER_SECONDS
        )
    for worker, why in sorted(found.items()):
        if isinstance(why, ModuleNotFoundError):
            raise InputError(f"the Dask worker {worker} cannot import simplexcert: {why}")
        if isinstance(why, BaseException):
            raise ClusterError(f"the Dask worker {worker} failed: {type(why).__name__}: {why}")
        if why:
            raise InputError(f"the Dask worker {worker} {why}")
