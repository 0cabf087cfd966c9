"""Sections I and II: neighbours, the two senses of privacy, the density, and remarks on it."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import chain, combinations
from math import prod
from random import Random

from ....reference.dirichlet.identity import floor_and_step
from ..evidence import Formula, Instance, NotDecidable, Proof
from ..statement import Reading, Statement
from ..values import At, Exactly, draws
from .inputs import Where, beta, good_mass, loss

# Formulas of the notes on the definitions, tried at exact points.

_TRIALS = 25
# e^epsilon of the example of merged outputs.
_TIMES = Fraction(2)


def gamma_moments() -> bool:
    """Whether shares of independent Gammas have mean a_1/a and the Dirichlet variance.

    E (g_1/T)^r = E g_1^r/E T^r, as the share is independent of T; E g^2 = a (a+1).
    """
    for random in draws(1, _TRIALS):
        first, k = (Fraction(random.randint(1, 90), 7) for _ in range(2))
        whole, p = first + k, first / (first + k)
        square = first * (first + 1) / (whole * (whole + 1))
        if square - p * p != p * (1 - p) / (whole + 1):
            return False
    return True


def _exponential_variance() -> bool:
    """Whether n shares of i.i.d. exponential variables have the variance of k = n."""
    return all(
        Fraction(2, n * (n + 1)) - Fraction(1, n * n) == Fraction(n - 1, n * n * (n + 1))
        for n in range(2, 10)
    )


def steps_are_bounded() -> bool:
    """Whether neighbours have parameters of at least k eta and steps of at most k T.

    T = min(b/2, 1 - eta_bar - |W| eta), as the reference's floor and step have it.
    """
    for random in draws(2, 40):
        w = random.randint(2, 4)
        eta = Fraction(random.randint(1, 9), 10 * w)
        bar = (1 - w * eta) * Fraction(random.randint(1, 9), 10)
        room = (1 - bar - w * eta) * Fraction(random.randint(0, 9), 9)
        shares = [Fraction(random.randint(0, 9)) for _ in range(w)]
        p = [eta + room * share / (sum(shares) or 1) for share in shares]
        k, b = Fraction(random.randint(1, 99)), Fraction(random.randint(1, 20), 20)
        i, j = random.sample(range(w), 2)
        move = min(b / 2, p[i] - eta)
        q = [share + move * ((at == j) - (at == i)) for at, share in enumerate(p)]
        alpha, step = floor_and_step(k, eta, bar, b, w)
        if sum(q) > 1 - bar or k * min(*p, *q) < alpha or k * move > step:
            return False
        if step != k * min(b / 2, 1 - bar - w * eta):
            return False
    return True


def _finite_laws() -> bool:
    """Whether P(A) <= e^epsilon Q(A) + P(loss above epsilon) for all events of finite laws."""
    for random in draws(3, 6):
        rows = [[Fraction(random.randint(1, 9)) for _ in range(5)] for _ in range(2)]
        p, q = ([x / sum(row) for x in row] for row in rows)
        times = Fraction(random.randint(10, 30), 10)  # e^epsilon
        exceptional = sum(x for x, y in zip(p, q, strict=True) if x > times * y)
        points = range(len(p))
        for event in chain.from_iterable(combinations(points, size) for size in points):
            if sum(p[at] for at in event) > times * sum(q[at] for at in event) + exceptional:
                return False
    return True


def densities_are_normal() -> bool:
    """Whether the density of whole parameters (a, b, c) integrates to 1."""
    parameters = ((1, 1, 1), (2, 1, 3), (3, 2, 2), (1, 4, 2), (1, 2, 1, 2))
    return all(good_mass(each, Fraction(0), 0) == 1 for each in parameters)


def _exceptional(p: Sequence[Fraction], q: Sequence[Fraction]) -> Fraction:
    """Return the probability under p of the outputs with a loss above epsilon, e^epsilon = 2.

    Any exceptional set of Definition 2 holds them, and they are enough.
    """
    return sum((x for x, y in zip(p, q, strict=True) if x > _TIMES * y), Fraction(0))


def channels_keep_privacy() -> bool:
    """Whether no channel makes the hockey-stick of two finite laws larger."""
    for random in draws(4, _TRIALS):
        p, q = (_drawn_law(random, 4) for _ in range(2))
        channel = [_drawn_law(random, 3) for _ in range(4)]
        made = [
            [sum(x * row[to] for x, row in zip(law, channel, strict=True)) for to in range(3)]
            for law in (p, q)
        ]
        times = Fraction(random.randint(10, 30), 10)
        after, before = (
            sum(max(Fraction(0), x - times * y) for x, y in zip(one, other, strict=True))
            for one, other in ((made[0], made[1]), (p, q))
        )
        if after > before:
            return False
    return True


def _densities_are_exponential() -> bool:
    """Whether densities at a, b, a + c and b + c have exp(linear in parameters) between them.

    With f(a) B(a) = prod x_i^(a_i - 1): f(a + c) B(a + c)/(f(a) B(a)) does not depend on a.
    """
    for random in draws(5, _TRIALS):
        x = _drawn_law(random, 3)
        one, other, more = ([random.randint(1, 5) for _ in range(3)] for _ in range(3))
        quotients = []
        for a in (one, other):
            moved = [i + j for i, j in zip(a, more, strict=True)]
            ends = [_density(each, x) * beta(each) for each in (moved, a)]
            quotients.append(ends[0] / ends[1])
        if quotients[0] != quotients[1]:
            return False
    return True


def _drawn_law(random: Random, size: int) -> list[Fraction]:
    masses = [Fraction(random.randint(1, 9)) for _ in range(size)]
    return [mass / sum(masses) for mass in masses]


def _density(parameters: Sequence[int], x: Sequence[Fraction]) -> Fraction:
    kernel = prod((at ** (a - 1) for at, a in zip(x, parameters, strict=True)), start=Fraction(1))
    return kernel / beta(parameters)


_NOTE = "gohari2020/definitions.md"

_EXPERTS = {"alpha": "1.2", "step": "0.12"}
_LOSS = loss(
    "loss of (1.2, 1.32) to (1.32, 1.2) at r = 0.39", "1", ("1.2", "1.32"), ("1.32", "1.2"), "39/61"
)
_CONVERSE = Instance(
    "(2) k = 24, eta = 0.05, b = 1, N = 100, (0.051, 0.05)-private in the conventional sense: the "
    "probability of a loss above 0.051, for the worst neighbours, is at most 0.05",
    Where(
        "P(r < 0.39), where every loss is above 0.051; and conventional delta is below 0.05",
        At("dirichlet.tail.general", {"alpha": ["1.2"], "rest": "1.32", "gamma": "0.39"}),
        (
            (Exactly("0.051"), _LOSS),
            (At("dirichlet.profile.delta", {**_EXPERTS, "epsilon": "0.051"}), Exactly("0.05")),
        ),
    ),
    "<=",
    Exactly("0.05"),
    {
        "b/(2N) <= 1 - eta_bar - 2 eta, so that neighbours attain the pair": (
            Fraction(1, 200) <= 1 - 3 * Fraction("0.05")
        )
    },
)

# Outputs a, b, c of two neighbours, private with e^epsilon = 2 and delta = 1/10 in both senses.
_LAW, _OTHER = (Fraction(1, 10), Fraction(1, 2), Fraction(2, 5)), tuple(map(Fraction, (0, 1, 3)))
_NEXT = tuple(mass / 4 for mass in _OTHER)
_POST_PROCESSED = Instance(
    "(6) P = (1/10, 1/2, 2/5), Q = (0, 1/4, 3/4), e^epsilon = 2, delta = 1/10: where the first two "
    "outputs are told apart no more, the loss of P is above epsilon with probability at most delta",
    Exactly(
        str(_exceptional((_LAW[0] + _LAW[1], _LAW[2]), (_NEXT[0] + _NEXT[1], _NEXT[2]))),
        "P(loss above epsilon), the first two outputs merged",
    ),
    "<=",
    Exactly("1/10", "delta"),
    {
        "P and Q are laws": sum(_LAW) == sum(_NEXT) == 1,
        "before, the loss of P is above epsilon with probability at most delta": (
            _exceptional(_LAW, _NEXT) <= Fraction(1, 10)
        ),
        "and so is that of Q": _exceptional(_NEXT, _LAW) <= Fraction(1, 10),
    },
)

STATEMENTS = (
    Statement(
        "gohari2020.section-1-post-processing",
        "remark",
        "I, property (i)",
        "What is made of a private output alone is as private.",
        _NOTE,
        (
            Proof(
                f"{_NOTE}#post-processing",
                "an event of what is made is an event of the output, or a mixture of such",
                (Formula("(7): finite laws and channels", channels_keep_privacy),),
            ),
        ),
        ("conventional differential privacy", "what is made depends on the output alone"),
        readings=(Reading("in the sense of Definition 2", (_POST_PROCESSED,)),),
    ),
    Statement(
        "gohari2020.section-1-additive-noise",
        "remark",
        "I, on additive noise",
        "Additive noise leaves the simplex; normalising it has no known privacy.",
        _NOTE,
        (
            NotDecidable(
                "what was known to be private is no statement about numbers; that noise leaves the "
                "simplex is clear for continuous noise: its entries sum to 0 with probability 0"
            ),
        ),
    ),
    Statement(
        "gohari2020.remark-exponentials",
        "remark",
        "I, on exponential families",
        "A Dirichlet output is a normalised vector of independent exponential variables, one law.",
        _NOTE,
        (
            Instance(
                "(1) n = 3, p = (1/2, 1/4, 1/4): the mean of the first coordinate of a normalised "
                "i.i.d. vector is that of the output",
                Exactly("1/3", "mean of a normalised i.i.d. vector's coordinate"),
                "=",
                Exactly("1/2", "mean of the output's first coordinate"),
                {"p sums to 1": Fraction(1, 2) + 2 * Fraction(1, 4) == 1},
            ),
        ),
        ("p in the open simplex, k > 0",),
        readings=(
            Reading(
                "for p = (1/n, ..., 1/n) and k = n",
                (
                    Proof(
                        f"{_NOTE}#gammas",
                        "Gamma(1) is the exponential law",
                        (Formula("variances agree", _exponential_variance),),
                    ),
                ),
            ),
            Reading(
                "the conclusion drawn from it: the output's laws are an exponential family",
                (
                    Proof(
                        f"{_NOTE}#exponential-family",
                        "the logarithm of the density is linear in k p",
                        (Formula("(8): whole parameters", _densities_are_exponential),),
                    ),
                ),
            ),
        ),
    ),
    Statement(
        "gohari2020.remark-exponentials-repaired",
        "repair",
        "ours, for section I",
        "A Dirichlet output is a normalised vector of independent Gamma(k p_i) variables.",
        _NOTE,
        (
            Proof(
                f"{_NOTE}#gammas",
                "change of variables to the sum and the shares",
                (Formula("means and variances agree", gamma_moments),),
            ),
        ),
        ("p in the open simplex, k > 0",),
        repairs="gohari2020.remark-exponentials",
    ),
    Statement(
        "gohari2020.definition-1",
        "definition",
        "II-B Definition 1",
        "Neighbours differ in two coordinates of W, by at most b/2 in each.",
        _NOTE,
        (
            Proof(
                "dominating-pair.md#identity-never-passes-floor-and-step",
                "coordinates sum to 1 on both sides, so one alone cannot change; the step is at "
                "most min(b/2, 1 - eta_bar - |W| eta)",
                (Formula("(3): drawn neighbours", steps_are_bounded),),
            ),
        ),
        ("where |W| >= 2 and |W| eta + eta_bar < 1: else there are no neighbours",),
    ),
    Statement(
        "gohari2020.definition-2-implies-conventional",
        "remark",
        "II-B, after Definition 2",
        "Probabilistic privacy implies conventional privacy.",
        _NOTE,
        (
            Proof(
                f"{_NOTE}#probabilistic-is-more",
                "the exceptional set costs delta, and elsewhere the densities are e^epsilon apart",
                (Formula("(4): finite laws, every event", _finite_laws),),
            ),
        ),
        ("the exceptional set may depend on the input",),
        readings=(
            Reading(
                "conventional privacy implies probabilistic privacy", (_CONVERSE,), beyond=True
            ),
        ),
        garbled="The domain's superscript stands with and without parentheses.",
    ),
    Statement(
        "gohari2020.equation-2-density",
        "equation",
        "II-C, the density and (2)",
        "The release has the density prod x_i^(k p_i - 1)/B(k p).",
        _NOTE,
        (
            Proof(
                f"{_NOTE}#gammas",
                "Dirichlet's integral; the parameters sum to k",
                (Formula("(5): whole parameters integrate to 1", densities_are_normal),),
            ),
        ),
        ("p in the open simplex, k > 0",),
    ),
)
