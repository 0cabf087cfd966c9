"""What the tests of each paper's experiments share."""

from __future__ import annotations

from .outcome import Outcome
from .registry import Setting, experiments
from .running import outcome_of

TEST_SEED = 1


def quick(name: str) -> Outcome:
    """Run an experiment quickly, in this process. Raises NoDataError where its data are absent."""
    setting = Setting(name, quick=True, seed=TEST_SEED)
    return outcome_of(experiments()[name].run(setting), lambda _share: None)
