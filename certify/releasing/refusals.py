"""What is refused before anything is drawn: each with a sentence without a private value."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Final, TypeVar

from ...reference.errors import InputError, SimplexcertError
from ..audits.decision import Audit
from ..files import is_same, require_writable
from ..verdict import Verdict

T = TypeVar("T")


class NotCertifiedError(SimplexcertError):
    """A claim that is not certified: nothing is released under it. ``audit`` says what it is."""

    def __init__(self, audit: Audit, name: str) -> None:
        why = audit.why or _SAID[audit.verdict]
        super().__init__(f"nothing was released: {name}: the claim is {audit.verdict}: {why}")
        self.audit = audit

    @property
    def verdict(self) -> Verdict:
        """What was found of the claim."""
        return self.audit.verdict


class OwnFailureError(SimplexcertError):
    """A fault of ours with private data at hand: its message is left out, for it could quote."""


_SAID: Final[Mapping[Verdict, str]] = {
    Verdict.REFUTED: "some neighbouring inputs lose more than it says; `audit` shows them",
    Verdict.UNDECIDED: "that is no pass; `audit` shows what was found",
}


def quietly(do: Callable[[], T], what: str) -> T:
    """Return what ``do`` returns, which has private data at hand.

    Errors that are raised on purpose have sentences without private values. Any other is a fault of
    ours, whose words nobody has checked: only its kind is told, raised outside of it, so that it is
    no context of what is raised. Where memory runs out, that is told in the same way.
    """
    try:
        return do()
    except SimplexcertError:
        raise
    except Exception as error:  # noqa: BLE001
        kind = type(error).__name__
        is_memory = isinstance(error, MemoryError)
    if is_memory:
        raise InputError(f"memory ran out while {what}: give more, or ask for less")
    raise OwnFailureError(
        f"this is a fault of simplexcert, please report it: {kind} while {what}; nothing more is "
        "told here, for it could quote the private data"
    )


def require_files(written: Mapping[str, Path | None], read: Iterable[Path]) -> None:
    """Raise InputError now if a file could not be written, or is another one of the command's."""
    named = {option: path for option, path in written.items() if path is not None}
    others = list(read)
    for option, path in named.items():
        for other in others:
            if is_same(path, other):
                raise InputError(f"{option} {path} is given for something else, too; take another")
        others.append(path)
        require_writable(path, None)  # what may be there is decided by what reads it


def require_absent(option: str, path: Path | None) -> None:
    """Raise InputError where something is already: a release is not drawn over another."""
    if path is not None and path.exists():
        raise InputError(
            f"{option} {path} is there already; a release is drawn once, and never over another: "
            "each draw from the same data loses privacy"
        )
