"""What the note on the log-ratio states in formulas, tried at exact points."""

from __future__ import annotations

from fractions import Fraction

from ..forms import draws

_TRIALS = 40


def ratios_are_below() -> bool:
    """Whether x_l/x_m <= R for drawn good outputs, attained where all else is gamma."""
    for random in draws(21, _TRIALS):
        w = random.randint(2, 5)
        gamma = Fraction(random.randint(1, 99), 100 * w)
        ratio = (1 - (w - 1) * gamma) / gamma
        shares = [Fraction(random.randint(0, 9)) for _ in range(w + 1)]
        free = (1 - w * gamma) / (sum(shares) or 1)
        x = [gamma + free * share for share in shares[:w]]
        if max(x) / min(x) > ratio or (gamma + 1 - w * gamma) / gamma != ratio:
            return False
    return True
