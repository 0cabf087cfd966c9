"""Section 5 and Appendix C: the released models, and the statements about their predictions."""

from __future__ import annotations

from fractions import Fraction

from flint import arb

from ....reference.arb.balls import ball
from ....reference.dirichlet import renyi
from ....reference.dirichlet.renyi_divergence import divergence as renyi_divergence
from ....reference.enclosure import Trilean
from ..evidence import Formula, Identity, Instance, NotDecidable, Proof, Reproduced
from ..statement import Reading, Statement
from ..values import Exactly, Worked, as_ball, at_precision, draws, span
from .conversion import floor
from .inputs import divergence, law, number, total, worked
from .setting import cross_entropy_ratio

# Formulas of the note on the models of Section 5, executed in rationals and balls.

# Counts of two classes that are always in the one bin c, Section 5.1.
_CLASS_COUNTS = (9, 1)


@at_precision
def _frequencies_are_likeliest() -> bool:
    """Sum N_j log pi_j at pi = N_j/N less the same at another law is N KL, which is above 0."""
    for random in draws(91):
        counts, other = tuple(random.randint(1, 30) for _ in range(3)), law(random)
        own = tuple(Fraction(count, sum(counts)) for count in counts)
        ratios = [
            count * (ball(a) / ball(b)).log()
            for count, a, b in zip(counts, own, other, strict=True)
        ]
        known = sum(counts) * divergence(own, other)
        if not total(ratios).overlaps(known) or (own != other and not known > 0):
            return False
    return True


def _posterior_is_the_product() -> bool:
    """Two binary features: P(j, a, b) = P(j) P(a|j) P(b|j) over its sum, by enumeration."""
    for random in draws(92):
        prior = law(random, 2)
        first, second = ([law(random, 2) for _ in prior] for _ in (0, 1))
        joint = {
            (j, a, b): prior[j] * first[j][a] * second[j][b]
            for j in (0, 1)
            for a in (0, 1)
            for b in (0, 1)
        }
        for a, b in ((0, 0), (0, 1), (1, 0), (1, 1)):
            seen = sum(joint[j, a, b] for j in (0, 1))
            if seen and sum(joint[j, a, b] / seen for j in (0, 1)) != 1:
                return False
            products = [prior[j] * first[j][a] * second[j][b] for j in (0, 1)]
            if any(joint[j, a, b] / seen != products[j] / sum(products) for j in (0, 1)):
                return False
    return True


def _conditionals_of_one_value_sum_to_one() -> Trilean:
    """Whether P(x = c | y = j), over the classes j, sum to 1, as entries of one draw do."""
    conditionals = [Fraction(count, count) for count in _CLASS_COUNTS]
    return Trilean.of(sum(conditionals) == 1)


def _means_come_near_the_classes() -> bool:
    """Entries drawn over the classes have means near N_jc/sum_j N_jc, here 9/10 and 1/10."""
    far = Fraction(10**9)
    whole = far * sum(_CLASS_COUNTS) + len(_CLASS_COUNTS)
    return all(
        abs((far * count + 1) / whole - Fraction(count, sum(_CLASS_COUNTS))) < Fraction(1, 10**8)
        for count in _CLASS_COUNTS
    )


def _means_come_near_the_conditionals() -> bool:
    """Entries drawn over the values sum to 1, with means near N_jc/N_j."""
    far = Fraction(10**9)
    for random in draws(93):
        counts = [random.randint(0, 30) for _ in range(4)]
        whole = sum(counts)
        if not whole:
            continue
        means = [(far * count + 1) / (far * whole + len(counts)) for count in counts]
        near = all(
            abs(mean - Fraction(count, whole)) < Fraction(1, 10**6)
            for mean, count in zip(means, counts, strict=True)
        )
        if sum(means) != 1 or not near:
            return False
    return True


def _after_a_move(
    counts: list[list[int]], source: tuple[int, int], to: tuple[int, int]
) -> list[list[int]]:
    moved = [list(row) for row in counts]
    moved[source[0]][source[1]] -= 1
    moved[to[0]][to[1]] += 1
    return moved


@at_precision
def _a_moved_row_costs_no_more() -> bool:
    """Vectors of one table, a record moved within one or between two: at most line 1, D2^2 = 2."""
    for random in draws(94):
        counts = [[random.randint(1, 9) for _ in range(3)] for _ in range(2)]
        source = random.randint(0, 1), random.randint(0, 2)
        to = random.choice([(i, j) for i in (0, 1) for j in (0, 1, 2) if (i, j) != source])
        order, r = 1 + number(random, 0, 80), number(random)
        alpha = 1 + 4 * (order - 1) * r
        spent = arb(0)
        for before, after in zip(counts, _after_a_move(counts, source, to), strict=True):
            u, v = (tuple(r * x + alpha for x in each) for each in (before, after))
            one = renyi_divergence(u, v, order)
            spent += as_ball(one)
        if spent > renyi.epsilon_bound(order, r, Fraction(2), Fraction(1)):
            return False
    return True


def _gaussian_budget_is_epsilon() -> bool:
    """K + 1 tables of lambda 2/(2 sigma^2), sigma^2 = lambda (K+1)/epsilon; and K likewise."""
    import sympy

    order, epsilon, k = sympy.symbols("lambda epsilon K", positive=True)
    for tables in (k + 1, k):
        variance = order * tables / epsilon
        if sympy.simplify(tables * order * 2 / (2 * variance) - epsilon) != 0:
            return False
    return True


def _laplace_budget_is_epsilon() -> Trilean:
    """Whether K + 1 tables, in each two cells of epsilon/K, cost epsilon, K = 1, 2, 3."""
    sums = [2 * (k + 1) * Fraction(1, k) for k in (1, 2, 3)]
    return Trilean.of(all(each <= 1 for each in sums))


@at_precision
def _equal_laws_do_not_differ() -> bool:
    """The divergence of a law from itself is 0, at every order."""
    for random in draws(95):
        u = tuple(number(random) for _ in range(3))
        if renyi_divergence(u, u, 1 + number(random)) != 0:
            return False
    return True


_NOTE = "ponnoprat2023/models.md"
_MOVED = Proof(
    f"{_NOTE}#a-row-in-a-table",
    "(18) adds up over the changed coordinates, two at most in each table (2)",
    (Formula("(2)", _a_moved_row_costs_no_more),),
)

_MODELS_STATEMENTS = (
    Statement(
        id="ponnoprat2023.equation-10",
        kind="equation",
        where="Section 5.1, (10) and the display after it; Section 5.2, (11) and (12)",
        says="Relative frequencies are the likeliest probabilities of classes, features and nodes; "
        "the probability of a class is proportional to the product of theirs.",
        hypotheses=("the counts that are divided by are positive", "features independent given it"),
        note=_NOTE,
        evidence=(
            Proof(
                f"{_NOTE}#frequencies",
                "Gibbs' inequality for each vector of counts (1), and Bayes' rule",
                (
                    Formula("(1)", _frequencies_are_likeliest),
                    Formula("Bayes", _posterior_is_the_product),
                ),
            ),
        ),
    ),
    Statement(
        id="ponnoprat2023.naive-bayes-axis",
        kind="algorithm",
        where="Section 5.1, the paragraph that modifies the model",
        says="For each feature k and value c, a draw over the classes j by the counts of (j, c) "
        "gives entries that stand for P(x_k = c | y = j).",
        garbled="the indices j and c may be exchanged; Section 5.2 draws over the values",
        note=_NOTE,
        evidence=(
            Identity(
                "entries of a draw sum to 1; with counts 9 and 1, all in the value c, both "
                "conditionals are 1, and sum to 1 (3)",
                _conditionals_of_one_value_sum_to_one,
            ),
            Proof(
                f"{_NOTE}#over-which-index",
                "the means of such a draw come near 9/10 and 1/10 (4)",
                (Formula("(4)", _means_come_near_the_classes),),
                decides=False,
            ),
        ),
    ),
    Statement(
        id="ponnoprat2023.naive-bayes-axis-repaired",
        kind="repair",
        repairs="ponnoprat2023.naive-bayes-axis",
        where="Section 5.1",
        says="For each feature k and class j, a draw over the values c gives conditional laws that "
        "come near N_jc/N_j, with the same promise of privacy.",
        hypotheses=("N_j > 0",),
        note=_NOTE,
        evidence=(
            Proof(
                f"{_NOTE}#over-which-index",
                "they sum to 1, with means (r N_jc + alpha)/(r N_j + n alpha) (5)",
                (Formula("(5)", _means_come_near_the_conditionals),),
            ),
            _MOVED,
        ),
    ),
    Statement(
        id="ponnoprat2023.naive-bayes-privacy",
        kind="corollary",
        where="Section 5.1, end of the same paragraph; D2^2 = 2 and Dinf = 1",
        says="With every one of the K+1 tables at (lambda, epsilon/(K+1)) the released model is "
        "(lambda, epsilon)-Renyi private.",
        hypotheses=("one row is replaced", "all vectors of a table have the same r and alpha"),
        garbled="epsilon/K + 1 in one place, for epsilon/(K+1)",
        note=_NOTE,
        evidence=(_MOVED,),
    ),
    Statement(
        id="ponnoprat2023.bayesian-network-privacy",
        kind="corollary",
        where="Section 5.2, the paragraph after (12)",
        says="With every node's table at (lambda, epsilon/K) the released Bayesian network is "
        "(lambda, epsilon)-Renyi private.",
        hypotheses=(
            "one row is replaced",
            "vectors of all values of the parents are released, observed or not, as is written",
        ),
        note=_NOTE,
        evidence=(_MOVED,),
    ),
    Statement(
        id="ponnoprat2023.gaussian-baseline",
        kind="equation",
        where="Sections 5.1 and 5.2: noise N(0, lambda (K+1)/epsilon) and N(0, lambda K/epsilon)",
        says="All counts of K+1, or K, tables with Gaussian noise of that variance are "
        "(lambda, epsilon)-Renyi private.",
        hypotheses=("one row is replaced: two counts of a table change by 1 at most",),
        note=_NOTE,
        evidence=(
            Proof(
                f"{_NOTE}#noise",
                "a shift by h costs lambda |h|^2/(2 sigma^2), |h|^2 <= 2 in each table (6)",
                (Formula("(6)", _gaussian_budget_is_epsilon),),
            ),
        ),
    ),
    Statement(
        id="ponnoprat2023.laplace-baseline",
        kind="equation",
        where="Sections 5.1 and 5.2: Laplace noise calibrated to (lambda, epsilon/K)",
        says="All counts with that Laplace noise are (lambda, epsilon)-Renyi private.",
        garbled="epsilon/K in Section 5.1, where there are K+1 tables, may be epsilon/(K+1)",
        note=_NOTE,
        evidence=(
            NotDecidable(
                "the sensitivity that goes into the cited formula, 1 for a count or 2 for a table, "
                "is not stated"
            ),
        ),
        readings=(
            Reading(
                "each count of Section 5.1's K+1 tables costs exactly epsilon/K when it changes",
                (
                    Identity(
                        "two counts change in each table: the total 2 (K+1)/K epsilon is at most "
                        "epsilon (7)",
                        _laplace_budget_is_epsilon,
                    ),
                ),
            ),
        ),
    ),
    Statement(
        id="ponnoprat2023.random-guess",
        kind="remark",
        where="Section 5.1, the baseline",
        says="Guessing at random is (lambda, 0)-Renyi private.",
        note=_NOTE,
        evidence=(
            Proof(
                f"{_NOTE}#noise",
                "an output with the same law for all data has the divergence 0 (8)",
                (Formula("(8)", _equal_laws_do_not_differ),),
            ),
        ),
    ),
)


_EXPERIMENTS_NOTE = "ponnoprat2023/experiments.md"
_CASES, _SURE = 100, Fraction(99, 100)
_ORDER = 5


def _mean_loss(digits: int) -> Worked:
    """Enclose the mean cross-entropy of 99 cases at 0.99 and one at so small a power of ten."""
    wrong = Fraction(1, 10**digits)
    return worked(
        f"mean cross-entropy of 99 cases at 0.99 and one at 1e-{digits}",
        lambda: -((_CASES - 1) * ball(_SURE).log() + ball(wrong).log()) / _CASES,
        lambda: (
            (span(_CASES - 1) * (span(100).log() - span(99).log()) + span(digits) * span(10).log())
            / span(_CASES)
        ),
    )


def _guess() -> Worked:
    return worked(
        "cross-entropy of guessing between two classes, log 2",
        lambda: ball(2).log(),
        lambda: -span("1/2").log(),
    )


_NEARLY_ALL = {"99 of 100 are right": _CASES - 1 == 99}  # noqa: PLR2004

_EXPERIMENTS_STATEMENTS = (
    Statement(
        id="ponnoprat2023.accuracy-ratio",
        kind="number",
        where="Section 5.1, on the difference between the two metrics",
        says="With the true label 1 a predicted 0.1 costs almost three times the cross-entropy of "
        "a predicted 0.4.",
        note=_EXPERIMENTS_NOTE,
        evidence=(
            NotDecidable("almost is not quantified; the ratio is below three"),
            Instance("the ratio", cross_entropy_ratio(), "<", Exactly("3")),
        ),
        readings=(
            Reading(
                "almost three: three to the nearest whole number",
                (Reproduced("the ratio of the losses", "3", cross_entropy_ratio()),),
            ),
            Reading(
                "almost three: within a tenth of three",
                (Instance("the ratio", cross_entropy_ratio(), ">=", Exactly("2.9")),),
            ),
        ),
    ),
    Statement(
        id="ponnoprat2023.accuracy-against-loss",
        kind="remark",
        where="Section 5.1, the same paragraph",
        says="A model of high accuracy can have a relatively low cross-entropy loss where it is "
        "too sure of what it gets wrong.",
        hypotheses=("relatively low: below that of guessing; more cases reach any level",),
        note=_EXPERIMENTS_NOTE,
        evidence=(
            Instance(
                "(1) 99 of 100 right, a hundredth for the truth where it is wrong: the loss is "
                "below that of guessing",
                _mean_loss(2),
                "<",
                _guess(),
                _NEARLY_ALL,
                decides=True,
            ),
        ),
        readings=(
            Reading(
                "each such model has",
                (
                    Instance(
                        "99 of 100 right, the loss against that of guessing",
                        _mean_loss(100),
                        "<=",
                        _guess(),
                        _NEARLY_ALL,
                    ),
                ),
                beyond=True,
            ),
        ),
    ),
    Statement(
        id="ponnoprat2023.table-1",
        kind="number",
        where="Table 1",
        says="Instances, attributes, classes and shares of positives of eight public tables.",
        note=_EXPERIMENTS_NOTE,
        evidence=(NotDecidable("the data are not in the paper"),),
    ),
    Statement(
        id="ponnoprat2023.figures-4-5",
        kind="figure",
        where="Section 5.1, Figures 4 and 5; abstract, Section 6",
        says="On eight data sets the Dirichlet mechanism's cross-entropy is below that of noisy "
        "counts at equal (5, epsilon), near the non-private one on four; none wins in accuracy.",
        note=_EXPERIMENTS_NOTE,
        evidence=(
            NotDecidable(
                "data, split and bins are not in the paper, nor what is put in the place of noisy "
                "counts that are not positive, on which a logarithmic loss depends"
            ),
        ),
    ),
    Statement(
        id="ponnoprat2023.figure-7",
        kind="figure",
        where="Section 5.2, Figures 6 and 7; abstract, Section 6",
        says="On three data sets the Dirichlet mechanism's log-likelihoods differ substantially "
        "from those of noisy counts for epsilon < 1.",
        garbled="'less' here against 'larger' and 'higher' in the abstract and Section 6",
        note=_EXPERIMENTS_NOTE,
        evidence=(NotDecidable("data, networks' tables and split are not in the paper"),),
    ),
    Statement(
        id="ponnoprat2023.appendix-c",
        kind="figure",
        where="Appendix C, Figures 9, 10 and 11",
        says="At (epsilon-hat, 1e-5) the Dirichlet mechanism does better than gohari2020's "
        "guarantee in all experiments, and Laplace noise better than Gaussian.",
        note=_EXPERIMENTS_NOTE,
        evidence=(NotDecidable("data, lambda and gohari2020's parameters are not in the paper"),),
        readings=(
            Reading(
                "lambda = 5 as in Section 5: some r serves an epsilon-hat of 1",
                (
                    Instance(
                        "the infimum of (14) at lambda = 5, which should be below 1",
                        floor(_ORDER),
                        "<",
                        Exactly("1"),
                        {"lambda > 1": _ORDER > 1},
                    ),
                ),
            ),
        ),
    ),
)

STATEMENTS = (*_MODELS_STATEMENTS, *_EXPERIMENTS_STATEMENTS)
