"""Private rows: what a service keeps of a tournament next to its log, because it is not public, or not yet.

Folding never changes them and no other service copies them. A command writes rows in the transaction of its events.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct


class PrivateRow(Struct, frozen=True):
    """One row. kind, id: its key in the tournament. body: its content; None: the row is removed.

    due_at: when the service has to act on it, RFC 3339, UTC, milliseconds; empty: never. answer: members of the answer
    to the command that wrote it. revision: of the rows of the tournament when it was written last; 0 before.
    """

    kind: str
    id: str
    body: Struct | None
    due_at: str = ""
    answer: Mapping[str, Any] = {}
    revision: int = 0


class Private(Struct, frozen=True):
    """The private rows of a tournament. revision: rises with each command that writes rows. rows: kind -> id -> row."""

    revision: int = 0
    rows: Mapping[str, Mapping[str, PrivateRow]] = {}

    def bodies(self, kind: str) -> dict[str, Any]:
        """Return the content of all rows of a kind by their ids, in the order in which they were first written."""
        return {id: row.body for id, row in self.rows.get(kind, {}).items()}

    def row(self, kind: str, id: str) -> PrivateRow | None:
        """Return a row; None if there is no such row."""
        return self.rows.get(kind, {}).get(id)

    def body(self, kind: str, id: str) -> Struct | None:
        """Return the content of a row; None if there is no such row."""
        row = self.row(kind, id)
        return row.body if row else None

    def revision_of(self, kind: str, id: str) -> int:
        """Return the revision in which a row was written last; 0 if there is no such row."""
        row = self.row(kind, id)
        return row.revision if row else 0

    def written(self, revision: int, rows: Sequence[PrivateRow]) -> Private:
        """Return the rows after these were written; rows without a revision get that of the whole."""
        kinds = {kind: dict(known) for kind, known in self.rows.items()}
        for row in rows:
            known = kinds.setdefault(row.kind, {})
            if row.body is None:
                known.pop(row.id, None)
            else:
                known[row.id] = PrivateRow(row.kind, row.id, row.body, row.due_at, {}, row.revision or revision)
        return Private(revision, kinds)
