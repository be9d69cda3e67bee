"""Events as answers show them, with who acted, what stands for a ruleset; and warnings, as staff see them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from msgspec import UNSET, UnsetType, to_builtins

from shared.events.actors import actor_of, line_of
from shared.events.recorded import Recorded
from shared.formats.fold import data_of
from shared.shapes import View
from shared.tournament.events.registration import RulesetMoved, TournamentAmended, TournamentAnnounced


class ActorView(View, frozen=True, kw_only=True):
    """Who acted, taken apart; what does not apply is left out."""

    name: Annotated[str, "The id in the token: of a player, a member of staff …"]
    role: Annotated[str | UnsetType, "The role that they acted in; none: Muster itself, by a rule."] = UNSET
    venue: Annotated[str | UnsetType, "The id of the venue that they act at; none: everywhere."] = UNSET
    issuer: Annotated[str | UnsetType, "Who of the staff asked for the link that was used."] = UNSET
    entered_by: Annotated[str | UnsetType, "Who entered the player, and so received the link that was used."] = UNSET


class EventView(View, frozen=True, kw_only=True):
    """An event as recorded."""

    id: str
    source: Annotated[str, "The service whose log holds it."]
    type: str
    position: Annotated[int, "In its log, from 1."]
    time: Annotated[str, "RFC 3339, UTC."]
    actor: Annotated[str, "Who, in which role: `p1, player` or `s2, referee of Hall B`."]
    by: ActorView
    data: Annotated[
        dict[str, Any],
        "As recorded; a whole ruleset is shown as its id, version, name, format and address.",
    ]


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


def event_view(recorded: Recorded, venues: Mapping[str, str] | None = None) -> EventView:
    """A recorded event as answers show it. venues: what people call them, for the actor line."""
    by = actor_of(recorded.actor)
    return EventView(
        id=recorded.id,
        source=recorded.source,
        type=recorded.type,
        position=recorded.position,
        time=recorded.time,
        actor=line_of(by, venues),
        by=ActorView(**{name: value for name in by.__struct_fields__ if (value := getattr(by, name))}),
        data=shown_data(recorded),
    )


class WarningView(View, frozen=True, kw_only=True):
    """A reminder without penalty."""

    player: Annotated[str, "Their id in the tournament."]
    time: Annotated[str, "RFC 3339, UTC."]
    actor: Annotated[str, "Who gave it, in which role: `s2, referee of Hall B`."]
    reason: str
    clause: Annotated[str, "Of the ruleset; empty where nobody named one."]


def warning_view(warned: Recorded, venues: Mapping[str, str] | None = None) -> WarningView:
    """A warning from its event. venues: what people call them, for the actor line."""
    event = event_view(warned, venues)
    return WarningView(
        player=event.data["player"],
        time=event.time,
        actor=event.actor,
        reason=event.data["reason"],
        clause=event.data.get("clause", ""),
    )
