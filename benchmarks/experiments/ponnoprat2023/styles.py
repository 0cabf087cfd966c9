"""How a way is drawn: a colour for what is drawn, a kind of line for the floor."""

from __future__ import annotations

from typing import Any

from .ways import AT_ORDER, DIRICHLET, FLOORS, NOISES, TIGHT, Form, Way, noise_label

_COLOURS = {DIRICHLET: "tab:blue", AT_ORDER: "tab:cyan", TIGHT: "tab:orange"}
_NOISE_COLOURS, _LINES = ("tab:green", "tab:red"), (":", "--", "-.")
_STYLES = {label: (colour, "-") for label, colour in _COLOURS.items()} | {
    noise_label(method, floor): (colour, line)
    for method, colour in zip(NOISES, _NOISE_COLOURS, strict=True)
    for floor, line in zip(FLOORS, _LINES, strict=True)
}


def style_of(way: Way) -> dict[str, Any]:
    """Return the colour and the kind of line of a way."""
    colour, line = _STYLES[way.label]
    return {"color": colour, "linestyle": line, "label": way.label}


def plotted(way: Way) -> bool:
    """Whether a way is drawn: one whose laws are laws."""
    return way.form is Form.USUAL
