"""Small collections whose right outcome is plain to a reader, cut with no option and with the gap rule's options."""

import json
import random

import pytest
from conftest import tree_bytes

GAP_RULE = ["--key", "line", "--head", "30", "--tail", "30", "-k", "3", "--gap", "3"]
OPENING = (
    b"The Quayside Archive offers this text:\n%b\n\nReading and copying it is free to all.\nPlease leave this notice where it is.\n"
    b"Tell us of what is wrong with it.\n\n== TEXT OPENS ==\n\n"
)
CLOSING = b"\n== TEXT CLOSES ==\n\nThe Quayside Archive thanks its readers.\nHelpers typed this text in their evenings.\n"
NOTICE = b"[[THIS COPY BELONGS TO THE QUAYSIDE ARCHIVE\nAND IS NOT FOR SALE IN ANY SHOP.]]\n"
TITLES = [b"A Title of Rain", b"The Second Ferry", b"Three Lamps", b"Four"]


def prose(seed, lines):
    rng = random.Random(seed)
    words = ["".join(rng.choices("aeioulnrstmdkv", k=rng.randint(4, 8))) for _ in range(200)]
    return "".join(" ".join(rng.choices(words, k=8)) + ".\n" for _ in range(lines)).encode()


BODIES = [prose(seed, 16) for seed in range(3)] + [prose(3, 130)]


def wrapped(bodies, opening=OPENING, closing=CLOSING):
    return [opening % title + body + closing for title, body in zip(TITLES, bodies, strict=True)]


def case_notice_between_pieces():  # case 01: only the runs at the ends go
    bodies = [*BODIES[:3], BODIES[3] + b"\n" + NOTICE + b"\n" + prose(5, 40) + b"\n" + NOTICE + b"\n" + prose(6, 40)]
    return wrapped(bodies, OPENING + NOTICE + b"\n"), bodies


def case_no_preamble():  # case 02: a short body without a preamble stays whole
    poem = "Die Möwe zählt die Boote nicht,\nsie kennt den Wind beim Namen,\nund wer am Kai die Leine bricht,\nder muss sie neu besamen.\n".encode()
    bodies = [*BODIES[:3], poem]
    return [*wrapped(bodies)[:3], poem + CLOSING], bodies


def case_wrapped_title():  # case 03: lines seen once inside the run go with it
    names = [b"amber", b"basalt", b"copper", b"dust"]
    title = b"A True and Full Account of the %b Trade,\nWith Remarks on %b and on Those Who Sell It\n(shelf %d)"
    documents = wrapped(BODIES)
    return [d.replace(t, title % (n, n, len(d))) for d, t, n in zip(documents, TITLES, names, strict=True)], BODIES


def case_rows_of_dashes():  # case 04: a row of symbols is no evidence
    bodies = [b"Prices of " + body[:9] + b"\n------\n" + body + b"\n------\n" + body[9:18] + b"\n------\n" + prose(20 + n, 3) for n, body in enumerate(BODIES)]
    return wrapped(bodies), bodies


def case_mark():  # case 05: the mark is ignored for matching, and stays
    mark = b"\xef\xbb\xbf"
    return [mark + text if n == 1 else text for n, text in enumerate(wrapped(BODIES))], [mark + b if n == 1 else b for n, b in enumerate(BODIES)]


def case_line_ends():  # case 06: kept lines are byte for byte those of the input
    def change(data, number):
        return data.replace(b"\n", b"\r\n") if number == 0 else data

    bodies = [BODIES[0], BODIES[1].replace(b" ", b"\r", 1), *BODIES[2:]]
    return [change(text, n) for n, text in enumerate(wrapped(bodies))], [change(body, n) for n, body in enumerate(bodies)]


def case_refrain():  # case 08: a refrain of one document counts once
    bodies = [BODIES[0] + b"\n" + b"Row on, row on, the tide is turning,\n\n" * 6 + prose(9, 4), *BODIES[1:]]
    return wrapped(bodies), bodies


CASES = [case_notice_between_pieces, case_no_preamble, case_wrapped_title, case_rows_of_dashes, case_mark, case_line_ends, case_refrain]


@pytest.mark.parametrize("options", [[], GAP_RULE], ids=["default", "gap"])
@pytest.mark.parametrize("case", CASES)
def test_bodies_are_left_and_a_second_run_changes_nothing(program, tree, tmp_path, case, options):
    documents, bodies = case()
    source = tree({f"{n}.txt": text for n, text in enumerate(documents)})
    done = program("clean", "-q", *options, source, "-o", tmp_path / "out")
    assert done.returncode == 0, done.stderr
    found = tree_bytes(tmp_path / "out")
    assert [found[f"{n}.txt"].strip() for n in range(len(bodies))] == [body.strip() for body in bodies]
    # case 10: with the same list, and the options that say how it is used
    again = GAP_RULE[:6] + GAP_RULE[8:] if options else []
    strip = ["-q", *again, tmp_path / "out.gutsort" / "frequent.txt", tmp_path / "out", "-o", tmp_path / "again", "--report", tmp_path / "report"]
    assert program("stripfreq", *strip).returncode == 0
    assert tree_bytes(tmp_path / "again") == found
    assert [json.loads(line)["cuts"] for line in (tmp_path / "report").read_text().splitlines()[1:]] == [[]] * len(bodies)


def test_notices_between_pieces_go_when_asked(program, tree, tmp_path):
    documents, bodies = case_notice_between_pieces()
    source = tree({f"{n}.txt": text for n, text in enumerate(documents)})
    assert program("clean", "-q", "--interior", source, "-o", tmp_path / "out").returncode == 0
    found = tree_bytes(tmp_path / "out")
    wanted = [body.replace(NOTICE + b"\n", b"") for body in bodies]
    assert [found[f"{n}.txt"].strip() for n in range(4)] == [body.strip() for body in wanted]


@pytest.mark.parametrize("processes", ["1", "2"])
def test_the_list_is_the_same_in_every_run(program, gnu, processes):  # case 07
    lines = b"".join(wrapped(BODIES) + [CLOSING] * 4)
    lines = b"".join(line for line in lines.splitlines(keepends=True) if line.strip())
    counted = program("freq", "-k", "4", "--format", "uniq", "--parallel", processes, data=lines).stdout
    expected = [line for line in gnu(["uniq", "-c"], gnu(["sort"], lines)).splitlines(keepends=True) if int(line.split()[0]) >= 4]
    assert len(expected) > 3
    order = ["sort", "-k1,1nr", "-k2"]
    assert gnu(order, counted) == gnu(order, b"".join(expected))


def test_copies_of_a_document_change_no_cut(program, tree, tmp_path):
    documents = {f"{n:02}.txt": OPENING % prose(n, 1).strip() + prose(100 + n, 30) + CLOSING for n in range(30)}
    copies = {f"copy{c}/{name}": documents[name] for c in range(10) for name in list(documents)[:3]}
    for name, files in (("alone", documents), ("with", documents | copies)):
        assert program("clean", "-q", tree(files, name), "-o", tmp_path / f"{name}.out").returncode == 0
    alone, found = tree_bytes(tmp_path / "alone.out"), tree_bytes(tmp_path / "with.out")
    for n, kept in enumerate(alone.values()):
        assert prose(100 + n, 30) in kept
        assert len(kept) < len(documents[f"{n:02}.txt"]) - 200
    assert found == alone | {copy: alone[copy.split("/")[1]] for copy in copies}
