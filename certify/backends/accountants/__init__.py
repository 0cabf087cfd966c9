"""The accountants that people use, as backends ``third-party:NAME``; none of them is required.

Each is a thin adapter: it hands a quantity's parameters to the library as its documentation says,
and the answer back, with nothing added or rounded. A quantity's direction is what the library says
of it: a bound that holds is ``upper`` or ``lower``, what it calls an approximation, or finds to a
tolerance, is an ``estimate``. Nothing is imported here: a library runs in a process of its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from types import MappingProxyType
from typing import Final

from ....reference.errors import InputError, UnknownNameError

THIRD_PARTY: Final = "third-party:"


@dataclass(frozen=True)
class ThirdParty:
    """Where an accountant's adapter is, the package that it imports, and what brings that."""

    location: str
    package: str
    distribution: str


def _of(package: str, distribution: str, **found: str) -> dict[str, ThirdParty]:
    module = f"{__name__}.{package}"
    return {
        name.replace("_", "-"): ThirdParty(f"{module}:{attribute}", package, distribution)
        for name, attribute in found.items()
    }


ACCOUNTANTS: Final[Mapping[str, ThirdParty]] = MappingProxyType(
    {
        **_of("autodp", "autodp", autodp="backend"),
        **_of("diffprivlib", "diffprivlib", diffprivlib="analytic", diffprivlib_classic="classic"),
        **_of(
            "dp_accounting",
            "dp-accounting",
            dp_accounting_rdp="rdp",
            dp_accounting_pld="pld",
            dp_accounting_pld_optimistic="optimistic",
            dp_accounting_gaussian="gaussian",
        ),
        **_of("opacus", "opacus", opacus_rdp="rdp", opacus_gdp="gdp", opacus_prv="prv"),
        **_of("opendp", "opendp", opendp="backend"),
        **_of(
            "prv_accountant",
            "prv-accountant",
            prv_accountant="upper",
            prv_accountant_lower="lower",
        ),
    }
)


def accountant_named(where: str) -> ThirdParty:
    """Return what ``third-party:NAME`` names. Raises InputError where it is not installed."""
    name = where.removeprefix(THIRD_PARTY)
    found = ACCOUNTANTS.get(name)
    if found is None:
        raise UnknownNameError("accountant", name, ACCOUNTANTS, f"(a name after {THIRD_PARTY})")
    if find_spec(found.package) is None:
        raise InputError(
            f"{where} needs {found.package}, which is not installed here: "
            f"pip install {found.distribution}"
        )
    return found
