"""A scale of Laplace noise by OpenDP, which rounds its losses upward and says so."""

from __future__ import annotations

from importlib.metadata import version

from .libraries import ENTRY_SCALE, Imported


def entry_scale(lipschitz: float, epsilon: float) -> float:
    import opendp.prelude as dp

    dp.enable_features("contrib")
    space = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)
    found = dp.binary_search_param(
        lambda scale: dp.m.make_laplace(*space, scale=scale), d_in=lipschitz, d_out=epsilon, T=float
    )
    return float(found)


library = Imported(
    "OpenDP",
    "0.16.0",
    (ENTRY_SCALE,),
    {},
    slack="0",
    partial=True,
    functions={ENTRY_SCALE: entry_scale},
    installed=version("opendp"),
    module=__name__,
)
