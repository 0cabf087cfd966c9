"""What is refused before anything is drawn: each with a sentence without a private value."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, Final, TypeVar

from ...reference.errors import InputError, SimplexcertError, UnknownNameError
from ...reference.exact import shown
from ..audits.decision import Audit
from ..files import is_same, require_writable
from ..verdict import Verdict

T = TypeVar("T")

# What a guarantee takes for public, and where it enters.
MEANING: Final[Mapping[str, str]] = {
    "eta": "the floor of the protected coordinates: the concentration is calibrated by it",
    "eta_bar": "what is left outside the protected coordinates: it says which inputs there are",
    "N": "the number of records: neighbours have the same, and the draw is from counts over it",
    "n": "the number of categories: the release has one coordinate for each",
    "names": "the names of the coordinates, which the release repeats",
    "support": "which coordinates are 0 for everybody: they are released as exactly 0",
    "categories": "the names of the coordinates, also of those that no record has",
    "states": "the names of the states, also of those that never occur",
    "feasible": "which transitions are possible at all: all others are released as exactly 0",
    "length": "how many states the sequence has",
    "lengths": "how many states each piece has",
    "class": "the laws that the data may come from: the guarantee is for these alone",
}


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


def require_no_data_in(release: Mapping[str, Any], where: str) -> None:
    """Raise InputError for private data in a claim file, whose digest is published."""
    if "counts" in release:
        raise InputError(
            f"{where}: [release] holds counts; a release takes the data from --data, for a claim "
            "file is published, or its digest, by which a guess of the data could be checked"
        )


def public_in(data: Mapping[str, Any], where: str) -> frozenset[str]:
    """Return the names that [data] public lists. Raises InputError."""
    names = data.get("public", [])
    if not isinstance(names, list) or not all(isinstance(item, str) for item in names):
        raise InputError(
            f"{where}: public is {shown(names)}; it lists names, such as [{', '.join(MEANING)}]"
        )
    if len(set(names)) != len(names):
        raise InputError(f"{where}: public lists a name twice")
    return frozenset(names)


def require_public(listed: Iterable[str], needed: Iterable[str], where: str) -> None:
    """Raise InputError unless all that has to be public is said to be, and nothing else is."""
    known, said = tuple(needed), set(listed)
    for name in sorted(said - set(known)):
        hint = f"({where} [data] public takes {', '.join(known)} here)"
        raise UnknownNameError("public name", name, known, hint)
    for name in known:
        if name not in said:
            raise InputError(_not_public(name, where))


def _not_public(name: str, where: str) -> str:
    """Return the sentence that says what a name is, and what to do."""
    meaning = MEANING.get(name, "a parameter of the release")
    return (
        f"{where}: [data] public does not list {name}, {meaning}. The guarantee takes it for "
        f"public, and nothing here hides it. If it was fixed without looking at the private data, "
        f'add "{name}" to public; else choose it so that it was'
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
