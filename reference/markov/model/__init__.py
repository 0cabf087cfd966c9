"""The data-driven model: a chain whose rows are counted from records and released one by one."""

from . import merging, privacy  # noqa: F401
