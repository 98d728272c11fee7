"""Room 2: the external sort of any line stream, in bounded memory and by several processes. It knows nothing of documents.

Method: small pieces of text are split and sorted while they are in the processor's cache, cut at bounds that all writers
share, gathered until the budget is spent, and spilled as one run, partition by partition (`runs`, `bounds`, `runfile`); then
each partition is read with one read a run and sorted by one `list.sort()`, whose powersort gallops over the slices in C
(`partitions`, after Munro & Wild 2018), or is merged in blocks where it does not fit (`merge`). No Python statement runs once a
line. `external` is the whole of it, by a `plan`; `presorted` finds input that is in order already; `source` is how several
processes read one stream, `workers` how they are started and ended, `spools` how what they merge comes back in order, `memory`
how much they may use, `shard` which shard a key belongs to, `order` whether lines are in order.

In: files or lists of lines. Out: sorted lines, or keys with their counts where the count is fused into the merge. Between the
modules a block is `(lines, counts)`: a sorted list of latin-1 `str` (same order as bytes, sorts faster) and a list of how
often each occurs, or None where each occurs once a place in the list.
"""
