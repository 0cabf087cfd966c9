"""Section 4.4.1 and Appendix C.4: MQMExact, the running example, and all starts at once."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

from flint import arb

from ....reference.arb.balls import ball
from ....reference.enclosure import Enclosure, Trilean
from ..evidence import Formula, Identity, Instance, OverBox, Proof, Reproduced
from ..statement import Reading, Statement
from ..values import At, Exactly, Worked
from .chains import (
    LENGTH,
    P_1,
    P_2,
    START_1,
    START_2,
    START_OF_THREE,
    Lags,
    Rows,
    Scores,
    Texts,
    both_ways,
    influence_by_formula,
    largest,
    matrix,
    near,
    numbers,
    one_chain,
    power,
)
from .quilts import (
    all_states_overstate,
    any_start_is_a_supremum,
    lags_decide_when_stationary,
    nearest_ends_score_no_more,
    operations_are_counted,
    point_masses_attain_the_first_term,
    shifted_quilts_are_no_larger,
)

_NOTE = "song2017/chain-quilts.md"

_FOUR_KINDS = Proof(
    "quilt-influence.md#four-kinds-of-quilts-suffice",
    "the nearest nodes on either side have no more influence and leave as many nodes (2)",
    (Formula("(2)", nearest_ends_score_no_more),),
)
_PROTECTS = Proof(
    "quilt-influence.md#privacy-of-several-releases",
    "any quilts protect, and (5) is never too small (3)",
    (Formula("(3)", all_states_overstate),),
)


def _printed_quilts(node: int, length: int, width: int) -> list[tuple[int, int]]:
    """Return the lags of the quilts of Algorithm 3 as printed, ends within the chain."""
    both = [(a, b) for a in range(1, node) for b in range(1, length - node + 1) if a + b < width]
    left = [(a, 0) for a in range(1, node) if node - a >= length - width]
    right = [(0, b) for b in range(1, length - node + 1) if node + b < width]
    return [*both, *left, *right, (0, 0)]


def _first_node_has_the_trivial_quilt_alone() -> Trilean:
    return Trilean.of(_printed_quilts(1, 2, 2) == [(0, 0)])


_TWO_STEPS = {"chains": one_chain(START_OF_THREE, P_1), "length": 2, "epsilon": 10, "width": 2}

_MQM_EXACT_STATEMENTS = (
    Statement(
        id="song2017.complexity-influence",
        kind="remark",
        where="Section 4.4.1, after (5) and the running time analysis",
        says="One influence takes O(i k^2 + (a+b) k^3) operations; Algorithm 3 naively "
        "O(T l^2 |Theta| (l k^3 + T k^2)), with stored powers O(T l^2 k^3 |Theta|), and a factor T "
        "less where lags alone decide.",
        hypotheses=("matrices are multiplied by definition", "l >= 1", "logarithms count as one"),
        note=_NOTE,
        evidence=(
            Proof(
                f"{_NOTE}#operations",
                "by counting (5)",
                (Formula("(5)", operations_are_counted),),
            ),
        ),
    ),
    Statement(
        id="song2017.algorithm-3",
        kind="algorithm",
        where="Section 4.4.1, Algorithm 3 (MQMExact)",
        says="MQMExact is private: for each law and node the least score over its quilts, then the "
        "largest.",
        note=_NOTE,
        evidence=(_PROTECTS,),
        readings=(
            Reading(
                "its sets hold all quilts with ends at a distance up to l, as its comment says",
                (
                    Identity(
                        "two steps of Section 4.3, l = 2: node 1 has the trivial quilt alone, 1/5",
                        _first_node_has_the_trivial_quilt_alone,
                        decides=False,
                    ),
                    Instance(
                        "with all quilts the scale at epsilon = 10 is that of the printed sets, "
                        "1/5",
                        At("pufferfish.quilt_scale_exact", _TWO_STEPS),
                        "=",
                        Exactly("1/5"),
                    ),
                ),
            ),
        ),
    ),
    Statement(
        id="song2017.algorithm-3-repaired",
        kind="repair",
        repairs="song2017.algorithm-3",
        where="Section 4.4.1, Algorithm 3",
        says="With all lags whose quilt leaves at most l nodes, and the trivial quilt, MQMExact is "
        "private, and for l = T no quilt of any kind would ask for less.",
        note=_NOTE,
        evidence=(_PROTECTS, _FOUR_KINDS),
    ),
)


_RUNNING_EXAMPLE_NOTE = "song2017/running-example.md"


@cache
def _ways(chain: int, *, all_states: bool, forward: bool = True) -> tuple[Scores, Scores]:
    start, rows = ((START_1, P_1), (START_2, P_2))[chain - 1]
    return both_ways(
        numbers(start),
        matrix(rows),
        LENGTH,
        Fraction(1),
        all_states=all_states,
        forward=forward,
    )


@cache
def _largest(
    chain: int, way: int, *, all_states: bool, forward: bool = True
) -> tuple[Enclosure, int, Lags]:
    scores = _ways(chain, all_states=all_states, forward=forward)[way]
    score, node = scores.largest()
    return score, node, scores.least(node)[1]


def _over_all_states(chain: int, *, forward: bool = True) -> Worked:
    term = "" if forward else ", its second term 0 as printed"
    return Worked(
        f"largest score of running chain {chain} by (5) over all states{term}, every node and "
        "quilt",
        lambda: _largest(chain, 0, all_states=True, forward=forward)[0],
        lambda: _largest(chain, 1, all_states=True, forward=forward)[0],
    )


def _is_at(chain: int, node: int, lags: Lags, *, all_states: bool) -> Trilean:
    """Whether the largest score is at this node alone, and this is its best quilt alone."""
    ways = (0, 1) if all_states else (0,)
    found = {_largest(chain, way, all_states=all_states)[1:] for way in ways}
    return Trilean.of(found == {(node, lags)})


def _scale(start: Texts | str, rows: Rows, **more: object) -> At:
    given = {"chains": one_chain(start, rows), "length": LENGTH, "epsilon": 1, "width": LENGTH}
    return At("pufferfish.quilt_scale_exact", {**given, **more})


def middle_node_of_the_first() -> Worked:
    """Return the least score of X_50 in the first running chain, by Definition 4.1.

    Over all states it is the same: the only node that cannot take both values is X_1, and its
    quilts leave too many nodes to be the best.
    """
    return Worked(
        "least score of X_50, first running chain",
        lambda: _ways(1, all_states=False)[0].least(LENGTH // 2)[0],
        lambda: _ways(1, all_states=True)[1].least(LENGTH // 2)[0],
    )


_RUNNING_EXAMPLE_STATEMENTS = (
    Statement(
        id="song2017.example-4-4-1",
        kind="number",
        where="Section 4.4.1, the running example with l = T",
        says="For the first chain the largest score is 13.0219, at X_8 with {X_3, X_13}.",
        hypotheses=(
            "influences by (5) over all states of X_(i-a), with x for x' in its second numerator",
        ),
        note=_RUNNING_EXAMPLE_NOTE,
        evidence=(
            Reproduced("largest score", "13.0219", _over_all_states(1)),
            Identity(
                "it is that of X_8 alone, with {X_3, X_13} alone",
                lambda: _is_at(1, 8, (5, 5), all_states=True),
            ),
        ),
        readings=(
            Reading(
                "influences by (5) as it is printed, where the second term is 0",
                (Reproduced("largest score", "13.0219", _over_all_states(1, forward=False)),),
            ),
            Reading(
                "influences by Definition 4.1, where X_1 has one possible value",
                (Reproduced("largest score", "13.0219", _scale(START_1, P_1)),),
            ),
            Reading(
                "any initial law instead of the given one",
                (Reproduced("largest score", "13.0219", _scale("any", P_1)),),
            ),
        ),
    ),
    Statement(
        id="song2017.example-4-4-1-repaired",
        kind="repair",
        repairs="song2017.example-4-4-1",
        where="Section 4.4.1, the running example",
        says="By Definition 4.1 the largest score of the first chain is 12.9341, at X_8 with "
        "{X_1, X_13}.",
        adds=("influences over values of positive probability",),
        note=_RUNNING_EXAMPLE_NOTE,
        evidence=(
            Reproduced("largest score", "12.9341", _scale(START_1, P_1)),
            Identity(
                "it is that of X_8 alone, with {X_1, X_13} alone",
                lambda: _is_at(1, 8, (7, 5), all_states=False),
            ),
        ),
    ),
    Statement(
        id="song2017.example-4-4-1-second-chain",
        kind="number",
        where="Section 4.4.1, the running example with l = T",
        says="For the second chain the largest score is 10.6402, at X_6 with {X_10}.",
        note=_RUNNING_EXAMPLE_NOTE,
        evidence=(
            Reproduced("largest score", "10.6402", _scale(START_2, P_2)),
            Identity(
                "it is that of X_6 alone, with {X_10} alone",
                lambda: _is_at(2, 6, (0, 4), all_states=True),
            ),
        ),
    ),
)


# MQMExact's scale for one small chain over all its initial laws at once, in balls.

# The example of quilt-influence.md: T = 6, epsilon = 4.
MOVES, _SHORT, EPSILON = [["0.1", "0.9"], ["0.7", "0.3"]], 6, 4
# No initial law needs this much; C.4 asks for 3/2.
ENOUGH = Fraction(27, 20)
_PAIRS = ((0, 1), (1, 0))


@cache
def _power(steps: int) -> tuple[tuple[Fraction, ...], ...]:
    return power(matrix(MOVES), steps)


@cache
def _sides(left: int, right: int, x: int, other: int) -> Fraction:
    """Return the product of the backward and the forward quotient, over all states."""
    back, ahead = _power(left), _power(right)
    found = largest((row[x], row[other]) for row in back) if left else 1
    forward = largest(zip(ahead[x], ahead[other], strict=True)) if right else 1
    return Fraction(found) * Fraction(forward)


def room_below_enough(q: arb) -> arb:
    """Return the room between the scale and 27/20 for the start (q, 1 - q).

    All steps are possible, so X_2 to X_6 take both values for every q; over all states (5) is at
    least the influence, at q = 0 and 1 too.
    """
    return ball(ENOUGH) - _largest_score(q)


def _largest_score(q: arb) -> arb:
    found = arb(0)
    for node in range(1, _SHORT + 1):
        found = found.max(_least_score(node, q))
    return found


def _least_score(node: int, q: arb) -> arb:
    found = ball(Fraction(_SHORT, EPSILON))
    steps = _power(node - 1)
    own = [q * ball(steps[0][x]) + (1 - q) * ball(steps[1][x]) for x in (0, 1)]
    for left in range(node):
        for right in range(_SHORT - node + 1):
            if left or right:
                room = EPSILON - _influence(left, right, own)
                if room > 0:
                    found = found.min(near(node, _SHORT, left, right) / room)
    return found


def _influence(left: int, right: int, own: list[arb]) -> arb:
    found = arb(0)
    for x, other in _PAIRS:
        prior = own[other] / own[x] if left else arb(1)
        found = found.max((ball(_sides(left, right, x, other)) * prior).log())
    return found


_STARTS = "song2017/starts.md"


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


_ANY_START = _scale("any", MOVES, length=_SHORT, epsilon=EPSILON, width=_SHORT)
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
        Formula("(1)", any_start_is_a_supremum),
        Formula("(2)", point_masses_attain_the_first_term),
    ),
)
_BY_LAGS = Proof(
    f"{_STARTS}#lags-alone",
    "forward and backward ratios depend on lags alone, and the prior ratio is stationary (3)",
    (Formula("(3)", lags_decide_when_stationary),),
)
_EVERY_NODE = Proof(
    "quilt-influence.md#two-sided-quilts-bound-every-node",
    "a two-sided quilt's lags, cut to the chain, serve every node (4)",
    (Formula("(4)", shifted_quilts_are_no_larger),),
)

_STARTS_STATEMENTS = (
    Statement(
        id="song2017.remark-stationary-shift",
        kind="remark",
        where="Section 4.4.1, last paragraph",
        says="From a stationary start the influence on {X_(i-a), X_(i+b)} depends on lags alone.",
        hypotheses=("both ends are nodes: i from a+1 to T-b",),
        garbled="the range is printed from i = a, where the left end would be X_0",
        note=_STARTS,
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
    Statement(
        id="song2017.remark-stationary-shift-repaired",
        kind="repair",
        repairs="song2017.remark-stationary-shift",
        where="Section 4.4.1, last paragraph",
        says="For i from a+1 to T-b lags alone decide, and if some node's best quilt is two-sided, "
        "its score is the largest of all nodes, so one search is enough.",
        adds=("a stationary start", "a node whose best quilt has both ends"),
        note=_STARTS,
        evidence=(_BY_LAGS, _EVERY_NODE),
    ),
    Statement(
        id="song2017.appendix-c-4",
        kind="corollary",
        where="Appendix C.4; Section 4.4.1, running time analysis",
        says="With all initial laws allowed the influence is (5) with the largest quotient of a "
        "power's entries for the prior ratio, which a point mass attains.",
        hypotheses=("i > 1", "maxima over initial laws are suprema"),
        garbled="q is written as a row and as a column",
        note=_STARTS,
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
    Statement(
        id="song2017.appendix-c-4-repaired",
        kind="repair",
        repairs="song2017.appendix-c-4",
        where="Appendix C.4",
        says="The formula is the supremum over initial laws, which need not be attained; the scale "
        "made from it is at least Algorithm 3's for every initial law, and can be more.",
        note=_STARTS,
        evidence=(_SUPREMUM, _COVERED, _CAN_BE_MORE, _NEED_NOT_BE_ATTAINED),
    ),
)

STATEMENTS = (*_MQM_EXACT_STATEMENTS, *_RUNNING_EXAMPLE_STATEMENTS, *_STARTS_STATEMENTS)
