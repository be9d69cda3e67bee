"""Every command that a document prints exists: targets of make, modules of Python, programs, commands of `muster`."""

from __future__ import annotations

import importlib.util
import re
import shlex
from collections.abc import Iterator

import click
import pytest

from muster.cli.main import main
from tests.unit.test_links import PAGES, ROOT

FENCED = re.compile(r"^ *```(?:sh|console)?\n(.*?)^ *```", re.MULTILINE | re.DOTALL)
OTHER = re.compile(r"^ *```(?!sh\b|console\b|\n).*?^ *```$", re.MULTILINE | re.DOTALL)
"""Blocks in other languages."""
INDENTED = re.compile(r"(?<=\n\n)((?:    .*\n)+)")
SPAN = re.compile(r"`([^`\n]+)`")
MAKE = re.compile(r"^(?:[A-Z_]+=\S+ )*make ([a-z-]+)", re.MULTILINE)
MUSTER = re.compile(r"(?<![\w./-])(?:[\w./-]*bin/)?muster ((?:[^\n|;&)<>#]|\\\n)+)")
EARLIER = {"CHANGELOG.md"}
"""Pages that may name commands of the past."""
READ = [page for page in PAGES if page.name not in EARLIER and "decisions" not in page.parts]
TARGETS = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))


def code_of(text: str) -> Iterator[str]:
    """Yield the code of a page: fenced and indented blocks, and spans inside of sentences."""
    text = OTHER.sub("", text)
    for kind in (FENCED, INDENTED, SPAN):
        for code in kind.findall(text):
            lines = (line.strip().removeprefix("$ ") for line in code.replace("\\\n", " ").splitlines())
            yield "\n".join(line.partition(" #")[0] for line in lines)
        text = kind.sub("", text)


def faults_of(text: str) -> list[str]:
    """Return the commands of a page that do not exist, or that have options which do not."""
    faults = []
    for code in code_of(text):
        faults += [f"make {name}" for name in MAKE.findall(code) if name not in TARGETS]
        faults += [f"python -m {name}" for name in re.findall(r"python3? -m ([a-z_.]+)", code) if not is_module(name)]
        faults += [
            name for name in re.findall(r"(?<![\w/])deploy/[\w/.-]+\.(?:sh|py|yml)", code) if not (ROOT / name).exists()
        ]
        faults += [f"muster {rest.strip()}" for rest in MUSTER.findall(code) if not is_parsed(rest)]
    return faults


def is_module(name: str) -> bool:
    try:
        return importlib.util.find_spec(name) is not None
    except ModuleNotFoundError:
        return False


def is_parsed(rest: str) -> bool:
    """Return True if the command line knows the command and each of its options."""
    try:
        words = shlex.split(rest)
    except ValueError:  # a part of a sentence
        words = rest.split()
    command: click.Command | None = main
    while words and isinstance(command, click.Group) and not words[0].startswith("-"):
        command = command.get_command(click.Context(command), words.pop(0).rstrip(",.:"))
    if command is None:
        return rest.startswith(("…", "COMMAND"))  # any command
    known = {name for parameter in command.params for name in (*parameter.opts, *parameter.secondary_opts)} | {
        "--help",
        "--version",
    }
    return {word.partition("=")[0].rstrip("]") for word in words if word.startswith("--")} <= known


@pytest.mark.parametrize("page", READ, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_printed_command_exists(page):
    assert faults_of(page.read_text("utf-8")) == []


def test_commands_that_do_not_exist_are_found():
    block = "```sh\nmake nothing\n.venv/bin/muster verify x --gone\n```\n"
    page = f"{block}Say `muster brew`, `python -m deploy.gone` or `make run`.\n"
    assert faults_of(page) == ["make nothing", "muster verify x --gone", "muster brew", "python -m deploy.gone"]
