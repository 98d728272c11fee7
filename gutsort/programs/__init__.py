"""The programs: argparse and wiring. One module is one command and one section of README.

A program is three functions: `build_parser()`, `run(args, stdin, stdout)` which returns the exit status, and `main()`. Streams,
messages, signals and exit statuses are `_program.run_program`'s; the work is a call into a room or a job. To add a program: write
the module, name it in `gutsort.COMMANDS`, in pyproject.toml and in README.
"""
