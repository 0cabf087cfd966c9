"""Certified numbers for differential privacy on the probability simplex.

Answers are proved enclosures, claims are decided, backends are checked, certificates are verified,
releases are drawn. All is loaded when it is first used, so that importing this takes no time.
"""

from typing import TYPE_CHECKING, Any

from simplexcert.reference.lazy import lazily

if TYPE_CHECKING:
    from simplexcert.certify.audited import audit
    from simplexcert.certify.campaign import certify_backend
    from simplexcert.certify.certificate import verify
    from simplexcert.certify.certificate.policy import Policy
    from simplexcert.certify.curves import curve
    from simplexcert.certify.releasing import draw_release
    from simplexcert.reference import evaluate, quantities

    __version__: str

__all__ = [
    "Policy",
    "__version__",
    "audit",
    "certify_backend",
    "curve",
    "draw_release",
    "evaluate",
    "quantities",
    "verify",
]

_loaded = lazily(
    __name__,
    {
        "Policy": ".certify.certificate.policy",
        "audit": ".certify.audited",
        "certify_backend": ".certify.campaign",
        "curve": ".certify.curves",
        "draw_release": ".certify.releasing",
        "evaluate": ".reference",
        "quantities": ".reference",
        "verify": ".certify.certificate",
    },
)


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        return version("simplexcert")
    return _loaded(name)


def __dir__() -> list[str]:
    return [*__all__, "certify", "reference"]
