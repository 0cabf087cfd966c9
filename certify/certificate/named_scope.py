"""The quantities that a certificate names, and the checks that each of them has to have.

Names that the registry got in a later version are not asked for; one that it does not know is an
error, and so is leaving one out that the version in question knew.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase

from ...reference.exact import shown
from ...reference.quantity import Quantity, quantities
from ..checks.judgement import rules_for
from ..checks.laws import laws_for
from .errors import AlgebraError
from .models import Check, Predicate, Scope

_Key = tuple[str, str]
# Released versions of this program with a smaller registry than today's. A certificate by any other
# version was made with at least the quantities that are known here, and names all that match.
SMALLER_REGISTRIES: frozenset[str] = frozenset()


def require_named_scope(predicate: Predicate) -> None:
    """Require every obligatory check of every name, and no others, run where they can be.

    Raises AlgebraError.
    """
    named = _named(predicate.scope)
    if predicate.tool.version not in SMALLER_REGISTRIES:
        _require_all_that_match(predicate.scope)
    checks: dict[_Key, Check] = {(one.quantity, one.check): one for one in predicate.checks}
    obligatory = {key for quantity in named.values() for key in _obligatory(quantity)}
    # A promise of accuracy is checked where the backend makes one.
    promised = {(name, "accuracy") for name in named}
    for name, check in sorted(set(checks) - obligatory - promised):
        raise AlgebraError(f"the check {name}, {check} is not in scope")
    for name, check in sorted(obligatory - set(checks)):
        raise AlgebraError(f"the check {name}, {check} is missing")
    for quantity in named.values():
        _require_run_together(quantity, named, checks)
        _require_one_accuracy(quantity, checks)


def _named(scope: Scope) -> dict[str, Quantity]:
    """Return the quantities by the names of a scope, which stand in order and match its glob."""
    if scope.names != sorted(set(scope.names)):
        raise AlgebraError("a name of the scope stands twice, or they are not in order")
    known = quantities()
    for name in scope.names:
        if name not in known:
            raise AlgebraError(f"the scope names {shown(name)}, which is no quantity that is known")
        if not fnmatchcase(name, scope.quantities):
            raise AlgebraError(f"the scope names {name}, which {scope.quantities} does not match")
    return {name: known[name] for name in scope.names}


def _require_all_that_match(scope: Scope) -> None:
    for name in quantities(scope.quantities):
        if name not in scope.names:
            raise AlgebraError(f"the scope does not name {name}, which {scope.quantities} matches")


def _obligatory(quantity: Quantity) -> Iterator[_Key]:
    yield quantity.name, _main(quantity)
    for law in laws_for(quantity):
        yield quantity.name, law.check


def _main(quantity: Quantity) -> str:
    """Return the check against the truth that no backend is spared."""
    return rules_for(quantity, {}, {})[0].check


def _require_run_together(
    quantity: Quantity, named: Mapping[str, Quantity], checks: Mapping[_Key, Check]
) -> None:
    """Require that a law was run where all that it needs was answered, and nowhere else.

    Of a quantity that the scope does not name it is not known whether the backend answers it.
    """
    asked = {name: checks[name, _main(item)].cases > 0 for name, item in named.items()}
    accuracy = checks.get((quantity.name, "accuracy"))
    if accuracy and (accuracy.cases > 0) != asked[quantity.name]:
        raise AlgebraError(f"{quantity.name}: only one of its checks was run")
    for law in laws_for(quantity):
        needed = [quantity.name, *law.needs(quantity)]
        run = checks[quantity.name, law.check].cases > 0
        may_run = all(asked.get(name, True) for name in needed)
        must_run = all(asked.get(name, False) for name in needed)
        if (run and not may_run) or (must_run and not run):
            raise AlgebraError(
                f"{quantity.name}, {law.check}: it was {'' if run else 'not '}run, which does not "
                "go with what the backend answers"
            )


def _require_one_accuracy(quantity: Quantity, checks: Mapping[_Key, Check]) -> None:
    """Require that laws are widened by the accuracy that is promised and checked, no other."""
    checked = checks.get((quantity.name, "accuracy"))
    promised = checked.accuracy if checked else None
    for law in laws_for(quantity):
        if checks[quantity.name, law.check].accuracy != promised:
            raise AlgebraError(
                f"{quantity.name}, {law.check}: its accuracy is not the one that is checked"
            )
