"""Who would sit together in the next round of sessions: from the folded logs to tables, and the same in an audit."""

from __future__ import annotations

from typing import NamedTuple

from shared.formats.coop.at_tables import table_size
from shared.formats.coop.entries import COOP
from shared.formats.coop.rules.seating import seat
from shared.formats.coop.seating import SEATING
from shared.tournament.entries import Player
from shared.tournament.state import Tournament


class Places(NamedTuple):
    """tables: venue and survivors of each. waiting: who finds no place. not_there: who is not checked in."""

    tables: list[tuple[str, list[str]]]
    waiting: list[str]
    not_there: list[str]


def seats_of(state: Tournament, round: int, seed: str) -> Places:
    """The tables of a round as the seed draws them, venue by venue where venues are seated apart. AB-SVC-2."""
    entries = state.entries
    asks = entries.check_in and round == 1
    not_there = [player.id for player in entries.active() if asks and not player.checked_in]
    playing = [player for player in entries.active() if player.id not in not_there]
    size, met = table_size(state), SEATING.of(state).met(round)
    tables: list[tuple[str, list[str]]] = []
    waiting: list[str] = []
    venues = sorted({_venue(state, player) for player in playing})
    for venue in venues:
        here = [player.id for player in playing if _venue(state, player) == venue]
        seated, left = seat(
            _groups(state, here),
            least=size.survivors_min,
            most=size.survivors_max,
            met=met,
            seed=seed,
            round=round,
        )
        tables += [(venue, table) for table in seated]
        waiting += left
    return Places(tables, waiting, not_there)


def _venue(state: Tournament, player: Player) -> str:
    """Where somebody plays: at their venue, or at the only one that there is; nowhere in particular else."""
    open_venues = [venue.id for venue in state.entries.venues.values() if venue.open]
    if len(open_venues) == 1:
        return open_venues[0]
    return player.venue if state.entries.pairing_scope == "venue" else ""


def _groups(state: Tournament, players: list[str]) -> list[tuple[str, ...]]:
    """Parties, as far as their members play here, and everybody else alone."""
    parties = [tuple(player for player in party if player in players) for party in COOP.of(state).parties.values()]
    together = {player for party in parties for player in party}
    return [*filter(None, parties), *((player,) for player in players if player not in together)]
