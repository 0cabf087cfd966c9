"""What the parts of a backend's certificate have to have in common, before anything is worked out.

Nothing may be missing, the whole has to follow from its parts, and limits and slack must be told.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from fractions import Fraction

from ...reference.exact import shown
from ..backends.protocol import MAX_SLACK
from ..campaign import MAX_CASES, law_cases, sample_share
from ..checks.judgement import overall_of_checks
from ..verdict import Verdict, overall
from .errors import AlgebraError
from .law_checks import is_of_a_law, rests_on_a_truth
from .models import Check, Engine, Predicate, Statement, Subject
from .named_scope import require_named_scope
from .samplers import about_samplers, require_samplers, samplers_in
from .shares import declared
from .statement import ASSUMED, non_claims
from .subjects import in_order


def require_algebra(statement: Statement) -> None:
    """Raise AlgebraError where something is missing, or the whole does not follow from its parts.

    WitnessError for a slack that is none.
    """
    predicate = statement.predicate
    keys = [(check.quantity, check.check) for check in predicate.checks]
    if len(set(keys)) != len(keys):
        raise AlgebraError("a check stands twice")
    if predicate.scope.cases > MAX_CASES:
        raise AlgebraError(f"no campaign has more than {MAX_CASES} cases of a quantity")
    for check in predicate.checks:
        _require_consistent(check, predicate.scope.cases)
    derived = overall(_verdicts(predicate))
    if derived is not predicate.verdict:
        raise AlgebraError(f"the certificate says {predicate.verdict}, its parts say {derived}")
    require_named_scope(predicate)
    require_samplers(predicate)
    _require_one_slack(predicate.checks)
    _require_admissions(statement)
    _require_cases(predicate)
    _require_sample(predicate)


def _verdicts(predicate: Predicate) -> Iterator[Verdict]:
    """Yield the verdicts that the whole follows from."""
    yield overall_of_checks(predicate.checks)
    yield from (sampler.verdict for sampler in predicate.samplers)


def _require_consistent(check: Check, asked: int) -> None:
    cases = law_cases(asked) if is_of_a_law(check) else asked
    name = f"{check.quantity}, {check.check}"
    run = check.cases > 0
    # Of a printed quantity a check that was run may not apply; the worst case has to bear it out.
    applies = check.verdict is not Verdict.INAPPLICABLE
    if applies > run or run != (check.worst is not None):
        raise AlgebraError(
            f"{name}: a verdict of {check.verdict} does not go with {check.cases} cases and "
            f"{'a' if check.worst else 'no'} worst case"
        )
    if run and check.cases != cases:
        raise AlgebraError(f"{name}: {check.cases} cases were run, {cases} were asked for")
    needs_second = run and _rests_on_a_truth(check)
    if needs_second != (check.second != "inapplicable") or run != (check.ulps is not None):
        raise AlgebraError(f"{name}: what is said of the worst case does not go with the verdict")
    if not is_of_a_law(check) and (check.accuracy is not None) != (check.check == "accuracy"):
        raise AlgebraError(f"{name}: its accuracy is promised where it is checked, there alone")


def _rests_on_a_truth(check: Check) -> bool:
    """Whether there is anything that the second engine could have an opinion on."""
    if isinstance(check, Check) and check.worst and is_of_a_law(check):
        return rests_on_a_truth(check.worst)
    return True


def _require_one_slack(checks: Iterable[Check]) -> None:
    """Require one slack for all checks of a quantity, so that none is told of and another used."""
    slack: dict[str, Fraction] = {}
    for check in checks:
        share = declared(check.slack, check.quantity)
        if slack.setdefault(check.quantity, share) != share:
            raise AlgebraError(f"{check.quantity}: its checks admit different slack")


def _require_admissions(statement: Statement) -> None:
    """Require that slack, limits and assumptions are told, and nothing else in their place."""
    predicate = statement.predicate
    slack = {check.quantity: declared(check.slack, check.quantity) for check in predicate.checks}
    needed = non_claims(slack, predicate.seed, about_samplers(samplers_in(predicate)))
    require_told(needed, predicate.non_claims)
    if predicate.hypotheses != list(ASSUMED):
        raise AlgebraError("the certificate does not say what it assumes, and that alone")
    require_both_engines(predicate.engines)
    for name, share in slack.items():
        if share > MAX_SLACK:
            raise AlgebraError(
                f"{name}: a slack of {shown(share)} is more than {MAX_SLACK}, which is the "
                "most that is admitted"
            )


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
    """Require as many cases of each check as are always kept; of laws there are none."""
    checks = [one for one in predicate.checks if not is_of_a_law(one)]
    share = sample_share(max(len(checks), 1), predicate.scope.cases)
    kept: Counter[tuple[str, str]] = Counter((one.quantity, one.check) for one in predicate.sample)
    needed = {(one.quantity, one.check): share for one in checks if one.cases and share}
    if kept != needed:
        raise AlgebraError("the sample of cases is not the one that is always kept")
