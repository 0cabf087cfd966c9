"""The release: its values drawn exactly and rounded to a grid, its bytes, and the files they go to.

Bits are drawn here and nowhere else.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from ...reference.display import said_value, table_in_html
from ...reference.errors import DomainError, InputError
from ...reference.exact import MAX_FILE_BYTES, exact_number, shown
from ...reference.sampling import operating_system, published_number, published_vector, seeded
from ...reference.sampling.draw import require_alpha, require_scale
from ..audits.decision import Audit
from ..certificate.backend import this_tool
from ..certificate.claim import published_claim
from ..certificate.errors import CertificateError
from ..certificate.grids import decimal_text, grid_text
from ..certificate.models import MAX_RELEASED, SCHEMA_VERSION, ClaimStatement, Released, Said
from ..certificate.reading import canonical_bytes
from ..certificate.release import (
    read_released,
    released_bytes,
    require_laid_out,
    require_possible,
    require_values,
    written_protected,
)
from ..mechanisms.plan import Plan, SimplexPlan
from ..mechanisms.protocol import Claim, Layout

if TYPE_CHECKING:
    from .ledger import Beside, Cap, Composition

_FROM_SYSTEM: Final = "operating system"
_FROM_SEED: Final = "seed"
# A decimal of a number on a grid of b bits has at most b digits behind the point. So many other
# characters has a share; and a noisy number, whose scale is at most 10^300 and whose centre is at
# most what a query may come to (mechanisms/pufferfish/noise.py): noise that needs more has a
# probability below e^-10^600.
_AROUND_SHARES: Final = 8
_AROUND_NOISE: Final = 1_024

Rows = Sequence[Sequence[Fraction]]


@dataclass(frozen=True)
class Drawing:
    """How a release is drawn: on which grid, and by which seed, None for bits nobody knows."""

    grid_bits: int
    seed: int | None

    @property
    def private(self) -> bool:
        """Whether nobody can draw it again."""
        return self.seed is None


def released_of(claim: Claim, layout: Layout, plan: Plan, drawing: Drawing, rows: Rows) -> Released:
    """Return the release of drawn values. Raises InputError where it could not be read again.

    Also where it does not look as the claim file says, by which it is read.
    """
    stated = published_claim(claim)
    released = Released(
        schema_version=SCHEMA_VERSION,
        name=stated.name,
        mechanism=stated.mechanism,
        private=drawing.private,
        drawn_from=_FROM_SYSTEM if drawing.private else _FROM_SEED,
        seed=None if drawing.seed is None else str(drawing.seed),
        claim=Said(stated.epsilon, stated.delta, stated.order),
        release=stated.release,
        grid=grid_text(drawing.grid_bits),
        names=list(_names_of(plan)),
        rows=_labels_of(plan),
        protected=written_protected(layout.protected),
        value=_value(plan, rows),
        tool=this_tool(),
    )
    _require_readable(released, claim, layout)
    return released


def _names_of(plan: Plan) -> tuple[str, ...]:
    """Return the public names of the coordinates, which all rows share."""
    return plan.rows[0].names if isinstance(plan, SimplexPlan) else plan.names


def _labels_of(plan: Plan) -> list[str] | None:
    """Return the labels of the rows, where there are several kinds of them."""
    is_matrix = isinstance(plan, SimplexPlan) and plan.matrix
    return [row.label for row in plan.rows] if is_matrix else None  # type: ignore[union-attr]


def _value(plan: Plan, rows: Rows) -> Any:
    texts = [[decimal_text(entry) for entry in row] for row in rows]
    if isinstance(plan, SimplexPlan):
        return texts if plan.matrix else texts[0]
    return texts[0][0] if plan.scalar else texts[0]


def values_before_any_draw(plan: Plan, layout: Layout) -> Rows:
    """Return values of the right shape that no data and no draw go into, to try everything with.

    Each row has all at the first place that is publicly possible.
    """
    if not isinstance(plan, SimplexPlan):
        return [[Fraction(0)] * len(plan.names)]
    first = (
        [row.index(True) for row in layout.possible] if layout.possible else [0] * len(plan.rows)
    )
    return [
        [Fraction(at == one) for at in range(len(row.names))]
        for one, row in zip(first, plan.rows, strict=True)
    ]


def require_size(plan: Plan, grid_bits: int, where: str) -> None:
    """Raise DomainError for a release that would be larger than what is read again."""
    count = _count(plan)
    if count > MAX_RELEASED:
        raise DomainError(f"{where}: {count} numbers are more than {MAX_RELEASED}; none is drawn")
    if most_bytes(plan, grid_bits) > MAX_FILE_BYTES:
        raise DomainError(
            f"{where}: {count} numbers on a grid of {shown(grid_bits)} bits take more than "
            f"{MAX_FILE_BYTES} bytes; take a coarser grid"
        )


def most_bytes(plan: Plan, grid_bits: int) -> int:
    """Return at least the length of all numbers that may be drawn, as a release has them."""
    around = _AROUND_SHARES if isinstance(plan, SimplexPlan) else _AROUND_NOISE
    return _count(plan) * (max(grid_bits, 0) + around)


def _count(plan: Plan) -> int:
    rows = len(plan.rows) if isinstance(plan, SimplexPlan) else 1
    return rows * len(_names_of(plan))


def _require_readable(released: Released, claim: Claim, layout: Layout) -> None:
    name = "the release"
    try:
        shown = require_possible(read_released(released_bytes(released), name), claim, name)
        require_laid_out(shown, layout, name, "its claim file")
    except CertificateError as error:
        raise InputError(f"no release can say this: {error}") from None


def _as_numbers(released: Released) -> Mapping[str, Any]:
    """Return the values as exact numbers, by name; of rows by label and name."""
    rows = require_values(released, "the release")
    named = [dict(zip(released.names, row, strict=True)) for row in rows]
    return named[0] if released.rows is None else dict(zip(released.rows, named, strict=True))


def require_drawable(plan: Plan) -> None:
    """Raise DomainError, before any bit is drawn, for a law that is not drawn from."""
    if isinstance(plan, SimplexPlan):
        for row in plan.rows:
            require_alpha(row.alpha)
    else:
        require_scale(plan.scale)


def drawn(plan: Plan, drawing: Drawing) -> Rows:
    """Return the values of each row; rows, and noisy numbers, are drawn independently."""
    source = operating_system if drawing.seed is None else seeded(drawing.seed)
    if isinstance(plan, SimplexPlan):
        return [published_vector(row.alpha, drawing.grid_bits, source) for row in plan.rows]
    noisy: list[Fraction] = [
        published_number(centre, plan.scale, drawing.grid_bits, source, plan.noise)
        for centre in plan.centres
    ]
    return [noisy]


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
    statement: ClaimStatement
    audit: Audit
    composition: Composition | None = None
    beside: Beside | None = None
    delivered: tuple[str, ...] = ()

    def __repr__(self) -> str:
        stated = self.released
        numbers = {key: getattr(stated.claim, key) for key in ("epsilon", "delta", "order")}
        said = ", ".join(
            f"{key} = {said_value(exact_number(number))}"
            for key, number in numbers.items()
            if number is not None
        )
        rows = "" if stated.rows is None else f"{len(stated.rows)} rows of "
        size = f"{rows}{len(stated.names)} numbers on the grid {stated.grid}"
        secret = "" if self.private else "NOT PRIVATE, drawn from a seed: "
        return f"{secret}release of {stated.name!r} ({stated.mechanism}), {said}: {size}"

    def _repr_html_(self) -> str:
        return table_in_html(repr(self), ((name, str(at)) for name, at in self.value.items()))

    @property
    def private(self) -> bool:
        """Whether it was drawn from bits that nobody knows."""
        return self.released.private

    @property
    def value(self) -> Mapping[str, Any]:
        """The released numbers, exact, by name; those of rows by label and name."""
        return _as_numbers(self.released)

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
