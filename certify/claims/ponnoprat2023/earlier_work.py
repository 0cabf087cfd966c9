"""Section 2.4 and Appendix A: guarantees of other kinds, and those of other papers."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from ..entries import Claim, Reading
from ..evidence import Formula, Instance, NotDecidable, Proof
from ..values import At, Exactly
from . import executed_privacy as executed
from .inputs import DELTA

NOTE = "ponnoprat2023/earlier-work.md"
_BORDERS: dict[str, Any] = {"k": "171.87", "eta": "0.028"}
# The most coordinates that fit: 31 x 0.028 = 0.868 <= 1 - 0.114 < 32 x 0.028.
_MOST = 31
_GAMMA = "0.001"


def _missed(w: int, gamma: str, **changed: str) -> At:
    return At("dirichlet.identity.delta_bound", {**_BORDERS, "w": w, "gamma": gamma, **changed})


_FITS = {
    "w eta <= 1 - eta'": _MOST * Fraction(_BORDERS["eta"]) <= 1 - Fraction("0.114"),
    "w gamma < 1": _MOST * Fraction(_GAMMA) < 1,
}
_WORST = Proof(
    "tail-worst-input.md#floor-is-the-worst-input",
    "the least probability is taken with all of W at eta; what is missed rises with W and with "
    "gamma, from 0",
    (Formula("rising", executed.misses_rise),),
)
_ORDER = Proof(
    f"{NOTE}#equation-7",
    "the printed epsilon is a constant plus k (b/2) log(1/gamma), but for a bounded term (4)",
    (Formula("(4)", executed.printed_epsilon_is_of_that_order),),
)
# With alpha = 1 and d = 2 the draws from f = (0, 0) and (1, 0) have the densities 1 and (r+1) y^r.
_LAST_DISPLAY = Instance(
    "r = 2, alpha = 1, d = 2, y_1 = 1/2: the ratio of densities in the last display, with 1/y_1",
    Exactly("4/3", "1/(3 y_1^2)"),
    "=",
    Exactly("2/3", "1/(3 y_1)"),
)
# With r = 1, alpha = 1 and f = (1, 0): Dirichlet(2, 1) has the density 2 y_1; the printed exponents
# are those of Dirichlet(3, 2), which has 12 y_1^2 y_2.
_PRINTED_DENSITY = Instance(
    "r = 1, alpha = 1, d = 2, f = (1, 0): the density at (1/2, 1/2), with the printed exponents",
    Exactly("3/2", "12 y_1^2 y_2"),
    "=",
    Exactly("1", "2 y_1"),
)

CLAIMS = (
    Claim(
        id="ponnoprat2023.remark-bounded-likelihood",
        kind="remark",
        where="Section 2.4, on Wang et al. 2015; Section 1, on McSherry and Talwar",
        says="If |log p(x|y)| <= B everywhere, one draw from the posterior is 4B-private; the "
        "densities prod y_i^(r f_i + alpha) of Dirichlet(r f + alpha) come near 0, and the "
        "divergence as a loss is not bounded.",
        note=NOTE,
        evidence=(_PRINTED_DENSITY,),
    ),
    Claim(
        id="ponnoprat2023.remark-bounded-likelihood-repaired",
        kind="repair",
        repairs="ponnoprat2023.remark-bounded-likelihood",
        where="Section 2.4, on Wang et al. 2015; Section 1, on McSherry and Talwar",
        says="One draw is so private; the densities are prod y_i^(r f_i + alpha - 1), whose "
        "likelihoods prod y_i^(r f_i) come near 0, and the divergence as a loss is not bounded.",
        hypotheses=("f_i > 0 for some i",),
        note=NOTE,
        evidence=(
            Proof(
                f"{NOTE}#bounded-likelihoods",
                "densities and normalisers change by e^(2B) at most (1); a power of y_1 has no "
                "floor (2)",
                (
                    Formula("(1)", executed.bounded_likelihoods_are_private),
                    Formula("(2)", executed.likelihood_has_no_floor),
                ),
            ),
        ),
    ),
    Claim(
        id="ponnoprat2023.remark-approximate-dp",
        kind="remark",
        where="Section 2.4, on Dimitrakakis et al. and Machanavajjhala et al.; Appendix B",
        says="With all parameters at least alpha > 0 one draw is (epsilon, delta)-private with "
        "some epsilon, and so are any number of multinomial samples drawn from it.",
        hypotheses=("f has finite sensitivities", "delta > 0"),
        note=NOTE,
        evidence=(
            Proof(
                f"{NOTE}#approximate-privacy",
                "(18) at an order near 1 and its conversion (3); what is made of a draw is no "
                "less private; for counts the exact delta is below 1",
                (
                    Formula("(3)", executed.any_prior_is_approximately_private),
                    Formula("counts", executed.replaced_records_have_a_profile),
                ),
            ),
        ),
    ),
    Claim(
        id="ponnoprat2023.remark-cited",
        kind="remark",
        where="Section 2.4: five papers' results",
        says="Summaries of what other papers show.",
        note=NOTE,
        evidence=(NotDecidable("other papers' statements do not follow from this one"),),
    ),
    Claim(
        id="ponnoprat2023.equation-7",
        kind="equation",
        where="Section 2.4, the set Omega, (7), and the order of epsilon-hat",
        says="gohari2020's delta is 1 less the least probability that all coordinates in W exceed "
        "gamma, and its epsilon is of the order r log(1/gamma).",
        hypotheses=("p_i > gamma in Omega, and p_i comes near gamma",),
        note=NOTE,
        evidence=(
            Instance(
                "r = 171.87, two coordinates, gamma = 0.001: the delta of the floor gamma, and "
                "gohari2020's of the floor eta",
                _missed(2, "0.001", eta=_GAMMA),
                "=",
                _missed(2, _GAMMA),
                _FITS,
            ),
        ),
    ),
    Claim(
        id="ponnoprat2023.equation-7-repaired",
        kind="repair",
        repairs="ponnoprat2023.equation-7",
        where="Section 2.4, the set Omega",
        says="They are with p_i >= eta in Omega, as in gohari2020.",
        hypotheses=("r and the borders fixed, gamma -> 0",),
        note=NOTE,
        evidence=(_WORST, _ORDER),
    ),
    Claim(
        id="ponnoprat2023.figure-2",
        kind="figure",
        where="Section 2.4, before Figure 2; Figure 2; Section 3.2, end",
        says="At r = 171.87, eta = 0.028, eta' = 0.114 the numerical delta of (7) does not go "
        "below 2.1e-4, for lack of precision in an integral.",
        hypotheses=("about the integrals as they were computed, which both passages say",),
        note=NOTE,
        evidence=(
            NotDecidable("the scheme of integration, and the size of W, are not in the paper"),
        ),
        readings=(
            Reading(
                "about delta itself, for every W that fits",
                (
                    Instance(
                        "31 coordinates, the most that fit, at eta = 0.028, eta' = 0.114, gamma "
                        "= 0.001",
                        _missed(_MOST, _GAMMA),
                        ">=",
                        Exactly("0.00021"),
                        _FITS,
                    ),
                    Instance(
                        "2 coordinates, gamma = 0.001",
                        _missed(2, _GAMMA),
                        ">=",
                        Exactly("0.00021"),
                        _FITS,
                    ),
                ),
            ),
        ),
    ),
    Claim(
        id="ponnoprat2023.figure-2-repaired",
        kind="repair",
        repairs="ponnoprat2023.figure-2",
        where="Section 2.4, Figure 2",
        says="At these borders delta is below 6e-5 at gamma = 0.001 for every W that fits, and "
        "tends to 0 with gamma; 1e-5 is reached at a gamma above 0.0006 for all of them.",
        note=NOTE,
        evidence=(
            _WORST,
            Instance(
                "31 coordinates, gamma = 0.001",
                _missed(_MOST, _GAMMA),
                "<",
                Exactly("0.00006"),
                _FITS,
                decides=True,
            ),
            Instance(
                "the gamma of 31 coordinates for delta = 1e-5",
                At("dirichlet.identity.gamma", {**_BORDERS, "w": _MOST, "delta": str(DELTA)}),
                ">",
                Exactly("0.0006"),
                _FITS,
                decides=True,
            ),
        ),
    ),
    Claim(
        id="ponnoprat2023.proposition-3",
        kind="proposition",
        where="Appendix A, Proposition 3",
        says="For no epsilon is the draw from Dirichlet(r f + alpha) purely epsilon-private.",
        hypotheses=("f differs for some neighbours", "d >= 2", "r, alpha > 0"),
        garbled="exponents without -1, which cancels",
        note=NOTE,
        evidence=(
            Proof(
                f"{NOTE}#no-pure-privacy",
                "the ratio of densities is unbounded where a coordinate with f_i < f'_i is near 0 "
                "(5)",
                (Formula("(5)", executed.ratio_is_a_power),),
            ),
        ),
        of_proof=(_LAST_DISPLAY,),
    ),
)
