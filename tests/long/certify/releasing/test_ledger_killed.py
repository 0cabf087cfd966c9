"""A ledger whose processes are killed at any time."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

from fast.certify.releasing.test_ledger_killed import require_whole, told_by


def test_killed_at_any_time_nothing_is_lost_doubled_or_torn(tmp_path: Path) -> None:
    found = told_by(tmp_path, "at_any_time")["at_any_time"]
    for one, then in pairwise(found):
        assert then["recorded"][: len(one["recorded"])] == one["recorded"]
    for one in found:
        require_whole(one)
