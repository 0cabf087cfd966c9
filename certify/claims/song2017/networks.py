"""Sections 4.1 and 4.2: quilts of a Bayesian network and their mechanism."""

from __future__ import annotations

from collections.abc import Callable

from ....reference.enclosure import Trilean
from ..entries import Claim, Reading
from ..evidence import Formula, Identity, Instance, Proof, Reproduced
from ..values import At, Exactly
from . import executed_networks as executed
from .inputs import START_1, numbers, one_chain

NOTE = "song2017/networks.md"


def _impossible_value_has_a_law() -> Trilean:
    """Whether every value of X_1 has positive probability in the running example."""
    return Trilean.of(all(numbers(START_1)))


def _protect(says: str, formula: Callable[[], bool] = executed.one_release_is_bounded) -> Proof:
    return Proof("quilt-network.md#quilts-protect", f"{says} (3)", (Formula("(3)", formula),))


CLAIMS = (
    Claim(
        id="song2017.figure-2",
        kind="figure",
        where="Section 4.1, the factorisation and Figure 2",
        says="The law of a network is the product of its tables; for the graph of Figure 2 that is "
        "P(X1) P(X2|X1) P(X3|X1) P(X4|X2,X3).",
        note=NOTE,
        evidence=(
            Proof(
                f"{NOTE}#product-of-tables",
                "the product sums to 1 and has the tables as its conditional laws (1)",
                (Formula("(1)", executed.product_of_tables_is_the_law),),
            ),
        ),
    ),
    Claim(
        id="song2017.definition-4-1",
        kind="definition",
        where="Section 4.2, Definition 4.1 and the text after it",
        says="The max-influence is the largest max-divergence between laws given two values of "
        "X_i, and 0 where the others are independent of X_i.",
        hypotheses=("values of positive probability, as in Definition 2.1",),
        note=NOTE,
        evidence=(
            Proof(
                f"{NOTE}#no-influence",
                "it is 0 exactly where they are independent (2)",
                (Formula("(2)", executed.no_influence_is_independence),),
            ),
        ),
        readings=(
            Reading(
                "both values run over the whole range, possible or not, as is printed",
                (
                    Identity(
                        "in the running example the others have a law given each value of X_1",
                        _impossible_value_has_a_law,
                    ),
                ),
            ),
        ),
    ),
    Claim(
        id="song2017.definition-4-1-repaired",
        kind="repair",
        repairs="song2017.definition-4-1",
        where="Section 4.2, Definition 4.1",
        says="Over values of positive probability the max-influence is defined, and it is what "
        "the privacy of the mechanism needs.",
        adds=("only values of positive probability are compared",),
        note=NOTE,
        evidence=(
            _protect("pairs with an impossible value are none that Definition 2.1 protects"),
        ),
    ),
    Claim(
        id="song2017.definition-4-2",
        kind="definition",
        where="Section 4.2, Definition 4.2, the blanket before it, Figure 3",
        says="The rest of a network is independent of a node given its Markov blanket; "
        "{X_(i-2), X_(i+2)} is a quilt of a chain's node, and so is the empty set.",
        garbled="whether condition 1 asks for parts without a path between them; Theorem 4.3 "
        "needs condition 2 alone",
        note=NOTE,
        evidence=(
            Proof(
                "quilt-network.md#active-walks-decide-independence",
                "no active walk leaves a blanket, or passes X_(i-2) or X_(i+2) on a chain; "
                "condition 1 alone would not do: X_1 -> X_3 <- X_2",
                (
                    Formula("blanket", executed.blankets_and_quilts_part),
                    Formula("chain", executed.middle_of_a_chain_is_parted),
                    Formula("collider", executed.colliders_are_not_parted),
                ),
            ),
        ),
    ),
    Claim(
        id="song2017.algorithm-2",
        kind="algorithm",
        where="Section 4.2, Algorithm 2",
        says="The scale of the Markov quilt mechanism, with the supremum over the class inside the "
        "minimum over quilts, protects every law of the class.",
        hypotheses=("the trivial quilt is among the quilts, as in Theorem 4.3",),
        note=NOTE,
        evidence=(
            _protect("the influence over the class is at least that of each law"),
            Instance(
                "it can be more than each law needs: two links of 1/10 and 2/5, or the reverse, at "
                "epsilon = 2, where the printed order gives 3/2",
                At(
                    "pufferfish.network_scale",
                    {
                        "networks": [
                            [
                                {"parents": [], "table": [["1/2", "1/2"]]},
                                {"parents": [1], "table": [[one, rest], [rest, one]]},
                                {"parents": [2], "table": [[two, left], [left, two]]},
                            ]
                            for one, rest, two, left in (
                                ("0.9", "0.1", "0.6", "0.4"),
                                ("0.6", "0.4", "0.9", "0.1"),
                            )
                        ],
                        "epsilon": 2,
                        "width": 3,
                    },
                ),
                "<",
                Exactly("3/2"),
            ),
        ),
    ),
    Claim(
        id="song2017.remark-vector-valued",
        kind="remark",
        where="Section 4.2, vector-valued functions",
        says="For a query that is L-Lipschitz in the 1-norm, independent noise of the same scale "
        "on each coordinate gives the same epsilon.",
        note=NOTE,
        evidence=(_protect("the proof takes the 1-norm: a coordinate each is a factor each"),),
    ),
    Claim(
        id="song2017.theorem-4-3",
        kind="theorem",
        where="Section 4.2, Theorem 4.3; proof in Appendix C.1",
        says="The Markov quilt mechanism is epsilon-Pufferfish private; for one node the scale "
        "card(X_N)/(epsilon - delta) is enough.",
        hypotheses=(
            "F is L-Lipschitz",
            "the trivial quilt is among the quilts",
            "influences compare values of positive probability",
        ),
        note=NOTE,
        evidence=(
            _protect("the loss is at most e(Q) + card(X_N)/scale for every quilt"),
            Reproduced(
                "five independent bits released with scale 1/2 lose all of epsilon = 2",
                "2.00000",
                At(
                    "pufferfish.chain_loss",
                    {
                        "chains": one_chain("stationary", [["1/2", "1/2"], ["1/2", "1/2"]]),
                        "length": 5,
                        "values": [["0", "1"]],
                        "scale": "1/2",
                    },
                ),
                decides=False,
            ),
        ),
    ),
)
