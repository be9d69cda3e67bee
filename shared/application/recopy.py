"""Recopy: the copy of one log made anew from its owner, with everything that this service had made from the old one."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from shared.application.rebuild import ReadModel, rebuild
from shared.application.refusals import Busy, OwnerAway
from shared.application.service import Service
from shared.eventlog.cursors import take_back_cursor
from shared.eventlog.read import whole_log
from shared.eventlog.recopy import Overtaken, Recopied, recopy
from shared.events.recorded import seen_of
from shared.logs import get_logger
from shared.messaging.errors import LogUnknown, OwnerUnavailable

LISTED = 100
"""Events that an answer names at most."""

_log = get_logger("muster.handling")


class CopiedAnew(Struct, frozen=True):
    """What a recopy did. decided: own events that were decided on what was replaced; they stay.

    refused: why the owner's log was not copied to its end; empty where it was.
    """

    recopied: Recopied
    decided: Sequence[str]
    refused: str


def copy_anew(
    service: Service, read_models: Sequence[ReadModel], source: str, tournament: str, *, actor: str, reason: str
) -> CopiedAnew:
    """Replace the copy of a log by what its owner vouches for now, on record, and make anew what was made from it.

    Raises OwnerAway where the owner does not answer with a log that it vouches for, and Busy.
    """
    upstream = service.upstream()
    inbox = service.inbox(upstream)
    try:
        events, refused = inbox.logs.whole(source, tournament)
    except LogUnknown:
        events, refused = [], None
    except OwnerUnavailable as error:
        raise OwnerAway(f"Nothing was replaced: {error}") from error
    try:
        done = recopy(service.database, source, tournament, events, actor=actor, reason=reason, time=service.clock())
    except Overtaken as error:
        raise Busy("The copy was written to at the same moment; nothing was replaced.", retry_after=1) from error
    _log.warning(
        "a copy was made anew",
        source=source,
        tournament=tournament,
        actor=actor,
        reason=reason,
        old=done.old.position,
        new=done.new.position,
        kept=done.kept,
    )
    service.repository.forget(tournament)
    try:
        inbox.backfill(source, tournament)  # what the owner has appended meanwhile, and what is refused of its log
    except OwnerUnavailable as error:
        _log.warning("the copy may miss its last events", source=source, tournament=tournament, error=str(error))
        with service.database.writing() as connection:
            take_back_cursor(connection, source)
    finally:
        upstream.close()
    rebuild(service, read_models, only=tournament)
    service.copied(tournament, source)
    decided = _decided_on(service, source, tournament, done.kept) if done.replaced else []
    return CopiedAnew(done, decided, refused.reason if refused else "")


def _decided_on(service: Service, source: str, tournament: str, kept: int) -> list[str]:
    """Ids of own events whose decision had read more of the other log than was kept."""
    own = service.sources[0]
    with service.database.reading() as connection:
        log = whole_log(connection, own, tournament)
    return [event.id for event in log if seen_of(event.seen).get(source, 0) > kept]
