"""Every command's help shows an example, and the example is a command that exists with options that exist."""

from __future__ import annotations

import re
import shlex

import click
import pytest
from click.testing import CliRunner

from muster.cli.main import main
from tests.console.test_documented import commands


def read(arguments: list[str]) -> None:
    """Read a command line to its last option, and run nothing. Raises UsageError where it is none of ours."""
    command: click.Command = main
    parent = None
    while isinstance(command, click.Group):
        context = command.make_context(command.name, arguments, parent=parent)
        arguments = [*context._protected_args, *context.args]
        with context:
            _, command, arguments = command.resolve_command(context, arguments)
        parent = context
    command.make_context(command.name, arguments, parent=parent)


def examples(help: str) -> list[str]:
    return re.findall(r"^ {4}(muster .*)$", help.partition("Example")[2], re.MULTILINE)


@pytest.mark.parametrize("name", ["", *(name for name, _ in commands())])
def test_the_help_of_a_command_shows_an_example_of_it(name: str) -> None:
    shown = CliRunner().invoke(main, [*name.split(), "--help"])
    assert shown.exit_code == 0
    found = examples(shown.stdout)
    assert found
    for line in found:
        assert line.startswith(f"muster {name}".rstrip())
        read(words(line))


def words(line: str) -> list[str]:
    """The words behind `muster`, without where the output goes."""
    found = shlex.split(line)[1:]
    return found[: found.index(">")] if ">" in found else found


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("tournamnt list", "Did you mean 'tournament'?"),
        ("tournament standing t-1", "'standings'"),
        ("ruleset shw x", "Did you mean 'show'?"),
        ("standings --rulest x", "'--ruleset'"),
        ("ruleset show dust-warfare", "did you mean dust-warfare-1.0?"),
        ("ruleset show star-wars-armada-1.0", "did you mean star-wars-armada-1.1?"),
    ],
)
def test_a_mistyped_word_is_answered_with_what_may_have_been_meant(line: str, meant: str) -> None:
    told = CliRunner().invoke(main, line.split())
    assert told.exit_code == 2
    assert meant in told.stderr


def test_an_example_that_does_not_exist_would_be_found() -> None:
    for line in ("standings --rank", "tournament look t-1", "up --port-base many"):
        with pytest.raises(click.UsageError):
            read(line.split())
