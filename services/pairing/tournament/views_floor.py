"""What pairing shows of the floor: tables, and a player's own game."""

from __future__ import annotations

from typing import Annotated

from services.pairing.tournament.refusals import NoGame
from services.pairing.tournament.seating import games_at_tables
from services.pairing.tournament.state import player_of, status_of_round
from services.pairing.tournament.views import Named, PairingView, pairing_view
from shared.shapes import View
from shared.tournament.state import Tournament


class PlayersPairing(View, frozen=True, kw_only=True):
    """A player's game of the latest round."""

    player: str
    round: int
    status: str
    pairing: PairingView


class PinnedPlayer(Named, frozen=True, kw_only=True):
    """Somebody who keeps a table; never why."""


class TableView(View, frozen=True, kw_only=True):
    """A table: which game goes on there, and who keeps it; never why."""

    table: int
    accessible: bool
    game: Annotated[PairingView | None, "null: free."]
    pinned: list[PinnedPlayer]


class TablesOfVenue(View, frozen=True, kw_only=True):
    """A venue's tables."""

    id: str
    name: str
    tables: list[TableView]


class TablesView(View, frozen=True, kw_only=True):
    """Every table of every open venue, in the latest round."""

    round: int | None
    items: list[TablesOfVenue]


def players_pairing(state: Tournament, player: str) -> PlayersPairing:
    """A player's game of the latest round; for the spare player too. Raises PlayerUnknown, NoGame."""
    if player not in state.entries.staff:
        player_of(state.entries, player)
    round = state.rounds.latest()
    for seat in round.seats.values() if round else ():
        if round and player in seat.everybody:
            return PlayersPairing(
                player=player,
                round=round.number,
                status=status_of_round(state, round),
                pairing=pairing_view(state, round, seat),
            )
    raise NoGame(f"{state.entries.name_of(player)} has no game now.", round=round.number if round else None)


def tables_view(state: Tournament) -> TablesView:
    """Every table of every open venue; tables that nobody set up are shown while a game is there."""
    entries = state.entries
    round = state.rounds.latest()
    if round is not None and round.number in state.results.closed:
        round = None
    taken = games_at_tables(state, round) if round else {}
    venues = {venue.id: (venue.name, dict(venue.tables)) for venue in entries.venues.values() if venue.open}
    for venue, table in sorted(taken):
        known = entries.venues.get(venue)
        venues.setdefault(venue, (known.name if known else "", {}))[1].setdefault(table, False)
    pinned: dict[tuple[str, int], list[PinnedPlayer]] = {}
    for player in entries.active():
        if player.pinned:
            pinned.setdefault(player.pinned, []).append(PinnedPlayer(player=player.id, name=player.name))

    def of_table(venue: str, table: int, accessible: bool) -> TableView:
        game = taken.get((venue, table))
        return TableView(
            table=table,
            accessible=accessible,
            game=pairing_view(state, round, round.seats[game]) if round and game else None,
            pinned=pinned.get((venue, table), []),
        )

    return TablesView(
        round=round.number if round else None,
        items=[
            TablesOfVenue(id=venue, name=name, tables=[of_table(venue, *table) for table in sorted(tables.items())])
            for venue, (name, tables) in venues.items()
        ],
    )
