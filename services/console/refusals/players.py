"""Refusals about players, their seats and their lists."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from services.console.language import N_
from services.console.refusals.again import IN_PARTS

PLAYERS: Mapping[str, Sequence[str]] = {
    "name-taken": (N_("Two names differ in more than capitals, and do not look the same."),),
    "registration-closed": (
        N_("There are %(capacity)s seats, and %(wanted)s would be needed."),
        N_("Ask the organiser whether a late entry is possible."),
    ),
    "invite-only": (N_("Ask the organiser."),),
    "capacity-too-small": (
        N_("There are %(capacity)s seats, and %(wanted)s would be needed."),
        N_("More players than that have a seat already."),
    ),
    "sign-ups-paused": (N_("Try again in %(retry_after)s seconds."), N_("Try again in a moment.")),
    "quota-reached": (N_("There are %(used)s, and there may be %(limit)s."), ""),
    "player-not-active waiting": (N_("They wait for a seat."),),
    "player-not-active withdrawn": (N_("They gave up their seat before the first round."),),
    "player-not-active dropped": (N_("They have dropped out."),),
    "player-not-active disqualified": (N_("They were disqualified."),),
    "player-not-active": (),
    "player-unknown": (),
    "not-yours": (N_("The staff do it for others."),),
    "roster-illegal": (N_("Faults: %(faults)s."), N_("What is wrong stands beside it.")),
    "roster-locked": (N_("Play has begun. Only the staff change a list now, and say why."),),
    "roster-missing": (N_("It has to be handed in first."),),
    "csv-refused": (N_("Nobody was entered. Faults: %(faults)s."), N_("Nobody was entered.")),
    "still-in-use": (N_("Wait until the round is closed, or move its games."),),
    "external-id-taken": (N_("It belongs to one player. Whose it is stands beside it."),),
    "roster-too-large": (
        N_("It has %(used)s bytes, and may have %(limit)s."),
        N_("Shorten it."),
    ),
    "rosters-hidden": (
        N_("Until the first round has begun this is for: %(roles)s."),
        N_("They are open once the first round has begun."),
    ),
    "party-refused": (N_("Nobody was entered. What is wrong stands beside it."),),
    "invitation-unknown": (N_("Ask whoever invited you for the code."),),
    "event-too-large": (IN_PARTS,),
}
