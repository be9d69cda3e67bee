"""The post-game phase: how it opens after a game, and how each step and the phase close.

FS-RND-1, FS-PGP-1, FS-PGP-3, FS-PGP-7, FS-RAT-3.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Literal

from shared.campaign import injuries, rewards
from shared.campaign.dice import Throw, check_succeeds, faces_of, halve, read_throw
from shared.campaign.encounters import Roll, collar_target, in_game, search, try_collar, withdrawal
from shared.campaign.facts import Deeds, Played, Search, SideReport
from shared.campaign.group import (
    RemovalReason,
    appoint_due_leader,
    faults_of_carriers,
    faults_of_forbidden_armor,
    finalise_rating,
    gain_rads,
    remove_member,
)
from shared.campaign.outcomes import AddictionRolled, CapsMoved, ItemLost, ItemMoved, MemberReturned, PostGameOpened
from shared.campaign.report import injury_at_table
from shared.campaign.roster import Group, Phase, PhaseBegun, Step, attribute, endurance_in_game
from shared.campaign.steps import DecisionBuilder, gain, in_step, order_of, pay, require, room_for, step_closed
from shared.campaign.tables import Rules, or_option
from shared.campaign.words import Events, StepRefused
from shared.refusals import Fault, expects
from shared.rules.model import Draws


def open_post_game(
    rules: Rules,
    group: Group,
    round: int,
    played: Played,
    draws: Draws,
    *,
    jailers: Collection[str] = (),
    at_table: Mapping[str, Throw] = {},
) -> Events:
    """The phase after a game. What the report says happened to members and goods happens first.

    jailers: the rivals that take prisoners (`special.jail_caps`). at_table: injury rolls made in the game, which
    are wanted of everybody taken down exactly where the organiser has them made there (FS-AMB-4). Raises StepRefused
    or ChoiceRefused. FS-PGP-1, FS-INJ-5, FS-REP-2, FS-REP-3.
    """
    _not_open(group)
    builder = DecisionBuilder(group)
    begin = order_of(rules)[0]
    down = tuple(deeds.member for deeds in played.side.members if deeds.down is not None and not deeds.removed)
    caught = {deeds.member for deeds in played.side.members if played.taker(deeds.member) in jailers}
    wanted = {
        deeds.member for deeds in played.side.members if injury_at_table(rules, deeds, jailer=deeds.member in caught)
    }
    require(
        (
            Fault(
                f"/injuries/{id}",
                faces_of(at_table.get(id)),
                expects("roll-for-each-down"),
                "FS-AMB-4",
            )
            for id in sorted(wanted ^ set(at_table))
        ),
        "injury rolls do not fit",
    )
    jail = tuple(
        deeds.member for deeds in played.side.members if deeds.melee and deeds.member in caught and not deeds.removed
    )
    builder.record(PostGameOpened(PhaseBegun(round, begin, played, down, jail, _rerolls(rules, group))))
    for member in group.members:
        if member.away:
            builder.record(MemberReturned(member.id))
    for deeds in played.side.members:
        _after_game(rules, builder, deeds, draws)
    _brought_home(rules, builder, group, played.side)
    for id in down:
        if id in at_table and builder.group.member(id) is not None:
            builder.record(*injuries.roll_injury(rules, builder.group, id, at_table[id], draws))
    return builder.events


def open_after_bye(rules: Rules, group: Group, round: int, ending: str = "bye") -> Events:
    """The phase of a group that did not play, as if all of it had: from step 3, from 4, or none. FS-AMB-55."""
    _not_open(group)
    first: Mapping[str, Step | None] = {"from_step_3": "3", "from_step_4": "4", "none": None}
    step = first[rules.options.bye_post_game]
    if step is None:
        return []
    members = tuple(Deeds(member.id) for member in group.members)
    side = SideReport(group.id, 1, members=members)
    played = Played("no_show" if ending == "no_show" else "bye", side, group.leader)
    return [PostGameOpened(PhaseBegun(round, step, played, awarded=True, rewarded=True))]


def faults_of_correction(group: Group, round: int) -> list[Fault]:
    """Why the report of a round can no longer be voided and made anew: until step 2 closes it can. FS-REP-5.

    Later the organiser rules, with explicit ledger entries.
    """
    phase = group.phase
    if phase is not None and phase.round == round and phase.step in ("1", "1b", "2"):
        return []
    expected = expects("round-before-step-closes", round=round, step="2")
    return [Fault("/step", phase.step if phase else "nothing", expected, "FS-REP-5")]


def _not_open(group: Group) -> None:
    if group.phase is not None:
        fault = Fault("/phase", group.phase.step, expects("step-closed", step="9"), "FS-RND-1")
        raise StepRefused("the phase of the last round is not over", [fault])


def _rerolls(rules: Rules, group: Group) -> int:
    """One for each turf that gives one without a visit. FS-INJ-3, FS-AMB-32."""
    if rules.options.doctor_reroll == "needs_visit":
        return 0
    gives = {turf.turf: turf.feature.rerolls for turf in rules.turfs}
    return sum(gives[owned.turf] for owned in group.turfs)


def _after_game(rules: Rules, builder: DecisionBuilder, deeds: Deeds, draws: Draws) -> None:
    """Doses, things used, rads, and deaths of the game itself. FS-REP-2, FS-ADD-1, FS-INJ-4."""
    member = builder.group.member(deeds.member)
    if member is None:
        return
    worse = 2 * withdrawal(rules, builder.group, deeds)
    for dose in deeds.doses:
        item = builder.group.item(dose.item)
        assert item is not None, f"{dose.item} was checked with the report"
        endurance = endurance_in_game(rules, builder.group, builder.member(member.id))
        target = halve(endurance + attribute(rules, builder.group, builder.member(member.id), "L") - worse)
        rolled = read_throw(dose.roll, "1D12", "FS-ADD-1", member=member.id)
        addicted = not check_succeeds(rolled.natural, target)
        builder.record(ItemLost(item.id, "dose", "FS-ITM-2"), rolled)
        builder.record(AddictionRolled(member.id, item.good, addicted, rolled.roll))
    if deeds.removed:
        reason: RemovalReason = "radiation" if deeds.down == "radiation" else "terrain"
        remove_member(rules, builder, member.id, reason, "FS-INJ-4", draws, in_game=True)
        return
    used = [builder.group.item(id) for id in deeds.used]
    builder.record(*(ItemLost(item.id, "used in the game", "FS-ITM-2") for item in used if item))
    cleared = rules.core.radaway * sum(item is not None and rules.goods[item.good].use == "clear_rads" for item in used)
    change = max(deeds.rads - cleared, -member.rads)
    gain_rads(rules, builder, member.id, change, "game", "FS-REP-2", draws, in_game=True)


def _brought_home(rules: Rules, builder: DecisionBuilder, before: Group, side: SideReport) -> None:
    """What was found in encounters and obtained otherwise, and freed slaves, as far as the group has room.

    before: the group as it played. Source: FS-REP-3, FS-ENC-1 to FS-ENC-3, FS-GRP-5, FS-GRP-10.
    """
    did = {deeds.member: deeds for deeds in side.members}
    for found in side.searches:
        luck = in_game(rules, before, did[found.member], "L")
        builder.record(*search(rules, builder.group, found.member, found.at, luck, _told_with(found)))
    for good in side.loot:
        if not room_for(rules, builder.group, good):
            builder.record(*gain(builder.group, [good], "loot", "FS-REP-3"))
    for freed in side.freed:
        target = collar_target(rules, before, did[freed.member])
        builder.record(*try_collar(rules, builder.group, freed.member, freed.roll, target))


def _told_with(found: Search) -> Roll:
    """Return what answers with the dice that were told with the report, one throw after the other. FS-REP-3."""
    throws = iter([found.roll, *([found.amount] if found.amount else [])])
    return lambda *asked: next(throws)


def close_step(rules: Rules, group: Group, step: Step, draws: Draws) -> Events:
    """The end of a step; one with nothing to do is closed, too. Raises StepRefused, or ChoiceRefused with what is due.

    Recruits close for the whole campaign at once. Closing the last step makes the rating final. FS-PGP-1, FS-RAT-3.
    """
    in_step(group, step)
    builder = DecisionBuilder(group)
    if step == "1":
        injuries.close_injuries(rules, builder, draws)
    if step == "1b":
        rewards.settle_reward(rules, builder, draws)
    require(_DUE[step](builder.phase, builder.group), f"step {step} is not done")
    appoint_due_leader(rules, builder, draws)
    if step == "9":
        builder.record(finalise_rating(rules, builder.group))
    builder.record(step_closed(rules, step))
    return builder.events


def move_item(rules: Rules, group: Group, item: str, holder: str = "") -> Events:
    """An item goes to a member, or to the stash, between games; the rating stays. Raises ChoiceRefused. FS-PGP-7."""
    owned = group.item(item)
    faults = [] if owned else [Fault("/item", item or "nothing", expects("item-of-group"), "FS-PGP-7")]
    if holder and group.member(holder) is None:
        faults.append(Fault("/holder", holder, expects("living-member-or-stash"), "FS-PGP-7"))
    require(faults, "this item does not move so")
    builder = DecisionBuilder(group)
    builder.record(ItemMoved(item, holder))
    if holder:
        found = builder.member(holder)
        require(
            [
                *faults_of_forbidden_armor(rules, builder.group, found),
                *faults_of_carriers(rules, builder.group, [holder]),
            ],
            f"{holder} does not carry this",
        )
    return builder.events


def organiser_entry(rules: Rules, group: Group, caps: int, goods: tuple[str, ...], reason: str) -> Events:
    """Caps and goods by the organiser's own rules, where the options leave something to them. FS-AMB-2, FS-AMB-30.

    In step 6 for hired guns, in step 3 for the Free Trader's text. Raises StepRefused, ChoiceRefused or BalanceTooLow.
    """
    phase = in_step(group, "3", "6")
    clause: Literal["FS-AMB-2", "FS-AMB-30"] = "FS-AMB-2" if phase.step == "6" else "FS-AMB-30"
    told = rules.options.hired_guns if phase.step == "6" else rules.options.free_trader_text
    option = "fs.post.hired_guns=operator_rules" if phase.step == "6" else "fs.turf.free_trader_text=operator_text"
    faults = [Fault("/step", phase.step, or_option(expects("step-of-rules"), option), clause)]
    require(faults if told in ("skip", "no_effect") else [], "nothing is left to the organiser here")
    faults = [
        Fault(f"/goods/{n}", good or "nothing", expects("known-good"), clause)
        for n, good in enumerate(goods)
        if good not in rules.goods
    ]
    if not reason:
        faults.append(Fault("/reason", "nothing", expects("reason"), clause))
    require(faults, "this is no entry")
    require((fault for good in goods for fault in room_for(rules, group, good)), "no room for these goods")
    entry: Events = []
    if caps < 0:
        entry.append(pay(group, -caps, reason, clause))
    elif caps:
        entry.append(CapsMoved(caps, reason, clause))
    return [*entry, *gain(group, goods, reason, clause)]


def is_eliminated(rules: Rules, group: Group) -> bool:
    """Whether a group without members is out of the campaign; else a new one may take its place. FS-AMB-54."""
    return not group.members and rules.options.wiped_out == "eliminated"


def _nothing(phase: Phase, group: Group) -> list[Fault]:
    return []


def _advanced(phase: Phase, group: Group) -> list[Fault]:
    return [
        Fault(f"/members/{member.id}", f"{member.advances}", expects("advancements-done"), "FS-XP-5")
        for member in group.members
        if member.advances
    ]


def _experienced(phase: Phase, group: Group) -> list[Fault]:
    missing = [Fault("/experience", "nothing", expects("experience-of-game"), "FS-XP-1")]
    return _advanced(phase, group) + ([] if phase.awarded else missing)


def _hurt(phase: Phase, group: Group) -> list[Fault]:
    waiting = [*phase.injured, *(open.member for open in phase.open_injuries)]
    return [Fault(f"/members/{id}", "nothing", expects("injury-roll"), "FS-INJ-1") for id in waiting]


def _settled(phase: Phase, group: Group) -> list[Fault]:
    missing = [] if phase.paid else [Fault("/upkeep", "nothing", expects("food-and-maintenance"), "FS-UPK-1")]
    missing += [
        Fault(f"/members/{open.member}", f"{open.face}", expects("shift-find-first"), "FS-SCV-2")
        for open in phase.open_finds
    ]
    return _hurt(phase, group) + _advanced(phase, group) + missing


def _common(phase: Phase, group: Group) -> list[Fault]:
    return [Fault("/step", phase.step, expects("recruits-closed"), "FS-PGP-2")]


def _traded(phase: Phase, group: Group) -> list[Fault]:
    quote = phase.visit.quote if phase.visit else None
    waiting = [Fault("/quote", quote.line, expects("answer-to-price"), "FS-BAR-4")] if quote else []
    return _hurt(phase, group) + waiting


_DUE: Mapping[Step, Callable[[Phase, Group], list[Fault]]] = {
    "1": _nothing,
    "1b": _nothing,
    "2": _experienced,
    "3": _settled,
    "4": _common,
    "5": _traded,
    "6": _nothing,
    "7": _advanced,
    "8": _nothing,
    "9": _nothing,
}
