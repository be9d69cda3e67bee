"""What registration shows of rosters."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import date
from typing import Annotated, Any

from msgspec.structs import replace

from services.registration.swiss.sealed_lists import Kept
from shared.refusals import Fault, expects
from shared.service.game_lists import SheetView
from shared.service.views import Appended, FaultView, faults_view
from shared.shapes import View
from shared.swiss.games import ruleset_of
from shared.swiss.roster import advice_on_roster
from shared.swiss.roster_parts import cited
from shared.swiss.ruleset import Ruleset
from shared.tournament.people import Entries, Player


class RosterTaken(Appended, frozen=True, kw_only=True):
    """advice: what the document advises against in the roster, which is legal all the same."""

    advice: list[FaultView]


class SealedView(View, frozen=True, kw_only=True):
    """A field that is not open yet: the log has SHA-256 of the RFC 8785 JSON of [salt, field, value].

    value: as in `roster`, null if the list has no such field.
    """

    field: str
    digest: str
    shown: Annotated[bool, "Whether you may see it now; then there is a salt."]
    held: Annotated[bool, "false: registration lost it with its database; hand the list in again."]
    salt: str
    clause: str


class RosterView(View, frozen=True, kw_only=True):
    """A roster as submitted last: the fields that the caller may read by now; all of them for staff and owner."""

    player: str
    status: str
    note: Annotated[
        str, "What staff said when they accepted or rejected it; before play has begun, for staff and owner alone."
    ]
    roster: dict[str, Any]
    sealed: Annotated[list[SealedView], "Fields of which the log has digests, because they are not open yet."]
    faults: list[FaultView]
    advice: Annotated[list[FaultView], "What the document advises against; it is legal."]


class RosterSheets(View, frozen=True, kw_only=True):
    """A roster on paper: a sheet of each form that holds lists."""

    items: list[SheetView]


def roster_view(player: Player, ruleset: Ruleset, fields: Collection[str], keeps: Kept, note: str) -> RosterView:
    """A roster as submitted last. fields: that the caller may read; keeps: the row; note: one that is not public."""
    whole = player.roster_sheet | keeps.shown(player)
    roster = {field: whole[field] for field in ruleset.roster.fields if field in whole and field in fields}
    return RosterView(
        player=player.id,
        status=player.roster,
        note=player.roster_note or note,
        roster=roster,
        sealed=[_sealed_view(player, ruleset, field, fields, keeps) for field in player.roster_sealed],
        faults=[
            FaultView(where=fault.where, said=fault.said, expected=fault.expected, clause=fault.clause)
            for fault in player.roster_faults
        ],
        advice=advice_view(ruleset, roster),
    )


def _sealed_view(player: Player, ruleset: Ruleset, field: str, fields: Collection[str], keeps: Kept) -> SealedView:
    held = keeps.fits(field, player.roster_sealed[field])
    shown = held and field in fields
    return SealedView(
        field=field,
        digest=player.roster_sealed[field],
        shown=shown,
        held=held,
        salt=keeps.salt(field) if shown else "",
        clause=cited(ruleset.roster, field),
    )


def advice_view(ruleset: Ruleset, roster: Mapping[str, Any]) -> list[FaultView]:
    """What the document advises against in a roster, each at its place in a submission."""
    advice = advice_on_roster(ruleset, roster)
    return faults_view(replace(fault, where=f"/roster{fault.where}") for fault in advice)


def late_view(entries: Entries, submitted: str) -> list[FaultView]:
    """Advice about a list that came after the day for lists; it is taken all the same (FF-REG-2, FF-AMB-22).

    submitted: the moment, as events have it.
    """
    rule = ruleset_of(entries).legality
    if rule is None or not entries.starts_on:
        return []
    due = rule.lists_due(date.fromisoformat(entries.starts_on)).isoformat()
    if submitted[:10] <= due:
        return []
    late = Fault("/roster", submitted[:10], expects("handed-in-by", day=due), rule.cites("list_due_days"))
    return faults_view([late])
