"""The entries of ponnoprat2023, in the order of the paper."""

from ..entries import Claim
from . import calibration, noise_example, polygamma, setting, tail

CLAIMS: tuple[Claim, ...] = (
    *noise_example.CLAIMS,
    *setting.CLAIMS,
    *polygamma.CLAIMS,
    *calibration.CLAIMS,
    *tail.CLAIMS,
)
