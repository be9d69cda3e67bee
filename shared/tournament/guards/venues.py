"""Staff who were appointed for one venue act there only. A service says in a table which venues a command is about."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from shared.tournament.context import By
from shared.tournament.refusals import OtherVenue
from shared.tournament.state import Tournament

Venues = Callable[[Tournament, Any], Iterable[str]]
"""State and command -> the venues of the games, tables and players it is about; an empty one belongs to everybody."""


def own_venue(state: Tournament, by: By) -> str:
    """The one venue where somebody of the staff acts, empty for everywhere and for who is no staff.

    The appointment in the log decides; for a token that stands for nobody in it, the venue in the token.
    """
    if not by.staff:
        return ""
    member = state.entries.staff.get(by.actor)
    return member.venue if member and member.venue else by.venue


def keep_to_venue(state: Tournament, by: By, touched: Iterable[str]) -> None:
    """Let staff of one venue pass only when nothing of another is touched; who has no venue acts everywhere.

    Raises OtherVenue.
    """
    own = own_venue(state, by)
    others = sorted(set(filter(None, touched)) - {own})
    if own and others:
        raise OtherVenue(f"You are appointed for {own}; this is about {', '.join(others)}.", venue=own, venues=others)


def of_player(state: Tournament, player: str) -> list[str]:
    """The venue where a player is, or wants to play; none for a player who is not known."""
    known = state.entries.players.get(player)
    return [known.venue] if known else []


def of_game(state: Tournament, game: str) -> list[str]:
    """The venue where a game is played; none for a game that is not known."""
    return [round.seats[game].venue for round in state.rounds.rounds.values() if game in round.seats]


def of_round(state: Tournament, number: int) -> list[str]:
    """The venues where games of a round are played; none for a round that is not paired."""
    round = state.rounds.rounds.get(number)
    return [seat.venue for seat in round.seats.values()] if round else []


def every_open(state: Tournament) -> list[str]:
    """Every venue that takes part."""
    return [venue.id for venue in state.entries.venues.values() if venue.open]
