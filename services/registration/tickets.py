"""Tokens that registration hands out. The same event gives the same token, so a repeated command answers the same."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from hashlib import sha256

from msgspec import Struct

from shared.http.idempotency import key_of
from shared.http.tokens import ORGANISER, PLAYER, Caller, TokenKeys, mint


class Ticket(Struct, frozen=True):
    """A token and its id, which a revocation names."""

    text: str
    id: str


class Tickets:
    """keys: as for `shared.http.tokens.mint`. link: where a player's link leads, without its token. now: the clock."""

    def __init__(self, keys: TokenKeys, link: str, now: Callable[[], str]) -> None:
        self._keys = keys
        self._link = link
        self.now = now

    def tournament_id(self, command_id: str, caller: Caller) -> str:
        """The id of a tournament that a command announces; the same for the same caller and Idempotency-Key."""
        key = key_of(command_id)
        text = command_id if key is None else f"{caller.tournament} {caller.actor} {key}"
        return f"t-{sha256(text.encode()).hexdigest()[:12]}"

    def organiser(self, tournament: str, time: str) -> Ticket:
        """For whoever announced the tournament. time: of the announcement."""
        id = f"{tournament}.organiser"
        return Ticket(
            mint(self._keys, actor="organiser", role=ORGANISER, tournament=tournament, jti=id, iat=_seconds(time)), id
        )

    def staff(self, tournament: str, staff: str, role: str, venue: str, time: str) -> Ticket:
        """For a member of staff. time: of the appointment, or of asking for another token."""
        id = f"{tournament}.{staff}.{_milliseconds(time)}"
        token = mint(
            self._keys, actor=staff, role=role, tournament=tournament, jti=id, iat=_seconds(time), venue=venue or None
        )
        return Ticket(token, id)

    def player(self, tournament: str, player: str, time: str) -> Ticket:
        """For a player: no account is needed to report one's own game."""
        id = f"{tournament}.{player}.{_milliseconds(time)}"
        token = mint(
            self._keys, actor=player, role=PLAYER, tournament=tournament, jti=id, iat=_seconds(time), player=player
        )
        return Ticket(token, id)

    def link(self, tournament: str, ticket: Ticket) -> str:
        """The address that a player opens, or scans as a QR code."""
        return f"{self._link}/tournaments/{tournament}/me?token={ticket.text}"


def _milliseconds(time: str) -> int:
    """Since 1970; a new link made just after the old one was revoked is another one."""
    return round(datetime.fromisoformat(time).timestamp() * 1000)


def _seconds(time: str) -> int:
    return _milliseconds(time) // 1000
