"""The ruleset inside a tournament's state, as the rules want it."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import Struct

from shared.rules.model import Facts, Score
from shared.rules.parts import Tier
from shared.rules.ruleset import Ruleset, from_json
from shared.rules.scoring import score_game
from shared.state.entries import Entries

_KEEP = 512

msgspec.json.Decoder(Facts)  # its first use, in one thread alone: see shared/rules/ruleset.py


class _Known(Struct, frozen=True):
    """A ruleset as read from the pack in a state, and what it made of facts so far."""

    pack: dict[str, Any]
    ruleset: Ruleset
    scored: dict[bytes, tuple[Facts, Score]]


_known: OrderedDict[int, _Known] = OrderedDict()


def ruleset_of(entries: Entries) -> Ruleset:
    """The tournament's ruleset, with the organiser's options in force. Read from JSON once a state."""
    return _of(entries).ruleset


def tier_of(entries: Entries) -> Tier:
    """The tournament's level of play; the ruleset's first where the announcement names none."""
    tiers = ruleset_of(entries).tiers
    return next((tier for tier in tiers if tier.id == entries.tier), tiers[0])


def scored(entries: Entries, facts: Mapping[str, Any]) -> tuple[Facts, Score]:
    """Facts as an event holds them, typed, and what the ruleset makes of them; worked out once for the same facts.

    Raises msgspec.ValidationError when they are not facts at all, ImpossibleResult as `score_game` does.
    """
    known, key = _of(entries), msgspec.msgpack.encode(facts)
    found = known.scored.get(key)
    if found is None:
        typed = facts_of(facts)
        found = known.scored[key] = typed, score_game(known.ruleset, typed)
    return found


def facts_of(facts: Mapping[str, Any]) -> Facts:
    """Facts as an event holds them, typed. Raises msgspec.ValidationError when they are not facts at all."""
    return msgspec.convert(facts, Facts)


def _of(entries: Entries) -> _Known:
    pack = entries.ruleset
    found = _known.get(id(pack))
    if found is None or found.pack is not pack:
        found = _known[id(pack)] = _Known(pack, from_json(pack), {})
        while len(_known) > _KEEP:
            _known.popitem(last=False)
    return found
