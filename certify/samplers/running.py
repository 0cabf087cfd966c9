"""Draw from a backend's samplers and count; of the draws only counts are kept.

The draws of one call are taken for independent, and those of calls with different seeds too: that
is what a sampler is asked for, and what some of the tests are of.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from ..backends.draws import BadDrawsError, Draws, draws_in
from ..backends.protocol import SAMPLERS, Backend
from .constants import CHUNK, DRAWS
from .events import AnotherWhenAskedAgain, Counted, Event, SameForAnotherSeed
from .points import Point, points_of
from .results import SamplerResult, Tested


def points_to_test(backend: Backend, seed: int) -> tuple[Point, ...]:
    """Return the points at which the samplers that a backend offers are tested."""
    return tuple(
        point
        for sampler in SAMPLERS
        if sampler in backend.samplers
        for point in points_of(sampler, seed)
    )


def sampler_results(
    backend: Backend, seed: int, on_left: Callable[[int], None] | None = None
) -> tuple[SamplerResult, ...]:
    """Test the samplers that a backend offers, in the campaign of a seed."""
    return results_at(points_to_test(backend, seed), backend, on_left)


def results_at(
    points: tuple[Point, ...], backend: Backend, on_left: Callable[[int], None] | None = None
) -> tuple[SamplerResult, ...]:
    """Test samplers at these points; the false alarms are shared out over all their tests.

    After each point ``on_left`` is told how many are left.
    """
    found: list[tuple[Point, tuple[int, ...], str]] = []
    for point in points:
        try:
            counts = _counts_at(point, partial(_asked, backend.samplers[point.sampler], point))
            found.append((point, counts, ""))
        except BadDrawsError as error:
            found.append((point, (), str(error)))
        if on_left:
            on_left(len(points) - len(found))
    in_all = sum(len(counts) for _, counts, _ in found)
    return tuple(_result(point, counts, reason, in_all) for point, counts, reason in found)


def _result(point: Point, counts: tuple[int, ...], reason: str, in_all: int) -> SamplerResult:
    events = point.events() if counts else ()
    tests = tuple(Tested(event, count, in_all) for event, count in zip(events, counts, strict=True))
    return SamplerResult(point, tests, in_all, reason)


def _asked(sampler: Callable[..., Any], point: Point, seed: int) -> Draws:
    """Return the draws of a chunk. Raises BadDrawsError."""
    answer: object
    try:
        answer = sampler(**point.given(), count=CHUNK, seed=seed)
    except KeyboardInterrupt:
        raise
    # A backend under test may raise anything, SystemExit included: that is its answer.
    except BaseException as error:  # noqa: BLE001
        answer = error
    return draws_in(answer, CHUNK, point.width)


def _counts_at(point: Point, asked: Callable[[int], Draws]) -> tuple[int, ...]:
    """Return how often each event of a point held. Raises BadDrawsError."""
    events = point.events()
    counts = [0] * len(events)
    for one, other, is_repeated in _chunks(point, asked):
        for at, event in enumerate(events):
            counts[at] += _count(event, one, other, is_repeated=is_repeated)
    return tuple(counts)


def _chunks(point: Point, asked: Callable[[int], Draws]) -> Iterator[tuple[Draws, Draws, bool]]:
    """Yield the chunks by twos, and last the first one with itself, asked for again."""
    first: Draws | None = None
    for chunk in range(0, DRAWS // CHUNK, 2):
        one, other = (asked(point.chunk_seed(at)) for at in (chunk, chunk + 1))
        first = one if first is None else first
        yield one, other, False
    if first is not None:
        yield first, asked(point.chunk_seed(0)), True


def _count(event: Event, one: Draws, other: Draws, *, is_repeated: bool) -> int:
    if isinstance(event, AnotherWhenAskedAgain):
        return event.count(one, other) if is_repeated else 0
    if is_repeated:
        return 0
    if isinstance(event, SameForAnotherSeed):
        return event.count(one, other)
    assert isinstance(event, Counted)
    return event.count(one) + event.count(other)
