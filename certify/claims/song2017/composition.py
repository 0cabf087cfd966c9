"""Section 4.3: several releases by the quilt mechanism."""

from __future__ import annotations

from fractions import Fraction

from ....reference.enclosure import Trilean
from ..entries import Claim, Reading
from ..evidence import Formula, Identity, Instance, Proof
from ..values import At, Exactly
from . import executed_networks as executed
from .chain_scores import ByPowers
from .inputs import P_2, START_2, matrix, numbers, one_chain

COMPOSITION = "song2017/composition.md"


# What the quilts of the second running chain ask for, a little rounded up, for two epsilons.
_LENGTH, _SCALES, _SUM = 100, ("10.6402", "0.5338"), "6"


def _active_quilts_differ() -> Trilean:
    start, moves = numbers(START_2), matrix(P_2)
    found = []
    for epsilon in (1, 5):
        scores = ByPowers(start, moves, _LENGTH, Fraction(epsilon), all_states=False)
        found.append(scores.least(6)[1])
    return Trilean.of(found == [(0, 4), (1, 1)])


def _chain_of_two(**more: object) -> dict[str, object]:
    return {"chains": one_chain(START_2, P_2), "length": _LENGTH, "width": _LENGTH, **more}


_ADD_UP = Proof(
    "quilt-network.md#epsilons-add-up",
    "the quilt of the least card bounds the sum (1), at most K times the largest (2)",
    (
        Formula("(1)", executed.two_releases_are_bounded),
        Formula("(2)", executed.sums_bound_every_combination),
    ),
)

CLAIMS = (
    Claim(
        id="song2017.theorem-4-4",
        kind="theorem",
        where="Section 4.3, Theorem 4.4; proof in Appendix C.1",
        says="K releases by the quilt mechanism, each epsilon-private, with the same sets of "
        "quilts, are K epsilon-private together.",
        hypotheses=("independent noise",),
        note=COMPOSITION,
        evidence=(_ADD_UP,),
    ),
    Claim(
        id="song2017.remark-composition-condition",
        kind="remark",
        where="Section 4.3, last paragraph",
        says="One active quilt for all releases is enough for epsilons to add up, and for "
        "different epsilons with the same sets K times the largest is guaranteed.",
        note=COMPOSITION,
        evidence=(_ADD_UP,),
        readings=(
            Reading(
                "one active quilt is needed for epsilons to add up",
                (
                    Instance(
                        "second running chain at epsilons 1 and 5, whose active quilts differ: the "
                        "releases together are not bounded by the sum",
                        At("pufferfish.quilt_epsilon", _chain_of_two(scales=list(_SCALES))),
                        ">",
                        Exactly(_SUM),
                    ),
                    Identity(
                        "the active quilts of X_6 are {X_10} at 1 and {X_5, X_7} at 5",
                        _active_quilts_differ,
                        decides=False,
                    ),
                    *(
                        Instance(
                            f"the scale needed for epsilon = {epsilon}",
                            At("pufferfish.quilt_scale_exact", _chain_of_two(epsilon=epsilon)),
                            "<=",
                            Exactly(scale),
                        )
                        for epsilon, scale in zip((1, 5), _SCALES, strict=True)
                    ),
                ),
                beyond=True,
            ),
        ),
    ),
    Claim(
        id="song2017.remark-composition-condition-repaired",
        kind="repair",
        repairs="song2017.remark-composition-condition",
        where="Section 4.3, Theorem 4.4 and the last paragraph",
        says="Releases for epsilon_1, ..., epsilon_K lose at most their sum together, whatever "
        "their quilts, also for queries chosen in view of earlier answers.",
        note=COMPOSITION,
        evidence=(_ADD_UP,),
    ),
)
