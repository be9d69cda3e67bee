"""What registration shows, from the folded state."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from datetime import date
from typing import Any

from services.registration.coop.decide import STILL_WITH
from services.registration.swiss.sealed_lists import Kept
from services.registration.tournament import directory
from services.registration.tournament.packs import decision_view, tier_view
from shared.formats.coop.at_tables import data_of, table_size
from shared.formats.coop.entries import COOP
from shared.formats.coop.rules.data import missing_of
from shared.formats.swiss.rules.openness import cited, salt_of
from shared.formats.swiss.rules.roster import advice_on_roster, list_due, released_by
from shared.formats.swiss.rules.ruleset import Ruleset
from shared.formats.swiss.ruleset import ruleset_of, swiss_or_none
from shared.refusals import Fault
from shared.rules.staff import answerers
from shared.tournament.entries import Entries, Player
from shared.tournament.guards.authority import appointed
from shared.tournament.ruleset import rules_of, tier_of
from shared.tournament.state import Tournament


def tournament_view(tournament: str, state: Tournament) -> dict[str, Any]:
    """A tournament with its venues, its staff and how many players are in which status."""
    entries = state.entries
    return {
        "id": tournament,
        "name": entries.name,
        "format": entries.format,
        "status": directory.status_of(state),
        "ruleset": entries.ruleset,
        "tier": entries.tier,
        "starts_on": entries.starts_on,
        "ends_on": entries.ends_on,
        "capacity": entries.capacity,
        "rounds": entries.rounds,
        "pairing_scope": entries.pairing_scope,
        "visibility": entries.visibility,
        "check_in": entries.check_in,
        "sign_up": entries.sign_up,
        "registration_open": entries.registration_open,
        "organiser": entries.organiser,
        "kept_apart": entries.kept_apart,
        "tier_rules": tier_view(tier_of(entries)),
        "dates": dates_view(swiss_or_none(entries), entries.starts_on),
        "decisions": [decision_view(who) for who in answerers(rules_of(entries).staff, appointed(entries))],
        "rehearsal": entries.rehearsal,
        "players": dict(Counter(player.status for player in entries.players.values())),
        "venues": [
            {
                "id": venue.id,
                "name": venue.name,
                "open": venue.open,
                "tables": [{"table": table, "accessible": kept} for table, kept in sorted(venue.tables.items())],
            }
            for venue in entries.venues.values()
        ],
        "staff": [
            {
                "id": member.id,
                "name": member.name,
                "role": member.role,
                "venue": member.venue,
                "player": member.player,
            }
            for member in entries.staff.values()
            if member.active
        ],
    }


def late_view(entries: Entries, submitted: str) -> list[dict[str, str]]:
    """Advice about a list that came after the day for lists; it is taken all the same (FF-REG-2, FF-AMB-22).

    submitted: the moment, as events have it.
    """
    rule = ruleset_of(entries).legality
    if rule is None or not entries.starts_on:
        return []
    due = list_due(ruleset_of(entries), date.fromisoformat(entries.starts_on)).isoformat()
    if submitted[:10] <= due:
        return []
    return [_fault_view(Fault("/roster", f"submitted on {submitted[:10]}", f"by {due}", rule.cites("list_due_days")))]


def dates_view(ruleset: Ruleset | None, starts_on: str) -> dict[str, Any] | None:
    """Until when lists are due and releases are legal; None where the first day or such a rule is missing."""
    if not starts_on or ruleset is None or ruleset.legality is None:
        return None
    first_day, rule = date.fromisoformat(starts_on), ruleset.legality
    return {
        "lists_due_on": list_due(ruleset, first_day).isoformat(),
        "released_by": released_by(ruleset, first_day).isoformat(),
        "clauses": {"lists_due_on": rule.cites("list_due_days"), "released_by": rule.cites("delay_days")},
    }


def operator_data_view(state: Tournament) -> dict[str, Any]:
    """What the operator entered last, with the values of each side that are still missing."""
    data = data_of(state)
    sides = (
        [(sheet.scenario_id, number, side) for sheet in data.scenarios for number, side in enumerate(sheet.sides, 1)]
        if data
        else []
    )
    return {
        "version": len(COOP.of(state).data),
        "data": COOP.of(state).data[-1] if data else {},
        "missing": [
            {"scenario": scenario, "side": number, "missing": missing}
            for scenario, number, side in sides
            if (missing := missing_of(side))
        ],
    }


def invitation_view(state: Tournament, player: str, code: str) -> dict[str, Any]:
    """The code by which others come to a survivor's table, and how many more it has places for."""
    party = COOP.of(state).party_of(player)
    members = COOP.of(state).parties.get(party, [player])
    there = sum(state.entries.players[member].status in STILL_WITH for member in members)
    return {
        "player": player,
        "invitation": code,
        "party": party,
        "players": members if party else [],
        "places": max(0, table_size(state).survivors_max - there),
    }


def waiting_places(entries: Entries) -> dict[str, int]:
    """Everybody who waits -> their place on the waiting list, from 1."""
    return {player.id: place for place, player in enumerate(entries.waiting(), start=1)}


def player_view(player: Player, waiting: Mapping[str, int]) -> dict[str, Any]:
    """A player as everybody sees them: never why a table is theirs, never personal data."""
    shown: dict[str, Any] = {
        "id": player.id,
        "name": player.name,
        "external_id": player.external_id,
        "faction": player.faction,
        "club": player.club,
        "venue": player.venue,
        "status": player.status,
        "late": player.late,
        "checked_in": player.checked_in,
        "roster": player.roster,
        "pinned": {"venue": player.pinned[0], "table": player.pinned[1]} if player.pinned else None,
        "warnings": player.warnings,
        "barred": player.barred,
        "after_round": player.after_round,
    }
    if player.status == "waiting":
        shown["waiting_position"] = waiting[player.id]
    return shown


def roster_view(player: Player, ruleset: Ruleset, fields: Collection[str], keeps: Kept) -> dict[str, Any]:
    """A roster as submitted last. fields: that are open to whoever asks; keeps: what the log has as digests alone."""
    held = {field: keeps.fits(player, field) for field in player.roster_sealed}
    whole = player.roster_sheet | keeps.shown(player)
    roster = {field: whole[field] for field in ruleset.roster.fields if field in whole and field in fields}
    return {
        "player": player.id,
        "status": player.roster,
        "note": player.roster_note,
        "roster": roster,
        "sealed": [
            {
                "field": field,
                "digest": digest,
                "shown": field in fields and held[field],
                "held": held[field],
                "salt": salt_of(keeps.secret, field) if field in fields and held[field] else "",
                "clause": cited(ruleset.roster, field),
            }
            for field, digest in player.roster_sealed.items()
        ],
        "faults": [_fault_view(fault) for fault in player.roster_faults],
        "advice": advice_view(ruleset, roster),
    }


def advice_view(ruleset: Ruleset, roster: Mapping[str, Any]) -> list[dict[str, str]]:
    """What the document advises against in a roster, each at its place in a submission."""
    advice = advice_on_roster(ruleset, roster)
    return [{**_fault_view(fault), "where": f"/roster{fault.where}"} for fault in advice]


def _fault_view(fault: Any) -> dict[str, str]:
    return {"where": fault.where, "said": fault.said, "expected": fault.expected, "clause": fault.clause}
