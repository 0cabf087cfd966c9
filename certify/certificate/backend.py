"""A backend's certificate, issued from a campaign, and what its parts have to have in common.

Nothing may be missing, the whole has to follow from its parts, and limits and slack must be told.
The worst cases are judged again in ``worst_case``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from fnmatch import fnmatchcase
from fractions import Fraction
from importlib.metadata import version
from typing import NamedTuple

from ...reference.exact import exact_text, shown
from ...reference.quantity import Quantity, Side, quantities
from ..backends.declarations import AS, Direction, Ranges, said_ranges, written_ranges
from ..backends.protocol import MAX_SLACK
from ..campaign import (
    DEFAULT_SEED,
    EVERYTHING,
    MAX_CASES,
    Campaign,
    CheckResult,
    cases_of_relation,
    has_arrays,
    sample_share,
)
from ..checks.judgement import (
    DEFAULT_ACCURACY,
    admitted_slack,
    overall_of_checks,
    rules_for,
)
from ..checks.relations import Form, relations_for
from ..points import Case
from ..verdict import FAILED, Verdict, overall
from .errors import AlgebraError
from .issuing import in_order, subject
from .models import (
    BACKEND_TYPE,
    Answered,
    Check,
    Predicate,
    Scope,
    Statement,
    Transcript,
    Witness,
)
from .parts import STATEMENT_TYPE, Engine, HypothesisStatus, Subject, Tool
from .samplers import about_samplers, require_samplers, samplers_in, samplers_of
from .transcript import sample_of
from .worst_case import (
    counts_of,
    declared,
    is_of_a_relation,
    quantity_of,
    ranges_of,
    rests_on_a_truth,
    slack_of,
)

DIRECTION = "direction"

_ALWAYS_LEFT_OPEN = (
    "Points were searched for, not exhausted: between them the backend may still err.",
    "Points came from search ranges (`quantities --json`), a few from beyond: not all of a domain.",
)
# What slack admits, by the quantity's safe side.
_ADMITTED = {
    Side.UPPER: "understatement",
    Side.LOWER: "overstatement",
    Side.NONE: "error on either side",
}
WHO_ISSUED = "Who issued the certificate, and when: only a signature on it can tell."
ASSUMED = (
    HypothesisStatus(
        "a backend's answer depends on its arguments alone",
        "assumed",
        "no check repeats every call in every environment",
    ),
)
ENGINE_ROLES = (("python-flint", "first"), ("gmpy2", "second"))


def statement_of(campaign: Campaign, issued: str | None = None) -> Statement:
    """Return the statement that a campaign supports, with the time of issue if it is to be told."""
    return Statement(
        type=STATEMENT_TYPE,
        subject=in_order(subject(item.name, item.sha256) for item in campaign.subjects),
        predicateType=BACKEND_TYPE,
        predicate=_predicate(campaign, issued),
    )


def _predicate(campaign: Campaign, issued: str | None) -> Predicate:
    samplers = samplers_of(campaign)
    return Predicate(
        verdict=campaign.verdict,
        tool=this_tool(),
        engines=these_engines(),
        issued=issued,
        seed=campaign.seed,
        scope=_scope(campaign, tested=bool(samplers.tested)),
        checks=[_check(campaign, check) for check in campaign.checks],
        samplers_offered=samplers.offered,
        samplers=samplers.tested,
        sample=[sample_of(case) for check in campaign.checks for case in check.sample],
        hypotheses=list(ASSUMED),
        non_claims=non_claims(
            _terms(campaign), campaign.seed, _in_one_form(campaign.checks), about_samplers(samplers)
        ),
        transcript=Transcript(
            campaign.transcript_sha256, sum(check.cases for check in campaign.checks)
        ),
    )


def _scope(campaign: Campaign, *, tested: bool) -> Scope:
    backend = campaign.loaded.backend
    return Scope(
        backend.name,
        backend.version,
        campaign.scope,
        sorted({check.quantity for check in campaign.checks}),
        campaign.cases,
        campaign.screen,
        tested or campaign.scope == EVERYTHING,
    )


def this_tool() -> Tool:
    """Return what this program is called."""
    return Tool("simplexcert", version("simplexcert"))


def these_engines() -> list[Engine]:
    """Return the libraries whose arithmetic is used here."""
    return [Engine(name, version(name), role) for name, role in ENGINE_ROLES]  # type: ignore[arg-type]


def _check(campaign: Campaign, result: CheckResult) -> Check:
    backend = campaign.loaded.backend
    worst = result.worst
    return Check(
        quantity=result.quantity,
        check=result.check,
        verdict=result.verdict,
        **asdict(result.counts),
        worst=None if worst is None else _witness(worst),
        ulps=None if worst is None else worst.ulps_text(),
        side="none" if worst is None else worst.side,  # type: ignore[arg-type]
        second=result.second,  # type: ignore[arg-type]
        slack=exact_text(backend.slack.get(result.quantity, Fraction(0))),
        accuracy=_promised(campaign, result),
        domain=written_ranges(backend.domain.get(result.quantity, {})) or None,
        direction=backend.direction.get(result.quantity),
    )


def _witness(case: Case) -> Witness:
    shape = case.as_json()
    others = [Answered(**one) for one in shape.pop("others", [])]
    return Witness(**shape, others=others)


class Terms(NamedTuple):
    """On which terms a quantity was asked: the slack that passes, its domain and direction."""

    slack: Fraction
    quantity: Quantity
    domain: Ranges | None
    direction: Direction | None


def _terms(campaign: Campaign) -> dict[str, Terms]:
    backend = campaign.loaded.backend
    return {
        name: Terms(
            admitted_slack(backend.quantity(name), backend.slack, backend.accuracy),
            backend.quantity(name),
            backend.domain.get(name),
            backend.direction.get(name),
        )
        for name in {check.quantity for check in campaign.checks}
    }


def terms_of(check: Check) -> Terms:
    """Return the terms that a check says it was asked on. Raises WitnessError."""
    return Terms(slack_of(check), quantity_of(check), ranges_of(check), check.direction)


def _promised(campaign: Campaign, result: CheckResult) -> str | None:
    """Return the relative error that a check allows: a direction none, else what is promised."""
    if result.check == DIRECTION:
        return None
    safe = campaign.loaded.backend.quantity(result.quantity).safe
    usual = DEFAULT_ACCURACY if safe is Side.NONE else None
    promised = campaign.loaded.backend.accuracy.get(result.quantity, usual)
    return None if promised is None else exact_text(promised)


def _in_one_form(checks: Sequence[Check | CheckResult]) -> list[str]:
    """Return the quantities that were answered and asked in no other form, in their order."""
    answered = {check.quantity for check in checks if check.cases}
    elsewhere = {check.quantity for check in checks if check.cases and check.check == Form.check}
    return sorted(answered - elsewhere)


def non_claims(
    terms: Mapping[str, Terms], seed: int, in_one_form: Sequence[str], sampling: Iterable[str]
) -> list[str]:
    """Return what a certificate does not say, the slack that is admitted first.

    A seed that is not the usual one is told: trying many is a way to choose points. So are the
    quantities that were asked ``in_one_form`` alone.
    """
    admitted = [
        f"{name}: a relative {_ADMITTED[each.quantity.safe]} of {shown(each.slack)} is "
        "admitted by the backend"
        for name, each in sorted(terms.items())
        if each.slack
    ]
    narrower = [
        f"{name}: nothing was asked but for {said_ranges(each.domain)}, as the backend declares"
        for name, each in sorted(terms.items())
        if each.domain
    ]
    otherwise = [
        f"{name}: its answers were judged {AS[each.direction]}, as the backend declares"
        for name, each in sorted(terms.items())
        if each.direction
    ]
    names = in_one_form[0] if len(in_one_form) == 1 else f"{len(in_one_form)} quantities"
    one_form = f"Neither arrays nor another process were asked of {names}."
    usual = f"{DEFAULT_SEED} is usual"
    chosen = f"Points were drawn by the seed {seed}, which its issuer chose; {usual}."
    return [
        *admitted,
        *narrower,
        *otherwise,
        *([chosen] if seed != DEFAULT_SEED else []),
        *_ALWAYS_LEFT_OPEN,
        *([one_form] if in_one_form else []),
        *sampling,
        WHO_ISSUED,
    ]


_Key = tuple[str, str]
# Released versions of this program with a smaller registry than today's. A certificate by any other
# version was made with at least the quantities that are known here, and names all that match.
SMALLER_REGISTRIES: frozenset[str] = frozenset()


def require_named_scope(predicate: Predicate) -> None:
    """Require every obligatory check of every name, and no others, run where they can be.

    Raises AlgebraError.
    """
    named = _named(predicate.scope)
    if predicate.tool.version not in SMALLER_REGISTRIES:
        _require_all_that_match(predicate.scope)
    checks: dict[_Key, Check] = {(one.quantity, one.check): one for one in predicate.checks}
    named |= {one.quantity: quantity_of(one) for one in predicate.checks if one.quantity in named}
    obligatory = {key for quantity in named.values() for key in _obligatory(quantity)}
    # A promise of accuracy is checked where the backend makes one.
    promised = {(name, "accuracy") for name in named}
    for name, check in sorted(set(checks) - obligatory - promised):
        raise AlgebraError(f"the check {name}, {check} is not in scope")
    for name, check in sorted(obligatory - set(checks)):
        raise AlgebraError(f"the check {name}, {check} is missing")
    for quantity in named.values():
        _require_run_together(quantity, checks)
        _require_one_accuracy(quantity, checks)
    _require_forms_together(named, checks)


def _named(scope: Scope) -> dict[str, Quantity]:
    """Return the quantities by the names of a scope, which stand in order and match its glob."""
    if scope.names != sorted(set(scope.names)):
        raise AlgebraError("a name of the scope stands twice, or they are not in order")
    known = quantities()
    for name in scope.names:
        if name not in known:
            raise AlgebraError(f"the scope names {shown(name)}, which is no quantity that is known")
        if not fnmatchcase(name, scope.quantities):
            raise AlgebraError(f"the scope names {name}, which {scope.quantities} does not match")
    return {name: known[name] for name in scope.names}


def _require_all_that_match(scope: Scope) -> None:
    for name in quantities(scope.quantities):
        if name not in scope.names:
            raise AlgebraError(f"the scope does not name {name}, which {scope.quantities} matches")


def _obligatory(quantity: Quantity) -> Iterator[_Key]:
    yield quantity.name, _main(quantity)
    for relation in relations_for(quantity):
        yield quantity.name, relation.check


def _main(quantity: Quantity) -> str:
    """Return the check against the truth that no backend is spared."""
    return rules_for(quantity, {}, {})[0].check


def _require_run_together(quantity: Quantity, checks: Mapping[_Key, Check]) -> None:
    """Require that the checks of a quantity were run where it is answered, and nowhere else."""
    asked = checks[quantity.name, _main(quantity)].cases > 0
    accuracy = checks.get((quantity.name, "accuracy"))
    if accuracy and (accuracy.cases > 0) != asked:
        raise AlgebraError(f"{quantity.name}: only one of its checks was run")
    for relation in relations_for(quantity):
        run = checks[quantity.name, relation.check].cases > 0
        # Who takes no arrays, and is called where we are, has no other form.
        if run > asked or (run != asked and relation.check != Form.check):
            raise AlgebraError(
                f"{quantity.name}, {relation.check}: it was {'' if run else 'not '}run, which does "
                "not go with what the backend answers"
            )


def _require_forms_together(named: Mapping[str, Quantity], checks: Mapping[_Key, Check]) -> None:
    """Require that other forms were asked of all quantities, of those with arrays, or of none."""
    answered = {name for name, one in named.items() if checks[name, _main(one)].cases}
    run = {name for name in answered if checks[name, Form.check].cases}
    if run not in (answered, {name for name in answered if has_arrays(named[name])}, set()):
        raise AlgebraError("a quantity was left out of those that were asked in other forms")


def _require_one_accuracy(quantity: Quantity, checks: Mapping[_Key, Check]) -> None:
    """Require that relations are widened by the accuracy that is promised and checked, no other."""
    checked = checks.get((quantity.name, "accuracy"))
    promised = checked.accuracy if checked else None
    for relation in relations_for(quantity):
        if checks[quantity.name, relation.check].accuracy != promised:
            raise AlgebraError(
                f"{quantity.name}, {relation.check}: its accuracy is not the one that is checked"
            )


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
    _require_one_sort_of_terms(predicate.checks)
    _require_admissions(statement)
    _require_cases(predicate)
    _require_sample(predicate)


def _verdicts(predicate: Predicate) -> Iterator[Verdict]:
    """Yield the verdicts that the whole follows from."""
    yield overall_of_checks(predicate.checks)
    yield from (sampler.verdict for sampler in predicate.samplers)


def _require_consistent(check: Check, asked: int) -> None:
    cases = asked if not is_of_a_relation(check) else cases_of_relation(check.check, asked)
    name = f"{check.quantity}, {check.check}"
    run = check.cases > 0
    # Of a printed quantity a check that was run may not apply; the worst case has to bear it out.
    applies = check.verdict is not Verdict.INAPPLICABLE
    if applies > run or run != (check.worst is not None):
        raise AlgebraError(
            f"{name}: a verdict of {check.verdict} does not go with {check.cases} cases and "
            f"{'a' if check.worst else 'no'} worst case"
        )
    _require_counts(check, name)
    if run and check.cases != cases:
        raise AlgebraError(f"{name}: {check.cases} cases were run, {cases} were asked for")
    needs_second = run and _rests_on_a_truth(check)
    if needs_second != (check.second != "inapplicable") or run != (check.ulps is not None):
        raise AlgebraError(f"{name}: what is said of the worst case does not go with the verdict")
    if not is_of_a_relation(check) and (check.accuracy is not None) != (check.check == "accuracy"):
        raise AlgebraError(f"{name}: its accuracy is promised where it is checked, there alone")


def _require_counts(check: Check, name: str) -> None:
    """Require that what is counted goes with the verdict, and with each other."""
    counts = counts_of(check)
    if check.wrong + check.errors > check.cases or check.loose > check.cases:
        raise AlgebraError(f"{name}: more was counted than there were cases")
    if check.trivial > check.open or check.open + check.errors > check.cases:
        raise AlgebraError(f"{name}: more was counted than there were open cases")
    if is_of_a_relation(check) and (check.open or check.trivial):
        raise AlgebraError(f"{name}: only an answer that is held against a truth can be trivial")
    if not is_of_a_relation(check) and check.loose:
        raise AlgebraError(f"{name}: only an answer that is held against others can be loose")
    counted = Verdict.REFUTED if check.wrong else Verdict.ERROR if check.errors else None
    uncounted = counted is None and check.verdict in FAILED
    if uncounted or counts.verdict(check.check, counted or check.verdict) is not check.verdict:
        raise AlgebraError(f"{name}: a verdict of {check.verdict} does not go with what is counted")


def _rests_on_a_truth(check: Check) -> bool:
    """Whether there is anything that the second engine could have an opinion on."""
    if isinstance(check, Check) and check.worst and is_of_a_relation(check):
        return rests_on_a_truth(check.worst)
    return True


def _require_one_sort_of_terms(checks: Iterable[Check]) -> None:
    """Require one slack, domain and direction for all checks of a quantity.

    So none is told of and another used.
    """
    terms: dict[str, tuple[object, ...]] = {}
    for check in checks:
        share = declared(check.slack, check.quantity)
        made_on = share, check.domain, check.direction
        if terms.setdefault(check.quantity, made_on) != made_on:
            raise AlgebraError(f"{check.quantity}: its checks were made on different terms")


def _require_admissions(statement: Statement) -> None:
    """Require that slack, limits and assumptions are told, and nothing else in their place."""
    predicate = statement.predicate
    needed = non_claims(
        {check.quantity: terms_of(check) for check in predicate.checks},
        predicate.seed,
        _in_one_form(predicate.checks),
        about_samplers(samplers_in(predicate)),
    )
    require_told(needed, predicate.non_claims)
    if predicate.hypotheses != list(ASSUMED):
        raise AlgebraError("the certificate does not say what it assumes, and that alone")
    require_both_engines(predicate.engines)
    for check in predicate.checks:
        share = declared(check.slack, check.quantity)
        if share > MAX_SLACK:
            raise AlgebraError(
                f"{check.quantity}: a slack of {shown(share)} is more than {shown(MAX_SLACK)}, "
                "which is the most that is admitted"
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
    if tuple((engine.name, engine.role) for engine in engines) != ENGINE_ROLES:
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
    """Require as many cases of each check as are always kept; of relations there are none."""
    checks = [one for one in predicate.checks if not is_of_a_relation(one)]
    share = sample_share(max(len(checks), 1), predicate.scope.cases)
    kept: Counter[tuple[str, str]] = Counter((one.quantity, one.check) for one in predicate.sample)
    needed = {(one.quantity, one.check): share for one in checks if one.cases and share}
    if kept != needed:
        raise AlgebraError("the sample of cases is not the one that is always kept")
