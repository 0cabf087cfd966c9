"""The exact samplers of the reference as a backend, for the tests that any sampler is put to.

Each number is the double nearest to an exact draw, from enclosures that are refined until both
ends round to it. What is below half the least double is 0, as the law has it: nothing underflows
on the way there. No quantity is answered. A seed makes draws that can be drawn again: for tests,
never for a release.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from types import MappingProxyType
from typing import Any

from flint import arb

from ...reference import sampling
from ...reference.arb.balls import working_precision
from ...reference.exact import exact_number
from ...reference.sampling.draw import growing, unreachable

__all__ = ["ExactSamplers", "backend"]

# A double has 53 bits: eleven more leave less than one draw in a thousand open at first.
_FIRST_BITS = 64


def dirichlet(alpha: Sequence[float], count: int, seed: int) -> list[list[float]]:
    """Return so many draws from Dirichlet(alpha), each coordinate rounded to the nearest double.

    Raises DomainError for what is not drawn from, as ``laplace`` does.
    """
    source = sampling.seeded(seed)
    exact = [exact_number(one, "alpha") for one in alpha]
    return [_nearest(sampling.dirichlet(exact, source).enclosures) for _ in range(count)]


def laplace(scale: float, count: int, seed: int) -> list[float]:
    """Return so many draws of Laplace noise, each rounded to the nearest double."""
    source = sampling.seeded(seed)
    exact = exact_number(scale, "scale")
    draws = (sampling.laplace(exact, source) for _ in range(count))
    return [one for draw in draws for one in _nearest(_alone(draw))]


def _alone(draw: sampling.Draw) -> Callable[[int], list[arb]]:
    """Return a draw's enclosure in the shape of a vector's."""
    return lambda bits: [draw.enclosure(bits)]


def _nearest(enclosures: Callable[[int], list[arb]]) -> list[float]:
    """Return the doubles nearest to a draw: FLINT rounds either end so, and rounding is monotone.

    Raises SoundnessError where the most bits leave one open.
    """
    for bits in growing(_FIRST_BITS):
        balls = enclosures(bits)
        with working_precision(bits):
            lower = [float(one.lower()) for one in balls]
            upper = [float(one.upper()) for one in balls]
        if lower == upper:
            return lower
    raise unreachable()


@dataclass(frozen=True)
class ExactSamplers:
    """Names and samplers, in the shape that a backend has."""

    name: str
    version: str
    quantities: Mapping[str, Callable[..., Any]]
    samplers: Mapping[str, Callable[..., Any]]


backend = ExactSamplers(
    "simplexcert-exact",
    version("simplexcert"),
    MappingProxyType({}),
    MappingProxyType({"dirichlet": dirichlet, "laplace": laplace}),
)
