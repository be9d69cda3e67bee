"""Games of a folded tournament as the rules need them: ruleset, entrants, facts and scores, rows of results.csv."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, get_args

import msgspec

from shared.refusals import Fault
from shared.rules.model import PLAYED, Entrant, Facts, Game, GivenBye, Score
from shared.swiss.pairing import fault_of_bye_count
from shared.swiss.rounds import Crosstable, crosstable, robin_cycles
from shared.swiss.ruleset import Ruleset
from shared.swiss.scoring import bye_score, improbable_faults, score_game, score_in_round
from shared.swiss.standings import Standings
from shared.tournament.format import read_ruleset, ruleset_cache
from shared.tournament.people import PLAYING, Entries, Player
from shared.tournament.rounds import Round, Seat
from shared.tournament.state import Tournament

msgspec.json.Decoder(Facts)  # its first use, in one thread alone: see shared/swiss/ruleset.py


def ruleset_of(entries: Entries) -> Ruleset:
    """The ruleset of a Swiss tournament. Raises PackRefused for another format, which nobody asks for this."""
    return read_ruleset(entries.ruleset, Ruleset)


def score_facts(entries: Entries, facts: Mapping[str, Any]) -> tuple[Facts, Score]:
    """Facts as an event holds them, typed, and what the ruleset makes of them; worked out once for the same facts.

    Raises msgspec.ValidationError when they are not facts at all, ImpossibleResult as `score_game` does.
    """
    kept, key = ruleset_cache(entries.ruleset, Ruleset), msgspec.msgpack.encode(facts)
    found: tuple[Facts, Score] | None = kept.get(key)
    if found is None:
        typed = parse_facts(facts)
        found = kept[key] = typed, score_game(ruleset_of(entries), typed)
    return found


def parse_facts(facts: Mapping[str, Any]) -> Facts:
    """Facts as an event holds them, typed. Raises msgspec.ValidationError when they are not facts at all."""
    return msgspec.convert(facts, Facts)


def improbable_facts(state: Tournament, facts: Mapping[str, Any]) -> list[Fault]:
    """What of possible facts no game is likely to bring, each at its place in them."""
    return improbable_faults(ruleset_of(state.entries), parse_facts(facts))


BYES = {given: Facts(kind="bye", bye=given) for given in get_args(GivenBye)} | {"": Facts(kind="bye")}
"""How a bye was come by -> its facts."""


def entrants_of(state: Tournament) -> list[Entrant]:
    """Everybody who has or had a seat, as the rules know them."""
    return [_entrant(state, player) for player in state.entries.players.values() if player.status in PLAYING]


def _entrant(state: Tournament, player: Player) -> Entrant:
    return Entrant(
        player=player.id,
        name=player.name,
        status=player.status,  # type: ignore[arg-type]
        dropped_after=player.after_round if player.status == "dropped" else None,
        faction=player.faction,
        venue=player.venue,
        club=player.club,
    )


def counted_games(state: Tournament, until: int, *, stage: str = "") -> list[Game]:
    """Games of rounds 1 to `until` that count: byes, and every game with a binding result.

    stage: only rounds of this stage ("swiss" or "elimination"); empty: all.
    """
    ruleset = ruleset_of(state.entries)
    games = (counted_game(state, ruleset, round, seat) for round, seat in _seats(state, until, stage))
    return [game for game in games if game is not None]


def counted_game(state: Tournament, ruleset: Ruleset, round: Round, seat: Seat) -> Game | None:
    """A pairing as it counts: a bye, or a game with a binding result; None as long as it has none."""
    if seat.kind == "bye":
        return bye_game(ruleset, round, seat)
    result = state.results.results.get(seat.game)
    if result is None or not result.binds:
        return None
    return _game(ruleset, round.number, seat, *score_facts(state.entries, result.facts))


def games_of_field(state: Tournament, group: Collection[str], games: Iterable[Game]) -> list[Game]:
    """The games of those who are paired together, and of those who were among them and have left."""
    entries = state.entries
    venues = {entries.players[player].venue for player in group}
    among = {
        player.id
        for player in entries.players.values()
        if player.status != "active" and (entries.pairing_scope != "venue" or player.venue in venues)
    }
    among.update(group)
    return [game for game in games if game.player_1 in among or game.player_2 in among]


def crosstable_of(state: Tournament, standings: Standings) -> Crosstable:
    """Who scored what against whom, line by line as in the standings; empty where it is no round robin."""
    ruleset = ruleset_of(state.entries)
    if not robin_cycles(ruleset):
        return {}
    players, last = [row.player for row in standings.rows], standings.round
    return crosstable(ruleset, players, counted_games(state, last), round=last)


def _seats(state: Tournament, until: int, stage: str) -> Iterator[tuple[Round, Seat]]:
    for number, round in state.rounds.rounds.items():
        if number <= until and stage in ("", round.stage) and not round.draft:
            for seat in round.seats.values():
                yield round, seat


def bye_game(ruleset: Ruleset, round: Round, seat: Seat) -> Game:
    """A bye, with what it is worth by how it was come by."""
    facts = BYES[seat.bye]
    return _game(ruleset, round.number, seat, facts, bye_score(ruleset, round.scenario, facts.bye))


def _game(ruleset: Ruleset, round: int, seat: Seat, facts: Facts, score: Score) -> Game:
    counted = score_in_round(ruleset, score, round, facts)
    return Game(round, seat.table or None, seat.kind, seat.player_1, seat.player_2 or None, facts, counted)  # type: ignore[arg-type]


def fault_of_extra_bye(
    state: Tournament, ruleset: Ruleset, player: str, given: GivenBye, where: str, *, besides: int = 0
) -> Fault | None:
    """What is wrong where a player gets one more bye of a kind; None where nothing is.

    besides: the round in which it would be, where that is paired already; what stands there now does not count.
    """
    had = sum(
        seat.player_1 == player and seat.bye == given
        for round in state.rounds.rounds.values()
        if round.number != besides
        for seat in round.seats.values()
    )
    return fault_of_bye_count(ruleset, given, had, f"{given}, for {player}", where)


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
    "coins_1",
    "coins_2",
    "extra",
)
FORM_FACTS = ("end", "second_player", "destroyed_1", "destroyed_2", "objective_1", "objective_2")
"""Facts of the result form that have no column of their own."""

AGAINST_SPARE = "spare=yes"
"""Says of a forfeit or of somebody who did not come that the second player is the spare player."""

COLUMN_FACTS = ("points_1", "points_2", "winner", "scenario", "conceded_by")


def results_row(game: Game) -> dict[str, object]:
    """The row that `read_results` reads as this game; what there is nothing of is left out."""
    facts = game.facts
    sat_down = facts.kind in PLAYED
    row: dict[str, object] = {"round": game.round, "table": game.table}
    row["kind"] = game.kind if sat_down or game.kind == "bye" else facts.kind
    row |= {"player_1": game.player_1, "player_2": game.player_2}
    row |= {name: getattr(facts, name) for name in COLUMN_FACTS}
    words = extra_words(facts)
    if game.kind == "spare" and not sat_down:
        words = f"{AGAINST_SPARE} {words}".strip()
    return {name: value for name, value in row.items() if value not in (None, "")} | ({"extra": words} if words else {})


def extra_words(facts: Facts) -> str:
    """The facts that have no column of their own, as words of the column `extra`."""
    told = {name: getattr(facts, name) for name in FORM_FACTS}
    words = [f"{name}={value}" for name, value in told.items() if value is not None]
    words += [f"{name}={value}" for name, value in facts.extra.items()]
    return " ".join([*words, *(f"{name}={_on_board(name, value)}" for name, value in facts.board.items())])


def _on_board(name: str, value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str):
        return value.replace(" ", "_")
    if name == "spent":
        return "".join(value)
    if isinstance(value, Sequence):
        return "+".join(_unit_word(part) if isinstance(part, Mapping) else str(part) for part in value)
    return str(value)


def _unit_word(unit: Mapping[str, Any]) -> str:
    """`45`, or `(45)` for one that still stands, with a hero who joined it behind a stroke."""
    shown = _points_word(unit["points"], unit["gone"])
    return shown + ("/" + _points_word(unit["hero_points"], unit["hero_gone"]) if "hero_points" in unit else "")


def _points_word(points: int, gone: bool) -> str:
    return f"{points}" if gone else f"({points})"
