"""The README of a service matches its commands and events."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

import pytest

from deploy.command_tables import documents, insert_table
from services.pairing.handlers import HANDLERS as PAIRING
from services.registration.handlers import HANDLERS as REGISTRATION
from services.scoring.handlers import HANDLERS as SCORING
from shared.formats.fold import OWNERS
from shared.shapes import Command
from shared.tournament.guards import KeepDraws, ReadBeacon

ROOT = Path(__file__).parents[2] / "services"


def commands_and_events(service: str) -> tuple[set[str], set[str]]:
    """The names in the table of commands: left what is accepted, right what is appended."""
    text = (ROOT / service / "README.md").read_text()
    table = text.partition("|---|---|\n")[2].partition("\n\n")[0]
    rows = [line.split("|")[1:3] for line in table.splitlines()]
    accepted, appended = (set(re.findall(r"`(\w+)`", " ".join(cells))) for cells in zip(*rows, strict=True))
    return accepted, appended


@pytest.mark.parametrize(("service", "decisions"), [("registration", REGISTRATION), ("scoring", SCORING)])
def test_a_readme_names_every_command_and_every_event_of_its_service(service, decisions):
    accepted, appended = commands_and_events(service)
    assert accepted == {command.__name__ for command in decisions}
    assert appended == {event.__name__ for event in OWNERS[service]}


@pytest.mark.parametrize(
    ("service", "decisions"), [("registration", REGISTRATION), ("pairing", PAIRING), ("scoring", SCORING)]
)
def test_every_command_is_decided(service, decisions):
    known = set()
    for file in sorted((ROOT / service).rglob("*.py")):
        if "migrations" not in file.parts and "routes" not in file.stem and file.stem not in ("wsgi", "__init__"):
            module = import_module(".".join(file.relative_to(ROOT.parent).with_suffix("").parts))
            known |= {kind for kind in vars(module).values() if is_command(kind) and kind.__module__ == module.__name__}
    shared = {base for kind in known for base in kind.__mro__[1:]} - set(decisions)  # members of several commands
    assert known - shared == set(decisions) - {KeepDraws, ReadBeacon}


def is_command(kind: object) -> bool:
    return isinstance(kind, type) and issubclass(kind, Command) and kind is not Command


@pytest.mark.parametrize("path", list(documents()), ids=lambda path: path.parent.name)
def test_documented_command_table_matches_the_code(path):
    text = path.read_text("utf-8")
    assert insert_table(text, *documents()[path]) == text


READMES = sorted(
    (*ROOT.parent.glob("shared/*/README.md"), *ROOT.glob("*/README.md"), *ROOT.glob("scoring/*/README.md"))
)
FILE = re.compile(r"`([\w./-]+\.(?:py|js|css|po|html))`")


@pytest.mark.parametrize("readme", READMES, ids=lambda path: path.parent.relative_to(ROOT.parent).as_posix())
def test_every_file_named_in_a_readme_exists(readme):
    """Named from the root, from the README's folder, or by its name alone somewhere below that folder."""
    below = {path.name for path in readme.parent.rglob("*")}
    named = set(FILE.findall(readme.read_text("utf-8")))
    places = (ROOT.parent, readme.parent)
    assert not {one for one in named if one not in below and not any((place / one).exists() for place in places)}
