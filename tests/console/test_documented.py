"""The guide to the command line names every command and every option."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from muster.cli.main import COMMANDS, main

DOCS = Path(__file__).parents[2] / "docs"
GUIDE = "\n".join((DOCS / page).read_text("utf-8") for page in ("reference/cli.md", "how-to/offline.md", "verify.md"))


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


EXAMPLES = DOCS / "examples"
RULESETS = (DOCS / "reference/packs.md").read_text("utf-8")


def shown_runs() -> Iterator[tuple[Path, str, str]]:
    """Every command that a guide shows with what it prints: the folder of its files, itself, and that."""
    for folder, guide in (("evening", GUIDE), ("championship", RULESETS)):
        for block in re.findall(r"^```console\n(.*?)^```$", guide, re.MULTILINE | re.DOTALL):
            for run in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
                command, _, printed = run.replace("\\\n", " ").partition("\n")
                yield EXAMPLES / folder, command, printed


@pytest.mark.parametrize(
    ("folder", "command", "printed"), [pytest.param(*found, id=found[1]) for found in shown_runs()]
)
def test_examples_print_what_the_guide_says(folder, command, printed, monkeypatch):
    monkeypatch.chdir(folder)
    name, *arguments = shlex.split(command)
    assert name == "muster"
    assert CliRunner().invoke(main, arguments).output == printed


def test_there_are_examples():
    assert len(list(shown_runs())) > 5
