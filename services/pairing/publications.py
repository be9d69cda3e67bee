"""Drafts that are published at a time set: a line for each tournament that waits for one, and who looks at them.

The line only says where to look: whether a publication is due follows from the log.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from services.pairing.tournament.commands import PublishDueRound
from shared.application.deciding import CommandEnvelope, Projection
from shared.application.service import Service
from shared.eventlog.database import Connection, Table
from shared.events.recorded import Recorded, event_id
from shared.formats.catalogue import read_event
from shared.logs import RationedLogger
from shared.refusals import Refusal
from shared.tournament.context import by_rule
from shared.tournament.events.pairing import PublicationScheduled
from shared.tournament.state import Tournament

PUBLICATIONS = Table("publications", ("tournament", "round", "due_at", "position"), ("tournament",))
"""position: of the event in pairing's log that set the time."""
AT_ONCE = 100
"""Publications of one look; the next look finds the others."""

_log = RationedLogger("muster.handling")


def _write(connection: Connection, recorded: Sequence[Recorded]) -> None:
    for event in recorded:
        said = read_event(event.type, event.version, event.data)
        if isinstance(said, PublicationScheduled) and said.at:
            connection.put(PUBLICATIONS, _line(event.tournament, said.round, said.at, event.position))
        else:
            connection.remove(PUBLICATIONS, {"tournament": event.tournament})


PROJECTION = Projection(frozenset({"PublicationScheduled", "RoundPublished", "RoundWithdrawn"}), _write)


def every_line(connection: Connection) -> dict[str, dict[str, Any]]:
    """Tournament -> its line, for comparing with what the log says."""
    rows = connection.find(PUBLICATIONS, order=("tournament",))
    return {row[0]: dict(zip(PUBLICATIONS.columns, row, strict=True)) for row in rows}


def line_of(tournament: str, state: Tournament) -> dict[str, Any] | None:
    """A tournament's line as its folded state says it; None where nothing waits for a time."""
    latest = state.rounds.latest()
    if latest is None or not latest.publish_at:
        return None
    return _line(tournament, latest.number, latest.publish_at, latest.scheduled)


def rewrite(connection: Connection, lines: Sequence[Mapping[str, Any]]) -> None:
    """Put these lines in place of all there were, inside the caller's transaction."""
    connection.remove(PUBLICATIONS)
    connection.add(PUBLICATIONS, lines)


def publish_due(service: Service) -> int:
    """Publish what is due by the service's clock; returns how many rounds.

    Called by the worker every second or two. One that is refused (the round before was opened again) is tried again.
    """
    now, published = service.clock(), 0
    with service.database.reading() as connection:
        due = connection.find(PUBLICATIONS, {"due_at <=": now}, order=("due_at", "tournament"), limit=AT_ONCE)
    for tournament, round, at, position in due:
        cause = event_id("pairing", tournament, position)
        key = f"publication-{position}"
        command = CommandEnvelope(
            tournament,
            PublishDueRound(round=round),
            by_rule("", cause),
            command_id=f"{key}~muster",
            key=key,
        )
        try:
            published += bool(service.handler.run(command).events)
        except Refusal as refusal:
            _log.warning("a round is due to be published", tournament=tournament, due=at, refused=refusal.detail)
    return published


def _line(tournament: str, round: int, due_at: str, position: int) -> dict[str, Any]:
    return {"tournament": tournament, "round": round, "due_at": due_at, "position": position}
