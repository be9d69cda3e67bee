"""`muster tournament results`: write a tournament of running services as files for the offline commands."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import click
import msgspec

from muster.cli.command_group import example
from muster.cli.connection import connect, online
from muster.cli.offline_input import format_option, output_option
from muster.cli.output import format_rows, write
from muster.cli.tournament_files import PLAYERS
from muster_client import Muster
from muster_client.plain import path_of
from shared.csv_cells import to_csv
from shared.formats.options import as_text
from shared.rules.model import Facts, Game, Score
from shared.swiss.games import COLUMNS, results_row

ENTERED = ("active", "dropped", "disqualified")
UNSCORED = Score("draw")
"""Members that are left out of a row: the ruleset computes the score from the facts."""

Json = Mapping[str, Any]


@click.command("results")
@click.argument("tournament", metavar="ID")
@click.option("--round", "last", type=click.IntRange(1), metavar="N", help="Up to this round. Default: all rounds.")
@click.option("--players", "players_to", metavar="FILE", help="Write the players to this file, as players.csv.")
@format_option
@output_option
@online
@example("muster tournament results t-5f0c7d1e6f0a --format csv --output results.csv")
def command(
    tournament: str,
    last: int | None,
    players_to: str | None,
    form: str,
    output: str,
) -> None:
    """List every game with its result; as CSV it is the file that `muster standings` reads.

    A game without points is still being played. Standard error shows the command that computes the same standings from
    the files.
    """
    muster = connect()
    ruleset = muster.plain.get("registration", path_of(tournament, "/ruleset"))["ruleset"]
    rounds = muster.plain.get("pairing", path_of(tournament, "/rounds"))["items"]
    wanted = [round for round in rounds if last is None or round["round"] <= last]
    scenarios = {round["round"]: round.get("scenario", "") for round in wanted}
    games = list(muster.plain.items("scoring", path_of(tournament, "/games"), round="all"))
    coins, seeds = _coins(muster, tournament, ruleset, wanted)
    rows = [_row(game, scenarios, coins) for game in games if game["round"] in scenarios]
    columns = [name for name in COLUMNS if form == "csv" or any(row.get(name) is not None for row in rows)]
    write(format_rows(form, columns, rows, output), output)
    if players_to is not None:
        entered = muster.plain.items("registration", path_of(tournament, "/players"))
        write(to_csv(PLAYERS.columns, list(_players(entered))), players_to)
    files = players_to or "players.csv", output if output != "-" else "results.csv"
    click.echo(_same_standings(ruleset, files, seeds), err=True)


def _row(game: Json, scenarios: Mapping[int, str], coins: Mapping[tuple[int, str], int]) -> dict[str, object]:
    kind, round = game["kind"], game["round"]
    facts = msgspec.convert(game["facts"] if game["binds"] and kind != "bye" else {"kind": kind}, Facts)
    if not facts.scenario:
        facts = msgspec.structs.replace(facts, scenario=scenarios[round])
    two = game["player_2"] or None
    row = results_row(Game(round, game["table"] or None, kind, game["player_1"], two, facts, UNSCORED))
    for side in (1, 2):
        value = coins.get((round, game[f"player_{side}"]))
        row |= {} if value is None else {f"coins_{side}": value}
    return row


def _players(players: Iterable[Json]) -> Iterator[dict[str, object]]:
    for player in players:
        if player["status"] in ENTERED:
            row = {name: player[name] for name in ("name", "faction", "venue", "club")}
            row |= {} if player["status"] == "active" else {"status": player["status"]}
            left = {"dropped_after": player["after_round"]} if player["status"] == "dropped" else {}
            yield {"player": player["id"]} | row | left


def _coins(
    muster: Muster, tournament: str, ruleset: Json, rounds: Sequence[Json]
) -> tuple[dict[tuple[int, str], int], set[str]]:
    """Return the number of tied players below each, by round and player; and the last seeds."""
    coins: dict[tuple[int, str], int] = {}
    seeds: set[str] = set()
    by_hand = ruleset.get("standings", {}).get("by_hand", False)
    for place, round in enumerate(rounds, start=1):
        if place < len(rounds) and not (by_hand and round["status"] == "closed"):
            continue
        asked = round["round"] if round["status"] == "closed" else None
        draws = muster.plain.whole("scoring", path_of(tournament, "/standings"), round=asked).get("draws", [])
        for draw in draws:
            if not draw["seed"] and draw["round"] == round["round"]:
                coins |= {(draw["round"], player): value for value, player in enumerate(reversed(draw["order"]))}
        if place == len(rounds):
            seeds = {draw["seed"] for draw in draws if draw["seed"]}
    return coins, seeds


def _same_standings(ruleset: Json, files: tuple[str, str], seeds: Iterable[str]) -> str:
    """Return the command that computes the same standings from the files."""
    words = ["muster", "standings", "--ruleset", str(ruleset["id"])]
    for key, value in ruleset.get("chosen", {}).items():
        words += ["--option", f"{key}={as_text(value)}"]
    words += ["--players", files[0], "--results", files[1]]
    for seed in sorted(seeds):
        words += ["--seed", seed]
    return shlex.join(words)
