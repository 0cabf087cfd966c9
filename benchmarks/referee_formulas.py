"""Other formulas than ours for what an accountant is found wrong by, and none of our code.

Each gives the delta of a claim, so that an answer is held against its own claim: a delta against
the delta there, an epsilon or a noise multiplier against the delta that it was asked for. Of one
Gaussian release it is the closed form of Balle and Wang 2018, in mpmath's error function. Of DP-SGD
it is a convolution: the law of one step's loss on a lattice, tilted by exp(theta loss) so that the
tail is where its mass is, and to the power of the steps by a Fourier transform in doubles; our
engines integrate a moment function along a contour. Its error falls with the square of the
lattice's step, which two lattices take out and estimate: nothing is proved by it. Far out, where
one step or a few lose nearly all that is lost, no tilt has the mass at epsilon, and what is there
is a transform's rounding: then the sum is taken apart by how many steps lose so much, each with a
tilt of its own. Of a conversion from Renyi divergence it is two coins, found by search, that keep
the divergence and lose more.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import mpmath
import numpy as np

DIGITS, COIN_DIGITS = 60, 40
# Points of the step's law, of the lattice, and how many standard deviations the window holds.
POINTS, LATTICE, DEVIATIONS = 1 << 14, 1 << 19, 40.0
REACH, FEW_STEPS, MANY_POINTS = 40.0, 16, 16
# The share of a tail that rounding may have before the sum is taken apart, in so many parts.
ROUNDED, PARTS = 1e-8, 64
# An estimate is told from a claim by so many of its own errors.
ERRORS: Final = 16.0
COINS: Final = "two coins"


@dataclass(frozen=True)
class Found:
    """A delta by another formula, the formula's name, and its estimated error."""

    delta: mpmath.mpf
    formula: str
    error: mpmath.mpf


def _exact(delta: mpmath.mpf, formula: str) -> Found:
    return Found(+delta, formula, abs(delta) * mpmath.mpf("1e-30"))


def gaussian_delta(noise_multiplier: float | mpmath.mpf, epsilon: float) -> Found:
    """Return delta of a Gaussian release by erfc."""
    with mpmath.workdps(DIGITS):
        s, e = mpmath.mpf(noise_multiplier), mpmath.mpf(epsilon)

        def tail(x: mpmath.mpf) -> mpmath.mpf:
            return mpmath.erfc(x / mpmath.sqrt(2)) / 2

        # The difference cancels by as many digits as the two tails agree in.
        with mpmath.workdps(2 * DIGITS + int(2 * mpmath.log10(1 + s))):
            found = tail(e * s - 1 / (2 * s)) - mpmath.exp(e) * tail(e * s + 1 / (2 * s))
        return _exact(found, "erfc, Balle and Wang 2018")


def training_delta(
    noise_multiplier: float, sampling_probability: float, steps: int, epsilon: float
) -> Found:
    """Return delta of DP-SGD, the larger of a record removed and added, by a tilted convolution."""
    if sampling_probability == 1:
        with mpmath.workdps(DIGITS):
            return gaussian_delta(noise_multiplier / mpmath.sqrt(steps), epsilon)
    if steps == 1:
        return _one_step_delta(noise_multiplier, sampling_probability, epsilon)
    few = steps < FEW_STEPS
    points = (MANY_POINTS if few else 1) * POINTS
    losses = [
        _step(noise_multiplier, sampling_probability, points, removed=way) for way in (True, False)
    ]
    coarse, fine = (
        max((_tail(*each, steps, epsilon, size) for each in losses), key=lambda tail: tail.mass)
        for size in (LATTICE, 2 * LATTICE)
    )
    # The lattice's error is of second order in its step.
    found = fine.mass + (fine.mass - coarse.mass) / 3
    # Of few steps the points of the step's law, too, are seen beside the kink of what is summed.
    share = (1e-7 if few else 1e-9) + 1e-12 * steps**0.5
    error = abs(found - fine.mass) + share * abs(found) + coarse.error + fine.error
    return Found(found, "tilted convolution", error)


def _one_step_delta(noise_multiplier: float, sampling_probability: float, epsilon: float) -> Found:
    """Return delta of one step: what is beyond the point where the losses are epsilon, by erfc."""
    with mpmath.workdps(3 * DIGITS):
        s, q, e = map(mpmath.mpf, (noise_multiplier, sampling_probability, epsilon))

        def tail(x: mpmath.mpf) -> mpmath.mpf:
            return mpmath.erfc(x / (s * mpmath.sqrt(2))) / 2

        def place(factor: mpmath.mpf) -> mpmath.mpf:
            """Where the mixture is so many times the other law."""
            return s * s * mpmath.log((factor - 1 + q) / q) + mpmath.mpf(1) / 2

        x = place(mpmath.exp(e))
        deltas = [(1 - q) * tail(x) + q * tail(x - 1) - mpmath.exp(e) * tail(x)]
        if mpmath.exp(-e) > 1 - q:
            x = place(mpmath.exp(-e))
            mixture = (1 - q) * tail(-x) + q * tail(1 - x)
            deltas.append(tail(-x) - mpmath.exp(e) * mixture)
        return _exact(max(deltas), "erfc of one step, Zhu, Dong and Wang 2022")


def _step(s: float, q: float, points: int, *, removed: bool) -> tuple[Any, Any]:
    """Return the losses of one step at points, and what the larger law weighs there."""
    x = np.linspace(-REACH * s, 1 + REACH * s, points)
    ratio = np.logaddexp(np.log1p(-q), np.log(q) + (2 * x - 1) / (2 * s * s))
    log_q = -(x**2) / (2 * s * s) - np.log(s * np.sqrt(2 * np.pi)) + np.log(x[1] - x[0])
    return (ratio, log_q + ratio) if removed else (-ratio, log_q)


@dataclass(frozen=True)
class _Some:
    """So many steps whose losses are these, in the order of the points, and what each weighs."""

    loss: Any
    weight: Any
    steps: int


@dataclass(frozen=True)
class _Tail:
    """A hockey-stick of a sum of losses, and how far rounding may have put it off."""

    mass: mpmath.mpf
    error: mpmath.mpf


def _tail(loss: Any, weight: Any, steps: int, epsilon: float, size: int) -> _Tail:
    """Return E (1 - exp(epsilon - sum of losses))+ over the steps."""
    whole = _Some(loss, weight, steps)
    found = _of_sum([whole], epsilon, size)
    if found.error <= ROUNDED * found.mass:
        return found
    at = _valley(weight + _saddle([whole], epsilon) * loss)
    if at is None:
        return found
    mass = error = mpmath.mpf(0)
    for few in range(min(steps, PARTS) + 1):
        parts = [_Some(loss[:at], weight[:at], steps - few), _Some(loss[at:], weight[at:], few)]
        part = _of_sum([some for some in parts if some.steps], epsilon, size)
        ways = mpmath.binomial(steps, few)
        mass, error = mass + ways * part.mass, error + ways * part.error
        # What more such steps add falls off faster and faster.
        if mass and ways * part.mass <= mass * ROUNDED**2:
            return _Tail(mass, error)
    return _Tail(mass, error) if steps <= PARTS else found


def _valley(logs: Any) -> int | None:
    """Return where a law with two humps is least between them; None where it has one."""
    rises = np.flatnonzero((logs[1:-1] <= logs[:-2]) & (logs[1:-1] < logs[2:]))
    return int(rises[np.argmin(logs[rises + 1])]) + 1 if rises.size else None


def _of_sum(parts: Sequence[_Some], epsilon: float, size: int) -> _Tail:
    """Return E (1 - exp(epsilon - sum of losses))+ over the steps of all parts."""
    nothing = _Tail(mpmath.mpf(0), mpmath.mpf(0))
    if sum(some.steps * float(some.loss.max()) for some in parts) <= epsilon:
        return nothing
    theta = _saddle(parts, epsilon)
    log_mass, mean, variance = _moments(parts, theta)
    width = DEVIATIONS * np.sqrt(variance) + 40 / max(theta, 1.0)
    step = width / size
    power = np.ones(size // 2 + 1, dtype=complex)
    for some in parts:
        law = _on_lattice(some, theta, step, size)
        factor = np.fft.rfft(law / law.sum())
        power *= np.exp(some.steps * np.log(np.where(factor == 0, 1e-300, factor)))
    total = np.fft.irfft(power, size)
    # The window begins half its width below the mean.
    first = np.floor(mean / step) - size // 2
    index = first + np.arange(size)
    total, sums = total[np.mod(index, size).astype(np.int64)], index * step
    above = sums > epsilon
    excess = sums[above] - epsilon
    weights = np.exp(-theta * excess) * -np.expm1(-excess)
    scale = mpmath.exp(mpmath.mpf(log_mass) - mpmath.mpf(theta) * epsilon)
    # A transform's rounding is spread evenly, and is that of the largest masses.
    steps = sum(some.steps for some in parts)
    each = 2.0**-51 * (steps + np.log2(size)) * np.sqrt(np.mean(total**2))
    return _Tail(
        scale * float(np.sum(total[above] * weights)), scale * float(each * np.sum(weights))
    )


def _on_lattice(some: _Some, theta: float, step: float, size: int) -> Any:
    """Return the tilted law of one step on a lattice that is a circle."""
    logs = some.weight + theta * some.loss
    tilted = np.exp(logs - np.max(logs))
    # Each mass goes to the two places beside it so that its mean is kept.
    place = some.loss / step
    below = np.floor(place)
    share = place - below
    law = np.zeros(size)
    for at, mass in ((below, tilted * (1 - share)), (below + 1, tilted * share)):
        np.add.at(law, np.mod(at, size).astype(np.int64), mass)
    return law


def _moments(parts: Sequence[_Some], theta: float) -> tuple[float, float, float]:
    """Return the logarithm of the sum's tilted mass, and its tilted mean and variance."""
    found = np.zeros(3)
    for some in parts:
        logs = some.weight + theta * some.loss
        largest = np.max(logs)
        mass = np.exp(logs - largest)
        total = mass.sum()
        mean = (mass * some.loss).sum() / total
        variance = (mass * (some.loss - mean) ** 2).sum() / total
        found += some.steps * np.array([largest + np.log(total), mean, variance])
    log_mass, mean, variance = map(float, found)
    return log_mass, mean, variance


def _saddle(parts: Sequence[_Some], mean: float) -> float:
    """Return the tilt, at least 0, at which the sum's mean is this one."""
    low, high = 0.0, 1.0
    while _moments(parts, high)[1] < mean and high < 1e6:
        low, high = high, 2 * high
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if _moments(parts, middle)[1] < mean else (low, middle)
    return high


def converted_delta(order: float, epsilon: float, claimed: float) -> Found:
    """Return a delta at ``claimed`` that two coins have, of divergences ``epsilon`` at most.

    The first shows heads with p, the second with the least q that the divergences of both orders
    allow; a search over p finds a large p - exp(claimed) q. It is a lower bound.
    """
    with mpmath.workdps(COIN_DIGITS):
        a, most, factor = mpmath.mpf(order), mpmath.mpf(epsilon), mpmath.exp(mpmath.mpf(claimed))

        def divergence(p: mpmath.mpf, q: mpmath.mpf) -> mpmath.mpf:
            if a == 1:
                return p * mpmath.log(p / q) + (1 - p) * mpmath.log((1 - p) / (1 - q))
            return mpmath.log(p**a * q ** (1 - a) + (1 - p) ** a * (1 - q) ** (1 - a)) / (a - 1)

        def shown(logit: mpmath.mpf) -> mpmath.mpf:
            p = 1 / (1 + mpmath.exp(-logit))
            low, high = mpmath.mpf(-400), mpmath.log(p)  # of log q
            for _ in range(100):
                middle = (low + high) / 2
                q = mpmath.exp(middle)
                if max(divergence(p, q), divergence(q, p)) > most:
                    low = middle
                else:
                    high = middle
            return p - factor * mpmath.exp(high)

        with mpmath.workdps(COIN_DIGITS - 10):
            best = max(map(mpmath.mpf, range(-60, 61, 3)), key=shown)
        return Found(+_largest(shown, best - 3, best + 3), COINS, mpmath.mpf(0))


def _largest(
    function: Callable[[mpmath.mpf], mpmath.mpf], low: mpmath.mpf, high: mpmath.mpf
) -> mpmath.mpf:
    """Return a value of a function next to its largest one between two points, of one hump."""
    share = (mpmath.sqrt(5) - 1) / 2
    points = [high - share * (high - low), low + share * (high - low)]
    values = [function(each) for each in points]
    for _ in range(60):
        if values[0] < values[1]:
            low = points[0]
            points, values = [points[1], low + share * (high - low)], [values[1], None]
            values[1] = function(points[1])
        else:
            high = points[1]
            points, values = [high - share * (high - low), points[0]], [None, values[0]]
            values[0] = function(points[0])
    return max(values)


def delta_of(quantity: str, point: Mapping[str, Any], answer: float) -> tuple[Found, float] | None:
    """Return the delta of the claim that an answer makes, and the delta that it claims.

    None where the answer makes no claim: no epsilon is below 0, and no noise is 0 or less.
    """
    family, _, asked = quantity.partition(".")
    is_possible = asked == "delta" or answer > 0 or (answer == 0 and asked.startswith("epsilon"))
    if not (is_possible and np.isfinite(answer)):
        return None
    given = dict(point)
    if quantity == "renyi.epsilon_for_dp":
        found = converted_delta(given["order"], given["epsilon"], answer)
        return found, given["delta"]
    formula = {"gaussian": gaussian_delta, "dpsgd": training_delta}.get(family)
    target = {"delta": "", "epsilon": "epsilon", "noise_multiplier_for_dp": "noise_multiplier"}
    if formula is None or asked not in target:
        return None
    claimed = answer if asked == "delta" else given.pop("delta")
    if target[asked]:
        given[target[asked]] = answer
    return formula(**given), claimed


def confirmed(quantity: str, point: Mapping[str, Any], answer: float, *, upper: bool) -> str:
    """Return in words whether another formula says that an answer is on the unsafe side.

    ``upper`` is whether the answer has to be at or above the truth.
    """
    made = delta_of(quantity, point, answer)
    if made is None:
        return "no other formula here"
    found, claimed = made
    with mpmath.workdps(DIGITS):
        off = found.delta - claimed
        more, less = off > ERRORS * found.error, -off > ERRORS * found.error
        share = f", relative difference {mpmath.nstr(off / abs(claimed), 2)}" if claimed else ""
    said = f"delta there is {mpmath.nstr(found.delta, 12)} by {found.formula}"
    said = f"{said}; claimed is {claimed!r}{share}"
    if more if upper else less:
        return f"confirmed: {said}"
    if found.formula == COINS:
        return f"not shown by it, as it is a lower bound: {said}"
    return f"CONTRADICTED: {said}" if more or less else f"too near for it: {said}"
