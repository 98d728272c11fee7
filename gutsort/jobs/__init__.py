"""Whole tasks over the rooms, without `sys`, streams or messages of their own: `clean`, and what it needs around it.

`target` puts files in place whole; `clean` is the pipe in one command. A job takes its warnings' receiver as an argument. To add a job,
write a module of that name and a program that calls it.
"""
