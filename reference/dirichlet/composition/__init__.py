"""Independent Dirichlet releases together: the exact delta of any mixture, and its inverse.

The privacy losses of the dominating pairs add up, their moment generating functions multiply, and
delta is one integral of the product along a vertical line (proofs_notes/composition.md).
"""

from .moments import Releases
from .quantities import smallest_epsilon
from .route import delta_of, routed

__all__ = ["Releases", "delta_of", "routed", "smallest_epsilon"]
