"""The witnesses that a CI is shown: the worst cases, made simpler by asking the backend again."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ...reference.errors import SimplexcertError
from ..backends.loading import LoadedBackend
from ..backends.pipes import LostError
from ..backends.program import GivenUpError, ending_programs
from ..points import Case
from .asking import asked_again
from .outcomes import Judged, Outcome
from .shrinking import Seen, simpler

# What making one witness simpler may take beyond a last answer, and what all of a run may.
WITNESS_SECONDS = 5.0
ALL_SECONDS = 60.0
# Whoever answers nothing in time would take as long at every simpler point.
_NOT_ASKED_AGAIN = (LostError.__name__, GivenUpError.__name__)


@dataclass(frozen=True)
class Shown:
    """A finding's outcome, and the witness to show for it; None where there is none."""

    judged: Judged
    witness: Seen | None


@ending_programs()
def shown_in_ci(
    loaded: LoadedBackend, parts: Iterable[Judged], seconds: float = ALL_SECONDS
) -> list[Shown]:
    """Return each outcome with its witness; those of unexpected failures as simple as can be."""
    return list(_shown(loaded, parts, time.monotonic() + seconds))


def _shown(loaded: LoadedBackend, parts: Iterable[Judged], until: float) -> Iterator[Shown]:
    for part in parts:
        worst = part.finding.witness
        if worst is None or not part.finding.failed:
            yield Shown(part, None)
            continue
        left = min(WITNESS_SECONDS, until - time.monotonic())
        asks = part.outcome is Outcome.FAILED and left > 0 and _may_be_asked(worst)
        yield Shown(part, _simpler(loaded, worst, left) if asks else Seen(worst, again=False))


def _may_be_asked(worst: Case) -> bool:
    return not worst.value.startswith(_NOT_ASKED_AGAIN)


def _simpler(loaded: LoadedBackend, worst: Case, seconds: float) -> Seen:
    try:
        return simpler(worst, asked_again(loaded, worst.quantity, worst.check), seconds)
    # The witness stands as it is; that it cannot be made simpler is no failure.
    except SimplexcertError:
        return Seen(worst, again=False)
