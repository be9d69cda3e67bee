"""Is this list legal? Every fault at once, each with its clause.

From which day a release may be used, and when lists are due; the example roster of a pack, legal by the pack itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import deepcopy
from datetime import date, timedelta
from functools import partial
from typing import Any, get_args

from msgspec.structs import replace

from shared.formats.swiss.rules import registries
from shared.formats.swiss.rules.catalogue import doubtful_releases, faults_of_catalogue, faults_of_releases
from shared.formats.swiss.rules.roster_checks import POINTS_WITHIN, points_of
from shared.formats.swiss.rules.roster_parts import Total, Without
from shared.formats.swiss.rules.ruleset import Ruleset
from shared.refusals import Fault, as_said, expects, one_of
from shared.rules.option_hints import allowing
from shared.rules.parts import Weekday


def legal_from(ruleset: Ruleset, released: date) -> date:
    """The first day of play on which a release is legal.

    released: the day it came out; of a physical product the day on which the publisher's own shop sells it.
    Source: FF-ROS-14, FF-AMB-5.
    """
    return released + timedelta(days=ruleset.legality.delay_days if ruleset.legality else 0)


def usual_weekday(ruleset: Ruleset, released: date, kind: str) -> str:
    """The weekday on which this kind of release comes out, where this one did not; empty where nothing is doubtful.

    Source: FF-ROS-15.
    """
    usual = ruleset.legality.weekdays.get(kind) if ruleset.legality else None
    return "" if usual is None or get_args(Weekday)[released.weekday()] == usual else usual


def released_by(ruleset: Ruleset, first_day: date) -> date:
    """The last day of release of what is legal on the first day of play. FF-ROS-14, FF-AMB-5."""
    return ruleset.legality.released_by(first_day) if ruleset.legality else first_day


def check_roster(ruleset: Ruleset, roster: Mapping[str, Any], first_day: date | None = None) -> list[Fault]:
    """Everything that makes a roster illegal; an empty list when it is legal.

    first_day: of play, where it is known, for what has come out only lately.
    roster: an object with the fields that `ruleset.roster.fields` names (see docs/rulesets.md). While its shape is
    wrong only that is told, since a check would mistake it for something else.
    """
    shape = list(_faults_of_fields(ruleset, roster))
    if shape:
        return shape
    rules = ruleset.roster
    held = [
        (f"/roster/checks/{index}", check)
        for index, check in enumerate(rules.checks)
        if not (isinstance(check, Without) and check.advice)
    ]
    faults = [
        _with_option(ruleset, place, fault)
        for place, check in held
        for fault in registries.ROSTER_CHECKS[type(check)](check, roster)
    ]
    faults += faults_of_catalogue(rules.catalogue, roster, rules.cites("catalogue"))
    if first_day is not None and ruleset.legality is not None:
        clause = ruleset.legality.clause
        early = faults_of_releases(rules.catalogue, roster, partial(legal_from, ruleset), first_day, clause)
        not_out = {fault.where for fault in faults_of_releases(rules.catalogue, roster, _at_once, first_day, clause)}
        faults += [fault if fault.where in not_out else _or_at_once(ruleset, fault) for fault in early]
    return faults


def _with_option(ruleset: Ruleset, place: str, fault: Fault) -> Fault:
    """A fault that a check found, with the option that would allow it: a limit that is higher, or no such limit.

    place: JSON pointer of the check in the ruleset.
    """
    right = fault.expected
    if right.code != POINTS_WITHIN:
        return fault
    points = int(right.data["found"])
    higher = allowing(ruleset, f"{place}/most", lambda most: type(most) is int and most >= points, points)
    option = higher or allowing(ruleset, f"{place}/active", lambda active: active is False)
    return replace(fault, expected=option.or_else(right)) if option else fault


def _or_at_once(ruleset: Ruleset, fault: Fault) -> Fault:
    """A fault of a release that is not legal yet, with the option by which releases are legal at once."""
    option = allowing(ruleset, "/legality/delay_days", lambda days: days == 0)
    if option is None:
        return fault
    return replace(fault, expected=option.or_else(fault.expected))


def _at_once(released: date) -> date:
    return released


def advice_on_roster(ruleset: Ruleset, roster: Mapping[str, Any]) -> list[Fault]:
    """What is legal in a roster and doubtful: a perk that does nothing, a release on an unusual weekday.

    Nothing while the shape of the roster is wrong.
    """
    if any(_faults_of_fields(ruleset, roster)):
        return []
    checks = [check for check in ruleset.roster.checks if isinstance(check, Without) and check.advice]
    advice = [fault for check in checks for fault in registries.ROSTER_CHECKS[type(check)](check, roster)]
    if ruleset.legality is not None:
        clause = ruleset.legality.cites("weekdays")
        advice += doubtful_releases(ruleset.roster.catalogue, roster, partial(usual_weekday, ruleset), clause)
    return advice


def _faults_of_fields(ruleset: Ruleset, roster: Mapping[str, Any]) -> Iterator[Fault]:
    fields, clause = ruleset.roster.fields, ruleset.roster.cites("fields")
    for name, value in roster.items():
        where = f"/{name}"
        if name not in fields:
            yield Fault(where, as_said(value), one_of(list(fields)), clause)
        elif fields[name] == "entries":
            yield from _faults_of_entries(value, where, clause)
        elif fields[name] == "whole" and not _whole(value):
            yield Fault(where, as_said(value), expects("whole-number-from", least=0), clause)
        elif fields[name] == "text" and not isinstance(value, str):
            yield Fault(where, as_said(value), expects("text"), clause)


def _faults_of_entries(value: object, where: str, clause: str) -> Iterator[Fault]:
    if not isinstance(value, list):
        yield Fault(where, as_said(value), expects("list"), clause)
        return
    for index, entry in enumerate(value):
        place = f"{where}/{index}"
        if not isinstance(entry, dict):
            yield Fault(place, as_said(entry), expects("object"), clause)
            continue
        for name, inner in entry.items():
            if name == "points":
                if not _whole(inner):
                    yield Fault(f"{place}/points", as_said(inner), expects("whole-number-from", least=0), clause)
            elif isinstance(inner, list):
                yield from _faults_of_entries(inner, f"{place}/{name}", clause)
            elif not isinstance(inner, str) and not _whole(inner):
                yield Fault(f"{place}/{name}", as_said(inner), expects("text-number-or-list"), clause)


def _whole(value: object) -> bool:
    return type(value) is int and value >= 0


def faults_of_example(ruleset: Ruleset) -> list[Fault]:
    """Everything that makes the example of a pack illegal, each at its JSON pointer; nothing without an example."""
    example = ruleset.roster.example
    found = check_roster(ruleset, example) if example else []
    return [replace(fault, where=f"/roster/example{fault.where}") for fault in found]


def with_legal_example(ruleset: Ruleset) -> Ruleset:
    """The ruleset with an example that its options leave legal: as it is, with fewer points, or none at all.

    The points of every list over its limit are lowered in proportion, down to just the limit, and the sums that are
    written are written anew.
    """
    if not faults_of_example(ruleset):
        return ruleset
    example = deepcopy(ruleset.roster.example)
    totals = [check for check in ruleset.roster.checks if isinstance(check, Total) and check.active]
    for check in sorted(totals, key=lambda check: len(check.of)):  # a part before the whole that it is in
        found = sum(points_of(example.get(name, ())) for name in check.of)
        if found > check.most:
            _lower([example.get(name, ()) for name in check.of], check.most, found)
    for check in totals:
        if check.written:
            example[check.written] = sum(points_of(example.get(name, ())) for name in check.of)
    smaller = replace(ruleset, roster=replace(ruleset.roster, example=example))
    return replace(smaller, roster=replace(smaller.roster, example={})) if faults_of_example(smaller) else smaller


def _lower(lists: Any, most: int, found: int) -> None:
    """Make `most` points of the `found` ones, nested ones too, each its share of what came before it and itself."""
    passed = 0

    def lower(entries: Any) -> None:
        nonlocal passed
        for entry in entries:
            if points := entry.get("points", 0):
                entry["points"] = (passed + points) * most // found - passed * most // found
                passed += points
            for inner in entry.values():
                if isinstance(inner, list):
                    lower(inner)

    for entries in lists:
        lower(entries)
