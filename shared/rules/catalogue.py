"""Catalogues: what there is to choose from and what it costs, as an operator supplies it beside a ruleset."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec
import yaml

from shared.refusals import Fault
from shared.rules.parts import CatalogueItem
from shared.rules.refusals import PackRefused
from shared.rules.ruleset import Ruleset
from shared.rules.shape import faults_of_shape


class Catalogue(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A catalogue. ruleset: the id of the ruleset it is for; document: where names and prices come from."""

    ruleset: str
    document: str
    items: list[CatalogueItem]


def read_catalogue(text: str, name: str) -> Catalogue:
    """The catalogue of a YAML text. name: how the file is called in faults.

    Raises PackRefused with every fault: what is no catalogue, prices below zero, items that stand there twice.
    """
    try:
        data: Any = yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise PackRefused(f"{name} cannot be read", [Fault(name, str(error), "YAML")]) from error
    faults = faults_of_shape(data, Catalogue)
    if not faults:
        catalogue = msgspec.convert(data, Catalogue)
        faults = list(_faults_of_items(catalogue.items))
        if not faults:
            return catalogue
    placed = [msgspec.structs.replace(fault, where=f"{name}:{fault.where}") for fault in faults]
    raise PackRefused(f"{name} is not a catalogue", placed)


def with_catalogue(ruleset: Ruleset, catalogue: Catalogue) -> Ruleset:
    """The ruleset with the catalogue in it, so that a tournament's first event holds both.

    Raises PackRefused for the catalogue of another ruleset, and for lists that rosters of this one do not have.
    """
    faults = []
    if catalogue.ruleset != ruleset.id:
        faults.append(Fault("/ruleset", repr(catalogue.ruleset), ruleset.id))
    if faults:
        raise PackRefused(f"this catalogue is not for {ruleset.id}", faults)
    roster = msgspec.structs.replace(ruleset.roster, catalogue=catalogue.items)
    return msgspec.structs.replace(ruleset, roster=roster)


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


def _faults_of_entry(
    item: CatalogueItem | None, where: str, entry: Mapping[str, Any], faction: str, clause: str
) -> Iterator[Fault]:
    if item is None:
        yield Fault(f"{where}/name", repr(entry.get("name", "")), "a name of the catalogue", clause)
        return
    if item.factions and faction not in item.factions:
        yield Fault(f"{where}/name", f"{item.name!r} in {faction}", "for " + ", ".join(item.factions), clause)
    if item.points is not None and entry.get("points", 0) != item.points:
        yield Fault(f"{where}/points", f"{entry.get('points', 0)}", f"{item.points}, its price", clause)
    for field, value in item.fields.items():
        if field in entry and entry[field] != value:
            yield Fault(f"{where}/{field}", f"{entry[field]!r}", f"{value!r}", clause)


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


def _faults_of_items(items: Sequence[CatalogueItem]) -> Iterator[Fault]:
    first: dict[tuple[str, str], int] = {}
    for index, item in enumerate(items):
        if item.points is not None and item.points < 0:
            yield Fault(f"/items/{index}/points", f"{item.points}", "0 or more")
        before = first.setdefault((item.in_list, item.name.lower()), index)
        if before != index:
            yield Fault(f"/items/{index}/name", f"{item.name!r} again", f"each once; the first is item {before}")
