"""Section 3.1 and appendices B and C: mean divergences of private counts and of private chains."""

from __future__ import annotations

from fractions import Fraction

from flint import arb

from ....reference.arb.balls import ball
from ....reference.arb.gamma import trigamma
from ....reference.second.directed import Span
from ....reference.second.trigamma import trigamma as trigamma_in_spans
from ..entries import Claim
from ..evidence import Formula, Instance, Proof
from ..forms import BITS, at_precision, by_balls, by_spans, span, texts
from ..values import At, Exactly, Worked
from .divergence_formulas import (
    divergences_are_sums,
    excess,
    excess_is_convex_and_falls,
    gap_falls,
    log_means_are_digammas,
    printed_l_is_above,
    slope_is_the_variance,
    squares_are_convex,
    trigamma_is_its_series,
    vertex_has_the_largest,
)

_NOTE = "benvenuti2025/divergence.md"
_PLACE = "benvenuti2025/divergence.md#"
_K, _N, _CELLS = Fraction("20.6"), 98, 5
# All counts at least 8, as eta = 0.073 asks of 98 records: the least and the most even ones.
EVEN, UNEVEN = (19, 19, 20, 20, 20), (8, 8, 8, 8, 66)

MEAN = Proof(
    "utility.md#expected-divergence",
    "E log x_i = psi(k C_i) - psi(k)",
    (
        Formula("(3): whole parameters, by parts", at_precision(log_means_are_digammas)),
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
    return _CELLS * (excess(_K / _N) / k - offset / _N)


def _separate_by_spans() -> Span:
    """Enclose the same with psi(x) = psi(x+1) - 1/x, and no F."""
    x = span(_K / _N)
    psi = span(_K / _N + 1).digamma() - span(1) / x
    term = span(Fraction(1, _N)).log() - psi + span(_K).digamma()
    return span(Fraction(_CELLS, _N)) * term


TWO_MAXIMA = Instance(
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
TRIGAMMA = Instance(
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


def _gap(k: str, counts: tuple[int, ...]) -> Instance:
    """Return that the bound exceeds the mean of these counts, with both numbers."""
    law = texts([Fraction(count, _N) for count in counts])
    return Instance(
        f"k = {k}, counts {counts}: the mean is below the bound of Corollary 1",
        At("dirichlet.utility.expected_kl", {"p": law, "k": k}),
        "<",
        At("dirichlet.utility.expected_kl_bound", {"k": k, "N": _N, "n": _CELLS}),
    )


CLAIMS = (
    Claim(
        "benvenuti2025.theorem-2",
        "theorem",
        "3.1 Theorem 2, (8); C.2",
        "The mean divergence of the private counts is sum C_i (log C_i + psi(k) - psi(k C_i)).",
        _NOTE,
        (MEAN,),
        ("all shares positive", "k > 0"),
    ),
    Claim(
        "benvenuti2025.corollary-1",
        "corollary",
        "3.1 Corollary 1; C.3 (79), (80)",
        "That mean is at most its value for the counts (1, ..., 1, N-n+1).",
        _NOTE,
        (WORST,),
        ("all counts positive", "k > 0"),
        of_proof=(TRIGAMMA, TWO_MAXIMA),
    ),
    Claim(
        "benvenuti2025.corollary-1-proof",
        "equation",
        "C.3 (62) to (79)",
        "Trigamma is negative, and the two separate maxima of (62) add up to (79).",
        _NOTE,
        (TRIGAMMA, TWO_MAXIMA),
        ("the numbers of section 6.1",),
        garbled="(76) has x for k, and the middle of (78) lacks a factor k.",
    ),
    Claim(
        "benvenuti2025.corollary-1-proof-repaired",
        "repair",
        "ours, for C.3",
        "(79) is the joint maximum, since F(x) = x (log x - psi(x)) is convex.",
        _NOTE,
        (WORST,),
        ("k > 0",),
        repairs="benvenuti2025.corollary-1-proof",
    ),
    Claim(
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
                        "(7): the slope is minus a variance", at_precision(slope_is_the_variance)
                    ),
                    Formula("(8): x^2 trigamma(x) is convex", at_precision(squares_are_convex)),
                    Formula("the gap at drawn counts", at_precision(gap_falls)),
                ),
            ),
            _gap("20.6", EVEN),
            _gap("20.6", UNEVEN),
            _gap("110.6", EVEN),
            _gap("110.6", UNEVEN),
        ),
        ("the difference of bound and mean is meant, and epsilon rises with k",),
    ),
    Claim(
        "benvenuti2025.equation-15-16",
        "equation",
        "B (15), (16); C.2 (49)",
        "Trigamma is the sum of 1/(x+n)^2, and E log X = psi(a) - psi(a+b) for Beta(a, b).",
        _NOTE,
        (
            Proof(
                _PLACE + "trigamma-is-a-sum",
                "log Gamma's product, differentiated twice",
                (Formula("(9): 300 terms and the rest", at_precision(trigamma_is_its_series)),),
            ),
            MEAN,
        ),
        ("x, a, b > 0",),
    ),
    Claim(
        "benvenuti2025.lemma-4",
        "lemma",
        "B Lemma 4, (18), (19)",
        "The weighted mean divergence of a chain is (18), and at most L of (19).",
        _NOTE,
        (
            MEAN,
            Proof(
                "markov-printed.md#printed-l-bounds-the-divergence",
                "row by row by Corollary 1, with fewer feasible transitions as well",
                (Formula("drawn chains, zeros among them", at_precision(printed_l_is_above)),),
            ),
        ),
        ("irreducible", "N_i >= n", "k_i > 0"),
    ),
)
