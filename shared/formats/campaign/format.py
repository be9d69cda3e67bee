"""The row of the format of campaign leagues."""

from __future__ import annotations

from shared.formats.campaign import enlisted, events, state, table_dice
from shared.formats.campaign.enlisted import ENLISTED
from shared.formats.campaign.final_results import final_results
from shared.formats.campaign.league import improbable_facts, planned_rounds
from shared.formats.campaign.rules.ruleset import CampaignRuleset, faults_of_campaign
from shared.formats.campaign.state import CAMPAIGN
from shared.tournament.format import Format

CAMPAIGN_FORMAT = Format(
    name="campaign",
    ruleset=CampaignRuleset,
    faults=faults_of_campaign,
    events={"registration": events.OF_REGISTRATION, "scoring": (*events.OF_SCORING, *table_dice.OF_DICE)},
    slices=(ENLISTED, CAMPAIGN),
    changes={"registration": ENLISTED.changed_by(enlisted.EVOLVE), "scoring": CAMPAIGN.changed_by(state.EVOLVE)},
    planned_rounds=planned_rounds,
    improbable=improbable_facts,
    final_results=final_results,
)
