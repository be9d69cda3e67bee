"""The guide to the command line names every command and every option."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from services.console.cli import COMMANDS, main

GUIDE = (Path(__file__).parents[2] / "docs/cli.md").read_text("utf-8")


def commands() -> Iterator[tuple[str, click.Command]]:
    context = click.Context(main)
    for name in COMMANDS:
        command = main.get_command(context, name)
        assert command is not None
        yield name, command
        if isinstance(command, click.Group):
            yield from ((f"{name} {inner}", found) for inner, found in command.commands.items())


@pytest.mark.parametrize(("name", "command"), [pytest.param(*found, id=found[0]) for found in commands()])
def test_every_command_and_option_is_in_the_guide(name, command):
    first, _, inner = name.partition(" ")
    assert f"`muster {first}" in GUIDE
    assert not inner or f"`{inner}`" in GUIDE or f"`muster {name}`" in GUIDE
    options = [parameter.opts[0] for parameter in command.params if isinstance(parameter, click.Option)]
    assert [option for option in options if option not in GUIDE] == []
    assert command.get_short_help_str()
