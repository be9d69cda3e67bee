"""Experience, and the levels that it reaches: FS-XP-1 to FS-XP-6."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from msgspec.structs import replace

from shared.formats.campaign.rules.decision_builder import DecisionBuilder
from shared.formats.campaign.rules.outcomes import ExperienceAwarded, ExperienceChanged, LevelReached, LevelsTakenBack
from shared.formats.campaign.rules.reported import Deeds, Played
from shared.formats.campaign.rules.roster import Group, Member
from shared.formats.campaign.rules.steps import require
from shared.formats.campaign.rules.tables import Rules
from shared.formats.campaign.rules.words import Events, Rank
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
    builder.say(*(replace(change, deeds=dict(deeds)) for change in changes))
    builder.say(*_levels(rules, builder.member(member)))
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
    builder.say(ExperienceChanged(member, amount, reason, clause, unearned=True))
    if rules.options.xp_loss == "undo_level":
        top = was.xp
    lost = level_at(rules, top) - level_at(rules, top + amount)
    if lost:
        builder.say(_taken_back(rules, builder, was, lost))
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
            builder.say(*_changes(member, list(_earned(rules, group, played, deeds, deaths))))
    leader = builder.group.member(played.leader)
    if leader is not None:
        builder.say(*_changes(leader, list(_lost(rules, group, played))))
    for id in group.ids:
        builder.say(*_levels(rules, builder.member(id)))
    builder.say(ExperienceAwarded())
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
