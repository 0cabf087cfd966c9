"""Curves: each point is what the quantity, or the claim asked anew, has there."""

from __future__ import annotations

import csv
import io
import math
import os
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from sys import float_info

import numpy as np
import pytest
from each import each_of
from simplexcert.certify import Curve, curve
from simplexcert.certify.audits import decide, read_claim
from simplexcert.certify.curves.claims import PROVED
from simplexcert.certify.curves.drawing import MAX_LINES
from simplexcert.certify.curves.spacing import FIGURES, spaced
from simplexcert.certify.curves.table import VERDICT
from simplexcert.reference import Budget, DomainError, InputError, UnknownNameError, evaluate
from simplexcert.reference.enclosure import Enclosure
from simplexcert.reference.grids import MAX_POINTS

DELTA, EPSILON = "dirichlet.profile.delta", "dirichlet.profile.epsilon"
GRADES, EXPERTS = "example:benvenuti2025-grades", "example:dirichlet.average"


@pytest.fixture(scope="module")
def profile() -> Curve:
    return curve(DELTA, alpha=2, step="0.1:0.5:2", epsilon=[0, "1/3", 3])


@pytest.fixture(scope="module")
def grades() -> Curve:
    return curve(GRADES, epsilon="0:3:7")


# Spacing.


def test_an_axis_has_its_ends_and_is_even() -> None:
    assert spaced("x", "1/3:3:5")[::4] == (Fraction(1, 3), 3)
    assert spaced("x", "0:3:7") == tuple(Fraction(at, 2) for at in range(7))
    assert spaced("x", "1e-9:0.1:5:log") == tuple(Fraction(10) ** at for at in range(-9, 0, 2))
    assert spaced("x", "3:0:2") == (3, 0)


@pytest.mark.parametrize("axis", ["0:1:4", "1e-9:0.1:6:log", "1e-300:1e300:4:log"])
def test_points_between_the_ends_have_few_digits_and_are_in_order(axis: str) -> None:
    points = spaced("x", axis)
    assert list(points) == sorted(points)
    for point in points[1:-1]:
        low, high = Enclosure.of(point).decimals(FIGURES - 2)
        assert low == high


def test_points_of_whole_numbers_are_whole() -> None:
    assert spaced("n", "1:1000:4:log", whole=True) == (1, 10, 100, 1000)
    assert spaced("n", "3:6:4", whole=True) == (3, 4, 5, 6)


@each_of(
    "axis, said",
    [
        ("0:3", "is not of the form FROM:TO:STEPS"),
        ("0:3:4:lin", "is not of the form"),
        ("0:3:1", "ask for 2 to"),
        ("0:3:2.5", "not a whole number"),
        (f"0:3:{MAX_POINTS + 1}", "ask for 2 to"),
        ("0:1:3:log", "ends above 0"),
        ("1:1:2", "points that are equal"),
        ("1:1.0000000000001:9", "points that are equal"),
        ("a:1:2", "x FROM: 'a' is not a number"),
        ("nan:1:2", "is not a number"),
    ],
)
def test_what_is_no_axis_is_refused(axis: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        spaced("x", axis)


# Of a quantity.


def test_each_point_is_the_quantitys_answer(profile: Curve) -> None:
    rows = list(csv.DictReader(io.StringIO(profile.csv())))
    assert list(rows[0]) == ["alpha", "step", "epsilon", "lower", "upper", "verdict"]
    assert len(rows) == len(profile) == 6
    for row in rows:
        answer = evaluate(DELTA, {key: row[key] for key in ("alpha", "step", "epsilon")})
        lower, upper = answer.enclosure.decimals(20)
        assert (row["lower"], row["upper"], row["verdict"]) == (lower, upper, "certified")


def test_the_longest_axis_runs_fastest_and_the_others_are_lines() -> None:
    found = curve(DELTA, alpha=2, step=["1/2", 1], epsilon=[0, 1, 2])
    assert found.varied == ("epsilon", "step")
    assert [line.label for line in found.lines] == ["step = 0.5", "step = 1"]
    assert found.columns()["epsilon"].tolist() == [0, 1, 2] * 2


def test_columns_have_ends_as_directed_doubles(profile: Curve) -> None:
    columns = profile.columns()
    for at, point in enumerate(profile.column("lower").cells):
        assert columns["lower"][at] == point.lower_float
        assert columns["upper"][at] == point.upper_float


def test_a_quantity_that_is_safe_below_is_drawn_by_its_lower_ends() -> None:
    found = curve("dirichlet.profile.step_for_dp", alpha=2, delta="1e-5", epsilon=[1, 2])
    assert [line.up for line in found.lines] == ["lower"]


def test_arrays_are_axes_as_texts_are() -> None:
    one, other = (curve(DELTA, alpha=2, step=1, epsilon=axis)
                  for axis in ("0:3:4", np.linspace(0, 3, 4)))  # fmt: skip
    assert one.csv() == other.csv()


def test_a_point_without_time_is_undecided() -> None:
    found = curve(DELTA, alpha=2, step=1, epsilon=[0, 1], budget=Budget(seconds=-1.0))
    assert found.verdict == "undecided"
    assert repr(found).endswith("delta at 2 points (2 undecided)")
    late = curve(GRADES, epsilon=[1, 2], budget=Budget(seconds=-1.0))
    assert late.verdicts == ("undecided", "undecided")


@each_of(
    "what, given, kind, said",
    [
        (DELTA, {"alpha": 2, "step": 1, "epsilon": 1}, InputError, "a parameter that varies"),
        (DELTA, {"alpha": 2, "step": 1, "epsilon": [-1, 1]}, DomainError, "epsilon = -1"),
        (DELTA, {"alpha": 2, "step": 1, "epsilon": []}, InputError, "0 points"),
        (DELTA, {"alpha": 2, "step": 1, "epsilon": [[1, 2], [3, 4]]}, InputError, "one list"),
        (DELTA, {"alpha": 2, "step": "1:2:999", "epsilon": "1:2:999"}, InputError, "998001 points"),
        ("dirichlet.profile.detla", {"x": "0:1:2"}, UnknownNameError, "did you mean"),
        (GRADES, {"k": "1:2:3"}, UnknownNameError, "of a claim epsilon or delta varies"),
        (GRADES, {}, InputError, "either epsilon or delta varies"),
        (GRADES, {"epsilon": [1], "delta": [0]}, InputError, "either epsilon or delta varies"),
        (GRADES, {"epsilon": 1}, InputError, "either epsilon or delta varies"),
        (GRADES, {"epsilon": [-1]}, InputError, "epsilon"),
        ("example:dirichlet.renyi", {"epsilon": [1]}, InputError, "the claim is at an order"),
        ("example:song2017-chain", {"epsilon": [1, 2]}, InputError, "no delta is known"),
        ("nowhere.toml", {"epsilon": [1]}, InputError, "cannot read nowhere.toml"),
    ],
)
def test_what_gives_no_curve_is_refused(
    what: str, given: dict[str, object], kind: type[Exception], said: str
) -> None:
    with pytest.raises(kind, match=said):
        curve(what, given)


# Of a claim.


@pytest.mark.parametrize("name", ["epsilon", "delta"])
def test_each_point_of_a_claim_is_what_its_audit_there_finds(name: str) -> None:
    claim, key = read_claim(GRADES), {"epsilon": "delta_at_epsilon", "delta": "epsilon_at_delta"}
    values = {"epsilon": ("1/2", "1", "3"), "delta": ("1e-9", "0.001", "0.1")}[name]
    found = curve(GRADES, {name: values})
    for at, value in enumerate(values):
        audited = decide(replace(claim, **{name: Fraction(value)})).exact[key[name]]
        assert found.column("exact_upper").cells[at].overlaps(audited)
        assert found.column("exact_lower").cells[at].overlaps(audited)


def test_a_claim_is_told_from_its_own_number_on(grades: Curve) -> None:
    assert grades.column("claimed").cells == (*[None] * 5, *[Fraction("0.0026")] * 2)
    assert list(grades.columns()) == [
        "epsilon", "exact_lower", "exact_upper", "printed", "claimed", "verdict",
    ]  # fmt: skip
    assert math.isnan(grades.columns()["claimed"][0])
    assert ",,,proved\n" in grades.csv()
    assert "certified" not in grades.csv()


def test_what_is_printed_is_a_pair_that_the_papers_formulas_give() -> None:
    """Printed at an epsilon is a delta at which they print no more than that epsilon."""
    claim = read_claim(EXPERTS)
    found = curve(EXPERTS, epsilon=["1.5", "2", "3"])
    for epsilon, printed in zip((1.5, 2, 3), found.column("printed").cells, strict=True):
        there = claim.mechanism.printed(replace(claim, delta=Fraction(printed.upper)))
        assert there.epsilon is not None
        assert there.epsilon.upper <= Fraction(epsilon)
        less = claim.mechanism.printed(replace(claim, delta=Fraction(printed.upper) * 9 / 10))
        assert less.epsilon is None or less.epsilon.lower > Fraction(epsilon)


def test_what_is_printed_lies_above_what_is_exact(grades: Curve) -> None:
    for exact, printed in zip(
        grades.column("exact_upper").cells, grades.column("printed").cells, strict=True
    ):
        assert printed is None or printed.lower > exact.upper


def test_a_bound_that_no_inputs_attain_has_no_lower_end() -> None:
    found = curve("example:fallin2023-three-rows", epsilon=[1, 2])
    is_attained = decide(read_claim("example:fallin2023-three-rows")).attained
    assert all((cell is not None) is is_attained for cell in found.column("exact_lower").cells)


# As files and pictures.


@pytest.mark.parametrize("name", ["curve.csv", "curve.svg"])
def test_files_are_ours_and_the_same_each_time(tmp_path: Path, grades: Curve, name: str) -> None:
    write, file = grades.write_csv if name.endswith("csv") else grades.write_plot, tmp_path / name
    write(file)
    first = file.read_bytes()
    write(file)
    assert file.read_bytes() == first
    file.write_text("my thesis")
    with pytest.raises(InputError, match="is there and is no"):
        write(file)
    assert file.read_text() == "my thesis"


@each_of("kind", ["svg", "pdf", "png"])
def test_a_date_in_the_environment_plays_no_part_in_a_drawing(kind: str) -> None:
    from matplotlib.figure import Figure
    from simplexcert.certify.pictures import bytes_of, own_settings
    from simplexcert.certify.report.page.drawing import drawn

    def made() -> tuple[bytes, str]:
        with own_settings():
            picture = bytes_of(Figure(), kind)
        return picture, drawn("it", lambda axes: axes.plot([0, 1]), "a title", "a line")

    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("SOURCE_DATE_EPOCH", raising=False)
        first = made()
        for date in ("no number", "1" * 30, "0"):
            patch.setenv("SOURCE_DATE_EPOCH", date)
            assert made() == first
            assert os.environ["SOURCE_DATE_EPOCH"] == date


def test_a_plot_has_all_lines_and_a_logarithmic_axis_for_delta(grades: Curve) -> None:
    from matplotlib.figure import Figure

    axes = grades.plot(Figure().subplots())
    said = [text.get_text() for text in (*axes.texts, *axes.get_legend().get_texts())]
    assert {"exact", "printed by the paper", "claimed", "ruled out: some inputs lose more"} < {
        *said
    }
    assert (axes.get_xlabel().splitlines()[0], axes.get_ylabel()) == ("epsilon", "delta")
    assert (axes.get_xscale(), axes.get_yscale()) == ("linear", "log")
    other = curve(GRADES, delta="1e-9:0.1:5:log").plot(Figure().subplots())
    assert (other.get_xscale(), other.get_yscale()) == ("log", "linear")


def test_a_plot_shows_which_points_are_proved_for_a_line_between_may_lie_below_the_truth() -> None:
    from matplotlib.figure import Figure

    few = curve("gaussian.delta", noise_multiplier=1, epsilon=["0", "4"])
    (line,) = (axes := few.plot(Figure().subplots())).get_lines()
    (first, last), between = line.get_ydata(), evaluate("gaussian.delta", noise_multiplier=1,
                                                        epsilon=2)  # fmt: skip
    assert axes.get_yscale() == "log"
    assert math.sqrt(first * last) < between.lower_float
    assert line.get_marker() == "."
    assert any("each dot is proved" in text.get_text() for text in axes.texts)


def test_the_least_double_has_a_place_on_an_axis_by_powers_of_ten(tmp_path: Path) -> None:
    tail = curve("gaussian.delta", noise_multiplier=1, epsilon="0:40:2")
    assert 0 < float(tail.column("upper").numbers()[-1]) < float_info.min
    tail.write_plot(tmp_path / "tail.svg")


def test_no_line_is_drawn_across_a_point_that_is_undecided() -> None:
    from matplotlib.figure import Figure

    profile = curve(DELTA, alpha=2, step="1/2", epsilon="0:2:5")
    rows = len(profile.verdicts)
    verdicts = tuple("undecided" if row == rows // 2 else PROVED for row in range(rows))
    table = tuple(c if c.name != VERDICT else replace(c, cells=verdicts) for c in profile.table)
    whole = profile.plot(Figure().subplots())
    parts = replace(profile, table=table).plot(Figure().subplots())
    (one,), (left, right) = whole.get_lines(), parts.get_lines()
    places = list(one.get_xdata())
    assert [*left.get_xdata()] == places[: rows // 2]
    assert [*right.get_xdata()] == places[rows // 2 + 1 :]
    assert parts.get_ylabel() == "delta, upper end"


def test_what_has_no_place_on_the_axes_is_drawn_at_their_edge_and_told() -> None:
    from matplotlib.figure import Figure

    delta = curve("laplace.delta", noise_multiplier=1, epsilon="0:2:5").plot(Figure().subplots())
    renyi = curve("dirichlet.profile.renyi", alpha=2, step="1/2", order="1:6:6")
    for axes, places, edge, said in (
        (delta, [1, 1.5, 2], 0, "triangles at an edge: 0"),
        (renyi.plot(Figure().subplots()), [5, 6], 1, "triangles at an edge: infinite"),
    ):
        *_, line = axes.get_lines()
        assert (list(line.get_xdata()), {*line.get_ydata()}) == (places, {edge})
        assert any(said in text.get_text() for text in axes.texts)
        assert axes.get_xlim()[1] > places[-1]


def test_far_below_a_claim_the_curve_leaves_the_picture_and_that_is_told() -> None:
    from matplotlib.figure import Figure

    axes = curve("example:poll", epsilon="0:20:5").plot(Figure().subplots())
    assert axes.get_ylim()[0] > float(Fraction("1e-15"))
    assert any("goes on below the edge, to about 2e-35" in text.get_text() for text in axes.texts)


@pytest.mark.parametrize(
    ("claim", "is_ruled_out"), [("poll", True), ("benvenuti2025-grades", False)]
)
def test_a_claim_is_called_ruled_out_where_the_curve_is_proved_to_lie_above_it(
    claim: str, is_ruled_out: bool
) -> None:
    from matplotlib.figure import Figure

    axes = curve(f"example:{claim}", epsilon="0:3:4").plot(Figure().subplots())
    assert ("claimed: ruled out" in [text.get_text() for text in axes.texts]) is is_ruled_out
    # Further to the right than the claim nothing that was asked is above it.
    late = curve("example:poll", epsilon="3:4:2").plot(Figure().subplots())
    assert "claimed" in [text.get_text() for text in late.texts]


def test_what_is_shaded_is_ruled_out_between_the_points_too() -> None:
    from matplotlib.figure import Figure

    axes = curve("example:poll", epsilon=["0", "4"]).plot(Figure().subplots())
    (shade,) = axes.collections
    highest = max(y for x, y in shade.get_paths()[0].vertices if x > 0)
    assert highest <= curve("example:poll", epsilon=["0", "4"]).columns()["exact_lower"][1]


def test_a_plot_of_too_many_lines_and_one_of_nothing_are_refused(tmp_path: Path) -> None:
    steps = [Fraction(at, 10) for at in range(1, MAX_LINES + 2)]
    with pytest.raises(InputError, match="cannot be told apart"):
        curve(DELTA, epsilon="0:1:12", alpha=2, step=steps).write_plot(tmp_path / "many.svg")
    nothing = curve(DELTA, alpha=2, step=1, epsilon=[0, 1], budget=Budget(seconds=-1.0))
    with pytest.raises(InputError, match="nothing to draw"):
        nothing.write_plot(tmp_path / "nothing.svg")
    with pytest.raises(InputError, match=r"\.svg, \.pdf or \.png"):
        nothing.write_plot(tmp_path / "nothing.gif")
    assert list(tmp_path.iterdir()) == []


def test_a_curve_is_one_short_line_and_a_table_in_a_notebook(grades: Curve) -> None:
    assert repr(grades) == (
        "'grades of one course' (dirichlet.counts): epsilon = 2.255, delta = 0.0026; "
        "delta at 7 points"
    )
    assert grades._repr_html_().startswith("<table>")
