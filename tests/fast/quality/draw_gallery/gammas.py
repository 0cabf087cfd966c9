"""Gamma and Dirichlet samplers with one fault each, and sound ones to compare with."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

import numpy as np
from counted_draws import Counted, of_law
from counted_laws import GammaLaw
from counted_shares import of_dirichlet, statistics
from exact_draws import DRAWS, SMALL
from numpy.typing import NDArray
from places import places_of_doubles, places_of_logs

from .doubles import Attempts, Column, Logs, Method, accepts, shares
from .entries import planted

ONE, HUNDREDTH = Fraction(1), Fraction(1, 100)
SOUND = Method()


def gammas(method: Method, shape: Fraction, seed: int) -> Iterable[Counted]:
    logarithms = method.log_gammas(float(shape), DRAWS, np.random.default_rng(seed))
    return of_law("gamma", places_of_logs(logarithms), GammaLaw(shape))


def dirichlets(parts: Sequence[Logs]) -> Iterable[Counted]:
    columns = [places_of_logs(one.values) for one in statistics(parts)]
    return of_dirichlet(SMALL, np.minimum(np.column_stack(columns), -1))


def drawn(factor: float, method: Method, seed: int) -> list[Logs]:
    random = np.random.default_rng(seed)
    return shares([method.log_gammas(factor * float(a), DRAWS, random) for a in SMALL])


@planted("")
def sound_gamma(seed: int) -> Iterable[Counted]:
    return [*gammas(SOUND, ONE, seed), *gammas(SOUND, HUNDREDTH, seed)]


@planted("")
def sound_dirichlet(seed: int) -> Iterable[Counted]:
    return dirichlets(drawn(1, SOUND, seed))


@planted("halves")
def concentration_3_percent_above(seed: int) -> Iterable[Counted]:
    return dirichlets(drawn(1.03, SOUND, seed))


@planted("halves")
def concentration_3_percent_below(seed: int) -> Iterable[Counted]:
    return dirichlets(drawn(0.97, SOUND, seed))


@planted("gamma")
def shape_3_percent_above(seed: int) -> Iterable[Counted]:
    logarithms = SOUND.log_gammas(1.03, DRAWS, np.random.default_rng(seed))
    return of_law("gamma", places_of_logs(logarithms), GammaLaw(ONE))


def in_doubles(shape: float, random: np.random.Generator) -> Column:
    """As it is written down: the power of a uniform, which is 0 below 2^-1075."""
    boosted = np.exp(SOUND.log_gammas(shape + 1, DRAWS, random))
    return np.asarray(boosted * (1 - random.random(DRAWS)) ** (1 / shape))


@planted("gamma nothing")
def gamma_in_doubles(seed: int) -> Iterable[Counted]:
    draws = in_doubles(float(HUNDREDTH), np.random.default_rng(seed))
    return of_law("gamma", places_of_doubles(draws), GammaLaw(HUNDREDTH))


@planted("coordinate 2 nothing")
def dirichlet_in_doubles(seed: int) -> Iterable[Counted]:
    random = np.random.default_rng(seed)
    with np.errstate(invalid="ignore"):
        parts = np.array([in_doubles(float(a), random) for a in SMALL])
        places = [places_of_doubles(one) for one in statistics(list(parts / parts.sum(axis=0)))]
    return of_dirichlet(SMALL, np.minimum(np.column_stack(places), -1))


def _the_size(size: Column, _angle: Column, _random: np.random.Generator) -> Column:
    return size


def _the_angle(_size: Column, angle: Column, _random: np.random.Generator) -> Column:
    return 1 - angle


@planted("gamma")
def height_from_the_bits_of_the_size(seed: int) -> Iterable[Counted]:
    return gammas(Method(heights=_the_size), ONE, seed)


@planted("gamma")
def height_from_the_bits_of_the_angle(seed: int) -> Iterable[Counted]:
    return gammas(Method(heights=_the_angle), ONE, seed)


def _in_the_end(_d: float, tried: Attempts) -> NDArray[np.bool_]:
    """The normal is made of the same bits after a rejection: with some height it is accepted."""
    return tried.t > -1


@planted("gamma")
def pool_not_advanced_after_a_rejection(seed: int) -> Iterable[Counted]:
    return gammas(Method(accepts=_in_the_end), ONE, seed)


def _squeezed(d: float, tried: Attempts) -> NDArray[np.bool_]:
    """The squeeze with a power too few: 1 - 0.0331 x^4 became 1 - 0.00331 x^4."""
    x = tried.t * np.sqrt(9 * d)
    return np.asarray(((tried.t > -1) & (tried.height < 1 - 0.00331 * x**4)) | accepts(d, tried))


@planted("gamma")
def squeezed_too_much(seed: int) -> Iterable[Counted]:
    return gammas(Method(accepts=_squeezed), ONE, seed)


def _its_height(shape: float, tried: Attempts, _random: np.random.Generator) -> Column:
    return np.asarray(np.log(tried.height) / shape)


@planted("gamma")
def boost_from_the_height(seed: int) -> Iterable[Counted]:
    return gammas(Method(boosts=_its_height), HUNDREDTH, seed)


def _its_size(shape: float, tried: Attempts, _random: np.random.Generator) -> Column:
    return np.asarray(np.log(tried.size) / shape)


@planted("gamma")
def boost_from_the_size(seed: int) -> Iterable[Counted]:
    return gammas(Method(boosts=_its_size), Fraction(1, 2), seed)


@planted("halves")
def one_boost_for_all(seed: int) -> Iterable[Counted]:
    def same(shape: float, tried: Attempts, _random: np.random.Generator) -> Column:
        uniform = 1 - np.random.default_rng(seed + 1).random(len(tried.t))
        return np.asarray(np.log(uniform) / shape)

    return dirichlets(drawn(1, Method(boosts=same), seed))


@planted("gamma alike twice")
def boost_used_for_two_draws(seed: int) -> Iterable[Counted]:
    def twice(shape: float, tried: Attempts, random: np.random.Generator) -> Column:
        uniform = np.repeat(1 - random.random(len(tried.t) // 2), 2)
        return np.asarray(np.log(uniform) / shape)

    return gammas(Method(boosts=twice), HUNDREDTH, seed)
