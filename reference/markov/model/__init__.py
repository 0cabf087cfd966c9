"""The data-driven model: a chain whose rows are counted from records and released one by one."""

from . import bounds, plan, privacy  # noqa: F401
