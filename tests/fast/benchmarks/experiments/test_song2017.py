"""song2017's experiments: quick runs, and findings that follow the numbers."""

from __future__ import annotations

import gzip
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from experiments import song2017
from experiments.__main__ import main
from experiments.outcome import Finding, Verdict
from experiments.results import Result, read_results
from experiments.song2017 import mechanisms, series
from experiments.song2017.figure_4 import (
    DIGITS,
    LENGTH,
    Point,
    against_gk16,
    class_scales,
    drawn_shares,
    exact_below_approx,
    fall_with_alpha,
    line_of_gk16,
    released,
)
from experiments.song2017.least_noise import PURE, Count, Row, rows_of
from experiments.song2017.least_noise import findings as findings_of_least_noise
from experiments.song2017.table_1 import Error
from experiments.song2017.table_1 import findings as findings_of_table_1
from experiments.song2017.table_2 import Timing
from experiments.song2017.table_2 import findings as findings_of_table_2
from experiments.song2017.table_3 import Error as PowerError
from experiments.song2017.table_3 import agree
from experiments.song2017.table_3 import findings as findings_of_table_3
from experiments.testing import quick
from simplexcert.reference import evaluate
from simulation.chains import NoDataError

FIGURE = "song2017.figure-4"
REFUTED = Verdict.NOT_AS_PRINTED


@pytest.mark.parametrize("name", [one.id for one in song2017.EXPERIMENTS])
def test_a_quick_run_has_tables_and_findings(name: str) -> None:
    try:
        outcome = quick(name)
    except NoDataError as error:
        pytest.skip(str(error))
    assert outcome.tables
    assert all(table.rows for table in outcome.tables)
    assert outcome.findings
    assert outcome.notes


def test_processes_give_what_one_process_gives(tmp_path: Path) -> None:
    found: list[Result] = []
    for jobs in ("1", "2"):
        out = tmp_path / jobs
        assert main([FIGURE, "--quick", "--jobs", jobs, "--out", str(out)]) == 0
        found += read_results(out)
    one, two = (replace(result, seconds=0.0) for result in found)
    assert one == two


def points() -> list[Point]:
    alphas, epsilons = (Fraction(1, 10), Fraction(4, 10)), (Fraction(1, 5), Fraction(5))
    shares = np.zeros(2)
    random = np.random.default_rng(1)
    return [
        point
        for alpha in alphas
        for epsilon in epsilons
        for point in released(random, shares, alpha, epsilon)
    ]


def with_expected(found: list[Point], mechanism: str, alpha: str, number: float) -> list[Point]:
    return [
        replace(one, expected=number)
        if (one.mechanism, one.alpha) == (mechanism, Fraction(alpha))
        else one
        for one in found
    ]


def test_findings_of_the_figure_follow_the_numbers() -> None:
    found = points()
    assert line_of_gk16(found).verdict is Verdict.AS_PRINTED
    everywhere = with_expected(found, mechanisms.GK16, "1/10", 1.0)
    one_epsilon = [
        one if one.epsilon == 5 or one.mechanism != mechanisms.GK16 else replace(one, expected=None)
        for one in everywhere
    ]
    assert line_of_gk16(one_epsilon).verdict is REFUTED
    rising = with_expected(found, mechanisms.EXACT, "2/5", 100.0)
    assert fall_with_alpha(found).verdict is Verdict.AS_PRINTED
    assert fall_with_alpha(rising).verdict is REFUTED
    assert exact_below_approx(found).verdict is Verdict.AS_PRINTED
    assert exact_below_approx(rising).verdict is REFUTED
    against = against_gk16
    assert against(found, mechanisms.EXACT).verdict is Verdict.IN_SHAPE
    assert against(rising, mechanisms.EXACT).verdict is REFUTED


def test_gk16_has_no_number_where_it_does_not_apply() -> None:
    applies = [one.alpha for one in points() if one.mechanism == mechanisms.GK16 and one.error]
    assert applies == [Fraction(2, 5)] * 2


def test_scales_of_the_class_are_the_quantities() -> None:
    found = class_scales(Fraction(2, 5), Fraction(1))
    chains = [{"initial": "any", "P": [["3/5", "2/5"], ["2/5", "3/5"]]}]
    given = {"chains": chains, "length": 100, "epsilon": 1, "width": 100}
    exact = evaluate("pufferfish.quilt_scale_exact", given, digits=DIGITS)
    assert found[mechanisms.EXACT] == float(exact.upper)
    assert found[mechanisms.GROUP] == LENGTH


def test_shares_are_those_of_the_drawn_class() -> None:
    """By symmetry half of the entries are 1; none moves where alpha is 1/2 but by a fair coin."""
    random = np.random.default_rng(1)
    shares = drawn_shares(random, 0.5, 4_000)
    mean = mechanisms.Mean.of(shares)
    assert abs(mean.value - 0.5) < 4 * mean.error
    # A sum of 100 fair coins has the variance 25; that of a share is 1/400.
    spread = mechanisms.Mean.of((shares - 0.5) ** 2)
    assert abs(spread.value - 1 / 400) < 4 * spread.error


def test_errors_of_trials_are_the_expected_ones() -> None:
    mean = mechanisms.histogram_error(np.random.default_rng(1), 3.0, 4_000, 5)
    assert abs(mean.value - 15) < 4 * mean.error


def test_no_transition_is_counted_across_a_gap() -> None:
    pieces = series.cut(np.array([0, 2, 2, 0]), np.array([False, True, False]))
    assert [list(piece) for piece in pieces] == [[0, 2], [2, 0]]
    assert series.counted(pieces, 4).tolist() == [[0, 1], [1, 0]]


def write(path: Path, text: str) -> Path:
    path.write_bytes(gzip.compress(text.encode()))
    return path


def test_people_are_cut_at_gaps_and_records_without_a_posture_left_out(tmp_path: Path) -> None:
    table = "subject,second,state\n1,0,0\n1,60,1\n1,660,5\n1,1261,2\n2,0,3\n2,60,-1\n2,120,4\n"
    found = series.extrasensory(write(tmp_path / "a.csv.gz", table))
    assert [[list(piece) for piece in person] for person in found.people] == [
        [[0, 0, 3], [1]],
        [[2, 3]],
    ]


def test_houses_and_households_are_read(tmp_path: Path) -> None:
    table = "house,minute,activity\nA,0,1\nA,1,10\nB,0,0\nB,1,13\n"
    houses = series.kasteren(write(tmp_path / "k.csv.gz", table))
    assert [list(person[0]) for person in houses.people] == [[0, 1], [3, 2]]
    power = "time,watts,state51\n2012-08-23 00:00,1,3\n2012-08-23 00:01,1,4\n2013-11-21 00:00,1,5\n"
    found = series.ampds_power(write(tmp_path / "p.csv.gz", power))
    assert [list(piece) for piece in found.pieces] == [[3, 4], [5]]
    np.save(tmp_path / "u.npy", np.array([7, 8], dtype=np.uint8))
    assert [list(piece) for piece in series.uci_power(tmp_path / "u.npy").pieces] == [[7, 8]]


def test_scales_of_short_pieces_are_the_trivial_quilts() -> None:
    chain = series.EmpiricalChain(np.array([[9, 1], [1, 9]]))
    found = mechanisms.scales(chain, [2, 1], 0.5)
    assert all(found[one] == 4 for one in (mechanisms.GROUP, mechanisms.APPROX))
    assert found[mechanisms.EXACT] == 4


def test_gk16_applies_where_states_hardly_depend_on_each_other() -> None:
    free = series.EmpiricalChain(np.array([[11, 9], [9, 11]]))
    assert mechanisms.scales(free, [2], 0.5)[mechanisms.GK16] is not None
    stuck = series.EmpiricalChain(np.array([[1, 1], [1, 0]]))
    assert mechanisms.scales(stuck, [2], 0.5)[mechanisms.GK16] is None


def verdicts(found: tuple[Finding, ...]) -> list[Verdict]:
    return [one.verdict for one in found]


def test_findings_of_table_1_follow_the_numbers() -> None:
    numbers = {"DP": 9.0, "GroupDP": 3.0, "GK16": None, "MQMApprox": 2.0, "MQMExact": 1.0}

    def found(**changed: float | None) -> list[Verdict]:
        row = {**numbers, **changed}
        errors = [Error("group", "aggregate", name, value, None) for name, value in row.items()]
        return verdicts(findings_of_table_1(errors))

    shape = Verdict.IN_SHAPE
    assert found() == [shape] * 4
    assert found(GroupDP=1.5) == [REFUTED, shape, shape, shape]
    assert found(DP=1.5) == [shape, REFUTED, shape, shape]
    assert found(MQMExact=2.5) == [shape, shape, REFUTED, shape]
    assert found(GK16=1.0) == [shape, shape, shape, REFUTED]


def test_findings_of_table_2_follow_the_numbers() -> None:
    def found(approx: float, exact: float) -> list[Verdict]:
        times = {"MQMApprox": approx, "MQMExact": exact}
        timings = [Timing("synthetic", "float64", name, value) for name, value in times.items()]
        return verdicts(findings_of_table_2(timings))

    assert found(1, 2) == [Verdict.IN_SHAPE] * 2
    assert found(2, 1) == [REFUTED, Verdict.IN_SHAPE]
    assert found(1, 300) == [Verdict.IN_SHAPE, REFUTED]


def test_findings_of_table_3_follow_the_numbers() -> None:
    def errors(**changed: tuple[float, ...]) -> list[PowerError]:
        rows = {"GroupDP": (9.0, 8.0), "MQMApprox": (5.0, 4.0), "MQMExact": (3.0, 2.0), **changed}
        return [
            PowerError("made up", 10, epsilon, name, value, None)
            for name, row in rows.items()
            for epsilon, value in zip((0.2, 1.0), row, strict=True)
        ]

    shape, printed = Verdict.IN_SHAPE, Verdict.AS_PRINTED
    found = findings_of_table_3
    assert verdicts(found(errors())) == [printed, REFUTED, shape, shape, shape, printed]
    rising = errors(MQMApprox=(4.0, 5.0))
    assert verdicts(found(rising))[2:] == [REFUTED, shape, shape, printed]
    crossed = errors(MQMExact=(6.0, 2.0))
    assert verdicts(found(crossed))[2:] == [shape, shape, REFUTED, printed]
    applies = errors(GK16=(1.0, 1.0))
    assert verdicts(found(applies))[2:] == [shape, shape, shape, REFUTED]


def test_twice_the_described_noise_is_what_table_3_shows() -> None:
    assert agree([510.0, 102.0, 20.4])
    assert not agree([255.0, 51.0, 10.2])


def test_findings_of_the_least_noise_follow_the_numbers() -> None:
    def found(least: float) -> list[Verdict]:
        row = Row("made up", PURE, Fraction(1), quilts=3.0, distance=2.0, coupling=1.9, least=least)
        return verdicts(findings_of_least_noise([row]))

    assert found(1.5) == [Verdict.AS_PRINTED] * 2
    assert found(2.5) == [REFUTED, Verdict.AS_PRINTED]
    assert found(3.5) == [REFUTED] * 2


def test_a_coupling_asks_for_what_lies_between_the_least_and_the_distance() -> None:
    counts = np.array([[5, 2], [1, 4]])
    for row in rows_of("made up", Count(series.EmpiricalChain(counts), 4), [Fraction(1)]):
        assert row.least < row.coupling <= row.distance, row.target
