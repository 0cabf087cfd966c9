"""The rare trap of proofs_notes/markov-trap.md: Theorem 4's bound there, and the true mean."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

from flint import arb, arb_mat
from gmpy2 import mpq

from ....reference.arb.balls import ball, enclosure_of, working_precision
from ....reference.arb.gamma import digamma, log_gamma, trigamma
from ....reference.dirichlet.utility import divergence_from, vertex
from ....reference.enclosure import Enclosure
from ....reference.second.directed import Span
from ....reference.second.gamma import trigamma as trigamma_in_spans
from ..values import BITS, Worked, as_ball, by_balls, by_spans, span, spans_total

# States 0, ..., LAST; the trap 1, ..., LAST is entered with probability 2 RARE.
LAST, _HALVINGS = 250, 313
RARE = Fraction(1, 2**_HALVINGS)
# Rows 1, ..., LAST have the counts 401, 802, 401 and this k; row 0 has 1/RARE records.
_COUNT, _RECORDS, _K = 401, 1604, Fraction("6.01")
_FIRST_K = 2**20 / RARE
_ETA = Fraction("0.2499")
_A, _TILT = _K / 4, Fraction(1, 2)
# RARE has so many bits that the balls of the inverse need more.
_INVERSE_BITS = 512
_Row = tuple[Fraction, ...]


def entry(i: int, j: int) -> Fraction:
    """Return a transition probability of the walk."""
    if i == 0:
        return (1 - 2 * RARE, RARE, RARE)[j] if j <= 2 else Fraction(0)  # noqa: PLR2004
    quarters = {i: 2, i - 1: 1, (i + 1 if i < LAST else i - 2): 1}
    return Fraction(quarters.get(j, 0), 4)


@cache
def law() -> _Row:
    """Return the stationary law."""
    found = [Fraction(1), 8 * RARE, *[12 * RARE] * (LAST - 3), 8 * RARE, 4 * RARE]
    return tuple(share / sum(found) for share in found)


def _law_is_stationary() -> bool:
    """Whether pi P = pi, exactly."""
    pi, states = law(), range(LAST + 1)
    near = {j: [0, *range(max(0, j - 2), min(LAST, j + 2) + 1)] for j in states}
    return all(pi[j] == sum(pi[i] * entry(i, j) for i in set(near[j])) for j in states)


@cache
def _inverse_in_balls() -> list[list[arb]]:
    """Enclose the inverse of I - P + 1 pi."""
    pi, size = [ball(share) for share in law()], LAST + 1
    entries = [pi[j] + ball((i == j) - entry(i, j)) for i in range(size) for j in range(size)]
    found: list[list[arb]] = arb_mat(size, size, entries).inv().tolist()
    return found


def _norm_in_balls(norm: str, sign: str) -> arb:
    turn = 0 if sign == "plus" else 2
    shares = [turn * ball(share) for share in law()]
    rows = [
        [x - share for x, share in zip(row, shares, strict=True)] for row in _inverse_in_balls()
    ]
    lines = rows if norm == "row" else [list(column) for column in zip(*rows, strict=True)]
    largest = arb(0)
    for line in lines:
        largest = largest.max(sum(map(abs, line), arb(0)))
    return largest


def _visits_to(target: int) -> tuple[mpq, ...]:
    """Return the mean numbers of visits to a state of the trap, from each, until 0 is reached.

    With g_0 = 0: row i < LAST says 2 g_i = g_(i-1) + g_(i+1) + 4 [i = target], so all follow from
    g_1; row LAST says 2 g_LAST = g_(LAST-1) + g_(LAST-2) + 4 [LAST = target], which fixes g_1.
    """
    offset, factor = [mpq(0), mpq(0)], [mpq(0), mpq(1)]
    for i in range(1, LAST):
        offset.append(2 * offset[i] - offset[i - 1] - 4 * (i == target))
        factor.append(2 * factor[i] - factor[i - 1])
    at = LAST
    wanted = 2 * factor[at] - factor[at - 1] - factor[at - 2]
    given = 4 * (at == target) - (2 * offset[at] - offset[at - 1] - offset[at - 2])
    first = given / wanted
    return tuple(x + first * y for x, y in zip(offset, factor, strict=True))


@cache
def _inverse_in_rationals() -> tuple[tuple[mpq, ...], ...]:
    """Return A = (I - 1 pi) B (I - 1 pi), the group inverse of I - P, by columns.

    B holds the mean visits in the trap.
    """
    pi = [mpq(share) for share in law()]
    columns = [tuple([mpq(0)] * (LAST + 1)), *map(_visits_to, range(1, LAST + 1))]
    means = [sum((p * x for p, x in zip(pi, column, strict=True)), mpq(0)) for column in columns]
    sums = [sum(column[i] for column in columns) for i in range(LAST + 1)]
    whole = sum((p * x for p, x in zip(pi, sums, strict=True)), mpq(0))
    return tuple(
        tuple(x - mean - share * (total - whole) for x, total in zip(column, sums, strict=True))
        for column, mean, share in zip(columns, means, pi, strict=True)
    )


@cache
def norm_in_rationals(norm: str, sign: str) -> Fraction:
    """Return the norm of Z = A + 1 pi or A - 1 pi, exactly."""
    turn = 1 if sign == "plus" else -1
    columns = [
        [x + turn * mpq(share) for x in column]
        for column, share in zip(_inverse_in_rationals(), law(), strict=True)
    ]
    lines = columns if norm == "column" else [list(row) for row in zip(*columns, strict=True)]
    largest = max(sum(map(abs, line), mpq(0)) for line in lines)
    return Fraction(int(largest.numerator), int(largest.denominator))


def _divergence_in_balls(cells: int) -> arb:
    first = law()[0]
    rows = ((first, 1 / RARE, _FIRST_K), (1 - first, Fraction(_RECORDS), _K))
    total = arb(0)
    for share, records, k in rows:
        found = divergence_from(vertex(1 / records, cells), k)
        total += ball(share) * as_ball(found)
    return total


def _divergence_in_spans(cells: int, bits: int) -> Span:
    """Enclose L with psi(x) = psi(x+1) - 1/x in every place."""

    def number(value: Fraction | int) -> Span:
        return Span.of(value, bits)

    first, total = law()[0], number(0)
    for share, records, k in ((first, 1 / RARE, _FIRST_K), (1 - first, Fraction(_RECORDS), _K)):
        few, many = 1 / records, 1 - (cells - 1) / records
        row = number((cells - 1) / k) + number(k + 1).digamma()
        for p, times in ((few, cells - 1), (many, 1)):
            inside = number(p).log() - number(k * p + 1).digamma()
            row = row + number(times * p) * inside
        total = total + number(share) * row
    return total


def claimed(norm: str, sign: str, cells: int = LAST + 1) -> Worked:
    """Return |Z| (2 L)^(1/2)/2, with so many cells for n."""

    def balls() -> Enclosure:
        with working_precision(_INVERSE_BITS):
            size, divergence = _norm_in_balls(norm, sign), _divergence_in_balls(cells)
            return enclosure_of(size * (divergence / 2).sqrt())

    def spans() -> Enclosure:
        # The first row's digammas cancel but for one part in its k, which has 333 bits.
        square = Span.of(norm_in_rationals(norm, sign) ** 2 / 2, _INVERSE_BITS)
        product = square * _divergence_in_spans(cells, _INVERSE_BITS)
        return (product.log() / Span.of(2, product.bits)).exp().enclosure()

    name = f"|Z| (2 L)^(1/2)/2, {norm} sums, {sign} sign, n = {cells} in L"
    return Worked(name, balls, spans)


def _floor_by_balls() -> arb:
    up, down, rows = ball(_A + _TILT), ball(_A - _TILT), LAST - 2
    log_moment = log_gamma(_A + _TILT) + log_gamma(_A - _TILT) - 2 * log_gamma(_A)
    mean, spread = digamma(up) - digamma(down), trigamma(up) + trigamma(down)
    width = (ball(Fraction(3 * rows, 2)) * spread).sqrt()
    if not bool(rows * mean - width > (_HALVINGS + 1) * arb(2).log()):
        return arb("nan")
    chance = (rows * log_moment - (rows * mean + width) / 2).exp() / 3
    return chance * ball((law()[0] - Fraction(1, 2)) * (1 - 4 / (_FIRST_K * RARE)))


def _floor_by_spans() -> Span:
    """Enclose the same with the moments of Gamma(A + 1), moved down by A."""
    rows, half, one = span(LAST - 2), span(_TILT), span(1)
    log_moment = spans_total(
        [
            span(_A + _TILT + 1).lgamma() - span(_A + _TILT).log(),
            span(_A - _TILT + 1).lgamma() - span(_A - _TILT).log(),
            -(span(2) * (span(_A + 1).lgamma() - span(_A).log())),
        ]
    )
    mean = span(_A + _TILT).digamma() - (span(_A - _TILT + 1).digamma() - one / span(_A - _TILT))
    spread = trigamma_in_spans(_A + _TILT, BITS) + trigamma_in_spans(_A - _TILT, BITS)
    width = ((span(Fraction(3, 2)) * rows * spread).log() * half).exp()
    if (rows * mean - width - span(_HALVINGS + 1) * span(2).log()).sign <= 0:
        raise ArithmeticError("the level is below log(2/r)")
    chance = (rows * log_moment - half * (rows * mean + width)).exp() / span(3)
    return chance * span((law()[0] - Fraction(1, 2)) * (1 - 4 / (_FIRST_K * RARE)))


FLOOR = Worked(
    "a lower bound of E TV(pi, pi~) in the trap",
    by_balls(_floor_by_balls),
    by_spans(_floor_by_spans),
)


def hypotheses() -> dict[str, bool]:
    """Return the hypotheses of Theorem 4 on the walk, each decided exactly."""
    inside = [
        entry(i, j) for i in range(1, LAST + 1) for j in range(max(0, i - 2), min(LAST, i + 1) + 1)
    ]
    return {
        "eta_i < 1/4": max(_ETA, RARE) < Fraction(1, 4),
        "feasible shares are at least eta_i": min(x for x in inside if x) >= _ETA,
        "k_i >= 3/(2 eta_i)": 3 / (2 * _ETA) <= _K and 3 / (2 * RARE) <= _FIRST_K,
        "irreducible: each state leads down to 0, and 0 up to each": all(
            entry(i, i - 1) > 0 for i in range(1, LAST + 1)
        )
        and all(entry(i, i + 1) > 0 for i in range(LAST)),
        "aperiodic: a state may stay": entry(1, 1) > 0,
        "N_i >= n": _RECORDS > LAST and 1 / RARE > LAST,
        "every feasible transition is counted": _COUNT > 0,
        "pi is the stationary law": _law_is_stationary(),
    }
