"""The ruleset of a Swiss tournament inside its state, and what it makes of facts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from shared.formats.swiss.rules.ruleset import Ruleset
from shared.formats.swiss.rules.scoring import improbable_in, score_game
from shared.refusals import Fault
from shared.rules.model import Facts, Score
from shared.tournament.entries import Entries
from shared.tournament.ruleset import kept_with, read_ruleset
from shared.tournament.state import Tournament

msgspec.json.Decoder(Facts)  # its first use, in one thread alone: see shared/formats/swiss/rules/ruleset.py


def ruleset_of(entries: Entries) -> Ruleset:
    """The ruleset of a Swiss tournament. Raises PackRefused for another format, which nobody asks for this."""
    return read_ruleset(entries.ruleset, Ruleset)


def scored(entries: Entries, facts: Mapping[str, Any]) -> tuple[Facts, Score]:
    """Facts as an event holds them, typed, and what the ruleset makes of them; worked out once for the same facts.

    Raises msgspec.ValidationError when they are not facts at all, ImpossibleResult as `score_game` does.
    """
    kept, key = kept_with(entries.ruleset, Ruleset), msgspec.msgpack.encode(facts)
    found: tuple[Facts, Score] | None = kept.get(key)
    if found is None:
        typed = facts_of(facts)
        found = kept[key] = typed, score_game(ruleset_of(entries), typed)
    return found


def facts_of(facts: Mapping[str, Any]) -> Facts:
    """Facts as an event holds them, typed. Raises msgspec.ValidationError when they are not facts at all."""
    return msgspec.convert(facts, Facts)


def improbable_facts(state: Tournament, facts: Mapping[str, Any]) -> list[Fault]:
    """What of possible facts no game is likely to bring, each at its place in them."""
    return improbable_in(ruleset_of(state.entries), facts_of(facts))
