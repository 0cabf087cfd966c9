"""Second opinions on the tail of the good set, by Laplace's inversion on a hyperbola."""

from .quantities import counts_delta_bound, identity_delta_bound

__all__ = ["counts_delta_bound", "identity_delta_bound"]
