"""The machine-checked proofs, without Coq: what is named is there, what is generated is today's."""

from __future__ import annotations

import re
from decimal import Decimal, localcontext

import numpy as np
import pytest
from each import each
from elementary import (
    exponential_points,
    logarithm_points,
    points_beside_1,
    worst_exponential,
    worst_logarithm,
    worst_logarithm_beside_1,
)
from machine_checked import FOLDER, MUTATIONS, NOTES, files, program

generate = program("generate")
assumptions = program("assumptions")
_NAMED = re.compile(r"theorem `(\w+)` in `(\w+\.v)`")
_ROW = re.compile(r"^\| (?P<words>.+) \| `(\w+)` \| `(\w+)\.v` \| ([\w ]+) \|$", re.MULTILINE)


def named() -> list[tuple[str, str, str]]:
    """Return every theorem that a note names: note, theorem, file."""
    return [
        (path.relative_to(NOTES).as_posix(), *found)
        for path in sorted(NOTES.rglob("*.md"))
        for found in _NAMED.findall(path.read_text("utf-8"))
    ]


def test_every_theorem_that_a_note_names_is_there() -> None:
    assert len(named()) > 10
    for note, theorem, file in named():
        told = f"{note} names {theorem} in {file}, which is not there"
        assert theorem in assumptions.declared(files().get(file, "")), told


def test_the_readme_lists_what_coq_is_asked() -> None:
    """The table's rows are the lines of assumptions.txt, in their order, with what is assumed."""
    text = (FOLDER / "README.md").read_text("utf-8")
    rows = [f"{file}.{name}: {groups}" for _, name, file, groups in _ROW.findall(text)]
    lines = (FOLDER / "assumptions.txt").read_text("utf-8").splitlines()
    assert rows == [line for line in lines if ":" in line and not line.startswith("#")]


def test_every_theorem_that_is_listed_is_there() -> None:
    for name in assumptions.listed((FOLDER / "assumptions.txt").read_text("utf-8")):
        file, theorem = name.split(".")
        assert theorem in assumptions.declared(files()[f"{file}.v"]), name


def test_every_coq_file_is_compiled() -> None:
    project = (FOLDER / "_CoqProject").read_text("utf-8").splitlines()
    assert sorted(line for line in project if line.endswith(".v")) == sorted(files())


def test_no_proof_has_a_gap() -> None:
    assert [name for name, text in files().items() if assumptions.gaps(text)] == []


@each(["Admitted.", "Proof. admit.", "Axiom a : P.", "Parameter x : R.", "Unset Guard Checking."])
def test_a_gap_is_found(text: str) -> None:
    assert assumptions.gaps(f"(* none *)\n{text}\n")


def test_a_comment_is_no_gap() -> None:
    assert assumptions.gaps("(* no Axiom (* nor Admitted *) here *) Proof. easy. Qed.") == []


@each(["A.b: all", "A.b:"])
def test_an_unknown_assumption_is_refused(line: str) -> None:
    with pytest.raises(assumptions.WrongError, match="name groups that stand above"):
        assumptions.listed(line)


def test_the_generated_file_is_of_todays_source() -> None:
    assert generate.generated(generate.sources_today()) == files()["SeriesSource.v"], (
        "run `python3 proofs_notes/machine_checked/generate.py`, then `make proofs`"
    )


def test_a_change_of_an_operation_changes_the_generated_file() -> None:
    sources = generate.sources_today()
    changed = sources["series.py"].replace("share *= step", "share *= alpha")
    assert generate.generated(sources | {"series.py": changed}) != generate.generated(sources)


def test_each_mutation_is_of_one_place() -> None:
    """What each night shows to Coq is in the source of today."""
    sources = generate.sources_today()
    assert [old for _, file, old, _ in MUTATIONS if sources[file].count(old) != 1] == []


@each(
    {
        "a difference": ("share *= step", "share -= step", "is no sum"),
        "another name": ("share *= step", "share *= stride", "is no sum"),
        "another call": ("np.add(second,", "np.hypot(second,", "is no sum"),
        "a target in a list": ("share *= step", "state[1] *= step", "is no sum"),
        "another number": ("np.multiply(low, index - 1.0,", "np.multiply(low, 2.0,", "is no sum"),
        "a condition": ("term += share\n", "term = share if done else term\n", "is no sum"),
        "a branch": ("term += share\n", "if done:\n            term += share\n", "is no sum"),
        "another start": ("range(done + 1, done", "range(done, done", "begin at"),
        "no such loop": ("def _advance(", "def _progress(", "has 0 loops"),
        "another doubt": ("+ done + 8", "+ done + 4", "does not say"),
        "another weight": (
            "total - before) * (done + block)\n\n",
            "total) * done\n\n",
            "does not say",
        ),
        "no whole number": ("_UNITS_A_STEP = 13.0", "_UNITS_A_STEP = 13.5", "no whole number"),
    }.items()
)
def test_what_is_not_known_is_refused(case: tuple[str, tuple[str, str, str]]) -> None:
    _, (old, new, told) = case
    sources = generate.sources_today()
    assert old in sources["series.py"]
    changed = sources | {"series.py": sources["series.py"].replace(old, new)}
    with pytest.raises(generate.RefusedError, match=told):
        generate.generated(changed)


def require_refused(file: str, old: str, new: str, told: str) -> None:
    """Require that the generator refuses a source in which this one place is changed."""
    sources = generate.sources_today()
    assert sources[file].count(old) == 1
    changed = sources | {file: sources[file].replace(old, new)}
    with pytest.raises(generate.RefusedError, match=told):
        generate.generated(changed)


@each(
    {
        "another doubt": ("value + last + 8)", "value + last)", "does not say"),
        "another weight": ("(value - before) * last", "value * last", "does not say"),
        "another exponential": ("np.exp(-slope)", "np.exp2(-slope)", "does not begin with"),
        "another condition": ("slope < _UNDERFLOWS, rest", "slope > _STEEP, rest", "is no sum"),
        "steep from elsewhere": ("_STEEP = 32.0", "_STEEP = 33.0", "takes? steep_from so"),
        "left out from elsewhere": ("= 800.0", "= 900.0", "takes? left_out_from so"),
        "parts in another order": ("low, scaled, high, scaled", "low, high, scaled, high", "so:"),
        "another point": ("np.where(tiny, 0.5, point)", "np.maximum(point, 0.5)", "x and 1-x so"),
        "another complement": ("_summed(given.high, 1.0 - ", "_summed(given.high, ", "so:"),
        "another limit": ("= 1e-130", "= 1e-90", "takes? beta_underflowing so"),
    }.items()
)
def test_what_is_not_known_of_the_incomplete_beta_is_refused(
    case: tuple[str, tuple[str, str, str]],
) -> None:
    require_refused("incomplete_beta.py", *case[1])


def test_the_exponential_is_as_near_as_the_steep_case_takes_it() -> None:
    """Off by at most three quarters of a unit in the last place, as `steep_within` assumes."""
    slopes = np.random.default_rng(23).uniform(32.0, 679.0, 4000)
    found = np.exp(-slopes)
    with localcontext() as context:
        context.prec = 40
        for slope, value in zip(slopes.tolist(), found.tolist(), strict=True):
            true = (-Decimal(slope)).exp()
            assert abs(Decimal(value) - true) <= Decimal(3) / 2 * Decimal(2) ** -53 * true


def test_the_logarithm_is_as_near_as_the_answer_takes_it() -> None:
    """Off by at most 2 u of itself, u = 2^-53, as `answer_is_not_below` assumes."""
    assert worst_logarithm(logarithm_points(np.random.default_rng(23), 2000)) <= 2.0


def test_the_exponential_is_as_near_as_the_answer_takes_it() -> None:
    assert worst_exponential(exponential_points(np.random.default_rng(23), 2000)) <= 1.5


def test_the_logarithm_of_what_is_left_of_1_is_as_near_as_the_answer_takes_it() -> None:
    """Off by at most 2 u of itself above -1, as `complement_answer_is_not_below` assumes."""
    assert worst_logarithm_beside_1(points_beside_1(np.random.default_rng(23), 2000)) <= 2.0


def test_far_below_0_the_exponential_is_off_by_one_underflow_more() -> None:
    """At most 1.5 u of itself and 2^-1074 from -679 down, as `exponential_below_0` says."""
    draws = np.random.default_rng(23)
    points = np.concatenate(
        [-679.0 - draws.uniform(0.0, 80.0, 2000), -np.exp(draws.uniform(6.6, 709.0, 200)), [-679.0]]
    )
    with localcontext() as context:
        context.prec = 40
        for point, value in zip(points.tolist(), np.exp(points).tolist(), strict=True):
            true = Decimal(point).exp() if point > -1e4 else Decimal(0)
            most = Decimal(3) / 2 * Decimal(2) ** -53 * true + Decimal(2) ** -1074
            assert value >= 0.0
            assert abs(Decimal(value) - true) <= most


@each(
    {
        "another large sum": ("series.py", "2.0**700", "2.0**600", "take large_sum so"),
        "another shrinking": ("series.py", "state[9] > _LARGE", "state[9] >= _LARGE", "large_sum"),
        "another test": ("series.py", "ratio < _LARGEST_RATIO)", "ratio < 1.0)", "does not say"),
        "another sum": (
            "profile.py",
            "given, summed.doubt, logarithm)",
            "given, summed.doubt, given.logarithm)",
            "does not say",
        ),
        "another function": (
            "profile.py",
            "np.abs(given.logarithm))",
            "np.fabs(given.logarithm))",
            "is no operation",
        ),
        "another name": (
            "profile.py",
            "(given.doubt + doubt +",
            "(given.drift + doubt +",
            "is no op",
        ),
        "a power": ("profile.py", "np.exp(logarithm) *", "np.exp(logarithm) **", "is no operation"),
        "another size": (
            "profile.py",
            "usual &= np.isfinite(epsilon) &",
            "usual |= np.isfinite(epsilon) &",
            "no condition more",
        ),
        "sizes under a condition": (
            "profile.py",
            "    usual &= np.isfinite(epsilon) &",
            "    if alpha.size:\n        usual &= np.isfinite(epsilon) &",
            "no condition more",
        ),
        "another comparison": (
            "profile.py",
            "(alpha / step < _HUGEST)",
            "(alpha / step <= _HUGEST)",
            "no comparison",
        ),
        "others tried": (
            "profile.py",
            "    if not np.all(usual):",
            "    if not np.any(usual):",
            "does not say",
        ),
        "sizes of a beta": (
            "incomplete_beta.py",
            "(point < 1.0)",
            "~(point >= 1.0)",
            "no comparison",
        ),
        "twice": (
            "profile.py",
            "    rounding = 4 *",
            "    rounding = doubt\n    rounding = 4 *",
            "says 2 times",
        ),
    }.items()
)
def test_what_is_not_known_of_a_formula_is_refused(
    case: tuple[str, tuple[str, str, str, str]],
) -> None:
    require_refused(*case[1])


@each(
    {
        "another splitter": ("doubled.py", "2.0**27 + 1.0", "2.0**26 + 1.0", "does not say"),
        "a loop": (
            "doubled.py",
            "    part = total - left\n",
            "    for part in (total - left,):\n        pass\n",
            "no operation",
        ),
        "another sum": (
            "doubled.py",
            "    part = total - left",
            "    part = total**2",
            "no operation",
        ),
        "another name": ("doubled.py", "def plus(", "def add(", "no function plus"),
        "another exponential": (
            "incomplete_beta.py",
            "ratio = exp_minus(slope)",
            "ratio = single(np.exp(-slope[0]))",
            "does not say",
        ),
        "another table": (
            "doubled.py",
            "_POWERS, _POWERS_LOW = _table_of_powers()",
            "_POWERS_LOW, _POWERS = _table_of_powers()",
            "does not say",
        ),
        "another index": (
            "doubled.py",
            "_POWERS[whole % _STEPS],",
            "_POWERS[whole],",
            "does not say",
        ),
        "another scale": ("doubled.py", "top_scale - bottom_scale", "top_scale", "does not say"),
        "another slope": (
            "incomplete_beta.py",
            "slope = quotient(epsilon, step)",
            "slope = single(epsilon / step)",
            "does not say",
        ),
        "another high": ("incomplete_beta.py", "low[0], high[0],", "low[0], +high[0],", "no oper"),
        "another complement": ("profile.py", "given.low, given.scaled_low, _", "1, 2, _", "points"),
        "one number": (
            "incomplete_beta.py",
            "return low[0] / total[0], low[0],",
            "return low[0] / total[0], np.abs(low[0]),",
            "no operation",
        ),
    }.items()
)
def test_what_is_not_known_of_two_doubles_is_refused(
    case: tuple[str, tuple[str, str, str, str]],
) -> None:
    require_refused(*case[1])
