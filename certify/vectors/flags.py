"""Flags of cases: each names a peculiarity, the kind of bug that it catches, and a reference."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

from ...reference.domain import A_PROBABILITY
from ...reference.dyadic import Dyadic
from ...reference.enclosure import Enclosed, Enclosure, entries_of
from ...reference.quantity import Quantity
from ..points import Given
from .points import numbers_of

# From which size on parameters and truths are tiny or huge: 1 - x and x + 1 lose 20 bits and more.
_TINY, _HUGE = 2.0**-20, 2.0**20
# A ratio of two parameters from which their log-Betas lose 30 of 53 bits.
_LARGE_RATIO = 2.0**30
# Truths that a difference of numbers near 1 gets no digit of; and below which doubles underflow.
_CANCELLED = Dyadic(1, -30)
_UNDERFLOWS, _OVERFLOWS = Dyadic(1, -1022), Dyadic(1, 1023)
_NEARLY_ONE = Dyadic((1 << 20) - 1, -20)


class Flag(NamedTuple):
    """A flag's meaning, the bugs that its cases catch, and a reference."""

    description: str
    bug: str
    reference: str


FLAGS: dict[str, Flag] = {
    "Boundary": Flag(
        "A parameter at an end of its domain or search range, next to one, or as far as a "
        "condition on several parameters lets it.",
        "Off by one in a comparison; division by 0; a limit that is not taken.",
        "IEEE 754-2019; Beyer et al. 2019, Wycheproof's edge cases",
    ),
    "Cancellation": Flag(
        "The truth is below 2^-30 in size, and not 0.",
        "1 - P for a small tail P; a difference of nearly equal numbers, such as of log-Betas for "
        "a small step.",
        "Higham 2002, section 1.7",
    ),
    "EqualParameters": Flag(
        "Two real parameters are the same number.",
        "Parameters that change places; a cache whose key leaves one out; 0/0 in a difference "
        "quotient.",
        "DLMF 5.12 (the Beta function is symmetric)",
    ),
    "ExactTruth": Flag(
        "The truth is a rational that is known exactly.",
        "An answer nudged to the wrong side by an iteration that never arrives.",
        "the field exact",
    ),
    "HalfInteger": Flag(
        "A real parameter is half of an odd number.",
        "A branch for half-integers that is taken by mistake, or is wrong.",
        "DLMF 5.4.6",
    ),
    "HugeParameter": Flag(
        "A real parameter is 2^20 or larger in size.",
        "Overflow of a gamma function; x + 1 = x; NaN of a library's incomplete Beta.",
        "SciPy issues 24566 and 24074 (betainc)",
    ),
    "HugeTruth": Flag(
        "The truth is 2^1023 or larger, and finite.",
        "Overflow to infinity, which is no answer to a finite truth.",
        "IEEE 754-2019, section 7.4",
    ),
    "InfiniteTruth": Flag(
        "The truth is infinite.",
        "A large finite number, or NaN, where nothing finite is safe; a pole that is jumped over.",
        "van Erven and Harremoes 2014 (Renyi divergences of infinite order and value)",
    ),
    "Integer": Flag(
        "A real parameter is a whole number other than 0.",
        "A recurrence with one term too many or too few; a pole of the gamma function met at the "
        "other end of a reflection.",
        "DLMF 5.4.1",
    ),
    "LargeRatio": Flag(
        "Of the real parameters other than 0, one is 2^30 times another or more, in size.",
        "Log-Betas from three log-gammas, which cancel.",
        "DLMF 5.11.12",
    ),
    "Malformed": Flag(
        "A list is empty or has other than the right length, or a word is unknown.",
        "Reading past an end; a length that is taken from the other list.",
        "the field comment",
    ),
    "NearOne": Flag(
        "The truth is a probability or distance between 1 - 2^-20 and 1.",
        "An answer above 1 by rounding; clipping that moves an answer to the wrong side.",
        "Higham 2002, section 1.7",
    ),
    "NegativeParameter": Flag(
        "A parameter that may not be negative is, other than -0.",
        "A reflection formula or an absolute value that answers where there is nothing to answer.",
        "DLMF 5.5.3",
    ),
    "NotFinite": Flag(
        "A parameter is NaN or infinite.",
        "Comparisons with NaN are false, so that a check written as a refusal passes it.",
        "IEEE 754-2019, section 5.11",
    ),
    "OutOfDomain": Flag(
        "The inputs are outside of the quantity's domain; comment says why.",
        "A number answered where there is none; for privacy, a promise about nothing.",
        "the fields parameters and conditions",
    ),
    "TinyParameter": Flag(
        "A real parameter is 2^-20 or smaller in size, and not 0.",
        "1 + x = 1, logarithms of what underflowed, a power x^(a-1) that overflows.",
        "Goldberg 1991",
    ),
    "Underflow": Flag(
        "The truth is below the smallest normal double in size, and not 0.",
        "A privacy loss or a tail rounded to 0, which is below every positive truth.",
        "IEEE 754-2019, section 7.5",
    ),
    "WorstKnown": Flag(
        "An input at which an implementation, a library or one of two engines did badly before, or "
        "at which a formula changes into another.",
        "Whatever it was that failed there.",
        "the seed files edges.toml and worst_inputs.json of simplexcert",
    ),
    "ZeroParameter": Flag(
        "A real parameter is 0.",
        "0 times infinity, the logarithm of 0, a division.",
        "IEEE 754-2019, section 7.3",
    ),
    "ZeroTruth": Flag(
        "The truth is 0.",
        "A tiny negative answer, or a needlessly positive one.",
        "the field exact",
    ),
}


def flags_of_point(point: Given) -> Iterator[str]:
    """Yield the flags of real parameters, as far as they are finite."""
    reals = [
        number
        for number in numbers_of(point)
        if isinstance(number, float) and math.isfinite(number)
    ]
    sizes = sorted(abs(number) for number in reals if number)
    found = {
        "ZeroParameter": len(sizes) < len(reals),
        "TinyParameter": bool(sizes) and sizes[0] <= _TINY,
        "HugeParameter": bool(sizes) and sizes[-1] >= _HUGE,
        # Divided, so that no product overflows.
        "LargeRatio": bool(sizes) and sizes[0] <= sizes[-1] / _LARGE_RATIO,
        "Integer": any(size.is_integer() for size in sizes),
        "HalfInteger": any((2 * size).is_integer() and not size.is_integer() for size in sizes),
        "EqualParameters": len(set(reals)) < len(reals),
    }
    yield from (name for name, holds in found.items() if holds)


def flags_of_truth(quantity: Quantity, truth: Enclosed) -> Iterator[str]:
    """Yield the flags of a truth; of an array's, those that some entry has."""
    found = [name for _, entry in entries_of(truth) for name in _of_entry(quantity, entry)]
    yield from dict.fromkeys(found)


def _of_entry(quantity: Quantity, entry: Enclosure) -> Iterator[str]:
    if entry == Enclosure.infinite():
        yield "InfiniteTruth"
        return
    if entry.low == entry.high == Dyadic(0):
        yield "ZeroTruth"
        return
    size = max(entry.high, Dyadic(-entry.low.mantissa, entry.low.exponent))
    if size < _CANCELLED:
        yield "Cancellation"
    if size < _UNDERFLOWS:
        yield "Underflow"
    if size >= _OVERFLOWS:
        yield "HugeTruth"
    if quantity.within == A_PROBABILITY and entry.low >= _NEARLY_ONE:
        yield "NearOne"
