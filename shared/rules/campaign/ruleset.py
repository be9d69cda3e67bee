"""The ruleset of a campaign league as its pack says it: the document, its tables, and the options in force."""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec.structs import replace

from shared.refusals import Fault
from shared.rules.campaign.sound import faults_of_tables
from shared.rules.campaign.tables import Rules
from shared.rules.forms import Form
from shared.rules.parts import Document, Entry, Option, Setting, Tier
from shared.rules.staff import StaffRules


class CampaignRuleset(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Everything that decides how a campaign is played. rules: the nine tables, and the options in force."""

    id: str
    version: str
    title: str
    format: Literal["campaign"]
    document: Document
    tiers: list[Tier]
    entry: Entry
    rules: Rules
    staff: StaffRules | None = None
    forms: list[Form] = []
    options: list[Option] = []
    chosen: dict[str, Setting | dict[str, int]] = {}


def faults_of_campaign(ruleset: CampaignRuleset) -> list[Fault]:
    """Everything in well-formed tables that cannot be played by, each at its JSON pointer."""
    return [replace(fault, where=f"/rules/{table}{fault.where}") for table, fault in faults_of_tables(ruleset.rules)]
