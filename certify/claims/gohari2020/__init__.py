"""The entries of gohari2020, in the order of the paper."""

from __future__ import annotations

from . import (
    accuracy,
    averages,
    bounds,
    definitions,
    experiments,
    gamma_choice,
    good_set,
    log_ratio,
    prekopa,
    theorem_1,
)

CLAIMS = (
    *definitions.CLAIMS,
    *good_set.CLAIMS,
    *log_ratio.CLAIMS,
    *theorem_1.CLAIMS,
    *bounds.CLAIMS,
    *gamma_choice.CLAIMS,
    *averages.CLAIMS,
    *accuracy.CLAIMS,
    *experiments.CLAIMS,
    *prekopa.CLAIMS,
)

__all__ = ["CLAIMS"]
