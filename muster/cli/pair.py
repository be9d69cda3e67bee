"""`muster pair`: pair the next round from a file of results; on request with the reason of each pairing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

import click
from msgspec import Struct
from msgspec.structs import replace

from muster.cli.command_group import example
from muster.cli.offline_input import swiss_ruleset
from muster.cli.output import as_json, as_table, print_stage, refuse, write
from muster.cli.tournament_files import read_tournament, tournament_options
from shared.csv_cells import to_csv
from shared.refusals import NOTHING, Fault, display_text, expects
from shared.rules.matching import RematchCost, meetings
from shared.rules.model import (
    BracketDecided,
    Draw,
    Entrant,
    Game,
    GivenBye,
    Pairing,
    RoundIncomplete,
    RoundsNotFixed,
    TooFewPlayers,
)
from shared.rules.pairing import Table, assign_tables, table_draw
from shared.rules.parts import Words
from shared.swiss.elimination import pair_elimination
from shared.swiss.pairing import (
    bye_kind,
    fault_of_bye_count,
    fault_of_bye_kind,
    last_spare,
    pair_round,
    pair_with_given_byes,
    pair_with_spare,
)
from shared.swiss.ruleset import Ruleset
from shared.swiss.standings import rank, rows_as_json


def draw_as_value(draw: Draw, coins: Sequence[Draw] = ()) -> dict[str, Any]:
    """Return a draw for JSON: its inputs, to repeat it, and the resulting order. A coin has no seed."""
    made_from = {"by": "coin"} if _is_coin(draw, coins) else {"seed": draw.seed}
    return {"purpose": draw.purpose, "round": draw.round, **made_from, "order": list(draw.order)}


def draws_as_lines(draws: Iterable[Draw], coins: Sequence[Draw] = ()) -> str:
    """Return draws as text, one line each."""
    return "".join(
        f"coin: after round {draw.round}: {', '.join(draw.order)}\n"
        if _is_coin(draw, coins)
        else f"draw: seed {draw.seed!r}, purpose {draw.purpose}, round {draw.round}: {', '.join(draw.order)}\n"
        for draw in draws
    )


def _is_coin(draw: Draw, coins: Sequence[Draw]) -> bool:
    """Return True if an order was entered by hand, possibly reduced to the players who are still tied."""
    about = draw.purpose, draw.round
    return any(about == (coin.purpose, coin.round) and set(draw.group) <= set(coin.group) for coin in coins)


class Before(Struct, frozen=True):
    """A player before the round: the standings row and the number of games against each opponent, by name."""

    row: dict[str, Any]
    met: dict[str, int]


def before(
    ruleset: Ruleset,
    entrants: Iterable[Entrant],
    games: Iterable[Game],
    *,
    round: int,
    seed: str,
    coins: Sequence[Draw] = (),
) -> dict[str, Before]:
    """Return every player with the standings that round `round` is paired from. coins: as for `rank`."""
    played = list(games)
    standings = rank(ruleset, entrants, played, round=round - 1, seed=seed, coins=coins)
    met = meetings(played, round, ruleset.played)
    return {row["player"]: Before(row, _often(met.get(row["player"], {}))) for row in rows_as_json(standings)}


def _often(met: Mapping[str, RematchCost]) -> dict[str, int]:
    return {opponent: again.earlier for opponent, again in sorted(met.items())}


def as_values(pairing: Pairing, known: dict[str, Before], draws: Iterable[Draw]) -> dict[str, Any]:
    """Return both sides of a pairing for JSON: standings row, opponents so far, draws. A spare player has none.

    met: the names of the opponents. meetings: opponent -> number of games.
    """
    return {
        name: {
            **known[name].row,
            "met": list(known[name].met),
            "meetings": known[name].met,
            "draws": [draw_as_value(draw) for draw in draws if name in draw.group],
        }
        for name in pairing.players
        if name in known
    }


def as_lines(number: int, pairing: Pairing, known: dict[str, Before], words: Words) -> str:
    """Return a pairing as text: the reason, then a line for each player. words: the names of the values."""
    lines = [f"{number}  {' - '.join(pairing.players)}: {pairing.reason}"]
    for name in pairing.players:
        if name in known:
            row, met = known[name].row, ", ".join(_times(known[name].met)) or "nobody"
            called = words.headings(column for column in row if column not in _NO_VALUES)
            said = ", ".join(f"{heading} {row[column]}" for column, heading in called.items())
            lines.append(f"   {name}: rank {row['rank']}, {said}; has met {met}")
    return "\n".join(lines) + "\n"


def _times(met: Mapping[str, int]) -> Iterable[str]:
    """Return the opponents, each with the number of games if there was more than one."""
    return (f"{opponent} ({games} times)" if games > 1 else opponent for opponent, games in met.items())


_NO_VALUES = {"rank", "player", "tied", "status"}


COLUMNS = ("round", "table", "kind", "player_1", "player_2")
SIDES = (1, 2)
NAMES = ("name_1", "name_2")
NOBODY, UNNAMED = "-", "Spare"


@click.command("pair")
@tournament_options
@click.option("--spare", metavar="NAME", help="The spare player of this round; - means none. Default: as last time.")
@click.option(
    "--bye",
    "given",
    metavar="PLAYER=KIND",
    multiple=True,
    help="Give this player a bye beforehand; KIND is awarded or requested. Can be repeated.",
)
@click.option(
    "--tables",
    type=click.IntRange(0),
    metavar="N",
    help="How many tables there are; games that find none are played there later, in waves. 0: do not number tables. "
    "Default: one table for every game.",
)
@click.option("--explain", "explained", is_flag=True, help="Show why each pairing was made (table and json).")
@example("muster pair --ruleset star-wars-armada-1.1 --players players.csv --results results.csv")
def command(
    ruleset_id: str,
    players: str,
    results: str,
    ignored: tuple[str, ...],
    seed: str,
    named: bool,
    options: tuple[str, ...],
    spare: str | None,
    given: tuple[str, ...],
    tables: int | None,
    form: str,
    explained: bool,
    output: str,
) -> None:
    """Pair the round after the last one with results."""

    ruleset = swiss_ruleset(ruleset_id, options)
    faults: list[Fault] = []
    tournament = read_tournament(players, results, ruleset, faults, ignored)
    entrants, games = tournament.entrants, tournament.games
    faults += [
        row.fault("points_1", NOTHING, expects("results-of-round", round=row["round"])) for row in tournament.playing
    ]
    if spare not in (None, "", NOBODY) and "spare" not in ruleset.result.kinds:
        faults.append(Fault("--spare", repr(spare), expects("no-spare-player", ruleset=ruleset.id)))
    elif spare not in (None, "", NOBODY) and any(one.player == spare and one.status == "active" for one in entrants):
        clause = ruleset.spare.clause if ruleset.spare else ""
        faults.append(Fault("--spare", repr(spare), expects("unpaired-spare"), clause))
    if explained and form == "csv":
        faults.append(Fault("--format", form, expects("format-with-explain")))
    following = tournament.last + 1
    playing = {entrant.player for entrant in entrants if entrant.plays(following)}
    byes = _given(given, ruleset, playing, games, faults)
    if faults:
        refuse(faults)
    print_stage(f"pairing round {following} of {len(entrants):,} players", len(entrants))
    stage = tournament.elimination(ruleset, seed)
    if stage and byes:
        refuse([Fault("--bye", given[0], expects("no-byes-in-bracket"), ruleset.cut.clause)])
    flipped = (
        rank(ruleset, entrants, games, round=tournament.last, seed=seed, coins=tournament.coins)
        if tournament.coins
        else None
    )
    try:
        standing_by = _standing_by(spare, ruleset, games)
        if stage:
            paired = pair_elimination(ruleset, stage, entrants, round=following, seed=seed)
        elif standing_by:
            pair = partial(
                pair_with_spare,
                ruleset,
                games=games,
                round=following,
                seed=seed,
                spare=standing_by,
                standings=flipped,
            )
            paired = pair_with_given_byes(byes, entrants, following, pair, standing_by)
        else:
            pair = partial(pair_round, ruleset, games=games, round=following, seed=seed, standings=flipped)
            paired = pair_with_given_byes(byes, entrants, following, pair)
    except TooFewPlayers as refusal:
        if byes:
            refuse([Fault("--bye", f"{len(byes)}", expects("player-without-bye"))])
        refuse([Fault(f"{players}:1:status", f"{refusal.data['players']}", expects("active-players", least=2))])
    except BracketDecided as refusal:
        winner = display_text(refusal.data["winner"])
        refuse([Fault(f"{results}:1:round", winner, expects("no-round-after-winner"), ruleset.cut.clause)])
    except RoundsNotFixed as refusal:
        expected = expects("round-of-table")
        if isinstance(unknown := refusal.data.get("players"), list):
            expected = expects("players-of-round-1", players=unknown)
        refuse([Fault(f"{results}:1:round", f"{following}", expected, ruleset.rounds.clause)])
    except RoundIncomplete as refusal:
        expected = expects("results-of-bracket", games=refusal.data["players"])
        refuse([Fault(f"{results}:1:round", NOTHING, expected, ruleset.cut.clause)])
    made_from_round = stage.swiss.round + 1 if stage else following
    known = (
        before(ruleset, entrants, games, round=made_from_round, seed=seed, coins=tournament.coins) if explained else {}
    )
    order = [pairing.player_1 for pairing in paired.pairings]
    games_paired = [pairing.player_1 for pairing in paired.pairings if pairing.kind != "bye"]
    drawn = None if stage else table_draw(ruleset.tables.order, games_paired, round=following, seed=seed)
    if drawn:
        order, paired = list(drawn.order), replace(paired, draws=(*paired.draws, drawn))
    seat_of = _seated(ruleset, games, paired.pairings, order, tables)
    names = {entrant.player: entrant.name for entrant in entrants if entrant.name}
    shown = named or form == "table"
    rows: list[dict[str, object]] = []
    for pairing in paired.pairings:
        row: dict[str, object] = {"round": following}
        waves: dict[str, object] = {}
        if pairing.kind != "bye" and tables != 0:
            row["table"], wave = seat_of[pairing.player_1]
            waves = {"wave": wave} if tables else {}
        row |= {"kind": bye_kind(pairing.bye) if pairing.kind == "bye" else pairing.kind, "player_1": pairing.player_1}
        if pairing.player_2 is not None:
            row["player_2"] = pairing.player_2
        made_from = {"explain": as_values(pairing, known, paired.draws)} if explained else {}
        called = {f"name_{side}": names.get(str(row.get(f"player_{side}")), "") for side in SIDES} if shown else {}
        rows.append(row | {"reason": pairing.reason} | waves | made_from | called)
    if form == "csv":
        columns = [*COLUMNS, *(["wave"] if tables else []), *(NAMES if named else ())]
        write(to_csv(columns, rows), output)
    elif form == "json":
        write(as_json(rows), output)
    else:
        names_shown = ("player_1", "name_1", "player_2", "name_2") if names else COLUMNS[-2:]
        numbered = [name for name in COLUMNS[:-2] if name != "table" or tables != 0]
        in_waves = ["wave"] if tables and len(games_paired) > tables else []
        text = as_table([*numbered, *in_waves, *names_shown, "reason"], rows, output=output)
        if explained:
            text += "\n" + "".join(
                as_lines(number, pairing, known, ruleset.effective_words)
                for number, pairing in enumerate(paired.pairings, 1)
            )
            text += draws_as_lines(paired.draws)
        write(text, output)


def _seated(
    ruleset: Ruleset, games: Sequence[Game], pairings: Sequence[Pairing], order: Sequence[str], tables: int | None
) -> dict[str, tuple[int, int]]:
    """Return the table and the wave of each game, by first player.

    order: first players, the lowest table first. tables: number of tables; None: one for every game.
    """
    history: dict[str, set[int]] = {}
    for game in games if ruleset.tables.avoid_repeats else ():
        for player in (game.player_1, game.player_2):
            if player and game.table:
                history.setdefault(player, set()).add(game.table)
    place = {player: number for number, player in enumerate(order)}
    to_seat = sorted((one for one in pairings if one.kind != "bye"), key=lambda one: place[one.player_1])
    at_once = tables or len(to_seat) or 1
    places = [Table("", number) for number in range(1, at_once + 1)]
    return {
        seated.pairing.player_1: (seated.table.number, wave)
        for wave, first in enumerate(range(0, len(to_seat), at_once), start=1)
        for seated in assign_tables(to_seat[first : first + at_once], places, history=history)
        if seated.table
    }


def _given(
    options: Sequence[str],
    ruleset: Ruleset,
    playing: Collection[str],
    games: Sequence[Game],
    faults: list[Fault],
) -> dict[str, GivenBye]:
    """Return the kind of bye of each player who has one before the round is paired."""
    from shared.rules.model import GIVEN

    had = Counter((game.player_1, game.facts.bye) for game in games)
    found: dict[str, GivenBye] = {}
    for option in options:
        player, _, kind = option.rpartition("=")
        if wrong := fault_of_bye_kind(ruleset, kind, "--bye"):
            faults.append(wrong)
        elif player not in playing or player in found:
            faults.append(Fault("--bye", repr(option), expects("player-with-bye")))
        elif wrong := fault_of_bye_count(ruleset, GIVEN[kind], had[player, GIVEN[kind]], repr(option), "--bye"):
            faults.append(wrong)
        else:
            found[player] = GIVEN[kind]
    return found


def _standing_by(spare: str | None, ruleset: Ruleset, games: Sequence[Game]) -> str:
    """Return the spare player of the round to pair: as given, as last round, or by an option; empty for none."""
    if spare is not None:
        return "" if spare == NOBODY else spare
    return last_spare(games) or (UNNAMED if "spare_mode" in ruleset.chosen else "")
