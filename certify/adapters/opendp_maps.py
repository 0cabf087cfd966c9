"""Privacy maps in OpenDP's words: a distance of inputs in, a profile or a Renyi curve out."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeAlias

from ...reference.errors import DomainError, InputError, UnknownNameError
from ...reference.exact import exact_integer, exact_number, shown
from .drawing import Draw
from .extras import library
from .losses import Loss

if TYPE_CHECKING:
    from opendp.mod import Domain, Measurement, Metric

EXTRA = "opendp"
# What a measurement says of its privacy: delta by epsilon, or epsilon by Renyi order.
PROFILE, RENYI = "profile", "renyi"
# OpenDP's name of what is drawn: floats, exactly the shares on the grid.
SHARES = "Vec<f64>"
# What a distance of inputs loses. Raises InputError where nothing is known.
LossAt: TypeAlias = Callable[[Any], Loss]
# The Dirichlet parameters that data have. Raises DomainError, with no word of the data.
ParametersOf: TypeAlias = Callable[[Any], Sequence[Fraction]]


def prelude() -> Any:
    """Return OpenDP's prelude. Raises InputError with what to install."""
    return library("opendp.prelude", EXTRA)


def measurement(
    space: tuple[Domain, Metric],
    loss_at: LossAt,
    parameters_of: ParametersOf,
    measure: str,
    draw: Draw,
) -> Measurement:
    """Return an OpenDP measurement that draws from the Dirichlet law of its input."""
    dp = prelude()
    if measure not in (PROFILE, RENYI):
        raise UnknownNameError("measure", str(measure), (PROFILE, RENYI))
    smoothed = measure == PROFILE
    curve = _profile_of if smoothed else _renyi_curve_of
    found: Measurement = dp.m.make_user_measurement(
        *space,
        output_measure=dp.smoothed_max_divergence() if smoothed else dp.renyi_divergence(),
        function=lambda data: [float(share) for share in draw(parameters_of(data))],
        privacy_map=lambda d_in: curve(loss_at(d_in)),
        TO=SHARES,
    )
    return found


def _profile_of(loss: Loss) -> Any:
    """Return OpenDP's privacy profile of a loss.

    A callback has to hand OpenDP the profile's own pointer: it knows no profile of Python's.
    """

    def delta_at(epsilon: float) -> float:
        if epsilon == math.inf:  # laws with one support
            return 0.0
        exact = exact_number(epsilon, "epsilon")
        if exact < 0:
            raise DomainError(f"epsilon = {shown(exact)} is below 0")
        return loss.delta(exact)

    return prelude().new_privacy_profile(delta_at).curve


def _renyi_curve_of(loss: Loss) -> Callable[[float], float]:
    def epsilon_at(order: float) -> float:
        if order == math.inf:  # no pure differential privacy, but where there are no neighbours
            return math.inf if loss.changes else 0.0
        exact = exact_number(order, "order")
        if exact < 1:
            raise DomainError(f"order = {shown(exact)} is below 1")
        return loss.renyi(exact)

    return epsilon_at


def records_apart(d_in: object) -> int:
    """Return how many records may differ. Raises InputError for what is no such number."""
    found = exact_integer(d_in, "d_in")
    if found < 0:
        raise InputError(f"d_in = {shown(found)} is no number of records")
    return found
