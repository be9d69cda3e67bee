"""Catalogues as operators supply them beside a ruleset: what there is to choose from, and what it costs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from typing import Any

import msgspec
from msgspec.structs import replace

from shared.formats.swiss.rules.roster_parts import CatalogueItem
from shared.formats.swiss.rules.ruleset import Ruleset
from shared.refusals import Fault, as_said, expects, one_of
from shared.rules.plain import placed, read_plain
from shared.rules.refusals import PackRefused
from shared.rules.shape_checks import faults_of_shape
from shared.shapes import YEARS


class Catalogue(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A catalogue. ruleset: the id of the ruleset it is for; document: where names and prices come from."""

    ruleset: str
    document: str
    items: list[CatalogueItem]


def with_catalogue(ruleset: Ruleset, text: str, name: str) -> Ruleset:
    """The ruleset with a catalogue (YAML) added to what it has, so that a tournament's first event holds both.

    name: how the file is called in faults. The example roster stays as it is: see `example.with_legal_example`.
    Raises PackRefused with every fault at `file:line:pointer`: what is no catalogue or one for another ruleset, lists
    that rosters do not have, prices below zero, items that stand there twice.
    """
    data, lines, faults = read_plain(text, expects("catalogue"))
    if data is not None:
        faults += faults_of_values(ruleset, data)
    if faults:
        raise PackRefused(f"{name} is not a catalogue for {ruleset.id}", placed(faults, name, lines))
    return _added(ruleset, data)


def with_catalogue_values(ruleset: Ruleset, data: Any, where: str) -> Ruleset:
    """The same of a catalogue that came as plain values, as JSON has them. where: what its JSON pointers begin with."""
    faults = [replace(fault, where=where + fault.where) for fault in faults_of_values(ruleset, data)]
    if faults:
        raise PackRefused(f"{where} is not a catalogue for {ruleset.id}", faults)
    return _added(ruleset, data)


def faults_of_values(ruleset: Ruleset, data: Any) -> list[Fault]:
    """Everything that keeps plain values from being a catalogue for a ruleset, each at its JSON pointer."""
    faults = faults_of_shape(data, Catalogue)
    if faults:
        return faults
    catalogue = msgspec.convert(data, Catalogue)
    if catalogue.ruleset.casefold() != ruleset.id.casefold():
        faults.append(Fault("/ruleset", as_said(catalogue.ruleset), expects("value", value=ruleset.id)))
    return faults + list(faults_of_items(catalogue.items, ruleset, "/items", ruleset.roster.catalogue))


def is_day(said: str) -> bool:
    """Return True for a day of the calendar, written year-month-day, in one of the years that Muster takes."""
    try:
        day = date.fromisoformat(said)
        return day.isoformat() == said and day.year in YEARS
    except ValueError:
        return False


def lists_of(ruleset: Ruleset) -> list[str]:
    """The names of the lists that rosters have, nested ones as far as a check or the example names them."""
    roster = ruleset.roster
    names = {name for name, kind in roster.fields.items() if kind == "entries"}
    for check in roster.checks:
        for field in ("kinds", "nested", "perks"):
            found = getattr(check, field, [])
            names.update([found] if isinstance(found, str) else found)
    names.update(_nested(roster.example))
    return sorted(names - {""})


def _added(ruleset: Ruleset, data: Any) -> Ruleset:
    items = [*ruleset.roster.catalogue, *msgspec.convert(data, Catalogue).items]
    return replace(ruleset, roster=replace(ruleset.roster, catalogue=items))


def _nested(value: Any) -> Iterator[str]:
    """The names of all lists in a roster."""
    for name, inner in value.items():
        if isinstance(inner, list):
            yield name
            for entry in inner:
                if isinstance(entry, dict):
                    yield from _nested(entry)


def _faults_of_release(item: CatalogueItem, where: str, ruleset: Ruleset) -> Iterator[Fault]:
    """Days that are none, and a kind of release that the ruleset does not know."""
    kinds = ruleset.legality.weekdays if ruleset.legality else {}
    if item.release and item.release not in kinds:
        expected = one_of(list(kinds)) if kinds else expects("nothing")
        yield Fault(f"{where}/release", item.release, expected)
    if item.release and not item.released:
        yield Fault(f"{where}/release", item.release, expects("release-with-day"))
    for field, day in (("released", item.released), ("legal_from", item.legal_from)):
        if day and not is_day(day):
            yield Fault(f"{where}/{field}", day, expects("day-of-release"))


def faults_of_items(
    items: Sequence[CatalogueItem], ruleset: Ruleset, where: str, others: Sequence[CatalogueItem] = ()
) -> Iterator[Fault]:
    """Items of lists that rosters do not have, with prices below zero, days that are none, or there for a second time.

    where: the pointer of the items. others: of another catalogue, which they stand beside.
    """
    known = lists_of(ruleset)
    elsewhere = {(item.in_list, item.name.lower()) for item in others}
    first: dict[tuple[str, str], int] = {}
    for index, item in enumerate(items):
        place = f"{where}/{index}"
        yield from _faults_of_release(item, place, ruleset)
        if item.in_list not in known:
            yield Fault(f"{place}/in_list", as_said(item.in_list), one_of(known))
        if item.points is not None and item.points < 0:
            yield Fault(f"{place}/points", f"{item.points}", expects("at-least", least=0))
        key = (item.in_list, item.name.lower())
        before = first.setdefault(key, index)
        if key in elsewhere:
            yield Fault(f"{place}/name", as_said(item.name), expects("not-in-other-catalogue"))
        elif before != index:
            yield Fault(f"{place}/name", as_said(item.name), expects("each-item-once", index=before))
