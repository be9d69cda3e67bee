"""Dice of a campaign that rest on one word: nothing fails by them, and whoever verifies a log should know."""

from __future__ import annotations

from muster.audit.findings import Findings
from muster.audit.replay import Logs, whole
from shared.formats.campaign.ruleset import campaign_of
from shared.formats.campaign.vouched_dice import standings_of_dice

CAMPAIGN = "campaign"
MARKED = ("unconfirmed", "disputed", "rejected")
"""How told dice may stand, and are counted."""


def count_dice(logs: Logs, findings: Findings) -> None:
    """Count the dice told at a table by how they stand, in a campaign. Raises CannotFold."""
    state = whole(logs)
    if state.entries.format != CAMPAIGN:
        return

    def asked(round: int) -> bool:
        return campaign_of(state.entries, round).options.witness == "confirms"

    for _, standing in standings_of_dice(state, asked):
        findings.counts[standing] += standing in MARKED
