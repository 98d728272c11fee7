r"""Room 5, web pages: what recurs over a site is not content, and what reads like an article is.

In: the bytes of pages. Out: lines to be counted, `Cut`s, main text, titles. Two tasks, alone or one after the other:

- **A site** (Yi 2004). Blocks recur over its pages, and recurrence is counted by the project's own pipe: `site.py` (blocks), `weights.py`
  (feature weights of
  the compressed structure tree), `styletree.py` (site style tree). Each makes lines of a page and, from the counted lines, cuts of a page.
- **A page** (Mohammadzadeh 2013; Pasternack & Roth 2009). `maintext.py` has the registry of methods: `article.py` (the default),
  `dana.py` (R2L, DANA,
  DANAg, AdDANAg); `title.py` finds the title.

Below them `charset.py` (bytes to the view that is parsed), `scan.py` (one regular expression of tokens), `blocks.py` (tree and blocks
with their places, their shown text and how much of it is links), `text.py` (that text decoded).

To add a page method: a function of a `Reading` that gives a `Region`, named in `maintext.METHODS`. To add a site method:
`jobs/site.METHODS`.
"""
