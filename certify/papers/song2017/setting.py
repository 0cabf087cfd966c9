"""Sections 1 to 2.4 and Appendix A: the framework, its examples, and close beliefs."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from random import Random

from ....reference.enclosure import Enclosure, Trilean
from ..evidence import Formula, Identity, Instance, Proof, Reproduced
from ..statement import Reading, Statement
from ..values import At, Exactly, Worked
from .chains import (
    ACTIVITIES,
    FIVE_BITS,
    matrix,
    numbers,
    one_chain,
    random_law,
    secrets_of_bits,
    symmetric,
)
from .wasserstein import clique_distance, clique_distance_by_strassen

# Formulas of the notes on the setting and on the Wasserstein mechanism, executed in rationals.
#
# Densities of Laplace noise at whole points are rational where e^(1/scale) is.

# Randomised response on bits: each is told truly with this probability, so e^epsilon = 3.
_TRUE_BIT = Fraction(3, 4)
_RATE = _TRUE_BIT / (1 - _TRUE_BIT)
_QUARTERS = tuple(Fraction(k, 4) for k in range(5))
_BITS = tuple(product((0, 1), repeat=2))


def _random_laws(
    seed: int, count: int, size: int, each: int
) -> Iterator[list[tuple[Fraction, ...]]]:
    """Yield so many lists of laws."""
    random = Random(seed)  # noqa: S311 - examples, no secrets
    for _ in range(count):
        yield [random_law(random, size) for _ in range(each)]


def _odds_change_by_the_likelihood_ratio() -> bool:
    """Posterior odds over prior odds are the ratio of the outcome's probabilities."""
    for prior, one, other in _random_laws(1, 20, 3, 3):
        p, q = prior[0], prior[1]
        for f, h in zip(one, other, strict=True):
            evidence = p * f + q * h + prior[2] / 7
            if (p * f / evidence) / (q * h / evidence) / (p / q) != f / h:
                return False
    return True


def _told(data: tuple[int, ...], answer: tuple[int, ...]) -> Fraction:
    """Return the probability of an answer of randomised response."""
    found = Fraction(1)
    for x, w in zip(data, answer, strict=True):
        found *= _TRUE_BIT if x == w else 1 - _TRUE_BIT
    return found


def _product_laws_reach_neighbours() -> bool:
    """Over laws of independent bits the largest ratio is that of neighbouring data sets."""
    found = set()
    for other, answer in product(_QUARTERS, _BITS):
        given = [
            other * _told((x, 1), answer) + (1 - other) * _told((x, 0), answer) for x in (0, 1)
        ]
        found.add(max(given[0] / given[1], given[1] / given[0]))
    return max(found) == _RATE


def _chance_of_being_right_is_bounded() -> bool:
    """Randomised response on one bit attains p (1 + e^-epsilon) = 1."""
    return _TRUE_BIT * (1 + 1 / _RATE) == 1 and _TRUE_BIT == _RATE / (1 + _RATE)


def group_noise_is_enough() -> bool:
    """| |w - f| - |w - h| | <= |f - h|, attained at w = f."""
    points = [Fraction(k, 2) for k in range(-6, 7)]
    within = all(
        abs(abs(w - f) - abs(w - h)) <= abs(f - h) for w, f, h in product(points, repeat=3)
    )
    return within and all(
        abs(f - f) - abs(f - h) == -abs(f - h) for f, h in product(points, repeat=2)
    )


def _parts_reveal_nothing() -> bool:
    """S xor K, K a fair bit apart from S, has one law for both values of S."""
    laws = [sorted((s ^ k, Fraction(1, 2)) for k in (0, 1)) for s in (0, 1)]
    return laws[0] == laws[1]


def _together_they_reveal_all() -> bool:
    """No pair (K, S xor K) is possible for both values of S."""
    possible = [{(k, s ^ k) for k in (0, 1)} for s in (0, 1)]
    return not possible[0] & possible[1]


def _close_beliefs_lose_twice_more() -> bool:
    """P(w | s, belief) / P(w | z, belief) <= e^(2 Delta) times the largest ratio under theta."""
    for theta, belief, *channel in _random_laws(2, 30, 4, 6):
        secrets = ((0, 1), (2, 3))
        given = [[_conditional(law, secret) for secret in secrets] for law in (theta, belief)]
        delta = max(
            max(p / q, q / p)
            for ours, theirs in zip(*given, strict=True)
            for p, q in zip(ours, theirs, strict=True)
            if p
        )
        inside, outside = (_largest_ratio(pair, channel) for pair in given)
        if outside > inside * delta**2:
            return False
    return True


def _conditional(law: tuple[Fraction, ...], secret: tuple[int, ...]) -> tuple[Fraction, ...]:
    """Return the law given a secret, a set of data sets."""
    total = sum(law[at] for at in secret)
    return tuple(p / total if at in secret else Fraction(0) for at, p in enumerate(law))


def _largest_ratio(
    given: list[tuple[Fraction, ...]], channel: list[tuple[Fraction, ...]]
) -> Fraction:
    """Return the largest ratio of an outcome's probabilities; rows of the channel are outcomes."""
    chances = [
        [sum((p * row[at] for at, p in enumerate(law)), Fraction(0)) for law in given]
        for row in channel
    ]
    return max(max(one / other, other / one) for one, other in chances)


def _renyi_divergences_reach_the_largest() -> bool:
    """p(x) r^(a-1) <= sum of p^a q^(1-a) <= r^(a-1) for the example of Definition 2.3."""
    p, q = (
        (Fraction(1, 3), Fraction(1, 2), Fraction(1, 6)),
        (Fraction(1, 2), *(Fraction(1, 4),) * 2),
    )
    ratio = max(a / b for a, b in zip(p, q, strict=True))
    for order in range(2, 13):
        moment = sum(a * (a / b) ** (order - 1) for a, b in zip(p, q, strict=True))
        if not Fraction(1, 2) * ratio ** (order - 1) <= moment <= ratio ** (order - 1):
            return False
    return not ratio - 2


def _least_delta_is_not_attained() -> bool:
    """The ratios 1 + t/2 of the closed class theta_t fall to 1, which only t = 0 would give."""
    half = Fraction(1, 2)
    for t in (Fraction(1), half, Fraction(1, 10**6)):
        theta = (t * (half + t / 4), t * (half - t / 4), 1 - t)
        given = _conditional(theta, (0, 1))
        if max(given[0] / half, half / given[1]) <= 1 or given[0] / half != 1 + t / 2:
            return False
    return True


def one_entry_moves_two_counts() -> bool:
    """Two different unit vectors differ by 2 in the 1-norm."""
    units = [tuple(int(at == x) for at in range(4)) for x in range(4)]
    return all(
        sum(abs(a - b) for a, b in zip(one, other, strict=True)) == 2 * (one != other)
        for one, other in product(units, repeat=2)
    )


_NOTE = "song2017/setting.md"

_SECRETS, _PAIRS = secrets_of_bits(FIVE_BITS)
_SUMS = [sum(x) for x in FIVE_BITS]


def _independent(chance: Fraction) -> list[str]:
    return [str(chance ** sum(x) * (1 - chance) ** (5 - sum(x))) for x in FIVE_BITS]


def _mixed(chance: Fraction) -> list[str]:
    pair = zip(_independent(chance), _independent(1 - chance), strict=True)
    return [str((Fraction(a) + Fraction(b)) / 2) for a, b in pair]


_TENTH = Fraction(1, 10)
# Two laws, point masses at 0 and at 5 bits of 1: a law of the class of all laws mixes them.
_FAR_APART = [str(Fraction(sum(x) in {0, 5}, 2)) for x in FIVE_BITS]
_KEY_AND_SECRET = list(product((0, 1), repeat=2))


def _bits(laws: list[list[str]], **more: object) -> dict[str, object]:
    given = {"values": _SUMS, "laws": laws, "secrets": _SECRETS, "pairs": _PAIRS}
    return {**given, **more}


_SETTING_STATEMENTS = (
    Statement(
        id="song2017.equation-2",
        kind="equation",
        where="Section 2.1.1, p. 3, (2)",
        says="The privacy of Definition 2.1 says that posterior odds of two secrets stay within a "
        "factor e^epsilon of prior odds, either way.",
        hypotheses=("both secrets are possible", "the outcome has a positive density"),
        note=_NOTE,
        evidence=(
            Proof(
                f"{_NOTE}#odds",
                "posterior odds over prior odds are the ratio of Definition 2.1 (1)",
                (Formula("(1)", _odds_change_by_the_likelihood_ratio),),
            ),
        ),
    ),
    Statement(
        id="song2017.remark-special-case-dp",
        kind="remark",
        where="Section 2.1.1, p. 3",
        says="Differential privacy of a replaced record is Pufferfish privacy for all values of "
        "all individuals and all laws that make individuals independent.",
        note=_NOTE,
        evidence=(
            Proof(
                f"{_NOTE}#independent-individuals",
                "both directions: mixtures of a bounded ratio, and point masses (2)",
                (Formula("(2)", _product_laws_reach_neighbours),),
            ),
        ),
    ),
    Statement(
        id="song2017.remark-all-laws",
        kind="remark",
        where="Section 2.1.1, p. 3",
        says="With every law in the class there is no privacy with utility: any two data sets are "
        "then epsilon-indistinguishable.",
        hypotheses=("the secrets are the values of each entry, all pairs of them",),
        note=_NOTE,
        evidence=(
            Proof(
                f"{_NOTE}#every-law",
                "two data sets that differ anywhere are indistinguishable, and an answer that is "
                "nearer to the truth than half their distance has a chance of at most "
                "1/(1 + e^-epsilon) for one of them (3)",
                (Formula("(3)", _chance_of_being_right_is_bounded),),
            ),
            Instance(
                "the Wasserstein scale for five bits, all 0 or all 1, is the range of their sum",
                At("pufferfish.wasserstein_scale", _bits([_FAR_APART], epsilon="1")),
                "=",
                Exactly("5"),
            ),
        ),
    ),
    Statement(
        id="song2017.remark-composition-fails",
        kind="remark",
        where="Sections 1, 2.1.1 and 4.3",
        says="Releases that are private one by one can be much less so together.",
        note=_NOTE,
        evidence=(
            Identity(
                "K, a fair bit, and S xor K are each independent of S: both releases are 0-private",
                lambda: Trilean.of(_parts_reveal_nothing()),
            ),
            Identity(
                "no pair (K, S xor K) is possible for both values of S: together they reveal S",
                lambda: Trilean.of(_together_they_reveal_all()),
            ),
            Instance(
                "S xor K with any noise loses nothing of S",
                At(
                    "pufferfish.instantiation_loss",
                    {
                        "values": [s ^ k for s, k in _KEY_AND_SECRET],
                        "laws": [["1/4"] * 4],
                        "secrets": [[1, 2], [3, 4]],
                        "pairs": [[1, 2]],
                        "scale": "1/10",
                    },
                ),
                "=",
                Exactly("0"),
            ),
        ),
    ),
    Statement(
        id="song2017.definition-2-2",
        kind="definition",
        where="Section 2.1.1, Definition 2.2; Appendix B.1, Definition B.1",
        says="Laplace noise whose scale is the group sensitivity over epsilon gives group "
        "differential privacy.",
        hypotheses=("a scalar query",),
        garbled="Definition B.1 counts the groups to k and to m",
        note=_NOTE,
        evidence=(
            Proof(
                f"{_NOTE}#groups",
                "log-ratios of densities are at most the change of the query over the scale (4)",
                (Formula("(4)", group_noise_is_enough),),
            ),
        ),
    ),
    Statement(
        id="song2017.remark-beliefs",
        kind="remark",
        where="Section 2.1, p. 3; Sections 5.2 and 5.3 on the choice of the class",
        says="Each law of the class is a belief that is protected against; a mixture of them need "
        "not be.",
        note=_NOTE,
        evidence=(
            Instance(
                "W = 1 for the class of five independent bits of mean 1/10, or of mean 9/10",
                At(
                    "pufferfish.wasserstein_scale",
                    _bits([_independent(_TENTH), _independent(1 - _TENTH)], epsilon="1"),
                ),
                "=",
                Exactly("1"),
                decides=True,
            ),
            Instance(
                "at that scale the half-half mixture of both loses more than epsilon = 1",
                At("pufferfish.instantiation_loss", _bits([_mixed(_TENTH)], scale="1")),
                ">",
                Exactly("1"),
                decides=True,
            ),
        ),
    ),
)


_EXAMPLES = "song2017/examples.md"


def _whole(value: Fraction) -> Enclosure:
    return Enclosure.of(value)


def _clique(people: int) -> Worked:
    return Worked(
        f"W of the number infected in a clique of {people}, given one's status",
        lambda: _whole(clique_distance(people)),
        lambda: _whole(clique_distance_by_strassen(people)),
    )


def _are_chains() -> Trilean:
    laws = [numbers(start) for start, _ in ACTIVITIES]
    laws += [row for _, rows in ACTIVITIES for row in matrix(rows)]
    return Trilean.of(all(sum(law) == 1 and min(law) >= 0 for law in laws))


_EXAMPLES_STATEMENTS = (
    Statement(
        id="song2017.example-2-2-1",
        kind="example",
        where="Section 2.2, Example 1; Section 1",
        says="The class shown consists of Markov chains; noise for one entry does not hide an "
        "activity in a correlated chain, and noise for the group grows like T/epsilon.",
        note=_EXAMPLES,
        evidence=(
            Identity("starts and rows of both chains are laws", _are_chains),
            Instance(
                "the sum of 12 steps of a chain that stays with 9/10, released with the noise for "
                "one entry at epsilon = 1, loses more than 1",
                At(
                    "pufferfish.chain_loss",
                    {
                        "chains": one_chain("stationary", symmetric("0.9")),
                        "length": 12,
                        "values": [["0", "1"]],
                        "scale": "1",
                    },
                ),
                ">",
                Exactly("1"),
                decides=True,
            ),
            Instance(
                "noise for all 100 entries of a histogram of counts, at epsilon = 1",
                At("pufferfish.group_scale", {"lipschitz": 2, "size": 100, "epsilon": 1}),
                "=",
                Exactly("200"),
            ),
            Proof(
                "baselines.md#one-group",
                "noise for one entry and for T entries has the scales 2/epsilon and 2T/epsilon",
                (Formula("group", group_noise_is_enough),),
            ),
        ),
    ),
    Statement(
        id="song2017.example-2-2-2",
        kind="example",
        where="Section 2.2, Example 2; P(N = j) proportional to e^(2j)",
        says="In cliques where the number infected has that law, noise by the Wasserstein distance "
        "can be below that of group privacy, which is the clique's size.",
        hypotheses=("people of a clique are exchangeable",),
        garbled="the sum in the denominator uses its index for the clique as well",
        note=_EXAMPLES,
        evidence=tuple(
            Instance(
                f"a clique of {people}", _clique(people), "<", Exactly(str(people)), decides=True
            )
            for people in (4, 10, 30)
        ),
    ),
    Statement(
        id="song2017.example-2-4-histogram",
        kind="example",
        where="Section 2.4, after Definition 2.5; Sections 5.1 and 5.2",
        says="A histogram of counts is 2-Lipschitz in the 1-norm, the relative one 2/T-Lipschitz, "
        "and the share of one state 1/T-Lipschitz; less would be wrong.",
        hypotheses=("at least two states",),
        note=_EXAMPLES,
        evidence=(
            Proof(
                f"{_EXAMPLES}#counts",
                "two different unit vectors differ by 2 (1)",
                (Formula("(1)", one_entry_moves_two_counts),),
            ),
        ),
    ),
)


_BELIEFS_NOTE = "song2017/close-beliefs.md"
_LAW, _BELIEF = ["0.9", "0.05", "0.05"], ["0.01", "0.95", "0.04"]
# Two data sets, each a secret of its own.
_SURE, _EVEN = ["1", "0"], ["1/2", "1/2"]
_RENYI_P, _RENYI_Q = ["1/3", "1/2", "1/6"], ["1/2", "1/4", "1/4"]


def _ratio(one: list[str], other: list[str]) -> Fraction:
    return max(p / q for p, q in zip(numbers(one), numbers(other), strict=True))


def _given(law: list[str], place: int) -> Fraction:
    """Return the mass of a data set given the secret {1, 2}."""
    masses = numbers(law)
    return masses[place] / (masses[0] + masses[1])


def _mass(law: list[str], place: int, printed: str) -> Reproduced:
    value = _given(law, place)
    return Reproduced(f"mass {place + 1} given the secret", printed, Exactly(str(value)))


def _after() -> Enclosure:
    return Enclosure.of(
        max(_given(_LAW, 0) / _given(_BELIEF, 0), _given(_BELIEF, 1) / _given(_LAW, 1))
    )


def _after_by_odds() -> Enclosure:
    """Return the same from odds: with r the ratio of masses 2 to 1, the mass of 1 is 1/(1 + r)."""
    ours, theirs = (numbers(law)[1] / numbers(law)[0] for law in (_LAW, _BELIEF))
    return Enclosure.of(max((1 + theirs) / (1 + ours), (1 + 1 / ours) / (1 + 1 / theirs)))


_AFTER = Worked("e to the larger max-divergence given the secret", _after, _after_by_odds)
_CLOSE = Proof(
    "closeness.md#bound-for-a-close-belief",
    "the loss under the belief is at most epsilon + 2 Delta (2)",
    (Formula("(2)", _close_beliefs_lose_twice_more),),
)


def _point(law: list[str]) -> Fraction:
    """Return the mass of data set 1 given the secret {1}."""
    masses = numbers(law)
    return masses[0] / masses[0]


def _loss(law: list[str]) -> At:
    """The loss between the secrets {1} and {2}, where the data set's number is released."""
    given = {"values": [0, 1], "secrets": [[1], [2]], "pairs": [[1, 2]], "scale": 1}
    return At("pufferfish.instantiation_loss", {**given, "laws": [law]})


_BELIEFS_STATEMENTS = (
    Statement(
        id="song2017.example-2-3-max-divergence",
        kind="number",
        where="Section 2.3, after Definition 2.3",
        says="The max-divergence of (1/3, 1/2, 1/6) from (1/2, 1/4, 1/4) is log 2, and "
        "max-divergence belongs to the Renyi divergences.",
        note=_BELIEFS_NOTE,
        evidence=(
            Identity(
                "the largest ratio is 2", lambda: Trilean.of(not _ratio(_RENYI_P, _RENYI_Q) - 2)
            ),
            Proof(
                f"{_BELIEFS_NOTE}#infinite-order",
                "it is the limit of the Renyi divergence for infinite order (1)",
                (Formula("(1)", _renyi_divergences_reach_the_largest),),
            ),
            Reproduced(
                "its enclosure, log 2",
                "0.693147",
                At("pufferfish.max_divergence", {"p": _RENYI_P, "q": _RENYI_Q}),
                decides=False,
            ),
        ),
    ),
    Statement(
        id="song2017.theorem-2-4",
        kind="theorem",
        where="Section 2.3, Theorem 2.4; proof in Appendix A",
        says="A mechanism that is epsilon-private for a class loses at most epsilon + 2 Delta "
        "under a belief outside of it, Delta the least over the class of the largest "
        "max-divergence, either way, of the laws given a secret.",
        hypotheses=(
            "laws given a secret have one support: it is possible under both laws or neither",
        ),
        garbled="the displayed bound has theta where the belief is meant, as has the proof's "
        "numerator: a tilde may be lost in the text at hand",
        note=_BELIEFS_NOTE,
        evidence=(_CLOSE,),
        readings=(
            Reading(
                "the displayed bound as it stands, of a law theta of the class",
                (
                    Proof(
                        f"{_BELIEFS_NOTE}#of-the-class",
                        "then it is weaker than Definition 2.1, since Delta is not negative (3)",
                        (Formula("(3)", _close_beliefs_lose_twice_more),),
                    ),
                ),
            ),
            Reading(
                "secrets that are possible under one of the two laws only are passed over",
                (
                    Instance(
                        "theta = (1, 0), belief (1/2, 1/2), secrets {1} and {2}: the loss under "
                        "the belief is at most epsilon + 2 Delta = 0",
                        _loss(_EVEN),
                        "<=",
                        Exactly("0"),
                        {
                            "given secret 1 both laws are the same": _point(_SURE) == _point(_EVEN),
                            "secret 2 is impossible under theta": not Fraction(_SURE[1]),
                        },
                    ),
                ),
            ),
        ),
        of_proof=(
            Identity(
                "step: some law of a closed class attains the least Delta (fails for the closed "
                "class theta_t of the note, 0 <= t <= 1, whose ratios 1 + t/2 (4) only approach 1)",
                lambda: Trilean.of(not _least_delta_is_not_attained()),
            ),
        ),
    ),
    Statement(
        id="song2017.theorem-2-4-repaired",
        kind="repair",
        repairs="song2017.theorem-2-4",
        where="Section 2.3, Theorem 2.4",
        says="The bound holds for the belief and any class, closed or not, if a secret that is "
        "possible under one of the two laws only counts as infinitely far.",
        note=_BELIEFS_NOTE,
        evidence=(_CLOSE,),
    ),
    Statement(
        id="song2017.example-2-3-log-90",
        kind="number",
        where="Section 2.3, last paragraph",
        says="The larger max-divergence of (0.9, 0.05, 0.05) and (0.01, 0.95, 0.04) is log 90.",
        note=_BELIEFS_NOTE,
        evidence=(
            Identity(
                "the largest ratios are 90 and 19",
                lambda: Trilean.of(
                    (_ratio(_LAW, _BELIEF), _ratio(_BELIEF, _LAW)) == (Fraction(90), Fraction(19))
                ),
            ),
        ),
    ),
    Statement(
        id="song2017.example-2-3-log-91",
        kind="number",
        where="Section 2.3, last paragraph",
        says="Given the secret that excludes the third data set, the masses are (0.9474, 0.0526) "
        "and (0.0104, 0.9896) and the divergence is log 91.0962.",
        note=_BELIEFS_NOTE,
        evidence=(
            _mass(_LAW, 0, "0.9474"),
            _mass(_LAW, 1, "0.0526"),
            _mass(_BELIEF, 0, "0.0104"),
            _mass(_BELIEF, 1, "0.9896"),
            Reproduced("e to the larger max-divergence", "91.0962", _AFTER),
        ),
        readings=(
            Reading(
                "the quotient of the masses rounded to four digits",
                (Reproduced("0.9474/0.0104", "91.0962", Exactly("4737/52")),),
            ),
        ),
    ),
    Statement(
        id="song2017.example-2-3-log-91-repaired",
        kind="repair",
        repairs="song2017.example-2-3-log-91",
        where="Section 2.3, last paragraph",
        says="It is log(1728/19), still more than log 90: conditioning cannot be left out.",
        note=_BELIEFS_NOTE,
        evidence=(
            Instance("e to it is 1728/19", _AFTER, "=", Exactly("1728/19"), decides=True),
            Instance("that is more than 90", _AFTER, ">", Exactly("90"), decides=True),
            Reproduced(
                "its enclosure",
                "4.5102810",
                At("pufferfish.closeness", {"p": _LAW, "q": _BELIEF, "secrets": [[1, 2]]}),
                decides=False,
            ),
        ),
    ),
)

STATEMENTS = (*_SETTING_STATEMENTS, *_EXAMPLES_STATEMENTS, *_BELIEFS_STATEMENTS)
