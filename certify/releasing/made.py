"""A release that was made, and the files that it is made from and written to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..audits.decision import Audit
from ..certificate.models import MadeStatement
from ..certificate.models_made import Released
from ..certificate.reading import canonical_bytes
from ..certificate.released import released_bytes
from .written import as_numbers

if TYPE_CHECKING:
    from .ledger import Beside, Cap, Composition

# What a release is called in its certificate where it is written to no file.
UNNAMED = "release.json"


@dataclass(frozen=True)
class Files:
    """What a release is made from, and what is written; None is not.

    ``cap`` is what a new ledger gets, and what one with entries must have.
    """

    claim: Path
    data: Path
    out: Path | None = None
    certificate: Path | None = None
    ledger: Path | None = None
    report: Path | None = None
    cap: Cap | None = field(default=None, kw_only=True)

    @property
    def new(self) -> Mapping[str, Path | None]:
        """The files that must not be there yet, by the options that name them."""
        return {"--out": self.out, "--certificate": self.certificate, "--report": self.report}


@dataclass(frozen=True)
class Made:
    """A release that was made; nothing in it is private, but for the release drawn from a seed.

    ``composition`` is what all releases of a ledger come to together, where one was given,
    ``beside`` which releases stood beside it that it does not list, and ``delivered`` what an
    earlier run had recorded there and not yet written.
    """

    released: Released
    statement: MadeStatement
    audit: Audit
    composition: Composition | None = None
    beside: Beside | None = None
    delivered: tuple[str, ...] = ()

    @property
    def private(self) -> bool:
        """Whether it was drawn from bits that nobody knows."""
        return self.released.private

    @property
    def value(self) -> Mapping[str, Any]:
        """The released numbers, exact, by name; those of rows by label and name."""
        return as_numbers(self.released)

    @property
    def content(self) -> bytes:
        """The release as its file holds it."""
        return released_bytes(self.released)

    @property
    def certificate(self) -> bytes:
        """The certificate as its file holds it."""
        return canonical_bytes(self.statement)


def outputs_of(files: Files, made: Made) -> dict[Path, bytes]:
    """Return the files' bytes, the release before its certificate."""
    found = {files.out: made.content, files.certificate: made.certificate}
    return {path: content for path, content in found.items() if path is not None}
