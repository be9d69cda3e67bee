"""The ruleset of a campaign league as its pack says it: the document, tables, options in force; and its versions."""

from __future__ import annotations

from hashlib import sha256
from typing import Literal

import msgspec
from msgspec.structs import replace

from shared.formats.campaign.rules.semantic_checks import faults_of_tables
from shared.formats.campaign.rules.tables import Rules
from shared.refusals import Fault
from shared.rules.parts import Setting
from shared.rules.ruleset import AnyRuleset, RoundsOption


class CampaignRuleset(AnyRuleset, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Everything that decides how a campaign is played. rules: the nine tables, and the options in force."""

    format: Literal["campaign"]
    rules: Rules
    chosen: dict[str, Setting | dict[str, int]] = {}

    @property
    def rounds_option(self) -> RoundsOption:
        """The option that sets the number of rounds. FS-LGE-3."""
        return RoundsOption("fs.campaign.rounds", self.rules.options.rounds, "FS-LGE-3")


# msgspec works a type out at its first use, and 0.22 crashes where several threads are the first: so one is, here.
msgspec.json.Decoder(CampaignRuleset)


def faults_of_campaign(ruleset: CampaignRuleset) -> list[Fault]:
    """Everything in well-formed tables that cannot be played by, each at its JSON pointer."""
    return [replace(fault, where=f"/rules/{table}{fault.where}") for table, fault in faults_of_tables(ruleset.rules)]


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
