"""The checks that a pack may ask for of a roster. Each finds every fault of its kind and names its clause."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from shared.formats.swiss.rules.roster_parts import Count, Named, OneOf, OnePer, Priced, Total, Unused
from shared.refusals import Fault, as_said

Roster = Mapping[str, Any]


def total(check: Total, roster: Roster) -> list[Fault]:
    """Points over the limit, and a written total that is not the sum."""
    if not check.active:
        return []
    found, where = sum(points_of(roster.get(name, ())) for name in check.of), f"/{check.written or check.of[0]}"
    written = roster.get(check.written) if check.written else found
    said = as_said(written)
    faults = []
    if found > check.most:
        wanted = f"at most {check.most} points of {_and(check.of)}, which have {found}"
        faults.append(Fault(where, said, wanted, check.clause))
    if type(written) is not int:
        faults.append(Fault(where, said, f"a whole number: {found}", check.cites("written")))
    elif written != found:
        faults.append(Fault(where, said, f"{found}, the sum", check.cites("written")))
    return faults


def count(check: Count, roster: Roster) -> list[Fault]:
    """Too few or too many entries."""
    found = len(roster.get(check.of, ()))
    if check.least <= found <= check.most:
        return []
    wanted = f"exactly {check.least}" if check.least == check.most else f"{check.least} to {check.most}"
    return [Fault(f"/{check.of}", f"{found}", f"{wanted} of {check.of}", check.clause)]


def one_per(check: OnePer, roster: Roster) -> list[Fault]:
    """Kinds that are missing, present twice or unknown."""
    found = Counter(str(entry.get(check.by)) for entry in roster.get(check.of, ()))
    wanted = Counter(check.choices)
    where = f"/{check.of}"
    return [
        Fault(where, f"{found[kind]}", f"exactly {wanted[kind]} of {check.by} {kind}", check.clause)
        for kind in [*check.choices, *sorted(set(found) - set(wanted))]
        if found[kind] != wanted[kind]
    ]


def one_of(check: OneOf, roster: Roster) -> list[Fault]:
    """A field that is missing or not one of the choices, which may be written in any case."""
    found = roster.get(check.of)
    if isinstance(found, str) and found.casefold() in map(str.casefold, check.choices):
        return []
    said = "nothing" if found is None else str(found)
    return [Fault(f"/{check.of}", said, "one of " + ", ".join(check.choices), check.clause)]


def named(check: Named, roster: Roster) -> list[Fault]:
    """Entries, and what is nested in them, without one of the fields."""
    faults = []

    def look(entries: Any, where: str, fields: list[str]) -> None:
        for index, entry in enumerate(entries):
            for field in fields:
                if entry.get(field) in (None, ""):
                    faults.append(Fault(f"{where}/{index}/{field}", "nothing", f"its {field}", check.clause))
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
                said = "nothing" if points is None else f"{points}"
                wanted = f"its price, {least} or more" if least else "its price, if only 0"
                faults.append(Fault(f"{where}/{index}/points", said, wanted, check.clause))

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
        Fault(f"/{name}/{index}/{field}", as_said(entry[field]), "nothing: it is not in use here", check.clause)
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


def _and(names: list[str]) -> str:
    return " and ".join(names)
