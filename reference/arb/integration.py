"""The only door to `acb.integral`, guarded against its three silent failures.

FLINT integrates an analytic function with a proved error, provided that the callback admits when
it is *not* analytic on the box it was given. A callback that evaluates a power, a logarithm or
log-Gamma across its branch cut and says nothing gets a tight and wrong answer: the integral of
x**0.5 over [0, 1] comes out as 0.673887. So the functions with cuts are handed to the integrand
here, and they answer NaN exactly when FLINT asks for analyticity and the box meets the cut.
Besides, an exception in the callback would surface as SystemError, and an integral that did not
converge as a wide ball; the first is raised again as what it was, the second stays wide and the
precision ladder calls it undecided.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from flint import acb, arb, ctx

from ..precision import check_budget

# Bounds of one call, so that a hopeless integrand comes back wide instead of not at all.
_MAX_EVALUATIONS = 200_000
_MAX_DEPTH = 4_000


@dataclass(frozen=True)
class Cuts:
    """The functions with branch cuts, aware of whether analyticity is being asked for."""

    analytic: bool

    def log(self, argument: acb) -> acb:
        """Principal logarithm; cut along (-inf, 0]."""
        return argument.log(analytic=self.analytic)

    def power(self, base: acb, exponent: arb) -> acb:
        """Principal power; cut along (-inf, 0]."""
        return base.pow(acb(exponent), analytic=self.analytic)

    def square_root(self, argument: acb) -> acb:
        """Principal square root; cut along (-inf, 0]."""
        return argument.sqrt(analytic=self.analytic)


Integrand: TypeAlias = Callable[[acb, Cuts], acb]


def integrate(integrand: Integrand, low: arb, high: arb, tolerance_bits: int | None = None) -> arb:
    """Enclose the real part of the integral over [low, high].

    The integrand must be built from entire or meromorphic operations and the functions of
    ``Cuts`` alone. Singular ends must be substituted or cut off by the caller, with a proved
    bound on what is cut. ``tolerance_bits``, by default the working precision, says when to stop;
    more precision than that is for integrands that cancel. The answer is wide, never wrong,
    where the integral does not converge.
    """
    failure: list[BaseException] = []
    tolerance = arb(2) ** -(ctx.prec if tolerance_bits is None else tolerance_bits)

    def guarded(point: acb, analytic: bool) -> acb:
        # FLINT goes on after an exception, for as long as it likes; nothing left to do ends it.
        if failure:
            return acb(0)
        try:
            check_budget()
            return integrand(point, Cuts(analytic))
        except BaseException as error:  # noqa: BLE001 (raised below)
            failure.append(error)
            return acb(0)

    value = acb.integral(
        guarded,
        acb(low),
        acb(high),
        rel_tol=tolerance,
        abs_tol=tolerance,
        eval_limit=_MAX_EVALUATIONS,
        depth_limit=_MAX_DEPTH,
    )
    if failure:
        raise failure[0]
    return value.real
