"""The rule odds on collections made by hand, whose cuts are known."""

import io
import random
from collections import Counter

import pytest

from gutsort.count.frequent import FrequentLines
from gutsort.extract.units import Settings, document_ends, document_keys
from gutsort.extract.windows import extent
from gutsort.formats import SETTINGS_MARK
from gutsort.strip.guard import settle
from gutsort.strip.odds import Weights, odds_rule, past_running

NOTICE = """This text was set by volunteers of the Harbour Library and may be
copied freely as long as this notice stays in its place.
Corrections are welcome at any time; the address is on our page."""
CLOSING = """The Harbour Library thanks all who gave their time to this edition,
and asks its readers to report whatever mistakes they should find.
More texts of this kind are added in every month of the year."""
COMMON = "the of and to in a is that".split()


def frequent_of(documents, support=1):
    """The frequent list of documents, counted without the sort."""
    counts = Counter(key for data in documents for key in document_keys(io.BytesIO(data), Settings()))
    frequent = FrequentLines()
    for key, count in counts.items():
        if not key.startswith(SETTINGS_MARK) and count >= support:
            frequent[key] = count
    frequent.documents = len(documents)
    return frequent


def strip(data, weights):
    """What is left of a document."""
    file = io.BytesIO(data)
    verdict = settle(file, extent(file), lambda start, end: document_ends(file, start, end, Settings()), lambda ends: odds_rule(ends, weights))
    for cut in reversed(verdict.cuts):
        data = data[: cut.start] + data[cut.end :]
    return data


def strip_all(documents):
    weights = Weights(frequent_of(documents), len(documents))
    return [strip(data, weights) for data in documents]


def prose(rng, lines, words=None):
    """Lines of made-up words, or of `words`."""
    word = (lambda: rng.choice(words)) if words else (lambda: "".join(rng.choices("abdeilmnorstu", k=rng.randint(4, 9))))
    return "".join(" ".join(word() for _ in range(9)) + "\n" for _ in range(lines))


def collection(count, lines=60, words=None):
    """Bodies, and the documents that they stand in: with a title line, a notice before and a closing after."""
    rng = random.Random(count)
    bodies = [prose(rng, lines, words) for _ in range(count)]
    titles = [prose(rng, 1).strip().title() for _ in bodies]
    documents = [
        f"The Harbour Library text of {t}\n\n{NOTICE}\n\n\n{b}\n\nEnd of the Harbour Library text of {t}\n\n{CLOSING}\n"
        for t, b in zip(titles, bodies, strict=True)
    ]
    return [b.encode() for b in bodies], [d.encode() for d in documents]


@pytest.mark.parametrize("count", [10, 30, 120])
@pytest.mark.parametrize("lines", [40, 400, 1500])
def test_bodies_are_left_of_few_and_of_many_documents(count, lines):
    bodies, documents = collection(count, lines if count < 100 else min(lines, 400))
    assert strip_all(documents) == bodies


@pytest.mark.parametrize("lines", [40, 1500])
def test_of_three_documents_only_a_line_that_varies_is_left_over(lines):
    bodies, documents = collection(3, lines)
    for kept, body in zip(strip_all(documents), bodies, strict=True):
        assert kept.startswith(body)
        assert kept[len(body) :].strip().startswith(b"End of the Harbour Library text of ")


@pytest.mark.parametrize("lines", [20, 300])
def test_common_words_are_no_boilerplate_where_a_document_has_no_middle(lines):
    bodies, documents = collection(120, lines, COMMON)
    assert strip_all(documents) == bodies


def test_a_single_short_line_goes_where_three_of_four_documents_have_it():
    bodies, _ = collection(4, 12)
    assert strip_all([b"*** TEXT BEGINS ***\n\n" + body for body in bodies[:3]] + bodies[3:]) == bodies


def test_documents_without_boilerplate_stay_whole():
    bodies, documents = collection(120, 40, COMMON)
    assert strip_all(documents[:90] + bodies[90:])[90:] == bodies[90:]


def test_stripping_twice_with_the_same_list_changes_nothing():
    bodies, documents = collection(30)
    weights = Weights(frequent_of(documents), len(documents))
    assert [strip(strip(data, weights), weights) for data in documents] == bodies


def test_crlf_and_mark_do_not_matter():
    bodies, documents = collection(30)
    changed = [b"\xef\xbb\xbf" + data.replace(b"\n", b"\r\n") for data in documents]
    assert strip_all(changed) == [b"\xef\xbb\xbf" + body.replace(b"\n", b"\r\n") for body in bodies]


def test_a_refrain_of_one_document_stays():
    bodies, documents = collection(30)
    song = "Over the water and over the hill\n" * 3
    with_song = bodies[0] + song.encode() * 20
    documents[0] = documents[0].replace(bodies[0], with_song)
    assert strip_all(documents) == [with_song, *bodies[1:]]


def test_a_notice_between_pieces_of_a_body_stays():
    bodies, documents = collection(30)
    broken = bodies[0] + b"\n" + NOTICE.encode() + b"\n\n" + bodies[0][::-1].strip() + b"\n"
    documents[0] = documents[0].replace(bodies[0], broken)
    assert strip_all(documents)[0] == broken


def test_code_after_a_licence_stays_with_its_imports_and_guards():
    rng = random.Random(4)
    licence = "".join(f"// {line}\n" for line in NOTICE.splitlines())
    bodies = []
    for number in range(120):
        name = f"HARBOUR_{prose(rng, 1).split()[0].upper()}_H"
        some = rng.sample(["stdio.h", "stdlib.h", "string.h", "stdint.h", "errno.h"], 3)
        bodies.append(f"#ifndef {name}\n#define {name}\n\n" + "".join(f"#include <{s}>\n" for s in some) + f"\nint f{number}();\n{prose(rng, 30)}")
    assert strip_all([f"{licence}\n{body}".encode() for body in bodies]) == [body.encode() for body in bodies]


def test_a_heading_stays_with_the_body_it_opens():
    bodies, documents = collection(120)
    headed = [b"Abstract\n\n" + body for body in bodies]
    documents = [data.replace(body, more) for data, body, more in zip(documents, bodies, headed, strict=True)]
    assert strip_all(documents) == headed


def test_items_at_both_ends_of_bodies_stay():
    bodies, documents = collection(60)
    items = b"".join(b"* Chapter the %d of the tale\n" % number for number in range(4))
    listed = [items + b"\n" + body for body in bodies]
    documents = [data.replace(body, more) for data, body, more in zip(documents, bodies, listed, strict=True)]
    assert strip_all(documents) == listed


def test_page_feet_next_to_a_cut_go_with_it_rows_of_a_table_do_not():
    def lines_of(text):
        file = io.BytesIO(text.encode())
        return document_ends(file, 0, len(text), Settings()).head

    feet = "".join(f"some text here\n\nHarbour [Page {number}]\n\n" for number in range(1, 5))
    assert past_running(lines_of("notice\n\nHarbour [Page 0]\n\n\nHarbour Handbook\n\n" + feet), 1) == 3
    assert past_running(lines_of("notice\n\n" + "rate 4.1\nrate 4.2\nrate 4.3\nrate 4.4\n"), 1) == 1
    assert past_running(lines_of("notice\n\nbody\n\n" + feet), 1) == 1


def test_between_counts_as_background_above_a_share():
    weights = Weights(Counter({b"+a b\t^": 101, b"+a b\t~": 9, b"+c d\t^": 101, b"+c d\t~": 50}), 400)
    assert weights.of_key(b"+a b", b"^") == (100 / (15 + 4), 100, 0)
    assert weights.of_key(b"+c d", b"^")[0] < 1
