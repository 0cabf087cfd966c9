"""Who may be trusted: audits of claims, checks of backends, certificates."""

from typing import TYPE_CHECKING

from ..reference.lazy import lazily

if TYPE_CHECKING:
    from .audits import audit
    from .campaign import certify
    from .certificate import verify
    from .releasing import release
    from .simulating import simulate
    from .verdict import Verdict

__all__ = ["Verdict", "audit", "certify", "release", "simulate", "verify"]

__getattr__ = lazily(
    __name__,
    {
        "Verdict": ".verdict",
        "audit": ".audits",
        "certify": ".campaign",
        "release": ".releasing",
        "simulate": ".simulating",
        "verify": ".certificate",
    },
)
