"""Deliver a release: its files in their places, all of them or none, after its entry in the ledger.

All are written beside their places before the first one gets its name; then they get their names
one after the other, a release before its certificate. An error takes back those that have theirs.
Killed in between, the release stands without its certificate, never the other way round: a
certificate of nothing would tell of a release that nobody has, while a release can be certified
again, by ``audit CLAIM.toml --subject RELEASE.json``, without another draw.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ...reference.errors import InputError
from ..done import has_done, has_removed, undivided
from ..files import whole_file, write_durably
from .claim_file import Asked
from .published import Files, Made

if TYPE_CHECKING:
    from .ledger import Beside, Composition, Entry, OpenLedger


def deliver(outputs: Mapping[Path, bytes]) -> None:
    """Write new files, in this order. Raises InputError, and then none of them is there."""
    try:
        with ExitStack() as stack:
            # The last one entered is the first one left, and gets its name then.
            for target, content in reversed(list(outputs.items())):
                stream = stack.enter_context(whole_file(target, durable=True))
                stream.write(content)
                stream.flush()
    except BaseException as error:
        _take_back(outputs)
        if isinstance(error, InputError):
            raise InputError(f"nothing was written: {error}") from None
        raise


def _take_back(outputs: Mapping[Path, bytes]) -> None:
    """Remove those files that have their names by now, and no others that took these."""
    for target, content in outputs.items():
        with suppress(OSError):
            # Nobody else has these bytes: a release is drawn, and a certificate holds its digest.
            if target.is_file() and not target.is_symlink() and target.read_bytes() == content:
                target.unlink()
                has_removed(target)


_ALONE: Final = "the release is made: do not draw it again"
# That the release is made, and counts, the account of what is done says.
_NO_REPORT: Final = "the report alone is missing: `simplexcert report` makes one of a certificate"


@contextmanager
def recording(files: Files, asked: Asked, *, private: bool) -> Iterator[Record]:
    """Yield where the release is to be recorded, and its files written; a ledger is locked."""
    if files.ledger is None:
        if files.cap is not None:
            raise InputError("a cap is a ledger's: give the ledger, too")
        yield Record(None, None, None)
        return
    if files.out is None:
        raise InputError("a ledger records what was written: give a file for the release, out")
    from .ledger import entry_of, open_ledger, releases_beside

    with open_ledger(files.ledger, files.cap) as ledger:
        _require_not_delivered(files.out, ledger)
        entry = entry_of(asked.claim, asked.said.data, private=private)
        yield Record(ledger, entry, releases_beside(ledger.path, ledger.ledger))


def _require_not_delivered(out: Path, ledger: OpenLedger) -> None:
    """Raise InputError where the release that was asked for is the one of a run that was killed."""
    names = [ledger.path.parent / name for name in ledger.delivered]
    if out.resolve() in names:
        raise InputError(
            f"{out} was drawn and recorded by a run that was cut short, and has been written now: "
            "it is made. Give another file for another release"
        )


@dataclass(frozen=True)
class Record:
    """A ledger with the entry that it is to have, and what stood beside it; or nothing."""

    ledger: OpenLedger | None
    entry: Entry | None
    beside: Beside | None

    @property
    def head(self) -> str | None:
        """The head of the ledger before this release; None without a ledger."""
        return None if self.ledger is None else self.ledger.ledger.head

    def require_within_cap(self) -> None:
        """Raise InputError where the ledger's cap would be passed: the same for all data."""
        if self.ledger is not None and self.entry is not None:
            self.ledger.require_within_cap(self.entry)

    def composition_with(self, outputs: Mapping[Path, bytes], longer: int) -> Composition | None:
        """Return what all releases will come to together, which no draw changes.

        Raises InputError, before any bit is drawn, where outputs like these have no place; draws
        may make them ``longer`` by so many bytes.
        """
        if self.ledger is None or self.entry is None:
            return None
        from .ledger import composed

        self.ledger.require_possible(self.entry, outputs, longer)
        return composed([*self.ledger.ledger.entries, self.entry], self.ledger.ledger.cap)

    def published(
        self, made: Made, outputs: Mapping[Path, bytes], page: Mapping[Path, bytes]
    ) -> Made:
        """Write the files, and the entry before them, and return what is published.

        The report is made again at any time, so no ledger holds it.
        """
        counts = "" if self.ledger is None else f", and counts in {self.ledger.path}"
        try:
            with undivided():
                self._write(outputs, page)
        except KeyboardInterrupt as interrupt:
            # It waited until all was written; in Python nothing else tells of that.
            if outputs:
                interrupt.add_note(f"the release is made{counts}: do not draw it again")
            raise
        if self.ledger is None:
            return made
        return replace(made, beside=self.beside, delivered=self.ledger.delivered)

    def _write(self, outputs: Mapping[Path, bytes], page: Mapping[Path, bytes]) -> None:
        if self.ledger is None or self.entry is None:
            deliver({**outputs, **page})
            has_done(_ALONE)
            return
        self.ledger.commit(self.entry, outputs)
        try:
            for report, content in page.items():
                write_durably(report, content)
        except InputError as error:
            raise InputError(f"{error} ({_NO_REPORT})") from None
