"""What registration can be asked to do about rosters, with the shape of each member."""

from __future__ import annotations

from typing import Annotated, Any

from services.registration.tournament.commands import LONGEST_LIST, everybody_once
from shared.shapes import Check, Command, Id, MadeAnew, OptionalReason, Size, Text


class SubmitRoster(Command, frozen=True, kw_only=True):
    """roster: as the ruleset words it (docs/rulesets.md). override: why staff change it after play began.

    sealed: on record, the digests of what the log must not show; `roster` is the rest of it then.
    """

    player: Id
    roster: dict[str, Any]
    override: OptionalReason = ""
    secret: Annotated[
        str,
        MadeAnew(),
        "Random text for the digests of what the log must not show; empty where the ruleset hides nothing.",
    ] = ""
    sealed: dict[str, str] = {}


class AcceptRoster(Command, frozen=True, kw_only=True):
    """note: what staff found."""

    player: Id
    note: OptionalReason = ""


class AcceptRosters(Command, frozen=True, kw_only=True):
    """Rosters of several players: all of them are accepted, or none. note: what staff found, of each of them."""

    players: Annotated[list[Id], Size(LONGEST_LIST, 1), Check(everybody_once)]
    note: OptionalReason = ""


class RejectRoster(Command, frozen=True, kw_only=True):
    """note: what staff found; the player reads it."""

    player: Id
    note: Annotated[str, Text(500, minimum=1)]
