"""`python -m deploy.command_tables`: who may ask for which command, in the README of each service, from its table."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path

from shared.application.handlers import Handler
from shared.settings import SERVICES

ROOT = Path(__file__).parents[1]
BEGIN, END = "<!-- commands: written by `make docs` -->", "<!-- end of commands -->"
EVERYBODY, RULE = "everybody", "a rule"
BY_RULES = frozenset({"TakeResults"})
"""Commands that nobody asks for over HTTP."""


def table_of(handlers: Mapping[type, Handler]) -> str:
    """A row for each command: who may ask, in which formats, whether staff of one venue keep to it, and the rest."""
    lines = [
        "| command | who may ask | formats | of one venue | If-Match about | asks the others first |",
        "|" + "---|" * 6,
    ]
    for command, row in sorted(handlers.items(), key=lambda entry: entry[0].__name__):
        name = command.__name__
        who = ", ".join(row.roles) or (RULE if name in BY_RULES else EVERYBODY)
        about = "what it changes" if row.version else "the tournament"
        formats = ", ".join(row.formats) or "all"
        cells = (f"`{name}`", who, formats, "yes" if row.venues else "", about, "yes" if row.fresh else "")
        lines.append("| " + " | ".join(cells).replace("|  |", "| |") + " |")
    return "\n".join(lines)


def written(text: str, handlers: Mapping[type, Handler]) -> str:
    """A README with its table as the handlers have it today. Raises ValueError where it has no place for one."""
    before, _, rest = text.partition(BEGIN)
    _, found, after = rest.partition(END)
    if not found:
        raise ValueError(f"no place between {BEGIN} and {END}")
    return f"{before}{BEGIN}\n\n{table_of(handlers)}\n\n{END}{after}"


def readmes() -> Mapping[Path, Mapping[type, Handler]]:
    """The README of each service, with its handlers."""
    return {
        ROOT / "services" / service / "README.md": import_module(f"services.{service}.handlers").HANDLERS
        for service in SERVICES
    }


def main() -> None:
    """Write every table anew."""
    for path, handlers in readmes().items():
        path.write_text(written(path.read_text("utf-8"), handlers), "utf-8")


if __name__ == "__main__":
    main()
