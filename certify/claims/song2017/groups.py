"""Section 3.2 and Appendix B.1: the Wasserstein distance against group privacy."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from ....reference.enclosure import Trilean
from ..entries import Claim, Reading
from ..evidence import Formula, Identity, Instance, Proof
from ..values import At, Exactly
from . import executed_wasserstein as executed
from .inputs import numbers

GROUPS = "song2017/groups.md"
_THREE_BITS = tuple(product((0, 1), repeat=3))
# X_1, X_2 fair, X_3 = X_1 xor X_2: any two are independent, the three are not.
_XOR = [str(Fraction(x[2] == x[0] ^ x[1], 4)) for x in _THREE_BITS]
_BIT_1 = [[at for at, x in enumerate(_THREE_BITS, 1) if x[0] == value] for value in (0, 1)]
_SUM_OF_THREE = {
    "values": [sum(x) for x in _THREE_BITS],
    "laws": [_XOR],
    "secrets": _BIT_1,
    "pairs": [[1, 2]],
}


def _pairwise_independent() -> bool:
    laws = dict(zip(_THREE_BITS, numbers(_XOR), strict=True))
    return all(
        sum(p for x, p in laws.items() if (x[i], x[j]) == (a, b)) == Fraction(1, 4)
        for i, j in ((0, 1), (0, 2), (1, 2))
        for a, b in product((0, 1), repeat=2)
    )


def _jointly_independent() -> bool:
    laws = dict(zip(_THREE_BITS, numbers(_XOR), strict=True))
    rest: dict[tuple[int, ...], list[Fraction]] = {}
    for x, p in laws.items():
        rest.setdefault(x[1:], []).append(p)
    return all(len(set(shares)) == 1 for shares in rest.values())


_JOINT = Proof(
    f"{GROUPS}#joint-independence",
    "given the rest, a group moves the query by at most its sensitivity; then shared mixing (1)",
    (Formula("(1)", executed.mixtures_are_no_further_apart),),
)

CLAIMS = (
    Claim(
        id="song2017.theorem-3-3",
        kind="theorem",
        where="Section 3.2, Theorem 3.3; proof in Appendix B.1",
        says="For an L-Lipschitz query W is at most the global sensitivity under the group privacy "
        "that corresponds to the class.",
        hypotheses=(
            "correlated individuals share a group: each is independent of all others together",
        ),
        note=GROUPS,
        evidence=(_JOINT,),
        readings=(
            Reading(
                "entries of different groups are independent two by two, as Appendix B.1 prints",
                (
                    Instance(
                        "X_3 = X_1 xor X_2, fair bits, each alone a group, their sum: W is at most "
                        "the sensitivity 1",
                        At("pufferfish.wasserstein_scale", {**_SUM_OF_THREE, "epsilon": 1}),
                        "<=",
                        Exactly("1"),
                        {"any two of the bits are independent": _pairwise_independent()},
                    ),
                    Instance(
                        "with the noise for that sensitivity, scale 1 at epsilon = 1, nothing more "
                        "than 1 is lost",
                        At("pufferfish.instantiation_loss", {**_SUM_OF_THREE, "scale": 1}),
                        "<=",
                        Exactly("1"),
                        {"any two of the bits are independent": _pairwise_independent()},
                    ),
                ),
            ),
        ),
        of_proof=(
            Identity(
                "step: entries that are independent of X_i one by one have the same joint law "
                "given any value of X_i",
                lambda: Trilean.of(_jointly_independent() or not _pairwise_independent()),
            ),
        ),
    ),
    Claim(
        id="song2017.theorem-3-3-repaired",
        kind="repair",
        repairs="song2017.theorem-3-3",
        where="Section 3.2, Theorem 3.3; Appendix B.1",
        says="W is at most the group sensitivity for every partition into groups each of which is "
        "independent of all other entries together.",
        adds=("joint independence of each group from the rest",),
        note=GROUPS,
        evidence=(_JOINT,),
    ),
)
