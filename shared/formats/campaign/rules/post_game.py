"""The end of each step, and of the phase: what has to be done, what follows. FS-PGP-1, FS-PGP-3, FS-PGP-7, FS-RAT-3."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal

from shared.formats.campaign.rules import gear, injuries, rewards
from shared.formats.campaign.rules.decision_builder import DecisionBuilder, gain, pay, room_for
from shared.formats.campaign.rules.departures import appoint
from shared.formats.campaign.rules.income_outcomes import CapsMoved, ItemMoved
from shared.formats.campaign.rules.options import or_option
from shared.formats.campaign.rules.prices import finalise_rating
from shared.formats.campaign.rules.roster import Group, Phase, Step
from shared.formats.campaign.rules.steps import closed, in_step, require
from shared.formats.campaign.rules.tables import Rules
from shared.formats.campaign.rules.words import Events
from shared.refusals import Fault, expects
from shared.rules.draw import Draws


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
    appoint(rules, builder, draws)
    if step == "9":
        builder.say(finalise_rating(rules, builder.group))
    builder.say(closed(rules, step))
    return builder.events


def move_item(rules: Rules, group: Group, item: str, holder: str = "") -> Events:
    """An item goes to a member, or to the stash, between games; the rating stays. Raises ChoiceRefused. FS-PGP-7."""
    owned = group.item(item)
    faults = [] if owned else [Fault("/item", item or "nothing", expects("item-of-group"), "FS-PGP-7")]
    if holder and group.member(holder) is None:
        faults.append(Fault("/holder", holder, expects("living-member-or-stash"), "FS-PGP-7"))
    require(faults, "this item does not move so")
    builder = DecisionBuilder(group)
    builder.say(ItemMoved(item, holder))
    if holder:
        found = builder.member(holder)
        require(
            [
                *gear.faults_of_forbidden_armor(rules, builder.group, found),
                *gear.faults_of_carriers(rules, builder.group, [holder]),
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
