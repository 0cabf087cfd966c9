"""The statements of gohari2020, in the order of the paper."""

from __future__ import annotations

from . import averages, bounds, definitions, experiments, good_set, prekopa, privacy

STATEMENTS = (
    *definitions.STATEMENTS,
    *good_set.STATEMENTS,
    *privacy.STATEMENTS,
    *bounds.STATEMENTS,
    *averages.STATEMENTS,
    *experiments.STATEMENTS,
    *prekopa.STATEMENTS,
)

__all__ = ["STATEMENTS"]
