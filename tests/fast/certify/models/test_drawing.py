"""Draws of tables: the laws they have, and the grids they lie on."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from scipy import stats
from simplexcert.certify.models.noise import GaussianLoss, LaplaceLoss
from simplexcert.certify.models.release import ExactDraws, FloatDraws, floor_of, noisy_by_normal
from simplexcert.reference.errors import InputError
from simplexcert.reference.sampling import seeded

# Draws are seeded, so that no test fails by chance: what is held is one fixed sample.
_DRAWS, _LEAST_P = 1000, 0.001


def test_exact_normal_noise_has_its_law() -> None:
    source = seeded(4)
    drawn = [float(noisy_by_normal(10, Fraction(9), 40, source)) for _ in range(_DRAWS)]
    assert stats.kstest(drawn, stats.norm(10, 3).cdf).pvalue > _LEAST_P


def test_exact_noisy_counts_lie_on_the_grid() -> None:
    source = seeded(5)
    for _ in range(20):
        assert (noisy_by_normal(7, Fraction(1, 3), 5, source) * 32).denominator == 1


@pytest.mark.parametrize("loss", [GaussianLoss(Fraction(9), 1), LaplaceLoss(Fraction(3), 1)])
def test_noise_of_both_kinds_has_its_law(loss: GaussianLoss | LaplaceLoss) -> None:
    law = stats.norm(0, 3) if isinstance(loss, GaussianLoss) else stats.laplace(0, 3)
    counts = np.zeros((10, _DRAWS // 10), dtype=np.int64)
    for draws in (ExactDraws(53, seeded(6)), FloatDraws(np.random.default_rng(6))):
        drawn = draws.noisy(counts, loss).ravel()
        assert stats.kstest(drawn, law.cdf).pvalue > _LEAST_P


def test_shares_of_both_kinds_are_beta_variables() -> None:
    counts = np.tile([[3, 0, 1]], (_DRAWS, 1))
    for draws in (ExactDraws(53, seeded(7)), FloatDraws(np.random.default_rng(7))):
        first = np.exp(draws.laws(counts, Fraction(1, 2), Fraction(1, 4))[:, 0])
        assert stats.kstest(first, stats.beta(1.75, 1).cdf).pvalue > _LEAST_P


def test_tiny_alphas_do_not_underflow_in_floats() -> None:
    drawn = FloatDraws(np.random.default_rng(8)).laws(
        np.zeros((100, 5), dtype=np.int64), Fraction(1), Fraction(1, 10**6)
    )
    assert np.isfinite(drawn).all()


def test_the_floor_is_the_noise_or_what_is_given() -> None:
    assert floor_of("noise", 0.5) == 1
    assert floor_of("noise", 7.0) == 7
    assert floor_of("1e-6", 7.0) == 1e-6
    for wrong in ("0", -1, "much"):
        with pytest.raises(InputError):
            floor_of(wrong, 1.0)
