"""Other forms: answers in arrays, in another process, or after all else are judged, too."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from each import each_of
from simplexcert.certify import certify_backend
from simplexcert.certify.backends.float64 import backend as built_in
from simplexcert.certify.campaign import Campaign, CheckResult, points_for_forms
from simplexcert.certify.certificate import statement_of
from simplexcert.certify.certificate.backend import require_algebra
from simplexcert.certify.certificate.errors import AlgebraError
from simplexcert.certify.checks.relations import StatedOther, by_the_first_engine, relation_verdict
from simplexcert.certify.points import Many, as_given
from simplexcert.certify.verdict import Verdict
from simplexcert.reference.domain import Interval
from simplexcert.reference.errors import InputError
from simplexcert.reference.quantity import quantity_named

DELTA, VARIATION = "dirichlet.profile.delta", "dirichlet.profile.total_variation"
VARIANCE, TAIL = "dirichlet.utility.variance", "dirichlet.tail.uniform"
Maker = Callable[..., str]

HEAD = """
import os
import numpy as np
from simplexcert.certify.backends.float64 import backend as built_in

delta = built_in.quantities["dirichlet.profile.delta"]
variation = built_in.quantities["dirichlet.profile.total_variation"]
variance = built_in.quantities["dirichlet.utility.variance"]
tail = built_in.quantities["dirichlet.tail.uniform"]


class backend:
    name, version, vectorized = "made", "1", {vectorized}
    quantities = {{}}
"""


def made(folder: Path, body: str, *, vectorized: bool = False) -> str:
    """Return a module's backend that no process has imported yet."""
    module = f"form_{folder.name.replace('-', '_')}"
    text = HEAD.format(vectorized=vectorized) + body
    (folder / f"{module}.py").write_text(text, encoding="utf-8")
    return f"{module}:backend"


@pytest.fixture
def found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Campaign]:
    monkeypatch.chdir(tmp_path)

    def run(body: str, *, vectorized: bool = False, cases: int = 40) -> Campaign:
        return certify_backend(made(tmp_path, body, vectorized=vectorized), cases=cases, screen=0)

    return run


# Upper bounds that are quick to enclose.
SOME = (
    VARIATION,
    "dirichlet.profile.delta",
    "dirichlet.profile.renyi",
    "dirichlet.add_remove.delta",
    "dirichlet.add_remove.renyi",
)


def form_of(campaign: Campaign, name: str) -> CheckResult:
    (check,) = (one for one in campaign.checks if (one.quantity, one.check) == (name, "form"))
    return check


def others_pass(campaign: Campaign) -> bool:
    rest = [one.verdict for one in campaign.checks if one.check != "form" and one.cases]
    return set(rest) == {Verdict.CERTIFIED}


ARRAY = """
def answer(alpha, step, epsilon):
    found = delta(alpha=alpha, step=step, epsilon=epsilon)
    if np.ndim(found):
        found[len(found) // 4 * 4:] *= {factor}
    return found
backend.quantities = {{"dirichlet.profile.delta": answer}}
"""


def test_the_rest_of_a_loop_over_arrays_is_found(found: Callable[..., Campaign]) -> None:
    campaign = found(ARRAY.format(factor=0.999), vectorized=True)
    check = form_of(campaign, DELTA)
    assert check.verdict is campaign.verdict is Verdict.REFUTED
    assert others_pass(campaign)


def test_arrays_that_differ_on_the_safe_side_are_loose(found: Callable[..., Campaign]) -> None:
    campaign = found(ARRAY.format(factor="1 + 1e-12"), vectorized=True)
    check = form_of(campaign, DELTA)
    assert check.verdict is campaign.verdict is Verdict.CERTIFIED
    assert 0 < check.counts.loose <= check.cases
    assert check.second == "overlaps"


def test_arrays_are_asked_of_whoever_declares_them_alone(found: Callable[..., Campaign]) -> None:
    check = form_of(found(ARRAY.format(factor=0.999)), DELTA)
    assert check.verdict is Verdict.CERTIFIED
    assert check.worst is not None
    # Another process, and the truth.
    assert [other.value is None for other in check.worst.others] == [False, True]


def test_whole_numbers_stay_numbers_in_calls_with_arrays(found: Callable[..., Campaign]) -> None:
    body = """
def answer(alpha, count, rest, gamma):
    assert isinstance(count, int)
    return tail(alpha=alpha, count=count, rest=rest, gamma=gamma)
backend.quantities = {"dirichlet.tail.uniform": answer}
"""
    assert form_of(found(body, vectorized=True), TAIL).verdict is Verdict.CERTIFIED


def test_what_is_no_array_is_an_error(found: Callable[..., Campaign]) -> None:
    wrong = ["float(found[0])", "found[:-1]", "found * np.nan", "[found]", "1 / 0"]
    answers = ", ".join(
        f"{name!r}: lambda found: {one}" for name, one in zip(SOME, wrong, strict=True)
    )
    body = f"""
def beside(name, wrong):
    def answer(**given):
        found = built_in.quantities[name](**given)
        return wrong(found) if np.ndim(found) else found
    return answer
backend.quantities = {{name: beside(name, wrong) for name, wrong in {{{answers}}}.items()}}
"""
    campaign = found(body, vectorized=True, cases=8)
    for name in SOME:
        assert form_of(campaign, name).verdict is Verdict.ERROR, name
    assert others_pass(campaign)


def test_an_array_that_is_changed_is_an_error(found: Callable[..., Campaign]) -> None:
    body = """
def answer(p, k):
    found = variance(p=p, k=k)
    if np.ndim(p):
        p[0] = 0.5
    return found
backend.quantities = {"dirichlet.utility.variance": answer}
"""
    check = form_of(found(body, vectorized=True, cases=12), VARIANCE)
    assert check.verdict is Verdict.ERROR
    assert check.worst is not None
    assert "changed its arguments" in check.worst.reason


def test_what_another_quantity_leaves_behind_is_found(found: Callable[..., Campaign]) -> None:
    body = """
left = [1.0]
def disturbing(p, k):
    left[0] = 0.999
    return variance(p=p, k=k)
backend.quantities = {
    "dirichlet.profile.delta": lambda **given: delta(**given) * left[0],
    "dirichlet.utility.variance": disturbing,
}
"""
    campaign = found(body)
    assert form_of(campaign, DELTA).verdict is Verdict.REFUTED
    assert form_of(campaign, VARIANCE).verdict is Verdict.CERTIFIED
    assert others_pass(campaign)


def test_what_hangs_on_threads_or_locale_is_found(
    found: Callable[..., Campaign], monkeypatch: pytest.MonkeyPatch
) -> None:
    here = {
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "MKL_NUM_THREADS": "1",
        "LC_ALL": "POSIX",
    }
    for name, value in here.items():
        monkeypatch.setenv(name, value)
    hanging = dict(zip(SOME, here.items(), strict=False))
    body = f"""
def hanging(name, variable, value):
    factor = 1 if os.environ[variable] == value else 0.999
    return lambda **given: built_in.quantities[name](**given) * factor
backend.quantities = {{name: hanging(name, *on) for name, on in {hanging!r}.items()}}
"""
    campaign = found(body, cases=20)
    for name in hanging:
        assert form_of(campaign, name).verdict is Verdict.REFUTED, name
    assert others_pass(campaign)


def test_a_program_has_the_same_environment_but_for_that(
    found: Callable[..., Campaign], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OF_THE_USER", "kept")
    body = """
assert os.environ["OF_THE_USER"] == "kept"
backend.quantities = {"dirichlet.utility.variance": variance}
"""
    assert form_of(found(body, cases=8), VARIANCE).verdict is Verdict.CERTIFIED


def test_without_another_form_the_check_is_inapplicable(make_backend: Maker) -> None:
    check = form_of(
        certify_backend(make_backend(VARIANCE, "answer = truth"), quantities=VARIANCE), VARIANCE
    )
    assert (check.verdict, check.cases) == (Verdict.INAPPLICABLE, 0)


def test_where_forms_differ_most_is_judged_first(found: Callable[..., Campaign]) -> None:
    """Two of fifty points are wrong in arrays, and among the eight that come to a case."""
    body = """
def answer(alpha, step):
    value = variation(alpha=alpha, step=step)
    if np.ndim(value):
        value[37] *= 0.5
    return value
backend.quantities = {"dirichlet.profile.total_variation": answer}
"""
    check = form_of(found(body, vectorized=True, cases=100), VARIATION)
    assert (check.cases, check.counts.wrong) == (8, 2)


def test_no_quantity_is_left_out_of_other_forms(found: Callable[..., Campaign]) -> None:
    body = """
backend.quantities = {
    "dirichlet.utility.variance": variance,
    "dirichlet.profile.total_variation": variation,
}
"""
    statement = statement_of(found(body, cases=4))
    told = statement.predicate.non_claims
    assert not any("another process" in each for each in told)
    require_algebra(statement)
    checks = [
        msgspec.structs.replace(
            one, cases=0, verdict=Verdict.INAPPLICABLE, worst=None, ulps=None,
            second="inapplicable", loose=0,
        )
        if (one.quantity, one.check) == (VARIANCE, "form")
        else one
        for one in statement.predicate.checks
    ]  # fmt: skip
    predicate = msgspec.structs.replace(statement.predicate, checks=checks)
    with pytest.raises(AlgebraError, match="left out of those that were asked in other forms"):
        require_algebra(msgspec.structs.replace(statement, predicate=predicate))


def test_that_no_other_form_was_asked_is_told(make_backend: Maker) -> None:
    campaign = certify_backend(
        make_backend(VARIANCE, "answer = truth"), quantities=VARIANCE, cases=4
    )
    told = statement_of(campaign).predicate.non_claims
    assert f"Neither arrays nor another process were asked of {VARIANCE}." in told


POINT = {"alpha": 2, "step": 1, "epsilon": 1}


def ruled(value: Fraction, others: list[StatedOther]) -> Verdict:
    none, asked = Fraction(0), quantity_named(DELTA)
    return relation_verdict("form", asked, POINT, value, others, none, None, by_the_first_engine)[0]


def other(
    value: Fraction | None, point: Mapping[str, Any] = POINT, name: str = DELTA
) -> StatedOther:
    return StatedOther(name, point, value)


TRUTH, HALF = other(None), Fraction(1, 2)


def test_each_form_is_held_against_the_truth() -> None:
    high, low = Fraction(1), Fraction(0)
    assert ruled(high, [other(high), TRUTH]) is Verdict.CERTIFIED
    assert ruled(low, [other(high), TRUTH]) is Verdict.REFUTED
    assert ruled(high, [other(low), TRUTH]) is Verdict.REFUTED
    assert ruled(high, [other(high), other(low), TRUTH]) is Verdict.REFUTED


@each_of(
    "others",
    [
        [],
        [TRUTH],
        [other(HALF)],
        [TRUTH, other(HALF)],
        [other(HALF), TRUTH, TRUTH],
        [other(HALF, {**POINT, "step": 2}), TRUTH],
        [other(HALF), other(None, {**POINT, "step": 2})],
        [other(HALF, name="dirichlet.pair.delta"), TRUTH],
        [other(HALF)] * 4 + [TRUTH],
    ],
)
def test_what_is_no_case_of_other_forms_is_refused(others: list[StatedOther]) -> None:
    with pytest.raises((InputError, LookupError)):
        ruled(HALF, others)


@each_of("name", list(built_in.quantities))
def test_the_built_in_backend_takes_arrays_of_reals(name: str) -> None:
    quantity, function = quantity_named(name), built_in.quantities[name]
    reals = [
        each
        for each, kind in quantity.parameters.items()
        if isinstance(kind, Interval) and kind.kind == "real"
    ]
    if quantity.shape or not reals:
        return
    point = points_for_forms(quantity, "arrays", 2)[0]
    arrays = {**point, **{each: Many([point[each]] * 3) for each in reals}}
    answers = function(**as_given(arrays))
    alone = function(**as_given(point))
    assert np.shape(answers) == (3,)
    assert (np.isfinite(answers) == np.isfinite(alone)).all()


def test_a_program_may_take_arrays(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(
        """
import json, sys
sys.stdin.readline()
print(json.dumps({"name": "p", "version": "1", "vectorized": True,
                  "quantities": ["dirichlet.utility.variance"]}), flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    given = asked["parameters"]
    rows = given["p"] if "arrays" in asked else [given["p"]], \\
        given["k"] if "arrays" in asked else [given["k"]]
    found = []
    for p, k in zip(*rows):
        p, k = float.fromhex(p), float.fromhex(k)
        found.append((p * (1 - p) / (k + 1)).hex())
    if "arrays" in asked:
        assert asked["arrays"] == ["p", "k"]
        found[-1] = "0x1p+0"
    print(json.dumps({"id": asked["id"], "value": found if "arrays" in asked else found[0]}),
          flush=True)
""",
        encoding="utf-8",
    )
    where = f"command:{sys.executable} {program}"
    check = form_of(certify_backend(where, cases=12, screen=0), VARIANCE)
    assert check.verdict is Verdict.REFUTED
