"""Section 4.4.2: time reversal, and the running example's eigengap."""

from __future__ import annotations

from ....reference.enclosure import Trilean
from ..entries import Claim, Reading
from ..evidence import Formula, Identity, Instance, Proof
from ..values import At, Exactly
from . import executed_mixing as executed
from .exact_chains import after, reversed_in_time
from .inputs import P_1, P_2, START_1, matrix, numbers

NOTE = "song2017/eigengap.md"
_PI_1, _PI_2 = ["0.8", "0.2"], ["0.6", "0.4"]


def _reversals_agree() -> Trilean:
    pairs = ((P_1, _PI_1), (P_2, _PI_2))
    return Trilean.of(
        all(reversed_in_time(matrix(rows), numbers(pi)) == matrix(rows) for rows, pi in pairs)
    )


def _runs_backwards_from_a_point() -> Trilean:
    """Whether P(X_1 = 2 | X_2 = 1) is P*(1, 2) in the first running chain."""
    start, moves, pi = numbers(START_1), matrix(P_1), numbers(_PI_1)
    chance = start[1] * moves[1][0] / after(start, moves)[0]
    return Trilean.of(chance == reversed_in_time(moves, pi)[0][1])


def _stationary() -> Trilean:
    pairs = ((P_1, _PI_1), (P_2, _PI_2))
    return Trilean.of(all(after(numbers(pi), matrix(rows)) == numbers(pi) for rows, pi in pairs))


def _minimum(rows: list[list[str]], value: str) -> Instance:
    return Instance(
        "least stationary probability",
        At("pufferfish.stationary_minimum", {"P": rows}),
        "=",
        Exactly(value),
        decides=True,
    )


def _gap(rows: list[list[str]]) -> Instance:
    at = At("pufferfish.eigengap", {"P": rows})
    return Instance("eigengap of P P*", at, "=", Exactly("3/4"), decides=True)


CLAIMS = (
    Claim(
        id="song2017.definition-4-7",
        kind="definition",
        where="Section 4.4.2, Definition 4.7 and the sentence after it",
        says="The time reversal P*(x,y) = P(y,x) pi(y)/pi(x) is the transition matrix of the chain "
        "run backwards.",
        hypotheses=("a stationary start", "a positive stationary law"),
        note=NOTE,
        evidence=(
            Proof(
                f"{NOTE}#time-reversal",
                "by Bayes (5)",
                (Formula("(5)", executed.reversal_runs_backwards),),
            ),
        ),
        readings=(
            Reading(
                "for any start",
                (
                    Identity(
                        "first running chain: P(X_1 = 2 | X_2 = 1) = 0 is P*(1, 2) = 1/10",
                        _runs_backwards_from_a_point,
                    ),
                ),
            ),
        ),
    ),
    Claim(
        id="song2017.example-4-4-2-reversal",
        kind="number",
        where="Section 4.4.2, after Definition 4.7",
        says="Both chains of the running example are their own time reversals.",
        note=NOTE,
        evidence=(Identity("P* = P for both", _reversals_agree),),
    ),
    Claim(
        id="song2017.example-4-4-2-stationary-minimum",
        kind="number",
        where="Section 4.4.2, after (6)",
        says="The stationary laws are (0.8, 0.2) and (0.6, 0.4), with least probabilities 0.2 and "
        "0.4, and 0.2 for the class.",
        garbled="a clause about the first chain stands twice",
        note=NOTE,
        evidence=(
            Identity("both laws are stationary", _stationary),
            _minimum(P_1, "0.2"),
            _minimum(P_2, "0.4"),
        ),
    ),
    Claim(
        id="song2017.example-4-4-2-eigengap",
        kind="number",
        where="Section 4.4.2, after (7)",
        says="The eigengap of P P* is 0.75 for both chains of the running example.",
        note=NOTE,
        evidence=(
            _gap(P_1),
            _gap(P_2),
            Instance(
                "by (14), for reversible chains, it would be 1",
                At("pufferfish.eigengap_reversible", {"P": P_1}),
                "=",
                Exactly("1"),
            ),
        ),
    ),
)
