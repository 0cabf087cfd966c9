"""The guarded integral: right across branch cuts, wide where it does not converge."""

from __future__ import annotations

import ast
import re
from fractions import Fraction
from pathlib import Path

import pytest
from flint import acb, arb
from simplexcert.reference import arb as vocabulary
from simplexcert.reference.arb.balls import ball, enclosure_of, working_precision
from simplexcert.reference.arb.gamma import log_beta
from simplexcert.reference.arb.integration import Cuts, integrate
from simplexcert.reference.precision import Budget, BudgetSpentError, climb

ROOT = Path(vocabulary.__file__).parents[1]
TWO_THIRDS = Fraction(2, 3)


def test_the_trap_an_unguarded_power_integrates_to_a_tight_wrong_number() -> None:
    wrong = acb.integral(lambda x, _: x ** acb("0.5"), acb(0), acb(1)).real
    assert not wrong.overlaps(ball(TWO_THIRDS))


def test_a_guarded_power_integrates_to_the_right_number() -> None:
    found = integrate(lambda x, cuts: cuts.power(x, arb("0.5")), arb(0), arb(1))
    assert found.overlaps(ball(TWO_THIRDS))
    assert found.rel_accuracy_bits() > 8


def test_a_guarded_root_and_logarithm_integrate_to_the_right_numbers() -> None:
    root = integrate(lambda x, cuts: cuts.square_root(1 - x * x), arb(-1), arb(1))
    assert root.overlaps(arb.pi() / 2)
    logarithm = integrate(lambda x, cuts: cuts.log(x), arb(1), arb(2))
    assert logarithm.overlaps(2 * arb(2).log() - 1)


def test_the_guards_answer_nothing_on_a_box_that_meets_the_cut() -> None:
    box = acb(arb(0, 1), arb(0, 1))
    assert not Cuts(analytic=True).power(box, arb("0.5")).is_finite()
    assert not Cuts(analytic=True).log(box).is_finite()
    assert not Cuts(analytic=True).square_root(box).is_finite()


@pytest.mark.parametrize(("a", "b"), [("2.5", "7.25"), ("1.5", "1.5"), ("20", "3")])
def test_a_beta_integral_is_the_beta_function(a: str, b: str) -> None:
    first, second = Fraction(a), Fraction(b)
    with working_precision(64):
        found = integrate(
            lambda x, cuts: cuts.power(x, ball(first - 1)) * cuts.power(1 - x, ball(second - 1)),
            arb(0),
            arb(1),
        )
        assert found.overlaps(log_beta(first, second).exp())


def test_what_does_not_converge_stays_wide() -> None:
    with working_precision(32):
        found = integrate(lambda x, _: 1 / x, arb(0), arb(1))
    assert not enclosure_of(found).is_narrow(1)


def test_an_error_of_the_integrand_comes_through_as_itself() -> None:
    def broken(_x: acb, _cuts: Cuts) -> acb:
        raise ZeroDivisionError("as itself")

    with pytest.raises(ZeroDivisionError, match="as itself"):
        integrate(broken, arb(0), arb(1))


def test_nothing_is_asked_of_the_integrand_after_its_exception() -> None:
    """FLINT itself goes on: what a spent budget ends would take its time all the same."""
    asked: list[acb] = []

    def failing(point: acb, _: Cuts) -> acb:
        asked.append(point)
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        integrate(failing, arb(0), arb(1))
    assert len(asked) == 1


def test_an_integral_notices_that_the_time_is_over() -> None:
    def at(bits: int) -> object:
        with working_precision(bits), pytest.raises(BudgetSpentError):
            integrate(lambda x, _: x.exp(), arb(0), arb(1))
        raise BudgetSpentError

    climb(at, lambda _: True, 64, Budget(seconds=-1))  # type: ignore[arg-type]


def test_no_other_module_calls_the_raw_integral() -> None:
    callers = [
        file.name
        for file in ROOT.rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute) and node.attr == "integral"
    ]
    assert callers == ["integration.py"]


def test_the_unsound_interval_module_is_imported_nowhere() -> None:
    words = [
        (file.name, alias.name)
        for folder in ("reference", "certify", "tests", "benchmarks")
        for file in (ROOT.parent / folder).rglob("*.py")
        if re.search(r"\biv\b", text := file.read_text(encoding="utf-8"))
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    ]
    assert words
    assert not [word for word in words if word[1] in ("iv", "mpmath.iv")]
