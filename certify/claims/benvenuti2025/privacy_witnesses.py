"""Where what is printed of the counting query fails: the steps of a proof, and other readings."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from ....reference.arb.balls import ball
from ....reference.arb.gamma import log_beta_change
from ....reference.second.exchange import log_gamma_exchange
from ..evidence import Instance
from ..forms import BITS, Named, by_balls, by_spans, span, texts
from ..gohari2020.forms import Where
from ..values import At, Exactly, Worked
from .privacy_formulas import GRADES

_K, _ETA, _N = Fraction("20.6"), Fraction("0.073"), 98


def at_the_grades(quantity: str, **changed: Any) -> At:
    """Return a quantity at the numbers of section 6.1, some of them changed."""
    given = {**GRADES, **changed}
    wanted = {"epsilon_bound": "k eta N n gamma", "delta_bound": "k eta n gamma"}
    names = wanted.get(quantity, "eta N n gamma").split()
    return At(f"dirichlet.counts.{quantity}", {name: given[name] for name in names})


def corner(there: bool) -> Worked:
    """Return the objective of (43) at (44)'s first corner, or at its third, for the grades."""
    first, second, step = _K * _ETA, _K * (1 - 2 * _ETA), _K / _N
    if there:
        return Worked(
            "log B(k eta, k (1-2 eta)) - log B(k (eta+1/N), k (1-2 eta-1/N)), grades",
            by_balls(lambda: log_beta_change(first, second, step)),
            by_spans(lambda: log_gamma_exchange(BITS, first, second, step)),
        )
    return Worked(
        "the same with both Betas exchanged",
        by_balls(lambda: log_beta_change(first + step, second - step, -step)),
        by_spans(lambda: -log_gamma_exchange(BITS, first, second, step)),
    )


CORNERS = Instance(
    "(3) after (44): both corners have the same positive value",
    corner(there=False),
    "=",
    corner(there=True),
    {"both corners are feasible": _ETA + Fraction(1, _N) <= 1 - 2 * _ETA},
)

# A point of (36) where the shares differ by less than 1/N, and by more than what is best for (43).
_FLOOR, _FOUR, _THIRDS = Fraction("0.24"), 4, Fraction("0.333")
_TOP, _EVEN = 1 - 2 * _FLOOR, Fraction("0.38")
_LOW, _HIGH, _SHORT = (Fraction("6.25") * x for x in (_FLOOR, _TOP, _EVEN - _FLOOR))
SHORTER_STEP = Instance(
    "(4) at eta = 0.24, k = 6.25, gamma = 0.333, N = 4, n = 3: the objective of (36) at "
    "C = (0.38, 0.38, 0.24), C' = (0.24, 0.52, 0.24), x_i = x_j is at most (46)",
    Worked(
        "log B(k 0.24, k 0.52) - log B(k 0.38, k 0.38)",
        by_balls(lambda: log_beta_change(_LOW, _HIGH, _SHORT)),
        by_spans(lambda: log_gamma_exchange(BITS, _LOW, _HIGH, _SHORT)),
    ),
    "<=",
    at_the_grades("epsilon_bound", k="6.25", eta="0.24", N=_FOUR, n=3, gamma="0.333"),
    {
        "eta < 1/4 and k >= 3/(2 eta)": (
            Fraction(1, 4) > _FLOOR and Fraction("6.25") >= 3 / (2 * _FLOOR)
        ),
        "gamma <= 1/(n-1)": Fraction(1, 2) >= _THIRDS,
        "the step is at most 1/N": 0 < _EVEN - _FLOOR <= Fraction(1, _FOUR),
        "both pairs of shares have one sum": 2 * _EVEN == _FLOOR + _TOP,
        "the shares are in [eta, 1 - 2 eta]": _FLOOR <= _EVEN <= _TOP == Fraction("0.52"),
        "x = (1/3, 1/3, 1/3) is in [gamma, 1 - 2 gamma]": (
            _THIRDS <= Fraction(1, 3) <= 1 - 2 * _THIRDS
        ),
    },
)


def below_the_floor() -> Instance:
    """Return two data sets of the grades' size with a count of 1 that Algorithm 1 takes."""
    share = str(_K / _N)
    return Instance(
        "counts (1, 2, 2, 2, 91) against (2, 1, 2, 2, 91): the exact delta at 2.212, above (6), is "
        "at most the reported (7)",
        At("dirichlet.profile.delta", {"alpha": share, "step": share, "epsilon": "2.212"}),
        "<=",
        at_the_grades("delta_bound"),
        {
            "the counts add up to N": sum((1, 2, 2, 2, 91)) == _N,
            "no count is 0": True,
            "a share is below eta": Fraction(1, _N) < _ETA,
            "k >= 3/(2 eta)": 3 / (2 * _ETA) <= _K,
        },
    )


# The data lie on the border, their neighbour just below it: (2, 9, 9) against (1, 10, 9) records.
_AT, _BELOW, _ALL, _FEW = (2, 9, 9), (1, 10, 9), 20, "1e-6"
_LEAST_K, _TENTH = Fraction(15), Fraction(1, 10)
_BORDER = {"k": str(_LEAST_K), "eta": str(_TENTH), "n": 3, "gamma": _FEW}
OVER_THE_BORDER = Instance(
    "eta = 1/10, k = 15, gamma = 1e-6, counts (2, 9, 9) and their neighbour (1, 10, 9): the exact "
    "delta at 12, above (6), is at most (7)",
    Where(
        "delta at 12 of Dirichlet(3/4, 15/2, 27/4) from Dirichlet(3/2, 27/4, 27/4), (6) being less",
        At(
            "dirichlet.pair.delta",
            {
                "u": texts([_LEAST_K * c / _ALL for c in _BELOW]),
                "v": texts([_LEAST_K * c / _ALL for c in _AT]),
                "epsilon": "12",
            },
        ),
        ((At("dirichlet.counts.epsilon_bound", {**_BORDER, "N": _ALL}), Exactly("12")),),
    ),
    "<=",
    At("dirichlet.counts.delta_bound", _BORDER),
    {
        "one record changes": sum(_AT) == sum(_BELOW) == _ALL
        and sum(abs(a - b) for a, b in zip(_AT, _BELOW, strict=True)) == 1 + 1,
        "the data's shares are at least eta": Fraction(min(_AT), _ALL) >= _TENTH,
        "eta < 1/4 and k >= 3/(2 eta)": Fraction(1, 4) > _TENTH and 3 / (2 * _TENTH) <= _LEAST_K,
        "gamma <= 1/(n-1)": Fraction(_FEW) <= Fraction(1, 2),
    },
)
NO_SHARE = Instance(
    "three records, all of the first category: the least share is at least eta = 1/10^6, and "
    "any eta above 0 is as bad",
    Exactly("0", "the least share of (3, 0, 0)"),
    ">=",
    Exactly("1/1000000", "eta"),
    {"eta < 1/4": Fraction(1, 10**6) < Fraction(1, 4)},
)
READ_OFF = Instance(
    "eta = 1/98 read off counts with a 1, and a neighbour that has a 0 there: the 1 that the delta "
    "of an output 0 is, is at most (7)",
    Exactly("1", "the delta between data that have a category and data that do not"),
    "<=",
    at_the_grades("delta_bound", k="147", eta="1/98"),
    {"k = 3/(2 eta)": Fraction(147) == 3 / (2 * Fraction(1, 98))},
)
FLOOR_OF_BOTH = Instance(
    "eta = 8/98 read off the counts (8, 8, 8, 8, 66): the neighbour (7, 8, 8, 8, 67) misses the "
    "good set with probability at most (7)",
    Named(
        "P(M misses the good set) for (7, 8, 8, 8, 67), k = 20.6, gamma = 0.0004",
        At(
            "dirichlet.tail.general",
            {
                "alpha": texts([_K * c / _N for c in (7, 8, 8, 8, 67)]),
                "rest": 0,
                "gamma": GRADES["gamma"],
            },
        ),
    ),
    "<=",
    at_the_grades("delta_bound", eta="8/98"),
    {
        "N = 98": sum((7, 8, 8, 8, 67)) == sum((8, 8, 8, 8, 66)) == _N,
        "k >= 3/(2 eta)": 3 / (2 * Fraction(8, 98)) <= _K,
    },
)

# gamma next to 1/(n-1), where no output is good and log R is about -3.2.
_WIDE = Fraction("0.49")


def _printed_epsilon(k: int) -> Worked:
    """Return (6) at eta = 1/10, N = 20, n = 3, gamma = 0.49, which Assumption 2 admits."""
    low, high, step = (k * x for x in (_TENTH, 1 - 2 * _TENTH, Fraction(1, _ALL)))
    ratio = (1 - 2 * _WIDE) / _WIDE
    return Worked(
        f"(6) at k = {k}, eta = 1/10, N = 20, n = 3, gamma = 0.49",
        by_balls(lambda: log_beta_change(low, high, step) + ball(step) * ball(ratio).log()),
        by_spans(
            lambda: log_gamma_exchange(BITS, low, high, step) + span(step) * span(ratio).log()
        ),
    )


FALLS_WITH_K = Instance(
    "(6) at k = 3/(2 eta) = 15 is at most (6) at k = 30",
    _printed_epsilon(15),
    "<=",
    _printed_epsilon(30),
    {
        "gamma <= 1/(n-1)": Fraction(1, 2) >= _WIDE,
        "eta < 1/4, k >= 3/(2 eta)": Fraction(1, 4) > _TENTH and 3 / (2 * _TENTH) <= _LEAST_K,
        "the arguments of the Betas are positive": 2 * _TENTH + Fraction(1, _ALL) < 1,
    },
)
