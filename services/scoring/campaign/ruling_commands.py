"""What an organiser can rule about a campaign's group after the fact."""

from __future__ import annotations

from services.scoring.tournament.commands import Command
from shared.formats.campaign.rules.ruled import LedgerEntry


class EnterLedger(Command, frozen=True, kw_only=True):
    """Explicit entries for what a ruling changes; all of them or none. FS-REP-5."""

    group: str
    entries: list[LedgerEntry]
