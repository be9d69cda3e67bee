"""SQL on a connection: the same statements, with named parameters, on both engines."""

from __future__ import annotations

import time

import pytest

from tests.eventlog.stories import add

PEOPLE = [
    {"name": "relay", "holder": "a", "beat": 30},
    {"name": "relay", "holder": "b", "beat": 10},
    {"name": "sweep", "holder": "a", "beat": 20},
    {"name": "take%", "holder": "ä", "beat": 20},
]
INSERT = """INSERT INTO parts (name, holder, beat, deaths, due, trouble)
    VALUES (:name, :holder, :beat, 0, 0, '') ON CONFLICT DO NOTHING"""


@pytest.fixture
def parts(database):
    with database.writing() as connection:
        assert connection.run_many(INSERT, PEOPLE) == 4
    return database


@pytest.mark.parametrize(
    ("condition", "values", "found"),
    [
        ("name = :name", {"name": "relay"}, ["relay a", "relay b"]),
        ("name = :name", {"name": "it's"}, []),
        ("beat > :low AND beat <= :high", {"low": 10, "high": 20}, ["sweep a", "take% ä"]),
        (
            "name IN (:names) AND holder IN (:holders)",
            {"names": ["sweep", "relay"], "holders": ["a"]},
            ["relay a", "sweep a"],
        ),
        ("name IN (:names)", {"names": []}, []),
        ("name LIKE '%e%%' AND holder > :holder", {"holder": "z"}, ["take% ä"]),
        ("holder < :name AND name < :name", {"name": "b"}, []),
    ],
)
def test_rows_are_found_by_a_condition_with_named_values(parts, condition, values, found):
    with parts.reading() as connection:
        rows = connection.rows(f"SELECT name, holder FROM parts WHERE {condition} ORDER BY name, holder", **values)
        assert [" ".join(row) for row in rows] == found
        assert connection.value(f"SELECT count(*) FROM parts WHERE {condition}", **values) == len(found)
        one = connection.one(f"SELECT name FROM parts WHERE {condition} ORDER BY name LIMIT 1", **values)
        assert one == ((found[0].split()[0],) if found else None)


def test_run_says_how_many_rows_it_wrote(parts):
    with parts.writing() as connection:
        assert connection.run_many(INSERT, [*PEOPLE[:1], {"name": "new", "holder": "a", "beat": 5}]) == 1
        assert connection.run_many(INSERT, []) == 0
        assert connection.run("UPDATE parts SET beat = beat + :more WHERE name = :name", more=5, name="relay") == 2
        assert connection.run("DELETE FROM parts WHERE name IN (:names)", names=["new", "sweep"]) == 2
        assert connection.shred("DELETE FROM parts WHERE name = :name", name="take%") == 1
        assert connection.rows("SELECT beat FROM parts ORDER BY beat") == [(15,), (35,)]


def test_rows_and_tables_are_locked_within_a_transaction(parts):
    with parts.writing() as connection:
        connection.lock_table("parts")
        assert connection.locked("SELECT beat FROM parts WHERE name = :name", name="sweep") == [(20,)]


def test_the_clock_is_the_engines_own(database):
    with database.writing() as connection:
        connection.run(f"UPDATE relay SET expires = {connection.now} + :later WHERE name = 'relay'", later=5_000)
        expires = connection.value("SELECT expires FROM relay WHERE name = 'relay'")
        assert abs(expires - time.time() * 1000 - 5_000) < 60_000
        question = f"SELECT count(*) FROM relay WHERE name = 'relay' AND expires > {connection.now} + :later"
        assert [connection.value(question, later=later) for later in (0, 120_000)] == [1, 0]


def test_bytes_are_counted_and_not_letters(database):
    add(database, "cup", "ä")
    with database.reading() as connection:
        data, octets = connection.one(f"SELECT data, {connection.octets('data')} FROM events")
    assert octets == len(data.encode()) == len(data) + 1
