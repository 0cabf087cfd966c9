"""A campaign: the checks of a backend over the registry, by batches, and what they found."""

from .batches import Batch, batch_size, run_batch
from .executing import WorkerDiedError
from .results import SAMPLED, Campaign, CheckResult, sample_share
from .running import DEFAULT_CASES, DEFAULT_SEED, MAX_CASES, MAX_SEED, certify

__all__ = [
    "DEFAULT_CASES",
    "DEFAULT_SEED",
    "MAX_CASES",
    "MAX_SEED",
    "SAMPLED",
    "Batch",
    "Campaign",
    "CheckResult",
    "WorkerDiedError",
    "batch_size",
    "certify",
    "run_batch",
    "sample_share",
]
