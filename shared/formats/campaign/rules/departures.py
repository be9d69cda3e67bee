"""Members who leave, what radiation does, and the leader: the highest Charisma. FS-PGP-6, FS-RAD-1, FS-LDR-1 to 3."""

from __future__ import annotations

from typing import Literal

from shared.formats.campaign.rules.attributes import attribute, band
from shared.formats.campaign.rules.decision_builder import DecisionBuilder
from shared.formats.campaign.rules.group import new_member
from shared.formats.campaign.rules.outcomes import LeaderAppointed, MemberJoined, MemberRemoved, RadsChanged
from shared.formats.campaign.rules.roster import Group
from shared.formats.campaign.rules.tables import Rules
from shared.rules.draw import recorded_draw

Why = Literal["dead", "radiation", "terrain", "starved", "eaten", "escaped", "sent_away", "killed_by_own"]


def remove(
    rules: Rules,
    builder: DecisionBuilder,
    member: str,
    reason: Why,
    clause: str,
    seed: str,
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
    appoint(rules, builder, seed)


def appoint(rules: Rules, builder: DecisionBuilder, seed: str) -> None:
    """The leader who is due, if one is."""
    round = builder.group.phase.round if builder.group.phase else 0
    builder.say(*appoint_leader(rules, builder.group, f"{seed}|{builder.group.serial}", round))


def gain_rads(
    rules: Rules,
    builder: DecisionBuilder,
    member: str,
    amount: int,
    reason: str,
    clause: str,
    seed: str,
    *,
    in_game: bool = False,
) -> None:
    """Rads gained or lost, never below 0; too many kill. FS-RAD-1, FS-INJ-4."""
    change = max(amount, -builder.member(member).rads)
    if change:
        builder.say(RadsChanged(member, change, reason, clause))
    if band(rules, builder.member(member).rads).dies:
        remove(rules, builder, member, "radiation", "FS-INJ-4", seed, in_game=in_game)


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
