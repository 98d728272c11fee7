"""`python -m gutsort COMMAND ...`: the same as `gutsort COMMAND ...`."""

from gutsort.programs.gutsort import main

if __name__ == "__main__":
    main()
