"""Step 1: injuries, re-rolls, jail, blind members (FS-INJ-1 to FS-INJ-5, FS-SPC-3), with their choices."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, get_args

from msgspec import Struct

from shared.campaign.dice import Thrown, check_succeeds, read_throw
from shared.campaign.facts import rival_by_name
from shared.campaign.group import appoint_due_leader, lose_rads, remove_member
from shared.campaign.outcomes import (
    CleanHomeChosen,
    FullyRecovered,
    InjuryHealed,
    InjuryRolled,
    InjurySuffered,
    JailEscaped,
    MemberIncarcerated,
    RerollUsed,
)
from shared.campaign.post_game_outcomes import CapsMoved
from shared.campaign.roster import Group, Member, OpenRoll, Phase, attribute, crippled_limbs, is_blind
from shared.campaign.steps import (
    Arguments,
    Choice,
    DecisionBuilder,
    DecisionContext,
    OfMember,
    faults_of_absence,
    in_step,
    known_member,
    leaves,
    require,
)
from shared.campaign.tables import Injury, Rules
from shared.campaign.words import CampaignEvent, Events
from shared.refusals import Fault, expects
from shared.rules.model import Draws

CleanHome = Literal["medical_lab", "restaurant", "radaway"]


def roll_injury(rules: Rules, group: Group, member: str, throw: Thrown, draws: Draws) -> Events:
    """Roll the injury of a member. It is settled at once unless a re-roll is possible (FS-INJ-1, FS-INJ-2).

    A third leg, arm or eye is rolled again or has no effect. Raises StepRefused, ChoiceRefused or DiceRefused.
    """
    phase = in_step(group, "1", "1b", "3", "5")
    waiting = _open(phase, member)
    again = waiting is not None and waiting.again
    first_jail = rules.options.incarcerated_injury == "only_if_escaped" and member in phase.jail
    due = (member in phase.injured and not first_jail) or again
    detail = "has to be checked for jail first" if first_jail else "has no injury to roll"
    expected = expects("member-down-past-jail-check") if first_jail else expects("member-down-once")
    require([] if due else [Fault("/member", member, expected, "FS-INJ-1")], detail)
    rolled = read_throw(
        throw,
        "2D12",
        "FS-INJ-1",
        table="injuries",
        rows=rules.injuries,
        member=member,
        replaces=waiting.roll if waiting else "",
    )
    row = next(row for row in rules.injuries if row.least <= rolled.total <= row.most)
    final = waiting is not None and waiting.final
    builder = DecisionBuilder(group)
    impossible = _impossible(rules, builder.member(member), row)
    if impossible and rules.options.impossible_injury == "reroll":
        builder.record(rolled, InjuryRolled(member, row.injury, rolled.roll, True, final))
        return builder.events
    result = rules.injuries[-1].injury if impossible else row.injury
    builder.record(rolled, InjuryRolled(member, result, rolled.roll, False, final))
    if final or not _rerollable(rules, builder.group, row):
        _settle(rules, builder, member, draws)
    return builder.events


def take_injury(rules: Rules, group: Group, member: str, draws: Draws) -> Events:
    """Accept a result that waits (FS-INJ-3). Raise StepRefused or ChoiceRefused."""
    _waiting(in_step(group, "1", "1b", "3", "5"), member)
    builder = DecisionBuilder(group)
    _settle(rules, builder, member, draws)
    return builder.events


def reroll_injury(rules: Rules, group: Group, member: str) -> Events:
    """Spend a re-roll on a result that waits or, after a visit to the Doctor, on a settled one (FS-INJ-3, FS-INJ-5).

    Re-rolls of step 1 expire with it; in step 3 only a visit gives one. `roll_injury` makes the new roll, which is
    final.
    Raises StepRefused or ChoiceRefused.
    """
    phase = in_step(group, "1", "3")
    require(faults_of_absence(group, member), "this member is not here")
    settled = next((known for known in phase.suffered if known.member == member and not known.final), None)
    if phase.step == "3" and settled is not None:
        require(_no_rerolls(phase), "no re-roll is left")
        injured = known_member(group, member, "FS-INJ-3")
        healed = [InjuryHealed(member, settled.result, "FS-INJ-3")] if settled.result in injured.injuries else []
        return [*healed, RerollUsed(member)]
    waiting = _waiting(phase, member)
    row = next(row for row in rules.injuries if row.injury == waiting.result)
    require(_no_rerolls(phase), "no re-roll is left")
    dead = row.dies and rules.options.doctor_reroll == "passive_except_dead" and phase.home != "medical_lab"
    fault = Fault("/member", member, expects("living-member"), "FS-AMB-32")
    require([fault] if dead or waiting.final else [], "this result stands")
    return [RerollUsed(member)]


def choose_clean_home(rules: Rules, group: Group, choice: CleanHome, member: str = "") -> Events:
    """Choose the benefit of the vault after a game, once (FS-SPC-3). Raise StepRefused or ChoiceRefused."""
    phase = in_step(group, "1")
    at_home = rules.forces[group.force].special.restaurant
    fault = Fault("/choice", choice or "nothing", expects("vault-choice-once"), "FS-SPC-3")
    require([fault] if phase.home or not at_home else [], "the vault gives nothing more")
    builder = DecisionBuilder(group)
    builder.record(CleanHomeChosen(choice, member if choice == "radaway" else ""))
    if choice == "radaway":
        require(faults_of_absence(group, member), "this member is not here")
        lose_rads(builder, member, rules.core.radaway, "vault", "FS-SPC-3")
    return builder.events


def check_jail(rules: Rules, group: Group, member: str, throw: Thrown) -> Events:
    """Check by Luck whether a member beaten in melee goes to jail (FS-INJ-5, FS-AMB-49).

    Raises StepRefused, ChoiceRefused or DiceRefused. The captors' caps follow with `jail_bounty`.
    """
    phase = in_step(group, "1")
    injury_first = rules.options.incarcerated_injury == "always_roll"
    unsettled = member in phase.injured or _open(phase, member) is not None
    faults = [Fault("/member", member, expects("member-beaten-in-melee"), "FS-INJ-5")]
    require([] if member in phase.jail else faults, "nobody wants to jail this member")
    late = Fault("/member", member, expects("member-without-open-injury"), "FS-INJ-5")
    require([late] if injury_first and unsettled else [], "the injury comes first")
    luck = attribute(rules, group, known_member(group, member, "FS-INJ-5"), "L")
    rolled = read_throw(throw, "1D12", "FS-INJ-5", member=member)
    if check_succeeds(rolled.natural, luck):
        return [rolled, JailEscaped(member, rolled.roll)]
    return [rolled, MemberIncarcerated(member, rolled.roll)]


def jail_bounty(rules: Rules, captors: Group, roll: str) -> CapsMoved:
    """Return the captors' pay for a prisoner. roll: id of the failed Luck check (FS-INJ-5)."""
    caps = rules.forces[captors.force].special.jail_caps
    return CapsMoved(caps, "prisoner", "FS-INJ-5", roll, group=captors.id)


def dismiss_blind(rules: Rules, group: Group, member: str, how: Literal["kill", "send_away"], draws: Draws) -> Events:
    """Kill or send away a blind member; its equipment stays (FS-INJ-1). Raises ChoiceRefused."""
    in_step(group, "1")
    known = known_member(group, member, "FS-INJ-1")
    fault = Fault("/member", member, expects("blind-member"), "FS-INJ-1")
    require([] if is_blind(rules, known) else [fault], "only the blind are dismissed")
    builder = DecisionBuilder(group)
    reason: Literal["killed_by_own", "sent_away"] = "killed_by_own" if how == "kill" else "sent_away"
    remove_member(rules, builder, member, reason, "FS-INJ-1", draws, in_game=False)
    return builder.events


def close_injuries(rules: Rules, builder: DecisionBuilder, draws: Draws) -> None:
    """Settle the remaining results before step 1 closes. Raise ChoiceRefused if a roll is missing (FS-PGP-1)."""
    phase = builder.phase
    faults = [Fault("/injured", id, expects("injury-roll"), "FS-INJ-1") for id in phase.injured]
    faults += [
        Fault("/injured", open.member, expects("other-injury-roll"), "FS-INJ-2")
        for open in phase.open_injuries
        if open.again
    ]
    faults += [Fault("/jail", id, expects("luck-check"), "FS-INJ-5") for id in phase.jail]
    require(faults, "injuries are not settled")
    for open in phase.open_injuries:
        _settle(rules, builder, open.member, draws)
    appoint_due_leader(rules, builder, draws)


def _settle(rules: Rules, builder: DecisionBuilder, member: str, draws: Draws) -> None:
    """Settle a result: death, full recovery, or a permanent injury."""
    waiting = _open(builder.phase, member)
    assert waiting is not None
    row = next(row for row in rules.injuries if row.injury == waiting.result)
    if row.dies:
        remove_member(rules, builder, member, "dead", "FS-INJ-1", draws, in_game=True, roll=waiting.roll)
    elif row.changes or row.limb:
        builder.record(InjurySuffered(member, row.injury, waiting.roll))
        appoint_due_leader(rules, builder, draws)
    else:
        builder.record(FullyRecovered(member, waiting.roll))


def _impossible(rules: Rules, member: Member, row: Injury) -> bool:
    """Return True for a third leg, arm or eye (FS-INJ-2, FS-AMB-7)."""
    limb = row.limb or (row.as_limb if rules.options.attribute_rows_count_as_limbs else "")
    return bool(limb) and crippled_limbs(rules, member, limb) >= 2


def _rerollable(rules: Rules, group: Group, row: Injury) -> bool:
    """Return True if the owner may still decide to roll again."""
    phase = group.phase
    assert phase is not None
    if phase.step not in ("1", "1b"):
        return False
    vault = bool(rules.forces[group.force].special.restaurant) and not phase.home
    spared = row.dies and rules.options.doctor_reroll == "passive_except_dead" and phase.home != "medical_lab"
    return vault or (phase.rerolls > 0 and not spared)


def _open(phase: Phase, member: str) -> OpenRoll | None:
    return next((open for open in phase.open_injuries if open.member == member), None)


def _waiting(phase: Phase, member: str) -> OpenRoll:
    waiting = _open(phase, member)
    fault = Fault("/member", member, expects("member-with-rolled-injury"), "FS-INJ-3")
    require([] if waiting is not None and not waiting.again else [fault], "no result waits")
    assert waiting is not None
    return waiting


def _no_rerolls(phase: Phase) -> list[Fault]:
    return [] if phase.rerolls > 0 else [Fault("/rerolls", "0", expects("doctor-or-lab"), "FS-INJ-3")]


class OfInjury(Struct, frozen=True, forbid_unknown_fields=True):
    """member: id of the member whose injury result waits. injury: the result, for information only."""

    member: str
    injury: str = ""


class Home(Struct, frozen=True, forbid_unknown_fields=True):
    """choice: the benefit of the vault. member: id of the member who gets the RadAway."""

    choice: CleanHome
    member: str = ""


class Dismissal(Struct, frozen=True, forbid_unknown_fields=True):
    """member: id of the blind member. how: `kill` or `send_away`."""

    member: str
    how: Literal["kill", "send_away"]


def _roll_injury(context: DecisionContext, args: OfMember) -> Events:
    phase = in_step(context.group, "1", "1b", "3", "5")
    again = next((open.roll for open in phase.open_injuries if open.member == args.member and open.again), "")
    throw = context.roll("2D12", "FS-INJ-1", args.member, again)
    return roll_injury(context.rules, context.group, args.member, throw, context.draws)


def _offer_rolls(context: DecisionContext) -> Iterator[Arguments]:
    again = (open.member for open in context.phase.open_injuries if open.again)
    yield from ({"member": id} for id in dict.fromkeys((*context.phase.injured, *again)))


def _offer_open_results(context: DecisionContext) -> Iterator[Arguments]:
    for open in context.phase.open_injuries:
        if not open.again:
            yield {"member": open.member, "injury": open.result}


def _offer_rerolls(context: DecisionContext) -> Iterator[Arguments]:
    """Yield the results that may be rolled again: those that wait, and settled ones after a visit to the Doctor."""
    yield from _offer_open_results(context)
    if context.phase.step == "3" and context.phase.rerolls:
        yield from ({"member": known.member, "injury": known.result} for known in context.phase.suffered)


def _check_jail(context: DecisionContext, args: OfMember) -> Events:
    throw = context.roll("1D12", "FS-INJ-5", args.member)
    events = check_jail(context.rules, context.group, args.member, throw)
    return [*events, *jail_bounties(context, events)]


def jail_bounties(context: DecisionContext, events: Sequence[CampaignEvent]) -> Iterator[CampaignEvent]:
    """Yield the captors' pay for each member jailed by these events (FS-INJ-5)."""
    for event in events:
        if isinstance(event, MemberIncarcerated):
            deeds = context.phase.played.deeds(event.member)
            captor = (
                context.rivals_by_id.get(rival_by_name(list(context.rivals_by_id), deeds.by)[0])
                if deeds is not None
                else None
            )
            if captor is not None:
                yield jail_bounty(context.rules, captor, event.roll)


def _offer_homes(context: DecisionContext) -> Iterator[Arguments]:
    if context.rules.forces[context.group.force].special.restaurant:
        for home in get_args(CleanHome):
            for id in context.group.ids if home == "radaway" else ("",):
                yield {"choice": home, **({"member": id} if id else {})}


def _offer_blind_members(context: DecisionContext) -> Iterator[Arguments]:
    for member in context.group.members:
        if is_blind(context.rules, member):
            yield from ({"member": member.id, "how": how} for how in ("kill", "send_away"))


INJURY_CHOICES = (
    Choice("roll_injury", OfMember, _roll_injury, ("1", "3", "5"), _offer_rolls),
    Choice(
        "take_injury",
        OfInjury,
        lambda context, args: take_injury(context.rules, context.group, args.member, context.draws),
        ("1", "3", "5"),
        _offer_open_results,
    ),
    Choice(
        "reroll_injury",
        OfInjury,
        lambda context, args: reroll_injury(context.rules, context.group, args.member),
        ("1", "3", "5"),
        _offer_rerolls,
        leaves=leaves("reroll_injury", "FS-INJ-3", "member", won=True),
    ),
    Choice(
        "check_jail",
        OfMember,
        _check_jail,
        ("1",),
        lambda context: ({"member": id} for id in context.phase.jail),
    ),
    Choice(
        "dismiss_blind",
        Dismissal,
        lambda context, args: dismiss_blind(context.rules, context.group, args.member, args.how, context.draws),
        ("1",),
        _offer_blind_members,
    ),
    Choice(
        "choose_clean_home",
        Home,
        lambda context, args: choose_clean_home(context.rules, context.group, args.choice, args.member),
        ("1",),
        _offer_homes,
        leaves=leaves("choose_clean_home", "FS-SPC-3", won=True),
    ),
)
