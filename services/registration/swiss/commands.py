"""What registration can be asked to do about rosters, with the shape of each member."""

from __future__ import annotations

from typing import Annotated, Any

from services.registration.tournament.commands import LONGEST_LIST, everybody_once
from shared.shapes import Check, Command, Id, MadeAnew, OptionalReason, Size, Text
from shared.tournament.registration import OpenedRoster


class SubmitRoster(Command, frozen=True, kw_only=True):
    """roster: as the ruleset words it (docs/rulesets.md). override: why staff change it after play began.

    sealed: on record, the digests of the fields that are not open yet; `roster` has the others then.
    """

    player: Id
    roster: dict[str, Any]
    override: OptionalReason = ""
    secret: Annotated[
        str,
        MadeAnew(),
        "Random text for the digests of fields that are not open yet; empty if the ruleset opens all at once.",
    ] = ""
    sealed: dict[str, str] = {}


class OpenRosters(Command, frozen=True, kw_only=True):
    """A rule opens fields of rosters. rosters: their values, each with the salt of its digest."""

    rosters: Annotated[list[OpenedRoster], Size(LONGEST_LIST, 1)]


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


class DropAbsentPlayer(Command, frozen=True, kw_only=True):
    """Whoever stayed away too often is out. A rule gives it, nobody else."""

    player: Id
