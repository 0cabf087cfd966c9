"""Section 4 and Appendix F: the tail of the divergence."""

from __future__ import annotations

from ....reference.arb.balls import ball
from ..entries import Claim, Reading
from ..evidence import Formula, Instance, Proof
from ..forms import fractions, span
from ..values import Exactly
from . import executed_tail as executed
from .forms import worked
from .polygamma import CLAIMS as _POLYGAMMA
from .tail_witness import ROWS, WITHOUT_AN_INTEGRAL, WITNESS

NOTE = "ponnoprat2023/divergence-tail.md"
_DIGAMMA = next(claim for claim in _POLYGAMMA if claim.id == "ponnoprat2023.equation-19").evidence

_FROM_ONE_HALF = Proof(
    "kl-tail.md#published-bound-from-one-half",
    "the printed route at 1 - t/beta = 1/(1 + eta/4) (2)",
    (Formula("(2)", executed.bound_holds_from_one_half),),
)
_MOMENTS = Proof(
    "kl-tail.md#chernoff-minimum",
    "Markov's inequality and the moment function (3)",
    (Formula("(3)", executed.chernoff_bounds_hold),),
)
_SECOND_BOUND = Instance(
    "p = (1, 0), alpha = 1/2, the second cell: log Gamma(1/2) <= log Gamma(1) at every t",
    worked(
        "log Gamma(1/2)",
        lambda: ball(fractions("1/2")[0]).lgamma(),
        lambda: span("1/2").lgamma(),
    ),
    "<=",
    Exactly("0", "log Gamma(d alpha) - t p_2 psi(alpha), d alpha = 1 and p_2 = 0"),
    {"alpha > 0": fractions("1/2")[0] > 0, "p sums to 1": 1 + 0 == 1, "d alpha = 1": 2 / 2 == 1},
)

CLAIMS = (
    Claim(
        id="ponnoprat2023.theorem-2",
        kind="theorem",
        where="Section 4, Theorem 2; proof in Appendix F",
        says="For q of Dirichlet(beta p + alpha), P(KL(p || q) > eta) is at most exp(-beta eta^2/"
        "(2 (2+eta)(4+3 eta))), for every alpha > 0.",
        hypotheses=("eta > 0", "beta >= d alpha/(e^(eta/2) - 1)"),
        note=NOTE,
        evidence=(WITHOUT_AN_INTEGRAL, *(row.instance() for row in ROWS)),
    ),
    Claim(
        id="ponnoprat2023.theorem-2-repaired",
        kind="repair",
        repairs="ponnoprat2023.theorem-2",
        where="Section 4, Theorem 2",
        says="For alpha >= 1/2 it holds as printed, and with the smaller exp(-beta eta^2/"
        "(4 (4+eta))).",
        hypotheses=("eta > 0", "beta >= d alpha/(e^(eta/2) - 1)"),
        adds=("alpha >= 1/2, which Algorithm 1 sees to",),
        note=NOTE,
        evidence=(_FROM_ONE_HALF,),
    ),
    Claim(
        id="ponnoprat2023.corollary-theorem-2",
        kind="corollary",
        where="Section 4, the display after Theorem 2",
        says="For Algorithm 1's output y and N_f >= d alpha/(r (e^(eta/2) - 1)), KL(f/N_f || y) "
        "exceeds eta with probability exp(-r N_f eta^2/(2 (2+eta)(4+3 eta))) at most.",
        hypotheses=("alpha >= 1, as in Algorithm 1",),
        note=NOTE,
        evidence=(_FROM_ONE_HALF,),
        readings=(
            Reading(
                "the Dirichlet mechanism of Section 2.2, with any alpha > 0",
                (WITHOUT_AN_INTEGRAL, WITNESS.instance()),
            ),
        ),
    ),
    Claim(
        id="ponnoprat2023.equation-20",
        kind="equation",
        where="Appendix F, (20)",
        says="The chance is at most e^(-t eta) E e^(t KL), a quotient of Gammas, for t <= beta.",
        hypotheses=("alpha > 0",),
        garbled="the argument of B in the line before, beta p - t p_i + alpha",
        note=NOTE,
        evidence=(
            Instance(
                "t = -7 at d = 20, p uniform, alpha = 0.1, eta = 1",
                WITNESS.surely_missed(),
                "<=",
                WITNESS.kept(),
                WITNESS.hypotheses(),
            ),
        ),
    ),
    Claim(
        id="ponnoprat2023.equation-20-repaired",
        kind="repair",
        repairs="ponnoprat2023.equation-20",
        where="Appendix F, (20)",
        says="It is for t from 0 to beta, as Markov's inequality asks.",
        hypotheses=("alpha > 0",),
        adds=("t >= 0",),
        note=NOTE,
        evidence=(_MOMENTS,),
    ),
    Claim(
        id="ponnoprat2023.equation-20-taylor",
        kind="equation",
        where="Appendix F, the two displays between (20) and (21)",
        says="log Gamma(beta + d alpha) <= log Gamma(beta - t + d alpha) + t psi(beta + d alpha), "
        "and log Gamma(beta p_i - t p_i + alpha) <= log Gamma(beta p_i + d alpha) - t p_i "
        "psi(beta p_i - t p_i + alpha).",
        hypotheses=("0 <= t < beta", "alpha > 0"),
        garbled="d alpha in the second may be a misprint for alpha, which is the repair",
        note=NOTE,
        evidence=(_SECOND_BOUND,),
    ),
    Claim(
        id="ponnoprat2023.equation-20-taylor-repaired",
        kind="repair",
        repairs="ponnoprat2023.equation-20-taylor",
        where="Appendix F, between (20) and (21)",
        says="Both hold with alpha for d alpha in the second.",
        hypotheses=("0 <= t < beta", "alpha > 0"),
        note=NOTE,
        evidence=(
            Proof(
                f"{NOTE}#tangents",
                "log Gamma is convex, so it lies above its tangents (4)",
                (Formula("(4)", executed.tangents_are_below),),
            ),
        ),
    ),
    Claim(
        id="ponnoprat2023.theorem-2-exponent",
        kind="equation",
        where="Appendix F, (21), (22) and the displays after them",
        says="f(t) = -t eta + t log((beta + d alpha)/(beta - t)) is least at beta (1 - 1/W), is "
        "-beta (1 - 1/W)(W - 1) there, and W >= 1 + eta/(2 (2+eta)), which gives the exponent.",
        hypotheses=("beta >= d alpha/(e^(eta/2) - 1)", "alpha > 0"),
        note=NOTE,
        evidence=(WITHOUT_AN_INTEGRAL, *(row.instance() for row in ROWS)),
    ),
    Claim(
        id="ponnoprat2023.theorem-2-exponent-repaired",
        kind="repair",
        repairs="ponnoprat2023.theorem-2-exponent",
        where="Appendix F, (21)",
        says="All of it gives the exponent where (19) may be used.",
        hypotheses=("beta >= d alpha/(e^(eta/2) - 1)",),
        adds=("alpha >= 1/2",),
        note=NOTE,
        evidence=(
            _FROM_ONE_HALF,
            *_DIGAMMA,
            Proof(
                f"{NOTE}#exponent",
                "f' is 0 at w = beta/(beta - t) with w e^w = beta e^(1+eta)/A (5), the bound on "
                "W by 1 - a + a/(2l) <= e^(-a/2) (6), and the algebra (7)",
                (
                    Formula("(5)", executed.exponent_is_least_where_said),
                    Formula("(6)", executed.lambert_is_above),
                    Formula("(7)", executed.exponents_agree),
                ),
            ),
        ),
    ),
)

FROM_ONE_HALF = _FROM_ONE_HALF
