"""The programs and files of proofs_notes/machine_checked, for the tests of them."""

from __future__ import annotations

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).resolve().parents[2]
NOTES = ROOT / "proofs_notes"
FOLDER = NOTES / "machine_checked"

SERIES, BETA, PROFILE = "series.py", "incomplete_beta.py", "profile.py"
DOUBLED = "doubled.py"
DIFFERENCE, FACTOR, STEEP = "DifferenceSeries", "OneFactorSeries", "SteepCase"
LAST, PAIRS, EXP, NEAR = "LastSteps", "Doubled", "ExpMinus", "NearCase"
SIZES, REST = "Sizes", "LastStepsOfRest"
# What breaks, the source, the line or lines, and what stands there instead.
MUTATIONS = (
    (DIFFERENCE, SERIES, "np.multiply(low, index - 1.0,", "np.multiply(low, index,"),
    (DIFFERENCE, SERIES, "factor += scaled_low", "factor += low"),
    (DIFFERENCE, SERIES, "np.divide(partner, scratch,", "np.divide(term, scratch,"),
    (DIFFERENCE, SERIES, "np.multiply(share, factor,", "np.multiply(share, scratch,"),
    (DIFFERENCE, SERIES, "share *= step", "share *= alpha"),
    (DIFFERENCE, SERIES, "term += share\n", "term += partner\n"),
    (DIFFERENCE, SERIES, "np.add(alpha, index,", "np.add(second, index,"),
    (DIFFERENCE, SERIES, "total += term\n    weighted", "total += partner\n    weighted"),
    (DIFFERENCE, SERIES, "term += share * step", "term += share * alpha"),
    (DIFFERENCE, SERIES, "factor / (alpha + index)", "factor / (second + index)"),
    (DIFFERENCE, SERIES, "_UNITS_A_STEP = 13.0", "_UNITS_A_STEP = 10.0"),
    (FACTOR, SERIES, "np.multiply(point, index - 1.0,", "np.multiply(point, index,"),
    (FACTOR, SERIES, "factor += scaled_point", "factor += point"),
    (FACTOR, SERIES, "scaled_point) / (second + index)", "scaled_point) / (second * index)"),
    (FACTOR, SERIES, "np.multiply(point, index - 1.0,", "np.multiply(scaled_point, index - 1.0,"),
    (FACTOR, SERIES, "(point * (index - 1.0) + scaled", "(point * index + scaled"),
    (FACTOR, SERIES, "(index - 1.0) + scaled_point)", "(index - 1.0) + second)"),
    (FACTOR, SERIES, "(point * (index - 1.0) +", "(scaled_point * (index - 1.0) +"),
    (FACTOR, SERIES, "scaled_point) / (second + index)", "scaled_point) / (scaled_point + index)"),
    (FACTOR, SERIES, "term *= (point", "term += (point"),
    (FACTOR, SERIES, "total += term\n    state[5:7]", "total += point\n    state[5:7]"),
    (FACTOR, SERIES, "_UNITS_A_STEP = 13.0", "_UNITS_A_STEP = 10.0"),
    (FACTOR, BETA, "place * (index - 1.0)", "place * index"),
    (FACTOR, BETA, "((front + place * (index", "((place + place * (index"),
    (FACTOR, BETA, "(front + place * (index", "(front + front * (index"),
    (FACTOR, BETA, "(below + index)", "(below * index)"),
    (FACTOR, BETA, "term = term * ((front", "term = term + ((front"),
    (FACTOR, BETA, "term = term * ((front", "term = term / ((front"),
    (
        FACTOR,
        BETA,
        "value + term if alone else np.where(going, value + term,",
        "value + front if alone else np.where(going, value + front,",
    ),
    (
        FACTOR,
        BETA,
        "value + term if alone else np.where(going, value + term,",
        "value * term if alone else np.where(going, value * term,",
    ),
    (FACTOR, BETA, "/ (below + index)", "/ (front + index)"),
    (FACTOR, BETA, "term = term * ((front", "term = value * ((front"),
    (FACTOR, BETA, "_UNITS_A_STEP = 7.0", "_UNITS_A_STEP = 6.0"),
    (STEEP, BETA, "ratio -= ratio *", "ratio += ratio *"),
    (STEEP, BETA, "low = ratio - ratio * ratio", "low = ratio - ratio * total"),
    (STEEP, BETA, "scaled = total * low", "scaled = total * ratio"),
    (NEAR, BETA, "plus(single(np.ones_like(alpha)), ratio)", "plus(ratio, ratio)"),
    (NEAR, BETA, "low = times(ratio, high)", "low = times(ratio, total)"),
    (PAIRS, DOUBLED, "part = total - left", "part = total - right"),
    (PAIRS, DOUBLED, "high = scaled - (scaled - value)", "high = scaled - (value - scaled)"),
    (PAIRS, DOUBLED, "dropped + left_high * right_low +", "dropped + left_low * right_low +"),
    (PAIRS, DOUBLED, "return total, low - (total - high)", "return total, low - (high - total)"),
    (PAIRS, DOUBLED, "low + (left[1] + right[1])", "low + (left[1] + right[0])"),
    (PAIRS, DOUBLED, "left[0] * right[1] + left[1]", "left[1] * right[1] + left[1]"),
    (PAIRS, DOUBLED, "top[1] - high * bottom[1]", "top[1] + high * bottom[1]"),
    (EXP, DOUBLED, "near = -argument[0] - steps * _FIRST", "near = argument[0] - steps * _FIRST"),
    (EXP, DOUBLED, "low - steps * _THIRD - argument[1]", "low - steps * _THIRD + argument[1]"),
    (EXP, DOUBLED, "bent = rest * rest * tail", "bent = rest * tail"),
    (EXP, DOUBLED, "low * (1.0 + rest + bent)", "low * (1.0 + rest * bent)"),
    (EXP, DOUBLED, "times(power, growth)", "times(growth, growth)"),
    (EXP, DOUBLED, "1 / 5040, 1 / 720", "1 / 720, 1 / 720"),
    (LAST, SERIES, "_LARGEST_RATIO = 0.999", "_LARGEST_RATIO = 0.9999999999999999"),
    (LAST, SERIES, "(1.0 + 1.0 / (done + 1))", "(1.0 + 1.0 / done)"),
    (LAST, SERIES, "_NEGLIGIBLE * value * (1.0 - ratio)", "_NEGLIGIBLE * value * 2"),
    (LAST, SERIES, "UNIT + 2 * _NEGLIGIBLE", "UNIT + _NEGLIGIBLE"),
    (LAST, PROFILE, "rounding = 4 * UNIT", "rounding = 3 * UNIT"),
    (LAST, PROFILE, "(1.0 + 1e-3)", "(1.0 - 1e-3)"),
    (LAST, PROFILE, "np.abs(part) + np.abs(given", "np.abs(part) * np.abs(given"),
    (LAST, PROFILE, "return value + (1.0", "return value * (1.0"),
    (LAST, PROFILE, "np.exp(logarithm) * (1.0 + 8", "np.exp(logarithm) * (1.0 + 2"),
    (LAST, BETA, "weighted / value + last + 8)", "weighted / value + last + 8) * 0.5"),
    (SIZES, PROFILE, "(alpha / step < _HUGEST)", "(step / alpha < _HUGEST)"),
    (SIZES, PROFILE, "_TINIEST, _HUGEST = 1e-280, 1e280", "_TINIEST, _HUGEST = 1e-280, 1e290"),
    (SIZES, PROFILE, "_TINIEST, _HUGEST = 1e-280, 1e280", "_TINIEST, _HUGEST = 1e-290, 1e280"),
    (SIZES, PROFILE, "(alpha < _HUGEST) & (step", "(step < _HUGEST) & (step"),
    (SIZES, BETA, "(alpha > _TINIEST) & (others", "(total > _TINIEST) & (others"),
    (SIZES, BETA, "(total < _HUGEST)", "(alpha < _HUGEST)"),
    (REST, PROFILE, "1.0 - 1.01 * doubt", "1.0 - 1.0 * doubt"),
    (REST, PROFILE, "far.doubt) + 4 * UNIT", "far.doubt) + 3 * UNIT"),
    (REST, PROFILE, "np.maximum(near.doubt, far.doubt)", "np.minimum(near.doubt, far.doubt)"),
    (REST, PROFILE, "(near.value + far.value)", "(near.value * far.value)"),
    (
        REST,
        PROFILE,
        "np.log1p(-missing * (1.0 - 8 * UNIT))",
        "np.log1p(-missing * (1.0 + 8 * UNIT))",
    ),
    (REST, PROFILE, "(1.0 - 8 * UNIT)) * (1.0 - 4 * UNIT)", "(1.0 - 8 * UNIT)) * (1.0 + 4 * UNIT)"),
)


def program(name: str) -> ModuleType:
    """Return a program of the folder as a module."""
    found = spec_from_file_location(f"machine_checked_{name}", FOLDER / f"{name}.py")
    assert found
    assert found.loader
    module = module_from_spec(found)
    sys.modules[found.name] = module
    found.loader.exec_module(module)
    return module


def files() -> dict[str, str]:
    """Return the text of each Coq file by its name."""
    return {path.name: path.read_text("utf-8") for path in sorted(FOLDER.glob("*.v"))}
