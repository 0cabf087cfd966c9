"""Section 4.4.2 and Appendix C.2: the eigengap, time reversal, and the bound on influences."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from ....reference.enclosure import Trilean
from ..evidence import Formula, Identity, Instance, Proof
from ..statement import Reading, Statement
from ..values import At, Exactly
from .chains import (
    P_1,
    P_2,
    START_1,
    Law,
    Moves,
    after,
    influence_by_formula,
    matrix,
    multiplied,
    numbers,
    one_chain,
    paths,
    power,
    reversed_in_time,
    slow_line,
    worst_ratio_to,
)
from .slow_chain import (
    distance_bound,
    furthest_from_stationary,
    hypotheses,
    influence,
    influence_limit,
)

# Formulas of the notes on mixing and MQMApprox, executed in rationals and balls.

_HALF = Fraction(1, 2)
_STEPS = range(1, 9)


def _chains_of_rate_one_half() -> Iterator[tuple[Law, Moves]]:
    """Yield chains whose P P* has the second eigenvalue 1/4: reversible, and not reversible."""
    yield (Fraction(4, 5), Fraction(1, 5)), matrix(P_1)
    third = Fraction(1, 3)
    yield (
        (third, third, third),
        tuple(
            tuple(_HALF if to in {at, (at + 1) % 3} else Fraction(0) for to in range(3))
            for at in range(3)
        ),
    )


def _rates_are_one_half() -> bool:
    """P P* - 1 pi^T is 1/4 times the projection off the mean, so sigma is 1/2."""
    for pi, moves in _chains_of_rate_one_half():
        both = multiplied(moves, reversed_in_time(moves, pi))
        size = range(len(pi))
        off = [[(x == y) - pi[y] for y in size] for x in size]
        if any(both[x][y] - pi[y] != off[x][y] / 4 for x, y in product(size, size)):
            return False
    return True


def _powers_come_near() -> bool:
    """|P^t(x, y)/pi(y) - 1| <= sigma^t/pi_min, sigma = 1/2, for every t."""
    return _rates_are_one_half() and all(
        worst_ratio_to(pi, power(moves, t)) <= _HALF**t / min(pi)
        for pi, moves in _chains_of_rate_one_half()
        for t in _STEPS
    )


def _limit(pi: Law, t: int) -> Fraction | None:
    size = _HALF**t / min(pi)
    return (1 + size) / (1 - size) if size < 1 else None


def _ratios_are_bounded() -> bool:
    """Forward by (1+D)/(1-D), backward by its square, for every start; without, if stationary."""
    for pi, moves in _chains_of_rate_one_half():
        uneven = tuple(Fraction(k + 1, 3 * len(pi) * (len(pi) + 1) // 6) for k in range(len(pi)))
        point = tuple(Fraction(not k) for k in range(len(pi)))
        for t in _STEPS:
            most = _limit(pi, t)
            if most is None:
                continue
            for start in (uneven, point, pi):
                square = 1 if start == pi else 2
                ahead = influence_by_formula(start, moves, t + 1, 0, t)
                back = influence_by_formula(start, moves, t + 1, t, 0)
                if ahead > most or back > most**square:
                    return False
    return True


def _reversible_gap_is_larger() -> bool:
    """2 (1 - m) - (1 - m^2) = (1 - m)^2."""
    grid = [Fraction(k, 10) for k in range(11)]
    return all(2 * (1 - m) - (1 - m**2) == (1 - m) ** 2 for m in grid)


def _reversal_runs_backwards() -> bool:
    """P(X_1 = y | X_2 = x) = P*(x, y) from the stationary start."""
    for pi, moves in _chains_of_rate_one_half():
        back = reversed_in_time(moves, pi)
        for (y, x), chance in paths(pi, moves, 2):
            if chance / pi[x] != back[x][y] or after(pi, moves) != pi:
                return False
    return True


_NOTE = "song2017/eigengap.md"
_PI_1, _PI_2 = ["0.8", "0.2"], ["0.6", "0.4"]


def _reversals_agree() -> Trilean:
    pairs = ((P_1, _PI_1), (P_2, _PI_2))
    return Trilean.of(
        all(reversed_in_time(matrix(rows), numbers(pi)) == matrix(rows) for rows, pi in pairs)
    )


def _runs_backwards_from_a_point() -> Trilean:
    """Whether P(X_1 = 2 | X_2 = 1) is P*(1, 2) in the first running chain."""
    start, moves, pi = numbers(START_1), matrix(P_1), numbers(_PI_1)
    chance = start[1] * moves[1][0] / after(start, moves)[0]
    return Trilean.of(chance == reversed_in_time(moves, pi)[0][1])


def _stationary() -> Trilean:
    pairs = ((P_1, _PI_1), (P_2, _PI_2))
    return Trilean.of(all(after(numbers(pi), matrix(rows)) == numbers(pi) for rows, pi in pairs))


def _minimum(rows: list[list[str]], value: str) -> Instance:
    return Instance(
        "least stationary probability",
        At("pufferfish.stationary_minimum", {"P": rows}),
        "=",
        Exactly(value),
        decides=True,
    )


def _gap(rows: list[list[str]]) -> Instance:
    at = At("pufferfish.eigengap", {"P": rows})
    return Instance("eigengap of P P*", at, "=", Exactly("3/4"), decides=True)


_REVERSAL_STATEMENTS = (
    Statement(
        id="song2017.definition-4-7",
        kind="definition",
        where="Section 4.4.2, Definition 4.7 and the sentence after it",
        says="The time reversal P*(x,y) = P(y,x) pi(y)/pi(x) is the transition matrix of the chain "
        "run backwards.",
        hypotheses=("a stationary start", "a positive stationary law"),
        note=_NOTE,
        evidence=(
            Proof(
                f"{_NOTE}#time-reversal",
                "by Bayes (5)",
                (Formula("(5)", _reversal_runs_backwards),),
            ),
        ),
        readings=(
            Reading(
                "for any start",
                (
                    Identity(
                        "first running chain: P(X_1 = 2 | X_2 = 1) = 0 is P*(1, 2) = 1/10",
                        _runs_backwards_from_a_point,
                    ),
                ),
            ),
        ),
    ),
    Statement(
        id="song2017.example-4-4-2-reversal",
        kind="number",
        where="Section 4.4.2, after Definition 4.7",
        says="Both chains of the running example are their own time reversals.",
        note=_NOTE,
        evidence=(Identity("P* = P for both", _reversals_agree),),
    ),
    Statement(
        id="song2017.example-4-4-2-stationary-minimum",
        kind="number",
        where="Section 4.4.2, after (6)",
        says="The stationary laws are (0.8, 0.2) and (0.6, 0.4), with least probabilities 0.2 and "
        "0.4, and 0.2 for the class.",
        garbled="a clause about the first chain stands twice",
        note=_NOTE,
        evidence=(
            Identity("both laws are stationary", _stationary),
            _minimum(P_1, "0.2"),
            _minimum(P_2, "0.4"),
        ),
    ),
    Statement(
        id="song2017.example-4-4-2-eigengap",
        kind="number",
        where="Section 4.4.2, after (7)",
        says="The eigengap of P P* is 0.75 for both chains of the running example.",
        note=_NOTE,
        evidence=(
            _gap(P_1),
            _gap(P_2),
            Instance(
                "by (14), for reversible chains, it would be 1",
                At("pufferfish.eigengap_reversible", {"P": P_1}),
                "=",
                Exactly("1"),
            ),
        ),
    ),
)


_FLIP = [["0", "1"], ["1", "0"]]

_NEAR = Proof(
    "eigengap.md#ratio-to-stationary",
    "with the second largest eigenvalue counted by multiplicity, for every t (2)",
    (Formula("(2)", _powers_come_near),),
)
_RATIOS = Proof(
    "eigengap.md#backward-factor",
    "forward ratios within (1+D)/(1-D), backward ratios within its square (3)",
    (Formula("(3)", _ratios_are_bounded),),
)
_REVERSIBLE = Proof(
    "eigengap.md#reversible-gap",
    "for reversible chains sigma = m, the largest modulus but one 1, and 2(1-m) >= 1-m^2 (4)",
    (Formula("(4)", _reversible_gap_is_larger),),
)
_NOTHING_DROPPED = Proof(
    f"{_NOTE}#reversible-chains",
    "P P* = P^2 has 1 once, so nothing is dropped; and (14) is at least (7) (4)",
    (Formula("(4)", _reversible_gap_is_larger),),
)
_GAP = Proof(
    "eigengap.md#norm-off-the-mean",
    "P - 1 pi^T has the norm sqrt(lambda_2) (1)",
    (Formula("(1)", _rates_are_one_half),),
)


def _no_lag_helps() -> Trilean:
    """Whether rows of every power of the flip exclude each other: P^2 = 1, and P has no overlap."""
    moves = matrix(_FLIP)
    apart = all(not any(map(min, zip(*power(moves, t), strict=True))) for t in (1, 2))
    return Trilean.of(apart and power(moves, 2) == power(moves, 0))


def _reversible(*proofs: Proof) -> Reading:
    return Reading("for reversible chains", proofs)


_BOTH = Instance(
    "four states, a = b = 5: the influence of X_6 is at most 2 w_5 + w_5",
    influence(4, 6, 5, 5),
    "<=",
    influence_limit(4, 5, 3),
    hypotheses(4, 5),
)
_AHEAD = Instance(
    "four states, t = 5: the log-ratio P^5(x, y)/P^5(x', y) is at most w_5",
    influence(4, 1, 0, 5),
    "<=",
    influence_limit(4, 5, 1),
    hypotheses(4, 5),
)

_MIXING_STATEMENTS = (
    Statement(
        id="song2017.equation-7",
        kind="equation",
        where="Section 4.4.2, (7); Appendix C.2, (14)",
        says="The eigengap of P P*, 1 less its second largest eigenvalue, is the least "
        "1 - |lambda| over eigenvalues of modulus below 1.",
        hypotheses=("irreducible and aperiodic chains",),
        note=_NOTE,
        evidence=(
            Instance(
                "chain of three states whose P P* has the eigenvalues 1, 1, 1/4: the gap is 3/4",
                At("pufferfish.eigengap", {"P": slow_line(3)}),
                "=",
                Exactly("3/4"),
                hypotheses(3, 4),
            ),
        ),
        readings=(_reversible(_NOTHING_DROPPED),),
    ),
    Statement(
        id="song2017.equation-7-repaired",
        kind="repair",
        repairs="song2017.equation-7",
        where="Section 4.4.2, (7)",
        says="1 less the second largest eigenvalue of P P*, counted with multiplicity, is the gap "
        "that governs how powers of P come near to the stationary law.",
        note=_NOTE,
        evidence=(_GAP,),
    ),
    Statement(
        id="song2017.lemma-c-2",
        kind="lemma",
        where="Appendix C.2, Lemma C.2",
        says="|P^t(x,y)/pi(y) - 1| <= exp(-g t/2)/pi_min for t >= 2 log(1/pi_min)/g, g by (14).",
        hypotheses=("irreducible and aperiodic",),
        note=_NOTE,
        evidence=(
            Instance(
                "three states, t = 4",
                furthest_from_stationary(3, 4),
                "<=",
                distance_bound(3, 4),
                hypotheses(3, 4),
            ),
        ),
        readings=(_reversible(_NEAR, _REVERSIBLE),),
    ),
    Statement(
        id="song2017.lemma-c-2-repaired",
        kind="repair",
        repairs="song2017.lemma-c-2",
        where="Appendix C.2, Lemma C.2",
        says="With eigenvalues counted by multiplicity the bound holds for every irreducible chain "
        "and every t.",
        note=_NOTE,
        evidence=(_NEAR,),
    ),
    Statement(
        id="song2017.lemma-c-3",
        kind="lemma",
        where="Appendix C.2, Lemma C.3",
        says="Forward ratios lie within (1+D_t)/(1-D_t) either way, backward ratios within its "
        "square, for t > 2 log(1/pi_min)/g and every law of the class, g by (14).",
        hypotheses=("irreducible and aperiodic",),
        note=_NOTE,
        evidence=(_AHEAD,),
        readings=(_reversible(_RATIOS, _REVERSIBLE),),
    ),
    Statement(
        id="song2017.lemma-c-3-repaired",
        kind="repair",
        repairs="song2017.lemma-c-3",
        where="Appendix C.2, Lemma C.3",
        says="With eigenvalues counted by multiplicity both bounds hold for every initial law, and "
        "without the square for the stationary one.",
        note=_NOTE,
        evidence=(_RATIOS,),
    ),
    Statement(
        id="song2017.lemma-4-8",
        kind="lemma",
        where="Section 4.4.2, Lemma 4.8",
        says="The influence on {X_(i-a), X_(i+b)} is at most w_b + 2 w_a, by pi_min and g of (7).",
        hypotheses=("irreducible and aperiodic", "min(a, b) >= 2 log(1/pi_min)/g, as in Lemma C.1"),
        garbled="the hypotheses on a and b",
        note=_NOTE,
        evidence=(_BOTH,),
        readings=(_reversible(_RATIOS, _REVERSIBLE),),
    ),
    Statement(
        id="song2017.lemma-4-8-repaired",
        kind="repair",
        repairs="song2017.lemma-4-8",
        where="Section 4.4.2, Lemma 4.8",
        says="With eigenvalues counted by multiplicity the bound holds for all lags with D_a and "
        "D_b below 1 and every initial law.",
        note=_NOTE,
        evidence=(_RATIOS,),
    ),
    Statement(
        id="song2017.lemma-c-1",
        kind="lemma",
        where="Appendix C.2, Lemma C.1 and (14); Section 4.4.2 on reversible chains",
        says="The bound of Lemma 4.8 with g of (14), and 2 w_a, w_b and 0 for the quilts with one "
        "end or none.",
        hypotheses=(
            "irreducible and aperiodic, with both cases of (14)",
            "min(a, b) >= 2 log(1/pi_min)/g",
        ),
        note=_NOTE,
        evidence=(_BOTH, _AHEAD),
        readings=(Reading("for reversible chains", (_RATIOS, _REVERSIBLE)),),
    ),
    Statement(
        id="song2017.lemma-c-1-repaired",
        kind="repair",
        repairs="song2017.lemma-c-1",
        where="Appendix C.2, Lemma C.1 and (14)",
        says="It holds as printed for reversible chains, and with eigenvalues of P P* counted by "
        "multiplicity for all others.",
        note=_NOTE,
        evidence=(_RATIOS, _REVERSIBLE),
    ),
    Statement(
        id="song2017.remark-irreducible",
        kind="remark",
        where="Section 4.4.2, after Lemma 4.8",
        says="Without irreducibility and aperiodicity a chain may not mix: influences may be "
        "infinite at every lag.",
        note=_NOTE,
        evidence=(
            Identity("rows of every power of ((0, 1), (1, 0)) exclude each other", _no_lag_helps),
        ),
        readings=(
            Reading(
                "no mechanism can then be private: the chain has no finite scale",
                (
                    Instance(
                        "the trivial quilt of five steps at epsilon = 1",
                        At(
                            "pufferfish.quilt_scale_exact",
                            {
                                "chains": one_chain("stationary", _FLIP),
                                "length": 5,
                                "epsilon": 1,
                                "width": 5,
                            },
                        ),
                        ">",
                        Exactly("5"),
                    ),
                ),
            ),
        ),
    ),
)

# The bound on influences that repairs Lemma 4.8, for the entries on Algorithm 4; and what makes
# it that of the printed gap.
RATIOS, REVERSIBLE, NOTHING_DROPPED = _RATIOS, _REVERSIBLE, _NOTHING_DROPPED

STATEMENTS = (*_REVERSAL_STATEMENTS, *_MIXING_STATEMENTS)
