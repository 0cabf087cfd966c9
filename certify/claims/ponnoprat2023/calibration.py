"""Section 3 and Appendices D and E: Algorithm 1 and what it promises."""

from __future__ import annotations

from fractions import Fraction

from ....reference.enclosure import Trilean
from ..entries import Claim, Reading
from ..evidence import Formula, Identity, Instance, Proof
from ..values import At, Exactly
from . import executed_calibration as executed
from .guarantee import EIGHTEEN
from .inputs import REPLACED
from .polygamma import BETWEEN, MISPRINT, POSITIVE, RISES

NOTE = "ponnoprat2023/calibration.md"
_ORDER, _EPSILON = 5, "0.1"

_PRIVATE = Proof(
    f"{NOTE}#the-algorithm",
    "(18) at alpha = 1 + 4 kappa r Dinf is line 1 (2)",
    (Formula("(2)", executed.algorithm_keeps_its_promise),),
)


def _substitution_at_order_one() -> Trilean:
    """Whether 3 (order - 1) r Dinf is above 0 for some r > 0 at order 1."""
    order, step, largest = Fraction(1), Fraction(7), Fraction(1)
    return Trilean.of(3 * (order - 1) * step * largest > 0)


def _grows_without_bound() -> Trilean:
    """Whether r^2 psi'(1 + r^2) reaches 1: by (6) it is below 1 - 1/(1 + r^2)^2."""
    return Trilean.FALSE if executed.square_stays_below_one() else Trilean.UNKNOWN


CLAIMS = (
    Claim(
        id="ponnoprat2023.algorithm-1",
        kind="algorithm",
        where="Section 3.1, Algorithm 1",
        says="Solve epsilon = lambda r^2 D2^2 psi'(1 + 3 (lambda-1) r Dinf)/2 for r, put alpha = "
        "1 + 4 (lambda-1) r Dinf, draw from Dirichlet(r f + alpha): one r, and the law exists.",
        hypotheses=(
            "lambda >= 1, epsilon > 0",
            "f >= 0 changes by at most D2 in 2-norm and Dinf in each coordinate",
        ),
        note=NOTE,
        evidence=(
            RISES,
            _PRIVATE,
            Instance(
                "lambda = 5, epsilon = 0.1, one record replaced",
                At("dirichlet.renyi.step", {"order": _ORDER, "epsilon": _EPSILON, **REPLACED}),
                ">",
                Exactly("0.277567689896067"),
            ),
        ),
    ),
    Claim(
        id="ponnoprat2023.lemma-2",
        kind="lemma",
        where="Section 3.1, Lemma 2; proof in Appendix D",
        says="The right-hand side of line 1 rises strictly from 0 to infinity in r, so line 1 has "
        "exactly one root.",
        hypotheses=("lambda >= 1", "D2, Dinf, epsilon > 0"),
        garbled="x and 1+x in the last display of Appendix D",
        note=NOTE,
        evidence=(RISES,),
        of_proof=(
            Identity(
                "x = 3 (lambda-1) r Dinf, by which the proof divides, is above 0 at lambda = 1",
                _substitution_at_order_one,
            ),
            POSITIVE,
            MISPRINT,
        ),
    ),
    Claim(
        id="ponnoprat2023.theorem-1",
        kind="theorem",
        where="Section 3.2, Theorem 1; proof in Appendix E",
        says="Algorithm 1 is (lambda, epsilon)-Renyi private.",
        hypotheses=("those of Algorithm 1", "neighbours in either order"),
        note=NOTE,
        evidence=(EIGHTEEN, _PRIVATE),
    ),
    Claim(
        id="ponnoprat2023.remark-1",
        kind="remark",
        where="Section 3.2, Remark 1; last paragraph of Appendix E",
        says="Line 1 may have psi'(1 + g(r)) and line 2 alpha = 1 + g(r) + (lambda-1) r Dinf, for "
        "any g >= 0; g = 0 gives r in closed form and epsilon of order r^2, g proportional to "
        "(lambda-1) r gives psi' of order 1/(1 + (lambda-1) r).",
        hypotheses=("r solves the equation",),
        garbled="g >= 0 here, g > 0 in Appendix E",
        note=NOTE,
        evidence=(
            EIGHTEEN,
            BETWEEN,
            Proof(
                f"{NOTE}#other-functions",
                "(18) at that alpha is line 1 with g (6), and r at g = 0 (7)",
                (
                    Formula("(6)", executed.other_functions_do_as_well),
                    Formula("(7)", executed.zero_has_a_closed_form),
                ),
            ),
        ),
        readings=(
            Reading(
                "for any g >= 0 some r solves the equation, whatever epsilon is",
                (
                    Identity(
                        "g(r) = r^2: r^2 psi'(1 + r^2) reaches 1 for some r (8)",
                        _grows_without_bound,
                    ),
                ),
            ),
        ),
    ),
    Claim(
        id="ponnoprat2023.remark-2",
        kind="remark",
        where="Section 3.2, Remark 2",
        says="If all f_i exceed b > 0 for all inputs, line 1 may have psi'(1 + r b + 3 (lambda-1) "
        "r Dinf), and its r is larger.",
        hypotheses=("alpha as in line 2",),
        note=NOTE,
        evidence=(
            Proof(
                "renyi-calibration.md#known-lower-bound",
                "alpha + r b in the place of alpha, and the new line 1 rises as well (9)",
                (Formula("(9)", executed.known_bound_makes_room),),
            ),
            RISES,
        ),
    ),
)

PRIVATE = _PRIVATE
