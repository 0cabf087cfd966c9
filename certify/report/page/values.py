"""Parameters and answers of a certificate as a person reads them: in decimals, and as written."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

# Beyond this a parameter's lists are cut; the certificate has all of them.
_MOST_OF_PARAMETER = 2_000


def named_values(parameters: dict[str, Any]) -> list[tuple[str, str, str]]:
    """Return parameters by name, each in decimals and as it is written."""
    return [(name, *both(value)) for name, value in parameters.items()]


def as_double(share: str) -> str:
    """Return a share as the shortest decimal that gives the same double, where it is a double."""
    try:
        exact = Fraction(share)
        double = float(exact)  # only writes the number, where it is the same
    except (ZeroDivisionError, OverflowError):
        return share
    return repr(double) if Fraction(double) == exact else share


def both(value: object) -> tuple[str, str]:
    """Return a parameter in decimals and as it is written; the same twice where they agree."""
    return _cut(_said(_readable(value))), _cut(_said(value))


def _said(value: object) -> str:
    """Return a parameter as text: lists in brackets, the parts of an object by their names."""
    if isinstance(value, list):
        return f"[{', '.join(map(_said, value))}]"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{key}: {_said(item)}' for key, item in value.items())}}}"
    return str(value)


def _cut(text: str) -> str:
    most = _MOST_OF_PARAMETER
    return text if len(text) <= most else f"{text[:most]}... ({len(text)} characters)"


def _readable(value: object) -> Any:
    """Return doubles in hex as the shortest decimals that give the same doubles."""
    if isinstance(value, str):
        try:
            return repr(float.fromhex(value)) if "0x" in value else value
        except (ValueError, OverflowError):
            return value
    if isinstance(value, list):
        return [_readable(item) for item in value]
    if isinstance(value, dict):
        return {key: _readable(item) for key, item in value.items()}
    return str(value) if isinstance(value, int) else value
