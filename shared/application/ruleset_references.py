"""A ruleset where it need not be whole: what it is called, and the address of registration that shows all of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from msgspec import to_builtins

from shared.events.recorded import Recorded
from shared.formats.catalogue import data_of
from shared.shapes import View
from shared.tournament.events.registration import RulesetMoved, TournamentAmended, TournamentAnnounced

HOLD_ONE = frozenset({TournamentAnnounced.__name__, TournamentAmended.__name__, RulesetMoved.__name__})
"""Events that hold, or may hold, a whole ruleset, so that replay opens no file."""


class RulesetReference(View, frozen=True, kw_only=True):
    """A ruleset in a few words."""

    id: str
    version: str
    name: str
    format: str
    address: Annotated[str, "Where it is shown whole, from the root of registration."]


def ruleset_reference(pack: Mapping[str, Any], tournament: str, from_round: int = 0) -> RulesetReference:
    """What stands for the ruleset of a tournament. from_round: the first that is played by it; 0: as announced."""
    named = {member: str(pack.get(member, "")) for member in ("id", "version", "name", "format")}
    query = f"?round={from_round}" if from_round else ""
    return RulesetReference(**named, address=f"/tournaments/{tournament}/ruleset{query}")


def shown_data(event: Recorded) -> dict[str, Any]:
    """The data of an event as answers show them: as recorded, of a ruleset what stands for it."""
    data = data_of(event)
    if event.type not in HOLD_ONE or not data.get("ruleset"):
        return data
    reference = ruleset_reference(data["ruleset"], event.tournament, data.get("from_round", 0))
    return {**data, "ruleset": to_builtins(reference)}
