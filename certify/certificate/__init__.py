"""Certificates: what was checked, in a form that a stranger can check again offline."""

from .authentic import Authentic, verify
from .claims import claims_statement_of
from .errors import CertificateError
from .reading import canonical_bytes
from .release import release_statement_of
from .signing import sign
from .statement import statement_of
from .verification import Verified

__all__ = [
    "Authentic",
    "CertificateError",
    "Verified",
    "canonical_bytes",
    "claims_statement_of",
    "release_statement_of",
    "sign",
    "statement_of",
    "verify",
]
