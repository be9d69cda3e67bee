"""Amendments of a paired round: changes of pairings by hand, and moves to another table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, cast

from msgspec.structs import replace

from services.pairing.guards import (
    GameHasResult,
    GameUnknown,
    RoundClosed,
    RoundNotLatest,
    current_round,
    game_of,
    games_with_reports,
)
from services.pairing.plans import (
    ByHand,
    KindByHand,
    PairingRules,
    Place,
    PlannedPairing,
    Players,
    read_pairings,
    refuse_faults,
)
from services.pairing.publication import RoundNotPublished, refuse_own_game
from services.pairing.seating import (
    finished_tables,
    game_id,
    games_at_tables,
    seat_from_plan,
    seat_pairings,
    tables_in_use,
)
from shared.log.event import Event
from shared.refusals import Fault, Refusal, expects, one_of
from shared.shapes import Command, Id, OptionalReason, Reason, Size, TableNumber
from shared.tournament.games import is_settled
from shared.tournament.guards import Context
from shared.tournament.parts import has_own_rounds, latest_round_at, venues_in_play
from shared.tournament.rounds import PAGE_ROWS, PairingAmended, Round, Seat, TableMoved
from shared.tournament.state import Tournament


class AmendPairings(Command, frozen=True, kw_only=True):
    """Change pairings of the latest round: swap two players, or give the new pairings."""

    round: int
    reason: Reason
    swap: Annotated[tuple[Id, Id] | None, Size(2, 2), "Two players who change places."] = None
    pairings: Annotated[
        list[ByHand],
        Size(PAGE_ROWS),
        "The new pairings. Every player of a game that changes must be in one of them or in `sitting_out`.",
    ] = []
    sitting_out: Annotated[Players, "Players of changed games who no longer play this round."] = []
    allow_rematch: Annotated[bool, "Accept opponents who have met before."] = False


class MoveTable(Command, frozen=True, kw_only=True):
    """Move a game to another table."""

    round: int
    game: Id
    table: TableNumber
    venue: Annotated[Id, "Default: the current venue of the game."] = ""
    reason: Annotated[OptionalReason, "Public: write nothing private here."] = ""


def amend(rules: PairingRules, state: Tournament, command: AmendPairings, context: Context) -> list[PairingAmended]:
    """Change pairings of the latest round, as long as the games that change have no reports.

    Every active player of a changed game must be in a new pairing or in `sitting_out`. A game keeps its id if its
    players stay the same; otherwise it gets a new one.
    Source: AR-AMB-12 and FF-AMB-10 (manual swap, recorded with its reason).
    """
    round = current_round(state, command.round)
    if round.stage == "elimination":
        advice = "give up a seat instead: POST …/cut/given-up"
        raise BracketStands(f"Round {round.number} follows from the bracket; {advice}.")
    pairings = _swapped(round, command.swap) if command.swap else command.pairings
    paired_ids = {player for pairing in pairings for player in pairing.participant_ids}
    mentioned = paired_ids.union(command.sitting_out)
    changing = {seat.game: seat for seat in round.seats.values() if mentioned & seat.all_players}
    refuse_own_game(state, context.by, round, mentioned.union(*(seat.players for seat in changing.values())))
    reported = [game for game in games_with_reports(state, round) if game in changing]
    if reported:
        raise GameHasResult("Games that would change have results already.", games=reported)
    taken = tables_in_use(state, round, excluding=changing)
    planned, faults = read_pairings(rules, state, round.number, pairings, round.stage, command.allow_rematch, taken)
    faults += [
        Fault("/pairings", "nothing", expects("player-paired", player=state.entries.name_of(player), id=player))
        for seat in changing.values()
        for player in seat.players
        if player not in mentioned and state.entries.players[player].status == "active"
    ]
    faults += [
        Fault(f"/sitting_out/{index}", player, expects("unpaired-player-of-round"))
        for index, player in enumerate(command.sitting_out)
        if player in paired_ids or not any(player in seat.players for seat in round.seats.values())
    ]
    refuse_faults(faults)
    seated = seat_pairings(
        state,
        _keep_tables(planned, changing, taken),
        list(taken),
        avoid_repeats=rules.avoid_repeats(state.entries),
        finished=finished_tables(state, round),
    )
    for venue in (*(seat.venue for seat in changing.values()), *(pairing.venue or "" for pairing in seated)):
        _refuse_other_part(state, round, venue)
    return _amended(state, round, command.reason, changing, seated)


def _refuse_other_part(state: Tournament, round: Round, venue: str) -> None:
    """Raise a refusal if the round is over at a venue, or not paired yet at a venue that is paired by itself.

    A game that came first would count as the part of that venue, whose own players could then not be paired.
    Raises RoundNotLatest, RoundClosed, RoundNotPublished.
    """
    if has_own_rounds(state) and venue not in round.parts and venue in venues_in_play(state):
        raise RoundNotPublished(
            f"Round {round.number} is not paired at {venue}; pair it there before games change between venues.",
            round=round.number,
        )
    latest = latest_round_at(state.rounds, venue) if venue in round.parts else round.number
    if latest > round.number:
        raise RoundNotLatest(f"Round {latest} has been paired at {venue} since.", latest=latest)
    if state.results.is_closed(round.number, venue):
        raise RoundClosed(f"Round {round.number} is closed at {venue}.", round=round.number)


def move(state: Tournament, command: MoveTable, context: Context) -> Sequence[Event]:
    """Move a game to another table, at any time before its result (FF-TBL-2)."""
    round = current_round(state, command.round)
    seat, entries = game_of(round, command.game), state.entries
    if seat.kind == "bye":
        raise GameUnknown(
            f"{seat.game} is a bye; it has no table.", [Fault("/game", seat.game, expects("game-not-bye"))]
        )
    refuse_own_game(state, context.by, round, seat.players)
    if is_settled(state, seat):
        raise GameHasResult(f"{seat.game} is over.", games=[seat.game])
    place = command.venue or seat.venue, command.table
    _require_table(state, *place)
    _refuse_other_part(state, round, place[0])
    taken = games_at_tables(state, round, excluding=[seat.game])
    if place == (seat.venue, seat.table) and (seat.wave == 1 or place in taken):
        return []
    if place in taken:
        raise TableTaken(
            f"{taken[place]} is still being played at table {entries.table_name(*place)}.",
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
    """Return the games of two players with these players exchanged; tables stay the same."""
    seats = [next((seat for seat in round.seats.values() if player in seat.all_players), None) for player in swap]
    refuse_faults(
        [
            Fault(f"/swap/{index}", player, expects("player-of-round", round=round.number))
            for index, (player, seat) in enumerate(zip(swap, seats, strict=True))
            if seat is None or player not in seat.players
        ]
    )
    games = {seat.game: seat for seat in seats if seat is not None}
    replacements = {swap[0]: swap[1], swap[1]: swap[0]}
    swapped = {game: _replace_players(seat, replacements) for game, seat in games.items()}
    if len(games) == 1 and all(_meeting(swapped[game]) == _meeting(seat) for game, seat in games.items()):
        refuse_faults([Fault("/swap", ", ".join(swap), expects("players-to-swap"))])
    return list(swapped.values())


def _replace_players(seat: Seat, replacements: dict[str, str]) -> ByHand:
    table, kind = seat.table or None, cast(KindByHand, seat.kind)
    if seat.sides:
        sides = [[replacements.get(player, player) for player in side] for side in seat.sides]
        return ByHand(sides=sides, venue=seat.venue, table=table, wave=seat.wave, kind=kind)
    first, second = (replacements.get(player, player) for player in (seat.player_1, seat.player_2))
    return ByHand(player_1=first, player_2=second, venue=seat.venue, table=table, wave=seat.wave, kind=kind)


def _keep_tables(
    planned: Sequence[PlannedPairing], changing: dict[str, Seat], taken: dict[Place, str]
) -> list[PlannedPairing]:
    """Give pairings without a table the former table of one of their players, if it is free."""
    former = {player: seat for seat in changing.values() if seat.table for player in seat.players}
    used = {*taken, *((pairing.venue, pairing.table, pairing.wave) for pairing in planned if pairing.table)}
    placed = []
    for pairing in planned:
        if pairing.table is None and pairing.kind != "bye":
            for player in pairing.players:
                seat = former.get(player)
                if seat and pairing.venue in (None, seat.venue) and (seat.venue, seat.table, seat.wave) not in used:
                    pairing = replace(pairing, venue=seat.venue, table=seat.table, wave=seat.wave)
                    used.add((seat.venue, seat.table, seat.wave))
                    break
        placed.append(pairing)
    return placed


def _amended(
    state: Tournament, round: Round, reason: str, changing: dict[str, Seat], planned: Sequence[PlannedPairing]
) -> list[PairingAmended]:
    """Return the event of the change; none if nothing changes. A game between the same players keeps its id."""
    games = {_meeting(seat): seat for seat in changing.values()}
    number = round.game_count
    seats: list[Seat] = []
    kept: set[str] = set()
    for pairing in planned:
        game = games.get(_meeting(pairing))
        if game is None:
            number += 1
            seats.append(seat_from_plan(pairing, game_id(state, round.number, number)))
            continue
        kept.add(game.game)
        moved = replace(
            seat_from_plan(pairing, game.game), player_1=game.player_1, player_2=game.player_2, sides=game.sides
        )
        if (moved.venue, moved.table, moved.wave) != (game.venue, game.table, game.wave):
            seats.append(moved)
    removed = [game for game in changing if game not in kept]
    if not seats and not removed:
        return []
    return [PairingAmended(round=round.number, pairings=seats, reason=reason, removed=removed)]


def _meeting(pairing: ByHand | PlannedPairing | Seat) -> tuple[str, frozenset[frozenset[str]]]:
    """Return kind and sides, which identify the game between these players regardless of order."""
    sides = pairing.sides or ([pairing.player_1], [pairing.player_2 or ""])
    return pairing.kind or "", frozenset(map(frozenset, sides))


def _require_table(state: Tournament, venue: str, table: int) -> None:
    """Raise VenueUnknown or TableUnknown unless the table exists at an open venue."""
    venues = {venue.id: venue for venue in state.entries.venues.values() if venue.open}
    if venue and venue not in venues:
        expected = one_of(list(venues)) if venues else expects("no-open-venue")
        raise VenueUnknown(f"No open venue has the id {venue}.", [Fault("/venue", venue, expected)])
    if not venue and venues:
        raise VenueUnknown("Say at which venue the table is.", [Fault("/venue", "nothing", one_of(list(venues)))])
    if venue and venues[venue].tables and table not in venues[venue].tables:
        fault = Fault("/table", str(table), expects("table-of-venue"))
        raise TableUnknown(f"{venues[venue].name} has no table {table}.", [fault])


class VenueUnknown(Refusal):
    """No open venue has this id."""

    code = "venue-unknown"


class TableUnknown(Refusal):
    code = "table-unknown"


class BracketStands(Refusal):
    """Elimination pairings follow from the bracket and cannot be changed; give up a seat instead."""

    code = "bracket-stands"


class TableTaken(Refusal):
    """Another game is being played at this table."""

    code = "table-taken"
