"""Decisions of a campaign made again: what was said is read back from the events, dice are as they fell. FS-AUD-2.

An event names the decision that it came from. Making that decision again gives the events that there should be, or the
refusal that there should have been. What was said with a choice its record reads back; everything else is here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import msgspec
from msgspec.structs import replace

from muster.audit.campaign_context import AuditContext, as_recorded, as_thrown
from shared.formats.campaign.rules import income_outcomes as earned
from shared.formats.campaign.rules import muster, recruits
from shared.formats.campaign.rules import outcomes as of_group
from shared.formats.campaign.rules.absent import close_for_absent
from shared.formats.campaign.rules.choices.choice import Choice, DecisionContext, Members, first_of
from shared.formats.campaign.rules.choices.experience import dead_of
from shared.formats.campaign.rules.choices.table import CHOICES
from shared.formats.campaign.rules.deeds import jailers_among
from shared.formats.campaign.rules.departures import appoint_leader
from shared.formats.campaign.rules.dice import DieRolled
from shared.formats.campaign.rules.dice_source import DiceSource
from shared.formats.campaign.rules.group import Enlisted, Submission, accept_group
from shared.formats.campaign.rules.injuries import jail_bounty
from shared.formats.campaign.rules.opening import open_after_bye, open_post_game
from shared.formats.campaign.rules.payloads import GroupBefore, GroupBuilt
from shared.formats.campaign.rules.post_game import close_step
from shared.formats.campaign.rules.rating import finalise_rating
from shared.formats.campaign.rules.report import GameEnded, accept_report, end_of_game
from shared.formats.campaign.rules.reported import Played
from shared.formats.campaign.rules.roster import Group
from shared.formats.campaign.rules.ruled import Entered, LedgerEntry, ruled_entries
from shared.formats.campaign.rules.sides import rivals_of
from shared.formats.campaign.rules.steps import closed
from shared.formats.campaign.rules.trade_outcomes import RecruitTurnPassed
from shared.formats.campaign.rules.turf import roll_turf, take_turf
from shared.formats.campaign.rules.words import CampaignEvent, Events

Way = Callable[[], Sequence[CampaignEvent]]
"""One way in which a decision may have been made; called, it decides again. Raises Refusal."""


def ways(context: AuditContext) -> Iterator[Way]:
    """Every way in which the decision may have been made; none where nothing of the kind begins a decision."""
    cause, head = context.told[0].cause, context.head
    if head is None:
        return
    if isinstance(head, earned.CapsMoved) and head.clause == "FS-INJ-5" and cause in ("check_jail", "close_for_absent"):
        if context.jailed.get(head.roll) == context.group.id:
            yield lambda: [jail_bounty(context.rules, context.group, head.roll)]
    elif isinstance(head, of_group.TurfLost):
        yield from _lost(context, head)
    elif isinstance(head, of_group.StepClosed) and cause == "end_turn":
        yield from _closed(context, head)
    elif cause in CHOICES:
        choice = CHOICES[cause]
        for said in choice.said(_choosing(context), context.told):
            yield partial(_chosen, context, choice, said)
    elif cause in OTHERS:
        yield from OTHERS[cause](context, head)


def _choosing(context: AuditContext) -> DecisionContext:
    return DecisionContext(
        context.rules, context.group, context.dice(), context.seed, context.pot, context.rivals, context.pool
    )


def _chosen(context: AuditContext, choice: Choice, said: Members) -> Events:
    """What a choice brings about for the group itself; for others it is looked at with them."""
    events = choice.decide(_choosing(context), msgspec.convert(said, choice.takes))
    return [event for event in events if not event.group]


def _lost(context: AuditContext, head: of_group.TurfLost) -> Iterator[Way]:
    """To a winner of its game. FS-AMB-33."""
    for winner in context.groups.values():
        if winner.phase is not None and context.group.id in winner.phase.played.rivals:
            yield partial(_loss, context, winner, head.turf)


def _loss(context: AuditContext, winner: Group, turf: str) -> Events:
    return take_turf(context.rules, winner, context.group, turf)[1:]


def _accepted(context: AuditContext, head: Any) -> Iterator[Way]:
    """The list as it was handed in is in the group that it became: members with what they carry, then the stash."""
    if not isinstance(head, of_group.GroupAccepted):
        yield from _completed(context, head)
        return
    group, before = head.accepted.state, context.group
    members = tuple(
        Enlisted(member.rank, member.name, tuple(item.good for item in group.held_by(member.id)))
        for member in group.members
    )
    submission = Submission(group.force, members, tuple(item.good for item in group.items if not item.holder))
    yield lambda: [accept_group(context.rules, group.id, submission, before.serial, before.turfs)]


def _turfs_rolled(context: AuditContext, head: Any) -> Iterator[Way]:
    if isinstance(head, of_group.TurfGained):
        yield lambda: roll_turf(context.rules, context.group, context.dice().next("2D12"))
    else:
        yield from _completed(context, head)


def _completed(context: AuditContext, head: Any) -> Iterator[Way]:
    yield lambda: appoint_leader(context.rules, context.group, context.seed, context.round)
    yield lambda: [finalise_rating(context.rules, context.group)]


def _entered(context: AuditContext, head: Any) -> Iterator[Way]:
    built = context.built
    if built is not None:
        yield lambda: [of_group.GroupEntered(GroupBuilt.of(built))]


def _restored(context: AuditContext, head: Any) -> Iterator[Way]:
    """As it was before its game, but for the ids given since, which are not given again. FS-REP-5, FS-GRP-13."""
    before = context.before
    if before is not None:
        restored = GroupBefore.of(replace(before, serial=context.group.serial))
        yield lambda: [of_group.GroupRestored(restored, head.reason)]


def _mustered(context: AuditContext, head: Any) -> Iterator[Way]:
    if isinstance(head, muster.RosterMustered):
        yield lambda: [replace(muster.muster(context.rules, context.group, head.fielded), game=context.game)]


def _jammed(context: AuditContext, head: Any) -> Iterator[Way]:
    dice = context.dice()
    yield lambda: muster.roll_jam(context.rules, context.group, context.mustered, head.item, dice.next("1D12"))


def _judged(context: AuditContext, head: Any) -> Iterator[Way]:
    """A rival of its game, and nobody else."""
    if head.rival in rivals_of(context.sides, context.group.id):
        rival, dice = context.groups[head.rival], context.dice()
        yield lambda: muster.judge_evil(context.rules, context.group, rival, dice.next("1D12"))


def _objective(context: AuditContext, head: Any) -> Iterator[Way]:
    yield lambda: muster.roll_objective(context.rules, context.dice().next("1D12"))


def _bound(context: AuditContext, head: Any) -> Iterator[Way]:
    """The die that ended the game, and then a phase after it as its report has it, or as if there had been one."""
    report = context.report
    if isinstance(head, GameEnded) and report is not None:
        yield lambda: end_of_game(context.rules, replace(report, end_roll=context.dice().next("")))
    elif isinstance(head, of_group.PostGameOpened):
        told = head.phase.played
        if report is None and told.ending in ("bye", "no_show"):
            yield lambda: open_after_bye(context.rules, context.group, context.round, context.unplayed)
        else:
            yield partial(_opened, context, told)


def _opened(context: AuditContext, told: Played) -> Events:
    """A phase after the game as the report that binds has it; its rolls got their ids when it did.

    Where no report is on record, the game as it was told. Raises ReportRefused.
    """
    played = told
    if context.report is not None:
        sides = tuple(
            as_recorded(side, told.side) if side.group == told.side.group else side for side in context.report.sides
        )
        report = replace(context.report, sides=sides)
        parts = accept_report(context.rules, report, context.met, context.fielded, context.sides)
        played = next((part for part in parts if part.side.group == context.group.id), told)
    rolled = (event for event in context.told if isinstance(event, DieRolled) and event.row)
    at_table = {roll.member: as_thrown(roll) for roll in rolled if roll.purpose == "FS-INJ-1"}
    jailers = jailers_among(context.rules, [context.groups[id] for id in played.rivals if id in context.groups])
    return open_post_game(
        context.rules,
        context.group,
        context.round,
        played,
        context.seed,
        jailers=jailers,
        at_table=at_table if context.rules.options.injury_roll_time == "at_table" else {},
    )


def _recruits(context: AuditContext, head: Any) -> Iterator[Way]:
    dice = context.dice()

    def open() -> Events:
        throws = {id: dice.next("1D12") for id in sorted(context.recruiting)}
        return recruits.open_recruits(context.rules, context.recruiting, throws, context.seed, context.round)[0]

    yield open


def _closed(context: AuditContext, head: Any) -> Iterator[Way]:
    """The end of a step, with the leader and the rating that it brings; of step 4 by the turn of the last. FS-PGP-2."""
    phase, pool = context.group.phase, context.pool
    if isinstance(head, RecruitTurnPassed) and pool is not None:
        yield lambda: recruits.end_turn(context.group, pool)[0]
    elif phase is not None and phase.step == "4" and (pool is None or not pool.order):
        yield lambda: [closed(context.rules, "4")]
    elif phase is not None:
        yield lambda: close_step(context.rules, context.group, phase.step, context.seed)


def _closed_for_absent(context: AuditContext, head: Any) -> Iterator[Way]:
    """Nothing at all was chosen. FS-PGP-5."""
    dice = DiceSource("s", context.made, context.seed, (), versions=context.versions)
    dead = dead_of(_choosing(context), context.rules.options.kill)
    yield lambda: close_for_absent(context.rules, context.group, dice, dead)


ENTERED: Mapping[type[Any], Entered] = {
    earned.CapsMoved: "caps",
    earned.FoodMoved: "food",
    earned.ItemGained: "item_gained",
    earned.ItemLost: "item_lost",
    of_group.ExperienceChanged: "experience",
}
"""Event -> what was entered."""


def _ruled(context: AuditContext, head: Any) -> Iterator[Way]:
    """Whether an entry is just is the organiser's to say; what it does follows from the rules. FS-REP-5."""
    if type(head) not in ENTERED:
        return
    by_deeds = isinstance(head, of_group.ExperienceChanged) and not head.unearned
    entry = LedgerEntry(
        "experience_unearned" if getattr(head, "unearned", False) else ENTERED[type(head)],
        head.reason,
        head.clause,
        0 if by_deeds else getattr(head, "amount", 0),
        getattr(head, "food", "clean"),
        head.item.good if isinstance(head, earned.ItemGained) else "",
        head.item if isinstance(head, earned.ItemLost) else "",
        first_of([head], "member"),
        head.deeds if by_deeds else {},
    )
    yield lambda: ruled_entries(context.rules, context.group, [entry])


OTHERS: Mapping[str, Callable[[AuditContext, Any], Iterator[Way]]] = {
    "accept_group": _accepted,
    "roll_turf": _turfs_rolled,
    "entry": _entered,
    "bye": _bound,
    "muster": _mustered,
    "jam": _jammed,
    "evil": _judged,
    "objective": _objective,
    "result": _bound,
    "void": _restored,
    "open_recruits": _recruits,
    "close_step": _closed,
    "close_for_absent": _closed_for_absent,
    "ruling": _ruled,
}
"""Decision that is no choice of an open step -> every way in which it may have been made."""
