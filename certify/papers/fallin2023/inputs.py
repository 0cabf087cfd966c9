"""Exact inputs of this paper's counterexamples, and whether they meet the paper's hypotheses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from ..gohari2020.inputs import Setting, Where
from ..values import At, Exactly, Value

HALF = Fraction(1, 2)
# Assumption 1 asks for two protected coordinates in every row.
_LEAST_W = 2

ASSUMPTION_1 = "eta, eta_bar > 0, eta + eta_bar < 1/2, W_i a part of 1..n-1 with |W_i| >= 2"
_ASSUMPTION_2 = "k >= 1/eta, and k >= 1/(1 - eta - eta_bar)"
ASSUMPTION_3 = "gamma_i <= 1/|W_i|; strictly, else delta = 1"
ASSUMPTIONS = (ASSUMPTION_1, _ASSUMPTION_2, ASSUMPTION_3, "0 < b <= 1")
ANY_K = "eta, eta_bar > 0, |W_i| >= 2, |W_i| gamma_i < 1, 0 < b <= 1, any k > 0"


@dataclass(frozen=True)
class Rows:
    """So many rows of one kind, |W| = w: the numbers of Theorem 1."""

    k: str
    eta: str
    eta_bar: str
    b: str
    gamma: str
    w: int = _LEAST_W
    n: int = 3

    def row(self) -> Setting:
        """Return the numbers as those of one row with W = {1, 2}."""
        return Setting(self.k, self.eta, self.eta_bar, self.b, self.gamma)

    def epsilon(self) -> At:
        """Return the epsilon that Theorem 1 prints."""
        given = {"k": self.k, "eta": self.eta, "eta_bar": self.eta_bar, "b": self.b}
        return At("dirichlet.matrix.epsilon_bound", {**given, "rows": [[self.w, self.gamma]]})

    def delta(self) -> At:
        """Return delta: all rows being alike, the smallest and the largest of them are one."""
        given = {"k": self.k, "eta": self.eta, "rows": [[self.w, self.gamma]]}
        return At("dirichlet.matrix.delta_bound", given)

    def needed(self, changed: int, epsilon: str) -> At:
        """Return the exact delta at epsilon where so many rows change by b/2."""
        given = {"k": self.k, "eta": self.eta, "b": self.b, "epsilon": epsilon}
        return At("dirichlet.matrix.delta", {**given, "changed_rows": changed})

    def assumptions(self) -> Mapping[str, bool]:
        """Return whether Assumptions 1 to 3 hold, and whether there is a matrix at all."""
        k, eta, bar, b, gamma = map(Fraction, (self.k, self.eta, self.eta_bar, self.b, self.gamma))
        return {
            "eta, eta_bar > 0 and eta + eta_bar < 1/2": min(eta, bar) > 0 and eta + bar < HALF,
            "2 <= |W| <= n - 1": _LEAST_W <= self.w <= self.n - 1,
            "k >= 1/eta and k >= 1/(1 - eta - eta_bar)": k >= max(1 / eta, 1 / (1 - eta - bar)),
            "0 < gamma < 1/|W|": 0 < gamma * self.w < 1,
            "0 < b <= 1": 0 < b <= 1,
            "|W| eta + eta_bar <= 1: there is such a matrix": self.w * eta + bar <= 1,
        }

    def step_fits(self) -> Mapping[str, bool]:
        """Return whether a whole step of b/2 fits into every row."""
        eta, bar, b = map(Fraction, (self.eta, self.eta_bar, self.b))
        return {"b/2 <= 1 - eta_bar - |W| eta": b / 2 <= 1 - bar - self.w * eta}


# Three states and the least k for this eta: log 1198.8 is printed as epsilon.
THREE = Rows("4", "1/4", "1/5", "1/2", "1/1000")
THREE_ABOVE = "7.0890763355"
# Section V with the least k that Assumption 2 admits; 32 states.
TRAFFIC = Rows("10", "0.1", "0.051", "0.025", "0.001", n=32)
TRAFFIC_ABOVE = "1.182242"
# A step of b/2 fits exactly, so that the two Betas of epsilon cancel: 2 log(11/9).
WHOLE = Rows("5", "1/5", "1/5", "4/5", "9/20")
MIDDLE = ("2/5", "2/5", "1/5")
ASIDE = ("1/5", "3/5", "1/5")
OTHER_SIDE = ("3/5", "1/5", "1/5")
# A step of b/2 does not fit: eta + b/2 = 3/4 and 1 - eta_bar - eta - b/2 = 1/1000.
TOO_LONG = Rows("4", "1/4", "249/1000", "1", "1/50")
LEANING = ("1/2", "1/4", "1/4")
LEANING_OVER = ("1/4", "1/2", "1/4")


def extreme_rows(at: Rows) -> Mapping[str, bool]:
    """Return whether (eta, eta + b/2, rest) and the exchanged row are adjacent, W = {1, 2}.

    With one such pair in every row the two matrices are adjacent by Definition 4. However many
    coordinates lie outside of W, what is left may be divided among them.
    """
    eta, b = Fraction(at.eta), Fraction(at.b)
    low, high, rest = map(str, (eta, eta + b / 2, 1 - 2 * eta - b / 2))
    pair = at.row().adjacent("q", (low, high, rest), (high, low, rest))
    return {**pair, "|W| = 2": at.w == _LEAST_W}


# Numbers of this paper's entries that no quantity answers alone.


def probability_one(loss_at_equal: Value, epsilon: Value) -> Where:
    """Return the probability of the smallest exceptional set of an input p with p_1 = p_2.

    Where the loss to q is above epsilon at x_1 = x_2, it is at all x_1 >= x_2, as it rises with
    x_1/x_2; the loss to q with both exchanged is at all x_1 <= x_2. All outputs are exceptional.
    """
    of = "P(smallest exceptional set of p), the loss at x_1 = x_2 being above epsilon"
    return Where(of, Exactly("1"), ((epsilon, loss_at_equal),))


def deviation(p: str, k: str) -> At:
    """Return the exact mean distance of an entry from p."""
    return At("dirichlet.utility.absolute_deviation", {"p": p, "k": k})


def whole_power(base: Fraction, exponent: Fraction) -> Fraction:
    """Return an exact power. Raises ValueError unless the exponent is whole."""
    if exponent.denominator != 1:
        raise ValueError(f"{exponent} is not whole")
    return base ** int(exponent)
