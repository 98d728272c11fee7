"""CRC-64 against its definition, a bit at a time."""

import random

import pytest

from gutsort.count.crc64 import GROUP, LANE_WORDS, SHORT, crc64, crc64_many

POLYNOMIAL = 0xD800000000000000  # x^64 + x^4 + x^3 + x + 1, reflected


def by_definition(data: bytes) -> int:
    value = 0
    for byte in data:
        value ^= byte
        for _ in range(8):
            value = value >> 1 ^ (POLYNOMIAL if value & 1 else 0)
    return value


def test_check_values():
    assert [crc64(b"123456789"), crc64(b"IHATEMATH")] == [0x46A5A9388A5BEFFE, 0xE3DCADD69B01ADD1]
    assert crc64_many([b"123456789", b"IHATEMATH", b""]) == [0x46A5A9388A5BEFFE, 0xE3DCADD69B01ADD1, 0]


@pytest.mark.parametrize("byte", [b"\0", b"\1", b"\x80", b"\xff"])
def test_every_length_agrees_with_the_definition(byte):
    lines = [byte * size for size in [*range(8 * LANE_WORDS + 20), 255, 256, 257, 1000]]
    expected = list(map(by_definition, lines))
    assert list(map(crc64, lines)) == expected
    assert crc64_many(lines) == expected
    assert [crc64_many([line])[0] for line in lines] == expected


@pytest.mark.parametrize("longest", [7, SHORT, SHORT + 1, 8 * LANE_WORDS, 8 * LANE_WORDS + 1, 400])
def test_random_lines_agree_with_the_definition(longest):
    rng = random.Random(longest)
    lines = [rng.randbytes(rng.randint(0, longest)) for _ in range(500)]
    assert crc64_many(lines) == list(map(by_definition, lines))


def test_many_groups_keep_the_order():
    lines = [b"%d" % number for number in range(2 * GROUP + 3)]
    assert crc64_many(lines) == list(map(crc64, lines))
    assert crc64_many([]) == []
