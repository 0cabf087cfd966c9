"""Read a release that was made, and hold it against its certificate.

The file is hostile until checked, as a certificate is. What it says of itself has to be what the
certificate says, and its values have to be such as the mechanism releases: on the grid, on the
simplex, as many as the parameters say.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Final

import msgspec
import rfc8785

from ...reference.errors import InputError
from ...reference.exact import parse_json
from ..mechanisms.protocol import Shape
from .errors import CanonicalFormError, CertificateError, ShapeError, SubjectError
from .grids import grid_in, multiple_in, shape_of
from .models_made import MadePredicate, Released
from .models_release import ReleaseClaim
from .reading import require_bounded

# What a file has that says of itself that it is a release.
_SAID_OF_ITSELF: Final = frozenset({"private", "drawn_from", "value"})
# How the bytes of each release begin: canonical JSON sorts its keys, and no other format of ours
# begins so.
RELEASED_MARK: Final = b'{"claim":{"delta":'


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


def require_released(predicate: MadePredicate, content: bytes, name: str) -> Released:
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


def _require_same(predicate: MadePredicate, released: Released, name: str) -> None:
    made = predicate.made
    pairs = {
        "claim": (claim_in_release(released), predicate.release.claim),
        "private": (released.private, made.private),
        "drawn_from": (released.drawn_from, made.drawn_from),
        "seed": (released.seed, made.seed),
        "grid": (released.grid, made.grid),
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
