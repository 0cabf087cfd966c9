"""Samplers of backends: their draws held against the exact laws, with a stated rate of error.

What is tested, how seldom a correct sampler is refuted and how surely some faults are found:
proofs_notes/sampler-tests.md.
"""

from .events import CHUNK, DRAWS
from .points import Point, points_of
from .results import (
    FALSE_ALARM,
    NON_CLAIM,
    SamplerResult,
    Tested,
    points_to_test,
    require_all_points,
    results_at,
    sampler_results,
    sampler_verdict,
)
from .statistics import as_written

__all__ = [
    "CHUNK",
    "DRAWS",
    "FALSE_ALARM",
    "NON_CLAIM",
    "Point",
    "SamplerResult",
    "Tested",
    "as_written",
    "points_of",
    "points_to_test",
    "require_all_points",
    "results_at",
    "sampler_results",
    "sampler_verdict",
]
