"""The colours of a report, named for what they stand for, in daylight and in the dark.

Text keeps a contrast of at least 4.5 to 1 to what it stands on, and what is drawn 3 to 1 (WCAG 2.2,
1.4.3 and 1.4.11); a test works both out.
"""

from __future__ import annotations

from typing import Final

LIGHT: Final = {
    "background": "#ffffff",
    "panel": "#f4f6f9",
    "rule": "#c9ced6",
    "ink": "#1a2230",
    "muted": "#4b5563",
    "link": "#1a44c2",
    "certified": "#0b5d33",
    "certified-ground": "#e3f4ea",
    "refuted": "#9b1c1c",
    "refuted-ground": "#fdeaea",
    "open": "#754800",
    "open-ground": "#fdf3d8",
    "curve": "#1d4ed8",
    "printed": "#b45309",
    "claimed": "#0f172a",
    "excluded": "#f6d5d5",
    "grid": "#e5e8ed",
}
DARK: Final = {
    "background": "#11161f",
    "panel": "#1a212d",
    "rule": "#3a4454",
    "ink": "#e6e9ef",
    "muted": "#a9b2c0",
    "link": "#8ab4ff",
    "certified": "#7fe0a8",
    "certified-ground": "#0f2e1f",
    "refuted": "#ffa3a3",
    "refuted-ground": "#3a1517",
    "open": "#f5cf7a",
    "open-ground": "#33270b",
    "curve": "#7fa8ff",
    "printed": "#f0a35e",
    "claimed": "#f3f4f6",
    "excluded": "#4a2326",
    "grid": "#2c3544",
}
# What a plot is drawn with. Each has a colour of its own, by which a style sheet finds it again.
DRAWN: Final = (
    "background",
    "ink",
    "refuted",
    "curve",
    "printed",
    "claimed",
    "excluded",
    "grid",
)


def colour_rules() -> str:
    """Return the style sheet's part that names the colours; print keeps those of daylight."""
    dark = _variables(DARK) + "".join(map(_recoloured, DRAWN))
    return f"{_variables(LIGHT)}@media screen and (prefers-color-scheme:dark){{{dark}}}"


def _variables(colours: dict[str, str]) -> str:
    return ":root{" + "".join(f"--{name}:{value};" for name, value in colours.items()) + "}"


def _recoloured(name: str) -> str:
    """Return the rules that give what was drawn in one colour another one in the dark."""
    return "".join(
        f'svg [{what}="{LIGHT[name]}"]{{{what}:var(--{name})}}' for what in ("fill", "stroke")
    )
