"""Certificates: what was checked, in a form that a stranger can check again offline."""

from typing import TYPE_CHECKING

from ...reference.lazy import lazily

if TYPE_CHECKING:
    from .backend import statement_of
    from .claim import claim_statement_of
    from .errors import CertificateError
    from .papers import papers_statement_of
    from .reading import canonical_bytes
    from .signing import sign
    from .verification import Authentic, Verified, verify

__all__ = [
    "Authentic",
    "CertificateError",
    "Verified",
    "canonical_bytes",
    "claim_statement_of",
    "papers_statement_of",
    "sign",
    "statement_of",
    "verify",
]

__getattr__ = lazily(
    __name__,
    {
        "Authentic": ".verification",
        "CertificateError": ".errors",
        "Verified": ".verification",
        "canonical_bytes": ".reading",
        "claim_statement_of": ".claim",
        "papers_statement_of": ".papers",
        "sign": ".signing",
        "statement_of": ".backend",
        "verify": ".verification",
    },
)
