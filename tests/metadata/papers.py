"""Papers for tests: hand-made heads as plain text, and the same lines in the other two formats."""

from __future__ import annotations

import html

from gutsort.metadata.find import Metadata, find_metadata
from gutsort.metadata.plain import read_plain

PROSE_LINES = """We study operads over a field of characteris-
tic zero and show that every such operad is
formal. This answers a question of May."""
PROSE = "We study operads over a field of characteristic zero and show that every such operad is formal. This answers a question of May."


def found(text: str, **options: object) -> Metadata:
    """The metadata of a plain text; `PROSE` in it stands for PROSE_LINES."""
    return find_metadata(read_plain(text.replace("PROSE", PROSE_LINES)), **options)


def as_prescript(text: str) -> str:
    """A plain text as prescript writes it; its last line of a paragraph is a short one."""
    pages = [[p.split("\n") for p in page.strip("\n").split("\n\n")] for page in text.split("\f")]
    return "<hr>\n".join("".join("<p>" + "\n".join(map(html.escape, lines)) + "<br>\n" for lines in page) for page in pages)


def as_bbox(*pages: list[tuple[float, float, float, str]]) -> str:
    """XHTML of pages of blocks: left margin, upper edge, line height, and text, whose lines are six points a character wide."""
    body = []
    for blocks in pages:
        body.append('<page width="612" height="792">\n<flow>')
        for left, top, height, text in blocks:
            lines = []
            for number, line in enumerate(text.split("\n")):
                upper = top + number * height * 1.25
                box = f'xMin="{left}" yMin="{upper}" xMax="{left + 6 * len(line)}" yMax="{upper + height}"'
                words = "".join(f"<word {box}>{html.escape(word)}</word>\n" for word in line.split())
                lines.append(f"<line {box}>\n{words}</line>\n")
            body.append(f"<block>\n{''.join(lines)}</block>")
        body.append("</flow>\n</page>")
    return "<html><body><doc>\n" + "\n".join(body) + "\n</doc></body></html>\n"
