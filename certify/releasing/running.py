"""Make a release: everything that can fail first, then the draw, then all files or none.

In order: the files' names, the claim file and what it says is public, the ledger's lock, the
verdict on the claim, the ledger's cap, how the release looks, the data, the certificate with values
that no data go into; then the draw.
The data are not opened under a claim that is not certified, nor beyond a cap: such a refusal is the
same for all data.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from ...reference.errors import DomainError
from ...reference.exact import exact_integer, shown
from ...reference.precision import NotEnoughSecondsError, seconds_left, unlimited
from ..audits.decision import Audit, decide
from ..certificate.claim import claim_statement_of
from ..certificate.grids import usual_bits
from ..certificate.issuing import claim_subject, subject, time_of_issue
from ..certificate.models import ClaimStatement
from ..certificate.release import MOST_SEED, released_bytes, with_release
from ..mechanisms.plan import Plan
from ..mechanisms.protocol import Layout
from ..verdict import Verdict
from .claim_file import Asked, asked_in
from .delivery import recording
from .published import (
    UNNAMED,
    Drawing,
    Files,
    Made,
    Rows,
    drawn,
    most_bytes,
    outputs_of,
    released_of,
    require_drawable,
    require_size,
    values_before_any_draw,
)
from .refusals import NotCertifiedError, quietly, require_absent, require_files

if TYPE_CHECKING:
    from .ledger import Cap

# Makes what else is to be written, a report, from what was made.
More = Callable[[Made], Mapping[Path, bytes]]


def draw_release(
    claim: str | Path,
    data: str | Path,
    *,
    out: str | Path | None = None,
    certificate: str | Path | None = None,
    ledger: str | Path | None = None,
    cap: Cap | None = None,
    seed: int | None = None,
) -> Made:
    """Draw a release of private data under a claim that is certified, and certify the release.

    ``out``, ``certificate`` and ``ledger`` are files to write it to, its certificate, and what was
    released so far; ``cap``, made by ``cap_of``, is what all releases of the ledger may come to,
    fixed with its first one. With a ``seed`` the release is for tests and not private, and says so.
    Raises InputError where anything that was given cannot be used, NotCertifiedError where the
    claim is not certified; then nothing was drawn and nothing is written.
    """
    paths = [None if path is None else Path(path) for path in (out, certificate, ledger)]
    return make(Files(Path(claim), Path(data), *paths, cap=cap), seed)


def make(
    files: Files,
    seed: int | None = None,
    more: More | None = None,
    before_drawing: Callable[[], None] = lambda: None,
) -> Made:
    """Make a release, with whatever else is made from it. Raises as ``draw_release`` does.

    ``before_drawing`` is called when everything that can fail has not: what it raises comes before
    any bit is drawn. From then on no limit of time ends this: whether a release is made must not
    depend on how long its draw takes, which depends on the data.
    """
    seed = _seed(seed)
    require_files({**files.new, "--ledger": files.ledger}, [files.claim, files.data])
    for option, path in files.new.items():
        require_absent(option, path)
    asked = asked_in(files.claim)
    with recording(files, asked, private=seed is None) as record:
        statement, audit = _certified(asked)
        record.require_within_cap()
        layout = asked.claim.mechanism.layout(asked.claim, asked.said)
        plan = quietly(lambda: _plan(asked, files.data), "reading")
        drawing = quietly(lambda: _drawing(asked, layout, plan, seed), "planning")
        attempt = _Attempt(files, statement, audit, layout, plan, drawing, record.head)
        nothing = quietly(lambda: attempt.made(values_before_any_draw(plan, layout)), "planning")
        longest = most_bytes(plan, drawing.grid_bits)
        together = record.composition_with(outputs_of(files, nothing), longest)
        _require_time()
        before_drawing()
        with unlimited():
            # Of drawn values, too: told in an error they would be a release that no ledger counts.
            made = quietly(lambda: attempt.made(drawn(plan, drawing)), "drawing")
            page = quietly(lambda: more(made), "writing the report") if more else {}
            whole = replace(made, composition=together)
            return record.published(whole, outputs_of(files, made), page)


def _seed(seed: int | None) -> int | None:
    """Return the seed. Raises DomainError unless it has 64 bits at most."""
    if seed is None:
        return None
    found = exact_integer(seed, "seed")
    if not 0 <= found <= MOST_SEED:
        raise DomainError(f"seed {shown(found)} is not a whole number from 0 to 2^64 - 1")
    return found


def _require_time() -> None:
    """Raise NotEnoughSecondsError where the time for everything is over."""
    if not seconds_left():
        raise NotEnoughSecondsError("the time is over, and nothing was drawn")


def _certified(asked: Asked) -> tuple[ClaimStatement, Audit]:
    """Decide the claim, and state it. Raises NotCertifiedError."""
    audit = decide(asked.claim)
    if audit.verdict is Verdict.UNDECIDED:
        _require_time()  # it may be undecided for no other reason
    if audit.verdict is not Verdict.CERTIFIED:
        raise NotCertifiedError(audit, asked.said.where)
    listed = [claim_subject(asked.content, asked.said.where)]
    return claim_statement_of(audit, listed, time_of_issue(asked=False)), audit


def _plan(asked: Asked, data: Path) -> Plan:
    """Return what the mechanism draws from the data. Raises InputError, with no private value."""
    return asked.claim.mechanism.plan(asked.claim, asked.said, data)


def _drawing(asked: Asked, layout: Layout, plan: Plan, seed: int | None) -> Drawing:
    """Return how to draw. Raises DomainError for a law or a size that is not drawn."""
    where, mechanism = asked.said.where, asked.claim.mechanism.name
    bits = asked.grid_bits
    if bits is None:
        bits = usual_bits(layout.scale, mechanism, where)
    require_size(plan, bits, where)
    require_drawable(plan)
    return Drawing(bits, seed)


@dataclass(frozen=True)
class _Attempt:
    """Everything but the values; tried once with values of no meaning before any bit is drawn.

    ``ledger`` is the head of the ledger that the release is added to, if there is one.
    """

    files: Files
    statement: ClaimStatement
    audit: Audit
    layout: Layout
    plan: Plan
    drawing: Drawing
    ledger: str | None

    def made(self, rows: Rows) -> Made:
        """Return the release of these values with its certificate. Raises InputError."""
        released = released_of(self.audit.claim, self.layout, self.plan, self.drawing, rows)
        digest = sha256(released_bytes(released)).hexdigest()
        name = UNNAMED if self.files.out is None else self.files.out.name
        statement = with_release(self.statement, released, subject(name, digest), self.ledger)
        return Made(released, statement, self.audit)
