"""Statements of published papers, each with a verdict that is derived from evidence on demand."""

from typing import TYPE_CHECKING

from ...reference.lazy import lazily

if TYPE_CHECKING:
    from .derive import derived
    from .statement import Statement, statements

__all__ = ["Statement", "derived", "statements"]

__getattr__ = lazily(
    __name__, {"Statement": ".statement", "derived": ".derive", "statements": ".statement"}
)
