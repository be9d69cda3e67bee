"""The shipped campaign ruleset."""

from __future__ import annotations

from collections.abc import Mapping

from shared.rules.campaign.ruleset import CampaignRuleset
from shared.rules.campaign.tables import Rules
from shared.rules.options import apply_options
from shared.rules.pack import shipped_ruleset

SHIPPED = "fallout-skirmish"


def campaign_rules(chosen: Mapping[str, object] = {}) -> Rules:
    """The shipped tables with these options set. Raises OptionsRefused."""
    shipped = shipped_ruleset(SHIPPED)
    assert isinstance(shipped, CampaignRuleset)
    return apply_options(shipped, chosen).rules if chosen else shipped.rules
