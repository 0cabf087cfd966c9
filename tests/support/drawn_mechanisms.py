"""Mechanisms to draw: parameters that satisfy the definitions, so that a pair of inputs exists."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from drawn_neighbours import between, scaled, shares, whole
from hypothesis import strategies as st
from neighbouring_inputs import Bordered, Counts

# Shares of what there is that are drawn: never nothing, and never all of it.
_LEAST, _MOST = Fraction(1, 1000), Fraction(999, 1000)
# Scales in powers of two: of k, and of gamma relative to the largest good set.
_K, _GAMMA = (-3, 10), (-24, 0)
_MOST_CATEGORIES, _MOST_LEAST_COUNT, _MOST_SPARE_RECORDS = 5, 6, 20


@dataclass(frozen=True)
class BorderedRelease:
    """Dirichlet(k p) for p in a bordered simplex, and the level of its good set."""

    k: Fraction
    space: Bordered
    gamma: Fraction

    def parameters(self) -> dict[str, Fraction | int]:
        """Return the parameters as the quantities name them."""
        space = self.space
        return {
            "k": self.k,
            "eta": space.eta,
            "eta_bar": space.eta_bar,
            "b": space.b,
            "w": space.w,
            "gamma": self.gamma,
        }


@dataclass(frozen=True)
class CountsRelease:
    """Dirichlet(k shares) for the shares of records, and the level of its good set."""

    k: Fraction
    space: Counts
    gamma: Fraction

    def parameters(self) -> dict[str, Fraction | int]:
        """Return the parameters as the quantities name them."""
        space = self.space
        return {
            "k": self.k,
            "eta": space.eta,
            "N": space.N,
            "n": space.n,
            "gamma": self.gamma,
        }


@st.composite
def bordered_releases(draw: st.DrawFn, most_protected: int = 4) -> BorderedRelease:
    """Draw a release of a bordered simplex with b <= 1 and room for a whole step, w >= 2."""
    w, unprotected = draw(whole(2, most_protected)), draw(whole(1, 2))
    k, floor, border, change, level = draw(shares(5))
    eta = between(_LEAST, _MOST, floor) / w
    eta_bar = between(_LEAST, _MOST, border) * (1 - w * eta)
    room = 1 - eta_bar - w * eta
    b = between(_LEAST, Fraction(1), change) * min(2 * room, Fraction(1))
    space = Bordered(w + unprotected, w, eta, eta_bar, b)
    return BorderedRelease(scaled(*_K, k), space, scaled(*_GAMMA, level) * _MOST / w)


@st.composite
def counts_releases(draw: st.DrawFn) -> CountsRelease:
    """Draw a release of counts in which one record can move; eta N is often whole."""
    n, least = draw(whole(3, _MOST_CATEGORIES)), draw(whole(1, _MOST_LEAST_COUNT))
    records = n * least + 1 + draw(whole(0, _MOST_SPARE_RECORDS))
    k, off_lattice, level = draw(shares(3))
    space = Counts(n, records, (least - _MOST * off_lattice) / records)
    return CountsRelease(scaled(*_K, k), space, scaled(*_GAMMA, level) * _MOST / n)
