"""Access to tournaments: who may see one, whether a token is valid in it, and which events it may read.

Only callers with a token for a private tournament can see it; for all others it does not exist. A token for all
tournaments is valid in each of them, except an organiser's token: it is valid in the tournaments that the organiser
announced. In other public tournaments the organiser is a guest. An integration's token may be limited to some event
types, or to one venue.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from datetime import UTC, date, datetime, timedelta
from typing import Any

from shared.clock import utc_now
from shared.coop.seating import venue_of_session
from shared.formats.fold import current_data
from shared.log.event import Recorded
from shared.roles import EVERY_TOURNAMENT, INTEGRATION, OPERATOR, ORGANISER, SERVICE
from shared.service.state import Repository
from shared.tournament.guards import UnknownTournament, can_see_drafts, game_venues, player_venues
from shared.tournament.registration import INSTALLATION
from shared.tournament.state import Tournament
from shared.web.refusals import NotYourTournament, TokenExpired, TokenRevoked
from shared.web.tokens import Caller

EventFilter = Callable[[Recorded], bool]
"""Returns True for the events that a caller may read."""
_VENUES_OF: dict[str, Callable[[Tournament, str], list[str]]] = {
    "venue": lambda state, venue: [venue],
    "player": player_venues,
    "players": player_venues,
    "game": game_venues,
    "session": venue_of_session,
}
"""Member of an event's data -> returns the venues that a value of it is about."""


def is_visible(tournament: str, state: Tournament, caller: Caller | None) -> bool:
    """Return True if the tournament exists and the caller may see it. caller: None without a token."""
    if tournament == INSTALLATION:
        return caller is not None and caller.tournament == EVERY_TOURNAMENT and caller.role in (OPERATOR, SERVICE)
    if state.entries.visibility == "private":
        return is_token_valid_in(tournament, state, caller)
    return bool(state.entries.status)


def can_caller_see_drafts(tournament: str, state: Tournament, caller: Caller | None) -> bool:
    """Return True if the caller may see drafts of a tournament. A token of another tournament does not count."""
    return caller is not None and is_token_valid_in(tournament, state, caller) and can_see_drafts(caller.role)


def is_token_valid_in(tournament: str, state: Tournament, caller: Caller | None) -> bool:
    """Return True if the caller's token is valid in a tournament. caller: None without a token."""
    if caller is None or caller.tournament == tournament:
        return caller is not None
    return caller.tournament == EVERY_TOURNAMENT and not is_foreign_organiser(state.entries.organiser, caller)


def is_foreign_organiser(organiser: str, caller: Caller) -> bool:
    """Return True for an organiser with a token for all tournaments, if another organiser announced this one.

    organiser: the actor who announced the tournament; empty for the log of the installation.
    """
    return caller.role == ORGANISER and caller.tournament == EVERY_TOURNAMENT and caller.actor != organiser


def require_own_tournament(state: Tournament, caller: Caller | None) -> None:
    """Raise NotYourTournament for an organiser who did not announce this tournament."""
    if caller is not None and is_foreign_organiser(state.entries.organiser, caller):
        raise NotYourTournament(
            f"{caller.actor} did not announce this, and the token leads only what {caller.actor} announced."
        )


def require_access(tournament: str, state: Tournament, caller: Caller | None) -> None:
    """Check that the caller may see a tournament, and that their token is valid.

    Raises UnknownTournament, TokenRevoked, and TokenExpired if the event ended too long ago for this token.
    """
    if not is_visible(tournament, state, caller):
        raise unknown_tournament()
    if caller is not None:
        require_valid_token(tournament, state, caller)


def require_valid_token(tournament: str, state: Tournament, caller: Caller) -> None:
    """Check a token against the log of its own tournament; other tokens are not checked.

    Raises TokenRevoked if the tournament revoked it, TokenExpired if its days after the end of the event are over. An
    event ends on its last day as announced, or on the day it was concluded, whichever is later.
    """
    if caller.tournament != tournament:
        return
    member = state.entries.staff.get(caller.actor)
    if caller.jti in state.entries.revoked or (member is not None and not member.active):
        raise TokenRevoked("The staff of the tournament have revoked the token.")
    last = max(state.entries.ends_on, state.results.concluded_on)
    if caller.after_end is None or not last:
        return
    good_until = date.fromisoformat(last) + timedelta(days=caller.after_end + 1)
    if utc_now() >= good_until.isoformat():
        moment = datetime.combine(good_until, datetime.min.time(), UTC)
        days = f"{caller.after_end} days" if caller.after_end != 1 else "a day"
        raise TokenExpired(
            f"The event ended on {last}; the token was valid for {days} more.", expired_at=int(moment.timestamp())
        )


def unknown_tournament() -> UnknownTournament:
    """Return the refusal for a tournament that does not exist or that the caller may not see."""
    return UnknownTournament("There is no tournament with this id.")


def event_filter_for(caller: Caller | None, repository: Repository) -> EventFilter | None:
    """Return the filter for the events that a caller may read, None for all. See `event_filter`."""
    return None if caller is None else event_filter(caller.types, venue_limit(caller), repository)


def venue_limit(caller: Caller | None) -> str:
    """Return the venue that an integration's token is limited to; empty for none."""
    return caller.venue or "" if caller is not None and caller.role == INTEGRATION else ""


def event_filter(of_types: Collection[str], venue: str, repository: Repository) -> EventFilter | None:
    """Return a filter for events of some types (empty: all) and one venue (empty: all), None for all events.

    An event belongs to a venue if it is about a game, a table or a player there. An event that is about no venue
    passes the filter.
    """
    types = frozenset(of_types)
    if not venue and not types:
        return None

    def matches(event: Recorded) -> bool:
        if types and event.type not in types:
            return False
        if not venue:
            return True
        with repository.now(event.tournament) as loaded:
            about = set(filter(None, _venues(loaded.state, current_data(event))))
        return not about or venue in about

    return matches


def _venues(state: Tournament, data: Any) -> Iterator[str]:
    """Yield the venues that an event's data are about."""
    if isinstance(data, list):
        for item in data:
            yield from _venues(state, item)
    if not isinstance(data, dict):
        return
    for name, value in data.items():
        if venues_of := _VENUES_OF.get(name):
            for id in value if isinstance(value, list) else [value]:
                if isinstance(id, str):
                    yield from venues_of(state, id)
        yield from _venues(state, value)
