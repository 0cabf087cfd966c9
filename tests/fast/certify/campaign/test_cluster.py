"""Work that is sent to a Dask cluster comes to the same bytes, and whatever fails is a sentence."""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import dask
import pytest
from command_line import calling
from distributed import Client, LocalCluster
from each import each_of
from simplexcert.certify import certify_backend
from simplexcert.certify.backends.loading import load_backend
from simplexcert.certify.backends.program import ending_programs
from simplexcert.certify.campaign import (
    Batch,
    WorkerDiedError,
    batch_size,
    batches_of,
    cluster,
    partial_beside,
    tallies_of,
)
from simplexcert.certify.campaign.batches import BatchResult, Task, run_task, tasks_of
from simplexcert.certify.campaign.cluster import ClusterError, cluster_address, expected_of
from simplexcert.certify.certificate import canonical_bytes, statement_of
from simplexcert.reference.errors import InputError

SCOPE = "dirichlet.utility.variance"
Maker = Callable[..., str]
BACKEND = """
import os, signal
from simplexcert.certify.backends.float64 import backend as other

class Backend:
    name, version = "far", "1"
    quantities = {{"{scope}": other.quantities["{scope}"]}}

class Deadly(Backend):
    quantities = {{"{scope}": lambda **given: os.kill(os.getpid(), signal.SIGKILL)}}

backend, deadly = Backend(), Deadly()
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder on the path, of the workers too, with a backend that is not imported yet."""
    found = tmp_path_factory.mktemp("far")
    (found / "far_backend.py").write_text(BACKEND.format(scope=SCOPE), encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(found)
        yield found


def started(**given: Any) -> LocalCluster:
    settings = {"threads_per_worker": 1, "dashboard_address": "127.0.0.1:0", "protocol": "tcp"}
    # Neither a port that is known, nor a second attempt of what kills its worker.
    with dask.config.set({"distributed.scheduler.allowed-failures": 0}):
        return LocalCluster(**{**settings, **given})


@pytest.fixture(scope="module")
def address(folder: Path) -> Iterator[str]:  # noqa: ARG001 - it is on the path first
    """The executor that is a cluster of two processes, spawned."""
    with started(n_workers=2, processes=True) as running:
        yield f"dask:{running.scheduler_address}"


def test_a_cluster_comes_to_the_same_certificate(address: str) -> None:
    # Enough for more batches than are handed out at first.
    runs = [
        certify_backend(quantities="dirichlet.utility.v*", cases=1000, executor=executor)
        for executor in (None, address)
    ]
    assert len({canonical_bytes(statement_of(run)) for run in runs}) == 1


def test_a_backend_in_a_process_of_its_own_is_asked_there_too(address: str) -> None:
    assert "far_backend" not in sys.modules
    runs = [
        certify_backend("far_backend:backend", quantities=SCOPE, cases=20, executor=executor)
        for executor in (None, address)
    ]
    assert runs[0].loaded.terms is not None
    assert len({canonical_bytes(statement_of(run)) for run in runs}) == 1


def test_a_worker_that_cannot_import_the_backend_is_refused(
    address: str, make_backend: Maker
) -> None:
    where = make_backend(SCOPE, "answer = truth")
    with pytest.raises(InputError, match=r"^the Dask worker tcp://\S+ cannot have the backend"):
        certify_backend(where, quantities=SCOPE, cases=20, executor=address)


def test_a_worker_with_other_versions_is_refused(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ours = cluster.versions()
    monkeypatch.setattr(cluster, "versions", lambda: {**ours, "gmpy2": "0.1"})
    says = f"has other versions than there are here: gmpy2 {ours['gmpy2']}$"
    with pytest.raises(InputError, match=says):
        certify_backend(quantities=SCOPE, cases=20, executor=address)


def test_a_worker_with_other_files_of_the_backend_is_refused(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "digest_of", lambda _: "0" * 64)
    with pytest.raises(InputError, match="another backend by this name: its files differ"):
        certify_backend(quantities=SCOPE, cases=20, executor=address)


@pytest.mark.parametrize(
    ("lie", "says"),
    [
        (lambda found, _: replace(found, quantity="dirichlet.utility.variance_bound"), "another"),
        (lambda _, first: first, "another"),
        (lambda found, _: replace(found, lines=""), "0 cases"),
        (lambda found, _: replace(found, lines=found.lines * 2), "cases"),
        (lambda found, _: replace(found, lines=found.lines.partition("\n")[2]), "cases"),
        (lambda found, _: replace(found, lines=found.lines[:-1]), "no end"),
        (lambda found, _: replace(found, lines=f"{found.lines}no case\n"), "is no case"),
        (lambda _found, _first: None, "AttributeError"),
    ],
)
def test_what_a_cluster_gives_back_has_to_be_of_its_batch(
    monkeypatch: pytest.MonkeyPatch, lie: Callable[[Any, Any], Any], says: str
) -> None:
    first, second = two_results()
    monkeypatch.setattr(cluster, "_workers_of", lambda *_: {"w": 1})
    pool = cluster._Cluster(_Answering(lie(second[1], first[1])), "tcp://a:1", expected_of_ours())
    with pytest.raises(ClusterError, match=says):
        pool.submit(second[0])()


def test_no_number_of_a_cluster_is_believed_that_its_lines_do_not_bear_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    _, (task, found) = two_results()
    monkeypatch.setattr(cluster, "_workers_of", lambda *_: {"w": 1})
    worth_more = {
        name: replace(tally, cases=tally.cases * 1000, verdicts=set(), worst=None)
        for name, tally in found.tallies.items()
    }
    lying = replace(found, tallies=worth_more, crashes=7)
    pool = cluster._Cluster(_Answering(lying), "tcp://a:1", expected_of_ours())
    assert pool.submit(task)() == found


def test_a_worker_that_dies_every_time_ends_the_run(
    address: str,
) -> None:
    __import__("far_backend")  # so that it is called in the worker's own process
    with pytest.raises(WorkerDiedError, match="every Dask worker that tried a batch died"):
        certify_deadly(address)
    # Their successors go on.
    assert certify_backend(quantities=SCOPE, cases=20, executor=address).checks


def certify_deadly(address: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("simplexcert.certify.campaign.run.points_to_test", lambda *_: ())
        certify_backend("far_backend:deadly", quantities=SCOPE, cases=20, executor=address)


def test_a_worker_of_several_threads_is_refused() -> None:
    says = pytest.raises(InputError, match="has 2 threads, and needs to have one: start it")
    with started(n_workers=1, threads_per_worker=2, processes=False) as running, says:
        certify_backend(quantities=SCOPE, cases=20, executor=f"dask:{running.scheduler_address}")


def test_a_cluster_without_workers_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "WORKERS_SECONDS", 0.2)
    with started(n_workers=0) as running, pytest.raises(ClusterError, match="has no worker"):
        certify_backend(quantities=SCOPE, cases=20, executor=f"dask:{running.scheduler_address}")


def test_a_scheduler_that_goes_away_costs_nothing_that_was_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "_ASK_EVERY_SECONDS", 0.2)
    running = started(n_workers=1, processes=True)
    executor = f"dask:{running.scheduler_address}"
    given = {"quantities": SCOPE, "cases": 500}

    def gone(done: int, *_more: object) -> None:
        if not done:
            return
        monkeypatch.setattr(cluster, "ANSWER_SECONDS", 1.0)
        running.close()

    with partial_beside(tmp_path / "cases.gz") as partial:
        with pytest.raises(ClusterError, match=r"went away|does not answer|failed"):
            certify_backend(
                **given,
                executor=executor,
                partial=partial,
                on_progress=gone,
            )  # type: ignore[arg-type]
        assert partial.batches >= 1
    with partial_beside(tmp_path / "cases.gz") as partial:
        assert certify_backend(**given, partial=partial) == certify_backend(**given)  # type: ignore[arg-type]


@pytest.mark.parametrize("answers", [False, True])
def test_what_does_not_answer_exits_4_in_time(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, answers: bool
) -> None:
    monkeypatch.setattr(cluster, "ANSWER_SECONDS", 0.5)
    with socket.create_server(("127.0.0.1", 0)) as server:
        at = f"dask:tcp://127.0.0.1:{server.getsockname()[1]}"
        if not answers:
            server.close()
        found = calling(capsys)("certify", "--quantities", SCOPE, "--executor", at)
    assert found.code == 4
    assert found.err.startswith("simplexcert: no Dask scheduler answers at tcp://127.0.0.1:")
    assert found.err.count("\n") == 1


def test_a_worker_is_no_scheduler(address: str) -> None:
    with Client(address.removeprefix("dask:"), set_as_default=False) as client:
        worker = next(iter(client.scheduler_info()["workers"]))
    with pytest.raises(ClusterError, match="it is a 'Worker'"):
        certify_backend(quantities=SCOPE, cases=20, executor=f"dask:{worker}")


@each_of("executor", ["dask", "dask:", "ray:tcp://a:1", "dask:a:1",
    "dask:ucx://a:1", "dask:inproc://1", "dask:tcp://a", "dask:tcp://a:0", "dask:tcp://a:65536",
    "dask:tcp://a:1/b", "dask:tcp://u@a:1", "dask:tcp://a:1\n", "dask:http://a:1"])  # fmt: skip
def test_what_is_no_address_exits_3(capsys: pytest.CaptureFixture[str], executor: str) -> None:
    found = calling(capsys)("certify", "--quantities", SCOPE, "--executor", executor)
    assert found.code == 3
    assert "write dask:tcp://HOST:PORT" in found.err


@pytest.mark.parametrize("good", ["tcp://a.b-c_d:8786", "tls://10.0.0.1:1", "tcp://[::1]:65535"])
def test_addresses_are_of_tcp_and_tls(good: str) -> None:
    assert cluster_address(f"dask:{good}") == good


def test_without_the_extra_that_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(InputError, match="needs the extra `dask`"):
        cluster_address("dask:tcp://a:1")


def expected_of_ours() -> cluster.Expected:
    return expected_of(load_backend(), None)


def two_results() -> list[tuple[Task, BatchResult]]:
    """Two batches of a campaign with what they come to."""
    whole = Batch(None, "", 0, 200, "seed")
    tallies = tallies_of(load_backend(), [SCOPE], whole.cases)
    tasks = tasks_of(batches_of([SCOPE], whole), tallies, batch_size(whole.cases), whole.cases)
    return [(task, run_task(task)) for task in tasks]


class _Answering:
    """Stands for Dask's client and its future: whatever is submitted has this result."""

    def __init__(self, found: object) -> None:
        self.found = found

    def submit(self, *_: object, pure: bool) -> _Answering:
        assert not pure
        return self

    def result(self, timeout: float) -> object:
        assert timeout
        return self.found


class _Clientlike:
    """A client whose workers answer what they are told to."""

    def __init__(self, answer: object) -> None:
        self.answer = answer

    def wait_for_workers(self, _count: int, timeout: float) -> None:
        assert timeout

    def _run(self) -> None:
        """What ``sync`` is given, and what asks every worker."""

    def sync(self, *_: object, on_error: str, callback_timeout: float) -> dict[str, object]:
        assert on_error == "return"
        assert callback_timeout
        return {"tcp://w:1": self.answer}


@pytest.mark.parametrize(
    ("answer", "error", "says"),
    [
        (ModuleNotFoundError("no simplexcert"), InputError, "cannot import simplexcert"),
        (ZeroDivisionError("odd"), ClusterError, "failed: ZeroDivisionError: odd"),
        ("is odd", InputError, "the Dask worker tcp://w:1 is odd"),
    ],
)
def test_a_worker_that_is_unfit_is_named(answer: object, error: type[Exception], says: str) -> None:
    expected = expected_of(load_backend(), None)
    with pytest.raises(error, match=says):
        cluster._require_fit(_Clientlike(answer), "tcp://a:1", expected)


@each_of(
    "threads, change, says",
    [
        (2, {}, "tcp://w:2 has 2 threads"),
        (1, {"versions": (("gmpy2", "0.1"),)}, "tcp://w:2 has other versions"),
        (1, {"where": "nowhere:backend"}, "tcp://w:2 cannot have the backend: .* be imported"),
        (1, {"name": "other"}, "tcp://w:2 has another backend"),
        (1, {"files": "0"}, "tcp://w:2 has another backend"),
    ],
)
def test_a_worker_that_comes_later_is_looked_at_too(
    monkeypatch: pytest.MonkeyPatch, threads: int, change: dict[str, Any], says: str
) -> None:
    state = SimpleNamespace(nthreads=threads)
    worker = SimpleNamespace(address="tcp://w:2", state=state)
    monkeypatch.setattr("distributed.get_worker", lambda: worker)
    monkeypatch.setattr(cluster, "_fit_for", [])
    expected = expected_of(load_backend(), None)
    with pytest.raises(InputError, match=says):
        cluster._require_self_fit(replace(expected, **change))
    state.nthreads = 1
    cluster._require_self_fit(expected)
    assert cluster._fit_for == [expected]


def test_a_program_on_a_worker_is_the_same_by_what_it_declares_and_its_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "prog.sh"
    declared = '{"name": "p", "version": "1", "quantities": []}'
    program.write_text(f"read line; echo '{declared}'; read line", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    with ending_programs():
        expected = expected_of(load_backend("command:sh prog.sh"), "command:sh prog.sh")
    monkeypatch.chdir("/")  # a worker's folder is its own
    assert cluster._same_backend(expected)
    program.write_text(program.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    assert not cluster._same_backend(expected)


def test_a_program_is_ended_once_its_worker_is_idle(monkeypatch: pytest.MonkeyPatch) -> None:
    ended: list[bool] = []
    monkeypatch.setattr(cluster, "stop_programs", lambda: ended.append(True))
    monkeypatch.setattr(cluster, "IDLE_SECONDS", 0.0)
    cluster._end_when_idle()
    cluster._ending.pop().join()
    assert ended == [True]


def test_a_workers_current_folder_is_off_its_path_before_a_backend_is_looked_for(
    address: str,
) -> None:
    def with_current_folder() -> None:
        for place in ("", ".", os.getcwd()):  # noqa: PTH109
            sys.path.insert(0, place)

    def current_folders() -> int:
        here = os.path.realpath(os.getcwd())  # noqa: PTH109
        return sum(os.path.realpath(place) == here for place in sys.path)

    with Client(address.removeprefix("dask:")) as client:
        client.run(with_current_folder)
        assert min(client.run(current_folders).values()) >= 3
        certify_backend("far_backend:backend", quantities=SCOPE, cases=5, executor=address)
        assert 0 in client.run(current_folders).values()
