"""Which way to delta of DP-SGD: a closed form, or a vertical line; and the larger of both orders.

Every way encloses the same number, so a wrong guess of the cost wastes time and nothing else.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from flint import arb

from ..arb.balls import ball, narrower, sharpened
from ..gaussian import profile
from ..pairs import COARSE_NATS, Composed, bounded_above, delta_on_line, wanted_nats
from ..quantity import Routed
from .above import Steps
from .subsampled import Subsampled

# Plans are in doubles, which hold the fourth powers of such sizes, and tell apart losses in t that
# are some s^-2 in size and 1/s wide.
_LARGEST, _LEAST_NOISE = 10**70, Fraction(1, 10**12)
_BY_LINES = "trapezoid rule"


@dataclass(frozen=True)
class Training:
    """A noise multiplier, a sampling probability and a number of steps."""

    noise_multiplier: Fraction
    sampling_probability: Fraction
    steps: int

    def pairs(self, *, removed: bool) -> Composed:
        """Return the pairs of all steps, where a record is removed, or added."""
        pair = Subsampled(self.noise_multiplier, self.sampling_probability, removed)
        return (Steps if removed else Composed)(((pair, self.steps),))

    def can_be_planned(self, epsilon: Fraction = Fraction(0)) -> bool:
        """Whether every size that a plan is made of is one that doubles hold."""
        q = self.sampling_probability
        sizes = (self.noise_multiplier, q, 1 - q, Fraction(self.steps))
        if epsilon > _LARGEST or self.noise_multiplier < _LEAST_NOISE:
            return False
        return all(1 < size * _LARGEST < _LARGEST**2 for size in sizes)

    def most_distance(self) -> arb:
        """Bound the total variation distance, which is delta at 0 in both orders."""
        of_a_step = ball(self.sampling_probability) * profile(self.noise_multiplier, Fraction(0))
        return -(self.steps * (-of_a_step).log1p()).expm1()

    def adds_nothing(self, epsilon: Fraction) -> bool:
        """Whether no loss of an added record exceeds epsilon: each is at most -log(1 - q)."""
        most = -self.steps * (-ball(self.sampling_probability)).log1p()
        return bool(most <= ball(epsilon))


def routed(training: Training, epsilon: Fraction) -> Routed:
    """Enclose delta, the larger of both orders, and say by which way."""
    if training.sampling_probability == 1:
        return Routed(_full_batches(training, epsilon), "closed form")
    if training.steps == 1:
        return Routed(_one_step(training, epsilon), "closed form")
    if not training.can_be_planned(epsilon):
        bounds = _one_step(training, epsilon).union(training.most_distance())
        return Routed(bounds, "one step, and total variation distance")
    found, by = _on_lines(training, epsilon)
    if not found > 0:  # not even its sign is told
        found = narrower(found, _bounded(training, epsilon))
    return Routed(found, by)


def _on_lines(training: Training, epsilon: Fraction) -> tuple[arb, str]:
    """Enclose delta on a line for each order, and name the way; where one is too long, by bounds.

    Not a number where the line is too long of the order that is hardly ever the smaller one.
    """
    nats = wanted_nats()
    removed = delta_on_line(training.pairs(removed=True), epsilon, nats)
    if removed is None:
        return arb("nan"), "Chernoff's bound"
    # At 0 both orders have one delta, the total variation distance.
    if epsilon == 0 or training.adds_nothing(epsilon):
        return removed, _BY_LINES
    added = training.pairs(removed=False)
    for asked in (COARSE_NATS, nats):
        other = delta_on_line(added, epsilon, asked)
        if other is not None and other < removed:
            return removed, _BY_LINES
    if other is None:
        other = arb(0).union(bounded_above(added, epsilon))
    return removed.max(other), _BY_LINES


def removed_shows(training: Training, epsilon: Fraction, delta: Fraction) -> bool | None:
    """Whether a removed record has more than a delta at an epsilon, or else an added one has.

    None where neither is shown. At delta = 0 it is the removed one, whose loss has no bound.
    """
    if delta == 0:
        return True
    for some in (replace(training, steps=1), training):  # all lose at least as much as one
        for removed in (True, False):
            found = of_order(some, epsilon, removed=removed)
            if found is not None and found > ball(delta):
                return removed
    return None


def of_order(training: Training, epsilon: Fraction, *, removed: bool) -> arb | None:
    """Enclose delta of one order; None where that would take too long."""
    if training.sampling_probability == 1:
        return _full_batches(training, epsilon)
    if training.steps == 1:
        one = _one_removed if removed else _one_added
        return sharpened(lambda: one(training, epsilon))
    if not training.can_be_planned(epsilon):
        return None
    return delta_on_line(training.pairs(removed=removed), epsilon, wanted_nats())


def delta_of(training: Training, epsilon: Fraction) -> arb:
    """Enclose delta as a ball."""
    value = routed(training, epsilon).value
    return ball(value) if isinstance(value, Fraction) else value


def _bounded(training: Training, epsilon: Fraction) -> arb:
    """Enclose delta by one step's and both orders' bounds, or the total variation distance."""
    bound = bounded_above(training.pairs(removed=True), epsilon)
    if not training.adds_nothing(epsilon):
        bound = bound.max(bounded_above(training.pairs(removed=False), epsilon))
    return _one_step(training, epsilon).union(bound.min(training.most_distance()))


def _full_batches(training: Training, epsilon: Fraction) -> arb:
    """Enclose delta where every record takes part: one release with s/sqrt(T)."""
    return profile(ball(training.noise_multiplier) / ball(training.steps).sqrt(), epsilon)


def _one_step(training: Training, epsilon: Fraction) -> arb:
    """Enclose delta of one step by the Gaussian profile at another threshold, in each order."""
    first = sharpened(lambda: _one_removed(training, epsilon))
    if training.adds_nothing(epsilon):
        return first
    return first.max(sharpened(lambda: _one_added(training, epsilon)))


def _one_removed(training: Training, epsilon: Fraction) -> arb:
    q, s = training.sampling_probability, training.noise_multiplier
    return ball(q) * profile(s, _log_share(ball(epsilon).expm1(), q))


def _one_added(training: Training, epsilon: Fraction) -> arb:
    """Enclose (1 - (1 - q) e^epsilon) times a profile; 0 where that factor is not above 0."""
    q, s = training.sampling_probability, training.noise_multiplier
    left = 1 - (1 - ball(q)) * ball(epsilon).exp()
    if not left > 0:  # a profile is at most 1
        return arb(0).union(left.max(arb(0)))
    return left * profile(s, -_log_share((-ball(epsilon)).expm1(), q))


def _log_share(grown: arb, q: Fraction) -> arb:
    """Enclose log((e^x - 1 + q)/q), where e^x - 1 is given."""
    return (grown / ball(q)).log1p()
