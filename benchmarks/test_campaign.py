"""How many cases a campaign checks in a second, and how much memory, beside what people do now.

Closed-form quantities of the built-in backend, checked by two processes: draws, answers, judgement
against an enclosure, laws, and the transcript kept on the disk. Seconds are those of all processors
together, so that they say something on a busy machine too; memory is the largest of this process
and of the largest worker, after a tenth of the cases and after all. Beside it: the same answers
compared with mpmath at 30 digits at points of the same number, one after the other, drawn by
NumPy, which proves nothing. Nothing here asserts a time.
"""

from __future__ import annotations

import os
import resource
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import mpmath
import numpy as np
import pytest
from simplexcert.certify import certify_backend
from simplexcert.certify.backends.float64 import backend
from simplexcert.certify.campaign import partial_beside, write_transcript

# Checked cases of each campaign are these times the checks, a quarter of the points for each law.
POINTS, COMPARED, JOBS = 4_000, 400, 2
MPMATH_DIGITS = 30
QUANTITIES = (
    "dirichlet.profile.renyi",
    "dirichlet.utility.variance",
    "dirichlet.renyi.to_approximate_dp",
    "dirichlet.add_remove.renyi",
    "dirichlet.utility.expected_kl_bound",
)
# One long campaign, of some 10^5 checked cases.
LONG, LONG_POINTS = "dirichlet.profile.renyi", 36_500
MIB = 1024


@dataclass
class Table:
    """What is printed at the end."""

    rows: list[str] = field(default_factory=list)

    def add(self, what: str, cases: int, seconds: float, memory: str = "") -> None:
        """Add a line."""
        self.rows.append(f"{what:<48}{cases:>9,}{seconds:>9.1f}{cases / seconds:>9,.0f}  {memory}")


@pytest.fixture(scope="module")
def table(request: pytest.FixtureRequest) -> Iterator[Table]:
    collected = Table()
    yield collected
    header = (
        f"\n\n{'':<48}{'cases':>9}{'CPU s':>9}{'a CPU s':>9}  largest process at 1/10, at the end"
    )
    with request.config.pluginmanager.getplugin("capturemanager").global_and_fixture_disabled():
        print(header, *collected.rows, sep="\n")  # noqa: T201 - the table is what it is for


def cpu_seconds() -> float:
    """Return the processor time of this process and of its children that have ended."""
    own, ended = (
        resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    )
    return own.ru_utime + own.ru_stime + ended.ru_utime + ended.ru_stime


def largest_process() -> int:
    """Return the peak memory of the largest of this process and its children, in MiB."""
    listed = Path(f"/proc/self/task/{os.getpid()}/children").read_text(encoding="ascii").split()
    return max(map(_peak, ["self", *listed]))


def _peak(process: str) -> int:
    status = Path("/proc", process, "status").read_text(encoding="ascii", errors="replace")
    found = [line.split()[1] for line in status.splitlines() if line.startswith("VmHWM:")]
    return int(found[0]) // MIB if found else 0


def campaign(name: str, points: int, folder: Path) -> tuple[int, list[int]]:
    """Run a campaign as the command does; return how many cases, and the peaks of memory."""
    peaks: list[int] = []
    tenth = points // 10 // 500 * 500  # a batch has 500 points

    def watch(done: int, total: int, _name: str) -> None:
        if done in (max(tenth, 500), total):
            peaks.append(largest_process())

    transcript = folder / "cases.jsonl.gz"
    with partial_beside(transcript) as partial:
        found = certify_backend(
            quantities=name, cases=points, jobs=JOBS, partial=partial, on_progress=watch
        )
        write_transcript(transcript, partial.lines(), found.transcript_sha256)
        partial.forget()
    return sum(check.cases for check in found.checks), peaks


def measured(benchmark: Any, table: Table, what: str, run: Callable[[], tuple[int, str]]) -> None:
    """Run once, and record how many cases there were in how much processor time."""
    start = cpu_seconds()
    cases, memory = benchmark.pedantic(run, rounds=1, iterations=1)
    table.add(what, cases, cpu_seconds() - start, memory)


@pytest.mark.parametrize("name", QUANTITIES)
def test_campaign(benchmark: Any, table: Table, tmp_path: Path, name: str) -> None:
    def run() -> tuple[int, str]:
        cases, peaks = campaign(name, POINTS, tmp_path)
        return cases, ", ".join(f"{peak} MiB" for peak in peaks)

    measured(benchmark, table, f"certify {name}", run)


def test_long_campaign(benchmark: Any, table: Table, tmp_path: Path) -> None:
    def run() -> tuple[int, str]:
        start = time.perf_counter()
        cases, peaks = campaign(LONG, LONG_POINTS, tmp_path)
        memory = ", ".join(f"{peak} MiB" for peak in peaks)
        return cases, f"{memory}; {time.perf_counter() - start:.0f} s by the clock"

    measured(benchmark, table, f"certify {LONG}", run)


def by_mpmath(alpha: float, step: float, order: float) -> Any:
    """Return the Renyi divergence of the profile from log-gammas at 30 digits, as one writes it."""
    with mpmath.workdps(MPMATH_DIGITS):
        a, s, r = (mpmath.mpf(x) for x in (alpha, step, order))
        up, down = a + r * s, a - (r - 1) * s
        if down <= 0:
            return mpmath.inf
        logs = mpmath.loggamma(up) + mpmath.loggamma(down)
        return (logs - mpmath.loggamma(a + s) - mpmath.loggamma(a)) / (r - 1)


def test_mpmath(benchmark: Any, table: Table) -> None:
    random = np.random.default_rng(8)
    points = [
        {"alpha": float(10 ** random.uniform(-1, 3)), "step": float(10 ** random.uniform(-3, 0)),
         "order": float(1 + 10 ** random.uniform(-2, 1))}
        for _ in range(COMPARED)
    ]  # fmt: skip
    function = backend.quantities[LONG]

    def run() -> tuple[int, str]:
        for point in points:
            abs(mpmath.mpf(float(function(**point))) - by_mpmath(**point))
        return COMPARED, ""

    measured(benchmark, table, f"mpmath at 30 digits, {LONG}", run)
