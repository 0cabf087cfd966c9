"""Read Markdown as the repository's browsers do: CommonMark with tables and formulas.

MkDocs' own reader takes the stars of a formula for emphasis, and lists for paragraphs. Here another
one makes the tree; what MkDocs does with a tree (contents, titles, links that are checked) stays.
Formulas, LaTeX between dollars or the indented lines of a note, become MathML, which browsers draw
without any program.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias
from xml.etree import ElementTree as ET

from displayed import displayed
from latex2mathml.converter import convert
from markdown import Markdown
from markdown.blockparser import BlockParser
from markdown.extensions import Extension
from markdown.preprocessors import Preprocessor
from markdown.util import Registry
from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.dollarmath import dollarmath_plugin
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound
from raised import raised

# Returns where a link leads on the site, or None and what is said in its place.
Resolved: TypeAlias = tuple[str | None, str]
Resolve: TypeAlias = Callable[[str], Resolved]


# An element of HTML needs no name of its own space, and Python-Markdown writes none.
_SPACE = re.compile(r' xmlns="[^"]*"')


class CommonMark(Extension):
    """The extension of Python-Markdown that puts another reader in.

    ``applies`` says whether the page that is about to be read is for it, ``raises`` whether powers
    and indices within its sentences are raised and lowered.
    """

    def __init__(
        self, resolve: Resolve, applies: Callable[[], bool], raises: Callable[[], bool]
    ) -> None:
        super().__init__()
        self._resolve, self._applies, self._raises = resolve, applies, raises

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802
        """Let the other reader see all lines as they are, and nothing be read twice."""
        if not self._applies():
            return
        md.preprocessors = Registry[Preprocessor]()
        md.treeprocessors.deregister("inline")
        md.parser = _Parser(md, self._resolve, self._raises)


_FORMATTER = HtmlFormatter(nowrap=True)


class _Parser(BlockParser):
    def __init__(self, md: Markdown, resolve: Resolve, raises: Callable[[], bool]) -> None:
        super().__init__(md)
        self._resolve, self._raises = resolve, raises

    def parseDocument(self, lines: Sequence[str]) -> ET.ElementTree:  # noqa: N802
        """Return the tree of a document."""
        return ET.ElementTree(tree_of("\n".join(lines), self._resolve, raises=self._raises()))


def tree_of(text: str, resolve: Resolve, *, raises: bool = False) -> ET.Element:
    """Return the elements of a document, its links resolved; ``raises``: formulas in plain text."""
    options = {"xhtmlOut": True, "highlight": _highlighted}
    reader = MarkdownIt("commonmark", options).enable("table")
    formulas = {"allow_space": False, "allow_digits": False, "allow_blank_lines": False}
    reader.use(dollarmath_plugin, **formulas)
    reader.add_render_rule("math_inline", _inline)
    reader.add_render_rule("math_block", _block)
    if raises:
        reader.add_render_rule("code_block", _indented)
    tokens = reader.parse(text)
    for before, token in zip([None, *tokens], tokens, strict=False):
        if token.children:
            token.children = list(_resolved(token.children, resolve))
            # A heading is a name, and its anchor is made of its text.
            if raises and (before is None or before.type != "heading_open"):
                token.children = list(map(_with_powers, token.children))
    shown = reader.renderer.render(tokens, reader.options, {})
    # The text is the project's own.
    return ET.fromstring(f"<div>{shown}</div>")  # noqa: S314


def _inline(_renderer: object, tokens: Sequence[Token], at: int, *_: object) -> str:
    """Return a formula within a sentence as MathML."""
    return _SPACE.sub("", convert(tokens[at].content))


def _block(_renderer: object, tokens: Sequence[Token], at: int, *_: object) -> str:
    """Return a formula that stands alone as MathML."""
    return _SPACE.sub("", convert(tokens[at].content, display="block"))


def _indented(_renderer: object, tokens: Sequence[Token], at: int, *_: object) -> str:
    """Return the indented lines of a note, which are formulas, as MathML."""
    return displayed(tokens[at].content)


def _highlighted(text: str, language: str, _more: str) -> str:
    """Return a block of code as the theme shows it."""
    try:
        lexer = get_lexer_by_name(language or "text", stripnl=False)
    except ClassNotFound:
        lexer = get_lexer_by_name("text", stripnl=False)
    return f'<pre class="highlight"><code>{highlight(text, lexer, _FORMATTER)}</code></pre>'


def _with_powers(token: Token) -> Token:
    """Return a piece of text with its powers and indices as HTML; all else as it is."""
    if token.type != "text":
        return token
    return Token("html_inline", "", 0, content=raised(token.content))


def _resolved(tokens: Sequence[Token], resolve: Resolve) -> Iterator[Token]:
    """Yield a paragraph's parts; a link that leads to no page is its text and a path."""
    instead: str | None = None
    for token in tokens:
        if token.type == "link_open":
            to, path = resolve(str(token.attrs["href"]))
            instead = None if to is not None else path
            if to is not None:
                token.attrs["href"] = to
                yield token
        elif token.type == "link_close" and instead is not None:
            yield Token("text", "", 0, content=" (")
            yield Token("code_inline", "code", 0, content=instead, markup="`")
            yield Token("text", "", 0, content=")")
            instead = None
        else:
            yield token
