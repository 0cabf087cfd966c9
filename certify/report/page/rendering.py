"""Fill a page: everything that a certificate says is shown as text, whatever it contains.

A page holds no script and asks for nothing: its Content-Security-Policy admits one style sheet, the
one that it carries, by its digest.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Final

import jinja2
from markupsafe import Markup, escape

from ..visible import visible
from .palette import colour_rules

_TEMPLATES: Final = "templates"


def rendered(template: str, context: Mapping[str, Any]) -> bytes:
    """Return a page made from a template; the same context gives the same bytes."""
    style = _style()
    page = _environment().get_template(template)
    text = page.render(**context, style=Markup(style), style_digest=_digest(style))  # noqa: S704
    return text.encode("utf-8", errors="backslashreplace")


def dotted(name: object) -> Markup:
    """Return a name that a narrow column may break between its parts, escaped."""
    text = escape(visible(str(name)))
    for mark in "._/":
        text = text.replace(mark, Markup("{}<wbr>").format(mark))
    return text


def as_markup(svg: str) -> Markup:
    """Return a drawing as a part of the page; drawings are made here and escape what they say."""
    return Markup(svg)  # noqa: S704


@cache
def _environment() -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.FunctionLoader(_resource),
        autoescape=True,
        finalize=visible,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    environment.filters["dotted"] = dotted
    environment.filters["drawing"] = as_markup
    return environment


def _resource(name: str) -> str:
    return (files(__package__) / _TEMPLATES / name).read_text(encoding="utf-8")


@cache
def _style() -> str:
    """Return the whole style sheet. It holds no ``<``, which alone could end its element."""
    return colour_rules() + _resource("page.css")


def _digest(style: str) -> str:
    """Return the source by which a Content-Security-Policy knows a style sheet."""
    return f"sha256-{base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()}"
