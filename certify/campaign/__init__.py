"""A campaign: the checks of a backend over the registry, by batches, and what they found."""

from .batches import (
    LAWS_EVERY,
    Batch,
    batch_size,
    batches_of,
    campaign_seed,
    drawn_of,
    law_cases,
    run_batch,
    silenced_output,
)
from .pool import WorkerDiedError
from .results import SAMPLED, Campaign, CheckResult, sample_share, tallies_of
from .run import (
    DEFAULT_CASES,
    DEFAULT_SEED,
    EVERYTHING,
    MAX_CASES,
    MAX_SEED,
    certify,
    require_numbers,
)
from .transcript import (
    PartialTranscript,
    partial_beside,
    partial_path,
    transcript_writer,
    write_transcript,
)

__all__ = [
    "DEFAULT_CASES",
    "DEFAULT_SEED",
    "EVERYTHING",
    "LAWS_EVERY",
    "MAX_CASES",
    "MAX_SEED",
    "SAMPLED",
    "Batch",
    "Campaign",
    "CheckResult",
    "PartialTranscript",
    "WorkerDiedError",
    "batch_size",
    "batches_of",
    "campaign_seed",
    "certify",
    "drawn_of",
    "law_cases",
    "partial_beside",
    "partial_path",
    "require_numbers",
    "run_batch",
    "sample_share",
    "silenced_output",
    "tallies_of",
    "transcript_writer",
    "write_transcript",
]
