"""Where the tail bound of Theorem 2 fails: laws, and the chance bounded without an integral."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from flint import arb

from ....reference.arb.balls import ball, working_precision
from ....reference.dirichlet.kl_moments import Divergence
from ....reference.second.directed import Span
from ..evidence import Instance
from ..forms import BITS, span
from ..values import At, Worked
from .forms import worked

# The exponent at which exponential moments bound the chance that the divergence is small.
_POWER = 7


@dataclass(frozen=True)
class Row:
    """p uniform on so many cells, and the parameters of Theorem 2."""

    cells: int
    alpha: str
    eta: str
    beta: str

    def hypotheses(self) -> dict[str, bool]:
        """Return those of Theorem 2, decided exactly or by balls that exclude equality."""
        beta, prior = Fraction(self.beta), self.cells * Fraction(self.alpha)
        with working_precision(BITS):
            allowed = bool(ball(beta) * (ball(Fraction(self.eta) / 2).exp() - 1) > ball(prior))
        return {
            "alpha > 0": Fraction(self.alpha) > 0,
            "eta > 0": Fraction(self.eta) > 0,
            "beta >= d alpha/(e^(eta/2) - 1)": allowed,
        }

    def chance(self) -> At:
        """Return P(KL(p || q) > eta)."""
        law = [f"1/{self.cells}"] * self.cells
        given = {"p": law, "beta": self.beta, "alpha": self.alpha, "eta": self.eta}
        return At("dirichlet.utility.kl_tail", given)

    def bound(self) -> At:
        """Return the bound that is printed."""
        return At("dirichlet.utility.kl_tail_bound", {"beta": self.beta, "eta": self.eta})

    def kept(self) -> Worked:
        """Enclose e^(7 eta) E e^(-7 KL), a bound on the chance that KL <= eta."""
        return worked(f"e^({_POWER} eta) E e^(-{_POWER} KL)", self._kept, self._kept_in_spans)

    def surely_missed(self) -> Worked:
        """Enclose 1 - e^(7 eta) E e^(-7 KL), at most P(KL > eta)."""
        return worked(
            f"1 - e^({_POWER} eta) E e^(-{_POWER} KL), at most P(KL > eta)",
            lambda: 1 - self._kept(),
            lambda: span(1) - self._kept_in_spans(),
        )

    def _kept(self) -> arb:
        law = (Fraction(1, self.cells),) * self.cells
        item = Divergence.of(law, Fraction(self.beta), Fraction(self.alpha))
        level = ball(_POWER * Fraction(self.eta))
        return (item.log_moment_at(Fraction(-_POWER)) + level).exp()

    def _kept_in_spans(self) -> Span:
        """Return it from whole steps: Gamma(x + 7)/Gamma(x) = x (x+1) ... (x+6) for the total.

        E e^(-s KL) = d^s E prod y_i^(s/d), as p is uniform.
        """
        beta, alpha, d = Fraction(self.beta), Fraction(self.alpha), self.cells
        whole = beta + d * alpha
        rising = Fraction(1)
        for j in range(_POWER):
            rising *= whole + j
        each = beta / d + alpha
        moved = span(each + Fraction(_POWER, d)).lgamma() - span(each).lgamma()
        logarithm = span(d) * moved - span(rising).log() + span(_POWER) * span(d).log()
        return (logarithm + span(_POWER * Fraction(self.eta))).exp()

    def instance(self) -> Instance:
        """Return the theorem at this point."""
        at = f"alpha = {self.alpha}, eta = {self.eta}, beta = {self.beta}"
        says = f"d = {self.cells}, p uniform, {at}"
        return Instance(says, self.chance(), "<=", self.bound(), self.hypotheses())


# In the order of their cells; beta is a little above the least that the theorem admits.
ROWS = (
    Row(3, "0.001", "1", "0.004624484"),
    Row(20, "0.1", "1", "3.082988474"),
    Row(100, "0.22", "0.5", "77.457864359"),
)
WITNESS = ROWS[1]
WITHOUT_AN_INTEGRAL = Instance(
    "d = 20, p uniform, alpha = 0.1: the bound against what exponential moments leave",
    WITNESS.surely_missed(),
    "<=",
    WITNESS.bound(),
    WITNESS.hypotheses(),
)
