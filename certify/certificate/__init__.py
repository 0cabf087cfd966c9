"""Certificates: what was checked, in a form that a stranger can check again offline."""

from .authentic import Authentic, verify
from .claims import papers_statement_of
from .errors import CertificateError
from .reading import canonical_bytes
from .release import claim_statement_of
from .signing import sign
from .statement import statement_of
from .verification import Verified

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
