"""`python -m deploy.command_tables`: tables of documents that are made from those of the code.

Who may ask for which command, in the README of each service; what is said with each choice of a campaign.
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
EVERYBODY, RULE = "everybody", "a rule"


def table_of(handlers: Mapping[type, Handler]) -> str:
    """A row for each command: who may ask, in which formats, whether staff of one venue keep to it, and the rest."""
    lines = [
        "| command | who may ask | formats | of one venue | If-Match about | asks the others first |",
        "|" + "---|" * 6,
    ]
    for command, row in sorted(handlers.items(), key=lambda entry: entry[0].__name__):
        name = command.__name__
        who = ", ".join(row.roles) or (RULE if row.by_rule else EVERYBODY)
        about = "what it changes" if row.version else "the tournament"
        formats = ", ".join(row.formats) or "all"
        cells = (f"`{name}`", who, formats, "yes" if row.venues else "", about, "yes" if row.requires_latest else "")
        lines.append("| " + " | ".join(cells).replace("|  |", "| |") + " |")
    return "\n".join(lines)


def table_of_choices() -> str:
    """A row for each choice of a campaign: the steps that offer it, and what is said with it."""
    lines = ["| choice | offered in step | `of` | which is |", "|" + "---|" * 4]
    for name, choice in CHOICES.items():
        steps = "each" if choice.steps == tuple(NAMES) else ", ".join(choice.steps) or "none: whoever wants it says so"
        said = (f"`{field.name}`" if field.required else f"[`{field.name}`]" for field in fields(choice.takes))
        what = " ".join((choice.takes.__doc__ or "").split())
        of = ", ".join(said)
        lines.append(f"| `{name}`{'' if name in PLAYER_CHOICES else ', by organisers'} | {steps} | {of} | {what} |")
    return "\n".join(lines)


def written(text: str, name: str, table: str) -> str:
    """A document with a table as it is today. Raises ValueError where it has no place for one of this name."""
    begin, end = BEGIN.format(name), END.format(name)
    before, _, rest = text.partition(begin)
    _, found, after = rest.partition(end)
    if not found:
        raise ValueError(f"no place between {begin} and {end}")
    return f"{before}{begin}\n\n{table}\n\n{end}{after}"


def documents() -> Mapping[Path, tuple[str, str]]:
    """Each document with a table, the name of that, and the table."""
    readmes = {
        ROOT / "services" / service / "README.md": (
            "commands",
            table_of(import_module(f"services.{service}.handlers").HANDLERS),
        )
        for service in SERVICES
    }
    return {**readmes, ROOT / "docs/how-to/campaign.md": ("choices", table_of_choices())}


def main() -> None:
    """Write every table anew."""
    for path, (name, table) in documents().items():
        path.write_text(written(path.read_text("utf-8"), name, table), "utf-8")


if __name__ == "__main__":
    main()
