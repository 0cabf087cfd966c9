"""benvenuti2025: the entries of its statements, section by section, appendices last."""

from __future__ import annotations

from . import (
    coefficient,
    composition,
    definitions,
    deviation,
    divergence,
    good_set,
    grades,
    privacy,
    stationary_law,
    taxis,
)

CLAIMS = (
    *definitions.CLAIMS,
    *privacy.CLAIMS,
    *divergence.CLAIMS,
    *composition.CLAIMS,
    *stationary_law.CLAIMS,
    *coefficient.CLAIMS,
    *grades.CLAIMS,
    *taxis.CLAIMS,
    *good_set.CLAIMS,
    *deviation.CLAIMS,
)

__all__ = ["CLAIMS"]
