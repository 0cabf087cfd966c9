"""The statements of fallin2023, section by section."""

from __future__ import annotations

from . import accuracy, background, bracket, privacy, setting, stationary, traffic

STATEMENTS = (
    *background.STATEMENTS,
    *setting.STATEMENTS,
    *privacy.STATEMENTS,
    *accuracy.STATEMENTS,
    *stationary.STATEMENTS,
    *bracket.STATEMENTS,
    *traffic.STATEMENTS,
)

__all__ = ["STATEMENTS"]
