"""The `muster` command. Each command lives in a module of its own, which is imported only when it is asked for."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module

import click

COMMANDS: Mapping[str, tuple[str, str]] = {
    "standings": ("services.console.standings", "Rank players by their results, offline"),
    "pair": ("services.console.pair", "Pair the next round, offline"),
    "ruleset": ("services.console.ruleset", "List, show and check rulesets"),
    "roster": ("services.console.roster", "Whether a roster is legal, offline"),
    "clauses": ("services.console.clauses", "Every clause of the rules documents, with the tests that prove it"),
    "verify": ("services.console.verify", "Verify an exported log and all that was computed from it"),
    "replay": ("services.console.replay", "Standings from an exported log alone"),
    "export": ("services.console.export", "Export the logs of a tournament of running services"),
    "tournament": ("services.console.tournament", "Announce, list and show tournaments of running services"),
    "play": ("services.console.play", "Simulate a whole tournament through running services"),
    "token": ("services.console.mint", "Mint a token with the key of this installation"),
    "revoke": ("services.console.revoke", "Take a token back"),
    "recopy": ("services.console.recopy", "Make a copy anew from the service whose log it is, on record"),
    "recover": ("services.console.recover", "Take back from its peers what a service has lost"),
    "rebuild": ("services.console.rebuild", "Make caches and read models anew from the logs, and compare"),
}
"""Command -> (module, what it does). The module holds a click command named `command`."""


class Commands(click.Group):
    """The commands of the table above, each loaded when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        command: click.Command = import_module(COMMANDS[name][0]).command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, what) for name, (_, what) in COMMANDS.items()])


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
def main() -> None:
    """Muster runs tabletop tournaments on an audited log of events."""


if __name__ == "__main__":
    main(prog_name="muster")
