"""The leader: the member with the highest Charisma. FS-LDR-1 to FS-LDR-3."""

from __future__ import annotations

from shared.formats.campaign.rules.attributes import attribute
from shared.formats.campaign.rules.outcomes import LeaderAppointed
from shared.formats.campaign.rules.roster import Group
from shared.formats.campaign.rules.tables import Rules
from shared.rules.draw import recorded_draw


def appoint_leader(rules: Rules, group: Group, seed: str, round: int) -> list[LeaderAppointed]:
    """The appointment that is due, if one is: nobody leads, or somebody's Charisma counts for more. FS-AMB-58.

    Equals are put in order by a recorded draw from `seed`; a leader who is one of them stays. A group without
    members has no leader.
    """
    if not group.members:
        return []
    charisma = {member.id: attribute(rules, group, member, "C") for member in group.members}
    best = [id for id in group.ids if charisma[id] == max(charisma.values())]
    if group.leader and (rules.options.reappoint == "on_leaving_roster" or group.leader in best):
        return []
    if len(best) == 1:
        return [LeaderAppointed(best[0], _clause(group))]
    order = recorded_draw(seed, f"leader of {group.id}", round, best)
    return [LeaderAppointed(order[0], _clause(group), tuple(order))]


def _clause(group: Group) -> str:
    return "FS-LDR-1" if group.phase is None else "FS-LDR-2"
