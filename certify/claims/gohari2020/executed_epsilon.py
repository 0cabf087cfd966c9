"""What the notes on epsilon state in formulas, tried at drawn exact points."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from random import Random
from typing import NamedTuple

from flint import arb

from ....reference.arb.balls import ball
from ....reference.arb.gamma import log_beta, log_beta_change, log_gamma
from ....reference.dirichlet.good_set import good_set_epsilon
from ....reference.dirichlet.tail import Miss, probability
from ..forms import draws

_TRIALS = 30


class Point(NamedTuple):
    """Numbers of Theorem 1, |W| = w, and a step t of b/2 that fits."""

    w: int
    k: Fraction
    eta: Fraction
    eta_bar: Fraction
    t: Fraction
    gamma: Fraction

    @property
    def ratio(self) -> Fraction:
        """Return R = (1 - (w-1) gamma)/gamma."""
        return (1 - (self.w - 1) * self.gamma) / self.gamma

    def printed(self) -> arb:
        """Enclose the printed epsilon."""
        return good_set_epsilon(self.k, self.eta, self.eta_bar, self.t, self.w, self.gamma)


def _points(seed: int) -> Iterator[tuple[Random, Point]]:
    """Yield points with room for w floors and a step that fits, from tiny k to large."""
    for random in draws(seed, _TRIALS):
        w = random.randint(2, 4)
        eta = Fraction(random.randint(1, 45), 50 * w)
        bar = (1 - w * eta) * Fraction(random.randint(1, 9), 10)
        t = min(Fraction(1, 2), 1 - bar - 2 * eta) * Fraction(random.randint(1, 99), 100)
        gamma = Fraction(random.randint(1, 99), 100 * w)
        k = Fraction(random.randint(1, 400), random.choice((2, 20, 200)))
        yield random, Point(w, k, eta, bar, t, gamma)


def _floors(at: Point) -> arb:
    """Enclose the largest probability that the good set is missed."""
    floor = at.k * at.eta
    return probability(Miss.of([floor] * at.w, at.k - at.w * floor, at.gamma))


def _beta_below(first: Fraction, second: Fraction, point: arb) -> arb:
    return point.beta_lower(ball(first), ball(second), regularized=1)


def epsilon_is_above_the_power() -> bool:
    """Whether the printed epsilon is above (k b/2) log R where a step fits with room to spare."""
    return all(
        bool(log_beta_change(at.k * at.eta, at.k * (1 - at.eta_bar - at.eta), at.k * at.t) > 0)
        and bool(at.printed() > ball(at.k * at.t) * ball(at.ratio).log())
        for _, at in _points(1)
    )


def good_ratios_are_above() -> bool:
    """Whether x_1/(1 - x_3 - ... - x_w) >= 1/(1+R) for outputs of the good set, exactly."""
    for random, at in _points(2):
        shares = [Fraction(random.randint(0, 9)) for _ in range(at.w + 1)]
        free = (1 - at.w * at.gamma) / (sum(shares) + 1)
        x = [at.gamma + free * share for share in shares[: at.w]]
        if x[0] / (1 - sum(x[2:])) < 1 / (1 + at.ratio):
            return False
    return True


def hockey_stick_is_below_delta() -> bool:
    """Whether the dominating pair's delta < P(r < 1/(1+R)) < delta of (8), at epsilon printed."""
    for _, at in _points(3):
        alpha, step = at.k * at.eta, at.k * min(at.t, 1 - at.eta_bar - at.w * at.eta)
        epsilon = at.printed()
        point = 1 / (1 + (epsilon / ball(step)).exp())
        stick = _beta_below(alpha, alpha + step, point)
        stick -= epsilon.exp() * _beta_below(alpha + step, alpha, point)
        between = _beta_below(alpha, alpha + step, ball(1 / (1 + at.ratio)))
        if not (bool(stick < between) and bool(between < _floors(at))):
            return False
    return True


def _height(at: Point, t: Fraction) -> arb:
    """Enclose the supremum of the loss over the good set, for neighbours at distance t."""
    ceiling = 1 - at.eta_bar - (at.w - 2) * at.eta
    beta = log_beta_change(at.k * at.eta, at.k * (ceiling - at.eta), at.k * t)
    return beta + ball(at.k * t) * ball(at.ratio).log()


def _slope(at: Point) -> arb:
    far = ball(at.k * (1 - at.eta_bar - at.eta - at.t)).digamma()
    return far + ball(at.ratio).log() - ball(at.k * (at.eta + at.t)).digamma()


def printed_bound_holds() -> bool:
    """Whether no step up to b/2 has a larger loss where the slope at b/2 is positive."""
    for _, at in _points(4):
        reach = min(at.t, 1 - at.eta_bar - at.w * at.eta)
        heights = [_height(at, reach * Fraction(share, 8)) for share in range(1, 8)]
        if bool(_slope(at) > 0) and not all(bool(height < at.printed()) for height in heights):
            return False
    return True


def hand_condition_is_enough() -> bool:
    """Whether the slope at b/2 is positive where 2 eta + b + eta_bar <= 1."""
    return all(
        bool(_slope(at) > 0) for _, at in _points(5) if 2 * (at.eta + at.t) <= 1 - at.eta_bar
    )


def floor_misses_most() -> bool:
    """Whether inputs above the floor miss the good set less often than the floor does."""
    for random, at in _points(6):
        free = (1 - at.eta_bar - at.w * at.eta) / at.w
        more = [free * Fraction(random.randint(1, 9), 10) for _ in range(at.w)]
        alpha = [at.k * (at.eta + part) for part in more]
        if not bool(probability(Miss.of(alpha, at.k - sum(alpha), at.gamma)) < _floors(at)):
            return False
    return True


def deltas_fall_with_epsilon() -> bool:
    """Whether the exact delta of a pair falls along 0, 1, 2, 3."""
    for random in draws(7, 10):
        alpha, step = (Fraction(random.randint(1, 40), 10) for _ in range(2))
        found = []
        for epsilon in range(4):
            point = 1 / (1 + (ball(Fraction(epsilon)) / ball(step)).exp())
            stick = _beta_below(alpha, alpha + step, point)
            found.append(stick - arb(epsilon).exp() * _beta_below(alpha + step, alpha, point))
        if not all(bool(one > other) for one, other in pairwise(found)):
            return False
    return True


def _corner(k: Fraction, total: Fraction, p: Fraction, q: Fraction) -> arb:
    """Enclose log B(k q, k (total - q)) - log B(k p, k (total - p))."""
    return log_beta(k * q, k * (total - q)) - log_beta(k * p, k * (total - p))


def larger_total_is_larger() -> bool:
    """Whether the ratio of Betas rises with the sum c where q_i < p_i."""
    for random, at in _points(8):
        low, high = sorted(Fraction(x, 100) for x in random.sample(range(1, 40), 2))
        small, large = high + Fraction(1, 50), high + Fraction(1, 50) + at.eta
        rises = _corner(at.k, large, high, low) - _corner(at.k, small, high, low)
        if not bool(rises > 0):
            return False
    return True


def corner_is_largest() -> bool:
    """Whether no feasible (p_i, q_i) passes (14) where 2 eta + b <= 1 - eta_bar."""
    for random, at in _points(9):
        total = 1 - at.eta_bar
        t = min(at.t, total / 2 - at.eta)
        best = _corner(at.k, total, at.eta + t, at.eta)
        q = at.eta + (total - 2 * at.eta) * Fraction(random.randint(1, 9), 10)
        p = q + t * Fraction(random.randint(-9, 9), 10)
        if at.eta <= p <= total - at.eta and not bool(_corner(at.k, total, p, q) < best):
            return False
    return True


def densities_ratio_is_the_formula() -> bool:
    """Whether (9) is the log-ratio of two whole densities, at drawn inputs and outputs."""
    for random, at in _points(10):
        counts = [random.randint(1, 9) for _ in range(4)]
        p = [at.k * Fraction(count, sum(counts)) for count in counts]
        moved = min(p[0], p[1]) * Fraction(random.randint(-9, 9), 10)
        q = [p[0] - moved, p[1] + moved, *p[2:]]
        x = [random.randint(1, 9) for _ in range(4)]
        whole = arb(0)
        for here, there, part in zip(p, q, x, strict=True):
            power = ball(here - there) * ball(Fraction(part, sum(x))).log()
            whole += log_gamma(there) - log_gamma(here) + power
        short = log_beta_change(q[0], q[1], moved) + ball(moved) * ball(Fraction(x[0], x[1])).log()
        if not whole.overlaps(short):
            return False
    return True
