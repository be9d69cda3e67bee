"""Events of a campaign league: each outcome of its rules, with the group, the round and the decision it came from.

An outcome (`shared/rules/campaign`) is a complete statement in the past tense already; its event has the same name and
the same members.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from shared.events.base import Event
from shared.formats.campaign.rules.dice import DieRolled
from shared.formats.campaign.rules.outcomes import GroupAccepted, GroupRatingFinalised, LeaderAppointed, TurfGained
from shared.formats.campaign.rules.recorded import KINDS
from shared.formats.campaign.rules.words import Outcome


class CampaignEvent(Event, frozen=True, kw_only=True):
    """group: whom it is about; empty where it is the whole campaign. round: 0 before the first game.

    cause: the decision that it came from.
    """

    group: str = ""
    round: int = 0
    cause: str = ""


def _event_of(kind: type[Outcome]) -> type[CampaignEvent]:
    members: list[tuple[str, Any] | tuple[str, Any, Any]] = [
        (member.name, member.type) if member.required else (member.name, member.type, _default(member))
        for member in msgspec.structs.fields(kind)
    ]
    made = msgspec.defstruct(
        kind.__name__,
        members,
        bases=(CampaignEvent,),
        module=__name__,
        namespace={"__doc__": kind.__doc__},
        frozen=True,
        kw_only=True,
    )
    assert issubclass(made, CampaignEvent)
    return made


def _default(member: msgspec.structs.FieldInfo) -> Any:
    if member.default is not msgspec.NODEFAULT:
        return member.default
    return msgspec.field(default_factory=member.default_factory)


EVENT_OF: Mapping[type[Outcome], type[CampaignEvent]] = {kind: _event_of(kind) for kind in KINDS.values()}
"""Kind of outcome -> its event."""

BUILDING = (GroupAccepted, DieRolled, TurfGained, LeaderAppointed, GroupRatingFinalised)
"""What happens while a group is built: before round 1, by registration. FS-SVC-1."""

OF_REGISTRATION = tuple(EVENT_OF[kind] for kind in BUILDING)
OF_SCORING = tuple(event for kind, event in EVENT_OF.items() if kind is not GroupAccepted)


def event_of(outcome: Outcome, group: str, round: int, cause: str) -> CampaignEvent:
    """The event that an outcome becomes."""
    said = {name: getattr(outcome, name) for name in outcome.__struct_fields__}
    return EVENT_OF[type(outcome)](group=group, round=round, cause=cause, **said)


def outcome_of(event: CampaignEvent) -> Outcome:
    """The outcome that an event is made of."""
    kind = KINDS[type(event).__name__]
    return kind(**{name: getattr(event, name) for name in kind.__struct_fields__})
