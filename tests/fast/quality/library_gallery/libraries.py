"""What is recorded of a library, and where: points at which textbook code fails, and why it does.

What is refuted stands with a point and the answer there; what is not is certified on all of its
domain. On the part of the domain that ``DOMAINS`` names, every library is certified.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

from simplexcert.reference.quantity import Side, quantity_named

Answer: TypeAlias = Callable[..., Any]
Ranges: TypeAlias = Mapping[str, tuple[int | str, int | str]]

DELTA = "dirichlet.profile.delta"
TOTAL_VARIATION = "dirichlet.profile.total_variation"
RENYI = "dirichlet.profile.renyi"
ADD_REMOVE = "dirichlet.add_remove.renyi"
TAIL = "dirichlet.tail.uniform"
EXPECTED_KL = "dirichlet.utility.expected_kl"
VARIANCE = "dirichlet.utility.variance"
STATIONARY = "markov.stationary"
FUNDAMENTAL = "markov.fundamental"
MODULI = "markov.eigenvalue_moduli"
CLASSES = "markov.communicating_classes"
ENTRY_SCALE = "pufferfish.entry_scale"

# What may be off where an answer is to nearest: what is refuted then is no rounding.
SLACK = "1e-9"


# What the textbook has for each quantity.
FORMULAS: Mapping[str, str] = {
    DELTA: "I_q(alpha, alpha+step) - e^epsilon I_q(alpha+step, alpha)",
    TOTAL_VARIATION: "the same at epsilon 0, where q is 1/2",
    RENYI: "sums of four log-gammas over order - 1",
    ADD_REMOVE: "sums of three log-gammas over order - 1",
    TAIL: "count I_gamma(alpha, rest + (count-1) alpha), at most 1",
    EXPECTED_KL: "digamma(k) - log k + sum of p (log kp - digamma(kp))",
    VARIANCE: "p (1-p)/(k+1)",
    STATIONARY: "eigenvector of P^T for the eigenvalue next to 1",
    FUNDAMENTAL: "inverse of I - P + 1 pi",
    MODULI: "eigenvalues of P",
    CLASSES: "strongly connected components of P",
    ENTRY_SCALE: "least scale, found by halving, whose loss is at most epsilon",
}


@dataclass(frozen=True)
class Witness:
    """A point at which textbook code fails, the truth there to ten figures, and why it fails.

    Of an array ``entry`` says which number is meant, counted from 1.
    """

    parameters: Mapping[str, Any]
    true: str
    why: str
    entry: tuple[int, ...] = ()


_STAY = 2.0**-36
# Three states, each left once in 2^35 steps or so.
_HARDLY_LEFT = (
    (1 - _STAY, _STAY, 0.0),
    (2 * _STAY, 1 - 4 * _STAY, 2 * _STAY),
    (0.0, _STAY, 1 - _STAY),
)
WITNESSES: Mapping[str, Witness] = {
    DELTA: Witness(
        {"alpha": 2.0**-6, "step": 2.0**-6, "epsilon": 12.0},
        "2.049662079e-6",
        "underflow: q = 1/(1 + e^768) is 0 in doubles, and q^alpha is not",
    ),
    TOTAL_VARIATION: Witness(
        {"alpha": 1024.0, "step": 2.0**-22},
        "4.204395308e-9",
        "cancellation: two tails near 1/2 agree to eight digits",
    ),
    RENYI: Witness(
        {"alpha": 512.0, "step": 2.0**-7, "order": 1 + 2.0**-10},
        "1.194413976e-7",
        "cancellation: log-gammas near 2,700 leave 1e-10, over order - 1",
    ),
    ADD_REMOVE: Witness(
        {"alpha": 512.0, "step": 2.0**-7, "order": 1 + 2.0**-10},
        "5.972085112e-8",
        "cancellation: log-gammas near 2,700 leave 1e-10, over order - 1",
    ),
    TAIL: Witness(
        {"alpha": 64.0, "count": 2, "rest": 64.0, "gamma": 2.0**-20},
        "4.646649715e-334",
        "underflow: an upper bound of 0 for a chance that is not 0",
    ),
    EXPECTED_KL: Witness(
        {"p": (0.25, 0.75), "k": 2.0**30},
        "4.656612876e-10",
        "cancellation: digamma(x) and log(x) agree to 1/(2x)",
    ),
    STATIONARY: Witness(
        {"P": _HARDLY_LEFT},
        "0.4",
        "ill-conditioned: states that are hardly ever left, eigenvalues next to 1",
        (1,),
    ),
    FUNDAMENTAL: Witness(
        {"P": _HARDLY_LEFT},
        "3.57341279e+10",
        "ill-conditioned: the matrix to invert is nearly singular",
        (1, 1),
    ),
    MODULI: Witness(
        {"P": ((1 / 8, 1 / 8, 3 / 4), (1 / 4, 1 / 8, 5 / 8), (1 / 8, 5 / 8, 1 / 4))},
        "0.25",
        "a double eigenvalue with one eigenvector moves by the root of a rounding",
        (2,),
    ),
    CLASSES: Witness(
        {"P": ((0.0, 1.0), (2.0**-30, 1 - 2.0**-30))},
        "1",
        "entries below 1e-8 of a dense matrix are rounded to zero, as SciPy documents for "
        "`minimum_spanning_tree`; a sparse matrix keeps them",
    ),
}
DOMAINS: Mapping[str, Ranges] = {
    DELTA: {"alpha": (1, 10), "step": (1, 5), "epsilon": (0, 1)},
    TOTAL_VARIATION: {"alpha": (1, 100), "step": (1, 100)},
    RENYI: {"alpha": (10, 20), "step": ("1/2", 1), "order": (2, 5)},
    ADD_REMOVE: {"alpha": (10, 20), "step": ("1/2", 1), "order": (2, 5)},
    TAIL: {"alpha": (1, 10), "count": (1, 10), "rest": (1, 100), "gamma": ("1/1000", 1)},
    EXPECTED_KL: {"k": (1, 1000)},
    STATIONARY: {"P": ("1/100", 1), "P.length": (2, 3)},
    FUNDAMENTAL: {"P": ("1/100", 1), "P.length": (2, 3)},
    MODULI: {"P": ("1/100", 1), "P.length": (2, 2)},
    ENTRY_SCALE: {"lipschitz": ("1/1000", 1000), "epsilon": ("1/1000", 10)},
}


@dataclass(frozen=True)
class Textbook:
    """A backend, as ``certify`` takes it."""

    name: str
    version: str
    quantities: Mapping[str, Answer]
    slack: Mapping[str, str]
    domain: Mapping[str, Ranges]


@dataclass(frozen=True)
class Library:
    """A library, in the version that was looked at, and what textbook code on top of it answered.

    ``answered`` has the quantities that are refuted, each with an answer at its witness. What
    rounds outward needs no slack; what is ``partial`` is asked where its domains are declared.
    """

    name: str
    version: str
    quantities: tuple[str, ...]
    answered: Mapping[str, str]
    slack: str = SLACK
    partial: bool = False

    @property
    def titled(self) -> str:
        """Its name with the version that was looked at."""
        name, _, how = self.name.partition(" (")
        return f"{name} {self.version}" + (f" ({how}" if how else "")

    def asked(self, *, within: bool) -> tuple[str, ...]:
        """Return what is asked where domains are declared, or where none is."""
        if within:
            return tuple(name for name in self.quantities if name in DOMAINS)
        return () if self.partial else self.quantities

    def slacks(self, *, within: bool) -> dict[str, str]:
        """Return the slack that is declared of each quantity with a safe side."""
        asked = self.asked(within=within) if self.slack != "0" else ()
        return {name: self.slack for name in asked if quantity_named(name).safe is not Side.NONE}

    def domains(self, *, within: bool) -> dict[str, Ranges]:
        """Return the domains that are declared."""
        return {name: DOMAINS[name] for name in self.asked(within=within)} if within else {}

    def where(self, folder: Path, *, within: bool) -> str:
        """Return how ``certify`` finds it. Raises NotHereError."""
        raise NotImplementedError


@dataclass(frozen=True)
class Imported(Library):
    """A library of Python: the ``module`` of the gallery has its functions and is it itself."""

    functions: Mapping[str, Answer] = field(default_factory=dict)
    installed: str = ""
    module: str = ""

    def where(self, folder: Path, *, within: bool) -> str:  # noqa: ARG002 - programs need it
        """Return the module and which of the two backends in it."""
        return f"{self.module}:library.{'within' if within else 'everywhere'}"

    @property
    def everywhere(self) -> Textbook:
        """The backend on all of its domains."""
        return self._textbook(within=False)

    @property
    def within(self) -> Textbook:
        """The backend where domains are declared."""
        return self._textbook(within=True)

    def _textbook(self, *, within: bool) -> Textbook:
        return Textbook(
            self.name,
            self.installed,
            {name: self.functions[name] for name in self.asked(within=within)},
            self.slacks(within=within),
            self.domains(within=within),
        )


class NotHereError(Exception):
    """A library, or what its program is made with, is not on this machine."""
