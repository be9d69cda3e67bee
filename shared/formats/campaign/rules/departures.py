"""Members who leave for good, and who leads then. FS-PGP-6, FS-LDR-2, FS-SPC-4, FS-RAD-1."""

from __future__ import annotations

from typing import Literal

from shared.formats.campaign.rules.attributes import band
from shared.formats.campaign.rules.decision_builder import DecisionBuilder
from shared.formats.campaign.rules.group import new_member
from shared.formats.campaign.rules.leader import appoint_leader
from shared.formats.campaign.rules.outcomes import LeaderAppointed, MemberJoined, MemberRemoved, RadsChanged
from shared.formats.campaign.rules.tables import Rules

Why = Literal["dead", "radiation", "terrain", "starved", "eaten", "escaped", "sent_away", "killed_by_own"]


def remove(
    rules: Rules,
    builder: DecisionBuilder,
    member: str,
    why: Why,
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
    builder.say(MemberRemoved(member, why, "lost" if in_game else "stash", clause, roll))
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
