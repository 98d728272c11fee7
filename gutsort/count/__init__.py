"""Room 3: which lines are frequent.

Method: in a sorted stream equal lines stand next to each other, so a line with support K fills K places in a row, and looking at every
(K/2)-th place finds all of them without a statement of Python a line (`exact`; the problem is iceberg queries, Fang et al. 1998).
`frequent` is the list that comes out: its support, and merging lists.

In: blocks `(sorted lines, counts or None)`. Out: `(keys, counts)`. To add an approximate counter, write a module with the
signature of `exact.count_blocks`, for lines in any order.
"""
