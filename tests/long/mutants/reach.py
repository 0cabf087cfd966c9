"""A pytest plugin that keeps what lines each test reaches, in started processes too."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import coverage
import pytest

SETTINGS = "COVERAGE_PROCESS_START"


class Reaching:
    """Measures a worker: the context of a line is the test that ran it."""

    def __init__(self, settings: str) -> None:
        """Start to measure this process, and each that a test starts."""
        # A started process resolves its context from what pytest tells in the environment.
        os.environ[SETTINGS] = settings
        self.measured = coverage.Coverage(config_file=settings)
        self.measured.start()
        self.seconds: dict[str, float] = {}

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """Let what follows be reached by this test."""
        self.measured.switch_context(item.nodeid)
        result = yield
        self.measured.switch_context("")
        return result  # type: ignore[return-value]

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Add the time of a part of a test."""
        self.seconds[report.nodeid] = self.seconds.get(report.nodeid, 0.0) + report.duration

    def pytest_unconfigure(self) -> None:
        """Write what was reached beside the settings, and the times."""
        self.measured.stop()
        self.measured.save()
        times = Path(os.environ[SETTINGS]).parent / f"seconds.{os.getpid()}.json"
        times.write_text(json.dumps(self.seconds))


def pytest_configure(config: pytest.Config) -> None:
    """Measure the workers alone."""
    if hasattr(config, "workerinput"):
        config.pluginmanager.register(Reaching(os.environ["REACH"]))
