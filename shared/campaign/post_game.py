"""The post-game phase: its start after a game, and the end of each step and of the phase.

FS-RND-1, FS-PGP-1, FS-PGP-3, FS-PGP-7, FS-RAT-3.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Literal

from shared.campaign import injuries, rewards
from shared.campaign.dice import Thrown, check_succeeds, faces_of, halve, read_throw
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
from shared.campaign.outcomes import AddictionRolled, MemberReturned, PostGameOpened
from shared.campaign.post_game_outcomes import CapsMoved, ItemLost, ItemMoved
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
    at_table: Mapping[str, Thrown] = {},
) -> Events:
    """Open the phase after a game and apply the report's consequences for members and goods first.

    jailers: rivals that take prisoners (`special.jail_caps`).
    at_table: member -> injury roll made in the game, exactly for the members that the option requires (FS-AMB-4).
    Raises StepRefused or ChoiceRefused. Source: FS-PGP-1, FS-INJ-5, FS-REP-2, FS-REP-3.
    """
    _require_no_phase(group)
    builder = DecisionBuilder(group)
    first_step = order_of(rules)[0]
    down = tuple(deeds.member for deeds in played.side.members if deeds.down is not None and not deeds.removed)
    caught = {deeds.member for deeds in played.side.members if played.taker(deeds.member) in jailers}
    rolled_at_table = {
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
            for id in sorted(rolled_at_table ^ set(at_table))
        ),
        "injury rolls do not fit",
    )
    jail = tuple(
        deeds.member for deeds in played.side.members if deeds.melee and deeds.member in caught and not deeds.removed
    )
    builder.record(PostGameOpened(PhaseBegun(round, first_step, played, down, jail, _rerolls(rules, group))))
    for member in group.members:
        if member.away:
            builder.record(MemberReturned(member.id))
    for deeds in played.side.members:
        _apply_deeds(rules, builder, deeds, draws)
    _bring_home(rules, builder, group, played.side)
    for id in down:
        if id in at_table and builder.group.member(id) is not None:
            builder.record(*injuries.roll_injury(rules, builder.group, id, at_table[id], draws))
    return builder.events


def open_after_bye(rules: Rules, group: Group, round: int, ending: str = "bye") -> Events:
    """Open the phase of a group that did not play: from step 3 or 4, or not at all (FS-AMB-55).

    All members count as present.
    """
    _require_no_phase(group)
    first: Mapping[str, Step | None] = {"from_step_3": "3", "from_step_4": "4", "none": None}
    step = first[rules.options.bye_post_game]
    if step is None:
        return []
    members = tuple(Deeds(member.id) for member in group.members)
    side = SideReport(group.id, 1, members=members)
    played = Played("no_show" if ending == "no_show" else "bye", side, group.leader)
    return [PostGameOpened(PhaseBegun(round, step, played, awarded=True, rewarded=True))]


def faults_of_correction(group: Group, round: int) -> list[Fault]:
    """Return why the report of a round can no longer be voided: it can until step 2 closes (FS-REP-5).

    Later the organiser rules by ledger entries.
    """
    phase = group.phase
    if phase is not None and phase.round == round and phase.step in ("1", "1b", "2"):
        return []
    expected = expects("round-before-step-closes", round=round, step="2")
    return [Fault("/step", phase.step if phase else "nothing", expected, "FS-REP-5")]


def _require_no_phase(group: Group) -> None:
    if group.phase is not None:
        fault = Fault("/phase", group.phase.step, expects("step-closed", step="9"), "FS-RND-1")
        raise StepRefused("the phase of the last round is not over", [fault])


def _rerolls(rules: Rules, group: Group) -> int:
    """Return one re-roll for each turf that gives one without a visit (FS-INJ-3, FS-AMB-32)."""
    if rules.options.doctor_reroll == "needs_visit":
        return 0
    gives = {turf.turf: turf.feature.rerolls for turf in rules.turfs}
    return sum(gives[owned.turf] for owned in group.turfs)


def _apply_deeds(rules: Rules, builder: DecisionBuilder, deeds: Deeds, draws: Draws) -> None:
    """Apply doses, used items, rads and deaths of the game (FS-REP-2, FS-ADD-1, FS-INJ-4)."""
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


def _bring_home(rules: Rules, builder: DecisionBuilder, before: Group, side: SideReport) -> None:
    """Add finds, loot and freed slaves, as far as the group has room.

    before: the group as it played. Source: FS-REP-3, FS-ENC-1 to FS-ENC-3, FS-GRP-5, FS-GRP-10.
    """
    deeds_of = {deeds.member: deeds for deeds in side.members}
    for reported in side.searches:
        luck = in_game(rules, before, deeds_of[reported.member], "L")
        builder.record(*search(rules, builder.group, reported.member, reported.at, luck, _reported_dice(reported)))
    for good in side.loot:
        if not room_for(rules, builder.group, good):
            builder.record(*gain(builder.group, [good], "loot", "FS-REP-3"))
    for freed in side.freed:
        target = collar_target(rules, before, deeds_of[freed.member])
        builder.record(*try_collar(rules, builder.group, freed.member, freed.roll, target))


def _reported_dice(reported: Search) -> Roll:
    """Return a `Roll` that answers with the reported dice of a search, one throw after the other (FS-REP-3)."""
    throws = iter([reported.roll, *([reported.amount] if reported.amount else [])])
    return lambda *arguments: next(throws)


def close_step(rules: Rules, group: Group, step: Step, draws: Draws) -> Events:
    """Close a step, even one with nothing to do (FS-PGP-1, FS-RAT-3).

    Step 4 closes for the whole campaign at once. Closing the last step makes the rating final.
    Raises StepRefused, or ChoiceRefused with what is due.
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
    """Move an item to a member or the stash between games (FS-PGP-7). The rating does not change.

    Raises ChoiceRefused.
    """
    owned = group.item(item)
    faults = [] if owned else [Fault("/item", item or "nothing", expects("item-of-group"), "FS-PGP-7")]
    if holder and group.member(holder) is None:
        faults.append(Fault("/holder", holder, expects("living-member-or-stash"), "FS-PGP-7"))
    require(faults, "this item does not move so")
    builder = DecisionBuilder(group)
    builder.record(ItemMoved(item, holder))
    if holder:
        known = builder.member(holder)
        require(
            [
                *faults_of_forbidden_armor(rules, builder.group, known),
                *faults_of_carriers(rules, builder.group, [holder]),
            ],
            f"{holder} does not carry this",
        )
    return builder.events


def organiser_entry(rules: Rules, group: Group, caps: int, goods: tuple[str, ...], reason: str) -> Events:
    """Return an entry of caps and goods by the organiser's own rules, if the options allow one (FS-AMB-2, FS-AMB-30).

    Step 6 is for hired guns, step 3 for the text of the Free Trader. Raises StepRefused, ChoiceRefused or
    BalanceTooLow.
    """
    phase = in_step(group, "3", "6")
    clause: Literal["FS-AMB-2", "FS-AMB-30"] = "FS-AMB-2" if phase.step == "6" else "FS-AMB-30"
    setting = rules.options.hired_guns if phase.step == "6" else rules.options.free_trader_text
    option = "fs.post.hired_guns=operator_rules" if phase.step == "6" else "fs.turf.free_trader_text=operator_text"
    faults = [Fault("/step", phase.step, or_option(expects("step-of-rules"), option), clause)]
    require(faults if setting in ("skip", "no_effect") else [], "nothing is left to the organiser here")
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
    """Return True if a group without members is out of the campaign, and no new one may replace it (FS-AMB-54)."""
    return not group.members and rules.options.wiped_out == "eliminated"


def _nothing_due(phase: Phase, group: Group) -> list[Fault]:
    return []


def _advancements_due(phase: Phase, group: Group) -> list[Fault]:
    return [
        Fault(f"/members/{member.id}", f"{member.advances}", expects("advancements-done"), "FS-XP-5")
        for member in group.members
        if member.advances
    ]


def _experience_due(phase: Phase, group: Group) -> list[Fault]:
    missing = [Fault("/experience", "nothing", expects("experience-of-game"), "FS-XP-1")]
    return _advancements_due(phase, group) + ([] if phase.awarded else missing)


def _injuries_due(phase: Phase, group: Group) -> list[Fault]:
    waiting = [*phase.injured, *(open.member for open in phase.open_injuries)]
    return [Fault(f"/members/{id}", "nothing", expects("injury-roll"), "FS-INJ-1") for id in waiting]


def _upkeep_due(phase: Phase, group: Group) -> list[Fault]:
    missing = [] if phase.paid else [Fault("/upkeep", "nothing", expects("food-and-maintenance"), "FS-UPK-1")]
    missing += [
        Fault(f"/members/{open.member}", f"{open.face}", expects("shift-find-first"), "FS-SCV-2")
        for open in phase.open_finds
    ]
    return _injuries_due(phase, group) + _advancements_due(phase, group) + missing


def _recruits_due(phase: Phase, group: Group) -> list[Fault]:
    return [Fault("/step", phase.step, expects("recruits-closed"), "FS-PGP-2")]


def _answers_due(phase: Phase, group: Group) -> list[Fault]:
    quote = phase.visit.quote if phase.visit else None
    waiting = [Fault("/quote", quote.line, expects("answer-to-price"), "FS-BAR-4")] if quote else []
    return _injuries_due(phase, group) + waiting


_DUE: Mapping[Step, Callable[[Phase, Group], list[Fault]]] = {
    "1": _nothing_due,
    "1b": _nothing_due,
    "2": _experience_due,
    "3": _upkeep_due,
    "4": _recruits_due,
    "5": _answers_due,
    "6": _nothing_due,
    "7": _advancements_due,
    "8": _nothing_due,
    "9": _nothing_due,
}
