"""Answers about chains in float64, each under the name of its quantity."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from . import certificate, chain, ergodicity, structure

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..elementwise import Answering

ANSWERS: Mapping[str, Answering] = MappingProxyType(
    {
        "markov.certificate_ergodicity": certificate.certificate_ergodicity,
        "markov.certificate_stationary": certificate.certificate_stationary,
        "markov.communicating_classes": structure.communicating_classes,
        "markov.condition_number": chain.condition_number,
        "markov.dobrushin_coefficient": ergodicity.dobrushin_coefficient,
        "markov.ergodicity_coefficient": ergodicity.ergodicity_coefficient,
        "markov.fundamental": chain.fundamental,
        "markov.fundamental_norm": chain.fundamental_norm,
        "markov.group_inverse": chain.group_inverse,
        "markov.period": structure.period,
        "markov.stationary": chain.stationary,
        "markov.stationary_distance": chain.stationary_distance,
    }
)
