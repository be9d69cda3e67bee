"""By whose right a webhook sees what it sees: the caller who subscribed or enabled it, looked at again and again.

A webhook sees what that caller would see who came with the same token now. Where the token has ended or was taken back,
or its bearer was dismissed, it sees nothing more.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import asdict
from types import MappingProxyType

import msgspec

from services.scoring.feed.views import TELLS_RESULTS
from services.scoring.feed.visible import Reader, reader_of
from services.scoring.season.index import gathered_by
from services.scoring.webhooks.forms import CHATS, RESULTS, TOLD_TO_CHATS
from shared.log.event import Recorded
from shared.service.gateway import by_of
from shared.service.state import Repository
from shared.service.visibility import is_there, need_good_token, venue_of, wanted, wanted_by
from shared.tournament.guards import lack_of_authority
from shared.tournament.registration import INSTALLATION
from shared.tournament.state import Tournament
from shared.tournament.webhooks import Webhook, WebhookFilter
from shared.web.refusals import TokenExpired, TokenRevoked
from shared.web.schema import convert
from shared.web.tokens import Caller

STAFF = "staff"

Wanted = Callable[[Recorded], bool]

TOLD: Mapping[str, frozenset[str]] = MappingProxyType(
    {RESULTS: TELLS_RESULTS, **dict.fromkeys(CHATS, frozenset(TOLD_TO_CHATS))}
)
"""Form -> the types of events that it is for; one that is not here is for all."""


def kept(who: Caller) -> str:
    """A caller as it is kept beside a webhook: who, in which role, by which token until when; no token."""
    return msgspec.json.encode(asdict(who)).decode()


def caller_of(text: str) -> Caller:
    """Return the caller that `kept` wrote."""
    return convert(msgspec.json.decode(text), Caller)


def need_authority(
    tournament: str,
    state: Tournament,
    who: Caller,
    roles: Collection[str],
    now: int,
    is_revoked: Callable[[Caller], bool],
) -> None:
    """Raises the refusal that a caller would meet who came with their token now.

    state: of the tournament in whose log the webhook stands. roles: that subscribe. now: Unix ms.
    """
    if now >= who.expires * 1000:
        raise TokenExpired("The token has expired.", expired_at=who.expires)
    if is_revoked(who):
        raise TokenRevoked("The token was revoked by whoever runs this installation.")
    if tournament == INSTALLATION:
        return
    if not is_there(tournament, state, who):
        raise TokenRevoked("The tournament is not there for the bearer of the token.")
    need_good_token(tournament, state, who)
    if lack := lack_of_authority(state.entries, by_of(who), roles):
        raise TokenRevoked(lack.detail)


def reader_for(tournament: str, webhook: Webhook, who: Caller) -> Reader:
    """Return the reader of the feed that a webhook is."""
    seen = reader_of(who, results=webhook.form == RESULTS)
    if webhook.audience == STAFF:
        if tournament == INSTALLATION:
            return seen
        return msgspec.structs.replace(seen, tournament=tournament, watches=False, organiser="")
    of = "" if tournament == INSTALLATION else tournament
    return Reader(tournament=of, types=seen.types, venue=seen.venue, results=seen.results)


def wanted_of(webhook: Webhook, who: Caller, repository: Repository) -> Wanted | None:
    """What a webhook is told of all that it sees; None for all of it."""
    filter, results = webhook.filter, webhook.form == RESULTS
    found = [wanted(who.types, "", repository) if results else wanted_by(who, repository)]
    told = TOLD.get(webhook.form)
    if told is not None:
        types = (told & set(filter.types)) if filter.types else told
        found.append(lambda event: event.type in types)
    found.append(wanted(() if told is not None else filter.types, "" if results else filter.venue, repository))
    if filter.season:
        found.append(_counted_by(filter, repository))
    conditions = [condition for condition in found if condition is not None]
    return (lambda event: all(holds(event) for holds in conditions)) if conditions else None


def venues_of(webhook: Webhook, who: Caller) -> tuple[str, ...]:
    """Return the venues that the games of a webhook of results are limited to."""
    return tuple(filter(None, (webhook.filter.venue, venue_of(who))))


def _counted_by(filter: WebhookFilter, repository: Repository) -> Wanted:
    with repository.now(filter.season) as loaded:
        counted = {filter.season, *gathered_by(loaded.state)}
    return lambda event: event.tournament in counted
