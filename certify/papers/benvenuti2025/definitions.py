"""Sections 1 and 3: definitions, assumptions, and remarks on other work."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import chain, combinations, pairwise

from flint import arb

from ....reference.arb.balls import ball
from ..evidence import Formula, Identity, Instance, NotDecidable, Proof, exactly
from ..gohari2020.definitions import channels_keep_privacy, densities_are_normal
from ..statement import Reading, Statement
from ..values import Exactly, at_precision, draws

_NOTE = "benvenuti2025/definitions.md"
_PLACE = "benvenuti2025/definitions.md#"
_UNBIASED_NOTE = "benvenuti2025/divergence.md"
_Laws = Sequence[Mapping[str, Fraction]]
# Two neighbouring inputs' laws: (log 2, 1/10)-probabilistically private with x set apart.
FINITE: _Laws = (
    {"x": Fraction(1, 10), "y": Fraction(1, 5), "z": Fraction(7, 10)},
    {"x": Fraction(0), "y": Fraction(1, 10), "z": Fraction(9, 10)},
)
MERGED: _Laws = tuple({"xy": law["x"] + law["y"], "z": law["z"]} for law in FINITE)
_FACTOR, _DELTA = Fraction(2), Fraction(1, 10)
_TRIALS = 40


def least_exceptional(laws: _Laws, factor: Fraction) -> Fraction:
    """Return the least probability, under the worse input, of the outputs to be set apart."""
    first, second = laws
    loud = [x for x in first if first[x] > factor * second[x] or second[x] > factor * first[x]]
    return max(sum((law[x] for x in loud), Fraction(0)) for law in laws)


def needed_delta(laws: _Laws, factor: Fraction) -> Fraction:
    """Return the conventional delta: the largest P(S) - factor Q(S), in either order."""
    first, second = laws
    return max(
        sum((max(p[x] - factor * q[x], Fraction(0)) for x in p), Fraction(0))
        for p, q in ((first, second), (second, first))
    )


def _drawn_laws() -> list[_Laws]:
    found: list[_Laws] = []
    for random in draws(11, _TRIALS):
        weights = [[random.randint(0, 6) for _ in range(4)] + [1] for _ in range(2)]
        found.append(
            [
                {str(at): Fraction(weight, sum(row)) for at, weight in enumerate(row)}
                for row in weights
            ]
        )
    return found


def conventional_needs_no_more() -> bool:
    """Whether the conventional delta is at most the exceptional probability, all sets listed."""
    factor = Fraction(3, 2)
    for laws in _drawn_laws():
        outcomes = list(laws[0])
        sets = chain.from_iterable(combinations(outcomes, size) for size in range(6))
        worst = max(
            sum((p[x] - factor * q[x] for x in each), Fraction(0))
            for each in sets
            for p, q in (laws, laws[::-1])
        )
        if not worst == needed_delta(laws, factor) <= least_exceptional(laws, factor):
            return False
    return True


def _merging_shows_no_more() -> bool:
    """Whether merging outcomes never raises the conventional delta."""
    factor = Fraction(3, 2)
    for laws in _drawn_laws():
        merged: _Laws = [{"01": law["0"] + law["1"], "2": law["2"]} for law in laws]
        rest: _Laws = [
            {**some, "34": law["3"] + law["4"]} for some, law in zip(merged, laws, strict=True)
        ]
        if needed_delta(rest, factor) > needed_delta(laws, factor):
            return False
    return True


def _releases_compose() -> bool:
    """Whether two releases of 40 need at most the sum of their deltas at the product of factors."""
    first, second = Fraction(3, 2), Fraction(2)
    drawn = _drawn_laws()
    for one, other in pairwise(drawn):
        both = [{x + y: p[x] * q[y] for x in p for y in q} for p, q in zip(one, other, strict=True)]
        apart = needed_delta(one, first) + needed_delta(other, second)
        if needed_delta(both, first * second) > apart:
            return False
    return True


def _intervals_need_n_gamma() -> bool:
    """Whether [gamma, 1 - (n-1) gamma] is empty exactly where n gamma > 1, on a grid."""
    grid = ((n, Fraction(at, 60)) for n in range(3, 8) for at in range(1, 60))
    return all((gamma <= 1 - (n - 1) * gamma) == (n * gamma <= 1) for n, gamma in grid)


def _shares_need_a_third() -> bool:
    """Whether [eta, 1 - 2 eta] and [2 eta, 1 - eta] are not empty exactly up to 1/3, on a grid."""
    etas = [Fraction(at, 60) for at in range(1, 60)]
    return all(
        (eta <= 1 - 2 * eta) == (2 * eta <= 1 - eta) == (eta <= Fraction(1, 3)) for eta in etas
    )


def mean_is_the_input() -> bool:
    """Whether the mean parameter/total is C for k C, and f for r f + alpha where f is uniform."""
    for random in draws(12, _TRIALS):
        counts = [random.randint(1, 9) for _ in range(3)]
        k, prior = Fraction(random.randint(1, 99), 7), Fraction(random.randint(1, 9), 4)
        law = [Fraction(count, sum(counts)) for count in counts]
        released = [k * p / sum(k * q for q in law) for p in law]
        shifted = [(k * p + prior) / (k + 3 * prior) for p in law]
        if released != law or (shifted == law) != (len(set(law)) == 1):
            return False
    return True


def smaller_is_stronger() -> bool:
    """Whether what a pair of laws needs falls as the factor rises, in both senses, 40 pairs."""
    factors = [Fraction(at, 4) for at in range(4, 17)]
    return all(
        needed(laws, factor) >= needed(laws, more)
        for laws in _drawn_laws()
        for needed in (needed_delta, least_exceptional)
        for factor, more in pairwise(factors)
    )


@at_precision
def _noise_falls_below_0() -> bool:
    """Whether P(p + noise < 0) = e^(-p/b)/2 for Laplace noise, and is positive for Gaussian."""
    share, scale = ball(Fraction(1, 5)), ball(Fraction(1, 10))
    pieces = [Fraction(at, 100) for at in range(-400, 0)]
    low, high = (
        sum(
            ((-abs(share - ball(x + shift)) / scale).exp() / (2 * scale) / 100 for x in pieces),
            arb(0),
        )
        for shift in (Fraction(0), Fraction(1, 100))
    )
    laplace = (-share / scale).exp() / 2
    gaussian = (share / (scale * arb(2).sqrt())).erfc() / 2
    return bool(low < laplace < high) and bool(gaussian > 0)


_MEANS = Proof(
    "benvenuti2025/divergence.md#means-of-releases",
    "a Dirichlet vector's mean is its parameter over the total",
    (Formula("(1), (2): 40 laws", mean_is_the_input),),
)
_EMPTY = Instance(
    "n = 3, gamma = 1/2: the interval [gamma, 1 - (n-1) gamma] is not empty",
    Exactly("1/2", "gamma"),
    "<=",
    Exactly("0", "1 - 2 gamma"),
    {
        "gamma <= 1/(n-1)": Fraction(1, 2) <= Fraction(1, 2),
        "eta < 1/4": Fraction(1, 5) < Fraction(1, 4),
    },
)

_LEAVES = Proof(
    _PLACE + "noise-leaves-the-simplex",
    "the noisy entry falls below 0 with a positive probability",
    (Formula("(6): an entry of 1/5, noise of scale 1/10, by integration", _noise_falls_below_0),),
)

# The order of parameters by strength.
SMALLER_IS_STRONGER = Proof(
    _PLACE + "smaller-is-stronger",
    "e^epsilon Q(S) + delta rises with both; in the probabilistic sense the same good set serves",
    (Formula("(7): finite laws, larger parameters", smaller_is_stronger),),
)

STATEMENTS = (
    Statement(
        "benvenuti2025.section-1-properties",
        "remark",
        "1, (i) and (ii)",
        "Compositions of private releases are private; so is what is made of a release alone.",
        _NOTE,
        (
            Proof(
                _PLACE + "releases-compose",
                "given the first output the second adds delta_2; the mean of what is left is "
                "bounded by the first",
                (Formula("(5): 39 pairs of releases of finite laws", _releases_compose),),
            ),
            Proof(
                "gohari2020/definitions.md#post-processing",
                "an event of what is made is an event of the output, or a mixture of such",
                (Formula("finite laws and channels", channels_keep_privacy),),
            ),
        ),
        (
            "conventional privacy, at the sum of epsilons and of deltas",
            "what is made depends on the output alone",
        ),
    ),
    Statement(
        "benvenuti2025.remark-additive-noise",
        "remark",
        "1, on other mechanisms",
        "Noise of infinite support that is added to a vector may take it out of the simplex.",
        _NOTE,
        (_LEAVES,),
        ("the Gaussian and the Laplace mechanism are named",),
    ),
    Statement(
        "benvenuti2025.remark-projection",
        "remark",
        "1, on other mechanisms",
        "Projecting noisy vectors back onto the simplex is inaccurate.",
        _NOTE,
        (
            NotDecidable(
                "it rests on gohari2020, which is cited as 2021; inaccurate is not quantified"
            ),
        ),
    ),
    Statement(
        "benvenuti2025.definition-5",
        "equation",
        "3 Definition 5, (5)",
        "(5) is a density on the simplex, and its mean is the input p.",
        _NOTE,
        (
            Proof(
                "gohari2020/definitions.md#gammas",
                "Dirichlet's integral; the parameters sum to k",
                (Formula("whole parameters integrate to 1", densities_are_normal),),
            ),
            _MEANS,
        ),
        ("the input in the open simplex, k > 0",),
        readings=(
            Reading(
                "centered on k p, as is printed: its mean is k p",
                (
                    Instance(
                        "p = (1/2, 1/4, 1/4), k = 2: the mean of the first entry is k p_1",
                        Exactly("1/2", "k p_1/(k p_1 + k p_2 + k p_3)"),
                        "=",
                        Exactly("1", "k p_1"),
                    ),
                ),
            ),
        ),
    ),
    Statement(
        "benvenuti2025.definition-4-order",
        "remark",
        "2.3, after Definition 4",
        "Smaller epsilon and delta imply stronger privacy.",
        _NOTE,
        (SMALLER_IS_STRONGER,),
        ("neither parameter is larger",),
    ),
    Statement(
        "benvenuti2025.remark-unbiased",
        "remark",
        "1, related work",
        "The released counts have the counts as their mean; ponnoprat2023's are biased.",
        _UNBIASED_NOTE,
        (_MEANS,),
        ("alpha > 0 in ponnoprat2023, and f is not uniform",),
        readings=(
            Reading(
                "the same of the mechanism of Chitra et al. 2022",
                (NotDecidable("that paper is not among those at hand"),),
            ),
        ),
    ),
    Statement(
        "benvenuti2025.remark-special-cases",
        "remark",
        "1, related work",
        "Mechanisms for given probabilities are said to be special cases of this paper's.",
        _NOTE,
        (
            NotDecidable(
                "the first of the two, Gohari et al. 2020 on policies of decision processes, is "
                "not at hand, and it is not said in which sense: fallin2023 moves the entries of "
                "rows by any amount up to b/2, counts of N records move by 1/N exactly"
            ),
        ),
        readings=(
            Reading(
                "every pair that is adjacent in fallin2023 is a pair of neighbours' counts",
                (
                    Identity(
                        "rows (1/2, 1/4, 1/4) and (1/5, 11/20, 1/4), adjacent at b = 3/5: their "
                        "step of 3/10 is 1/N for a whole number N",
                        exactly(Fraction(3, 10).numerator == 1),
                    ),
                ),
            ),
        ),
    ),
    Statement(
        "benvenuti2025.remark-postprocessing",
        "remark",
        "3, after Assumption 2",
        "Probabilistic privacy implies conventional privacy, which alone outlives post-processing.",
        _NOTE,
        (
            Proof(
                _PLACE + "probabilistic-implies-conventional",
                "P(S) <= P(S, good) + delta <= e^epsilon Q(S) + delta",
                (Formula("(1): all sets of 40 pairs of laws", conventional_needs_no_more),),
            ),
            Proof(
                _PLACE + "post-processing",
                "a function of the output has events that are events of the output",
                (Formula("merged outcomes of 40 pairs of laws", _merging_shows_no_more),),
            ),
            Identity(
                "(2): before merging x and y the exceptional probability is 1/10, after it 3/10",
                exactly(
                    least_exceptional(FINITE, _FACTOR) == _DELTA
                    and least_exceptional(MERGED, _FACTOR) == 3 * _DELTA
                ),
            ),
        ),
    ),
    Statement(
        "benvenuti2025.assumption-2",
        "remark",
        "3 Assumption 2; C.1 after (37)",
        "gamma <= 1/(n-1) and eta < 1/4 keep every interval of the problem (36) from being empty.",
        _NOTE,
        (_EMPTY,),
        ("n >= 3",),
        garbled="1/(n-1) stands in the one place where Assumption 2 is stated.",
    ),
    Statement(
        "benvenuti2025.assumption-2-repaired",
        "repair",
        "ours, for Assumption 2",
        "With n gamma <= 1 and eta <= 1/3 all of the intervals have a point.",
        _NOTE,
        (
            Proof(
                _PLACE + "intervals-with-a-point",
                "the lengths are 1 - n gamma and 1 - 3 eta",
                (
                    Formula("(3): n from 3 to 7, gamma in sixtieths", _intervals_need_n_gamma),
                    Formula("(4): eta in sixtieths", _shares_need_a_third),
                ),
            ),
        ),
        ("n >= 3",),
        repairs="benvenuti2025.assumption-2",
        adds=("n gamma <= 1",),
    ),
)
