"""What a refusal means and what to do, in a sentence of the console: made of its type and its facts, never of its text.

It follows the title where a language has no other words for what a service says. A sentence that needs a fact which a
problem lacks gives way to the next one, which does without. Where a title says all, there is nothing to add.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from muster_client import Problem
from services.console.language import N_, _
from services.console.numbers import number
from services.console.words import SIGNED_IN

PLACE = re.compile(r"%\((\w+)\)s")
STATUS = "status"
"""The fact that has sentences of its own, under the code and the status."""
AGAIN = N_("Send it again in a moment; it counts once.")
NEW_KEY = N_("Ask whoever gave it to you for a new one.")

SENTENCES: Mapping[str, Sequence[str]] = {
    # results
    "not-your-game": (N_("Players speak of their own games alone. Call a referee to any other."),),
    "round-not-begun": (
        N_("Results are taken once round %(round)s is started."),
        N_("Results are taken once it is started."),
    ),
    "round-closed": (
        N_("Results of round %(round)s are corrected by the staff now."),
        N_("Its results are corrected by the staff now."),
    ),
    "game-held": (
        N_("These lists have to be accepted first: %(players)s."),
        N_("The lists of both have to be accepted first."),
    ),
    "result-exists reported": (N_("Confirm it or dispute it, or ask a referee."),),
    "result-exists disputed": (N_("A referee rules on it."),),
    "result-exists": (N_("It counts already. If it is wrong, ask a referee."),),
    "result-settled disputed": (N_("A referee rules on it."),),
    "result-settled": (N_("It counts already. If it is wrong, ask a referee."),),
    "result-missing": (N_("Report it first."),),
    "result-not-binding": (N_("It is confirmed or ruled on first; then it can be corrected."),),
    "own-report": (N_("Whoever reported a result cannot confirm it; the opponent or the staff can."),),
    "own-game": (N_("Somebody else of the staff decides it."),),
    "staff-only": (N_("Call a referee."),),
    "impossible-result": (N_("What does not fit stands beside it."),),
    "improbable-result": (N_("It is possible, and rare. If it is right, say so and send it again."),),
    "bye-has-no-result": (N_("The rules say what it is worth."),),
    # rulings
    "ruling-final": (N_("Only they change it, or an organiser who says why."),),
    "ruling-stands": (N_("Whoever ruled can correct it, a player can appeal, and an organiser can override it."),),
    "appeal-open": (N_("Whoever has the last word decides it first."),),
    "no-head-referee": (N_("Without one a ruling is final."),),
    "not-appealed": (),
    "not-your-decision": (N_("By the rules this is for: %(roles)s."), N_("The rules say who.")),
    # rounds and pairings
    "games-open": (N_("Games that do not count yet: %(games)s."), N_("Every game has to count first.")),
    "later-round-paired": (N_("Correct the result instead."),),
    "round-already-paired": (N_("Round %(next)s is next."), ""),
    "round-not-closed": (
        N_("Round %(round)s has to be closed first. Games that are open: %(games)s."),
        N_("Round %(round)s has to be closed first."),
        N_("It has to be closed first."),
    ),
    "round-already-started": (N_("Round %(round)s is being played."), N_("It is being played.")),
    "round-not-started": (N_("Round %(round)s has to be started first."), N_("Start it first.")),
    "round-not-published": (N_("Publish round %(round)s first."), N_("Publish it first.")),
    "round-already-published": (N_("Everybody sees it by now."),),
    "round-not-latest": (N_("Only the latest round can be changed."),),
    "round-has-absent-players": (
        N_("These cannot play: %(players)s. Mend the pairings, or pair the round again."),
        N_("Mend the pairings, or pair the round again."),
    ),
    "round-has-results": (N_("Games with a result: %(games)s."), N_("It cannot be taken back any more.")),
    "pairings-refused": (N_("Nothing was paired. What is wrong stands beside it."),),
    "players-without-venue": (N_("These need one first: %(players)s."), N_("Give them one first.")),
    "too-few-players": (
        N_("There are %(players)s, and %(minimum)s are needed."),
        N_("%(minimum)s are needed."),
        N_("More are needed."),
    ),
    "not-enough-tables": (N_("Add tables to the venue, or move players."),),
    "all-rounds-played": (
        N_("%(planned)s rounds were planned. The event can be ended now."),
        N_("The event can be ended now."),
    ),
    "rounds-remain": (
        N_("%(closed)s of %(planned)s rounds are closed. Say why it ends now."),
        N_("Say why it ends now."),
    ),
    "scenario-missing": (N_("Choose the one that everybody plays."),),
    "cut-due": (N_("Make it, then pair the next round."),),
    "publication-past": (N_("Say a later time, or publish it now."),),
    "table-unknown": (N_("Choose a table of this venue."),),
    "table-taken": (N_("Another game is still being played there."),),
    "organiser-decides": (),
    # calls
    "judge-already-called": (N_("Somebody comes. Wait at the table."),),
    "call-taken": (N_("%(name)s goes there."), ""),
    "call-over": (N_("Call again if somebody is needed."),),
    # players and lists
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
    # the event, keys and the machine
    "tournament-over": (N_("Only the staff correct results now."),),
    "other-venue": (N_("Whoever was appointed for one venue acts there alone."),),
    "forbidden": (N_("This is for: %(roles)s."), ""),
    "wrong-tournament": (N_("A key opens one event. Sign in with the one for this event."),),
    "token-expired": (NEW_KEY,),
    "token-revoked": (NEW_KEY,),
    "unauthenticated": (N_("Sign in again."),),
    "precondition-failed": (N_("Look at what stands now, and send it again if it is still right."),),
    "invalid-request": (N_("What does not fit stands beside it."),),
    "too-many-requests": (N_("Wait for %(retry_after)s seconds."), N_("Wait a moment.")),
    "unavailable": (AGAIN,),
    "busy": (AGAIN,),
    "not-yet-seen": (AGAIN,),
}
"""Code of a problem, with its status where that matters -> sentences, the first of which that has its facts is said."""


def sentence(problem: Problem) -> str | None:
    """What follows the title of a problem; empty where the title says all, None where there are no words for it."""
    facts = _facts(problem)
    forms = SENTENCES.get(f"{problem.code} {problem.data.get(STATUS)}", SENTENCES.get(problem.code))
    if forms is None:
        return None
    return next((one and _(one, **facts) for one in forms if facts.keys() >= set(PLACE.findall(one))), "")


def _facts(problem: Problem) -> dict[str, str]:
    """What sentences may name: the facts of a problem in words, without those that cannot be said."""
    said = {name: in_words(problem.data[name]) for name, in_words in IN_WORDS.items() if name in problem.data}
    if problem.faults:
        said["faults"] = number(len(problem.faults))
    return {name: text for name, text in said.items() if text}


def _number(value: Any) -> str:
    return number(value) if isinstance(value, int) else ""


def _count(value: Any) -> str:
    return number(len(value)) if isinstance(value, list) else ""


def _people(value: Any) -> str:
    """Names of people, or how many they are."""
    if isinstance(value, int):
        return number(value)
    found = value if isinstance(value, list) else []
    return ", ".join(dict.fromkeys(one["name"] for one in found if isinstance(one, dict) and one.get("name")))


def _roles(value: Any) -> str:
    found = value if isinstance(value, list) else []
    return ", ".join(_(SIGNED_IN[role]) for role in found if role in SIGNED_IN)


IN_WORDS: Mapping[str, Callable[[Any], str]] = {
    **dict.fromkeys(("round", "next", "planned", "closed", "minimum", "capacity", "wanted"), _number),
    **dict.fromkeys(("limit", "used", "retry_after"), _number),
    "name": str,
    "games": _count,
    "players": _people,
    "roles": _roles,
}
"""Fact of a problem -> how it is said; other facts are not."""
