"""What rules a roll was made under. FS-AUD-3."""

from __future__ import annotations

from hashlib import sha256

import msgspec

from shared.formats.campaign.rules.ruleset import CampaignRuleset

SHORT = 16
"""Hex digits of a hash that a roll names."""


class Versions(msgspec.Struct, frozen=True):
    """The version of the document, and SHA-256 of the tables and of the options in force, as 64 hex digits each."""

    document: str
    tables: str
    options: str

    @property
    def named(self) -> str:
        """As a roll names them: `document/tables/options`, the hashes by their beginnings."""
        return "/".join((self.document, self.tables[:SHORT], self.options[:SHORT]))


def versions_of(ruleset: CampaignRuleset) -> Versions:
    """The versions that a campaign pins with its ruleset, and that its rolls name."""
    told = msgspec.to_builtins(ruleset.rules)
    options = told.pop("options")
    hashes = (sha256(msgspec.json.encode(part, order="sorted")).hexdigest() for part in (told, options))
    return Versions(ruleset.document.version, *hashes)
