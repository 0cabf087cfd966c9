"""Claims to audit, made of text or of keys, and short ways to read what was found."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest
from simplexcert.certify import audit
from simplexcert.certify.audits.decision import Audit
from simplexcert.reference import Enclosure

Keys = dict[str, str | None]


@pytest.fixture
def audit_text(tmp_path: Path) -> Callable[[str], Audit]:
    """Audit the text of a claim file."""

    def run(text: str) -> Audit:
        file = tmp_path / "claim.toml"
        file.write_text(text, encoding="utf-8")
        return audit(file)

    return run


@pytest.fixture
def audit_keys(audit_text: Callable[[str], Audit]) -> Callable[[str, Keys], Audit]:
    """Audit a mechanism with these keys, those of [claim] among them; None leaves one out."""

    def run(mechanism: str, keys: Keys) -> Audit:
        given = {key: value for key, value in keys.items() if value is not None}
        said = {key: given.pop(key) for key in ("epsilon", "delta", "order") if key in given}
        lines = ["[release]", f'mechanism = "{mechanism}"']
        lines += [f"{key} = {value}" for key, value in given.items()]
        lines += ["[claim]", *(f"{key} = {value}" for key, value in said.items())]
        return audit_text("\n".join(lines))

    return run


@pytest.fixture
def rounds_to() -> Callable[[Enclosure | None, str], bool]:
    """Say whether both ends of an enclosure round to what is stated."""

    def run(enclosure: Enclosure | None, stated: str) -> bool:
        assert enclosure is not None
        mantissa = stated.split("e", maxsplit=1)[0]
        unit = Fraction(stated) / Fraction(mantissa) / 10 ** len(mantissa.split(".")[1])
        ends = (enclosure.lower, enclosure.upper)
        return all(2 * abs(Fraction(end) - Fraction(stated)) <= unit for end in ends)

    return run


@pytest.fixture
def statuses() -> Callable[[Audit], dict[str, str]]:
    """Return the status of each hypothesis."""
    return lambda found: {finding.statement: finding.status for finding in found.hypotheses}
