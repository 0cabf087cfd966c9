"""Release of a model's tables: from public sizes and a budget to a method, from counts to draws.

Draws are exact, which are private, or in floats, for studies alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import log
from typing import Any, Protocol, TypeAlias

import numpy as np
from flint import arb

from ...reference.arb.balls import ball, working_precision
from ...reference.errors import DomainError, InputError, UnknownNameError
from ...reference.exact import exact_integer, exact_number, shown
from ...reference.sampling import (
    Bits,
    nearest_multiple,
    normal,
    operating_system,
    published_number,
    published_vector,
)
from ...reference.sampling.draw import require_alpha, require_grid, require_scale
from . import calibration, noise
from .dirichlet import DirichletLoss, algorithm_1, given, tight_step
from .layout import MOST_CELLS, MOST_RECORDS, Counts, Layout, Numbers, Table
from .noise import GaussianLoss, LaplaceLoss, NoiseLoss
from .privacy import Budget, Privacy

# The word for a floor at the noise itself: max(1, its standard deviation).
NOISE = "noise"
_ONE_RECORD = 1.0
# Floors and the guess of a step are floats.
_LEAST_NUMBER, _MOST_NUMBER = Fraction(1, 10**300), Fraction(10**300)


def floor_of(given: object, deviation: float) -> float:
    """Return the floor that was asked for. Raises InputError.

    ponnoprat2023 does not say what was put in the place of counts that are not positive, and the
    loss of a noisy model depends on it.
    """
    if given == NOISE:
        return max(_ONE_RECORD, deviation)
    exact = exact_number(given, f"count_floor (a number, or '{NOISE}')")
    if not _LEAST_NUMBER <= exact <= _MOST_NUMBER:
        raise DomainError(
            f"count_floor = {shown(exact)}; a floor of counts is above 0, from 1e-300 to 1e300"
        )
    return float(exact)


KINDS = ("exact", "float")
# A published noisy count is a multiple of a power of two so many bits below the noise's own size.
_NOISE_BITS = 30


class Draws(Protocol):
    """One way to draw."""

    def require(self, loss: DirichletLoss | NoiseLoss) -> None:
        """Raise DomainError for public parameters that cannot be drawn from, whatever the data."""

    def laws(self, counts: Counts, step: Fraction, alpha: Fraction) -> Numbers:
        """Return the logarithms of one Dirichlet(step counts + alpha) draw a row."""

    def noisy(self, counts: Counts, loss: NoiseLoss) -> Numbers:
        """Return the counts with noise on each."""


class ExactDraws:
    """Exact draws from random bits of the operating system, rounded to a public grid."""

    def __init__(self, grid_bits: int, source: Bits = operating_system) -> None:
        self._grid_bits, self._source = grid_bits, source
        # A share that was rounded to 0 is read as half of the grid: a rule about the output alone.
        self._logarithm_of_zero = -(grid_bits + 1) * log(2)

    def require(self, loss: DirichletLoss | NoiseLoss) -> None:
        """Raise DomainError for an alpha or a scale that is out of reach.

        Here, since whether a draw is refused must not depend on the counts: the least parameter
        that they can give is in reach, and so is a bound on the greatest.
        """
        if isinstance(loss, DirichletLoss):
            require_alpha([loss.alpha, MOST_CELLS * loss.alpha + MOST_RECORDS * loss.step])
        elif isinstance(loss, LaplaceLoss):
            require_scale(loss.scale)

    def laws(self, counts: Counts, step: Fraction, alpha: Fraction) -> Numbers:
        """Return the logarithms of one Dirichlet(step counts + alpha) draw a row."""
        return np.array([self._law(row, step, alpha) for row in counts.tolist()])

    def _law(self, row: list[int], step: Fraction, alpha: Fraction) -> list[float]:
        drawn = published_vector(
            [step * count + alpha for count in row], self._grid_bits, self._source
        )
        return [log(share) if share else self._logarithm_of_zero for share in drawn]

    def noisy(self, counts: Counts, loss: NoiseLoss) -> Numbers:
        """Return the counts with exact noise, rounded to the grid."""
        bits = _grid_of(loss.deviation)
        return np.array(
            [[float(self._noisy(n, loss, bits)) for n in row] for row in counts.tolist()]
        )

    def _noisy(self, count: int, loss: NoiseLoss, bits: int) -> Fraction:
        if isinstance(loss, GaussianLoss):
            return noisy_by_normal(count, loss.variance, bits, self._source)
        return published_number(Fraction(count), loss.scale, bits, self._source)


def noisy_by_normal(count: int, variance: Fraction, grid_bits: int, source: Bits) -> Fraction:
    """Return the multiple of 2^-grid_bits nearest to a count plus an exact normal draw."""
    draw = normal(source)

    def moved(bits: int) -> arb:
        with working_precision(bits):
            return draw.enclosure(bits) * ball(variance).sqrt()

    return count + Fraction(nearest_multiple(moved, grid_bits)) / Fraction(2) ** grid_bits


def _grid_of(deviation: float) -> int:
    """Return the bits of the grid of noisy counts: whole counts lie on it."""
    return max(0, _NOISE_BITS - int(np.floor(np.log2(deviation))))


class FloatDraws:
    """Draws in floats from NumPy's generator: not private, for studies."""

    def __init__(self, generator: Any) -> None:
        self._generator = generator

    def require(self, loss: DirichletLoss | NoiseLoss) -> None:
        """Accept all: floats are promised nothing."""

    def laws(self, counts: Counts, step: Fraction, alpha: Fraction) -> Numbers:
        """Return the logarithms of one Dirichlet draw a row, through logarithms of gammas.

        log Gamma(u) = log Gamma(u + 1) + log(U)/u in law, which no small u underflows.
        """
        shapes = counts * float(step) + float(alpha)
        gammas = np.log(self._generator.standard_gamma(shapes + 1))
        logarithms = gammas - self._generator.standard_exponential(shapes.shape) / shapes
        found: Numbers = logarithms - np.logaddexp.reduce(logarithms, axis=1, keepdims=True)
        return found

    def noisy(self, counts: Counts, loss: NoiseLoss) -> Numbers:
        """Return the counts with noise on each."""
        if isinstance(loss, GaussianLoss):
            noise = self._generator.normal(0, loss.deviation, counts.shape)
        else:
            noise = self._generator.laplace(0, float(loss.scale), counts.shape)
        found: Numbers = counts + noise
        return found


def draws_of(kind: object, grid_bits: object, state: Any) -> Draws:
    """Return a way to draw; ``state`` is a seed or a generator, for floats. Raises InputError."""
    if kind not in KINDS:
        raise UnknownNameError("draw", str(kind), KINDS, f"(known: {', '.join(KINDS)})")
    if kind == "float":
        return FloatDraws(_generator(state))
    if state is not None:
        raise InputError(
            "random_state is for draw='float' alone: a private draw that can be repeated from a "
            "seed is not private"
        )
    bits = exact_integer(grid_bits, "grid_bits")
    require_grid(bits, least=1)
    return ExactDraws(bits)


def _generator(state: Any) -> Any:
    """Return a generator as it is, or a new one from a seed."""
    given = isinstance(state, np.random.Generator | np.random.RandomState)
    return state if given else np.random.default_rng(state)


_METHODS = ("dirichlet", "algorithm-1", "gaussian", "laplace")
# Where the number of records is not public (one may be added or removed) and no guess is given,
# alpha is chosen for so many.
USUAL_RECORDS = 1000

AnyLoss: TypeAlias = DirichletLoss | NoiseLoss


def planned(
    layout: Layout, budget: Budget, method: object, records: int, alpha: object, step: object
) -> AnyLoss:
    """Return a calibrated method to release a layout's tables. Raises InputError."""
    if method not in _METHODS:
        raise UnknownNameError("method", str(method), _METHODS, f"(known: {', '.join(_METHODS)})")
    if budget.replaces and layout.different_records == 1:
        raise DomainError(
            "inapplicable: no two different inputs are neighbours, for there is one record alone "
            "that can replace another: every variable has one category, so a claim of privacy "
            "would be of nothing; give more categories"
        )
    if method == "dirichlet":
        return _dirichlet(layout, budget, records, alpha, step)
    if alpha is not None or step is not None:
        raise InputError("alpha and step are parameters of method='dirichlet' alone")
    if method == "algorithm-1":
        return algorithm_1(layout.paid, budget)
    if method == "gaussian":
        return noise.gaussian(layout.paid, budget)
    return noise.laplace(layout.paid, budget)


def _dirichlet(
    layout: Layout, budget: Budget, records: int, alpha: object, step: object
) -> DirichletLoss:
    if alpha is None:
        if step is not None:
            raise InputError("step was given without alpha; give alpha, or both, or none")
        best, near = calibration.chosen(layout, records, budget)
        return DirichletLoss(best, tight_step(best, layout.paid, budget, near), layout.paid)
    exact = _positive(alpha, "alpha")
    if not _LEAST_NUMBER <= exact <= _MOST_NUMBER:
        raise DomainError(f"alpha = {shown(exact)}; it is from 1e-300 to 1e300")
    if step is not None:
        return given(exact, _positive(step, "step"), layout.paid, budget)
    near = calibration.step_near(exact, layout.paid, budget)
    return DirichletLoss(exact, tight_step(exact, layout.paid, budget, near), layout.paid)


def _positive(value: object, name: str) -> Fraction:
    exact = exact_number(value, name)
    if exact <= 0:
        raise DomainError(f"{name} = {shown(exact)}; it has to be above 0")
    return exact


def privacy_of(layout: Layout, budget: Budget, loss: AnyLoss) -> Privacy:
    """Return the claim, proved once more. Raises InputError should it not hold."""
    privacy = Privacy(budget, layout.paid, loss)
    if not privacy.holds():
        raise InputError(f"that these tables keep {budget.text} cannot be proved")
    return privacy


def released(
    layout: Layout, counts: Mapping[str, Counts], loss: AnyLoss, draws: Draws, floor: object
) -> dict[str, Numbers]:
    """Draw every table, and return the logarithms of its released laws, a row a vector."""
    if isinstance(loss, DirichletLoss):
        return {
            table.name: draws.laws(counts[table.name], loss.step, loss.alpha * table.weight)
            for table in layout.tables
        }
    least = floor_of(floor, loss.deviation)
    noisy = {
        table.name: draws.noisy(counts[table.name], loss)
        for table in layout.tables
        if table.is_paid
    }
    return {table.name: _law_of_noisy(table, noisy, least) for table in layout.tables}


def _law_of_noisy(table: Table, noisy: Mapping[str, Numbers], least: float) -> Numbers:
    """Return the logarithms of the relative noisy counts, none of them below the floor."""
    import numpy as np

    if table.summed is None:
        raised = np.maximum(noisy[table.name], least)
    else:
        raised = np.maximum(noisy[table.summed].sum(axis=1)[None, :], least)
    found: Numbers = np.log(raised) - np.log(raised.sum(axis=1, keepdims=True))
    return found
