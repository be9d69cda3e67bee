"""What registration can be asked to do about a co-operative event."""

from __future__ import annotations

from typing import Annotated, Any

from shared.shapes import Command, Id, OptionalReason, Size


class PinOperatorData(Command, frozen=True, kw_only=True):
    """data: scenarios with their two sides, cards, how many sit at a table (docs/rulesets.md)."""

    data: dict[str, Any]


class FormParty(Command, frozen=True, kw_only=True):
    """players: two or more who are here already and sit together, as many as fit at a table."""

    players: Annotated[list[Id], Size(100, 1)]


class DisbandParty(Command, frozen=True, kw_only=True):
    """Why, if anybody should know; it stands in the public log."""

    party: Id
    reason: OptionalReason = ""


class AcceptInvitation(Command, frozen=True, kw_only=True):
    """A player who has joined already sits with the survivor who invited them."""

    player: Id
    invited_by: Id


class LeaveParty(Command, frozen=True, kw_only=True):
    """Why, if anybody should know; it stands in the public log."""

    player: Id
    reason: OptionalReason = ""
