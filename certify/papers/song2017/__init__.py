"""The statements of song2017, in the order of the paper."""

from __future__ import annotations

from . import approx, experiments, mixing, mqm_exact, networks, quilts, setting, wasserstein

STATEMENTS = (
    *setting.STATEMENTS,
    *wasserstein.STATEMENTS,
    *networks.STATEMENTS,
    *quilts.STATEMENTS,
    *mqm_exact.STATEMENTS,
    *mixing.STATEMENTS,
    *approx.STATEMENTS,
    *experiments.STATEMENTS,
)

__all__ = ["STATEMENTS"]
