"""fsck: everything that a service holds, checked for damage, with the repair that each finding needs.

It changes nothing. The repairs are those that there are anyway: a recovery for the own log and its feed, a recopy for a
copy, a rebuild for what is made from logs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated

from shared.application.rebuild import ReadModel, rebuild
from shared.application.scrub import Scrub
from shared.application.service import Service
from shared.eventlog.outbox import feed_fault
from shared.events.recorded import event_id
from shared.shapes import View

RECOVER, RECOPY, REBUILD, LOOK = "recover", "recopy", "rebuild", "look"


class Finding(View, frozen=True, kw_only=True):
    """One thing that is damaged, and what repairs it."""

    what: Annotated[str, "log, copy, feed, owner, memory, snapshot, or the name of a read model."]
    source: Annotated[str, "The service whose log it belongs to."]
    tournament: Annotated[str, "Empty for the feed."]
    where: Annotated[str, "The id of the event, the feed position, or a JSON pointer."]
    reason: str
    remedy: Annotated[str, "recover, recopy or rebuild; look: no command repairs it."]


class Checked(View, frozen=True, kw_only=True):
    """What was checked, and everything that is damaged."""

    tournaments: int
    events: int
    findings: list[Finding]


def check(service: Service, read_models: Sequence[ReadModel]) -> Checked:
    """Check logs, copies, heads, feed, outbox, snapshots and read models. Damaged events are noted for /readyz."""
    found = [*_logs(service), *_strays(service), *_feed(service), *_owner(service)]
    rebuilt = rebuild(service, read_models, dry_run=True)
    named = {one.where for one in found}
    own = service.sources[0]
    unrepaired = {"log", *(one.table for one in service.table_checks if one.repair is None)}
    for one in rebuilt.differences:
        if one.what == "log" and one.where in named:
            continue
        reason = f"{one.found}, expected {one.expected}"
        remedy = LOOK if one.what in unrepaired else REBUILD
        found.append(
            Finding(what=one.what, source=own, tournament=one.tournament, where=one.where, reason=reason, remedy=remedy)
        )
    with service.database.reading() as connection:
        events = connection.value("SELECT count(*) FROM events")
    return Checked(tournaments=rebuilt.tournaments, events=events, findings=found)


def _event(service: Service, source: str, tournament: str, position: int, reason: str) -> Finding:
    """A finding about an event. A source that there is not is a rotten name in a row of any log."""
    is_copy = source in service.sources[1:]
    return Finding(
        what="copy" if is_copy else "log",
        source=source,
        tournament=tournament,
        where=event_id(source, tournament, position),
        reason=reason,
        remedy=RECOPY if is_copy else RECOVER,
    )


def _logs(service: Service) -> Iterator[Finding]:
    for broken in Scrub(service.database).whole_round():
        event = broken.event
        yield _event(service, event.source, event.tournament, event.position, broken.reason)


def _strays(service: Service) -> Iterator[Finding]:
    """Events that no log leads to: they stand behind its head, or their log has none."""
    with service.database.reading() as connection:
        rows = connection.rows("SELECT source, tournament, position FROM events")
        # Read after the events, so that no head is too low.
        heads = {log[:2]: log[2] for log in connection.rows("SELECT source, tournament, position FROM heads")}
    for source, tournament, position in sorted(rows):
        if position > heads.get((source, tournament), 0):
            yield _event(service, source, tournament, position, "the head of no log leads to it")


def _feed(service: Service) -> Iterator[Finding]:
    own = service.sources[0]
    with service.database.writing() as connection:
        fault = feed_fault(connection, own)
    if fault is not None:
        yield Finding(
            what="feed",
            source=own,
            tournament="",
            where=str(fault.feed),
            reason=fault.reason,
            remedy=RECOVER if fault.feed else LOOK,
        )


def _owner(service: Service) -> Iterator[Finding]:
    """The row by which the triggers know the own log."""
    own = service.sources[0]
    with service.database.reading() as connection:
        rows = connection.rows("SELECT source FROM owner")
    if rows != [(own,)]:
        named = ", ".join(str(row[0]) for row in rows) or "nothing"
        yield Finding(what="owner", source=own, tournament="", where="owner", reason=f"it says {named}", remedy=LOOK)
