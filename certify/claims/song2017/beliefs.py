"""Section 2.3 and Appendix A: an adversary whose belief is close to the class."""

from __future__ import annotations

from fractions import Fraction

from ....reference.enclosure import Enclosure, Trilean
from ..entries import Claim, Reading
from ..evidence import Formula, Identity, Instance, Proof, Reproduced
from ..values import At, Exactly, Worked
from . import executed_setting as executed
from .inputs import numbers

NOTE = "song2017/close-beliefs.md"
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
    (Formula("(2)", executed.close_beliefs_lose_twice_more),),
)


def _point(law: list[str]) -> Fraction:
    """Return the mass of data set 1 given the secret {1}."""
    masses = numbers(law)
    return masses[0] / masses[0]


def _loss(law: list[str]) -> At:
    """The loss between the secrets {1} and {2}, where the data set's number is released."""
    given = {"values": [0, 1], "secrets": [[1], [2]], "pairs": [[1, 2]], "scale": 1}
    return At("pufferfish.instantiation_loss", {**given, "laws": [law]})


CLAIMS = (
    Claim(
        id="song2017.example-2-3-max-divergence",
        kind="number",
        where="Section 2.3, after Definition 2.3",
        says="The max-divergence of (1/3, 1/2, 1/6) from (1/2, 1/4, 1/4) is log 2, and "
        "max-divergence belongs to the Renyi divergences.",
        note=NOTE,
        evidence=(
            Identity(
                "the largest ratio is 2", lambda: Trilean.of(not _ratio(_RENYI_P, _RENYI_Q) - 2)
            ),
            Proof(
                f"{NOTE}#infinite-order",
                "it is the limit of the Renyi divergence for infinite order (1)",
                (Formula("(1)", executed.renyi_divergences_reach_the_largest),),
            ),
            Reproduced(
                "its enclosure, log 2",
                "0.693147",
                At("pufferfish.max_divergence", {"p": _RENYI_P, "q": _RENYI_Q}),
                decides=False,
            ),
        ),
    ),
    Claim(
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
        note=NOTE,
        evidence=(_CLOSE,),
        readings=(
            Reading(
                "the displayed bound as it stands, of a law theta of the class",
                (
                    Proof(
                        f"{NOTE}#of-the-class",
                        "then it is weaker than Definition 2.1, since Delta is not negative (3)",
                        (Formula("(3)", executed.close_beliefs_lose_twice_more),),
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
                lambda: Trilean.of(not executed.least_delta_is_not_attained()),
            ),
        ),
    ),
    Claim(
        id="song2017.theorem-2-4-repaired",
        kind="repair",
        repairs="song2017.theorem-2-4",
        where="Section 2.3, Theorem 2.4",
        says="The bound holds for the belief and any class, closed or not, if a secret that is "
        "possible under one of the two laws only counts as infinitely far.",
        note=NOTE,
        evidence=(_CLOSE,),
    ),
    Claim(
        id="song2017.example-2-3-log-90",
        kind="number",
        where="Section 2.3, last paragraph",
        says="The larger max-divergence of (0.9, 0.05, 0.05) and (0.01, 0.95, 0.04) is log 90.",
        note=NOTE,
        evidence=(
            Identity(
                "the largest ratios are 90 and 19",
                lambda: Trilean.of(
                    (_ratio(_LAW, _BELIEF), _ratio(_BELIEF, _LAW)) == (Fraction(90), Fraction(19))
                ),
            ),
        ),
    ),
    Claim(
        id="song2017.example-2-3-log-91",
        kind="number",
        where="Section 2.3, last paragraph",
        says="Given the secret that excludes the third data set, the masses are (0.9474, 0.0526) "
        "and (0.0104, 0.9896) and the divergence is log 91.0962.",
        note=NOTE,
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
    Claim(
        id="song2017.example-2-3-log-91-repaired",
        kind="repair",
        repairs="song2017.example-2-3-log-91",
        where="Section 2.3, last paragraph",
        says="It is log(1728/19), still more than log 90: conditioning cannot be left out.",
        note=NOTE,
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
