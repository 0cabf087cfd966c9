"""The samplers of a backend's certificate, as rows for its page: one for each test."""

from __future__ import annotations

from dataclasses import dataclass

from ...certificate.models import Predicate, Sampler, SamplerTest
from .values import named_values
from .words import colour_of


@dataclass(frozen=True)
class TestRow:
    """What one test counted, beside the exact probability of it and how odd the count is."""

    test: str
    parameters: list[tuple[str, str, str]]
    verdict: str
    colour: str
    draws: int
    count: int
    probability: str
    tail: str


@dataclass(frozen=True)
class SamplerRow:
    """One sampler at one point."""

    sampler: Sampler
    parameters: list[tuple[str, str, str]]
    colour: str
    tests: list[TestRow]


def sampler_rows(predicate: Predicate) -> list[SamplerRow]:
    """Return the samplers that were tested, as they stand in the certificate."""
    return [
        SamplerRow(
            sampler,
            named_values(sampler.parameters),
            colour_of(sampler.verdict),
            [_row(test) for test in sampler.tests],
        )
        for sampler in predicate.samplers
    ]


def _row(test: SamplerTest) -> TestRow:
    return TestRow(
        test.test,
        named_values(test.parameters),
        test.verdict.value,
        colour_of(test.verdict),
        test.draws,
        test.count,
        _between(test.probability.lower, test.probability.upper),
        _between(test.tail.lower, test.tail.upper),
    )


def _between(lower: str, upper: str) -> str:
    return lower if lower == upper else f"{lower} to {upper}"
