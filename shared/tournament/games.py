"""Games: status, missing rosters, and the public record of a game after each event.

All services use the same statuses; pairing computes them from its copy of scoring's log. A game of a started round is
held while one of its players may not play yet. The public record serves rating lists, club pages and external seasons.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Annotated, Any, Literal

from msgspec import Struct

from shared.refusals import Expected, expects
from shared.shapes import View
from shared.tournament.format import tier_of, voids_games
from shared.tournament.people import Entries, Player
from shared.tournament.rounds import Round, Seat
from shared.tournament.state import Tournament

GameStatus = Annotated[
    Literal["bye", "open", "reported", "disputed", "confirmed", "ruled", "corrected"],
    "bye: no game is played; open: no report yet; reported, disputed: the result does not count yet; confirmed, ruled,"
    " corrected: the result counts.",
]


def game_status(state: Tournament, seat: Seat) -> GameStatus:
    """Return the status of a pairing's game."""
    if seat.kind == "bye":
        return "bye"
    result = state.results.results.get(seat.game)
    return result.status if result else "open"


def is_settled(state: Tournament, seat: Seat) -> bool:
    """Return True if a pairing needs no further result. A bye needs none."""
    result = state.results.results.get(seat.game)
    return seat.kind == "bye" or (result is not None and result.binds)


def is_binding(state: Tournament, round: Round, seat: Seat) -> bool:
    """Return True if the standings count a pairing's game in its current state.

    A settled game does not count in a draft, in a cancelled tournament, or if it is void.
    """
    if not is_settled(state, seat) or round.is_draft(seat.venue) or state.entries.status == "cancelled":
        return False
    return not is_void(state, round, seat.players)


def is_void(state: Tournament, round: Round, players: Iterable[str]) -> bool:
    """Return True if the ruleset voids a game because one of its players was disqualified.

    Games of a bracket are never void: their winners have advanced.
    """
    if round.stage == "elimination" or not voids_games(state.entries):
        return False
    known = (state.entries.players.get(player) for player in players)
    return any(player is not None and player.status == "disqualified" for player in known)


NO_ROSTER, ROSTER_REJECTED, ROSTER_NOT_ACCEPTED = "no_roster", "roster_rejected", "roster_not_accepted"
"""Reasons why a player's roster holds up their game."""

LIST_REMEDIES: Mapping[str, Expected] = MappingProxyType(
    {
        NO_ROSTER: expects("accepted-list"),
        ROSTER_REJECTED: expects("list-without-fault"),
        ROSTER_NOT_ACCEPTED: expects("decision-about-list"),
    }
)
"""Reason -> what releases the game."""


class MissingList(Struct, frozen=True):
    """A player whose roster holds up their game.

    - `reason`: one of the reasons above.
    - `clause`: the clause that requires the roster.
    """

    player: str
    name: str
    reason: str
    clause: str


def is_list_missing(entries: Entries, player: Player) -> bool:
    """Return True if the tier requires a roster before a player's first game and none is accepted.

    Source: AR-REG-1, FF-REG-3.
    """
    return bool(entries.tier) and tier_of(entries).list_due and player.roster != "accepted"


def missing_lists(state: Tournament, round: Round) -> list[MissingList]:
    """Return the players of a round who may not begin their games.

    Their roster is rejected, or it is not accepted and this would be their first game. Byes are no games.
    Source: AR-REG-1, DW-REG-3, FF-REG-3.
    """
    entries, veterans = state.entries, _played_before(state, round.number)
    seats = [seat for seat in round.seats.values() if seat.kind != "bye"]
    players = [entries.players[id] for seat in seats for id in seat.players]
    return [
        _missing_list(entries, player)
        for player in players
        if player.status == "active"
        and (player.roster == "rejected" or (player.id not in veterans and is_list_missing(entries, player)))
    ]


def awaited_lists(state: Tournament, round: Round, seat: Seat) -> list[MissingList]:
    """Return the players whose rosters a held game still waits for; empty once the game has a result."""
    result = state.results.results.get(seat.game)
    clock = round.clock_of(seat.venue)
    if clock is None or not clock.held or seat.kind == "bye" or (result is not None and result.binds):
        return []
    players = [state.entries.players[id] for id in seat.players if id in clock.held]
    return [_missing_list(state.entries, player) for player in players if player.roster != "accepted"]


def can_replace_list(state: Tournament, player: str) -> bool:
    """Return True if a player may still change their roster during play: their game is or was held for it."""
    return state.entries.players[player].roster != "accepted" and any(
        player in round.held for round in state.rounds.rounds.values()
    )


def _missing_list(entries: Entries, player: Player) -> MissingList:
    reason = {"rejected": ROSTER_REJECTED, "submitted": ROSTER_NOT_ACCEPTED}.get(player.roster, NO_ROSTER)
    tier = tier_of(entries)
    return MissingList(
        player.id, player.name, reason, tier.cites("list_due_for" if tier.list_due_for == "start" else "list_due")
    )


def _played_before(state: Tournament, number: int) -> set[str]:
    rounds = [(round, round.held) for round in state.rounds.rounds.values() if round.number < number]
    return {
        id
        for round, held in rounds
        for seat in round.seats.values()
        if seat.kind != "bye"
        for id in seat.players
        if id not in held
    }


NAMED = 5
"""Number of games that a message lists; the others are only counted."""


def describe_games(state: Tournament, games: Sequence[str]) -> str:
    """Return text that lists games, each with its table, its players and its status."""
    seats = {seat.game: (round, seat) for round in state.rounds.rounds.values() for seat in round.seats.values()}
    listed = [_describe_game(state, *seats[game]) for game in games[:NAMED] if game in seats]
    rest = [f"{len(games) - NAMED} more"] if len(games) > NAMED else []
    return "; ".join([*listed, *rest])


def _describe_game(state: Tournament, round: Round, seat: Seat) -> str:
    entries = state.entries
    venue = entries.venues.get(seat.venue)
    place = f" at table {entries.table_name(seat.venue, seat.table)}" if seat.table else ""
    place += f" of {venue.name}" if place and venue and len(entries.venues) > 1 else ""
    players = seat.players if seat.kind == "game" else (seat.player_1, seat.player_2)
    names = " against ".join(map(entries.name_of, players))
    return f"{seat.game}{place}, {names} ({_describe_status(state, round, seat)})"


def _describe_status(state: Tournament, round: Round, seat: Seat) -> str:
    result = state.results.results.get(seat.game)
    if result is None:
        lacks = awaited_lists(state, round, seat)
        return f"waits for the list of {' and '.join(lack.name for lack in lacks)}" if lacks else "no result"
    if result.appealed:
        return f"{result.status}, and appealed: the head referee decides"
    if result.status == "disputed":
        return "disputed: a referee rules"
    if result.status == "reported" and 0 < result.side <= len(seat.players):
        reporter = seat.players[result.side - 1]
        others = " or ".join(state.entries.name_of(player) for player in seat.rivals_of(reporter)) or "staff"
        return f"reported by {state.entries.name_of(reporter)}, waits for {others}"
    return result.status


RESULT = "GameResult"
"""The `type` of CloudEvents with public game records. They combine several logs, so no log contains them."""
RESULT_VERSION = 1


def result_dataschema(at: str = "") -> str:
    """Return the URI of the record's JSON Schema: an address below `at`, or a name if `at` is empty."""
    return f"{at}/schemas/results/{RESULT_VERSION}" if at else f"urn:muster:result:{RESULT_VERSION}"


class SideScore(View, frozen=True, kw_only=True):
    """One side of a game."""

    player: str
    name: str
    external_id: Annotated[str | None, "Id of the player in another system, such as a rating list. null: unknown."]
    outcome: Annotated[str | None, "The outcome, as the ruleset names it. null: not reported, or none for this side."]
    values: Annotated[dict[str, int], "Points, by column of the ruleset."]


class GameResult(View, frozen=True, kw_only=True):
    """The public record of a game or a bye after an event."""

    tournament: str
    tournament_name: str
    ruleset: Annotated[str, "Id of the ruleset of the round."]
    round: int
    game: str
    kind: Annotated[str, "game, bye, or spare (player 2 is a member of staff)."]
    venue: str
    table: Annotated[int, "0: no table."]
    played_at: Annotated[
        str | None,
        "Start of the round. If rounds are not started, as in a campaign: time of the first report. null: neither has"
        " happened.",
    ]
    status: GameStatus
    binds: Annotated[bool, "True if the standings count the game."]
    players: list[SideScore]
    facts: Annotated[dict[str, Any], "The reported facts; empty for a bye and before a report."]
    because: Annotated[str, "Type of the event that caused this record."]
    replaced: Annotated[
        list[SideScore] | None,
        "The sides of the previous result, if it counted until this event and no longer does.",
    ]
