"""Checks of single models in a crew: what each may buy, at which price, and who leads."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from shared.formats.swiss.rules import roster_parts as parts
from shared.formats.swiss.rules.roster_checks import points_of
from shared.refusals import NOTHING, Fault, as_said, either, expects, one_of

Roster = Mapping[str, Any]
Entry = Mapping[str, Any]


def purchases(check: parts.Purchases, roster: Roster) -> list[Fault]:
    """Models of an unknown class, and those that bought more than their class may. FF-ROS-5."""
    faults = []
    for where, model in _entries(roster, check.of):
        bought = sum(len(_list(model, kind)) for kind in check.kinds)
        known = str(model.get(check.by, check.unstated)).lower()
        if known not in check.limits:
            said = as_said(model.get(check.by))
            faults.append(Fault(f"{where}/{check.by}", said, one_of(list(check.limits)), check.clause))
        elif bought > check.limits[known]:
            expected = expects("purchases-at-most", most=check.limits[known], fields=check.kinds, kind=known)
            faults.append(Fault(where, f"{bought}", expected, check.clause))
    return faults


def matched(check: parts.Matched, roster: Roster) -> list[Fault]:
    """Models of a class that is paid for in another list and are not in it; of two of one name the second. FF-ROS-4."""
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
        faults.append(Fault(where, as_said(model.get("name")), expected, check.clause))
    return faults


def perks(check: parts.Perks, roster: Roster) -> list[Fault]:
    """Perks that cannot be bought, that were bought before, and whose price is not that of their requisite.

    A perk says its requisite and its points; where the document names a price, that one holds whatever is said.
    Source: FF-ROS-6, FF-ROS-7.
    """
    faults: list[Fault] = []
    first: dict[str, str] = {}
    known = {name.lower(): price for name, price in check.prices.items()}
    for where, perk in _nested(roster, check.of, check.nested):
        name, kind, requisite = str(perk.get("name", "")), str(perk.get("kind", "")).lower(), perk.get("requisite")
        if kind == check.barred:
            faults.append(Fault(where, as_said(name), expects("buyable-perk", kind=kind), check.clause))
        if name and name.lower() in first:
            faults.append(Fault(where, name, expects("each-perk-once", place=first[name.lower()]), check.clause))
        first.setdefault(name.lower(), where)
        faults += _price_of_perk(check, where, perk, requisite, known.get(name.lower()))
    return faults


def _price_of_perk(
    check: parts.Perks, where: str, perk: Entry, requisite: object, known: int | None
) -> Iterator[Fault]:
    """What is wrong with what a perk says that it costs. known: the price that the document names, if it does."""
    clause, points = check.cites("doubled" if known is None else "prices"), perk.get("points")
    if type(requisite) is not int or requisite < 1:
        said = as_said(requisite)
        yield Fault(f"{where}/requisite", said, expects("its-requisite"), clause)
    else:
        doubled = str(perk.get("kind", "")).lower() == check.doubled
        price = requisite * (2 if doubled else 1) if known is None else known
        if points is None:
            yield Fault(f"{where}/points", NOTHING, expects("value", value=price), clause)
        elif points != price:
            yield Fault(f"{where}/points", f"{points}", expects("value", value=price), clause)


def upgrades(check: parts.Upgrades, roster: Roster) -> list[Fault]:
    """Statistics that cannot be raised, that are raised too high, twice, or not at all. FF-ROS-9."""
    faults: list[Fault] = []
    for place, model in _entries(roster, check.of):
        raised: set[str] = set()
        for index, upgrade in enumerate(_list(model, check.nested)):
            where, statistic = f"{place}/{check.nested}/{index}", str(upgrade.get("name", ""))
            if statistic in check.barred:
                faults.append(Fault(f"{where}/name", statistic, one_of(check.choices), check.clause))
            elif statistic not in check.choices:
                faults.append(Fault(f"{where}/name", as_said(statistic), one_of(check.choices), check.clause))
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


def rated(check: parts.Rated, roster: Roster) -> list[Fault]:
    """Models whose Rating is not the one that was set anew. FF-ROS-13."""
    if str(roster.get(check.by, "")) != check.value:
        return []
    fixed = {name.lower(): points for name, points in check.points.items()}
    faults = []
    for where, model in _entries(roster, check.of):
        name = str(model.get("name", "")).lower()
        armed = f"{name} with {str(model.get('weapon', '')).lower()}"
        due = fixed.get(name, fixed.get(armed))
        if due is not None and model.get("points", 0) != due:
            faults.append(
                Fault(f"{where}/points", f"{model.get('points', 0)}", expects("value", value=due), check.clause)
            )
    return faults


def stated(check: parts.Stated, roster: Roster) -> list[Fault]:
    """Models that state another Rating than the sum of their own and what they bought. FF-ROS-3."""
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


def leader(check: parts.Leader, roster: Roster) -> list[Fault]:
    """Nobody with the perk of a leader, whatever their class. FF-ROS-21."""
    for _, model in _entries(roster, check.of):
        if check.perk.lower() in {
            str(perk.get("name", "")).lower() for name in check.perks for perk in _list(model, name)
        }:
            return []
    expected = expects("model-with-perk", perk=check.perk, places=either(check.perks))
    return [Fault(f"/{check.of[0]}", NOTHING, expected, check.clause)]


def without(check: parts.Without, roster: Roster) -> list[Fault]:
    """Entries of a kind that is not allowed, or (with `advice`) of no use. FF-ROS-20."""
    found = _nested(roster, check.of, check.nested) if check.nested else _entries(roster, check.of)
    values = {value.lower() for value in check.values}
    expected = expects("another-with-effect") if check.advice else expects("another-allowed", field=check.by)
    return [
        Fault(f"{where}/{check.by}", as_said(entry[check.by]), expected, check.clause)
        for where, entry in found
        if str(entry.get(check.by, "")).lower() in values
    ]


def among(check: parts.Among, roster: Roster) -> list[Fault]:
    """Entries of another origin or kind than the choices and the roster's own. FF-ROS-10, FF-ROS-12, FF-ROS-19."""
    choices = [*check.choices, *([str(roster[check.own])] if roster.get(check.own) else [])]
    choices += check.by_faction.get(str(roster.get("faction", "")), [])
    known = {choice.lower() for choice in choices}
    return [
        Fault(f"{where}/{check.by}", as_said(entry.get(check.by)), one_of(choices), check.clause)
        for where, entry in _entries(roster, check.of)
        if str(entry.get(check.by, "")).lower() not in known
    ]


def _list(entry: Entry, name: str) -> Sequence[Entry]:
    found = entry.get(name, ())
    return found if isinstance(found, list) else ()


def _entries(roster: Roster, names: Sequence[str]) -> Iterator[tuple[str, Entry]]:
    """Every entry of these lists with its JSON pointer."""
    for name in names:
        for index, entry in enumerate(_list(roster, name)):
            yield f"/{name}/{index}", entry


def _nested(roster: Roster, names: Sequence[str], nested: str) -> Iterator[tuple[str, Entry]]:
    """Every entry of the list `nested` inside the entries of these lists."""
    for where, entry in _entries(roster, names):
        for index, inner in enumerate(_list(entry, nested)):
            yield f"{where}/{nested}/{index}", inner
