"""A release that was drawn: what its claim's certificate says of it, its file, and its grid.

That it was drawn as is said nobody can see in it. What can be seen is that it is not said to be
private where it was drawn from a seed; then the verdict is inapplicable, which is no pass. The file
is hostile until checked: what it says of itself has to be what the certificate says, and its values
have to be such as the mechanism releases, on the grid, on the simplex, as many as there are names.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Final

import msgspec
import rfc8785
from msgspec.structs import replace

from ...reference.errors import InputError
from ...reference.exact import exact_number, exact_text, parse_json, shown
from ..mechanisms import MECHANISMS, mechanism_named
from ..mechanisms.protocol import SAMPLING, Shape
from ..verdict import Verdict
from .errors import AlgebraError, CanonicalFormError, CertificateError, ShapeError, SubjectError
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
# What a file has that says of itself that it is a release.
_SAID_OF_ITSELF: Final = frozenset({"private", "drawn_from", "value"})
# How the bytes of each release begin: canonical JSON sorts its keys, and no other format of ours
# begins so.
RELEASED_MARK: Final = b'{"claim":{"delta":'
# Multiples of 2^-bits. On the simplex the coarsest grid has a point between 0 and 1; a noisy number
# may be as large as the data's, so its grid may be coarser than whole numbers. The finest is far
# below anything that a double tells apart, and its decimals still fit on a few lines.
LEAST_BITS: Final = 1
LEAST_BITS_OF_NOISE: Final = -64
MOST_BITS: Final = 256


def with_release(
    statement: ClaimStatement, released: Released, file: Subject, ledger: str | None
) -> ClaimStatement:
    """Return the statement on a certified claim with the release, ``file``, drawn under it.

    ``ledger`` is the head of the ledger before this release. Raises InputError where it could not
    be read again, such as for a file of an odd name.
    """
    drawn = Release(
        released.private, released.drawn_from, released.seed, released.grid, file, ledger
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
    require_bounded(parse_json(content, name), name)
    try:
        released = msgspec.json.decode(content, type=Released)
    except (msgspec.ValidationError, msgspec.DecodeError, RecursionError) as error:
        raise ShapeError(f"{name} is not a release of this version: {error}") from None
    if released_bytes(released) != content:
        raise CanonicalFormError(f"{name} is not in canonical form (RFC 8785)")
    return released


def require_released(predicate: ClaimPredicate, content: bytes, name: str) -> Released:
    """Return the release in a file. Raises SubjectError unless it is as the certificate says."""
    try:
        released = read_released(content, name)
        _require_same(predicate, released, name)
        require_values(released, name)
    except (InputError, CertificateError) as error:
        raise SubjectError(f"{name} is not the release that was certified: {error}") from None
    return released


def require_no_false_release(claim: ReleaseClaim, content: bytes, name: str) -> None:
    """Raise SubjectError for a release that the claim does not hold of; any other file passes.

    A claim's certificate may name the release as well; but no other claim's, and none from a seed.
    """
    try:
        found = parse_json(content, name)
    except InputError:
        return
    if not (isinstance(found, dict) and found.keys() >= _SAID_OF_ITSELF):
        return
    try:
        released = read_released(content, name)
    except (InputError, CertificateError) as error:
        raise SubjectError(f"{name} is no release as it is written: {error}") from None
    if not released.private or released.seed is not None:
        raise SubjectError(f"{name} was drawn from a seed: what is claimed does not hold of it")
    if claim_in_release(released) != claim:
        raise SubjectError(f"{name} is a release under another claim")


def _require_same(predicate: ClaimPredicate, released: Released, name: str) -> None:
    drawn = predicate.release
    if drawn is None:
        raise SubjectError(f"the certificate is of no release, but of the claim alone: {name}")
    pairs = {
        "claim": (claim_in_release(released), predicate.claim),
        "private": (released.private, drawn.private),
        "drawn_from": (released.drawn_from, drawn.drawn_from),
        "seed": (released.seed, drawn.seed),
        "grid": (released.grid, drawn.grid),
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
    labels, rows = _rows_of(released, name)
    grid = grid_in(released.grid, released.mechanism)
    if len(set(released.names)) != len(released.names) or len(set(labels)) != len(labels):
        raise InputError(f"{name}: a name stands twice")
    if any(not isinstance(row, list) or len(row) != len(released.names) for row in rows):
        raise InputError(f"{name}: there is not one value for each name")
    found = [[multiple_in(text, grid, name) for text in row] for row in rows]
    if not shape_of(released.mechanism).noise and any(
        min(row) < 0 or sum(row) != 1 for row in found
    ):
        raise InputError(f"{name}: a row is no point of the simplex")
    return found


def _rows_of(released: Released, name: str) -> tuple[Sequence[str], Sequence[Any]]:
    """Return the labels of the rows, and the rows; one without a label where there is but one."""
    value, rows, shape = released.value, released.rows, shape_of(released.mechanism)
    if bool(shape.rows) != (rows is not None):
        raise InputError(f"{name}: rows are labelled where the mechanism has several, there alone")
    if rows is not None:
        if not isinstance(value, list) or len(value) != len(rows):
            raise InputError(f"{name}: there is not one list for each row")
        listed = _listed(released, shape)
        if listed is not None and listed != len(rows):
            raise InputError(f"{name}: there are {len(rows)} rows, the parameters have {listed}")
        return rows, value
    count = released.release.get(shape.coordinates)
    if count is not None and count != str(len(released.names)):
        raise InputError(f"{name}: there are {len(released.names)} names, the parameters say other")
    scalar = isinstance(value, str) and shape.noise
    return [], [[value] if scalar else value]


def _listed(released: Released, shape: Shape) -> int | None:
    """Return how many rows the parameters list."""
    given = (released.release.get(key) for key in shape.rows)
    return next((len(value) for value in given if isinstance(value, list)), None)


def shape_of(mechanism: str) -> Shape:
    """Return what its releases look like; one row of the simplex where no mechanism has the name.

    Such a release is refused by its claim.
    """
    return mechanism_named(mechanism).shape if mechanism in MECHANISMS else Shape()


def is_noise(mechanism: str) -> bool:
    """Whether the mechanism adds noise to numbers, instead of drawing from the simplex."""
    return shape_of(mechanism).noise


def least_bits(mechanism: str) -> int:
    """Return the bits of the coarsest grid of a mechanism."""
    return LEAST_BITS_OF_NOISE if is_noise(mechanism) else LEAST_BITS


def grid_text(bits: int) -> str:
    """Return the grid of multiples of 2^-bits as exact text."""
    return exact_text(Fraction(1, 2**bits) if bits >= 0 else Fraction(2**-bits))


def grid_in(text: str, mechanism: str) -> Fraction:
    """Return the grid that a text names. Raises InputError where no release has such a one."""
    known = {grid_text(bits) for bits in range(least_bits(mechanism), MOST_BITS + 1)}
    if text not in known:
        raise InputError(f"the grid {shown(text)} is not one that a release has")
    return exact_number(text, "the grid")


def decimal_text(value: Fraction) -> str:
    """Return a dyadic number as the decimal that it exactly is, without zeros at its end."""
    places = value.denominator.bit_length() - 1
    if value.denominator != 1 << places:
        raise ValueError("no finite decimal is meant here")
    digits = exact_text(Fraction(abs(value.numerator) * 5**places)).rjust(places + 1, "0")
    whole, part = digits[: len(digits) - places], digits[len(digits) - places :]
    return f"{'-' * (value < 0)}{whole}{'.' * bool(part)}{part}"


def multiple_in(text: str, grid: Fraction, where: str) -> Fraction:
    """Return the multiple of the grid that a decimal is. Raises InputError where it is none.

    It has to be written as it always is: no exponent, no fraction, no zero that says nothing.
    """
    value = exact_number(text, where)
    if (value / grid).denominator != 1 or decimal_text(value) != text:
        raise InputError(
            f"{where} holds a number that is no multiple of its grid, as it is written"
        )
    return value
