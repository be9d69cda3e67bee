"""players.csv and results.csv together: what the offline commands are given."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from typing import get_args

import click
from msgspec import Struct

from muster.cli.offline_input import (
    Row,
    Shape,
    format_option,
    output_option,
    read_rows,
    ruleset_option,
    set_option,
    whole,
)
from muster.cli.output import as_line, refuse
from muster.cli.results_csv import RESULTS, read_results
from shared.refusals import NOTHING, Fault, expects
from shared.rules.model import Draw, Entrant, Game, Status
from shared.swiss.elimination import Elimination, elimination_stage
from shared.swiss.ruleset import Ruleset

PLAYERS = Shape(
    ("player", "name", "faction", "venue", "club", "status", "dropped_after"), required=("player",), words=("status",)
)


def read_players(path: str, faults: list[Fault], ignored: Collection[str] = ()) -> list[Entrant]:
    """The entrants of a file, whose columns of these names are ignored; every fault is added to `faults`."""
    before = len(faults)
    rows = read_rows(path, PLAYERS, faults, ignored)
    entrants: list[Entrant] = []
    first: dict[str, int] = {}
    for row in rows:
        player, status = row["player"], row["status"] or "active"
        dropped_after = whole(row, "dropped_after", 0, faults)
        if not player:
            faults.append(row.fault("player", NOTHING, expects("id-of-player")))
        elif player in first:
            faults.append(row.fault("player", f"{player!r}", expects("player-once-in-file", row=first[player])))
        if status not in get_args(Status):
            faults.append(
                row.fault("status", repr(status), expects("one-of-or-nothing", values=list(get_args(Status))))
            )
        elif status == "active" and row["dropped_after"]:
            faults.append(row.fault("dropped_after", row["dropped_after"], expects("status-dropped-or-nothing")))
        first.setdefault(player, row.line)
        entrants.append(
            Entrant(
                player,
                name=row["name"],
                status=status,  # type: ignore[arg-type]
                dropped_after=dropped_after,
                faction=row["faction"],
                venue=row["venue"],
                club=row["club"],
            )
        )
    if not rows and len(faults) == before:
        faults.append(Fault(f"{path}:2:player", NOTHING, expects("row-for-each-player")))
    return entrants


SOME = 5
"""So many rows or players are named where there are more."""


def _unread(context: click.Context, option: click.Parameter, names: tuple[str, ...]) -> tuple[str, ...]:
    for name in names:
        if name.strip() in {*PLAYERS.columns, *RESULTS.columns}:
            refuse([Fault("--ignore-column", repr(name), expects("column-not-read"))])
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
        help="Ignore this column, which would otherwise be refused as unknown. Can be repeated.",
    ),
    click.option(
        "--seed",
        default="",
        metavar="TEXT",
        help="Random draws are made from this text: the same text gives the same draws.",
    ),
    click.option(
        "--names",
        "named",
        is_flag=True,
        help="Add names to csv and json as well; a table always shows them.",
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


class Tournament(Struct, frozen=True):
    """What two files tell. playing: rows of games still being played; coins: the orders that coins gave."""

    entrants: list[Entrant] = []
    games: list[Game] = []
    playing: list[Row] = []
    coins: list[Draw] = []

    @property
    def last(self) -> int:
        """The last round with a result; 0 for none."""
        return max((game.round for game in self.games), default=0)

    def elimination(self, ruleset: Ruleset, seed: str) -> Elimination | None:
        """The stage after the cut, where the tournament is there."""
        playing = [(int(row["round"]), (row["player_1"], row["player_2"])) for row in self.playing]
        return elimination_stage(ruleset, self.entrants, self.games, seed=seed, coins=self.coins, playing=playing)


def provisional(tournament: Tournament) -> str:
    """Why the standings are not those of a whole round, in words; empty where they are."""
    playing = tournament.playing
    if not playing:
        return ""
    rows = ", ".join(str(row.line) for row in playing[:SOME]) + (" …" if len(playing) > SOME else "")
    games = "1 game has" if len(playing) == 1 else f"{len(playing)} games have"
    where = f"row{'s' if len(playing) > 1 else ''} {rows}"
    return f"provisional: round {playing[0]['round']} is being played, {games} no result yet ({where})"


def read_tournament(
    players: str, results: str, ruleset: Ruleset, faults: list[Fault], ignored: Collection[str] = ()
) -> Tournament:
    """The entrants and their scored games; every fault of both files is added to `faults`.

    ignored: columns of either file that are let through without being read.

    A score that is possible and improbable is told on standard error, and taken; so are active players who played
    before and whom the last round says nothing of, where they are two or more.
    """
    if players == results == "-":
        faults.append(Fault("--results", results, expects("results-in-file")))
        return Tournament()
    entrants = read_players(players, faults, ignored)
    doubts: list[Fault] = []
    found = read_results(results, ruleset, entrants, faults, doubts, ignored)
    told = Tournament(entrants, found.games, found.playing, found.coins)
    if not faults:
        doubts += _missing(results, told, ruleset)
    for doubt in () if faults else doubts:
        click.echo(f"warning: {as_line(doubt)}", err=True)
    return told


def _missing(path: str, told: Tournament, ruleset: Ruleset) -> Iterator[Fault]:
    """Games that may have been forgotten: two or more who could have met in the last round."""
    last = max([told.last, *(int(row["round"]) for row in told.playing)])
    there = {row[side] for row in told.playing for side in ("player_1", "player_2")}
    there |= {
        player for game in told.games if game.round == last for player in (game.player_1, game.player_2) if player
    }
    before = {player for game in told.games for player in (game.player_1, game.player_2) if game.round < last}
    forgotten = before - there
    away = [one.player for one in told.entrants if one.plays(last) and one.player in forgotten]
    cut = told.elimination(ruleset, "") if len(away) > 1 else None
    if len(away) > 1 and (cut is None or last <= cut.swiss.round):
        names = ", ".join(away[:SOME]) + (" …" if len(away) > SOME else "")
        yield Fault(
            f"{path}:1:round",
            NOTHING,
            expects("row-for-each-game", round=last, count=len(away), players=names),
        )
