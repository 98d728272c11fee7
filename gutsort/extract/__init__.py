"""Room 1: a document becomes units, what is counted and where it stands (Kaser & Lemire 2007, section 3).

In: operands (files, trees, standard input). Out: for the counting programs the keys of a document's ends, once a document; for the
stripper the same keys with their byte offsets. `documents` walks, `windows` reads the ends of a document and no more, `keys` says
what of a line is counted, `paper` has the paper's own windows, `units` puts them together.
To add a key: a function in `keys` and its name in the registry there.
"""
