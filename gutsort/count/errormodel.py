"""What wrong counts do to the gap rule: the error model of Kaser & Lemire 2007.

The rule stops when `gap` infrequent lines follow each other. A structure that takes frequent lines for infrequent with probability s
(a false negative) may stop too early, within the preamble; one that takes infrequent lines for frequent with probability p (a false
positive) goes on too long, past its end. Lines are taken to be wrong independently of each other.
"""

from __future__ import annotations

import random

GAP = 10  # Kaser & Lemire 2007, sec. 3, as strip.gap has it


def lines_until_stop(s: float, gap: int = GAP) -> float:
    """Expected lines of a preamble until `gap` of them in a row are missed: the sum of s^-k for k from 1 to `gap`.

    The paper's remark: with a quarter of the lines missed, 1.4 million lines. Raises ValueError outside of 0 < s <= 1.

    >>> round(lines_until_stop(0.25))
    1398100
    """
    if not 0 < s <= 1:
        raise ValueError(f"{s} is not a probability above 0")
    return sum(s**-k for k in range(1, gap + 1))


def extra_lines(p: float, gap: int = GAP) -> float:
    """Expected lines of the body that are lost after a preamble: ((1 - p)^-gap - 1) / p - gap.

    All lines up to the stop, less the `gap` infrequent ones that bring it. The paper's remark: few while p <= 20 %. Raises
    ValueError outside of 0 < p < 1.

    >>> round(extra_lines(0.1), 1), round(extra_lines(0.2), 1)
    (8.7, 31.6)
    """
    if not 0 < p < 1:
        raise ValueError(f"{p} is not a probability between 0 and 1")
    return ((1 - p) ** -gap - 1) / p - gap


def simulate_stop(probability: float, gap: int, rng: random.Random) -> int:
    """Draw lines until `gap` of them in a row had the event of that probability, and return how many were drawn."""
    drawn = row = 0
    while row < gap:
        drawn += 1
        row = row + 1 if rng.random() < probability else 0
    return drawn
