"""Views: events, and what several services take or answer alike."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any, Literal

from msgspec import UNSET, UnsetType, to_builtins

from shared.formats.fold import current_data
from shared.log.event import Actor, Recorded, actor_text, read_actor
from shared.log.log import is_intact
from shared.refusals import Fault
from shared.roles import Role
from shared.shapes import Shape, Size, View
from shared.tournament.registration import RulesetMoved, TournamentAmended, TournamentAnnounced
from shared.web.refusals import LogUnreadable


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
    data = current_data(event)
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


ExternalId = Annotated[str | None, "Who the player is elsewhere, such as in a rating list. null: none is known."]


class Appended(View, frozen=True, kw_only=True):
    """What a command did."""

    id: Annotated[
        str | UnsetType, "The id of what it made, as in addresses; left out for nothing, and for several."
    ] = UNSET
    events: Annotated[list[EventView], "Appended events; empty: nothing changed."]


class FaultView(View, frozen=True, kw_only=True):
    """One thing that is wrong, or that is advised against."""

    where: Annotated[str, "JSON pointer into the body, or a header's name"]
    said: Annotated[str, "What was found there"]
    expected: Annotated[str, "What would be right, in an English sentence"]
    clause: Annotated[str, "The rule that says so; empty where none does"]
    code: Annotated[str | UnsetType, "What would be right, as a stable code to switch on"] = UNSET
    data: Annotated[dict[str, Any] | UnsetType, "The values that `expected` names, by name"] = UNSET


def faults_view(faults: Iterable[Fault]) -> list[FaultView]:
    """Return the view of each fault, with the sentence of its code."""
    return [
        FaultView(
            where=fault.where,
            said=fault.said,
            expected=str(fault.expected),
            clause=fault.clause,
            code=fault.code,
            data=to_builtins(fault.data),
        )
        for fault in faults
    ]


class HeadView(View, frozen=True, kw_only=True):
    """Where a log ends."""

    position: int
    hash: str


class HeadsView(View, frozen=True, kw_only=True):
    """Where the logs of a tournament end, as far as this service holds them."""

    tournament: str
    heads: dict[str, HeadView]


class DieTold(Shape, frozen=True, kw_only=True):
    """A die as it lay on the table."""

    sides: int
    natural: Annotated[int, "The face of the die."]


class RollTold(Shape, frozen=True, kw_only=True):
    """Dice that were rolled at a table; without any, the service rolls. The roller is the player, unless it is said."""

    dice: Annotated[list[DieTold], Size(9)] = []
    rolled_by: Annotated[str, "The id of a player or a member of staff."] = ""
    witnessed_by: Annotated[str, "Somebody else who was there."] = ""


AskedSince = Annotated[
    str | UnsetType,
    "`version` of an earlier answer of this list with the same filters: only what has changed since comes.",
]
Version = Annotated[str | UnsetType, "What to send as `since`, to be told later what has changed after this answer."]
AnsweredSince = Annotated[
    str | UnsetType | None,
    "Where `since` was asked for: that version, and `items` are only what changed after it. null: what changed after"
    " it is not known here, and `items` are everything, so begin anew with them.",
]
Gone = Annotated[
    list[str] | UnsetType,
    "Where `since` was asked for: ids of what is not in the list any more, or not with these filters; some of them may"
    " never have been.",
]


def intact(events: Sequence[Recorded]) -> Sequence[Recorded]:
    """Return the same events. Raises LogUnreadable at the first one that is not what was recorded."""
    for event in events:
        if not is_intact(event):
            raise LogUnreadable(f"The event {event.id} is damaged in this database.", event=event.id)
    return events
