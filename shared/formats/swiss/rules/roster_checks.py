"""The checks that a pack may ask for of a roster. Each finds every fault of its kind and names its clause."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from shared.formats.swiss.rules.roster_parts import Count, Named, OneOf, OnePer, Priced, Total, Unused
from shared.refusals import NOTHING, Expected, Fault, as_said, expects
from shared.refusals import one_of as expects_one_of

Roster = Mapping[str, Any]
POINTS_WITHIN = "points-within"
"""Code of the fault of a list that is over a limit of points; its value `found` is how many it has."""


def total(check: Total, roster: Roster) -> list[Fault]:
    """Points over the limit, and a written total that is not the sum."""
    if not check.active:
        return []
    found, where = sum(points_of(roster.get(name, ())) for name in check.of), f"/{check.written or check.of[0]}"
    written = roster.get(check.written) if check.written else found
    said = as_said(written)
    faults = []
    if found > check.most:
        within = expects(POINTS_WITHIN, most=check.most, fields=check.of, found=found)
        faults.append(Fault(where, said, within, check.clause))
    if type(written) is not int:
        faults.append(Fault(where, said, expects("sum-in-list", number=found), check.cites("written")))
    elif written != found:
        faults.append(Fault(where, said, expects("sum", number=found), check.cites("written")))
    return faults


def count(check: Count, roster: Roster) -> list[Fault]:
    """Too few or too many entries."""
    found = len(roster.get(check.of, ()))
    if check.least <= found <= check.most:
        return []
    expected = expects("number-of", least=check.least, most=check.most, field=check.of)
    if check.least == check.most:
        expected = expects("exactly-of", number=check.least, field=check.of)
    return [Fault(f"/{check.of}", f"{found}", expected, check.clause)]


def one_per(check: OnePer, roster: Roster) -> list[Fault]:
    """Kinds that are missing, present twice or unknown."""
    found = Counter(str(entry.get(check.by)) for entry in roster.get(check.of, ()))
    wanted = Counter(check.choices)
    where = f"/{check.of}"
    return [
        Fault(where, f"{found[kind]}", _exactly(wanted[kind], check.by, kind), check.clause)
        for kind in [*check.choices, *sorted(set(found) - set(wanted))]
        if found[kind] != wanted[kind]
    ]


def _exactly(number: int, field: str, kind: str) -> Expected:
    return expects("exactly-of-kind", number=number, field=field, kind=kind)


def one_of(check: OneOf, roster: Roster) -> list[Fault]:
    """A field that is missing or not one of the choices, which may be written in any case."""
    found = roster.get(check.of)
    if isinstance(found, str) and found.casefold() in map(str.casefold, check.choices):
        return []
    return [Fault(f"/{check.of}", as_said(found), expects_one_of(check.choices), check.clause)]


def named(check: Named, roster: Roster) -> list[Fault]:
    """Entries, and what is nested in them, without one of the fields."""
    faults = []

    def look(entries: Any, where: str, fields: list[str]) -> None:
        for index, entry in enumerate(entries):
            for field in fields:
                if entry.get(field) in (None, ""):
                    expected = expects("its-field", field=field)
                    faults.append(Fault(f"{where}/{index}/{field}", NOTHING, expected, check.clause))
            for name, inner in entry.items():
                if isinstance(inner, list):
                    look(inner, f"{where}/{index}/{name}", check.inner or fields)

    for name in check.of:
        look(roster.get(name, ()), f"/{name}", check.fields)
    return faults


def priced(check: Priced, roster: Roster) -> list[Fault]:
    """Entries that do not say what they cost, or say less than anything costs; and what they bought without a price."""
    faults = []

    def look(entries: Any, where: str, least: int) -> None:
        for index, entry in enumerate(entries):
            points = entry.get("points")
            if points is None or points < least:
                expected = expects("its-price-from", least=least) if least else expects("its-price-even-0")
                faults.append(Fault(f"{where}/{index}/points", as_said(points), expected, check.clause))

    for name in check.of:
        entries = roster.get(name, ())
        look(entries, f"/{name}", check.least)
        for index, entry in enumerate(entries):
            for nested in check.nested:
                inner = entry.get(nested, ())
                look(inner if isinstance(inner, list) else (), f"/{name}/{index}/{nested}", 0)
    return faults


def unused(check: Unused, roster: Roster) -> list[Fault]:
    """Fields of entries that other ways to play the game have. FF-SET-5."""
    return [
        Fault(f"/{name}/{index}/{field}", as_said(entry[field]), expects("not-in-use"), check.clause)
        for name in check.of
        for index, entry in enumerate(roster.get(name, ()))
        for field in check.fields
        if field in entry
    ]


def points_of(entries: Any) -> int:
    """The points of all entries and of the entries nested in them."""
    return sum(
        int(entry.get("points", 0)) + sum(points_of(inner) for inner in entry.values() if isinstance(inner, list))
        for entry in entries
    )
