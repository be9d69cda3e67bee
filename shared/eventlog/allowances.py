"""What callers have spent of their allowance, added up over all processes of a service.

Nothing of it is needed after its window: on PostgreSQL the table is not logged, and a restart may forget it.
"""

from __future__ import annotations

from hashlib import sha256

from shared.eventlog.database import Database

_ADD = """INSERT INTO allowances (caller, number, spent) VALUES (:caller, :number, :spent)
    ON CONFLICT (caller) DO UPDATE SET
        spent = :spent + CASE WHEN allowances.number IN (:number, :next) THEN allowances.spent ELSE 0 END,
        number = CASE WHEN allowances.number = :next THEN :next ELSE :number END
    RETURNING spent"""
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
        digest = sha256(caller.encode()).hexdigest()[:DIGITS]
        with self._database.writing() as connection:
            if number != self._latest:
                self._latest = number
                over = "DELETE FROM allowances WHERE number < :before OR number > :next"
                connection.run(over, before=number - 1, next=number + 1)
            # A process whose clock is a little behind adds to the window that the others are in. One that is far ahead
            # has had a clock that was wrong; nobody is held to what it said.
            total: int = connection.value(_ADD, caller=digest, number=number, next=number + 1, spent=spent)
        return total
