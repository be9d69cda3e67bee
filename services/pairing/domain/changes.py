"""Decisions that change a round that stands: other pairings by hand, another table."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from services.pairing.domain import commands as ask
from services.pairing.domain.drafts import Draft, check_byes
from services.pairing.domain.manual import read, refuse
from services.pairing.domain.refusals import (
    BracketStands,
    GameHasResult,
    GameUnknown,
    TableTaken,
    TableUnknown,
    VenueUnknown,
)
from services.pairing.domain.seating import Place, game_id, games_at_tables, seat_of, seated, tables_in_use
from services.pairing.domain.state import BINDING, current_round, game_of, games_begun, name_of, status_of
from shared.events import pairing as said
from shared.events.base import Event
from shared.handling.context import Context
from shared.refusals import Fault
from shared.state.rounds import Round
from shared.state.tournament import Tournament


def amend(state: Tournament, command: ask.AmendPairings, context: Context) -> Sequence[Event]:
    """Other pairings for some players of the latest round, while nothing was reported of their games.

    Everybody who sat in a game that changes sits in one of the new ones, sits out on purpose, or has left.
    Two players who meet in the new ones and did not before play a game with an id of its own.
    Source: AR-AMB-12 and FF-AMB-10 (manual swap, recorded with its reason).
    """
    round = current_round(state, command.round)
    if round.stage == "elimination":
        raise BracketStands(f"Round {round.number} follows from the bracket; give a seat up instead.")
    pairings = _swapped(round, command.swap) if command.swap else command.pairings
    named = {player for one in pairings for player in (one.player_1, one.player_2) if player}
    sitting_out = set(command.sitting_out)
    gone = {seat.game: seat for seat in round.seats.values() if (named | sitting_out) & {seat.player_1, seat.player_2}}
    begun = [game for game in games_begun(state, round) if game in gone]
    if begun:
        raise GameHasResult("Something was reported of games that would change.", games=begun)
    kept = tables_in_use(state, round, besides=gone)
    drafts, faults = read(state, round.number, pairings, round.stage, command.allow_rematch, kept)
    faults += [
        Fault(
            "/pairings",
            f"{name_of(state.entries, player)} ({player}) would have no game",
            "in a pairing, or sitting_out",
        )
        for seat in gone.values()
        for player in seat.players
        if player not in named | sitting_out and state.entries.players[player].status == "active"
    ]
    faults += [
        Fault(f"/sitting_out/{index}", player, "somebody of this round who is in none of the pairings")
        for index, player in enumerate(command.sitting_out)
        if player in named or not any(player in seat.players for seat in round.seats.values())
    ]
    refuse(faults)
    check_byes(state, drafts, round.scenario)
    return _amended(state, round, command.reason, gone, seated(state, _at_old_tables(drafts, gone, kept), list(kept)))


def move(state: Tournament, command: ask.MoveTable, context: Context) -> Sequence[Event]:
    """A game goes on at another table, at any time before its result; the pairing stands (FF-TBL-2)."""
    round = current_round(state, command.round)
    seat = game_of(round, command.game)
    if seat.kind == "bye":
        raise GameUnknown(f"{seat.game} is a bye; it has no table.", [Fault("/game", seat.game, "a game")])
    if status_of(state, seat) == BINDING:
        raise GameHasResult(f"{seat.game} is over.", games=[seat.game])
    place = _place(state, command.venue or seat.venue, command.table)
    taken = games_at_tables(state, round, besides=[seat.game])
    if place == (seat.venue, seat.table) and (seat.wave == 1 or place in taken):
        return []
    if place in taken:
        raise TableTaken(
            f"{taken[place]} goes on at table {command.table}.",
            [Fault("/table", str(command.table), "a free table")],
            game=taken[place],
        )
    return [
        said.TableMoved(round=round.number, game=seat.game, venue=place[0], table=command.table, reason=command.reason)
    ]


def _swapped(round: Round, swap: tuple[str, str]) -> list[ask.ByHand]:
    """The games of two players, each with the other in it; at the same tables."""
    seats = [
        next((seat for seat in round.seats.values() if player in (seat.player_1, seat.player_2)), None)
        for player in swap
    ]
    refuse(
        [
            Fault(f"/swap/{index}", player, f"a player of round {round.number}")
            for index, (player, seat) in enumerate(zip(swap, seats, strict=True))
            if seat is None or player not in seat.players
        ]
    )
    found = [seat for seat in seats if seat is not None]
    if found[0] == found[1]:
        refuse([Fault("/swap", "two who meet each other", "players of two games")])
    other = {swap[0]: swap[1], swap[1]: swap[0]}
    return [
        ask.ByHand(
            player_1=other.get(seat.player_1, seat.player_1),
            player_2=other.get(seat.player_2, seat.player_2),
            kind=seat.kind,
            venue=seat.venue,
            table=seat.table or None,
            wave=seat.wave,
        )
        for seat in found
    ]


def _at_old_tables(drafts: Sequence[Draft], gone: dict[str, said.Seat], kept: dict[Place, str]) -> list[Draft]:
    """Drafts without a table take that of a game which is played no more, if one of their players sat there."""
    free = {player: seat for seat in gone.values() if seat.table for player in seat.players}
    used = {*kept, *((draft.venue, draft.table, draft.wave) for draft in drafts if draft.table)}
    placed = []
    for draft in drafts:
        if draft.table is None and draft.kind != "bye":
            for player in draft.players:
                seat = free.get(player)
                if seat and draft.venue in (None, seat.venue) and (seat.venue, seat.table, seat.wave) not in used:
                    draft = replace(draft, venue=seat.venue, table=seat.table, wave=seat.wave)
                    used.add((seat.venue, seat.table, seat.wave))
                    break
        placed.append(draft)
    return placed


def _amended(
    state: Tournament, round: Round, reason: str, gone: dict[str, said.Seat], drafts: Sequence[Draft]
) -> list[Event]:
    """The change as an event: who still meets whom keeps the game's id. Empty when nothing changes."""
    same = {(seat.kind, frozenset((seat.player_1, seat.player_2))): seat for seat in gone.values()}
    number = round.numbered
    seats: list[said.Seat] = []
    kept: set[str] = set()
    for draft in drafts:
        known = same.get((draft.kind, frozenset((draft.player_1, draft.player_2))))
        if known is None:
            number += 1
            seats.append(seat_of(draft, game_id(state, round.number, number)))
            continue
        kept.add(known.game)
        stays = replace(seat_of(draft, known.game), player_1=known.player_1, player_2=known.player_2)
        if (stays.venue, stays.table, stays.wave) != (known.venue, known.table, known.wave):
            seats.append(stays)
    removed = [game for game in gone if game not in kept]
    if not seats and not removed:
        return []
    return [said.PairingAmended(round=round.number, pairings=seats, reason=reason, removed=removed)]


def _place(state: Tournament, venue: str, table: int) -> tuple[str, int]:
    """A table that there is. Raises VenueUnknown, TableUnknown."""
    venues = {known.id: known for known in state.entries.venues.values() if known.open}
    if venue and venue not in venues:
        raise VenueUnknown(
            f"No open venue has the id {venue}.", [Fault("/venue", venue, " or ".join(venues) or "no venue")]
        )
    if not venue and venues:
        raise VenueUnknown("Say at which venue the table is.", [Fault("/venue", "nothing", " or ".join(venues))])
    if venue and venues[venue].tables and table not in venues[venue].tables:
        raise TableUnknown(
            f"{venues[venue].name} has no table {table}.", [Fault("/table", str(table), "a table of this venue")]
        )
    return venue, table
