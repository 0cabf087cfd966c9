"""Section III-A: the probability of the good set, and for which input it is least."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, pairwise
from math import comb

from flint import arb, fmpq, fmpq_mat

from ....reference.arb.balls import ball
from ....reference.dirichlet.tail import Miss, probability
from ..evidence import Formula, Instance, NotDecidable, Proof, Sampled
from ..statement import Reading, Statement
from ..values import Exactly, at_precision, draws
from .inputs import good_mass
from .privacy import GOOD_SET

# Formulas of the notes on the good set, tried at exact points.

_TRIALS = 25
_PAIRS = 120


def _squares_of_half() -> bool:
    """Whether (x (1-x))^(-1/2), squared or multiplied out, gives 4 and 16/3."""
    middle, (one, other) = Fraction(1, 2), (Fraction(1, 4), Fraction(3, 4))
    product = 1 / (one * (1 - one) * other * (1 - other))  # its root is 16/3
    return (1 / (middle * (1 - middle)), product) == (Fraction(4), Fraction(16, 3) ** 2)


def pooled_integrals_agree() -> bool:
    """Whether the integral over three coordinates is Lemma 1's over two, W = {1, 2}, n = 4."""
    low = Fraction(1, 10)
    return all(
        good_mass((a, b, c, d), low, 2) == good_mass((a, b, c + d), low, 2)
        for a, b, c, d in ((1, 2, 1, 2), (2, 1, 3, 1), (2, 3, 1, 1), (3, 3, 2, 4))
    )


def tail_is_the_pooled_integral() -> bool:
    """Whether the reference's tail is 1 less Lemma 1's integral, whole parameters."""
    for random in draws(1, _TRIALS):
        a, b, c = (random.randint(1, 6) for _ in range(3))
        gamma = Fraction(random.randint(1, 49), 100)
        missed = probability(Miss.of([Fraction(a), Fraction(b)], Fraction(c), gamma))
        if not (1 - missed).overlaps(ball(good_mass((a, b, c), gamma, 2))):
            return False
    return True


def _middles_tried() -> tuple[int, int]:
    """Return how many pairs of inputs were tried, and how many have P(middle)^2 < P P'."""
    failed = 0
    for random in draws(2, _PAIRS):
        w, k = random.randint(2, 3), Fraction(random.randint(1, 400), random.choice((4, 40)))
        rows = [[random.randint(1, 12) for _ in range(w + 1)] for _ in range(2)]
        first, second = ([k * x / sum(row) for x in row] for row in rows)
        failed += fails_in_the_middle(first, second, Fraction(random.randint(1, 99), 100 * w))
    return _PAIRS, failed


def fails_in_the_middle(first: list[Fraction], second: list[Fraction], gamma: Fraction) -> bool:
    """Whether P(good set)^2 at the middle of two inputs is certainly below the product at both."""
    between = [(x + y) / 2 for x, y in zip(first, second, strict=True)]
    return bool(_good(between, gamma) ** 2 < _good(first, gamma) * _good(second, gamma))


def _good(parameters: list[Fraction], gamma: Fraction) -> arb:
    return 1 - probability(Miss.of(parameters[:-1], parameters[-1], gamma))


def _single_middles_are_larger() -> bool:
    """Whether P(x >= gamma) at the middle of two inputs is above the mean of their logarithms."""
    for random in draws(3, _TRIALS):
        k = Fraction(random.randint(1, 400), random.choice((2, 200)))
        shares = sorted(Fraction(x, 100) for x in random.sample(range(1, 100), 2))
        gamma = Fraction(random.randint(1, 99), 100)
        ends = [_good([k * share, k - k * share], gamma) for share in shares]
        share = sum(shares, Fraction(0)) / 2
        if not bool(_good([k * share, k - k * share], gamma) ** 2 > ends[0] * ends[1]):
            return False
    return True


def _residual_lives_fall() -> bool:
    """Whether m(c) of the logistic law, k = 2 and p = 1/2, falls along c = -3, ..., 3."""
    lives = [(1 + arb(c).exp()) * (1 + arb(-c).exp()).log() for c in range(-3, 4)]
    return all(bool(one > other) for one, other in pairwise(lives))


def _vertices_of_w() -> bool:
    """Whether there are |W| + 1 vertices in p_W, at most |W|(|W|+1)/2."""
    return all(count_of_vertices(w, w) == w + 1 <= w * (w + 1) // 2 for w in range(2, 6))


def count_of_vertices(w: int, n: int) -> int:
    """Return how many vertices the closed bordered simplex has, by enumeration.

    n = w stands for the coordinates of W alone, n > w for all n, which sum to 1. The bounds are
    eta = 1/(2w+2) below on W, 0 below elsewhere, and 1 - eta_bar = 1 - eta above on W's sum.
    """
    eta = Fraction(1, 2 * w + 2)
    found = set()
    for tight in combinations(range(n + 1), n if n == w else n - 1):
        point = _where(tight, w, n, eta)
        if point is not None and _is_inside(point, w, eta):
            found.add(point)
    return len(found)


def _where(tight: tuple[int, ...], w: int, n: int, eta: Fraction) -> tuple[Fraction, ...] | None:
    """Return the point where these bounds are met, if there is one alone."""
    rows = [_row(bound, w, n, eta) for bound in tight]
    if n > w:
        rows.append(([1] * n, Fraction(1)))
    left = fmpq_mat(n, n, [fmpq(x) for row, _ in rows for x in row])
    if left.det() == 0:
        return None
    right = fmpq_mat(n, 1, [fmpq(v.numerator, v.denominator) for _, v in rows])
    return tuple(Fraction(int(x.p), int(x.q)) for x in left.solve(right).entries())


def _row(bound: int, w: int, n: int, eta: Fraction) -> tuple[list[int], Fraction]:
    if bound == n:
        return [int(at < w) for at in range(n)], 1 - eta
    return [int(at == bound) for at in range(n)], eta if bound < w else Fraction(0)


def _is_inside(point: tuple[Fraction, ...], w: int, eta: Fraction) -> bool:
    return min(point[:w]) >= eta and min(point) >= 0 and sum(point[:w]) <= 1 - eta


def _points_of_tail(seed: int) -> Iterator[tuple[int, Fraction, Fraction, list[Fraction]]]:
    """Yield |W|, floor, rest and an increasing list of gammas below 1/|W|."""
    for random in draws(seed, _TRIALS):
        w = random.randint(1, 4)
        floor, rest = (Fraction(random.randint(1, 60), 10) for _ in range(2))
        gammas = sorted(Fraction(x, 100 * w) for x in random.sample(range(1, 100), 3))
        yield w, floor, rest, gammas


def tail_rises_with_gamma() -> bool:
    """Whether delta rises strictly with gamma."""
    for w, floor, rest, gammas in _points_of_tail(4):
        found = [probability(Miss.of([floor] * w, rest, gamma)) for gamma in gammas]
        if not all(bool(one < other) for one, other in pairwise(found)):
            return False
    return True


_NOTE = "gohari2020/good-set.md"
_DOMAIN = ("p in the bordered simplex, k > 0", "W a part of 1..n-1, |W| gamma < 1")

# Vertices with |W| = 1 in p_W, and with |W| = 2 in all four coordinates.
_OF_ONE, _OF_FOUR = 2, 6


def _density(a: int, total: int, x: str) -> Fraction:
    """Return the density of Beta(a, total - a) at x, whole parameters."""
    at = Fraction(x)
    scale = a * comb(total - 1, a)
    return scale * at ** (a - 1) * (1 - at) ** (total - a - 1)


def _product(a: int, other: int, x: str, y: str) -> Fraction:
    return _density(a, 6, x) * _density(other, 6, y)


NOT_JOINTLY = Instance(
    "(1) W = {1}, k = 6: f(x, p)^2 >= f(u, p_u) f(v, p_v) at p_u = 1/6, p_v = 1/2, u = 1/1000, "
    "v = 21/1000, and x = 11/1000, p = 1/3 in their middle",
    Exactly(str(_product(2, 2, "11/1000", "11/1000")), "f(11/1000, 1/3)^2"),
    ">=",
    Exactly(str(_product(1, 3, "1/1000", "21/1000")), "f(1/1000, 1/6) f(21/1000, 1/2)"),
    {
        "x is in the middle": Fraction(11, 1000) == (Fraction(1, 1000) + Fraction(21, 1000)) / 2,
        "p is in the middle": Fraction(1, 3) == (Fraction(1, 6) + Fraction(1, 2)) / 2,
        "k p_i >= 1 and k (1 - p_i) >= 1 for all three": all(
            6 * p >= 1 and 6 * (1 - p) >= 1
            for p in (Fraction(1, 6), Fraction(1, 3), Fraction(1, 2))
        ),
        "all three lie in the domain of eta = 1/6, eta_bar = 1/2": Fraction(1, 2)
        <= 1 - Fraction(1, 2),
    },
)
_NOT_IN_X = Instance(
    "(2) W = {1}, k = 1, p_1 = 1/2: f(1/2, p)^2 >= f(1/4, p) f(3/4, p), times pi^2",
    Exactly("4", "pi^2 f(1/2, 1/2)^2"),
    ">=",
    Exactly("16/3", "pi^2 f(1/4, 1/2) f(3/4, 1/2)"),
    {
        "pi f(x, 1/2) is (x (1-x))^(-1/2)": _squares_of_half(),
        "1/2 is in the middle": Fraction(1, 4) + Fraction(3, 4) == 1,
    },
)

STATEMENTS = (
    Statement(
        "gohari2020.lemma-1",
        "lemma",
        "III-A Lemma 1, (5), (6)",
        "P(good set) is an integral over W's coordinates alone, all others pooled into one.",
        _NOTE,
        (
            Proof(
                f"{_NOTE}#pooling",
                "coordinates outside W add up to one of a Dirichlet law",
                (
                    Formula("(3): both integrals, whole parameters", pooled_integrals_agree),
                    Formula(
                        "(3): the tail does not see how the rest is divided",
                        at_precision(tail_is_the_pooled_integral),
                    ),
                ),
            ),
        ),
        _DOMAIN,
        garbled="The inner regions are printed A_(n-2), A_(n-3) for A_(n-1), A_(n-2); k in R+.",
    ),
    Statement(
        "gohari2020.lemma-2",
        "lemma",
        "III-A Lemma 2; appendix -A",
        "P(good set) is a log-concave function of the input (and so said in section I).",
        _NOTE,
        (
            Sampled(
                "P(middle)^2 >= P P' for two inputs and their middle, |W| = 2 and 3",
                at_precision(_middles_tried),
            ),
        ),
        _DOMAIN,
        readings=(
            Reading(
                "for |W| = 1",
                (
                    Proof(
                        f"{_NOTE}#one-protected-coordinate",
                        "cutting a log-concave law off at one side makes its variance smaller",
                        (
                            Formula(
                                "(4): P(middle)^2 > P P', one coordinate",
                                at_precision(_single_middles_are_larger),
                            ),
                            Formula(
                                "(5): mean residual lives fall",
                                at_precision(_residual_lives_fall),
                            ),
                        ),
                    ),
                ),
            ),
        ),
        of_proof=(NOT_JOINTLY, _NOT_IN_X),
        garbled="The appendix's Hessian has digamma for trigamma and x for p; p_W lacks its rest.",
    ),
    Statement(
        "gohari2020.lemma-2-proof-step",
        "equation",
        "appendix -A, (24) and the use of Theorem 3",
        "The density is log-concave in x by (24), and, as Theorem 3 needs it, in (x, p).",
        _NOTE,
        (NOT_JOINTLY,),
        ("k p_i >= 1 on W and k (1 - sum over W of p) >= 1: the appendix says so, wrongly",),
        readings=(Reading("(24) for every k > 0, as Lemma 2 has it", (_NOT_IN_X,)),),
        garbled="The numbers of (26) to (28) are lost where they are referred to.",
    ),
    Statement(
        "gohari2020.equation-8-delta",
        "equation",
        "III-A (8)",
        "delta, 1 less the least P(good set), bounds how often each input misses the good set.",
        _NOTE,
        (GOOD_SET,),
        _DOMAIN,
    ),
    Statement(
        "gohari2020.delta-at-vertices",
        "remark",
        "III-A, after (8)",
        "The least P(good set) is at a vertex, of which there are at most |W|(|W|+1)/2.",
        _NOTE,
        (
            GOOD_SET,
            Proof(
                f"{_NOTE}#vertices",
                "the bordered simplex is a simplex in p_W, with |W| + 1 vertices",
                (Formula("(6): |W| from 2 to 5, enumerated", _vertices_of_w),),
            ),
        ),
        (*_DOMAIN, "|W| >= 2, as for neighbours; vertices of the closure, in the coordinates of W"),
        readings=(
            Reading(
                "with |W| = 1",
                (
                    Instance(
                        "(6) |W| = 1: at most |W|(|W|+1)/2 vertices",
                        Exactly(str(_OF_ONE), "vertices eta and 1 - eta_bar"),
                        "<=",
                        Exactly("1", "|W|(|W|+1)/2"),
                        {"both are vertices": count_of_vertices(1, 1) == _OF_ONE},
                    ),
                ),
            ),
            Reading(
                "with the vertices counted in all n coordinates",
                (
                    Instance(
                        "(7) n = 4, |W| = 2: at most |W|(|W|+1)/2 vertices",
                        Exactly(str(_OF_FOUR), "vertices, enumerated"),
                        "<=",
                        Exactly("3", "|W|(|W|+1)/2"),
                        {"so many are enumerated": count_of_vertices(2, 4) == _OF_FOUR},
                    ),
                ),
            ),
            Reading(
                "the minimum is found in time O(|W|^2)",
                (
                    NotDecidable(
                        "a running time: each of the vertices asks for an integral over |W| "
                        "coordinates, whose cost is not said; one evaluation is enough"
                    ),
                ),
            ),
        ),
    ),
)
