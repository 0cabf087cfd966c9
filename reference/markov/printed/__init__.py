"""Bounds of benvenuti2025 and fallin2023 exactly as they are printed, true or not.

Each says which norm and which inverse it takes, what it is claimed to bound, and whether it does.
"""

from . import benvenuti2025, fallin2023  # noqa: F401
