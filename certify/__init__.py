"""Who may be trusted: audits of claims, checks of backends, certificates."""

from typing import TYPE_CHECKING

from ..reference.lazy import lazily

if TYPE_CHECKING:
    from .audited import Audited, audit
    from .campaign import certify_backend
    from .certificate import verify
    from .curves import Curve, curve
    from .releasing import draw_release
    from .simulating import simulate
    from .verdict import Verdict

__all__ = [
    "Audited",
    "Curve",
    "Verdict",
    "audit",
    "certify_backend",
    "curve",
    "draw_release",
    "simulate",
    "verify",
]

__getattr__ = lazily(
    __name__,
    {
        "Audited": ".audited",
        "Curve": ".curves",
        "Verdict": ".verdict",
        "audit": ".audited",
        "certify_backend": ".campaign",
        "curve": ".curves",
        "draw_release": ".releasing",
        "simulate": ".simulating",
        "verify": ".certificate",
    },
)
