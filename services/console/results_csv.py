"""results.csv: what was reported of every game, scored by the ruleset."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import get_args

from services.console.csv_input import Row, read_rows, whole
from shared.refusals import Fault
from shared.rules.model import Entrant, Facts, FactsKind, Game, PairingKind
from shared.rules.refusals import ImpossibleResult
from shared.rules.ruleset import Ruleset
from shared.rules.scoring import score_game

COLUMNS = (
    "round",
    "table",
    "kind",
    "player_1",
    "player_2",
    "winner",
    "points_1",
    "points_2",
    "scenario",
    "conceded_by",
)
REQUIRED = ("round", "kind", "player_1", "player_2", "points_1", "points_2")

_SIDES: Mapping[str, object] = {"": None, "1": 1, "2": 2}
_WINNERS: Mapping[str, object] = {**_SIDES, "draw": "draw"}


def read_results(path: str, ruleset: Ruleset, entrants: Iterable[Entrant], faults: list[Fault]) -> list[Game]:
    """The scored games of a file; every fault is added to `faults`.

    Without entrants (their own file was at fault) it is not told of every player that nobody knows them.
    """
    known = {entrant.player: entrant for entrant in entrants}
    seen: dict[tuple[int, str], int] = {}
    games: list[Game] = []
    for row in read_rows(path, COLUMNS, REQUIRED, faults):
        wrong = [*_faults_of_players(row, known)]
        round, table = whole(row, "round", 1, wrong), whole(row, "table", 1, wrong)
        if not row["round"]:
            wrong.append(row.fault("round", "no round", "a whole number, 1 or more"))
        if round is not None:
            wrong += _faults_of_round(row, round, known, seen)
        game = _game(row, round or 1, table, ruleset, wrong)
        faults += wrong
        if game is not None and not wrong:
            games.append(game)
    return games


def _game(row: Row, round: int, table: int | None, ruleset: Ruleset, wrong: list[Fault]) -> Game | None:
    """The game of a row, or its faults in `wrong`."""
    before = len(wrong)
    if row["kind"] not in get_args(FactsKind):
        wrong.append(row.fault("kind", repr(row["kind"]), "one of " + ", ".join(ruleset.result.kinds)))
    for column, words in (("winner", _WINNERS), ("conceded_by", _SIDES)):
        if row[column] not in words:
            wrong.append(
                row.fault(column, repr(row[column]), "one of " + ", ".join(filter(None, words)) + ", or nothing")
            )
    points = [whole(row, column, 0, wrong) for column in ("points_1", "points_2")]
    if len(wrong) > before:
        return None
    facts = Facts(
        kind=row["kind"],  # type: ignore[arg-type]
        points_1=points[0],
        points_2=points[1],
        winner=_WINNERS[row["winner"]],  # type: ignore[arg-type]
        conceded_by=_SIDES[row["conceded_by"]],  # type: ignore[arg-type]
        scenario=row["scenario"],
    )
    try:
        score = score_game(ruleset, facts)
    except ImpossibleResult as refusal:
        wrong += [_in_the_file(row, fault) for fault in refusal.faults]
        return None
    kind: PairingKind = facts.kind if facts.kind in ("bye", "spare") else "game"
    return Game(round, table, kind, row["player_1"], row["player_2"] or None, facts, score)


def _in_the_file(row: Row, fault: Fault) -> Fault:
    """A fault of the facts at the column that told them; the file names the second player as the winner."""
    column = fault.where.removeprefix("/")
    if column == "second_player":
        return row.fault("winner", fault.said, "1 or 2, the second player, who wins", fault.clause)
    return row.fault(column if column in COLUMNS else "kind", fault.said, fault.expected, fault.clause)


def _faults_of_players(row: Row, known: Mapping[str, Entrant]) -> Iterator[Fault]:
    one, two, kind = row["player_1"], row["player_2"], row["kind"]
    for column, player in (("player_1", one), ("player_2", two)):
        if player and known and player not in known and not (kind == "spare" and column == "player_2"):
            yield row.fault(column, f"unknown player {player!r}", "a player of the players file")
    if not one:
        yield row.fault("player_1", "nobody", "a player")
    if kind == "bye" and two:
        yield row.fault("player_2", f"{two!r} in a bye", "nothing")
    if kind != "bye" and not two:
        yield row.fault("player_2", "nobody", "a player, or kind bye")
    if one and one == two:
        yield row.fault("player_2", f"{two!r} against themselves", "two different players")


def _faults_of_round(
    row: Row, round: int, known: Mapping[str, Entrant], seen: dict[tuple[int, str], int]
) -> Iterator[Fault]:
    columns = ("player_1",) if row["kind"] == "spare" else ("player_1", "player_2")
    for column in columns:
        player = row[column]
        if not player or (column == "player_2" and player == row["player_1"]):
            continue
        if (round, player) in seen:
            said = f"{player!r} for the second time in round {round}"
            yield row.fault(column, said, f"once a round; the first is in row {seen[round, player]}")
        seen.setdefault((round, player), row.line)
        last = known[player].dropped_after if player in known else None
        if last is not None and round > last:
            yield row.fault(column, f"{player!r} in round {round}", f"no round after {last}, the last one played")
