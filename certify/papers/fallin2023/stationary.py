"""Section IV: the fundamental matrix, Lemma 4 and Theorem 3, by column and by row sums."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from random import Random

import numpy as np
from flint import arb

from ....reference.arb.balls import ball
from ....reference.markov import printed
from ....reference.markov.stationary import stationary_law
from ..benvenuti2025.chains import (
    ALIKE,
    ALIKE_MOVED,
    ROWS,
    STICKY,
    STICKY_MOVED,
    Rows,
    inverse,
    lemma_5,
    pairs_of_chains,
)
from ..evidence import Formula, Proof, Sampled
from ..statement import Reading, Statement
from ..values import at_precision, certainly_below, draws
from .inputs import ASSUMPTION_1

# Formulas of the notes on the stationary law, tried on small chains.

_TRIALS = 40
_THREE = 3
_MOST_STATES = 80
_CHAINS, _DRAWS = 40, 60
_MARGIN = Fraction(1, 10)


def _inverses_differ_by_the_law() -> bool:
    """Whether both inverses are inverses, and differ by 2 1 pi."""
    for chain, _ in pairs_of_chains(81):
        law = stationary_law(chain)
        plus, minus = inverse(chain, 1), inverse(chain, -1)
        for one, other in zip(plus, minus, strict=True):
            if any(x - y != 2 * share for x, y, share in zip(one, other, law, strict=True)):
                return False
        for found, turn in ((plus, 1), (minus, -1)):
            if not _is_inverse(found, chain, law, turn):
                return False
    return True


def _is_inverse(found: Rows, chain: Rows, law: tuple[Fraction, ...], turn: int) -> bool:
    n = len(chain)
    return all(
        sum((found[i][m] * ((m == j) - chain[m][j] + turn * law[j]) for m in range(n)), Fraction(0))
        == (i == j)
        for i in range(n)
        for j in range(n)
    )


def _root_of_rows(n: int) -> arb:
    """Enclose (2 log(n (2^n - 2)))^(1/2)."""
    return (2 * ball(Fraction(n * (2**n - 2))).log()).sqrt()


def _least_bracket(n: int) -> arb:
    """Enclose n/(2 pi)^(1/2) + ((n-1)(n^2-1)/n)^(1/2)/2."""
    return n / (2 * arb.pi()).sqrt() + ball(Fraction((n - 1) * (n * n - 1), n)).sqrt() / 2


def roots_are_below_the_bracket() -> bool:
    """Whether the root of the largest row is below the bracket's least value from n = 4 on."""
    return certainly_below(_least_bracket(3), _root_of_rows(3)) and all(
        certainly_below(_root_of_rows(n), _least_bracket(n)) for n in range(4, _MOST_STATES)
    )


def bracket_is_above() -> bool:
    """Whether (41) is above its least value over (k+1)^(1/2), at drawn numbers."""
    for random in draws(82, _TRIALS):
        n, w = random.randint(3, 9), (random.randint(1, 2), 2)
        eta, k = Fraction(random.randint(1, 30), 100), Fraction(random.randint(1, 10**4), 10)
        found = printed.bracket(n, k, eta, Fraction(1, 10), (w * n)[:n])
        if not certainly_below(_least_bracket(n), found * ball(k + 1).sqrt()):
            return False
    return True


def _square_of_three() -> bool:
    """Whether (|e_1|+|e_2|+|e_3|)^2 <= (8/3) (sum of squares) where the sum is 0, exactly.

    And whether 3 (8/3) (1 - sum p^2) <= 16/3 for laws of three parts.
    """
    for random in draws(83, 4 * _TRIALS):
        first, second = (Fraction(random.randint(-99, 99)) for _ in range(2))
        entries = (first, second, -first - second)
        if 3 * sum(map(abs, entries)) ** 2 > 8 * sum(x * x for x in entries):
            return False
        counts = [random.randint(1, 30) for _ in range(3)]
        squares = sum(Fraction(count, sum(counts)) ** 2 for count in counts)
        if 8 * (1 - squares) > Fraction(16, 3):
            return False
    return True


def _three_is_below() -> bool:
    """Whether 16/3 is below the square of the bracket's least value at n = 3."""
    return bool(ball(Fraction(16, 3)) < _least_bracket(3) ** 2)


def _columns_bound_three() -> bool:
    """Whether rows of Z, n = 3, differ by at most 2^(1/2) times its largest column sum, exactly.

    For either sign, differences adding up to 0; and whether a row of E Z then has at most 2/3 of
    the square of that sum over k+1.
    """
    third = 0
    for chain, _ in pairs_of_chains(86):
        if len(chain) != _THREE:
            continue
        third += 1
        if not all(_rows_differ_by_columns(inverse(chain, turn), chain) for turn in (1, -1)):
            return False
    return third > 0


def _rows_differ_by_columns(found: Rows, chain: Rows) -> bool:
    """Whether the differences of the rows are as the note says, and the spread in each row."""
    largest = max(sum(map(abs, column)) for column in zip(*found, strict=True)) ** 2
    squares = {}
    for one, other in combinations(range(_THREE), 2):
        gap = [x - y for x, y in zip(found[one], found[other], strict=True)]
        squares[one, other] = sum(x * x for x in gap)
        if sum(gap) != 0 or squares[one, other] > 2 * largest:
            return False
    return all(
        3 * sum(row[one] * row[other] * square for (one, other), square in squares.items())
        <= 2 * largest
        for row in chain
    )


def _theorem_3_tried() -> tuple[int, int]:
    """Return how many chains were tried, and in how many the mean of the draws passed Theorem 3."""
    failed = 0
    generator = np.random.default_rng(84)
    for random in draws(85, _CHAINS):
        n = random.randint(3, 6)
        w = tuple(random.randint(2, n - 1) for _ in range(n))
        eta = Fraction(random.randint(1, 9), 10 * n)
        k = max(1 / eta, Fraction(random.randint(3, 200)))
        chain = tuple(_row(random, n, size, eta) for size in w)
        claimed = printed.theorem_3(chain, k, eta, _MARGIN / n, w, "column", "minus")
        failed += bool(ball(Fraction(_mean_distance(chain, k, generator))) > claimed)
    return _CHAINS, failed


def _row(random: Random, n: int, w: int, eta: Fraction) -> tuple[Fraction, ...]:
    """Return a row whose first w entries are at least eta, the rest together 1/(10 n) or more."""
    room = 1 - w * eta - _MARGIN / n
    shares = [Fraction(random.randint(0, 9)) for _ in range(w)] + [Fraction(1)]
    protected = [eta + room * share / sum(shares, Fraction(0)) for share in shares[:w]]
    return (*protected, *[(1 - sum(protected, Fraction(0))) / (n - w)] * (n - w))


def _mean_distance(chain: Rows, k: Fraction, generator: np.random.Generator) -> float:
    """Return the mean 1-norm of the change of the stationary law over some draws."""
    rows = [[float(k * p) for p in row] for row in chain]
    law = np.array([float(p) for p in stationary_law(chain)])
    found = 0.0
    for _ in range(_DRAWS):
        drawn = np.array([generator.dirichlet(row) for row in rows])
        ones = np.ones_like(drawn)
        moved = np.linalg.solve((np.eye(len(chain)) - drawn + ones).T, ones[0])
        found += float(np.abs(moved - law).sum())
    return found / _DRAWS


_NOTE = "fallin2023/stationary-law.md"
_PLACE = f"{_NOTE}#"
_CHAIN = ("a finite, homogeneous, irreducible chain with one stationary law",)
_COLUMNS = "|.|_1 of a matrix is its largest column sum, as the proof of Theorem 3 says"
_ROWS = "|.|_1 of a matrix is its largest row sum"

_BY_COLUMNS = (
    lemma_5(STICKY, STICKY_MOVED, "column", "minus", holds=False),
    lemma_5(ALIKE, ALIKE_MOVED, "column", "plus", holds=False),
)
_FOUR_OR_MORE = Proof(
    "markov-printed.md#theorem-3-holds-with-row-sums",
    "four states or more: the largest of n (2^n - 2) sub-Gaussian variables is below the bracket",
    (
        Formula("(3): n from 4 to 79", at_precision(roots_are_below_the_bracket)),
        Formula("(4): the bracket's least value", at_precision(bracket_is_above)),
    ),
)
_THREE_STATES = Proof(
    _PLACE + "three-states",
    "three states: the mean square of the largest row sum is at most 16/3 of 1/(k+1)",
    (
        Formula("(5): three entries of sum 0, exactly", _square_of_three),
        Formula("(6): 16/3 is below the bracket's square", at_precision(_three_is_below)),
    ),
)
_THREE_BY_COLUMNS = Proof(
    _PLACE + "three-states-by-columns",
    "three states: the mean square of |pi - pi~| is at most 16/3 of the column sum's over k+1",
    (
        Formula("(7): rows of Z of drawn chains, exactly", _columns_bound_three),
        Formula("(5): three entries of sum 0, exactly", _square_of_three),
        Formula("(6): 16/3 is below the bracket's square", at_precision(_three_is_below)),
        Formula("(4): the bracket's least value", at_precision(bracket_is_above)),
    ),
)

STATEMENTS = (
    Statement(
        "fallin2023.fundamental-matrix",
        "remark",
        "IV, definition of Z",
        "The inverse Z of I - P - 1 pi exists for every finite irreducible chain.",
        _NOTE,
        (
            Proof(
                "fundamental-matrix.md#shifted-inverses",
                "it is the group inverse of I - P less 1 pi",
                (Formula("(1): both inverses of drawn chains", _inverses_differ_by_the_law),),
            ),
        ),
        _CHAIN,
        garbled="The usual fundamental matrix has the plus sign; benvenuti2025 prints a minus too.",
    ),
    Statement(
        "fallin2023.lemma-4",
        "lemma",
        "IV Lemma 4, (22), from its reference 31",
        "|pi - pi~|_1 is at most |Z|_1 |P - P~|_1.",
        _NOTE,
        _BY_COLUMNS,
        (*_CHAIN, _COLUMNS),
        readings=(Reading(_ROWS, (ROWS,)),),
    ),
    Statement(
        "fallin2023.lemma-4-repaired",
        "repair",
        "ours, for Lemma 4",
        "With row sums, for Z with either sign, and with kappa for the norm of Z.",
        _NOTE,
        (ROWS,),
        _CHAIN,
        repairs="fallin2023.lemma-4",
    ),
    Statement(
        "fallin2023.theorem-3",
        "theorem",
        "IV Theorem 3, (23)",
        "The mean of |pi - pi~|_1 is at most |Z|_1 times the bracket (41).",
        _NOTE,
        (
            Sampled(
                "chains of 3 to 6 states, column sums: the mean of 60 draws is at most the claim",
                at_precision(_theorem_3_tried),
            ),
        ),
        (ASSUMPTION_1, "irreducible, any k > 0", _COLUMNS),
        readings=(
            Reading(_ROWS, (ROWS, _FOUR_OR_MORE, _THREE_STATES)),
            Reading("column sums, three states", (_THREE_BY_COLUMNS,)),
        ),
        of_proof=_BY_COLUMNS,
    ),
    Statement(
        "fallin2023.theorem-3-repaired",
        "repair",
        "ours, for Theorem 3",
        "With row sums of Z, of either sign, in the place of column sums.",
        _NOTE,
        (ROWS, _FOUR_OR_MORE, _THREE_STATES),
        (ASSUMPTION_1, "one closed class of states, any k > 0"),
        repairs="fallin2023.theorem-3",
    ),
)
