"""Validation of plain values: a valid value is cached, and similar values are not taken for it."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec import Struct

from shared.rules.checks import faults_of_shape


class Table(Struct):
    """A table of a hall."""

    number: int
    name: str = ""


class Hall(Struct):
    """Tables and further members."""

    tables: list[Table]
    open: bool = True


GOOD: dict[str, Any] = {"tables": [{"number": 1, "name": "window"}, {"number": 2}], "open": True}


@pytest.mark.parametrize(
    ("change", "where"),
    [
        (lambda hall: hall["tables"][0].update(number=True), "/tables/0/number"),
        (lambda hall: hall["tables"][0].update(number=1.0), "/tables/0/number"),
        (lambda hall: hall["tables"][0].update(number="1"), "/tables/0/number"),
        (lambda hall: hall["tables"][0].update(number=2**70, colour=1), "/tables/0/colour"),
        (lambda hall: hall["tables"][1].update(name="\ud800", colour=1), "/tables/1/colour"),
        (lambda hall: hall.update(open=1), "/open"),
        (lambda hall: hall.update(open=None), "/open"),
        (lambda hall: hall["tables"].append({}), "/tables/2/number"),
    ],
)
def test_the_cache_distinguishes_similar_values(change: Any, where: str) -> None:
    hall = {"tables": [dict(table) for table in GOOD["tables"]], "open": True}
    for _ in range(2):
        assert faults_of_shape(GOOD, Hall) == []
    change(hall)
    for _ in range(2):
        assert [fault.where for fault in faults_of_shape(hall, Hall)] == [where]


def test_the_cache_distinguishes_types() -> None:
    assert faults_of_shape(GOOD, Hall) == []
    assert [fault.where for fault in faults_of_shape(GOOD, Table)] == ["/tables", "/open", "/number"]


def test_values_are_validated_beyond_the_cache_size() -> None:
    for number in range(3000):
        assert faults_of_shape({"number": number}, Table) == []
    assert [fault.where for fault in faults_of_shape({"number": "x"}, Table)] == ["/number"]
