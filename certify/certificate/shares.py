"""The slack and the accuracy that a certificate says a check was judged by."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from ...reference.errors import InputError
from ...reference.exact import exact_number, shown
from .errors import WitnessError
from .models import Check


def declared(text: str, name: str) -> Fraction:
    """Return a slack or an accuracy. Raises WitnessError if it is no share in [0, 1)."""
    try:
        share = exact_number(text, name)
    except InputError as error:
        raise WitnessError(str(error)) from None
    if not 0 <= share < 1:
        raise WitnessError(f"{name}: a share of {shown(share)} is not in [0, 1)")
    return share


def declared_of(check: Check) -> tuple[Mapping[str, Fraction], Mapping[str, Fraction]]:
    """Return the slack and the accuracy that a check says it was judged by, by quantity."""
    name = check.quantity
    accuracy = {} if check.accuracy is None else {name: declared(check.accuracy, name)}
    return {name: declared(check.slack, name)}, accuracy
