"""The exact numbers that a witness writes: doubles in hex, integers and words, nested as it is."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from ...reference.exact import shown
from ..backends.answers import Real
from .errors import WitnessError
from .texts import is_word


def answer_written(text: str, name: str) -> Real:
    """Return what was answered, a double or an infinity. Raises WitnessError for anything else."""
    value = _hex_float(text, name)
    if math.isnan(value):
        raise WitnessError(f"{name}: the value is NaN")
    return value if math.isinf(value) else Fraction(value)


def point_written(parameters: Mapping[str, Any], name: str) -> dict[str, Any]:
    """Return exact parameters by name. Raises WitnessError for a number that is none."""
    return {key: parameter_written(item, name) for key, item in parameters.items()}


def parameter_written(value: Any, name: str) -> Any:
    """Return the exact parameter that was written, nested as it is; its kind is checked later.

    Raises WitnessError for a number that is none.
    """
    if isinstance(value, list):
        return tuple(parameter_written(item, name) for item in value)
    if isinstance(value, dict):
        return {key: parameter_written(item, name) for key, item in value.items()}
    return value if isinstance(value, int) or is_word(value) else _number(value, name)


def _number(value: str, name: str) -> Fraction:
    number = _hex_float(value, name)
    if not math.isfinite(number):
        raise WitnessError(f"{name}: the parameter {value} is not finite")
    return Fraction(number)


def _hex_float(text: str, name: str) -> float:
    try:
        return float.fromhex(text)
    except (ValueError, OverflowError):
        raise WitnessError(f"{name}: {shown(text)} is not a double in hex") from None
