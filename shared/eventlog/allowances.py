"""What callers have spent of their allowance, added up over all processes of a service.

Nothing of it is needed after its window: on PostgreSQL the table is not logged, and a restart may forget it.
"""

from __future__ import annotations

from hashlib import sha256

from sqlalchemy import text

from shared.eventlog.database import Database

DIGITS = 32
"""Of the digest that stands for a caller: neither names nor addresses are kept."""

# A process whose clock is a little behind adds to the window that the others are in. One that is far ahead has had a
# clock that was wrong; nobody is held to what it said.
_ADD = text("""INSERT INTO allowances AS known (caller, number, spent) VALUES (:caller, :number, :spent)
    ON CONFLICT (caller) DO UPDATE SET
        spent = CASE WHEN known.number BETWEEN excluded.number AND excluded.number + 1 THEN known.spent ELSE 0 END
            + excluded.spent,
        number = CASE WHEN known.number = excluded.number + 1 THEN known.number ELSE excluded.number END
    RETURNING spent""")
_FORGET = text("DELETE FROM allowances WHERE number < :number - 1 OR number > :number + 1")


class Allowances:
    """The allowances table of one database."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._latest = 0

    def add(self, caller: str, number: int, spent: int) -> int:
        """Add requests of a caller in a window, and return how many all processes have added; its number counts up.

        Windows that are over are forgotten. Raises the database's errors.
        """
        row = {"caller": sha256(caller.encode()).hexdigest()[:DIGITS], "number": number, "spent": spent}
        with self._database.writing() as connection:
            if number != self._latest:
                self._latest = number
                connection.execute(_FORGET, {"number": number})
            return int(connection.execute(_ADD, row).scalar_one())
