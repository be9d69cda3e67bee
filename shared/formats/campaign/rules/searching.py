"""Step 5: mutants whom no merchant serves search buildings instead. FS-SPC-5."""

from __future__ import annotations

from collections.abc import Sequence

from shared.formats.campaign.rules.decision_builder import DecisionBuilder
from shared.formats.campaign.rules.dice import Thrown, read_throw
from shared.formats.campaign.rules.income_outcomes import MemberActed
from shared.formats.campaign.rules.ledger import gain
from shared.formats.campaign.rules.outcomes import InjuryDue
from shared.formats.campaign.rules.roster import Group
from shared.formats.campaign.rules.steps import faults_of_activity, in_step, require
from shared.formats.campaign.rules.tables import Rules
from shared.formats.campaign.rules.trade_outcomes import BuildingSearched, CentaurJoined
from shared.formats.campaign.rules.words import Events
from shared.refusals import Fault
from shared.rules.draw import recorded_draw

CLAUSE = "FS-SPC-5"


def search_building(rules: Rules, group: Group, searchers: Sequence[str], thrown: Thrown, seed: str) -> Events:
    """What a full pair of searchers finds. A trap hurts one of them, by a recorded draw; a fourth Centaur is not kept.

    Raises StepRefused, ChoiceRefused or DiceRefused. Source: FS-SPC-5, FS-AMB-57.
    """
    phase = in_step(group, "5")
    wanted = rules.forces[group.force].special.searches
    faults = [] if wanted else [Fault("/force", group.force, "a force that merchants fear", CLAUSE)]
    if len(set(searchers)) != wanted or len(searchers) != wanted:
        faults.append(Fault("/searchers", ", ".join(searchers) or "nothing", f"{wanted} different members", CLAUSE))
    for id in searchers:
        faults += faults_of_activity(rules, group, id, "searched")
    require(faults, "no building is searched so")
    rows = rules.finds.buildings
    rolled = read_throw(thrown, "2D12", CLAUSE, table="buildings", rows=rows)
    row = next(row for row in rows if row.least <= rolled.total <= row.most)
    builder = DecisionBuilder(group)
    builder.say(rolled, BuildingSearched(tuple(searchers), row.item or row.finds, rolled.roll))
    builder.say(*(MemberActed(id, "searched", roll=rolled.roll) for id in searchers))
    if row.finds == "item":
        builder.say(*gain(builder.group, [row.item], "searched", CLAUSE, rolled.roll))
    elif row.finds == "centaur" and group.centaurs < rules.core.centaurs_most:
        builder.say(CentaurJoined(rolled.roll))
    elif row.finds == "trap":
        order = [id for id in group.ids if id in searchers]
        hurt = recorded_draw(seed, f"trap {phase.searches} of {group.id}", phase.round, order)[0]
        builder.say(InjuryDue(hurt, CLAUSE))
    return builder.events
