"""Tests of the backend that is named to pytest: ``certify::QUANTITY::CHECK``."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from functools import cache
from itertools import groupby
from os import PathLike
from typing import Any

import pytest

from ...reference.errors import InputError, SimplexcertError
from ...reference.quantity import quantities
from ..backends.loading import backend_again, load_backend
from ..backends.program import CASE_SECONDS, ending_programs
from ..campaign import (
    DEFAULT_CASES,
    EVERYTHING,
    certify_backend,
    require_numbers,
    silenced_output,
    tallies_of,
)
from ..checks.judgement import not_shown_sound
from ..report import quoted
from ..samplers import sampler_results
from .findings import (
    DRAWS,
    SAMPLER,
    ExpectedFailure,
    Finding,
    expectation,
    expected_failures_in,
    findings_of,
    judged,
    sampler_findings,
)
from .violations import Run, lines_about, run_with
from .witnesses import WITNESS_SECONDS, shown_in_ci


class CheckFailedError(Exception):
    """A check does not pass; the message is what people and scripts read."""


class Checks(pytest.Collector):
    """All checks of the backend."""

    def __init__(self, *, certifying: Certifying, **given: Any) -> None:
        super().__init__(**given)
        self.certifying = certifying

    def collect(self) -> Iterator[pytest.Collector]:
        """Yield what collects the checks of each quantity."""
        for quantity, checks in groupby(self.certifying.checks, key=lambda check: check[0]):
            names = [check for _, check in checks]
            yield QuantityChecks.from_parent(self, name=quantity, checks=names)


class QuantityChecks(pytest.Collector):
    """The checks of one quantity."""

    def __init__(self, *, checks: list[str], **given: Any) -> None:
        super().__init__(**given)
        self.checks = checks

    def collect(self) -> Iterator[pytest.Item]:
        """Yield a test for each."""
        for check in self.checks:
            yield CheckItem.from_parent(self, name=check)


class CheckItem(pytest.Item):
    """One check of one quantity."""

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        quantity, checks = self.parent, self.parent.parent if self.parent else None
        assert isinstance(checks, Checks)
        assert quantity is not None
        self.quantity, self.certifying = quantity.name, checks.certifying
        line = self.certifying.expectation(self.quantity, self.name)
        if line is not None:
            reason = f"{line.reason} ({line.place})"
            # One that passes now fails the run, until the line is removed.
            mark = pytest.mark.xfail(reason=reason, strict=True, raises=CheckFailedError)
            self.add_marker(mark)

    def runtest(self) -> None:
        """Run the check."""
        self.certifying.require_certified(self.quantity, self.name)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """Return the finding as text, without our traceback."""
        if isinstance(excinfo.value, CheckFailedError | SimplexcertError):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[PathLike[str], None, str]:
        """Return the test's place, which is in no file, and its name."""
        return self.config.rootpath / "certify", None, f"{self.quantity} {self.name}"


# How the name of every check begins.
_CHECKS = "certify::"


class Certifying:
    """The backend under test, and what its tests have found so far."""

    def __init__(self, config: pytest.Config) -> None:
        """Read the options and load the backend. Raises pytest.UsageError."""
        self.where: str = config.getoption("--certify-backend")
        self.pattern: str = _given(config, "--certify-quantities", EVERYTHING)
        self.cases: int = _given(config, "--certify-cases", DEFAULT_CASES)
        self.seed: int = _given(config, "--certify-seed", 0)
        self.case_seconds: float = _given(config, "--certify-case-seconds", CASE_SECONDS)
        file = config.getoption("--certify-expected-failures")
        self._stack = ExitStack()
        self._seen = self._found_something = self._is_without_result = False
        # The checks of a quantity are tests of their own, and found all at once.
        self._findings = cache(self._found)
        try:
            require_numbers(self.cases, self.seed, case_seconds=self.case_seconds)
            self.expected = expected_failures_in(file) if file is not None else ()
            self._stack.enter_context(ending_programs())
            self.checks = self._load()
        except InputError as error:
            self._stack.close()
            raise pytest.UsageError(f"simplexcert: {' '.join(str(error).split())}") from None

    def _load(self) -> list[tuple[str, str]]:
        """Return every check of every quantity that is asked for, and those of samplers."""
        # An empty name is a variable that somebody forgot to set, and no wish for a default.
        if not self.where:
            raise InputError("--certify-backend names no backend")
        self.loaded = load_backend(self.where, self.case_seconds)
        offered, names = self.loaded.backend, list(quantities(self.pattern))
        samplers = sorted(offered.samplers) if self.pattern == EVERYTHING else []
        # Tests that are all skipped would be a run that passes.
        if not samplers and not any(name in offered.quantities for name in names):
            what = "quantity that there is" if names else "quantity at all"
            raise InputError(f"{self.where} has no {what} that matches {self.pattern}")
        checks = [(f"{SAMPLER}{name}", DRAWS) for name in samplers]
        return [*tallies_of(self.loaded, names, self.cases), *checks]

    def pytest_report_header(self) -> str:
        """Return the line that names the backend that is certified."""
        backend = self.loaded.backend
        name = quoted(f"{backend.name} {backend.version}")
        return f"simplexcert: certifying {name}, seed {self.seed}"

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(
        self, session: pytest.Session, items: list[pytest.Item]
    ) -> None:
        """Add a test for each check; first, so that options that select tests see these."""
        collector = Checks.from_parent(session, name="certify", nodeid="certify", certifying=self)
        items.extend(session.genitems(collector))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Count the checks that came to something, in this process or in a worker of it."""
        if report.nodeid.startswith(_CHECKS):
            self._seen = True
            # A failure that is expected is reported as skipped, and is a result.
            found = not report.skipped or hasattr(report, "wasxfail")
            self._found_something |= found and report.when == "call"

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        """End as pytest does without tests where nothing was found of a backend: that is no pass.

        Tests beside that pass say nothing of the backend; a failure is told before this.
        """
        if exitstatus == pytest.ExitCode.OK and self._seen and not self._found_something:
            self._is_without_result = True
            session.exitstatus = pytest.ExitCode.NO_TESTS_COLLECTED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Say why the session does not pass where nothing was found."""
        if self._is_without_result:
            terminalreporter.write_line(
                "simplexcert: nothing was certified: every check of the backend was inapplicable, "
                "which is no pass (exit code 5)"
            )

    def pytest_unconfigure(self) -> None:
        """End the backend's program."""
        self._stack.close()

    def expectation(self, quantity: str, check: str) -> ExpectedFailure | None:
        """Return the line by which the check is expected to fail."""
        return expectation(self.expected, quantity, check)

    def require_certified(self, quantity: str, check: str) -> None:
        """Run the check, or take its finding from a test of the same quantity.

        Raises CheckFailedError with the lines to print, and skips an inapplicable check.
        """
        findings = self._findings(SAMPLER if quantity.startswith(SAMPLER) else quantity)
        found = findings[quantity, check]
        if found.failed:
            (shown,) = shown_in_ci(self.loaded, [judged(found, ())], WITNESS_SECONDS)
            raise CheckFailedError("\n".join(lines_about(self._run(), shown)))
        if not found.cases:
            pytest.skip(f"inapplicable: the backend does not answer what {check} needs")
        if quantity in not_shown_sound(tuple(findings.values())):
            # What its relations certify counts for nothing, as for the command.
            said = (each.said for each in findings.values() if each.quantity == quantity)
            pytest.skip(f"inapplicable: {next(filter(None, said), '')}")

    def _run(self) -> Run:
        return run_with(self.loaded, self.cases, self.seed)

    def _found(self, quantity: str) -> dict[tuple[str, str], Finding]:
        """Return the findings of a quantity, or of all samplers together."""
        if quantity == SAMPLER:
            with silenced_output():
                backend = backend_again(self.where, self.loaded.terms)
                found = list(sampler_findings(sampler_results(backend, self.seed)))
        else:
            campaign = certify_backend(
                self.where,
                quantities=quantity,
                cases=self.cases,
                seed=self.seed,
                case_seconds=self.case_seconds,
            )
            found = list(findings_of(campaign))
        # Of all tests, not of each: those that have passed are of the files that were loaded.
        self.loaded.require_unchanged()
        return {(each.quantity, each.check): each for each in found}


def _given(config: pytest.Config, option: str, default: Any) -> Any:
    value = config.getoption(option)
    return default if value is None else value
