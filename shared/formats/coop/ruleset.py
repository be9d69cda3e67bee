"""The ruleset of a co-operative event inside its state."""

from __future__ import annotations

from shared.formats.coop.rules.ruleset import CoopRuleset
from shared.tournament.entries import Entries
from shared.tournament.ruleset import read_ruleset


def coop_of(entries: Entries) -> CoopRuleset:
    """The ruleset of a co-operative event. Raises PackRefused for another format, which nobody asks for this."""
    return read_ruleset(entries.ruleset, CoopRuleset)
