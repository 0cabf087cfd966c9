"""The referee's page: how far answers are off, on which side, and that nothing is left out."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import mpmath
import pytest
import referee
import referee_formulas
from simplexcert.certify.backends.accountants import ACCOUNTANTS
from simplexcert.certify.points import Case, Line
from simplexcert.certify.vectors.corpus import CORPUS
from simplexcert.certify.verdict import Verdict
from simplexcert.reference.enclosure import Enclosure
from simplexcert.reference.errors import InputError
from simplexcert.reference.quantity import Side

HALF, TINY = Fraction(1, 2), Fraction(1, 2**60)
ROW = referee.Row(
    accountant="one",
    name="One",
    version="1.0",
    quantity="gaussian.delta",
    judged_as="upper",
    domain={"epsilon": ["0", "1"]},
    verdict="refuted",
    not_passed=["direction"],
    cases=2,
    wrong=1,
    errors=1,
    undecided=1,
    undecided_at={"epsilon": "0.75"},
    first_error="it broke",
    unsafe=0.25,
    unsafe_at={"epsilon": "0.5"},
    unsafe_answer="0.375",
    unsafe_truth=["0.5", "0.5"],
    unsafe_from_least_delta=None,
    second_opinion="confirmed by mpfr",
    other_formula="confirmed: by <erfc>",
    loose_median=1.0,
    loose_worst=math.inf,
    seconds=0.125,
    seconds_of_the_truth=None,
    again="simplexcert certify third-party:one",
)


def line(value: float | str, truth: Fraction = HALF) -> Line:
    text = value if isinstance(value, str) else value.hex()
    case = Case(
        "gaussian.delta",
        "direction",
        {"noise_multiplier": 1.0, "epsilon": 0.5},
        text,
        Verdict.CERTIFIED,
        Enclosure.of(truth),
        Fraction(0),
        "above",
        Fraction(0),
        "",
    )
    return Line.of(case)


@pytest.mark.parametrize(
    ("value", "below", "above"),
    [(0.375, Fraction(1, 4), 0), (0.5, 0, 0), (1.0, 0, 1)],
)
def test_what_is_unsafe_below_is_loose_above(value: float, below: float, above: float) -> None:
    assert referee.off(line(value), Side.UPPER) == referee.Off(Fraction(below), Fraction(above))
    assert referee.off(line(value), Side.LOWER) == referee.Off(Fraction(above), Fraction(below))


def test_an_infinite_bound_is_infinitely_loose() -> None:
    assert referee.off(line(math.inf), Side.UPPER) == referee.Off(Fraction(0), math.inf)


@pytest.mark.parametrize("value", ["ValueError()", "nan"])
def test_what_is_no_number_has_no_distance(value: str) -> None:
    assert referee.off(line(value), Side.UPPER) is None


def test_a_distance_beyond_doubles_is_infinite() -> None:
    assert referee.rounded(Fraction(10**400)) == math.inf


def test_a_delta_below_any_meaning_is_told_apart() -> None:
    assert [referee.is_tiny(line(0.5, truth)) for truth in (HALF, TINY)] == [False, True]


def test_of_answers_that_are_as_far_off_the_one_of_the_largest_delta_is_shown() -> None:
    far, near = referee.Off(Fraction(1), Fraction(0)), referee.Off(HALF, Fraction(0))
    barely = referee.Off(1 - TINY, Fraction(0))
    ones = [(near, line(0.0, HALF)), (far, line(0.0, TINY)), (barely, line(0.0, HALF))]
    assert sorted(ones, key=referee._furthest_first) == [ones[2], ones[1], ones[0]]


def test_an_absent_accountant_is_told_and_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(where: str) -> None:
        raise InputError(f"{where} is not here")

    monkeypatch.setattr(referee, "load_backend", missing)
    absent: dict[str, str] = {}
    assert list(referee.rows(1, 1, absent)) == []
    assert absent == {name: f"third-party:{name} is not here" for name in ACCOUNTANTS}


def test_a_row_that_there_is_not_is_told_and_hides_no_other(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def made(accountant: str, _quantity: str, _cases: int) -> referee.Row:
        if accountant == "broken":
            raise InputError("it cannot be asked")
        return ROW

    monkeypatch.setattr(referee, "row_of", made)
    monkeypatch.setattr(referee, "_asked_for", lambda _: [("broken", "q"), ("one", "q")])
    absent: dict[str, str] = {}
    assert list(referee.rows(1, 1, absent)) == [ROW]
    assert absent == {"broken, q": "it cannot be asked"}
    assert [line.split()[-4] for line in capsys.readouterr().out.splitlines()] == [
        "third-party:broken",
        "third-party:one",
    ]


def test_the_page_and_the_json_have_every_row(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def found(_cases: int, _jobs: int, absent: dict[str, str]) -> Iterator[referee.Row]:
        absent["two"] = "it is not here"
        yield ROW

    monkeypatch.setattr(referee, "rows", found)
    referee.main(str(tmp_path), "2", "1")
    capsys.readouterr()
    written = json.loads((tmp_path / "referee.json").read_text(encoding="utf-8"), parse_float=str)
    (row,) = written["rows"]
    assert (row["unsafe"], row["loose_worst"], row["seconds_of_the_truth"]) == ("0.25", "inf", None)
    assert written["absent"] == {"two": "it is not here"}
    page = (tmp_path / "referee.html").read_text(encoding="utf-8")
    cells = re.findall("<td.*?>(.*?)</td>", page)
    assert cells == ['<a href="#unsafe-one-gaussian.delta">refuted</a>', "one", "1.0",
                     "gaussian.delta", "upper", "1 of 2", "1", "0.25", "",
                     "1", "inf", "0.12", "", "direction"]  # fmt: skip
    for told in ("<dd>0.375</dd>", "<dd>epsilon = 0.75</dd>", "<dd>epsilon from 0 to 1</dd>",
                 "in [0.5, 0.5]", "<code>it broke</code>", "it is not here",
                 "confirmed by mpfr", "confirmed: by &lt;erfc&gt;", ROW.again):  # fmt: skip
        assert told in page
    assert set(re.findall('href="#(.*?)"', page)) <= set(places := re.findall('id="(.*?)"', page))
    assert len(places) == len(set(places))


def held(quantity: str, safe: Side, **given: float) -> tuple[str, str]:
    """Return what is said again of an answer; ``answer`` is among what is given."""
    answer = given.pop("answer")
    case = Case(quantity, "direction", given, answer.hex(), Verdict.REFUTED, Enclosure.of(HALF),
                Fraction(0), "below", Fraction(0), "")  # fmt: skip
    return referee.looked_at_again([Line.of(case)], safe)


def test_an_unsafe_answer_is_confirmed_by_another_engine_and_another_formula() -> None:
    """And a safe one is not: its truth is 0.2384217 at 0.5."""
    for answer, safe in ((0.2384, Side.UPPER), (0.2385, Side.LOWER)):
        second, other = held("gaussian.delta", safe, noise_multiplier=1.0, epsilon=0.5,
                             answer=answer)  # fmt: skip
        assert second.startswith("confirmed by ")
        assert other.startswith("confirmed: delta there is 0.238421708135 by erfc")
    second, other = held("gaussian.delta", Side.UPPER, noise_multiplier=1.0, epsilon=0.5,
                         answer=0.2385)  # fmt: skip
    assert second.startswith("not decided by ")
    assert other.startswith("CONTRADICTED: ")


def test_where_the_second_engine_does_not_decide_it_is_asked_of_the_next(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    said = {0.25: ("not decided", "one"), 0.375: ("confirmed by mpfr", "two")}
    monkeypatch.setattr(referee, "_looked_at", lambda at, _: said[float.fromhex(at.value)])
    first, second = line(0.25), line(0.375)
    point = "noise_multiplier = 1.0, epsilon = 0.5"
    assert referee.looked_at_again([first, second], Side.UPPER) == (
        f"not decided; confirmed by mpfr, where 0.375 was answered at {point}",
        "one; two",
    )
    assert referee.looked_at_again([first], Side.UPPER) == said[0.25]
    assert referee.looked_at_again([second, first], Side.UPPER) == said[0.375]


def test_beyond_the_next_ones_the_largest_deltas_are_looked_at(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen: list[Line] = []
    monkeypatch.setattr(referee, "_looked_at", lambda at, _: seen.append(at) or ("no answer", ""))
    lines = [line(1.0, TINY * count) for count in (1, 1, 1, 2, 4, 3)]
    assert referee.looked_at_again(lines, Side.UPPER) == ("no answer", "")
    assert seen == [*lines[:3], lines[4], lines[5]]


@pytest.mark.parametrize("share", [0.999, 1.001])
def test_a_convolution_confirms_an_epsilon_of_training(share: float) -> None:
    """opacus#643: epsilon is 1.960811339 at that delta."""
    point = {"noise_multiplier": 3.0, "sampling_probability": 0.2, "steps": 50, "delta": 1 / 48000}
    said = referee_formulas.confirmed("dpsgd.epsilon", point, 1.960811339 * share, upper=True)
    assert said.startswith("confirmed" if share < 1 else "CONTRADICTED")


def test_two_coins_confirm_a_conversion_and_refute_none() -> None:
    point = {"order": 2.0, "epsilon": 0.5, "delta": 0.3}
    for epsilon, begins in ((0.2107, "confirmed"), (0.2112, "not shown")):
        said = referee_formulas.confirmed("renyi.epsilon_for_dp", point, epsilon, upper=True)
        assert said.startswith(begins)


def test_both_estimates_of_training_hold_the_truth() -> None:
    """Their error is an estimate; the enclosures are those of the corpus for accountants."""
    for file in ("dpsgd.delta.json",):
        for case in json.loads((CORPUS / file).read_bytes())["cases"]:
            given = {name: float.fromhex(value) if isinstance(value, str) else value
                     for name, value in case["inputs"].items()}  # fmt: skip
            found = referee_formulas.training_delta(**given)
            truth = float.fromhex(case["upper_double"])
            assert abs(found.delta - truth) <= referee_formulas.ERRORS * found.error
            assert found.error < 1e-6 * truth


def test_a_tail_of_few_large_losses_is_estimated(monkeypatch: pytest.MonkeyPatch) -> None:
    """No tilt has its mass there; both ends are of ``dpsgd.delta``."""
    monkeypatch.setattr(referee_formulas, "LATTICE", 1 << 16)
    given = {"noise_multiplier": 3.0, "sampling_probability": 0.001, "epsilon": 4.0}
    found = referee_formulas.training_delta(**given, steps=100)
    low, high = mpmath.mpf("5.510630727752e-235"), mpmath.mpf("5.510630727753e-235")
    room = referee_formulas.ERRORS * found.error
    assert low - room < found.delta < high + room
    assert room < low / 1000


def test_all_records_sampled_is_one_release_of_less_noise() -> None:
    """To more digits than a double of that noise has; both ends are of ``dpsgd.delta``."""
    found = referee_formulas.training_delta(1.0, 1.0, 3, 40.0)
    with mpmath.workdps(40):
        low = mpmath.mpf("6.6346120171242097450703636e-111")
        assert low < found.delta + found.error
        assert found.delta - found.error < low * (1 + mpmath.mpf("1e-25"))


@pytest.mark.parametrize(
    ("quantity", "answer"),
    [("gaussian.delta", 0.0), ("gaussian.delta", -0.5), ("gaussian.epsilon", 0.0)],
)
def test_an_answer_of_nothing_is_a_claim(quantity: str, answer: float) -> None:
    point = {"noise_multiplier": 1.0, "epsilon": 0.5, "delta": 0.1}
    del point[quantity.partition(".")[2]]
    said = referee_formulas.confirmed(quantity, point, answer, upper=True)
    assert said.startswith("confirmed: ")


@pytest.mark.parametrize(
    ("quantity", "answer"),
    [
        ("gaussian.epsilon", -0.5),
        ("gaussian.epsilon", math.inf),
        ("gaussian.noise_multiplier_for_dp", 0.0),
        ("gaussian.noise_multiplier_for_dp", -1.0),
        ("gaussian.delta", math.nan),
    ],
)
def test_an_answer_that_claims_nothing_has_no_formula(quantity: str, answer: float) -> None:
    point = {"noise_multiplier": 1.0, "epsilon": 0.5, "delta": 0.9}
    said = referee_formulas.confirmed(quantity, point, answer, upper=True)
    assert said == "no other formula here"
