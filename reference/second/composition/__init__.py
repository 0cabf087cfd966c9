"""Second opinions on releases of several mechanisms together; an estimate but of one family."""

from . import quantities  # noqa: F401
