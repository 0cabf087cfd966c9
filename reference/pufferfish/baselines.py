"""Baselines of song2017 Section 5: one entry, or one connected group of them, protected alone.

Both are exact. Differential privacy for one entry is what Pufferfish asks where all entries are
independent. For a group it is a bound for *every* law: whatever is learned of one entry from the
rest of its group is learned from at most ``size`` changed entries.

``lipschitz`` is the largest change of the query, in the 1-norm, when one entry changes. It is 2 for
a histogram of counts, since an entry leaves one bin and enters another; 2/length for relative
frequencies; 1 for one bin. (song2017 adds 1/epsilon to each bin, for which only 2 epsilon holds.)
"""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated

from ..domain import AT_LEAST_ZERO, Positive, count_from
from ..quantity import Side, Truth, quantity

NOTE = "proofs_notes/baselines.md"
SIZE = Annotated[int, count_from(1, 1_000)]


@quantity(
    "pufferfish.entry_scale",
    safe=Side.UPPER,
    truth=Truth.LEAST,
    source=f"{NOTE}#one-entry",
    within=AT_LEAST_ZERO,
    rises="lipschitz",
    falls="epsilon",
)
def entry_scale(lipschitz: Positive, epsilon: Positive) -> Fraction:
    """Scale of Laplace noise on each coordinate that protects one entry, all others known.

    Differential privacy for neighbours in one entry, and Pufferfish for independent entries.
    """
    return lipschitz / epsilon


@quantity(
    "pufferfish.group_scale",
    safe=Side.UPPER,
    truth=Truth.LEAST,
    source=f"{NOTE}#one-group",
    within=AT_LEAST_ZERO,
    rises="lipschitz size",
    falls="epsilon",
)
def group_scale(lipschitz: Positive, size: SIZE, epsilon: Positive) -> Fraction:
    """Scale of Laplace noise on each coordinate that protects a group of entries at once.

    Pufferfish for every law under which each group, of at most ``size`` entries, is independent of
    all other groups together. A chain without gaps is one group.
    """
    return lipschitz * size / epsilon
