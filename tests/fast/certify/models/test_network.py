"""The tables of a Bayesian network."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from each import each_of
from simplexcert.certify.models import PrivateTables
from simplexcert.reference import InputError

SIZES, PARENTS = (2, 3, 4), ((), (0,), (1, 0))
RENYI = {"epsilon": "2", "order": 3}
DELTA = {"epsilon": "1", "delta": "1e-5"}
GENERATOR = np.random.default_rng(5)
DATA = np.column_stack([GENERATOR.integers(0, size, 300) for size in SIZES])


@each_of("budget", [RENYI, DELTA])
@each_of("neighbours", ["replace", "add_remove"])
@each_of("method", ["dirichlet", "gaussian", "laplace"])
def test_what_is_claimed_holds(budget: dict[str, Any], neighbours: str, method: str) -> None:
    tables = PrivateTables(SIZES, PARENTS, neighbours=neighbours, method=method, **budget).fit(DATA)
    assert tables.privacy_.holds()
    assert tables.privacy_.tables == len(SIZES)
    assert tables.private_


def test_each_vector_is_a_law_of_its_node_given_its_parents() -> None:
    tables = PrivateTables(SIZES, PARENTS, **RENYI).fit(DATA)
    assert [table.shape for table in tables.log_prob_] == [(2,), (2, 3), (3, 2, 4)]
    for table in tables.log_prob_:
        sums = np.exp(table).sum(axis=-1)
        assert sums == pytest.approx(np.ones(sums.shape))


def test_with_little_noise_tables_are_relative_frequencies() -> None:
    tables = PrivateTables(
        SIZES, PARENTS, epsilon=1000, order=1, method="gaussian", draw="float", random_state=1
    ).fit(np.tile(DATA, (1000, 1)))
    for a in range(2):
        for b in range(3):
            here = DATA[(DATA[:, 0] == a) & (DATA[:, 1] == b)]
            shares = np.bincount(here[:, 2], minlength=4) / len(here)
            assert np.exp(tables.log_prob_[2][b, a]) == pytest.approx(shares, abs=1 / 100)


def test_log_likelihoods_are_sums_over_the_nodes() -> None:
    tables = PrivateTables(SIZES, PARENTS, **RENYI).fit(DATA)
    a, b, c = DATA[0]
    expected = tables.log_prob_[0][a] + tables.log_prob_[1][a, b] + tables.log_prob_[2][b, a, c]
    assert tables.log_likelihood(DATA[:1])[0] == pytest.approx(expected)


def test_a_seed_repeats_a_draw_in_floats() -> None:
    tables = PrivateTables(SIZES, PARENTS, draw="float", random_state=1, **RENYI)
    first = tables.fit(DATA).log_prob_[2]
    assert np.array_equal(first, tables.fit(DATA).log_prob_[2])
    assert not tables.private_


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"parents": ((1,), (0,), ())}, "cycle"),
    ({"parents": ((0,), (), ())}, "cycle"),
    ({"parents": ((), (3,), ())}, "other nodes"),
    ({"parents": ((), (0, 0), ())}, "other nodes"),
    ({"parents": ()}, "at least one node"),
    ({"n_categories": (2, 3)}, "lists 2 numbers"),
    ({"n_categories": (2, 3, 10**9)}, "cells"),
    ({"random_state": 1}, "draw='float' alone"),
]


@each_of("parameters, sentence", REFUSED)
def test_what_cannot_be_is_refused_with_a_sentence(
    parameters: dict[str, Any], sentence: str
) -> None:
    given: dict[str, Any] = {"n_categories": SIZES, "parents": PARENTS, **RENYI, **parameters}
    with pytest.raises(InputError, match=sentence):
        PrivateTables(**given)


def test_a_floor_too_small_to_draw_from_is_refused_whatever_the_counts() -> None:
    """Else a refusal would tell that some count is 0."""
    tables = PrivateTables((2,), ((),), alpha="0.0001", epsilon=1000, order=1)
    with pytest.raises(InputError, match=r"0\.001"):
        tables.fit([[0], [1]] * 100)


@each_of("data", [DATA[:, :2], DATA[0], DATA + 0.5, DATA - 1, DATA.astype(str)])
def test_data_that_do_not_fit_are_refused(data: Any) -> None:
    with pytest.raises(InputError):
        PrivateTables(SIZES, PARENTS, **RENYI).fit(data)
