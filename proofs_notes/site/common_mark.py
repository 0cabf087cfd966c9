"""Read Markdown as the repository's browsers do: CommonMark with tables.

MkDocs' own reader takes the stars of a formula for emphasis, and lists for paragraphs. Here another
one makes the tree; what MkDocs does with a tree (contents, titles, links that are checked) stays.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias
from xml.etree import ElementTree as ET

from markdown import Markdown
from markdown.blockparser import BlockParser
from markdown.extensions import Extension
from markdown.preprocessors import Preprocessor
from markdown.util import Registry
from markdown_it import MarkdownIt
from markdown_it.token import Token

# Returns where a link leads on the site, or None and what is said in its place.
Resolved: TypeAlias = tuple[str | None, str]
Resolve: TypeAlias = Callable[[str], Resolved]


class CommonMark(Extension):
    """The extension of Python-Markdown that puts another reader in."""

    def __init__(self, resolve: Resolve) -> None:
        super().__init__()
        self._resolve = resolve

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802
        """Let the other reader see all lines as they are, and nothing be read twice."""
        md.preprocessors = Registry[Preprocessor]()
        md.treeprocessors.deregister("inline")
        md.parser = _Parser(md, self._resolve)


class _Parser(BlockParser):
    def __init__(self, md: Markdown, resolve: Resolve) -> None:
        super().__init__(md)
        self._resolve = resolve

    def parseDocument(self, lines: Sequence[str]) -> ET.ElementTree:  # noqa: N802
        """Return the tree of a document."""
        return ET.ElementTree(tree_of("\n".join(lines), self._resolve))


def tree_of(text: str, resolve: Resolve) -> ET.Element:
    """Return the elements of a document, its links resolved."""
    reader = MarkdownIt("commonmark", {"xhtmlOut": True}).enable("table")
    tokens = reader.parse(text)
    for token in tokens:
        if token.children:
            token.children = list(_resolved(token.children, resolve))
    shown = reader.renderer.render(tokens, reader.options, {})
    # The text is the project's own.
    return ET.fromstring(f"<div>{shown}</div>")  # noqa: S314


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
