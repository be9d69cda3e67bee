"""players.csv and results.csv together: what the offline commands are given."""

from __future__ import annotations

from collections.abc import Callable

import click

from services.console.chosen import format_option, output_option, ruleset_option, set_option
from services.console.faults import as_line
from services.console.players_csv import read_players
from services.console.results_csv import read_results
from shared.refusals import Fault
from shared.rules.model import Entrant, Game
from shared.rules.ruleset import Ruleset

OPTIONS = (
    ruleset_option,
    click.option("--players", required=True, metavar="FILE", help="players.csv; - is standard input."),
    click.option("--results", required=True, metavar="FILE", help="results.csv; - is standard input."),
    click.option("--seed", default="", metavar="TEXT", help="The seed of every draw; the same, the same draw."),
    set_option,
    format_option,
    output_option,
)
"""What every command takes that reads a tournament from files."""


def tournament_options(command: Callable[..., None]) -> Callable[..., None]:
    """The command with `OPTIONS`, in their order, before its own."""
    for option in reversed(OPTIONS):
        command = option(command)
    return command


def read_tournament(
    players: str, results: str, ruleset: Ruleset, faults: list[Fault]
) -> tuple[list[Entrant], list[Game]]:
    """The entrants and their scored games; every fault of both files is added to `faults`.

    A score that is possible and improbable is told on standard error, and taken.
    """
    if players == results == "-":
        faults.append(Fault("--results", "standard input, as --players", "one of the two in a file"))
        return [], []
    entrants = read_players(players, faults)
    doubts: list[Fault] = []
    games = read_results(results, ruleset, entrants, faults, doubts)
    for doubt in () if faults else doubts:
        click.echo(f"warning: {as_line(doubt)}", err=True)
    return entrants, games
