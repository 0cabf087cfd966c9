"""Faults in what Gaussian noise and DP-SGD lose: folklore taken for a theorem, one order of two."""

from __future__ import annotations

import math

import numpy as np
from simplexcert.certify.backends.float64 import backend as float64

from .entries import Answer, fault

# A grid of losses, and how far it reaches in both directions together.
_GRID, _PLACES = 1 / 64, 1 << 13
_WINDOW = _GRID * _PLACES


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


@fault("permute_and_flip.delta", "the exponential mechanism's, whose losses are nearer together")
def permute_and_flip_as_a_bounded_range(
    right: Answer, largest_loss: float, epsilon: float
) -> float:
    """Square what is lost and divide by 1 - e^-r: less than the truth at every epsilon."""
    found = right(largest_loss=largest_loss, epsilon=epsilon)
    return found * found / -math.expm1(-largest_loss)


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


@fault("dpsgd.delta", "losses rounded to the nearest of a grid, composed by an FFT", cases=20)
def losses_on_a_grid(
    right: Answer,
    noise_multiplier: float,
    sampling_probability: float,
    steps: int,
    epsilon: float,
) -> float:
    """As accountants do whose rounding of losses has no direction, and whose error no bound."""
    sure: float = right(
        noise_multiplier=noise_multiplier,
        sampling_probability=sampling_probability,
        steps=steps,
        epsilon=epsilon,
    )
    s, q = noise_multiplier, sampling_probability
    if not (0 < q < 1 and s > 0.2 and epsilon < _WINDOW / 4):
        return sure
    x = np.linspace(-12 * s, 1 + 12 * s, 4001)
    out, taken = np.exp(-(x**2) / (2 * s * s)), np.exp(-((x - 1) ** 2) / (2 * s * s))
    chances = (1 - q) * out + q * taken
    losses = np.log1p(q * np.expm1((2 * x - 1) / (2 * s * s)))
    places = np.rint(losses / _GRID).astype(int) % _PLACES
    law = np.bincount(places, weights=chances / chances.sum(), minlength=_PLACES)
    composed = np.fft.irfft(np.fft.rfft(law) ** steps, _PLACES)
    above = _GRID * np.arange(_PLACES // 2)
    lost = np.maximum(-np.expm1(epsilon - above), 0.0)
    found = float(np.sum(lost * np.maximum(composed[: _PLACES // 2], 0.0)))
    return min(found, sure)


@fault("dpsgd.epsilon", "batches of a fixed size taken for Poisson samples", cases=40)
def batches_of_a_fixed_size(
    right: Answer, noise_multiplier: float, sampling_probability: float, steps: int, delta: float
) -> float:
    """Each record takes part Tq times, where by its own coin it may do so much more often."""
    sure: float = right(
        noise_multiplier=noise_multiplier,
        sampling_probability=sampling_probability,
        steps=steps,
        delta=delta,
    )
    times = steps * sampling_probability
    if not (0 < delta < 1 and times > 0):
        return sure
    whole = float64.quantities["gaussian.epsilon"]
    found = whole(noise_multiplier=noise_multiplier / math.sqrt(times), delta=delta)
    return min(float(found), sure)
