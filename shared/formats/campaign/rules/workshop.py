"""Step 7: custom weapons. FS-BLD-1, FS-BLD-2."""

from __future__ import annotations

from typing import Literal

from shared.formats.campaign.rules.attributes import attribute
from shared.formats.campaign.rules.decision_builder import DecisionBuilder, gain
from shared.formats.campaign.rules.dice import Thrown, check_succeeds, halved, read_throw
from shared.formats.campaign.rules.experience import change_xp
from shared.formats.campaign.rules.income_outcomes import ItemLost, MemberActed
from shared.formats.campaign.rules.roster import Group
from shared.formats.campaign.rules.steps import faults_of_activity, in_step, known_member, require, step_of_building
from shared.formats.campaign.rules.tables import Rules
from shared.formats.campaign.rules.trade_outcomes import BuildAttempted
from shared.formats.campaign.rules.words import Events
from shared.refusals import Fault, expects


def build_target(rules: Rules, group: Group, member: str) -> int:
    """What a builder has to roll or less. FS-BLD-1, FS-EX-11."""
    builder = known_member(group, member, "FS-BLD-1")
    return halved(attribute(rules, group, builder, "I") + attribute(rules, group, builder, "L"))


def build(rules: Rules, group: Group, member: str, parts: str, thrown: Thrown) -> Events:
    """One attempt with one set of parts. parts: the item. Raises StepRefused, ChoiceRefused or DiceRefused.

    Source: FS-BLD-1, FS-BLD-2, FS-XP-6.
    """
    phase = in_step(group, step_of_building(rules))
    owned = group.item(parts)
    weapon = rules.goods[owned.good].parts_for if owned else ""
    faults = faults_of_activity(rules, group, member, "built")
    if not weapon:
        faults.append(Fault("/parts", parts or "nothing", expects("parts-of-group"), "FS-BLD-1"))
    elif not any(rules.goods[item.good].schematic_for == weapon for item in group.items):
        expected = expects("parts-with-schematic", weapon=weapon)
        faults.append(Fault("/parts", parts or "nothing", expected, "FS-BLD-1"))
    if parts in phase.attempted:
        faults.append(Fault("/parts", parts or "nothing", expects("once-in-phase"), "FS-BLD-1"))
    require(faults, "this cannot be built")
    target = build_target(rules, group, member)
    rolled = read_throw(thrown, "1D12", "FS-BLD-1", member=member)
    built = check_succeeds(rolled.natural, target)
    result: Literal["built", "kept", "destroyed"] = "built" if built else _failed(rules, rolled.natural - target)
    builder = DecisionBuilder(group)
    builder.say(rolled, BuildAttempted(member, parts, result, rolled.roll), MemberActed(member, "built", weapon))
    if result != "kept":
        builder.say(ItemLost(parts, result, "FS-BLD-2", rolled.roll))
    if result == "built":
        builder.say(*gain(builder.group, [weapon], "built", "FS-BLD-2", rolled.roll))
        xp = rules.advancement.experience["build"]
        builder.say(*change_xp(rules, builder.group, member, xp, "build", "FS-BLD-2"))
    return builder.events


def _failed(rules: Rules, by: int) -> Literal["kept", "destroyed"]:
    """What a failure does to the parts; of what lies between the two printed bounds the organiser says. FS-AMB-42."""
    if by <= rules.core.build_keeps_until:
        return "kept"
    if by >= rules.core.build_destroys_from:
        return "destroyed"
    return "kept" if rules.options.fail_by_three == "keep_parts" else "destroyed"
