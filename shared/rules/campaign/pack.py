"""The shipped campaign ruleset, and the versions of rules that a campaign pins."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256

import msgspec

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


class Versions(msgspec.Struct, frozen=True):
    """What rules a roll was made under: SHA-256 of the tables, and of the options in force. FS-AUD-3."""

    tables: str
    options: str


def versions_of(rules: Rules) -> Versions:
    """The versions that a campaign pins and that its rolls name. FS-AUD-3."""
    told = msgspec.to_builtins(rules)
    options = told.pop("options")
    return Versions(*(sha256(msgspec.json.encode(part, order="sorted")).hexdigest() for part in (told, options)))
