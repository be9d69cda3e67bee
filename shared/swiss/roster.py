"""Rosters: legality with every fault and its clause, due dates, and the operator's catalogue.

Also the first legal day of a release, and the example roster of a pack, which the pack must allow.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import deepcopy
from datetime import date, timedelta
from functools import partial
from typing import Any, get_args

import msgspec
from msgspec.structs import replace

from shared.refusals import NOTHING, Expected, Fault, display_text, expects, one_of
from shared.rules.checks import faults_of_shape, locate_faults, parse_yaml
from shared.rules.model import PackRefused
from shared.rules.parts import Weekday, allowing_option
from shared.shapes import YEARS
from shared.swiss import registries
from shared.swiss.game_parts import MarginTable, OutcomePoints
from shared.swiss.roster_checks import POINTS_WITHIN, over_limit, points_of
from shared.swiss.roster_parts import CatalogueItem, OneOf, Total, Without
from shared.swiss.ruleset import Ruleset


def faults_of_catalogue(items: Sequence[CatalogueItem], roster: Mapping[str, Any], clause: str) -> list[Fault]:
    """Return faults of entries that the catalogue does not have, or has at another price or for another faction.

    Only lists that the catalogue covers are checked, at any depth of the roster: a catalogue of perks says nothing
    about models. Without a catalogue, names and prices are taken as written.
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
    """Return faults of entries that are not yet legal on the first day of play.

    `legal_from`: day of release -> first legal day, for items that do not name it themselves. Source: FF-ROS-14.
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
    """Return faults of entries whose day of release is not the usual weekday of their kind of release.

    `usual`: returns the usual weekday for a day of release and a kind; empty if the day is right. Source: FF-ROS-15.
    """
    doubtful = {
        (item.in_list, item.name.lower()): (item, expected)
        for item in items
        if item.released and (expected := usual(date.fromisoformat(item.released), item.release))
    }
    return [
        Fault(f"{where}/name", item.name, _released_on(expected, item), clause)
        for name, where, entry in _entries(roster, "", {in_list for in_list, _ in doubtful})
        for item, expected in [doubtful.get((name, str(entry.get("name", "")).lower()), (None, ""))]
        if item
    ]


def _released_on(weekday: str, item: CatalogueItem) -> Expected:
    return expects("released-on-weekday", weekday=WEEKDAYS[weekday], kind=item.release, day=item.released)


def _faults_of_entry(
    item: CatalogueItem | None, where: str, entry: Mapping[str, Any], faction: str, clause: str
) -> Iterator[Fault]:
    if item is None:
        yield Fault(f"{where}/name", display_text(entry.get("name")), expects("name-in-catalogue"), clause)
        return
    if item.factions and faction.casefold() not in map(str.casefold, item.factions):
        expected = expects("for-own-faction", own=faction, others=item.factions)
        yield Fault(f"{where}/name", item.name, expected, clause)
    if item.points is not None and entry.get("points", 0) != item.points:
        yield Fault(f"{where}/points", f"{entry.get('points', 0)}", expects("its-price", points=item.points), clause)
    for field, value in item.fields.items():
        if field in entry and entry[field] != value:
            yield Fault(
                f"{where}/{field}", display_text(entry[field]), expects("value", value=display_text(value)), clause
            )


def _entries(holder: Mapping[str, Any], place: str, lists: set[str]) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
    """Yield every entry of the lists, at any depth, with the name of its list and its JSON pointer."""
    for name, value in holder.items():
        if not isinstance(value, list):
            continue
        for index, entry in enumerate(value):
            where = f"{place}/{name}/{index}"
            if name in lists:
                yield name, where, entry
            yield from _entries(entry, where, lists)


class Catalogue(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A catalogue of roster entries.

    - `ruleset`: id of its ruleset.
    - `document`: source of names and prices.
    """

    ruleset: str
    document: str
    items: list[CatalogueItem]


def with_catalogue(ruleset: Ruleset, text: str, name: str) -> Ruleset:
    """Return the ruleset with a catalogue (YAML) in addition to its own.

    A tournament's first event then contains both. The example roster is unchanged: see `with_legal_example`. `name` is
    the file's name in faults. Raise PackRefused with every fault at `file:line:pointer`: invalid catalogues, catalogues
    for another ruleset, unknown lists, negative prices, repeated items.
    """
    data, lines, faults = parse_yaml(text, expects("catalogue"))
    if data is not None:
        faults += faults_of_catalogue_values(ruleset, data)
    if faults:
        raise PackRefused(f"{name} is not a catalogue for {ruleset.id}", locate_faults(faults, name, lines))
    return _add_items(ruleset, data)


def with_catalogue_values(ruleset: Ruleset, data: Any, where: str) -> Ruleset:
    """Return the ruleset with a catalogue given as JSON values. `where`: prefix of the JSON pointers in faults."""
    faults = [replace(fault, where=where + fault.where) for fault in faults_of_catalogue_values(ruleset, data)]
    if faults:
        raise PackRefused(f"{where} is not a catalogue for {ruleset.id}", faults)
    return _add_items(ruleset, data)


def faults_of_catalogue_values(ruleset: Ruleset, data: Any) -> list[Fault]:
    """Return every fault of a catalogue given as plain values, each at its JSON pointer."""
    faults = faults_of_shape(data, Catalogue)
    if faults:
        return faults
    catalogue = msgspec.convert(data, Catalogue)
    if catalogue.ruleset.casefold() != ruleset.id.casefold():
        faults.append(Fault("/ruleset", display_text(catalogue.ruleset), expects("value", value=ruleset.id)))
    return faults + list(faults_of_items(catalogue.items, ruleset, "/items", ruleset.roster.catalogue))


def is_day(text: str) -> bool:
    """Return True if the text is a calendar day, written year-month-day, in a year that Muster accepts."""
    try:
        day = date.fromisoformat(text)
        return day.isoformat() == text and day.year in YEARS
    except ValueError:
        return False


def roster_lists(ruleset: Ruleset) -> list[str]:
    """Return the names of all lists in rosters; nested ones if a check or the example names them."""
    roster = ruleset.roster
    names = {name for name, kind in roster.fields.items() if kind == "entries"}
    for check in roster.checks:
        for field in ("kinds", "nested", "perks"):
            nested = getattr(check, field, [])
            names.update([nested] if isinstance(nested, str) else nested)
    names.update(_nested(roster.example))
    return sorted(names - {""})


def _add_items(ruleset: Ruleset, data: Any) -> Ruleset:
    items = [*ruleset.roster.catalogue, *msgspec.convert(data, Catalogue).items]
    return replace(ruleset, roster=replace(ruleset.roster, catalogue=items))


def _nested(value: Any) -> Iterator[str]:
    """Yield the names of all lists in a roster."""
    for name, inner in value.items():
        if isinstance(inner, list):
            yield name
            for entry in inner:
                if isinstance(entry, dict):
                    yield from _nested(entry)


def _faults_of_release(item: CatalogueItem, where: str, ruleset: Ruleset) -> Iterator[Fault]:
    """Yield faults of invalid days and unknown kinds of release."""
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
    """Yield faults of catalogue items: unknown lists, negative prices, invalid days, repeated items.

    - `where`: pointer of the items.
    - `others`: items of another catalogue in force.
    """
    known = roster_lists(ruleset)
    elsewhere = {(item.in_list, item.name.lower()) for item in others}
    first: dict[tuple[str, str], int] = {}
    for index, item in enumerate(items):
        place = f"{where}/{index}"
        yield from _faults_of_release(item, place, ruleset)
        if item.in_list not in known:
            yield Fault(f"{place}/in_list", display_text(item.in_list), one_of(known))
        if item.points is not None and item.points < 0:
            yield Fault(f"{place}/points", f"{item.points}", expects("at-least", least=0))
        key = (item.in_list, item.name.lower())
        before = first.setdefault(key, index)
        if key in elsewhere:
            yield Fault(f"{place}/name", display_text(item.name), expects("not-in-other-catalogue"))
        elif before != index:
            yield Fault(f"{place}/name", display_text(item.name), expects("each-item-once", index=before))


def legal_from(ruleset: Ruleset, released: date) -> date:
    """Return the first day of play on which a release is legal.

    `released`: day of release; for a physical product, the day of sale in the publisher's own shop.
    Source: FF-ROS-14, FF-AMB-5.
    """
    return released + timedelta(days=ruleset.legality.delay_days if ruleset.legality else 0)


def expected_weekday(ruleset: Ruleset, released: date, kind: str) -> str:
    """Return the usual weekday of this kind of release if it was released on another one; otherwise empty.

    Source: FF-ROS-15.
    """
    usual = ruleset.legality.weekdays.get(kind) if ruleset.legality else None
    return "" if usual is None or get_args(Weekday)[released.weekday()] == usual else usual


def released_by(ruleset: Ruleset, first_day: date) -> date:
    """Return the latest day of release that is legal on the first day of play (FF-ROS-14, FF-AMB-5)."""
    return ruleset.legality.released_by(first_day) if ruleset.legality else first_day


def check_roster(ruleset: Ruleset, roster: Mapping[str, Any], first_day: date | None = None) -> list[Fault]:
    """Return every fault of a roster; empty if it is legal.

    - `roster`: object with the fields of `ruleset.roster.fields` (docs/reference/packs.md). If its shape is wrong, only
      that is reported, because checks could misread it.
    - `first_day`: first day of play, if known, for recent releases.
    """
    shape = list(_faults_of_fields(ruleset, roster))
    if shape:
        return shape
    rules = ruleset.roster
    checks = [
        (f"/roster/checks/{index}", check)
        for index, check in enumerate(rules.checks)
        if not (isinstance(check, Without) and check.advice)
    ]
    faults = [
        _with_option(ruleset, place, fault)
        for place, check in checks
        for fault in registries.ROSTER_CHECKS[type(check)](check, roster)
    ]
    faults += faults_of_catalogue(rules.catalogue, roster, rules.cites("catalogue"))
    if first_day is not None and ruleset.legality is not None:
        clause = ruleset.legality.clause
        early = faults_of_releases(rules.catalogue, roster, partial(legal_from, ruleset), first_day, clause)
        not_out = {fault.where for fault in faults_of_releases(rules.catalogue, roster, _at_once, first_day, clause)}
        faults += [fault if fault.where in not_out else _or_at_once(ruleset, fault) for fault in early]
    return faults


def required_totals(ruleset: Ruleset) -> list[str]:
    """Return the totals that a list on paper must state: results are checked against them (DW-RES-2, AR-RES-5)."""
    points = ruleset.points
    by_outcome = isinstance(points, OutcomePoints) and points.list_limit is not None
    by_margin = isinstance(points, MarginTable) and "extra" in ruleset.result.fields
    if not (by_outcome or by_margin or ruleset.concession.award == "half_list"):
        return []
    return list(dict.fromkeys(check.written for _, check in _totals(ruleset) if check.written))


def check_paper_roster(ruleset: Ruleset, roster: Mapping[str, Any]) -> list[Fault]:
    """Return every fault of what is entered of a list on paper: its totals, and other fields of one value.

    Staff who saw the paper answer for its entries. So there are none here, and totals are only checked against limits.
    """
    rules = ruleset.roster
    faults = list(_faults_of_fields(ruleset, roster))
    faults += [
        Fault(f"/{name}", display_text(value), expects("entries-on-paper"), rules.cites("fields"))
        for name, value in roster.items()
        if rules.fields.get(name) == "entries"
    ]
    faults += [
        Fault(f"/{name}", NOTHING, expects("total-on-paper"), rules.cites("fields"))
        for name in required_totals(ruleset)
        if name not in roster
    ]
    if faults:
        return faults
    for place, check in _totals(ruleset):
        points = roster.get(check.written, 0)
        if points > check.most:
            over = over_limit(check, f"/{check.written}", display_text(points), points)
            faults.append(_with_option(ruleset, place, over))
    choices = [check for check in rules.checks if isinstance(check, OneOf) and check.of in roster]
    return faults + [fault for check in choices for fault in registries.ROSTER_CHECKS[OneOf](check, roster)]


def _totals(ruleset: Ruleset) -> list[tuple[str, Total]]:
    """Return the limits on points in force that name a written total, each with its place in the ruleset."""
    checks = enumerate(ruleset.roster.checks)
    return [
        (f"/roster/checks/{index}", check)
        for index, check in checks
        if isinstance(check, Total) and check.active and check.written
    ]


def _with_option(ruleset: Ruleset, place: str, fault: Fault) -> Fault:
    """Return a fault of a check, extended with the option that would raise or remove the limit.

    `place`: JSON pointer of the check in the ruleset.
    """
    expected = fault.expected
    if expected.code != POINTS_WITHIN:
        return fault
    points = int(expected.data["found"])
    higher = allowing_option(ruleset, f"{place}/most", lambda most: type(most) is int and most >= points, points)
    option = higher or allowing_option(ruleset, f"{place}/active", lambda active: active is False)
    return replace(fault, expected=option.or_else(expected)) if option else fault


def _or_at_once(ruleset: Ruleset, fault: Fault) -> Fault:
    """Return a fault of a recent release, extended with the option that makes releases legal at once."""
    option = allowing_option(ruleset, "/legality/delay_days", lambda days: days == 0)
    if option is None:
        return fault
    return replace(fault, expected=option.or_else(fault.expected))


def _at_once(released: date) -> date:
    return released


def advice_on_roster(ruleset: Ruleset, roster: Mapping[str, Any]) -> list[Fault]:
    """Return what is legal but doubtful in a roster: perks without effect, releases on an unusual weekday.

    Empty if the shape of the roster is wrong.
    """
    if any(_faults_of_fields(ruleset, roster)):
        return []
    checks = [check for check in ruleset.roster.checks if isinstance(check, Without) and check.advice]
    advice = [fault for check in checks for fault in registries.ROSTER_CHECKS[type(check)](check, roster)]
    if ruleset.legality is not None:
        clause = ruleset.legality.cites("weekdays")
        advice += doubtful_releases(ruleset.roster.catalogue, roster, partial(expected_weekday, ruleset), clause)
    return advice


def _faults_of_fields(ruleset: Ruleset, roster: Mapping[str, Any]) -> Iterator[Fault]:
    fields, clause = ruleset.roster.fields, ruleset.roster.cites("fields")
    for name, value in roster.items():
        where = f"/{name}"
        if name not in fields:
            yield Fault(where, display_text(value), one_of(list(fields)), clause)
        elif fields[name] == "entries":
            yield from _faults_of_entries(value, where, clause)
        elif fields[name] == "whole" and not _whole(value):
            yield Fault(where, display_text(value), expects("whole-number-from", least=0), clause)
        elif fields[name] == "text" and not isinstance(value, str):
            yield Fault(where, display_text(value), expects("text"), clause)


def _faults_of_entries(value: object, where: str, clause: str) -> Iterator[Fault]:
    if not isinstance(value, list):
        yield Fault(where, display_text(value), expects("list"), clause)
        return
    for index, entry in enumerate(value):
        place = f"{where}/{index}"
        if not isinstance(entry, dict):
            yield Fault(place, display_text(entry), expects("object"), clause)
            continue
        for name, inner in entry.items():
            if name == "points":
                if not _whole(inner):
                    yield Fault(f"{place}/points", display_text(inner), expects("whole-number-from", least=0), clause)
            elif isinstance(inner, list):
                yield from _faults_of_entries(inner, f"{place}/{name}", clause)
            elif not isinstance(inner, str) and not _whole(inner):
                yield Fault(f"{place}/{name}", display_text(inner), expects("text-number-or-list"), clause)


def _whole(value: object) -> bool:
    return type(value) is int and value >= 0


def faults_of_example(ruleset: Ruleset) -> list[Fault]:
    """Return every fault of a pack's example roster, each at its JSON pointer; empty without an example."""
    example = ruleset.roster.example
    faults = check_roster(ruleset, example) if example else []
    return [replace(fault, where=f"/roster/example{fault.where}") for fault in faults]


def with_legal_example(ruleset: Ruleset) -> Ruleset:
    """Return the ruleset with an example that is legal under its options: as it is, with fewer points, or none.

    The points of every list over its limit are scaled down to the limit, and written sums are updated.
    """
    if not faults_of_example(ruleset):
        return ruleset
    example = deepcopy(ruleset.roster.example)
    totals = [check for check in ruleset.roster.checks if isinstance(check, Total) and check.active]
    for check in sorted(totals, key=lambda check: len(check.of)):  # parts before the whole
        points = sum(points_of(example.get(name, ())) for name in check.of)
        if points > check.most:
            _lower([example.get(name, ()) for name in check.of], check.most, points)
    for check in totals:
        if check.written:
            example[check.written] = sum(points_of(example.get(name, ())) for name in check.of)
    smaller = replace(ruleset, roster=replace(ruleset.roster, example=example))
    return replace(smaller, roster=replace(smaller.roster, example={})) if faults_of_example(smaller) else smaller


def _lower(lists: Any, most: int, total: int) -> None:
    """Scale the points of all entries from `found` down to `most`. Rounding errors do not add up."""
    passed = 0

    def lower(entries: Any) -> None:
        nonlocal passed
        for entry in entries:
            if points := entry.get("points", 0):
                entry["points"] = (passed + points) * most // total - passed * most // total
                passed += points
            for inner in entry.values():
                if isinstance(inner, list):
                    lower(inner)

    for entries in lists:
        lower(entries)
