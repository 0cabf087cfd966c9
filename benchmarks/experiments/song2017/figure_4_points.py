"""The class of Figure 4: its chains, each mechanism's scale for it, and releases of shares."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray
from simplexcert.certify.simulating.comparing import Mean
from simplexcert.reference import evaluate
from simplexcert.reference.errors import DomainError

from .mechanisms import APPROX, EXACT, GK16, GROUP, float64, laplace

LENGTH = 100
# Scales are multiplied with drawn doubles: more digits would be of no use.
DIGITS = 16


@dataclass(frozen=True)
class Point:
    """One mechanism at one alpha and epsilon: its expected error, and that of the trials.

    Both are None where the mechanism does not apply.
    """

    epsilon: Fraction
    alpha: Fraction
    mechanism: str
    expected: float | None
    error: Mean | None


def drawn_shares(random: np.random.Generator, alpha: float, trials: int) -> NDArray[np.float64]:
    """Return the share of state 1 in a sequence of each of so many chains of the class."""
    # song2017 Section 5.2: p0, p1 and the initial law are uniform.
    stay = random.uniform(alpha, 1 - alpha, size=(2, trials))
    state = (random.uniform(size=trials) < random.uniform(size=trials)).astype(np.int64)
    ones = np.zeros(trials)
    for _ in range(LENGTH):
        ones += state
        leaves = random.uniform(size=trials) >= stay[state, np.arange(trials)]
        state = np.where(leaves, 1 - state, state)
    return ones / LENGTH


def released(
    random: np.random.Generator, shares: NDArray[np.float64], alpha: Fraction, epsilon: Fraction
) -> Iterator[Point]:
    """Yield what each mechanism's releases are off by."""
    for mechanism, scale in class_scales(alpha, epsilon).items():
        if scale is None:
            yield Point(epsilon, alpha, mechanism, None, None)
            continue
        # One entry moves the share by 1/T; Laplace noise is off by its scale in the mean.
        expected = scale / LENGTH
        private = shares + laplace(random, expected, len(shares), 1)[:, 0]
        yield Point(epsilon, alpha, mechanism, expected, Mean.of(np.abs(private - shares)))


def class_scales(alpha: Fraction, epsilon: Fraction) -> dict[str, float | None]:
    """Return each mechanism's scale for the class, per unit of Lipschitz."""
    known = {"length": LENGTH, "epsilon": epsilon}
    ends = {"low": alpha, "high": 1 - alpha, "width": LENGTH}
    return {
        GROUP: upper_end("group_scale", lipschitz=1, size=LENGTH, epsilon=epsilon),
        GK16: gk16_scale(alpha, epsilon),
        APPROX: upper_end("quilt_scale_approx", pi_min=alpha, gap=4 * alpha, **known),
        EXACT: upper_end("quilt_scale_two_state", **ends, **known),
    }


def gk16_scale(alpha: Fraction, epsilon: Fraction) -> float | None:
    """Return GK16's scale for the class's two corners, or None where it does not apply.

    All transitions are positive, so outside its domain is where a spectral norm is 1 or more.
    """
    corners = [
        {"initial": "any", "P": [[stay, 1 - stay], [1 - stay, stay]]} for stay in (alpha, 1 - alpha)
    ]
    try:
        return upper_end("gk16_scale", chains=corners, length=LENGTH, epsilon=epsilon)
    except DomainError:
        return None


def upper_end(name: str, **given: object) -> float:
    """Return a quantity's proved upper end."""
    return float(evaluate(f"pufferfish.{name}", given, digits=DIGITS).upper)


def wasserstein(alpha: Fraction) -> float:
    """Return the Wasserstein distance of the number of 1s for a part of the class.

    The part: its two corners, each from either state and from the uniform, stationary law. For
    the class it is no smaller.
    """
    a, b = float(alpha), float(1 - alpha)
    chains = [
        {"initial": start, "P": [[stay, leave], [leave, stay]]}
        for stay, leave in ((a, b), (b, a))
        for start in ([1.0, 0.0], [0.0, 1.0], [0.5, 0.5])
    ]
    return float64("chain_wasserstein", chains=chains, length=LENGTH, values=[[0.0, 1.0]])
