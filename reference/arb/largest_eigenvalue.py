"""The largest eigenvalue of a positive semidefinite matrix of balls, by repeated squaring.

With N = 2^j, the trace of the N-th power is the sum of the N-th powers of the eigenvalues. None of
them is negative, so for the largest one, lambda,

    trace(M^2N) / trace(M^N) <= lambda^N <= trace(M^N).

No eigenvector is chosen and no eigenvalue has to be apart from the others: where several are
equal, which makes verified eigensolvers give up, there are only more squarings.
"""

from __future__ import annotations

from flint import arb, arb_mat, ctx

from ..enclosure import Trilean
from ..precision import check_budget
from .balls import extra_bits, sign

# An m-fold eigenvalue leaves log(m)/N between the two sides. No matrix that fits into memory has
# log(m) above 2^5, so with so many squarings more than bits the rest is below the last bit.
_SPARE_SQUARINGS = 8
# Squaring mostly doubles a power's relative error; these are for sums over rows, and logarithms.
_SPARE_BITS = 64


def largest_eigenvalue(matrix: arb_mat) -> arb:
    """Enclose the largest eigenvalue of a positive semidefinite matrix.

    Precondition: the matrix that the balls stand for is symmetric, with no negative eigenvalue.
    Where it is simple, a relative error that begins at 2^-p is about N 2^-p times the number of
    rows after log2(N) squarings, and the N-th root takes the N away again. Where it is m-fold a
    squaring may cost log2(m)/2 bits more: then the answer is wider, and more bits make up for it.
    Where not even the trace is proved to be positive, it is [0, trace].
    """
    squarings = ctx.prec + _SPARE_SQUARINGS
    with extra_bits(squarings + _SPARE_BITS):
        trace = matrix.trace()
        if not trace.is_finite():
            return arb("nan")
        return _by_squaring(matrix, squarings, arb(0).union(abs(trace).upper()))


def _by_squaring(matrix: arb_mat, squarings: int, known: arb) -> arb:
    """Enclose the eigenvalue, from what is known of it.

    M^N is 2^exponent ``power``: scaling by powers of two is exact, and costs the balls nothing.
    """
    power, exponent, before = *_scaled(matrix, 0), arb("nan")
    for j in range(squarings + 1):
        check_budget()
        trace = power.trace()
        if sign(trace) is not Trilean.TRUE:
            break
        logarithm = trace.log() + exponent * arb.const_log2()
        upper = logarithm * arb(2) ** -j
        lower = (logarithm - before) * arb(2) ** (1 - j)
        if lower.is_finite():
            known = lower.exp().union(upper.exp())
            if not lower < upper:  # they differ by less than their own balls
                break
        before = logarithm
        power, exponent = _scaled(power * power, 2 * exponent)
    return known


def _scaled(matrix: arb_mat, exponent: int) -> tuple[arb_mat, int]:
    """Return the matrix with a trace near 1, and the exponent of two with what was taken out."""
    mantissa, power = matrix.trace().mid().man_exp()
    size = int(power) + int(mantissa).bit_length()
    return matrix * arb(2) ** -size, exponent + size
