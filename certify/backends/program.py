"""A backend that is a program: asked line by line, killed and started again when it must be.

Whatever it does is the answer to one question, an error if need be; the next is asked all the same.
"""

from __future__ import annotations

import atexit
import functools
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from math import ceil
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from ...reference.errors import InputError
from ...reference.precision import Budget
from .messages import (
    MAX_ANSWER_BYTES,
    MAX_DECLARATION_BYTES,
    BackendError,
    Declared,
    OutOfStepError,
    answer_in,
    declaration_in,
    opening,
    question,
    request,
    unforeseen,
)
from .pipes import CrashedError, Pipes, late
from .protocol import Backend, as_backend
from .subjects import Subject

# As long as the truth itself may take in a campaign.
CASE_SECONDS = 20.0
MAX_CASE_SECONDS = 3_600.0
# A language that compiles when it starts takes its time.
START_SECONDS = 60.0
# A program that was lost so often in one batch of cases is not started again in it, and after so
# many losses in a campaign not at all. With the time of a case, this bounds what hanging costs.
MAX_LOSSES_IN_BATCH = 3
MAX_LOSSES = 12
# What no process of an honest program can use up: all processors, for as long as a program lives
# before it is started again between two batches, and for the longest batch after that.
LIFE_SECONDS = 3_600.0
QUESTIONS_IN_A_BATCH = 5_000


class GivenUpError(BackendError):
    """A question that is not put any more."""

    def __init__(self) -> None:
        super().__init__("not asked: the program was lost too often")


# Where the system tells what a program has started.
_PROCESSES = Path("/proc/self")
# Threads of the usual libraries and runtimes, and the order of Python's sets.
_ELSEWHERE = {
    "OMP_NUM_THREADS": "3",
    "OPENBLAS_NUM_THREADS": "3",
    "MKL_NUM_THREADS": "3",
    "NUMEXPR_NUM_THREADS": "3",
    "PYTHONHASHSEED": "3",
}
# Where these are installed a number is written with a comma.
_LOCALES = re.compile(r"^(?:de_DE|fr_FR|es_ES|pt_BR|ru_RU)\.utf-?8$", re.IGNORECASE | re.MULTILINE)


@dataclass(frozen=True)
class Terms:
    """How a program is started and from which files, a case's time, what it declared at first.

    ``environment`` is what it has besides ours.
    """

    argv: tuple[str, ...]
    folder: str
    where: str
    seconds: float
    subjects: tuple[Subject, ...]
    declared: Declared
    environment: tuple[tuple[str, str], ...] = ()


def elsewhere(terms: Terms) -> Terms:
    """Return the terms under which a program runs once more, with other threads and locale."""
    found = {**_ELSEWHERE, "LC_ALL": _other_locale()}
    return replace(terms, environment=tuple(sorted(found.items())))


@functools.cache
def _other_locale() -> str:
    """Return a locale that is installed here in which a number has a comma, or the plain one."""
    program = shutil.which("locale")
    if program is None:
        return "C"
    listed = subprocess.run(  # noqa: S603
        [program, "-a"], stdin=subprocess.DEVNULL, capture_output=True, check=False
    )
    found = _LOCALES.search(listed.stdout.decode("utf-8", "replace"))
    return found[0] if found else "C"


class _Program:
    """A program under its terms; it runs from the first question on."""

    def __init__(self, terms: Terms, pipes: Pipes | None = None) -> None:
        self.terms = terms
        self.losses = 0
        # The number of the question before, as long as the same process runs.
        self._before: int | None = None
        self._pipes = pipes
        self._since = time.monotonic()

    def backend(self) -> Backend:
        """Return the program as a backend, what it declared checked. Raises InputError."""
        said = self.terms.declared
        functions = {name: partial(self._asked, name) for name in said.quantities}
        samplers = {name: partial(self._sampled, name) for name in said.samplers}
        thing = SimpleNamespace(
            name=said.name,
            version=said.version,
            quantities=functions,
            slack=said.slack,
            accuracy=said.accuracy,
            samplers=samplers,
            domain=said.domain,
            direction=said.direction,
            vectorized=said.vectorized,
        )
        return as_backend(thing, self.terms.where)

    def _asked(self, quantity: str, /, **parameters: Any) -> Any:
        """Return the answer; raises as ``_answer_to`` does."""
        number = unforeseen()
        arrays = [name for name, value in parameters.items() if hasattr(value, "tolist")]
        given = parameters | {name: parameters[name].tolist() for name in arrays}
        return self._answer_to(question(number, quantity, given, arrays), number)

    def _sampled(self, sampler: str, /, *, count: int, seed: int, **parameters: Any) -> Any:
        """Return draws; raises as ``_answer_to`` does."""
        number = unforeseen()
        return self._answer_to(request(number, sampler, parameters, count, seed), number)

    def _answer_to(self, sent: bytes, number: int) -> Any:
        """Return the answer; raises BackendError, or CrashedError if the program was killed."""
        if self.losses >= MAX_LOSSES_IN_BATCH:
            raise GivenUpError
        try:
            pipes = self._running()
            budget = Budget(self.terms.seconds)
            before, self._before = self._before, number
            line = pipes.exchanged(sent, budget.seconds, MAX_ANSWER_BYTES)
            return answer_in(line, number, partial(_require_time, budget), before)
        except OutOfStepError as error:
            raise self._lost(CrashedError(str(error))) from None
        except CrashedError as error:
            raise self._lost(error) from None

    def _running(self) -> Pipes:
        if self._pipes is None:
            terms = self.terms
            try:
                self._pipes, declared = started(
                    terms.argv, terms.folder, terms.where, terms.seconds, terms.environment
                )
                self._since = time.monotonic()
            except InputError as error:
                raise CrashedError(f"it cannot be started again: {error}") from None
            if declared != terms.declared:
                raise CrashedError("started again, it declared something else")
        return self._pipes

    def _lost(self, error: CrashedError) -> CrashedError:
        self.losses += 1
        self._before = None
        if self._pipes is not None:
            self._pipes.kill()
            self._pipes = None
        return error

    def start_again_if_old(self) -> None:
        """End the program once it has lived long; the next question starts it again."""
        if time.monotonic() - self._since > LIFE_SECONDS:
            self.close()

    def close(self, *, at_once: bool = False) -> None:
        """End the program, or kill it at once."""
        if self._pipes is not None:
            if at_once:
                self._pipes.kill()
            self._pipes.close()
            self._pipes = self._before = None


def cpu_seconds(seconds: float) -> int:
    """Return how long each process of a program may compute, given the time of a case."""
    return ceil((os.cpu_count() or 1) * (LIFE_SECONDS + QUESTIONS_IN_A_BATCH * seconds))


def _require_time(budget: Budget) -> None:
    """Raise CrashedError where an answer is not read in time: what is long to read is too late."""
    if budget.is_over():
        raise CrashedError(late(budget.seconds))


def started(
    argv: tuple[str, ...],
    folder: str,
    where: str,
    seconds: float,
    environment: Iterable[tuple[str, str]] = (),
) -> tuple[Pipes, Declared]:
    """Start a program and return it with what it declares. Raises InputError, nothing left over."""
    if sys.platform != "linux" or not _PROCESSES.is_dir():
        raise InputError(
            f"{where} is not started: limits on a program and on all that it starts take Linux and "
            "its /proc, not found here; run it in a container, or call an object of yours in Python"
        )
    try:
        pipes = Pipes(argv, folder, cpu_seconds(seconds), environment)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError(f"{where} cannot be started: {reason}") from None
    try:
        line = pipes.exchanged(opening(), START_SECONDS, MAX_DECLARATION_BYTES)
        return pipes, declaration_in(line, where)
    except CrashedError as error:
        raise InputError(f"{where} did not declare itself: {error}") from None
    except BaseException:
        pipes.kill()
        raise


_programs: list[_Program] = []


def first_started(
    argv: tuple[str, ...], where: str, seconds: float, subjects: tuple[Subject, ...]
) -> _Program:
    """Return a program that has declared itself, one that runs already if it is the same.

    One that was started from other files than there are now is not.
    """
    folder = str(Path.cwd())
    same = argv, folder, seconds, subjects, ()
    for program in _programs:
        terms = program.terms
        found = terms.argv, terms.folder, terms.seconds, terms.subjects, terms.environment
        if found == same:
            return program
    pipes, declared = started(argv, folder, where, seconds)
    return _kept(_Program(Terms(argv, folder, where, seconds, subjects, declared), pipes))


def program_under(terms: Terms) -> _Program:
    """Return the program of these terms for another batch; it starts when it is asked."""
    found = next((program for program in _programs if program.terms == terms), None)
    program = found or _kept(_Program(terms))
    program.losses = 0
    program.start_again_if_old()
    return program


def _kept(program: _Program) -> _Program:
    _programs.append(program)
    return program


def stop_programs(*, at_once: bool = False, but: int = 0) -> None:
    """End every program that this process started, but for so many that it started first."""
    while len(_programs) > but:
        _programs.pop().close(at_once=at_once)


@contextmanager
def ending_programs() -> Iterator[None]:
    """End what was started inside, however the block ends; what ran before goes on."""
    before = len(_programs)
    try:
        yield
    finally:
        stop_programs(but=before)


# A worker of a pool ends without being told.
atexit.register(stop_programs)
