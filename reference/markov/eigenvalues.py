"""The moduli of all eigenvalues of a chain, with multiplicity, from its characteristic polynomial.

With L the rows' common denominators, det(x L - L P) is a polynomial of integers, found modulo
primes; its coefficients are bounded, as no eigenvalue of a stochastic matrix is beyond 1. The
eigenvalues of modulus 1 and 0 are divided out exactly; the rest is split by multiplicity, and FLINT
encloses the roots of each part (proofs_notes/chain-eigenvalues.md).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import lcm, prod
from typing import Any

from flint import arb, fmpz, fmpz_poly, nmod_mat

from ..arb.balls import ball, extra_bits
from ..domain import A_PROBABILITY, STOCHASTIC, Condition
from ..precision import check_budget
from ..quantity import Shape, Side, Truth, quantity
from ..relations import UNKNOWN
from .fundamental import Number, Numbers
from .structure import Matrix, closed_classes, period

_NOTE = "proofs_notes/chain-eigenvalues.md"
_MAX_EIGENVALUE_STATES = 100
_FEW_STATES = Condition(
    f"P of at most {_MAX_EIGENVALUE_STATES} states",
    lambda P: len(P) <= _MAX_EIGENVALUE_STATES,
    "a limit of this program",
    lambda P: f"P has {len(P)}",
)
# Primes are taken downwards from here; FLINT's matrices modulo a prime are fast below 2^64.
_ABOVE_PRIMES = 2**62
# The centre of the roots is taken to so many bits; how many is a matter of speed alone.
_CENTRE_BITS = 32
# For |centre + root|, where the two nearly cancel.
_SPARE_BITS = 32


@quantity(
    "markov.eigenvalue_moduli",
    safe=Side.NONE,
    truth=Truth.LEAST,
    source=_NOTE,
    formula=r"|\lambda_1| \ge |\lambda_2| \ge \cdots, \quad \det(P - \lambda_i I) = 0",
    within=A_PROBABILITY,
    conditions=(_FEW_STATES,),
    shape=Shape.VECTOR,
    rises=UNKNOWN,
)
def eigenvalue_moduli(P: STOCHASTIC) -> Numbers:
    """Absolute values of the eigenvalues, the largest first, each as often as its multiplicity.

    Exactly 1 for each closed class as often as its period says, exactly 0 where that is one.
    """
    periods = [period(_restricted(P, closed)) for closed in closed_classes(P)]
    rest = characteristic_numerator(P)
    for steps in periods:
        rest //= fmpz_poly([-1] + [0] * (steps - 1) + [1])
    zeros = next(at for at, coefficient in enumerate(rest.coeffs()) if coefficient != 0)
    moduli = in_order(list(_moduli_of_roots(rest.right_shift(zeros))))
    return (*[Fraction(1)] * sum(periods), *moduli, *[Fraction(0)] * zeros)


def _restricted(P: Matrix, states: Sequence[int]) -> Matrix:
    return [[P[source][target] for target in states] for source in states]


def characteristic_numerator(P: Matrix) -> fmpz_poly:
    """Return det(x L - L P), L the diagonal matrix of the rows' common denominators.

    Its coefficients are at most 2^n det L in absolute value, so that they are known from their
    residues modulo primes whose product is above twice that.
    """
    scales = [lcm(*(entry.denominator for entry in row)) for row in P]
    counts = [
        [entry.numerator * (scale // entry.denominator) for entry in row]
        for row, scale in zip(P, scales, strict=True)
    ]
    bound, modulus, found = prod(scales) << len(P), 1, [0] * (len(P) + 1)
    for prime in _primes_beside(scales):
        residues = _modulo(prime, counts, scales)
        inverse = pow(modulus, -1, prime)
        found = [
            old + modulus * ((new - old) * inverse % prime)
            for old, new in zip(found, residues, strict=True)
        ]
        modulus *= prime
        if modulus > 2 * bound:
            break
    return fmpz_poly([c - modulus if 2 * c > modulus else c for c in found])


def _primes_beside(scales: Sequence[int]) -> Iterator[int]:
    """Yield primes that divide none of these numbers."""
    candidate = _ABOVE_PRIMES
    while True:
        candidate -= 1
        check_budget()
        if fmpz(candidate).is_prime() and all(scale % candidate for scale in scales):
            yield candidate


def _modulo(prime: int, counts: Sequence[Sequence[int]], scales: Sequence[int]) -> list[int]:
    """Return the coefficients of det(x L - L P) modulo a prime, the constant one first."""
    size, entries = len(counts), []
    for row, scale in zip(counts, scales, strict=True):
        inverse = pow(scale, -1, prime)
        entries += [count * inverse % prime for count in row]
    leading = prod(scales) % prime
    characteristic = nmod_mat(size, size, entries, prime).charpoly()
    return [int(coefficient) * leading % prime for coefficient in characteristic.coeffs()]


def _moduli_of_roots(polynomial: fmpz_poly) -> Iterator[Number]:
    """Enclose the absolute values of the roots, none of them 0, each as often as it is one."""
    for part, times in polynomial.factor_squarefree()[1]:
        check_budget()
        if part.degree() == 1:
            yield from [abs(Fraction(int(part[0]), int(part[1])))] * times
        else:
            for modulus in _moduli_of_simple_roots(part):
                yield from [modulus] * times


def _moduli_of_simple_roots(part: fmpz_poly) -> list[arb]:
    """Enclose the absolute values of simple roots: of what the roots are beside their mean.

    FLINT isolates roots that lie close together far away from 0 slowly, and around 0 fast. With m
    the mean cut to a multiple of 2^-b, y = 2^b (x - m).
    """
    degree = part.degree()
    mean = Fraction(-int(part[degree - 1]), degree * int(part[degree]))
    centre = round(mean * 2**_CENTRE_BITS)
    scaled = [c * 2 ** (_CENTRE_BITS * (degree - at)) for at, c in enumerate(part.coeffs())]
    around = fmpz_poly(scaled)(fmpz_poly([centre, 1]))
    with extra_bits(_SPARE_BITS):
        roots: Any = around.complex_roots()  # pairs with multiplicities, whatever its stub says
        return [abs(root + centre) / 2**_CENTRE_BITS for root, _ in roots]


def in_order(values: Sequence[Number]) -> Numbers:
    """Enclose the numbers in falling order, though balls may not tell which is the larger.

    The k-th largest of the numbers lies between the k-th largest lower end and the k-th largest
    upper end.
    """
    exact = [value for value in values if isinstance(value, Fraction)]
    if len(exact) == len(values):
        return tuple(sorted(exact, reverse=True))
    balls = [ball(value) if isinstance(value, Fraction) else value for value in values]
    if not all(each.is_finite() for each in balls):
        return (arb("nan"),) * len(balls)
    lows = sorted((each.lower() for each in balls), reverse=True)
    highs = sorted((each.upper() for each in balls), reverse=True)
    return tuple(low.union(high) for low, high in zip(lows, highs, strict=True))
