"""What the papers state, entry by entry, each with evidence that is worked out again on demand."""

from typing import TYPE_CHECKING

from ...reference.lazy import lazily

if TYPE_CHECKING:
    from .deriving import derived
    from .register import entries

__all__ = ["derived", "entries"]

__getattr__ = lazily(__name__, {"derived": ".deriving", "entries": ".register"})
