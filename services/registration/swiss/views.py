"""What registration shows of rosters."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import date
from typing import Any

from services.registration.swiss.sealed_lists import Kept
from shared.formats.swiss.rules.openness import cited, salt_of
from shared.formats.swiss.rules.roster import advice_on_roster, list_due
from shared.formats.swiss.rules.ruleset import Ruleset
from shared.formats.swiss.ruleset import ruleset_of
from shared.refusals import Fault
from shared.tournament.entries import Entries, Player


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


def _fault_view(fault: Any) -> dict[str, str]:
    return {"where": fault.where, "said": fault.said, "expected": fault.expected, "clause": fault.clause}
