"""The tables of private rows: read with a state, written with the events of a command, compared and set.

`private_heads` has the revision of each tournament, `private_rows` the rows, and `private_commands` the idempotency
keys and answers of the commands that wrote rows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from shared.eventlog.append import HeadMoved
from shared.eventlog.database import Connection
from shared.logs import get_logger
from shared.tournament.private import Private, PrivateRow
from shared.tournament.state import Tournament

_log = get_logger("muster.handling")
_BEGIN = "INSERT INTO private_heads (tournament, revision) VALUES (:tournament, 1) ON CONFLICT DO NOTHING"
_NEXT = "UPDATE private_heads SET revision = revision + 1 WHERE tournament = :tournament AND revision = :revision"
_PUT = """INSERT INTO private_rows (tournament, kind, id, revision, due_at, body)
    VALUES (:tournament, :kind, :id, :revision, :due_at, :body)
    ON CONFLICT (tournament, kind, id)
    DO UPDATE SET revision = excluded.revision, due_at = excluded.due_at, body = excluded.body"""
_NEWS = """SELECT kind, id, revision, due_at, body FROM private_rows
    WHERE tournament = :tournament AND revision > :revision ORDER BY revision, id"""
_DONE = """INSERT INTO private_commands (tournament, idempotency_key, command_id, answer)
    VALUES (:tournament, :key, :command_id, :answer) ON CONFLICT DO NOTHING"""
_DUE = """SELECT tournament, kind, id FROM private_rows
    WHERE due_at <> '' AND due_at <= :now ORDER BY due_at, tournament LIMIT :limit"""


def plain(state: Tournament) -> Tournament:
    """Return the state as it is: for a service without drafts."""
    return state


class PrivateRows(Struct, frozen=True):
    """The private rows of one service. kinds: kind of a row -> the type of its content.

    with_drafts: returns a state in which the drafts of its rows stand where they will once they are published.
    """

    kinds: Mapping[str, type[Struct]] = {}
    with_drafts: Callable[[Tournament], Tournament] = plain

    def read(self, connection: Connection, tournament: str, known: Private) -> Private:
        """Return the rows as they are in the database, `known` itself if nothing was written since."""
        if not self.kinds:
            return known
        sql = "SELECT revision FROM private_heads WHERE tournament = :tournament"
        revision = connection.value(sql, tournament=tournament) or 0
        if revision == known.revision:
            return known
        base = known if revision > known.revision else Private()  # an older database was restored
        rows = connection.rows(_NEWS, tournament=tournament, revision=base.revision)
        read = [PrivateRow(kind, id, self._body(kind, body), due, {}, at) for kind, id, at, due, body in rows]
        return base.written(max([revision, *(row.revision for row in read)]), read)

    def write(
        self,
        connection: Connection,
        tournament: str,
        known: Private,
        rows: Sequence[PrivateRow],
        command: tuple[str, str] | None = None,
    ) -> None:
        """Write rows after the revision `known`, inside the caller's transaction.

        command: idempotency key and id of the command; None without a key.
        Raises HeadMoved if another command wrote rows since, or if this one was done before.
        """
        values = {"tournament": tournament, "revision": known.revision}
        if not connection.run(_NEXT if known.revision else _BEGIN, **values):
            raise HeadMoved
        if command is not None:
            key, command_id = command
            answer = msgspec.json.encode(answer_of(rows)).decode()
            if not connection.run(_DONE, tournament=tournament, key=key, command_id=command_id, answer=answer):
                raise HeadMoved
        for row in rows:
            body = "" if row.body is None else msgspec.json.encode(row.body).decode()
            due = row.due_at if body else ""
            place = {"tournament": tournament, "kind": row.kind, "id": row.id}
            connection.run(_PUT, **place, revision=known.revision + 1, due_at=due, body=body)

    def earlier(
        self, connection: Connection, tournament: str, keys: Sequence[str]
    ) -> tuple[str, Mapping[str, Any]] | None:
        """Return id and answer of a command that wrote rows, with one of these idempotency keys; None if none did."""
        if not self.kinds:
            return None
        sql = """SELECT command_id, answer FROM private_commands
            WHERE tournament = :tournament AND idempotency_key IN (:keys)"""
        row = connection.one(sql, tournament=tournament, keys=list(keys))
        return (row[0], msgspec.json.decode(row[1])) if row else None

    def due(self, connection: Connection, now: str, limit: int) -> list[tuple[str, str, str]]:
        """Return tournament, kind and id of the rows on which the service has to act, the oldest first."""
        return [(tournament, kind, id) for tournament, kind, id in connection.rows(_DUE, now=now, limit=limit)]

    def forget_time(self, connection: Connection, tournament: str, kind: str, id: str) -> None:
        """Stop finding a row in `due`."""
        sql = "UPDATE private_rows SET due_at = '' WHERE tournament = :tournament AND kind = :kind AND id = :id"
        connection.run(sql, tournament=tournament, kind=kind, id=id)

    def _body(self, kind: str, body: str) -> Struct | None:
        """Return the content of a row; None if it is removed or damaged."""
        if not body:
            return None
        try:
            return msgspec.json.decode(body, type=self.kinds[kind])
        except (msgspec.MsgspecError, KeyError, UnicodeError) as error:
            _log.error("a private row is damaged", kind=kind, error=str(error))
            return None


def answer_of(rows: Sequence[PrivateRow]) -> dict[str, Any]:
    return {name: value for row in rows for name, value in row.answer.items()}
