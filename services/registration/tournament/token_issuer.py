"""Tokens that registration hands out. The same event gives the same token, so a repeated command answers the same."""

from __future__ import annotations

from datetime import date, timedelta
from hashlib import sha256

from msgspec import Struct

from services.registration.tournament.decide.links import via_entry, via_request
from services.registration.tournament.refusals import AlreadyOver
from shared.log.event import Actor
from shared.refusals import Fault, expects
from shared.roles import EVERY_TOURNAMENT, ORGANISER, PLAYER, Via
from shared.tournament.guards import entry_token, milliseconds
from shared.web.idempotency import key_of
from shared.web.tokens import Caller, Issuer, mint

DAY = 86_400


class IssuedToken(Struct, frozen=True):
    """A token and its id, which a revocation names."""

    text: str
    id: str


class TokenIssuer:
    """Every token ends so many days after it was handed out, and all but an organiser's so many after the event.

    link: where a player's link leads, without its token.
    """

    def __init__(self, issuer: Issuer, link: str, *, days: int, after_end: int) -> None:
        self._issuer = issuer
        self._link = link
        self._seconds = days * DAY
        self._after_end = after_end

    def tournament_id(self, command_id: str, caller: Caller) -> str:
        """The id of a tournament that a command announces; the same for the same caller and Idempotency-Key."""
        key = key_of(command_id)
        text = command_id if key is None else f"{caller.tournament} {caller.actor} {key}"
        return f"t-{sha256(text.encode()).hexdigest()[:12]}"

    def organiser(self, tournament: str, time: str) -> IssuedToken:
        """For whoever announced the tournament. time: of the announcement."""
        id = f"{tournament}.organiser"
        return self._ticket(tournament, "organiser", ORGANISER, id, time)

    def staff(self, tournament: str, staff: str, role: str, venue: str, time: str) -> IssuedToken:
        """For a member of staff. time: of the appointment."""
        return self._ticket(tournament, staff, role, entry_token(tournament, staff, time), time, venue=venue or None)

    def entered(self, tournament: str, player: str, time: str, by: Actor) -> IssuedToken:
        """For a player who entered: no account is needed to report one's own game. time, by: of the entry."""
        return self._player(tournament, player, entry_token(tournament, player, time), time, via_entry(by))

    def issued(self, tournament: str, player: str, id: str, time: str, by: Actor) -> IssuedToken:
        """For a player, on request of staff. id: of the token; time, by: of the request."""
        return self._player(tournament, player, id, time, via_request(by))

    def everywhere(self, organiser: str, id: str, days: int, time: str) -> IssuedToken:
        """For an organiser, for all tournaments. time: when an operator issued it."""
        issued = milliseconds(time) // 1000
        token = mint(
            self._issuer,
            actor=organiser,
            role=ORGANISER,
            tournament=EVERY_TOURNAMENT,
            jti=id,
            iat=issued,
            exp=issued + days * DAY,
        )
        return IssuedToken(token, id)

    def need_future(self, ends_on: date, now: str) -> None:
        """Raise AlreadyOver where tokens that end with an event would have ended by now. now: as events have it."""
        earliest = date.fromisoformat(now[:10]) - timedelta(days=self._after_end)
        if ends_on < earliest:
            raise AlreadyOver(
                f"Tokens of its players and staff end {self._after_end} days after the last day, so they would not"
                " work at all.",
                [Fault("/ends_on", ends_on.isoformat(), expects("day-or-later", day=earliest.isoformat()))],
            )

    def _player(self, tournament: str, player: str, id: str, time: str, via: Via | None) -> IssuedToken:
        return self._ticket(tournament, player, PLAYER, id, time, player=player, via=via)

    def _ticket(
        self,
        tournament: str,
        actor: str,
        role: str,
        id: str,
        time: str,
        *,
        player: str | None = None,
        venue: str | None = None,
        via: Via | None = None,
    ) -> IssuedToken:
        issued = milliseconds(time) // 1000
        token = mint(
            self._issuer,
            actor=actor,
            role=role,
            tournament=tournament,
            jti=id,
            iat=issued,
            exp=issued + self._seconds,
            player=player,
            venue=venue,
            via=via,
            after_end=None if role == ORGANISER else self._after_end,
        )
        return IssuedToken(token, id)

    def link(self, tournament: str, ticket: IssuedToken) -> str:
        """The address that a player opens, or scans as a QR code."""
        return f"{self._link}/tournaments/{tournament}/me?token={ticket.text}"
