"""`python -m deploy.command_tables` (`make docs`): write the tables in documents that are generated from code.

The README of each service lists who may send each command. The campaign guide lists the choices after a game.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path

from msgspec.structs import fields

from shared.campaign.choices import CHOICES, PLAYER_CHOICES
from shared.campaign.steps import NAMES
from shared.service.handlers import Handler
from shared.settings import SERVICES

ROOT = Path(__file__).parents[1]
BEGIN, END = "<!-- {}: written by `make docs` -->", "<!-- end of {} -->"
ANYONE, RULE = "anyone", "a rule"


def command_table(handlers: Mapping[type, Handler]) -> str:
    """Return a Markdown table with a row for each command.

    `venue staff` says whether staff of one venue are limited to it, `reads peers first` whether the service reads the
    other services' logs before it decides.
    """
    lines = [
        "| command | roles | formats | venue staff | If-Match covers | reads peers first |",
        "|" + "---|" * 6,
    ]
    for command, row in sorted(handlers.items(), key=lambda entry: entry[0].__name__):
        roles = ", ".join(row.roles) or (RULE if row.by_rule else ANYONE)
        formats = ", ".join(row.formats) or "all"
        venue_staff = "limited" if row.venues else ""
        covered = "what it changes" if row.version else "the tournament"
        cells = (f"`{command.__name__}`", roles, formats, venue_staff, covered, "yes" if row.requires_latest else "")
        lines.append("| " + " | ".join(cells).replace("|  |", "| |") + " |")
    return "\n".join(lines)


def choice_table() -> str:
    """Return a Markdown table with a row for each choice of a campaign: its steps, its members, what they mean."""
    lines = ["| choice | offered in step | `of` | meaning |", "|" + "---|" * 4]
    for name, choice in CHOICES.items():
        steps = "each" if choice.steps == tuple(NAMES) else ", ".join(choice.steps) or "none; possible at any time"
        members = (f"`{field.name}`" if field.required else f"[`{field.name}`]" for field in fields(choice.takes))
        meaning = " ".join((choice.takes.__doc__ or "").split())
        by = "" if name in PLAYER_CHOICES else ", by organisers"
        lines.append(f"| `{name}`{by} | {steps} | {', '.join(members)} | {meaning} |")
    return "\n".join(lines)


def insert_table(text: str, name: str, table: str) -> str:
    """Return a document with its table replaced. Raises ValueError if it has no place for a table of this name."""
    begin, end = BEGIN.format(name), END.format(name)
    before, _, rest = text.partition(begin)
    _, found, after = rest.partition(end)
    if not found:
        raise ValueError(f"no place between {begin} and {end}")
    return f"{before}{begin}\n\n{table}\n\n{end}{after}"


def documents() -> Mapping[Path, tuple[str, str]]:
    """Return document -> name of its table, and the table."""
    readmes = {
        ROOT / "services" / service / "README.md": (
            "commands",
            command_table(import_module(f"services.{service}.handlers").HANDLERS),
        )
        for service in SERVICES
    }
    return {**readmes, ROOT / "docs/how-to/campaign.md": ("choices", choice_table())}


def main() -> None:
    for path, (name, table) in documents().items():
        path.write_text(insert_table(path.read_text("utf-8"), name, table), "utf-8")


if __name__ == "__main__":
    main()
