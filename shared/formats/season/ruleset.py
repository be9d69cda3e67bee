"""The ruleset of a season inside its state."""

from __future__ import annotations

from shared.formats.season.rules.ruleset import SeasonRuleset
from shared.tournament.entries import Entries
from shared.tournament.ruleset import read_ruleset


def season_of(entries: Entries) -> SeasonRuleset:
    """The ruleset of a season. Raises PackRefused for another format, which nobody asks for this."""
    return read_ruleset(entries.ruleset, SeasonRuleset)
