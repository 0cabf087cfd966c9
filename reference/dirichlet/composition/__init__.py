"""Independent Dirichlet releases together: the exact delta of any mixture, and its inverse.

The privacy losses of the dominating pairs add up, their moment generating functions multiply, and
delta is one integral of the product along a vertical line (proofs_notes/composition.md).
"""

from . import quantities  # noqa: F401
from .moments import Releases
from .route import delta_of, routed

__all__ = ["Releases", "delta_of", "routed"]
