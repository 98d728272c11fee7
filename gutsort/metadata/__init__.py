"""Room 6: abstract, keywords and MSC codes of a mathematical preprint, read from what stands at its head.

Method: S. Kokkelink, "Extraktion von Metadaten aus mathematischen Preprints im Postscript Format", 2001. A paper is pages of
paragraphs of lines, as a converter left them; the first three pages are searched for the label of each field.

    read.py       the bytes of a file become a Paper; guesses which of the three formats they are in
    plain.py  markup.py  prescript.py  bbox.py      the three readers, and the tags of the two that have tags
    paper.py      the document model: Line, Page, Paper
    words.py      ligatures, loose accents, hyphenation at line ends
    labels.py     what announces an abstract, keywords, a classification, and what ends them; English, German, French
    drop.py       what is no text: running heads (what recurs at page ends), stamps, line numbers, lines frequent in a collection
    literal.py    the source's three rules to the letter
    abstract.py layout.py keywords.py msc.py        the default rules; each docstring says what it changes, and why
    language.py   which language a text is in
    find.py       all of the above in one function: `find_metadata(paper)`

In comes `bytes`, out goes a `Found`. Nothing here opens a file or starts a process: PDF and PostScript are converted by
gutsort/jobs/convert.py. To add a format, write a reader `(text) -> Paper` and name it in read.READERS; to add a language, add its
words to labels.py and language.py.
"""
