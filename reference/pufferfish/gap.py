"""How fast a chain forgets: its smallest stationary probability and its eigengaps.

P P*, P* the time reversal, is the reversible chain of one step there and one step back. All its
eigenvalues lie in [0, 1], and its gap is 1 less the second largest *with multiplicity*: where 1
itself is multiple the gap is 0 (proofs_notes/eigengap.md). That happens exactly if the states fall
into parts without a common successor, which is decided on the pattern of P, never on a ball.

The largest eigenvalue of a positive semidefinite matrix M of balls is found by repeated squaring.
With N = 2^j, the trace of the N-th power is the sum of the N-th powers of the eigenvalues. None of
them is negative, so for the largest one, lambda,

    trace(M^2N) / trace(M^N) <= lambda^N <= trace(M^N).

No eigenvector is chosen and no eigenvalue has to be apart from the others: where several are
equal, which makes verified eigensolvers give up, there are only more squarings.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from flint import arb, arb_mat, ctx

from ..arb.balls import ball, extra_bits, sign
from ..domain import A_PROBABILITY, STOCHASTIC, Condition
from ..dyadic import Dyadic
from ..enclosure import Enclosure, Trilean
from ..markov.stationary import stationary_law
from ..markov.structure import Matrix, composed, is_irreducible, pattern_of, reachable
from ..precision import check_budget
from ..quantity import Side, Truth, quantity
from ..relations import UNKNOWN

# An m-fold eigenvalue leaves log(m)/N between the two sides. No matrix that fits into memory has
# log(m) above 2^5, so with so many squarings more than bits the rest is below the last bit.
_SPARE_SQUARINGS = 8
# Squaring mostly doubles a power's relative error; these are for sums over rows, and logarithms.
_SPARE_BITS_OF_POWERS = 64


def largest_eigenvalue(matrix: arb_mat) -> arb:
    """Enclose the largest eigenvalue of a positive semidefinite matrix.

    Precondition: the matrix that the balls stand for is symmetric, with no negative eigenvalue.
    Where it is simple, a relative error that begins at 2^-p is about N 2^-p times the number of
    rows after log2(N) squarings, and the N-th root takes the N away again. Where it is m-fold a
    squaring may cost log2(m)/2 bits more: then the answer is wider, and more bits make up for it.
    Where not even the trace is proved to be positive, it is [0, trace].
    """
    squarings = ctx.prec + _SPARE_SQUARINGS
    with extra_bits(squarings + _SPARE_BITS_OF_POWERS):
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


_NOTE = "proofs_notes/eigengap.md"
# A product of two k x k matrices loses about log2(k) bits, a root one; k is below 2^10.
_SPARE_BITS = 32


def is_reversible(P: Matrix) -> bool:
    """Whether an irreducible chain is its own time reversal, decided exactly."""
    law, states = stationary_law(P), range(len(P))
    return all(law[x] * P[x][y] == law[y] * P[y][x] for x in states for y in range(x))


_IRREDUCIBLE = Condition(
    "P irreducible (each state can be reached from each one; otherwise some states have no "
    "stationary probability, or there are several stationary laws)",
    is_irreducible,
    "song2017 Section 4.4.2",
)
_REVERSIBLE = Condition(
    "P reversible, pi(x) P(x, y) = pi(y) P(y, x); pufferfish.eigengap takes any chain",
    lambda P: not is_irreducible(P) or is_reversible(P),
    "song2017 (14)",
)


@quantity(
    "pufferfish.stationary_minimum",
    safe=Side.LOWER,
    truth=Truth.LEAST,
    source="song2017 (6)",
    formula=r"\min_i \pi_i, \quad \pi^T P = \pi^T",
    within=A_PROBABILITY,
    conditions=(_IRREDUCIBLE,),
    rises=UNKNOWN,
)
def stationary_minimum(P: STOCHASTIC) -> Fraction:
    """Smallest probability of a state under the stationary law, exactly."""
    return min(stationary_law(P))


@quantity(
    "pufferfish.eigengap",
    safe=Side.LOWER,
    truth=Truth.LEAST,
    source=_NOTE,
    formula=r"g = 1 - \lambda_2(P P^*)",
    within=A_PROBABILITY,
    conditions=(_IRREDUCIBLE,),
    rises=UNKNOWN,
)
def eigengap(P: STOCHASTIC) -> arb | Fraction:
    """Gap of P P*: 1 less its second largest eigenvalue, multiplicities counted.

    song2017 (7) without its filter |lambda| < 1, which is unsound where 1 is multiple. 0 for a
    periodic chain, too: there no state of one class has a successor in common with another's.
    """
    known = _known_gap(P)
    return known if known is not None else 1 - _second_eigenvalue(P)


@quantity(
    "pufferfish.eigengap_reversible",
    safe=Side.LOWER,
    truth=Truth.LEAST,
    source=_NOTE,
    formula=r"g = 2 \left( 1 - \max_{i \ge 2} |\lambda_i(P)| \right)",
    within=Enclosure(Dyadic(0), Dyadic(2)),
    conditions=(_IRREDUCIBLE, _REVERSIBLE),
    rises=UNKNOWN,
)
def eigengap_reversible(P: STOCHASTIC) -> arb | Fraction:
    """Twice 1 less the largest modulus of the eigenvalues of a reversible P, one 1 left out.

    song2017 (14). With P* = P that modulus is the root of the second eigenvalue of P P*. Again 0
    for a periodic chain, which has the eigenvalue -1.
    """
    known = _known_gap(P)
    if known in (0, 1):
        return 2 * known if known is not None else Fraction(0)
    if len(P) == 2:  # noqa: PLR2004
        return 2 * (1 - abs(_other_eigenvalue(P)))
    return 2 * (1 - _second_eigenvalue(P).sqrt())


def _known_gap(P: Matrix) -> Fraction | None:
    """Return the gap where it is known exactly: 0, 1, or that of two states."""
    if not steps_back_connect(P):
        return Fraction(0)
    if all(row == P[0] for row in P):
        return Fraction(1)
    return 1 - _other_eigenvalue(P) ** 2 if len(P) == 2 else None  # noqa: PLR2004


def _other_eigenvalue(P: Matrix) -> Fraction:
    """Return the eigenvalue of two states that is not the 1 of the constants: trace P - 1.

    Two states are always reversible, so P P* = P^2.
    """
    return P[0][0] + P[1][1] - 1


def steps_back_connect(P: Matrix) -> bool:
    """Whether P P* is irreducible: common successors connect all states, decided exactly."""
    moves = pattern_of(P)
    return bool(np.all(reachable(composed(moves, moves.T))))


def _second_eigenvalue(P: Matrix) -> arb:
    """Enclose the second largest eigenvalue of P P*, multiplicities counted.

    P P* is similar to S S^T, S = D^(1/2) P D^(-1/2), D the stationary law, of which the vector v
    of the roots of D is an eigenvector for 1: taken off, S S^T - v v^T has the other eigenvalues,
    and 0.
    """
    with extra_bits(_SPARE_BITS):
        roots = [ball(share).sqrt() for share in stationary_law(P)]
        size = len(P)
        scaled = arb_mat(
            size,
            size,
            [
                roots[x] * ball(entry) / roots[y] if entry else arb(0)
                for x, row in enumerate(P)
                for y, entry in enumerate(row)
            ],
        )
        root = arb_mat(size, 1, roots)
        return largest_eigenvalue(scaled * scaled.transpose() - root * root.transpose())
