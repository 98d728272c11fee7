"""Which language a text is in, by its function words."""

from __future__ import annotations

import re

FUNCTION_WORDS = {
    "en": "the of and to in is that for with are we this by on as an be which it from",
    "de": "der die das und ist von den ein eine einer wird werden mit für auf dem zu wir nicht im des sich durch auch",
    "fr": "le la les des est et un une du que dans pour nous sur par avec qui au aux ce cette sont",
}


def guess_language(text: str | None, default: str | None = None) -> str | None:
    """`en`, `de` or `fr`, the one with most function words in `text`; `default` where none or two have most.

    >>> guess_language("Wir zeigen, dass die Gruppe endlich ist"), guess_language("Riemann 1859", "en")
    ('de', 'en')
    """
    words = re.findall(r"\w+", (text or "").casefold())
    counts = sorted(((sum(word in known.split() for word in words), name) for name, known in FUNCTION_WORDS.items()), reverse=True)
    (most, name), (next_most, _) = counts[:2]
    return name if most > next_most else default
