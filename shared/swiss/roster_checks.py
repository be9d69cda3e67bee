"""Roster checks that a pack may request: totals and counts of a roster, and checks of a crew's models."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from shared.refusals import NOTHING, Expected, Fault, display_text, either, expects, one_of
from shared.refusals import one_of as expects_one_of
from shared.swiss import roster_parts
from shared.swiss.roster_parts import Count, Named, OneOf, OnePer, Priced, Total, Unused

Roster = Mapping[str, Any]
POINTS_WITHIN = "points-within"
"""Code of the fault of a list over a limit of points. Its value `found` is the number of points."""


def total(check: Total, roster: Roster) -> list[Fault]:
    """Check the limit of points, and that a written total is the sum."""
    if not check.active:
        return []
    points, where = sum(points_of(roster.get(name, ())) for name in check.of), f"/{check.written or check.of[0]}"
    written = roster.get(check.written) if check.written else points
    text = display_text(written)
    faults = []
    if points > check.most:
        faults.append(over_limit(check, where, text, points))
    if type(written) is not int:
        faults.append(Fault(where, text, expects("sum-in-list", number=points), check.cites("written")))
    elif written != points:
        faults.append(Fault(where, text, expects("sum", number=points), check.cites("written")))
    return faults


def over_limit(check: Total, where: str, said: str, points: int) -> Fault:
    """Return the fault of a list with more points than its limit. `said`: the value at `where`."""
    return Fault(where, said, expects(POINTS_WITHIN, most=check.most, fields=check.of, found=points), check.clause)


def count(check: Count, roster: Roster) -> list[Fault]:
    """Check the number of entries."""
    number = len(roster.get(check.of, ()))
    if check.least <= number <= check.most:
        return []
    expected = expects("number-of", least=check.least, most=check.most, field=check.of)
    if check.least == check.most:
        expected = expects("exactly-of", number=check.least, field=check.of)
    return [Fault(f"/{check.of}", f"{number}", expected, check.clause)]


def one_per(check: OnePer, roster: Roster) -> list[Fault]:
    """Check that each kind occurs once, and no other kinds."""
    counts = Counter(str(entry.get(check.by)) for entry in roster.get(check.of, ()))
    required = Counter(check.choices)
    where = f"/{check.of}"
    return [
        Fault(where, f"{counts[kind]}", _exactly(required[kind], check.by, kind), check.clause)
        for kind in [*check.choices, *sorted(set(counts) - set(required))]
        if counts[kind] != required[kind]
    ]


def _exactly(number: int, field: str, kind: str) -> Expected:
    return expects("exactly-of-kind", number=number, field=field, kind=kind)


def one_of_values(check: OneOf, roster: Roster) -> list[Fault]:
    """Check that a field is one of the choices, in any case."""
    value = roster.get(check.of)
    if isinstance(value, str) and value.casefold() in map(str.casefold, check.choices):
        return []
    return [Fault(f"/{check.of}", display_text(value), expects_one_of(check.choices), check.clause)]


def named(check: Named, roster: Roster) -> list[Fault]:
    """Check that entries and nested entries have their required fields."""
    faults = []

    def check_entries(entries: Any, where: str, fields: list[str]) -> None:
        for index, entry in enumerate(entries):
            for field in fields:
                if entry.get(field) in (None, ""):
                    expected = expects("its-field", field=field)
                    faults.append(Fault(f"{where}/{index}/{field}", NOTHING, expected, check.clause))
            for name, inner in entry.items():
                if isinstance(inner, list):
                    check_entries(inner, f"{where}/{index}/{name}", check.inner or fields)

    for name in check.of:
        check_entries(roster.get(name, ()), f"/{name}", check.fields)
    return faults


def priced(check: Priced, roster: Roster) -> list[Fault]:
    """Check that entries state a price of at least `least`, and their purchases a price."""
    faults = []

    def check_entries(entries: Any, where: str, least: int) -> None:
        for index, entry in enumerate(entries):
            points = entry.get("points")
            if points is None or points < least:
                expected = expects("its-price-from", least=least) if least else expects("its-price-even-0")
                faults.append(Fault(f"{where}/{index}/points", display_text(points), expected, check.clause))

    for name in check.of:
        entries = roster.get(name, ())
        check_entries(entries, f"/{name}", check.least)
        for index, entry in enumerate(entries):
            for nested in check.nested:
                inner = entry.get(nested, ())
                check_entries(inner if isinstance(inner, list) else (), f"/{name}/{index}/{nested}", 0)
    return faults


def unused(check: Unused, roster: Roster) -> list[Fault]:
    """Check that entries have no fields of other ways to play the game (FF-SET-5)."""
    return [
        Fault(f"/{name}/{index}/{field}", display_text(entry[field]), expects("not-in-use"), check.clause)
        for name in check.of
        for index, entry in enumerate(roster.get(name, ()))
        for field in check.fields
        if field in entry
    ]


def points_of(entries: Any) -> int:
    """Return the points of all entries, including nested ones."""
    return sum(
        int(entry.get("points", 0)) + sum(points_of(inner) for inner in entry.values() if isinstance(inner, list))
        for entry in entries
    )


Entry = Mapping[str, Any]


def purchases(check: roster_parts.Purchases, roster: Roster) -> list[Fault]:
    """Check the class of each model, and the limit of its purchases (FF-ROS-5)."""
    faults = []
    for where, model in _entries(roster, check.of):
        bought = sum(len(_list(model, kind)) for kind in check.kinds)
        known = str(model.get(check.by, check.unstated)).lower()
        if known not in check.limits:
            text = display_text(model.get(check.by))
            faults.append(Fault(f"{where}/{check.by}", text, one_of(list(check.limits)), check.clause))
        elif bought > check.limits[known]:
            expected = expects("purchases-at-most", most=check.limits[known], fields=check.kinds, kind=known)
            faults.append(Fault(where, f"{bought}", expected, check.clause))
    return faults


def matched(check: roster_parts.Matched, roster: Roster) -> list[Fault]:
    """Check that another list pays for each model of a class; one entry pays for one model (FF-ROS-4)."""
    paid = [str(entry.get("name", "")).lower() for entry in _list(roster, check.paid)]
    faults = []
    for where, model in _entries(roster, check.of):
        if str(model.get(check.by, "")).lower() != check.value:
            continue
        name = str(model.get("name", "")).lower()
        if name in paid:
            paid.remove(name)
            continue
        expected = expects("paid-under", kind=check.value, field=check.paid)
        faults.append(Fault(where, display_text(model.get("name")), expected, check.clause))
    return faults


def perks(check: roster_parts.Perks, roster: Roster) -> list[Fault]:
    """Check that perks may be bought, are bought once, and have the price of their requisite.

    A perk states its requisite and its points. A price in the document overrides them. Source: FF-ROS-6, FF-ROS-7.
    """
    faults: list[Fault] = []
    first: dict[str, str] = {}
    known = {name.lower(): price for name, price in check.prices.items()}
    for where, perk in _nested(roster, check.of, check.nested):
        name, kind, requisite = str(perk.get("name", "")), str(perk.get("kind", "")).lower(), perk.get("requisite")
        if kind == check.barred:
            faults.append(Fault(where, display_text(name), expects("buyable-perk", kind=kind), check.clause))
        if name and name.lower() in first:
            faults.append(Fault(where, name, expects("each-perk-once", place=first[name.lower()]), check.clause))
        first.setdefault(name.lower(), where)
        faults += _price_of_perk(check, where, perk, requisite, known.get(name.lower()))
    return faults


def _price_of_perk(
    check: roster_parts.Perks, where: str, perk: Entry, requisite: object, known: int | None
) -> Iterator[Fault]:
    """Yield faults of a perk's price. `known`: the document's price, if it names one."""
    clause, points = check.cites("doubled" if known is None else "prices"), perk.get("points")
    if type(requisite) is not int or requisite < 1:
        text = display_text(requisite)
        yield Fault(f"{where}/requisite", text, expects("its-requisite"), clause)
    else:
        doubled = str(perk.get("kind", "")).lower() == check.doubled
        price = requisite * (2 if doubled else 1) if known is None else known
        if points is None:
            yield Fault(f"{where}/points", NOTHING, expects("value", value=price), clause)
        elif points != price:
            yield Fault(f"{where}/points", f"{points}", expects("value", value=price), clause)


def upgrades(check: roster_parts.Upgrades, roster: Roster) -> list[Fault]:
    """Check that raised statistics may be raised, are not too high, and are raised once (FF-ROS-9)."""
    faults: list[Fault] = []
    for place, model in _entries(roster, check.of):
        raised: set[str] = set()
        for index, upgrade in enumerate(_list(model, check.nested)):
            where, statistic = f"{place}/{check.nested}/{index}", str(upgrade.get("name", ""))
            if statistic in check.barred:
                faults.append(Fault(f"{where}/name", statistic, one_of(check.choices), check.clause))
            elif statistic not in check.choices:
                faults.append(Fault(f"{where}/name", display_text(statistic), one_of(check.choices), check.clause))
            elif statistic in raised:
                faults.append(Fault(where, statistic, expects("each-statistic-once"), check.clause))
            raised.add(statistic)
            before, after = upgrade.get("from"), upgrade.get("to")
            if type(before) is int and type(after) is int and after <= before:
                faults.append(Fault(f"{where}/to", f"{after}", expects("at-least", least=before + 1), check.clause))
            reached = after if type(after) is int else before + 1 if type(before) is int else None
            if reached is None:
                faults.append(Fault(f"{where}/to", NOTHING, expects("raised-value"), check.clause))
            elif reached > check.most:
                faults.append(Fault(f"{where}/to", f"{reached}", expects("at-most", most=check.most), check.clause))
    return faults


def rated(check: roster_parts.Rated, roster: Roster) -> list[Fault]:
    """Check the Rating of models whose Rating was changed (FF-ROS-13)."""
    if str(roster.get(check.by, "")) != check.value:
        return []
    fixed = {name.lower(): points for name, points in check.points.items()}
    faults = []
    for where, model in _entries(roster, check.of):
        name = str(model.get("name", "")).lower()
        name_with_weapon = f"{name} with {str(model.get('weapon', '')).lower()}"
        expected = fixed.get(name, fixed.get(name_with_weapon))
        if expected is not None and model.get("points", 0) != expected:
            faults.append(
                Fault(f"{where}/points", f"{model.get('points', 0)}", expects("value", value=expected), check.clause)
            )
    return faults


def stated(check: roster_parts.Stated, roster: Roster) -> list[Fault]:
    """Check that the Rating a model states is the sum of its own and of its purchases (FF-ROS-3)."""
    return [
        Fault(
            f"{where}/{check.written}",
            f"{model[check.written]}",
            expects("sum", number=points_of([model])),
            check.clause,
        )
        for where, model in _entries(roster, check.of)
        if check.written in model and model[check.written] != points_of([model])
    ]


def leader(check: roster_parts.Leader, roster: Roster) -> list[Fault]:
    """Check that a model has the perk of a leader, whatever its class (FF-ROS-21)."""
    for _, model in _entries(roster, check.of):
        if check.perk.lower() in {
            str(perk.get("name", "")).lower() for name in check.perks for perk in _list(model, name)
        }:
            return []
    expected = expects("model-with-perk", perk=check.perk, places=either(check.perks))
    return [Fault(f"/{check.of[0]}", NOTHING, expected, check.clause)]


def without(check: roster_parts.Without, roster: Roster) -> list[Fault]:
    """Check that no entry is of a forbidden kind, or (with `advice`) of a useless one (FF-ROS-20)."""
    entries = _nested(roster, check.of, check.nested) if check.nested else _entries(roster, check.of)
    values = {value.lower() for value in check.values}
    expected = expects("another-with-effect") if check.advice else expects("another-allowed", field=check.by)
    return [
        Fault(f"{where}/{check.by}", display_text(entry[check.by]), expected, check.clause)
        for where, entry in entries
        if str(entry.get(check.by, "")).lower() in values
    ]


def among(check: roster_parts.Among, roster: Roster) -> list[Fault]:
    """Check that the origin or kind of entries is one of the choices or the roster's own.

    Source: FF-ROS-10, FF-ROS-12, FF-ROS-19.
    """
    choices = [*check.choices, *([str(roster[check.own])] if roster.get(check.own) else [])]
    choices += check.by_faction.get(str(roster.get("faction", "")), [])
    known = {choice.lower() for choice in choices}
    return [
        Fault(f"{where}/{check.by}", display_text(entry.get(check.by)), one_of(choices), check.clause)
        for where, entry in _entries(roster, check.of)
        if str(entry.get(check.by, "")).lower() not in known
    ]


def _list(entry: Entry, name: str) -> Sequence[Entry]:
    entries = entry.get(name, ())
    return entries if isinstance(entries, list) else ()


def _entries(roster: Roster, names: Sequence[str]) -> Iterator[tuple[str, Entry]]:
    """Yield every entry of these lists with its JSON pointer."""
    for name in names:
        for index, entry in enumerate(_list(roster, name)):
            yield f"/{name}/{index}", entry


def _nested(roster: Roster, names: Sequence[str], nested: str) -> Iterator[tuple[str, Entry]]:
    """Yield every entry of the list `nested` in the entries of these lists, with its JSON pointer."""
    for where, entry in _entries(roster, names):
        for index, inner in enumerate(_list(entry, nested)):
            yield f"{where}/{nested}/{index}", inner
