"""What the parts of a backend's certificate have to have in common, before anything is worked out.

Nothing may be missing, the whole has to follow from its parts, and limits and slack must be told.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from fractions import Fraction

from ...reference.errors import InputError
from ...reference.exact import exact_number, shown
from ...reference.quantity import quantities
from ..campaign import sample_share
from ..checks.judgement import rules_for
from ..verdict import Verdict, overall
from . import models_v0
from .errors import AlgebraError, WitnessError
from .models import BackendStatement, Engine, Predicate, Subject
from .statement import ASSUMED, NOT_SIGNED_V0, WHO_ISSUED, non_claims
from .subjects import in_order


def require_algebra(statement: BackendStatement) -> None:
    """Raise AlgebraError where something is missing, or the whole does not follow from its parts.

    WitnessError for a slack that is none.
    """
    predicate = statement.predicate
    keys = [(check.quantity, check.check) for check in predicate.checks]
    if len(set(keys)) != len(keys):
        raise AlgebraError("a check stands twice")
    for check in predicate.checks:
        _require_consistent(check, predicate.scope.cases)
    derived = overall(check.verdict for check in predicate.checks)
    if derived is not predicate.verdict:
        raise AlgebraError(f"the certificate says {predicate.verdict}, its parts say {derived}")
    _require_whole_scope(predicate.scope.quantities, set(keys))
    _require_one_slack(predicate.checks)
    _require_admissions(statement)
    if isinstance(predicate, Predicate):
        _require_cases(predicate)
        _require_sample(predicate)


def _require_consistent(check: models_v0.Check, cases: int) -> None:
    name = f"{check.quantity}, {check.check}"
    run = check.verdict is not Verdict.INAPPLICABLE
    if run != (check.cases > 0) or run != (check.worst is not None):
        raise AlgebraError(
            f"{name}: a verdict of {check.verdict} does not go with {check.cases} cases and "
            f"{'a' if check.worst else 'no'} worst case"
        )
    if run and check.cases != cases:
        raise AlgebraError(f"{name}: {check.cases} cases were run, {cases} were asked for")
    told = check.second != "inapplicable" and check.ulps is not None
    if run != told:
        raise AlgebraError(f"{name}: what is said of the worst case does not go with the verdict")
    if (check.accuracy is not None) != (check.check == "accuracy"):
        raise AlgebraError(f"{name}: its accuracy is promised where it is checked, there alone")


def _require_whole_scope(asked: str, present: set[tuple[str, str]]) -> None:
    """Require the obligatory check of every quantity that was asked for, and no other quantity."""
    in_scope = quantities(asked)
    for name, check in present:
        if name not in in_scope:
            raise AlgebraError(f"the check {name}, {check} is not in scope")
    for name, quantity in in_scope.items():
        obligatory = rules_for(quantity, {}, {})[0].check
        if (name, obligatory) not in present:
            raise AlgebraError(f"the check {name}, {obligatory} is missing")


def _require_one_slack(checks: Iterable[models_v0.Check]) -> None:
    """Require one slack for all checks of a quantity, so that none is told of and another used."""
    slack: dict[str, Fraction] = {}
    for check in checks:
        share = declared(check.slack, check.quantity)
        if slack.setdefault(check.quantity, share) != share:
            raise AlgebraError(f"{check.quantity}: its checks admit different slack")


def _require_admissions(statement: BackendStatement) -> None:
    """Require that slack, limits and assumptions are told, and nothing else in their place."""
    predicate = statement.predicate
    slack = {check.quantity: declared(check.slack, check.quantity) for check in predicate.checks}
    about_issue = WHO_ISSUED if isinstance(predicate, Predicate) else NOT_SIGNED_V0
    require_told(non_claims(slack, about_issue), predicate.non_claims)
    if predicate.hypotheses != list(ASSUMED):
        raise AlgebraError("the certificate does not say what it assumes, and that alone")
    require_both_engines(predicate.engines)


def require_told(needed: list[str], told: list[str]) -> None:
    """Raise AlgebraError unless every sentence that is needed is told, in order, and no other.

    Any other would be the word of whoever wrote it, and be read as ours.
    """
    for sentence in needed:
        if sentence not in told:
            raise AlgebraError(f"the certificate does not say: {sentence}")
    if needed != told:
        raise AlgebraError("the certificate has other non-claims than the ones that are needed")


def require_both_engines(engines: list[Engine]) -> None:
    """Raise AlgebraError unless both engines are named, in order, and no other."""
    if [engine.role for engine in engines] != ["first", "second"]:
        raise AlgebraError("the certificate does not name both engines, each once")


def require_subjects(subjects: list[Subject]) -> None:
    """Raise AlgebraError unless the subjects are in order, none twice, as they always are."""
    if in_order(subjects) != subjects:
        raise AlgebraError("a subject stands twice, or they are not in order")


def _require_cases(predicate: Predicate) -> None:
    total = sum(check.cases for check in predicate.checks)
    if predicate.transcript.cases != total:
        raise AlgebraError(
            f"the transcript has {predicate.transcript.cases} cases, the checks have {total}"
        )


def _require_sample(predicate: Predicate) -> None:
    """Require as many cases of each check as are always kept."""
    share = sample_share(max(len(predicate.checks), 1), predicate.scope.cases)
    kept = Counter((one.quantity, one.check) for one in predicate.sample)
    needed = {(one.quantity, one.check): share for one in predicate.checks if one.cases and share}
    if kept != needed:
        raise AlgebraError("the sample of cases is not the one that is always kept")


def declared(text: str, name: str) -> Fraction:
    """Return a slack or an accuracy. Raises WitnessError if it is no share in [0, 1)."""
    try:
        share = exact_number(text, name)
    except InputError as error:
        raise WitnessError(str(error)) from None
    if not 0 <= share < 1:
        raise WitnessError(f"{name}: a share of {shown(share)} is not in [0, 1)")
    return share


def declared_of(check: models_v0.Check) -> tuple[Mapping[str, Fraction], Mapping[str, Fraction]]:
    """Return the slack and the accuracy that a check says it was judged by, by quantity."""
    name = check.quantity
    accuracy = {} if check.accuracy is None else {name: declared(check.accuracy, name)}
    return {name: declared(check.slack, name)}, accuracy
