"""Room 2: the external sort of any line stream, in bounded memory and by several processes. It knows nothing of documents.

Method: small pieces of text are split and sorted while they are in the processor's cache, gathered until the budget is
spent, and spilled as one sorted run with a sparse index (`runs`); the runs are cut into regions of the key space, and each
region is merged by concatenating presorted lists and calling `list.sort()`, whose powersort gallops over them in C (`merge`,
after Munro & Wild 2018). No Python statement runs once a line. `external` is the whole of it; `source` is how several
processes read one stream, `workers` how they are started and ended, `memory` how much they may use, `shard` which shard a
key belongs to, `order` whether lines are in order.

In: files or lists of lines. Out: sorted lines, or keys with their counts where the count is fused into the merge. Between the
modules a block is `(lines, counts)`: a sorted list of latin-1 `str` (same order as bytes, sorts faster) and a list of how
often each occurs, or None where each occurs once a place in the list.
"""
