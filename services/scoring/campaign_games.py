"""Games of a campaign: muster, rolls before the game, validation of reports.

FS-GAM-1 to FS-GAM-5, FS-REP-1 to FS-REP-4, FS-LGE-1.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any

import msgspec
from msgspec.structs import replace

from services.scoring.campaign_dice import AT, require_present_people, with_rolls
from services.scoring.campaign_reports import MAX_MEMBERS
from services.scoring.campaign_rounds import GroupUnknown, RoundDecision
from services.scoring.guards import NotYourGame, StaffOnly, named, open_game
from services.scoring.results import ResultExists
from shared.campaign import muster
from shared.campaign.dice import SERVICE, RollPurpose, RollTold, Thrown, dice_or_nothing
from shared.campaign.facts import GameReport, Played, SideReport, Sides, rivals_of
from shared.campaign.league import DOUBLE_NO_SHOW, GAME, NO_SHOW, groups_before, mustered_for, sides_of
from shared.campaign.proven import OF_MEMBER, OF_SIDE, with_proven
from shared.campaign.report import accept_report
from shared.campaign.roster import Group
from shared.campaign.state import CAMPAIGN, Mustered, rules_at
from shared.campaign.tables import Rules
from shared.campaign.words import ChoiceRefused, ReportRefused, StepRefused
from shared.log.event import Event
from shared.refusals import Fault, Refusal, display_text, expects, one_of
from shared.rules.checks import faults_of_shape
from shared.shapes import Command, Id, Size
from shared.tournament.guards import By, Context
from shared.tournament.rounds import Round, Seat
from shared.tournament.state import Tournament


class MusterGroup(Command, frozen=True, kw_only=True):
    """Muster a group for a game. fielded: the members who play."""

    game: Id
    group: Id = ""
    fielded: Annotated[list[Id], Size(MAX_MEMBERS)]


class RollJams(Command, frozen=True, kw_only=True):
    """Roll whether ranged weapons jam.

    item: the weapon of the roll. Empty: the service rolls for all weapons that are due.
    """

    game: Id
    group: Id = ""
    item: Id = ""
    roll: RollTold | None = None


class JudgeEvil(Command, frozen=True, kw_only=True):
    """Roll whether a rival counts as evil. rival: empty: the first one that is not judged yet."""

    game: Id
    group: Id = ""
    rival: Id = ""
    roll: RollTold | None = None


class RollObjective(Command, frozen=True, kw_only=True):
    """Roll the objective of a group. roll: at the table; null: the service rolls."""

    game: Id
    group: Id = ""
    roll: RollTold | None = None


SideCommand = MusterGroup | RollJams | JudgeEvil | RollObjective


class GameSide:
    """A group before its game, and the decision about it."""

    def __init__(self, state: Tournament, command: SideCommand, context: Context, cause: str) -> None:
        """Raise GameUnknown, NotYourGame, GroupUnknown, ResultExists, StepRefused."""
        _, self.seat = open_game(state, command.game)
        self.id = _side_of(self.seat, command.group, context)
        earlier = state.results.results.get(command.game)
        if earlier is not None:
            raise ResultExists(f"{command.game} is {earlier.status}; its preparation is over.", status=earlier.status)
        self.builder = RoundDecision(state, context, cause)
        self.group = self.builder.find_group(self.id)
        self.rivals = rivals_of(sides_of(self.seat), self.id)
        if self.group.phase is not None:
            phase = self.group.phase
            expected = expects("group-past-phase", step=phase.step, round=phase.round)
            fault = Fault("/group", self.id, expected, "FS-RND-1")
            raise StepRefused("The group is still in its post-game phase.", [fault], open=phase.step)
        self.mustered = mustered_for(state, command.game, self.id)

    def require_muster(self) -> Mustered:
        """Return the muster of the group for this game. Raises NotMustered."""
        if self.mustered is None:
            fault = Fault("/group", self.id, expects("mustered-group"), "FS-GAM-1")
            raise NotMustered(f"{self.id} has not said who plays in {self.seat.game}.", [fault])
        return self.mustered


def muster_group(state: Tournament, command: MusterGroup, context: Context) -> Sequence[Event]:
    """Decide MusterGroup. A later muster replaces the earlier one. After dice were rolled for it, only staff change it.

    Raises AlreadyRolled, ChoiceRefused, and the exceptions of `GameSide`. Source: FS-GAM-1, FS-GAM-2.
    """
    side = GameSide(state, command, context, "muster")
    earlier = side.mustered
    fielded = tuple(command.fielded)
    if earlier is not None and earlier.fielded == fielded:
        return []
    if earlier is not None and not context.by.staff and (earlier.jammed or earlier.objective or earlier.judged):
        raise AlreadyRolled("Dice were rolled for this muster; only staff can change it now.", result="mustered")
    outcome = muster.muster(side.builder.rules, side.group, fielded)
    side.builder.record(replace(outcome, game=side.seat.game), group=side.id)
    return side.builder.finish()


def roll_jams(state: Tournament, command: RollJams, context: Context) -> Sequence[Event]:
    """Decide RollJams (FS-GAM-3). Raises NotMustered, AlreadyRolled, ChoiceRefused, DiceRefused."""
    side = GameSide(state, command, context, "jam")
    mustered = side.require_muster()
    rules, builder = side.builder.rules, side.builder
    if command.item in mustered.jammed:
        outcome = "jammed" if mustered.jammed[command.item] else "works"
        raise AlreadyRolled(f"The die for {command.item} has been rolled.", result=outcome)
    due = [item.id for item in muster.jam_rolls_due(rules, side.group, mustered.fielded)]
    items = [command.item] if command.item else [item for item in due if item not in mustered.jammed]
    dice_source = builder.dice_source(builder.people_at(side.id), roller=context.by.player)
    for item in items:
        given = (command.roll if command.item else None) or SERVICE
        thrown = dice_source.throw(given, "1D12", RollPurpose(side.id, "FS-GAM-3", item), where="/roll")
        builder.record(*muster.roll_jam(rules, side.group, mustered.fielded, item, thrown), group=side.id)
    return builder.finish() if items else []


def judge_evil(state: Tournament, command: JudgeEvil, context: Context) -> Sequence[Event]:
    """Decide JudgeEvil (FS-GAM-4). Raises NotMustered, GroupUnknown, AlreadyRolled, ChoiceRefused, DiceRefused."""
    side = GameSide(state, command, context, "evil")
    judged, rules = side.require_muster().judged, side.builder.rules
    rivals = {id: side.builder.find_group(id) for id in side.rivals}
    if command.rival and command.rival not in rivals:
        fault = Fault("/rival", command.rival, expects("rival-of-game", rivals=list(rivals)), "FS-GAM-4")
        raise GroupUnknown(f"{command.rival} is no rival of {side.id} in {side.seat.game}.", [fault])
    due = [id for id in rivals if id not in judged and muster.judges(rules, side.group, rivals[id])]
    rival = command.rival or next(iter([*due, *judged, *rivals]))
    if rival in judged:
        raise AlreadyRolled(f"{rival} has been judged already.", result="evil" if judged[rival] else "not evil")
    thrown = _throw(side, command.roll, context, RollPurpose(side.id, "FS-GAM-4", rival))
    side.builder.record(*muster.judge_evil(rules, side.group, rivals[rival], thrown), group=side.id)
    return side.builder.finish()


def roll_objective(state: Tournament, command: RollObjective, context: Context) -> Sequence[Event]:
    """Decide RollObjective (FS-GAM-5). Raises NotMustered, AlreadyRolled, DiceRefused."""
    side = GameSide(state, command, context, "objective")
    mustered = side.require_muster()
    if mustered.objective and not _is_rejected(state, side, "FS-GAM-5"):
        raise AlreadyRolled("The objective has been rolled.", result=mustered.objective)
    thrown = _throw(side, command.roll, context, RollPurpose(side.id, "FS-GAM-5"))
    side.builder.record(*muster.roll_objective(side.builder.rules, thrown), group=side.id)
    return side.builder.finish()


def _is_rejected(state: Tournament, side: GameSide, purpose: str) -> bool:
    """Return True if staff rejected the last roll of a group for this purpose; it is then made again (FS-AUD-1)."""
    campaign, round = CAMPAIGN.of(state), side.builder.round
    rolls = [roll for roll in campaign.dice.rolls.values() if (roll.group, roll.round) == (side.id, round)]
    last = max((roll for roll in rolls if roll.purpose == purpose), key=lambda roll: roll.position, default=None)
    return last is not None and last.roll in campaign.rejected_dice()


def _throw(side: GameSide, given: RollTold | None, context: Context, purpose: RollPurpose) -> Thrown:
    dice_source = side.builder.dice_source(side.builder.people_at(side.id), roller=context.by.player)
    return dice_source.throw(given or SERVICE, "1D12", purpose, where="/roll")


def _side_of(seat: Seat, group: str, context: Context) -> str:
    """Return the group that a command is about. Raises GroupUnknown, NotYourGame."""
    by = context.by
    if not by.staff and by.player not in seat.players:
        raise NotYourGame(f"{seat.game} is a game of {named(seat)}.")
    id = group or by.player
    if id not in seat.players:
        fault = Fault("/group", id or "nothing", one_of(seat.players), "FS-GAM-1")
        raise GroupUnknown(f"{seat.game} is played by {named(seat)}.", [fault])
    if not by.staff and id != by.player:
        raise NotYourGame(f"{id} is not the group of {by.player}.")
    return id


def musters_of_game(state: Tournament, seat: Seat) -> dict[str, Mustered]:
    """Return the musters of a game, by group."""
    musters = {id: mustered_for(state, seat.game, id) for id in seat.players}
    return {id: mustered for id, mustered in musters.items() if mustered is not None}


def _require_ready(state: Tournament, round: Round, seat: Seat) -> None:
    """Raise GameNotReady unless all groups are mustered and all rolls before the game are made."""
    faults = list(faults_of_readiness(state, round, seat))
    if faults:
        raise GameNotReady(f"The preparation of {seat.game} is not complete.", faults)


def faults_of_readiness(state: Tournament, round: Round, seat: Seat) -> Iterator[Fault]:
    """Yield a fault for each missing muster, jam roll, judgement or objective (FS-GAM-1 to FS-GAM-5)."""
    rules, groups, mustered = rules_at(state.entries, round.number), groups_before(state), musters_of_game(state, seat)
    for id in seat.players:
        if id not in groups:
            yield Fault(f"/groups/{id}", "nothing", expects("complete-group"), "FS-GRP-6")
            continue
        recorded = mustered.get(id)
        if recorded is None:
            yield Fault(f"/groups/{id}/fielded", "nothing", expects("members-who-play"), "FS-GAM-1")
            continue
        yield from _faults_of_muster(rules, groups[id], recorded)
        for item in muster.jam_rolls_due(rules, groups[id], recorded.fielded):
            if item.id not in recorded.jammed:
                expected = expects("roll-for-each-ranged-weapon", dice="1D12")
                yield Fault(f"/groups/{id}/jams/{item.id}", "nothing", expected, "FS-GAM-3")
        for rival in rivals_of(sides_of(seat), id):
            if rival in groups and rival not in recorded.judged and muster.judges(rules, groups[id], groups[rival]):
                expected = expects("roll-that-judges", dice="1D12", rival=rival)
                yield Fault(f"/groups/{id}/evil", "nothing", expected, "FS-GAM-4")
        if not recorded.objective:
            yield Fault(f"/groups/{id}/objective", "nothing", dice_or_nothing("1D12"), "FS-GAM-5")


def _faults_of_muster(rules: Rules, group: Group, mustered: Mustered) -> list[Fault]:
    """Return the faults of a muster that is no longer legal because goods moved (FS-GAM-1, FS-PGP-7)."""
    try:
        muster.muster(rules, group, mustered.fielded)
    except ChoiceRefused as refused:
        return [replace(fault, where=f"/groups/{group.id}{fault.where}") for fault in refused.faults]
    return []


PreGameMembers = dict[str, Any]
"""Members of a side's report that were rolled before the game: objective, evil, evil_to."""


def possible_facts(
    state: Tournament, round: Round, seat: Seat, facts: Mapping[str, Any], by: By, first_report: bool = False
) -> dict[str, Any]:
    """Return validated facts as they are recorded, with sides in the order of the pairing.

    Raises ReportRefused or DiceRefused with every fault and its clause, GameNotReady, StaffOnly.
    """
    kind = kind_of(facts, seat, by)
    if kind != GAME:
        return {name: facts[name] for name in ("kind", "conceded_by") if name in facts}
    _require_ready(state, round, seat)
    mustered = musters_of_game(state, seat)
    recorded = {id: _pre_game_members(seat, mustered, id) for id in seat.players}
    report = read_report(facts["report"], seat, by, recorded)
    rules, groups, sides = rules_at(state.entries, round.number), groups_before(state), sides_of(seat)
    accept(rules, report, groups, mustered, sides)
    carried = {id: _without_jammed(groups[id], muster.jammed) for id, muster in mustered.items()}
    completed, faults = with_proven(rules, report, carried, sides, _said(facts["report"]))
    if faults:
        raise ReportRefused("the report proves more than it says", [placed(fault) for fault in faults])
    accept(rules, completed, groups, mustered, sides)
    require_present_people(state, seat, completed)
    return plain_facts(completed)


def _said(given: Mapping[str, Any]) -> set[tuple[str, str, str]]:
    """Return the values of a report that it contains itself, of those that it may prove."""
    said = set()
    for side in given["sides"]:
        said |= {(side["group"], "", name) for name in OF_SIDE if name in side}
        for deeds in side.get("members", ()):
            said |= {(side["group"], deeds["member"], name) for name in OF_MEMBER if name in deeds}
    return said


def accept(
    rules: Rules, report: GameReport, groups: Mapping[str, Group], mustered: Mapping[str, Mustered], sides: Sides
) -> tuple[Played, ...]:
    """Return the game from the view of each group (FS-REP-4). Jammed weapons count as not carried.

    Raises ReportRefused.
    """
    carried = {id: _without_jammed(groups[id], muster.jammed) for id, muster in mustered.items()}
    try:
        return accept_report(rules, report, carried, {id: muster.fielded for id, muster in mustered.items()}, sides)
    except ReportRefused as refused:
        raise ReportRefused(refused.detail, [placed(fault) for fault in refused.faults]) from refused


def read_report(given: Mapping[str, Any], seat: Seat, by: By, recorded: Mapping[str, PreGameMembers]) -> GameReport:
    """Return a parsed report. Its rolls have no ids yet. The reporter is the default roller.

    recorded: group -> members that were rolled before the game. Raises ReportRefused.
    """
    plain = {**given, "sides": [dict(side) for side in given.get("sides", ())]}
    order = {player: place for place, player in enumerate(seat.players)}
    plain["sides"].sort(key=lambda side: order.get(side["group"], len(order)))
    groups = [side["group"] for side in plain["sides"]]
    if groups != list(seat.players):
        expected = expects("groups-each-once", groups=list(seat.players))
        fault = Fault(f"{AT}/sides", ", ".join(groups) or "nothing", expected, "FS-REP-1")
        raise ReportRefused("The report names other groups than those of the game.", [fault])
    faults = list(_faults_of_pre_game_members(given["sides"], recorded))
    if faults:
        raise ReportRefused("What was rolled before the game can no longer change.", faults)
    for side in plain["sides"]:
        side |= recorded[side["group"]]
    completed = _with_ids(plain)
    try:
        report = msgspec.convert(completed, GameReport)
    except msgspec.ValidationError as error:
        faults = [placed(fault) for fault in faults_of_shape(completed, GameReport)]
        faults = faults or [Fault(AT, display_text(given), expects("report-of-game"))]
        raise ReportRefused(f"This is not a report of the game: {error}", faults) from error
    return with_rolls(
        report, lambda roll, purpose, where: roll if roll.rolled_by else replace(roll, rolled_by=by.player)
    )


def pre_game_members(side: SideReport) -> PreGameMembers:
    """Return the members of a side's report that were rolled before the game."""
    return {"objective": side.objective, "evil": side.evil, "evil_to": list(side.evil_to)}


def _pre_game_members(seat: Seat, mustered: Mapping[str, Mustered], id: str) -> PreGameMembers:
    """Return the members that were rolled before the game (FS-GAM-4, FS-GAM-5)."""
    rivals = rivals_of(sides_of(seat), id)
    judges = [rival for rival in rivals if mustered[rival].judged.get(id)]
    return {
        "objective": mustered[id].face,
        "evil": bool(judges),
        "evil_to": judges if len(rivals) > 1 else [],
    }


def _faults_of_pre_game_members(
    sides: Sequence[Mapping[str, Any]], recorded: Mapping[str, PreGameMembers]
) -> Iterator[Fault]:
    """Yield a fault for each member that differs from what was rolled before the game (FS-GAM-4, FS-GAM-5)."""
    for place, side in enumerate(sides):
        for name, was in recorded[side["group"]].items():
            clause = "FS-GAM-5" if name == "objective" else "FS-GAM-4"
            if name in side and side[name] != was:
                value = str(side[name]).lower()
                expected = expects("value-as-recorded", value=str(was).lower())
                yield Fault(f"{AT}/sides/{place}/{name}", value, expected, clause)


def plain_facts(report: GameReport) -> dict[str, Any]:
    """Return the facts of a report as they are recorded."""
    plain: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(report))
    return {"kind": GAME, "report": plain}


def kind_of(facts: Mapping[str, Any], seat: Seat, by: By) -> str:
    """Return the kind of facts. Raises ReportRefused for missing or extra members, StaffOnly."""
    kind = facts.get("kind", GAME)
    members = {GAME: {"report"}, NO_SHOW: {"conceded_by"}, DOUBLE_NO_SHOW: set()}
    if kind not in members:
        fault = Fault("/facts/kind", str(kind), one_of(list(members)), "FS-LGE-1")
        raise ReportRefused(f"A campaign has no result of the kind {kind}.", [fault])
    given = facts.keys() - {"kind"}
    faults = [
        Fault(f"/facts/{name}", display_text(facts[name]), expects("nothing-in-kind", kind=kind), "FS-REP-1")
        for name in sorted(given - members[kind])
    ]
    faults += [
        Fault(f"/facts/{name}", "nothing", expects("needed-in-kind", kind=kind), "FS-REP-1")
        for name in sorted(members[kind] - given)
    ]
    if not faults and facts.get("conceded_by", 1) > len(seat.players):
        expected = expects("place-of-group", most=len(seat.players), groups=list(seat.players))
        faults = [Fault("/facts/conceded_by", f"{facts['conceded_by']}", expected, "FS-LGE-1")]
    if faults:
        raise ReportRefused(f"These are not the facts of a {kind}.", faults)
    if kind != GAME and not by.staff:
        raise StaffOnly(f"A {kind.replace('_', '-')} is recorded by staff.")
    return str(kind)


def _without_jammed(group: Group, jammed: Mapping[str, bool]) -> Group:
    items = tuple(replace(item, holder="") if jammed.get(item.id) else item for item in group.items)
    return replace(group, items=items)


def _with_ids(value: Any) -> Any:
    """Return a value with an empty id in each roll. Rolls get their ids when the result binds."""
    if isinstance(value, Mapping):
        id = {"id": ""} if "dice" in value else {}
        return {**{name: _with_ids(member) for name, member in value.items() if member is not None}, **id}
    return [_with_ids(item) for item in value] if isinstance(value, list) else value


def placed(fault: Fault) -> Fault:
    """Return a fault of a report with its place in the request."""
    return replace(fault, where=AT + fault.where)


class AlreadyRolled(Refusal):
    """The dice were already rolled; data: `result`."""

    code = "already-rolled"


class NotMustered(Refusal):
    """The group is not mustered for this game."""

    code = "not-mustered"


class GameNotReady(Refusal):
    """Something must be recorded before the game; the faults name it."""

    code = "game-not-ready"
