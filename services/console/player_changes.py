"""What staff may do with a player, wherever the button stands: the command, and what is said when it is done."""

from __future__ import annotations

from typing import Any

from muster_client.generated.bodies import AmendPlayerBody
from services.console.forms import Form
from services.console.language import N_
from services.console.upstream import muster

DONE = {
    "check-in": N_("%(player)s is here."),
    "check-out": N_("%(player)s is no longer here."),
    "move": N_("%(player)s plays elsewhere from the next pairing on."),
    "withdraw": N_("%(player)s has given up the seat."),
    "drop": N_("%(player)s has dropped out."),
    "reinstate": N_("%(player)s is back."),
    "disqualify": N_("%(player)s is disqualified."),
    "revoke": N_("The disqualification of %(player)s is revoked."),
    "amend": N_("%(player)s is amended."),
}
"""What a form does -> what is said when it is done."""
NEED_REASON = ("disqualify", "revoke")


def change_player(does: str, event: str, player: str, form: Form) -> Any:
    """Send the command that a form names, one of `DONE`. Raises Problem."""
    asked, reason, key = muster().registration, form["reason"], form.key
    if does == "check-in":
        return asked.check_in(event, player, venue=form["venue"], idempotency_key=key)
    if does == "check-out":
        return asked.check_out(event, player, idempotency_key=key)
    if does == "move":
        return asked.move_player(event, player, venue=form["venue"], reason=reason, idempotency_key=key)
    if does == "withdraw":
        return asked.withdraw_player(event, player, reason=reason, idempotency_key=key)
    if does == "drop":
        return asked.drop_player(event, player, reason=reason, idempotency_key=key)
    if does == "reinstate":
        return asked.reinstate_player(event, player, idempotency_key=key)
    if does == "disqualify":
        return asked.disqualify_player(event, player, reason=reason, idempotency_key=key)
    if does == "revoke":
        return asked.revoke_disqualification(event, player, reason=reason, idempotency_key=key)
    before = asked.show_player(event, player)
    changed: AmendPlayerBody = {}
    if form["name"] and form["name"] != before.name:
        changed["name"] = form["name"]
    if form["club"] and form["club"] != before.club:
        changed["club"] = form["club"]
    if form["faction"] and form["faction"] != before.faction:
        changed["faction"] = form["faction"]
    return asked.amend_player(event, player, idempotency_key=key, **changed)
