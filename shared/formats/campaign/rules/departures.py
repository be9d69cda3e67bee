"""Members who leave, what radiation does, and the leader: the highest Charisma. FS-PGP-6, FS-RAD-1, FS-LDR-1 to 3."""

from __future__ import annotations

from typing import Literal

from shared.formats.campaign.rules.attributes import attribute, band
from shared.formats.campaign.rules.decision_builder import DecisionBuilder
from shared.formats.campaign.rules.group import new_member
from shared.formats.campaign.rules.outcomes import LeaderAppointed, MemberJoined, MemberRemoved, RadsChanged
from shared.formats.campaign.rules.roster import Group
from shared.formats.campaign.rules.tables import Rules
from shared.rules.draw import Draws, lots

Why = Literal["dead", "radiation", "terrain", "starved", "eaten", "escaped", "sent_away", "killed_by_own"]


def remove(
    rules: Rules,
    builder: DecisionBuilder,
    member: str,
    reason: Why,
    clause: str,
    draws: Draws,
    *,
    in_game: bool,
    roll: str = "",
) -> None:
    """A member leaves; a leader is appointed at once, before anything else.

    in_game: killed in the game or by an injury, so that the equipment is lost; else it goes to the stash. Who was
    the kind of member that its force replaces is replaced, and the new one leads.
    """
    gone, phase = builder.member(member), builder.group.phase
    builder.say(MemberRemoved(member, reason, "lost" if in_game else "stash", clause, roll))
    successor = rules.forces[builder.group.force].special.successor
    if in_game and phase is not None and phase.step in ("1", "1b") and successor == gone.rank:
        joining = new_member(rules, builder.group.serial + 1, successor)
        builder.say(MemberJoined(joining, "successor", "FS-SPC-4"), LeaderAppointed(joining.id, "FS-SPC-4"))
    appoint(rules, builder, draws)


def appoint(rules: Rules, builder: DecisionBuilder, draws: Draws) -> None:
    """The leader who is due, if one is."""
    round = builder.group.phase.round if builder.group.phase else 0
    builder.say(*appoint_leader(rules, builder.group, draws, round))


def gain_rads(
    rules: Rules,
    builder: DecisionBuilder,
    member: str,
    amount: int,
    reason: str,
    clause: str,
    draws: Draws,
    *,
    in_game: bool = False,
) -> None:
    """Rads gained or lost, never below 0; too many kill. FS-RAD-1, FS-INJ-4."""
    change = max(amount, -builder.member(member).rads)
    if change:
        builder.say(RadsChanged(member, change, reason, clause))
    if band(rules, builder.member(member).rads).dies:
        remove(rules, builder, member, "radiation", "FS-INJ-4", draws, in_game=in_game)


def lose_rads(builder: DecisionBuilder, member: str, amount: int, reason: str, clause: str) -> None:
    """Take rads from a member, never below 0. FS-RAD-1."""
    change = min(amount, builder.member(member).rads)
    if change:
        builder.say(RadsChanged(member, -change, reason, clause))


def appoint_leader(rules: Rules, group: Group, draws: Draws, round: int) -> list[LeaderAppointed]:
    """The appointment that is due, if one is: nobody leads, or somebody's Charisma counts for more. FS-AMB-58.

    Equals are put in the order of their lots; a leader who is one of them stays. A group without members has no leader.
    """
    if not group.members:
        return []
    charisma = {member.id: attribute(rules, group, member, "C") for member in group.members}
    best = [id for id in group.ids if charisma[id] == max(charisma.values())]
    if group.leader and (rules.options.reappoint == "on_leaving_roster" or group.leader in best):
        return []
    if len(best) == 1:
        return [LeaderAppointed(best[0], _clause(group))]
    number = group.phase.leaders + 1 if group.phase else 1
    order = lots(draws, f"leader {number} of {group.id}", round, best)
    return [LeaderAppointed(order[0], _clause(group), tuple(order))]


def _clause(group: Group) -> str:
    return "FS-LDR-1" if group.phase is None else "FS-LDR-2"
