"""Section 4.4.1: the running example's numbers."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

from ....reference.enclosure import Enclosure, Trilean
from ..entries import Claim, Reading
from ..evidence import Identity, Reproduced
from ..values import At, Worked
from .chain_scores import Lags, Scores, both_ways
from .inputs import LENGTH, P_1, P_2, START_1, START_2, Rows, Texts, matrix, numbers, one_chain

NOTE = "song2017/running-example.md"


@cache
def _ways(chain: int, *, all_states: bool) -> tuple[Scores, Scores]:
    start, rows = ((START_1, P_1), (START_2, P_2))[chain - 1]
    return both_ways(numbers(start), matrix(rows), LENGTH, Fraction(1), all_states=all_states)


@cache
def _largest(chain: int, way: int, *, all_states: bool) -> tuple[Enclosure, int, Lags]:
    scores = _ways(chain, all_states=all_states)[way]
    score, node = scores.largest()
    return score, node, scores.least(node)[1]


def _over_all_states(chain: int) -> Worked:
    return Worked(
        f"largest score of running chain {chain} by (5) over all states, every node and quilt",
        lambda: _largest(chain, 0, all_states=True)[0],
        lambda: _largest(chain, 1, all_states=True)[0],
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


CLAIMS = (
    Claim(
        id="song2017.example-4-4-1",
        kind="number",
        where="Section 4.4.1, the running example with l = T",
        says="For the first chain the largest score is 13.0219, at X_8 with {X_3, X_13}.",
        hypotheses=("influences by (5) over all states of X_(i-a), as it is printed",),
        note=NOTE,
        evidence=(
            Reproduced("largest score", "13.0219", _over_all_states(1)),
            Identity(
                "it is that of X_8 alone, with {X_3, X_13} alone",
                lambda: _is_at(1, 8, (5, 5), all_states=True),
            ),
        ),
        readings=(
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
    Claim(
        id="song2017.example-4-4-1-repaired",
        kind="repair",
        repairs="song2017.example-4-4-1",
        where="Section 4.4.1, the running example",
        says="By Definition 4.1 the largest score of the first chain is 12.9341, at X_8 with "
        "{X_1, X_13}.",
        adds=("influences over values of positive probability",),
        note=NOTE,
        evidence=(
            Reproduced("largest score", "12.9341", _scale(START_1, P_1)),
            Identity(
                "it is that of X_8 alone, with {X_1, X_13} alone",
                lambda: _is_at(1, 8, (7, 5), all_states=False),
            ),
        ),
    ),
    Claim(
        id="song2017.example-4-4-1-second-chain",
        kind="number",
        where="Section 4.4.1, the running example with l = T",
        says="For the second chain the largest score is 10.6402, at X_6 with {X_10}.",
        note=NOTE,
        evidence=(
            Reproduced("largest score", "10.6402", _scale(START_2, P_2)),
            Identity(
                "it is that of X_6 alone, with {X_10} alone",
                lambda: _is_at(2, 6, (0, 4), all_states=True),
            ),
        ),
    ),
)
