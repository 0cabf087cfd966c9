"""One self-contained HTML file for people to read, made from a certificate of either kind."""

from .making import report_of, report_on

__all__ = ["report_of", "report_on"]
