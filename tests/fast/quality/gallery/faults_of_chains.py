"""Faults in Markov chains and in Pufferfish mechanisms."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .entries import Answer, Entry, fault, faulty, up, valid

STATIONARY = "markov.stationary"
INFLUENCE = "pufferfish.max_influence"
QUILT_EXACT = "pufferfish.quilt_scale_exact"
QUILT_APPROX = "pufferfish.quilt_scale_approx"


@fault(STATIONARY, "a row of the 100th power, whether that has converged or not")
def stationary_by_power(_right: Answer, P: Any) -> Any:
    return np.linalg.matrix_power(np.asarray(P), 100)[0].tolist()


@fault(STATIONARY, "a right eigenvector: mean of the columns")
def stationary_of_columns(_right: Answer, P: Any) -> Any:
    return np.mean(np.asarray(P), axis=0).tolist()


@fault(STATIONARY, "float32")
def stationary_float32(right: Answer, P: Any) -> Any:
    return np.asarray(right(P=P), dtype=np.float32).astype(float).tolist()


@fault("markov.fundamental", "I - P - 1 pi for I - P + 1 pi")
def fundamental_minus(_right: Answer, P: Any) -> Any:
    return _inverse(P, -1)


@fault("markov.fundamental", "float32")
def fundamental_float32(right: Answer, P: Any) -> Any:
    return np.asarray(right(P=P), dtype=np.float32).astype(float).tolist()


@fault("markov.group_inverse", "1 pi not taken off: the fundamental matrix")
def group_inverse_fundamental(_right: Answer, P: Any) -> Any:
    return _inverse(P, 1)


@fault("markov.group_inverse", "the pseudoinverse, which is another inverse")
def group_inverse_pseudo(_right: Answer, P: Any) -> Any:
    matrix = np.asarray(P)
    return np.linalg.pinv(np.eye(len(matrix)) - matrix).tolist()


def _inverse(P: Any, sign: int) -> Any:
    from simplexcert.certify.backends.float64 import backend

    matrix = np.asarray(P)
    law = np.asarray(backend.quantities[STATIONARY](P=P))
    return np.linalg.inv(
        np.eye(len(matrix)) - matrix + sign * np.outer(np.ones(len(law)), law)
    ).tolist()


@fault("markov.ergodicity_coefficient", "rows for columns")
def ergodicity_of_rows(right: Answer, P: Any) -> float:
    return right(P=[list(column) for column in zip(*P, strict=True)])


@fault("markov.dobrushin_coefficient", "the least distance of two rows for the largest")
def dobrushin_least(_right: Answer, P: Any) -> float:
    rows = np.asarray(P)
    pairs = ((a, b) for at, a in enumerate(rows) for b in rows[:at])
    return float(min(abs(a - b).sum() / 2 for a, b in pairs))


@fault("markov.condition_number", "the 1-norm without its half")
def condition_number_doubled(right: Answer, P: Any) -> float:
    return 2 * right(P=P)


@fault("markov.stationary_distance", "the 1-norm without its half")
def stationary_distance_doubled(right: Answer, **given: Any) -> float:
    return 2 * right(**given)


@fault("markov.period", "a loop means period 1, and so does anything else")
def period_always_one(_right: Answer, P: Any) -> int:  # noqa: ARG001
    return 1


@fault("markov.communicating_classes", "entries below 1e-4 are taken for 0")
def classes_with_a_threshold(right: Answer, P: Any) -> int:
    return right(P=[[entry if entry > 1e-4 else 0.0 for entry in row] for row in P])


@fault("pufferfish.eigengap", "eigenvalues of modulus 1 filtered, however many there are")
def eigengap_filtered(right: Answer, P: Any) -> float:
    from simplexcert.certify.backends.float64 import backend

    matrix = np.asarray(P)
    law = np.asarray(backend.quantities[STATIONARY](P=P))
    if min(law) <= 0:
        return right(P=P)
    reverse = (matrix * law[:, None]).T / law[:, None]
    moduli = abs(np.linalg.eigvals(matrix @ reverse))
    below = [value for value in moduli if value < 1 - 1e-9]
    return max(1 - max(below, default=0.0), right(P=P))


@fault("pufferfish.eigengap_reversible", "twice the gap's own double")
def eigengap_doubled(right: Answer, P: Any) -> float:
    return 2 * right(P=P)


@fault("pufferfish.stationary_minimum", "rounded up, where less is safe")
def stationary_minimum_rounded_up(right: Answer, P: Any) -> float:
    return right(P=P) * (1 + 1e-9)


@fault("pufferfish.max_divergence", "points that q cannot give are left out: never infinite")
def divergence_without_infinity(_right: Answer, p: Any, q: Any) -> float:
    ratios = [math.log(a / b) for a, b in zip(p, q, strict=True) if a and b]
    return math.nextafter(max([0.0, *ratios]) * (1 + 1e-12), 1)


@fault("pufferfish.max_divergence", "the largest absolute difference of probabilities")
def divergence_as_distance(_right: Answer, p: Any, q: Any) -> float:
    return max(abs(a - b) for a, b in zip(p, q, strict=True))


@fault("pufferfish.closeness", "one way alone")
def closeness_one_way(right: Answer, p: Any, q: Any, secrets: Any) -> float:
    from simplexcert.certify.backends.float64 import backend

    def conditional(law: Any, secret: Any) -> Any:
        part = [law[at - 1] for at in secret]
        return [share / sum(part) for share in part] if sum(part) else None

    found = [0.0]
    for secret in secrets:
        first, second = conditional(p, secret), conditional(q, secret)
        if first is None or second is None:
            return right(p=p, q=q, secrets=secrets)
        found.append(backend.quantities["pufferfish.max_divergence"](p=first, q=second))
    return max(found) * (1 + 1e-9)


@fault(INFLUENCE, "the right side alone, where there is one")
def influence_right_side(answer: Answer, /, **given: Any) -> float:
    return answer(**{**given, "left": 0 if given["right"] else given["left"]})


@fault(INFLUENCE, "left and right the wrong way round")
def influence_swapped(answer: Answer, /, left: int, right: int, **rest: Any) -> float:
    return valid(
        answer(left=right, right=left, **rest), lambda: answer(left=left, right=right, **rest)
    )


@fault(QUILT_EXACT, "the first chain alone for the class")
def quilt_first_chain(right: Answer, chains: Any, **rest: Any) -> float:
    return right(chains=chains[:1], **rest)


@fault(QUILT_EXACT, "the stationary law for any initial law")
def quilt_from_stationary(right: Answer, chains: Any, **rest: Any) -> float:
    found = right(chains=[{**chain, "initial": "stationary"} for chain in chains], **rest)
    return valid(found, lambda: right(chains=chains, **rest))


@fault(QUILT_APPROX, "the middle node for the worst of all: half the length")
def quilt_half_the_length(right: Answer, length: int, **rest: Any) -> float:
    return right(length=(length + 1) // 2, **rest)


@fault(QUILT_APPROX, "the gap doubled, as for reversible chains")
def quilt_gap_doubled(right: Answer, gap: float, **rest: Any) -> float:
    return right(gap=min(2 * gap, 2.0), **rest)


@fault("pufferfish.quilt_epsilon", "the largest of the releases for their sum")
def quilt_epsilon_of_one(right: Answer, scales: Any, **rest: Any) -> float:
    return right(scales=[min(scales)], **rest)


@fault("pufferfish.wasserstein", "the 1-Wasserstein distance, a mean, for the largest move")
def wasserstein_mean(_right: Answer, mu: Any, nu: Any) -> float:
    from scipy.stats import wasserstein_distance

    return float(wasserstein_distance(mu["points"], nu["points"], mu["mass"], nu["mass"]))


@fault("pufferfish.wasserstein", "laws of more than five points in single precision")
def wasserstein_of_many_points(right: Answer, mu: Any, nu: Any) -> float:
    found = right(mu=mu, nu=nu)
    return float(np.float32(found)) if len(mu["points"]) > 5 else found


@fault("pufferfish.wasserstein", "points taken in the order they are given in, unsorted")
def wasserstein_unsorted(right: Answer, mu: Any, nu: Any) -> float:
    if len(mu["points"]) != len(nu["points"]) or mu["mass"] != nu["mass"]:
        return right(mu=mu, nu=nu)
    return max(abs(a - b) for a, b in zip(mu["points"], nu["points"], strict=True)) / 2


@fault("pufferfish.wasserstein_scale", "a mechanism that adds no noise")
def wasserstein_no_noise(_right: Answer, **given: Any) -> float:  # noqa: ARG001
    return 0.0


@fault("pufferfish.laplace_loss", "one way alone: mu against nu at mu's points")
def laplace_loss_one_way(_right: Answer, mu: Any, nu: Any, scale: float) -> float:
    points = np.asarray(mu["points"])

    def density(law: Any) -> Any:
        away = abs(points[:, None] - np.asarray(law["points"])[None, :])
        return np.exp(-away / scale) @ np.asarray(law["mass"])

    with np.errstate(all="ignore"):
        found = float(np.nanmax(np.log(density(mu) / density(nu))))
    return valid(max(found, 0.0) * (1 + 1e-9), lambda: _right(mu=mu, nu=nu, scale=scale))


@fault("pufferfish.laplace_delta", "one order alone: mu against nu")
def laplace_delta_one_order(right: Answer, mu: Any, nu: Any, scale: float, epsilon: float) -> float:
    grid = np.linspace(-60.0, 60.0, 4001)

    def density(law: Any) -> Any:
        away = abs(grid[:, None] - np.asarray(law["points"])[None, :])
        return np.exp(-away / scale) @ np.asarray(law["mass"]) / (2 * scale)

    if not 0.1 <= scale <= 1.0 or np.abs([*mu["points"], *nu["points"]]).max() > 40:
        return right(mu=mu, nu=nu, scale=scale, epsilon=epsilon)
    more = np.maximum(density(mu) - math.exp(min(epsilon, 700.0)) * density(nu), 0.0)
    return float(more.sum() * (grid[1] - grid[0]) * 1.05 + 1e-6)


@fault("pufferfish.gaussian_delta", "a shift by the means' distance for the two laws")
def gaussian_delta_of_means(right: Answer, mu: Any, nu: Any, scale: float, epsilon: float) -> float:
    means = [float(np.dot(law["points"], law["mass"])) for law in (mu, nu)]
    apart = [{"points": [mean], "mass": [1.0]} for mean in means]
    return right(mu=apart[0], nu=apart[1], scale=scale, epsilon=epsilon)


@fault("pufferfish.gaussian_quilt_renyi", "the last of the releases for all of them", cases=40)
def gaussian_quilt_renyi_of_one(right: Answer, scales: Any, **rest: Any) -> float:
    return right(scales=scales[-1:], **rest)


@fault(
    "pufferfish.quilt_scale_contraction", "the largest ratio for the largest cross-ratio", cases=40
)
def contraction_by_ratio_alone(right: Answer, ratio: float, cross: float, **rest: Any) -> float:
    return right(ratio=ratio, cross=min(ratio, cross), **rest)


@fault("pufferfish.network_influence", "a set tells what its nodes tell one by one", cases=40)
def influences_added(right: Answer, quilt: Any, **rest: Any) -> float:
    return sum(right(quilt=[one], **rest) for one in quilt)


@fault("pufferfish.group_scale", "one entry's scale for a group's")
def group_of_one(right: Answer, size: int, **rest: float) -> float:
    return right(size=min(size, 1), **rest)


@fault("pufferfish.entry_scale", "L/epsilon in double arithmetic, rounded as it comes")
def entry_scale_rounded(_right: Answer, lipschitz: float, epsilon: float) -> float:
    return lipschitz / epsilon


@fault("pufferfish.gk16_scale", "the least of the chains for the largest", cases=100)
def gk16_least_chain(right: Answer, chains: Any, **rest: Any) -> float:
    return min(right(chains=[chain], **rest) for chain in chains)


@fault("pufferfish.chain_loss", "the scale doubled: L1 sensitivity of two entries")
def chain_loss_doubled_scale(right: Answer, scale: float, **rest: Any) -> float:
    return right(scale=2 * scale, **rest)


@fault("pufferfish.quilt_scale_two_state", "the two ends of the range, not every corner")
def two_state_one_end(right: Answer, low: float, high: float, **rest: Any) -> float:
    return right(low=low, high=low, **rest) if low < high else right(low=low, high=high, **rest)


def _bounds_nothing(label: str, quantity: str) -> None:
    """Put a backend on the shelf that answers 0 for a bound on a distance."""
    faulty.put(Entry(label, {quantity: lambda **_: 0.0}, f"0 for {quantity}", cases=40))


_bounds_nothing("lemma_5_of_nothing", "markov.benvenuti2025.lemma_5")
_bounds_nothing("largest_deviation_of_nothing", "markov.largest_deviation_bound")
_bounds_nothing("largest_square_of_nothing", "markov.largest_deviation_square_bound")
_bounds_nothing("theorem_5_of_nothing", "markov.benvenuti2025.theorem_5")
_LEMMA_8 = "markov.benvenuti2025.lemma_8"
faulty.put(
    Entry(
        "lemma_8_doubled",
        {_LEMMA_8: lambda **given: 2 * up(_LEMMA_8, **given)},
        "twice the bound below, which is beyond the deviation itself for a small k",
        cases=40,
    )
)
