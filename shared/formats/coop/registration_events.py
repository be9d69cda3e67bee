"""Events that registration owns of a co-operative event: what its operator entered of the game, who comes together."""

from __future__ import annotations

from typing import Any

from shared.events.base import Event


class OperatorDataPinned(Event, frozen=True, kw_only=True):
    """What the operator entered of the game, whole: tables set up from now on are played by it.

    version: 1, 2 … of this event. data: scenarios with their sides, cards, table sizes; defaults are written out.
    """

    version: int
    data: dict[str, Any]


class PartyFormed(Event, frozen=True, kw_only=True):
    """Survivors who want to sit together at every table."""

    party: str
    players: list[str]


class PartyJoined(Event, frozen=True, kw_only=True):
    """One more survivor sits with a party, as somebody of it has invited them to."""

    party: str
    player: str


class PartyLeft(Event, frozen=True, kw_only=True):
    """A survivor is seated alone again; the others stay together."""

    party: str
    player: str
    reason: str = ""


class PartyDisbanded(Event, frozen=True, kw_only=True):
    """The members of a party are seated each alone again."""

    party: str
    reason: str = ""


OF_REGISTRATION = (
    OperatorDataPinned,
    PartyFormed,
    PartyJoined,
    PartyLeft,
    PartyDisbanded,
)
