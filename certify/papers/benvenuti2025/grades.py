"""Section 6.1: the numbers that are printed for the grades."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import reduce

from flint import arb

from ....reference.arb.balls import ball
from ....reference.dirichlet.good_set import good_set_epsilon
from ....reference.enclosure import Enclosure
from ....reference.second.directed import Span, hull
from ..evidence import Formula, Instance, NotDecidable, Proof, Reproduced
from ..statement import Reading, Statement
from ..values import (
    At,
    Enclosed,
    Exactly,
    Value,
    Worked,
    at_precision,
    by_balls,
    by_spans,
    draws,
    span,
    texts,
)
from .divergence import EVEN, UNEVEN, WORST

_NOTE = "benvenuti2025/grades.md"
_PLACE = "benvenuti2025/grades.md#"
_N, _CELLS = 98, 5
_ETA, _GAMMA = Fraction("0.073"), Fraction("0.0004")
# Every k with (6) in [3.30, 3.32], and so whatever rounds to 3.31, lies between these.
_LEAST_K, _MOST_K, _PIECES = Fraction("31.06"), Fraction("31.26"), 40


@dataclass(frozen=True)
class _Between:
    """A number that lies between two others, each in its place."""

    of: str
    least: Value
    most: Value

    def enclosed(self) -> Enclosed:
        """Return from the lower end of the one to the upper end of the other, each way."""
        low, high = self.least.enclosed(), self.most.enclosed()
        first = Enclosure(low.first.low, high.first.high)
        return Enclosed(self.of, first, Enclosure(low.second.low, high.second.high))


def epsilon(k: str, eta: str = "0.073", gamma: str = "0.0004") -> At:
    """Return (6)."""
    given = {"k": k, "eta": eta, "N": _N, "n": _CELLS, "gamma": gamma}
    return At("dirichlet.counts.epsilon_bound", given)


def _delta(k: str, eta: str = "0.073", gamma: str = "0.0004") -> At:
    """Return (7) over the bordered simplex."""
    return At("dirichlet.counts.delta_bound", {"k": k, "eta": eta, "n": _CELLS, "gamma": gamma})


def _exact_delta(k: Fraction, at: str) -> At:
    """Return the exact conventional delta of all neighbours with shares of at least eta."""
    pair = {"alpha": str(k * _ETA), "step": str(k / _N), "epsilon": at}
    return At("dirichlet.profile.delta", pair)


ROUNDED = _Between(
    "(6) over k in [20.55, 20.65], eta in [0.0725, 0.0735], gamma in [0.00035, 0.00045]",
    epsilon("20.55", "0.0735", "0.00045"),
    epsilon("20.65", "0.0725", "0.00035"),
)


def _pieces() -> list[tuple[Fraction, Fraction]]:
    """Return the interval of k cut into equal pieces: on a wide one nothing is narrow."""
    width = (_MOST_K - _LEAST_K) / _PIECES
    return [(_LEAST_K + at * width, _LEAST_K + (at + 1) * width) for at in range(_PIECES)]


def _bracket_in_balls(least: Fraction, most: Fraction) -> arb:
    """Enclose (7) for all these k: 1 - prod (1 - I_i) and sum I_i, I_i one coordinate's."""
    k = ball(least).union(ball(most))
    rest = 1 - (_CELLS - 1) * _ETA
    small = ball(_GAMMA).beta_lower(k * ball(_ETA), k * ball(1 - _ETA), regularized=1)
    large = ball(_GAMMA).beta_lower(k * ball(rest), k * ball(1 - rest), regularized=1)
    return (1 - (1 - small) ** (_CELLS - 1) * (1 - large)).union((_CELLS - 1) * small + large)


def _every_bracket_in_balls() -> arb:
    return reduce(arb.union, (_bracket_in_balls(*piece) for piece in _pieces()))


def _share_in_spans(k: Span, p: Fraction) -> Span:
    """Enclose I_gamma(k p, k (1-p)) by x^a (1-x)^b/(a B(a, b)) and a geometric series after it."""
    a, b = k * span(p), k * span(1 - p)
    log = a * span(_GAMMA).log() + b * span(1 - _GAMMA).log() - a.log()
    front = (log + k.lgamma() - a.lgamma() - b.lgamma()).exp()
    # The series is sum (a+b)_n/(a+1)_n x^n, whose ratios are at most (a+b+1)/(a+1) x.
    ratio = span(_GAMMA) * (a + b + span(1)) / (a + span(1))
    return Span(front.low, (front / (span(1) - ratio)).high)


def _bracket_in_spans(least: Fraction, most: Fraction) -> Span:
    k, rest = hull(span(least), span(most)), 1 - (_CELLS - 1) * _ETA
    small, large, one = _share_in_spans(k, _ETA), _share_in_spans(k, rest), span(1)
    kept = (one - small) * (one - small) * (one - small) * (one - small) * (one - large)
    return hull(one - kept, span(_CELLS - 1) * small + large)


def _every_bracket_in_spans() -> Span:
    return reduce(hull, (_bracket_in_spans(*piece) for piece in _pieces()))


SECOND_DELTA = Worked(
    "(7) for every k in [31.06, 31.26]",
    by_balls(_every_bracket_in_balls),
    by_spans(_every_bracket_in_spans),
)


def _epsilon_falls_with_eta_and_gamma() -> bool:
    """Whether (6) falls with eta and with gamma, and rises with k, at drawn numbers."""
    for random in draws(81, 30):
        k = Fraction(random.randint(2050, 2065), 100)
        eta, gamma = (
            Fraction(random.randint(700, 740), 10**4),
            Fraction(random.randint(30, 50), 10**5),
        )
        more = Fraction(random.randint(1, 9), 10**5)

        def at(k: Fraction, eta: Fraction, gamma: Fraction) -> arb:
            return good_set_epsilon(k, eta, eta, Fraction(1, _N), _CELLS, gamma)

        here = at(k, eta, gamma)
        others = (
            at(k, eta + more, gamma),
            at(k, eta, gamma + more),
            -at(k + more, eta, gamma) + 2 * here,
        )
        if not all(bool(other < here) for other in others):
            return False
    return True


_MONOTONE = Proof(
    _PLACE + "corners-of-the-inputs",
    "(6) rises with k and falls with eta and gamma, so that two corners bound it",
    (Formula("(1): drawn inputs", at_precision(_epsilon_falls_with_eta_and_gamma)),),
    decides=False,
)
_ADMISSIBLE = ("N = 98, n = 5, eta = 0.073, gamma = 0.0004, as the section chooses them",)


def _mean(counts: tuple[int, ...]) -> At:
    law = texts([Fraction(count, _N) for count in counts])
    return At("dirichlet.utility.expected_kl", {"p": law, "k": "20.6"})


STATEMENTS = (
    Statement(
        "benvenuti2025.section-6-1-k",
        "number",
        "6.1, k from 20.6",
        "20.6 is the least k that Assumption 4 allows at eta = 0.073, to a tenth.",
        _NOTE,
        (
            Reproduced(
                "3/(2 eta)",
                "20.6",
                Exactly(str(3 / (2 * _ETA)), "3/(2 eta), eta = 0.073"),
                bound="upper",
            ),
        ),
        ("eta = 0.073",),
    ),
    Statement(
        "benvenuti2025.section-6-1-epsilon",
        "number",
        "6.1, (2.255, 0.0026)",
        "At k = 20.6 the grades have epsilon = 2.255 and delta = 0.0026 by (6) and (7).",
        _NOTE,
        (
            Reproduced("(6) at k = 20.6", "2.255", epsilon("20.6")),
            Reproduced("(7) at k = 20.6", "0.0026", _delta("20.6")),
        ),
        _ADMISSIBLE,
        readings=(
            Reading(
                "the inputs are rounded as they are printed",
                (
                    _MONOTONE,
                    Reproduced("(6) over the rounded inputs", "2.255", ROUNDED),
                    Reproduced(
                        "(7) at k = 20.55, eta = 0.0725, gamma = 0.00045",
                        "0.0026",
                        _delta("20.55", "0.0725", "0.00045"),
                    ),
                ),
            ),
            Reading(
                "k = 3/(2 eta) before it is rounded",
                (
                    Reproduced(
                        "(6) at k = 3/(2 eta)",
                        "2.255",
                        At(
                            "dirichlet.counts.epsilon_minimum",
                            {"eta": "0.073", "N": _N, "n": _CELLS, "gamma": "0.0004"},
                        ),
                    ),
                ),
            ),
            Reading(
                "(7) over counts of 98 records, whose least share is 8/98",
                (Reproduced("(7) at the floor 8/98", "0.0026", _delta("20.6", "8/98")),),
            ),
            Reading(
                "the release is (2.255, 0.0026)-differentially private",
                (
                    Instance(
                        "the exact delta at 2.255 is at most 0.0026",
                        _exact_delta(Fraction("20.6"), "2.255"),
                        "<=",
                        Exactly("0.0026"),
                        decides=True,
                    ),
                ),
            ),
        ),
    ),
    Statement(
        "benvenuti2025.section-6-1-second-pair",
        "number",
        "6.1, (3.31, 1.3e-4)",
        "Where (6) is 3.31, (7) is 1.3e-4.",
        _NOTE,
        (
            Instance("k = 31.06 is too small", epsilon("31.06"), "<", Exactly("3.305")),
            Instance("k = 31.26 is too large", epsilon("31.26"), ">", Exactly("3.315")),
            Reproduced("(7) for every k where (6) rounds to 3.31", "0.00013", SECOND_DELTA),
        ),
        _ADMISSIBLE,
        readings=(
            Reading(
                "k is of the section's grid 20.6, 21.6, ..., 110.6, and (6) rounds to 3.31",
                (
                    Instance(
                        "k = 30.6: (6) is at least 3.305", epsilon("30.6"), ">=", Exactly("3.305")
                    ),
                    Instance(
                        "k = 31.6: (6) is at most 3.315", epsilon("31.6"), "<=", Exactly("3.315")
                    ),
                ),
            ),
            Reading(
                "the release at the k where (6) is 3.31 is (3.31, 1.3e-4)-differentially private",
                (
                    Instance(
                        "the exact delta at 3.31 and k = 31.26 is at most 1.3e-4",
                        _exact_delta(_MOST_K, "3.31"),
                        "<=",
                        Exactly("0.00013"),
                        decides=True,
                    ),
                ),
            ),
        ),
    ),
    Statement(
        "benvenuti2025.section-6-1-kl",
        "number",
        "6.1, mean divergence 0.103",
        "At the smallest epsilon the mean divergence of the private grades is 0.103.",
        _NOTE,
        (
            NotDecidable("the counts are not printed, and the mean was sampled from 2000 draws"),
            Instance(
                "the most even counts have less than 0.1035", _mean(EVEN), "<", Exactly("0.1035")
            ),
            Instance(
                "the most uneven counts have more than 0.1025",
                _mean(UNEVEN),
                ">",
                Exactly("0.1025"),
            ),
            Proof(
                WORST.note,
                "all other counts with shares of at least eta lie between these two",
                WORST.formulas,
                decides=False,
            ),
        ),
        _ADMISSIBLE,
    ),
)
