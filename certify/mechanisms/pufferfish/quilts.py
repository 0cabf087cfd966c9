"""Releases of a Markov chain or a Bayesian network: Markov quilts, or the loss of a known query.

A known query's exact loss decides, with Laplace or normal noise, at any delta or order. For an
unknown one the quilts' guarantee holds for every query that changes by at most ``lipschitz``, with
normal noise at a delta or an order; that a claim asks a smaller scale refutes nothing.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, ClassVar

from ....reference.dirichlet.pair import Neighbours
from ....reference.domain import Domain, Value
from ....reference.enclosure import Enclosure
from ....reference.errors import DomainError, InputError
from ....reference.exact import Texts, exact_text, shown
from ....reference.quantity import quantity_named
from ....reference.sampling.draw import require_scale
from ..hypotheses import Finding
from ..laid_out import require_numbers, require_one_number
from ..neighbours import Adjacency, Unlike, fixed_by
from ..plan import NoisePlan, noise_on
from ..protocol import (
    Adding,
    Claim,
    Inputs,
    Layout,
    Mechanism,
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
    DEFINITION,
    DRAWN,
    FIXED_CLASS,
    LAPLACE,
    MANY_NODES,
    NO_PRINTED_SCALE,
    NOT_SAID,
    ONE_STATE,
    SCALE,
    SECOND_SECONDS,
    SECOND_SECONDS_OF_MANY,
    Losses,
    at_order,
    epsilon_asked,
    group_asked,
    hiding,
    is_pure,
    least_asked,
    losses_asked,
    noise_assumed,
)
from .noise import (
    ANSWER,
    NOISE_KEYS,
    Added,
    NoiseParameters,
    Query,
    histogram_change,
    most_numbers,
    noise_domains,
    noise_of,
    read_parts,
    require_moderate,
    require_one_query,
    root_below,
    scale_of,
    with_lipschitz,
)

# Which node sets a scale is looked for so long, and else not said.
PLACE_SECONDS = 10.0


@dataclass(frozen=True)
class Place:
    """The node and the quilt that set a scale, published and in words."""

    shape: dict[str, Texts]
    words: str


_ONE_QUERY = "Only the query that values give is covered, and only this one release of it."
_NOT_TOGETHER = (
    "what several releases of dependent data lose together is bounded here for Laplace noise and "
    "delta = 0, and for normal noise at an order, alone"
)
_NOT_PURE = (
    'noise = "gaussian" on a query that is not known is audited by quilts, which need epsilon > 0 '
    "and a delta or an order"
)
_TOGETHER = "Markov quilts, for all the noise together"
_NORMAL_QUILTS = "Gaussian Markov quilts"
_ALONE = "What other releases from the same data add is not covered."
# Of a number in a sentence, which is rounded up; its exact value is beside it in JSON.
_FIGURES = 6
_OUT_OF_REACH = (
    "the exact loss of the query is not known: a chain starts with any law, or is too long, or the "
    "query takes too many values"
)
_SECRETS = "two states of one node, under one and the same law"
_OTHERS = {
    "scale_of_group": "noise for all nodes at once",
    "scale_of_entry": "noise for one node, as all are independent",
    "scale_by_wasserstein": BY_WASSERSTEIN,
}
_OF_QUERY = "the exact loss of the query that values give"
_OF_QUILTS = "an upper bound by Markov quilts, for every query that changes by at most lipschitz"


class Quilts(Mechanism):
    """Noise on queries of data that follow one of the laws of a family.

    ``epsilon``, ``scale`` and ``loss`` name the quantities that know the family: what quilts
    guarantee, the scale that they ask for, the pure loss of one query; ``losses`` its other ones;
    ``gaussian_scale`` and ``gaussian_renyi`` the scale of normal noise that quilts ask for, and the
    Renyi divergence that they guarantee;
    ``distance``, where there is one, the scale of the Wasserstein mechanism. ``algorithm`` is where
    the paper has it.
    """

    law_keys: ClassVar[tuple[str, ...]]
    epsilon: ClassVar[str]
    scale: ClassVar[str]
    gaussian_scale: ClassVar[str]
    gaussian_renyi: ClassVar[str]
    loss: ClassVar[str]
    losses: ClassVar[Losses]
    distance: ClassVar[str | None] = None
    algorithm: ClassVar[str]
    noise = True

    @abstractmethod
    def law_domains(self) -> dict[str, Domain]:
        """Return the domains of the laws' keys."""

    @abstractmethod
    def require(self, table: Mapping[str, Any], where: str) -> None:
        """Raise InputError unless the keys that are needed are there."""

    def prepared(self, table: Mapping[str, Any], _where: str) -> Mapping[str, Any]:
        """Return the table as its domains read it."""
        return table

    @abstractmethod
    def require_laws(self, exact: Mapping[str, Any], where: str) -> None:
        """Raise DomainError unless each law is known that is named by a word."""

    @abstractmethod
    def spreads(self, exact: Mapping[str, Any], where: str) -> Sequence[Fraction]:
        """Return by how much each node changes a known query. Raises DomainError: not its shape."""

    @abstractmethod
    def made_of(self, exact: Mapping[str, Any]) -> NoiseParameters:
        """Return the parameters."""

    @abstractmethod
    def nodes(self, exact: Mapping[str, Any]) -> int:
        """Return how many nodes depend on each other at most."""

    @abstractmethod
    def nodes_in_all(self, claim: Claim, where: str) -> int:
        """Return how many nodes the data have. Raises DomainError where that is not public."""

    @abstractmethod
    def states(self, claim: Claim) -> int:
        """Return how many states a node has at most."""

    @abstractmethod
    def asked(self, claim: Claim, settings: PublicSettings) -> Query:
        """Return what is released, without noise. Raises InputError."""

    @abstractmethod
    def longest(self, claim: Claim) -> dict[str, Value]:
        """Return the laws of the longest piece, as a quantity takes them."""

    @abstractmethod
    def has_secrets(self, claim: Claim) -> bool:
        """Whether some node has two states that are both possible under one law of the class."""

    @abstractmethod
    def independent(self, claim: Claim) -> bool:
        """Whether all nodes are known to be independent."""

    @abstractmethod
    def worst_place(self, claim: Claim) -> Place | None:
        """Return what sets the scale, where it is found soon."""

    @abstractmethod
    def losing(self, claim: Claim, noise: Added) -> Iterator[tuple[Inputs, Question]]:
        """Yield secrets that may lose more than was claimed, with what they lose."""

    def require_releasable(self, claim: Claim, where: str) -> None:
        """Raise InputError unless there is one release, of moderate noise and values."""
        scale, values = scale_of(claim, where), noise_of(claim).values or ()
        nodes = self.nodes_in_all(claim, where)
        require_moderate((entry for row in values for entry in row), nodes, where)
        require_scale(scale)

    def layout(self, claim: Claim, settings: PublicSettings) -> Layout:
        """Return the query's names, and the scale of its noise. Raises InputError."""
        self.require_releasable(claim, settings.where)
        query = self.asked(claim, settings)
        return Layout(query.names, scalar=query.scalar, scale=scale_of(claim, settings.where))

    def require_possible(self, claim: Claim, seen: Layout) -> None:
        """Raise DomainError unless the names are those of some query, or of the one given."""
        noise = noise_of(claim)
        if noise.values is not None:
            require_one_number(seen, ANSWER)
            return
        states, nodes = self.states(claim), self.nodes_in_all(claim, claim.name)
        smoothest = histogram_change(states, Fraction(1, nodes))
        smooth = smoothest <= noise.lipschitz
        require_numbers(seen, states, most_numbers(states), smooth=smooth)

    def law_findings(self, _claim: Claim) -> list[Finding]:
        """Return the hypotheses of the paper's theorems on this family, decided."""
        return []

    @property
    def tight(self) -> Least:
        """The least scale that is enough by some mechanism of the paper, or by the exact loss."""
        return Least("scale", self._enough, self._least)

    @property
    def keys(self) -> tuple[str, ...]:
        """The laws, the noise, what is known of the query, and how wide quilts may be."""
        return (*self.law_keys, *NOISE_KEYS, "width")

    @property
    def _domains(self) -> dict[str, Domain]:
        quilts = quantity_named(self.epsilon).parameters
        return {**self.law_domains(), **noise_domains(self.loss), "width": quilts["width"]}

    def target(self, table: Mapping[str, Any], where: str) -> Target:
        """Return a claimed epsilon, and a delta or an order."""
        return hiding(table, where)

    def read(self, table: Mapping[str, Any], where: str) -> tuple[NoiseParameters, None]:
        """Return exact parameters, with the Lipschitz constant and the width if left open."""
        require_one_query(table, where)
        self.require(table, where)
        given = self.prepared(table, where)
        exact = read_parts(given, self._domains, self.name, where)
        self.require_laws(exact, where)
        spreads = self.spreads(exact, where) if "values" in exact else []
        exact = with_lipschitz(exact, spreads, where)
        exact.setdefault("width", self.nodes(exact))
        return self.made_of(exact), None

    def _size(self, claim: Claim) -> int:
        return self.nodes(claim.parameters.given)

    def vacuity(self, claim: Claim) -> Vacuity | None:
        """Return why no two secrets can both happen, if so."""
        return None if self.has_secrets(claim) else Vacuity(Neighbours.NONE, ONE_STATE)

    def worst(self, claim: Claim) -> Worst:
        """Return the exact loss of a known query, or what the quilts guarantee for every one.

        A scale that a valid mechanism asks for certifies alone.
        """
        noise = noise_of(claim)
        loss = self._loss(claim, noise)
        bound = self._bound(claim, noise)
        facts, sentences = self._facts(claim, noise)
        seconds = self._second_seconds(claim)
        return Worst(
            Neighbours.ATTAINED if loss else Neighbours.BOUNDED,
            tuple(replace(asked, second_seconds=seconds) for asked in loss or bound),
            facts,
            (_OF_QUERY if loss else _OF_QUILTS, *sentences),
            nearby=lambda: (
                (inputs, replace(asked, second_seconds=seconds))
                for inputs, asked in self.losing(claim, noise)
            ),
            sufficient=tuple(
                replace(asked, second_seconds=seconds)
                for asked in self._sufficient(claim, noise, exactly=bool(loss))
            ),
        )

    def _bound(self, claim: Claim, noise: Added) -> tuple[Question, ...]:
        """Return the question for what quilts guarantee: an epsilon, or a scale of normal noise.

        Raises DomainError where they guarantee nothing, and the exact loss is not known.
        """
        if noise.law == LAPLACE:
            return (epsilon_asked(claim, self.epsilon, self._quilts(claim, noise.per_unit)),)
        if self._loss(claim, noise):
            return ()
        scale = self._normal_scale(claim, noise)
        if claim.order is None:
            return (scale,)
        point = {**self._quilts(claim, noise.per_unit), "order": claim.order}
        return (at_order(claim, Term(self.gaussian_renyi, point)), scale)

    def _normal_scale(self, claim: Claim, noise: Added) -> Question:
        """Return the question whether quilts ask for no more normal noise.

        A query changes by no more in the 2-norm than in the 1-norm. Raises DomainError.
        """
        point = {**self.longest(claim), "epsilon": claim.epsilon}
        point["width"] = NoiseParameters.of(claim).width
        quantity = self.gaussian_scale
        if claim.order is not None:
            point["order"], quantity = claim.order, f"{quantity}_renyi"
        elif claim.delta and claim.epsilon:
            point["delta"] = claim.delta
        else:
            raise DomainError(f"{claim.name}: {_NOT_PURE}")
        return Question(SCALE, noise.together, (Term(quantity, point, noise.lipschitz),))

    def _second_seconds(self, claim: Claim) -> float:
        many = self._size(claim) > MANY_NODES
        return min(SECOND_SECONDS, SECOND_SECONDS_OF_MANY) if many else SECOND_SECONDS

    def _enough(self, claim: Claim) -> list[Enough]:
        """Return the scales of valid mechanisms, that of quilts comes first."""
        noise = noise_of(claim)
        exactly = bool(self._loss(claim, noise))
        asked = self._sufficient(claim, noise, exactly=exactly)
        if noise.law != LAPLACE and not exactly:
            return [Enough(self._normal_scale(claim, noise), _NORMAL_QUILTS, must=True)]
        if not asked:
            raise DomainError(NO_PRINTED_SCALE)
        found = [
            Enough(one, _OTHERS.get(one.key, f"{self.algorithm}, Markov quilts"), one.key == SCALE)
            for one in asked
        ]
        return sorted(found, key=lambda one: not one.must)

    def _least(self, claim: Claim) -> Question | None:
        """Return the question for a known query's least scale; None where that is not known."""
        noise = noise_of(claim)
        if noise.values is None or noise.alone is None:
            return None
        point = {**self.longest(claim), "values": noise.values}
        return least_asked(claim, noise.law, noise.alone, self.losses, point)

    def _loss(self, claim: Claim, noise: Added) -> tuple[Question, ...]:
        """Return the questions for the exact loss; none where the query is not known, or too long.

        Nor has it a chain with every initial law at once.
        """
        if noise.values is None or noise.alone is None:
            return ()
        point = {**self.longest(claim), "values": noise.values, "scale": noise.alone}
        if not quantity_named(self.loss).admits(point):
            return ()
        return self.lost(claim, noise, point)

    def lost(self, claim: Claim, noise: Added, point: Mapping[str, Value]) -> tuple[Question, ...]:
        """Return the questions for the exact loss of a known query, the first one decides."""
        if is_pure(claim, noise.law):
            return (epsilon_asked(claim, self.loss, point),)
        return losses_asked(claim, noise.law, self.losses, point)

    def _quilts(self, claim: Claim, scales: tuple[Fraction, ...]) -> dict[str, Value]:
        return {
            **self.longest(claim),
            "scales": scales,
            "width": NoiseParameters.of(claim).width,
        }

    def _sufficient(self, claim: Claim, noise: Added, *, exactly: bool) -> tuple[Question, ...]:
        """Return the scales of valid mechanisms; those that are rational come first.

        They are of Laplace noise, and of pure privacy, which is more than with a delta
        or at an order.
        """
        if noise.law != LAPLACE or not claim.epsilon:
            return ()
        found = [group_asked(claim, noise.together, noise.lipschitz, self._size(claim))]
        if self.independent(claim):
            entry = {"lipschitz": noise.lipschitz, "epsilon": claim.epsilon}
            term = Term("pufferfish.entry_scale", entry)
            found.append(Question("scale_of_entry", noise.together, (term,)))
        if exactly and noise.alone is not None and self.distance:
            point = {**self.longest(claim), "values": noise.values or ()}
            term = Term(self.distance, point, 1 / claim.epsilon)
            found.append(Question("scale_by_wasserstein", noise.alone, (term,)))
        return (*found, Question(SCALE, noise.together, (self._scale(claim, noise),)))

    def _scale(self, claim: Claim, noise: Added) -> Term:
        point = {
            **self.longest(claim),
            "epsilon": claim.epsilon,
            "width": NoiseParameters.of(claim).width,
        }
        return Term(self.scale, point, noise.lipschitz)

    def _facts(
        self, claim: Claim, noise: Added
    ) -> tuple[Mapping[str, Texts | None], tuple[str, ...]]:
        """Return what the scale is set by and what who knows the rest learns, also in words."""
        if noise.law != LAPLACE:
            return self._facts_of_normal(noise)
        place = self.worst_place(claim) if claim.epsilon else None
        unknown = noise.values is not None and not self._loss(claim, noise)
        facts: dict[str, Texts | None] = {
            "lipschitz": exact_text(noise.lipschitz),
            "scale": exact_text(noise.together),
            "set_by": None if place is None else place.shape,
            "entry_epsilon": exact_text(noise.of_entry),
        }
        released, change = shown(noise.together), shown(noise.lipschitz)
        what = "the released scale is"
        if noise.alone is None:
            what = f"the {len(noise.scales)} releases count as one of scale 1/(sum of 1/scale) ="
        _, entry = Enclosure.of(noise.of_entry).decimals(_FIGURES)
        knows = f"who knows all other nodes learns at most epsilon = {entry} of a node"
        sentences = [
            f"{what} {released}, for a change of at most {change}",
            f"{knows}, lipschitz over scale, whatever the law",
        ]
        if unknown:
            sentences.append(_OUT_OF_REACH)
        if place is not None:
            sentences.append(f"the scale needed is set by {place.words}")
        return facts, tuple(sentences)

    def _facts_of_normal(self, noise: Added) -> tuple[Mapping[str, Texts | None], tuple[str, ...]]:
        released, change = shown(noise.together), shown(noise.lipschitz)
        facts: dict[str, Texts | None] = {
            "lipschitz": exact_text(noise.lipschitz),
            "scale": exact_text(noise.together),
            "set_by": None,
            "entry_epsilon": None,
        }
        what = "the standard deviation is"
        if noise.alone is None:
            what = (
                f"the {len(noise.scales)} releases count as one of standard deviation 1/sqrt(sum "
                "of 1/scale^2), rounded down:"
            )
        return facts, (f"{what} {released}, for a change of at most {change}",)

    def findings(self, claim: Claim, _printed: Printed) -> list[Finding]:
        """Decide what the paper's theorems ask, and say what is taken for granted."""
        return [
            *self.law_findings(claim),
            _lipschitz(noise_of(claim)),
            CLASS_ASSUMED,
            FIXED_CLASS,
            noise_assumed(noise_of(claim).law),
        ]

    def non_claims(self, claim: Claim) -> list[str]:
        """Return what a verdict does not say."""
        known = noise_of(claim).values is not None
        return [_ONE_QUERY if known else _ALONE, *NOT_SAID]

    def adjacency(self, claim: Claim, data: Mapping[str, Any]) -> Adjacency | Unlike:
        """Return the secrets of a class of laws: it, the nodes and their states are the same.

        Several releases are bounded together that are pure, with Laplace noise, or at an order,
        with normal noise; not with a delta.
        """
        law = noise_of(claim).law
        at_an_order = law != LAPLACE and claim.order is not None
        if not (is_pure(claim, law) or at_an_order):
            return Unlike(_NOT_TOGETHER)
        found = fixed_by(claim, data, _SECRETS, (), ("states",))
        laws = NoiseParameters.of(claim).laws
        return replace(
            found, fixed={"class of laws or length": laws, "law of the noise": law, **found.fixed}
        )

    def together(
        self, claims: Sequence[tuple[Claim, int]], added: Adding
    ) -> tuple[Term, str] | None:
        """Return what Markov quilts guarantee for all noise together: its rates add up.

        Rates of normal noise are squared, and the smallest order counts.
        """
        width = max(NoiseParameters.of(one).width for one, _ in claims)
        point = {**self.longest(claims[0][0]), "width": width}
        orders = [one.order for one, _ in claims if one.order is not None]
        if not orders:
            rate = added((1 / scale, times) for one, times in claims for scale in _per_unit(one))
            return Term(self.epsilon, {**point, "scales": (1 / rate,)}), _TOGETHER
        squares = added((1 / scale**2, times) for one, times in claims for scale in _per_unit(one))
        point |= {"scales": (root_below(1 / squares),), "order": min(orders)}
        return Term(self.gaussian_renyi, point), _TOGETHER

    def plan_of_input(self, claim: Claim, value: Any, where: str) -> NoisePlan:
        """Return the noise on as many numbers as the input has; by default, on one."""
        noise = noise_of(claim)
        if noise.alone is None:
            raise InputError(f"{where}: scales are of several releases; one is simulated at a time")
        return noise_on(value, noise.alone, DRAWN[noise.law])


def _per_unit(claim: Claim) -> tuple[Fraction, ...]:
    """Return the scales for queries that change by at most 1."""
    return noise_of(claim).per_unit


def _lipschitz(noise: Added) -> Finding:
    status = "assumed" if noise.values is None else "holds"
    return Finding(
        f"each query changes by at most lipschitz = {shown(noise.lipschitz)} in the 1-norm "
        "when one node changes",
        status,
        DEFINITION,
    )


def place_of(kind: str, number: int, node: int, nodes: tuple[int, ...]) -> Place | None:
    """Return what sets a scale by its numbers; None where no node needs noise."""
    if not node:
        return None
    listed = ", ".join(map(str, nodes))
    words = f"the quilt {{{listed}}}" if nodes else "the empty quilt, all that is linked to it"
    shape: dict[str, Texts] = {
        kind: str(number),
        "node": str(node),
        "quilt": [str(one) for one in nodes],
    }
    return Place(shape, f"node {node} of {kind} {number}, with {words}")
