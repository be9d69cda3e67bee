"""What callers have spent of their allowance, added up over all processes of a service.

Nothing of it is needed after its window: on PostgreSQL the table is not logged, and a restart may forget it.
"""

from __future__ import annotations

from hashlib import sha256

from shared.eventlog.database import Database
from shared.eventlog.tables import ALLOWANCES

DIGITS = 32
"""Of the digest that stands for a caller: neither names nor addresses are kept."""


class Allowances:
    """The allowances table of one database."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._latest = 0

    def add(self, caller: str, number: int, spent: int) -> int:
        """Add requests of a caller in a window, and return how many all processes have added; its number counts up.

        Windows that are over are forgotten. Raises the database's errors.
        """
        me = {"caller": sha256(caller.encode()).hexdigest()[:DIGITS]}
        anew = {"number": number, "spent": spent}
        # A process whose clock is a little behind adds to the window that the others are in. One that is far ahead has
        # had a clock that was wrong; nobody is held to what it said.
        now = {**me, "number >=": number, "number <=": number + 1}
        over = ({"number <": number}, {"number >": number + 1})
        with self._database.writing() as connection:
            if number != self._latest:
                self._latest = number
                for window in ({"number <": number - 1}, {"number >": number + 1}):
                    connection.remove(ALLOWANCES, window)
            while not connection.change(ALLOWANCES, now, {"spent +": spent}):
                if any(connection.change(ALLOWANCES, {**me, **window}, anew) for window in over):
                    break
                if connection.add(ALLOWANCES, [{**me, **anew}]):
                    break
            return int(connection.find(ALLOWANCES, me, columns=("spent",))[0][0])
