"""Bit flips in a stored database, bypassing the service and its triggers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from sqlalchemy import inspect

from shared.log.database import Connection, Database

GUARDED = ("events", "owner", "recopies", "replaced")
"""Tables with triggers."""
Row = Mapping[str, Any]


@contextmanager
def unguarded(database: Database) -> Iterator[Connection]:
    """Yield a connection with all rights; the triggers are removed meanwhile."""
    with database.writing() as connection:
        if database.name == "postgresql":
            for table in GUARDED:
                connection.run(f"ALTER TABLE {table} DISABLE TRIGGER ALL")
            yield connection
            for table in GUARDED:
                connection.run(f"ALTER TABLE {table} ENABLE TRIGGER ALL")
            return
        triggers = connection.rows("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
        for name, _ in triggers:
            connection.run(f"DROP TRIGGER {name}")
        yield connection
        for _, sql in triggers:
            connection.run(sql)


def tables_of(database: Database) -> list[str]:
    """Return the tables that a service writes."""
    return sorted(set(inspect(database.engine).get_table_names()) - {"alembic_version"})


def rows_of(database: Database, table: str) -> list[Row]:
    """Return all rows of a table, by column."""
    with database.reading() as connection:
        columns = [column["name"] for column in inspect(database.engine).get_columns(table)]
        found = connection.rows(f"SELECT {', '.join(columns)} FROM {table}")
        return [dict(zip(columns, row, strict=True)) for row in found]


def turned(value: Any) -> Any:
    """Return a value with its last bit flipped: of a number, of a text's last digit, or of its last character."""
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, int):
        return value ^ 1
    if isinstance(value, bytes | memoryview):
        return bytes(value)[:-1] + bytes([bytes(value)[-1] ^ 1]) if value else value
    at = max((index for index, sign in enumerate(value) if sign.isdigit()), default=len(value) - 1)
    return value[:at] + chr(ord(value[at]) ^ 1) + value[at + 1 :] if value else value


def put(database: Database, table: str, row: Row, column: str, value: Any) -> None:
    """Write one value of a row. row: its current values."""
    keys = inspect(database.engine).get_pk_constraint(table)["constrained_columns"]
    where = " AND ".join(f"{key} = :key_{key}" for key in keys)
    values = {"value": value, **{f"key_{key}": row[key] for key in keys}}
    with unguarded(database) as connection:
        assert connection.run(f"UPDATE {table} SET {column} = :value WHERE {where}", **values) == 1, (table, column)


def saved(database: Database) -> dict[str, list[Row]]:
    """Return every row of every table."""
    return {table: rows_of(database, table) for table in tables_of(database)}


def put_back(database: Database, before: Mapping[str, list[Row]]) -> None:
    """Restore the rows of every table."""
    changed = [table for table, rows in before.items() if rows_of(database, table) != rows]
    with unguarded(database) as connection:
        for table in changed:
            connection.run(f"DELETE FROM {table}")
            if rows := before[table]:
                columns = list(rows[0])
                marks = ", ".join(f":{name}" for name in columns)
                connection.run_many(f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({marks})", rows)
