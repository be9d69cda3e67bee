"""The ruleset of a campaign inside its state: that of a round, since the operator may move it to another version."""

from __future__ import annotations

from typing import Any

from shared.formats.campaign.rules.ruleset import CampaignRuleset, versions_of
from shared.formats.campaign.rules.tables import Rules
from shared.tournament.entries import Entries
from shared.tournament.ruleset import kept_with, read_ruleset


def campaign_of(entries: Entries, round: int) -> Rules:
    """The rules that a round of a campaign is played by."""
    return campaign_ruleset(entries, round).rules


def campaign_ruleset(entries: Entries, round: int) -> CampaignRuleset:
    """The ruleset of a round of a campaign: of the version that the operator moved it to last. Raises PackRefused."""
    return read_ruleset(_pack_of(entries, round), CampaignRuleset)


def versions_at(entries: Entries, round: int) -> str:
    """The versions of these rules, as the rolls of the round name them. FS-AUD-3."""
    kept = kept_with(_pack_of(entries, round), CampaignRuleset)
    if b"versions" not in kept:
        kept[b"versions"] = versions_of(campaign_ruleset(entries, round)).named
    named: str = kept[b"versions"]
    return named


def _pack_of(entries: Entries, round: int) -> dict[str, Any]:
    return entries.ruleset_at(round)
