"""Room 4: where to cut a document, and the cutting.

In: the units at a document's ends (from room 1) and a mapping key -> count (from room 3). Out: `Cut`s, and the document without them.
`gap` is the paper's rule (Kaser & Lemire 2007, section 3.2), `guard` what no rule may do, `rewrite` the writing.
To add a rule: a module with a function from ends and mapping to a `Verdict`, and its place in `jobs/strip.py`.
"""
