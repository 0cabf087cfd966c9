"""Check a certificate without trusting whoever made it, and without the backend.

What is read is hostile until checked: the shape is closed, the bytes must be canonical, the
verdict must follow from its parts, and every worst case is worked out again by the second engine.
Nothing in a certificate can name a file to be read or code to be run.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import msgspec
import rfc8785

from ...reference.domain import Value
from ...reference.dyadic import MINUS_INFINITY, PLUS_INFINITY, Dyadic
from ...reference.enclosure import Enclosure
from ...reference.enclosures import Enclosed, Enclosures, entry_at, largest_size, met, overlap
from ...reference.errors import InputError, SimplexcertError, SoundnessError
from ...reference.evaluation import climb_quantity, climb_second
from ...reference.exact import (
    MAX_DECIMAL_EXPONENT,
    exact_number,
    parse_json,
    read_file,
    shown,
)
from ...reference.precision import Budget
from ...reference.quantity import Quantity, quantities, quantity_named
from ...reference.second import opinion_on
from ..checks.answers import Real
from ..checks.judgement import CASE_MAX_BITS, Rule, distance, rules_for, verdict_on
from ..verdict import Verdict, overall
from .models import Check, Statement, Witness, is_word
from .statement import ASSUMED, non_claims

MAX_CERTIFICATE_BYTES = 16 * 1024 * 1024
WITNESS_SECONDS = 20.0
# As many digits as a printed end may have on either side of its point.
MAX_PRINTED_DIGITS = 60
_END_BITS = 256


class CertificateError(SimplexcertError):
    """A certificate does not check; the message says which part and why."""


class ShapeError(CertificateError):
    """A field is missing, unknown, or not of its kind."""


class CanonicalFormError(CertificateError):
    """The bytes are not the canonical JSON of what they say."""


class AlgebraError(CertificateError):
    """The overall verdict does not follow from its parts."""


class WitnessError(CertificateError):
    """A worst case, worked out again, says something else."""


class SubjectError(CertificateError):
    """The file at hand is not one that the certificate is about."""


@dataclass(frozen=True)
class Verified:
    """A certificate that checks, and what it says.

    ``verdict`` is the certificate's own, or undecided where a worst case could not be decided
    again.
    """

    statement: Statement
    witnesses: int
    verdict: Verdict

    def as_json(self) -> dict[str, object]:
        """Return what was found, for programs."""
        predicate = self.statement.predicate
        return {
            "schema_version": 1,
            "authentic": True,
            "signed": False,
            "verdict": self.verdict.value,
            "backend": predicate.scope.backend,
            "checks": len(predicate.checks),
            "witnesses": self.witnesses,
            "non_claims": predicate.non_claims,
        }


def verify(path: str | Path, *, subject: str | Path | None = None) -> Verified:
    """Check the certificate in a file, and that ``subject`` is a file it is about.

    Raises InputError if the file cannot be read as JSON at all, CertificateError (one subclass
    per failure) if it does not check.
    """
    statement = parsed(read_file(path), str(path))
    _require_algebra(statement)
    found = [_worked_out_again(check) for check in statement.predicate.checks]
    if subject is not None:
        _require_subject(statement, subject)
    witnesses = sum(check.worst is not None for check in statement.predicate.checks)
    return Verified(statement, witnesses, overall([statement.predicate.verdict, *found]))


def parsed(content: bytes, name: str) -> Statement:
    """Return the statement that the bytes canonically are."""
    if len(content) > MAX_CERTIFICATE_BYTES:
        raise InputError(f"{name} is larger than {MAX_CERTIFICATE_BYTES} bytes; it is not read")
    parse_json(content, name)  # refuses duplicate keys and numbers of unreasonable size
    try:
        statement = msgspec.json.decode(content, type=Statement)
    except (msgspec.ValidationError, msgspec.DecodeError, RecursionError) as error:
        raise ShapeError(f"{name} is not a certificate of a known version: {error}") from None
    try:
        canonical = rfc8785.dumps(msgspec.to_builtins(statement))
    except rfc8785.CanonicalizationError as error:
        raise CanonicalFormError(f"{name} has no canonical form: {error}") from None
    if canonical != content:
        raise CanonicalFormError(f"{name} is not in canonical form (RFC 8785)")
    return statement


def _require_algebra(statement: Statement) -> None:
    """Require that nothing is missing, and that the whole follows from its parts."""
    predicate = statement.predicate
    keys = [(check.quantity, check.check) for check in predicate.checks]
    if len(set(keys)) != len(keys):
        raise AlgebraError("a check stands twice")
    for check in predicate.checks:
        _require_consistent(check, predicate.scope.cases)
    derived = overall(check.verdict for check in predicate.checks)
    if derived is not predicate.verdict:
        raise AlgebraError(f"the certificate says {predicate.verdict}, its parts say {derived}")
    _require_whole_scope(statement, set(keys))
    _require_admissions(statement)


def _require_consistent(check: Check, cases: int) -> None:
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


def _require_whole_scope(statement: Statement, present: set[tuple[str, str]]) -> None:
    """Require the obligatory check of every quantity that was asked for."""
    for name, quantity in quantities(statement.predicate.scope.quantities).items():
        obligatory = rules_for(quantity, {}, {})[0].check
        if (name, obligatory) not in present:
            raise AlgebraError(f"the check {name}, {obligatory} is missing")


def _require_admissions(statement: Statement) -> None:
    """Require that the slack and the limits of what was done are told."""
    predicate = statement.predicate
    slack = {check.quantity: _declared(check.slack, check) for check in predicate.checks}
    for sentence in non_claims(slack):
        if sentence not in predicate.non_claims:
            raise AlgebraError(f"the certificate does not say: {sentence}")
    if not set(ASSUMED) <= set(predicate.hypotheses):
        raise AlgebraError("the certificate does not say what it assumes")
    if {engine.role for engine in predicate.engines} != {"first", "second"}:
        raise AlgebraError("the certificate does not name both engines")


def _worked_out_again(check: Check) -> Verdict:
    """Judge the worst case anew, and return what is found.

    The truth is what the second engine encloses now; the first, where the second stays silent or
    only estimates, which then has to agree. What the certificate states about it only has to
    agree as well. Raises WitnessError where it does not.
    """
    if check.worst is None or check.verdict in (Verdict.ERROR, Verdict.UNDECIDED):
        return check.verdict  # no pass, and an exception cannot be worked out again
    name = f"{check.quantity}, {check.check}"
    value, rule = _answer(check.worst, name), _rule(check)
    place = tuple(check.worst.entry)
    whole = _truth(check, rule, value, name)
    if whole == Enclosure.nothing_known() or (place and isinstance(whole, Enclosure)):
        return Verdict.UNDECIDED  # there was no time for a single entry
    truth = entry_at(whole, place)
    if not truth.overlaps(_stated(check.worst, name)):
        raise WitnessError(f"{name}: the stated enclosure is not that of the truth")
    found = verdict_on(rule, whole, place, value)
    if found not in (check.verdict, Verdict.UNDECIDED):
        raise WitnessError(f"{name}: the worst case is {found}, not {check.verdict}")
    if math.isfinite(value) and check.side != "at":
        _, side = distance(truth, Fraction(value), largest_size(whole))
        if side not in (check.side, "at", "unknown"):
            raise WitnessError(f"{name}: the answer is {side} the truth, not {check.side}")
    return found


def _truth(check: Check, rule: Rule, value: Real, name: str) -> Enclosed:
    budget = Budget(WITNESS_SECONDS, CASE_MAX_BITS)
    try:
        quantity = quantity_named(check.quantity)
        worst = check.worst.parameters if check.worst else {}
        exact = quantity.read({key: _parameter(item, name) for key, item in worst.items()})
    except InputError as error:
        raise WitnessError(f"{name}: {error}") from None
    place = tuple(check.worst.entry) if check.worst else ()

    def decided(truth: Enclosed) -> bool:
        return verdict_on(rule, truth, place, value) is not Verdict.UNDECIDED

    try:
        return _by_both_engines(quantity, exact, decided, budget)
    except LookupError as error:
        raise WitnessError(f"{name}: {error}") from None


def _by_both_engines(
    quantity: Quantity,
    exact: Mapping[str, Value],
    decided: Callable[[Enclosed], bool],
    budget: Budget,
) -> Enclosed:
    second = climb_second(quantity, exact, decided, budget)
    if second.satisfied and opinion_on(quantity.name).rigorous:
        return second.enclosure
    budget = Budget(WITNESS_SECONDS, CASE_MAX_BITS)
    first = climb_quantity(quantity, exact, decided, budget).enclosure
    if isinstance(second.enclosure, Enclosures) and first == quantity.within:
        first = Enclosure.nothing_known()  # a bound for every entry of an array, but not an array
    if not overlap(first, second.enclosure):
        raise SoundnessError(f"the two engines contradict each other on {quantity.name}")
    return met(first, second.enclosure) if opinion_on(quantity.name).rigorous else first


def _answer(worst: Witness, name: str) -> Real:
    value = _hex_float(worst.value, name)
    if math.isnan(value):
        raise WitnessError(f"{name}: the value is NaN")
    return value if math.isinf(value) else Fraction(value)


def _parameter(value: Any, name: str) -> Any:
    """Return the exact parameter that was written, nested as it is; its kind is checked later."""
    if isinstance(value, list):
        return tuple(_parameter(item, name) for item in value)
    if isinstance(value, dict):
        return {key: _parameter(item, name) for key, item in value.items()}
    return value if isinstance(value, int) or is_word(value) else _number(value, name)


def _number(value: str, name: str) -> Fraction:
    number = _hex_float(value, name)
    if not math.isfinite(number):
        raise WitnessError(f"{name}: the parameter {value} is not finite")
    return Fraction(number)


def _hex_float(text: str, name: str) -> float:
    try:
        return float.fromhex(text)
    except (ValueError, OverflowError):
        raise WitnessError(f"{name}: {shown(text)} is not a double in hex") from None


def _stated(worst: Witness, name: str) -> Enclosure:
    low, high = _end(worst.lower, name, up=False), _end(worst.upper, name, up=True)
    if high < low:
        raise WitnessError(f"{name}: the enclosure's lower end lies above its upper end")
    return Enclosure(low, high)


def _end(text: str, name: str, *, up: bool) -> Dyadic:
    """Read a printed end, outward; exponents that no exact number is built for are rounded."""
    if text.endswith("inf"):
        return MINUS_INFINITY if text.startswith("-") else PLUS_INFINITY
    digits, _, exponent = text.partition("e")
    power = int(exponent or "0")
    if abs(power) > MAX_DECIMAL_EXPONENT - MAX_PRINTED_DIGITS:
        if text.startswith("-"):
            raise WitnessError(f"{name}: the end {shown(text)} cannot be read")
        if not Fraction(digits):
            return Dyadic(0)
        edge = 10 ** (MAX_DECIMAL_EXPONENT - 2 * MAX_PRINTED_DIGITS)
        if power < 0:
            return Dyadic.rounded(Fraction(1, edge), _END_BITS, up) if up else Dyadic(0)
        return PLUS_INFINITY if up else Dyadic.rounded(Fraction(edge), _END_BITS, up)
    return Dyadic.rounded(exact_number(text, name), _END_BITS, up)


def _rule(check: Check) -> Rule:
    slack = {check.quantity: _declared(check.slack, check)}
    accuracy: Mapping[str, Fraction] = (
        {} if check.accuracy is None else {check.quantity: _declared(check.accuracy, check)}
    )
    try:
        rules = rules_for(quantity_named(check.quantity), slack, accuracy)
    except InputError as error:
        raise WitnessError(str(error)) from None
    for rule in rules:
        if rule.check == check.check:
            return rule
    raise WitnessError(f"{check.quantity} has no check called {check.check}")


def _declared(text: str, check: Check) -> Fraction:
    try:
        share = exact_number(text, check.quantity)
    except InputError as error:
        raise WitnessError(str(error)) from None
    if not 0 <= share < 1:
        raise WitnessError(f"{check.quantity}: a share of {shown(share)} is not in [0, 1)")
    return share


def _require_subject(statement: Statement, file: str | Path) -> None:
    digest = hashlib.sha256(read_file(file)).hexdigest()
    known = {item.digest.sha256 for item in statement.subject}
    if digest not in known:
        raise SubjectError(f"{file} (sha256 {digest}) is not a subject of the certificate")
