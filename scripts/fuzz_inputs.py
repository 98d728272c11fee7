"""Inputs of scripts/fuzz: small files of every kind that the programs read, and wounds to them."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import os
import random
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

from gutsort.extract.units import Settings, document_keys
from gutsort.formats import escape_name, format_tsv, format_uniq
from gutsort.jobs.site import METHODS
from gutsort.pages.blocks import parse
from gutsort.pages.charset import view

NOTICE = [f"This notice opens documents, line {n}" for n in range(6)]
ODD_NAMES = ["../up", "/abs", "d/../../up", "x" * 150, "", ".", "d/", "l/below", "n\nl"]


def text(rng: random.Random) -> bytes:
    """A document, in one of several encodings and line ends."""
    words = ["", "own line", "é café", "— dash", "\u2028", "x" * rng.randint(0, 300)]
    own = [rng.choice(words) + str(n) for n in range(rng.randint(0, 15))]
    lines = [*NOTICE[: rng.randint(0, 6)], *own, *NOTICE[: rng.randint(0, 3)]]
    whole = rng.choice(["\n", "\n", "\r\n", "\r", "\n\n"]).join(lines) + rng.choice(["", "\n"])
    encoding = rng.choice(["utf-8", "utf-8", "utf-8-sig", "latin-1", "utf-16", "utf-32", "utf-16-be"])
    return whole.encode(encoding, "replace")


def page(rng: random.Random) -> bytes:
    """A web page, with elements that are not closed, entities, scripts and comments."""
    inner = [
        "own text, with a few words of it",
        "&eacute; &#65; &#x110000; &broken",
        "<b>bold",
        "</p></div></table>",
        "<br/>",
        "\u0645\u0631\u062d\u0628\u0627",
    ]
    inner += ["<script>if (a < b) x()</script>", "<!-- a <p> in a comment", "<img alt='x", "<![CDATA[ x ]]>", "<a href=x>link</a>", "\x0b\0"]
    tags = ["p", "div", "li", "td", "h1", "article", "nav", "span", "pre", "textarea", "title"]
    blocks = [f"<{tag} class='c{rng.randint(0, 3)}'>{' '.join(rng.choices(inner, k=rng.randint(0, 6)))}</{tag}>" for tag in rng.choices(tags, k=9)]
    shared = [f"<div id=n>{line}</div>" for line in NOTICE[: rng.randint(0, 6)]]
    head = rng.choice(["", "<meta charset=utf-8>", "<meta charset=iso-8859-6>", "<meta charset=none>", "<link rel=canonical href=http://h/x>"])
    return f"<html><head>{head}<title>A title | Site</title></head><body>{''.join(shared + blocks)}".encode(
        rng.choice(["utf-8", "utf-16", "latin-1"]), "replace"
    )


def paper(rng: random.Random) -> bytes:
    """A preprint as plain text, as HTML of a converter, or something that begins like PDF or PostScript."""
    lines = ["On Trees", "Abstract. We show that", "every tree is one.", "Key words: tree, cate-", "gory", "1 Introduction", "MSC 2020: 05C05, 18-02", "\f"]
    rng.shuffle(lines)
    if rng.random() < 0.3:
        return rng.choice([b"%PDF-1.4\n", b"%!PS-Adobe\n"]) + "\n".join(lines).encode()
    if rng.random() < 0.5:
        words = [f'<word xMin="{n}" yMin="{rng.random() * 700}" xMax="9" yMax="x">{w}</word>' for n, w in enumerate(" ".join(lines).split())]
        inner = "".join(f"<line>{word}</line>" for word in words)
        return f'<html><doc><page width="600" height="800"><flow><block xMin="1">{inner}</block></flow></page></doc>'.encode()
    return "\n".join(lines).encode(rng.choice(["utf-8", "utf-16"]))


def name(rng: random.Random) -> str:
    """A name of a member, often a bad one."""
    return rng.choice(["a.txt", "d/b.txt", "é", "c.jsonl", "c.gz", *ODD_NAMES])


def tar(rng: random.Random) -> bytes:
    target = io.BytesIO()
    with tarfile.open(fileobj=target, mode="w", format=rng.choice([tarfile.PAX_FORMAT, tarfile.GNU_FORMAT])) as archive:
        for _ in range(rng.randint(0, 5)):
            info, data = tarfile.TarInfo(name(rng)), text(rng)
            info.type = rng.choice([tarfile.REGTYPE] * 6 + [tarfile.DIRTYPE, tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, b"Q"])
            info.linkname = name(rng)
            info.size = len(data) if info.type in (tarfile.REGTYPE, b"Q") else 0
            archive.addfile(info, io.BytesIO(data))
    return target.getvalue()


def zipped(rng: random.Random) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        for number in range(rng.randint(0, 5)):
            info = zipfile.ZipInfo(name(rng) + str(number))
            info.compress_type = rng.choice([zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_LZMA])
            info.external_attr = rng.choice([0, 0o100644, 0o120777]) << 16
            archive.writestr(info, text(rng))
    return target.getvalue()


def jsonl(rng: random.Random) -> bytes:
    def line() -> str:
        body = text(rng).decode("utf-8", "surrogateescape" if rng.random() < 0.05 else "replace")
        return json.dumps({"id": rng.random(), rng.choice(["text", "text", "other"]): body}, ensure_ascii=rng.random() < 0.5)

    return "\n".join(line() for _ in range(rng.randint(0, 6))).encode("utf-8", "surrogateescape") + rng.choice([b"", b"\n"])


def mbox(rng: random.Random) -> bytes:
    return b"".join(b"From a@b Thu Jan  1 00:00:00 1970\nSubject: x\n\n" + text(rng) + b"\n" for _ in range(rng.randint(0, 4)))


Maker = Callable[[random.Random], bytes]
KINDS: dict[str, Maker] = {".txt": text, ".tar": tar, ".zip": zipped, ".jsonl": jsonl, ".mbox": mbox, ".html": page, ".paper": paper}
PACKERS: dict[str, Callable[[bytes], bytes]] = {"": bytes, ".gz": gzip.compress, ".bz2": bz2.compress, ".xz": lzma.compress}


def frequent(rng: random.Random) -> bytes:
    """A plain frequent list, in either style."""
    counts = [rng.choice([20, 2, 10**18]) for _ in NOTICE]
    counts[0] *= rng.choice([1] * 20 + [10**7])  # more than a count may be
    return b"\n".join(rng.choice([format_tsv, format_uniq])(counts, [line.encode() for line in NOTICE])) + b"\n"


def stream(rng: random.Random) -> bytes:
    """A sorted line stream: marked keys of documents, or plain lines."""
    settings = Settings(rng.choice(["odds", "line", "raw"]))
    lines = sorted(key for _ in range(3) for key in document_keys(io.BytesIO(text(rng)), settings))
    return b"".join(line + b"\n" for line in lines)


def marked(rng: random.Random) -> bytes:
    """A list of marked keys, with its settings record."""
    keys = sorted(set(document_keys(io.BytesIO("\n".join(NOTICE).encode()), Settings())))
    return b"\n".join(format_tsv([rng.choice([20, 3])] * len(keys), keys)) + b"\n"


def site(rng: random.Random, folder: Path, method: str) -> bytes:
    """A site list of the pages of `folder`."""
    lines: list[bytes] = []
    for _ in range(2):
        lines += METHODS[method].lines(parse(view(page(rng)).source), escape_name(os.fsencode(folder)).encode())
    keys = sorted(set(lines))
    return b"\n".join(format_tsv([2] * len(keys), keys)) + b"\n"


def mutated(rng: random.Random, data: bytes) -> bytes:
    """`data` with a few wounds."""
    wrong = bytearray(data)
    for _ in range(rng.choice([0, 1, 1, 2, 5])):
        place, size = rng.randrange(len(wrong) + 1), rng.choice([1, 1, 4, 100, 600])
        kind = rng.randrange(6)
        if kind == 0:
            del wrong[place:]
        elif kind == 1:
            wrong[place : place + size] = rng.randbytes(len(wrong[place : place + size]))
        elif kind == 2:
            wrong[place : place + size] = bytes(len(wrong[place : place + size]))
        elif kind == 3:
            del wrong[place : place + size]
        elif kind == 4:
            wrong[place:place] = wrong[rng.randrange(len(wrong) + 1) :][:size]
        else:
            wrong = wrong.replace(b"\n", rng.choice([b"\r\n", b"\r", b"\0", b"\n\n"]), rng.randint(1, 9))
    return bytes(wrong)


def mutated_report(rng: random.Random, data: bytes) -> bytes:
    """A report with wounds, or with a row whose fields are of another type, absent, or lead elsewhere."""
    if rng.random() < 0.5:
        return mutated(rng, data)
    lines = data.splitlines()
    place = rng.randrange(len(lines))
    row = json.loads(lines[place])
    if row and rng.random() < 0.8:
        field = rng.choice(list(row))
        row[field] = rng.choice([None, 1, -1, "x", [], {}, [[5, 2, "x"]], [["a", 1]], "../../outside", "/abs", "a\\x00b", "\ud800"])
        if rng.random() < 0.3:
            del row[field]
    lines[place] = json.dumps(row).encode()
    return b"\n".join(lines) + b"\n"


def make_tree(rng: random.Random, folder: Path) -> None:
    """A few files, and now and then what is none."""
    folder.mkdir()
    for number in range(rng.randint(1, 4)):
        kind, packer = rng.choice(list(KINDS)), rng.choice(list(PACKERS))
        data = KINDS[kind](rng)
        data = PACKERS[packer](mutated(rng, data) if rng.random() < 0.5 else data)
        stem = rng.choice([b"a", b"-n", b"sp ace", b"new\nline", b"\xff\xfe", b"d/deep"]) + b"%d" % number
        path = os.path.join(os.fsencode(folder), stem + (kind + packer).encode())
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(mutated(rng, data))
    if rng.random() < 0.1:
        (folder / "link").symlink_to(rng.choice(["nowhere", "link", ".", "/etc/passwd"]))
    if rng.random() < 0.05:
        os.mkfifo(folder / "fifo")
