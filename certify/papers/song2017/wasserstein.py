"""Section 3 and Appendix B: the Wasserstein mechanism, and group privacy beside it."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import product
from random import Random

from flint import arb

from ....reference.arb.balls import working_precision
from ....reference.enclosure import Trilean
from ....reference.pufferfish.divergences import (
    Atoms,
    atoms_of,
    largest_move,
    largest_move_of_enclosed,
)
from ....reference.second.directed import Span
from ..evidence import Formula, Identity, Instance, NotDecidable, Proof
from ..statement import Reading, Statement
from ..values import At, Exactly
from .chains import INFECTED, numbers, random_law

# Formulas of the notes on the Wasserstein mechanism, executed in rationals.

_BITS = 192
# e^(1/scale), as a rational.
_RATE = Fraction(3)


def _atoms(masses: Mapping[int, Fraction]) -> Atoms:
    """Return a law on whole points as atoms."""
    return atoms_of((Fraction(x), mass) for x, mass in masses.items() if mass)


def _distance(one: Mapping[int, Fraction], other: Mapping[int, Fraction]) -> Fraction:
    """Return the infinity-Wasserstein distance of two laws on whole points."""
    return largest_move(_atoms(one), _atoms(other))


def _some_law(random: Random) -> dict[int, Fraction]:
    """Return a law on a few of the points 0 to 7."""
    points = sorted(random.sample(range(8), random.randint(1, 4)))
    return dict(zip(points, random_law(random, len(points)), strict=True))


def _density(law: Mapping[int, Fraction], at: int) -> Fraction:
    """Return the density of a law with Laplace noise, up to a factor."""
    return sum((mass / _RATE ** abs(at - x) for x, mass in law.items()), Fraction(0))


def _densities_differ_by_the_distance() -> bool:
    """The density under mu is at most e^(W/b) times that under nu."""
    random = Random(3)  # noqa: S311
    for _ in range(40):
        mu, nu = _some_law(random), _some_law(random)
        most = _RATE ** int(_distance(mu, nu))
        if any(_density(mu, at) > most * _density(nu, at) for at in range(-2, 10)):
            return False
    return True


def _distance_zero_is_one_law() -> bool:
    """W = 0 between equal laws alone."""
    random = Random(4)  # noqa: S311
    laws = [_some_law(random) for _ in range(20)]
    return all((_distance(one, other) == 0) == (one == other) for one, other in product(laws, laws))


def _the_infimum_is_attained() -> bool:
    """The monotone coupling's largest move d satisfies F(x) <= G(x + d), and nothing less does."""
    random = Random(5)  # noqa: S311
    for _ in range(40):
        mu, nu = _some_law(random), _some_law(random)
        exact = _distance(mu, nu)
        for d in range(8):
            holds = all(
                _up_to(one, x) <= _up_to(other, x + d)
                for one, other in ((mu, nu), (nu, mu))
                for x in range(8)
            )
            if holds != (exact <= d):
                return False
    return True


def _up_to(law: Mapping[int, Fraction], x: int) -> Fraction:
    return sum((mass for point, mass in law.items() if point <= x), Fraction(0))


def _mixtures_are_no_further_apart() -> bool:
    """W of mixtures with the same weights is at most the largest W of components."""
    random = Random(6)  # noqa: S311
    for _ in range(40):
        pairs = [(_some_law(random), _some_law(random)) for _ in range(3)]
        weights = random_law(random, 3)
        mixed = [
            {x: _mixed(weights, [pair[at].get(x, Fraction(0)) for pair in pairs]) for x in range(8)}
            for at in (0, 1)
        ]
        if _distance(mixed[0], mixed[1]) > max(_distance(*pair) for pair in pairs):
            return False
    return True


def _mixed(weights: tuple[Fraction, ...], masses: list[Fraction]) -> Fraction:
    return sum((c * m for c, m in zip(weights, masses, strict=True)), Fraction(0))


def _independent_entries_reach_the_sensitivity() -> bool:
    """For three independent bits W is at most the largest change by one bit, and reaches it."""
    random, found = Random(7), Fraction(0)  # noqa: S311
    cube = tuple(product((0, 1), repeat=3))
    answers = {x: random.randint(0, 7) for x in cube}
    change = max(abs(answers[x] - answers[y]) for x, y in product(cube, cube) if _apart(x, y) == 1)
    for chances in product((Fraction(0), Fraction(1, 3), Fraction(1)), repeat=2):
        for bit in range(3):
            laws: list[dict[int, Fraction]] = [{}, {}]
            for x in cube:
                rest = x[:bit] + x[bit + 1 :]
                mass = Fraction(1)
                for value, chance in zip(rest, chances, strict=True):
                    mass *= chance if value else 1 - chance
                laws[x[bit]][answers[x]] = laws[x[bit]].get(answers[x], Fraction(0)) + mass
            found = max(found, _distance(*laws))
    return found == change


def _apart(one: tuple[int, ...], other: tuple[int, ...]) -> int:
    return sum(a != b for a, b in zip(one, other, strict=True))


def clique_distance(people: int) -> Fraction:
    """Return W between the numbers infected given one's status, masses as in Section 2.2."""
    with working_precision(_BITS):
        weights = [arb(2 * j).exp() for j in range(people + 1)]
        well = [(Fraction(j), weights[j] * (people - j)) for j in range(people)]
        ill = [(Fraction(j), weights[j] * j) for j in range(1, people + 1)]
        found = largest_move_of_enclosed(well, ill)
    if found is None:
        raise ArithmeticError("the masses are not told apart: take more bits")
    return found


def clique_distance_by_strassen(people: int) -> Fraction:
    """Return the same as the least whole d with F(x) <= G(x + d), in another arithmetic."""
    weights = [Span.of(2 * j, _BITS).exp() for j in range(people + 1)]
    well = [weights[j] * Span.of(people - j, _BITS) for j in range(people + 1)]
    ill = [weights[j] * Span.of(j, _BITS) for j in range(people + 1)]
    return Fraction(next(d for d in range(people + 1) if _moves_within(well, ill, d)))


def _moves_within(well: list[Span], ill: list[Span], d: int) -> bool:
    """Whether no mass moves further than d.

    The ill have larger numbers in likelihood-ratio order, so one side of the condition is enough.
    """
    last = len(well) - 1
    for x in range(last - d):
        left, right = _share_up_to(well, x), _share_up_to(ill, x + d)
        difference = left - right
        if not difference.sign:
            raise ArithmeticError("the masses are not told apart: take more bits")
        if difference.sign > 0:
            return False
    return True


def _share_up_to(masses: list[Span], x: int) -> Span:
    parts, total = Span.of(0, _BITS), Span.of(0, _BITS)
    for at, mass in enumerate(masses):
        total += mass
        parts = parts + mass if at <= x else parts
    return parts / total


def _conditionals_of_the_clique(shares: tuple[Fraction, ...]) -> tuple[tuple[Fraction, ...], ...]:
    """Return the laws of the number of infected given one's status, over all data sets."""
    people = len(shares) - 1
    cube = tuple(product((0, 1), repeat=people))
    sizes = [sum(1 for x in cube if sum(x) == j) for j in range(people + 1)]
    laws = [[Fraction(0)] * (people + 1) for _ in (0, 1)]
    for x in cube:
        laws[x[0]][sum(x)] += shares[sum(x)] / sizes[sum(x)]
    return tuple(tuple(mass / sum(law) for mass in law) for law in laws)


_NOTE = "song2017/wasserstein.md"
_GIVEN_WELL, _GIVEN_ILL = (
    ["0.2", "0.225", "0.5", "0.075", "0"],
    ["0", "0.075", "0.5", "0.225", "0.2"],
)


def _conditionals() -> Trilean:
    found = _conditionals_of_the_clique(numbers(INFECTED))
    return Trilean.of(found == (numbers(_GIVEN_WELL), numbers(_GIVEN_ILL)))


def _line(mass: list[str]) -> dict[str, list[str]]:
    kept = [(str(at), share) for at, share in enumerate(mass) if share != "0"]
    return {"points": [at for at, _ in kept], "mass": [share for _, share in kept]}


_MIXTURES = Formula("(4)", _mixtures_are_no_further_apart)

_WASSERSTEIN_STATEMENTS = (
    Statement(
        id="song2017.definition-3-1",
        kind="definition",
        where="Section 3, Definition 3.1, (3)",
        says="The infinity-Wasserstein distance is the most that any mass has to move in the best "
        "way to turn one law into the other.",
        hypotheses=("laws of finitely many atoms",),
        note=_NOTE,
        evidence=(
            Proof(
                "wasserstein.md#monotone-coupling",
                "the infimum is attained, by the monotone coupling (1)",
                (Formula("(1)", _the_infimum_is_attained),),
            ),
        ),
    ),
    Statement(
        id="song2017.figure-1",
        kind="figure",
        where="Section 3, Figure 1",
        says="The two laws of the figure are at distance 1.",
        note=_NOTE,
        evidence=(NotDecidable("the masses are drawn and not stated"),),
    ),
    Statement(
        id="song2017.algorithm-1",
        kind="algorithm",
        where="Section 3.1, Algorithm 1",
        says="The Wasserstein mechanism is the Laplace mechanism, with the global sensitivity, "
        "where Pufferfish privacy is differential privacy.",
        hypotheses=("the class of all laws that make entries independent", "a scalar query"),
        note=_NOTE,
        evidence=(
            Proof(
                f"{_NOTE}#laplace-mechanism",
                "W is at most the sensitivity by shared mixing, and reaches it at point masses (2)",
                (Formula("(2)", _independent_entries_reach_the_sensitivity),),
            ),
        ),
    ),
    Statement(
        id="song2017.example-3-1-conditionals",
        kind="number",
        where="Section 3.1, example, second table",
        says="In the clique of four the laws of N given a person's status are "
        "(.2, .225, .5, .075, 0) and its mirror image.",
        hypotheses=("the joint law is symmetric",),
        garbled="the header of the first table has i for j",
        note=_NOTE,
        evidence=(Identity("over all 16 data sets, both laws are those printed", _conditionals),),
    ),
    Statement(
        id="song2017.example-3-1-distance",
        kind="number",
        where="Section 3.1, example, last paragraph",
        says="W = 2 there, where group privacy needs 4.",
        note=_NOTE,
        evidence=(
            Instance(
                "W of the two laws",
                At("pufferfish.wasserstein", {"mu": _line(_GIVEN_WELL), "nu": _line(_GIVEN_ILL)}),
                "=",
                Exactly("2"),
                decides=True,
            ),
            Instance(
                "the scale for a group of four at epsilon = 1",
                At("pufferfish.group_scale", {"lipschitz": 1, "size": 4, "epsilon": 1}),
                "=",
                Exactly("4"),
                decides=True,
            ),
        ),
    ),
    Statement(
        id="song2017.theorem-3-2",
        kind="theorem",
        where="Section 3.2, Theorem 3.2; proof in Appendix B",
        says="The Wasserstein mechanism is epsilon-Pufferfish private.",
        hypotheses=("W is finite; W = 0 means that no noise is added",),
        garbled="a lower limit in (9) has s where t is meant",
        note=_NOTE,
        evidence=(
            Proof(
                f"{_NOTE}#privacy",
                "densities differ by a factor of at most e^(W/b) (3), and equal laws need no noise",
                (
                    Formula("(3)", _densities_differ_by_the_distance),
                    Formula("W = 0", _distance_zero_is_one_law),
                ),
            ),
        ),
    ),
    Statement(
        id="song2017.lemma-b-2",
        kind="lemma",
        where="Appendix B.1, Lemma B.2",
        says="Mixtures with the same weights are no further apart than the furthest pair of parts.",
        note=_NOTE,
        evidence=(
            Proof(
                "wasserstein.md#shared-mixing",
                "the mixture of couplings is a coupling (4)",
                (_MIXTURES,),
            ),
        ),
    ),
)


_GROUPS = "song2017/groups.md"
_THREE_BITS = tuple(product((0, 1), repeat=3))
# X_1, X_2 fair, X_3 = X_1 xor X_2: any two are independent, the three are not.
_XOR = [str(Fraction(x[2] == x[0] ^ x[1], 4)) for x in _THREE_BITS]
_BIT_1 = [[at for at, x in enumerate(_THREE_BITS, 1) if x[0] == value] for value in (0, 1)]
_SUM_OF_THREE = {
    "values": [sum(x) for x in _THREE_BITS],
    "laws": [_XOR],
    "secrets": _BIT_1,
    "pairs": [[1, 2]],
}


def _pairwise_independent() -> bool:
    laws = dict(zip(_THREE_BITS, numbers(_XOR), strict=True))
    return all(
        sum(p for x, p in laws.items() if (x[i], x[j]) == (a, b)) == Fraction(1, 4)
        for i, j in ((0, 1), (0, 2), (1, 2))
        for a, b in product((0, 1), repeat=2)
    )


def _jointly_independent() -> bool:
    laws = dict(zip(_THREE_BITS, numbers(_XOR), strict=True))
    rest: dict[tuple[int, ...], list[Fraction]] = {}
    for x, p in laws.items():
        rest.setdefault(x[1:], []).append(p)
    return all(len(set(shares)) == 1 for shares in rest.values())


_JOINT = Proof(
    f"{_GROUPS}#joint-independence",
    "given the rest, a group moves the query by at most its sensitivity; then shared mixing (1)",
    (Formula("(1)", _mixtures_are_no_further_apart),),
)

_GROUPS_STATEMENTS = (
    Statement(
        id="song2017.theorem-3-3",
        kind="theorem",
        where="Section 3.2, Theorem 3.3; proof in Appendix B.1",
        says="For an L-Lipschitz query W is at most the global sensitivity under the group privacy "
        "that corresponds to the class.",
        hypotheses=(
            "correlated individuals share a group: each is independent of all others together",
        ),
        note=_GROUPS,
        evidence=(_JOINT,),
        readings=(
            Reading(
                "entries of different groups are independent two by two, as Appendix B.1 prints",
                (
                    Instance(
                        "X_3 = X_1 xor X_2, fair bits, each alone a group, their sum: W is at most "
                        "the sensitivity 1",
                        At("pufferfish.wasserstein_scale", {**_SUM_OF_THREE, "epsilon": 1}),
                        "<=",
                        Exactly("1"),
                        {"any two of the bits are independent": _pairwise_independent()},
                    ),
                    Instance(
                        "with the noise for that sensitivity, scale 1 at epsilon = 1, nothing more "
                        "than 1 is lost",
                        At("pufferfish.instantiation_loss", {**_SUM_OF_THREE, "scale": 1}),
                        "<=",
                        Exactly("1"),
                        {"any two of the bits are independent": _pairwise_independent()},
                    ),
                ),
            ),
        ),
        of_proof=(
            Identity(
                "step: entries that are independent of X_i one by one have the same joint law "
                "given any value of X_i",
                lambda: Trilean.of(_jointly_independent() or not _pairwise_independent()),
            ),
        ),
    ),
    Statement(
        id="song2017.theorem-3-3-repaired",
        kind="repair",
        repairs="song2017.theorem-3-3",
        where="Section 3.2, Theorem 3.3; Appendix B.1",
        says="W is at most the group sensitivity for every partition into groups each of which is "
        "independent of all other entries together.",
        adds=("joint independence of each group from the rest",),
        note=_GROUPS,
        evidence=(_JOINT,),
    ),
)

STATEMENTS = (*_WASSERSTEIN_STATEMENTS, *_GROUPS_STATEMENTS)
