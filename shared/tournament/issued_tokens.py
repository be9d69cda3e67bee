"""Ids of the tokens that a tournament's log issued: with an entry, with an appointment, or on request.

    t-cup.p17.1772359200123     with the entry of p17, at that moment (Unix milliseconds)
    t-cup.s2.1772359200123      with the appointment of s2
    t-cup.p17.l1                the first link that staff asked for on behalf of p17

An id follows from the log alone. A command that a player or appointed staff gave carries the id, so that services and
an audit can check that this log issued the token.
"""

from __future__ import annotations

from datetime import datetime

from shared.tournament.entries import Entries, Player


def entry_token(tournament: str, who: str, time: str) -> str:
    """Return the id of the token that comes with an entry or an appointment. time: of that event."""
    return f"{tournament}.{who}.{milliseconds(time)}"


def milliseconds(time: str) -> int:
    """Return a moment in Unix milliseconds. time: as events have it."""
    return round(datetime.fromisoformat(time).timestamp() * 1000)


def tokens_of(tournament: str, entries: Entries, who: str) -> list[str]:
    """Return the ids of every token that the log issued to a player or a member of staff, oldest first."""
    if (player := entries.players.get(who)) is not None:
        return _player_tokens(tournament, player)
    member = entries.staff.get(who)
    return [entry_token(tournament, who, member.appointed_at)] if member and member.appointed_at else []


def is_issued(entries: Entries, who: str, token: str) -> bool:
    """Return True if the log issued a token with this id to a player or a member of staff.

    The first part of the id is the tournament's own and is not compared: the state of a tournament does not hold it,
    and tokens of other tournaments are refused before any decision.
    """
    return token in tokens_of(token.rsplit(".", 2)[0], entries, who)


def _player_tokens(tournament: str, player: Player) -> list[str]:
    first = [entry_token(tournament, player.id, player.entered_at)] if player.entered_at else []
    return first + [link.token for link in player.links]
