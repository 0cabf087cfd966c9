"""The curve of Ed25519 (RFC 8032, section 5.1), written out: for keys that no honest signer has."""

from __future__ import annotations

from collections.abc import Iterator

PRIME = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
_D = -121665 * pow(121666, -1, PRIME) % PRIME
_ROOT_OF_MINUS_ONE = pow(2, (PRIME - 1) // 4, PRIME)
_SIGN = 2**255
Point = tuple[int, int]
_NEUTRAL: Point = (0, 1)


def small_order_encodings() -> Iterator[bytes]:
    """Yield every encoding of the eight points whose order divides 8, also those never written.

    A sign of 0 and a coordinate that is not reduced are written by nobody, and read all the same.
    """
    point = _point_of_order_8()
    for multiple in range(8):
        x, y = _times(multiple, point)
        for unreduced in (y, y + PRIME):
            for sign in (0, 1):
                if unreduced < _SIGN and (x == 0 or x % 2 == sign):
                    yield (unreduced + sign * _SIGN).to_bytes(32, "little")


def unreduced_encodings() -> Iterator[bytes]:
    """Yield the encodings that are not reduced of points of a large order."""
    small = set(small_order_encodings())
    for y in range(2**255 - PRIME):
        encoded = (y + PRIME).to_bytes(32, "little")
        if _x_at(y) is not None and encoded not in small:
            yield encoded


def _point_of_order_8() -> Point:
    for y in range(2, 100):
        x = _x_at(y)
        if x is not None:
            found = _times(ORDER, (x, y))
            if _times(4, found) != _NEUTRAL:
                return found
    raise AssertionError


def _x_at(y: int) -> int | None:
    """Return a point's other coordinate: x^2 = (y^2 - 1)/(d y^2 + 1)."""
    square = (y * y - 1) * pow(_D * y * y + 1, -1, PRIME) % PRIME
    root = pow(square, (PRIME + 3) // 8, PRIME)
    for x in (root, root * _ROOT_OF_MINUS_ONE % PRIME):
        if x * x % PRIME == square:
            return x
    return None


def _added(one: Point, other: Point) -> Point:
    (x, y), (u, v) = one, other
    both = _D * x * y * u * v
    return (
        (x * v + u * y) * pow(1 + both, -1, PRIME) % PRIME,
        (y * v + x * u) * pow(1 - both, -1, PRIME) % PRIME,
    )


def _times(number: int, point: Point) -> Point:
    found = _NEUTRAL
    for bit in f"{number:b}":
        found = _added(found, found)
        if bit == "1":
            found = _added(found, point)
    return found
