"""Faults in what Gaussian noise and DP-SGD lose: folklore taken for a theorem, one order of two."""

from __future__ import annotations

import math

from .entries import Answer, fault


@fault("gaussian.noise_multiplier_for_dp", "sqrt(2 log(1.25/delta))/epsilon, for any epsilon")
def classical_gaussian(right: Answer, epsilon: float, delta: float) -> float:
    """Proved for epsilon below 1 alone (Balle and Wang 2018, Theorem 4)."""
    if epsilon == 0 or delta >= 1:
        return right(epsilon=epsilon, delta=delta)
    return math.sqrt(2 * math.log(1.25 / delta)) / epsilon * (1 + 1e-12)


@fault("gaussian.delta", "the chance that the loss exceeds epsilon under the smaller law")
def gaussian_tail_of_the_other(right: Answer, noise_multiplier: float, epsilon: float) -> float:
    del right
    beyond = (epsilon * noise_multiplier + 0.5 / noise_multiplier) / math.sqrt(2)
    return math.erfc(beyond) / 2


@fault("gaussian.renyi", "half the order: the sensitivity of adding a record, not of replacing one")
def renyi_quarter(right: Answer, noise_multiplier: float, order: float) -> float:
    return right(noise_multiplier=2 * noise_multiplier, order=order)


@fault(
    "dpsgd.epsilon", "the limit theorem of Gaussian privacy: q sqrt(T (e^(1/s^2) - 1))", cases=20
)
def limit_theorem(
    right: Answer, noise_multiplier: float, sampling_probability: float, steps: int, delta: float
) -> float:
    """As in an accountant that claimed 1.83 where 1.96 is true (opacus#643)."""
    given = {
        "noise_multiplier": noise_multiplier,
        "sampling_probability": sampling_probability,
        "steps": steps,
        "delta": delta,
    }
    sure = right(**given)
    if not 0 < delta < 1 or noise_multiplier < 0.2:
        return sure
    mu = sampling_probability * math.sqrt(steps * math.expm1(noise_multiplier**-2))
    low, high = 0.0, mu * mu / 2 + mu * math.sqrt(-2 * math.log(delta))
    for _ in range(80):
        middle = (low + high) / 2
        a, b = (middle / mu - mu / 2) / math.sqrt(2), (middle / mu + mu / 2) / math.sqrt(2)
        found = math.erfc(a) / 2 - math.exp(min(middle, 700)) * math.erfc(b) / 2
        low, high = (middle, high) if found > delta else (low, middle)
    return min(high, sure)


@fault("dpsgd.delta", "the first step alone", cases=10)
def first_step_alone(right: Answer, steps: int, **given: float) -> float:
    del steps
    return right(steps=1, **given)


@fault(
    "dpsgd.epsilon", "the moments accountant's bound at orders that it is not proved for", cases=20
)
def order_out_of_its_domain(
    right: Answer, noise_multiplier: float, sampling_probability: float, steps: int, delta: float
) -> float:
    """q^2 l (l + 1)/((1 - q) s^2) bounds a step's moment for small q and l alone (Abadi 2016)."""
    sure = right(
        noise_multiplier=noise_multiplier,
        sampling_probability=sampling_probability,
        steps=steps,
        delta=delta,
    )
    if not (0 < delta < 1 and sampling_probability < 1):
        return sure
    rate = steps * sampling_probability**2 / ((1 - sampling_probability) * noise_multiplier**2)
    return min(rate + 2 * math.sqrt(-rate * math.log(delta)), sure)
