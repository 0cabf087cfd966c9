"""What parameters mean: one vocabulary for all quantities, by a parameter's name.

Where a quantity's parameter means something else, or needs another value in an example, its
annotation carries a ``Meaning`` of its own, which goes before the one here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Meaning:
    """What a parameter is, a value for an example as a command line takes it, and its symbol.

    ``symbol`` is LaTeX, as the quantity's formula has it. What is empty is left to the vocabulary.
    """

    says: str = ""
    example: str = ""
    symbol: str = ""

    def over(self, usual: Meaning) -> Meaning:
        """Return this meaning, filled up with the usual one."""
        return Meaning(
            self.says or usual.says, self.example or usual.example, self.symbol or usual.symbol
        )


def meaning_of(name: str, kind: str) -> Meaning:
    """Return the usual meaning of a parameter of this kind; an empty one where there is none."""
    return VOCABULARY.get(f"{name} {kind}") or VOCABULARY.get(name) or Meaning()


_THREE_STATES = '[["4/7","2/7","1/7"],["1/3","1/2","1/6"],["1/4","1/4","1/2"]]'
_TWO_STATES = '[{"initial":"stationary","P":[["0.9","0.1"],["0.4","0.6"]]}]'
_TWO_NODES = (
    '[{"parents":[],"table":[["1/2","1/2"]]},{"parents":[1],"table":[["0.8","0.2"],["0.3","0.7"]]}]'
)

# By a parameter's name, and with its kind where the name has two meanings. The examples fit
# together: any quantity can be evaluated at those of its parameters.
VOCABULARY: Final[Mapping[str, Meaning]] = {
    # What is promised.
    "epsilon": Meaning(
        "privacy loss: probabilities differ by a factor of e^epsilon at most", "1", r"\varepsilon"
    ),
    "delta": Meaning("probability that is let off beside that factor", "1e-6", r"\delta"),
    "order": Meaning("order of the Renyi divergence; 1 is Kullback-Leibler", "5", r"\lambda"),
    # A Dirichlet release.
    "alpha": Meaning("floor: the least protected Dirichlet parameter", "5", r"\alpha"),
    "alpha vector": Meaning("protected Dirichlet parameters", "[1, 2, 3]", r"\alpha_i"),
    "step": Meaning("how much of a parameter neighbouring inputs can move", "0.2", "s"),
    "k": Meaning("concentration: the Dirichlet parameters are k times the shares", "100", "k"),
    "k vector": Meaning("concentration of each row's draw", "[60, 50, 40]", "k_i"),
    "eta": Meaning("floor of the protected shares of the input", "0.1", r"\eta"),
    "eta vector": Meaning("floor of the shares of each row", "[0.1, 0.1, 0.1]", r"\eta_i"),
    "eta_bar": Meaning("what the protected shares leave to the others", "0.1", r"\bar\eta"),
    "b": Meaning("how far neighbouring inputs are apart in the 1-norm", "0.01", "b"),
    "w": Meaning("number of protected coordinates, the size of W", "2", "w"),
    "w vector": Meaning("number of protected coordinates of each row", "[2, 2, 2]", "w_i"),
    "gamma": Meaning(
        "level that every protected coordinate of a good output reaches", "0.001", r"\gamma"
    ),
    "gamma vector": Meaning(
        "level of the good outputs of each row", "[0.001, 0.001, 0.001]", r"\gamma_i"
    ),
    "N": Meaning("number of records, or of vectors in a mean", "200", "N"),
    "N vector": Meaning("number of records of each row", "[200, 300, 400]", "N_i"),
    "n": Meaning("number of categories", "5", "n"),
    "n vector": Meaning("number of feasible transitions of each row", "[5, 5, 5]", "n_i"),
    "rows": Meaning("of each row, how many coordinates are protected, and gamma", "[[2, 0.01]]"),
    "changed_rows": Meaning("number of rows that change at once", "3", "r"),
    "releases": Meaning("floor, step and number of each kind of release", '[[5, "0.2", 10]]'),
    "count": Meaning("number of protected coordinates", "3", "c"),
    "rest": Meaning("sum of the parameters that are not protected; 0: none is", "4"),
    "u": Meaning("Dirichlet parameters of the first law", "[20, 30, 50]", "u"),
    "v": Meaning("Dirichlet parameters of the second law", "[21, 29, 50]", "v"),
    "delta2_squared": Meaning("squared 2-norm of how far f can change", "2", r"\Delta_2^2"),
    "delta_inf": Meaning("largest change of a coordinate of f", "1", r"\Delta_{\infty}"),
    "beta": Meaning("weight of the private shares in the parameters", "50", r"\beta"),
    "p": Meaning("share of one coordinate", "0.3", "p"),
    "p vector": Meaning("private shares, a law", "[0.5, 0.3, 0.2]", "p"),
    # Noise.
    "noise_multiplier": Meaning(
        "scale of the noise over the sensitivity under the stated relation", "1.1", r"\sigma"
    ),
    "sampling_probability": Meaning(
        "probability with which each record takes part in a step, by a coin of its own", "0.01", "q"
    ),
    "steps": Meaning("number of steps, each with its own sample", "1000", "T"),
    "sensitivity": Meaning(
        "how much a whole number changes at most between neighbours", "1", r"\Delta"
    ),
    "categories": Meaning("number of possible answers", "3", "k"),
    "truth_probability": Meaning(
        "probability that the answer is the true one; the others share the rest evenly", "0.8", "p"
    ),
    "loss_range": Meaning(
        "how far apart the losses of two candidates are at most: 2cD of chances that are "
        "proportional to exp(c u), D the sensitivity of a utility u; cD where all move one way",
        "1",
        "r",
    ),
    "largest_loss": Meaning(
        "how far the gap of two candidates moves at most: 2cD of coins that fall with chance "
        "exp(c (u - largest u)), D the sensitivity of a utility u; cD where all move one way",
        "1",
        "r",
    ),
    "events": Meaning(
        "releases, each of a mechanism with numbers of its own, and how many of it",
        '[{"mechanism":"gaussian","noise_multiplier":2,"count":10},'
        '{"mechanism":"laplace","noise_multiplier":5}]',
    ),
    "neighbours": Meaning(
        "whose difference is hidden: replace, a record is another one; or add_remove, there is one "
        "more or less",
        "add_remove",
    ),
    # Chains.
    "P": Meaning("transition matrix: each row is a law", _THREE_STATES, "P"),
    "Q": Meaning(
        "transition matrix of another chain",
        '[["1/2","1/4","1/4"],["1/4","1/2","1/4"],["1/8","1/8","3/4"]]',
        "Q",
    ),
    "counts": Meaning(
        "how often each state was followed by each", "[[20,10,5],[4,30,6],[5,5,40]]", "n_{i j}"
    ),
    "sizes": Meaning("number of feasible transitions of each row", "[3, 3, 3]", "n_i"),
    "grid_bits": Meaning("released entries are multiples of 2^-grid_bits", "20"),
    "groups": Meaning("number of the group that each state is put into", "[1, 2, 3]", "g_i"),
    "norm": Meaning("matrix norm: largest sum of a row, or of a column", "row"),
    "sign": Meaning("of I - P + 1 pi (plus) or I - P - 1 pi (minus) the inverse is meant", "plus"),
    # Pufferfish.
    "chains": Meaning("the class of chains that the adversary may believe in", _TWO_STATES),
    "length": Meaning("number of steps of the series", "20", "T"),
    "lengths": Meaning("number of steps of each independent piece", "[20, 10]", "T_j"),
    "values vector": Meaning("the query's value on each data set", "[0, 1, 2]", "F"),
    "values": Meaning("value of the query at a node for each state; one row: all nodes", "[[0,1]]"),
    "scale": Meaning("scale of the Laplace noise", "10", r"\sigma"),
    "noise": Meaning("law of the noise that is added: laplace or gaussian", "laplace"),
    "scales": Meaning("scale of the Laplace noise of each release", "[10, 20]", r"\sigma_j"),
    "width": Meaning("quilts with at most so many nodes near are looked at", "20"),
    "lipschitz": Meaning("how much one entry changes the query, in the 1-norm", "1", "L"),
    "size": Meaning("most entries of a group that is protected as one", "3", "m"),
    "laws": Meaning("laws of the data sets that may be believed", '[["1/2","1/4","1/4"]]'),
    "secrets": Meaning("each a set of the data sets in which it is true", "[[1, 2], [3]]", "s"),
    "pairs": Meaning("secrets that are not to be told apart, by number", "[[1, 2]]"),
    "q": Meaning("another law", "[0.4, 0.4, 0.2]", "q"),
    "mu": Meaning("a law on the line", '{"points":[0,1],"mass":["1/2","1/2"]}', r"\mu"),
    "nu": Meaning("another law on the line", '{"points":[0,2],"mass":["1/2","1/2"]}', r"\nu"),
    "initial": Meaning("law of the first node; stationary; or any of them", "stationary"),
    "node": Meaning("number of the node that is protected, from 1", "1", "t"),
    "left": Meaning("lag of the quilt's left side; 0: none", "0", "l"),
    "right": Meaning("lag of the quilt's right side; 0: none", "2", "r"),
    "network": Meaning("Bayesian network: parents and a table for each node", _TWO_NODES),
    "networks": Meaning("the class of networks that may be believed", f"[{_TWO_NODES}]"),
    "quilt": Meaning("numbers of the nodes of the quilt", "[2]", "Q"),
    "pi_min": Meaning("least stationary probability of any chain of the class", "0.2", r"\pi"),
    "gap": Meaning("least eigengap of any chain of the class", "0.5", "g"),
    "low": Meaning("least probability to stay in a state", "0.4", "l"),
    "high": Meaning("largest probability to stay in a state", "0.8", "h"),
}
