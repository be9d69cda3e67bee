"""Drafts that are published at a time set: a line for each tournament that waits for one, and who looks at them.

The line only says where to look: whether a publication is due follows from the log.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from shared.application.deciding import CommandEnvelope, Projection
from shared.application.rebuild import ReadModel
from shared.application.service import Service
from shared.eventlog.database import Connection
from shared.events.base import Event
from shared.events.recorded import Recorded, event_id
from shared.formats.fold import read_event
from shared.logs import RationedLogger
from shared.refusals import Refusal
from shared.shapes import Command
from shared.tournament.context import by_rule
from shared.tournament.state import Tournament

_INSERT = """INSERT INTO publications (tournament, round, due_at, position)
    VALUES (:tournament, :round, :due_at, :position)"""
_PUT = f"""{_INSERT} ON CONFLICT (tournament) DO UPDATE SET
    round = excluded.round, due_at = excluded.due_at, position = excluded.position"""
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


class Waiting(NamedTuple):
    """A draft for which a time is set, as a line has it.

    round: of the draft; 0 for one of the cut. position: of the event in the service's own log that set the time.
    """

    round: int
    due_at: str
    position: int


class Publications:
    """The drafts of one service that are published at a time set.

    source: of the service. times: event that sets a time (an empty `at` takes it back) -> the round of its draft.
    over: types of the other events after which nothing waits. waiting: what waits, by a folded state. command: what
    publishes the draft of a round.
    """

    def __init__(
        self,
        source: str,
        times: Mapping[type[Event], Callable[[Any], int]],
        over: frozenset[str],
        waiting: Callable[[Tournament], Waiting | None],
        command: Callable[[int], Command],
    ) -> None:
        self._source, self._times, self._waiting, self._command = source, times, waiting, command
        self.projection = Projection(frozenset({kind.__name__ for kind in times}) | over, self._write)
        self.read_model = ReadModel("publications", every_line, self.line_of, rewrite, source=source)

    def line_of(self, tournament: str, state: Tournament) -> dict[str, Any] | None:
        """A tournament's line as its folded state says it; None where nothing waits for a time."""
        waiting = self._waiting(state)
        return {"tournament": tournament, **waiting._asdict()} if waiting and waiting.due_at else None

    def publish_due(self, service: Service) -> int:
        """Publish what is due by the service's clock; returns how many drafts.

        Called by the worker every second or two. One that is refused (the round before was opened again) is tried
        again.
        """
        now, published = service.clock(), 0
        with service.database.reading() as connection:
            due = connection.rows(
                """SELECT tournament, round, due_at, position FROM publications
                    WHERE due_at <= :now ORDER BY due_at, tournament LIMIT :limit""",
                now=now,
                limit=AT_ONCE,
            )
        for tournament, round, at, position in due:
            key = f"publication-{position}"
            command = CommandEnvelope(
                tournament,
                self._command(round),
                by_rule("", event_id(self._source, tournament, position)),
                command_id=f"{key}~muster",
                key=key,
            )
            try:
                published += bool(service.handler.run(command).events)
            except Refusal as refusal:
                _log.warning("a draft is due to be published", tournament=tournament, due=at, refused=refusal.detail)
        return published

    def _write(self, connection: Connection, recorded: Sequence[Recorded]) -> None:
        for event in recorded:
            said: Any = read_event(event.type, event.version, event.data)
            round_of = self._times.get(type(said))
            if round_of is not None and said.at:
                line = Waiting(round_of(said), said.at, event.position)
                connection.run(_PUT, tournament=event.tournament, **line._asdict())
            else:
                connection.run("DELETE FROM publications WHERE tournament = :id", id=event.tournament)


def every_line(connection: Connection) -> dict[str, dict[str, Any]]:
    """Tournament -> its line, for comparing with what the log says."""
    rows = connection.rows("SELECT tournament, round, due_at, position FROM publications ORDER BY tournament")
    return {tournament: {"tournament": tournament, **Waiting(*waiting)._asdict()} for tournament, *waiting in rows}


def rewrite(connection: Connection, lines: Sequence[Mapping[str, Any]]) -> None:
    """Put these lines in place of all there were, inside the caller's transaction."""
    connection.run("DELETE FROM publications")
    connection.run_many(_INSERT, lines)
