"""Which shard a key belongs to: a hash that is the same in every process, on every machine and in every version."""

from __future__ import annotations

from collections.abc import Iterable
from zlib import crc32


def shard_of(key: bytes, shards: int) -> int:
    """The number, from 0, of the shard among `shards` that holds every occurrence of `key`.

    >>> shard_of(b"a line", 4) == shard_of(b"a line", 4) < 4
    True
    """
    return crc32(key) % shards


def by_shard(keys: Iterable[bytes], shards: int) -> list[list[bytes]]:
    """The keys of each of `shards` shards, in their order.

    >>> [len(part) for part in by_shard([b"a", b"b", b"a"], 1)]
    [3]
    """
    parts: list[list[bytes]] = [[] for _ in range(shards)]
    for key in keys:
        parts[crc32(key) % shards].append(key)
    return parts
