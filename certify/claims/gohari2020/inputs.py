"""Exact inputs of this paper's counterexamples, and whether they meet what the paper asks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from ..forms import fractions
from ..values import At


@dataclass(frozen=True)
class Setting:
    """What Theorem 1 is about, W = {1, 2}: the mechanism's k, the domain, b, and gamma."""

    k: str
    eta: str
    eta_bar: str
    b: str
    gamma: str

    def epsilon(self) -> At:
        """Return the epsilon that Theorem 1 prints."""
        return At(
            "dirichlet.identity.epsilon_bound",
            {
                "k": self.k,
                "eta": self.eta,
                "eta_bar": self.eta_bar,
                "b": self.b,
                "w": 2,
                "gamma": self.gamma,
            },
        )

    def epsilon_of_mean(self, vectors: int) -> At:
        """Return the epsilon of Theorem 2 with so many vectors in the place of its n."""
        given = dict(self.epsilon().parameters)
        return At("dirichlet.average.epsilon_bound", {**given, "N": vectors})

    def delta(self) -> At:
        """Return the delta of (8)."""
        given = {"k": self.k, "eta": self.eta, "w": 2, "gamma": self.gamma}
        return At("dirichlet.identity.delta_bound", given)

    def step_fits(self) -> Mapping[str, bool]:
        """Return whether the numbers are of the ranges printed, and a step of b/2 fits."""
        eta, bar, b = fractions(self.eta, self.eta_bar, self.b)
        return {**self.in_range(), "b/2 <= 1 - eta_bar - 2 eta": b / 2 <= 1 - bar - 2 * eta}

    def in_range(self) -> Mapping[str, bool]:
        """Return whether the numbers are of the ranges printed, and epsilon has a value."""
        k, eta, bar, b, gamma = fractions(self.k, self.eta, self.eta_bar, self.b, self.gamma)
        return {
            "k > 0": k > 0,
            "eta, eta_bar, gamma in (0, 1)": all(0 < x < 1 for x in (eta, bar, gamma)),
            "0 < b <= 1": 0 < b <= 1,
            "2 gamma < 1": 2 * gamma < 1,
            "eta + eta_bar + b/2 < 1": eta + bar + b / 2 < 1,
        }

    def adjacent(self, name: str, p: Sequence[str], q: Sequence[str]) -> Mapping[str, bool]:
        """Return whether p and q lie in the bordered simplex and are b-adjacent, by Definition 1.

        W = {1, 2} are the first two of at least three coordinates.
        """
        vectors = (fractions(*p), fractions(*q))
        eta, bar, b = fractions(self.eta, self.eta_bar, self.b)
        distance = sum(abs(x - y) for x, y in zip(*vectors, strict=True))
        return {
            f"p and {name} sum to 1": all(sum(v) == 1 for v in vectors),
            f"p and {name} are positive": all(min(v) > 0 for v in vectors),
            f"p, {name} >= eta on W": all(min(v[:2]) >= eta for v in vectors),
            f"p, {name} sum to at most 1 - eta_bar on W": all(
                v[0] + v[1] <= 1 - bar for v in vectors
            ),
            f"p and {name} differ in W alone": vectors[0][2:] == vectors[1][2:],
            f"|p - {name}|_1 <= b": 0 < distance <= b,
        }


# A step of b/2 fits, and the two Betas of epsilon cancel: epsilon = log(4)/5.
HALF_WAY = Setting("1/2", "1/5", "1/5", "4/5", "1/5")
# The same with k eta = 1.
LARGER = Setting("5", "1/5", "1/5", "4/5", "9/20")
MIDDLE = ("2/5", "2/5", "1/5")
ASIDE = ("1/5", "3/5", "1/5")
OTHER_SIDE = ("3/5", "1/5", "1/5")

# A step of b/2 does not fit: eta + b/2 = 3/4 and 1 - eta_bar - eta - b/2 = 1/1000.
TOO_LONG = Setting("4", "1/4", "249/1000", "1", "1/50")
LEANING = ("1/2", "1/4", "1/4")
LEANING_OVER = ("1/4", "1/2", "1/4")

# Two vectors, of which one may move by half of b: the mean moves by 1/8.
TWO_VECTORS = Setting("1/4", "3/10", "3/20", "1", "1/4")
FIRST_VECTOR = ("11/20", "3/10", "3/20")
SECOND_VECTOR = ("3/10", "11/20", "3/20")

# Lemma 4 at its worst place but one in a thousand: a step of 0.373, where b/2 = 0.5 fits.
INTERIOR = Setting("1", "1/100", "12/25", "1", "27/4000")
INTERIOR_P = ("0.383", "0.137", "0.48")
INTERIOR_Q = ("0.01", "0.51", "0.48")
INTERIOR_OUTPUT = ("0.99225", "0.00675", "0.001")


def swapped(p: Sequence[str]) -> tuple[str, ...]:
    """Return the vector with its first two coordinates exchanged."""
    return (p[1], p[0], *p[2:])


def is_good(output: Sequence[str], gamma: str) -> bool:
    """Whether an output is of the simplex and its first two coordinates are at least gamma."""
    x = fractions(*output)
    return sum(x) == 1 and min(x) >= 0 and min(x[:2]) >= Fraction(gamma)
