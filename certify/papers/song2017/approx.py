"""Section 4.4.2 and Appendix C.3: MQMApprox, its fast search, and the noise that it needs."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import product
from typing import NamedTuple

from flint import arb

from ....reference.arb.balls import ball, enclosure_of, working_precision
from ....reference.enclosure import Enclosure, Trilean
from ....reference.evaluation import answer_at
from ....reference.second.directed import Span
from ..evidence import Formula, Identity, Instance, Proof
from ..statement import Reading, Statement
from ..values import At, Exactly, Worked
from .chains import (
    LENGTH,
    P_1,
    START_1,
    Lags,
    Law,
    Moves,
    Scores,
    influence_by_formula,
    matrix,
    near,
    one_chain,
    power,
    slow_line,
)
from .mixing import NOTHING_DROPPED, RATIOS, REVERSIBLE
from .mqm_exact import middle_node_of_the_first
from .quilts import all_states_overstate, quilts_are_counted
from .slow_chain import (
    PRINTED_GAP,
    SCALE,
    STATES,
    STEPS,
    LossOfTheCount,
    has_the_printed_gap,
    hypotheses,
    laws_by_one_pass,
    laws_of_the_count,
    moves_of,
    pi_of,
)

# Scores by the bound of Lemma 4.8 for a pair pi_min, g, in two arithmetics.
#
# With D_t = exp(-g t/2)/pi_min and w_t = log((1 + D_t)/(1 - D_t)), infinite where D_t is not below
# 1, the quilt {i-a, i+b} scores (a+b-1)/(epsilon - 2 w_a - w_b); one-sided quilts lack a term.

_BITS = 128


class Class(NamedTuple):
    """The input of Algorithm 4: its bounds on a class of chains, and the privacy asked for."""

    pi_min: Fraction
    gap: Fraction
    length: int
    epsilon: Fraction


class ByBalls(Scores):
    """Scores in FLINT's balls: w from the quotient."""

    def __init__(self, known: Class) -> None:
        super().__init__((), (), known.length, known.epsilon)
        self.w = cache(lambda lag: influence_bound(known.pi_min, known.gap, lag))

    def score(self, node: int, lags: Lags) -> Enclosure | None:
        """Return a quilt's score."""
        with working_precision(_BITS):
            room = ball(self.epsilon)
            for lag, times in zip(lags, (2, 1), strict=True):
                room -= times * self.w(lag) if lag else 0
            return enclosure_of(near(node, self.length, *lags) / room) if room > 0 else None


def influence_bound(pi_min: Fraction, gap: Fraction, lag: int) -> arb:
    """Return w of a lag; infinite where D is not below 1."""
    share = (-ball(gap) * lag / 2).exp() / ball(pi_min)
    return ((1 + share) / (1 - share)).log() if share < 1 else arb("inf")


class BySpans(Scores):
    """Scores in MPFR: w from exp(g t/2) pi_min, whose reciprocal D is."""

    def __init__(self, known: Class) -> None:
        super().__init__((), (), known.length, known.epsilon)
        self.known = known
        self.w = cache(self._bound)

    def _bound(self, lag: int) -> Span | None:
        grown = Span.of(self.known.gap * lag / 2, _BITS).exp() * Span.of(self.known.pi_min, _BITS)
        above = grown - Span.of(1, _BITS)
        return (grown + Span.of(1, _BITS)).log() - above.log() if above.sign > 0 else None

    def score(self, node: int, lags: Lags) -> Enclosure | None:
        """Return a quilt's score."""
        room = Span.of(self.epsilon, _BITS)
        for lag, times in zip(lags, (2, 1), strict=True):
            if lag:
                bound = self.w(lag)
                if bound is None:
                    return None
                room -= Span.of(times, _BITS) * bound
        if room.sign <= 0:
            return None
        return (Span.of(near(node, self.length, *lags), _BITS) / room).enclosure()


def lag_of_lemma_4_9(known: Class) -> int:
    """Return a* = 2 ceil(log((e^(epsilon/6) + 1)/((e^(epsilon/6) - 1) pi_min))/g)."""
    with working_precision(_BITS):
        grown = ball(known.epsilon / 6).exp()
        steps = ((grown + 1) / (grown - 1) / ball(known.pi_min)).log() / ball(known.gap)
        whole = steps.ceil().unique_fmpz()
    if whole is None:
        raise ArithmeticError("the ceiling is not decided: take more bits")
    return 2 * int(whole)


# Formulas of the note on MQMApprox, executed in balls and rationals.

# A bound of e^-188 is found as the logarithm of a number near 1.
_MANY_BITS = 1024


# pi_min, g, epsilon; the lengths are those of the lemma.
_CLASSES = (("1/5", "3/4", "1"), ("1/2", "1", "4"), ("1/3", "1/2", "6"))


def _classes(factor: int, more: int) -> Iterator[tuple[Class, int]]:
    for pi_min, gap, epsilon in _CLASSES:
        known = Class(Fraction(pi_min), Fraction(gap), 1, Fraction(epsilon))
        lag = lag_of_lemma_4_9(known)
        yield known._replace(length=factor * lag + more), lag


def _bound_at_the_lag_is_small() -> bool:
    """W at a* is at most epsilon/6."""
    with working_precision(_BITS):
        return all(
            influence_bound(known.pi_min, known.gap, lag) <= ball(known.epsilon / 6)
            for known, lag in _classes(8, 0)
        )


def _middle_quilt_is_two_sided() -> bool:
    """At T = 8 a* the middle node's best quilt has both ends and a + b <= 4 a*."""
    for known, lag in _classes(8, 0):
        _, (left, right) = _middle(known)
        if not (left and right and left + right <= 4 * lag):
            return False
    return True


def _middle(known: Class) -> tuple[object, Lags]:
    return ByBalls(known).least((known.length + 1) // 2)


def _no_node_needs_more_than_the_middle() -> bool:
    """At T = 8 a* no node's least score is certainly above the middle node's."""
    for known, _ in _classes(8, 0):
        scores = ByBalls(known)
        middle = scores.least((known.length + 1) // 2)[0]
        if any(scores.least(node)[0].low > middle.high for node in (1, 2, 5, known.length)):
            return False
    return True


def _scale_is_below_the_constant() -> bool:
    """At T = 4 a* + 3 every node that is looked at needs at most (4 a* - 2)/epsilon."""
    for known, lag in _classes(4, 3):
        scores, most = ByBalls(known), (4 * lag - 2) / known.epsilon
        nodes = (1, lag, 2 * lag + 2, 2 * lag + 3, known.length - lag, known.length)
        if any(scores.least(node)[0].high.compared_with(most) > 0 for node in nodes):
            return False
    return True


def _every_constant_is_exceeded() -> bool:
    """With epsilon = (2/pi) e^(-g (C+1)/4) no lag up to (C+1)/2 has w below epsilon."""
    pi, gap = Fraction(1, 5), Fraction(3, 4)
    with working_precision(_MANY_BITS):
        for constant in (8, 48, 200, 1000):
            epsilon = 2 / ball(pi) * (-ball(gap) * (constant + 1) / 4).exp()
            for lag in ((constant + 1) // 2, (constant + 1) // 4):
                if not influence_bound(pi, gap, lag) > epsilon:
                    return False
    return True


def _mixing_time_is_below() -> bool:
    """(2/g) log(2/pi) <= (4/g) log(1/pi) for pi <= 1/2, which is 2/pi <= 1/pi^2."""
    return all(2 / pi <= 1 / pi**2 for pi in (Fraction(1, k) for k in range(2, 40)))


def _total_variation(pi: Law, moves: Moves) -> Fraction:
    """Return the largest distance of a row from the stationary law."""
    rows = [[abs(p - q) for p, q in zip(row, pi, strict=True)] for row in moves]
    return max(sum(row, Fraction(0)) / 2 for row in rows)


def _exact_is_below_the_bound() -> bool:
    """e(a, b) <= 2 w_a + w_b on the first running chain, for its start and the stationary one."""
    with working_precision(_BITS):
        for start in ((Fraction(1), Fraction(0)), (Fraction(4, 5), Fraction(1, 5))):
            for a, b in product(range(5, 12), repeat=2):
                found = influence_by_formula(start, matrix(P_1), a + 1, a, b)
                bound = arb(0)
                for lag, times in ((a, 2), (b, 1)):
                    bound += times * influence_bound(Fraction(1, 5), Fraction(3, 4), lag)
                if ball(Fraction(found)).log() > bound:
                    return False
    return True


def _slow_chains_ask_no_more_in_the_end() -> bool:
    """Whether twice the length asks MQMExact for the same, g being 0 by multiplicity."""
    for states, length in ((3, 80), (4, 160)):
        first, second = (
            answer_at(
                "pufferfish.quilt_scale_exact",
                {
                    "chains": one_chain("stationary", slow_line(states)),
                    "length": steps,
                    "epsilon": 1,
                    "width": steps,
                },
            )
            for steps in (length, 2 * length)
        )
        alike = first.lower <= second.upper and second.lower <= first.upper
        if not (alike and second.upper < length):
            return False
    return True


_NOTE = "song2017/mqm-approx.md"


_AT_THE_LAG = Formula("(1)", _bound_at_the_lag_is_small)
_MIDDLE = Proof(
    f"{_NOTE}#the-middle-node",
    "w at a* is at most epsilon/6 (1), so the middle's best quilt has both ends, a+b <= 4a* (2)",
    (_AT_THE_LAG, Formula("(2)", _middle_quilt_is_two_sided)),
)
_LARGEST = Proof(
    "eigengap.md#two-sided-optimum-decides",
    "a node whose best quilt has both ends has the largest least score",
    (Formula("largest", _no_node_needs_more_than_the_middle),),
)
_PRIVATE = Proof(
    "quilt-influence.md#privacy-of-several-releases",
    "an upper bound in the place of the influence protects as well",
    (Formula("quilts", all_states_overstate),),
)

SLOW_CHAIN_BY_ALGORITHM_4 = Instance(
    "Algorithm 4's scale for pi_min = 1/11 and g = 3/4",
    At(
        "pufferfish.quilt_scale_approx",
        {"pi_min": "1/11", "gap": "3/4", "length": STEPS, "epsilon": 1},
    ),
    "<=",
    Exactly(SCALE),
)

_APPROX_STATEMENTS = (
    Statement(
        id="song2017.algorithm-4",
        kind="algorithm",
        where="Section 4.4.2, Algorithm 4 (MQMApprox), with g by (7)",
        says="MQMApprox, the search of Algorithm 3 with the bound of Lemma 4.8 for the influence, "
        "is epsilon-Pufferfish private.",
        hypotheses=("irreducible and aperiodic chains",),
        note=_NOTE,
        evidence=(
            Instance(
                "ten states, T = 50, epsilon = 1, a 1-Lipschitz count released with scale 36.66, "
                "no less than Algorithm 4's: the loss is at most 1",
                LossOfTheCount(SCALE),
                "<=",
                Exactly("1"),
                hypotheses(STATES, STEPS),
            ),
            Identity(
                "one pass over all steps gives the same two laws of the count",
                lambda: Trilean.of(laws_of_the_count() == laws_by_one_pass()),
                decides=False,
            ),
            SLOW_CHAIN_BY_ALGORITHM_4,
        ),
        readings=(
            Reading(
                "for reversible chains, with (7) or (14)",
                (NOTHING_DROPPED, RATIOS, REVERSIBLE, _PRIVATE),
            ),
        ),
    ),
    Statement(
        id="song2017.algorithm-4-repaired",
        kind="repair",
        repairs="song2017.algorithm-4",
        where="Section 4.4.2, Algorithm 4",
        says="With eigenvalues of P P* counted by multiplicity, or (14) for reversible chains, "
        "MQMApprox is private for every initial law.",
        note=_NOTE,
        evidence=(RATIOS, REVERSIBLE, _PRIVATE),
    ),
    Statement(
        id="song2017.lemma-4-9",
        kind="lemma",
        where="Section 4.4.2, Lemma 4.9; proof in Appendix C.3",
        says="For T >= 8 a* the middle node's best quilt has both ends with a + b <= 4 a*, and the "
        "middle node has the largest score.",
        hypotheses=("scores are those of Algorithm 4, for any g > 0 and pi_min > 0",),
        note=_NOTE,
        evidence=(_MIDDLE, _LARGEST),
        readings=(
            Reading(
                "scores with exact influences",
                (
                    Instance(
                        "first running chain, T = 100 >= 8 a* = 96: the largest score is X_50's",
                        At(
                            "pufferfish.quilt_scale_exact",
                            {
                                "chains": one_chain(START_1, P_1),
                                "length": LENGTH,
                                "epsilon": 1,
                                "width": LENGTH,
                            },
                        ),
                        "<=",
                        middle_node_of_the_first(),
                    ),
                ),
            ),
        ),
    ),
    Statement(
        id="song2017.lemma-c-4",
        kind="lemma",
        where="Appendix C.3, Lemma C.4",
        says="In MQMApprox a node whose best quilt has both ends inside has the largest score.",
        hypotheses=("all quilts are searched, or all with cards up to a width",),
        note=_NOTE,
        evidence=(_LARGEST,),
    ),
    Statement(
        id="song2017.complexity-approx",
        kind="remark",
        where="Section 4.4.2, running time analysis",
        says="A bound on a score takes O(1) operations, Algorithm 4 O(T l^2), and O((a*)^2) with "
        "Lemma 4.9, whatever T.",
        hypotheses=("exponentials and logarithms count as one", "g and pi_min are given"),
        note=_NOTE,
        evidence=(
            Proof(
                f"{_NOTE}#operations",
                "by counting: at most (l+1)^2 quilts a node, and one node with l = 4 a* (7)",
                (Formula("(7)", quilts_are_counted),),
            ),
            _MIDDLE,
            _LARGEST,
        ),
    ),
)


# The first running chain: pi_min = 1/5, g = 3/4; a* = 12 at epsilon = 1, so 8 a* = 96 <= 100.
_PI, _GAP = "1/5", "3/4"
_LONG = 1_000_000
# C of Theorem 4.10's proof at epsilon = 1: 8 ceil(5.46...) = 48.
_CONSTANT = "48"
# p0 = p1 = 0.9875: pi_min = 1/2, g = 1/20 by (14); a* = 50 at epsilon = 8, T = 4 a* + 3.
_SHORT = Class(Fraction(1, 2), Fraction(1, 20), 203, Fraction(8))


# The slow chain, of which the printed gap says that it mixes soon.
_STATES = 90
_OF_90 = Class(Fraction(1, _STATES + 1), PRINTED_GAP, 1, Fraction(1))


def _scale(epsilon: str, length: int = _LONG, *, times: str = "1") -> At:
    given = {"pi_min": _PI, "gap": _GAP, "length": length, "epsilon": epsilon}
    return At("pufferfish.quilt_scale_approx", given, times=times)


@cache
def _middle_of_the_short() -> Worked:
    node = (_SHORT.length + 1) // 2
    return Worked(
        f"least score of X_{node} of {_SHORT.length}, pi_min = 1/2, g = 1/20, epsilon = 8",
        lambda: ByBalls(_SHORT).least(node)[0],
        lambda: BySpans(_SHORT).least(node)[0],
    )


def _constant_is_the_proofs() -> Trilean:
    known = Class(Fraction(_PI), Fraction(_GAP), 1, Fraction(1))
    return Trilean.of(4 * lag_of_lemma_4_9(known) == int(_CONSTANT))


def _is_long_enough() -> bool:
    known = Class(Fraction(_PI), Fraction(_GAP), _LONG, Fraction("1e-12"))
    return known.length >= 4 * lag_of_lemma_4_9(known) + 3


def _mixes_in_two_steps() -> bool:
    pi = (Fraction(4, 5), Fraction(1, 5))
    quarter = Fraction(1, 4)
    distances = [_total_variation(pi, power(matrix(P_1), t)) for t in (1, 2)]
    return distances[0] > quarter >= distances[1]


_CONSTANT_OF_EPSILON = Proof(
    f"{_NOTE}#the-scale-is-bounded",
    "every node has a quilt with a score of at most (4 a* - 2)/epsilon (4)",
    (_AT_THE_LAG, Formula("(4)", _scale_is_below_the_constant)),
)
EXACT_IS_BELOW = Proof(
    f"{_NOTE}#exact-and-approximate",
    "scores rise with the influence, which the bound of Lemma 4.8 exceeds (5)",
    (Formula("(5)", _exact_is_below_the_bound),),
)

_UTILITY_STATEMENTS = (
    Statement(
        id="song2017.theorem-4-10",
        kind="theorem",
        where="Section 4.4.2, Theorem 4.10; proof in Appendix C.2",
        says="For T >= 4 a* + 3 Algorithm 4's scale for a 1-Lipschitz query is below C/epsilon, "
        "C depending on the class alone.",
        garbled="pi_min without min in the display",
        note=_NOTE,
        evidence=(
            Proof(
                f"{_NOTE}#the-constant-depends-on-epsilon",
                "for every C some epsilon makes epsilon times the scale larger, T long enough (3)",
                (Formula("(3)", _every_constant_is_exceeded),),
                decides=False,
            ),
            Identity("C of the proof at epsilon = 1 is 48", _constant_is_the_proofs, decides=False),
            Instance(
                "first running chain, epsilon = 1e-12: epsilon times the scale is below that C "
                "(by (3) every other C is exceeded as well, at another epsilon)",
                _scale("1e-12", times="1e-12"),
                "<",
                Exactly(_CONSTANT),
                {"T >= 4 a* + 3": _is_long_enough()},
            ),
        ),
        readings=(Reading("epsilon is fixed, and C may depend on it", (_CONSTANT_OF_EPSILON,)),),
        of_proof=(
            Instance(
                "step: the middle node has the largest score by Lemma C.4, whose quilt is not "
                "two-sided here (pi_min = 1/2, g = 1/20, epsilon = 8, T = 203)",
                At(
                    "pufferfish.quilt_scale_approx",
                    {"pi_min": "1/2", "gap": "1/20", "length": 203, "epsilon": 8},
                ),
                "<=",
                _middle_of_the_short(),
            ),
        ),
    ),
    Statement(
        id="song2017.theorem-4-10-repaired",
        kind="repair",
        repairs="song2017.theorem-4-10",
        where="Section 4.4.2, Theorem 4.10",
        says="The scale is at most (4 a* - 2)/epsilon, below C/epsilon with C = 4 a*, which "
        "depends on the class and on epsilon, like log(1/epsilon).",
        note=_NOTE,
        evidence=(_CONSTANT_OF_EPSILON,),
    ),
    Statement(
        id="song2017.remark-mixing-time",
        kind="remark",
        where="Section 4.4.2, after Theorem 4.10",
        says="The noise does not grow with T, relative accuracy improves with it, and the bound C "
        "on the noise is no less than the mixing time.",
        hypotheses=("epsilon is fixed", "total variation 1/4", "g by (7)"),
        note=_NOTE,
        evidence=(
            Instance(
                "the slow chain of 90 states at epsilon = 1: C = 4 a* is at least the mixing time",
                Exactly(str(4 * lag_of_lemma_4_9(_OF_90)), "4 a* for pi_min = 1/91 and g = 3/4"),
                ">=",
                Exactly("81", "81 steps, as after 80 from state 1 the chain is at 81 surely"),
                {
                    "(7) is 3/4": has_the_printed_gap(_STATES),
                    "pi_min is 1/91": min(pi_of(_STATES)) == _OF_90.pi_min,
                    "the first 89 states lead to the next one alone": all(
                        moves_of(_STATES)[at][at + 1] == 1 for at in range(_STATES - 1)
                    ),
                    "a point is further than 1/4 from the stationary law": (
                        1 - max(pi_of(_STATES)) > Fraction(1, 4)
                    ),
                },
            ),
        ),
        readings=(
            Reading(
                "the scale itself is at least the mixing time",
                (
                    Instance(
                        "first running chain at epsilon = 20, where two steps mix",
                        Exactly("2"),
                        "<=",
                        _scale("20"),
                        {"two steps, and not one, mix": _mixes_in_two_steps()},
                    ),
                ),
            ),
        ),
    ),
    Statement(
        id="song2017.remark-mixing-time-repaired",
        kind="repair",
        repairs="song2017.remark-mixing-time",
        where="Section 4.4.2, after Theorem 4.10",
        says="All of it is so with eigenvalues counted by multiplicity.",
        hypotheses=("epsilon is fixed", "total variation 1/4"),
        adds=("g counts multiplicities, or the chains are reversible",),
        note=_NOTE,
        evidence=(
            _CONSTANT_OF_EPSILON,
            Proof(
                f"{_NOTE}#mixing-time",
                "the mixing time is at most (2/g) log(2/pi_min), rounded up, below C = 4 a* (6)",
                (Formula("(6)", _mixing_time_is_below),),
            ),
        ),
    ),
    Statement(
        id="song2017.remark-longer-chains",
        kind="remark",
        where="Section 5.4",
        says="Overall the utility of both quilt mechanisms improves for longer chains: the "
        "relative error falls to 0 with T.",
        hypotheses=("irreducible and aperiodic chains", "epsilon is fixed"),
        note=_NOTE,
        evidence=(
            _CONSTANT_OF_EPSILON,
            Proof(
                f"{_NOTE}#longer-chains",
                "some power of P is positive, so influences tend to 0 with the lags",
                (Formula("slow chains, T and 2T", _slow_chains_ask_no_more_in_the_end),),
            ),
        ),
    ),
)

STATEMENTS = (*_APPROX_STATEMENTS, *_UTILITY_STATEMENTS)
