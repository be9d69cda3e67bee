"""Which events hold a draft, from whom they are hidden, and what opens them; one rule for logs, feeds and messages.

A draft is hidden at its own place, for good, and follows the event that opens it. So what a place holds for a reader
does not depend on when they read it. The log of one tournament alone shows what is open at its own place, so that
somebody who has all of it can decide it again.
"""

from __future__ import annotations

from collections.abc import Callable

from shared.application.visibility import counts_in
from shared.eventlog.database import Connection
from shared.eventlog.read import events_between, last_before
from shared.events.recorded import Recorded
from shared.formats.fold import data_of
from shared.tournament.publication import TOPICS, Topic, sees_drafts
from shared.tournament.state import Tournament
from shared.web.tokens import Caller

_MAY_BE = {(topic.source, type): topic for topic in TOPICS.values() for type in topic.hidden}
_OPENERS = {(topic.source, topic.opener): topic for topic in TOPICS.values()}


def draft_of(event: Recorded) -> Topic | None:
    """What an event holds a draft of; None where it holds none."""
    topic = _MAY_BE.get((event.source, event.type))
    return topic if topic is not None and data_of(event).get("draft") is True else None


def is_draft(event: Recorded) -> bool:
    """Whether an event holds a draft, which is hidden at first."""
    return draft_of(event) is not None


def is_shown_drafts(tournament: str, state: Tournament, who: Caller | None) -> bool:
    """Whether a caller is shown drafts of a tournament. A token of another tournament counts for nothing here."""
    return who is not None and counts_in(tournament, state, who) and sees_drafts(who.role)


def not_open_yet(state: Tournament) -> Callable[[Recorded], bool]:
    """Says of an event of the tournament's logs whether it holds a draft that nothing has opened by this state."""
    opened = {topic.opener: topic.opened(state) for topic in TOPICS.values()}

    def is_hidden(event: Recorded) -> bool:
        topic = draft_of(event)
        return topic is not None and event.position > opened[topic.opener]

    return is_hidden


def opened_by(connection: Connection, event: Recorded) -> list[Recorded]:
    """The drafts that an event opens: those before it and behind the last one that opened some; none for most."""
    topic = _OPENERS.get((event.source, event.type))
    if topic is None:
        return []
    log = (event.source, event.tournament)
    after = last_before(connection, *log, topic.opener, event.position)
    between = events_between(connection, *log, topic.hidden, after, event.position)
    return [one for one in between if draft_of(one) is topic]
