"""For whom a tournament is there, whose token is good in it, and which events it reads; one rule for every service.

A private tournament is there for those who have a token for it, and for nobody else: to them it is as unknown as one
that nobody announced. A token for all tournaments is one for each of them, except an organiser's: that counts in the
tournaments that the organiser announced. In a public one of others they are a guest. An integration's token may be for
some events alone: of some types, or about one venue.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from datetime import UTC, date, datetime, timedelta
from typing import Any

from shared.clock import utc_now
from shared.coop.seating import of_session
from shared.formats.fold import current_data
from shared.log.event import Recorded
from shared.roles import EVERY_TOURNAMENT, INTEGRATION, OPERATOR, ORGANISER, SERVICE
from shared.service.state import Repository
from shared.tournament.guards import UnknownTournament, can_see_drafts, game_venues, player_venues
from shared.tournament.registration import INSTALLATION
from shared.tournament.state import Tournament
from shared.web.refusals import NotYourTournament, TokenExpired, TokenRevoked
from shared.web.tokens import Caller

Wanted = Callable[[Recorded], bool]
_PLACED: dict[str, Callable[[Tournament, str], list[str]]] = {
    "venue": lambda state, venue: [venue],
    "player": player_venues,
    "players": player_venues,
    "game": game_venues,
    "session": of_session,
}
"""Member of an event's data -> the venues that its values are about."""


def is_visible(tournament: str, state: Tournament, who: Caller | None) -> bool:
    """Whether there is such a tournament for the caller; who: None without a token."""
    if tournament == INSTALLATION:
        return who is not None and who.tournament == EVERY_TOURNAMENT and who.role in (OPERATOR, SERVICE)
    if state.entries.visibility == "private":
        return is_token_valid_in(tournament, state, who)
    return bool(state.entries.status)


def can_caller_see_drafts(tournament: str, state: Tournament, who: Caller | None) -> bool:
    """Whether a caller is shown drafts of a tournament. A token of another tournament counts for nothing here."""
    return who is not None and is_token_valid_in(tournament, state, who) and can_see_drafts(who.role)


def is_token_valid_in(tournament: str, state: Tournament, who: Caller | None) -> bool:
    """Return True if the caller's token counts in a tournament; who: None without a token."""
    if who is None or who.tournament == tournament:
        return who is not None
    return who.tournament == EVERY_TOURNAMENT and not is_foreign_organiser(state.entries.organiser, who)


def is_foreign_organiser(organiser: str, who: Caller) -> bool:
    """Return True for an organiser with a token for all tournaments where another organiser announced this one.

    organiser: who announced it; empty for what is no tournament.
    """
    return who.role == ORGANISER and who.tournament == EVERY_TOURNAMENT and who.actor != organiser


def require_own_tournament(state: Tournament, who: Caller | None) -> None:
    """Raise NotYourTournament for an organiser who may do nothing here beyond what everybody may."""
    if who is not None and is_foreign_organiser(state.entries.organiser, who):
        raise NotYourTournament(
            f"{who.actor} did not announce this, and the token leads only what {who.actor} announced."
        )


def require_access(tournament: str, state: Tournament, who: Caller | None) -> None:
    """Let in whoever the tournament is there for.

    Raises UnknownTournament where there is none for the caller, TokenRevoked where their token was taken back,
    TokenExpired where the event has been over for longer than the token is good.
    """
    if not is_visible(tournament, state, who):
        raise unknown_tournament()
    if who is not None:
        require_valid_token(tournament, state, who)


def require_valid_token(tournament: str, state: Tournament, who: Caller) -> None:
    """Raises TokenRevoked for a token that the tournament took back: one of its own, for it has no say over those of
    another or of all; TokenExpired for one that is good until so many days behind the end of this event.

    An event ends on the last day that its organiser named, or on which it was concluded; until there is such a day, it
    does not end.
    """
    if who.tournament != tournament:
        return
    member = state.entries.staff.get(who.actor)
    if who.jti in state.entries.revoked or (member is not None and not member.active):
        raise TokenRevoked("The staff of the tournament have revoked the token.")
    last = max(state.entries.ends_on, state.results.concluded_on)
    if who.after_end is None or not last:
        return
    good_until = date.fromisoformat(last) + timedelta(days=who.after_end + 1)
    if utc_now() >= good_until.isoformat():
        moment = datetime.combine(good_until, datetime.min.time(), UTC)
        days = f"{who.after_end} days" if who.after_end != 1 else "a day"
        raise TokenExpired(
            f"The event ended on {last}; the token was valid for {days} more.", expired_at=int(moment.timestamp())
        )


def unknown_tournament() -> UnknownTournament:
    """What everybody is told for whom a tournament is not there."""
    return UnknownTournament("There is no tournament with this id.")


def event_filter_for(who: Caller | None, repository: Repository) -> Wanted | None:
    """Which events a caller reads; None for all. As `event_filter`."""
    return None if who is None else event_filter(who.types, venue_limit(who), repository)


def venue_limit(who: Caller | None) -> str:
    """Return the venue that an integration's token is limited to; empty for none."""
    return who.venue or "" if who is not None and who.role == INTEGRATION else ""


def event_filter(of_types: Collection[str], venue: str, repository: Repository) -> Wanted | None:
    """Events of some types, empty for all, or of one venue, empty for all; None where it is all of them.

    An event of a venue is about a game, a table or a player there; one that is about no venue is everybody's.
    """
    types = frozenset(of_types)
    if not venue and not types:
        return None

    def is_wanted(event: Recorded) -> bool:
        if types and event.type not in types:
            return False
        if not venue:
            return True
        with repository.now(event.tournament) as loaded:
            about = set(filter(None, _venues(loaded.state, current_data(event))))
        return not about or venue in about

    return is_wanted


def _venues(state: Tournament, data: Any) -> Iterator[str]:
    if isinstance(data, list):
        for each in data:
            yield from _venues(state, each)
    if not isinstance(data, dict):
        return
    for name, value in data.items():
        if place := _PLACED.get(name):
            for one in value if isinstance(value, list) else [value]:
                if isinstance(one, str):
                    yield from place(state, one)
        yield from _venues(state, value)
