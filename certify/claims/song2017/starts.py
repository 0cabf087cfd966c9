"""Section 4.4.1 and Appendix C.4: stationary starts, and all starts at once."""

from __future__ import annotations

from fractions import Fraction

from ....reference.enclosure import Trilean
from ..entries import Claim, Reading
from ..evidence import Formula, Identity, Instance, OverBox, Proof
from ..values import At, Exactly, Worked
from . import executed_chains as executed
from .chain_scores import both_ways
from .exact_chains import influence_by_formula
from .inputs import LENGTH, P_1, P_2, Rows, Texts, matrix, one_chain
from .starts_box import EPSILON, MOVES, room_below_enough
from .starts_box import LENGTH as SHORT

STARTS = "song2017/starts.md"


def _scale(start: Texts | str, rows: Rows, **more: object) -> At:
    given = {"chains": one_chain(start, rows), "length": LENGTH, "epsilon": 1, "width": LENGTH}
    return At("pufferfish.quilt_scale_exact", {**given, **more})


def _short_and_stationary(node: int) -> Worked:
    pi = (Fraction(3, 5), Fraction(2, 5))
    ways = both_ways(pi, matrix(P_2), 3, Fraction(10), all_states=True)
    return Worked(
        f"least score of X_{node} of 3",
        lambda: ways[0].least(node)[0],
        lambda: ways[1].least(node)[0],
    )


def _not_attained() -> Trilean:
    """Whether the influence of X_2 on {X_1} attains its supremum over initial laws (q, 1 - q).

    With r the odds of X_2 = 1 it is the logarithm of max(9 r, 3/(2 r)) for 0 < q < 1, where r, a
    monotone quotient, lies strictly between 1/9 and 3/2; so it is below 27/2, which it approaches
    at both ends. At q = 0 and 1 itself X_1 has one value, and there is no influence.
    """
    moves, tiny = matrix(P_1), Fraction(1, 10**9)
    (stay, leave), (come, keep) = moves
    odds = {Fraction(q): leave / stay if q else keep / come for q in (0, 1)}
    monotone = leave * come - stay * keep != 0
    backward = [max(row[x] / row[1 - x] for row in moves) for x in (0, 1)]
    supremum = max(backward[0] * max(odds.values()), backward[1] / min(odds.values()))
    near = influence_by_formula((tiny, 1 - tiny), moves, 2, 1, 0)
    ends = [influence_by_formula((q, 1 - q), moves, 2, 1, 0) for q in odds]
    shown = monotone and supremum == Fraction(27, 2) and ends == [1, 1]
    close = supremum - Fraction(1, 10**6) < near < supremum
    return Trilean.FALSE if shown and close else Trilean.UNKNOWN


_ANY_START = _scale("any", MOVES, length=SHORT, epsilon=EPSILON, width=SHORT)
_CONSERVATIVE = Instance(
    "Appendix C.4's scale for any start is at most 27/20", _ANY_START, "<=", Exactly("27/20")
)
_CAN_BE_MORE = Instance(
    "Appendix C.4's scale for any start is above 27/20",
    _ANY_START,
    ">",
    Exactly("27/20"),
    decides=True,
)
_NEED_NOT_BE_ATTAINED = Identity(
    "first running chain's transitions, X_2 on {X_1}: no law attains 27/2",
    lambda: Trilean.of(_not_attained() is Trilean.FALSE),
)
_COVERED = OverBox(
    "Algorithm 3's scale is below 27/20 for every start (q, 1 - q)",
    {"q": ("0", "1")},
    room_below_enough,
)
_SUPREMUM = Proof(
    "quilt-influence.md#any-start-formula",
    "the formula is the supremum over initial laws (1); a point mass attains its first term (2)",
    (
        Formula("(1)", executed.any_start_is_a_supremum),
        Formula("(2)", executed.point_masses_attain_the_first_term),
    ),
)
_BY_LAGS = Proof(
    f"{STARTS}#lags-alone",
    "forward and backward ratios depend on lags alone, and the prior ratio is stationary (3)",
    (Formula("(3)", executed.lags_decide_when_stationary),),
)
_EVERY_NODE = Proof(
    "quilt-influence.md#two-sided-quilts-bound-every-node",
    "a two-sided quilt's lags, cut to the chain, serve every node (4)",
    (Formula("(4)", executed.shifted_quilts_are_no_larger),),
)

CLAIMS = (
    Claim(
        id="song2017.remark-stationary-shift",
        kind="remark",
        where="Section 4.4.1, last paragraph",
        says="From a stationary start the influence on {X_(i-a), X_(i+b)} depends on lags alone.",
        hypotheses=("both ends are nodes: i from a+1 to T-b",),
        garbled="the range is printed from i = a, where the left end would be X_0",
        note=STARTS,
        evidence=(_BY_LAGS,),
        readings=(
            Reading(
                "one search serves every node: all nodes have the same least score",
                (
                    Instance(
                        "second running chain's transitions, stationary, T = 3, epsilon = 10: "
                        "node 1 has the least score of node 2",
                        _short_and_stationary(1),
                        "=",
                        _short_and_stationary(2),
                    ),
                ),
            ),
        ),
    ),
    Claim(
        id="song2017.remark-stationary-shift-repaired",
        kind="repair",
        repairs="song2017.remark-stationary-shift",
        where="Section 4.4.1, last paragraph",
        says="For i from a+1 to T-b lags alone decide, and if some node's best quilt is two-sided, "
        "its score is the largest of all nodes, so one search is enough.",
        adds=("a stationary start", "a node whose best quilt has both ends"),
        note=STARTS,
        evidence=(_BY_LAGS, _EVERY_NODE),
    ),
    Claim(
        id="song2017.appendix-c-4",
        kind="corollary",
        where="Appendix C.4; Section 4.4.1, running time analysis",
        says="With all initial laws allowed the influence is (5) with the largest quotient of a "
        "power's entries for the prior ratio, which a point mass attains.",
        hypotheses=("i > 1", "maxima over initial laws are suprema"),
        garbled="q is written as a row and as a column",
        note=STARTS,
        evidence=(_SUPREMUM,),
        readings=(
            Reading(
                "the influence of Definition 4.1 attains its maximum over initial laws",
                (
                    Identity(
                        "first running chain's transitions, X_2 on {X_1}: some law attains 27/2",
                        _not_attained,
                    ),
                ),
            ),
            Reading(
                "the scale is the largest that Algorithm 3 gives over initial laws: for "
                "((1/10, 9/10), (7/10, 3/10)), T = 6, epsilon = 4",
                (_COVERED, _CONSERVATIVE),
            ),
        ),
    ),
    Claim(
        id="song2017.appendix-c-4-repaired",
        kind="repair",
        repairs="song2017.appendix-c-4",
        where="Appendix C.4",
        says="The formula is the supremum over initial laws, which need not be attained; the scale "
        "made from it is at least Algorithm 3's for every initial law, and can be more.",
        note=STARTS,
        evidence=(_SUPREMUM, _COVERED, _CAN_BE_MORE, _NEED_NOT_BE_ATTAINED),
    ),
)
