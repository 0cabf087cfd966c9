"""DP-SGD: Gaussian noise on sums over Poisson samples, many steps together, both orders enclosed.

What is assumed of a training run, and what the pair attains, is in proofs_notes/dpsgd.md.
"""

from . import calibration, quantities  # noqa: F401
