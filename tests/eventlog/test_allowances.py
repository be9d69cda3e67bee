"""Allowances: requests of callers, counted by several processes, on both engines."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from shared.service.app import Allowances


def test_processes_share_one_sum(database):
    one, two = Allowances(database), Allowances(database)
    assert [one.add("ann", 7, 3), two.add("ann", 7, 3), one.add("bea", 7, 1)] == [3, 6, 1]


def test_a_new_window_starts_at_zero_even_with_a_slow_clock(database):
    one, two = Allowances(database), Allowances(database)
    one.add("ann", 7, 100)
    assert one.add("ann", 8, 3) == 3
    assert two.add("ann", 7, 2) == 5


def test_a_clock_that_was_far_ahead_uses_up_no_allowance(database):
    one, two = Allowances(database), Allowances(database)
    one.add("ann", 1447, 6000)
    assert two.add("ann", 7, 3) == 3
    assert two.add("ann", 7, 3) == 6


def test_past_windows_are_deleted_and_callers_are_not_named(database):
    one = Allowances(database)
    for number in (7, 8, 9):
        one.add(f"r:10.0.0.{number}", number, number)
    with database.reading() as connection:
        rows = connection.rows("SELECT caller, number, spent FROM allowances ORDER BY spent")
    assert [row[1:] for row in rows] == [(8, 8), (9, 9)]  # the one before may be that of a late clock
    assert not any("10.0.0" in row[0] for row in rows)


def test_concurrent_increments_are_all_counted(database):
    processes = [Allowances(database) for _ in range(4)]
    with ThreadPoolExecutor(8) as pool:
        told = list(pool.map(lambda n: processes[n % 4].add("ann", 7, 1), range(200)))
    assert sorted(told) == list(range(1, 201))
