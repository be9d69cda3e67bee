"""Amendments of a published round: other pairings by hand, another table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, cast

from msgspec.structs import replace

from services.pairing.guards import GameHasResult, GameUnknown, current_round, game_of, games_begun
from services.pairing.plans import ByHand, Draft, KindByHand, PairingRules, Place, Players, read, refuse
from services.pairing.publication import refuse_own_game
from services.pairing.seating import game_id, games_at_tables, seat_of, seated, tables_in_use, tables_over
from shared.log.event import Event
from shared.refusals import Fault, Refusal, expects, one_of
from shared.shapes import Command, Id, OptionalReason, Reason, Size, TableNumber
from shared.tournament.games import is_settled
from shared.tournament.guards import Context
from shared.tournament.rounds import PAGE_ROWS, PairingAmended, Round, Seat, TableMoved
from shared.tournament.state import Tournament


class AmendPairings(Command, frozen=True, kw_only=True):
    """Two players change places (`swap`), or games as they are to be from now on (`pairings`)."""

    round: int
    reason: Reason
    swap: Annotated[tuple[Id, Id] | None, Size(2, 2)] = None
    pairings: Annotated[list[ByHand], Size(PAGE_ROWS)] = []
    sitting_out: Players = []
    allow_rematch: bool = False


class MoveTable(Command, frozen=True, kw_only=True):
    """Where the game goes on. venue: left out, the same. The reason stands in the public log: nothing private in it."""

    round: int
    game: Id
    table: TableNumber
    venue: Id = ""
    reason: OptionalReason = ""


def amend(rules: PairingRules, state: Tournament, command: AmendPairings, context: Context) -> list[PairingAmended]:
    """Other pairings for some players of the latest round, while nothing was reported of their games.

    Everybody who sat in a game that changes sits in one of the new ones, sits out on purpose, or has left.
    Two players who meet in the new ones and did not before play a game with an id of its own.
    Source: AR-AMB-12 and FF-AMB-10 (manual swap, recorded with its reason).
    """
    round = current_round(state, command.round)
    if round.stage == "elimination":
        advice = "give up a seat instead: POST …/cut/given-up"
        raise BracketStands(f"Round {round.number} follows from the bracket; {advice}.")
    pairings = _swapped(round, command.swap) if command.swap else command.pairings
    named = {player for one in pairings for player in one.named}
    sitting_out = set(command.sitting_out)
    gone = {seat.game: seat for seat in round.seats.values() if (named | sitting_out) & seat.all_players}
    refuse_own_game(state, context.by, round, named.union(sitting_out, *(seat.players for seat in gone.values())))
    begun = [game for game in games_begun(state, round) if game in gone]
    if begun:
        raise GameHasResult("Games that would change have results already.", games=begun)
    kept = tables_in_use(state, round, besides=gone)
    drafts, faults = read(rules, state, round.number, pairings, round.stage, command.allow_rematch, kept)
    faults += [
        Fault("/pairings", "nothing", expects("player-paired", player=state.entries.name_of(player), id=player))
        for seat in gone.values()
        for player in seat.players
        if player not in named | sitting_out and state.entries.players[player].status == "active"
    ]
    faults += [
        Fault(f"/sitting_out/{index}", player, expects("unpaired-player-of-round"))
        for index, player in enumerate(command.sitting_out)
        if player in named or not any(player in seat.players for seat in round.seats.values())
    ]
    refuse(faults)
    avoid_repeats = rules.avoid_repeats(state.entries)
    over = tables_over(state, round)
    placed = seated(state, _at_old_tables(drafts, gone, kept), list(kept), avoid_repeats=avoid_repeats, over=over)
    return _amended(state, round, command.reason, gone, placed)


def move(state: Tournament, command: MoveTable, context: Context) -> Sequence[Event]:
    """A game goes on at another table, at any time before its result; the pairing stands (FF-TBL-2)."""
    round = current_round(state, command.round)
    seat = game_of(round, command.game)
    if seat.kind == "bye":
        raise GameUnknown(
            f"{seat.game} is a bye; it has no table.", [Fault("/game", seat.game, expects("game-not-bye"))]
        )
    refuse_own_game(state, context.by, round, seat.players)
    if is_settled(state, seat):
        raise GameHasResult(f"{seat.game} is over.", games=[seat.game])
    place = _place(state, command.venue or seat.venue, command.table)
    taken = games_at_tables(state, round, besides=[seat.game])
    if place == (seat.venue, seat.table) and (seat.wave == 1 or place in taken):
        return []
    if place in taken:
        raise TableTaken(
            f"{taken[place]} is still being played at table {command.table}.",
            [Fault("/table", str(command.table), expects("free-table"))],
            game=taken[place],
        )
    return [
        TableMoved(
            round=round.number,
            game=seat.game,
            venue=place[0],
            table=command.table,
            reason=command.reason,
        )
    ]


def _swapped(round: Round, swap: tuple[str, str]) -> list[ByHand]:
    """The games of two players, each with the other in it; at the same tables. Of one game, two of its sides."""
    seats = [next((seat for seat in round.seats.values() if player in seat.all_players), None) for player in swap]
    refuse(
        [
            Fault(f"/swap/{index}", player, expects("player-of-round", round=round.number))
            for index, (player, seat) in enumerate(zip(swap, seats, strict=True))
            if seat is None or player not in seat.players
        ]
    )
    found = {seat.game: seat for seat in seats if seat is not None}
    other = {swap[0]: swap[1], swap[1]: swap[0]}
    swapped = {game: _with_others(seat, other) for game, seat in found.items()}
    if len(found) == 1 and all(_meeting(swapped[game]) == _meeting(seat) for game, seat in found.items()):
        refuse([Fault("/swap", ", ".join(swap), expects("players-to-swap"))])
    return list(swapped.values())


def _with_others(seat: Seat, other: dict[str, str]) -> ByHand:
    """A game at its table, with others in it. other: who leaves -> who comes."""
    table, kind = seat.table or None, cast(KindByHand, seat.kind)
    if seat.sides:
        sides = [[other.get(player, player) for player in side] for side in seat.sides]
        return ByHand(sides=sides, venue=seat.venue, table=table, wave=seat.wave, kind=kind)
    one, two = (other.get(player, player) for player in (seat.player_1, seat.player_2))
    return ByHand(player_1=one, player_2=two, venue=seat.venue, table=table, wave=seat.wave, kind=kind)


def _at_old_tables(drafts: Sequence[Draft], gone: dict[str, Seat], kept: dict[Place, str]) -> list[Draft]:
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
    state: Tournament, round: Round, reason: str, gone: dict[str, Seat], drafts: Sequence[Draft]
) -> list[PairingAmended]:
    """The change as an event: who still meets whom keeps the game's id. Empty when nothing changes."""
    same = {_meeting(seat): seat for seat in gone.values()}
    number = round.numbered
    seats: list[Seat] = []
    kept: set[str] = set()
    for draft in drafts:
        known = same.get(_meeting(draft))
        if known is None:
            number += 1
            seats.append(seat_of(draft, game_id(state, round.number, number)))
            continue
        kept.add(known.game)
        stays = replace(seat_of(draft, known.game), player_1=known.player_1, player_2=known.player_2, sides=known.sides)
        if (stays.venue, stays.table, stays.wave) != (known.venue, known.table, known.wave):
            seats.append(stays)
    removed = [game for game in gone if game not in kept]
    if not seats and not removed:
        return []
    return [PairingAmended(round=round.number, pairings=seats, reason=reason, removed=removed)]


def _meeting(one: ByHand | Draft | Seat) -> tuple[str, frozenset[frozenset[str]]]:
    """Who plays against whom; two games with the same are one."""
    sides = one.sides or ([one.player_1], [one.player_2 or ""])
    return one.kind or "", frozenset(map(frozenset, sides))


def _place(state: Tournament, venue: str, table: int) -> tuple[str, int]:
    """A table that there is. Raises VenueUnknown, TableUnknown."""
    venues = {known.id: known for known in state.entries.venues.values() if known.open}
    if venue and venue not in venues:
        right = one_of(list(venues)) if venues else expects("no-open-venue")
        raise VenueUnknown(f"No open venue has the id {venue}.", [Fault("/venue", venue, right)])
    if not venue and venues:
        raise VenueUnknown("Say at which venue the table is.", [Fault("/venue", "nothing", one_of(list(venues)))])
    if venue and venues[venue].tables and table not in venues[venue].tables:
        fault = Fault("/table", str(table), expects("table-of-venue"))
        raise TableUnknown(f"{venues[venue].name} has no table {table}.", [fault])
    return venue, table


class VenueUnknown(Refusal):
    """No open venue has this id."""

    code = "venue-unknown"


class TableUnknown(Refusal):
    code = "table-unknown"


class BracketStands(Refusal):
    """Elimination pairings follow from the bracket; give a seat up instead of changing them."""

    code = "bracket-stands"


class TableTaken(Refusal):
    """Another game goes on at this table."""

    code = "table-taken"
