"""results.csv: what was reported of every game, scored by the ruleset."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import get_args

from msgspec import Struct
from msgspec.structs import replace

from muster.cli.offline.extra_column import FURTHER, against_spare, read_extra
from muster.cli.offline.input_files import Row, Shape, read_rows, whole
from muster.cli.offline.results_checks import (
    CoinColumns,
    LeftOver,
    UnknownPlayers,
    faults_of_scenario,
    scenarios_of_rounds,
    with_own_names,
    with_scenario,
)
from muster.cli.progress import shown
from shared.refusals import NOTHING, Fault, expects, one_of
from shared.rules.model import KINDS, Draw, Entrant, Facts, FactsKind, Game, ImpossibleResult, PairingKind, Score, Side
from shared.rules.parts import DRAW
from shared.swiss.elimination import cut_places
from shared.swiss.game_parts import Bye
from shared.swiss.games import COLUMNS
from shared.swiss.registries import POINTS_SCHEMES
from shared.swiss.ruleset import Ruleset
from shared.swiss.scoring import improbable_in, in_its_round, in_round, score_game

RESULTS = Shape(
    COLUMNS,
    required=("round", "kind", "player_1", "player_2", "points_1", "points_2"),
    words=("kind", "winner"),
)

SIDES: tuple[Side, Side] = (1, 2)
_SIDES: Mapping[str, object] = {"": None, "1": 1, "2": 2}
_WINNERS: Mapping[str, object] = {**_SIDES, "draw": "draw"}


REPORT = ("winner", "points_1", "points_2", "conceded_by", "extra")
"""What a row tells of how a game went; a game of which none of it is told is still being played."""


class Results(Struct, frozen=True):
    """The games of a file. playing: rows of games still being played; coins: the orders that coins gave."""

    games: list[Game]
    playing: list[Row]
    coins: list[Draw]


def read_results(
    path: str,
    ruleset: Ruleset,
    entrants: Sequence[Entrant],
    faults: list[Fault],
    doubts: list[Fault],
    ignored: Collection[str] = (),
) -> Results:
    """The scored games of a file; every fault is added to `faults`, every improbable score to `doubts`.

    ignored: columns that are let through without being read.
    Without entrants (their own file was at fault) it is not told of every player that nobody knows them.
    """
    known = {entrant.player: entrant for entrant in entrants}
    out = {player for player, entrant in known.items() if entrant.status == "disqualified"}
    seen: dict[tuple[int, str], int] = {}
    left_over = LeftOver(ruleset, known)
    games: list[Game] = []
    playing: list[Row] = []
    coins = CoinColumns()
    rows = with_own_names(read_rows(path, RESULTS, faults, ignored), ruleset)
    scenarios = scenarios_of_rounds(rows, ruleset)
    first: dict[int, Row] = {}
    cut = cut_places(ruleset, sum(1 + bool(row["player_2"]) for row in rows if row["round"] == "1"))
    unknown = UnknownPlayers(known)
    last = max((whole(row, "round", 1, []) or 0 for row in rows), default=0)
    for row in shown(rows, "reading results"):
        wrong = [*_faults_of_players(row, known, ruleset.bye, unknown), *faults_of_scenario(row, scenarios, ruleset)]
        round, table = whole(row, "round", 1, wrong), whole(row, "table", 1, wrong)
        if not row["round"]:
            wrong.append(row.fault("round", NOTHING, expects("whole-number-from", least=1)))
        if round is not None:
            wrong += _faults_of_round(row, round, known, seen)
            if not cut.places or round <= cut.after_round:  # in a bracket every walkover is a bye
                wrong += left_over.faults(row, round)
            first.setdefault(round, row)
            coins.read(row, round, wrong)
        if _is_being_played(row) and round is not None and not wrong:
            if round < last:
                faults.append(row.fault("points_1", NOTHING, expects("result-of-round", last=last)))
            else:
                playing.append(row)
            continue
        game = _game(with_scenario(row, scenarios), round or 1, table, ruleset, out, wrong)
        faults += wrong
        if game is not None and not wrong:
            games.append(game)
            doubts += [
                _in_the_file(row, doubt) for doubt in improbable_in(in_its_round(ruleset, game.round), game.facts)
            ]
    faults += _faults_of_missing_rounds(first)
    drawn = [] if faults else coins.draws(ruleset, entrants, games, last if playing else 0, faults)
    return Results(games, playing, drawn)


def _is_being_played(row: Row) -> bool:
    """Whether nothing is told yet of how a game went."""
    return row["kind"] in ("game", "spare") and not any(row[column] for column in REPORT)


def _game(
    row: Row, round: int, table: int | None, ruleset: Ruleset, disqualified: Collection[str], wrong: list[Fault]
) -> Game | None:
    """The game of a row, or its faults in `wrong`."""
    before = len(wrong)
    kind_told = "bye" if row["kind"] in KINDS else row["kind"]
    if kind_told not in get_args(FactsKind):
        wrong.append(row.fault("kind", repr(row["kind"]), one_of(ruleset.result.kinds), ruleset.result.cites("kinds")))
    called = ruleset.called
    winner = called.winner(row["winner"])
    for column, said, words in (("winner", winner, _WINNERS), ("conceded_by", row["conceded_by"], _SIDES)):
        if said not in words:
            known = [called.draw if word == DRAW else word for word in words if word]
            wrong.append(row.fault(column, repr(said), expects("one-of-or-nothing", values=known)))
    points = [whole(row, column, 0, wrong) for column in ("points_1", "points_2")]
    told, extra = read_extra(row, ruleset, wrong)
    if len(wrong) > before:
        return None
    facts = Facts(
        kind=kind_told,  # type: ignore[arg-type]
        bye=KINDS.get(row["kind"]),
        points_1=points[0],
        points_2=points[1],
        winner=_WINNERS[winner],  # type: ignore[arg-type]
        conceded_by=_SIDES[row["conceded_by"]],  # type: ignore[arg-type]
        scenario=row["scenario"],
        extra=extra,
        **told,
    )
    try:
        facts, score = _scored(in_its_round(ruleset, round), facts, (row["player_1"], row["player_2"]), disqualified)
    except ImpossibleResult as refusal:
        wrong += [_in_the_file(row, fault) for fault in refusal.faults]
        return None
    kind: PairingKind = "spare" if against_spare(row) else "bye" if facts.kind == "bye" else "game"
    counted = in_round(ruleset, score, round, facts)
    return Game(round, table, kind, row["player_1"], row["player_2"] or None, facts, counted)


def _scored(
    ruleset: Ruleset, facts: Facts, players: tuple[str, str], disqualified: Collection[str]
) -> tuple[Facts, Score]:
    """The facts and their score. Raises ImpossibleResult.

    Points that were awarded against somebody who was disqualified are no split of a played game: a row that holds
    them is read as that player's concession.
    """
    try:
        return facts, score_game(ruleset, facts)
    except ImpossibleResult as refusal:
        out = next((side for side in SIDES if players[side - 1] in disqualified), None)
        if out is None or facts.kind != "game" or facts.conceded_by is not None:
            raise
        given_up = replace(facts, conceded_by=out)
        try:
            score = score_game(ruleset, given_up)
        except ImpossibleResult:
            raise refusal from None
        counted = POINTS_SCHEMES[type(ruleset.points)].counted(ruleset.points)
        if (facts.points_1, facts.points_2) != (score.values_1.get(counted), score.values_2.get(counted)):
            raise
        return given_up, score


def _in_the_file(row: Row, fault: Fault) -> Fault:
    """A fault of the facts at the column that told them; the file names the second player as the winner."""
    column = fault.where.removeprefix("/")
    if column == "bye":
        return row.fault("kind", fault.said, fault.expected, fault.clause)
    if column == "second_player":
        return row.fault("winner", fault.said, expects("second-player-as-winner"), fault.clause)
    if column in FURTHER or fault.where.startswith(("/extra/", "/board/")):
        name = column.removeprefix("extra/").removeprefix("board/")
        return row.fault("extra", f"{name} {fault.said}", fault.expected, fault.clause)
    return row.fault(column if column in COLUMNS else "kind", fault.said, fault.expected, fault.clause)


def _faults_of_players(row: Row, known: Mapping[str, Entrant], bye: Bye, unknown: UnknownPlayers) -> Iterator[Fault]:
    one, two, bye_told = row["player_1"], row["player_2"], row["kind"] == "bye" or row["kind"] in KINDS
    kind = "bye" if bye_told else row["kind"]
    for column, player in (("player_1", one), ("player_2", two)):
        if player and known and player not in known and not (column == "player_2" and against_spare(row)):
            yield row.fault(column, f"{player!r}", unknown.expected(player))
    if not one:
        yield row.fault("player_1", NOTHING, expects("player"))
    if kind == "bye" and two:
        yield row.fault("player_2", f"{two!r}", expects("nobody-in-bye"), bye.clause)
    if kind != "bye" and not two:
        yield row.fault("player_2", NOTHING, expects("player-or-kind-bye"))
    if one and one == two:
        yield row.fault("player_2", f"{two!r}", expects("two-players"))


def _faults_of_missing_rounds(first: Mapping[int, Row]) -> Iterator[Fault]:
    """Rounds before which one is missing. first: the first row of every round."""
    for round in sorted(first):
        if round > 1 and round - 1 not in first:
            yield first[round].fault("round", f"{round}", expects("every-round", missing=round - 1))


def _faults_of_round(
    row: Row, round: int, known: Mapping[str, Entrant], seen: dict[tuple[int, str], int]
) -> Iterator[Fault]:
    columns = ("player_1",) if against_spare(row) else ("player_1", "player_2")
    for column in columns:
        player = row[column]
        if not player or (column == "player_2" and player == row["player_1"]):
            continue
        if (round, player) in seen:
            expected = expects("player-once-in-round", round=round, row=seen[round, player])
            yield row.fault(column, f"{player!r}", expected)
        seen.setdefault((round, player), row.line)
        last = known[player].dropped_after if player in known else None
        if last is not None and round > last:
            yield row.fault(column, f"{player!r}", expects("no-round-after", last=last))
