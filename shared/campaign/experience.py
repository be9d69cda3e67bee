"""Step 2: experience, levels, advancement rolls and perks (FS-XP, FS-ADV, FS-PRK), with their choices.

FS-XP-1 to FS-XP-6, FS-ADV-1, FS-ADV-2, FS-PRK-1 to FS-PRK-3.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import get_args

from msgspec import Struct
from msgspec.structs import replace

from shared.campaign import tables
from shared.campaign.dice import Throw, read_throw
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
"""Of one kind in one entry of a ruling: more than any game of this size has seen."""


def level_at(rules: Rules, xp: int) -> int:
    """The highest level whose threshold this experience meets; 0 before the first. FS-XP-4."""
    return max((level.level for level in rules.advancement.levels if level.xp <= xp), default=0)


def starting_xp(rules: Rules, rank: Rank) -> int:
    """The experience that a character of a rank begins with. FS-GRP-11, FS-AMB-1."""
    return rules.options.experienced_xp if rank == "experienced" else rules.core.starting_xp[rank]


def change_xp(
    rules: Rules, group: Group, member: str, amount: int, reason: str, clause: str, deeds: Mapping[str, int] = {}
) -> Events:
    """Experience won or lost outside step 2, with the levels that it reaches at once. FS-XP-6.

    deeds: what a ruling enters, for the record.
    """
    builder = DecisionBuilder(group)
    changes = _changes(builder.member(member), [(amount, reason, clause)])
    builder.record(*(replace(change, deeds=dict(deeds)) for change in changes))
    builder.record(*_levels(rules, builder.member(member)))
    return builder.events


def take_back(rules: Rules, group: Group, member: str, amount: int, reason: str, clause: str) -> Events:
    """Experience that was never earned goes, and with it the levels that it reached and their advancements.

    amount: below 0. Advancements that are owed go first, then what was gained last. What a rule took in the meantime
    took no level, and is none now (`fs.xp.loss`). Raises ChoiceRefused for more than was earned. FS-XP-5, FS-REP-5.
    """
    builder = DecisionBuilder(group)
    was = builder.member(member)
    top = max(was.peak, was.xp)
    earned = min(was.xp, top - starting_xp(rules, was.rank))
    fault = Fault("/amount", f"{amount}", expects("at-most-earned", most=earned), "FS-XP-5")
    require([] if 0 < -amount <= earned else [fault], "so much was not earned")
    builder.record(ExperienceChanged(member, amount, reason, clause, unearned=True))
    if rules.options.xp_loss == "undo_level":
        top = was.xp
    lost = level_at(rules, top) - level_at(rules, top + amount)
    if lost:
        builder.record(_taken_back(rules, builder, was, lost))
    return builder.events


def _taken_back(rules: Rules, builder: DecisionBuilder, was: Member, lost: int) -> LevelsTakenBack:
    """So many levels of a member, with the advancements that they gave. FS-AMB-11."""
    given = min(lost, 1) if rules.options.level_count == "one_per_game" else lost
    owed = min(given, was.advances)
    gains = was.gained[::-1][: given - owed]
    waiting = owed == was.advances and any(
        open.member == was.id for open in (builder.group.phase.open_advances if builder.group.phase else ())
    )
    return LevelsTakenBack(was.id, was.level - lost, owed, gains, waiting)


def experience_of_deeds(rules: Rules, group: Group, member: Member, deeds: Mapping[str, int]) -> int:
    """What deeds that a ruling enters give or cost, by the table. Raises ChoiceRefused. FS-XP-1, FS-XP-3."""
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
    """What it gives to take all wounds of one opponent: each of them, and the kill. FS-XP-1."""
    each = rules.advancement.experience
    return each["wound"] * (max(wounds, 1) if rules.options.wound == "per_wound" else 1) + each["kill"]


def raise_to_next_level(rules: Rules, group: Group, member: Member) -> Events:
    """A member gains a level: experience of the next threshold, or the roll alone. FS-XP-6, FS-AMB-46."""
    following = next(level for level in rules.advancement.levels if level.level > member.level)
    if rules.options.level_gain == "roll_only":
        return [LevelReached(member.id, following.level)]
    return change_xp(rules, group, member.id, following.xp - member.xp, "objective", "FS-XP-6")


def award_experience(rules: Rules, group: Group, deaths: Collection[str] = ()) -> Events:
    """All experience of the game, then the levels that it reaches: step 2.

    Who went to jail after the game has played it, and gets its own. deaths: members of the rival who are dead by the
    injury table, for the reading in which only those are kills. Raises nothing; experience never falls
    below 0. Source: FS-XP-1, FS-XP-2, FS-XP-3, FS-XP-5.
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
    """The changes that are any, none of which takes experience below 0. FS-XP-5."""
    xp = member.xp
    for amount, reason, clause in amounts:
        change = max(amount, -xp)
        xp += change
        if change:
            yield ExperienceChanged(member.id, change, reason, clause)


def _levels(rules: Rules, member: Member) -> Iterator[LevelReached]:
    """A level for each threshold crossed for the first time. FS-XP-5, FS-AMB-11, FS-AMB-52."""
    reached = level_at(rules, member.xp)
    if reached < member.level and rules.options.xp_loss == "undo_level":
        yield LevelReached(member.id, reached, 0)
    elif reached > member.level and rules.options.level_count == "one_per_game":
        yield LevelReached(member.id, reached)
    else:
        yield from (LevelReached(member.id, level) for level in range(member.level + 1, reached + 1))


PERK, ANY_PERK, OTHER = "perk", "perk_any", "other"
"""What an open roll waits for beside an attribute: a perk, a perk whatever it requires, another attribute."""


def most_of(rules: Rules, group: Group, attribute: Attribute) -> int:
    """The highest value that an advancement may reach. FS-ADV-2, FS-AMB-13."""
    if attribute == "W" and rules.forces[group.force].special.wounds_by_option:
        return rules.options.super_mutant_wounds_max
    return rules.advancement.most[attribute]


def may_raise(rules: Rules, group: Group, member: Member, attribute: Attribute) -> bool:
    """Whether an attribute can grow by one; injuries do not make room. FS-ADV-2."""
    start: int = getattr(rules.forces[group.force].ranks[member.rank].profile, attribute)
    return start + member.raised.get(attribute, 0) < most_of(rules, group, attribute)


def open_perks(rules: Rules, group: Group, member: Member, *, waived: bool) -> list[str]:
    """The perks that a member may choose, in the order of the table. FS-PRK-1, FS-PRK-3."""
    held = {perk.perk for perk in member.perks}
    return [
        key
        for key, perk in rules.advancement.perks.items()
        if key not in held and not perk.leader_only and (waived or meets_requirement(rules, group, member, key))
    ]


def roll_advancement(rules: Rules, group: Group, member: str, thrown: Throw) -> Events:
    """One of the advancement rolls that a member is owed, or the re-roll of one that cannot be had.

    An attribute grows at once; a perk waits to be chosen. Raises ChoiceRefused or DiceRefused. Source: FS-ADV-1.
    """
    in_step(group, "2", "3", "7")
    found = group.member(member)
    if found is None or found.advances < 1:
        fault = Fault("/member", member, expects("member-at-level"), "FS-XP-5")
        raise ChoiceRefused(f"{member} is owed no advancement", [fault])
    waiting = open_advance(group, member)
    if waiting is not None and not waiting.again:
        fault = Fault("/member", member, expects("member-without-open-choice"), "FS-ADV-1")
        raise ChoiceRefused(f"{member} has not chosen yet", [fault])
    replaced = waiting.roll if waiting else ""
    rows = rules.advancement.rows
    rolled = read_throw(thrown, "2D12", "FS-ADV-1", table="advancement", rows=rows, member=member, replaces=replaced)
    gains = next(row.gains for row in rows if row.least <= rolled.total <= row.most)
    if gains in (PERK, ANY_PERK):
        none = not open_perks(rules, group, found, waived=gains == ANY_PERK)
        return [rolled, AdvancementRolled(member, gains, rolled.roll, none)]
    if may_raise(rules, group, found, _attribute(gains)):
        raised = CharacteristicRaised(member, _attribute(gains), rolled.roll)
        return [rolled, AdvancementRolled(member, gains, rolled.roll), raised]
    if rules.options.over_maximum == "choose_other":
        return [rolled, AdvancementRolled(member, OTHER, rolled.roll)]
    return [rolled, AdvancementRolled(member, gains, rolled.roll, True)]


def choose_perk(rules: Rules, group: Group, member: str, perk: str) -> Events:
    """The perk that a roll gave the choice of. Raises ChoiceRefused. FS-PRK-1."""
    waiting, found = _waiting_for(group, member, {PERK, ANY_PERK}), group.member(member)
    assert found is not None
    legal = open_perks(rules, group, found, waived=waiting.result == ANY_PERK)
    if perk not in legal:
        fault = Fault("/perk", perk or "nothing", tables.one_of(tables.perks(rules), legal), "FS-PRK-1")
        raise ChoiceRefused(f"{member} cannot choose {perk}", [fault])
    waived = waiting.result == ANY_PERK and not meets_requirement(rules, group, found, perk)
    return [PerkChosen(member, perk, waiting.roll, waived)]


def choose_attribute(rules: Rules, group: Group, member: str, attribute: str) -> Events:
    """Another attribute in place of one at its maximum, where the organiser lets players choose. FS-AMB-12."""
    waiting, found = _waiting_for(group, member, {OTHER}), group.member(member)
    assert found is not None
    legal = [name for name in get_args(Attribute) if may_raise(rules, group, found, name)]
    if attribute not in legal:
        fault = Fault("/attribute", attribute or "nothing", one_of(legal), "FS-AMB-12")
        raise ChoiceRefused(f"{attribute} of {member} cannot grow", [fault])
    return [CharacteristicRaised(member, _attribute(attribute), waiting.roll)]


def open_advance(group: Group, member: str) -> OpenRoll | None:
    """The advancement of a member that waits for a choice or a re-roll, if there is one."""
    waiting = group.phase.open_advances if group.phase else ()
    return next((open for open in waiting if open.member == member), None)


def _waiting_for(group: Group, member: str, results: set[str]) -> OpenRoll:
    waiting = open_advance(group, member)
    if waiting is None or waiting.again or waiting.result not in results:
        fault = Fault("/member", member, expects("member-with-open-choice"), "FS-ADV-1")
        raise ChoiceRefused(f"{member} has nothing of the kind to choose", [fault])
    return waiting


def _attribute(name: str) -> Attribute:
    return next(known for known in get_args(Attribute) if known == name)


ADVANCING: tuple[Step, ...] = ("2", "3", "7")


class Perk(Struct, frozen=True, forbid_unknown_fields=True):
    """A perk for a member."""

    member: str
    perk: str


class Raise(Struct, frozen=True, forbid_unknown_fields=True):
    """An attribute of a member that grows instead of one at its maximum."""

    member: str
    attribute: str


def _award(context: DecisionContext, args: Nothing) -> Events:
    phase = in_step(context.group, "2")
    fault = Fault("/step", phase.step, expects("experience-once-in-phase"), "FS-XP-1")
    require([fault] if phase.awarded else [], "experience was awarded")
    return award_experience(context.rules, context.group, injury_deaths(context, context.rules.options.kill))


def injury_deaths(context: DecisionContext, reading: str) -> tuple[str, ...]:
    """Whom the rivals lost by the injury table, by the names that this group has for them, where the reading asks for
    it. Raises StepRefused before it is known."""
    if reading != "dead_on_injury_table":
        return ()
    late = [
        Fault("/step", "1", expects("step-of-group-closed", step="1", group=rival.group.id), "FS-PGP-1")
        for rival in context.rivals
        if not rival.settled
    ]
    if late:
        raise StepRefused("who is dead is not known yet", late)
    named = list(context.rivals_by_id)
    return tuple(name_of_rival(named, rival.group.id, id) for rival in context.rivals for id in rival.dead)


def _due(context: DecisionContext) -> Iterator[Arguments]:
    if not context.phase.awarded:
        yield {}


def _roll(context: DecisionContext, args: OfMember) -> Events:
    in_step(context.group, *ADVANCING)
    waiting = open_advance(context.group, args.member)
    again = waiting.roll if waiting is not None and waiting.again else ""
    thrown = context.roll("2D12", "FS-ADV-1", args.member, again)
    return roll_advancement(context.rules, context.group, args.member, thrown)


def _to_roll(context: DecisionContext) -> Iterator[Arguments]:
    for member in context.group.members:
        if member.advances > 0 and not _to_choose(context, member):
            yield {"member": member.id}


def _perks(context: DecisionContext) -> Iterator[Arguments]:
    for member in context.group.members:
        if _to_choose(context, member) in (PERK, ANY_PERK):
            for perk, told in context.rules.advancement.perks.items():
                if not told.leader_only:
                    yield {"member": member.id, "perk": perk}


def _attributes(context: DecisionContext) -> Iterator[Arguments]:
    for member in context.group.members:
        if _to_choose(context, member) not in ("", PERK, ANY_PERK):
            yield from ({"member": member.id, "attribute": name} for name in context.rules.advancement.most)


def _to_choose(context: DecisionContext, member: Member) -> str:
    """What the roll of a member waits for; nothing where it is to be made, or made again."""
    waiting = open_advance(context.group, member.id)
    return "" if waiting is None or (waiting.again and member.advances > 0) else waiting.result


EXPERIENCE_CHOICES = (
    Choice("award_experience", Nothing, _award, ("2",), _due),
    Choice("roll_advancement", OfMember, _roll, ADVANCING, _to_roll),
    Choice(
        "choose_perk",
        Perk,
        lambda context, args: choose_perk(context.rules, context.group, args.member, args.perk),
        ADVANCING,
        _perks,
    ),
    Choice(
        "choose_attribute",
        Raise,
        lambda context, args: choose_attribute(context.rules, context.group, args.member, args.attribute),
        ADVANCING,
        _attributes,
    ),
)
