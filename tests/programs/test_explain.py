"""gutsort explain on a list made by hand: 100 documents, so that a key needs 7.5 others to weigh 0 bits."""

import math

import pytest

LIST = b"""100\t#gutsort 1 key=odds head=500 tail=600
31\t.A notice of the hand-made kind\t^
61\t+hand made\t^
1\t+hand made\t=
21\t>and a second\t^
16\t+a second\t^
31\t.Closing line, as ever\t$
"""
BODY = b"\n".join(b"word%d other%d thing%d" % (n, n * n, 7 * n) for n in range(10)) + b"\n"  # digits aside all are one line: seen nowhere
TEXT = b"A notice of the hand-made kind\nand a second line\x1b\n\n" + BODY + b"\nClosing line, as ever\n"


def bits(count, inside=0, *, part=False):
    """Evidence by the formula of the method: log2(c / (tau + R b))."""
    return max(-3.0, min(6.0, math.log2(count / (0.75 * math.sqrt(100) + 4 * part + 20 * inside))))


@pytest.fixture
def frequent(tmp_path):
    (tmp_path / "list").write_bytes(LIST)
    return tmp_path / "list"


def rows(out):
    """The rows of both tables, by end, split at white space; a cut line's number has a minus before it."""
    head, _, tail = out.partition("tail:")
    return [[line.replace("- ", "-", 1).split() for line in part.splitlines() if line[:8].strip("- ").isdigit()] for part in (head, tail)]


def test_each_line_has_its_best_key_counts_bits_and_the_sum(program, frequent):
    done = program("explain", frequent, "-", data=TEXT)
    assert (done.returncode, done.stderr) == (0, b"")
    head, tail = rows(done.stdout.decode())
    first, second = bits(30), bits(20, part=True)
    low = bits(60, 1, part=True)
    assert low < first
    assert first == 2.0
    assert head[0][:6] == ["-", "1", "+2.0", "+2.0", "30", "0.0"]
    assert head[1][:6] == ["-", "2", f"{second:+.1f}", f"{first + second:+.1f}", "20", "0.0"]
    assert head[1][6:9] == [">and", "a", "second"]
    assert head[2] == ["-", "3"]
    assert head[3][:5] == ["4", "-3.0", f"{first + second - 3:+.1f}", "0", "0.0"]
    assert tail[-1][:6] == ["-", "15", "+2.0", "+2.0", "30", "0.0"]
    assert tail[-2] == ["-", "14"]
    assert tail[-3][:3] == ["13", "-3.0", "-1.0"]


def test_all_keys_of_a_line_that_are_known_are_shown_when_asked(program, frequent):
    done = program("explain", "--keys", frequent, "-", data=TEXT)
    lines = done.stdout.decode().splitlines()
    place = next(n for n, line in enumerate(lines) if "A notice" in line)
    assert lines[place + 1].split() == ["60", "1.0", "+hand", "made"]
    assert lines[place + 2].startswith("-")
    assert lines[place + 3].split() == ["15", "0.0", "+a", "second"]


def test_control_characters_and_what_is_no_utf8_are_escaped(program, frequent):
    done = program("explain", frequent, "-", data=TEXT + b"a\tb \xff\x07\n")
    assert "and a second line\\x1b" in done.stdout.decode()
    assert "a\\x09b \\xff\\x07" in done.stdout.decode()
    assert not any(byte < 32 and byte != 10 for byte in done.stdout)


def test_it_says_where_the_cut_stands_and_each_step_to_it(program, frequent):
    out = program("explain", frequent, "-", data=TEXT).stdout.decode()
    assert (
        "\n  the greatest sum of evidence: to line 2 (2.8 bits)\n  with the blank lines next to it: to line 3\nhead: 2.8 bits, 2 of 2 lines seen elsewhere\n"
        in out
    )
    assert "\n  the greatest sum of evidence: from line 15 (2.0 bits)\n  with the blank lines next to it: from line 14\ntail: 2.0 bits, " in out


def test_a_weak_paragraph_that_is_given_back_is_said(program, tmp_path):
    (tmp_path / "list").write_bytes(LIST + b"14\t.Part\t^\n")
    out = program("explain", tmp_path / "list", "-", data=TEXT.replace(b"\n\n", b"\n\nPart\n\n", 1)).stdout.decode()
    assert "  the greatest sum of evidence: to line 4 (" in out
    assert "  without weak paragraphs at its inner end: to line 3 (2.8 bits)\nhead: " in out


def test_what_is_said_is_what_stripfreq_does(program, frequent, tree):
    folder = tree({"a": TEXT})
    assert program("stripfreq", frequent, folder / "a").stdout == BODY
    head, tail = rows(program("explain", "--beyond", "0", frequent, folder / "a").stdout.decode())
    assert [int(row[1]) for row in head] == [1, 2, 3]
    assert [int(row[1]) for row in tail] == [14, 15]


def test_a_document_that_is_cut_nowhere_shows_its_first_and_last_lines(program, frequent):
    out = program("explain", frequent, "-", "--beyond", "2", data=BODY).stdout.decode()
    head, tail = rows(out)
    assert [row[0] for row in head] == ["1", "2"]
    assert [row[0] for row in tail] == ["9", "10"]
    assert "head: nothing is cut" in out
    assert "tail: nothing is cut" in out


def test_a_cut_that_is_not_allowed_is_said(program, tmp_path):
    (tmp_path / "list").write_bytes(LIST.replace(b"head=500", b"head=2"))  # the cut would end where the window does
    out = program("explain", tmp_path / "list", "-", data=TEXT).stdout.decode()
    assert "  the greatest sum of evidence: to line 2 (2.8 bits)\n  not allowed: nothing\nhead: nothing is cut\n" in out
    assert out.endswith("\nlook at it: no boundary at the head\n")


def test_a_model_explains_as_its_list_does_but_for_the_documents_own_vote(program, tmp_path, frequent):
    program("model", frequent, "-o", tmp_path / "m")
    head, _ = rows(program("explain", "--model", tmp_path / "m", "-", data=TEXT).stdout.decode())
    assert head[0][:6] == ["-", "1", f"{bits(31):+.1f}", f"{bits(31):+.1f}", "31", "0.0"]


def test_a_plain_list_and_a_missing_file_are_refused(program, tmp_path, frequent):
    (tmp_path / "plain").write_bytes(b"9\ta line\n")
    done = program("explain", tmp_path / "plain", "-", data=TEXT)
    assert (done.returncode, done.stderr.decode()) == (2, f"gutsort explain: {tmp_path}/plain: expected a list of marked keys, from extract --key odds\n")
    assert program("explain", frequent).stderr == b"gutsort explain: FILE is missing\n"
    done = program("explain", frequent, tmp_path / "none")
    assert (done.returncode, done.stdout) == (1, b"")
    assert b"No such file" in done.stderr
