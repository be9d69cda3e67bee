"""Experience, and the levels that it reaches: FS-XP-1 to FS-XP-6."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from shared.rules.campaign.course import Course
from shared.rules.campaign.outcomes import ExperienceAwarded, ExperienceChanged, LevelReached
from shared.rules.campaign.reported import Deeds, Played
from shared.rules.campaign.roster import Group, Member
from shared.rules.campaign.tables import Rules
from shared.rules.campaign.words import Outcome


def level_at(rules: Rules, xp: int) -> int:
    """The highest level whose threshold this experience meets; 0 before the first. FS-XP-4."""
    return max((level.level for level in rules.advancement.levels if level.xp <= xp), default=0)


def change_xp(rules: Rules, group: Group, member: str, amount: int, reason: str, clause: str) -> list[Outcome]:
    """Experience won or lost outside step 2, with the levels that it reaches at once. FS-XP-6."""
    course = Course(group)
    course.say_all(_changes(course.member(member), [(amount, reason, clause)]))
    course.say_all(_levels(rules, course.member(member)))
    return course.outcomes


def experience_of_kill(rules: Rules, wounds: int) -> int:
    """What it gives to take all wounds of one opponent: each of them, and the kill. FS-XP-1."""
    each = rules.advancement.experience
    return each["wound"] * (max(wounds, 1) if rules.options.wound == "per_wound" else 1) + each["kill"]


def raise_to_next_level(rules: Rules, group: Group, member: Member) -> list[Outcome]:
    """A member gains a level: experience of the next threshold, or the roll alone. FS-XP-6, FS-AMB-46."""
    following = next(level for level in rules.advancement.levels if level.level > member.level)
    if rules.options.level_gain == "roll_only":
        return [LevelReached(member.id, following.level)]
    return change_xp(rules, group, member.id, following.xp - member.xp, "objective", "FS-XP-6")


def award_experience(rules: Rules, group: Group, deaths: Collection[str] = ()) -> list[Outcome]:
    """All experience of the game, then the levels that it reaches: step 2.

    Who went to jail after the game has played it, and gets its own. deaths: members of the rival who are dead by the
    injury table, for the reading in which only those are kills. Raises nothing; experience never falls
    below 0. Source: FS-XP-1, FS-XP-2, FS-XP-3, FS-XP-5.
    """
    course = Course(group)
    played = course.phase.played
    for deeds in played.side.members:
        member = course.group.member(deeds.member)
        if member is not None:
            course.say_all(_changes(member, list(_earned(rules, group, played, deeds, deaths))))
    leader = course.group.member(played.leader)
    if leader is not None:
        course.say_all(_changes(leader, list(_lost(rules, group, played))))
    for id in group.ids:
        course.say_all(_levels(rules, course.member(id)))
    course.say(ExperienceAwarded())
    return course.outcomes


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
