"""The exact numbers that a witness writes: doubles in hex, integers and words, nested as it is."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from ...reference.errors import InputError
from ..backends.answers import Real
from ..points import double_in, given_in
from .errors import WitnessError


def answer_written(text: str, name: str) -> Real:
    """Return what was answered, a double or an infinity. Raises WitnessError for anything else."""
    try:
        value = double_in(text)
    except InputError as error:
        raise WitnessError(f"{name}: the answer is {error}") from None
    if math.isnan(value):
        raise WitnessError(f"{name}: the value is NaN")
    return value if math.isinf(value) else Fraction(value)


def point_written(parameters: Mapping[str, Any], name: str) -> dict[str, Any]:
    """Return parameters by name, to be read by their quantity. Raises WitnessError."""
    try:
        return given_in(parameters)
    except InputError as error:
        raise WitnessError(f"{name}: the parameters have {error}") from None
