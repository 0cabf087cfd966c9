"""What a backend declares of its answers: in which part of a domain, on which side of the truth.

A declared quantity is the registry's with less of a domain and, it may be, another safe side; all
that draws points, searches and judges takes it as it would any other, so nothing outside is asked.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import partial
from math import ceil, floor
from typing import Final, Literal, TypeAlias

from ...reference.domain import Condition, Domain, Entries, IndexSet, Interval, Law, Table, Value
from ...reference.errors import InputError, UnknownNameError
from ...reference.exact import exact_number, exact_text, shown
from ...reference.quantity import Quantity, Side, Truth, quantity_named

# A closed interval, for every number of a parameter, or for how many entries or rows it has.
Range: TypeAlias = tuple[Fraction, Fraction]
Ranges: TypeAlias = Mapping[str, Range]
Direction: TypeAlias = Literal["upper", "lower", "estimate"]

LENGTH: Final = ".length"
SIDES: Final[Mapping[Direction, Side]] = {
    "upper": Side.UPPER,
    "lower": Side.LOWER,
    "estimate": Side.NONE,
}
_BY_THE_BACKEND = "as the backend declares"


def declared_quantity(
    quantity: Quantity, ranges: Ranges | None = None, direction: Direction | None = None
) -> Quantity:
    """Return a quantity within declared ranges, judged on a declared side.

    What its answers promise of neighbours is proved of its own safe side: on another they promise
    nothing. Raises InputError for a parameter that there is not, and for ranges that leave nothing.
    """
    if direction is not None and SIDES[direction] is not quantity.safe:
        quantity = replace(
            quantity,
            safe=SIDES[direction],
            truth=Truth.LEAST,
            least=None,
            promise=None,
            noise=None,
            inverse=None,
        )
    for key, within in (ranges or {}).items():
        quantity = _within(quantity, key, within)
    return quantity


def _within(quantity: Quantity, key: str, within: Range) -> Quantity:
    name, (low, high) = key.removesuffix(LENGTH), within
    about = f"{quantity.name}: the domain declared for {key}, {said_range(within)}"
    if name not in quantity.parameters:
        raise UnknownNameError("parameter", name, quantity.parameters, f"({quantity.name} has it)")
    domain, by_length = quantity.parameters[name], key != name
    if by_length and isinstance(domain, Interval):
        raise InputError(f"{about}: {name} is a number and has no length")
    narrowed = _shorter(domain, within) if by_length else _narrowed(domain, within)
    if low > high or (isinstance(narrowed, Interval) and not _has_numbers(narrowed)):
        raise InputError(f"{about} meets {domain.describe(name)} nowhere")
    test = partial(_is_within, within, by_length=by_length)
    declared = Condition(f"{key} in {said_range(within)}", test, _BY_THE_BACKEND, about=(name,))
    return replace(
        quantity,
        parameters={**quantity.parameters, name: narrowed},
        conditions=(*quantity.conditions, declared),
    )


# What an answer is judged as.
AS: Final[Mapping[Direction, str]] = {
    "upper": "as upper bounds",
    "lower": "as lower bounds",
    "estimate": "as estimates",
}


def said_ranges(ranges: Ranges) -> str:
    """Return declared ranges as a person would write them, in whichever order they were given."""
    return ", ".join(f"{key} in {said_range(within)}" for key, within in sorted(ranges.items()))


def said_range(within: Range) -> str:
    """Return a range as a person would write it."""
    return f"[{shown(within[0])}, {shown(within[1])}]"


def written_ranges(ranges: Ranges) -> dict[str, list[str]]:
    """Return declared ranges as they are written down, exactly."""
    return {key: list(map(exact_text, within)) for key, within in ranges.items()}


def on_usual_side(declared: Iterable[Quantity]) -> dict[str, Quantity]:
    """Return those quantities, as they are declared, whose safe side is the registry's, by name."""
    return {each.name: each for each in declared if each.safe is quantity_named(each.name).safe}


def _is_within(within: Range, *, by_length: bool, **given: Value) -> bool:
    """Whether all numbers of what is given, or how many entries it has, lie in a range."""
    (value,), (low, high) = given.values(), within
    if by_length:
        return isinstance(value, tuple) and low <= len(value) <= high
    return all(low <= number <= high for number in _numbers(value))


def _numbers(value: Value) -> Iterator[Fraction | int]:
    """Yield all numbers of a value; words are none."""
    if isinstance(value, tuple):
        for item in value:
            yield from _numbers(item)
    elif not isinstance(value, str):
        yield value


def _has_numbers(interval: Interval) -> bool:
    lows = [end for end in (interval.above, interval.at_least) if end is not None]
    highs = [end for end in (interval.below, interval.at_most) if end is not None]
    low, high = max(lows), min(highs)
    if interval.kind == "integer":
        low, high = Fraction(ceil(low)), Fraction(floor(high))
    return low < high or (low == high and interval.admits(low))


def _narrowed(domain: Domain, within: Range) -> Domain:
    """Return a domain whose numbers are drawn from a range, where they are drawn one by one.

    Shares that add up to 1, and what is drawn otherwise, are left as they are: of those points
    that miss the range others are drawn.
    """
    if isinstance(domain, Interval):
        return _interval(domain, within)
    if isinstance(domain, Law | IndexSet):
        return domain
    if isinstance(domain, Entries):
        return replace(domain, each=_interval(domain.each, within))
    if isinstance(domain, Table):
        columns = tuple((title, _interval(column, within)) for title, column in domain.columns)
        return replace(domain, columns=columns)
    return domain


def _interval(interval: Interval, within: Range) -> Interval:
    low, high = within
    ends = [end for end in (interval.at_least, low) if end is not None]
    others = [end for end in (interval.at_most, high) if end is not None]
    return replace(
        interval,
        at_least=max(ends),
        at_most=min(others),
        search=_clipped(interval.search, within),
        beyond=_clipped(interval.reach, within),
    )


def _clipped(search: tuple[str, str], within: Range) -> tuple[str, str]:
    """Return the part of a search range that lies in another, or all of that; ends stay positive.

    A range without positive numbers is left to chance: signs are drawn apart.
    """
    low, high = map(Fraction, search)
    if within[1] <= 0:
        return search
    first, last = max(low, within[0]), min(high, within[1])
    if first > last:
        first, last = within if within[0] > 0 else (within[1] / 2**20, within[1])
    return exact_text(first), exact_text(last)


def _shorter(domain: Domain, within: Range) -> Domain:
    """Return a domain of vectors that are drawn with lengths in a range."""
    if not isinstance(domain, Entries) or domain.as_long_as is not None:
        return domain
    fewest = max(domain.fewest, ceil(within[0]))
    return replace(
        domain,
        fewest=fewest,
        longest_searched=max(fewest, min(domain.longest_searched, floor(within[1]))),
    )


def ranges_in(declared: object, about: str) -> dict[str, Range]:
    """Return the ranges that are declared of a quantity. Raises InputError where they are none."""
    if not isinstance(declared, Mapping):
        raise InputError(f"{about} = {shown(declared)} is no mapping of parameters to [low, high]")
    ranges: dict[str, Range] = {}
    for key, within in declared.items():
        name = f"{about}[{shown(key)}]"
        if not isinstance(key, str) or not isinstance(within, list | tuple) or len(within) != 2:  # noqa: PLR2004
            raise InputError(f"{name} = {shown(within)} is not [low, high]")
        low, high = (exact_number(end, name) for end in within)
        ranges[key] = low, high
    return ranges


def direction_in(declared: object, about: str) -> Direction:
    """Return the direction that is declared of a quantity. Raises InputError where it is none."""
    for direction in SIDES:
        if declared == direction:
            return direction
    raise InputError(f"{about} = {shown(declared)} is none of {', '.join(SIDES)}")
