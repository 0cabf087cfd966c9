"""The statements of benvenuti2025, section by section, appendices last."""

from __future__ import annotations

from . import (
    composition,
    definitions,
    deviation,
    divergence,
    good_set,
    grades,
    privacy,
    stationary,
    taxis,
)

STATEMENTS = (
    *definitions.STATEMENTS,
    *privacy.STATEMENTS,
    *divergence.STATEMENTS,
    *composition.STATEMENTS,
    *stationary.STATEMENTS,
    *grades.STATEMENTS,
    *taxis.STATEMENTS,
    *good_set.STATEMENTS,
    *deviation.STATEMENTS,
)

__all__ = ["STATEMENTS"]
