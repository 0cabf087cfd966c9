"""The Wasserstein mechanism on a finite Pufferfish instantiation: data sets listed one by one.

Privacy is for data that follow a law of the class. A data set, or an answer, that none of them
allows is outside, and refused; under each law it has probability 0, so the refusal tells nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from ....reference.dirichlet.pair import Neighbours
from ....reference.domain import Domain, Value
from ....reference.enclosure import Trilean
from ....reference.errors import DomainError
from ....reference.exact import Texts, exact_text, shown
from ....reference.pufferfish.wasserstein import Laws, Vector, compared, farthest
from ....reference.quantity import quantity_named
from ....reference.sampling.draw import require_scale
from .. import reading
from ..data.sequence import DATASET, number_in
from ..hypotheses import STATUS, Finding
from ..laid_out import require_one_number
from ..neighbours import Unlike
from ..plan import NoisePlan, noise_on
from ..protocol import (
    Claim,
    Inputs,
    Layout,
    Mechanism,
    Parameters,
    PublicSettings,
    Target,
    Vacuity,
    Worst,
)
from ..questions import Printed, Question, Term
from ..tight import Enough, Least
from .claims import (
    BY_WASSERSTEIN,
    CLASS_ASSUMED,
    DRAWN,
    FIXED_CLASS,
    LAPLACE,
    NO_PAIR,
    NO_PRINTED_SCALE,
    NOISE_LAW,
    NOT_SAID,
    SCALE,
    SECOND_SECONDS,
    Losses,
    epsilon_asked,
    found_within,
    hiding,
    is_pure,
    law_of_noise,
    least_asked,
    losses_asked,
    noise_assumed,
    printed_scales,
)
from .noise import ANSWER, require_moderate
from .refuting import Group, Noise, Secret, most_telling, shown_to_lose

# Which two secrets are farthest apart is looked for so long, and else not said.
_FARTHEST_SECONDS = 10.0
_LOSS = "pufferfish.instantiation_loss"
_DISTANCE = "pufferfish.wasserstein_scale"
_LOSSES = Losses.of("pufferfish.")
_ALONE = "Only the query that values give is covered, and only this one release of it."


@dataclass(frozen=True)
class _WassersteinParameters(Parameters):
    """The query on each data set, their laws, the secrets and their pairs, and the noise."""

    values: Vector
    laws: Laws
    secrets: Any
    pairs: Any
    scale: Fraction
    noise: str | None = None

    @property
    def law(self) -> str:
        """The law of the noise."""
        return self.noise or LAPLACE

    @property
    def known(self) -> dict[str, Value]:
        """All but the law of the noise: what the exact loss takes."""
        return {key: value for key, value in self.given.items() if key != "noise"}

    @property
    def instantiation(self) -> tuple[Vector, Laws, Any, Any]:
        """All but the noise."""
        return self.values, self.laws, self.secrets, self.pairs


class Wasserstein(Mechanism):
    """Noise on a query of which every data set's answer is listed."""

    name = "pufferfish.wasserstein"
    releases = "a query of data whose possible laws are listed, with Laplace or normal noise"
    paper = "song2017"
    laws = "laws"
    data_keys = ()
    noise = True

    @property
    def tight(self) -> Least:
        """The scale of Algorithm 1, or the least of the exact loss."""
        return Least(
            "scale",
            _enough,
            _least,
        )

    @property
    def keys(self) -> tuple[str, ...]:
        """The parameters of the exact loss, and the law of the noise."""
        return tuple(self._domains)

    @property
    def _domains(self) -> Mapping[str, Domain]:
        return {**quantity_named(_LOSS).parameters, "noise": NOISE_LAW}

    def target(self, table: Mapping[str, Any], where: str) -> Target:
        """Return a claimed epsilon, and a delta or an order."""
        return hiding(table, where)

    def read(self, table: Mapping[str, Any], where: str) -> tuple[_WassersteinParameters, None]:
        """Return exact parameters of one instantiation."""
        reading.require_all(table, quantity_named(_LOSS).parameters, where)
        exact = reading.parameters(table, self._domains, self.name, where)
        for condition in quantity_named(_LOSS).conditions:
            if condition.holds(exact) is not Trilean.TRUE:
                given = ", ".join(f"{key} = {shown(exact[key])}" for key in condition.names)
                raise DomainError(f"{where}: {given}; {self.name} needs {condition.statement}")
        return _WassersteinParameters.read(law_of_noise(exact)), None

    def vacuity(self, claim: Claim) -> Vacuity | None:
        """Return why no two different secrets of a pair can both happen, if so."""
        _, _, secrets, pairs = _of(claim)
        both = zip(pairs, _possible(claim), strict=True)
        differ = (
            {*secrets[one - 1]} != {*secrets[other - 1]} for (one, other), count in both if count
        )
        return None if any(differ) else Vacuity(Neighbours.NONE, NO_PAIR)

    def worst(self, claim: Claim) -> Worst:
        """Return the exact loss, which the worst pair of secrets attains.

        The scale of Algorithm 1 certifies alone.
        """
        own = _WassersteinParameters.of(claim)
        asked: tuple[Question, ...] = (epsilon_asked(claim, _LOSS, own.known),)
        if not is_pure(claim, own.law):
            asked = losses_asked(claim, own.law, _LOSSES, own.known)
        facts, sentences = _facts(claim)
        return Worst(
            Neighbours.ATTAINED,
            tuple(replace(one, second_seconds=SECOND_SECONDS) for one in asked),
            facts,
            ("the exact loss of the query that values give", *sentences),
            nearby=lambda: _losing(claim),
            sufficient=tuple(_scale_enough(claim)),
        )

    def printed(self, _claim: Claim) -> Printed:
        """Return nothing: Algorithm 1's scale is the scale needed."""
        return printed_scales({})

    def findings(self, claim: Claim, _printed: Printed) -> list[Finding]:
        """Say which pairs of secrets ask for nothing, and what is taken for granted."""
        law = _WassersteinParameters.of(claim).law
        return [_all_count(claim), CLASS_ASSUMED, FIXED_CLASS, noise_assumed(law)]

    def non_claims(self, _claim: Claim) -> list[str]:
        """Return what a verdict does not say."""
        return [_ALONE, *NOT_SAID]

    def public_names(self, _claim: Claim, _settings: PublicSettings) -> tuple[str, ...]:
        """Return what is taken for public: the class, with its data sets and their answers."""
        return ("class",)

    def require_releasable(self, claim: Claim, where: str) -> None:
        """Raise DomainError unless noise and answers are moderate."""
        own = _WassersteinParameters.of(claim)
        require_moderate(own.values, 1, where)
        require_scale(own.scale)

    def layout(self, claim: Claim, settings: PublicSettings) -> Layout:
        """Return the one answer and its noise. Raises InputError."""
        self.require_releasable(claim, settings.where)
        scale = _WassersteinParameters.of(claim).scale
        return Layout((ANSWER,), scalar=True, scale=scale)

    def require_possible(self, _claim: Claim, seen: Layout) -> None:
        """Raise DomainError unless this is one answer."""
        require_one_number(seen, ANSWER)

    def plan(self, claim: Claim, settings: PublicSettings, file: Path) -> NoisePlan:
        """Return the exact answer and the scale. Raises InputError, without a private value."""
        own = _WassersteinParameters.of(claim)
        values, _ = own.values, self.layout(claim, settings)
        key, number = number_in(file)
        sets = (_with_number if key == DATASET else _with_answer)(number, values, file)
        _require_possible(sets, own.laws, file)
        return NoisePlan(
            (ANSWER,), (values[sets[0]],), own.scale, scalar=True, noise=DRAWN[own.law]
        )

    def adjacency(self, _claim: Claim, _data: Mapping[str, Any]) -> Unlike:
        """Return that several releases are not bounded together."""
        return Unlike(
            "the Wasserstein mechanism protects one release of one query: what several of them "
            "lose together is not bounded by what each loses"
        )

    def plan_of_input(self, claim: Claim, value: Any, _where: str) -> NoisePlan:
        """Return the noise on as many numbers as the input has; by default, on one."""
        own = _WassersteinParameters.of(claim)
        return noise_on(value, own.scale, DRAWN[own.law])


def _scale_enough(claim: Claim) -> Iterator[Question]:
    """Yield the scale of Algorithm 1, which is enough: for Laplace noise and epsilon > 0."""
    own = _WassersteinParameters.of(claim)
    if own.law == LAPLACE and claim.epsilon:
        given = {key: value for key, value in own.known.items() if key != "scale"}
        term = Term(_DISTANCE, {**given, "epsilon": claim.epsilon})
        yield Question(SCALE, own.scale, (term,), SECOND_SECONDS)


def _enough(claim: Claim) -> list[Enough]:
    found = [Enough(one, BY_WASSERSTEIN, must=True) for one in _scale_enough(claim)]
    if not found:
        raise DomainError(NO_PRINTED_SCALE)
    return found


def _least(claim: Claim) -> Question | None:
    """Return the question for the least scale of all."""
    own = _WassersteinParameters.of(claim)
    given = {key: value for key, value in own.known.items() if key != "scale"}
    return least_asked(claim, own.law, own.scale, _LOSSES, given)


def _of(claim: Claim) -> tuple[Vector, Laws, Any, Any]:
    return _WassersteinParameters.of(claim).instantiation


def _facts(claim: Claim) -> tuple[Mapping[str, Texts | None], tuple[str, ...]]:
    scale = exact_text(_WassersteinParameters.of(claim).scale)
    nothing: dict[str, Texts | None] = {"scale": scale, "distance": None, "set_by": None}
    worst = found_within(_FARTHEST_SECONDS, lambda: farthest(*_of(claim)))
    if worst is None:
        return nothing, ()
    one, other = worst.pair
    words = f"secrets {one} and {other} under law {worst.law}"
    return (
        {
            **nothing,
            "distance": exact_text(worst.distance),
            "set_by": {"law": str(worst.law), "secrets": [str(one), str(other)]},
        },
        (f"the largest distance is {shown(worst.distance)}, between {words}",),
    )


def _possible(claim: Claim) -> list[bool]:
    """Return for each pair whether some law admits both of its secrets."""
    _, laws, secrets, pairs = _of(claim)
    under = [
        {at for at, secret in enumerate(secrets, 1) if any(law[one - 1] for one in secret)}
        for law in laws
    ]
    return [any(admitted.issuperset(pair) for admitted in under) for pair in pairs]


def _losing(claim: Claim) -> Iterator[tuple[Inputs, Question]]:
    """Yield the pair of secrets that seems to lose most, with what it loses."""
    own = _WassersteinParameters.of(claim)
    noise = Noise(own.law, own.scale)
    likely = most_telling(claim, _groups(claim), noise)
    if likely is not None:
        whole = Term(_LOSS, own.known)
        if not is_pure(claim, own.law):
            whole = losses_asked(claim, own.law, _LOSSES, own.known)[0].terms[0]
        inputs, asked = shown_to_lose(claim, likely, noise, whole, {})
        yield inputs, replace(asked, second_seconds=SECOND_SECONDS)


def _groups(claim: Claim) -> Iterator[Group]:
    for item in compared(*_of(claim)):
        secrets = tuple(Secret({"secret": str(at)}, f"secret {at}") for at in item.pair)
        yield Group({"law": str(item.law)}, f"law {item.law}", secrets, item.given)


def _all_count(claim: Claim) -> Finding:
    *_, pairs = _of(claim)
    idle = [pair for pair, count in zip(pairs, _possible(claim), strict=True) if not count]
    note = ""
    if idle:
        listed = ", ".join(map(shown, idle[:5]))
        note = f"pairs that no law asks anything for: {listed}{', ...' * (len(idle) > 5)}"  # noqa: PLR2004
    return Finding(
        "both secrets of every pair possible under some law",
        STATUS[Trilean.of(not idle)],
        "song2017 Definition 2.1",
        note,
    )


def _with_number(number: Fraction, values: Vector, file: Path) -> list[int]:
    """Return the data set, from 0, of a number from 1."""
    if number.denominator != 1 or not 1 <= number <= len(values):
        raise DomainError(f"{file}: {DATASET} is not a whole number from 1 to {len(values)}, of a "
                          "data set of the claim")  # fmt: skip
    return [int(number) - 1]


def _with_answer(answer: Fraction, values: Vector, file: Path) -> list[int]:
    """Return the data sets, from 0, that have this answer."""
    sets = [at for at, value in enumerate(values) if value == answer]
    if not sets:
        raise DomainError(f"{file}: the answer is none of those that the claim lists as values")
    return sets


def _require_possible(sets: Sequence[int], laws: Laws, file: Path) -> None:
    """Raise DomainError unless some law of the class allows one of these data sets."""
    if not any(law[at] > 0 for law in laws for at in sets):
        raise DomainError(
            f"{file}: no law of the class allows what it holds; Pufferfish privacy is for data "
            "that follow one of them (song2017 Definition 2.1)"
        )


WASSERSTEIN = Wasserstein()
