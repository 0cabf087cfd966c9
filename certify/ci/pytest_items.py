"""The tests that pytest runs: ``certify::QUANTITY::CHECK``."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from os import PathLike
from typing import TYPE_CHECKING, Any

import pytest

from ...reference.errors import SimplexcertError

if TYPE_CHECKING:
    from .pytest_certifying import Certifying


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
        """Return what is told of a failure: what was found, and no traceback of ours."""
        if isinstance(excinfo.value, CheckFailedError | SimplexcertError):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[PathLike[str], None, str]:
        """Return where the test stands, which is in no file, and its name."""
        return self.config.rootpath / "certify", None, f"{self.quantity} {self.name}"
