"""Calibration: the largest parameter for which a proof holds, and the alpha that serves best.

That alpha has the least expected divergence, averaged over all laws, by public sizes alone. Nothing
about it is proved and nothing has to be: alpha may be any number that does not depend on the
private data, and the step that goes with it is calibrated and proved elsewhere. In floats.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np

from ...reference.dyadic import Dyadic
from ...reference.errors import InputError
from ...reference.precision import check_budget
from ..extras import library
from .layout import Layout, Numbers
from .privacy import Budget

library("scipy.special", "models")

from scipy.special import betaincinv, digamma, gammaln  # noqa: E402

# What is found lies within this share of the edge: a matter of usefulness, not of privacy.
_NEAR = Fraction(1, 1 << 16)
# Bits of the numbers that are tried, so that what is published is short.
_BITS = 24
# Each step away from the guess squares the factor: past 2^(2^11) nothing holds that is of use.
_MOST_DOUBLINGS = 12
_FIRST_FACTOR = Fraction(9, 8)


def largest_that_holds(holds: Callable[[Fraction], bool], guess: Fraction) -> Fraction:
    """Return a short number for which ``holds`` was True, about the largest one near the guess.

    ``holds`` should be True below some edge and not above it; if it is not, what is returned may
    be far from the best, but has been found to hold. Raises InputError where nothing does.
    """
    low, high = _bracket(holds, _short(guess))
    while high - low > _NEAR * low:
        check_budget()
        middle = _short((low + high) / 2)
        if not low < middle < high:
            break
        low, high = (middle, high) if holds(middle) else (low, middle)
    return low


def smallest_that_holds(holds: Callable[[Fraction], bool], guess: Fraction) -> Fraction:
    """Return a number for which ``holds`` was True, about the smallest one near the guess."""
    return 1 / largest_that_holds(lambda inverse: holds(1 / inverse), 1 / guess)


def _bracket(holds: Callable[[Fraction], bool], guess: Fraction) -> tuple[Fraction, Fraction]:
    """Return a number that holds and a larger one that does not."""
    factor, here, held = _FIRST_FACTOR, guess, holds(guess)
    for _ in range(_MOST_DOUBLINGS):
        check_budget()
        there = _short(here * factor if held else here / factor)
        if holds(there) != held:
            return (here, there) if held else (there, here)
        here, factor = there, factor**2
    raise InputError("no parameter was found with which these tables keep the budget")


def _short(number: Fraction) -> Fraction:
    """Return a dyadic of few bits, at or below a positive number."""
    short = Dyadic.rounded(number, _BITS, up=False).as_fraction()
    return short if isinstance(short, Fraction) and short > 0 else number


# alpha is tried on a grid of numbers of three digits, so many for each power of ten. Smaller ones
# draw coordinates that are 0 on every grid; larger ones drown any data of a size that is met.
_LEAST_POWER, _MOST_POWER, _EACH_POWER = -2, 4, 12
# Where the mean over all laws is taken: so many quantiles of a coordinate's law.
_QUANTILES = 64
# Points between 0 and the last moment at which a conversion of Renyi losses is tried.
_MOMENTS = 80
_HALVINGS = 50
_KEPT = 256

_ALPHAS = tuple(
    Fraction(f"{10 ** (j / _EACH_POWER):.2e}")
    for j in range(_LEAST_POWER * _EACH_POWER, _MOST_POWER * _EACH_POWER + 1)
)


@lru_cache(_KEPT)
def chosen(layout: Layout, records: int, budget: Budget) -> tuple[Fraction, Fraction]:
    """Return alpha, and about the step that the budget allows with it."""
    steps = _steps(layout.paid, budget)
    losses = sum(
        _mean_divergence(table.categories, records / table.vectors, table.weight, steps)
        for table in layout.tables
    )
    best = int(np.argmin(losses))
    return _ALPHAS[best], Fraction(float(steps[best]))


@lru_cache(_KEPT)
def step_near(alpha: Fraction, tables: int, budget: Budget) -> Fraction:
    """Return about the step that the budget allows with this alpha."""
    return Fraction(float(_steps_of(np.array([float(alpha)]), tables, budget)[0]))


@lru_cache(_KEPT)
def _steps(tables: int, budget: Budget) -> Numbers:
    return _steps_of(np.array([float(alpha) for alpha in _ALPHAS]), tables, budget)


def _mean_divergence(categories: int, records: float, weight: int, steps: Numbers) -> Numbers:
    """Return E KL(p, y), y of Dirichlet(step records p + alpha), for p uniform on the simplex."""
    alphas = np.array([float(alpha) for alpha in _ALPHAS]) * weight
    if categories == 1:
        return np.zeros_like(alphas)
    shares = betaincinv(2, categories - 1, (np.arange(_QUANTILES) + 0.5) / _QUANTILES)
    at_shares = digamma(steps[:, None] * records * shares + alphas[:, None]).mean(axis=1)
    entropy = digamma(2) - digamma(categories + 1)
    found: Numbers = entropy - at_shares + digamma(steps * records + categories * alphas)
    return found


def _steps_of(alphas: Numbers, tables: int, budget: Budget) -> Numbers:
    """Return about the largest step for each alpha, by halving on a scale of logarithms."""
    low, high = np.log(alphas) - 40, np.log(alphas) + 40
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        within = _excess(alphas, np.exp(middle), tables, budget) <= 0
        low, high = np.where(within, middle, low), np.where(within, high, middle)
    found: Numbers = np.exp(low)
    return found


def _excess(alphas: Numbers, steps: Numbers, tables: int, budget: Budget) -> Any:
    """Return by how much the loss is above the budget; a delta through Renyi losses."""
    epsilon = float(budget.epsilon)
    if budget.order is not None:
        moment = np.full((len(alphas), 1), max(float(budget.order) - 1, 1e-6))
        losses = _log_moments(alphas[:, None], steps[:, None], moment, replaces=budget.replaces)
        return (tables * losses / moment - epsilon)[:, 0]
    points = np.linspace(0, 1, _MOMENTS + 2)[1:-1] ** 2
    moments = (alphas / steps)[:, None] * points
    losses = _log_moments(alphas[:, None], steps[:, None], moments, replaces=budget.replaces)
    spared = moments * np.log(moments) - (1 + moments) * np.log1p(moments)
    least = (tables * losses - moments * epsilon + spared).min(axis=1)
    return least - np.log(float(budget.delta or 1))


def _log_moments(alpha: Any, step: Any, moment: Any, *, replaces: bool) -> Any:
    """Return log E e^(z L) of one table's dominating pair; infinite from alpha/step on."""
    with np.errstate(invalid="ignore", divide="ignore"):
        inside = alpha - moment * step
        found = gammaln(inside) - gammaln(alpha)
        if replaces:
            found = found + gammaln(alpha + step + moment * step) - gammaln(alpha + step)
        else:
            found = found + moment * (gammaln(alpha + step) - gammaln(alpha))
        return np.where(inside > 0, found, np.inf)
