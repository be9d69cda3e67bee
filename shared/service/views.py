"""Events as answers show them, with who acted, what stands for a ruleset; and warnings, as staff see them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from msgspec import UNSET, UnsetType, to_builtins

from shared.events.actors import Actor, actor_text, read_actor
from shared.events.recorded import Recorded
from shared.formats.fold import data_of
from shared.roles import Role
from shared.shapes import View
from shared.tournament.events.registration import RulesetMoved, TournamentAmended, TournamentAnnounced


class ViaView(View, frozen=True, kw_only=True):
    """The person besides the player who received the player's link."""

    how: Annotated[Literal["link", "entry"], "link: `by` requested the link; entry: `by` entered the player."]
    by: Annotated[str, "The id of that person."]


class ActorView(View, frozen=True, kw_only=True):
    """Who acted, as the event has it; members that do not apply are absent."""

    actor: Annotated[str, "The id of a player or of a member of staff, or the name in the token."]
    role: Annotated[Role, "The role that they acted in; `rule`: Muster itself, by a rule."]
    venue: Annotated[str | UnsetType, "The id of the only venue where they act; absent: every venue."] = UNSET
    via: ViaView | UnsetType = UNSET


class EventView(View, frozen=True, kw_only=True):
    """An event as recorded."""

    id: str
    source: Annotated[str, "The service whose log holds it."]
    type: str
    position: Annotated[int, "In its log, from 1."]
    time: Annotated[str, "RFC 3339, UTC."]
    actor: ActorView
    actor_text: Annotated[str, "The actor as a line: `p1, player` or `s2, referee of Hall B`."]
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
    query = f"?round={from_round}" if from_round else ""
    return RulesetReference(
        id=str(pack.get("id", "")),
        version=str(pack.get("version", "")),
        name=str(pack.get("name", "")),
        format=str(pack.get("format", "")),
        address=f"/tournaments/{tournament}/ruleset{query}",
    )


def shown_data(event: Recorded) -> dict[str, Any]:
    """The data of an event as answers show them: as recorded, of a ruleset what stands for it."""
    data = data_of(event)
    if event.type not in HOLD_ONE or not data.get("ruleset"):
        return data
    reference = ruleset_reference(data["ruleset"], event.tournament, data.get("from_round", 0))
    return {**data, "ruleset": to_builtins(reference)}


def actor_view(actor: Actor) -> ActorView:
    """Return an actor as answers show it."""
    via = ViaView(how=actor.via.how, by=actor.via.by) if actor.via else UNSET
    return ActorView(actor=actor.actor, role=actor.role, venue=actor.venue or UNSET, via=via)


def event_view(recorded: Recorded, venues: Mapping[str, str] | None = None) -> EventView:
    """Return a recorded event as answers show it. venues: id -> name, for the text of the actor."""
    actor = read_actor(recorded.actor)
    return EventView(
        id=recorded.id,
        source=recorded.source,
        type=recorded.type,
        position=recorded.position,
        time=recorded.time,
        actor=actor_view(actor),
        actor_text=actor_text(actor, venues),
        data=shown_data(recorded),
    )


class WarningView(View, frozen=True, kw_only=True):
    """A reminder without penalty."""

    player: Annotated[str, "Their id in the tournament."]
    time: Annotated[str, "RFC 3339, UTC."]
    actor: ActorView
    actor_text: Annotated[str, "Who gave it, as a line: `s2, referee of Hall B`."]
    reason: str
    clause: Annotated[str, "Of the ruleset; empty where nobody named one."]


def warning_view(warned: Recorded, venues: Mapping[str, str] | None = None) -> WarningView:
    """Return a warning from its event. venues: id -> name, for the text of the actor."""
    event = event_view(warned, venues)
    return WarningView(
        player=event.data["player"],
        time=event.time,
        actor=event.actor,
        actor_text=event.actor_text,
        reason=event.data["reason"],
        clause=event.data.get("clause", ""),
    )
