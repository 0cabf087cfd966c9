"""Certificates: what was checked, in a form that a stranger can check again offline."""

from .statement import canonical_bytes, statement_of
from .verification import CertificateError, Verified, verify

__all__ = ["CertificateError", "Verified", "canonical_bytes", "statement_of", "verify"]
