"""The ruleset of a campaign league as its pack says it: the document, its tables, and the options in force."""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec.structs import replace

from shared.formats.campaign.rules.semantic_checks import faults_of_tables
from shared.formats.campaign.rules.tables import Rules
from shared.refusals import Fault
from shared.rules.parts import Setting
from shared.rules.ruleset import AnyRuleset


class CampaignRuleset(AnyRuleset, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Everything that decides how a campaign is played. rules: the nine tables, and the options in force."""

    format: Literal["campaign"]
    rules: Rules
    chosen: dict[str, Setting | dict[str, int]] = {}


# msgspec works a type out at its first use, and 0.22 crashes where several threads are the first: so one is, here.
msgspec.json.Decoder(CampaignRuleset)


def faults_of_campaign(ruleset: CampaignRuleset) -> list[Fault]:
    """Everything in well-formed tables that cannot be played by, each at its JSON pointer."""
    return [replace(fault, where=f"/rules/{table}{fault.where}") for table, fault in faults_of_tables(ruleset.rules)]
