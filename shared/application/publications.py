"""Private rows that are published at a time set: the worker looks for those that are due."""

from __future__ import annotations

from collections.abc import Callable

from shared.application.commands import CommandEnvelope
from shared.application.service import Service
from shared.logs import RationedLogger
from shared.refusals import Refusal
from shared.shapes import Command
from shared.tournament.context import by_rule
from shared.tournament.state import Tournament

AT_ONCE = 100
"""Publications of one look; the next look finds the others."""

_log = RationedLogger("muster.handling")


def publish_due(service: Service, command_for: Callable[[Tournament, str], Command | None]) -> int:
    """Publish the private rows whose time has come by the service's clock. Return how many were published.

    command_for: the command that publishes the row of a kind in a state; None for a row that is superseded, which is
    then looked at no more. Called by the worker every second or two. A refused publication (the round before was
    opened again) is tried again.
    """
    now, published, rows = service.clock(), 0, service.repository.private
    with service.database.reading() as connection:
        due = rows.due(connection, now, AT_ONCE)
    for tournament, kind, id in due:
        with service.repository.now(tournament) as loaded:
            command, row = command_for(loaded.state, kind), loaded.state.private.row(kind, id)
        if command is None or row is None:
            with service.database.writing() as connection:
                rows.forget_time(connection, tournament, kind, id)
            continue
        key = f"{kind}-{row.revision}"
        envelope = CommandEnvelope(tournament, command, by_rule(""), command_id=f"{key}~muster", key=key)
        try:
            published += bool(service.handler.run(envelope).events)
        except Refusal as refusal:
            _log.warning(
                "a draft is due to be published", tournament=tournament, due=row.due_at, refused=refusal.detail
            )
    return published
