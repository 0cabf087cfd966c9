"""Section 4.4.1: which quilts of a chain are enough, and the influence formula."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, product
from random import Random

from ....reference.arb.balls import ball, enclosure_of, working_precision
from ....reference.enclosure import Enclosure, Trilean
from ....reference.second.directed import Span
from ..evidence import Formula, Identity, Instance, Proof
from ..statement import Reading, Statement
from ..values import At, Worked
from .chains import (
    P_1,
    START_1,
    START_OF_THREE,
    Law,
    Moves,
    Ratio,
    after,
    influence_by_formula,
    influence_by_paths,
    largest,
    matrix,
    multiplied_ratios,
    near,
    numbers,
    power,
)
from .networks import sets_of_others

# Formulas of the notes on a chain's quilts, executed in rationals.

_LENGTH = 5
# Laws this near to a point come this near to the supremum, in proportion.
_NEAR, _CLOSE = Fraction(1, 10**12), Fraction(1, 10**8)


def _some_chains(seed: int, count: int, states: int = 0) -> Iterator[tuple[Law, Moves]]:
    """Yield chains of two or three states, every second one with impossible steps and starts."""
    random = Random(seed)  # noqa: S311 - examples, no secrets
    for at in range(count):
        size = states or random.choice((2, 3))
        missing, absent = (2 / 5, 1 / 2) if at % 2 else (0.0, 0.0)
        moves = tuple(_law_with_zeros(random, size, missing) for _ in range(size))
        yield _law_with_zeros(random, size, absent), moves


def _law_with_zeros(random: Random, size: int, share: float) -> Law:
    """Return a law of small rationals in which about this share is 0."""
    weights = [random.randint(1, 9) * (random.random() >= share) for _ in range(size)]
    weights[random.randrange(size)] += not sum(weights)
    return tuple(Fraction(weight, sum(weights)) for weight in weights)


def _quilts(node: int) -> Iterator[tuple[int, int]]:
    yield from product(range(node), range(_LENGTH - node + 1))


def formula_is_the_definition() -> bool:
    """(5), over possible values, is Definition 4.1 over all paths; one side left out too."""
    for start, moves in _some_chains(21, 16):
        for node in range(1, _LENGTH + 1):
            for left, right in _quilts(node):
                ends = [node - left] * bool(left) + [node + right] * bool(right)
                by_paths = influence_by_paths(start, moves, _LENGTH, node, ends)
                if influence_by_formula(start, moves, node, left, right) != by_paths:
                    return False
    return True


def all_states_overstate() -> bool:
    """Over all states (5) is never less."""
    return all(
        influence_by_formula(start, moves, node, left, right, all_states=True)
        >= influence_by_formula(start, moves, node, left, right)
        for start, moves in _some_chains(22, 6)
        for node in range(1, _LENGTH + 1)
        for left, right in _quilts(node)
    )


def nearest_ends_score_no_more() -> bool:
    """Of all sets of nodes none has less influence, or fewer nodes, than its nearest ends."""
    length, random = _LENGTH + 1, Random(23)  # noqa: S311 - examples, no secrets
    for start, moves in _some_chains(23, 6, states=2):
        node = random.randint(1, length)
        others = [at for at in range(1, length + 1) if at != node]
        for size in range(length):
            for quilt in combinations(others, size):
                left = min((node - at for at in quilt if at < node), default=0)
                right = min((at - node for at in quilt if at > node), default=0)
                whole = influence_by_paths(start, moves, length, node, quilt)
                if influence_by_formula(start, moves, node, left, right) > whole:
                    return False
                first, last = node - left + 1 if left else 1, node + right - 1 if right else length
                if near(node, length, left, right) != last - first + 1:
                    return False
    return True


def quilts_are_counted() -> bool:
    """2^(T-1) sets of other nodes; of the four kinds i (T-i+1), at most (T+1)^2/4."""
    for length in range(1, 9):
        if sets_of_others(length) != 2 ** (length - 1):
            return False
        for node in range(1, length + 1):
            kinds = len(list(product(range(node), range(length - node + 1))))
            if kinds != node * (length - node + 1) or 4 * kinds > (length + 1) ** 2:
                return False
    return True


def lags_decide_when_stationary() -> bool:
    """From a stationary start the influence is the same at every node that has both ends."""
    moves = ((Fraction(1, 2), Fraction(1, 2)), (Fraction(1, 5), Fraction(4, 5)))
    pi = (Fraction(2, 7), Fraction(5, 7))
    for left, right in product(range(3), repeat=2):
        found = {influence_by_formula(pi, moves, node, left, right) for node in range(left + 1, 7)}
        if len(found) != 1 or after(pi, moves) != pi:
            return False
    return True


def shifted_quilts_are_no_larger() -> bool:
    """The lags cut to the chain leave no more nodes anywhere than where both ends fit."""
    for length, a, b in product(range(3, 12), range(1, 5), range(1, 5)):
        if a + b + 1 > length:
            continue
        for node in range(1, length + 1):
            cut = (a if node - a >= 1 else 0, b if node + b <= length else 0)
            if near(node, length, *cut) > a + b - 1:
                return False
    return True


def any_start_is_a_supremum() -> bool:
    """No law exceeds the formula of C.4; laws near a point come as near to it as one likes."""
    random = Random(24)  # noqa: S311 - examples, no secrets
    for _, moves in _some_chains(24, 16):
        size = len(moves)
        laws = [
            tuple((1 - _NEAR) * (x == y) + _NEAR / size for x in range(size)) for y in range(size)
        ]
        laws += [_law_with_zeros(random, size, 3 / 10) for _ in range(5)]
        for node, left, right in ((2, 1, 0), (3, 1, 2), (4, 3, 1), (2, 0, 1)):
            supremum = any_start(moves, node, left, right)
            reached = max(influence_by_formula(law, moves, node, left, right) for law in laws)
            enough = 10**6 if supremum == math.inf else supremum * (1 - _CLOSE)
            if reached > supremum or reached < enough:
                return False
    return True


def any_start(moves: Moves, node: int, left: int, right: int) -> Ratio:
    """Return the formula of C.4: the prior's quotient at its largest, over all starts."""
    even = tuple(Fraction(1, len(moves)) for _ in moves)
    own = after(even, moves, node - 1)
    found: Ratio = Fraction(1)
    for x, other in product(range(len(moves)), repeat=2):
        if x != other and own[x] and own[other]:
            found = max(found, _of_pair(moves, (node, left, right), x, other))
    return found


def _of_pair(moves: Moves, at: tuple[int, int, int], x: int, other: int) -> Ratio:
    node, left, right = at
    even = tuple(Fraction(1, len(moves)) for _ in moves)
    can = after(even, moves, node - 1 - left)
    sides = []
    if left:
        back = zip(power(moves, left), can, strict=True)
        sides.append(largest([(row[x], row[other]) for row, c in back if c]))
        sides.append(largest([(row[other], row[x]) for row in power(moves, node - 1)]))
    if right:
        ahead = power(moves, right)
        sides.append(largest(zip(ahead[x], ahead[other], strict=True)))
    return multiplied_ratios(sides)


def point_masses_attain_the_first_term() -> bool:
    """(qP^3)(x')/(qP^3)(x) is at most its value for the best point mass."""
    for start, moves in _some_chains(25, 8):
        steps = power(moves, 3)
        own = after(start, steps)
        most = largest((row[1], row[0]) for row in steps)
        if own[0] and own[1] / own[0] > most:
            return False
    return True


def operations_are_counted() -> bool:
    """The counts of the note are at most the printed orders times the constants of the note."""
    small, sizes = range(1, 6), (1, 2, 5)
    one = all(
        (i - 1) * k**2 + (a + b - 2) * k**3 + k**2 * (2 * k + 2) <= 2 * (i * k**2 + (a + b) * k**3)
        for i, a, b, k in product(small, small, small, sizes)
    )
    stored = all(
        T * k**3 + T * k**2 + T * (width + 1) ** 2 * 4 * k**3 <= 18 * T * width**2 * k**3
        for T, width, k in product(small, small, sizes)
    )
    naive = all(
        T * (width + 1) ** 2 * 2 * (T * k**2 + 2 * width * k**3)
        <= 16 * T * width**2 * (width * k**3 + T * k**2)
        for T, width, k in product(small, small, sizes)
    )
    return one and stored and naive


_NOTE = "song2017/chain-quilts.md"
_BITS = 128
# Node 4 with the quilt {X_1, X_6} in the first running chain.
_NODE, _LAGS = 4, (3, 2)

_FORMULA = Proof(
    "quilt-influence.md#influence-formula",
    "over values that X_(i-a) can have, (5) is Definition 4.1 (1)",
    (Formula("(1)", formula_is_the_definition),),
)
_FOUR_KINDS = Proof(
    "quilt-influence.md#four-kinds-of-quilts-suffice",
    "the nearest nodes on either side have no more influence and leave as many nodes (2)",
    (Formula("(2)", nearest_ends_score_no_more),),
)


def _literal(left: int, right: int) -> Fraction:
    """Return e to (5) over all states, from powers."""
    found = influence_by_formula(numbers(START_1), matrix(P_1), _NODE, left, right, all_states=True)
    return Fraction(found)


def _first(left: int, right: int) -> Enclosure:
    with working_precision(_BITS):
        return enclosure_of(ball(_literal(left, right)).log())


def _second(left: int, right: int) -> Enclosure:
    """Return the same with the quotients in closed form: slope 1/2, stationary law (4/5, 1/5)."""
    slope, pi, start = Fraction(1, 2), (Fraction(4, 5), Fraction(1, 5)), numbers(START_1)
    own = [p + slope ** (_NODE - 1) * (q - p) for p, q in zip(pi, start, strict=True)]
    ratios = []
    for x, other in ((0, 1), (1, 0)):
        rows = [
            (1 + pi[other] / pi[x] * slope**lag) / (1 - slope**lag) if lag else Fraction(1)
            for lag in (left, right)
        ]
        prior = own[other] / own[x] * pi[x] / pi[other] if left else Fraction(1)
        ratios.append(prior * rows[0] * rows[1])
    return Span.of(max(ratios), _BITS).log().enclosure()


def _over_all_states(left: int, right: int) -> Worked:
    return Worked(
        f"(5) over all states, first running chain, node {_NODE}, lags {left} and {right}",
        lambda: _first(left, right),
        lambda: _second(left, right),
    )


def _influence(left: int, right: int) -> At:
    given = {"initial": START_1, "P": P_1, "node": _NODE, "left": left, "right": right}
    return At("pufferfish.max_influence", given)


def _of_three(left: int, right: int) -> At:
    given = {"initial": START_OF_THREE, "P": P_1, "node": 2, "left": left, "right": right}
    return At("pufferfish.max_influence", given)


def _both_values(node: int) -> bool:
    return all(after(numbers(START_1), matrix(P_1), node - 1))


def _paths_agree() -> Trilean:
    by_paths = influence_by_paths(numbers(START_1), matrix(P_1), 8, _NODE, [1, 6])
    return Trilean.of(by_paths == Fraction(8, 3) and _literal(*_LAGS) == Fraction(264, 49))


STATEMENTS = (
    Statement(
        id="song2017.lemma-4-6",
        kind="lemma",
        where="Section 4.4.1, Lemma 4.6 and (4); proof in Appendix C.2",
        says="Every quilt of a chain's node scores at least as much as one of {i-a, i+b}, {i-a}, "
        "{i+b}, {}, of which there are order T^2 among exponentially many.",
        garbled="the proof has i-b for i+b in one place",
        note=_NOTE,
        evidence=(
            _FOUR_KINDS,
            Proof(
                f"{_NOTE}#how-many",
                "2^(T-1) sets, i (T-i+1) of the four kinds (4)",
                (Formula("(4)", quilts_are_counted),),
            ),
        ),
    ),
    Statement(
        id="song2017.equation-5",
        kind="equation",
        where="Section 4.4.1, (5)",
        says="On a chain the influence on {X_(i-a), X_(i+b)} is the largest, over two values of "
        "X_i, of the log-ratio of their probabilities and the largest log-ratios either way.",
        note=_NOTE,
        evidence=(
            Instance(
                "the second term has x' in numerator and denominator: three steps, {X_1, X_3} on "
                "X_2: the influence is that on {X_1}",
                _of_three(1, 1),
                "=",
                _of_three(1, 0),
            ),
        ),
        readings=(
            Reading(
                "with x in the second numerator, as in Appendix C.4; the backward maximum runs "
                "over all states, by the rows of the transition matrix, as in the paper's example",
                (
                    Instance(
                        "first running chain, {X_1, X_6} on X_4: the influence is what (5) gives",
                        _influence(*_LAGS),
                        "=",
                        _over_all_states(*_LAGS),
                        {"X_4 takes both values": _both_values(_NODE)},
                    ),
                    Identity(
                        "8/3 over all paths of 8 steps, 264/49 by (5)", _paths_agree, decides=False
                    ),
                ),
            ),
        ),
    ),
    Statement(
        id="song2017.equation-5-repaired",
        kind="repair",
        repairs="song2017.equation-5",
        where="Section 4.4.1, (5)",
        says="(5) holds with x in the second numerator and the backward maximum over the values "
        "of positive probability of X_(i-a).",
        adds=("the backward maximum is over values of positive probability",),
        note=_NOTE,
        evidence=(_FORMULA,),
    ),
    Statement(
        id="song2017.equation-5-one-sided",
        kind="equation",
        where="Section 4.4.1, after (5)",
        says="One-sided quilts have similar formulas, a term or two left out; the trivial quilt "
        "has no influence.",
        hypotheses=("the backward maximum is over values that X_(i-a) can have",),
        note=_NOTE,
        evidence=(_FORMULA,),
        readings=(
            Reading(
                "the backward maximum runs over all states",
                (
                    Instance(
                        "first running chain, {X_1} on X_4: the influence is what that gives",
                        _influence(_LAGS[0], 0),
                        "=",
                        _over_all_states(_LAGS[0], 0),
                        {"X_4 takes both values": _both_values(_NODE)},
                    ),
                ),
            ),
        ),
    ),
)
