"""Section 4.4.1: which quilts of a chain are enough, and the influence formula."""

from __future__ import annotations

from fractions import Fraction

from ....reference.arb.balls import ball, enclosure_of, working_precision
from ....reference.enclosure import Enclosure, Trilean
from ....reference.second.directed import Span
from ..entries import Claim, Reading
from ..evidence import Formula, Identity, Instance, Proof
from ..values import At, Worked
from . import executed_chains as executed
from .exact_chains import after, influence_by_formula, influence_by_paths
from .inputs import P_1, START_1, START_OF_THREE, matrix, numbers

NOTE = "song2017/chain-quilts.md"
_BITS = 128
# Node 4 with the quilt {X_1, X_6} in the first running chain.
_NODE, _LAGS = 4, (3, 2)

_FORMULA = Proof(
    "quilt-influence.md#influence-formula",
    "over values that X_(i-a) can have, (5) is Definition 4.1 (1)",
    (Formula("(1)", executed.formula_is_the_definition),),
)
_FOUR_KINDS = Proof(
    "quilt-influence.md#four-kinds-of-quilts-suffice",
    "the nearest nodes on either side have no more influence and leave as many nodes (2)",
    (Formula("(2)", executed.nearest_ends_score_no_more),),
)


def _literal(left: int, right: int) -> Fraction:
    """Return e to (5) over all states, from powers."""
    found = influence_by_formula(numbers(START_1), matrix(P_1), _NODE, left, right, all_states=True)
    return Fraction(found)


def _first(left: int, right: int) -> Enclosure:
    with working_precision(_BITS):
        return enclosure_of(ball(_literal(left, right)).log())


def _second(left: int, right: int) -> Enclosure:
    """Return the same with the quotients in closed form: slope 1/2, stationary law (4/5, 1/5)."""
    slope, pi, start = Fraction(1, 2), (Fraction(4, 5), Fraction(1, 5)), numbers(START_1)
    own = [p + slope ** (_NODE - 1) * (q - p) for p, q in zip(pi, start, strict=True)]
    ratios = []
    for x, other in ((0, 1), (1, 0)):
        rows = [
            (1 + pi[other] / pi[x] * slope**lag) / (1 - slope**lag) if lag else Fraction(1)
            for lag in (left, right)
        ]
        prior = own[other] / own[x] * pi[x] / pi[other] if left else Fraction(1)
        ratios.append(prior * rows[0] * rows[1])
    return Span.of(max(ratios), _BITS).log().enclosure()


def _over_all_states(left: int, right: int) -> Worked:
    return Worked(
        f"(5) over all states, first running chain, node {_NODE}, lags {left} and {right}",
        lambda: _first(left, right),
        lambda: _second(left, right),
    )


def _influence(left: int, right: int) -> At:
    given = {"initial": START_1, "P": P_1, "node": _NODE, "left": left, "right": right}
    return At("pufferfish.max_influence", given)


def _of_three(left: int, right: int) -> At:
    given = {"initial": START_OF_THREE, "P": P_1, "node": 2, "left": left, "right": right}
    return At("pufferfish.max_influence", given)


def _both_values(node: int) -> bool:
    return all(after(numbers(START_1), matrix(P_1), node - 1))


def _paths_agree() -> Trilean:
    by_paths = influence_by_paths(numbers(START_1), matrix(P_1), 8, _NODE, [1, 6])
    return Trilean.of(by_paths == Fraction(8, 3) and _literal(*_LAGS) == Fraction(264, 49))


CLAIMS = (
    Claim(
        id="song2017.lemma-4-6",
        kind="lemma",
        where="Section 4.4.1, Lemma 4.6 and (4); proof in Appendix C.2",
        says="Every quilt of a chain's node scores at least as much as one of {i-a, i+b}, {i-a}, "
        "{i+b}, {}, of which there are order T^2 among exponentially many.",
        garbled="the proof has i-b for i+b in one place",
        note=NOTE,
        evidence=(
            _FOUR_KINDS,
            Proof(
                f"{NOTE}#how-many",
                "2^(T-1) sets, i (T-i+1) of the four kinds (4)",
                (Formula("(4)", executed.quilts_are_counted),),
            ),
        ),
    ),
    Claim(
        id="song2017.equation-5",
        kind="equation",
        where="Section 4.4.1, (5)",
        says="On a chain the influence on {X_(i-a), X_(i+b)} is the largest, over two values of "
        "X_i, of the log-ratio of their probabilities and the largest log-ratios either way.",
        note=NOTE,
        evidence=(
            Instance(
                "the second term has x' in numerator and denominator: three steps, {X_1, X_3} on "
                "X_2: the influence is that on {X_1}",
                _of_three(1, 1),
                "=",
                _of_three(1, 0),
            ),
        ),
        readings=(
            Reading(
                "with x in the second numerator, as in Appendix C.4; the backward maximum runs "
                "over all states, by the rows of the transition matrix, as in the paper's example",
                (
                    Instance(
                        "first running chain, {X_1, X_6} on X_4: the influence is what (5) gives",
                        _influence(*_LAGS),
                        "=",
                        _over_all_states(*_LAGS),
                        {"X_4 takes both values": _both_values(_NODE)},
                    ),
                    Identity(
                        "8/3 over all paths of 8 steps, 264/49 by (5)", _paths_agree, decides=False
                    ),
                ),
            ),
        ),
    ),
    Claim(
        id="song2017.equation-5-repaired",
        kind="repair",
        repairs="song2017.equation-5",
        where="Section 4.4.1, (5)",
        says="(5) holds with x in the second numerator and the backward maximum over the values "
        "of positive probability of X_(i-a).",
        adds=("the backward maximum is over values of positive probability",),
        note=NOTE,
        evidence=(_FORMULA,),
    ),
    Claim(
        id="song2017.equation-5-one-sided",
        kind="equation",
        where="Section 4.4.1, after (5)",
        says="One-sided quilts have similar formulas, a term or two left out; the trivial quilt "
        "has no influence.",
        hypotheses=("the backward maximum is over values that X_(i-a) can have",),
        note=NOTE,
        evidence=(_FORMULA,),
        readings=(
            Reading(
                "the backward maximum runs over all states",
                (
                    Instance(
                        "first running chain, {X_1} on X_4: the influence is what that gives",
                        _influence(_LAGS[0], 0),
                        "=",
                        _over_all_states(_LAGS[0], 0),
                        {"X_4 takes both values": _both_values(_NODE)},
                    ),
                ),
            ),
        ),
    ),
)
