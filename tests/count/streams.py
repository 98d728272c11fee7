"""Random streams for the tests of counting structures: few lines that are frequent, many that are rare."""

import random


def skewed(seed: int, size: int = 6000, kinds: int = 3000, shape: float = 0.6) -> list[bytes]:
    """Lines with a Pareto distribution: about a third of them occur once."""
    rng = random.Random(seed)
    return [b"line %d" % min(int(rng.paretovariate(shape)), rng.randrange(kinds, 2 * kinds)) for _ in range(size)]


def cut(lines: list[bytes], seed: int) -> list[list[bytes]]:
    """The lines in blocks of random sizes, some of them empty."""
    rng = random.Random(seed)
    blocks, place = [], 0
    while place < len(lines):
        size = rng.choice([0, 1, 2, 50, 1000])
        blocks.append(lines[place : place + size])
        place += size
    return blocks
