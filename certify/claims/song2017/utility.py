"""Section 4.4.2: what noise MQMApprox needs."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

from ....reference.enclosure import Trilean
from ..entries import Claim, Reading
from ..evidence import Formula, Identity, Instance, Proof
from ..forms import Named
from ..values import At, Exactly, Worked
from . import executed_approx as on_approx
from . import slow_chain as slow
from . import slow_release as release
from .approx_scores import ByBalls, BySpans, Class, lag_of_lemma_4_9
from .exact_chains import power
from .inputs import P_1, matrix, one_chain, slow_line
from .mixing import RATIOS

NOTE = "song2017/mqm-approx.md"
# The first running chain: pi_min = 1/5, g = 3/4; a* = 12 at epsilon = 1, so 8 a* = 96 <= 100.
_PI, _GAP = "1/5", "3/4"
_LONG = 1_000_000
# C of Theorem 4.10's proof at epsilon = 1: 8 ceil(5.46...) = 48.
_CONSTANT = "48"
# p0 = p1 = 0.9875: pi_min = 1/2, g = 1/20 by (14); a* = 50 at epsilon = 8, T = 4 a* + 3.
_SHORT = Class(Fraction(1, 2), Fraction(1, 20), 203, Fraction(8))


# The slow chain, of which the printed gap says that it mixes soon.
_STATES = 90
_OF_90 = Class(Fraction(1, _STATES + 1), slow.PRINTED_GAP, 1, Fraction(1))


def _scale(epsilon: str, length: int = _LONG, *, times: str = "1") -> At:
    given = {"pi_min": _PI, "gap": _GAP, "length": length, "epsilon": epsilon}
    return At("pufferfish.quilt_scale_approx", given, times=times)


@cache
def _middle_of_the_short() -> Worked:
    node = (_SHORT.length + 1) // 2
    return Worked(
        f"least score of X_{node} of {_SHORT.length}, pi_min = 1/2, g = 1/20, epsilon = 8",
        lambda: ByBalls(_SHORT).least(node)[0],
        lambda: BySpans(_SHORT).least(node)[0],
    )


def _constant_is_the_proofs() -> Trilean:
    known = Class(Fraction(_PI), Fraction(_GAP), 1, Fraction(1))
    return Trilean.of(4 * lag_of_lemma_4_9(known) == int(_CONSTANT))


def _is_long_enough() -> bool:
    known = Class(Fraction(_PI), Fraction(_GAP), _LONG, Fraction("1e-12"))
    return known.length >= 4 * lag_of_lemma_4_9(known) + 3


def _mixes_in_two_steps() -> bool:
    pi = (Fraction(4, 5), Fraction(1, 5))
    quarter = Fraction(1, 4)
    distances = [on_approx.total_variation(pi, power(matrix(P_1), t)) for t in (1, 2)]
    return distances[0] > quarter >= distances[1]


_AT_THE_LAG = Formula("(1)", on_approx.bound_at_the_lag_is_small)
_CONSTANT_OF_EPSILON = Proof(
    f"{NOTE}#the-scale-is-bounded",
    "every node has a quilt with a score of at most (4 a* - 2)/epsilon (4)",
    (_AT_THE_LAG, Formula("(4)", on_approx.scale_is_below_the_constant)),
)
_UPPER = Proof(
    f"{NOTE}#exact-and-approximate",
    "scores rise with the influence, which the bound of Lemma 4.8 exceeds (5)",
    (Formula("(5)", on_approx.exact_is_below_the_bound),),
)

CLAIMS = (
    Claim(
        id="song2017.theorem-4-10",
        kind="theorem",
        where="Section 4.4.2, Theorem 4.10; proof in Appendix C.2",
        says="For T >= 4 a* + 3 Algorithm 4's scale for a 1-Lipschitz query is below C/epsilon, "
        "C depending on the class alone.",
        garbled="pi_min without min in the display",
        note=NOTE,
        evidence=(
            Proof(
                f"{NOTE}#the-constant-depends-on-epsilon",
                "for every C some epsilon makes epsilon times the scale larger, T long enough (3)",
                (Formula("(3)", on_approx.every_constant_is_exceeded),),
                decides=False,
            ),
            Identity("C of the proof at epsilon = 1 is 48", _constant_is_the_proofs, decides=False),
            Instance(
                "first running chain, epsilon = 1e-12: epsilon times the scale is below that C "
                "(by (3) every other C is exceeded as well, at another epsilon)",
                _scale("1e-12", times="1e-12"),
                "<",
                Exactly(_CONSTANT),
                {"T >= 4 a* + 3": _is_long_enough()},
            ),
        ),
        readings=(Reading("epsilon is fixed, and C may depend on it", (_CONSTANT_OF_EPSILON,)),),
        of_proof=(
            Instance(
                "step: the middle node has the largest score by Lemma C.4, whose quilt is not "
                "two-sided here (pi_min = 1/2, g = 1/20, epsilon = 8, T = 203)",
                At(
                    "pufferfish.quilt_scale_approx",
                    {"pi_min": "1/2", "gap": "1/20", "length": 203, "epsilon": 8},
                ),
                "<=",
                _middle_of_the_short(),
            ),
        ),
    ),
    Claim(
        id="song2017.theorem-4-10-repaired",
        kind="repair",
        repairs="song2017.theorem-4-10",
        where="Section 4.4.2, Theorem 4.10",
        says="The scale is at most (4 a* - 2)/epsilon, below C/epsilon with C = 4 a*, which "
        "depends on the class and on epsilon, like log(1/epsilon).",
        note=NOTE,
        evidence=(_CONSTANT_OF_EPSILON,),
    ),
    Claim(
        id="song2017.remark-mixing-time",
        kind="remark",
        where="Section 4.4.2, after Theorem 4.10",
        says="The noise does not grow with T, relative accuracy improves with it, and the bound C "
        "on the noise is no less than the mixing time.",
        hypotheses=("epsilon is fixed", "total variation 1/4", "g by (7)"),
        note=NOTE,
        evidence=(
            Instance(
                "the slow chain of 90 states at epsilon = 1: C = 4 a* is at least the mixing time",
                Exactly(str(4 * lag_of_lemma_4_9(_OF_90)), "4 a* for pi_min = 1/91 and g = 3/4"),
                ">=",
                Exactly("81", "81 steps, as after 80 from state 1 the chain is at 81 surely"),
                {
                    "(7) is 3/4": slow.has_the_printed_gap(_STATES),
                    "pi_min is 1/91": min(slow.pi_of(_STATES)) == _OF_90.pi_min,
                    "the first 89 states lead to the next one alone": all(
                        slow.moves_of(_STATES)[at][at + 1] == 1 for at in range(_STATES - 1)
                    ),
                    "a point is further than 1/4 from the stationary law": (
                        1 - max(slow.pi_of(_STATES)) > Fraction(1, 4)
                    ),
                },
            ),
        ),
        readings=(
            Reading(
                "the scale itself is at least the mixing time",
                (
                    Instance(
                        "first running chain at epsilon = 20, where two steps mix",
                        Exactly("2"),
                        "<=",
                        _scale("20"),
                        {"two steps, and not one, mix": _mixes_in_two_steps()},
                    ),
                ),
            ),
        ),
    ),
    Claim(
        id="song2017.remark-mixing-time-repaired",
        kind="repair",
        repairs="song2017.remark-mixing-time",
        where="Section 4.4.2, after Theorem 4.10",
        says="All of it is so with eigenvalues counted by multiplicity.",
        hypotheses=("epsilon is fixed", "total variation 1/4"),
        adds=("g counts multiplicities, or the chains are reversible",),
        note=NOTE,
        evidence=(
            _CONSTANT_OF_EPSILON,
            Proof(
                f"{NOTE}#mixing-time",
                "the mixing time is at most (2/g) log(2/pi_min), rounded up, below C = 4 a* (6)",
                (Formula("(6)", on_approx.mixing_time_is_below),),
            ),
        ),
    ),
    Claim(
        id="song2017.remark-exact-below-approx",
        kind="remark",
        where="Sections 5.2, 5.3.1 and 5.4",
        says="MQMExact's scale is at most MQMApprox's for the same class and quilts.",
        hypotheses=("irreducible and aperiodic chains, g by (7)",),
        note=NOTE,
        evidence=(
            Instance(
                "ten states, T = 50, epsilon = 1: MQMExact's scale is at most 36.66",
                Named(
                    "MQMExact's scale for the slow chain of ten states",
                    At(
                        "pufferfish.quilt_scale_exact",
                        {
                            "chains": one_chain("stationary", slow_line(release.STATES)),
                            "length": release.STEPS,
                            "epsilon": 1,
                            "width": release.STEPS,
                        },
                    ),
                ),
                "<=",
                Exactly(release.SCALE),
                slow.hypotheses(release.STATES, release.STEPS),
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
    ),
    Claim(
        id="song2017.remark-exact-below-approx-repaired",
        kind="repair",
        repairs="song2017.remark-exact-below-approx",
        where="Sections 5.2, 5.3.1 and 5.4",
        says="It is for reversible chains, and with eigenvalues counted by multiplicity for all.",
        note=NOTE,
        adds=("g counts multiplicities, or the chains are reversible",),
        evidence=(_UPPER, RATIOS),
    ),
    Claim(
        id="song2017.remark-longer-chains",
        kind="remark",
        where="Section 5.4",
        says="Overall the utility of both quilt mechanisms improves for longer chains: the "
        "relative error falls to 0 with T.",
        hypotheses=("irreducible and aperiodic chains", "epsilon is fixed"),
        note=NOTE,
        evidence=(
            _CONSTANT_OF_EPSILON,
            Proof(
                f"{NOTE}#longer-chains",
                "some power of P is positive, so influences tend to 0 with the lags",
                (Formula("slow chains, T and 2T", on_approx.slow_chains_ask_no_more_in_the_end),),
            ),
        ),
    ),
)
