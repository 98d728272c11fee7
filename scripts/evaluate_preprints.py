#!/usr/bin/env python3
"""How many abstracts, keyword lists and MSC codes are found: literal and default rules on three formats, as a table.

usage: evaluate_preprints.py TRUTH.json BBOX_DIR TEXT_DIR [--wrong]

TRUTH.json: {key: {"abstract", "abstract_placeholder", "keywords", "msc"}}; BBOX_DIR holds key.html, TEXT_DIR key.txt. The third format,
prescript's HTML, is made from the text. An abstract or keyword list is right when 2 x shared / both of its tokens is at least 0.9, MSC
when every true code is found; extra are codes that are not true, false are fields where the truth has none. --wrong lists what is wrong.
"""

from __future__ import annotations

import argparse
import html
import json
import re
import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from gutsort.metadata.find import Metadata, find_metadata, find_metadata_literally
from gutsort.metadata.paper import Page
from gutsort.metadata.plain import read_plain
from gutsort.metadata.read import decode, read_paper

ENOUGH = 0.9  # token overlap of a field that counts as found
SHORT = 0.8  # share of the page's widest line below which prescript ends a line with <br>
RULES = {"literal": find_metadata_literally, "default": find_metadata}


def to_prescript(text: str) -> bytes:
    """Plain text as prescript's HTML: `<hr>`, `<p>`, `<br>` after a short line, `<i>` around a page number at a page's end."""
    return "<hr>\n".join(_page(page) for page in read_plain(text)).encode()


def _page(page: Page) -> str:
    widest = max((len(line.text) for paragraph in page.paragraphs for line in paragraph), default=0)
    parts = []
    for number, paragraph in enumerate(page.paragraphs, 1):
        lines = [html.escape(line.text) + ("<br>" if len(line.text) < SHORT * widest else "") for line in paragraph]
        if number in (1, len(page.paragraphs)) and len(paragraph) == 1 and paragraph[0].text.isdigit():
            lines = [f"<i>{paragraph[0].text}</i>"]
        parts.append("<p>" + "\n".join(lines) + "\n")
    return "".join(parts)


def overlap(a: str, b: str) -> float:
    """2 x shared / both of the tokens of two texts."""
    one, other = (Counter(re.findall(r"\w+", text.lower())) for text in (a, b))
    total = one.total() + other.total()
    return 2 * (one & other).total() / total if total else 1.0


def judge(truth: dict, found: Metadata) -> Counter[str]:
    """Which fields of one paper are right, wrong or false, and how many codes are extra."""
    result: Counter[str] = Counter()
    for field in ("abstract", "keywords"):
        want, got = ("; ".join(v) if isinstance(v, list) else v for v in (truth[field], getattr(found, field)))
        if want:
            result[f"{field} {'right' if got and overlap(want, got) >= ENOUGH else 'wrong'}"] += 1
        elif got and not truth.get("abstract_placeholder"):
            result[f"{field} false"] += 1
    if truth["msc"]:
        result[f"msc {'right' if set(truth['msc']) <= set(found.msc) else 'wrong'}"] += 1
    result["extra"] = len(set(found.msc) - set(truth["msc"]))
    return result


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("truth", type=Path)
    parser.add_argument("bbox", type=Path)
    parser.add_argument("text", type=Path)
    parser.add_argument("--wrong", action="store_true")
    args = parser.parse_args()
    truths = json.loads(args.truth.read_text(encoding="utf-8"))
    print("| rules | format | abstract | keywords | MSC | extra codes | false |\n|---|---|---|---|---|---|---|")
    for rules, find in RULES.items():
        for format in ("bbox", "text", "prescript"):
            total: Counter[str] = Counter()
            for key, truth in truths.items():
                data = (args.bbox / f"{key}.html" if format == "bbox" else args.text / f"{key}.txt").read_bytes()
                data = to_prescript(decode(data)) if format == "prescript" else data
                result = judge(truth, find(read_paper(data, format)))
                total += result
                if args.wrong and (bad := [name for name in result if name.endswith(("wrong", "false"))]):
                    print(f"{rules} {format} {key}: {', '.join(bad)}", file=sys.stderr)
            shares = [f"{total[f + ' right']}/{total[f + ' right'] + total[f + ' wrong']}" for f in ("abstract", "keywords", "msc")]
            false = total["abstract false"] + total["keywords false"]
            print("|", " | ".join([rules, format, *shares, str(total["extra"]), str(false)]), "|")


if __name__ == "__main__":
    main()
