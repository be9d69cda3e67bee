"""Sentences about refusals of an event (rules, days, venues, staff), of its players and of their lists."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from services.console.language import N_
from services.console.refusals import BESIDE, IN_PARTS, RELOAD

EVENT: Mapping[str, Sequence[str]] = {
    "tournament-over": (N_("Only the staff correct results now."),),
    "other-venue": (N_("Whoever was appointed for one venue acts there alone."),),
    "tournament-unknown": (N_("The list of events shows those that there are."),),
    "wrong-format": (N_("This page is not for an event of this kind."),),
    "tournament-exists": (RELOAD,),
    "format-not-played": (BESIDE,),
    "dates-out-of-order": (N_("Its last day is the first one, or a later one."),),
    "already-over": (BESIDE,),
    "name-not-free": (BESIDE,),
    "not-on-purpose": (BESIDE,),
    "too-late-to-change leaving": (N_("A round is paired. Whoever leaves now drops out."),),
    "too-late-to-change disqualification": (N_("A round was paired without this player."),),
    "too-late-to-change registration": (N_("Round 1 is paired. Staff can still take a late entry."),),
    "too-late-to-change": (N_("What can still be changed stands in the settings of the event."),),
    "unknown-ruleset": (N_("Choose one of those that are offered."),),
    "ruleset-refused": (BESIDE,),
    "ruleset-option-refused": (N_("What may be set stands beside it."),),
    "operator-data-refused": (BESIDE,),
    "venue-unknown": (N_("Choose one of the venues that are open."),),
    "staff-unknown": (RELOAD,),
    "judge-may-not-play": (N_("Appoint somebody who does not play."),),
    # seasons
    "tournaments-open": (
        N_("Events that are not over: %(tournaments)s. End them first, or say why the season ends without them."),
        N_("End them first, or say why the season ends without them."),
    ),
    "season-without-results": (N_("An event that is over has to count for it first."),),
    "tie-undecided": (N_("Who shares a place stands beside it."),),
    "standings-unknown": (N_("The page of the season shows the latest."),),
}


PLAYERS: Mapping[str, Sequence[str]] = {
    "name-taken": (N_("Two names must differ in more than capitals and spaces."),),
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
