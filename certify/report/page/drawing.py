"""Plots as pieces of SVG that may stand inside a page: no style of their own, no request.

Matplotlib draws; its output is then cleaned. Styles become attributes, so that the page's
Content-Security-Policy can forbid every style but its own sheet; references to other addresses go.

Colours are named for their meaning, in daylight and in the dark. Text has a contrast of at least
4.5 to 1 to its ground, and drawings of 3 to 1 (WCAG 2.2, 1.4.3 and 1.4.11); a test computes both.
"""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

# What is parsed is what was drawn here, never a file from outside.
from xml.etree import ElementTree as ET

from ...extras import drawing_library, require_plots
from ...pictures import undated

if TYPE_CHECKING:
    from matplotlib.axes import Axes


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
    """Return the rules that recolour everything drawn in one colour in the dark."""
    return "".join(
        f'svg [{what}="{LIGHT[name]}"]{{{what}:var(--{name})}}' for what in ("fill", "stroke")
    )


# The drawing scales with the page. It is 360 units wide, a phone's width, so that text of eleven
# units stays readable there.
_INCHES = (5.0, 4.4)
_SVG = "{http://www.w3.org/2000/svg}"
_LINK = "{http://www.w3.org/1999/xlink}href"
# The page's own sheet chooses the font; it is measured in one that is wide.
_DROPPED_STYLES = ("font-family",)


@dataclass(frozen=True)
class Picture:
    """A plot, and its content in words and in numbers."""

    title: str
    description: str
    svg: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...] = ()


def drawn(name: str, draw: Callable[[Axes], None], title: str, description: str) -> str:
    """Return the SVG of what ``draw`` puts on its axes; the same drawing gives the same text.

    ``name`` begins every identifier in it. A user's own matplotlib settings play no part.
    """
    require_plots("a report")
    mpl = drawing_library()
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    with mpl.rc_context(), undated():
        mpl.rcdefaults()
        mpl.rcParams.update(_settings(name))
        figure = Figure(_INCHES, layout="constrained")
        FigureCanvasSVG(figure)
        draw(figure.subplots())
        text = io.StringIO()
        figure.savefig(text, format="svg", metadata={"Date": None, "Creator": None})
    return embedded(text.getvalue(), name, title, description)


def _settings(salt: str) -> Any:
    """Return matplotlib's settings for a drawing; it types more keys than can be written here."""
    ink = LIGHT["ink"]
    return {
        "svg.hashsalt": salt,
        "svg.fonttype": "none",  # text stays text: it can be searched, and scales
        "text.parse_math": False,
        "font.size": 11,
        "text.color": ink,
        "axes.edgecolor": ink,
        "axes.labelcolor": ink,
        "xtick.color": ink,
        "ytick.color": ink,
        "axes.facecolor": LIGHT["background"],
        "figure.facecolor": LIGHT["background"],
        "axes.grid": True,
        "grid.color": LIGHT["grid"],
        "axes.axisbelow": True,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "legend.frameon": False,
    }


def legend_below(axes: Axes) -> None:
    """Put the legend under the plot, one entry a line, where it hides nothing."""
    axes.legend(loc="upper left", bbox_to_anchor=(-0.05, -0.17), borderaxespad=0, handlelength=1.6)


def embedded(text: str, name: str, title: str, description: str) -> str:
    """Return an SVG of matplotlib's as a piece of a page, its identifiers after ``name``."""
    ET.register_namespace("", _SVG.strip("{}"))
    root = ET.fromstring(text)  # noqa: S314
    _strip(root)
    _with_attributes_for_styles(root)
    _painted_where_it_is_used(root)
    _with_identifiers_of_its_own(root, name)
    for size in ("width", "height", "version"):
        root.attrib.pop(size, None)
    root.attrib.update({"role": "img", "aria-labelledby": f"{name}-title {name}-description"})
    for place, (what, said) in enumerate((("title", title), ("desc", description))):
        element = ET.Element(f"{_SVG}{what}")
        element.set("id", f"{name}-{'title' if what == 'title' else 'description'}")
        element.text = said
        root.insert(place, element)
    return ET.tostring(root, encoding="unicode")


def _strip(root: ET.Element) -> None:
    """Drop metadata, which names other sites, and the style sheet, which would be the page's."""
    root.attrib.update({"stroke-linejoin": "round", "stroke-linecap": "butt"})
    for parent in list(root.iter()):
        for child in list(parent):
            if child.tag in (f"{_SVG}metadata", f"{_SVG}style"):
                parent.remove(child)


def _with_attributes_for_styles(root: ET.Element) -> None:
    for element in root.iter():
        declarations = element.attrib.pop("style", "")
        for declaration in filter(None, map(str.strip, declarations.split(";"))):
            key, _, value = declaration.partition(":")
            if key.strip() not in _DROPPED_STYLES:
                element.set(key.strip(), value.strip())


def _painted_where_it_is_used(root: ET.Element) -> None:
    """Let each copy of a marker have its own paint: no rule for the page reaches the one copied.

    A copy inherits what it lacks from the element that copies it, which a rule does reach.
    """
    painted: dict[str, set[str]] = {}
    for copy in root.iter(f"{_SVG}use"):
        own = {"fill", "stroke"}.intersection(copy.keys())
        painted.setdefault(copy.get(_LINK, "")[1:], own).intersection_update(own)
    for shape in root.iter(f"{_SVG}path"):
        for paint in painted.get(shape.get("id", ""), ()):
            shape.attrib.pop(paint, None)


# Where an identifier is used: as a link, or as url(#...) in one of these.
_REFERRING: Final = ("clip-path", "fill", "stroke", "mask")


def _with_identifiers_of_its_own(root: ET.Element, name: str) -> None:
    """Keep the identifiers that are used, after ``name``; drop the others."""
    used: set[str] = set()
    for element in root.iter():
        link = element.attrib.pop(_LINK, None)
        if link is not None:
            used.add(link[1:])
            element.set("href", f"#{name}-{link[1:]}")
        for key in _REFERRING:
            value = element.get(key, "")
            if value.startswith("url(#"):
                used.add(value[5:-1])
                element.set(key, f"url(#{name}-{value[5:-1]})")
    for element in root.iter():
        own = element.attrib.pop("id", None)
        if own in used:
            element.set("id", f"{name}-{own}")
