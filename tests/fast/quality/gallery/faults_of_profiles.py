"""Faults in what one release loses: profile, Renyi, add or remove, composition."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy.special import betainc, betaln, gammaln, polygamma

from .entries import Answer, down, fault, nearest, up, valid

DELTA = "dirichlet.profile.delta"
EPSILON = "dirichlet.profile.epsilon"
RENYI = "dirichlet.profile.renyi"
TOTAL_VARIATION = "dirichlet.profile.total_variation"
STEP_FOR_DP = "dirichlet.profile.step_for_dp"
STEP_FOR_RENYI = "dirichlet.profile.step_for_renyi"
LARGEST_ORDER = "dirichlet.profile.largest_order"
COMPOSED = "dirichlet.composition.delta"
COMPOSED_EPSILON = "dirichlet.composition.epsilon"
LEAST = 5e-324


@fault(DELTA, "half the step: b/4 for b/2")
def profile_half_step(right: Answer, alpha: float, step: float, epsilon: float) -> float:
    return right(alpha=alpha, step=step / 2, epsilon=epsilon)


@fault(DELTA, "floor off by one: alpha + 1")
def profile_floor_plus_one(right: Answer, alpha: float, step: float, epsilon: float) -> float:
    return right(alpha=alpha + 1, step=step, epsilon=epsilon)


@fault(DELTA, "alpha and step the wrong way round")
def profile_swapped(right: Answer, alpha: float, step: float, epsilon: float) -> float:
    return right(alpha=step, step=alpha, epsilon=epsilon)


@fault(DELTA, "worked out in float32")
def profile_float32(right: Answer, **given: float) -> float:
    return float(np.float32(right(**given)))


@fault(DELTA, "the complement's complement: small tails are lost")
def profile_one_minus(right: Answer, **given: float) -> float:
    return 1.0 - (1.0 - right(**given))


@fault(DELTA, "difference of two incomplete betas, which cancel")
def profile_difference_of_betas(right: Answer, alpha: float, step: float, epsilon: float) -> float:
    q = 1 / (1 + math.exp(min(epsilon / step, 700)))
    with np.errstate(all="ignore"):
        found = betainc(alpha, alpha + step, q) - math.exp(epsilon) * betainc(
            alpha + step, alpha, q
        )
    return valid(float(found), lambda: right(alpha=alpha, step=step, epsilon=epsilon))


@fault(DELTA, "quadrature of fixed degree, which misses the singular end")
def profile_fixed_quadrature(right: Answer, alpha: float, step: float, epsilon: float) -> float:
    nodes, weights = np.polynomial.legendre.leggauss(20)
    y = (nodes + 1) / 2
    q = 1 / (1 + math.exp(min(epsilon / step, 700)))
    with np.errstate(all="ignore"):
        smooth = y ** (alpha - 1) * (1 - y**step) * (1 - q * (1 - y)) ** -(2 * alpha + step)
        front = alpha * math.log(q) + (alpha + step) * math.log1p(-q) - betaln(alpha, alpha + step)
        found = float(np.exp(front) * (weights @ smooth) / 2)
    return valid(found, lambda: right(alpha=alpha, step=step, epsilon=epsilon))


@fault(DELTA, "clipped: below 1e-12 it is called 0")
def profile_clipped_low(right: Answer, **given: float) -> float:
    found = right(**given)
    return found if found > 1e-12 else 0.0


@fault(DELTA, "clipped above, at 0.999")
def profile_clipped_high(right: Answer, **given: float) -> float:
    return min(right(**given), 0.999)


@fault(DELTA, "two units in the last place below, no slack declared")
def profile_two_ulps_low(_right: Answer, **given: float) -> float:
    found = up(DELTA, **given)
    return max(math.nextafter(math.nextafter(found, 0), 0), 0.0)


@fault(DELTA, "rounded to nearest, no slack declared")
def profile_rounded_to_nearest(_right: Answer, **given: float) -> float:
    return nearest(DELTA, **given)


@fault(DELTA, "epsilon times log 10: a logarithm to base 10 taken for a natural one")
def profile_base_ten(right: Answer, alpha: float, step: float, epsilon: float) -> float:
    return right(alpha=alpha, step=step, epsilon=epsilon * math.log(10))


@fault(DELTA, "epsilon forgotten above 20: e^-epsilon is called 0")
def profile_cut_off(right: Answer, alpha: float, step: float, epsilon: float) -> float:
    return 0.0 if epsilon > 20 else right(alpha=alpha, step=step, epsilon=epsilon)


@fault(DELTA, "corner: nothing is spent at epsilon 0, so nothing is lost")
def profile_zero_epsilon(right: Answer, alpha: float, step: float, epsilon: float) -> float:
    return right(alpha=alpha, step=step, epsilon=epsilon) if epsilon else 0.0


@fault(DELTA, "corner: a tiny floor takes a branch that is 1e-6 too low")
def profile_tiny_floor(right: Answer, alpha: float, **rest: float) -> float:
    return right(alpha=alpha, **rest) * (1 - 1e-6 * (alpha < 0.002))


@fault(DELTA, "corner: an overflow near alpha = 1000 is caught and called 0")
def profile_overflow(right: Answer, alpha: float, **rest: float) -> float:
    return 0.0 if alpha > 999 else right(alpha=alpha, **rest)


@fault(DELTA, "corner: a whole alpha takes a finite sum, which stops one term early")
def profile_whole_floor(right: Answer, alpha: float, step: float, epsilon: float) -> float:
    whole = alpha == int(alpha)
    return right(alpha=alpha + whole, step=step, epsilon=epsilon)


@fault(DELTA, "corner: alpha = step takes a branch of its own, with step for 2 step")
def profile_equal(right: Answer, alpha: float, step: float, epsilon: float) -> float:
    return right(alpha=alpha, step=step / (1 + (alpha == step)), epsilon=epsilon)


@fault(
    TOTAL_VARIATION, "a spike: too low at one alpha in 3,000, in log scale, around pi", cases=2000
)
def profile_spike(_right: Answer, alpha: float, step: float) -> float:
    """1e-6 above the truth far away, 2e-6 below it at the peak, wrong within 2e-3 of it.

    Nothing but going where the answer is nearest to the truth leads there.
    """
    away = 1e3 * abs(math.log(alpha / math.pi))
    return up(TOTAL_VARIATION, alpha=alpha, step=step) * (1 + 1e-6 - 3e-6 / (1 + away))


@fault(TOTAL_VARIATION, "the normal approximation: erf of step/sqrt(8 alpha)")
def profile_normal(_right: Answer, alpha: float, step: float) -> float:
    return math.erf(step / math.sqrt(16 * alpha))


@fault(EPSILON, "bisection returns the end where delta is not yet met")
def profile_unsafe_bisection(_right: Answer, **given: float) -> float:
    return down(EPSILON, **given) * (1 - 1e-9)


@fault(EPSILON, "accepts a delta within 10 percent on either side")
def profile_loose_root(right: Answer, alpha: float, step: float, delta: float) -> float:
    return right(alpha=alpha, step=step, delta=min(1.1 * delta, 1.0))


@fault(EPSILON, "in decades")
def profile_decades(right: Answer, **given: float) -> float:
    return right(**given) / math.log(10)


@fault(STEP_FOR_DP, "bisection returns the unsafe end, 1e-9 too large")
def step_unsafe_bisection(_right: Answer, **given: float) -> float:
    return up(STEP_FOR_DP, **given) * (1 + 1e-9)


@fault(STEP_FOR_DP, "accepts a delta within 10 percent on either side")
def step_loose_root(right: Answer, alpha: float, epsilon: float, delta: float) -> float:
    return right(alpha=alpha, epsilon=epsilon, delta=min(1.1 * delta, 1 - 2**-53))


@fault(STEP_FOR_RENYI, "off by one order")
def step_one_order_less(right: Answer, alpha: float, order: float, epsilon: float) -> float:
    return right(alpha=alpha, order=max(order - 1, 1.0), epsilon=epsilon)


@fault(LARGEST_ORDER, "1 + alpha/step in double arithmetic, rounded as it comes")
def largest_order_rounded(_right: Answer, alpha: float, step: float) -> float:
    return 1 + alpha / step


@fault(RENYI, "off by one order")
def renyi_one_order_less(right: Answer, order: float, **rest: float) -> float:
    return right(order=max(order - 1, 1.0), **rest)


@fault(RENYI, "never infinite: the largest double instead")
def renyi_never_infinite(right: Answer, **given: float) -> float:
    return min(right(**given), 1.7e308)


@fault(RENYI, "infinite too late: from order step = 2 alpha on")
def renyi_infinite_late(right: Answer, alpha: float, step: float, order: float) -> float:
    found = right(alpha=alpha, step=step, order=order)
    return min(found, 1e300) if order * step < 2 * alpha else found


@fault(RENYI, "difference of log-betas, which cancel for small steps")
def renyi_log_betas(right: Answer, alpha: float, step: float, order: float) -> float:
    if order == 1 or (order - 1) * step >= alpha:
        return right(alpha=alpha, step=step, order=order)
    top = betaln(alpha - (order - 1) * step, alpha + order * step)
    return max(float((top - betaln(alpha, alpha + step)) / (order - 1)), 0.0)


@fault(RENYI, "corner: orders below 1.01 are taken for 1", cases=400)
def renyi_near_one(right: Answer, order: float, **rest: float) -> float:
    return right(order=order if order > 1.01 else 1.0, **rest)


@fault("dirichlet.renyi.epsilon_bound", "psi' at 1 + 4 parts of 4, where 3 remain")
def renyi_bound_all_parts(
    _right: Answer, order: float, step: float, delta2_squared: float, delta_inf: float
) -> float:
    argument = 1 + 4 * (order - 1) * step * delta_inf
    return float(order * step**2 * delta2_squared / 2 * polygamma(1, argument)) * (1 + 1e-12)


@fault("dirichlet.renyi.epsilon_bound", "the sensitivity where its square is asked for")
def renyi_bound_not_squared(right: Answer, delta2_squared: float, **rest: float) -> float:
    return right(delta2_squared=math.sqrt(delta2_squared), **rest)


@fault("dirichlet.renyi.epsilon_bound_alpha", "the maximum norm forgotten: psi' at alpha")
def renyi_bound_without_room(right: Answer, order: float, delta_inf: float, **rest: float) -> float:
    return right(order=order, delta_inf=delta_inf * 1e-9, **rest)


@fault("dirichlet.renyi.step", "a root finder that stops at 1e-9, on the unsafe side")
def renyi_step_unsafe(right: Answer, **given: float) -> float:
    return right(**given) * (1 + 1e-9)


@fault("dirichlet.renyi.divergence", "the two laws the wrong way round")
def renyi_divergence_swapped(right: Answer, u: Any, v: Any, order: float) -> float:
    return right(u=v, v=u, order=order)


@fault(
    "dirichlet.renyi.divergence",
    "the totals forgotten: too large, which accuracy alone tells",
    accuracy=1e-3,
)
def renyi_divergence_without_totals(right: Answer, u: Any, v: Any, order: float) -> float:
    first, second = np.asarray(u), np.asarray(v)
    mixed = order * first + (1 - order) * second
    if order == 1 or min(mixed) <= 0:
        return right(u=u, v=v, order=order)
    parts = gammaln(mixed) - order * gammaln(first) - (1 - order) * gammaln(second)
    return max(float(sum(parts)) / (order - 1), 0.0)


@fault("dirichlet.renyi.to_approximate_dp", "log(1/delta) over order for order - 1")
def conversion_order_for_order_minus_one(
    right: Answer, order: float, epsilon: float, delta: float
) -> float:
    found = epsilon + math.log1p(-1 / order) - math.log(delta * order) / order
    return (
        max(found, 0.0) * (1 + 1e-12) if found else right(order=order, epsilon=epsilon, delta=delta)
    )


@fault("renyi.epsilon_for_dp", "the corner for every delta: too small where the other case decides")
def corner_for_every_delta(right: Answer, order: float, epsilon: float, delta: float) -> float:
    """The largest log((1 - delta) e^x - delta) of randomised response whose loss is epsilon."""
    low, high = 0.0, epsilon + math.sqrt(2 * epsilon) + 1
    for _ in range(80):
        x = (low + high) / 2
        over, half = order - 1, math.tanh(x / 2)
        power = over * x
        lost = x * half
        if power > 500:
            lost = x + math.log((1 + half) / 2) / over
        elif power > 0:
            lost = math.log1p(2 * math.sinh(power / 2) ** 2 + math.sinh(power) * half) / over
        low, high = (x, high) if lost < epsilon else (low, x)
    inner = 1 - delta - delta * math.exp(-high)
    found = high + math.log(inner) if inner > 0 else 0.0
    return found * (1 + 1e-9) if found > 0 else right(order=order, epsilon=epsilon, delta=delta)


@fault("dirichlet.add_remove.delta", "half the step")
def add_remove_half_step(right: Answer, step: float, **rest: float) -> float:
    return right(step=step / 2, **rest)


@fault("dirichlet.add_remove.renyi", "the larger count's direction, which is not the worse one")
def add_remove_other_direction(right: Answer, alpha: float, step: float, order: float) -> float:
    """D_add + D_remove is the divergence under replacing a record."""
    if order == 1 or (order - 1) * step >= alpha:
        return right(alpha=alpha, step=step, order=order)
    mixed = alpha + order * step  # of Gamma(alpha + step) from Gamma(alpha)
    parts = gammaln(mixed) - order * gammaln(alpha + step) - (1 - order) * gammaln(alpha)
    return max(float(parts) / (order - 1), 0.0) * (1 + 1e-9)


@fault("dirichlet.add_remove.epsilon", "accepts a delta within 10 percent on either side")
def add_remove_loose_root(right: Answer, delta: float, **rest: float) -> float:
    return right(delta=min(1.1 * delta, 1.0), **rest)


@fault("dirichlet.add_remove.step_for_renyi", "epsilon for each of two directions: doubled")
def add_remove_doubled_budget(right: Answer, epsilon: float, **rest: float) -> float:
    return right(epsilon=2 * epsilon, **rest)


@fault(COMPOSED, "each release counted once")
def composition_counts_dropped(right: Answer, releases: Any, epsilon: float) -> float:
    return right(releases=[[*release[:2], 1] for release in releases], epsilon=epsilon)


@fault(COMPOSED, "the largest of the parts for all of them together")
def composition_largest_part(right: Answer, releases: Any, epsilon: float) -> float:
    return max(right(releases=[[*one[:2], 1]], epsilon=epsilon) for one in releases)


@fault(COMPOSED, "the last release forgotten")
def composition_last_dropped(right: Answer, releases: Any, epsilon: float) -> float:
    return right(releases=releases[:-1] or releases, epsilon=epsilon)


@fault(COMPOSED, "releases as a set: equal ones counted once", cases=100)
def composition_as_a_set(right: Answer, releases: Any, epsilon: float) -> float:
    different = [list(one) for one in dict.fromkeys(map(tuple, releases))]
    return right(releases=different, epsilon=epsilon)


@fault(COMPOSED_EPSILON, "the delta spent anew on each release", cases=100)
def composition_epsilon_of_the_worst(right: Answer, releases: Any, delta: float) -> float:
    return max(right(releases=[[*one[:2], 1]], delta=delta) for one in releases)
