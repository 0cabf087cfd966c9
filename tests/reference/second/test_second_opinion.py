"""The second opinion: independent of the first engine, complete, and never of another mind."""

from __future__ import annotations

import ast
import inspect
import math
import random
from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import gmpy2
import pytest
import simplexcert.reference.second
from simplexcert.reference import Answer, evaluate, quantities
from simplexcert.reference.domain import Domain, Exact, Interval, Law, Table, Value
from simplexcert.reference.exact import exact_text
from simplexcert.reference.precision import Budget
from simplexcert.reference.quantity import Quantity
from simplexcert.reference.second import opinion_on, opinions

NAMES = sorted(quantities())
POINTS = 170
# Estimates by mpmath take some tenths of a second.
POINTS_ESTIMATED = 40
# The soak's points are drawn from the full ranges, where one root can take seconds.
SOAK_POINTS = 300
SOAK_SECONDS = 5.0
# Smaller ranges for the gate: the time of a root in k grows like floor/shift.
GATE_CAPS: dict[str, Mapping[str, str]] = {
    "dirichlet.identity.k_for_dp": {"eta": "0.2"},
    "dirichlet.average.k_for_dp": {"eta": "0.2", "N": "20"},
    "dirichlet.counts.k_for_dp": {"eta": "0.2", "N": "200"},
}
GATE_FLOORS: dict[str, Mapping[str, str]] = {
    # A smaller floor has its gamma at 1e-5000 and further down.
    "dirichlet.identity.gamma": {"k": "0.5", "eta": "0.01"},
    "dirichlet.counts.gamma": {"k": "0.5", "eta": "0.01"},
    "dirichlet.identity.k_for_dp": {"b": "0.05"},
    "dirichlet.average.k_for_dp": {"b": "0.2"},
}

# One record of a histogram replaced.
_SENSITIVE = {"delta2_squared": "2", "delta_inf": "1"}

EDGES: dict[str, list[dict[str, str]]] = {
    "dirichlet.utility.variance": [
        {"p": "0", "k": "3"},
        {"p": "1/3", "k": "20.6"},
    ],
    "dirichlet.utility.absolute_deviation": [
        {"p": "0", "k": "3"},
        {"p": "1", "k": "3"},
        {"p": "1e-9", "k": "1e-3"},
        {"p": "1/2", "k": "1e5"},
        {"p": "0.073", "k": "20.6"},
    ],
    "dirichlet.utility.absolute_deviation_bound": [{"k": "1e-6"}, {"k": "9.87"}, {"k": "1e6"}],
    "dirichlet.utility.expected_kl": [
        {"p": "[0, 1]", "k": "3"},
        {"p": '["1/5", "1/5", "3/5"]', "k": "20.6"},
        {"p": '["1e-9", "0.999999999"]', "k": "100"},
    ],
    "dirichlet.utility.expected_kl_bound": [
        {"k": "20.6", "N": "98", "n": "5"},
        {"k": "0.1", "N": "10", "n": "2"},
        {"k": "1e5", "N": "1000", "n": "50"},
    ],
    "dirichlet.utility.expected_kl_worst": [
        {"k": "20.6", "eta": "0.073", "n": "5"},
        {"k": "20.6", "eta": "0.2", "n": "5"},
        {"k": "0.1", "eta": "0.001", "n": "3"},
    ],
    "dirichlet.utility.expected_kl_prior": [
        {"p": "[0, 1]", "u": "[1, 1]"},
        {"p": '["1/2", "1/2"]', "u": "[0.001, 1000]"},
        {"p": '["1/5", "1/5", "3/5"]', "u": "[2, 3, 9]"},
    ],
    "dirichlet.utility.kl_variance_prior": [
        {"p": "[0, 1]", "u": "[1, 1]"},
        {"p": '["1/2", "1/2"]', "u": "[0.1, 1000]"},
        {"p": '["1/5", "1/5", "3/5"]', "u": "[2, 3, 9]"},
    ],
    "dirichlet.utility.kl_tail_bound": [
        {"beta": "3.082988474", "eta": "1"},
        {"beta": "100", "eta": "0.1"},
    ],
    "dirichlet.utility.kl_tail": [
        {"p": '["1/3", "2/3"]', "beta": "5", "alpha": "1", "eta": "1/2"},
        {"p": '["1/3", "2/3"]', "beta": "40", "alpha": "1/2", "eta": "1/1000"},
    ],
    "dirichlet.utility.kl_chernoff": [
        {"p": '["1/3", "2/3"]', "beta": "5", "alpha": "1", "eta": "1/2"},
        {"p": '["1/3", "2/3"]', "beta": "40", "alpha": "1/2", "eta": "1"},
    ],
    "dirichlet.tail.uniform": [
        {"alpha": "2", "count": "3", "rest": "0", "gamma": "1/3"},
        {"alpha": "2", "count": "1", "rest": "0", "gamma": "1"},
        {"alpha": "2", "count": "3", "rest": "1", "gamma": "0"},
        {"alpha": "0.001", "count": "3", "rest": "0", "gamma": "1e-30"},
        {"alpha": "200", "count": "5", "rest": "4000", "gamma": "0.03"},
        {"alpha": "0.3", "count": "2", "rest": "0.1", "gamma": "0.499"},
        {"alpha": "1", "count": "1", "rest": "1", "gamma": "1e-30"},
        {"alpha": "1000", "count": "2", "rest": "1", "gamma": "1e-12"},
    ],
    "dirichlet.tail.general": [
        {"alpha": '["1/2", 3, 3]', "rest": "0", "gamma": "1/4"},
        {"alpha": "[0.01, 100]", "rest": "1", "gamma": "0.001"},
        {"alpha": "[1]", "rest": "0", "gamma": "0.5"},
        {"alpha": "[1, 2]", "rest": "0", "gamma": "0.5"},
        {"alpha": "[1, 2, 3, 4, 5, 6, 7, 8]", "rest": "20", "gamma": "0.02"},
        {"alpha": '[0.2, "1/3"]', "rest": "0.1", "gamma": "1e-9"},
    ],
    "dirichlet.identity.delta_bound": [
        {"k": "24", "eta": "0.05", "w": "2", "gamma": "0.00226073"},
        {"k": "20.6", "eta": "0.073", "w": "4", "gamma": "0.0004"},
        {"k": "10", "eta": "1/4", "w": "4", "gamma": "0.01"},
        {"k": "0.05", "eta": "0.1", "w": "3", "gamma": "0.01"},
        {"k": "171.87", "eta": "0.028", "w": "5", "gamma": "0.001"},
        {"k": "5", "eta": "0.1", "w": "3", "gamma": "0"},
        {"k": "171.87", "eta": "0.028", "w": "31", "gamma": "0.001"},
    ],
    "dirichlet.identity.gamma": [
        {"k": "24", "eta": "0.05", "w": "2", "delta": "0.05"},
        {"k": "20", "eta": "0.1", "w": "2", "delta": "1e-12"},
        {"k": "0.1", "eta": "0.1", "w": "1", "delta": "1e-9"},
        {"k": "50", "eta": "1/4", "w": "4", "delta": "0.999999"},
        {"k": "100", "eta": "0.01", "w": "7", "delta": "0.5"},
    ],
    "dirichlet.counts.delta_bound": [
        {"k": "20.6", "eta": "0.073", "n": "5", "gamma": "0.0004"},
        {"k": "20.6", "eta": "0.2", "n": "5", "gamma": "0.0004"},
        {"k": "20", "eta": "0.01", "n": "50", "gamma": "0.001"},
        {"k": "0.5", "eta": "0.1", "n": "3", "gamma": "0.3"},
        {"k": "1000", "eta": "0.1", "n": "5", "gamma": "0.05"},
    ],
    "dirichlet.counts.gamma": [
        {"k": "20.6", "eta": "0.073", "n": "5", "delta": "0.0026"},
        {"k": "20.6", "eta": "0.2", "n": "5", "delta": "1e-9"},
        {"k": "1", "eta": "0.1", "n": "3", "delta": "0.9"},
        {"k": "200", "eta": "0.1", "n": "5", "delta": "1e-6"},
    ],
    "dirichlet.profile.delta": [
        {"alpha": "3", "step": "2", "epsilon": "0"},
        {"alpha": "3", "step": "2", "epsilon": "1"},
        {"alpha": "0.5", "step": "0.5", "epsilon": "0"},
        {"alpha": "5", "step": "5e-9", "epsilon": "0"},
        {"alpha": "5", "step": "5e-9", "epsilon": "5e-9"},
        {"alpha": "5", "step": "5e-9", "epsilon": "1"},
        {"alpha": "1e-9", "step": "1", "epsilon": "1"},
        {"alpha": "1", "step": "1e6", "epsilon": "1"},
        {"alpha": "1", "step": "1", "epsilon": "1e-30"},
        {"alpha": "1", "step": "1", "epsilon": "1e10"},
        {"alpha": "1e-30", "step": "5e-9", "epsilon": "30"},
        {"alpha": "1e5", "step": "1e-4", "epsilon": "0"},
        {"alpha": "1e5", "step": "1e5", "epsilon": "30"},
    ],
    "dirichlet.profile.total_variation": [
        {"alpha": "3", "step": "2"},
        {"alpha": "100", "step": "3"},
        {"alpha": "100", "step": "3e-7"},
        {"alpha": "1e-9", "step": "1"},
        {"alpha": "2", "step": "1e5"},
        {"alpha": "4000", "step": "200"},
    ],
    "dirichlet.profile.epsilon": [
        {"alpha": "3", "step": "2", "delta": "0"},
        {"alpha": "3", "step": "2", "delta": "1"},
        {"alpha": "3", "step": "2", "delta": "35/64"},
        {"alpha": "3", "step": "2", "delta": "0.5468749999"},
        {"alpha": "3", "step": "2", "delta": "1e-3000"},
        {"alpha": "5", "step": "5e-9", "delta": "1e-12"},
        {"alpha": "0.001", "step": "1000", "delta": "1e-3000"},
        {"alpha": "7.5", "step": "0.5", "delta": "1e-12"},
    ],
    "dirichlet.profile.renyi": [
        {"alpha": "6", "step": "2", "order": "1"},
        {"alpha": "6", "step": "0.5", "order": "1"},
        {"alpha": "6", "step": "2", "order": "4"},
        {"alpha": "6", "step": "2", "order": "5"},
        {"alpha": "6", "step": "2", "order": "3.9999999999999999"},
        {"alpha": "6", "step": "0.5", "order": "1.0000000001"},
        {"alpha": "5", "step": "5e-9", "order": "1"},
        {"alpha": "5", "step": "5e-9", "order": "7"},
        {"alpha": "1e5", "step": "1e-4", "order": "5"},
        {"alpha": "1e-300", "step": "1e-310", "order": "2"},
    ],
    "dirichlet.profile.step_for_dp": [
        {"alpha": "1", "epsilon": "0", "delta": "0.5"},
        {"alpha": "1", "epsilon": "0", "delta": "0.999999999999"},
        {"alpha": "1", "epsilon": "30", "delta": "0.999999999999"},
        {"alpha": "0.001", "epsilon": "0", "delta": "1e-12"},
        {"alpha": "1000", "epsilon": "30", "delta": "1e-12"},
    ],
    "dirichlet.profile.step_for_renyi": [
        {"alpha": "5", "order": "1", "epsilon": "1"},
        {"alpha": "0.001", "order": "1", "epsilon": "1000"},
        {"alpha": "1000", "order": "100", "epsilon": "1000"},
        {"alpha": "0.001", "order": "1.001", "epsilon": "1000"},
        {"alpha": "5", "order": "1.001", "epsilon": "1e-9"},
        {"alpha": "5", "order": "2", "epsilon": "40"},
    ],
    "dirichlet.identity.epsilon_bound": [
        # Equal sums exchange nothing: eta + b/2 = 1 - eta_bar - eta.
        {"k": "7", "eta": "0.2", "eta_bar": "0.3", "b": "0.6", "w": "2", "gamma": "0.01"},
        {"k": "1e5", "eta": "0.2", "eta_bar": "0.3", "b": "1e-9", "w": "2", "gamma": "0.01"},
        {"k": "1", "eta": "0.01", "eta_bar": "0.48", "b": "1", "w": "2", "gamma": "0.0067"},
    ],
    "dirichlet.identity.epsilon_simplified": [
        # Both arguments 1: the two Beta bounds are the same number.
        {"k": "4", "eta": "0.25", "eta_bar": "0.5", "b": "0.1", "w": "2", "gamma": "0.01"},
        # An argument next to 1/2, where the upper bound has its pole.
        {"k": "5.00000001", "eta": ".1", "eta_bar": ".2", "b": "1", "w": "2", "gamma": ".49999999"},
        {"k": "1e5", "eta": "0.2", "eta_bar": "0.3", "b": "1e-9", "w": "5", "gamma": "0.01"},
        {"k": "6.7", "eta": "0.15", "eta_bar": "0.15", "b": "0.1", "w": "3", "gamma": "0.01"},
    ],
    "dirichlet.average.epsilon_bound": [
        {"k": "24", "eta": ".05", "eta_bar": ".05", "b": "1", "N": "100", "w": "2", "gamma": ".01"},
        {"k": "24", "eta": ".05", "eta_bar": ".05", "b": "1", "N": "1", "w": "3", "gamma": ".3"},
    ],
    "dirichlet.counts.epsilon_bound": [
        {"k": "20.6", "eta": "0.073", "N": "98", "n": "5", "gamma": "0.005"},
        {"k": "20.6", "eta": "0.25", "N": "4", "n": "4", "gamma": "0.005"},
    ],
    "dirichlet.counts.epsilon_minimum": [
        {"eta": "1/3", "N": "4", "n": "3", "gamma": "0.3333"},
        {"eta": "0.001", "N": "10000", "n": "50", "gamma": "1e-8"},
        # Equal sums exchange nothing: 3/2 and 3 become 3 and 3/2.
        {"eta": "0.25", "N": "4", "n": "4", "gamma": "0.005"},
        {"eta": "0.073", "N": "98", "n": "5", "gamma": "0.0004"},
    ],
    "dirichlet.identity.k_for_dp": [
        {"eta": "1/20", "b": "1", "epsilon": "1", "delta": "0.761"},
        {"eta": "1/2", "b": "1", "epsilon": "0", "delta": "0.333333333334"},
        {"eta": "1/2", "b": "1e-2", "epsilon": "0", "delta": "0.999"},
    ],
    "dirichlet.average.k_for_dp": [
        {"eta": "0.05", "b": "1", "N": "100", "epsilon": "1.18", "delta": "0.05"},
        {"eta": "0.05", "b": "1", "N": "1", "epsilon": "0", "delta": "0.9"},
    ],
    "dirichlet.counts.k_for_dp": [
        {"eta": "0.073", "N": "98", "epsilon": "0.60553", "delta": "0.0019953"},
        {"eta": "0.5", "N": "2", "epsilon": "0", "delta": "0.5"},
    ],
    "dirichlet.composition.delta": [
        {"releases": "[[3, 2, 1]]", "epsilon": "1"},
        {"releases": "[[3, 2, 2]]", "epsilon": "0"},
        {"releases": '[[5, "5e-9", 2]]', "epsilon": "0"},
        {"releases": '[[5, "5e-9", 10]]', "epsilon": "1"},
        {"releases": '[["1e-9", 1, 2]]', "epsilon": "1"},
        {"releases": "[[100, 1, 10000]]", "epsilon": "30"},
        {"releases": "[[1, 1, 10000]]", "epsilon": "30"},
        {"releases": "[[2, 0.5, 2]]", "epsilon": "1e10"},
        {"releases": "[[1, 1, 3]]", "epsilon": "1e-30"},
        {"releases": "[[1000, 0.001, 10], [0.01, 10, 1]]", "epsilon": "2"},
        {"releases": '[[1000, 0.001, 1000], [5, "1/7", 3], [5, 1, 1]]', "epsilon": "2"},
    ],
    "dirichlet.composition.epsilon": [
        {"releases": "[[3, 2, 2]]", "delta": "0"},
        {"releases": "[[3, 2, 2]]", "delta": "1"},
        {"releases": "[[3, 2, 2]]", "delta": "0.9"},
        {"releases": "[[3, 2, 2]]", "delta": "0.71386946386946"},
        {"releases": "[[3, 2, 1]]", "delta": "1e-10"},
        {"releases": '[[5, "5e-9", 2]]', "delta": "1e-12"},
        {"releases": "[[100, 1, 10000]]", "delta": "1e-5"},
        {"releases": "[[0.001, 1000, 10]]", "delta": "0.01"},
        {"releases": "[[1000, 0.001, 10], [0.01, 10, 1]]", "delta": "0.9"},
        {"releases": "[[3, 2, 2]]", "delta": "1e-3000"},
    ],
    "dirichlet.matrix.epsilon_bound": [
        # Equal sums exchange nothing: eta + b/2 = 1 - eta_bar - eta.
        {"k": "7", "eta": "0.2", "eta_bar": "0.3", "b": "0.6", "rows": "[[2, 0.01], [3, 0.3]]"},
        # The second pair is the wider one.
        {"k": "7", "eta": "0.2", "eta_bar": "0.3", "b": "0.9", "rows": "[[2, 0.4999999]]"},
        {"k": "1e5", "eta": "0.2", "eta_bar": "0.3", "b": "1e-9", "rows": "[[2, 0.01]]"},
        {"k": "24", "eta": "0.05", "eta_bar": "0.05", "b": "1", "rows": "[[9, 0.1], [2, 0.01]]"},
    ],
    "dirichlet.matrix.delta_bound": [
        {"k": "24", "eta": "0.05", "rows": "[[2, 0.01], [2, 0.5]]"},
        {"k": "24", "eta": "0.05", "rows": "[[2, 0], [7, 0]]"},
        {"k": "24", "eta": "0.05", "rows": "[[2, 0.00226073]]"},
        {"k": "20.6", "eta": "0.073", "rows": "[[4, 0.0004], [2, 0.01], [4, 0.0001]]"},
    ],
    "dirichlet.matrix.delta": [
        {"k": "24", "eta": "0.05", "b": "1", "changed_rows": "1", "epsilon": "1"},
        {"k": "24", "eta": "0.05", "b": "1", "changed_rows": "2", "epsilon": "0"},
        {"k": "1000", "eta": "0.1", "b": "0.01", "changed_rows": "10000", "epsilon": "30"},
        {"k": "24", "eta": "0.05", "b": "0.1", "changed_rows": "50", "epsilon": "1"},
    ],
    "dirichlet.renyi.epsilon_bound": [
        {"order": "1", "step": "1", "delta2_squared": "2", "delta_inf": "1"},
        {"order": "1.000000001", "step": "1e-9", "delta2_squared": "2", "delta_inf": "1"},
        {"order": "100", "step": "1e9", "delta2_squared": "0.1", "delta_inf": "10"},
    ],
    "dirichlet.renyi.epsilon_bound_alpha": [
        _SENSITIVE | {"order": "5", "step": "0.25", "alpha": "1"},
        _SENSITIVE | {"order": "5", "step": "0.25", "alpha": "1.00000000000000001"},
        _SENSITIVE | {"order": "1", "step": "0.25", "alpha": "1e-9"},
        _SENSITIVE | {"order": "5", "step": "0.25", "alpha": "1e9"},
    ],
    "dirichlet.renyi.epsilon_sensitivity": [
        _SENSITIVE | {"order": "5", "step": "0.25", "alpha": "1"},
        _SENSITIVE | {"order": "1", "step": "0.25", "alpha": "1"},
        _SENSITIVE | {"order": "1.999999", "step": "0.25", "alpha": "1"},
        _SENSITIVE | {"order": "1.5", "step": "1e-9", "alpha": "1"},
        _SENSITIVE | {"order": "5", "step": "0.25", "alpha": "1.00000000000000001"},
    ],
    "dirichlet.renyi.step": [
        {"order": "1", "epsilon": "1", "delta2_squared": "2", "delta_inf": "1"},
        {"order": "1.0000001", "epsilon": "1e9", "delta2_squared": "0.1", "delta_inf": "10"},
        {"order": "100", "epsilon": "1e-9", "delta2_squared": "0.1", "delta_inf": "10"},
        {"order": "5", "epsilon": "0.1", "delta2_squared": "2", "delta_inf": "1"},
    ],
    "dirichlet.renyi.divergence": [
        {"u": "[1, 2]", "v": "[1, 2]", "order": "5"},
        {"u": "[1]", "v": "[2]", "order": "5"},
        {"u": "[1, 2]", "v": "[2, 1]", "order": "2"},
        {"u": "[1, 3, 2]", "v": "[2, 1, 3]", "order": "1"},
        {"u": "[1, 2]", "v": "[2, 1]", "order": "1.99999999999999999"},
        {"u": "[10000, 0.001]", "v": "[10000.0001, 0.002]", "order": "1.5"},
        {"u": "[5, 2]", "v": "[5.000000001, 2]", "order": "1.000000001"},
    ],
    "dirichlet.renyi.to_approximate_dp": [
        {"order": "2", "epsilon": "0", "delta": "1/4"},
        {"order": "2", "epsilon": "0", "delta": "0.9"},
        {"order": "2", "epsilon": "0", "delta": "0.24999999999999999999"},
        {"order": "1.000000001", "epsilon": "1", "delta": "1e-300"},
        {"order": "200", "epsilon": "1e-9", "delta": "1e-5"},
    ],
    "dirichlet.profile.largest_order": [
        {"alpha": "3", "step": "2"},
        {"alpha": "1", "step": "3"},
    ],
    "dirichlet.add_remove.delta": [
        {"alpha": "1", "step": "1", "epsilon": "0"},
        {"alpha": "5", "step": "5e-9", "epsilon": "0"},
        {"alpha": "5", "step": "5e-9", "epsilon": "1"},
        {"alpha": "1e-30", "step": "5e-9", "epsilon": "30"},
        {"alpha": "1", "step": "1e6", "epsilon": "1"},
        {"alpha": "1e5", "step": "1e5", "epsilon": "30"},
        {"alpha": "1", "step": "1", "epsilon": "1e10"},
        {"alpha": "1e5", "step": "1e-4", "epsilon": "0"},
        {"alpha": "1e-9", "step": "1", "epsilon": "1"},
    ],
    "dirichlet.add_remove.epsilon": [
        {"alpha": "3", "step": "2", "delta": "0"},
        {"alpha": "3", "step": "2", "delta": "1"},
        {"alpha": "3", "step": "2", "delta": "0.9"},
        {"alpha": "1", "step": "1", "delta": "0.36787944117144"},
        {"alpha": "0.001", "step": "1000", "delta": "1e-3000"},
        {"alpha": "5", "step": "5e-9", "delta": "1e-12"},
        {"alpha": "3", "step": "2", "delta": "1e-3000"},
    ],
    "dirichlet.add_remove.renyi": [
        {"alpha": "6", "step": "2", "order": "4"},
        {"alpha": "6", "step": "2", "order": "3.9999999999999999"},
        {"alpha": "6", "step": "0.5", "order": "1.0000000001"},
        {"alpha": "1e5", "step": "1e-4", "order": "5"},
        {"alpha": "1e-300", "step": "1e-310", "order": "2"},
        {"alpha": "5", "step": "5e-9", "order": "1"},
        {"alpha": "6", "step": "2", "order": "1"},
    ],
    "dirichlet.add_remove.step_for_dp": [
        {"alpha": "1", "epsilon": "30", "delta": "0.999999999999"},
        {"alpha": "0.001", "epsilon": "0", "delta": "1e-12"},
        {"alpha": "1000", "epsilon": "30", "delta": "1e-12"},
        {"alpha": "1", "epsilon": "0", "delta": "0.5"},
    ],
    "dirichlet.add_remove.step_for_renyi": [
        {"alpha": "5", "order": "1", "epsilon": "1"},
        {"alpha": "0.001", "order": "1", "epsilon": "1000"},
        {"alpha": "1000", "order": "100", "epsilon": "1000"},
        {"alpha": "0.001", "order": "1.001", "epsilon": "1000"},
        {"alpha": "5", "order": "2", "epsilon": "40"},
    ],
}


def seeded(name: str) -> random.Random:
    return random.Random(name)  # noqa: S311 (test points, the same every time)


def some_number(rng: random.Random, interval: Interval, low: Fraction, high: Fraction) -> Exact:
    value = math.exp(rng.uniform(math.log(low), math.log(high)))
    return round(value) if interval.kind == "integer" else Fraction(f"{value:.8g}")


def some_point(
    quantity: Quantity,
    rng: random.Random,
    floors: Mapping[str, str],
    caps: Mapping[str, str],
) -> dict[str, Value]:
    """Return admissible parameters, each log-uniform in its search interval.

    Floors and caps go by a parameter's name, those of a table by a name such as releases.count.
    """

    def numbers(name: str, interval: Interval, count: int = 1) -> list[Exact]:
        low, high = (Fraction(end) for end in interval.search)
        low, high = max(low, Fraction(floors.get(name, low))), Fraction(caps.get(name, high))
        return [some_number(rng, interval, low, high) for _ in range(count)]

    while True:
        point: dict[str, Value] = {}
        for name, domain in quantity.parameters.items():
            point[name] = some_value(name, domain, rng, numbers, point)
        if quantity.admits(point):
            return point


def some_value(
    name: str,
    domain: Domain,
    rng: random.Random,
    numbers: Callable[..., list[Exact]],
    point: Mapping[str, Value],
) -> Value:
    if isinstance(domain, Interval):
        return numbers(name, domain)[0]
    if isinstance(domain, Table):
        count = rng.randint(1, domain.longest_searched)
        columns = [numbers(f"{name}.{title}", each, count) for title, each in domain.columns]
        return tuple(zip(*columns, strict=True))
    model = point.get(domain.as_long_as or "")
    count = rng.randint(domain.fewest, domain.longest_searched)
    count = len(model) if isinstance(model, tuple) else count
    entries = [Fraction(entry) for entry in numbers(name, domain.each, count)]
    return (
        tuple(entry / sum(entries) for entry in entries)
        if isinstance(domain, Law)
        else tuple(entries)
    )


def both(name: str, point: Mapping[str, object], budget: Budget) -> tuple[Answer, Answer]:
    first = evaluate(name, point, budget=Budget(budget.seconds, budget.bits))
    second = evaluate(name, point, engine="second", budget=Budget(budget.seconds, budget.bits))
    return first, second


def shown(first: Answer, second: Answer) -> str:
    ends = first.enclosure.decimals(20), second.enclosure.decimals(20)
    point = {name: exact_text(value) for name, value in first.parameters.items()}
    return f"{first.quantity.name} at {point}: {ends[0]} against {ends[1]}"


@pytest.mark.usefixtures("made_up")
@pytest.mark.parametrize("name", ["made.steps", "made.rows", "made.collision", "made.distance"])
def test_points_are_drawn_for_parameters_of_every_kind(name: str) -> None:
    rng, caps = seeded(name), {"releases.count": "2", "rows.w": "3"}
    for _ in range(50):
        point = some_point(quantities()[name], rng, {"u": "1"}, caps)
        first, second = both(name, point, Budget())
        assert first.exact == second.exact is not None, shown(first, second)
        assert all(entry >= 1 for entry in point.get("u", ()))  # type: ignore[union-attr,operator]
        assert all(row[2] <= 2 for row in point.get("releases", ()))  # type: ignore[union-attr]
        assert all(row[0] <= 3 for row in point.get("rows", ()))  # type: ignore[union-attr]


def test_every_quantity_has_a_second_opinion_and_nothing_else_has() -> None:
    assert sorted(opinions()) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_a_second_opinion_takes_the_quantitys_parameters(name: str) -> None:
    expected = ["bits", *quantities()[name].parameters]
    assert list(inspect.signature(opinion_on(name).enclose).parameters) == expected


@pytest.mark.parametrize("name", NAMES)
def test_a_rigorous_opinion_comes_from_mpfr_and_any_other_says_that_it_is_none(name: str) -> None:
    opinion = opinion_on(name)
    assert opinion.engine == ("mpfr" if opinion.rigorous else "mpmath")


def test_the_second_engine_imports_nothing_of_the_first() -> None:
    for file in sorted(Path(simplexcert.reference.second.__file__).parent.glob("**/*.py")):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Import):
                imported = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                imported = [f"{node.module or ''}.{alias.name}" for alias in node.names]
            else:
                continue
            parts = {part for name in imported for part in name.split(".")}
            assert not parts & {"flint", "arb", "dirichlet", "quantity", "evaluation"}, file.name


@pytest.mark.parametrize("name", NAMES)
def test_both_engines_overlap_and_are_narrow_at_random_points(name: str) -> None:
    quantity, rng = quantities()[name], seeded(f"gate {name}")
    floors, caps = GATE_FLOORS.get(name, {}), GATE_CAPS.get(name, {})
    for _ in range(POINTS if opinion_on(name).rigorous else POINTS_ESTIMATED):
        first, second = both(name, some_point(quantity, rng, floors, caps), Budget())
        assert first.narrow, shown(first, second)
        assert second.narrow, shown(first, second)
        assert first.enclosure.overlaps(second.enclosure), shown(first, second)


@pytest.mark.parametrize(
    ("name", "point"), [(name, point) for name in EDGES for point in EDGES[name]]
)
def test_both_engines_overlap_and_are_narrow_at_the_edges(name: str, point: dict[str, str]) -> None:
    first, second = both(name, point, Budget())
    assert first.narrow, shown(first, second)
    assert second.narrow, shown(first, second)
    assert first.enclosure.overlaps(second.enclosure), shown(first, second)


def test_every_quantity_has_edges() -> None:
    assert sorted(EDGES) == NAMES


@pytest.mark.soak
@pytest.mark.parametrize("name", NAMES)
def test_both_engines_overlap_over_the_full_ranges(name: str) -> None:
    quantity, rng = quantities()[name], seeded(f"soak {name}")
    for _ in range(SOAK_POINTS):
        first, second = both(name, some_point(quantity, rng, {}, {}), Budget(SOAK_SECONDS))
        assert first.enclosure.overlaps(second.enclosure), shown(first, second)


@pytest.mark.parametrize("name", NAMES)
def test_more_bits_overlap_fewer_bits(name: str) -> None:
    quantity, rng = quantities()[name], seeded(f"bits {name}")
    floors, caps = GATE_FLOORS.get(name, {}), GATE_CAPS.get(name, {})
    enclose = opinion_on(name).enclose
    for _ in range(5):
        point = some_point(quantity, rng, floors, caps)
        assert enclose(100, **point).overlaps(enclose(330, **point))


@pytest.mark.parametrize("name", NAMES)
def test_a_second_opinion_is_narrow_at_two_hundred_digits(name: str) -> None:
    for point in EDGES[name][-2:]:
        first = evaluate(name, point)
        second = evaluate(name, point, digits=200, engine="second")
        assert second.narrow, shown(first, second)
        assert first.enclosure.overlaps(second.enclosure), shown(first, second)


@pytest.mark.parametrize("name", NAMES)
def test_a_second_opinion_leaves_the_callers_context_alone(name: str) -> None:
    quantity, rng = quantities()[name], seeded(f"context {name}")
    point = some_point(quantity, rng, GATE_FLOORS.get(name, {}), GATE_CAPS.get(name, {}))
    expected = opinion_on(name).enclose(128, **point)
    with gmpy2.context(precision=11, round=gmpy2.RoundUp):
        before = str(gmpy2.get_context())
        found = opinion_on(name).enclose(128, **point)
        assert str(gmpy2.get_context()) == before
    assert (found.low, found.high) == (expected.low, expected.high)


def test_total_variation_of_whole_parameters_is_the_rational_it_is() -> None:
    enclose = opinion_on("dirichlet.profile.total_variation").enclose
    assert enclose(128, Fraction(3), Fraction(2)).exact == 1 - 2 * Fraction(1 + 7 + 21, 128)
    assert enclose(128, Fraction(1), Fraction(1)).exact == Fraction(1, 2)


def test_epsilon_at_the_total_variation_is_exactly_zero_and_just_below_it_is_not() -> None:
    enclose = opinion_on("dirichlet.profile.epsilon").enclose
    distance = opinion_on("dirichlet.profile.total_variation").enclose(64, Fraction(8), Fraction(1))
    assert distance.exact is not None
    assert enclose(128, Fraction(8), Fraction(1), distance.exact).exact == 0
    just_below = enclose(256, Fraction(8), Fraction(1), distance.exact - Fraction(1, 10**20))
    assert just_below.exact is None
    assert just_below.low.compared_with(Fraction(0)) > 0


def test_epsilon_at_delta_zero_and_renyi_beyond_its_orders_are_infinite() -> None:
    six, two = Fraction(6), Fraction(2)
    epsilon = opinion_on("dirichlet.profile.epsilon").enclose(128, six, two, Fraction(0))
    renyi = opinion_on("dirichlet.profile.renyi").enclose(128, six, two, Fraction(4))
    assert not epsilon.low.is_finite
    assert not renyi.low.is_finite


def test_kullback_leibler_of_a_whole_step_is_rational() -> None:
    enclose = opinion_on("dirichlet.profile.renyi").enclose
    found = enclose(128, Fraction(6), Fraction(2), Fraction(1))
    assert found.exact == 2 * (Fraction(1, 6) + Fraction(1, 7))


def test_delta_falls_with_epsilon_and_grows_with_the_step() -> None:
    enclose = opinion_on("dirichlet.profile.delta").enclose
    steps = [Fraction(1, 10**6), Fraction(1, 3), Fraction(7, 2), Fraction(40)]
    epsilons = [Fraction(0), Fraction(1, 10**6), Fraction(1, 3), Fraction(5), Fraction(25)]
    table = [[enclose(200, Fraction(11, 2), s, e) for e in epsilons] for s in steps]
    for row in table:
        assert all(later.high < earlier.low for earlier, later in pairwise(row))
    for column in zip(*table, strict=True):
        pairs = pairwise(column)
        assert all(smaller.high < larger.low for smaller, larger in pairs)


def test_what_is_hopeless_is_answered_at_once_by_nothing_known() -> None:
    found = opinion_on("dirichlet.profile.delta").enclose(
        128, Fraction(10**30), Fraction(1, 10**4), Fraction(0)
    )
    assert not found.low.is_finite
    assert not found.high.is_finite
