"""Section VI: the epsilon of the example, Table I and Figure 3."""

from __future__ import annotations

from fractions import Fraction

from ..evidence import Instance, NotDecidable, Reproduced
from ..statement import Reading, Statement
from ..values import At, Exactly, fractions
from .inputs import MEAN_P, MEAN_Q, Setting, at_root
from .privacy import GOOD_SET, LARGEST_LOSS

_NOTE = "gohari2020/experiments.md"

_ROOT = {"k": "24", "eta": "0.05", "w": 2, "delta": "0.05"}
_GIVEN = {"k": "24", "eta": "0.05", "eta_bar": "0.05", "b": "1", "w": 2}
# A gamma just below the root: delta is below 0.05 there.
_GAMMA = "0.00226"
_AT_GAMMA = Setting("24", "0.05", "0.05", "1", _GAMMA)

# Table I: the empirical variances.
VARIANCES = (
    "0.00934632", "0.00983122", "0.0102117", "0.00922426", "0.0100889", "0.0100757",
)  # fmt: skip


def _epsilon(vectors: int) -> At:
    return _AT_GAMMA.epsilon_of_mean(vectors)


def _tail(k: int) -> At:
    """Return how often the output of A(P) misses the good set of the example's gamma."""
    first, second, third = fractions(*MEAN_P)
    return At(
        "dirichlet.tail.general",
        {"alpha": [str(k * first), str(k * second)], "rest": str(k * third), "gamma": _GAMMA},
    )


def _worst_tail(k: int) -> At:
    return At("dirichlet.identity.delta_bound", {"k": k, "eta": "0.05", "w": 2, "gamma": _GAMMA})


_PRIVATE = (
    Instance(
        "epsilon at gamma = 0.00226 is at most 1.18",
        _epsilon(100),
        "<=",
        Exactly("1.18"),
        decides=True,
    ),
    Instance(
        "delta at gamma = 0.00226 is at most 0.05",
        _AT_GAMMA.delta(),
        "<=",
        Exactly("0.05"),
        decides=True,
    ),
    Instance(
        "2 eta + b/N + eta_bar <= 1",
        Exactly("0.16", "2 eta + b/N + eta_bar"),
        "<=",
        Exactly("1"),
        decides=True,
    ),
    LARGEST_LOSS,
    GOOD_SET,
)

STATEMENTS = (
    Statement(
        "gohari2020.section-6-epsilon",
        "number",
        "VI, (1.18, 0.05)",
        "Theorem 2 gives epsilon 1.18 at delta 0.05.",
        _NOTE,
        (
            Reproduced(
                "(18) with N = 100 for n, at the largest gamma with delta <= 0.05",
                "1.18",
                at_root(
                    "epsilon at delta = 0.05, k = 24, eta = eta_bar = 0.05, b = 1, N = 100",
                    _ROOT,
                    "dirichlet.average.epsilon_bound",
                    {**_GIVEN, "N": 100},
                ),
            ),
        ),
        ("k = 24, eta = eta_bar = 0.05, W = {1, 2}, b = 1, 100 vectors, as printed",),
        readings=(
            Reading("the mechanism is (1.18, 0.05)-private, by Definition 2", _PRIVATE),
            Reading(
                "with n = 3 in (18)",
                (
                    Reproduced(
                        "(18) with n = 3, at the same gamma",
                        "1.18",
                        at_root(
                            "epsilon at delta = 0.05, with n = 3",
                            _ROOT,
                            "dirichlet.average.epsilon_bound",
                            {**_GIVEN, "N": 3},
                        ),
                    ),
                ),
            ),
        ),
    ),
    Statement(
        "gohari2020.table-1-inputs",
        "number",
        "VI, Table I, first two rows",
        "The means of both collections are vectors of the simplex.",
        _NOTE,
        (
            Instance(
                "(1) the entries of A(P) sum to 1, up to three roundings of six digits",
                Exactly(str(abs(sum(fractions(*MEAN_P)) - 1)), "distance of their sum from 1"),
                "<=",
                Exactly("0.0000015"),
            ),
        ),
        readings=(
            Reading(
                "they differ by b/(2N) = 0.005 in two coordinates",
                (
                    Instance(
                        "(2) the third coordinate of P less that of Q",
                        Exactly(str(Fraction(MEAN_P[2]) - Fraction(MEAN_Q[2]))),
                        "=",
                        Exactly("1/200", "b/(2N)"),
                        {
                            "the second changes by as much": Fraction(MEAN_Q[1])
                            - Fraction(MEAN_P[1])
                            == Fraction(1, 200),
                            "the first does not": MEAN_P[0] == MEAN_Q[0],
                        },
                        decides=True,
                    ),
                ),
            ),
            Reading(
                "both of those coordinates lie in W, as Theorem 2 needs",
                (
                    Instance(
                        "the largest coordinate that changes is at most the largest of W",
                        Exactly("3", "the third changes"),
                        "<=",
                        Exactly("2", "W = {1, 2}"),
                    ),
                ),
            ),
        ),
        garbled="Digits are doubled in the text, alike in all copies.",
    ),
    Statement(
        "gohari2020.table-1-outputs",
        "number",
        "VI, Table I, last four rows",
        "Empirical means and variances of the outputs.",
        _NOTE,
        (NotDecidable("the number of runs and their seeds are not printed"),),
        readings=(
            Reading(
                "the variances are the desired ones: the mechanism's are at most 0.01",
                (
                    Instance(
                        "(23) at 24",
                        At("dirichlet.utility.variance_bound", {"k": "24"}),
                        "<=",
                        Exactly("0.01"),
                        decides=True,
                    ),
                ),
            ),
            Reading(
                "all six printed variances are at most 0.01",
                (
                    Instance(
                        "the largest printed variance",
                        Exactly(max(VARIANCES, key=Fraction)),
                        "<=",
                        Exactly("0.01"),
                    ),
                ),
            ),
        ),
    ),
    Statement(
        "gohari2020.figure-3-indistinguishable",
        "figure",
        "VI, on Figure 3",
        "From an output at k = 24 one cannot tell P from Q with high probability.",
        _NOTE,
        (
            Instance(
                "(3) the total variation distance of the outputs of A(P) and A(Q), as printed, is "
                "below 0.03, so a guess is right with probability below 0.515",
                At("dirichlet.profile.total_variation", {"alpha": "7.582152", "step": "0.12"}),
                "<",
                Exactly("0.03"),
                {
                    "alpha is k times the smaller mean": 24 * Fraction(MEAN_P[1])
                    == Fraction("7.582152"),
                    "step is k/200": Fraction(24, 200) == Fraction("0.12"),
                },
                decides=True,
            ),
            Instance(
                "(3) the same for all inputs whose second and third coordinate are at least 0.05",
                At("dirichlet.profile.total_variation", {"alpha": "1.2", "step": "0.12"}),
                "<",
                Exactly("0.1"),
                decides=True,
            ),
        ),
        ("both inputs equally likely beforehand",),
    ),
    Statement(
        "gohari2020.figure-3-omega2",
        "figure",
        "VI, last paragraph",
        "At k = 10 outputs are less concentrated and miss the good set more often than at 24.",
        _NOTE,
        (
            Instance(
                "variance at k = 10 against 24, A(P)'s second coordinate",
                At("dirichlet.utility.variance", {"p": MEAN_P[1], "k": "10"}),
                ">",
                At("dirichlet.utility.variance", {"p": MEAN_P[1], "k": "24"}),
                decides=True,
            ),
            Instance(
                "(4) P(good set missed) from A(P), gamma = 0.00226",
                _tail(10),
                ">",
                _tail(24),
                decides=True,
            ),
            Instance(
                "(4) the same from the worst input",
                _worst_tail(10),
                ">",
                _worst_tail(24),
                decides=True,
            ),
        ),
        ("the example's W and gamma at both k",),
        readings=(
            Reading(
                "that can be seen in the figure",
                (NotDecidable("the number of its points and their positions are not printed"),),
            ),
        ),
    ),
)
