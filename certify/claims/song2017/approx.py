"""Section 4.4.2 and Appendix C.3: MQMApprox and its fast search."""

from __future__ import annotations

from ....reference.enclosure import Trilean
from ..entries import Claim, Reading
from ..evidence import Formula, Identity, Instance, Proof
from ..values import At, Exactly
from . import executed_approx as on_approx
from . import executed_chains as on_chains
from . import slow_chain as slow
from . import slow_release as release
from .inputs import LENGTH, P_1, START_1, one_chain
from .mixing import NOTHING_DROPPED, RATIOS, REVERSIBLE
from .running_example import middle_node_of_the_first

NOTE = "song2017/mqm-approx.md"


_AT_THE_LAG = Formula("(1)", on_approx.bound_at_the_lag_is_small)
_MIDDLE = Proof(
    f"{NOTE}#the-middle-node",
    "w at a* is at most epsilon/6 (1), so the middle's best quilt has both ends, a+b <= 4a* (2)",
    (_AT_THE_LAG, Formula("(2)", on_approx.middle_quilt_is_two_sided)),
)
_LARGEST = Proof(
    "eigengap.md#two-sided-optimum-decides",
    "a node whose best quilt has both ends has the largest least score",
    (Formula("largest", on_approx.no_node_needs_more_than_the_middle),),
)
_PRIVATE = Proof(
    "quilt-influence.md#privacy-of-several-releases",
    "an upper bound in the place of the influence protects as well",
    (Formula("quilts", on_chains.all_states_overstate),),
)

CLAIMS = (
    Claim(
        id="song2017.algorithm-4",
        kind="algorithm",
        where="Section 4.4.2, Algorithm 4 (MQMApprox), with g by (7)",
        says="MQMApprox, the search of Algorithm 3 with the bound of Lemma 4.8 for the influence, "
        "is epsilon-Pufferfish private.",
        hypotheses=("irreducible and aperiodic chains",),
        note=NOTE,
        evidence=(
            Instance(
                "ten states, T = 50, epsilon = 1, a 1-Lipschitz count released with scale 36.66, "
                "no less than Algorithm 4's: the loss is at most 1",
                release.LossOfTheCount(release.SCALE),
                "<=",
                Exactly("1"),
                slow.hypotheses(release.STATES, release.STEPS),
            ),
            Identity(
                "one pass over all steps gives the same two laws of the count",
                lambda: Trilean.of(release.laws_of_the_count() == release.laws_by_one_pass()),
                decides=False,
            ),
            Instance(
                "Algorithm 4's scale for pi_min = 1/11 and g = 3/4",
                At(
                    "pufferfish.quilt_scale_approx",
                    {"pi_min": "1/11", "gap": "3/4", "length": release.STEPS, "epsilon": 1},
                ),
                "<=",
                Exactly(release.SCALE),
            ),
        ),
        readings=(
            Reading(
                "for reversible chains, with (7) or (14)",
                (NOTHING_DROPPED, RATIOS, REVERSIBLE, _PRIVATE),
            ),
        ),
    ),
    Claim(
        id="song2017.algorithm-4-repaired",
        kind="repair",
        repairs="song2017.algorithm-4",
        where="Section 4.4.2, Algorithm 4",
        says="With eigenvalues of P P* counted by multiplicity, or (14) for reversible chains, "
        "MQMApprox is private for every initial law.",
        note=NOTE,
        evidence=(RATIOS, REVERSIBLE, _PRIVATE),
    ),
    Claim(
        id="song2017.lemma-4-9",
        kind="lemma",
        where="Section 4.4.2, Lemma 4.9; proof in Appendix C.3",
        says="For T >= 8 a* the middle node's best quilt has both ends with a + b <= 4 a*, and the "
        "middle node has the largest score.",
        hypotheses=("scores are those of Algorithm 4, for any g > 0 and pi_min > 0",),
        note=NOTE,
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
    Claim(
        id="song2017.lemma-c-4",
        kind="lemma",
        where="Appendix C.3, Lemma C.4",
        says="In MQMApprox a node whose best quilt has both ends inside has the largest score.",
        hypotheses=("all quilts are searched, or all with cards up to a width",),
        note=NOTE,
        evidence=(_LARGEST,),
    ),
    Claim(
        id="song2017.complexity-approx",
        kind="remark",
        where="Section 4.4.2, running time analysis",
        says="A bound on a score takes O(1) operations, Algorithm 4 O(T l^2), and O((a*)^2) with "
        "Lemma 4.9, whatever T.",
        hypotheses=("exponentials and logarithms count as one", "g and pi_min are given"),
        note=NOTE,
        evidence=(
            Proof(
                f"{NOTE}#operations",
                "by counting: at most (l+1)^2 quilts a node, and one node with l = 4 a* (7)",
                (Formula("(7)", on_chains.quilts_are_counted),),
            ),
            _MIDDLE,
            _LARGEST,
        ),
    ),
)
