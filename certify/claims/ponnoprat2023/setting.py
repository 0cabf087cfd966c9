"""Section 2.2: the mechanism as an exponential mechanism, its spread and what it estimates."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from ..entries import Claim, Reading
from ..evidence import Formula, Instance, Proof
from ..values import At
from . import executed_setting as executed

NOTE = "ponnoprat2023/setting.md"


@dataclass(frozen=True)
class Release:
    """A coordinate with this count of Dirichlet(r f + alpha), f with so many records and cells."""

    count: int
    records: int
    cells: int
    step: str
    alpha: str

    def variance(self) -> At:
        """Return its variance."""
        own = Fraction(self.step) * self.count + Fraction(self.alpha)
        whole = Fraction(self.step) * self.records + self.cells * Fraction(self.alpha)
        return At("dirichlet.utility.variance", {"p": str(own / whole), "k": str(whole)})

    def spreads_less_than(self, other: Release) -> Instance:
        """Return that it spreads less than one with a smaller r or alpha, all else equal."""
        says = (
            f"d = {self.cells}, f_i = {self.count}, N_f = {self.records}: r = {self.step} and "
            f"{other.step}, alpha = {self.alpha} and {other.alpha}"
        )
        hypotheses = {
            "r > 0": Fraction(other.step) > 0,
            "alpha > 0": Fraction(other.alpha) > 0,
            "0 <= f_i <= N_f": 0 <= self.count <= self.records,
            "one f": (self.count, self.records, self.cells)
            == (other.count, other.records, other.cells),
            "one of r and alpha is larger": (Fraction(self.step) > Fraction(other.step))
            != (Fraction(self.alpha) > Fraction(other.alpha)),
        }
        return Instance(says, self.variance(), "<=", other.variance(), hypotheses)


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
                    Release(1, 2, 100, "10", "1").spreads_less_than(Release(1, 2, 100, "1", "1")),
                    Release(10, 10, 2, "1", "1").spreads_less_than(Release(10, 10, 2, "1", "0.1")),
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
