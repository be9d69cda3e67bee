"""Whether a tournament is there, and not over yet: what most commands of every service ask first."""

from __future__ import annotations

from shared.tournament.entries import Entries
from shared.tournament.refusals import TournamentOver, UnknownTournament
from shared.tournament.state import Tournament


def announced(state: Tournament) -> Entries:
    """The entries of a tournament that exists. Raises UnknownTournament."""
    if not state.entries.status:
        raise UnknownTournament("There is no tournament with this id.")
    return state.entries


def running(state: Tournament) -> Entries:
    """The entries of a tournament that is neither cancelled nor concluded. Raises UnknownTournament, TournamentOver."""
    entries = announced(state)
    if entries.status == "cancelled" or state.results.concluded:
        raise TournamentOver(f"The tournament is {'cancelled' if entries.status == 'cancelled' else 'concluded'}.")
    return entries
