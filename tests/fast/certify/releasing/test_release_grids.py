"""Grids and decimals: powers of two, written exactly, neither too coarse nor too fine."""

from __future__ import annotations

from fractions import Fraction

import pytest
from each import each_of
from hypothesis import given
from hypothesis import strategies as st
from simplexcert.certify.certificate.grids import (
    LEAST_BITS,
    LEAST_BITS_OF_NOISE,
    MOST_BITS,
    chosen_bits,
    decimal_text,
    grid_in,
    grid_text,
    multiple_in,
    usual_bits,
)
from simplexcert.certify.mechanisms.plan import NoisePlan, Row, SimplexPlan
from simplexcert.certify.releasing.published import most_bytes, require_size
from simplexcert.reference.errors import DomainError, InputError
from simplexcert.reference.exact import MAX_FILE_BYTES, exact_number

CHAIN, COUNTS = "pufferfish.chain", "dirichlet.counts"
SCALE = st.fractions(min_value=Fraction(1, 2**200), max_value=2**90).filter(bool)


def noise(scale: Fraction) -> NoisePlan:
    return NoisePlan(("a",), (Fraction(0),), scale, scalar=True)


def rows(count: int, width: int) -> SimplexPlan:
    alpha = (Fraction(1),) * width
    row = Row("r", tuple(map(str, range(width))), alpha)
    return SimplexPlan((row,) * count, matrix=True)


def test_no_text_of_a_share_or_of_a_noisy_number_is_longer_than_what_is_made_room_for() -> None:
    for bits in range(LEAST_BITS, MOST_BITS + 1):
        grid = Fraction(1, 2**bits)
        for shares in ([grid, 1 - grid], [Fraction(1), Fraction(0)]):
            texts = [decimal_text(share) for share in shares]
            # Each in quotation marks, and a comma behind it.
            assert sum(len(text) + 3 for text in texts) <= most_bytes(rows(1, 2), bits)
    for bits in range(LEAST_BITS_OF_NOISE, MOST_BITS + 1):
        largest = -(Fraction(10) ** 600) + Fraction(1, 2 ** max(bits, 0))
        assert len(decimal_text(largest)) + 3 <= most_bytes(noise(Fraction(1)), bits)


@given(st.integers(-(2**300), 2**300), st.integers(-64, 256))
def test_a_multiple_of_a_grid_is_read_as_it_was_written(number: int, bits: int) -> None:
    grid = exact_number(grid_text(bits))
    text = decimal_text(number * grid)
    assert multiple_in(text, grid, "it") == number * grid == exact_number(text)
    assert "e" not in text
    assert not text.endswith(".")


@given(st.integers(1, 2**60), st.integers(1, 60))
def test_what_lies_between_the_points_of_a_grid_is_refused(number: int, bits: int) -> None:
    value = Fraction(2 * number + 1, 2 ** (bits + 1))
    with pytest.raises(InputError):
        multiple_in(decimal_text(value), Fraction(1, 2**bits), "it")


@each_of(
    "text", ["0.50", "00.5", "+0.5", ".5", "5e-1", "1/2", " 0.5", "-0", "0.0", "nan", "", "1."]
)
def test_a_decimal_that_is_written_otherwise_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        multiple_in(text, Fraction(1, 4), "it")


def test_a_third_is_no_decimal() -> None:
    with pytest.raises(ValueError, match="finite"):
        decimal_text(Fraction(1, 3))


@each_of(
    "text, mechanism",
    [("1", COUNTS), ("2", COUNTS), (f"1/{2**257}", COUNTS), ("1/3", COUNTS), ("0.5", COUNTS),
     ("2/4", COUNTS), ("-1/2", COUNTS), ("0", COUNTS), ("inf", COUNTS), (str(2**65), CHAIN)],
)  # fmt: skip
def test_a_grid_that_no_release_has_is_refused(text: str, mechanism: str) -> None:
    with pytest.raises(InputError):
        grid_in(text, mechanism)


def test_the_coarsest_and_the_finest_grid_are_read() -> None:
    for mechanism, least in ((COUNTS, LEAST_BITS), (CHAIN, LEAST_BITS_OF_NOISE)):
        for bits in (least, MOST_BITS):
            assert grid_in(grid_text(bits), mechanism) == Fraction(2) ** -bits
            assert chosen_bits({"grid_bits": bits}, mechanism, "it") == bits
        with pytest.raises(DomainError):
            chosen_bits({"grid_bits": least - 1}, mechanism, "it")


@given(SCALE)
def test_the_usual_grid_of_noise_is_the_coarsest_of_at_most_a_30th_power_of_the_scale(
    scale: Fraction,
) -> None:
    bits = usual_bits(scale, CHAIN, "it")
    assert Fraction(2) ** -bits <= scale / 2**30 < Fraction(2) ** (1 - bits)


@pytest.mark.parametrize("scale", [Fraction(1, 2**300), Fraction(2**100)])
def test_no_usual_grid_is_taken_out_of_bounds(scale: Fraction) -> None:
    with pytest.raises(DomainError, match="give one"):
        usual_bits(scale, CHAIN, "it")


def test_the_usual_grid_of_the_simplex_is_that_of_doubles() -> None:
    assert usual_bits(None, COUNTS, "it") == 53


def test_a_release_that_could_not_be_read_again_is_refused() -> None:
    require_size(rows(1_000, 1_000), 53, "it")
    for plan, bits in ((rows(1_000, 1_000), 256), (rows(1_001, 1_000), 1)):
        with pytest.raises(DomainError):
            require_size(plan, bits, "it")


def test_noisy_numbers_that_can_be_read_again_are_drawn() -> None:
    names = tuple(map(str, range(40_000)))
    require_size(NoisePlan(names, (Fraction(0),) * len(names), Fraction(1), scalar=False), 0, "it")


def test_as_many_bytes_as_are_read_again_are_drawn() -> None:
    assert most_bytes(rows(512, 1_024), 120) == MAX_FILE_BYTES
    require_size(rows(512, 1_024), 120, "it")
