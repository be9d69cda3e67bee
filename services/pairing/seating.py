"""Seating: the venue of every game, and its table if the venue has tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import count

from msgspec.structs import replace

from services.pairing.plans import Place, PlannedPairing
from shared.rules.model import Pairing
from shared.rules.pairing import Table, assign_tables
from shared.tournament.games import is_settled
from shared.tournament.people import Entries, Venue
from shared.tournament.rounds import Round, Seat
from shared.tournament.state import Tournament


def seat_pairings(
    state: Tournament,
    pairings: Sequence[PlannedPairing],
    taken: Collection[Place] = (),
    *,
    avoid_repeats: bool,
    finished: Collection[Place] = (),
) -> list[PlannedPairing]:
    """Return the pairings with venue, table and wave, in the same order.

    Pinned players keep their table. Accessible tables stay free as long as the others suffice. If there are no venues,
    or the venue has no tables, the table is 0. If a venue has fewer tables than games, the games are played in waves:
    first those of pinned players, then in the order of the pairings.

    taken: places that are not free. avoid_repeats: do not seat players at a table where they have played, if possible.
    finished: places of games of the round that have ended; used only if there are not enough other tables.
    Source: FF-AMB-28, FF-TBL-2, FF-TBL-3, AR-TBL-1.
    """
    placed = _assign_venues(state, pairings, taken)
    used = {*taken, *((pairing.venue or "", pairing.table, pairing.wave) for pairing in placed if pairing.table)}
    unseated: dict[str, list[int]] = {}
    for index, pairing in enumerate(placed):
        if pairing.table is None:
            unseated.setdefault(pairing.venue or "", []).append(index)
    history = _tables_played(state)
    for id, indices in unseated.items():
        venue = state.entries.venues.get(id)
        if venue is None or not venue.tables:
            for index in indices:
                placed[index] = replace(placed[index], table=0)
            continue
        waiting = sorted(indices, key=lambda index: not _is_pinned(state, placed[index], id))
        for wave in count(1):
            free = [
                Table(id, number, accessible)
                for number, accessible in venue.tables.items()
                if (id, number, wave) not in used
            ]
            unused = [table for table in free if (id, table.number, wave) not in finished]
            free = unused if len(unused) >= len(waiting) else free
            chosen, waiting = sorted(waiting[: len(free)]), waiting[len(free) :]
            played = history.get(id, {}) if avoid_repeats else {}
            numbers = _assign_numbers(state, venue, [placed[index] for index in chosen], free, played)
            for index, number in zip(chosen, numbers, strict=True):
                placed[index] = replace(placed[index], table=number, wave=wave)
            if not waiting:
                break
    return placed


def _is_pinned(state: Tournament, pairing: PlannedPairing, venue: str) -> bool:
    pins = [state.entries.players[player].pinned for player in pairing.players]
    return any(pin is not None and pin[0] == venue for pin in pins)


def number_games(state: Tournament, round: int, pairings: Iterable[PlannedPairing]) -> list[Seat]:
    """Return the seats of a new round, or of more parts of a paired one, with their game ids."""
    known = state.rounds.rounds.get(round)
    return [
        seat_from_plan(pairing, game_id(state, round, pairing.slot or number))
        for number, pairing in enumerate(pairings, start=1 + (known.game_count if known else 0))
    ]


def game_id(state: Tournament, round: int, number: int) -> str:
    """Return the id of a game: r2g1, r2g2, …, or r2g1-2, … after the round was withdrawn once.

    Ids are never reused, so a late report for a removed game cannot reach another game.
    """
    withdrawn = state.rounds.withdrawn.get(round, 0)
    return f"r{round}g{number}" + (f"-{withdrawn + 1}" if withdrawn else "")


def seat_from_plan(pairing: PlannedPairing, game: str) -> Seat:
    """Return the seat that events record for a planned pairing."""
    return Seat(
        game=game,
        kind=pairing.kind,
        player_1=pairing.player_1,
        player_2=pairing.player_2,
        venue=pairing.venue or "",
        table=pairing.table or 0,
        wave=pairing.wave,
        reason=pairing.reason,
        rematch=pairing.rematch,
        bye=pairing.bye,
        sides=pairing.sides,
    )


def finished_tables(state: Tournament, round: Round) -> set[Place]:
    """Return the places of a round whose games have ended."""
    ended = (seat for seat in round.seats.values() if seat.table and is_settled(state, seat))
    return {(seat.venue, seat.table, seat.wave) for seat in ended}


def tables_in_use(state: Tournament, round: Round, excluding: Collection[str] = ()) -> dict[Place, str]:
    """Return place -> id of the game that is or will be played there. excluding: games to ignore."""
    return {
        (seat.venue, seat.table, seat.wave): seat.game
        for seat in round.seats.values()
        if seat.table and seat.game not in excluding and not is_settled(state, seat)
    }


def games_at_tables(state: Tournament, round: Round, excluding: Collection[str] = ()) -> dict[tuple[str, int], str]:
    """Return (venue, table) -> id of the first unfinished game there. excluding: games to ignore."""
    last_first = sorted(tables_in_use(state, round, excluding).items(), key=lambda entry: -entry[0][2])
    return {(venue, table): game for (venue, table, _), game in last_first}


def _assign_venues(
    state: Tournament, pairings: Sequence[PlannedPairing], taken: Collection[Place]
) -> list[PlannedPairing]:
    """Return the pairings with a venue: that of the players if it has room, otherwise the first venue with room.

    If no venue has room, choose the one with the fewest waves.
    """
    entries = state.entries
    venues = {venue.id: venue for venue in entries.venues.values() if venue.open}
    capacity = {id: len(venue.tables) or len(pairings) for id, venue in venues.items()}
    used = Counter([pairing.venue for pairing in pairings if pairing.venue is not None and pairing.kind != "bye"])
    used.update(venue for venue, _, _ in taken)
    placed = list(pairings)

    def order(index: int) -> tuple[bool, int, int]:
        # Pinned players first; then games with one home venue, because the others can go to either of theirs.
        players = [entries.players[player] for player in pairings[index].players]
        return not any(player.pinned for player in players), len({player.venue for player in players}), index

    for index in sorted(range(len(pairings)), key=order):
        pairing = pairings[index]
        if pairing.venue is not None and pairing.venue in ("", *venues):
            continue
        preferred = [venue for venue in _preferred_venues(entries, pairing) if venue in venues]
        if pairing.kind == "bye":
            placed[index] = replace(pairing, venue=preferred[0] if preferred else "", table=0)
            continue
        venue = min([*preferred, *venues], key=lambda id: used[id] // max(1, capacity[id]), default="")
        used[venue] += 1
        placed[index] = replace(pairing, venue=venue)
    return placed


def _preferred_venues(entries: Entries, pairing: PlannedPairing) -> list[str]:
    players = [entries.players[player] for player in pairing.players]
    return [player.pinned[0] for player in players if player.pinned] + [player.venue for player in players]


def _assign_numbers(
    state: Tournament,
    venue: Venue,
    pairings: Sequence[PlannedPairing],
    free: Sequence[Table],
    history: Mapping[str, set[int]],
) -> list[int]:
    """Return a table number for each game of a venue. There are at least as many free tables as games."""
    players = state.entries.players
    pinned = {
        player: pin[1]
        for pairing in pairings
        for player in pairing.players
        if (pin := players[player].pinned) is not None and pin[0] == venue.id
    }
    ordinary = [table for table in free if not table.accessible or table.number in pinned.values()]
    pinned_games = sum(any(player in pinned for player in pairing.players) for pairing in pairings)
    needed = len(pairings) - pinned_games + len(set(pinned.values()))
    assigned = assign_tables(
        [
            Pairing("game", pairing.player_1, pairing.player_2, sides=tuple(map(tuple, pairing.sides)))
            for pairing in pairings
        ],
        ordinary if len(ordinary) >= needed else free,
        pinned=pinned,
        history=history,
    )
    return [seat.table.number if seat.table else 0 for seat in assigned]


def _tables_played(state: Tournament) -> dict[str, dict[str, set[int]]]:
    """Return venue -> player -> numbers of the tables where the player has been seated."""
    history: dict[str, dict[str, set[int]]] = {}
    for round in state.rounds.rounds.values():
        for seat in round.seats.values():
            if seat.table:
                for player in seat.players:
                    history.setdefault(seat.venue, {}).setdefault(player, set()).add(seat.table)
    return history
