"""`muster standings`: rank players from files of results."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import click

from muster.cli.command_group import example
from muster.cli.offline_input import swiss_ruleset
from muster.cli.output import as_json, as_table, mark_provisional, print_stage, refuse, write
from muster.cli.pair import draw_as_value, draws_as_lines
from muster.cli.tournament_files import provisional, read_tournament, tournament_options
from shared.csv_cells import to_csv
from shared.refusals import Fault, expects
from shared.rules.model import Draw
from shared.rules.parts import Words
from shared.swiss.elimination import bracket_standings
from shared.swiss.rounds import Crosstable, crosstable, robin_cycles
from shared.swiss.standings import Explained, explain, rank, rows_as_json


@click.command("standings")
@tournament_options
@click.option("--explain", "explained", is_flag=True, help="Show how every value was computed (table and json).")
@example("muster standings --ruleset star-wars-armada-1.1 --players players.csv --results results.csv")
def command(
    ruleset_id: str,
    players: str,
    results: str,
    options: tuple[str, ...],
    ignored: tuple[str, ...],
    seed: str,
    named: bool,
    form: str,
    explained: bool,
    output: str,
) -> None:
    """Rank players by their results."""
    ruleset = swiss_ruleset(ruleset_id, options)
    faults: list[Fault] = []
    tournament = read_tournament(players, results, ruleset, faults, ignored)
    if explained and form == "csv":
        faults.append(Fault("--format", form, expects("format-with-explain")))
    if faults:
        refuse(faults)
    entrants, games, last = tournament.entrants, tournament.games, tournament.last
    print_stage(f"ranking {len(entrants):,} players", len(entrants))
    stage = tournament.elimination(ruleset, seed)
    standings = (
        bracket_standings(stage, last)
        if stage
        else rank(ruleset, entrants, games, round=last, seed=seed, coins=tournament.coins)
    )
    why = provisional(tournament)
    if why:
        click.echo(why, err=True)
    rows = mark_provisional(rows_as_json(standings), provisional=why)
    ranked = [row["player"] for row in rows]
    met = crosstable(ruleset, ranked, games, round=last) if robin_cycles(ruleset) else {}
    reasons = explain(ruleset, entrants, games, round=stage.swiss.round if stage else last) if explained else None
    drawn = {player: draw for draw in standings.draws for player in draw.group}
    names = {entrant.player: entrant.name for entrant in entrants if entrant.name}
    if named or form == "table":
        rows = [row | {"name": names.get(row["player"], "")} for row in rows]
    if form == "csv":
        last_of_all = ["name"] if named else []
        write(to_csv(["rank", "player", *standings.columns, "tied", "status", *last_of_all], rows), output)
    elif form == "json":
        crossed = [row | {"crosstable": met[row["player"]]} for row in rows] if met else rows
        write(
            as_json([_with_reasons(row, reasons, drawn.get(row["player"]), tournament.coins) for row in crossed]),
            output,
        )
    else:
        columns = ["rank", "player", *(["name"] if names else []), *standings.columns, "note"]
        words = ruleset.effective_words
        text = as_table(columns, [noted(row, words) for row in rows], words.columns, output=output)
        text += "provisional\n" if why else ""
        text += "\n" + _crossed(met, names, output) if met else ""
        if reasons:
            text += "\n" + "".join(_lines(row["player"], reasons(row["player"]), words) for row in rows)
            text += draws_as_lines(standings.draws, tournament.coins)
        write(text, output)


def noted(row: dict[str, Any], words: Words) -> dict[str, Any]:
    """Return a row of standings with its `note`: a status, or a tie broken by lot."""
    notes = [row.get("status", ""), words.tied if row["tied"] else ""]
    return row | {"note": ", ".join(filter(None, notes))}


def _crossed(met: Crosstable, names: Mapping[str, str], output: str) -> str:
    """Return the crosstable as text: a line and a column for each player, numbered by rank."""
    numbers = {player: str(number) for number, player in enumerate(met, start=1)}
    rows = [
        {"number": numbers[player], "player": player, "name": names.get(player, "")}
        | {column: " ".join(map(str, against.get(other, "."))) for other, column in numbers.items()}
        | {numbers[player]: "*"}
        for player, against in met.items()
    ]
    columns = ["number", "player", *(["name"] if names else []), *numbers.values()]
    return as_table(columns, rows, {"number": ""}, output=output)


def _with_reasons(
    row: dict[str, Any],
    reasons: Callable[[str], list[Explained]] | None,
    draw: Draw | None,
    coins: Sequence[Draw],
) -> dict[str, Any]:
    if reasons is None:
        return row
    by_draw = {"draw": draw_as_value(draw, coins)} if draw else {}
    return (
        row
        | by_draw
        | {
            "explain": {
                value.column: {
                    "value": value.value,
                    "clause": value.clause,
                    "from": [
                        {"round": share.round, "opponent": share.opponent or "", "value": share.value}
                        for share in value.shares
                    ],
                }
                for value in reasons(row["player"])
            }
        }
    )


def _lines(player: str, values: list[Explained], words: Words) -> str:
    called = words.headings(value.column for value in values)

    def of(value: Explained) -> str:
        shares = (f"{share.value} (round {share.round}, {share.opponent or 'no opponent'})" for share in value.shares)
        made = " + ".join(shares) or "nothing"
        return f"  {called[value.column]} {value.value} = {made}   [{value.clause}]\n"

    return f"{player}\n" + "".join(map(of, values))
