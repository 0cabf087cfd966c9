"""Section III-B from Lemma 5 on: Beta bounds, Figure 1, and the choice of gamma by (16)."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from random import Random
from typing import NamedTuple

from flint import arb

from ....reference.arb.balls import ball, enclosure_of, working_precision
from ....reference.arb.gamma import log_beta, log_beta_change
from ....reference.dirichlet.identity import epsilon_bound, epsilon_simplified
from ....reference.enclosure import Enclosure
from ....reference.second.directed import Span
from ..evidence import Formula, Instance, Proof
from ..statement import Statement
from ..values import (
    BITS,
    At,
    Exactly,
    Worked,
    as_ball,
    at_precision,
    by_balls,
    by_spans,
    draws,
    fractions,
    meets,
    span,
)
from .good_set import tail_rises_with_gamma
from .inputs import Setting, exchanged
from .privacy import RANGES

# Formulas of the notes on the Beta bounds and gamma, tried at exact points.

_TRIALS = 30
_HALF_STEP = Fraction("0.05")  # b/2 of Figure 1


def _offset(number: int, eta: str, eta_bar: str, k: str) -> Worked:
    """Return by how much Lemma 5 raises epsilon in a case of Figure 1."""
    low, bar, scale = fractions(eta, eta_bar, k)
    first, second, moved = scale * low, scale * (1 - bar - low), scale * _HALF_STEP
    upper = _upper(first, second)

    def by_balls() -> Enclosure:
        with working_precision(BITS):
            change = log_beta_change(first, second, moved)
            return enclosure_of(ball(upper).log() + ball(first + second - 2) - change)

    def by_spans() -> Enclosure:
        bounds: Span = span(upper).log() + span(first + second - 2)
        return (bounds - exchanged(first, second, moved)).enclosure()

    return Worked(
        f"offset of case {number}: eta {eta}, eta_bar {eta_bar}, k {k}", by_balls, by_spans
    )


def _upper(a: Fraction, c: Fraction) -> Fraction:
    return (a + c - 1) / ((2 * a - 1) * (2 * c - 1))


def beta_bounds_hold() -> bool:
    """Whether both bounds are strict: the lower for all a, c > 0, the upper for a, c > 1/2.

    At a = c = 1 both are B; where one of a, c is below 1/2 and the other above, with a + c > 1,
    the upper one is negative.
    """
    half, one = Fraction(1, 2), Fraction(1)
    tiny = half + Fraction(1, 10**9)
    pairs = [
        tuple(Fraction(random.randint(1, 400), random.choice((20, 97, 401))) for _ in range(2))
        for random in draws(1, 60)
    ]
    for a, c in [(tiny, tiny), *(pair for pair in pairs if pair != (one, one))]:
        beta = log_beta(a, c)
        if not ball(2 - a - c) < beta:
            return False
        if min(a, c) > half and not beta < ball(_upper(a, c)).log():
            return False
        if min(a, c) < half < max(a, c) and a + c > 1 and _upper(a, c) >= 0:
            return False
    return _upper(one, one) == 1


def _jensen_on_unit() -> bool:
    """Whether (integral of f)^2 <= integral of f^2 over [0, 1], f = u + v x with exact u, v."""
    for random in draws(2, _TRIALS):
        u, v = (Fraction(random.randint(-9, 9)) for _ in range(2))
        if (u + v / 2) ** 2 > u * u + u * v + v * v / 3:
            return False
    return True


class _Simplified(NamedTuple):
    """A case with both arguments of the upper bound above 1/2 and room for the step."""

    k: Fraction
    eta: Fraction
    eta_bar: Fraction
    b: Fraction
    w: int

    def with_gamma(self, w: int, gamma: Fraction) -> tuple[arb, arb]:
        """Enclose the simplified epsilon and the printed one."""
        given = (self.k, self.eta, self.eta_bar, self.b, w, gamma)
        return as_ball(epsilon_simplified(*given)), as_ball(epsilon_bound(*given))


def _simplified_cases(seed: int, count: int) -> Iterator[tuple[Random, _Simplified]]:
    for random in draws(seed, count):
        eta, bar = Fraction(random.randint(1, 30), 100), Fraction(random.randint(1, 40), 100)
        far = 1 - bar - eta
        k = (1 + Fraction(1, random.randint(1, 50))) / (2 * min(eta, far))
        b = 2 * far * Fraction(random.randint(1, 9), 10)
        yield random, _Simplified(k, eta, bar, b, random.randint(2, 5))


def _log_ratio(w: int, gamma: Fraction) -> arb:
    return ball((1 - (w - 1) * gamma) / gamma).log()


def simplified_bound_holds() -> bool:
    """Whether no height up to b/2 passes the simplified epsilon."""
    for random, at in _simplified_cases(3, 30):
        gamma = Fraction(random.randint(1, 99), 100 * at.w)
        found, _ = at.with_gamma(at.w, gamma)
        a, c = at.k * at.eta, at.k * (1 - at.eta_bar - at.eta)
        for share in range(1, 9):
            moved = at.k * at.b / 2 * Fraction(share, 8)
            height = log_beta_change(a, c, moved) + ball(moved) * _log_ratio(at.w, gamma)
            if not height < found:
                return False
    return True


def offset_is_free() -> bool:
    """Whether simplified less printed epsilon is the offset, positive, at several gammas and |W|.

    And whether the simplified epsilon is above its last term, and that term at a = c = 1.
    """
    for _, at in _simplified_cases(4, 20):
        a, c, moved = at.k * at.eta, at.k * (1 - at.eta_bar - at.eta), at.k * at.b / 2
        offset = ball(_upper(a, c)).log() - log_beta(a, c)
        offset += log_beta(a + moved, c - moved) - ball(2 - a - c)
        for w, share in ((at.w, 1), (at.w, 50), (at.w + 1, 90)):
            gamma = Fraction(share, 100 * w)
            found, printed = at.with_gamma(w, gamma)
            if not (meets(found - printed, offset) and offset > 0):
                return False
            if not found > ball(moved) * _log_ratio(w, gamma):
                return False
    gamma, quarter = Fraction(1, 100), Fraction(1, 4)
    exact, _ = _Simplified(Fraction(4), quarter, 2 * quarter, quarter, 2).with_gamma(2, gamma)
    return _figure_1_is_offset() and meets(exact, _log_ratio(2, gamma) / 2)


def _figure_1_is_offset() -> bool:
    """Whether that is so in the second case of Figure 1."""
    eta, bar, b, k = fractions("0.2", "0.2", "0.1", "5.1")
    known = _offset(2, "0.2", "0.2", "5.1").enclosed().first
    middle = ball(Fraction(known.lower)).union(ball(Fraction(known.upper)))
    for w, gamma in ((3, Fraction(1, 100)), (3, Fraction(3, 10)), (4, Fraction(1, 50))):
        found, printed = _Simplified(k, eta, bar, b, w).with_gamma(w, gamma)
        if not (found - printed).overlaps(middle):
            return False
    return True


def _ratios_fall() -> bool:
    """Whether R = (1 - (w-1) gamma)/gamma falls, to 1 at gamma = 1/w."""
    for w in range(1, 5):
        gammas = [Fraction(x, 20 * w) for x in range(1, 21)]
        ratios = [(1 - (w - 1) * gamma) / gamma for gamma in gammas]
        if ratios != sorted(ratios, reverse=True) or ratios[-1] != 1:
            return False
    return True


_NOTE = "gohari2020/beta-bounds.md"

# Figure 1: eta, eta_bar, k; then two gammas whose delta is below 0.02, and above 0.1.
CASES = (
    ("0.15", "0.15", "6.7", "0.0012", "0.0063"),
    ("0.2", "0.2", "5.1", "0.0018", "0.0092"),
    ("0.25", "0.25", "4.1", "0.0024", "0.0123"),
)


def _epsilon(case: int, gamma: str, *, simplified: bool = False) -> At:
    eta, bar, k = CASES[case][:3]
    given = {"k": k, "eta": eta, "eta_bar": bar, "b": "0.1", "w": 3, "gamma": gamma}
    name = "epsilon_simplified" if simplified else "epsilon_bound"
    return At(f"dirichlet.identity.{name}", given)


def _delta(case: int, gamma: str) -> At:
    eta, _, k = CASES[case][:3]
    given = {"k": k, "eta": eta, "w": 3, "gamma": gamma}
    return At("dirichlet.identity.delta_bound", given)


def _brackets() -> tuple[Instance, ...]:
    """Return that the range 0.02 to 0.1 of delta lies between the gammas chosen."""
    return tuple(
        piece
        for case in range(3)
        for piece in (
            Instance(
                f"case {case + 1}: delta at the lower gamma is below 0.02",
                _delta(case, CASES[case][3]),
                "<",
                Exactly("0.02"),
                decides=True,
            ),
            Instance(
                f"case {case + 1}: delta at the upper gamma is above 0.1",
                _delta(case, CASES[case][4]),
                ">",
                Exactly("0.1"),
                decides=True,
            ),
        )
    )


def _orders() -> tuple[Instance, ...]:
    """Return that each case's least epsilon is above the next one's largest."""
    return tuple(
        Instance(
            f"case {case + 1} against {case + 2}: the least epsilon is above the largest",
            _epsilon(case, CASES[case][4]),
            ">",
            _epsilon(case + 1, CASES[case + 1][3]),
            decides=True,
        )
        for case in (0, 1)
    )


def _offsets() -> tuple[Instance, ...]:
    return tuple(
        Instance(
            f"case {case + 1} against {case + 2}: the offset is larger",
            _offset(case + 1, *CASES[case][:3]),
            ">",
            _offset(case + 2, *CASES[case + 1][:3]),
            decides=True,
        )
        for case in (0, 1)
    )


_EXPONENTIAL = Instance(
    "(4) a = c = 2: what appendix -C says that exp(integral of the logarithm) is, 2 - (a+c)",
    Worked(
        "exp(integral of log x + log(1-x) over [0, 1])",
        by_balls(lambda: ball(-2).exp()),
        by_spans(lambda: span(-2).exp()),
    ),
    "=",
    Exactly("-2", "2 - (a+c)"),
)
_BETA_BOUNDS = Proof(
    "good-set-epsilon.md#beta-bounds",
    "Jensen's inequality below, 2uv <= u^2 + v^2 above",
    (Formula("(1): both, at drawn a, c", at_precision(beta_bounds_hold)),),
)

_BOUNDS_STATEMENTS = (
    Statement(
        "gohari2020.lemma-5",
        "lemma",
        "III-B Lemma 5, (15); appendix -C",
        "exp(2-a-c) <= B(a, c) <= (a+c-1)/((2a-1)(2c-1)).",
        _NOTE,
        (_BETA_BOUNDS,),
        ("a, c > 1 (a, c > 1/2 is enough)",),
        of_proof=(_EXPONENTIAL,),
    ),
    Statement(
        "gohari2020.lemma-5-jensen",
        "equation",
        "appendix -C, first display",
        "A convex function of an integral is at most the integral of the function.",
        _NOTE,
        (
            Instance(
                "(2) phi(y) = y^2, f = 1, over [0, 2]",
                Exactly("4", "(integral of 1)^2"),
                "<=",
                Exactly("2", "integral of 1^2"),
            ),
        ),
        ("over [a, b], f integrable, phi convex",),
    ),
    Statement(
        "gohari2020.lemma-5-jensen-repaired",
        "repair",
        "ours, for appendix -C",
        "It is over [0, 1], where it is used.",
        _NOTE,
        (
            Proof(
                f"{_NOTE}#jensen",
                "over [0, 1], where it is used: a line below the function",
                (Formula("(2): squares of polynomials over [0, 1]", _jensen_on_unit),),
            ),
        ),
        ("f integrable, phi convex",),
        repairs="gohari2020.lemma-5-jensen",
        adds=("b - a = 1",),
    ),
    Statement(
        "gohari2020.remark-simplification",
        "remark",
        "III-B, after Lemma 5",
        "With both Betas replaced by their bounds epsilon still bounds the loss.",
        _NOTE,
        (
            Proof(
                "good-set-epsilon.md#simplified-bound-always-holds",
                "it does so for all steps up to b/2, also where epsilon itself does not",
                (Formula("no loss passes it", at_precision(simplified_bound_holds)),),
            ),
        ),
        (*RANGES, "k eta > 1/2 and k (1 - eta_bar - eta) > 1/2, for Lemma 5"),
    ),
    Statement(
        "gohari2020.figure-1",
        "figure",
        "Figure 1, and Remark after Lemma 5",
        "The simplified epsilon is above by an offset, the smaller the smaller epsilon is.",
        _NOTE,
        (
            Proof(
                "good-set-epsilon.md#simplified-offset",
                "the offset is positive, and does not depend on gamma, so not on delta",
                (Formula("(3) does not change with gamma", at_precision(offset_is_free)),),
            ),
            *_brackets(),
            *_orders(),
            *_offsets(),
        ),
        ("|W| = 3, b = 0.1, the three (eta, eta_bar, k) printed, delta from 0.02 to 0.1",),
        garbled="The axis marks are doubled in the text: delta 0.02 to 0.1, epsilon 0 to 6.",
    ),
)


_GAMMA_CHOICE_NOTE = "gohari2020/choice-of-gamma.md"

_SMALL = Setting("20", "1/20", "1/10", "1/10", "1/2000")
_LARGER = Setting("20", "1/20", "1/10", "1/10", "1/1000")
_ADMISSIBLE = Fraction("0.05")


def _missed(setting: Setting) -> Fraction:
    """Return delta where k eta = 1 and k = 20: 1 - (1 - 2 gamma)^19, exactly."""
    return 1 - (1 - 2 * Fraction(setting.gamma)) ** 19


_RISES = Proof(
    "tail-worst-input.md#delta-rises-with-gamma",
    "delta rises strictly from 0 to 1 on [0, 1/|W|], and epsilon falls, as R does",
    (
        Formula("delta rises", at_precision(tail_rises_with_gamma)),
        Formula("R falls with gamma", _ratios_fall),
    ),
)

_GAMMA_CHOICE_STATEMENTS = (
    Statement(
        "gohari2020.equation-16",
        "equation",
        "III-B (16)",
        "The best gamma for an admissible delta is the smallest that is feasible.",
        _GAMMA_CHOICE_NOTE,
        (
            Instance(
                "(1) k = 20, eta = 1/20: epsilon at gamma = 1/2000 is at most that at 1/1000",
                _SMALL.epsilon(),
                "<=",
                _LARGER.epsilon(),
                {
                    **_SMALL.step_fits(),
                    **_LARGER.step_fits(),
                    "delta <= 0.05 at 1/2000": _missed(_SMALL) <= _ADMISSIBLE,
                    "delta <= 0.05 at 1/1000": _missed(_LARGER) <= _ADMISSIBLE,
                },
            ),
        ),
        RANGES,
        garbled='"min gamma" may be a slip for max: the text says that epsilon is minimised.',
    ),
    Statement(
        "gohari2020.equation-16-repaired",
        "repair",
        "ours, for (16)",
        "The best gamma is the largest feasible one: the root of delta(gamma) = delta-hat.",
        _GAMMA_CHOICE_NOTE,
        (_RISES,),
        (*RANGES, "0 < delta-hat < 1"),
        repairs="gohari2020.equation-16",
    ),
    Statement(
        "gohari2020.remark-gamma-tradeoff",
        "remark",
        "III-B, before and after (16)",
        "A larger gamma lowers epsilon and raises delta; P(good set) falls strictly with it.",
        _GAMMA_CHOICE_NOTE,
        (
            Instance(
                "(2) |W| = 2: P(good set) is smaller at gamma = 0.7 than at 0.6",
                Exactly("0", "P(x_1, x_2 >= 0.7)"),
                "<",
                Exactly("0", "P(x_1, x_2 >= 0.6)"),
                {"two such coordinates sum to more than 1": 2 * Fraction("0.6") > 1},
            ),
        ),
        ("gamma in (0, 1), as in (3)",),
    ),
    Statement(
        "gohari2020.remark-gamma-tradeoff-repaired",
        "repair",
        "ours, for (16) and the text on it",
        "It does so where the good set has outputs.",
        _GAMMA_CHOICE_NOTE,
        (_RISES,),
        repairs="gohari2020.remark-gamma-tradeoff",
        adds=("gamma < 1/|W|",),
    ),
)

STATEMENTS = (*_BOUNDS_STATEMENTS, *_GAMMA_CHOICE_STATEMENTS)
