"""gutsort: find and cut the boilerplate that people paste into documents, by counting lines in bounded memory."""
