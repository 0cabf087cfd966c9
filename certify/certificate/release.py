"""A release that was drawn: what its claim's certificate says of it, its file, and its grid.

That it was drawn as is said nobody can see in it. What can be seen is that it is not said to be
private where it was drawn from a seed; then the verdict is inapplicable, which is no pass. The file
is hostile until checked: what it says of itself has to be what the certificate says, and it has to
look as a release of the mechanism looks: on the grid, on the simplex, of the claim's rows, names
and protected coordinates.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Final

import msgspec
import rfc8785
from msgspec.structs import replace

from ...reference.errors import InputError
from ...reference.exact import MAX_MATRIX_VALUES, parse_json
from ..mechanisms.laid_out import require_protected, require_sizes
from ..mechanisms.protocol import SAMPLING, Claim, Layout
from ..mechanisms.reading import labels_of
from ..verdict import Verdict
from .errors import AlgebraError, CanonicalFormError, ShapeError, SubjectError
from .grids import grid_in, is_noise, multiple_in
from .issuing import in_order
from .models import ClaimPredicate, ClaimStatement, Release, ReleaseClaim, Released
from .parts import Subject
from .reading import require_bounded, require_readable

# Seeds are 64 bits, so that any language can hold them.
MOST_SEED: Final = 2**64 - 1
# The claim file, and the release.
_SUBJECTS: Final = 2
_OF_THE_DRAW: Final = (
    "That it was drawn as is said here, and of the data that are meant: only its maker can know.",
    "What is lost together with other releases of the same data; that takes a ledger of them.",
    "What it tells of the data how long it took, or that it was not refused.",
)
_OF_THE_BITS: Final = (
    "That the operating system's random bits were uniform, independent and seen by nobody.",
)
_OF_THE_SEED: Final = (
    "That the release is private: it was drawn from a seed, by which anybody can undo the noise.",
)
# How the bytes of each release begin: canonical JSON sorts its keys, and no other format of ours
# begins so.
RELEASED_MARK: Final = b'{"claim":{"delta":'


def with_release(
    statement: ClaimStatement, released: Released, file: Subject, ledger: str | None
) -> ClaimStatement:
    """Return the statement on a certified claim with the release, ``file``, drawn under it.

    ``ledger`` is the head of the ledger before this release. Raises InputError where it could not
    be read again, such as for a file of an odd name.
    """
    drawn = Release(
        released.private,
        released.drawn_from,
        released.seed,
        released.grid,
        released.protected,
        file,
        ledger,
    )
    made = replace(
        statement,
        subject=in_order([*statement.subject, file]),
        predicate=replace(
            statement.predicate,
            verdict=verdict_on(statement.predicate.verdict, drawn),
            non_claims=with_those_of_the_draw(statement.predicate.non_claims, drawn),
            release=drawn,
        ),
    )
    require_readable(made)
    return made


def verdict_on(claim: Verdict, drawn: Release | None) -> Verdict:
    """Return the verdict where a release was drawn: the claim only holds of a private one."""
    return claim if drawn is None or drawn.private else Verdict.INAPPLICABLE


def with_those_of_the_draw(of_the_claim: Sequence[str], drawn: Release | None) -> list[str]:
    """Return what is not said of the claim, nor of the draw; of one from a seed that first.

    That a release was drawn exactly no claim says, but its draw does.
    """
    if drawn is None:
        return list(of_the_claim)
    kept = (sentence for sentence in of_the_claim if sentence != SAMPLING)
    return [*kept, *(_OF_THE_BITS if drawn.private else _OF_THE_SEED), *_OF_THE_DRAW]


def require_drawn(statement: ClaimStatement) -> None:
    """Raise AlgebraError unless what is said of a release, if any was drawn, goes together."""
    predicate, drawn = statement.predicate, statement.predicate.release
    if drawn is None:
        return
    if not drawn.private == (drawn.drawn_from == "operating system") == (drawn.seed is None):
        raise AlgebraError("a release is private where it was not drawn from a seed, there alone")
    if drawn.seed is not None and int(drawn.seed) > MOST_SEED:
        raise AlgebraError("a seed has 64 bits at most")
    if predicate.verdict is not verdict_on(Verdict.CERTIFIED, drawn):
        raise AlgebraError("the verdict does not follow from a certified claim and from the draw")
    if drawn.file not in statement.subject or len(statement.subject) != _SUBJECTS:
        raise AlgebraError("the certificate is about another thing than a claim file and a release")
    try:
        grid_in(drawn.grid, predicate.claim.mechanism)
    except InputError as error:
        raise AlgebraError(str(error)) from None


def released_bytes(released: Released) -> bytes:
    """Return a release as its file holds it: canonical JSON (RFC 8785)."""
    return rfc8785.dumps(msgspec.to_builtins(released))


def read_released(content: bytes, name: str) -> Released:
    """Return the release that the bytes canonically are. Raises InputError or CertificateError."""
    most = MAX_MATRIX_VALUES
    require_bounded(parse_json(content, name, most=most), name, most)
    try:
        released = msgspec.json.decode(content, type=Released)
    except (msgspec.ValidationError, msgspec.DecodeError, RecursionError) as error:
        raise ShapeError(f"{name} is not a release of this version: {error}") from None
    if released_bytes(released) != content:
        raise CanonicalFormError(f"{name} is not in canonical form (RFC 8785)")
    return released


def require_same(predicate: ClaimPredicate, released: Released, name: str) -> None:
    """Raise SubjectError unless a release says of itself what the certificate says of it."""
    drawn = predicate.release
    if drawn is None:
        raise SubjectError(f"the certificate is of no release, but of the claim alone: {name}")
    pairs = {
        "claim": (claim_in_release(released), predicate.claim),
        "private": (released.private, drawn.private),
        "drawn_from": (released.drawn_from, drawn.drawn_from),
        "seed": (released.seed, drawn.seed),
        "grid": (released.grid, drawn.grid),
        "protected": (released.protected, drawn.protected),
        "tool": (released.tool, predicate.tool),
    }
    for key, (one, other) in pairs.items():
        if one != other:
            raise SubjectError(f"the {key} of {name} is another than the certificate states")


def claim_in_release(released: Released) -> ReleaseClaim:
    """Return the claim that a release is made under."""
    said = released.claim
    return ReleaseClaim(
        released.name, released.mechanism, released.release, said.epsilon, said.delta, said.order
    )


def require_values(released: Released, name: str) -> list[list[Fraction]]:
    """Return the values of each row. Raises InputError unless they are such as are released."""
    rows = _rows_of(released, name)
    grid = grid_in(released.grid, released.mechanism)
    for names in (released.names, released.rows or []):
        if labels_of(names, name) != tuple(names):
            raise InputError(f"{name}: a name is not written as labels are")
    if any(not isinstance(row, list) or len(row) != len(released.names) for row in rows):
        raise InputError(f"{name}: there is not one value for each name")
    found = [[multiple_in(text, grid, name) for text in row] for row in rows]
    if not is_noise(released.mechanism) and any(min(row) < 0 or sum(row) != 1 for row in found):
        raise InputError(f"{name}: a row is no point of the simplex")
    return found


def _rows_of(released: Released, name: str) -> Sequence[Any]:
    """Return the rows; one where they have no labels."""
    value = released.value
    if released.rows is not None:
        if not isinstance(value, list) or len(value) != len(released.rows):
            raise InputError(f"{name}: there is not one list for each row")
        return value
    return [[value] if _is_scalar(released) else value]


def _is_scalar(released: Released) -> bool:
    return isinstance(released.value, str) and is_noise(released.mechanism)


def layout_in(released: Released, name: str) -> Layout:
    """Return how a release looks, and which of its entries are above 0. Raises InputError."""
    values = require_values(released, name)
    return Layout(
        tuple(released.names),
        None if released.rows is None else tuple(released.rows),
        _is_scalar(released),
        _protected_in(released.protected, len(values), name),
        tuple(tuple(value > 0 for value in row) for row in values),
    )


def written_protected(protected: Sequence[Sequence[str]] | None) -> list[list[str]] | None:
    """Return what is protected as it is published: once where it is the same in all rows."""
    if protected is None:
        return None
    listed = [list(names) for names in protected]
    return listed[:1] if all(names == listed[0] for names in listed) else listed


def _protected_in(
    written: list[list[str]] | None, rows: int, name: str
) -> tuple[tuple[str, ...], ...] | None:
    """Return of each row what is protected. Raises InputError unless it is written as always."""
    if written is None:
        return None
    listed = written * rows if len(written) == 1 else written
    if len(listed) != rows or written_protected(listed) != written:
        raise InputError(f"{name}: what is protected is not said once of each row")
    return tuple(map(tuple, listed))


def require_possible(released: Released, claim: Claim, name: str) -> Layout:
    """Return how a release under a claim looks. Raises InputError where none looks so."""
    layout, mechanism = layout_in(released, name), claim.mechanism
    try:
        mechanism.require_releasable(claim, "what is claimed")
        mechanism.require_possible(claim, layout)
        require_protected(layout, mechanism.protected_sizes(claim))
    except InputError as error:
        raise InputError(f"{name} is no {mechanism.name} release of the claim: {error}") from None
    return layout


def require_laid_out(layout: Layout, public: Layout, name: str, said: str) -> None:
    """Raise InputError unless a release looks as the claim file that is called ``said`` says."""
    pairs = {
        "names": (layout.names, public.names),
        "rows": (layout.rows, public.rows),
        "number of numbers": (layout.scalar, public.scalar),
        "protected coordinates": (layout.protected, public.protected),
    }
    for what, (one, other) in pairs.items():
        if one != other:
            raise InputError(f"{name}: its {what} are not those that {said} says, in their order")
    rows = zip(layout.possible or (), public.possible or (), strict=False)
    if any(one > other for row, allowed in rows for one, other in zip(row, allowed, strict=True)):
        raise InputError(f"{name} has an entry above 0 that {said} says to be impossible")


def require_own_protected(drawn: Release, claim: Claim) -> None:
    """Raise AlgebraError unless a certificate says of w coordinates each, as the claim does."""
    sizes, written = claim.mechanism.protected_sizes(claim), drawn.protected
    if (written is None) != (sizes is None):
        raise AlgebraError("some mechanisms have coordinates that are not protected, and no others")
    try:
        protected = _protected_in(written, len(sizes or ()), "the certificate")
        require_sizes(protected or (), sizes or ())
    except InputError as error:
        raise AlgebraError(f"what is protected does not follow from the claim: {error}") from None
