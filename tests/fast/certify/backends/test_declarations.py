"""Declared domains and directions: nothing outside is asked, and all of it is told."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from each import each_of
from instances import instances
from simplexcert.certify import certify_backend
from simplexcert.certify.backends.declarations import declared_quantity
from simplexcert.certify.backends.protocol import as_backend
from simplexcert.certify.campaign import Campaign, transcript_writer
from simplexcert.certify.certificate import canonical_bytes, statement_of, verify
from simplexcert.certify.certificate.errors import AlgebraError, PolicyError, TranscriptError
from simplexcert.certify.certificate.policy import Policy
from simplexcert.certify.points import exact_point
from simplexcert.certify.search import strategies
from simplexcert.certify.search.screen import screen_point
from simplexcert.certify.search.strategies import point_at
from simplexcert.certify.verdict import Verdict
from simplexcert.reference.errors import InputError, UnknownNameError
from simplexcert.reference.quantity import quantity_named

Maker = Callable[..., str]

DELTA, EPSILON = "dirichlet.profile.delta", "dirichlet.profile.epsilon"
UP = "answer = math.nextafter(truth, math.inf) if math.isfinite(truth) else truth"
# Sound for alpha from 1 to 50 alone.
OF_A_PART = f"{UP}\nif not 1 <= given['alpha'] <= 50: answer = 0.0"
DOMAINS = {
    "a number": (DELTA, {"alpha": ("1/3", "1/2"), "epsilon": ("1/2", "1/2")}),
    "beyond the search range": (DELTA, {"alpha": ("5000", "6000")}),
    "a whole number": ("dirichlet.counts.delta_bound", {"n": ("5", "5")}),
    "columns of releases": ("dirichlet.composition.delta", {"releases": ("1/2", "3")}),
    "a law inside a record": ("pufferfish.gk16_scale", {"length": ("3", "5")}),
    "entries": ("dirichlet.utility.expected_kl", {"p": ("1/10", "9/10")}),
    "a length": ("dirichlet.utility.expected_kl", {"p.length": ("3", "4")}),
    "shares of a matrix": ("markov.stationary", {"P": ("1/20", "19/20"), "P.length": ("2", "2")}),
}


def ranges_of(domain: dict[str, tuple[str, str]]) -> dict[str, tuple[Fraction, Fraction]]:
    return {key: (Fraction(low), Fraction(high)) for key, (low, high) in domain.items()}


@each_of("name", list(DOMAINS))
def test_points_are_drawn_inside_a_declared_domain(name: str) -> None:
    quantity, domain = DOMAINS[name]
    declared = declared_quantity(quantity_named(quantity), ranges_of(domain))
    for index in range(instances(8, 24)):
        for point in (point_at(declared, "seed", index), screen_point(declared, "seed", index)):
            exact = exact_point(point)
            for key, (low, high) in ranges_of(domain).items():
                value = exact[key.removesuffix(".length")]
                numbers = [len(value)] if key.endswith(".length") else flat(value)  # type: ignore[arg-type]
                assert all(low <= number <= high for number in numbers), (key, value)


def flat(value: object) -> list[Fraction]:
    if isinstance(value, tuple):
        return [number for item in value for number in flat(item)]
    return [Fraction(value)]  # type: ignore[arg-type]


def campaign(where: str, cases: int = 60, lines: list[str] | None = None) -> Campaign:
    on_case = None if lines is None else lines.append
    return certify_backend(where, quantities="dirichlet.profile.*", cases=cases, on_case=on_case)


def declares(attribute: str, value: object) -> str:
    return f"{attribute} = {{{DELTA!r}: {value!r}}}"


IN_PART = declares("domain", {"alpha": [1, "50"]})


def test_a_backend_of_a_part_of_the_domain_is_certified_where_it_says_so(
    make_backend: Maker,
) -> None:
    assert campaign(make_backend(DELTA, OF_A_PART)).verdict is Verdict.REFUTED
    assert campaign(make_backend(DELTA, OF_A_PART, IN_PART)).verdict is Verdict.CERTIFIED


def test_nothing_outside_is_asked_of_relations_either(make_backend: Maker) -> None:
    asks = f"assert 1 <= given['alpha'] <= 50 and given['epsilon'] <= 2\n{UP}"
    within = declares("domain", {"alpha": [1, 50], "epsilon": [0, 2]})
    found = campaign(make_backend(DELTA, asks, within), cases=120)
    assert found.verdict is Verdict.CERTIFIED
    assert not sum(check.counts.errors for check in found.checks)


def test_an_own_forward_quantity_is_asked_inside_its_domain_alone(make_backend: Maker) -> None:
    """The inverse of a backend whose forward quantity is of a part."""
    within = f"domain = {{{DELTA!r}: {{'epsilon': [0, '1/100']}}}}"
    more = f"quantities = {{{EPSILON!r}: answering, {DELTA!r}: lambda **_: 1 / 0}}"
    where = make_backend(EPSILON, UP, f"{more}\n    {within}")
    found = certify_backend(where, quantities=EPSILON, cases=80)
    inverse = next(check for check in found.checks if check.check == "inverse")
    assert inverse.worst is not None
    assert found.checks[0].verdict is Verdict.CERTIFIED


def test_a_certificate_and_a_policy_tell_of_a_domain(make_backend: Maker, tmp_path: Path) -> None:
    lines: list[str] = []
    found = campaign(make_backend(DELTA, OF_A_PART, IN_PART), lines=lines)
    statement = statement_of(found)
    said = f"{DELTA}: nothing was asked but for alpha in [1, 50], as the backend declares"
    assert said in statement.predicate.non_claims
    certificate, transcript = tmp_path / "cert.json", tmp_path / "cases.jsonl.gz"
    certificate.write_bytes(canonical_bytes(statement))
    with transcript_writer(transcript) as write:
        for line in lines:
            write(line)
    assert verify(certificate, transcript=transcript, recheck="all").verdict is Verdict.CERTIFIED
    with pytest.raises(PolicyError, match=r"terms of its own: alpha in \[1, 50\]"):
        verify(certificate, policy=Policy(quantities=DELTA))


def test_a_certificate_of_a_domain_is_checked_whatever_order_its_parameters_were_given_in(
    make_backend: Maker, tmp_path: Path
) -> None:
    """A certificate's own order is that of the names."""
    within = f"domain = {{{DELTA!r}: {{'step': ['1/10', 1], 'alpha': [1, 50]}}}}"
    certificate = tmp_path / "cert.json"
    certificate.write_bytes(
        canonical_bytes(statement_of(campaign(make_backend(DELTA, UP, within))))
    )
    assert verify(certificate).verdict is Verdict.CERTIFIED


def test_a_certificate_that_hides_its_domain_is_refused(
    make_backend: Maker, tmp_path: Path
) -> None:
    lines: list[str] = []
    statement = statement_of(campaign(make_backend(DELTA, OF_A_PART, IN_PART), lines=lines))
    predicate = statement.predicate
    hidden = [replaced(check, domain=None) for check in predicate.checks]
    forged = replaced(predicate, checks=hidden, non_claims=predicate.non_claims[1:])
    path, transcript = tmp_path / "cert.json", tmp_path / "cases.jsonl.gz"
    path.write_bytes(canonical_bytes(replaced(statement, predicate=forged)))
    with transcript_writer(transcript) as write:
        for line in lines:
            write(line)
    with pytest.raises(TranscriptError, match="not of the point that the campaign's seed draws"):
        verify(path, transcript=transcript)


def replaced(what: Any, **changes: Any) -> Any:
    return type(what)(**{name: getattr(what, name) for name in what.__struct_fields__} | changes)


def test_checks_of_a_quantity_on_different_terms_are_refused(
    make_backend: Maker, tmp_path: Path
) -> None:
    statement = statement_of(campaign(make_backend(DELTA, OF_A_PART, IN_PART)))
    first, *rest = statement.predicate.checks
    forged = replaced(statement.predicate, checks=[replaced(first, domain=None), *rest])
    path = tmp_path / "cert.json"
    path.write_bytes(canonical_bytes(replaced(statement, predicate=forged)))
    with pytest.raises(AlgebraError, match="on different terms"):
        verify(path)


NEAR = "answer = truth * (1 - 1e-12)"


def test_an_estimate_is_held_to_an_accuracy_and_no_side(make_backend: Maker) -> None:
    assert campaign(make_backend(DELTA, NEAR)).verdict is Verdict.REFUTED
    where = make_backend(DELTA, NEAR, declares("direction", "estimate"))
    found = campaign(where)
    assert found.verdict is Verdict.CERTIFIED
    of_delta = [check.check for check in found.checks if check.quantity == DELTA]
    assert of_delta == ["accuracy", "determinism", "monotone", "limit", "form"]
    far = make_backend(DELTA, "answer = truth * (1 - 1e-8)", declares("direction", "estimate"))
    assert campaign(far).verdict is Verdict.REFUTED


def test_a_lower_bound_is_judged_on_that_side(make_backend: Maker) -> None:
    down = "answer = max(math.nextafter(truth, -math.inf), 0.0)"
    where = make_backend(DELTA, down, declares("direction", "lower"))
    assert campaign(where).verdict is Verdict.CERTIFIED
    assert campaign(make_backend(DELTA, UP, declares("direction", "lower"))).verdict is (
        Verdict.REFUTED
    )


def test_a_direction_that_is_the_usual_one_is_nothing_to_tell(make_backend: Maker) -> None:
    statement = statement_of(campaign(make_backend(DELTA, UP, declares("direction", "upper"))))
    assert not any("judged" in said for said in statement.predicate.non_claims)


WRONG = {
    "no mapping": ("domain", [1, 2], "no mapping"),
    "no pair": ("domain", {"alpha": [1]}, r"is not \[low, high\]"),
    "no number": ("domain", {"alpha": ["one", 2]}, "is not a number"),
    "an unknown parameter": ("domain", {"beta": [1, 2]}, "unknown parameter 'beta'"),
    "an empty range": ("domain", {"alpha": [2, 1]}, "meets .* nowhere"),
    "a range outside": ("domain", {"alpha": [-2, 0]}, "meets .* nowhere"),
    "a length of a number": ("domain", {"alpha.length": [1, 2]}, "has no length"),
    "an unknown direction": ("direction", "sideways", "is none of upper, lower, estimate"),
}


@each_of("name", list(WRONG))
def test_what_is_declared_wrongly_is_refused_before_any_case(name: str) -> None:
    attribute, value, sentence = WRONG[name]
    thing = SimpleNamespace(
        name="made", version="1", quantities={DELTA: print}, **{attribute: {DELTA: value}}
    )
    with pytest.raises((InputError, UnknownNameError), match=sentence):
        as_backend(thing, "made:backend")


def test_a_domain_without_points_is_refused_before_any_case(
    make_backend: Maker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each range alone has points, and no point has all of them."""
    monkeypatch.setattr(strategies, "MOST_TRIES", 200)
    name = "markov.stationary"
    within = f"domain = {{{name!r}: {{'P': ['2/3', '3/4']}}}}"
    where = make_backend(name, "answer = 1 / 0", within)
    with pytest.raises(InputError, match="no point there was found"):
        certify_backend(where, quantities=name, cases=2)
