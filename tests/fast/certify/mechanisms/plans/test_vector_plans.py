"""Vectors: a plan just inside every hypothesis, a sentence just outside, and nothing told."""

from __future__ import annotations

from pathlib import Path

import pytest
from each import each_of
from private_files import IDENTITY, JSON_VECTOR, MEAN, Case
from simplexcert.certify.mechanisms.data.table import read_vectors
from simplexcert.certify.mechanisms.plan import SimplexPlan
from simplexcert.reference.errors import InputError

ONE = "rain,snow,wind_zq\n{}\n"
# The mean's vectors stand in three lines; what is asked is asked of each.
MANY = "rain,snow,wind_zq\n0.2,0.2,0.6\n{}\n0.2,0.2,0.6\n"
FORMS = [pytest.param(IDENTITY, ONE, id="one"), pytest.param(MEAN, MANY, id="mean")]


@pytest.mark.parametrize(("case", "form"), FORMS)
@pytest.mark.parametrize(
    ("inside", "outside", "said"),
    [
        ("0.3771234,0.2,0.4228766", "0.3771234,0.2,0.42287660000000000000001", "sum to exactly 1"),
        ("0.3771234,0.2,0.4228766", "0.3771234,0.2,0.4228765", "sum to exactly 1"),
        (
            "0.1,0.2771234,0.6228766",
            "0.0999999,0.2771234,0.6228767",
            "protected coordinate is below",
        ),
        (
            "0.2771234,0.1,0.6228766",
            "0.2771234,0.0999771,0.6228995",
            "protected coordinate is below",
        ),
        ("0.3771234,0.4228766,0.2", "0.3771234,0.4228767,0.1999999", "more than 1 - eta_bar"),
        ("0.3771234,0.4228766,0.2", "0.7771234,0.4228766,-0.2", "negative"),
    ],
)
def test_a_vector_is_an_input_just_inside_the_bordered_simplex(
    tmp_path: Path, case: Case, form: str, inside: str, outside: str, said: str
) -> None:
    assert case.of(form.format(inside)).rows(tmp_path)
    assert said in case.of(form.format(outside)).refusal(tmp_path)


def test_the_line_of_a_vector_that_is_no_input_is_told(tmp_path: Path) -> None:
    assert "line 3" in MEAN.of(MANY.format("0.0771234,0.2,0.7228766")).refusal(tmp_path)


@pytest.mark.parametrize(("case", "form"), FORMS)
@pytest.mark.parametrize("number", ["zq_private", "NaN", "Infinity", "-inf", "1e99999", "7.7.1234",
                                    "0x771234", "771234/0", "77 1234", "771_234"])  # fmt: skip
def test_what_is_no_exact_number_is_refused(
    tmp_path: Path, case: Case, form: str, number: str
) -> None:
    said = case.of(form.format(f"0.2,{number},0.6")).refusal(tmp_path)
    assert "column 2 is not an exact number" in said


@each_of("value", ['"zq_private"', "NaN", "Infinity", "true", "null", "[0.5]", '{"zq_private": 1}'])
def test_what_is_no_exact_number_in_json_is_refused(tmp_path: Path, value: str) -> None:
    bad = JSON_VECTOR.of(f'{{"rain": {value}, "snow": 0.2, "wind_zq": 0.6228766}}')
    assert "exact number" in bad.refusal(tmp_path)


@each_of(
    "content",
    ['{"rain": 0.5, "zq_private": 0.771234, "zq_private": 0.1}', "[0.771234]", '"zq_private"', "{}",
     '{"rain": 0.771234', "zq_private", "", "[" * 9999, '{"": 0.771234}', '{"a\\n": 0.771234}',
     '{"rain": 0.5}\udcff'],
)  # fmt: skip
def test_what_is_no_object_of_numbers_is_refused(tmp_path: Path, content: str) -> None:
    JSON_VECTOR.of(content).refusal(tmp_path)


@pytest.mark.parametrize("name", ["", "zq_private\\n", "z" * 101])
def test_the_names_of_an_object_can_be_published(tmp_path: Path, name: str) -> None:
    named = JSON_VECTOR.of(f'{{"rain": 0.3, "snow": 0.3, "{name}": 0.4}}')
    assert "a name is empty, not printable or longer" in named.refusal(tmp_path)


def test_a_longer_object_is_not_read(tmp_path: Path) -> None:
    said = JSON_VECTOR.of(JSON_VECTOR.content + " " * 16 * 1024 * 1024).refusal(tmp_path)
    assert "is not read" in said


def test_json_and_csv_are_one_vector(tmp_path: Path) -> None:
    assert IDENTITY.rows(tmp_path) == JSON_VECTOR.rows(tmp_path)


@pytest.mark.parametrize("lines", ["", "0.2,0.2,0.6\n0.1771234,0.2,0.6228766"])
def test_one_vector_is_one_line(tmp_path: Path, lines: str) -> None:
    assert IDENTITY.of(ONE.format("0.2,0.2,0.6")).rows(tmp_path)
    IDENTITY.of(ONE.format(lines)).refusal(tmp_path)


def test_as_many_vectors_as_the_claim_says(tmp_path: Path) -> None:
    assert MEAN.rows(tmp_path)
    for size in (2, 4):
        assert f"N = {size}" in MEAN.where(N=size).refusal(tmp_path)


@pytest.mark.parametrize("case", [IDENTITY, MEAN])
def test_as_many_coordinates_are_protected_as_the_claim_says(tmp_path: Path, case: Case) -> None:
    for w in (1, 3):
        assert f"w = {w}" in case.where(w=w).refusal(tmp_path)


@pytest.mark.parametrize(
    ("protected", "said"),
    [
        (["rain", "hail"], "names 'hail'"),
        (["rain", "rain"], "stands twice"),
        (["rain", 2], "names in quotes"),
        ("rain", "names in quotes"),
        ([], "lists 0"),
        ([""], "empty"),
    ],
)
def test_protected_coordinates_are_names_of_the_data(
    tmp_path: Path, protected: object, said: str
) -> None:
    assert said in IDENTITY.listing(protected=protected).refusal(tmp_path)


def test_protected_coordinates_may_be_numbers(tmp_path: Path) -> None:
    numbered = IDENTITY.listing(protected=None)
    bare = {key: value for key, value in IDENTITY.release.items() if key != "w"}
    by_number = Case(numbered.mechanism, {**bare, "W": [2, 1]}, numbered.data, numbered.content)
    assert by_number.rows(tmp_path) == IDENTITY.rows(tmp_path)
    assert "coordinate 4" in by_number.where(W=[1, 4]).refusal(tmp_path)
    assert "once" in by_number.listing(protected=["rain", "snow"]).refusal(tmp_path)
    assert "once" in numbered.refusal(tmp_path)
    low = by_number.where(W=[1, 3]).of(ONE.format("0.8,0.1771234,0.0228766"))
    assert "protected coordinate is below" in low.refusal(tmp_path)


@pytest.mark.parametrize(
    ("case", "content"),
    [
        (IDENTITY, "rain,snow,wind,sun\n0.3771234,0.2,0.4228766,0\n"),
        (MEAN, "rain,snow,wind,sun\n" + "0.3771234,0.2,0.4228766,0\n" * 3),
    ],
)
def test_a_coordinate_of_0_is_drawn_where_the_support_is_public(
    tmp_path: Path, case: Case, content: str
) -> None:
    zero = case.of(content).listing(names=["rain", "snow", "wind", "sun"])
    assert "support" in zero.refusal(tmp_path)
    assert zero.knowing("support").rows(tmp_path)[0][3] == "0"


def test_a_mean_without_a_0_needs_no_support(tmp_path: Path) -> None:
    once = "rain,snow,wind_zq\n0.3,0.7,0\n0.3,0.2,0.5\n0.3,0.2,0.5\n"
    assert MEAN.where(eta_bar="0.001").of(once.replace("0.7,0", "0.6,0.1")).rows(tmp_path)
    assert "more than 1 - eta_bar" in MEAN.of(once).refusal(tmp_path)
    other = "rain,snow,wind,sun\n0.3,0.2,0.5,0\n0.3,0.2,0,0.5\n0.3,0.2,0.5,0\n"
    assert MEAN.of(other).listing(names=["rain", "snow", "wind", "sun"]).rows(tmp_path)


def test_a_coordinate_too_near_to_0_to_be_drawn_is_refused(tmp_path: Path) -> None:
    four = IDENTITY.listing(names=["rain", "snow", "a", "b"])
    near = four.of("rain,snow,a,b\n0.2,0.2,0.0001,0.5999\n")
    assert near.rows(tmp_path)[0][2] == "1/1000"
    nearer = four.of("rain,snow,a,b\n0.2,0.2,0.0000771234,0.5999228766\n")
    assert "so near to 0" in nearer.refusal(tmp_path)


def test_many_numbers_that_are_long_and_short_to_write_are_not_read(tmp_path: Path) -> None:
    def lines(count: int) -> str:
        return "".join(f"0.2,0.2,{at}e-9000\n" for at in range(771234, 771234 + count))

    few = MEAN.where(N=2).of("rain,snow,wind_zq\n" + lines(2))
    assert "sum to exactly 1" in few.refusal(tmp_path)
    said = MEAN.where(N=30).of("rain,snow,wind_zq\n" + lines(30)).refusal(tmp_path)
    assert "numbers as long as these are not read" in said


def test_many_columns_of_a_number_that_is_long_and_short_to_write_are_not_read(
    tmp_path: Path,
) -> None:
    def read(count: int) -> int:
        names = [f"n{at}" for at in range(count)]
        file = tmp_path / f"{count}.csv"
        lines = (names, [f"{1000 + at}e-9990" for at in range(count)])
        file.write_text("".join(f"{','.join(line)}\n" for line in lines))
        return len(read_vectors(file, names).values)

    assert read(100) == 1
    with pytest.raises(InputError, match="numbers as long as these are not read"):
        read(1_000)


def test_a_vector_has_the_names_of_its_coordinates(tmp_path: Path) -> None:
    plan = IDENTITY.plan(tmp_path)
    assert isinstance(plan, SimplexPlan)
    assert (plan.rows[0].names, plan.rows[0].label, plan.matrix) == (
        ("rain", "snow", "wind_zq"),
        "",
        False,
    )


@pytest.mark.parametrize(
    ("case", "content"),
    [
        (IDENTITY, "wind_zq,rain,snow\n0.6228766,0.1771234,0.2\n"),
        (JSON_VECTOR, '{"snow": 0.2, "wind_zq": 0.6228766, "rain": 0.1771234}'),
        (MEAN, "snow,wind_zq,rain\n0.2,0.6228766,0.1771234\n0.3,0.2,0.5\n1/4,5/12,1/3\n"),
    ],
)
def test_the_order_of_the_release_is_the_claims_and_not_the_files(
    tmp_path: Path, case: Case, content: str
) -> None:
    assert case.of(content).plan(tmp_path) == case.plan(tmp_path)


@pytest.mark.parametrize(
    "content",
    [
        "0.1771234,0.2,0.6228766\n0.1771234,0.2,0.6228766\n",
        "rain,snow\n0.3,0.7\n",
        "rain,snow,wind_zq,zq_private\n0.1,0.2,0.4,0.3\n",
    ],
)
def test_no_name_is_published_that_the_claim_does_not_list(tmp_path: Path, content: str) -> None:
    assert "exactly the names" in IDENTITY.of(content).refusal(tmp_path)


def test_protected_numbers_are_those_of_the_listed_names(tmp_path: Path) -> None:
    bare = {key: value for key, value in IDENTITY.release.items() if key != "w"}
    numbered = Case(
        IDENTITY.mechanism, {**bare, "W": [1, 2]}, {"names": ["rain", "snow", "wind_zq"]}, ""
    )
    low_wind = "wind_zq,snow,rain\n0.2771234,0.0228766,0.7\n"
    assert "protected coordinate is below" in numbered.of(low_wind).refusal(tmp_path)
    assert "[data] names lists 3" in numbered.where(W=[1, 4]).of(low_wind).refusal(tmp_path)
