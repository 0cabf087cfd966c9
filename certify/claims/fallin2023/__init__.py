"""fallin2023: the entries of its statements, section by section."""

from __future__ import annotations

from . import (
    accuracy,
    background,
    bracket,
    figure_1,
    figure_3,
    log_ratio,
    setting,
    stationary,
    theorem_1,
    traffic,
)

CLAIMS = (
    *background.CLAIMS,
    *setting.CLAIMS,
    *theorem_1.CLAIMS,
    *log_ratio.CLAIMS,
    *accuracy.CLAIMS,
    *figure_1.CLAIMS,
    *stationary.CLAIMS,
    *bracket.CLAIMS,
    *traffic.CLAIMS,
    *figure_3.CLAIMS,
)

__all__ = ["CLAIMS"]
