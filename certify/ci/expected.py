"""Failures that a project expects of its backend, each with a reason, from a text file.

One a line: a quantity or a glob, a check or a glob, and after ``#`` the reason, which is required::

    dirichlet.profile.delta  accuracy  # our quadrature has six digits, see our issue 12

What is expected changes no verdict and no certificate; it changes only how a CI's run ends. A line
whose check passes must go: it fails the run until then, so that the list never outlives the faults.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

from ...reference.errors import InputError, UnknownNameError
from ...reference.exact import read_file, shown
from ...reference.quantity import quantities
from ..backends.protocol import SAMPLERS
from .names import CHECKS, SAMPLER

# Every check of every quantity, each on a line of its own, is a tenth of this.
MAX_BYTES = 2**20
# A reason is a sentence or two, and stands on one line of a report.
MAX_REASON = 1_000
_FORM = "QUANTITY CHECK  # reason"


@dataclass(frozen=True)
class ExpectedFailure:
    """A line of the file: which checks of which quantities are expected to fail, and why."""

    quantity: str
    check: str
    reason: str
    place: str

    def covers(self, quantity: str, check: str) -> bool:
        """Whether the line is about this check of this quantity."""
        return fnmatchcase(quantity, self.quantity) and fnmatchcase(check, self.check)


def expected_failures_in(path: str | Path) -> tuple[ExpectedFailure, ...]:
    """Return the expected failures of a file, in its order.

    Raises InputError for what is no such file: a line without a reason, or with a quantity or a
    check that does not exist.
    """
    content = read_file(path)
    if len(content) > MAX_BYTES:
        raise InputError(f"{path} is larger than {MAX_BYTES} bytes; it is not read")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InputError(f"{path} is not UTF-8 text") from None
    return tuple(_lines(text, str(path)))


def expectation(
    expected: Iterable[ExpectedFailure], quantity: str, check: str
) -> ExpectedFailure | None:
    """Return the first line that is about this check of this quantity, or None."""
    return next((line for line in expected if line.covers(quantity, check)), None)


def _lines(text: str, path: str) -> Iterator[ExpectedFailure]:
    # Only a line feed ends a line: what else Python takes for an end could hide a name.
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip() and not line.lstrip().startswith("#"):
            yield _read(line, f"{path}, line {number}")


def _read(line: str, place: str) -> ExpectedFailure:
    named, _, reason = (part.strip() for part in line.partition("#"))
    words = named.split()
    if len(words) != 2:  # noqa: PLR2004
        raise InputError(f"{place}: {shown(named)} is not of the form {_FORM}")
    if not reason:
        raise InputError(f"{place}: the reason is missing: {_FORM}")
    if len(reason) > MAX_REASON or not reason.isprintable():
        raise InputError(f"{place}: a reason is at most {MAX_REASON} printable characters")
    quantity, check = words
    _require_known(
        "quantity", quantity, [*quantities(), *(f"{SAMPLER}{name}" for name in SAMPLERS)], place
    )
    _require_known("check", check, CHECKS, place)
    return ExpectedFailure(quantity, check, reason, place)


def _require_known(kind: str, pattern: str, known: Iterable[str], place: str) -> None:
    names = list(known)
    if not any(fnmatchcase(name, pattern) for name in names):
        raise UnknownNameError(kind, pattern, names, f"({place})")
