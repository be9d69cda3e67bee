"""Refusals about an event as a whole: its rules, days, venues, screens and staff."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from services.console.language import N_
from services.console.refusals.again import BESIDE, RELOAD

EVENT: Mapping[str, Sequence[str]] = {
    "tournament-over": (N_("Only the staff correct results now."),),
    "other-venue": (N_("Whoever was appointed for one venue acts there alone."),),
    "tournament-unknown": (N_("The list of events shows those that there are."),),
    "wrong-format": (N_("This page is not for an event of this kind."),),
    "tournament-exists": (RELOAD,),
    "format-not-played": (BESIDE,),
    "dates-out-of-order": (N_("Its last day is the first one, or a later one."),),
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
    "screen-unknown": (N_("It was removed, or is called otherwise. Print, Walls lists the screens."),),
    "too-many-screens": (N_("There can be %(most)s. Remove one first."), N_("Remove one first.")),
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
