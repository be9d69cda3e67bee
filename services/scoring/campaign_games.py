"""Games of a campaign: mustered, rolled for, reported and checked.

FS-GAM-1 to FS-GAM-5, FS-REP-1 to FS-REP-4, FS-LGE-1.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any

import msgspec
from msgspec.structs import replace

from services.scoring.campaign_dice import AT, need_people, with_rolls
from services.scoring.campaign_reports import MOST_MEMBERS
from services.scoring.campaign_rounds import GroupUnknown, RoundDecision
from services.scoring.guards import NotYourGame, StaffOnly, named, open_game
from services.scoring.results import ResultExists
from shared.campaign import muster
from shared.campaign import muster as before
from shared.campaign.dice import SERVICE, RollPurpose, RollTold, Throw, dice_or_nothing
from shared.campaign.facts import GameReport, Played, SideReport, Sides, rivals_of
from shared.campaign.league import DOUBLE_NO_SHOW, GAME, NO_SHOW, groups_before, mustered_for, sides_of
from shared.campaign.report import accept_report
from shared.campaign.roster import Group
from shared.campaign.state import Mustered, rules_at
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
    """The members who play; the others stay at home."""

    game: Id
    group: Id = ""
    fielded: Annotated[list[Id], Size(MOST_MEMBERS)]


class RollJams(Command, frozen=True, kw_only=True):
    """item: the weapon that the roll is for; left out, the service rolls for each that is still due."""

    game: Id
    group: Id = ""
    item: Id = ""
    roll: RollTold | None = None


class JudgeEvil(Command, frozen=True, kw_only=True):
    """rival: whom the roll judges; left out, the first that is still to be judged."""

    game: Id
    group: Id = ""
    rival: Id = ""
    roll: RollTold | None = None


class RollObjective(Command, frozen=True, kw_only=True):
    """roll: at the table; left out, the service rolls."""

    game: Id
    group: Id = ""
    roll: RollTold | None = None


OfSide = MusterGroup | RollJams | JudgeEvil | RollObjective


class Side:
    """One side of a game that is still to be played, and the decision about it as it goes along."""

    def __init__(self, state: Tournament, command: OfSide, context: Context, cause: str) -> None:
        """Raises GameUnknown, NotYourGame, GroupUnknown, ResultExists, StepRefused."""
        _, self.seat = open_game(state, command.game)
        self.id = _side_of(self.seat, command.group, context)
        known = state.results.results.get(command.game)
        if known is not None:
            raise ResultExists(f"{command.game} is {known.status}; its preparation is over.", status=known.status)
        self.builder = RoundDecision(state, context, cause)
        self.group = self.builder.known(self.id)
        self.rivals = rivals_of(sides_of(self.seat), self.id)
        if self.group.phase is not None:
            phase = self.group.phase
            expected = expects("group-past-phase", step=phase.step, round=phase.round)
            fault = Fault("/group", self.id, expected, "FS-RND-1")
            raise StepRefused("The group is still in its post-game phase.", [fault], open=phase.step)
        self.mustered = mustered_for(state, command.game, self.id)

    def need_mustered(self) -> Mustered:
        """The group as it was mustered for this game. Raises NotMustered."""
        if self.mustered is None:
            fault = Fault("/group", self.id, expects("mustered-group"), "FS-GAM-1")
            raise NotMustered(f"{self.id} has not said who plays in {self.seat.game}.", [fault])
        return self.mustered


def muster_group(state: Tournament, command: MusterGroup, context: Context) -> Sequence[Event]:
    """Who plays. Said anew it holds instead, until dice were rolled for it; after that by staff, and they roll again.

    Source: FS-GAM-1, FS-GAM-2.
    """
    side = Side(state, command, context, "muster")
    known = side.mustered
    fielded = tuple(command.fielded)
    if known is not None and known.fielded == fielded:
        return []
    if known is not None and not context.by.staff and (known.jammed or known.objective or known.judged):
        raise AlreadyRolled("Dice were rolled for this muster; only staff can change it now.", result="mustered")
    outcome = before.muster(side.builder.rules, side.group, fielded)
    side.builder.record(replace(outcome, game=side.seat.game), group=side.id)
    return side.builder.ended()


def roll_jams(state: Tournament, command: RollJams, context: Context) -> Sequence[Event]:
    """Whether one ranged weapon works in this game, or each that has not been rolled for. FS-GAM-3."""
    side = Side(state, command, context, "jam")
    mustered = side.need_mustered()
    rules, builder = side.builder.rules, side.builder
    if command.item in mustered.jammed:
        said = "jammed" if mustered.jammed[command.item] else "works"
        raise AlreadyRolled(f"The die for {command.item} has been rolled.", result=said)
    due = [item.id for item in before.jam_rolls_due(rules, side.group, mustered.fielded)]
    wanted = [command.item] if command.item else [item for item in due if item not in mustered.jammed]
    dice_source = builder.dice_source(builder.present_at(side.id), roller=context.by.player)
    for item in wanted:
        told = (command.roll if command.item else None) or SERVICE
        thrown = dice_source.throw(told, "1D12", RollPurpose(side.id, "FS-GAM-3", item), where="/roll")
        builder.record(*before.roll_jam(rules, side.group, mustered.fielded, item, thrown), group=side.id)
    return builder.ended() if wanted else []


def judge_evil(state: Tournament, command: JudgeEvil, context: Context) -> Sequence[Event]:
    """Whether a rival counts as evil in this game, where one force judges the other: a die for each. FS-GAM-4."""
    side = Side(state, command, context, "evil")
    judged, rules = side.need_mustered().judged, side.builder.rules
    rivals = {id: side.builder.known(id) for id in side.rivals}
    if command.rival and command.rival not in rivals:
        fault = Fault("/rival", command.rival, expects("rival-of-game", rivals=list(rivals)), "FS-GAM-4")
        raise GroupUnknown(f"{command.rival} is no rival of {side.id} in {side.seat.game}.", [fault])
    due = [id for id in rivals if id not in judged and before.judges(rules, side.group, rivals[id])]
    rival = command.rival or next(iter([*due, *judged, *rivals]))
    if rival in judged:
        raise AlreadyRolled(f"{rival} has been judged already.", result="evil" if judged[rival] else "not evil")
    thrown = _thrown(side, command.roll, context, RollPurpose(side.id, "FS-GAM-4", rival))
    side.builder.record(*before.judge_evil(rules, side.group, rivals[rival], thrown), group=side.id)
    return side.builder.ended()


def roll_objective(state: Tournament, command: RollObjective, context: Context) -> Sequence[Event]:
    """The objective of one side, rolled openly. FS-GAM-5."""
    side = Side(state, command, context, "objective")
    mustered = side.need_mustered()
    if mustered.objective:
        raise AlreadyRolled("The objective has been rolled.", result=mustered.objective)
    thrown = _thrown(side, command.roll, context, RollPurpose(side.id, "FS-GAM-5"))
    side.builder.record(*before.roll_objective(side.builder.rules, thrown), group=side.id)
    return side.builder.ended()


def _thrown(side: Side, told: RollTold | None, context: Context, asked: RollPurpose) -> Throw:
    dice_source = side.builder.dice_source(side.builder.present_at(side.id), roller=context.by.player)
    return dice_source.throw(told or SERVICE, "1D12", asked, where="/roll")


def _side_of(seat: Seat, group: str, context: Context) -> str:
    """The group of a game that is spoken of. Raises GroupUnknown, NotYourGame."""
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


def musters_of(state: Tournament, seat: Seat) -> dict[str, Mustered]:
    """The groups of a game as they were mustered for it."""
    found = {id: mustered_for(state, seat.game, id) for id in seat.players}
    return {id: told for id, told in found.items() if told is not None}


def need_ready(state: Tournament, round: Round, seat: Seat) -> None:
    """Raises GameNotReady unless all groups are mustered and every die before the game is rolled."""
    faults = list(faults_of_readiness(state, round, seat))
    if faults:
        raise GameNotReady(f"The preparation of {seat.game} is not complete.", faults)


def faults_of_readiness(state: Tournament, round: Round, seat: Seat) -> Iterator[Fault]:
    """What has to be recorded before a game and is not: musters, jams, judgements, objectives. FS-GAM-1 to FS-GAM-5."""
    rules, groups, mustered = rules_at(state.entries, round.number), groups_before(state), musters_of(state, seat)
    for id in seat.players:
        if id not in groups:
            yield Fault(f"/groups/{id}", "nothing", expects("complete-group"), "FS-GRP-6")
            continue
        known = mustered.get(id)
        if known is None:
            yield Fault(f"/groups/{id}/fielded", "nothing", expects("members-who-play"), "FS-GAM-1")
            continue
        yield from _no_longer_fielded(rules, groups[id], known)
        for item in muster.jam_rolls_due(rules, groups[id], known.fielded):
            if item.id not in known.jammed:
                expected = expects("roll-for-each-ranged-weapon", dice="1D12")
                yield Fault(f"/groups/{id}/jams/{item.id}", "nothing", expected, "FS-GAM-3")
        for rival in rivals_of(sides_of(seat), id):
            if rival in groups and rival not in known.judged and muster.judges(rules, groups[id], groups[rival]):
                expected = expects("roll-that-judges", dice="1D12", rival=rival)
                yield Fault(f"/groups/{id}/evil", "nothing", expected, "FS-GAM-4")
        if not known.objective:
            yield Fault(f"/groups/{id}/objective", "nothing", dice_or_nothing("1D12"), "FS-GAM-5")


def _no_longer_fielded(rules: Rules, group: Group, mustered: Mustered) -> list[Fault]:
    """What of a muster does not hold any more, since goods moved after it. FS-GAM-1, FS-PGP-7."""
    try:
        muster.muster(rules, group, mustered.fielded)
    except ChoiceRefused as refused:
        return [replace(fault, where=f"/groups/{group.id}{fault.where}") for fault in refused.faults]
    return []


BeforeIt = dict[str, Any]
"""Members of a group's part of a report that were rolled before the game: objective, evil, evil_to."""


def possible_facts(
    state: Tournament, round: Round, seat: Seat, facts: Mapping[str, Any], by: By, first_report: bool = False
) -> dict[str, Any]:
    """Facts that can be, as events keep them; a report with its sides in the order of the pairing.

    Raises ReportRefused or DiceRefused with every fault and its clause, GameNotReady for what has to be recorded
    before, StaffOnly for what players do not report.
    """
    kind = kind_of(facts, seat, by)
    if kind != GAME:
        return {name: facts[name] for name in ("kind", "conceded_by") if name in facts}
    need_ready(state, round, seat)
    mustered = musters_of(state, seat)
    recorded = {id: _before_the_game(seat, mustered, id) for id in seat.players}
    report = read_report(facts["report"], seat, by, recorded)
    rules = rules_at(state.entries, round.number)
    accepted(rules, report, groups_before(state), mustered, sides_of(seat))
    need_people(state, seat, report)
    return plain_facts(report)


def accepted(
    rules: Rules, report: GameReport, groups: Mapping[str, Group], mustered: Mapping[str, Mustered], sides: Sides
) -> tuple[Played, ...]:
    """The game as each group sees it; a weapon that jammed counts as not carried. Raises ReportRefused. FS-REP-4."""
    carried = {id: _without_jammed(groups[id], told.jammed) for id, told in mustered.items()}
    try:
        return accept_report(rules, report, carried, {id: told.fielded for id, told in mustered.items()}, sides)
    except ReportRefused as refused:
        raise ReportRefused(refused.detail, [placed(fault) for fault in refused.faults]) from refused


def read_report(told: Mapping[str, Any], seat: Seat, by: By, recorded: Mapping[str, BeforeIt]) -> GameReport:
    """A report as the rules know it; its rolls have no ids yet, and are by whoever reports where nobody else is named.

    recorded: group -> what its part of the report has of dice before the game. Raises ReportRefused.
    """
    plain = {**told, "sides": [dict(side) for side in told.get("sides", ())]}
    order = {player: place for place, player in enumerate(seat.players)}
    plain["sides"].sort(key=lambda side: order.get(side["group"], len(order)))
    groups = [side["group"] for side in plain["sides"]]
    if groups != list(seat.players):
        expected = expects("groups-each-once", groups=list(seat.players))
        fault = Fault(f"{AT}/sides", ", ".join(groups) or "nothing", expected, "FS-REP-1")
        raise ReportRefused("The report names other groups than those of the game.", [fault])
    faults = list(_other_than_recorded(told["sides"], recorded))
    if faults:
        raise ReportRefused("What was rolled before the game can no longer change.", faults)
    for side in plain["sides"]:
        side |= recorded[side["group"]]
    completed = _with_ids(plain)
    try:
        report = msgspec.convert(completed, GameReport)
    except msgspec.ValidationError as error:
        faults = [placed(fault) for fault in faults_of_shape(completed, GameReport)]
        faults = faults or [Fault(AT, display_text(told), expects("report-of-game"))]
        raise ReportRefused(f"This is not a report of the game: {error}", faults) from error
    return with_rolls(report, lambda roll, asked, where: roll if roll.rolled_by else replace(roll, rolled_by=by.player))


def recorded_in(side: SideReport) -> BeforeIt:
    """What a part of a report has of dice before the game."""
    return {"objective": side.objective, "evil": side.evil, "evil_to": list(side.evil_to)}


def _before_the_game(seat: Seat, mustered: Mapping[str, Mustered], id: str) -> BeforeIt:
    """The same as it was rolled; of several rivals it says which judged the group evil. FS-GAM-4, FS-GAM-5."""
    rivals = rivals_of(sides_of(seat), id)
    judges = [rival for rival in rivals if mustered[rival].judged.get(id)]
    return {
        "objective": mustered[id].face,
        "evil": bool(judges),
        "evil_to": judges if len(rivals) > 1 else [],
    }


def _other_than_recorded(sides: Sequence[Mapping[str, Any]], recorded: Mapping[str, BeforeIt]) -> Iterator[Fault]:
    """What a report says of dice before the game, if it does, is what was recorded. FS-GAM-4, FS-GAM-5."""
    for place, side in enumerate(sides):
        for name, was in recorded[side["group"]].items():
            clause = "FS-GAM-5" if name == "objective" else "FS-GAM-4"
            if name in side and side[name] != was:
                said = str(side[name]).lower()
                expected = expects("value-as-recorded", value=str(was).lower())
                yield Fault(f"{AT}/sides/{place}/{name}", said, expected, clause)


def plain_facts(report: GameReport) -> dict[str, Any]:
    """The facts of a game as events keep them, and as they are read from one again."""
    plain: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(report))
    return {"kind": GAME, "report": plain}


def kind_of(facts: Mapping[str, Any], seat: Seat, by: By) -> str:
    """The kind of facts, which have the members of that kind and no others. Raises ReportRefused, StaffOnly."""
    kind = facts.get("kind", GAME)
    wanted = {GAME: {"report"}, NO_SHOW: {"conceded_by"}, DOUBLE_NO_SHOW: set()}
    if kind not in wanted:
        fault = Fault("/facts/kind", str(kind), one_of(list(wanted)), "FS-LGE-1")
        raise ReportRefused(f"A campaign has no result of the kind {kind}.", [fault])
    given = facts.keys() - {"kind"}
    faults = [
        Fault(f"/facts/{name}", display_text(facts[name]), expects("nothing-in-kind", kind=kind), "FS-REP-1")
        for name in sorted(given - wanted[kind])
    ]
    faults += [
        Fault(f"/facts/{name}", "nothing", expects("needed-in-kind", kind=kind), "FS-REP-1")
        for name in sorted(wanted[kind] - given)
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


def _with_ids(told: Any) -> Any:
    """What a client says of rolls is without ids, which they get when the result binds."""
    if isinstance(told, Mapping):
        more = {"id": ""} if "dice" in told else {}
        return {**{name: _with_ids(value) for name, value in told.items() if value is not None}, **more}
    return [_with_ids(one) for one in told] if isinstance(told, list) else told


def placed(fault: Fault) -> Fault:
    """A fault of a report where it stands in a request."""
    return replace(fault, where=AT + fault.where)


class AlreadyRolled(Refusal):
    """The dice are rolled, and stand; data: `result`."""

    code = "already-rolled"


class NotMustered(Refusal):
    """The group has not said who plays in this game."""

    code = "not-mustered"


class GameNotReady(Refusal):
    """Something has to be recorded before the game; faults name what, and of whom."""

    code = "game-not-ready"
