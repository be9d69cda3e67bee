"""Warnings as staff see them, of one tournament or of a season's."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from shared.application.command_handler import event_view
from shared.events.recorded import Recorded
from shared.shapes import View


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
