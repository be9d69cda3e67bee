"""players.csv and results.csv: the input of the offline commands."""

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
    """Return the entrants of a file; add faults to `faults`. ignored: columns that are allowed and not read."""
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
"""Rows or players that a message names at most."""


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
"""The options of every command that reads a tournament from files."""


def tournament_options(command: Callable[..., None]) -> Callable[..., None]:
    """Return the command with `OPTIONS` before its own options."""
    for option in reversed(OPTIONS):
        command = option(command)
    return command


class Tournament(Struct, frozen=True):
    """A tournament read from two files. playing: rows of games still being played. coins: orders decided by coins."""

    entrants: list[Entrant] = []
    games: list[Game] = []
    playing: list[Row] = []
    coins: list[Draw] = []

    @property
    def last(self) -> int:
        """Return the last round with a result; 0 if there is none."""
        return max((game.round for game in self.games), default=0)

    def elimination(self, ruleset: Ruleset, seed: str) -> Elimination | None:
        """Return the stage after the cut; None before it."""
        playing = [(int(row["round"]), (row["player_1"], row["player_2"])) for row in self.playing]
        return elimination_stage(ruleset, self.entrants, self.games, seed=seed, coins=self.coins, playing=playing)


def provisional(tournament: Tournament) -> str:
    """Return why the standings are provisional; empty if the last round is complete."""
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
    """Return the entrants and their scored games; add the faults of both files to `faults`.

    ignored: columns of either file that are allowed and not read.

    Warnings on standard error: a score that is possible but improbable, and two or more active players without a game
    in the last round.
    """
    if players == results == "-":
        faults.append(Fault("--results", results, expects("results-in-file")))
        return Tournament()
    entrants = read_players(players, faults, ignored)
    doubts: list[Fault] = []
    found = read_results(results, ruleset, entrants, faults, doubts, ignored)
    tournament = Tournament(entrants, found.games, found.playing, found.coins)
    if not faults:
        doubts += _missing(results, tournament, ruleset)
    for doubt in () if faults else doubts:
        click.echo(f"warning: {as_line(doubt)}", err=True)
    return tournament


def _missing(path: str, tournament: Tournament, ruleset: Ruleset) -> Iterator[Fault]:
    """Warn of games that may be missing: two or more players who could have met in the last round."""
    last = max([tournament.last, *(int(row["round"]) for row in tournament.playing)])
    there = {row[side] for row in tournament.playing for side in ("player_1", "player_2")}
    there |= {
        player for game in tournament.games if game.round == last for player in (game.player_1, game.player_2) if player
    }
    before = {player for game in tournament.games for player in (game.player_1, game.player_2) if game.round < last}
    forgotten = before - there
    away = [one.player for one in tournament.entrants if one.plays(last) and one.player in forgotten]
    cut = tournament.elimination(ruleset, "") if len(away) > 1 else None
    if len(away) > 1 and (cut is None or last <= cut.swiss.round):
        names = ", ".join(away[:SOME]) + (" …" if len(away) > SOME else "")
        yield Fault(
            f"{path}:1:round",
            NOTHING,
            expects("row-for-each-game", round=last, count=len(away), players=names),
        )
