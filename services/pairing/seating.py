"""Seating: a venue for every game, and a table for every game of a venue that has tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import count

from msgspec.structs import replace

from services.pairing.plans import Draft, Place
from shared.rules.model import Pairing
from shared.rules.pairing import Table, assign_tables
from shared.tournament.games import is_settled
from shared.tournament.people import Entries, Venue
from shared.tournament.rounds import Round, Seat
from shared.tournament.state import Tournament


def seated(
    state: Tournament,
    drafts: Sequence[Draft],
    taken: Collection[Place] = (),
    *,
    avoid_repeats: bool,
    over: Collection[Place] = (),
) -> list[Draft]:
    """The drafts with venue, table and wave, in the same order. taken: tables that are not free. over: tables of games
    of the round that have ended, which are given only while there are not enough others.
    avoid_repeats: whether somebody is kept from a table that they have played at.

    Pinned players keep their table, accessible tables are left free while the others suffice, and nobody sits where
    they sat before while that can be helped. Without venues nobody is given a table; nor in a venue without tables.
    Where a venue has fewer tables than games, these are played in waves: as many as there are tables at once, then the
    next at the same tables; first those whose players keep a table, then in the order of the drafts.
    Source: FF-AMB-28, FF-TBL-2, FF-TBL-3, AR-TBL-1.
    """
    placed = _placed(state, drafts, taken)
    used = {*taken, *((draft.venue or "", draft.table, draft.wave) for draft in placed if draft.table)}
    wanted: dict[str, list[int]] = {}
    for index, draft in enumerate(placed):
        if draft.table is None:
            wanted.setdefault(draft.venue or "", []).append(index)
    history = _history(state)
    for id, indices in wanted.items():
        venue = state.entries.venues.get(id)
        if venue is None or not venue.tables:
            for index in indices:
                placed[index] = replace(placed[index], table=0)
            continue
        waiting = sorted(indices, key=lambda index: not _pinned_there(state, placed[index], id))
        for wave in count(1):
            free = [Table(id, number, kept) for number, kept in venue.tables.items() if (id, number, wave) not in used]
            unused = [table for table in free if (id, table.number, wave) not in over]
            free = unused if len(unused) >= len(waiting) else free
            now, waiting = sorted(waiting[: len(free)]), waiting[len(free) :]
            there, played = [placed[index] for index in now], history.get(id, {}) if avoid_repeats else {}
            numbers = _numbers(state, venue, there, free, played)
            for index, number in zip(now, numbers, strict=True):
                placed[index] = replace(placed[index], table=number, wave=wave)
            if not waiting:
                break
    return placed


def _pinned_there(state: Tournament, draft: Draft, venue: str) -> bool:
    pins = [state.entries.players[player].pinned for player in draft.players]
    return any(pin is not None and pin[0] == venue for pin in pins)


def numbered(state: Tournament, round: int, drafts: Iterable[Draft]) -> list[Seat]:
    """Pairings of a new round with their ids."""
    return [seat_of(draft, game_id(state, round, draft.slot or number)) for number, draft in enumerate(drafts, start=1)]


def game_id(state: Tournament, round: int, number: int) -> str:
    """The id of a game: r2g1, r2g2 …, and r2g1-2 … after the round was taken back once.

    An id is never given to another pairing, so that a result on its way to a game that is no more finds none.
    """
    withdrawn = state.rounds.withdrawn.get(round, 0)
    return f"r{round}g{number}" + (f"-{withdrawn + 1}" if withdrawn else "")


def seat_of(draft: Draft, game: str) -> Seat:
    """A draft that has its place, as events hold it."""
    return Seat(
        game=game,
        kind=draft.kind,
        player_1=draft.player_1,
        player_2=draft.player_2,
        venue=draft.venue or "",
        table=draft.table or 0,
        wave=draft.wave,
        reason=draft.reason,
        rematch=draft.rematch,
        bye=draft.bye,
        sides=draft.sides,
    )


def tables_over(state: Tournament, round: Round) -> set[Place]:
    """Return the tables of a round whose games have ended."""
    ended = (seat for seat in round.seats.values() if seat.table and is_settled(state, seat))
    return {(seat.venue, seat.table, seat.wave) for seat in ended}


def tables_in_use(state: Tournament, round: Round, besides: Collection[str] = ()) -> dict[Place, str]:
    """Table and wave -> the game that still goes on there, or is to; those `besides` are passed over."""
    return {
        (seat.venue, seat.table, seat.wave): seat.game
        for seat in round.seats.values()
        if seat.table and seat.game not in besides and not is_settled(state, seat)
    }


def games_at_tables(state: Tournament, round: Round, besides: Collection[str] = ()) -> dict[tuple[str, int], str]:
    """Venue and table -> the game that goes on there, of several waves the first that is not over."""
    last_first = sorted(tables_in_use(state, round, besides).items(), key=lambda entry: -entry[0][2])
    return {(venue, table): game for (venue, table, _), game in last_first}


def _placed(state: Tournament, drafts: Sequence[Draft], taken: Collection[Place]) -> list[Draft]:
    """The drafts, each with a venue: that of its players while there is room, else the first that has some.

    Where none has room, that in which the game is played in the earliest wave.
    """
    entries = state.entries
    venues = {venue.id: venue for venue in entries.venues.values() if venue.open}
    room = {id: len(venue.tables) or len(drafts) for id, venue in venues.items()}
    room_taken = Counter([draft.venue for draft in drafts if draft.venue is not None and draft.kind != "bye"])
    room_taken.update(venue for venue, _, _ in taken)
    placed = list(drafts)

    def order(index: int) -> tuple[bool, int, int]:
        # Pinned players first; then games that have one home venue, since the others can go to either of theirs.
        players = [entries.players[player] for player in drafts[index].players]
        return not any(player.pinned for player in players), len({player.venue for player in players}), index

    for index in sorted(range(len(drafts)), key=order):
        draft = drafts[index]
        if draft.venue is not None and draft.venue in ("", *venues):
            continue
        wishes = [venue for venue in _wishes(entries, draft) if venue in venues]
        if draft.kind == "bye":
            placed[index] = replace(draft, venue=wishes[0] if wishes else "", table=0)
            continue
        known = [*wishes, *venues]
        found = min(known, key=lambda venue: room_taken[venue] // max(1, room[venue]), default="")
        room_taken[found] += 1
        placed[index] = replace(draft, venue=found)
    return placed


def _wishes(entries: Entries, draft: Draft) -> list[str]:
    players = [entries.players[player] for player in draft.players]
    return [player.pinned[0] for player in players if player.pinned] + [player.venue for player in players]


def _numbers(
    state: Tournament, venue: Venue, drafts: Sequence[Draft], free: Sequence[Table], history: Mapping[str, set[int]]
) -> list[int]:
    """A table for each game of a venue, by the rules; there are enough."""
    players = state.entries.players
    pinned = {
        player: pin[1]
        for draft in drafts
        for player in draft.players
        if (pin := players[player].pinned) is not None and pin[0] == venue.id
    }
    ordinary = [table for table in free if not table.accessible or table.number in pinned.values()]
    at_their_own = sum(any(player in pinned for player in draft.players) for draft in drafts)
    needed = len(drafts) - at_their_own + len(set(pinned.values()))
    given = assign_tables(
        [Pairing("game", draft.player_1, draft.player_2, sides=tuple(map(tuple, draft.sides))) for draft in drafts],
        ordinary if len(ordinary) >= needed else free,
        pinned=pinned,
        history=history,
    )
    return [seated.table.number if seated.table else 0 for seated in given]


def _history(state: Tournament) -> dict[str, dict[str, set[int]]]:
    """Venue -> player -> the tables played at there so far."""
    history: dict[str, dict[str, set[int]]] = {}
    for round in state.rounds.rounds.values():
        for seat in round.seats.values():
            if seat.table:
                for player in seat.players:
                    history.setdefault(seat.venue, {}).setdefault(player, set()).add(seat.table)
    return history
