"""Simulated releases, for studies of utility: fast floats, never private.

Data flows one way: a claim file and an input -> a study (which laws, and what their draws are to
be near to) -> draws -> errors -> their means beside exact values and bounds, each with a verdict.
"""

from typing import TYPE_CHECKING

from ...reference.lazy import lazily

if TYPE_CHECKING:
    from .running import Simulation, simulate

__all__ = ["Simulation", "simulate"]

__getattr__ = lazily(__name__, {"Simulation": ".running", "simulate": ".running"})
