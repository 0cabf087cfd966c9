"""Faults that one call does not show: caches, counters, noise; and faults that few calls show."""

from __future__ import annotations

import random
import zlib
from typing import Any

import numpy as np

from .entries import Answer, fault, up

DELTA = "dirichlet.profile.delta"
RENYI = "dirichlet.profile.renyi"
VARIANCE = "dirichlet.utility.variance"
CONVERSION = "dirichlet.renyi.to_approximate_dp"
ONE_IN = 10_000

_by_law: dict[tuple[float, ...], float] = {}
_by_digits: dict[tuple[float, ...], float] = {}
_by_last: dict[str, Any] = {}
_calls = {"variance": 0}
_noise = random.Random("noise")  # noqa: S311


def forget() -> None:
    """Empty the caches and begin to count anew, as in a process that has just started."""
    for cache in (_by_law, _by_digits, _by_last):
        cache.clear()
    _calls["variance"] = 0
    _noise.seed("noise")


@fault(DELTA, "a cache without epsilon in its key")
def cached_without_epsilon(right: Answer, alpha: float, step: float, epsilon: float) -> float:
    return _by_law.setdefault((alpha, step), right(alpha=alpha, step=step, epsilon=epsilon))


@fault(RENYI, "a cache whose key is rounded to 6 digits", cases=600)
def cached_by_six_digits(right: Answer, **given: float) -> float:
    key = tuple(float(f"{value:.6g}") for value in given.values())
    return _by_digits.setdefault(key, right(**given))


@fault("dirichlet.counts.epsilon_bound", "keeps the last k's answer where eta, n and gamma agree")
def cached_last(right: Answer, k: float, N: int, **rest: float) -> float:
    if _by_last.get("key") != rest:
        _by_last.update(key=rest, found=right(k=k, N=N, **rest))
    found: float = _by_last["found"]
    return found


@fault(VARIANCE, "every 10,000th call answers twice the truth", cases=ONE_IN + 100)
def wrong_every_ten_thousandth_call(right: Answer, **given: float) -> float:
    _calls["variance"] += 1
    return right(**given) * (2 if _calls["variance"] % ONE_IN == 0 else 1)


# Where nothing leads to it, one input in 10,000 is missed by 60,000 with probability e^-6.
@fault(CONVERSION, "wrong at one input in 10,000, anywhere", cases=60_000)
def wrong_at_one_input_in_ten_thousand(right: Answer, **given: float) -> float:
    key = "/".join(value.hex() for value in given.values()).encode()
    return right(**given) * (1 - 0.01 * (zlib.crc32(key) % ONE_IN == 0))


@fault(DELTA, "noise of 1e-12 either way: a parallel sum")
def noisy(_right: Answer, **given: float) -> float:
    return up(DELTA, **given) * (1 + 1e-12 * _noise.uniform(-1, 1))


@fault(VARIANCE, "arrays go through float32", law="form", vectorized=True)
def arrays_in_single_precision(right: Answer, **given: Any) -> Any:
    found = right(**given)
    return found.astype(np.float32) if np.ndim(found) else found


@fault(DELTA, "a loop over four at once leaves its rest at 0", law="form", vectorized=True)
def rest_of_a_loop_left_out(right: Answer, **given: Any) -> Any:
    found = right(**given)
    if np.ndim(found):
        found[len(found) // 4 * 4 :] = 0
    return found
