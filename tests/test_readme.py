"""README names every command and script, and no option that is not there."""

import importlib
import re
from pathlib import Path

import pytest

from gutsort import COMMANDS

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()
INLINE = re.findall(r"`([^`\n]+)`", README)
CODE = INLINE + re.findall(r"^    (.*)$", README, re.MULTILINE)
NAMED = re.compile(r"(?:^|[\s|(])(?:gutsort )?(" + "|".join(COMMANDS) + r")\b([^|>;&)]*)")
PROGRAMS = {"gutsort", *COMMANDS}


def options_of(command: str) -> set[str]:
    parser = importlib.import_module(f"gutsort.programs.{command}").build_parser()
    return {option for action in parser._actions for option in action.option_strings}


def options_named() -> list[tuple[str, str]]:
    """Each option that README shows right after a command."""
    return sorted(
        {
            (command, option.partition("=")[0])
            for code in CODE
            for command, rest in NAMED.findall(code)
            for option in re.findall(r"(?<!\S)(--?[a-zA-Z][\w-]*)", rest)
        }
    )


@pytest.mark.parametrize("command", list(COMMANDS))
def test_every_command_has_its_row(command):
    assert re.search(rf"^\| `(gutsort )?{command}\b", README, re.MULTILINE)


def test_options_that_readme_shows_are_there():
    shown = options_named()
    assert len(shown) > 5
    wrong = [(command, option) for command, option in shown if option not in options_of(command) and option[:2] not in options_of(command)]
    assert wrong == []


def test_an_option_alone_in_readme_belongs_to_some_command():
    known = set().union(*map(options_of, COMMANDS))
    alone = {code.split()[0].partition("=")[0] for code in INLINE if re.match(r"--?[a-zA-Z]", code)}
    assert alone <= known


def test_scripts_that_readme_names_are_there():
    named = set(re.findall(r"scripts/[\w.]+", README))
    assert {"scripts/demo", "scripts/test"} <= named
    assert all((ROOT / name).exists() for name in named)
