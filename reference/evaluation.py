"""Answer a quantity: exact parameters in, a proved enclosure out, with how it was found."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, SupportsIndex

from .display import said_value, table_in_html
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
    quantity is a vector or a matrix, so are ``enclosure``, ``exact`` and both ends.
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
    def lower_float(self) -> Any:
        """The lower end as a double, rounded down; of a vector or a matrix in its shape."""
        return self.enclosure.lower_float

    @property
    def upper_float(self) -> Any:
        """The upper end as a double, rounded up; of a vector or a matrix in its shape."""
        return self.enclosure.upper_float

    @property
    def exact(self) -> Any:
        """The number itself as a Fraction, where it is a known rational; else None."""
        return self.enclosure.exact

    @property
    def verdict(self) -> str:
        """The published word: ``certified`` where the enclosure is as narrow as was asked."""
        return "certified" if self.narrow else "undecided"

    def __repr__(self) -> str:
        is_known = isinstance(self.enclosure, Enclosure) and self.enclosure.exact is not None
        said = f"{_call(self)} {'=' if is_known else 'in'} {self.enclosure}"
        estimated = "" if self.rigorous else " (estimated)"
        return f"{said}{estimated}{'' if self.narrow else ' (undecided)'}"

    def _repr_html_(self) -> str:
        how = "proved" if self.rigorous else "estimated, not proved"
        rows: list[tuple[str, object]] = [("value", self.enclosure)]
        if isinstance(self.enclosure, Enclosure):
            lower, upper = self.enclosure.decimals(self.digits)
            rows = [("lower", lower), ("upper", upper)]
        rows += [("how", f"{how} at {self.precision_bits} bits by {self.engine}")]
        rows += [("safe side", self.quantity.safe.value), ("verdict", self.verdict)]
        return table_in_html(_call(self), rows)

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
            "verdict": self.verdict,
            "engine": self.engine,
            "route": self.route,
            "rigorous": self.rigorous,
            "precision_bits": self.precision_bits,
            "source": self.quantity.source,
        }


def _call(answer: Answer) -> str:
    """Return the quantity and its parameters as somebody would write the question."""
    given = ", ".join(f"{key}={said_value(value)}" for key, value in answer.parameters.items())
    return f"{answer.quantity.name}({given})"


def answer_at(
    name: str,
    parameters: Mapping[str, object],
    *,
    digits: int = DEFAULT_DIGITS,
    engine: str = "arb",
    budget: Budget | None = None,
) -> Answer:
    """Enclose a quantity at one point; ``evaluate`` is the same, and takes arrays, too."""
    digits = digits_asked(digits, engine)
    quantity = quantity_named(name)
    return answer_exactly(quantity, quantity.read(parameters), digits, engine, budget or Budget())


def digits_asked(digits: int, engine: str) -> int:
    """Return a number of digits. Raises InputError for it, and for an engine that there is not."""
    if not isinstance(digits, SupportsIndex) or not 1 <= digits.__index__() <= MAX_DIGITS_ASKED:
        raise InputError(f"digits = {shown(digits)}: ask for 1 to {MAX_DIGITS_ASKED} digits")
    if engine not in ENGINES:
        raise InputError(f"unknown engine {shown(engine)}; there are {' and '.join(ENGINES)}")
    return digits.__index__()


def answer_exactly(
    quantity: Quantity, exact: Mapping[str, Value], digits: int, engine: str, budget: Budget
) -> Answer:
    """Enclose a quantity at exact parameters that were read."""
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
    climbed = climb(
        lambda bits: met(opinion.enclose(bits, **exact), quantity.within),
        satisfied,
        first_bits(digits),
        budget,
        rigorous=opinion.rigorous,
    )
    return replace(climbed, enclosure=met(climbed.enclosure, quantity.within))


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
        answer = answer_at(name, exact, digits=_OPINION_DIGITS, engine="second", budget=budget)
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
