"""`muster pair`: results in, the next round out."""

from __future__ import annotations

import click

from services.console import tabular
from services.console.chosen import (
    chosen_ruleset,
    format_option,
    output_option,
    players_option,
    results_option,
    ruleset_option,
    seed_option,
    set_option,
)
from services.console.faults import refuse
from services.console.players_csv import read_players
from services.console.results_csv import read_results
from shared.refusals import Fault

COLUMNS = ("round", "table", "kind", "player_1", "player_2")


@click.command("pair")
@ruleset_option
@players_option
@results_option
@seed_option
@set_option
@format_option
@output_option
def command(
    ruleset_id: str, players: str, results: str, seed: str, options: tuple[str, ...], form: str, output: str
) -> None:
    """Pair the round after the last one with results."""
    from shared.rules.pairing import pair_round
    from shared.rules.refusals import TooFewPlayers

    ruleset = chosen_ruleset(ruleset_id, options)
    faults: list[Fault] = []
    entrants = read_players(players, faults)
    games = read_results(results, ruleset, entrants, faults)
    if faults:
        refuse(faults)
    following = 1 + max((game.round for game in games), default=0)
    try:
        paired = pair_round(ruleset, entrants, games, round=following, seed=seed)
    except TooFewPlayers as refusal:
        refuse([Fault(f"{players}:1:status", refusal.detail, "at least 2 active players")])
    rows: list[dict[str, object]] = []
    for number, pairing in enumerate(paired.pairings, 1):
        row: dict[str, object] = {"round": following}
        if pairing.kind != "bye":
            row["table"] = number
        row |= {"kind": pairing.kind, "player_1": pairing.player_1}
        if pairing.player_2 is not None:
            row["player_2"] = pairing.player_2
        rows.append(row | {"reason": pairing.reason})
    if form == "csv":
        tabular.write(tabular.as_csv(COLUMNS, rows), output)
    elif form == "json":
        tabular.write(tabular.as_json(rows), output)
    else:
        tabular.write(tabular.as_table([*COLUMNS, "reason"], rows), output)
