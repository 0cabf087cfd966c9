"""Section 2.1 and 2.2: the privacy model, and the mechanism as an exponential mechanism."""

from __future__ import annotations

from fractions import Fraction

from ..entries import Claim, Reading
from ..evidence import Formula, Instance, Proof
from ..values import At, Exactly
from . import executed_setting as executed
from .forms import rational

NOTE = "ponnoprat2023/setting.md"
_EVEN = (Fraction(1, 2), Fraction(1, 2))


def _variance(count: int, records: int, cells: int, step: str, alpha: str) -> At:
    """Return the variance of a coordinate of Dirichlet(r f + alpha)."""
    own = Fraction(step) * count + Fraction(alpha)
    whole = Fraction(step) * records + cells * Fraction(alpha)
    return At("dirichlet.utility.variance", {"p": str(own / whole), "k": str(whole)})


def _moment_of_the_sum() -> Fraction:
    """Return sum P^2/Q of the two outputs' sum modulo 2, which is secret xor B."""
    kept = Fraction(3, 4)
    return kept**2 / (1 - kept) + (1 - kept) ** 2 / kept


_SHARED = Instance(
    "M_1 = K, M_2 = x xor K xor B, one even bit K for both, P(B = 0) = 3/4, order 2: e^D <= e^0",
    rational(
        "sum P^2/Q of both outputs",
        lambda: executed.squares_over(executed.shared_key(0), executed.shared_key(1)),
        _moment_of_the_sum,
    ),
    "<=",
    Exactly("1", "e^(epsilon_1 + epsilon_2)"),
    {
        f"M_{place + 1} alone is (2, 0)-Renyi private": all(
            executed.alone(place, secret) == _EVEN for secret in (0, 1)
        )
        for place in (0, 1)
    },
)
_MEANS = Proof(
    f"{NOTE}#consistency",
    "Markov's inequality for both divergences (8), (9)",
    (
        Formula("(8)", executed.mean_divergence_is_below),
        Formula("(9)", executed.mean_square_is_known),
    ),
)
_FOUR = Proof(
    f"{NOTE}#triangle",
    "an identity, and the triangle inequality (7)",
    (Formula("(7)", executed.four_holds),),
)

CLAIMS = (
    Claim(
        id="ponnoprat2023.definition-2-2",
        kind="definition",
        where="Section 2.1, Definitions 2.1 to 2.3 and the sentence after them",
        says="(lambda, epsilon)-Renyi privacy bounds the moments of the privacy loss; it is "
        "stronger for smaller epsilon and larger lambda.",
        hypotheses=("lambda >= 1",),
        note=NOTE,
        evidence=(
            Proof(
                f"{NOTE}#orders",
                "the divergence does not fall as the order grows (1)",
                (Formula("(1)", executed.divergence_rises_with_the_order),),
            ),
        ),
    ),
    Claim(
        id="ponnoprat2023.lemma-1",
        kind="lemma",
        where="Section 2.1, Lemma 1",
        says="Two mechanisms that are (lambda_i, epsilon_i)-Renyi private are together "
        "(min lambda_i, epsilon_1 + epsilon_2)-Renyi private.",
        hypotheses=("their randomness is independent, which goes without saying in the paper",),
        note=NOTE,
        evidence=(
            Proof(
                f"{NOTE}#composition",
                "at one order divergences of products add (2), and orders may be lowered (1)",
                (
                    Formula("(1)", executed.divergence_rises_with_the_order),
                    Formula("(2)", executed.products_add),
                ),
            ),
        ),
        readings=(Reading("whatever randomness the two share", (_SHARED,)),),
    ),
    Claim(
        id="ponnoprat2023.equation-2",
        kind="equation",
        where="Section 2.2, (2) and the display after it",
        says="The exponential mechanism with the loss KL(f/N_f || y), beta = r N_f and base "
        "Dirichlet(alpha) draws from Dirichlet(r f + alpha).",
        hypotheses=("N_f is known and not 0", "alpha > 0"),
        garbled="the index set under the sums, x_i not 0 for f_i(x) not 0",
        note=NOTE,
        evidence=(
            Proof(
                f"{NOTE}#exponential-mechanism",
                "the densities differ by a factor without y (3)",
                (Formula("(3)", executed.densities_agree),),
            ),
        ),
    ),
    Claim(
        id="ponnoprat2023.equation-3",
        kind="equation",
        where="Section 2.2, (3)",
        says="The bias of y_i is alpha |N_f - d f_i|/(N_f (r N_f + d alpha)); it is reduced when "
        "r grows and when alpha falls.",
        hypotheses=("N_f > 0", "strictly reduced unless f_i = N_f/d, where it is 0"),
        note=NOTE,
        evidence=(
            Proof(
                f"{NOTE}#bias",
                "the mean is u_i/u_0, and alpha/(r N_f + d alpha) has derivatives of one sign (4)",
                (Formula("(4)", executed.bias_is_as_printed),),
            ),
        ),
    ),
    Claim(
        id="ponnoprat2023.equation-variance",
        kind="equation",
        where="Section 2.2, the display after (3) and the sentence after it",
        says="The variance of y_i in closed form is O(1/r) for large r and O(1/alpha) for large "
        "alpha, so draws concentrate when r and alpha are large.",
        hypotheses=("large is meant as in the limit",),
        note=NOTE,
        evidence=(
            Proof(
                f"{NOTE}#variance",
                "a Beta law's variance (5), at most 1/(4 u_0) (6)",
                (
                    Formula("(5)", executed.variance_is_as_printed),
                    Formula("(6)", executed.variance_is_below),
                ),
            ),
        ),
        readings=(
            Reading(
                "a larger r, or a larger alpha, always spreads less",
                (
                    Instance(
                        "d = 100, alpha = 1, f_i = 1, N_f = 2: r = 10 and r = 1",
                        _variance(1, 2, 100, "10", "1"),
                        "<=",
                        _variance(1, 2, 100, "1", "1"),
                        {"r > 0": True, "alpha > 0": True, "f_i <= N_f": 1 <= 2},  # noqa: PLR0133, PLR2004
                    ),
                    Instance(
                        "d = 2, f_i = N_f = 10, r = 1: alpha = 1 and alpha = 0.1",
                        _variance(10, 10, 2, "1", "1"),
                        "<=",
                        _variance(10, 10, 2, "1", "0.1"),
                        {"r > 0": True, "alpha > 0": True, "f_i <= N_f": 10 <= 10},  # noqa: PLR0133, PLR2004
                    ),
                ),
            ),
        ),
    ),
    Claim(
        id="ponnoprat2023.applications-1-2",
        kind="remark",
        where="Section 2.2, Applications 1 and 2",
        says="The same y maximises the multinomial log-likelihood and minimises the "
        "cross-entropy and KL(f/N || y).",
        note=NOTE,
        evidence=(
            Proof(
                f"{NOTE}#likelihood",
                "they differ by a positive factor and a constant (10)",
                (Formula("(10)", executed.likelihood_and_divergence_differ_by_constants),),
            ),
        ),
    ),
    Claim(
        id="ponnoprat2023.equation-4",
        kind="equation",
        where="Section 2.2, Application 3, (4)",
        says="KL(p || y) is KL(g || y) - KL(g || p) plus a term in p - g, g = f/N_f, and so at "
        "most the sum of both and max |log(p_i/y_i)| times |g - p|; p and y may be exchanged.",
        hypotheses=("all p_i, y_i > 0",),
        note=NOTE,
        evidence=(_FOUR,),
    ),
    Claim(
        id="ponnoprat2023.remark-consistency",
        kind="remark",
        where="Section 2.2, after (4)",
        says="With N_f large the bound (4) is small with high probability: one draw estimates an "
        "unknown p, and so it does with p and y exchanged.",
        hypotheses=("p_i > 0", "d, r, alpha > 0 fixed", "x is a sample of N_f from p"),
        garbled="Pinsker's inequality is displayed with a q that stands for y and for p",
        note=NOTE,
        evidence=(_MEANS, _FOUR),
    ),
)

MEANS = _MEANS
