"""Section 4.4.1: MQMExact and its operations."""

from __future__ import annotations

from ....reference.enclosure import Trilean
from ..entries import Claim, Reading
from ..evidence import Formula, Identity, Instance, Proof
from ..values import At, Exactly
from . import executed_chains as executed
from .inputs import P_1, START_OF_THREE, one_chain

NOTE = "song2017/chain-quilts.md"

_FOUR_KINDS = Proof(
    "quilt-influence.md#four-kinds-of-quilts-suffice",
    "the nearest nodes on either side have no more influence and leave as many nodes (2)",
    (Formula("(2)", executed.nearest_ends_score_no_more),),
)
_PROTECTS = Proof(
    "quilt-influence.md#privacy-of-several-releases",
    "any quilts protect, and (5) is never too small (3)",
    (Formula("(3)", executed.all_states_overstate),),
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

CLAIMS = (
    Claim(
        id="song2017.complexity-influence",
        kind="remark",
        where="Section 4.4.1, after (5) and the running time analysis",
        says="One influence takes O(i k^2 + (a+b) k^3) operations; Algorithm 3 naively "
        "O(T l^2 |Theta| (l k^3 + T k^2)), with stored powers O(T l^2 k^3 |Theta|), and a factor T "
        "less where lags alone decide.",
        hypotheses=("matrices are multiplied by definition", "l >= 1", "logarithms count as one"),
        note=NOTE,
        evidence=(
            Proof(
                f"{NOTE}#operations",
                "by counting (5)",
                (Formula("(5)", executed.operations_are_counted),),
            ),
        ),
    ),
    Claim(
        id="song2017.algorithm-3",
        kind="algorithm",
        where="Section 4.4.1, Algorithm 3 (MQMExact)",
        says="MQMExact is private: for each law and node the least score over its quilts, then the "
        "largest.",
        note=NOTE,
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
    Claim(
        id="song2017.algorithm-3-repaired",
        kind="repair",
        repairs="song2017.algorithm-3",
        where="Section 4.4.1, Algorithm 3",
        says="With all lags whose quilt leaves at most l nodes, and the trivial quilt, MQMExact is "
        "private, and for l = T no quilt of any kind would ask for less.",
        note=NOTE,
        evidence=(_PROTECTS, _FOUR_KINDS),
    ),
)
