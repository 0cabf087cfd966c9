"""Check a certificate without trusting whoever made it, and without the backend.

What is read is hostile until checked: the shape is closed, the bytes must be canonical, the
verdict must follow from its parts, and every worst case is worked out again by the second engine.
Nothing in a certificate can name a file to be read or code to be run.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import msgspec
import rfc8785

from ...reference.enclosure import Enclosure
from ...reference.errors import InputError, SimplexcertError
from ...reference.evaluation import evaluate
from ...reference.exact import exact_number, parse_json, read_file, shown
from ...reference.precision import Budget
from ...reference.quantity import quantity_named
from ..checks.judgement import CASE_MAX_BITS, Rule, rules_for
from ..verdict import Verdict, overall
from .models import Check, Statement, Witness

MAX_CERTIFICATE_BYTES = 16 * 1024 * 1024
WITNESS_SECONDS = 20.0
_WITNESS_DIGITS = 20


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
    """An authentic certificate and what it says."""

    statement: Statement
    witnesses: int

    @property
    def verdict(self) -> Verdict:
        """What the certificate certifies."""
        return self.statement.predicate.verdict

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
    for check in statement.predicate.checks:
        _require_witness(check)
    if subject is not None:
        _require_subject(statement, subject)
    witnesses = sum(check.worst is not None for check in statement.predicate.checks)
    return Verified(statement, witnesses)


def parsed(content: bytes, name: str) -> Statement:
    """Return the statement that the bytes canonically are."""
    if len(content) > MAX_CERTIFICATE_BYTES:
        raise InputError(f"{name} is larger than {MAX_CERTIFICATE_BYTES} bytes; it is not read")
    parse_json(content, name)  # refuses duplicate keys and numbers of unreasonable size
    try:
        statement = msgspec.json.decode(content, type=Statement)
    except (msgspec.ValidationError, msgspec.DecodeError, RecursionError) as error:
        raise ShapeError(f"{name} is not a certificate of a known version: {error}") from None
    if rfc8785.dumps(msgspec.to_builtins(statement)) != content:
        raise CanonicalFormError(f"{name} is not in canonical form (RFC 8785)")
    return statement


def _require_algebra(statement: Statement) -> None:
    predicate = statement.predicate
    for check in predicate.checks:
        run = check.verdict is not Verdict.INAPPLICABLE
        if run != (check.cases > 0) or run != (check.worst is not None):
            raise AlgebraError(
                f"{check.quantity}, {check.check}: a verdict of {check.verdict} does not go with "
                f"{check.cases} cases and {'a' if check.worst else 'no'} worst case"
            )
    derived = overall(check.verdict for check in predicate.checks)
    if derived is not predicate.verdict:
        raise AlgebraError(f"the certificate says {predicate.verdict}, its parts say {derived}")
    keys = [(check.quantity, check.check) for check in predicate.checks]
    if len(set(keys)) != len(keys):
        raise AlgebraError("a check stands twice")


def _require_witness(check: Check) -> None:
    """Work the worst case out again by the second engine and judge it by the same rule."""
    if check.worst is None:
        return
    name = f"{check.quantity}, {check.check}"
    truth = _second_truth(check, check.worst, name)
    stated = _stated(check.worst, name)
    if not truth.overlaps(stated):
        raise WitnessError(f"{name}: the second engine contradicts the stated enclosure")
    if check.verdict is Verdict.ERROR:
        return  # an exception or rubbish cannot be worked out again; it is no pass anyway
    found = _judged(check, truth.meet(stated), check.worst.value, name)
    if found is not check.verdict and check.verdict is not Verdict.UNDECIDED:
        raise WitnessError(f"{name}: the worst case is {found}, not {check.verdict}")


def _second_truth(check: Check, worst: Witness, name: str) -> Enclosure:
    try:
        answer = evaluate(
            check.quantity,
            {key: _number(value, name) for key, value in worst.parameters.items()},
            digits=_WITNESS_DIGITS,
            engine="second",
            budget=Budget(WITNESS_SECONDS, CASE_MAX_BITS),
        )
    except InputError as error:
        raise WitnessError(f"{name}: {error}") from None
    return answer.enclosure


def _number(value: str | int, name: str) -> Fraction | int:
    if isinstance(value, int):
        return value
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
    low, high = (_end(text, name) for text in (worst.lower, worst.upper))
    if isinstance(low, float) or isinstance(high, float):
        if low == high == math.inf:
            return Enclosure.infinite()
        return Enclosure.nothing_known()
    if low > high:
        raise WitnessError(f"{name}: the enclosure's lower end lies above its upper end")
    return Enclosure(Enclosure.of(low).low, Enclosure.of(high).high)


def _end(text: str, name: str) -> Fraction | float:
    try:
        return float(text) if text.endswith("inf") else exact_number(text, name)
    except InputError as error:
        raise WitnessError(str(error)) from None


def _judged(check: Check, truth: Enclosure, value: str, name: str) -> Verdict:
    rule, number = _rule(check), _hex_float(value, name)
    if math.isnan(number):
        raise WitnessError(f"{name}: the value is NaN")
    infinite_truth = truth == Enclosure.infinite()
    if math.isinf(number) or infinite_truth:
        return Verdict.CERTIFIED if infinite_truth and number == math.inf else Verdict.REFUTED
    return rule.passes(truth, Fraction(number))


def _rule(check: Check) -> Rule:
    slack = {check.quantity: exact_number(check.slack)}
    accuracy: Mapping[str, Fraction] = (
        {} if check.accuracy is None else {check.quantity: exact_number(check.accuracy)}
    )
    rules = rules_for(quantity_named(check.quantity), slack, accuracy)
    for rule in rules:
        if rule.check == check.check:
            return rule
    raise WitnessError(f"{check.quantity} has no check called {check.check}")


def _require_subject(statement: Statement, file: str | Path) -> None:
    digest = hashlib.sha256(read_file(file)).hexdigest()
    known = {item.digest.sha256 for item in statement.subject}
    if digest not in known:
        raise SubjectError(f"{file} (sha256 {digest}) is not a subject of the certificate")
