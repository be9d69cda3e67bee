"""Problems and faults in the language of the page, by their codes and values."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from markupsafe import Markup, escape

from muster_client import Problem
from services.console.hall_time import at
from services.console.language import N_, _, in_markup, isolate, language, mark_english, number, service_text
from services.console.option_words import option_question, option_text
from services.console.words import SIGNED_IN, day, rule_word
from shared.fault_texts import sentences

AGAIN = N_("Send it again in a moment; it counts once.")
RELOAD = N_("Something may have changed meanwhile. Load the page again.")
BESIDE = N_("What does not fit stands beside it.")
IN_PARTS = N_("Send it in several parts.")


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


ROUNDS: Mapping[str, Sequence[str]] = {
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
    "draft-outdated": (N_("Pair round %(round)s again."), N_("Pair it again.")),
    "round-already-published": (N_("Everybody sees it by now."),),
    "round-not-latest": (N_("Only the latest round can be changed."),),
    "round-has-absent-players": (
        N_("These cannot play: %(players)s. Mend the pairings, or pair the round again."),
        N_("Mend the pairings, or pair the round again."),
    ),
    "round-has-results": (
        N_("Games with a result: %(games)s. Void each of them first."),
        N_("Void the results first."),
    ),
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
    "round-unknown": (N_("It is not paired yet, or was taken back."),),
    "no-game": (N_("Wait for the next round, or ask at the desk."),),
    "rounds-not-fixed": (
        N_("With %(players)s players you decide it. Write it into the settings of the event."),
        N_("Write it into the settings of the event."),
    ),
    "rounds-by-table": (
        N_("With %(players)s players there are %(rounds)s. Write that into the settings of the event."),
        N_("Write it into the settings of the event."),
    ),
    "rounds-by-option": (N_("Leave the number of rounds out."),),
    "game-has-result": (N_("A game with a result stays as it is. A result that is wrong can be corrected."),),
    "groups-waiting": (
        N_("Groups that are not done: %(groups)s. It closes by itself after the last of them."),
        N_("It closes by itself after the last of them."),
    ),
    "sessions-open": (N_("Tables that are still being played: %(sessions)s."), N_("Every table has to end first.")),
    "call-out-of-order": (RELOAD,),
    "time-is-up": (N_("Single games can still get more minutes."),),
    "standings-already-published": (N_("Everybody sees them by now."),),
    "form-unknown": (N_("Print lists the forms that there are."),),
    # the cut
    "bracket-stands": (N_("Give up a seat in the cut; the opponent goes on."),),
    "no-cut none": (N_("By the rules the final standings decide."),),
    "no-cut places": (N_("The rules name none after this round. Say how many go on."),),
    "no-cut players": (N_("Fewer than two players can go on."),),
    "no-cut not-made": (N_("Make it first."),),
    "no-cut": (),
    "cut-already-published": (N_("It can be made again until its first round is paired."),),
    "cut-not-published": (N_("Publish it first, then pair the round."),),
    "standings-not-published": (N_("Publish them first, on the page of the standings, then make the cut."),),
    "cut-stands": (N_("Single seats can be given up still."),),
    "not-in-cut": (N_("The page of the cut shows who is."),),
    # calls
    "judge-already-called": (N_("Somebody comes. Wait at the table."),),
    "call-taken": (N_("%(name)s goes there."), ""),
    "call-over": (N_("Call again if somebody is needed."),),
    "call-unknown": (RELOAD,),
    "not-your-table": (N_("Call a judge to your own table."),),
    "no-table-to-call-to": (N_("A bye has none. Ask somebody of the staff."),),
}


RESULTS: Mapping[str, Sequence[str]] = {
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
    "bracket-moved-on": (N_("The game is paired again in a moment; by hand, pair the round again."),),
    "bracket-played-on": (N_("Void the later result first, in a closed round after opening it again."),),
    "result-missing": (N_("Report it first."),),
    "result-not-binding": (N_("It is confirmed or ruled on first; then it can be corrected."),),
    "own-report": (N_("Whoever reported a result cannot confirm it; the opponent or the staff can."),),
    "own-game": (N_("Somebody else of the staff decides it."),),
    "staff-only": (N_("Call a referee."),),
    "impossible-result": (BESIDE,),
    "improbable-result": (N_("It is possible, and rare. If it is right, say so and send it again."),),
    "bye-has-no-result": (N_("The rules say what it is worth."),),
    "ruling-final": (N_("Only they change it, or an organiser who says why."),),
    "ruling-stands": (N_("Whoever ruled can correct it, a player can appeal, and an organiser can override it."),),
    "appeal-open": (N_("Whoever has the last word decides it first."),),
    "no-head-referee": (N_("Without one a ruling is final."),),
    "not-appealed": (),
    "not-your-decision": (N_("By the rules this is for: %(roles)s."), N_("The rules say who.")),
    "ruling-not-final": (N_("Rule on the result, or correct it."),),
    "game-unknown": (RELOAD,),
    "dice-refused": (BESIDE,),
    "game-report-refused": (BESIDE,),
    "game-not-ready": (BESIDE,),
    "step-refused": (N_("What follows this game has gone on too far. What is in the way stands beside it."),),
}


NEW_KEY = N_("Ask whoever gave it to you for a new one.")
OURS = N_("Load the page again. If that does not help, tell whoever runs Muster.")
FROM_THE_START = N_("Send everything once more, from the beginning.")

KEYS: Mapping[str, Sequence[str]] = {
    "forbidden": (N_("This is for: %(roles)s."), ""),
    "not-your-tournament": (N_("Ask its organiser or an operator to appoint you."),),
    "wrong-tournament": (N_("A key opens one event. Sign in with the one for this event."),),
    "token-expired": (NEW_KEY,),
    "token-revoked": (NEW_KEY,),
    "unauthenticated": (N_("Sign in again."),),
    "precondition-failed": (N_("Look at what stands now, and send it again if it is still right."),),
    "invalid-request": (N_("What does not fit stands beside it."),),
    "too-many-requests": (N_("Wait for %(retry_after)s seconds."), N_("Wait a moment.")),
    "token-not-yet-valid": (N_("If that should be over, a clock is wrong: tell whoever runs Muster."),),
    "token-narrowed": (N_("It is for reading alone, or for some messages. Sign in with another one."),),
    # what was sent
    "idempotency-key-reused": (N_("Load the page again, and send it from there."),),
    "invalid-cursor": (N_("Open the list from its beginning."),),
    "too-large": (IN_PARTS,),
    "not-found": (N_("It was removed, or the address is wrong."),),
    "incomplete-body": (AGAIN,),
    **dict.fromkeys(("bad-request", "malformed-json", "duplicate-member", "invalid-idempotency-key"), (OURS,)),
    **dict.fromkeys(("malformed-seen", "implausible-seen", "method-not-allowed", "not-acceptable"), (OURS,)),
    "unsupported-media-type": (OURS,),
    # services
    **dict.fromkeys(("unavailable", "busy", "not-yet-seen", "beacon-awaited"), (AGAIN,)),
    "internal-error": (
        N_("You can send it again; it counts once. Tell whoever runs Muster this number: %(request_id)s."),
        N_("You can send it again; it counts once."),
    ),
    "behind-own-copies": (N_("Nothing was done. Whoever runs Muster has to run `muster recover` first."),),
    "schema-outdated": (N_("Whoever runs Muster has to run `python -m deploy.migrate` first."),),
    "log-unreadable": (N_("Whoever runs Muster sees under Health what repairs it."),),
    # webhooks
    "webhook-unknown": (RELOAD,),
    "webhook-disabled": (N_("Enable it first."),),
    "webhook-target-lost": (N_("Whoever subscribed has to give its address again."),),
    "not-your-webhook": (N_("An organiser looks after all of them."),),
    "delivery-unknown": (N_("Only the latest are kept. Send everything once more instead."),),
    **dict.fromkeys(("feed-cursor-unknown", "feed-cursor-of-another"), (FROM_THE_START,)),
}


PLACE = re.compile(r"%\((\w+)\)s")
STATUS = "status"
"""The fact whose values may have sentences of their own, under the code and the value."""
TABLES: tuple[Mapping[str, Sequence[str]], ...] = (RESULTS, ROUNDS, PLAYERS, EVENT, KEYS)
SENTENCES: Mapping[str, Sequence[str]] = {code: forms for table in TABLES for code, forms in table.items()}
"""Code of a problem, with its status if that matters -> sentences; the first one whose facts are known is used."""


def sentence(problem: Problem) -> str | None:
    """Return the sentence after the title of a problem; empty if the title is enough, None for an unknown code."""
    facts = _facts(problem)
    forms = SENTENCES.get(f"{problem.code} {problem.data.get(STATUS)}", SENTENCES.get(problem.code))
    if forms is None:
        return None
    return next((form and _(form, **facts) for form in forms if facts.keys() >= set(PLACE.findall(form))), "")


def _facts(problem: Problem) -> dict[str, str]:
    """Return the facts of a problem that sentences may name, as text."""
    facts = {name: text_of(problem.data[name]) for name, text_of in FACT_TEXTS.items() if name in problem.data}
    if problem.faults:
        facts["faults"] = number(len(problem.faults))
    if problem.request_id:
        facts["request_id"] = problem.request_id
    return {name: text for name, text in facts.items() if text}


def _number(value: Any) -> str:
    return number(value) if isinstance(value, int) else ""


def _count(value: Any) -> str:
    return number(len(value)) if isinstance(value, list) else ""


def _people(value: Any) -> str:
    """Return the names of people, or how many they are."""
    if isinstance(value, int):
        return number(value)
    people = value if isinstance(value, list) else []
    named = (person for person in people if isinstance(person, dict) and person.get("name"))
    return ", ".join(dict.fromkeys(person["name"] for person in named))


def _roles(value: Any) -> str:
    roles = value if isinstance(value, list) else []
    return ", ".join(_(SIGNED_IN[role]) for role in roles if role in SIGNED_IN)


FACT_TEXTS: Mapping[str, Callable[[Any], str]] = {
    **dict.fromkeys(("round", "next", "planned", "closed", "minimum", "capacity", "wanted"), _number),
    **dict.fromkeys(("limit", "used", "retry_after", "rounds"), _number),
    **dict.fromkeys(("games", "groups", "sessions", "tournaments"), _count),
    "name": str,
    "players": _people,
    "roles": _roles,
}
"""Fact of a problem -> its text; sentences name no other facts."""


CONTEXT = "problem"
NOTHING = ("", "nothing")
"""What a fault has in `said` if no value was given."""
YEAR = "year"
"""The end of a name whose value has no thousands separator."""
OPTION = "%(option)s=%(value)s"
"""The places of a sentence that names an option with its value: a page shows its question and the answer."""


class AnyFault(Protocol):
    """A fault of a problem or of another answer, such as of a list. code, data: None if an older service answers."""

    @property
    def said(self) -> str: ...
    @property
    def expected(self) -> str: ...
    @property
    def clause(self) -> str: ...
    @property
    def code(self) -> str | None: ...
    @property
    def data(self) -> Mapping[str, Any] | None: ...


def problem_text(problem: Problem) -> str | Markup:
    """Return the title of a problem and what to do; the English of the service if its kind is not translated."""
    detail, title = mark_english(problem.detail or problem.title), service_text(CONTEXT, problem.code)
    if title is None:
        return detail
    kind, advice = title if title.endswith("?") else f"{title}.", sentence(problem)
    more = detail if advice is None else advice
    return Markup("%s %s") % (kind, more) if more else kind


def fault_text(fault: AnyFault) -> str | Markup:
    """Return what is wrong with a value, and what would be right."""
    clause = f" ({fault.clause})" if fault.clause else ""
    right = expected_text(fault)
    if fault.said in NOTHING:
        return in_markup(N_("Missing: %(expected)s%(clause)s."), expected=right, clause=clause)
    words = N_("%(value)s is not valid. Expected: %(expected)s%(clause)s.")
    return in_markup(words, value=fault.said, expected=right, clause=clause)


def value_text(said: str) -> str:
    """Return the value of a fault; the word of the page for `nothing` if there was none."""
    return _("nothing") if said in NOTHING else said


def expected_text(fault: AnyFault) -> str | Markup:
    """Return what would be right, by the code of a fault; the English of the service if the code is unknown here."""
    try:
        return sentence_text(fault.code or "", fault.data or {})
    except KeyError:
        return mark_english(fault.expected)


def sentence_text(code: str, data: Mapping[str, Any]) -> Markup:
    """Return the sentence of a code with its values. Raises KeyError for an unknown code or a value that is missing."""
    words: Markup = escape(sentences(language())[code])
    values = {name: _value(name, value) for name, value in data.items()}
    if OPTION in words:
        values["option"] = option_text(str(data["option"]), str(data["value"]))
        words = words.replace(OPTION, "%(option)s")
    return words % values


def _value(name: str, value: Any) -> str | Markup:
    """Return a value in the form of the page. Raises KeyError for an expectation with an unknown code."""
    if isinstance(value, Sequence) and not isinstance(value, str):
        return Markup(", ").join(_value(name, item) for item in value)
    if isinstance(value, Mapping):
        return sentence_text(str(value["code"]), value.get("data", {}))
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, int) and not name.endswith(YEAR):
        return number(value)
    text = str(value)
    return isolate(VALUES[name](text) if name in VALUES else text)


def _moment(text: str) -> str | Markup:
    return at(text, day=True) or text


VALUES: Mapping[str, Callable[[str], str | Markup]] = {
    **dict.fromkeys(("day", "first_day"), day),
    "time": _moment,
    **dict.fromkeys(("field", "fields", "draw"), rule_word),
    **dict.fromkeys(("option", "options", "needs"), option_question),
}
"""Name of a value in `data` -> its form on a page; other texts are shown as they are."""
