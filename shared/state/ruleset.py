"""The ruleset inside a tournament's state, as the rules want it."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from shared.rules.campaign.ruleset import CampaignRuleset
from shared.rules.campaign.tables import Rules
from shared.rules.campaign.versions import versions_of
from shared.rules.coop.ruleset import CoopRuleset
from shared.rules.formats import AnyRuleset, from_json
from shared.rules.model import Facts, Score
from shared.rules.parts import Tier
from shared.rules.ruleset import Ruleset
from shared.rules.scoring import score_game
from shared.rules.season.ruleset import SeasonRuleset
from shared.state.entries import Entries

_KEEP = 512

Wanted = TypeVar("Wanted", Ruleset, CoopRuleset, SeasonRuleset)

msgspec.json.Decoder(Facts)  # its first use, in one thread alone: see shared/rules/ruleset.py


class _Known(Struct, frozen=True):
    """A ruleset as read from the pack in a state, and what it made of facts so far."""

    pack: dict[str, Any]
    ruleset: AnyRuleset
    scored: dict[bytes, tuple[Facts, Score]]
    versions: str = ""


_known: OrderedDict[int, _Known] = OrderedDict()


def rules_of(entries: Entries) -> AnyRuleset:
    """The tournament's ruleset, whatever its format, with the organiser's options in force. Read once a state."""
    return _of(entries).ruleset


def ruleset_of(entries: Entries) -> Ruleset:
    """The ruleset of a Swiss tournament. Raises TypeError for another format, which nobody asks for this."""
    return _only(Ruleset, entries)


def swiss_or_none(entries: Entries) -> Ruleset | None:
    """The ruleset of a Swiss tournament; None for another format, which knows nothing of what only that one has."""
    found = rules_of(entries)
    return found if isinstance(found, Ruleset) else None


def coop_of(entries: Entries) -> CoopRuleset:
    """The ruleset of a co-operative event. Raises TypeError as `ruleset_of`."""
    return _only(CoopRuleset, entries)


def campaign_of(entries: Entries, round: int) -> Rules:
    """The rules that a round of a campaign is played by."""
    return campaign_ruleset(entries, round).rules


def campaign_ruleset(entries: Entries, round: int) -> CampaignRuleset:
    """The ruleset of a round of a campaign: of the version that the operator moved it to last. Raises TypeError."""
    return _of_round(entries, round)[0]


def versions_at(entries: Entries, round: int) -> str:
    """The versions of these rules, as the rolls of the round name them. FS-AUD-3."""
    return _of_round(entries, round)[1]


def _of_round(entries: Entries, round: int) -> tuple[CampaignRuleset, str]:
    moved = [move.ruleset for move in entries.moves if move.from_round <= round]
    known = _known_as(moved[-1] if moved else entries.ruleset)
    found = known.ruleset
    if not isinstance(found, CampaignRuleset):
        raise TypeError(f"the ruleset {found.id} is of the format {found.format}")
    return found, known.versions


def season_of(entries: Entries) -> SeasonRuleset:
    """The ruleset of a season. Raises TypeError as `ruleset_of`."""
    return _only(SeasonRuleset, entries)


def _only(wanted: type[Wanted], entries: Entries) -> Wanted:
    found = _of(entries).ruleset
    if not isinstance(found, wanted):
        raise TypeError(f"the ruleset {found.id} is of the format {found.format}")
    return found


def tier_of(entries: Entries) -> Tier:
    """The tournament's level of play; the ruleset's first where the announcement names none."""
    tiers = rules_of(entries).tiers
    return next((tier for tier in tiers if tier.id == entries.tier), tiers[0])


def scored(entries: Entries, facts: Mapping[str, Any]) -> tuple[Facts, Score]:
    """Facts as an event holds them, typed, and what the ruleset makes of them; worked out once for the same facts.

    Raises msgspec.ValidationError when they are not facts at all, ImpossibleResult as `score_game` does.
    """
    known, key = _of(entries), msgspec.msgpack.encode(facts)
    found = known.scored.get(key)
    if found is None:
        typed = facts_of(facts)
        found = known.scored[key] = typed, score_game(ruleset_of(entries), typed)
    return found


def facts_of(facts: Mapping[str, Any]) -> Facts:
    """Facts as an event holds them, typed. Raises msgspec.ValidationError when they are not facts at all."""
    return msgspec.convert(facts, Facts)


def _of(entries: Entries) -> _Known:
    return _known_as(entries.ruleset)


def _known_as(pack: dict[str, Any]) -> _Known:
    found = _known.get(id(pack))
    if found is None or found.pack is not pack:
        ruleset = from_json(pack)
        versions = versions_of(ruleset).named if isinstance(ruleset, CampaignRuleset) else ""
        found = _known[id(pack)] = _Known(pack, ruleset, {}, versions)
        while len(_known) > _KEEP:
            _known.popitem(last=False)
    return found
