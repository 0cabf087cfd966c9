"""Experiments run one after another or several at once, each writing its own results."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, wait
from contextlib import contextmanager
from multiprocessing import get_context
from pathlib import Path
from queue import Empty, Queue
from typing import TypeAlias

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn
from simulation.chains import NoDataError

from .outcome import Outcome, Running
from .registry import Setting, experiments
from .results import FORMAT, Result, forget_result, save_plots, write_result

# An experiment's id and the share of it that is done.
Report: TypeAlias = tuple[str, float]
_LOOK_SECONDS = 0.2


def run_one(setting: Setting, out: Path, told: Callable[[Report], object]) -> Result:
    """Run one experiment and write what came of it; absent data are a reason, not a failure."""
    experiment = experiments()[setting.id]
    forget_result(out, setting.id)
    start = time.perf_counter()
    outcome, absent = _followed(experiment.run(setting), lambda share: told((setting.id, share)))
    result = Result(
        format=FORMAT,
        id=setting.id,
        where=experiment.where,
        title=experiment.title,
        quick=setting.quick,
        seed=setting.seed,
        seconds=round(time.perf_counter() - start, 3),
        tables=outcome.tables,
        images=save_plots(out, setting.id, outcome),
        findings=outcome.findings,
        skipped=outcome.skipped,
        notes=outcome.notes,
        absent=absent,
    )
    write_result(out, result)
    return result


def _followed(running: Running, told: Callable[[float], object]) -> tuple[Outcome, str]:
    try:
        return outcome_of(running, told), ""
    except NoDataError as error:
        return Outcome(), str(error)


def outcome_of(running: Running, told: Callable[[float], object]) -> Outcome:
    """Follow an experiment to its end, telling the shares that it yields."""
    while True:
        try:
            told(next(running))
        except StopIteration as end:
            outcome: Outcome = end.value
            return outcome


def _in_a_process(setting: Setting, out: Path, reports: Queue[Report]) -> Result:
    return run_one(setting, out, reports.put)


def run_all(settings: Sequence[Setting], out: Path, jobs: int) -> Iterator[Result | Exception]:
    """Yield each experiment's result, or what went wrong, in the order in which they end."""
    with progress([setting.id for setting in settings]) as told:
        if jobs == 1:
            yield from (_attempted(setting, out, told) for setting in settings)
        else:
            yield from _in_processes(settings, out, jobs, told)


def _attempted(setting: Setting, out: Path, told: Callable[[Report], object]) -> Result | Exception:
    try:
        return run_one(setting, out, told)
    except Exception as error:  # noqa: BLE001 - the other experiments go on
        return _named(setting, error)


def _named(setting: Setting, error: BaseException) -> Exception:
    return RuntimeError(f"{setting.id} failed: {type(error).__name__}: {error}")


def _in_processes(
    settings: Sequence[Setting], out: Path, jobs: int, told: Callable[[Report], object]
) -> Iterator[Result | Exception]:
    # Spawned, not forked: libraries with threads of their own do not survive a fork.
    context = get_context("spawn")
    with context.Manager() as manager, ProcessPoolExecutor(jobs, mp_context=context) as pool:
        reports: Queue[Report] = manager.Queue()
        tasks = {pool.submit(_in_a_process, one, out, reports): one for one in settings}
        pending: set[Future[Result]] = set(tasks)
        while pending:
            done, pending = wait(pending, timeout=_LOOK_SECONDS, return_when="FIRST_COMPLETED")
            _pass_on(reports, told)
            for task in done:
                error = task.exception()
                yield task.result() if error is None else _named(tasks[task], error)


def _pass_on(reports: Queue[Report], told: Callable[[Report], object]) -> None:
    try:
        while True:
            told(reports.get_nowait())
    except Empty:
        return


@contextmanager
def progress(names: Sequence[str]) -> Iterator[Callable[[Report], object]]:
    """Yield what moves the bars on a terminal's standard error; silent elsewhere."""
    console = Console(stderr=True)
    columns = TextColumn("{task.description}"), BarColumn(), TaskProgressColumn()
    with Progress(
        *columns, TimeElapsedColumn(), console=console, disable=not console.is_terminal
    ) as bar:
        tasks = {name: bar.add_task(name, total=1.0) for name in names}
        yield lambda report: bar.update(tasks[report[0]], completed=report[1])
