"""In which of its parameters a quantity is monotone.

Only what proofs_notes/laws-of-answers.md has a proof of, over the whole domain or where a condition
holds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from .orders import CONTAINED, ENTRYWISE, NUMBERS, RELEASES, Order


def _everywhere(_point: Mapping[str, Any]) -> bool:
    return True


# The logarithm of a ratio near 1 is about the ratio less 1, which doubles know to 2^-53 at best and
# after a sum of many products to less: so much of it may be rounding.
NEAR_ONE = Fraction(1, 2**40)


@dataclass(frozen=True)
class Fact:
    """The quantity does not fall (``rises``), or does not rise, as the parameter goes up.

    ``floor`` is by how much two answers may be out of order, absolutely.
    """

    parameter: str
    rises: bool
    order: Order = NUMBERS
    where: Callable[[Mapping[str, Any]], bool] = _everywhere
    floor: Fraction = Fraction(0)


def _facts(
    rising: str = "",
    falling: str = "",
    *more: Fact,
) -> tuple[Fact, ...]:
    """Return the facts of numbers, whose names are given with spaces between, and more facts."""
    return (
        *(Fact(name, rises=True) for name in rising.split()),
        *(Fact(name, rises=False) for name in falling.split()),
        *more,
    )


def _step_has_room(shift: Callable[[Mapping[str, Any]], Fraction]) -> Callable[[Any], bool]:
    """Return whether eta + shift <= 1 - eta_bar - eta, where the printed epsilon rises with k."""

    def holds(point: Mapping[str, Any]) -> bool:
        eta, eta_bar = point["eta"], point.get("eta_bar", point["eta"])
        return bool(eta + shift(point) <= 1 - eta_bar - eta)

    return holds


def _with_room(shift: Callable[[Mapping[str, Any]], Fraction]) -> Fact:
    return Fact("k", rises=True, where=_step_has_room(shift))


def _more(parameter: str) -> Fact:
    """Return that more in a collection is never less, in whatever order."""
    return Fact(parameter, rises=True, order=CONTAINED)


def _each(parameter: str, *, rises: bool) -> Fact:
    return Fact(parameter, rises=rises, order=ENTRYWISE)


def _is_there(lag: str) -> Callable[[Mapping[str, Any]], bool]:
    """Return whether a side of a quilt is there: lag 0 says that it is absent."""
    return lambda point: bool(point[lag] > 0)


_LOSS_AT_A_SCALE = Fact("scale", rises=False, floor=NEAR_ONE)
_PAIR = "alpha epsilon delta"
_SCALE_OF_A_CHAIN = _facts("length", "epsilon width", _more("chains"))

_CERTIFICATE = _facts("", "beta grid_bits", _each("k", rises=False), _each("sizes", rises=True))

FACTS: Mapping[str, tuple[Fact, ...]] = {
    "dirichlet.profile.delta": _facts("step", "alpha epsilon"),
    "dirichlet.profile.epsilon": _facts("step", "alpha delta"),
    "dirichlet.profile.total_variation": _facts("step", "alpha"),
    "dirichlet.profile.renyi": _facts("step order", "alpha"),
    "dirichlet.profile.largest_order": _facts("alpha", "step"),
    "dirichlet.profile.step_for_dp": _facts(_PAIR),
    "dirichlet.profile.step_for_renyi": _facts("alpha epsilon", "order"),
    "dirichlet.add_remove.delta": _facts("step", "alpha epsilon"),
    "dirichlet.add_remove.epsilon": _facts("step", "alpha delta"),
    "dirichlet.add_remove.renyi": _facts("step order", "alpha"),
    "dirichlet.add_remove.step_for_dp": _facts(_PAIR),
    "dirichlet.add_remove.step_for_renyi": _facts("alpha epsilon", "order"),
    "dirichlet.composition.delta": _facts("", "epsilon", Fact("releases", True, RELEASES)),
    "dirichlet.composition.epsilon": _facts("", "delta", Fact("releases", True, RELEASES)),
    "dirichlet.tail.uniform": _facts("count rest gamma"),
    "dirichlet.tail.general": _facts("rest gamma", "", _more("alpha")),
    "dirichlet.identity.epsilon_bound": _facts(
        "", "eta eta_bar w gamma", _with_room(lambda point: point["b"] / 2)
    ),
    "dirichlet.identity.epsilon_simplified": _facts("b", "w gamma"),
    "dirichlet.identity.delta_bound": _facts("w gamma", "eta"),
    "dirichlet.identity.gamma": _facts("eta delta", "w"),
    "dirichlet.identity.k_for_dp": _facts("eta epsilon delta", "b"),
    "dirichlet.average.epsilon_bound": _facts(
        "", "eta eta_bar w gamma", _with_room(lambda point: point["b"] / (2 * point["N"]))
    ),
    "dirichlet.average.k_for_dp": _facts("eta N epsilon delta", "b"),
    "dirichlet.matrix.epsilon_bound": _facts(
        "", "eta eta_bar", _more("rows"), _with_room(lambda point: point["b"] / 2)
    ),
    "dirichlet.matrix.delta_bound": _facts("", "eta", _more("rows")),
    "dirichlet.matrix.delta": _facts("k b changed_rows", "eta epsilon"),
    "dirichlet.counts.epsilon_bound": _facts(
        "", "eta n gamma", _with_room(lambda point: Fraction(1, point["N"]))
    ),
    "dirichlet.counts.epsilon_minimum": _facts("", "n gamma"),
    "dirichlet.counts.delta_bound": _facts("n gamma", "eta"),
    "dirichlet.counts.gamma": _facts("eta delta", "n"),
    "dirichlet.counts.k_for_dp": _facts("eta epsilon delta"),
    "dirichlet.renyi.step": _facts("epsilon delta_inf", "delta2_squared"),
    "dirichlet.renyi.epsilon_bound": _facts("step delta2_squared", "delta_inf"),
    "dirichlet.renyi.epsilon_bound_alpha": _facts("order step delta2_squared delta_inf", "alpha"),
    "dirichlet.renyi.epsilon_sensitivity": _facts("order step delta2_squared delta_inf", "alpha"),
    "dirichlet.renyi.divergence": _facts("order"),
    "dirichlet.renyi.to_approximate_dp": _facts("epsilon", "delta"),
    "renyi.epsilon_for_dp": _facts("epsilon", "order delta"),
    "dirichlet.utility.variance": _facts("", "k"),
    "dirichlet.utility.variance_bound": _facts("", "k"),
    "dirichlet.utility.absolute_deviation": _facts("", "k"),
    "dirichlet.utility.absolute_deviation_bound": _facts("", "k"),
    "dirichlet.utility.expected_kl": _facts("", "k"),
    "dirichlet.utility.expected_kl_bound": _facts("N n", "k"),
    "dirichlet.utility.expected_kl_worst": _facts("n", "k eta"),
    "dirichlet.utility.kl_chernoff": _facts("", "eta"),
    "dirichlet.utility.kl_tail": _facts("", "eta"),
    "markov.certificate_ergodicity": _CERTIFICATE,
    "markov.certificate_stationary": _CERTIFICATE,
    "markov.expected_kl": _facts("", "", _each("k", rises=False)),
    "markov.model.delta": _facts("", "epsilon", _each("k", rises=True), _each("eta", rises=False)),
    "markov.model.epsilon": _facts("", "delta", _each("k", rises=True), _each("eta", rises=False)),
    "markov.model.renyi": _facts("order", "", _each("k", rises=True), _each("eta", rises=False)),
    "markov.model.delta_bound": _facts("", "", _each("gamma", rises=True)),
    "markov.model.epsilon_bound": _facts("", "", _each("gamma", rises=False)),
    "pufferfish.entry_scale": _facts("lipschitz", "epsilon"),
    "pufferfish.group_scale": _facts("lipschitz size", "epsilon"),
    "pufferfish.wasserstein_scale": _facts("", "epsilon"),
    "pufferfish.laplace_loss": (_LOSS_AT_A_SCALE,),
    "pufferfish.chain_loss": (_LOSS_AT_A_SCALE,),
    "pufferfish.network_loss": (_LOSS_AT_A_SCALE,),
    "pufferfish.instantiation_loss": (_LOSS_AT_A_SCALE,),
    "pufferfish.max_influence": tuple(
        Fact(lag, rises=False, where=_is_there(lag), floor=NEAR_ONE) for lag in ("left", "right")
    ),
    "pufferfish.quilt_scale_exact": _SCALE_OF_A_CHAIN,
    "pufferfish.quilt_scale_pieces": _facts("", "epsilon width", _more("chains"), _more("lengths")),
    "pufferfish.quilt_scale_two_state": _facts("high length", "low epsilon width"),
    "pufferfish.quilt_scale_approx": _facts("length", "pi_min gap epsilon"),
    "pufferfish.quilt_scale_approx_stationary": _facts("length", "pi_min gap epsilon"),
    "pufferfish.quilt_epsilon": _facts(
        "length", "width", _more("chains"), _each("scales", rises=False)
    ),
    "pufferfish.network_scale": _facts("", "epsilon width", _more("networks")),
    "pufferfish.network_epsilon": _facts(
        "", "width", _more("networks"), _each("scales", rises=False)
    ),
}
