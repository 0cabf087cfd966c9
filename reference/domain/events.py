"""The kind of domain whose values are events: releases of several mechanisms, to be composed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ..errors import InputError, UnknownNameError
from ..exact import exact_integer, exact_number, parse_json, shown
from ..exact_lists import exact_fields, exact_list
from ..structures import EVENTS, Event
from .kinds import Interval, SearchRange, Value

# More events are not read; equal ones are one event with a count.
MAX_EVENTS = 1_000
_ZERO, _ONE = Fraction(0), Fraction(1)
_WHOLE = Interval("integer", at_least=_ONE, search=("1", "5"), beyond=("1", "50"))
_MECHANISM, _COUNT = "mechanism", "count"
# Each field's domain, and where a search should look: where lines are short.
_FIELDS: Mapping[str, Interval] = {
    "noise_multiplier": Interval(above=_ZERO, search=("0.8", "8"), beyond=("0.5", "30")),
    "sampling_probability": Interval(
        above=_ZERO, at_most=_ONE, search=("0.02", "0.5"), beyond=("0.005", "1")
    ),
    "steps": Interval("integer", at_least=_ONE, search=("30", "300"), beyond=("1", "1000")),
    "alpha": Interval(above=_ZERO, search=("0.5", "50"), beyond=("0.2", "500")),
    "step": Interval(above=_ZERO, search=("0.1", "1"), beyond=("0.05", "2")),
    "scale": Interval(above=_ZERO, search=("0.5", "10"), beyond=("0.3", "30")),
    "sensitivity": Interval("integer", at_least=_ONE, search=("1", "3"), beyond=("1", "10")),
    "categories": Interval(
        "integer", at_least=Fraction(2), search=("2", "10"), beyond=("2", "100")
    ),
    "truth_probability": Interval(
        above=_ZERO, below=_ONE, search=("0.4", "0.8"), beyond=("0.05", "0.95")
    ),
    "loss_range": Interval(above=_ZERO, search=("0.05", "3"), beyond=("0.01", "10")),
    "largest_loss": Interval(above=_ZERO, search=("0.05", "3"), beyond=("0.01", "10")),
    _COUNT: _WHOLE,
}


@dataclass(frozen=True)
class Events:
    """The lists of events, each of one mechanism with its own numbers.

    ``longest_searched`` is how many events a drawn point has at most; a hint.
    """

    longest_searched: int = 3
    kind: str = "events"

    @property
    def search(self) -> SearchRange:
        """Where a search should look for a noise multiplier."""
        return _FIELDS["noise_multiplier"].search

    def read(self, name: str, value: object) -> tuple[Event, ...]:
        """Return the exact events. Raises InputError if they are none."""
        what = 'events such as {"mechanism": "gaussian", "noise_multiplier": 2, "count": 10}'
        return exact_list(value, name, ("event", _read_event), MAX_EVENTS, what)

    def admits(self, value: Value) -> bool:
        """Whether the value is such a list of events."""
        return not self.stray("it", value)

    def stray(self, name: str, value: Value) -> str:
        """Return the number that is not admitted, by its place; "" if all are."""
        if not isinstance(value, tuple) or isinstance(value, EVENT_TYPES) or not value:
            return f"{name} = {shown(value)}"
        return next(filter(None, _strays(name, value)), "")

    def describe(self, name: str) -> str:
        """Return the condition as a person would write it."""
        said = ", ".join(interval.describe(field) for field, interval in _FIELDS.items())
        return f"each event of {name} with {said}, as far as its mechanism has them"


EVENT_TYPES = tuple(dict.fromkeys(EVENTS.values()))


def fields_of_event(mechanism: str) -> dict[str, Interval]:
    """Return the domains of an event's numbers, by name."""
    return {key: _FIELDS[key] for key in EVENTS[mechanism]._fields if key != _MECHANISM}


def _read_event(value: object, place: str) -> Event:
    """Return one exact event; its count is 1 where none is given. Raises InputError."""
    given = parse_json(value, place) if isinstance(value, str) else value
    if isinstance(given, EVENT_TYPES):
        given = given._asdict()
    if not isinstance(given, Mapping) or _MECHANISM not in given:
        raise InputError(f"{place}: {shown(value)} is not an object with a mechanism")
    mechanism = given[_MECHANISM]
    if not isinstance(mechanism, str) or mechanism not in EVENTS:
        text = mechanism if isinstance(mechanism, str) else shown(mechanism)
        known = tuple(EVENTS)
        hint = f"(known: {', '.join(known)})"
        raise UnknownNameError(f"mechanism of {place}", text, known, hint)
    record = EVENTS[mechanism]
    _, *numbers = exact_fields({_COUNT: 1, **given}, place, record._fields)
    read: list[Any] = [
        (exact_integer if _FIELDS[key].kind == "integer" else exact_number)(item, f"{place}, {key}")
        for key, item in zip(record._fields[1:], numbers, strict=True)
    ]
    return record._make([mechanism, *read])


def _strays(name: str, events: tuple[Value, ...]) -> Iterator[str]:
    for at, event in enumerate(events, 1):
        place = f"{name}, event {at}"
        if not isinstance(event, EVENT_TYPES) or EVENTS.get(event.mechanism) is not type(event):
            yield f"{place} = {shown(event)}"
            return
        numbers: tuple[Value, ...] = event[1:]
        for key, item in zip(event._fields[1:], numbers, strict=True):
            yield _FIELDS[key].stray(f"{place}, {key}", item)
