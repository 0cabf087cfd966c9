"""Section 3.1 and appendices B and C: mean divergences of private counts and of private chains."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from itertools import pairwise
from random import Random

from flint import arb

from ....reference.arb.balls import ball
from ....reference.arb.gamma import digamma, trigamma
from ....reference.dirichlet.utility import (
    divergence_from,
    expected_kl_bound,
    expected_kl_prior,
    expected_kl_worst,
    vertex,
)
from ....reference.enclosure import Enclosure
from ....reference.markov import printed
from ....reference.markov.stationary import stationary_law
from ....reference.second.directed import Span
from ....reference.second.gamma import trigamma as trigamma_in_spans
from ..evidence import Formula, Instance, NotDecidable, Proof
from ..statement import Reading, Statement
from ..values import (
    BITS,
    At,
    Enclosed,
    Exactly,
    Value,
    Worked,
    as_ball,
    at_precision,
    by_balls,
    by_spans,
    certainly_below,
    draws,
    meets,
    span,
    texts,
)

# Numbers of this paper's entries that no single quantity answers, and how they are enclosed.


@dataclass(frozen=True)
class Total:
    """A sum of values."""

    of: str
    parts: tuple[Value, ...]

    def enclosed(self) -> Enclosed:
        """Return the sum, each way by itself."""
        found = [part.enclosed() for part in self.parts]
        first = reduce(_added, (part.first for part in found))
        return Enclosed(self.of, first, reduce(_added, (part.second for part in found)))


def _added(one: Enclosure, other: Enclosure) -> Enclosure:
    low, high = (
        Enclosure.of(Fraction(x) + Fraction(y))
        for x, y in ((one.lower, other.lower), (one.upper, other.upper))
    )
    return Enclosure(low.low, high.high)


def shares(counts: Sequence[int]) -> tuple[Fraction, ...]:
    """Return the shares of counts."""
    total = sum(counts)
    return tuple(Fraction(count, total) for count in counts)


# The formulas behind the entries on divergences, tried at exact points.

_TRIALS = 25
# Correct bits at which two ways to one mean are compared.
_BITS_OF_MEANS = 100
Counts = tuple[tuple[int, ...], ...]


def total(values: Sequence[arb]) -> arb:
    """Return the sum of balls."""
    return sum(values, arb(0))


def mean_divergence(law: Sequence[Fraction], k: Fraction) -> arb:
    """Enclose E KL(p || x), x of Dirichlet(k p), a law that is no vertex."""
    found = divergence_from(Counter(law), k)
    return as_ball(found)


def _drawn_counts(random: Random, size: int = 3, most: int = 12) -> tuple[int, ...]:
    return tuple(random.randint(1, most) for _ in range(size))


def _log_mean(a: int, whole: int) -> Fraction:
    """Return E log x for x of Beta(a, whole - a), whole numbers: minus a piece of a harmonic sum.

    Integration by parts lowers the first parameter from one whole number to the next.
    """
    return -sum((Fraction(1, j) for j in range(a, whole)), Fraction(0))


def _log_means_are_digammas() -> bool:
    """Whether E log x = psi(a) - psi(a + b) for whole a, b."""
    return all(
        ball(_log_mean(a, a + b)).overlaps(digamma(arb(a)) - digamma(arb(a + b)))
        for a in range(1, 9)
        for b in range(1, 9)
    )


def divergences_are_sums() -> bool:
    """Whether (8) is sum p (log p - E log x) for whole parameters, E log x in rationals.

    Also where the mean of x is not p, and where a share of p is 0.
    """
    for random in draws(31, 30):
        counts = _drawn_counts(random, random.randint(2, 6))
        whole, law = sum(counts), shares(counts)
        found = mean_divergence(law, Fraction(whole))
        if not meets(_sum_of_logs(law, counts), found, _BITS_OF_MEANS):
            return False
        other = shares([random.randint(0, 40) for _ in counts[1:]] + [random.randint(1, 40)])
        known = as_ball(expected_kl_prior(other, tuple(map(Fraction, counts))))
        if max(other) < 1 and not meets(_sum_of_logs(other, counts), known, _BITS_OF_MEANS):
            return False
    return True


def _sum_of_logs(law: Sequence[Fraction], counts: Sequence[int]) -> arb:
    whole, pairs = sum(counts), zip(law, counts, strict=True)
    return total([ball(p) * (ball(p).log() - ball(_log_mean(c, whole))) for p, c in pairs if p])


def _trigamma_is_its_series() -> bool:
    """Whether psi'(x) lies between 300 terms of (15) and the same with the rest's integral."""
    for random in draws(32, _TRIALS):
        x = Fraction(random.randint(1, 400), 20)
        head = total([1 / ball(x + n) ** 2 for n in range(300)])
        low, high = head + 1 / ball(x + 300), head + 1 / ball(x + 299)
        if not bool(low < trigamma(ball(x)) < high):
            return False
    return True


def _excess(x: Fraction) -> arb:
    """Enclose F(x) = x (log x - psi(x))."""
    return ball(x) * (ball(x).log() - digamma(ball(x)))


def excess_is_convex_and_falls() -> bool:
    """Whether F falls from 1 to 1/2, convexly, on a grid of equal steps."""
    grid = [_excess(Fraction(at, 10)) for at in range(1, 200)]
    falls = [x - y for x, y in pairwise(grid)]
    between = all(bool(value < 1) and bool(value > ball(Fraction(1, 2))) for value in grid)
    return (
        between
        and all(bool(fall > 0) for fall in falls)
        and all(bool(x > y) for x, y in pairwise(falls))
    )


def vertex_has_the_largest() -> bool:
    """Whether counts without a 0 have at most Corollary 1's mean divergence, which a vertex has.

    And whether equal shares have the least, and the worst law above a floor at most the bound.
    """
    for random in draws(33, 80):
        counts = _drawn_counts(random, random.randint(2, 6), 8)
        records, n, law = sum(counts), len(counts), shares(counts)
        k = Fraction(f"{10 ** random.uniform(-4, 5):.6g}")
        found, bound = mean_divergence(law, k), as_ball(expected_kl_bound(k, records, n))
        worst = as_ball(expected_kl_worst(k, min(law), n))
        at_vertex = Counter(counts) == Counter([1] * (n - 1) + [records - n + 1])
        if not (meets(found, bound, _BITS_OF_MEANS) if at_vertex else found < bound):
            return False
        even = mean_divergence([Fraction(1, n)] * n, k) < found
        if not (even or len(set(counts)) == 1):
            return False
        if not (found < worst or sorted(law)[:-1] == [min(law)] * (n - 1)):
            return False
        if min(counts) > 1 and not worst < bound:
            return False
    return True


def _squares_are_convex() -> bool:
    """Whether h(x) = x^2 psi'(x) is convex, on a grid of equal steps."""
    grid = [ball(x) ** 2 * trigamma(ball(x)) for x in (Fraction(at, 10) for at in range(1, 200))]
    rises = [y - x for x, y in pairwise(grid)]
    return all(bool(x < y) for x, y in pairwise(rises))


def _slope_is_the_variance() -> bool:
    """Whether the mean divergence falls between k and k + 1 by between the ends of its slope."""

    def slope(law: Sequence[Fraction], k: Fraction) -> arb:
        return total([ball(p) ** 2 * trigamma(ball(k * p)) for p in law]) - trigamma(ball(k))

    for random in draws(34, _TRIALS):
        law, k = shares(_drawn_counts(random)), Fraction(random.randint(5, 400), 10)
        fall = mean_divergence(law, k) - mean_divergence(law, k + 1)
        if not bool(slope(law, k + 1) < fall < slope(law, k)):
            return False
    return True


def _gap_falls() -> bool:
    """Whether Corollary 1 less the mean divergence falls with k, for drawn counts."""
    for random in draws(35, _TRIALS):
        counts = (*_drawn_counts(random, 3), 2)
        records, law = sum(counts), shares(counts)
        k = Fraction(random.randint(1, 900), 30)
        gaps = [
            mean_divergence(list(vertex(Fraction(1, records), 4).elements()), each)
            - mean_divergence(law, each)
            for each in (k, k + 1, 10 * k + 10)
        ]
        if not all(bool(x > y > 0) for x, y in pairwise(gaps)):
            return False
    return True


def chain_divergence(counts: Counts, k: Sequence[Fraction]) -> arb:
    """Enclose (18)."""
    chain = tuple(map(shares, counts))
    rows = zip(stationary_law(chain), chain, k, strict=True)
    return total([ball(share) * mean_divergence(row, each) for share, row, each in rows])


def _some_chain(random: Random, states: int = 3, most: int = 40) -> Counts:
    return tuple(tuple(random.randint(1, most) for _ in range(states)) for _ in range(states))


def printed_l_is_above() -> bool:
    """Whether (18) is below (19), transitions without a count included, and equal at a vertex."""
    for random in draws(36, 30):
        counts = _some_chain(random, states=random.randint(2, 4), most=50)
        sparse = tuple((*row[:-1], random.choice((0, row[-1]))) for row in counts[:-1])
        k = tuple(Fraction(random.randint(1, 500), random.choice((1, 100))) for _ in counts)
        for each in (counts, (*sparse, counts[-1])):
            bound = printed.lemma_4(each, k) if _has_room(each) else None
            if bound is not None and not certainly_below(chain_divergence(each, k), bound):
                return False
        worst = tuple((*[1] * (len(row) - 1), sum(row) - len(row) + 1) for row in counts)
        if not meets(chain_divergence(worst, k), printed.lemma_4(worst, k)):
            return False
    return True


def _has_room(counts: Counts) -> bool:
    """Whether every row has as many records as categories, as (19) asks."""
    return all(sum(row) >= len(row) for row in counts)


def tried(formula: Callable[[Counts, tuple[Fraction, ...]], bool], seed: int) -> bool:
    """Return whether a formula holds for drawn counts of three states and k."""
    for random in draws(seed, _TRIALS):
        k = tuple(Fraction(random.randint(1, 99)) for _ in range(3))
        if not formula(_some_chain(random), k):
            return False
    return True


_NOTE = "benvenuti2025/divergence.md"
_PLACE = "benvenuti2025/divergence.md#"
_K, _N, _CELLS = Fraction("20.6"), 98, 5
# All counts at least 8, as eta = 0.073 asks of 98 records: the least and the most even ones.
EVEN, UNEVEN = (19, 19, 20, 20, 20), (8, 8, 8, 8, 66)

_MEAN = Proof(
    "utility.md#expected-divergence",
    "E log x_i = psi(k C_i) - psi(k)",
    (
        Formula("(3): whole parameters, by parts", at_precision(_log_means_are_digammas)),
        Formula("(4): drawn whole parameters", at_precision(divergences_are_sums)),
    ),
)
WORST = Proof(
    "utility.md#worst-vertex",
    "(8) is Schur-convex, so that the vertex of counts has the largest, for every k > 0",
    (
        Formula("(5): F falls and is convex", at_precision(excess_is_convex_and_falls)),
        Formula("(6): drawn counts are below it", at_precision(vertex_has_the_largest)),
    ),
)


def _separate_by_balls() -> arb:
    """Enclose n times the largest term q (log q - psi(k q) + psi(k)), that of q = 1/N."""
    k = ball(_K)
    offset = k.log() - k.digamma()
    return _CELLS * (_excess(_K / _N) / k - offset / _N)


def _separate_by_spans() -> Span:
    """Enclose the same with psi(x) = psi(x+1) - 1/x, and no F."""
    x = span(_K / _N)
    psi = span(_K / _N + 1).digamma() - span(1) / x
    term = span(Fraction(1, _N)).log() - psi + span(_K).digamma()
    return span(Fraction(_CELLS, _N)) * term


_TWO_MAXIMA = Instance(
    "(62) to (79), grades: the two maxima, each by itself at q = 1/N, add up to at most (79)",
    Worked(
        "n/N (log 1/N - psi(k/N) + psi(k)), k = 20.6, N = 98, n = 5",
        by_balls(_separate_by_balls),
        by_spans(_separate_by_spans),
    ),
    "<=",
    At("dirichlet.utility.expected_kl_bound", {"k": "20.6", "N": _N, "n": _CELLS}),
    {"q = 1/N is in the range (60)": Fraction(1, _N) <= Fraction(_N - _CELLS + 1, _N)},
)
_TRIGAMMA = Instance(
    "before (73): trigamma is negative, tried at 1",
    Worked(
        "trigamma(1)",
        by_balls(lambda: trigamma(arb(1))),
        by_spans(lambda: trigamma_in_spans(Fraction(1), BITS)),
    ),
    "<",
    Exactly("0"),
    {"x > 0": Fraction(1) > 0},
)


def _said_to_increase(x: Fraction) -> Worked:
    """Return |x psi'(x)| - |psi(x)| where psi is positive, in spans by psi(x) = psi(x+1) - 1/x."""
    return Worked(
        f"{x} psi'({x}) - psi({x})",
        by_balls(lambda: ball(x) * trigamma(ball(x)) - ball(x).digamma()),
        by_spans(
            lambda: (
                span(x) * trigamma_in_spans(x, BITS) - (span(x + 1).digamma() - span(1) / span(x))
            )
        ),
    )


_INCREASING = Instance(
    "between (74) and (75): |x psi'(x)| - |psi(x)| is increasing, tried at 3/2 and 2",
    _said_to_increase(Fraction(3, 2)),
    "<",
    _said_to_increase(Fraction(2)),
    {"3/2 <= x, as the page has it": Fraction(3, 2) < 2},  # noqa: PLR2004
)


# The steps before (74) and in (76) to (78), where q_1 of (69) begins at 1/N.
_LEAST_X = _K / _N
_IN_69 = {"1/N is in the range (69)": Fraction(1, _N) <= Fraction(_N - _CELLS + 1, _N)}


def _trigamma_at(x: Fraction, of: str) -> Worked:
    return Worked(
        of, by_balls(lambda: trigamma(ball(x))), by_spans(lambda: trigamma_in_spans(x, BITS))
    )


_AT_LEAST_3_HALVES = Instance(
    "before (74), grades: x = k q_1 is at least 3/2 where q_1 is at least 1/N, as in (69)",
    Exactly(str(_LEAST_X), "k/N, k = 20.6, N = 98"),
    ">=",
    Exactly("3/2"),
    _IN_69,
)
_PSI_IS_POSITIVE = Instance(
    "before (74), grades: psi(k q_1) is positive there, so that |psi| may stand for psi",
    Worked(
        "psi(k/N), k = 20.6, N = 98",
        by_balls(lambda: ball(_LEAST_X).digamma()),
        by_spans(lambda: span(_LEAST_X + 1).digamma() - span(1) / span(_LEAST_X)),
    ),
    ">",
    Exactly("0"),
    _IN_69,
)
_X_FOR_K = Instance(
    "(76), grades: what stands for trigamma(k) is trigamma(x), x = k q_1, tried at q_1 = 1/N",
    _trigamma_at(_K, "trigamma(20.6)"),
    "=",
    _trigamma_at(_LEAST_X, "trigamma(20.6/98)"),
    _IN_69,
)
_NO_FACTOR = Instance(
    "the middle of (78), grades: the integral of e^(-kt) over t > 0 is k (1/k)",
    Exactly(str(1 / _K), "1/k, k = 20.6"),
    "=",
    Exactly("1", "k (1/k)"),
    {"k > 0": _K > 0},
)
C3_STEPS = (
    _TRIGAMMA,
    _INCREASING,
    _TWO_MAXIMA,
    _AT_LEAST_3_HALVES,
    _PSI_IS_POSITIVE,
    _X_FOR_K,
    _NO_FACTOR,
)


def _gap(k: str, counts: tuple[int, ...]) -> Instance:
    """Return that the bound exceeds the mean of these counts, with both numbers."""
    law = texts([Fraction(count, _N) for count in counts])
    return Instance(
        f"k = {k}, counts {counts}: the mean is below the bound of Corollary 1",
        At("dirichlet.utility.expected_kl", {"p": law, "k": k}),
        "<",
        At("dirichlet.utility.expected_kl_bound", {"k": k, "N": _N, "n": _CELLS}),
    )


STATEMENTS = (
    Statement(
        "benvenuti2025.theorem-2",
        "theorem",
        "3.1 Theorem 2, (8); C.2",
        "The mean divergence of the private counts is sum C_i (log C_i + psi(k) - psi(k C_i)).",
        _NOTE,
        (_MEAN,),
        ("all shares positive", "k > 0"),
    ),
    Statement(
        "benvenuti2025.corollary-1",
        "corollary",
        "3.1 Corollary 1; C.3 (79), (80)",
        "That mean is at most its value for the counts (1, ..., 1, N-n+1).",
        _NOTE,
        (WORST,),
        ("all counts positive", "k > 0"),
        of_proof=C3_STEPS,
    ),
    Statement(
        "benvenuti2025.corollary-1-proof",
        "equation",
        "C.3 (62) to (79)",
        "Trigamma is negative; x = k q_1 is at least 3/2, and psi(x) positive; |x psi'(x)| - "
        "|psi(x)| increases; (76) and (78); the two separate maxima of (62) add up to (79).",
        _NOTE,
        C3_STEPS,
        ("the numbers of section 6.1",),
    ),
    Statement(
        "benvenuti2025.corollary-1-proof-repaired",
        "repair",
        "ours, for C.3",
        "(79) is the joint maximum, since F(x) = x (log x - psi(x)) is convex.",
        _NOTE,
        (WORST,),
        ("k > 0",),
        repairs="benvenuti2025.corollary-1-proof",
    ),
    Statement(
        "benvenuti2025.corollary-1-tightness",
        "figure",
        "6.1; Figure 1",
        "The bound of Corollary 1 comes nearer to the mean divergence as privacy weakens.",
        _NOTE,
        (
            Proof(
                _PLACE + "the-gap-falls-with-k",
                "the difference falls strictly with k, to 0, unless it is 0 throughout",
                (
                    Formula(
                        "(7): the slope is minus a variance", at_precision(_slope_is_the_variance)
                    ),
                    Formula("(8): x^2 trigamma(x) is convex", at_precision(_squares_are_convex)),
                    Formula("the gap at drawn counts", at_precision(_gap_falls)),
                ),
            ),
            _gap("20.6", EVEN),
            _gap("20.6", UNEVEN),
            _gap("110.6", EVEN),
            _gap("110.6", UNEVEN),
        ),
        ("the difference of bound and mean is meant, and epsilon rises with k",),
        readings=(
            Reading(
                "the bound is close to the mean for all epsilon",
                (NotDecidable("close is not quantified"),),
            ),
        ),
    ),
    Statement(
        "benvenuti2025.equation-15-16",
        "equation",
        "B (15), (16); C.2 (49)",
        "Trigamma is the sum of 1/(x+n)^2, and E log X = psi(a) - psi(a+b) for Beta(a, b).",
        _NOTE,
        (
            Proof(
                _PLACE + "trigamma-is-a-sum",
                "log Gamma's product, differentiated twice",
                (Formula("(9): 300 terms and the rest", at_precision(_trigamma_is_its_series)),),
            ),
            _MEAN,
        ),
        ("x, a, b > 0",),
    ),
    Statement(
        "benvenuti2025.lemma-4",
        "lemma",
        "B Lemma 4, (18), (19)",
        "The weighted mean divergence of a chain is (18), and at most L of (19).",
        _NOTE,
        (
            _MEAN,
            Proof(
                "markov-printed.md#printed-l-bounds-the-divergence",
                "row by row by Corollary 1, with fewer feasible transitions as well",
                (Formula("drawn chains, zeros among them", at_precision(printed_l_is_above)),),
            ),
        ),
        ("irreducible", "N_i >= n", "k_i > 0"),
    ),
)
