"""Powers and indices in the sentences of a note, as the site shows them."""

from __future__ import annotations

from importlib import import_module

import pytest
from each import each_of
from site_pages import SITE

MINUS = "\N{MINUS SIGN}"
SHOWN = {
    "s^(M+1)/(1+s)": "s<sup>M+1</sup>/(1+s)",
    "e^(-(z_(j+1) - z_j))": "e<sup>-(z<sub>j+1</sub> - z<sub>j</sub>)</sup>",
    "M_j^c_j e^x": "M<sub>j</sub><sup>c<sub>j</sub></sup> e<sup>x</sup>",
    f"2^{MINUS}53, 2^{MINUS}(a+s) C": f"2<sup>{MINUS}53</sup>, 2<sup>{MINUS}(a+s)</sup> C",
    "P_n^(0, a-1)(u)": "P<sub>n</sub><sup>(0, a-1)</sup>(u)",
    "H_(e^x)(P, Q) < 1": "H<sub>e<sup>x</sup></sub>(P, Q) &lt; 1",
    "(1-r)^s": "(1-r)<sup>s</sup>",
    "s_i² = Var_i A, max_(i<j) |v|_1": (
        "s<sub>i</sub>² = Var<sub>i</sub> A, max<sub>i&lt;j</sub> |v|<sub>1</sub>"
    ),
    "p\u0303_i": "p\u0303<sub>i</sub>",
    "2y_t - u\N{PRIME}_i": "2y<sub>t</sub> - u\N{PRIME}<sub>i</sub>",
}
# A longer name is a parameter's; what could be read in two ways, or has no end, is left alone.
LEFT = [
    "eta_bar of delta_removed",
    "e^f(x)",
    "e^(unclosed",
    "a ^ b",
    "K_ and _j",
    "x_a_b",
    "E_iA",
    "x^2y",
]


@pytest.fixture(autouse=True)
def _site(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(SITE)


@each_of("written", SHOWN)
def test_powers_are_raised_and_indices_lowered(written: str) -> None:
    assert import_module("raised").raised(written) == SHOWN[written]


@each_of("written", LEFT)
def test_what_is_no_power_of_a_letter_stays_as_it_is(written: str) -> None:
    assert import_module("raised").raised(written) == written
