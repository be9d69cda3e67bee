"""The golden samples are complete: they contain every member that an event may have, and no others."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from msgspec import inspect as types

from shared.formats.fold import CATALOGUE
from shared.log.event import LARGEST_NUMBER, MAX_NESTING, NotCanonical, canonical_json
from tests.events.test_golden import OF_ALL

GOLDEN = Path(__file__).parent / "golden"


def samples(name: str) -> dict:
    return json.loads((GOLDEN / f"{name}.v{CATALOGUE[name].version}.json").read_text())


def unsaid(said: object, info: types.Type, where: str) -> list[str]:
    """Return members of a structure, at any depth, that are missing in the data."""
    match info:
        case types.StructType(fields=fields):
            return [
                place
                for field in fields
                if field.name not in OF_ALL or field.name in said
                for place in (
                    unsaid(said[field.name], field.type, f"{where}/{field.name}")
                    if isinstance(said, dict) and field.name in said
                    else [f"{where}/{field.name}"]
                )
            ]
        case types.ListType(item_type=item):
            assert isinstance(said, list)
            assert said, where
            return [place for one in said for place in unsaid(one, item, f"{where}/-")]
        case types.UnionType(types=members):
            return unsaid(said, next(member for member in members if not isinstance(member, types.NoneType)), where)
    return []


def test_a_full_sample_has_every_nested_member():
    for name, event in CATALOGUE.items():
        assert unsaid(samples(name)["full"], types.type_info(event.schema), name) == []


def test_a_minimal_sample_has_the_required_members_only():
    for name, event in CATALOGUE.items():
        required = {field.name for field in types.type_info(event.schema).fields if field.required}
        assert set(samples(name)["minimal"]) == required, name


@pytest.mark.parametrize(
    ("value", "where"),
    [
        ({"a": 1.5}, "/a"),
        ({"a": [{"b": LARGEST_NUMBER + 1}]}, "/a/0/b"),
        ({"a": {"größe": 1}}, "/a"),
        ({"a": ["\ud800"]}, "/a/0"),
        ({"a": {1: 2}}, "/a"),
    ],
)
def test_unsupported_types_are_reported_with_their_place(value, where):
    with pytest.raises(NotCanonical) as found:
        canonical_json(value)
    assert (found.value.where, bool(found.value.found)) == (where, True)


def test_recursive_lists_end():
    value: object = 1
    for _ in range(MAX_NESTING):
        value = [value]
    assert canonical_json(value).count("[") == MAX_NESTING
    with pytest.raises(NotCanonical):
        canonical_json([value])
