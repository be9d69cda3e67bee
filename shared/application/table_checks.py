"""Checks of tables that a service keeps in addition to its logs, for fsck and rebuild."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct

from shared.eventlog.database import Connection

Damage = tuple[str, str]
"""Where in a table, and what is wrong there."""


class TableCheck(Struct, frozen=True):
    """Finds damage of a table. repair: makes the table again from the logs; None: no log holds what was there."""

    table: str
    find: Callable[[Connection], Sequence[Damage]]
    repair: Callable[[Connection], None] | None = None
