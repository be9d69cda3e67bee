"""The `muster` command. The module of a command is imported when the command is run."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module

import click

from muster.cli.command_group import Program, example
from muster.cli.connection_options import connection_options
from shared.version import VERSION

COMMANDS: Mapping[str, tuple[str, str]] = {
    "standings": ("muster.cli.standings:command", "Rank players by their results, offline"),
    "pair": ("muster.cli.pair:command", "Pair the next round, offline"),
    "ruleset": ("muster.cli.rulesets:ruleset", "List, show and check rulesets"),
    "roster": ("muster.cli.rulesets:roster", "Check whether a roster is legal, offline"),
    "clauses": (
        "muster.cli.clauses:command",
        "List every clause of the rules, with the tests that prove it",
    ),
    "up": ("muster.cli.up:command", "Run the whole of Muster on this machine, until Ctrl-C"),
    "verify": ("muster.cli.verify:command", "Verify an exported log and everything computed from it"),
    "replay": ("muster.cli.replay:command", "Compute the standings from an exported log alone"),
    "export": ("muster.cli.export:command", "Export the logs of a tournament of running services"),
    "tournament": ("muster.cli.tournament:command", "Announce, list and show tournaments of running services"),
    "send": ("muster.cli.tournament:send", "Send any command to running services, or show what it would do"),
    "play": ("muster.cli.play:command", "Simulate a whole tournament through running services"),
    "token": ("muster.cli.tokens:token", "Print a token signed with the key of this installation"),
    "revoke": ("muster.cli.tokens:revoke", "Revoke a token"),
    "fsck": ("muster.cli.repair:fsck", "Check everything that is stored for damage, and repair it"),
    "recopy": ("muster.cli.repair:recopy", "Replace a damaged copy with the log of its owner"),
    "recover": ("muster.cli.repair:recover", "Restore what a service has lost from its peers"),
    "rebuild": ("muster.cli.repair:rebuild", "Rebuild caches from the logs, and say what differed"),
}
"""Command -> (module and click command, one line of help)."""


class Commands(Program):
    """The commands of COMMANDS, each imported when it is run."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        module, _, command = COMMANDS[name][0].partition(":")
        found: click.Command = getattr(import_module(module), command)
        return found

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, what) for name, (_, what) in COMMANDS.items()])


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(VERSION, prog_name="muster", message="%(prog)s %(version)s")
@connection_options
@example("muster standings --ruleset star-wars-armada-1.1 --players players.csv --results results.csv")
def main() -> None:
    """Muster runs tabletop tournaments on an audited log of events.

    `muster COMMAND --help` shows the options of a command and an example. The options about addresses and tokens
    are for commands that ask running services; they may stand before the command or after it.
    """


if __name__ == "__main__":
    main(prog_name="muster")
