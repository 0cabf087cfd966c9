"""Sections 1 to 2.1: what the privacy definition says, and whose beliefs it is about."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from ....reference.enclosure import Trilean
from ..entries import Claim
from ..evidence import Formula, Identity, Instance, Proof
from ..values import At, Exactly
from . import executed_setting as executed
from .inputs import FIVE_BITS, secrets_of_bits

NOTE = "song2017/setting.md"

_SECRETS, _PAIRS = secrets_of_bits(FIVE_BITS)
_SUMS = [sum(x) for x in FIVE_BITS]


def _independent(chance: Fraction) -> list[str]:
    return [str(chance ** sum(x) * (1 - chance) ** (5 - sum(x))) for x in FIVE_BITS]


def _mixed(chance: Fraction) -> list[str]:
    pair = zip(_independent(chance), _independent(1 - chance), strict=True)
    return [str((Fraction(a) + Fraction(b)) / 2) for a, b in pair]


_TENTH = Fraction(1, 10)
# Two laws, point masses at 0 and at 5 bits of 1: a law of the class of all laws mixes them.
_FAR_APART = [str(Fraction(sum(x) in {0, 5}, 2)) for x in FIVE_BITS]
_KEY_AND_SECRET = list(product((0, 1), repeat=2))


def _bits(laws: list[list[str]], **more: object) -> dict[str, object]:
    given = {"values": _SUMS, "laws": laws, "secrets": _SECRETS, "pairs": _PAIRS}
    return {**given, **more}


CLAIMS = (
    Claim(
        id="song2017.equation-2",
        kind="equation",
        where="Section 2.1.1, p. 3, (2)",
        says="The privacy of Definition 2.1 says that posterior odds of two secrets stay within a "
        "factor e^epsilon of prior odds, either way.",
        hypotheses=("both secrets are possible", "the outcome has a positive density"),
        note=NOTE,
        evidence=(
            Proof(
                f"{NOTE}#odds",
                "posterior odds over prior odds are the ratio of Definition 2.1 (1)",
                (Formula("(1)", executed.odds_change_by_the_likelihood_ratio),),
            ),
        ),
    ),
    Claim(
        id="song2017.remark-special-case-dp",
        kind="remark",
        where="Section 2.1.1, p. 3",
        says="Differential privacy of a replaced record is Pufferfish privacy for all values of "
        "all individuals and all laws that make individuals independent.",
        note=NOTE,
        evidence=(
            Proof(
                f"{NOTE}#independent-individuals",
                "both directions: mixtures of a bounded ratio, and point masses (2)",
                (Formula("(2)", executed.product_laws_reach_neighbours),),
            ),
        ),
    ),
    Claim(
        id="song2017.remark-all-laws",
        kind="remark",
        where="Section 2.1.1, p. 3",
        says="With every law in the class there is no privacy with utility: any two data sets are "
        "then epsilon-indistinguishable.",
        hypotheses=("the secrets are the values of each entry, all pairs of them",),
        note=NOTE,
        evidence=(
            Proof(
                f"{NOTE}#every-law",
                "two data sets that differ anywhere are indistinguishable, and an answer that is "
                "nearer to the truth than half their distance has a chance of at most "
                "1/(1 + e^-epsilon) for one of them (3)",
                (Formula("(3)", executed.chance_of_being_right_is_bounded),),
            ),
            Instance(
                "the Wasserstein scale for five bits, all 0 or all 1, is the range of their sum",
                At("pufferfish.wasserstein_scale", _bits([_FAR_APART], epsilon="1")),
                "=",
                Exactly("5"),
            ),
        ),
    ),
    Claim(
        id="song2017.remark-composition-fails",
        kind="remark",
        where="Sections 1, 2.1.1 and 4.3",
        says="Releases that are private one by one can be much less so together.",
        note=NOTE,
        evidence=(
            Identity(
                "K, a fair bit, and S xor K are each independent of S: both releases are 0-private",
                lambda: Trilean.of(executed.parts_reveal_nothing()),
            ),
            Identity(
                "no pair (K, S xor K) is possible for both values of S: together they reveal S",
                lambda: Trilean.of(executed.together_they_reveal_all()),
            ),
            Instance(
                "S xor K with any noise loses nothing of S",
                At(
                    "pufferfish.instantiation_loss",
                    {
                        "values": [s ^ k for s, k in _KEY_AND_SECRET],
                        "laws": [["1/4"] * 4],
                        "secrets": [[1, 2], [3, 4]],
                        "pairs": [[1, 2]],
                        "scale": "1/10",
                    },
                ),
                "=",
                Exactly("0"),
            ),
        ),
    ),
    Claim(
        id="song2017.definition-2-2",
        kind="definition",
        where="Section 2.1.1, Definition 2.2; Appendix B.1, Definition B.1",
        says="Laplace noise whose scale is the group sensitivity over epsilon gives group "
        "differential privacy.",
        hypotheses=("a scalar query",),
        garbled="Definition B.1 counts the groups to k and to m",
        note=NOTE,
        evidence=(
            Proof(
                f"{NOTE}#groups",
                "log-ratios of densities are at most the change of the query over the scale (4)",
                (Formula("(4)", executed.group_noise_is_enough),),
            ),
        ),
    ),
    Claim(
        id="song2017.remark-beliefs",
        kind="remark",
        where="Section 2.1, p. 3; Sections 5.2 and 5.3 on the choice of the class",
        says="Each law of the class is a belief that is protected against; a mixture of them need "
        "not be.",
        note=NOTE,
        evidence=(
            Instance(
                "W = 1 for the class of five independent bits of mean 1/10, or of mean 9/10",
                At(
                    "pufferfish.wasserstein_scale",
                    _bits([_independent(_TENTH), _independent(1 - _TENTH)], epsilon="1"),
                ),
                "=",
                Exactly("1"),
                decides=True,
            ),
            Instance(
                "at that scale the half-half mixture of both loses more than epsilon = 1",
                At("pufferfish.instantiation_loss", _bits([_mixed(_TENTH)], scale="1")),
                ">",
                Exactly("1"),
                decides=True,
            ),
        ),
    ),
)
