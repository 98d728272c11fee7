"""Room 1: a document becomes units, what is counted and where it stands (Kaser & Lemire 2007, section 3).

In: operands (files, trees, standard input). Out: for the counting programs the keys of a document's ends, once a document; for the
stripper the same keys with their byte offsets. `documents` walks over files, `containers` opens the documents inside a file and writes it
again, `windows` reads the ends of a document and no more, `keys` says what of a line is counted (`fold`: in which form), `paper` has the
paper's own windows, `units` puts them together; `encodings` lets UTF-16 and UTF-32 pass for UTF-8.
To add a key: a function in `keys` and its name in the registry there. To add a kind of container: a module like `mbox`, which yields the
texts and writes what stands between them, its ending in `names`, and its line in `containers`; a compression: a `Codec` in `compressed`.
"""
