"""Reader of HTML as prescript writes it: `<hr>` ends a page, `<p>` a paragraph, `<br>` a short line; `<i>` is a header or footer."""

from __future__ import annotations

from collections.abc import Iterator

from gutsort.metadata.markup import tokens
from gutsort.metadata.paper import Paper, RawLine, RawPage, build_paper

_HIDDEN = {"head", "script", "style", "title"}


def read_prescript(source: str) -> Paper:
    """The paper in prescript-like HTML. A line ends where the source's line ends, or, marked short, at `<br>`.

    What stands in `<i>` is no text: a number there is the page's printed number. Kokkelink 2001.

    >>> [[line.text for line in p] for p in read_prescript("<i>7</i><p>a\\nb<br>c<p>d")[0].paragraphs]
    [['a', 'b', 'c'], ['d']]
    """
    return build_paper(_pages(source))


def _pages(source: str) -> Iterator[RawPage]:
    page = _Page()
    hidden = ""
    for name, text in tokens(source):
        if hidden:
            hidden = "" if name == "/" + hidden else hidden
        elif name in _HIDDEN:
            hidden = name
        elif name == "hr":
            yield page.number, page.paragraphs
            page = _Page()
        elif name in ("i", "/i"):
            page.in_header = name == "i"
        elif name == "":
            page.add(text)
        elif name == "br":
            page.end_line(short=True)
        elif name in ("p", "/p", "div", "/div", "h1", "h2", "h3", "/h1", "/h2", "/h3"):
            page.paragraphs.append([])
            page.in_header = False
    yield page.number, page.paragraphs


class _Page:
    """A page as it is read: its last paragraph's last line is open until a line end comes."""

    def __init__(self) -> None:
        self.number: str | None = None
        self.paragraphs: list[list[RawLine]] = [[]]
        self.in_header = False
        self._open = False

    def add(self, text: str) -> None:
        """Add text to the open line; in a header it is only looked at for the page's number."""
        if self.in_header:
            digits = text.strip(" \n-–.")
            self.number = digits if digits.isdigit() and len(digits) < 6 else self.number
            return
        for index, part in enumerate(text.split("\n")):
            lines = self.paragraphs[-1]
            if index == 0 and self._open and lines:
                before, short, box = lines[-1]
                lines[-1] = (before + part, short, box)
            else:
                lines.append((part, False, None))
        self._open = True

    def end_line(self, *, short: bool) -> None:
        """End the open line, which the converter calls short or not."""
        lines = self.paragraphs[-1]
        if lines:
            lines[-1] = (lines[-1][0], short, None)
        self._open = False
