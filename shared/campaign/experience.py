"""Step 2: experience, levels, advancement rolls and perks, with their choices.

FS-XP-1 to FS-XP-6, FS-ADV-1, FS-ADV-2, FS-PRK-1 to FS-PRK-3.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import get_args

from msgspec import Struct
from msgspec.structs import replace

from shared.campaign import tables
from shared.campaign.dice import Thrown, read_throw
from shared.campaign.facts import Deeds, Played, name_of_rival
from shared.campaign.outcomes import (
    AdvancementRolled,
    CharacteristicRaised,
    ExperienceAwarded,
    ExperienceChanged,
    LevelReached,
    LevelsTakenBack,
    PerkChosen,
)
from shared.campaign.roster import Group, Member, OpenRoll, Step, meets_requirement
from shared.campaign.steps import (
    Arguments,
    Choice,
    DecisionBuilder,
    DecisionContext,
    Nothing,
    OfMember,
    in_step,
    require,
)
from shared.campaign.tables import Rules
from shared.campaign.words import Attribute, ChoiceRefused, Events, Rank, StepRefused
from shared.refusals import Fault, expects, one_of

MOST_DEEDS = 30
"""Largest number of one kind of deed in one entry of a ruling: more than any game of this size has."""


def level_at(rules: Rules, xp: int) -> int:
    """Return the highest level that this experience reaches; 0 before the first (FS-XP-4)."""
    return max((level.level for level in rules.advancement.levels if level.xp <= xp), default=0)


def starting_xp(rules: Rules, rank: Rank) -> int:
    """Return the starting experience of a rank (FS-GRP-11, FS-AMB-1)."""
    return rules.options.experienced_xp if rank == "experienced" else rules.core.starting_xp[rank]


def change_xp(
    rules: Rules, group: Group, member: str, amount: int, reason: str, clause: str, deeds: Mapping[str, int] = {}
) -> Events:
    """Change experience outside step 2, with the levels that it reaches at once (FS-XP-6).

    deeds: deeds entered by a ruling, for the record.
    """
    builder = DecisionBuilder(group)
    changes = _changes(builder.member(member), [(amount, reason, clause)])
    builder.record(*(replace(change, deeds=dict(deeds)) for change in changes))
    builder.record(*_levels(rules, builder.member(member)))
    return builder.events


def take_back(rules: Rules, group: Group, member: str, amount: int, reason: str, clause: str) -> Events:
    """Take back experience that was never earned, with the levels and advancements that it gave.

    amount: experience points, below 0.
    Advancement rolls that are owed go first, then the latest gains. Losses by rule in the meantime took no level, so
    none is taken back for them (`fs.xp.loss`).
    Raises ChoiceRefused if the member did not earn that much. Source: FS-XP-5, FS-REP-5.
    """
    builder = DecisionBuilder(group)
    before = builder.member(member)
    top = max(before.peak, before.xp)
    earned = min(before.xp, top - starting_xp(rules, before.rank))
    fault = Fault("/amount", f"{amount}", expects("at-most-earned", most=earned), "FS-XP-5")
    require([] if 0 < -amount <= earned else [fault], "so much was not earned")
    builder.record(ExperienceChanged(member, amount, reason, clause, unearned=True))
    if rules.options.xp_loss == "undo_level":
        top = before.xp
    lost = level_at(rules, top) - level_at(rules, top + amount)
    if lost:
        builder.record(_taken_back(rules, builder, before, lost))
    return builder.events


def _taken_back(rules: Rules, builder: DecisionBuilder, before: Member, lost: int) -> LevelsTakenBack:
    """Return the loss of these levels with their advancements (FS-AMB-11)."""
    given = min(lost, 1) if rules.options.level_count == "one_per_game" else lost
    owed = min(given, before.advances)
    gains = before.gained[::-1][: given - owed]
    waiting = owed == before.advances and any(
        open.member == before.id for open in (builder.group.phase.open_advances if builder.group.phase else ())
    )
    return LevelsTakenBack(before.id, before.level - lost, owed, gains, waiting)


def experience_of_deeds(rules: Rules, group: Group, member: Member, deeds: Mapping[str, int]) -> int:
    """Return the experience of deeds entered by a ruling (FS-XP-1, FS-XP-3). Raises ChoiceRefused."""
    special = rules.forces[group.force].special
    each = dict(rules.advancement.experience)
    of_force = {"high_tech": special.high_tech, "mutated": special.hunts_mutated, "evil": special.hunts_evil}
    possible = {name: worth for name, worth in each.items() if of_force.get(name, True)}
    possible |= {"high_tech_missed": -1} if special.high_tech else {}
    possible |= {"mutated_left": -1} if special.hunts_mutated else {}
    faults = []
    for name, count in deeds.items():
        most = 1 if name in ("survived", "winning_leader") else MOST_DEEDS
        if name not in possible:
            faults.append(Fault(f"/deeds/{name}", name, one_of(list(possible)), "FS-XP-1"))
        elif not 1 <= count <= most:
            faults.append(Fault(f"/deeds/{name}", f"{count}", expects("between", least=1, most=most), "FS-XP-1"))
    amount = sum(possible.get(name, 0) * count for name, count in deeds.items())
    if not amount and not faults:
        faults.append(Fault("/deeds", "nothing", expects("some-of", values=list(possible)), "FS-XP-1"))
    if member.xp + amount < 0:
        expected = expects("experience-not-below-0", experience=member.xp)
        faults.append(Fault("/deeds", f"{amount}", expected, "FS-XP-5"))
    require(faults, "experience follows from what happened")
    return amount


def experience_of_kill(rules: Rules, wounds: int) -> int:
    """Return the experience for taking all wounds of one opponent and killing it (FS-XP-1)."""
    each = rules.advancement.experience
    return each["wound"] * (max(wounds, 1) if rules.options.wound == "per_wound" else 1) + each["kill"]


def raise_to_next_level(rules: Rules, group: Group, member: Member) -> Events:
    """Raise a member by one level: to the next threshold, or by the advancement roll only (FS-XP-6, FS-AMB-46)."""
    next_level = next(level for level in rules.advancement.levels if level.level > member.level)
    if rules.options.level_gain == "roll_only":
        return [LevelReached(member.id, next_level.level)]
    return change_xp(rules, group, member.id, next_level.xp - member.xp, "objective", "FS-XP-6")


def award_experience(rules: Rules, group: Group, deaths: Collection[str] = ()) -> Events:
    """Award all experience of the game, then the levels that it reaches (step 2).

    A member who was jailed after the game gets its experience.
    deaths: rival members who died by the injury table, if only they count as kills (`fs.xp.kill`).
    Experience never drops below 0. Source: FS-XP-1, FS-XP-2, FS-XP-3, FS-XP-5.
    """
    builder = DecisionBuilder(group)
    played = builder.phase.played
    for deeds in played.side.members:
        member = builder.group.member(deeds.member)
        if member is not None:
            builder.record(*_changes(member, list(_earned(rules, group, played, deeds, deaths))))
    leader = builder.group.member(played.leader)
    if leader is not None:
        builder.record(*_changes(leader, list(_lost(rules, group, played))))
    for id in group.ids:
        builder.record(*_levels(rules, builder.member(id)))
    builder.record(ExperienceAwarded())
    return builder.events


def _earned(
    rules: Rules, group: Group, played: Played, deeds: Deeds, deaths: Collection[str]
) -> Iterator[tuple[int, str, str]]:
    each, special = rules.advancement.experience, rules.forces[group.force].special
    options = rules.options
    creatures = deeds.kills - len(deeds.took)
    counts = {
        "wound": deeds.wounds if options.wound == "per_wound" else deeds.models,
        "kill": deeds.kills if options.kill == "last_wound" else creatures + len({*deeds.took} & {*deaths}),
        "survived": int(options.survive == "alive_after_injuries" or deeds.down is None),
        "computer": deeds.computers,
        "lock": deeds.locks,
        "winning_leader": int(played.ending == "win" and played.leader == deeds.member),
    }
    for reason, count in counts.items():
        yield each[reason] * count, reason, "FS-XP-1"
    if special.high_tech and deeds.high_tech and deeds.down is None:
        yield each["high_tech"], "high_tech", "FS-XP-3"
    if special.hunts_mutated:
        yield each["mutated"] * deeds.mutated, "mutated", "FS-XP-3"
    if special.hunts_evil:
        yield each["evil"] * deeds.evil, "evil", "FS-XP-3"


def _lost(rules: Rules, group: Group, played: Played) -> Iterator[tuple[int, str, str]]:
    special = rules.forces[group.force].special
    if special.high_tech:
        yield -played.side.missed, "high_tech_missed", "FS-XP-3"
    if special.hunts_mutated:
        yield -played.side.left, "mutated_left", "FS-XP-3"


def _changes(member: Member, amounts: list[tuple[int, str, str]]) -> Iterator[ExperienceChanged]:
    """Yield the non-zero changes, limited so that experience never drops below 0 (FS-XP-5)."""
    xp = member.xp
    for amount, reason, clause in amounts:
        change = max(amount, -xp)
        xp += change
        if change:
            yield ExperienceChanged(member.id, change, reason, clause)


def _levels(rules: Rules, member: Member) -> Iterator[LevelReached]:
    """Yield a level for each threshold crossed for the first time (FS-XP-5, FS-AMB-11, FS-AMB-52)."""
    reached = level_at(rules, member.xp)
    if reached < member.level and rules.options.xp_loss == "undo_level":
        yield LevelReached(member.id, reached, 0)
    elif reached > member.level and rules.options.level_count == "one_per_game":
        yield LevelReached(member.id, reached)
    else:
        yield from (LevelReached(member.id, level) for level in range(member.level + 1, reached + 1))


PERK, ANY_PERK, OTHER = "perk", "perk_any", "other"
"""Results of an advancement roll other than an attribute: a perk, a perk without its requirement, another attribute."""


def most_of(rules: Rules, group: Group, attribute: Attribute) -> int:
    """Return the highest value that an advancement may reach (FS-ADV-2, FS-AMB-13)."""
    if attribute == "W" and rules.forces[group.force].special.wounds_by_option:
        return rules.options.super_mutant_wounds_max
    return rules.advancement.most[attribute]


def may_raise(rules: Rules, group: Group, member: Member, attribute: Attribute) -> bool:
    """Return True if an attribute can rise by one. Injuries do not make room (FS-ADV-2)."""
    start: int = getattr(rules.forces[group.force].ranks[member.rank].profile, attribute)
    return start + member.raised.get(attribute, 0) < most_of(rules, group, attribute)


def open_perks(rules: Rules, group: Group, member: Member, *, waived: bool) -> list[str]:
    """Return the perks that a member may choose, in table order (FS-PRK-1, FS-PRK-3)."""
    held = {perk.perk for perk in member.perks}
    return [
        key
        for key, perk in rules.advancement.perks.items()
        if key not in held and not perk.leader_only and (waived or meets_requirement(rules, group, member, key))
    ]


def roll_advancement(rules: Rules, group: Group, member: str, throw: Thrown) -> Events:
    """Roll an advancement that a member is owed, or re-roll an impossible one (FS-ADV-1).

    An attribute rises at once; a perk waits to be chosen. Raises ChoiceRefused or DiceRefused.
    """
    in_step(group, "2", "3", "7")
    known = group.member(member)
    if known is None or known.advances < 1:
        fault = Fault("/member", member, expects("member-at-level"), "FS-XP-5")
        raise ChoiceRefused(f"{member} is owed no advancement", [fault])
    waiting = open_advance(group, member)
    if waiting is not None and not waiting.again:
        fault = Fault("/member", member, expects("member-without-open-choice"), "FS-ADV-1")
        raise ChoiceRefused(f"{member} has not chosen yet", [fault])
    replaced = waiting.roll if waiting else ""
    rows = rules.advancement.rows
    rolled = read_throw(throw, "2D12", "FS-ADV-1", table="advancement", rows=rows, member=member, replaces=replaced)
    gains = next(row.gains for row in rows if row.least <= rolled.total <= row.most)
    if gains in (PERK, ANY_PERK):
        impossible = not open_perks(rules, group, known, waived=gains == ANY_PERK)
        return [rolled, AdvancementRolled(member, gains, rolled.roll, impossible)]
    if may_raise(rules, group, known, _attribute(gains)):
        raised = CharacteristicRaised(member, _attribute(gains), rolled.roll)
        return [rolled, AdvancementRolled(member, gains, rolled.roll), raised]
    if rules.options.over_maximum == "choose_other":
        return [rolled, AdvancementRolled(member, OTHER, rolled.roll)]
    return [rolled, AdvancementRolled(member, gains, rolled.roll, True)]


def choose_perk(rules: Rules, group: Group, member: str, perk: str) -> Events:
    """Choose the perk that a roll gave (FS-PRK-1). Raises ChoiceRefused."""
    waiting, known = _open_choice(group, member, {PERK, ANY_PERK}), group.member(member)
    assert known is not None
    legal = open_perks(rules, group, known, waived=waiting.result == ANY_PERK)
    if perk not in legal:
        fault = Fault("/perk", perk or "nothing", tables.one_of(tables.perks(rules), legal), "FS-PRK-1")
        raise ChoiceRefused(f"{member} cannot choose {perk}", [fault])
    waived = waiting.result == ANY_PERK and not meets_requirement(rules, group, known, perk)
    return [PerkChosen(member, perk, waiting.roll, waived)]


def choose_attribute(rules: Rules, group: Group, member: str, attribute: str) -> Events:
    """Choose another attribute in place of one at its maximum, under `fs.adv.over_maximum=choose_other` (FS-AMB-12).

    Raises ChoiceRefused.
    """
    waiting, known = _open_choice(group, member, {OTHER}), group.member(member)
    assert known is not None
    legal = [name for name in get_args(Attribute) if may_raise(rules, group, known, name)]
    if attribute not in legal:
        fault = Fault("/attribute", attribute or "nothing", one_of(legal), "FS-AMB-12")
        raise ChoiceRefused(f"{attribute} of {member} cannot grow", [fault])
    return [CharacteristicRaised(member, _attribute(attribute), waiting.roll)]


def open_advance(group: Group, member: str) -> OpenRoll | None:
    """Return the advancement of a member that waits for a choice or a re-roll, if any."""
    waiting = group.phase.open_advances if group.phase else ()
    return next((open for open in waiting if open.member == member), None)


def _open_choice(group: Group, member: str, results: set[str]) -> OpenRoll:
    waiting = open_advance(group, member)
    if waiting is None or waiting.again or waiting.result not in results:
        fault = Fault("/member", member, expects("member-with-open-choice"), "FS-ADV-1")
        raise ChoiceRefused(f"{member} has nothing of the kind to choose", [fault])
    return waiting


def _attribute(name: str) -> Attribute:
    return next(known for known in get_args(Attribute) if known == name)


ADVANCING: tuple[Step, ...] = ("2", "3", "7")


class Perk(Struct, frozen=True, forbid_unknown_fields=True):
    """member: id of the member. perk: name or key of the perk."""

    member: str
    perk: str


class Raise(Struct, frozen=True, forbid_unknown_fields=True):
    """member: id of the member. attribute: the attribute to raise instead of one at its maximum."""

    member: str
    attribute: str


def _award_experience(context: DecisionContext, args: Nothing) -> Events:
    phase = in_step(context.group, "2")
    fault = Fault("/step", phase.step, expects("experience-once-in-phase"), "FS-XP-1")
    require([fault] if phase.awarded else [], "experience was awarded")
    return award_experience(context.rules, context.group, injury_deaths(context, context.rules.options.kill))


def injury_deaths(context: DecisionContext, reading: str) -> tuple[str, ...]:
    """Return the rival members who died by the injury table, by the names that this group uses.

    reading: the option's value; empty unless it is `dead_on_injury_table`. Raises StepRefused if the deaths are not
        known yet.
    """
    if reading != "dead_on_injury_table":
        return ()
    unsettled = [
        Fault("/step", "1", expects("step-of-group-closed", step="1", group=rival.group.id), "FS-PGP-1")
        for rival in context.rivals
        if not rival.settled
    ]
    if unsettled:
        raise StepRefused("who is dead is not known yet", unsettled)
    named = list(context.rivals_by_id)
    return tuple(name_of_rival(named, rival.group.id, id) for rival in context.rivals for id in rival.dead)


def _offer_award(context: DecisionContext) -> Iterator[Arguments]:
    if not context.phase.awarded:
        yield {}


def _roll_advancement(context: DecisionContext, args: OfMember) -> Events:
    in_step(context.group, *ADVANCING)
    waiting = open_advance(context.group, args.member)
    again = waiting.roll if waiting is not None and waiting.again else ""
    throw = context.roll("2D12", "FS-ADV-1", args.member, again)
    return roll_advancement(context.rules, context.group, args.member, throw)


def _offer_rolls(context: DecisionContext) -> Iterator[Arguments]:
    for member in context.group.members:
        if member.advances > 0 and not _awaited_choice(context, member):
            yield {"member": member.id}


def _offer_perks(context: DecisionContext) -> Iterator[Arguments]:
    for member in context.group.members:
        if _awaited_choice(context, member) in (PERK, ANY_PERK):
            for perk, entry in context.rules.advancement.perks.items():
                if not entry.leader_only:
                    yield {"member": member.id, "perk": perk}


def _offer_attributes(context: DecisionContext) -> Iterator[Arguments]:
    for member in context.group.members:
        if _awaited_choice(context, member) not in ("", PERK, ANY_PERK):
            yield from ({"member": member.id, "attribute": name} for name in context.rules.advancement.most)


def _awaited_choice(context: DecisionContext, member: Member) -> str:
    """Return what the roll of a member waits for; empty if it must be rolled first or again."""
    waiting = open_advance(context.group, member.id)
    return "" if waiting is None or (waiting.again and member.advances > 0) else waiting.result


EXPERIENCE_CHOICES = (
    Choice("award_experience", Nothing, _award_experience, ("2",), _offer_award),
    Choice("roll_advancement", OfMember, _roll_advancement, ADVANCING, _offer_rolls),
    Choice(
        "choose_perk",
        Perk,
        lambda context, args: choose_perk(context.rules, context.group, args.member, args.perk),
        ADVANCING,
        _offer_perks,
    ),
    Choice(
        "choose_attribute",
        Raise,
        lambda context, args: choose_attribute(context.rules, context.group, args.member, args.attribute),
        ADVANCING,
        _offer_attributes,
    ),
)
