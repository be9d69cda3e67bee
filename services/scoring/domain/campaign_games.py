"""What is said of a campaign's game: read, completed by what is recorded, checked. FS-REP-1 to FS-REP-4, FS-LGE-1."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from services.scoring.domain.refusals import GameNotReady, StaffOnly
from shared.events.pairing import Seat
from shared.handling.context import By
from shared.refusals import Fault
from shared.rules.campaign import muster as before
from shared.rules.campaign.dice import Thrown, faults_of_people
from shared.rules.campaign.improbable import improbable_in_report
from shared.rules.campaign.refusals import ChoiceRefused, DiceRefused, ReportRefused
from shared.rules.campaign.report import accept_report
from shared.rules.campaign.reported import Deeds, GameReport, Played, SideReport
from shared.rules.campaign.roster import Group
from shared.rules.campaign.tables import Rules
from shared.state.campaign import Mustered
from shared.state.league import (
    DOUBLE_NO_SHOW,
    GAME,
    NO_SHOW,
    groups_of,
    mustered_for,
    report_of,
    round_at_hand,
    staff_here,
)
from shared.state.rounds import Round
from shared.state.ruleset import campaign_of
from shared.state.tournament import Tournament

AT = "/facts/report"
"""Where a report stands in a request."""

Rolling = Callable[[Thrown, str], Thrown]
"""Something done to a roll; called with it and with its place in the report."""


def possible(state: Tournament, round: Round, seat: Seat, facts: Mapping[str, Any], by: By) -> dict[str, Any]:
    """Facts that can be, as events keep them; a report with its sides in the order of the pairing.

    Raises ReportRefused or DiceRefused with every fault and its clause, GameNotReady for what has to be recorded
    before, StaffOnly for what players do not report.
    """
    kind = kind_of(facts, by)
    if kind != GAME:
        return {name: facts[name] for name in ("kind", "conceded_by") if name in facts}
    need_ready(state, round, seat)
    mustered = musters_of(state, seat)
    recorded = {id: (told.face, _judged(mustered, id)) for id, told in mustered.items()}
    report = read_report(facts["report"], seat, by, recorded)
    rules = campaign_of(state.entries, round.number)
    accepted(rules, report, groups_before(state), mustered)
    need_people(state, seat, report)
    return plain_facts(report)


def accepted(
    rules: Rules, report: GameReport, groups: Mapping[str, Group], mustered: Mapping[str, Mustered]
) -> tuple[Played, Played]:
    """The game as each side sees it; a weapon that jammed counts as not carried. Raises ReportRefused. FS-REP-4."""
    carried = {id: _without_jammed(groups[id], told.jammed) for id, told in mustered.items()}
    try:
        return accept_report(rules, report, carried, {id: told.fielded for id, told in mustered.items()})
    except ReportRefused as refused:
        raise ReportRefused(refused.detail, [placed(fault) for fault in refused.faults]) from refused


def improbable(state: Tournament, facts: Mapping[str, Any]) -> list[Fault]:
    """What of a game that is possible goes beyond what the groups, the encounters and the terrain could bring."""
    if facts["kind"] != GAME:
        return []
    rules = campaign_of(state.entries, round_at_hand(state))
    found = improbable_in_report(rules, report_of(facts), groups_before(state))
    return [replace(fault, where=f"/report{fault.where}") for fault in found]


def musters_of(state: Tournament, seat: Seat) -> dict[str, Mustered]:
    """The groups of a game as they were mustered for it."""
    found = {id: mustered_for(state, seat.game, id) for id in seat.players}
    return {id: told for id, told in found.items() if told is not None}


def groups_before(state: Tournament) -> dict[str, Group]:
    """Groups as they were before the game of the round, whether what it brought about has begun or not.

    What one was before a phase that it has left, as after its end, is nothing to this round.
    """
    living, number = groups_of(state), round_at_hand(state)
    phases = {id: group.phase for id, group in living.items()}
    opened = {id for id, phase in phases.items() if phase is not None and phase.round == number}
    return {**living, **{id: group for id, group in state.campaign.before.items() if id in opened}}


def need_ready(state: Tournament, round: Round, seat: Seat) -> None:
    """Raises GameNotReady unless both sides are mustered and every die before the game is rolled."""
    faults = list(faults_of_readiness(state, round, seat))
    if faults:
        raise GameNotReady(f"{seat.game} lacks what comes before it.", faults)


def faults_of_readiness(state: Tournament, round: Round, seat: Seat) -> Iterator[Fault]:
    """What has to be recorded before a game and is not: musters, jams, judgements, objectives. FS-GAM-1 to FS-GAM-5."""
    rules, groups, mustered = campaign_of(state.entries, round.number), groups_before(state), musters_of(state, seat)
    for id, rival in zip(seat.players, reversed(seat.players), strict=True):
        if id not in groups:
            yield Fault(f"/groups/{id}", "not built", "a group with turfs, leader and rating", "FS-GRP-6")
            continue
        known = mustered.get(id)
        if known is None:
            yield Fault(f"/groups/{id}/fielded", "not mustered", "the members who play", "FS-GAM-1")
            continue
        yield from _no_longer_fielded(rules, groups[id], known)
        for item in before.jam_rolls_due(rules, groups[id], known.fielded):
            if item.id not in known.jammed:
                yield Fault(f"/groups/{id}/jams/{item.id}", "not rolled", "1D12 for each ranged weapon", "FS-GAM-3")
        if rival in groups and known.evil is None and before.judges(rules, groups[id], groups[rival]):
            yield Fault(f"/groups/{id}/evil", "not rolled", f"1D12 that judges {rival}", "FS-GAM-4")
        if not known.objective:
            yield Fault(f"/groups/{id}/objective", "not rolled", "1D12", "FS-GAM-5")


def _no_longer_fielded(rules: Rules, group: Group, mustered: Mustered) -> list[Fault]:
    """What of a muster does not hold any more, since goods moved after it. FS-GAM-1, FS-PGP-7."""
    try:
        before.muster(rules, group, mustered.fielded)
    except ChoiceRefused as refused:
        return [replace(fault, where=f"/groups/{group.id}{fault.where}") for fault in refused.faults]
    return []


def read_report(told: Mapping[str, Any], seat: Seat, by: By, recorded: Mapping[str, tuple[int, bool]]) -> GameReport:
    """A report as the rules know it; its rolls have no ids yet, and are by whoever reports where nobody else is named.

    recorded: group -> the face of its objective, and whether it was judged evil. Raises ReportRefused.
    """
    plain = {**told, "sides": [dict(side) for side in told.get("sides", ())]}
    plain["sides"].sort(key=lambda side: seat.players.index(side["group"]) if side["group"] in seat.players else 2)
    groups = [side["group"] for side in plain["sides"]]
    if groups != list(seat.players):
        wanted = f"{seat.player_1} and {seat.player_2}, each once"
        fault = Fault(f"{AT}/sides", " and ".join(groups) or "none", wanted, "FS-REP-1")
        raise ReportRefused("The report is of other groups than the game.", [fault])
    faults = list(_other_than_recorded(told["sides"], recorded))
    if faults:
        raise ReportRefused("What was rolled before the game stands.", faults)
    for side in plain["sides"]:
        side["objective"], side["evil"] = recorded[side["group"]]
    try:
        report = msgspec.convert(_with_ids(plain), GameReport)
    except msgspec.ValidationError as error:
        raise ReportRefused("This is no report.", [Fault(AT, str(error), "a report of both sides")]) from error
    return with_rolls(report, lambda roll, where: roll if roll.rolled_by else replace(roll, rolled_by=by.player))


def _other_than_recorded(
    sides: Sequence[Mapping[str, Any]], recorded: Mapping[str, tuple[int, bool]]
) -> Iterator[Fault]:
    """What a report says of dice before the game, if it does, is what was recorded. FS-GAM-4, FS-GAM-5."""
    for place, side in enumerate(sides):
        objective, evil = recorded[side["group"]]
        for name, was, clause in (("objective", objective, "FS-GAM-5"), ("evil", evil, "FS-GAM-4")):
            if name in side and side[name] != was:
                said = str(side[name]).lower()
                yield Fault(f"{AT}/sides/{place}/{name}", said, f"{str(was).lower()}, as recorded", clause)


def with_rolls(report: GameReport, change: Rolling) -> GameReport:
    """The report with something done to each roll in it, in a fixed order: the end, then side by side."""
    end = None if report.end_roll is None else change(report.end_roll, "/end_roll")
    first, second = (_rolls_of_side(side, change, f"/sides/{number}") for number, side in enumerate(report.sides))
    return replace(report, end_roll=end, sides=(first, second))


def need_people(state: Tournament, seat: Seat, report: GameReport) -> None:
    """Raises DiceRefused for rolls by, or before, people who were not there. FS-AUD-1."""
    present = {*seat.players, *staff_here(state)}
    faults: list[Fault] = []

    def look(roll: Thrown, where: str) -> Thrown:
        faults.extend(_people(roll, where, present))
        return roll

    with_rolls(report, look)
    if faults:
        raise DiceRefused("A roll at the table has a roller and a witness who were there.", faults)


def plain_facts(report: GameReport) -> dict[str, Any]:
    """The facts of a game as events keep them, and as they are read from one again."""
    plain: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(report))
    return {"kind": GAME, "report": plain}


def kind_of(facts: Mapping[str, Any], by: By) -> str:
    """The kind of facts, which have the members of that kind and no others. Raises ReportRefused, StaffOnly."""
    kind = facts.get("kind", GAME)
    wanted = {GAME: {"report"}, NO_SHOW: {"conceded_by"}, DOUBLE_NO_SHOW: set()}
    if kind not in wanted:
        fault = Fault("/facts/kind", str(kind), "one of: " + ", ".join(wanted), "FS-LGE-1")
        raise ReportRefused(f"A campaign knows no {kind}.", [fault])
    given = facts.keys() - {"kind"}
    faults = [
        Fault(f"/facts/{name}", "given", f"nothing in a {kind}", "FS-REP-1") for name in sorted(given - wanted[kind])
    ]
    faults += [
        Fault(f"/facts/{name}", "nothing", f"what a {kind} is told by", "FS-REP-1")
        for name in sorted(wanted[kind] - given)
    ]
    if faults:
        raise ReportRefused(f"These are not the facts of a {kind}.", faults)
    if kind != GAME and not by.staff:
        raise StaffOnly(f"A {kind.replace('_', '-')} is recorded by staff.")
    return str(kind)


def _judged(mustered: Mapping[str, Mustered], id: str) -> bool:
    """Whether the rival's die made a group evil in this game. FS-GAM-4."""
    return any(bool(told.evil) for rival, told in mustered.items() if rival != id)


def _without_jammed(group: Group, jammed: Mapping[str, bool]) -> Group:
    items = tuple(replace(item, holder="") if jammed.get(item.id) else item for item in group.items)
    return replace(group, items=items)


def _with_ids(told: Any) -> Any:
    """What a client says of rolls is without ids, which they get when the result binds."""
    if isinstance(told, Mapping):
        more = {"id": ""} if "dice" in told else {}
        return {**{name: _with_ids(value) for name, value in told.items() if value is not None}, **more}
    return [_with_ids(one) for one in told] if isinstance(told, list) else told


def _rolls_of_side(side: SideReport, change: Rolling, where: str) -> SideReport:
    members = tuple(_rolls_of(deeds, change, f"{where}/members/{index}") for index, deeds in enumerate(side.members))
    searches = tuple(
        replace(
            found,
            roll=change(found.roll, f"{where}/searches/{index}/roll"),
            amount=found.amount and change(found.amount, f"{where}/searches/{index}/amount"),
        )
        for index, found in enumerate(side.searches)
    )
    freed = tuple(
        replace(one, roll=change(one.roll, f"{where}/freed/{index}/roll")) for index, one in enumerate(side.freed)
    )
    return replace(side, members=members, searches=searches, freed=freed)


def _rolls_of(deeds: Deeds, change: Rolling, where: str) -> Deeds:
    doses = tuple(
        replace(dose, roll=change(dose.roll, f"{where}/doses/{index}/roll")) for index, dose in enumerate(deeds.doses)
    )
    injury = None if deeds.injury is None else change(deeds.injury, f"{where}/injury")
    return replace(deeds, doses=doses, injury=injury)


def _people(roll: Thrown, where: str, present: Collection[str]) -> list[Fault]:
    found = faults_of_people(roll, present)
    return [replace(fault, where=AT + where + fault.where.removeprefix("/roll")) for fault in found]


def placed(fault: Fault) -> Fault:
    """A fault of a report where it stands in a request."""
    return replace(fault, where=AT + fault.where)


def sides_of(report: GameReport) -> Iterator[tuple[SideReport, SideReport]]:
    """Each side with its rival."""
    return zip(report.sides, reversed(report.sides), strict=True)
