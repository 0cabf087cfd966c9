"""Test vectors: what they say is true, tight and complete, and the same on every machine."""

from __future__ import annotations

import itertools
import json
import math
import random
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import jsonschema
import msgspec
import pytest
from each import each, each_of
from simplexcert.certify.backends.float64 import backend
from simplexcert.certify.checks.judgement import judge, rules_for
from simplexcert.certify.points import exact_point
from simplexcert.certify.vectors import cases as cases_module
from simplexcert.certify.vectors import points as points_module
from simplexcert.certify.vectors.cases import (
    TooSlowError,
    double_beside,
    doubles_around,
    is_beyond,
    is_decided,
    truth_at,
)
from simplexcert.certify.vectors.flags import FLAGS, flags_of_point, flags_of_truth
from simplexcert.certify.vectors.outside import points_outside, reason_outside
from simplexcert.certify.vectors.points import (
    MAX_WHOLE,
    _as_doubles,
    case_id,
    drawn_points,
    edge_points,
    has_whole_numbers,
    inputs_exact,
    is_narrow,
    is_quick,
    is_written,
    known_points,
    numbers_of,
)
from simplexcert.certify.vectors.schema import (
    FOLDER,
    SCHEMAS,
    Index,
    VectorCase,
    VectorFile,
    schema_text,
)
from simplexcert.certify.vectors.writing import cases_of, vector_file
from simplexcert.certify.verdict import Verdict
from simplexcert.reference import InputError, evaluate, quantities
from simplexcert.reference.dyadic import MINUS_INFINITY, PLUS_INFINITY, Dyadic
from simplexcert.reference.enclosure import Enclosure, Enclosures, overlap
from simplexcert.reference.errors import SoundnessError
from simplexcert.reference.precision import Climbed
from simplexcert.reference.quantity import Side, Truth, quantity_named
from simplexcert.reference.second import edges

TOTAL = "dirichlet.profile.total_variation"
GOOD_SET = "dirichlet.identity.epsilon_bound"
DIGITS = 40
Cases = Iterator[tuple[str, dict[str, Any]]]


def inside(files: dict[str, Any]) -> Cases:
    for name, file in files.items():
        yield from ((name, case) for case in file["cases"] if case["result"] != "invalid")


def outside(files: dict[str, Any]) -> Cases:
    for name, file in files.items():
        yield from ((name, case) for case in file["cases"] if case["result"] == "invalid")


def flat(value: Any) -> list[Any]:
    return [leaf for item in value for leaf in flat(item)] if isinstance(value, list) else [value]


def entries(case: dict[str, Any]) -> Iterator[tuple[Fraction, Fraction, float, float]]:
    """Yield each entry's finite ends, as decimals and as doubles."""
    fields = ("lower", "upper", "lower_double", "upper_double")
    for low, high, below, above in zip(*(flat(case[field]) for field in fields), strict=True):
        if "inf" not in (low, high):
            yield (
                Fraction(low),
                Fraction(high),
                float.fromhex(below),
                float.fromhex(above),
            )


# ---- what a case says is true ----


def test_the_truth_lies_between_the_decimals(files: dict[str, Any]) -> None:
    for name, case in inside(files):
        answer = evaluate(name, case["inputs_exact"], digits=DIGITS)
        told = [
            Enclosure(Dyadic.rounded(low, 400, up=False), Dyadic.rounded(high, 400, up=True))
            for low, high, *_ in entries(case)
        ]
        found = [
            one if one.exact is None else Enclosure.of(one.exact, 400)
            for one in _numbers(answer.enclosure)
        ]
        assert answer.narrow
        for one, other in zip(told, [item for item in found if item.high.is_finite], strict=True):
            assert one.low <= other.low
            assert other.high <= one.high


def _numbers(found: Any) -> Iterator[Enclosure]:
    if isinstance(found, Enclosures):
        for entry in found.entries:
            yield from _numbers(entry)
    else:
        yield found


def test_the_second_engine_says_the_same(files: dict[str, Any]) -> None:
    for name, file in files.items():
        case = next(case for case in file["cases"] if case["result"] == "valid")
        first, second = (
            evaluate(name, case["inputs_exact"], engine=engine) for engine in ("arb", "second")
        )
        assert second.narrow
        assert overlap(first.enclosure, second.enclosure)
        assert [item["engine"] for item in file["engines"]] == ["arb", second.engine]
        assert [item["rigorous"] for item in file["engines"]] == [True, second.rigorous]


def test_decimals_are_narrow_to_25_digits(files: dict[str, Any]) -> None:
    for _, case in inside(files):
        for low, high, *_ in entries(case):
            assert high - low <= max(abs(low), abs(high)) / 10**22


def test_doubles_are_the_nearest_around_the_decimals(files: dict[str, Any]) -> None:
    for name, case in inside(files):
        for low, high, below, above in entries(case):
            # Decimals may be rounded outward past a truth that is a double.
            assert Fraction(below) <= high
            assert low <= Fraction(above)
            if files[name]["safe"] != "none":
                assert math.nextafter(below, math.inf) >= above


def test_an_infinite_truth_is_infinite_in_every_field(files: dict[str, Any]) -> None:
    found = [case for _, case in inside(files) if "InfiniteTruth" in case["flags"]]
    assert found
    for case in found:
        for field in ("lower", "upper", "lower_double", "upper_double"):
            assert "inf" in flat(case[field])


def test_exact_truths_are_what_the_decimals_enclose(files: dict[str, Any]) -> None:
    found = [case for _, case in inside(files) if case["exact"] is not None]
    assert found
    for case in found:
        assert "ExactTruth" in case["flags"]
        for exact, (low, high, below, above) in zip(
            flat(case["exact"]), entries(case), strict=True
        ):
            assert low <= Fraction(exact) <= high
            assert Fraction(below) <= Fraction(exact) <= Fraction(above)


def test_the_rule_in_doubles_is_the_verdict_of_the_checks(files: dict[str, Any]) -> None:
    for name, case in inside(files):
        quantity = quantity_named(name)
        if quantity.safe is Side.NONE or "InfiniteTruth" in case["flags"]:
            continue
        below, above = (float.fromhex(case[f"{end}_double"]) for end in ("lower", "upper"))
        safe, unsafe = (above, below) if quantity.safe is Side.UPPER else (below, above)
        if safe == unsafe:
            unsafe = math.nextafter(safe, -math.inf if quantity.safe is Side.UPPER else math.inf)
        exact = quantity.read(case["inputs_exact"])
        (rule,) = rules_for(quantity, {}, {})
        assert judge(quantity, exact, safe, rule).verdict is Verdict.CERTIFIED
        # Below what is printed nothing need be unsound; nor is it what was asked for.
        printed = quantity.truth is Truth.PRINTED
        beyond = {Verdict.REFUTED, Verdict.INAPPLICABLE} if printed else {Verdict.REFUTED}
        assert judge(quantity, exact, unsafe, rule).verdict in beyond


def test_inputs_are_exactly_what_the_fractions_say(files: dict[str, Any]) -> None:
    for _, case in inside(files):
        for told, exact in zip(_leaves(case["inputs"]), _leaves(case["inputs_exact"]), strict=True):
            if isinstance(told, int):
                assert exact == str(told)
            elif told.startswith(("0x", "-0x")):
                assert Fraction(exact) == Fraction(float.fromhex(told))
            else:
                assert exact == told


def _leaves(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return [leaf for key in sorted(value) for leaf in _leaves(value[key])]
    return (
        [leaf for item in value for leaf in _leaves(item)] if isinstance(value, list) else [value]
    )


def test_the_built_in_backend_passes(files: dict[str, Any]) -> None:
    for name in (TOTAL, "dirichlet.profile.renyi", "dirichlet.counts.epsilon_bound"):
        for _, case in inside({name: files[name]}):
            given = {
                key: value if isinstance(value, int) else float.fromhex(value)
                for key, value in case["inputs"].items()
            }
            answer = float(backend.quantities[name](**given))
            if case["result"] == "valid" or not math.isnan(answer):
                above = float.fromhex(case["upper_double"])
                assert answer >= above
                assert math.isinf(answer) == math.isinf(above)


# ---- what has to be refused ----


@each(sorted(quantities()))
def test_points_outside_are_refused_by_the_reference(name: str) -> None:
    quantity = quantity_named(name)
    base = next(drawn_points(quantity, "outside"))
    found = list(points_outside(quantity, base))
    assert len(found) >= 6
    for point, why, *_ in found:
        assert why
        assert reason_outside(quantity, point) == why
        with pytest.raises(InputError):
            quantity.read(inputs_exact(point))


def test_invalid_inputs_are_refused_and_have_no_truth(files: dict[str, Any]) -> None:
    for name, case in outside(files):
        with pytest.raises(InputError):
            evaluate(name, case["inputs_exact"])
        assert case["lower"] is case["upper"] is case["exact"] is None
        assert case["lower_double"] is case["upper_double"] is None
        assert case["comment"]
        assert "OutOfDomain" in case["flags"]


def test_each_kind_of_invalid_input_occurs(files: dict[str, Any]) -> None:
    flags = {flag for _, case in outside(files) for flag in case["flags"]}
    assert flags == {"OutOfDomain", "NotFinite", "NegativeParameter", "Malformed"}


def test_a_joint_condition_broken_by_rounding_alone_is_not_asked_to_be_refused() -> None:
    # Twice this gamma breaks 2 gamma < 1 by 2^-24, within the margin; eight times it by far.
    base = {"k": 7.0, "eta": 0.1, "eta_bar": 0.25, "b": 0.25, "w": 2, "gamma": 0.25 * (1 + 2**-24)}
    found = [point["gamma"] for point, *_ in points_outside(quantity_named(GOOD_SET), base)]
    assert 2 * base["gamma"] not in found
    wider = {**base, "gamma": 0.25 * (1 + 2**-12)}
    found = [point["gamma"] for point, *_ in points_outside(quantity_named(GOOD_SET), wider)]
    assert 2 * wider["gamma"] in found


def test_a_law_that_is_off_by_rounding_is_not_asked_to_be_refused() -> None:
    quantity = quantity_named("dirichlet.utility.expected_kl")
    small = 2.0**-30
    base = {"p": (0.5, 0.5 - small, small), "k": 3.0}
    assert (0.5, 0.5 - small) not in [point["p"] for point, *_ in points_outside(quantity, base)]
    large = {"p": (0.5, 0.25, 0.25), "k": 3.0}
    assert (0.5, 0.25) in [point["p"] for point, *_ in points_outside(quantity, large)]


# ---- which cases there are ----


def test_about_a_third_are_negative_or_edges_and_known_ones_come_besides(
    files: dict[str, Any],
) -> None:
    for name, file in files.items():
        hard = [
            case
            for case in file["cases"]
            if {"OutOfDomain", "Boundary", "WorstKnown"} & set(case["flags"])
        ]
        assert file["number_of_cases"] == len(file["cases"]) == 36
        assert 36 / 5 <= len(hard) <= 36 / 2
        assert sum(case["result"] == "invalid" for case in file["cases"]) == 6
        flagged = [case for case in file["cases"] if "WorstKnown" in case["flags"]]
        known = {case_id(name, point) for point in known_points(quantity_named(name))}
        assert len(flagged) <= 6
        assert {case["id"] for case in flagged} <= known


def test_identifiers_are_digests_of_what_is_asked(files: dict[str, Any]) -> None:
    for name, file in files.items():
        found = [case["id"] for case in file["cases"]]
        assert found == sorted(set(found))
        point = next(drawn_points(quantity_named(name), "an identifier"))
        assert case_id(name, point) == case_id(name, dict(reversed(point.items())))
        assert case_id(name, point) != case_id(f"{name}.other", point)


def test_a_case_that_two_seeds_share_is_the_same_case(files: dict[str, Any]) -> None:
    other = {case.id: msgspec.to_builtins(case) for case in cases_of(quantity_named(TOTAL), 36, 1)}
    shared = [case for case in files[TOTAL]["cases"] if case["id"] in other]
    assert shared
    assert len(shared) < 36
    for case in shared:
        assert case == other[case["id"]]


def test_every_flag_that_is_set_is_described_in_the_file(files: dict[str, Any]) -> None:
    for file in files.values():
        used = {flag for case in file["cases"] for flag in case["flags"]}
        assert set(file["flags"]) == used
        for meaning in file["flags"].values():
            assert all(meaning[part] for part in ("description", "bug", "reference"))


@each_of(
    "point, expected",
    [
        ({"a": 0.1, "b": 0.7}, set()),
        ({"a": 0.0, "b": 0.7}, {"ZeroParameter"}),
        ({"a": 2.0**-20, "b": 0.7}, {"TinyParameter"}),
        ({"a": -(2.0**20) - 0.1}, {"HugeParameter"}),
        ({"a": 1000.1, "b": 1000.1 / 2**30}, {"LargeRatio", "TinyParameter"}),
        ({"a": 5e-324, "b": 1.7e308}, {"LargeRatio", "TinyParameter", "HugeParameter", "Integer"}),
        ({"a": (0.1, 0.3), "b": 0.1}, {"EqualParameters"}),
        ({"a": 3.0}, {"Integer"}),
        ({"a": 2.5}, {"HalfInteger"}),
        ({"a": 3, "b": "row"}, set()),
    ],
)
def test_flags_of_parameters(point: dict[str, Any], expected: set[str]) -> None:
    assert set(flags_of_point(point)) == expected


@each_of(
    "truth, expected",
    [
        (Enclosure.of(Fraction(1, 3)), set()),
        (Enclosure.infinite(), {"InfiniteTruth"}),
        (Enclosure.of(Fraction(0)), {"ZeroTruth"}),
        (Enclosure.of(Fraction(1, 2**31)), {"Cancellation"}),
        (Enclosure.of(Fraction(-1, 2**31)), {"Cancellation"}),
        (Enclosure.of(Fraction(1, 2**1023)), {"Cancellation", "Underflow"}),
        (Enclosure.of(Fraction(2**1023)), {"HugeTruth", "NearOne"}),
        (Enclosure.of(1 - Fraction(1, 2**21)), {"NearOne"}),
        (Enclosures((Enclosure.of(Fraction(0)), Enclosure.of(Fraction(1, 3)))), {"ZeroTruth"}),
    ],
)
def test_flags_of_truths(truth: Any, expected: set[str]) -> None:
    assert set(flags_of_truth(quantity_named(TOTAL), truth)) == expected


def test_every_flag_of_the_glossary_can_be_set(files: dict[str, Any]) -> None:
    # Numbers so large that few quantities have them.
    rare = {"HugeTruth", "HugeParameter"}
    found = {flag for file in files.values() for flag in file["flags"]}
    assert found | rare == set(FLAGS)


def test_every_edge_that_both_engines_are_asked_at_is_known_where_doubles_have_it() -> None:
    for name, points in edges().items():
        quantity = quantity_named(name)
        known = known_points(quantity)
        for point in points:
            doubles = _as_doubles(quantity, point)
            assert doubles is None or doubles in known, (name, point)


def test_an_edge_that_doubles_have_exactly_is_known_as_it_is() -> None:
    for name, points in edges().items():
        quantity = quantity_named(name)
        known = [exact_point(point) for point in known_points(quantity)]
        for point in points:
            exact = quantity.read(point)
            if all(
                abs(number) <= MAX_WHOLE and Fraction(float(number)) == number
                for number in numbers_of(exact)
            ):
                assert exact in known, (name, point)


def test_edges_are_at_the_last_double_inside() -> None:
    quantity = quantity_named(GOOD_SET)
    base = {"k": 7.0, "eta": 0.1, "eta_bar": 0.2, "b": 0.3, "w": 2, "gamma": 0.1}
    edges = list(edge_points(quantity, base))
    last = [edge.point for edge in edges if "last double" in edge.comment]
    assert {**base, "gamma": math.nextafter(0.5, 0)} in last
    for edge in edges:
        assert quantity.admits(exact_point(edge.point))
    for point in last:
        assert is_narrow(quantity, point)
    assert not is_narrow(quantity, base)


def test_no_edge_is_the_smallest_double_there_is() -> None:
    quantity = quantity_named("pufferfish.quilt_scale_approx")
    base = {"pi_min": 0.25, "gap": 0.5, "length": 39, "epsilon": 25.0}
    numbers = {edge.point["gap"] for edge in edge_points(quantity, base)}
    assert numbers
    assert min(abs(float(number)) for number in numbers if number) > 1e-9  # type: ignore[arg-type]


def test_far_from_what_is_usual_an_implementation_may_refuse(files: dict[str, Any]) -> None:
    quantity = quantity_named("dirichlet.profile.delta")
    point = {"alpha": 1.0, "step": 1.0, "epsilon": 1.0}
    assert not is_beyond(quantity, point)
    assert not is_beyond(quantity, {**point, "epsilon": 0.0})  # an end of the domain
    assert is_beyond(quantity, {**point, "epsilon": 1e-30})
    assert is_beyond(quantity, {**point, "alpha": 1e9})
    assert any(case["result"] == "acceptable" for _, case in inside(files))


def test_drawn_points_are_all_different_and_depend_on_the_seed_alone() -> None:
    quantity = quantity_named("markov.model.k_minimum")
    first, again, other = (
        [case_id("", next(points)) for _ in range(50)]
        for points in (drawn_points(quantity, text) for text in ("one", "one", "two"))
    )
    assert first == again
    assert len(set(first)) == 50
    assert first != other


def test_a_domain_of_a_few_points_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    few = itertools.cycle([{"a": 1}, {"a": 2}, {"a": 1}])
    monkeypatch.setattr(points_module, "points_from", lambda *_: few)
    found = list(drawn_points(quantity_named(TOTAL), "few"))
    assert found == [{"a": 1}, {"a": 2}]


def test_truths_that_nobody_can_tell_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cases_module, "truth_at", lambda *_: None)
    found = cases_of(quantity_named("pufferfish.entry_scale"), 12, 0)
    assert {case.result for case in found} == {"invalid"}


def test_integers_that_json_cannot_carry_make_no_case() -> None:
    assert is_written({"N": MAX_WHOLE})
    assert not is_written({"N": MAX_WHOLE + 1})


def test_a_vector_of_whole_numbers_has_no_floats() -> None:
    quantity = quantity_named("markov.certificate_ergodicity")
    point: dict[str, Any] = {"k": (9.5, 26.0), "sizes": (3, 4), "beta": 0.1, "grid_bits": 53}
    assert has_whole_numbers(quantity, point)
    assert not has_whole_numbers(quantity, {**point, "sizes": point["k"]})


def test_drawn_points_keep_out_of_where_the_truth_is_slow_to_find() -> None:
    def quick(name: str, point: dict[str, Any]) -> bool:
        return is_quick(quantity_named(name), point)

    assert quick("dirichlet.counts.k_for_dp", {"eta": 0.2, "N": 200})
    assert not quick("dirichlet.counts.k_for_dp", {"eta": 0.2, "N": 201})
    assert not quick("markov.model.k_for_dp", {"N": (7, 101)})
    assert not quick("dirichlet.counts.gamma", {"k": 0.4, "eta": 0.1})
    assert quick("dirichlet.composition.epsilon", {"releases": ((0.3, 0.1, 2), (9.0, 0.1, 2))})
    assert not quick("dirichlet.composition.epsilon", {"releases": ((9.0, 9.0, 2), (0.2, 9.0, 2))})


# ---- what cannot be decided makes no case, and what is contradicted makes no file ----


def test_out_of_precision_there_is_no_case(monkeypatch: pytest.MonkeyPatch) -> None:
    point = exact_point({"alpha": 1.5, "step": 2.0})
    assert truth_at(quantity_named(TOTAL), point) is not None
    monkeypatch.setattr(cases_module, "CASE_MAX_BITS", 2)
    assert truth_at(quantity_named(TOTAL), point) is None


def test_out_of_time_nothing_is_guessed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cases_module, "MAX_SECONDS", -1.0)
    monkeypatch.setattr(cases_module, "CASE_MAX_BITS", 2)
    with pytest.raises(TooSlowError, match="would depend on the machine"):
        truth_at(quantity_named(TOTAL), exact_point({"alpha": 1.5, "step": 2.0}))


def test_engines_that_contradict_each_other_make_no_case(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = Climbed(Enclosure.of(Fraction(1, 7)), 128, satisfied=True)
    monkeypatch.setattr(cases_module, "climb_second", lambda *_: wrong)
    with pytest.raises(SoundnessError, match="contradict"):
        truth_at(quantity_named(TOTAL), exact_point({"alpha": 1.5, "step": 2.0}))


def test_a_truth_that_no_double_reaches_makes_no_case(monkeypatch: pytest.MonkeyPatch) -> None:
    huge = Enclosure.of(Fraction(2) ** 1025)
    monkeypatch.setattr(cases_module, "truth_at", lambda *_: huge)
    inside_ = cases_module.Inside({"alpha": 1.5, "step": 2.0})
    assert cases_module.case_inside(quantity_named(TOTAL), inside_) is None


# ---- doubles around a number ----

_SMALLEST, _LARGEST = Fraction(math.ulp(0.0)), Fraction(1.7976931348623157e308)


@each_of(
    "value, below, above",
    [
        (Fraction(0), 0.0, 0.0),
        (Fraction(1), 1.0, 1.0),
        (Fraction(1, 3), 0.3333333333333333, math.nextafter(1 / 3, 1)),
        (Fraction(-1, 3), -math.nextafter(1 / 3, 1), -0.3333333333333333),
        (_SMALLEST, 5e-324, 5e-324),
        (_SMALLEST / 3, 0.0, 5e-324),
        (_SMALLEST / 2**70, 0.0, 5e-324),
        (-_SMALLEST / 2**70, -5e-324, 0.0),
        (_LARGEST, float(_LARGEST), float(_LARGEST)),
        (_LARGEST + 1, float(_LARGEST), math.inf),
        (_LARGEST * 2**70, float(_LARGEST), math.inf),
        (-_LARGEST * 2**70, -math.inf, -float(_LARGEST)),
    ],
)
def test_doubles_beside(value: Fraction, below: float, above: float) -> None:
    assert doubles_around(Enclosure.of(value)) == (below, above)
    for up, expected in ((False, below), (True, above)):
        found = double_beside(Dyadic.rounded(value, 400, up), up=up)
        assert found.hex() == expected.hex()  # so that -0 is not taken for 0


def test_infinite_ends_are_infinite_doubles() -> None:
    assert double_beside(PLUS_INFINITY, up=True) == math.inf
    assert double_beside(MINUS_INFINITY, up=False) == -math.inf


def test_doubles_beside_any_number_are_neighbours_around_it() -> None:
    rng = random.Random(8)  # noqa: S311 (test points, the same every time)
    for _ in range(500):
        value = Fraction(rng.randint(-(10**40), 10**40), rng.randint(1, 10**60))
        below, above = doubles_around(Enclosure.of(value))
        assert Fraction(below) <= value <= Fraction(above)
        assert below == above or math.nextafter(below, math.inf) == above


def test_a_double_at_the_unsafe_end_leaves_an_answer_undecided() -> None:
    third, one = Dyadic.rounded(Fraction(1, 3), 200, up=False), Dyadic(1)
    near_one = Dyadic((1 << 200) - 1, -200)
    assert is_decided(Enclosure(third, third), up=True)
    assert is_decided(Enclosure(near_one, one), up=True)  # 1 is safe, its neighbour below is not
    assert not is_decided(Enclosure(near_one, one), up=False)
    above_one = Dyadic((1 << 200) + 1, -200)
    assert not is_decided(Enclosure(one, above_one), up=True)
    assert is_decided(Enclosure(one, above_one), up=False)
    assert not is_decided(Enclosure(near_one, above_one), up=True)
    assert not is_decided(Enclosure(third, one), up=True)
    assert is_decided(Enclosure.infinite(), up=True)
    assert is_decided(Enclosure.of(Fraction(1, 3)), up=True)


# ---- the published shape ----


@pytest.mark.parametrize("name", sorted(SCHEMAS))
def test_the_published_schema_is_made_from_the_models(name: str) -> None:
    assert (FOLDER / name).read_text(encoding="utf-8") == schema_text(name)


def test_the_page_names_every_field() -> None:
    page = (FOLDER / "VECTORS.md").read_text(encoding="utf-8")
    for shape in (VectorFile, VectorCase):
        for field in msgspec.structs.fields(shape):
            assert f"`{field.encode_name}`" in page, field.name


def test_files_are_what_the_schema_says(folder: Path, files: dict[str, Any]) -> None:
    validators = [
        jsonschema.Draft202012Validator(json.loads((FOLDER / name).read_bytes()))
        for name in ("vectors-v0.schema.json", "vectors-index-v0.schema.json")
    ]
    for name, file in files.items():
        validators[0].validate(file)
        validators[1].validate(json.loads((folder / name / "index.json").read_bytes()))


def test_the_schema_refuses_what_is_no_vector_file(files: dict[str, Any]) -> None:
    validator = jsonschema.Draft202012Validator(
        json.loads((FOLDER / "vectors-v0.schema.json").read_bytes())
    )
    file = files[TOTAL]
    case = next(case for case in file["cases"] if case["result"] == "valid")
    for change in ({"lower": 0.5}, {"result": "wrong"}, {"id": "1"}, {"upper_double": "0.5"}):
        broken = {**file, "cases": [{**case, **change}]}
        assert not validator.is_valid(broken), change
    assert not validator.is_valid({**file, "more": 1})


def test_the_models_read_what_they_write(folder: Path, files: dict[str, Any]) -> None:
    for name in files:
        file = (folder / name / f"{name}.json").read_bytes()
        assert msgspec.json.decode(file, type=VectorFile).quantity == name
        index = (folder / name / "index.json").read_bytes()
        assert msgspec.json.decode(index, type=Index).files[0].quantity == name


def test_so_many_cases_are_made_as_are_asked_for() -> None:
    for cases in (12, 13, 61):
        assert len(vector_file(quantity_named("pufferfish.entry_scale"), cases, 0).cases) == cases
