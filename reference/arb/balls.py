"""Balls in and out: exact numbers become balls at the working precision, balls become enclosures.

The working precision is FLINT's, one per process and not per thread: use processes. Every entry
point sets it with ``working_precision`` and gives back what it found.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction

from flint import arb, ctx, fmpq

from ..dyadic import Dyadic
from ..enclosure import Enclosure, Trilean
from ..errors import SoundnessError

INFINITY = arb("inf")
# Re-evaluations at growing precision that `sharpened` tries before it hands back what it has.
_MAX_SHARPENINGS = 4


@contextmanager
def working_precision(bits: int) -> Iterator[None]:
    """Set FLINT's precision, and restore it whatever happens."""
    before = ctx.prec
    ctx.prec = bits
    try:
        yield
    finally:
        ctx.prec = before


@contextmanager
def extra_bits(count: int) -> Iterator[None]:
    """Work with so many bits more than outside."""
    with working_precision(ctx.prec + count):
        yield


def ball(value: Fraction | int) -> arb:
    """Return a ball around an exact rational, as narrow as the working precision allows."""
    return arb(fmpq(value.numerator, value.denominator))


def enclosure_of(value: arb | Fraction) -> Enclosure:
    """Return the exact endpoints of a ball; a ball that is not finite says nothing.

    A NaN ball contains every number, so it becomes [-inf, inf], never an error and never a value.
    """
    if isinstance(value, Fraction):
        return Enclosure.of(value)
    if value.is_finite():
        low, high = _dyadic(value.lower()), _dyadic(value.upper())
        return Enclosure(low, high, _exact(low) if low == high else None)
    if value.is_exact() and value > 0:
        return Enclosure.infinite()
    return Enclosure.nothing_known()


def _dyadic(end: arb) -> Dyadic:
    mantissa, exponent = end.mid().man_exp()
    return Dyadic(int(mantissa), int(exponent))


# A point that a ball landed on is shown as a fraction only when it is of a readable size.
_READABLE_EXPONENT = 4096


def _exact(end: Dyadic) -> Fraction | None:
    if abs(end.exponent) > _READABLE_EXPONENT:
        return None
    value = end.as_fraction()
    return value if isinstance(value, Fraction) else None


def ball_of(enclosure: Enclosure) -> arb:
    """Return a ball that holds an enclosure, as narrow as the working precision allows."""
    if enclosure.exact is not None:
        return ball(enclosure.exact)
    if enclosure == Enclosure.infinite():
        return INFINITY
    if not (enclosure.low.is_finite and enclosure.high.is_finite):
        return arb("nan")
    ends = (arb((end.mantissa, end.exponent)) for end in (enclosure.low, enclosure.high))
    return arb.union(*ends)


def middle(value: arb) -> Fraction:
    """Return the exact middle of a finite ball, for choosing where to look: it proves nothing."""
    return Fraction(_dyadic(value).as_fraction())


def narrower(known: arb, found: arb) -> arb:
    """Intersect two enclosures of one number, of which one that is not finite says nothing.

    Raises SoundnessError where they do not meet: then one of two ways to the number is wrong.
    """
    if not (known.is_finite() and found.is_finite()):
        return found if found.is_finite() else known
    if not known.overlaps(found):
        raise SoundnessError("two ways to one number do not overlap")
    return known.intersection(found)


def sign(value: arb) -> Trilean:
    """TRUE if certainly positive, FALSE if certainly negative, else UNKNOWN (also for zero)."""
    if value.is_nan():
        return Trilean.UNKNOWN
    if value > 0:
        return Trilean.TRUE
    return Trilean.FALSE if value < 0 else Trilean.UNKNOWN


def sharpened(formula: Callable[[], arb]) -> arb:
    """Evaluate a formula that cancels until its result has the relative accuracy of the outside.

    Each round adds the bits that the one before was found to lose. A result that stays wide (a
    true zero, say) is handed back as it is: the ladder above decides what to do with it.
    """
    wanted, bits = ctx.prec - 8, ctx.prec + 16
    for _ in range(_MAX_SHARPENINGS):
        with working_precision(bits):
            result = formula()
        lost = wanted - (result.rel_accuracy_bits() if result.is_finite() else 0)
        if lost <= 0:
            break
        bits += min(max(lost, 32) + 16, bits)  # a ball around zero has lost "everything"
    return result


def monotone_hull(function: Callable[[arb], arb], argument: arb) -> arb:
    """Enclose a monotone function on a ball by its values at the ball's two ends.

    Arb's own answer on a wide ball can be wider by any factor; both ends are exact arguments.
    """
    return function(argument.lower()).union(function(argument.upper()))
