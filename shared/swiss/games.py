"""Games of a folded state as the rules need them: ruleset, entrants, facts, scores, and rows of results.csv."""

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

msgspec.json.Decoder(Facts)  # first use in one thread: see shared/swiss/ruleset.py


def ruleset_of(entries: Entries) -> Ruleset:
    """Return the ruleset of a Swiss tournament. Raise PackRefused for another format, which is a programming error."""
    return read_ruleset(entries.ruleset, Ruleset)


def score_facts(entries: Entries, facts: Mapping[str, Any]) -> tuple[Facts, Score]:
    """Return the facts of an event as typed facts, and their score under the ruleset; cached by facts.

    Raises msgspec.ValidationError if they are not facts, and the exceptions of `score_game`.
    """
    cache, key = ruleset_cache(entries.ruleset, Ruleset), msgspec.msgpack.encode(facts)
    result: tuple[Facts, Score] | None = cache.get(key)
    if result is None:
        typed = parse_facts(facts)
        result = cache[key] = typed, score_game(ruleset_of(entries), typed)
    return result


def parse_facts(facts: Mapping[str, Any]) -> Facts:
    """Return the facts of an event as typed facts. Raise msgspec.ValidationError if they are not facts."""
    return msgspec.convert(facts, Facts)


def improbable_facts(state: Tournament, facts: Mapping[str, Any]) -> list[Fault]:
    """Return faults for possible facts that are probably mistyped, each at its place in the facts."""
    return improbable_faults(ruleset_of(state.entries), parse_facts(facts))


BYES = {given: Facts(kind="bye", bye=given) for given in get_args(GivenBye)} | {"": Facts(kind="bye")}
"""Way a bye was obtained -> its facts."""


def entrants_of(state: Tournament) -> list[Entrant]:
    """Return all players who have or had a seat, as entrants."""
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
    """Return the games of rounds 1 to `until` that count: byes, and games with a result that counts.

    `stage`: only rounds of this stage (`swiss` or `elimination`); empty for all.
    """
    ruleset = ruleset_of(state.entries)
    games = (counted_game(state, ruleset, round, seat) for round, seat in _seats(state, until, stage))
    return [game for game in games if game is not None]


def counted_game(state: Tournament, ruleset: Ruleset, round: Round, seat: Seat) -> Game | None:
    """Return a pairing as a game that counts: a bye, or a game with a result that counts; None for others."""
    if seat.kind == "bye":
        return bye_game(ruleset, round, seat)
    result = state.results.results.get(seat.game)
    if result is None or not result.binds:
        return None
    return _game(ruleset, round.number, seat, *score_facts(state.entries, result.facts))


def games_of_field(state: Tournament, group: Collection[str], games: Iterable[Game]) -> list[Game]:
    """Return the games of players who are paired together, including those who left their group."""
    entries = state.entries
    venues = {entries.players[player].venue for player in group}
    members = {
        player.id
        for player in entries.players.values()
        if player.status != "active" and (entries.pairing_scope != "venue" or player.venue in venues)
    }
    members.update(group)
    return [game for game in games if game.player_1 in members or game.player_2 in members]


def crosstable_of(state: Tournament, standings: Standings) -> Crosstable:
    """Return the crosstable of a round robin in the order of the standings; empty for other policies."""
    ruleset = ruleset_of(state.entries)
    if not robin_cycles(ruleset):
        return {}
    players, last = [row.player for row in standings.rows], standings.round
    return crosstable(ruleset, players, counted_games(state, last), round=last)


def _seats(state: Tournament, until: int, stage: str) -> Iterator[tuple[Round, Seat]]:
    for number, round in state.rounds.rounds.items():
        if number <= until and stage in ("", round.stage) and not round.draft:
            for seat in round.seats.values():
                if not round.drafts or not round.is_draft(seat.venue):
                    yield round, seat


def bye_game(ruleset: Ruleset, round: Round, seat: Seat) -> Game:
    """Return a bye as a game with its value."""
    facts = BYES[seat.bye]
    return _game(ruleset, round.number, seat, facts, bye_score(ruleset, round.scenario, facts.bye))


def _game(ruleset: Ruleset, round: int, seat: Seat, facts: Facts, score: Score) -> Game:
    counted = score_in_round(ruleset, score, round, facts)
    return Game(round, seat.table or None, seat.kind, seat.player_1, seat.player_2 or None, facts, counted)  # type: ignore[arg-type]


def fault_of_extra_bye(
    state: Tournament, ruleset: Ruleset, player: str, given: GivenBye, where: str, *, besides: int = 0
) -> Fault | None:
    """Return the fault of giving a player one more bye of a kind; None if it is allowed.

    `besides`: round of the new bye, if it is already paired. A bye in this round does not count.
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
"""Facts of the result form without a column of their own."""

AGAINST_SPARE = "spare=yes"
"""Marks a forfeit or an absence against the spare player."""

COLUMN_FACTS = ("points_1", "points_2", "winner", "scenario", "conceded_by")


def results_row(game: Game) -> dict[str, object]:
    """Return the row of results.csv that `read_results` reads as this game, without empty values."""
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
    """Return the facts that have no column of their own as `name=value` words for the column `extra`."""
    facts_of_form = {name: getattr(facts, name) for name in FORM_FACTS}
    words = [f"{name}={value}" for name, value in facts_of_form.items() if value is not None]
    words += [f"{name}={value}" for name, value in facts.extra.items()]
    return " ".join([*words, *(f"{name}={_board_word(name, value)}" for name, value in facts.board.items())])


def _board_word(name: str, value: Any) -> str:
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
    """Return `45`, or `(45)` for a unit still in play; a joined hero follows after a slash."""
    shown = _points_word(unit["points"], unit["gone"])
    return shown + ("/" + _points_word(unit["hero_points"], unit["hero_gone"]) if "hero_points" in unit else "")


def _points_word(points: int, gone: bool) -> str:
    return f"{points}" if gone else f"({points})"
