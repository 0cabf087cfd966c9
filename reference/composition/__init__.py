"""Releases of several mechanisms together: the exact delta of any mixture, and its inverse.

The privacy losses of the events' pairs add up, their moment functions multiply, and one line gives
delta (proofs_notes/mixtures.md).
"""

from . import quantities  # noqa: F401
from .route import Mixture

__all__ = ["Mixture"]
