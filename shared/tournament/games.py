"""Games: how far each one is, which lists it waits for, and its public record after each event.

All services use one set of words for how far a game is; pairing reads it from its copy of scoring's log. A game waits
if the round has begun and one of its players may not play yet. Rating lists, club pages and seasons of other programs
read the public record.
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
    "bye: no game at all; open: nothing was reported; reported, disputed: it does not count yet; confirmed, ruled,"
    " corrected: it counts.",
]


def game_status(state: Tournament, seat: Seat) -> GameStatus:
    """How far the game of a pairing is."""
    if seat.kind == "bye":
        return "bye"
    result = state.results.results.get(seat.game)
    return result.status if result else "open"


def is_settled(state: Tournament, seat: Seat) -> bool:
    """Return True if the game of a pairing needs no further result; a bye needs none at all."""
    result = state.results.results.get(seat.game)
    return seat.kind == "bye" or (result is not None and result.binds)


def is_binding(state: Tournament, round: Round, seat: Seat) -> bool:
    """Return True if the standings count the game of a pairing as it is now.

    A settled game does not bind in a draft, in a cancelled tournament, or if it is void.
    """
    if not is_settled(state, seat) or round.draft or state.entries.status == "cancelled":
        return False
    return not is_void(state, round, seat.players)


def is_void(state: Tournament, round: Round, players: Iterable[str]) -> bool:
    """Return True if the ruleset counts a game for no one because one of its players was disqualified.

    The bracket keeps such games: their winners have gone on.
    """
    if round.stage == "elimination" or not voids_games(state.entries):
        return False
    known = (state.entries.players.get(player) for player in players)
    return any(player is not None and player.status == "disqualified" for player in known)


NO_ROSTER, ROSTER_REJECTED, ROSTER_NOT_ACCEPTED = "no_roster", "roster_rejected", "roster_not_accepted"
"""What a list may lack."""

LIST_REMEDIES: Mapping[str, Expected] = MappingProxyType(
    {
        NO_ROSTER: expects("accepted-list"),
        ROSTER_REJECTED: expects("list-without-fault"),
        ROSTER_NOT_ACCEPTED: expects("decision-about-list"),
    }
)
"""What a list lacks -> what sets its player's game going."""


class MissingList(Struct, frozen=True):
    """A player whose list holds their game up. reason: as above; clause: which demands the list."""

    player: str
    name: str
    reason: str
    clause: str


def is_list_missing(entries: Entries, player: Player) -> bool:
    """Whether the tier demands a list before a player's first game, and there is none. Source: AR-REG-1, FF-REG-3."""
    return bool(entries.tier) and tier_of(entries).list_due and player.roster != "accepted"


def missing_lists(state: Tournament, round: Round) -> list[MissingList]:
    """Everybody of a round who may not begin their game: with a rejected list; or without an accepted one, where it
    would be their first game. A bye is no game. Source: AR-REG-1, DW-REG-3, FF-REG-3."""
    entries, begun = state.entries, _played_before(state, round.number)
    seats = [seat for seat in round.seats.values() if seat.kind != "bye"]
    players = [entries.players[id] for seat in seats for id in seat.players]
    return [
        _lack(entries, player)
        for player in players
        if player.status == "active"
        and (player.roster == "rejected" or (player.id not in begun and is_list_missing(entries, player)))
    ]


def awaited_lists(state: Tournament, round: Round, seat: Seat) -> list[MissingList]:
    """Whose list a game still waits for; empty once every one is accepted, or the game has a result."""
    result = state.results.results.get(seat.game)
    if not round.held or seat.kind == "bye" or (result is not None and result.binds):
        return []
    players = [state.entries.players[id] for id in seat.players if id in round.held]
    return [_lack(state.entries, player) for player in players if player.roster != "accepted"]


def can_replace_list(state: Tournament, player: str) -> bool:
    """Whether a list is still the player's own to change although play has begun: their game waits, or was lost, for
    it."""
    return state.entries.players[player].roster != "accepted" and any(
        player in round.held for round in state.rounds.rounds.values()
    )


def _lack(entries: Entries, player: Player) -> MissingList:
    reason = {"rejected": ROSTER_REJECTED, "submitted": ROSTER_NOT_ACCEPTED}.get(player.roster, NO_ROSTER)
    tier = tier_of(entries)
    return MissingList(
        player.id, player.name, reason, tier.cites("list_due_for" if tier.list_due_for == "start" else "list_due")
    )


def _played_before(state: Tournament, number: int) -> set[str]:
    """Everybody who had a game before this round that did not wait for their list."""
    rounds = [round for round in state.rounds.rounds.values() if round.number < number]
    return {
        id
        for round in rounds
        for seat in round.seats.values()
        if seat.kind != "bye"
        for id in seat.players
        if id not in round.held
    }


NAMED = 5
"""Games that a sentence names; of more it says how many."""


def describe_games(state: Tournament, games: Sequence[str]) -> str:
    """Return games for a sentence: each with its table, its players and what it waits for."""
    seats = {seat.game: (round, seat) for round in state.rounds.rounds.values() for seat in round.seats.values()}
    said = [_named_game(state, *seats[game]) for game in games[:NAMED] if game in seats]
    more = [f"{len(games) - NAMED} more"] if len(games) > NAMED else []
    return "; ".join([*said, *more])


def _named_game(state: Tournament, round: Round, seat: Seat) -> str:
    entries = state.entries
    venue = entries.venues.get(seat.venue)
    place = f" at table {seat.table}" if seat.table else ""
    place += f" of {venue.name}" if place and venue and len(entries.venues) > 1 else ""
    players = seat.players if seat.kind == "game" else (seat.player_1, seat.player_2)
    return f"{seat.game}{place}, {' against '.join(map(entries.name_of, players))} ({_state_of(state, round, seat)})"


def _state_of(state: Tournament, round: Round, seat: Seat) -> str:
    """Return how far a game is and what it waits for."""
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
"""The `type` of the CloudEvents that carry it. No log holds such an event: they are made from several logs."""
RESULT_VERSION = 1


def result_dataschema(at: str = "") -> str:
    """Return the URI of the JSON Schema of `data`: an address below `at`, or a name if that is empty."""
    return f"{at}/schemas/results/{RESULT_VERSION}" if at else f"urn:muster:result:{RESULT_VERSION}"


class SideScore(View, frozen=True, kw_only=True):
    """One side of a game."""

    player: str
    name: str
    external_id: Annotated[str | None, "The player's id elsewhere, such as in a rating list. null: none is known."]
    outcome: Annotated[str | None, "As the ruleset calls it. null: nothing is reported, or this side has none."]
    values: Annotated[dict[str, int], "Points by the columns of the ruleset."]


class GameResult(View, frozen=True, kw_only=True):
    """A game or a bye as an event left it."""

    tournament: str
    tournament_name: str
    ruleset: Annotated[str, "The id of the ruleset by which the round is played."]
    round: int
    game: str
    kind: Annotated[str, "game, bye, or spare (player 2 is a member of staff)."]
    venue: str
    table: Annotated[int, "0: no table."]
    played_at: Annotated[
        str | None,
        "When the round began. Where rounds are not started, as in a campaign: when the first report came in. null:"
        " neither has happened.",
    ]
    status: GameStatus
    binds: Annotated[bool, "The standings count it."]
    players: list[SideScore]
    facts: Annotated[dict[str, Any], "What was reported; empty for a bye, and before a report."]
    because: Annotated[str, "The type of the event."]
    replaced: Annotated[
        list[SideScore] | None,
        "The sides of the result that counted until this event, if it counts no more or another one does.",
    ]
