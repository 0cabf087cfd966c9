"""Answer a quantity: exact parameters in, a proved enclosure out, with how it was found."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, SupportsIndex

from .domain import Value
from .enclosure import Enclosed, Enclosure, Place, entry_at, met, number_in
from .errors import InputError, SoundnessError
from .exact import exact_json, exact_text, shown
from .likely import looking_near
from .precision import MAX_DIGITS_ASKED, MAX_SECONDS, Budget, Climbed, climb, first_bits
from .quantity import Quantity, quantity_named

DEFAULT_DIGITS = 20
ENGINES = ("arb", "second")
# A second opinion is as narrow as a double, or is not had.
_OPINION_DIGITS, _OPINION_MAX_BITS = 17, 4096


@dataclass(frozen=True)
class Answer:
    """An engine's answer about a quantity at exact parameters: an enclosure, and how it was had.

    ``narrow`` says whether the enclosure is as narrow as was asked; if not, the budget was spent
    and the answer is undecided. ``rigorous`` is False where the enclosure rests on an estimate.
    ``route`` names the way that was taken where a quantity has several, chosen by cost. Where the
    quantity is a vector or a matrix, so are ``enclosure``, ``lower``, ``upper`` and ``exact``.
    """

    quantity: Quantity
    parameters: Mapping[str, Value]
    enclosure: Enclosed
    narrow: bool
    digits: int
    engine: str
    rigorous: bool
    precision_bits: int
    route: str | None = None

    @property
    def number(self) -> Enclosure:
        """The enclosure, where it is a number's."""
        return number_in(self.enclosure)

    @property
    def lower(self) -> Any:
        """The lower end, a Fraction; a float infinity if it is infinite."""
        return self.enclosure.lower

    @property
    def upper(self) -> Any:
        """The upper end, a Fraction; a float infinity if it is infinite."""
        return self.enclosure.upper

    @property
    def exact(self) -> Any:
        """The number itself as a Fraction, where it is a known rational; else None."""
        return self.enclosure.exact

    def as_json(self) -> dict[str, object]:
        """Return the answer in the published shape: no real number is a JSON float."""
        lower, upper = self.enclosure.decimals(self.digits)
        return {
            "schema_version": 1,
            "quantity": self.quantity.name,
            "parameters": {name: exact_json(value) for name, value in self.parameters.items()},
            "lower": lower,
            "upper": upper,
            "exact": None if self.exact is None else exact_json(self.exact),
            "verdict": "certified" if self.narrow else "undecided",
            "engine": self.engine,
            "route": self.route,
            "rigorous": self.rigorous,
            "precision_bits": self.precision_bits,
            "source": self.quantity.source,
        }


def evaluate(
    name: str,
    parameters: Mapping[str, object],
    *,
    digits: int = DEFAULT_DIGITS,
    engine: str = "arb",
    budget: Budget | None = None,
) -> Answer:
    """Enclose a quantity to ``digits`` significant digits.

    Parameters are integers, fractions, decimals by their text, or floats as the dyadics they are.
    ``engine`` is "arb" (the reference) or "second" (another engine and another formula).
    Raises UnknownNameError, InputError or DomainError; a spent budget is no error but an answer
    whose ``narrow`` is False.
    """
    if not isinstance(digits, SupportsIndex) or not 1 <= digits.__index__() <= MAX_DIGITS_ASKED:
        raise InputError(f"digits = {shown(digits)}: ask for 1 to {MAX_DIGITS_ASKED} digits")
    digits = digits.__index__()
    if engine not in ENGINES:
        raise InputError(f"unknown engine {shown(engine)}; there are {' and '.join(ENGINES)}")
    quantity = quantity_named(name)
    exact = quantity.read(parameters)
    budget = budget or Budget()
    if engine == "second":
        return _second_answer(quantity, exact, digits, budget)
    climbed = climb_quantity(quantity, exact, lambda e: e.is_narrow(digits), budget, digits)
    return Answer(
        quantity,
        exact,
        climbed.enclosure,
        climbed.satisfied,
        digits,
        "arb",
        True,
        climbed.bits,
        climbed.route,
    )


def climb_quantity(
    quantity: Quantity,
    exact: Mapping[str, Value],
    satisfied: Callable[[Any], bool],
    budget: Budget,
    digits: int = DEFAULT_DIGITS,
) -> Climbed:
    """Raise the first engine's precision until ``satisfied`` or the budget is spent."""
    routes: list[str] = []
    climbed = climb(
        lambda bits: quantity.enclose(bits, exact, routes.append),
        satisfied,
        first_bits(digits),
        budget,
    )
    route = routes[-1] if routes else None
    return replace(climbed, enclosure=met(climbed.enclosure, quantity.within), route=route)


def climb_second(
    quantity: Quantity,
    exact: Mapping[str, Value],
    satisfied: Callable[[Any], bool],
    budget: Budget,
    digits: int = DEFAULT_DIGITS,
) -> Climbed:
    """Raise the second engine's precision until ``satisfied`` or the budget is spent."""
    from .second import opinion_on

    opinion = opinion_on(quantity.name)
    return climb(
        lambda bits: met(opinion.enclose(bits, **exact), quantity.within),
        satisfied,
        first_bits(digits),
        budget,
        rigorous=opinion.rigorous,
    )


def second_opinion(
    name: str,
    exact: Mapping[str, Value],
    truth: Enclosure,
    seconds: float = MAX_SECONDS,
    *,
    place: Place = (),
) -> str:
    """Ask the second engine about a truth: ``overlaps``, or ``undecided`` after so many seconds.

    The truth is a number, or the entry of an array that has this place. Where the answer is a root
    it is looked for beside the truth first; the two signs that enclose it are its own engine's.
    Where nothing is known of the truth, nothing can be said of it: undecided.
    Raises SoundnessError if the two engines contradict each other: then nothing is decided.
    """
    if truth == Enclosure.nothing_known():
        return "undecided"
    budget = Budget(seconds, _OPINION_MAX_BITS)
    with looking_near(truth):
        answer = evaluate(name, exact, digits=_OPINION_DIGITS, engine="second", budget=budget)
    if answer.enclosure == Enclosure.nothing_known():
        return "undecided"
    if not entry_at(answer.enclosure, place).overlaps(truth):
        at = ", ".join(f"{key} = {exact_text(value)}" for key, value in exact.items())
        raise SoundnessError(f"the two engines contradict each other on {name} at {at}")
    return "overlaps" if answer.narrow else "undecided"


def _second_answer(
    quantity: Quantity, exact: Mapping[str, Value], digits: int, budget: Budget
) -> Answer:
    from .second import opinion_on

    opinion = opinion_on(quantity.name)
    climbed = climb_second(quantity, exact, lambda found: found.is_narrow(digits), budget, digits)
    return Answer(
        quantity,
        exact,
        climbed.enclosure,
        climbed.satisfied,
        digits,
        opinion.engine,
        opinion.rigorous,
        climbed.bits,
    )
