"""Does a roster hold only what there is to choose from, at its price? What there is stands in a catalogue."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from typing import Any

from shared.formats.swiss.rules.roster_parts import CatalogueItem
from shared.refusals import Expected, Fault, as_said, expects


def faults_of_catalogue(items: Sequence[CatalogueItem], roster: Mapping[str, Any], clause: str) -> list[Fault]:
    """Entries that the catalogue does not have, at another price, or for another faction.

    Only lists that the catalogue speaks of are looked at, wherever they stand in the roster: a catalogue of perks
    says nothing of models. Without one, names and prices are taken as they are written.
    """
    known = {(item.in_list, item.name.lower()): item for item in items}
    lists = {item.in_list for item in items}
    faction = str(roster.get("faction", ""))
    return [
        fault
        for name, where, entry in _entries(roster, "", lists)
        for fault in _faults_of_entry(
            known.get((name, str(entry.get("name", "")).lower())), where, entry, faction, clause
        )
    ]


def faults_of_releases(
    items: Sequence[CatalogueItem],
    roster: Mapping[str, Any],
    legal_from: Callable[[date], date],
    first_day: date,
    clause: str,
) -> list[Fault]:
    """Entries that came out too late to be legal on the first day of play.

    legal_from: the day a thing came out -> the first day on which it is legal, where an item does not say that itself.
    Source: FF-ROS-14.
    """
    legal = {
        (item.in_list, item.name.lower()): date.fromisoformat(item.legal_from)
        if item.legal_from
        else legal_from(date.fromisoformat(item.released))
        for item in items
        if item.released or item.legal_from
    }
    return [
        Fault(f"{where}/name", str(entry["name"]), _legal_on(first_day, day), clause)
        for name, where, entry in _entries(roster, "", {in_list for in_list, _ in legal})
        if (day := legal.get((name, str(entry.get("name", "")).lower()), first_day)) > first_day
    ]


def _legal_on(first_day: date, day: date) -> Expected:
    return expects("legal-on-day", first_day=first_day.isoformat(), day=day.isoformat())


WEEKDAYS: Mapping[str, Expected] = {
    "monday": expects("monday"),
    "tuesday": expects("tuesday"),
    "wednesday": expects("wednesday"),
    "thursday": expects("thursday"),
    "friday": expects("friday"),
    "saturday": expects("saturday"),
    "sunday": expects("sunday"),
}


def doubtful_releases(
    items: Sequence[CatalogueItem], roster: Mapping[str, Any], usual: Callable[[date, str], str], clause: str
) -> list[Fault]:
    """Entries whose day of release is not the weekday on which their kind of release comes out.

    usual: (day of release, kind) -> the weekday it should have been, empty where it is right. FF-ROS-15.
    """
    doubted = {
        (item.in_list, item.name.lower()): (item, expected)
        for item in items
        if item.released and (expected := usual(date.fromisoformat(item.released), item.release))
    }
    return [
        Fault(f"{where}/name", item.name, _released_on(expected, item), clause)
        for name, where, entry in _entries(roster, "", {in_list for in_list, _ in doubted})
        for item, expected in [doubted.get((name, str(entry.get("name", "")).lower()), (None, ""))]
        if item
    ]


def _released_on(weekday: str, item: CatalogueItem) -> Expected:
    return expects("released-on-weekday", weekday=WEEKDAYS[weekday], kind=item.release, day=item.released)


def _faults_of_entry(
    item: CatalogueItem | None, where: str, entry: Mapping[str, Any], faction: str, clause: str
) -> Iterator[Fault]:
    if item is None:
        yield Fault(f"{where}/name", as_said(entry.get("name")), expects("name-in-catalogue"), clause)
        return
    if item.factions and faction.casefold() not in map(str.casefold, item.factions):
        expected = expects("for-own-faction", own=faction, others=item.factions)
        yield Fault(f"{where}/name", item.name, expected, clause)
    if item.points is not None and entry.get("points", 0) != item.points:
        yield Fault(f"{where}/points", f"{entry.get('points', 0)}", expects("its-price", points=item.points), clause)
    for field, value in item.fields.items():
        if field in entry and entry[field] != value:
            yield Fault(f"{where}/{field}", as_said(entry[field]), expects("value", value=as_said(value)), clause)


def _entries(holder: Mapping[str, Any], place: str, lists: set[str]) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
    """Every entry of the lists, at any depth, with the name of its list and its JSON pointer."""
    for name, value in holder.items():
        if not isinstance(value, list):
            continue
        for index, entry in enumerate(value):
            where = f"{place}/{name}/{index}"
            if name in lists:
                yield name, where, entry
            yield from _entries(entry, where, lists)
