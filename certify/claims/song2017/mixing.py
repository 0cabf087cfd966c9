"""Section 4.4.2 and Appendix C.2: the eigengap and the bound on influences."""

from __future__ import annotations

from ....reference.enclosure import Trilean
from ..entries import Claim, Reading
from ..evidence import Formula, Identity, Instance, Proof
from ..values import At, Exactly
from . import executed_mixing as executed
from . import slow_chain as slow
from .exact_chains import power
from .inputs import matrix, one_chain, slow_line

NOTE = "song2017/eigengap.md"
_FLIP = [["0", "1"], ["1", "0"]]

_NEAR = Proof(
    "eigengap.md#ratio-to-stationary",
    "with the second largest eigenvalue counted by multiplicity, for every t (2)",
    (Formula("(2)", executed.powers_come_near),),
)
_RATIOS = Proof(
    "eigengap.md#backward-factor",
    "forward ratios within (1+D)/(1-D), backward ratios within its square (3)",
    (Formula("(3)", executed.ratios_are_bounded),),
)
_REVERSIBLE = Proof(
    "eigengap.md#reversible-gap",
    "for reversible chains sigma = m, the largest modulus but one 1, and 2(1-m) >= 1-m^2 (4)",
    (Formula("(4)", executed.reversible_gap_is_larger),),
)
_NOTHING_DROPPED = Proof(
    f"{NOTE}#reversible-chains",
    "P P* = P^2 has 1 once, so nothing is dropped; and (14) is at least (7) (4)",
    (Formula("(4)", executed.reversible_gap_is_larger),),
)
_GAP = Proof(
    "eigengap.md#norm-off-the-mean",
    "P - 1 pi^T has the norm sqrt(lambda_2) (1)",
    (Formula("(1)", executed.rates_are_one_half),),
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
    slow.influence(4, 6, 5, 5),
    "<=",
    slow.influence_limit(4, 5, 3),
    slow.hypotheses(4, 5),
)
_AHEAD = Instance(
    "four states, t = 5: the log-ratio P^5(x, y)/P^5(x', y) is at most w_5",
    slow.influence(4, 1, 0, 5),
    "<=",
    slow.influence_limit(4, 5, 1),
    slow.hypotheses(4, 5),
)

CLAIMS = (
    Claim(
        id="song2017.equation-7",
        kind="equation",
        where="Section 4.4.2, (7); Appendix C.2, (14)",
        says="The eigengap of P P*, 1 less its second largest eigenvalue, is the least "
        "1 - |lambda| over eigenvalues of modulus below 1.",
        hypotheses=("irreducible and aperiodic chains",),
        note=NOTE,
        evidence=(
            Instance(
                "chain of three states whose P P* has the eigenvalues 1, 1, 1/4: the gap is 3/4",
                At("pufferfish.eigengap", {"P": slow_line(3)}),
                "=",
                Exactly("3/4"),
                slow.hypotheses(3, 4),
            ),
        ),
        readings=(_reversible(_NOTHING_DROPPED),),
    ),
    Claim(
        id="song2017.equation-7-repaired",
        kind="repair",
        repairs="song2017.equation-7",
        where="Section 4.4.2, (7)",
        says="1 less the second largest eigenvalue of P P*, counted with multiplicity, is the gap "
        "that governs how powers of P come near to the stationary law.",
        note=NOTE,
        evidence=(_GAP,),
    ),
    Claim(
        id="song2017.lemma-c-2",
        kind="lemma",
        where="Appendix C.2, Lemma C.2",
        says="|P^t(x,y)/pi(y) - 1| <= exp(-g t/2)/pi_min for t >= 2 log(1/pi_min)/g, g by (14).",
        hypotheses=("irreducible and aperiodic",),
        note=NOTE,
        evidence=(
            Instance(
                "three states, t = 4",
                slow.furthest_from_stationary(3, 4),
                "<=",
                slow.distance_bound(3, 4),
                slow.hypotheses(3, 4),
            ),
        ),
        readings=(_reversible(_NEAR, _REVERSIBLE),),
    ),
    Claim(
        id="song2017.lemma-c-2-repaired",
        kind="repair",
        repairs="song2017.lemma-c-2",
        where="Appendix C.2, Lemma C.2",
        says="With eigenvalues counted by multiplicity the bound holds for every irreducible chain "
        "and every t.",
        note=NOTE,
        evidence=(_NEAR,),
    ),
    Claim(
        id="song2017.lemma-c-3",
        kind="lemma",
        where="Appendix C.2, Lemma C.3",
        says="Forward ratios lie within (1+D_t)/(1-D_t) either way, backward ratios within its "
        "square, for t > 2 log(1/pi_min)/g and every law of the class, g by (14).",
        hypotheses=("irreducible and aperiodic",),
        note=NOTE,
        evidence=(_AHEAD,),
        readings=(_reversible(_RATIOS, _REVERSIBLE),),
    ),
    Claim(
        id="song2017.lemma-c-3-repaired",
        kind="repair",
        repairs="song2017.lemma-c-3",
        where="Appendix C.2, Lemma C.3",
        says="With eigenvalues counted by multiplicity both bounds hold for every initial law, and "
        "without the square for the stationary one.",
        note=NOTE,
        evidence=(_RATIOS,),
    ),
    Claim(
        id="song2017.lemma-4-8",
        kind="lemma",
        where="Section 4.4.2, Lemma 4.8",
        says="The influence on {X_(i-a), X_(i+b)} is at most w_b + 2 w_a, by pi_min and g of (7).",
        hypotheses=("irreducible and aperiodic", "min(a, b) >= 2 log(1/pi_min)/g, as in Lemma C.1"),
        garbled="the hypotheses on a and b",
        note=NOTE,
        evidence=(_BOTH,),
        readings=(_reversible(_RATIOS, _REVERSIBLE),),
    ),
    Claim(
        id="song2017.lemma-4-8-repaired",
        kind="repair",
        repairs="song2017.lemma-4-8",
        where="Section 4.4.2, Lemma 4.8",
        says="With eigenvalues counted by multiplicity the bound holds for all lags with D_a and "
        "D_b below 1 and every initial law.",
        note=NOTE,
        evidence=(_RATIOS,),
    ),
    Claim(
        id="song2017.lemma-c-1",
        kind="lemma",
        where="Appendix C.2, Lemma C.1 and (14); Section 4.4.2 on reversible chains",
        says="The bound of Lemma 4.8 with g of (14), and 2 w_a, w_b and 0 for the quilts with one "
        "end or none.",
        hypotheses=(
            "irreducible and aperiodic, with both cases of (14)",
            "min(a, b) >= 2 log(1/pi_min)/g",
        ),
        note=NOTE,
        evidence=(_BOTH, _AHEAD),
        readings=(Reading("for reversible chains", (_RATIOS, _REVERSIBLE)),),
    ),
    Claim(
        id="song2017.lemma-c-1-repaired",
        kind="repair",
        repairs="song2017.lemma-c-1",
        where="Appendix C.2, Lemma C.1 and (14)",
        says="It holds as printed for reversible chains, and with eigenvalues of P P* counted by "
        "multiplicity for all others.",
        note=NOTE,
        evidence=(_RATIOS, _REVERSIBLE),
    ),
    Claim(
        id="song2017.remark-irreducible",
        kind="remark",
        where="Section 4.4.2, after Lemma 4.8",
        says="Without irreducibility and aperiodicity a chain may not mix: influences may be "
        "infinite at every lag.",
        note=NOTE,
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
