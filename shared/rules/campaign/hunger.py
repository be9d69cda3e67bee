"""Step 3: flesh. Raiders who eat their own, mutants who eat enemies, and the blind. FS-SPC-1, FS-SPC-2, FS-AMB-50."""

from __future__ import annotations

from shared.refusals import Fault
from shared.rules.campaign.attributes import attribute, is_blind
from shared.rules.campaign.course import Course
from shared.rules.campaign.departures import remove
from shared.rules.campaign.experience import change_xp, experience_of_kill
from shared.rules.campaign.outcomes import InjuryDue
from shared.rules.campaign.rating import member_cost
from shared.rules.campaign.roster import Group
from shared.rules.campaign.steps import in_step, known_member, require
from shared.rules.campaign.tables import Rules
from shared.rules.campaign.trade_outcomes import CannibalFightResolved, MembersSated
from shared.rules.campaign.upkeep import surplus
from shared.rules.campaign.words import Outcome
from shared.rules.draw import recorded_draw

CLAUSE = "FS-SPC-1"


def food_is_short(rules: Rules, group: Group) -> bool:
    """Whether the group owns less food than it has to eat. FS-AMB-56."""
    return surplus(rules, group) < 0


def fighters(rules: Rules, group: Group, seed: str) -> tuple[str, str]:
    """Who fights for the pot: the leader and whoever is worth least, or two who are worth equally little.

    Worth: base cost and experience. Of more than two equals a recorded draw names two. Raises ChoiceRefused where
    nobody but the leader is there. Source: FS-SPC-1, FS-DICE-4.
    """
    others = [member for member in group.members if member.id != group.leader and not member.away]
    fault = Fault("/members", "nobody to eat", "a member beside the leader", CLAUSE)
    require([] if others else [fault], "there is nobody to eat")
    worth = {member.id: member_cost(rules, group, member) + member.xp for member in others}
    least = [id for id in worth if worth[id] == min(worth.values())]
    if len(least) == 1:
        return group.leader, least[0]
    if len(least) > 2:
        least = recorded_draw(seed, f"pot of {group.id}", group.phase.round if group.phase else 0, least)
    return least[0], least[1]


def eat_own(rules: Rules, group: Group, winner: str, seed: str) -> list[Outcome]:
    """A member goes into the pot after a fight at the table, once in a post-game phase.

    winner: of the two `fighters`; it gets the experience of a kill and of the wounds that this took. A beaten leader
    rolls an injury and the other leaves. Equipment stays. Raises StepRefused or ChoiceRefused.
    Source: FS-SPC-1, FS-XP-1, FS-AMB-56.
    """
    phase = in_step(group, "3")
    fed = rules.forces[group.force].special.cannibals
    faults = [] if fed else [Fault("/force", group.force, "a force that eats its own", CLAUSE)]
    if phase.ate_own or phase.paid:
        faults.append(Fault("/step", "eaten already", "once, before food is settled", CLAUSE))
    if rules.options.cannibals_when == "food_short" and not food_is_short(rules, group):
        faults.append(
            Fault("/food", "enough food", "a shortage, or the option fs.spc.cannibals_when=any_time", "FS-AMB-56")
        )
    require(faults, "nobody is eaten")
    first, second = fighters(rules, group, seed)
    fault = Fault("/winner", winner, f"{first} or {second}", CLAUSE)
    require([] if winner in (first, second) else [fault], "this member does not fight")
    loser = second if winner == first else first
    course = Course(group)
    course.say(CannibalFightResolved(second, first, winner == first))
    if loser == group.leader:
        remove(rules, course, winner, "escaped", CLAUSE, seed, in_game=False)
        course.say(InjuryDue(loser, CLAUSE), MembersSated(0, "own", CLAUSE))
        return course.outcomes
    earned = experience_of_kill(rules, attribute(rules, group, course.member(loser), "W"))
    course.say_all(change_xp(rules, course.group, winner, earned, "cannibal fight", CLAUSE))
    remove(rules, course, loser, "eaten", CLAUSE, seed, in_game=False)
    course.say(MembersSated(fed, "own", CLAUSE))
    return course.outcomes


def eat_blind(rules: Rules, group: Group, member: str, seed: str) -> list[Outcome]:
    """A blind member is eaten without a fight. Raises StepRefused or ChoiceRefused. FS-AMB-50."""
    phase = in_step(group, "3")
    special = rules.forces[group.force].special
    fed = special.cannibals or special.flesh_eaters
    found = known_member(group, member, "FS-AMB-50")
    fault = Fault("/member", member, "a blind member of a force that eats flesh, before food is settled", "FS-AMB-50")
    require([] if fed and is_blind(rules, found) and not phase.paid else [fault], "this member is not eaten")
    course = Course(group)
    remove(rules, course, member, "eaten", "FS-AMB-50", seed, in_game=False)
    course.say(MembersSated(fed, "blind", "FS-AMB-50"))
    return course.outcomes


def feast(rules: Rules, group: Group, rival_force: str, dead: int, taken_down: int) -> list[Outcome]:
    """Killed human enemies feed members, once. dead: by the injury table; taken_down: in the game. FS-SPC-2, FS-AMB-50.

    Raises StepRefused or ChoiceRefused.
    """
    phase = in_step(group, "3")
    special = rules.forces[group.force].special
    killed = dead if rules.options.flesh_eaters_need == "dead_on_injury_table" else taken_down
    faults = [] if special.flesh_eaters else [Fault("/force", group.force, "a force that eats enemies", "FS-SPC-2")]
    if not rules.forces[rival_force].special.human or killed < 1:
        faults.append(Fault("/rival", f"{killed} killed of {rival_force}", "a killed human enemy", "FS-SPC-2"))
    if phase.feasted or phase.paid:
        faults.append(Fault("/step", "eaten already", "once, before food is settled", "FS-SPC-2"))
    require(faults, "no enemy is eaten")
    return [MembersSated(special.flesh_eaters * killed, "enemy", "FS-SPC-2")]
