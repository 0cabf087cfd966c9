"""Whether inverses were held against the backend's own forward quantities, where it answers these.

Without that answer an inverse is judged by half of its law; so it must not be left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from ...reference.errors import InputError
from ...reference.quantity import quantity_named
from ..checks.laws.inverse import Inverse, asks_further, inverse_of
from ..checks.laws.tolerances import SLACK_OF_LAWS
from ..verdict import Verdict
from .errors import WitnessError
from .models import Check
from .shares import declared
from .written_numbers import answer_written, point_written


def require_own_forwards(checks: Sequence[Check]) -> None:
    """Raise WitnessError where a backend's own forward quantity was answered and not asked.

    A backend that admits more slack for it than that of laws is not asked: it would prove nothing.
    """
    answered = {
        check.quantity: declared(check.slack, check.quantity) for check in checks if check.cases
    }
    for check in checks:
        if check.check == Inverse.check and check.verdict in (Verdict.CERTIFIED, Verdict.REFUTED):
            forward = inverse_of(quantity_named(check.quantity)).quantity
            if answered.get(forward, Fraction(1)) <= SLACK_OF_LAWS:
                _require_asked(check, forward)


def _require_asked(check: Check, forward: str) -> None:
    worst, name = check.worst, f"{check.quantity}, {check.check}"
    if worst is None or any(other.value is not None for other in worst.others):
        return
    quantity, slack = quantity_named(check.quantity), declared(check.slack, name)
    value = answer_written(worst.value, name)
    try:
        point = quantity.read(point_written(worst.parameters, name))
    except InputError as error:
        raise WitnessError(f"{name}: {error}") from None
    if asks_further(quantity, point, value, slack):
        raise WitnessError(f"{name}: the backend answers {forward}, and was not asked for it")
