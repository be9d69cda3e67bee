"""players.csv and results.csv together: what the offline commands are given."""

from __future__ import annotations

from collections.abc import Callable, Collection

import click

from services.console import players_csv, results_csv
from services.console.chosen import format_option, output_option, ruleset_option, set_option
from services.console.faults import as_line, refuse
from shared.refusals import Fault
from shared.rules.model import Entrant, Game
from shared.rules.ruleset import Ruleset


def _unread(context: click.Context, option: click.Parameter, names: tuple[str, ...]) -> tuple[str, ...]:
    for name in names:
        if name.strip() in {*players_csv.SHAPE.columns, *results_csv.SHAPE.columns}:
            refuse([Fault("--ignore-column", repr(name), "a column that is not read anyway")])
    return names


OPTIONS = (
    ruleset_option,
    click.option("--players", required=True, metavar="FILE", help="players.csv; - is standard input."),
    click.option("--results", required=True, metavar="FILE", help="results.csv; - is standard input."),
    click.option(
        "--ignore-column",
        "ignored",
        multiple=True,
        metavar="NAME",
        callback=_unread,
        help="A column of either file that is not read, and would be refused; may be repeated.",
    ),
    click.option("--seed", default="", metavar="TEXT", help="The seed of every draw; the same, the same draw."),
    click.option(
        "--names",
        "named",
        is_flag=True,
        help="Add names to csv and json, too; a table shows them.",
    ),
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
    players: str, results: str, ruleset: Ruleset, faults: list[Fault], ignored: Collection[str] = ()
) -> tuple[list[Entrant], list[Game]]:
    """The entrants and their scored games; every fault of both files is added to `faults`.

    ignored: columns of either file that are let through without being read.

    A score that is possible and improbable is told on standard error, and taken.
    """
    if players == results == "-":
        faults.append(Fault("--results", "standard input, as --players", "one of the two in a file"))
        return [], []
    entrants = players_csv.read_players(players, faults, ignored)
    doubts: list[Fault] = []
    games = results_csv.read_results(results, ruleset, entrants, faults, doubts, ignored)
    for doubt in () if faults else doubts:
        click.echo(f"warning: {as_line(doubt)}", err=True)
    return entrants, games
