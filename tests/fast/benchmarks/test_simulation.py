"""The simulation behind the benchmarks of chains: its draws are right, and it tells what is not."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from random import Random

import numpy as np
import pytest
from simplexcert.certify.simulating.comparing import Mean
from simplexcert.reference import evaluate
from simplexcert.reference.markov.ergodicity import dobrushin_coefficient, ergodicity_coefficient
from simplexcert.reference.markov.stationary import stationary_law
from simulation import chains, draws, grades, measures
from simulation.bounds import Compared
from simulation.results import Result, failures, short_of_the_goal
from simulation.sources import SOURCES, Kind, Source
from simulation.tables import markdown, write_csv

# Doubles keep 15 digits; a state that is eliminated costs an ulp or two.
RELATIVE = 1e-12
THREE = chains.Chain("three states", ((3, 2, 5), (4, 4, 2), (1, 6, 3)))


def means(chain: chains.Chain, count: int = 4_000) -> dict[str, Mean]:
    return measures.simulated(chain, 1, count, seed=1)


def logs_of(chain: chains.Chain) -> draws.Array:
    with np.errstate(divide="ignore"):
        return np.log(np.array([chain.matrix], dtype=np.float64))


@pytest.mark.parametrize(
    "chain", [THREE, chains.Chain("trap", chains.trap(20)), chains.Chain("ring", chains.ring())]
)
def test_the_stationary_law_is_accurate_in_every_entry(chain: chains.Chain) -> None:
    (law,) = draws.stationary_laws(logs_of(chain))
    exact = np.array(stationary_law(chain.matrix), dtype=np.float64)
    assert (np.abs(law / exact - 1) < RELATIVE).all()


def test_a_tiny_parameter_does_not_underflow() -> None:
    alphas, random = np.array([[1e-4, 1e-4], [1.0, 0.0]]), np.random.default_rng(5)
    logs = draws.log_rows(random, alphas, 1_000)
    assert np.isfinite(logs[:, 0]).all()
    assert (logs[:, 0].min(axis=1) < np.log(np.finfo(np.float64).tiny)).any()
    assert (logs[:, 1] == [0, -np.inf]).all()


def test_means_of_a_draw_are_the_row() -> None:
    alphas = 3 * np.array(THREE.matrix, dtype=np.float64)
    drawn = np.exp(draws.log_rows(np.random.default_rng(6), alphas, 4_000))
    for i, j in np.ndindex(3, 3):
        mean = Mean.of(drawn[:, i, j])
        assert abs(mean.value - alphas[i, j] / 3) < 4 * mean.error


def test_coefficients_are_the_exact_ones() -> None:
    random = Random("coefficients")  # noqa: S311
    for size in (2, 3, 4, 7):  # shares of 1024 and their sums are doubles
        rows = []
        for _ in range(size):
            cuts = sorted(random.randint(0, 1024) for _ in range(size - 1))
            pairs = zip([0, *cuts], [*cuts, 1024], strict=True)
            rows.append(tuple(Fraction(b - a, 1024) for a, b in pairs))
        doubles = np.array([rows], dtype=np.float64)
        assert draws.ergodicity_coefficients(doubles) == ergodicity_coefficient(tuple(rows))
        assert draws.dobrushin_coefficients(doubles) == dobrushin_coefficient(tuple(rows))


def test_the_simulated_divergence_is_the_exact_mean() -> None:
    law = stationary_law(THREE.matrix)
    exact = sum(
        share * evaluate("dirichlet.utility.expected_kl", {"p": row, "k": k}).upper
        for share, row, k in zip(law, THREE.matrix, THREE.k_minimum, strict=True)
    )
    found = means(THREE)["kl"]
    assert abs(found.value - float(exact)) < 4 * found.error


def test_a_change_too_small_beside_one_is_seen() -> None:
    law = np.array([1 - 1e-18, 1e-18])
    assert measures.distances(np.array([[1.0, 2e-18]]), law) == [1e-18]


def test_a_seed_fixes_the_draws() -> None:
    assert means(THREE, 200) == means(THREE, 200)
    assert measures.simulated(THREE, 1, 200, seed=2) != means(THREE, 200)


def test_certificates_hold_as_often_as_they_say() -> None:
    found = means(THREE)
    for name in ("stationary_certificate_fails", "ergodicity_certificate_fails"):
        assert found[name].value <= float(measures.BETA)


def test_certificates_and_condition_numbers_are_those_of_the_quantities() -> None:
    model = measures.Model.of(THREE, 100)
    (number,) = draws.condition_numbers(model.P[None], model.law[None])
    Q = measures.released(model.P[None])  # noqa: N806
    (of_release,), _ = measures.conditions_and_laws(Q)
    given = {
        "k": chains.scaled(THREE.k_minimum, 100),
        "sizes": THREE.sizes,
        "beta": measures.BETA,
        "grid_bits": measures.GRID_BITS,
    }
    certificate = of_release * model.certified_rows().max() / 2
    assert certificate < 1
    for name, more, found in (
        ("condition_number", {"P": THREE.matrix}, number),
        ("certificate_stationary", {**given, "Q": Q[0].tolist()}, certificate),
        ("certificate_ergodicity", given, model.certified_change()),
    ):
        truth = evaluate(f"markov.{name}", more).upper
        assert abs(found / float(truth) - 1) < RELATIVE


def test_no_more_is_certified_than_that_where_doubles_are_singular() -> None:
    stuck = chains.Chain("stuck", ((10**40, 1), (1, 10**40)))
    assert draws.condition_numbers(np.eye(2)[None], np.array([[1.0, 0.0]])) == np.inf
    found = measures.simulated(stuck, 1, 10, seed=1)
    assert "scaled_variation" not in found
    # Its release has two closed classes.
    assert found["stationary_certificate"].value == 1


def test_releases_are_rounded_as_exact_ones_are() -> None:
    random = np.random.default_rng(8)
    drawn = random.dirichlet([0.01, 1, 3], size=(20, 1))
    unit = Fraction(1, 2**measures.GRID_BITS)
    for row, found in zip(drawn[:, 0], measures.released(drawn)[:, 0], strict=True):
        steps = [Fraction(share) / unit for share in row]
        floors = [step.__floor__() for step in steps]
        order = sorted(range(3), key=lambda at: floors[at] - steps[at])
        up = order[: 2**measures.GRID_BITS - sum(floors)]
        assert [Fraction(x) / unit for x in found] == [
            n + (at in up) for at, n in enumerate(floors)
        ]


def compared(kind: Kind, value: float, label: str = "T4-B") -> Compared:
    source = Source("kl", label, "made.up", kind, lambda _chain, _factor: {})
    return Compared(source, Mean(1.0, 0.1, 100), value, "", 0.0)


def result(*bounds: Compared) -> Result:
    return Result("three", THREE, 100, means(THREE, 200), bounds)


def test_a_bound_beyond_four_standard_errors_is_told() -> None:
    for kind, right, wrong in (
        (Kind.PROVED, 0.61, 0.59),
        (Kind.BELOW, 1.39, 1.41),
        (Kind.EXACT, 0.61, 0.59),
        (Kind.EXACT, 1.39, 1.41),
    ):
        assert not failures([result(compared(kind, right))])
        (line,) = failures([result(compared(kind, wrong))])
        assert "three at 100 k_min: made.up" in line
        assert "**" in "".join(markdown([result(compared(kind, wrong))]))


def test_a_certificate_that_fails_too_often_is_told() -> None:
    planted = {"stationary_certificate_fails": Mean(0.09, 0.009, 1_000)}
    (line,) = failures([replace(result(), means=planted)])
    assert "stationary_certificate_fails in a share 0.09" in line
    rarer = {"stationary_certificate_fails": Mean(0.06, 0.009, 1_000)}
    assert not failures([replace(result(), means=rarer)])


def test_a_printed_bound_that_fails_is_no_failure_of_ours() -> None:
    assert not failures([result(compared(Kind.PRINTED, 0.01))])
    assert "**0.01 (0.01)**" in "".join(markdown([result(compared(Kind.PRINTED, 0.01))]))


def test_the_goal_is_the_better_of_two_bounds_from_a_hundred_on() -> None:
    loose, tight = compared(Kind.PROVED, 2.5), compared(Kind.PROVED, 1.5, "T4-C")
    assert short_of_the_goal([result(loose)])
    assert not short_of_the_goal([result(loose, tight)])
    assert not short_of_the_goal([replace(result(loose), factor=30)])


def test_tables_are_written_for_programs(tmp_path: Path) -> None:
    write_csv(tmp_path / "made.csv", [result(compared(Kind.PROVED, 2.0))])
    header, first, *_ = (tmp_path / "made.csv").read_text(encoding="utf-8").splitlines()
    assert header.startswith("chain,factor,statistic,mean")
    assert first.startswith("three,100,kl,1.0,0.1,100,T4-B,made.up,proved,2.0,2.0,True")


def test_every_bound_names_what_it_bounds() -> None:
    found = set(means(THREE, 200))
    assert {source.statistic for source in SOURCES} <= found


def test_counts_of_the_grades_that_the_paper_allows() -> None:
    allowed = grades.admissible()
    assert len(allowed) == 6351
    assert {sum(counts) for counts in allowed} == {98}
    assert min(map(min, allowed)) == 8


def test_absent_data_are_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv(chains.DATA, raising=False)
    with pytest.raises(chains.NoDataError, match="set SIMPLEXCERT_DATA"):
        chains.CHAINS["msnbc"]()
    monkeypatch.setenv(chains.DATA, str(tmp_path))
    with pytest.raises(chains.NoDataError, match="not there"):
        chains.CHAINS["msnbc"]()


def test_a_state_that_is_never_left_is_left_out(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "table.csv").write_text("from,a,b,c\na,1,2,3\nb,0,0,0\nc,4,5,6\n", encoding="utf-8")
    monkeypatch.setenv(chains.DATA, str(tmp_path))
    assert chains.from_table("table.csv") == (((1, 3), (4, 6)), ["b"])
    assert chains.from_table("table.csv", fewest=7) == (((6,),), ["a", "b"])
    assert "start there: b" in chains.public("made up", "table.csv").remark
